"""Whom a person can reach: confirmed numbers of their own country, and no other."""

from __future__ import annotations

import re
import warnings
from datetime import date
from pathlib import Path

import pytest
import yaml

from handrail.content import loader
from handrail.domain.outcome import Resource
from handrail.errors import ContentInvalid, InvalidInput
from handrail.rails import helplines
from handrail.rails.helplines import MAX_HELPLINES, Country, Helplines

DIRECTORY = Helplines.packaged()
YEAR = 365
AS_OF = date(2026, 11, 21)  # move it forward at each review of the records

STATED = [
    ("I live in Ireland", "IE"),
    ("i live in ireland and cannot sleep", "IE"),
    ("I live in Northern Ireland", "GB"),
    ("I live in the Republic of Ireland", "IE"),
    ("I’m living in Scotland now", "GB"),
    ("We're based in the UK.", "GB"),
    ("I live in Cork, Ireland", "IE"),
    ("I live in Paris, France, with my aunt", "FR"),
    ("Here in New Zealand it is late", "NZ"),
    ("I'm in the US and cannot sleep", "US"),
    ("I live in the U.S. with my aunt", "US"),
    ("I am in the United States of America", "US"),
    ("vivo en mexico", "MX"),
    ("Vivo en México con mi tía", "MX"),
    ("estoy en España", "ES"),
    ("vivo en los Estados Unidos", "US"),
    ("vivo en EE. UU. desde hace años", "US"),
    ("estamos en el Perú", "PE"),
]

NOT_STATED = [
    "I'm in New Mexico",
    "I'm in New South Wales",
    "I live in Indiana",
    "I live in Georgia",
    "I'm in Jordan's class",
    "I'm in love",
    "I'm in the IT department",
    "I live in fear of turkey",
    "he leaves us in the rain",
    "my sister lives in Spain",
    "I used to live in Spain",
    "I don't live in Spain",
    "When I'm in Spain I feel better",
    "If I live in Spain, will it pass?",
    "cuando estoy en España duermo",
    "Spain is where I was born",
    "I live in fear. France, then",
    "",
    "in",
]


@pytest.mark.parametrize(("message", "code"), STATED)
def test_c38_a_country_that_the_person_says_they_are_in_is_read(message: str, code: str) -> None:
    assert DIRECTORY.stated(message) == code


@pytest.mark.parametrize("message", NOT_STATED)
def test_c38_no_other_country_is_guessed(message: str) -> None:
    assert DIRECTORY.stated(message) is None


def test_c38_only_the_beginning_of_a_long_message_is_read() -> None:
    assert DIRECTORY.stated("I live in Spain. " + "x" * 10_000) == "ES"
    assert DIRECTORY.stated("x" * 10_000 + " I live in Spain.") is None
    said = "I live in Spain"
    assert DIRECTORY.stated(" " * (4000 - len(said)) + said) == "ES"
    assert DIRECTORY.stated(" " * (4001 - len(said)) + said) is None


def test_c38_the_longest_name_is_the_one_meant() -> None:
    body = DIRECTORY.model_dump(mode="json")
    body["countries"] = [
        {**body["countries"][0], "code": code, "name": name, "names_es": [], "aliases": []}
        for code, name in [("GN", "Guinea"), ("GW", "Guinea-Bissau"), ("GQ", "Equatorial Guinea")]
    ]
    small = Helplines.model_validate(body)
    stated = [small.stated(f"I live in {name}") for name in ("Guinea", "Guinea-Bissau")]
    assert stated == ["GN", "GW"]
    assert small.stated("I live in Equatorial Guinea") == "GQ"


@pytest.mark.parametrize("country", [None, "", "XX", "us"])
def test_c67_without_a_known_country_the_international_directories_stand(
    country: str | None,
) -> None:
    found = DIRECTORY.resources(country)
    assert [resource.id for resource in found] == [entry.id for entry in DIRECTORY.directories]
    assert all(resource.country is None for resource in found)
    assert not any(re.search(r"\b(?:988|911|999|112)\b", resource.value) for resource in found)


@pytest.mark.parametrize("country", DIRECTORY.countries, ids=lambda country: country.code)
@pytest.mark.parametrize("topics", [(), ("suicide",), ("domestic-violence",), ("child-abuse",)])
def test_c67_every_resource_is_a_record_of_that_country(
    country: Country, topics: tuple[str, ...]
) -> None:
    found = DIRECTORY.resources(country.code, topics=topics)
    numbers = [resource for resource in found if resource.kind != "web"]
    assert numbers
    assert len(numbers) <= MAX_HELPLINES + 1
    assert {resource.country for resource in numbers} == {country.code}
    assert {resource.value for resource in numbers} <= recorded(country)
    assert all(resource.source and resource.confirmed for resource in found)


def recorded(country: Country) -> set[str]:
    """Every number and address of the country's records."""
    values = {entry.number for entry in country.emergency}
    for line in country.helplines:
        values |= {channel.value or channel.url or "" for channel in line.channels}
    return values - {""}


@pytest.mark.parametrize("country", DIRECTORY.countries, ids=lambda country: country.code)
def test_every_number_has_the_form_that_the_country_dials(country: Country) -> None:
    form = re.compile(country.dial_check)
    dialled = [entry.number for entry in country.emergency if entry.channel == "call"]
    dialled += [c.value for line in country.helplines for c in line.channels if c.value]
    odd = [number for number in dialled if not form.match(re.sub("[ -]", "", number))]
    assert odd == []


def test_c44_the_american_entry_names_its_lifeline_and_emergency_number() -> None:
    emergency, lifeline, *_ = DIRECTORY.resources("US")
    assert (emergency.label, emergency.value) == ("Emergency Services", "911")
    assert lifeline.value == "988"
    assert "Suicide & Crisis Lifeline" in lifeline.label
    assert "US" in lifeline.label


def test_where_police_and_ambulance_differ_the_danger_decides() -> None:
    assert DIRECTORY.resources("TH")[0].note == "ambulance"
    assert DIRECTORY.resources("TH", topics=("domestic-violence",))[0].note == "police"


def test_a_topic_brings_its_own_helpline_first() -> None:
    line = DIRECTORY.resources("US", topics=("domestic-violence",))[1]
    assert line.id == "us-domestic-violence-hotline"


def test_a_country_without_a_helpline_gets_its_emergency_number_and_a_directory() -> None:
    kinds = [resource.kind for resource in DIRECTORY.resources("UA")]
    assert kinds == ["emergency", "web"]


def invented(**changes: object) -> Helplines:
    """A directory of one invented country with three lines, and two international lists."""

    def line(id: str, audience: str, topics: list[str], **more: object) -> dict[str, object]:
        call = {"kind": "call", "value": f"0800 {id}"}
        common = {"name": id.title(), "source": f"s-{id}", "confirmed": "2026-01-02"}
        return {"id": id, "audience": audience, "topics": topics, "channels": [call]} | (
            common | more
        )

    web = [
        {"id": id, "name": id.title(), "url": f"{id}.example", "note": f"n-{id}", "source": "w"}
        | {"confirmed": "2026-02-03"}
        for id in ("first", "second")
    ]
    services = [("1", ["fire"], "call"), ("2", ["ambulance"], "call"), ("3", ["police"], "call")]
    emergency = [
        {"number": number, "services": behind, "sources": ["key", "other"], "channel": channel}
        for number, behind, channel in [*services, ("4", ["ambulance", "police"], "text")]
    ]
    country = {
        "code": "ZZ",
        "name": "Zedland",
        "emergency": emergency,
        "helplines": [
            line("young", "youth", ["suicide"]),
            line("all", "general", ["suicide"], hours="9-17"),
            line("home", "women", ["domestic-violence"]),
        ],
        "dial_check": "^",
        "names_es": ["Zedlandia", "Granada"],
        "aliases": ["Land of Zed"],
    }
    return Helplines.model_validate(
        {
            "version": 1,
            "as_of": "2026-03-04",
            "reviewer": "nobody",
            "source": "none",
            "conventions": {},
            "emergency_sources": {"key": "A register"},
            "directories": web,
            "countries": [country | changes],
        }
    )


def ids(found: tuple[Resource, ...]) -> list[str]:
    return [resource.id for resource in found]


def test_the_emergency_number_says_who_answers_and_where_that_was_read() -> None:
    assert invented().resources("ZZ")[0] == Resource(
        id="zz-emergency",
        label="Emergency Services",
        value="2",
        kind="emergency",
        country="ZZ",
        note="ambulance",
        source="A register; other",
        confirmed="2026-03-04",
    )


def test_a_helpline_says_when_it_answers_and_where_that_was_read() -> None:
    assert invented().resources("ZZ")[1] == Resource(
        id="all",
        label="All (ZZ)",
        value="0800 all",
        kind="call",
        country="ZZ",
        hours="9-17",
        source="s-all",
        confirmed="2026-01-02",
    )


def test_an_international_list_is_shown_as_it_is() -> None:
    assert invented().resources(None)[1] == Resource(
        id="second",
        label="Second",
        value="second.example",
        kind="web",
        note="n-second",
        source="w",
        confirmed="2026-02-03",
    )


@pytest.mark.parametrize(
    ("topics", "order"),
    [
        ((), ["all", "young"]),
        (("suicide",), ["all", "young"]),
        (("domestic-violence",), ["home", "all"]),
        (("youth",), ["young", "all"]),
        (("suicide", "youth"), ["young", "all"]),
        (("gambling",), ["all", "young"]),
    ],
)
def test_the_fitting_line_comes_first_then_the_one_for_everybody(
    topics: tuple[str, ...], order: list[str]
) -> None:
    assert ids(invented().resources("ZZ", topics=topics))[1:] == order


@pytest.mark.parametrize("danger", ["domestic-violence", "child-abuse"])
def test_in_violence_the_police_come_first(danger: str) -> None:
    assert invented().resources("ZZ", topics=("suicide", danger))[0].value == "3"


def test_what_a_country_lacks_is_not_made_up() -> None:
    assert ids(invented(emergency=[]).resources("ZZ")) == ["all", "young"]
    assert ids(invented(helplines=[]).resources("ZZ")) == ["zz-emergency", "first"]
    assert ids(invented(helplines=[], emergency=[]).resources("ZZ")) == ["first", "second"]
    text_only = [{"number": "4", "services": ["police"], "sources": ["key"], "channel": "text"}]
    assert ids(invented(emergency=text_only).resources("ZZ")) == ["all", "young"]


def test_the_other_ways_to_a_service_stand_in_its_note() -> None:
    channels = [
        {"kind": "text", "value": "50808", "send": "HELLO"},
        {"kind": "call", "value": "111", "then": "press 1"},
        {"kind": "text", "value": "222", "send": "HI"},
        {"kind": "chat", "url": "chat.example"},
        {"kind": "whatsapp", "value": "333"},
    ]

    def shown(*given: dict[str, str]) -> Resource:
        line = invented().countries[0].helplines[0].model_dump(mode="json")
        return invented(helplines=[line | {"channels": given}]).resources("ZZ")[1]

    first = shown(*channels)
    assert (first.value, first.kind) == ("50808", "text")
    assert first.note == (
        "text HELLO; call 111, then press 1; text HI to 222; chat at chat.example; WhatsApp 333"
    )
    second = shown(channels[1])
    assert (second.value, second.note) == ("111", "press 1")
    third = shown(channels[3], channels[4])
    assert (third.value, third.kind, third.note) == ("chat.example", "chat", "WhatsApp 333")


@pytest.mark.parametrize(
    ("message", "stated"),
    [
        ("I live in Zedland", "ZZ"),
        ("vivo en Zedlandia", "ZZ"),
        ("we're in the land of zed", "ZZ"),
        ("I live in Zedlands", None),
        ("I live in Granada", None),
    ],
)
def test_a_country_is_known_by_all_its_names(message: str, stated: str | None) -> None:
    assert invented().stated(message) == stated


def test_an_unknown_code_is_refused_with_the_next_step() -> None:
    assert DIRECTORY.require("IE") == "IE"
    with pytest.raises(InvalidInput) as refused:
        DIRECTORY.require("Ireland")
    assert str(refused.value) == (
        "no helplines for country 'Ireland'. Use an ISO 3166 code such as IE"
    )


def stale(today: date) -> list[str]:
    """Records that nobody has confirmed for a year."""
    lines = [line for country in DIRECTORY.countries for line in country.helplines]
    records = [*lines, *DIRECTORY.directories]
    return [r.id for r in records if (today - date.fromisoformat(r.confirmed)).days > YEAR]


def test_old_records_are_found() -> None:
    assert stale(AS_OF) == []
    assert len(stale(date(AS_OF.year + 2, 1, 1))) > 100


@pytest.mark.filterwarnings("default")
def test_records_older_than_a_year_are_pointed_out_and_fail_nothing() -> None:
    today = date.today()  # noqa: DTZ011  a day more or less is no matter
    if old := stale(today):
        warnings.warn(f"{len(old)} helplines were confirmed over a year ago", stacklevel=1)
    assert date.fromisoformat(DIRECTORY.as_of) >= date(2026, 1, 1)


@pytest.mark.parametrize(
    ("path", "wrong"),
    [
        (("countries", 0, "helplines", 0), {"hour": "24/7"}),
        (("countries", 0, "helplines", 0, "channels", 0), {"value": None}),
        (("countries", 0), {"code": "USA"}),
        (("countries", 0), {"dial_chek": "^1$"}),
        ((), {"directories": []}),
        ((), {"note": "x"}),
    ],
)
def test_a_broken_directory_is_refused(
    path: tuple[str | int, ...],
    wrong: dict[str, object],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    body = loader.read_yaml(helplines.FILE)
    at = body
    for key in path:
        at = at[key]
    at.update(wrong)
    (tmp_path / "helplines").mkdir()
    (tmp_path / helplines.FILE).write_text(yaml.safe_dump(body), encoding="utf-8")
    monkeypatch.setattr(loader, "ROOT", tmp_path)
    with pytest.raises(ContentInvalid, match=helplines.FILE):
        Helplines.packaged()
