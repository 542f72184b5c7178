"""From a message and a state to the final set: filters, pins, slots, cap, exposure."""

from __future__ import annotations

from dataclasses import replace

import pytest
from guide_parts import Axes, entity, find, heard, phrases, search_over, stated

from handrail.domain.entity import Audience, ChatType, LoadMode
from handrail.domain.risk import Dismissal, Level, Risk
from handrail.domain.text import Span
from handrail.domain.trace import Tracer
from handrail.flows.guide.limits import Limits
from handrail.flows.guide.search import BESIDE_SAFETY
from handrail.flows.guide.stand_in import VERSION, stand_in

MESSAGE = "what i say"
NEAR = {MESSAGE: [1.0], **{f"s{n:02}": [1.0, 0.1 * n] for n in range(12)}}
SITUATIONS = [entity(f"s{n:02}") for n in range(12)]
STATES = {
    "h1": {"is_first_conversation": True},
    "h2": {"last_rating": {"lte": 2}},
    "h3": {"has_pending_debrief": True},
    "h4": {"session_type": "debrief"},
}
ALL = {
    "is_first_conversation": True,
    "last_rating": 1,
    "has_pending_debrief": True,
    "session_type": "debrief",
}
HANDLERS = [
    stated(name, condition, priority=90 - n) for n, (name, condition) in enumerate(STATES.items())
]
CRISIS = entity(
    "handler_crisis", safety_critical=True, priority=89, trigger_patterns=phrases("end it")
)


def test_h1_h8_h9_what_lies_nearest_in_meaning_is_shown_three_to_six() -> None:
    found = find(search_over(SITUATIONS, Axes(NEAR)), MESSAGE)
    assert found.ids[:3] == ("s00", "s01", "s02")
    assert 3 <= len(found.ids) <= 6
    assert {hit.channel for hit in found.final[0].hits} == {"semantic"}
    assert len(found.ranking.candidates) == 10


def test_h7_each_channel_looks_as_deep_as_the_contract_says() -> None:
    many = [
        entity(f"e{n:02}", keywords=("rock",), trigger_patterns=phrases("gray rock"))
        for n in range(30)
    ]
    states = [stated(f"h{n}", {"last_rating": 1}, priority=n) for n in range(5)]
    tracer = Tracer("test")
    search_over([*many, *states]).find("gray rock", {"last_rating": 1}, risk=Risk(), tracer=tracer)
    hits = {
        step.name: len(step.facts["hits"]) for step in tracer.trace().steps if "hits" in step.facts
    }
    assert hits == {
        "search_semantic": 10,
        "search_keyword": 5,
        "search_pattern": 5,
        "search_state": 3,
    }


def test_h5_h12_all_of_four_state_pins_stand_first_by_priority() -> None:
    found = find(search_over([*SITUATIONS, *HANDLERS], Axes(NEAR)), MESSAGE, ALL)
    assert found.ids[:5] == ("h1", "h2", "h3", "h4", "s00")
    assert [one.by_state for one in found.final[:5]] == [True] * 4 + [False]
    assert not any(one.by_danger for one in found.final)


def test_text_alone_never_brings_a_handler_that_a_state_loads() -> None:
    told = [replace(one, title=MESSAGE, keywords=("what i say",)) for one in HANDLERS]
    told = [replace(one, trigger_patterns=phrases("what i say")) for one in told]
    found = find(search_over([*SITUATIONS, *told], Axes(NEAR)), MESSAGE)
    assert not set(found.ids) & set(STATES)
    assert not {one.passage.id for one in found.ranking.candidates} & set(STATES)


def test_a_situation_that_a_state_finds_is_a_candidate_and_no_pin() -> None:
    both = entity("both", state_conditions={"last_rating": 1})
    found = find(search_over([*SITUATIONS, both], Axes(NEAR)), MESSAGE, {"last_rating": 1})
    (candidate,) = (one for one in found.ranking.candidates if one.passage.id == "both")
    assert candidate.pin is None
    assert [hit.channel for hit in candidate.hits] == ["state"]


@pytest.mark.parametrize("cap", [1, 2, 3, 4, 5, 15, 50])
def test_h17_h19_the_cap_holds_and_no_pin_of_danger_falls_to_it(cap: int) -> None:
    search = search_over(
        [*SITUATIONS, *HANDLERS, CRISIS], Axes(NEAR), limits=Limits(candidates=cap)
    )
    found = find(search, MESSAGE, ALL, risk=heard("suicide"))
    assert found.ids[0] == "handler_crisis"
    assert len(found.ranking.candidates) <= cap + 1
    assert set(found.ids) <= {one.passage.id for one in found.ranking.candidates}


@pytest.mark.parametrize("merge", ["rrf", "seed"])
def test_h30_nothing_is_found_twice(merge: str) -> None:
    search = search_over([*SITUATIONS, *HANDLERS, CRISIS], Axes(NEAR), limits=Limits(merge=merge))  # type: ignore[arg-type]
    for message in ("I want to end it", MESSAGE):
        found = find(search, message, ALL)
        assert len(set(found.ids)) == len(found.ids)
        names = [one.passage.id for one in found.ranking.candidates]
        assert len(set(names)) == len(names)
        assert not set(names) & {
            one.passage_id for one in found.ranking.dropped if one.stage == "cap"
        }


def test_h31_h32_the_flag_pins_and_not_the_priority() -> None:
    loud = entity("loud", priority=100, trigger_patterns=phrases("end it"))
    low = replace(CRISIS, priority=0)
    found = find(search_over([*SITUATIONS, loud, low], Axes(NEAR)), "I want to end it")
    assert found.ids == ("handler_crisis",)
    assert found.risk.level is Level.MODERATE


def test_h11_h14_a_trigger_that_the_screen_set_aside_does_not_pin() -> None:
    aside = Dismissal(rule="x", kind="suicide", span=Span(7, 13), reason="idiom")
    found = find(
        search_over([*SITUATIONS, CRISIS], Axes(NEAR)),
        "let us end it here",
        risk=Risk(dismissed=(aside,)),
    )
    assert "handler_crisis" not in found.ids
    assert found.risk.level is Level.NONE


def test_an_entity_for_danger_is_not_shown_where_no_danger_is_heard() -> None:
    near = replace(CRISIS, title="s00")
    found = find(search_over([*SITUATIONS[1:], near], Axes(NEAR)), MESSAGE)
    assert "handler_crisis" not in found.ids
    assert ("handler_crisis", "safety") in {
        (one.passage_id, one.stage) for one in found.ranking.dropped
    }


@pytest.mark.parametrize("level", [Level.MODERATE, Level.HIGH])
def test_in_danger_nothing_is_embedded_and_the_set_holds_pins_alone(level: Level) -> None:
    axes = Axes(NEAR)
    search = search_over([*SITUATIONS, CRISIS], axes)
    found = find(search, MESSAGE, risk=heard("suicide", level))
    assert found.ids == ("handler_crisis",)
    assert axes.asked == []


def test_beside_a_mild_danger_few_are_shown_and_none_that_must_not_be() -> None:
    violence = entity("domestic_violence_safety", safety_critical=True)
    forbidden = entity("s00", never_with=("domestic_violence_safety",))
    search = search_over([*SITUATIONS[1:], forbidden, violence], Axes(NEAR))
    found = find(search, MESSAGE, risk=heard("abuse", Level.MILD))
    assert found.ids[0] == "domestic_violence_safety"
    assert len(found.ids) == 1 + BESIDE_SAFETY
    assert "s00" not in found.ids
    asked = search.prepare(MESSAGE, {}, risk=heard("abuse", Level.MILD), tracer=Tracer("test"))
    assert "s00" not in search.finish(asked, ["s00", "s01"]).ids


HIDDEN = {"safety_critical": False, "audience_types": (Audience.CLINICIAN,)}


@pytest.mark.parametrize("lost", [None, {"load_mode": LoadMode.ALWAYS}, HIDDEN])
def test_nobody_can_edit_safety_away(lost: dict[str, object] | None) -> None:
    kept = [] if lost is None else [replace(CRISIS, **lost)]
    search = search_over([*SITUATIONS, *kept], Axes(NEAR))
    found = find(search, MESSAGE, risk=heard("suicide"))
    assert found.ids == ("handler_crisis",)
    if lost is None:
        assert found.final[0].entity == stand_in("handler_crisis")
        assert found.final[0].entity.version == VERSION
        said = find(search, "Please look after my boys when I'm gone")
        assert said.ids == ("handler_crisis",)


def test_h38_what_an_audience_may_not_see_takes_no_slot() -> None:
    hidden = [
        entity(
            f"a{n:02}",
            title="s00",
            keywords=("gray rock",),
            trigger_patterns=phrases("gray rock"),
            audience_types=(Audience.CLINICIAN,),
        )
        for n in range(30)
    ]
    own = entity("own", keywords=("gray rock",), trigger_patterns=phrases("gray rock"))
    placed = Axes({**NEAR, "gray rock": [1.0]})
    search = search_over([*hidden, *SITUATIONS, own], placed)
    found = find(search, "gray rock")
    assert {one.passage.id for one in found.ranking.candidates} == {
        "own",
        *(f"s{n:02}" for n in range(10)),
    }
    for_them = find(search, "gray rock", {"user_type": "CLINICIAN"})
    assert set(for_them.ids) <= {one.entity_id for one in hidden}


def test_h38_chat_types_filter_before_anything_is_scored() -> None:
    court = [entity(f"c{n}", title="s00", chat_types=(ChatType.COURT_PREP,)) for n in range(10)]
    state = stated("h", {"last_rating": 1}, chat_types=(ChatType.COURT_PREP,))
    search = search_over([*court, *SITUATIONS, state], Axes(NEAR))
    elsewhere = find(search, MESSAGE, {"last_rating": 1}, chat_type=ChatType.CO_PARENT)
    assert all(name.startswith("s") for name in elsewhere.ids)
    there = find(search, MESSAGE, {"last_rating": 1}, chat_type=ChatType.COURT_PREP)
    assert there.ids[0] == "h"
    assert there.ids[1].startswith("c")
    assert find(search, MESSAGE).ids[0].startswith("c")  # none given fits all


def test_h38_always_loaded_entities_stand_beside_the_set_for_those_who_may_see_them() -> None:
    low = entity("low", load_mode=LoadMode.ALWAYS, priority=1)
    high = entity("high", load_mode=LoadMode.ALWAYS, priority=9)
    theirs = entity("theirs", load_mode=LoadMode.ALWAYS, audience_types=(Audience.CLINICIAN,))
    court = entity("court", load_mode=LoadMode.ALWAYS, chat_types=(ChatType.COURT_PREP,))
    search = search_over([*SITUATIONS, low, high, theirs, court], Axes(NEAR))

    def beside(state: dict[str, object], chat_type: ChatType | None = None) -> list[str]:
        found = find(search, MESSAGE, state, chat_type=chat_type)
        assert not {"low", "high", "theirs", "court"} & set(found.ids)
        return [one.entity_id for one in found.always]

    assert beside({}, ChatType.CO_PARENT) == ["high", "low"]
    assert beside({"user_type": "CLINICIAN"}, ChatType.CO_PARENT) == ["theirs", "high", "low"]
    assert beside({}, ChatType.COURT_PREP) == ["court", "high", "low"]


def test_h40_what_was_shown_of_late_is_passed_over_whoever_ranks() -> None:
    search = search_over(SITUATIONS, Axes(NEAR))
    found = find(search, MESSAGE, shown=("s00", "s01", "unheard_of"))
    assert found.ids[0] == "s02"
    assert not {"s00", "s01"} & set(found.ids)
    prepared = search.prepare(MESSAGE, {}, risk=Risk(), tracer=Tracer("test"), shown=("s00", "s01"))
    assert not {"s00", "s01"} & {one.passage.id for one in prepared.free}
    assert search.finish(prepared, ["s00", "s03", "s01"]).ids == ("s03",)


def test_h40_a_pin_is_shown_again() -> None:
    search = search_over([*SITUATIONS, *HANDLERS, CRISIS], Axes(NEAR))
    assert find(search, MESSAGE, ALL, shown=("h1",)).ids[0] == "h1"
    danger = find(search, "I want to end it", shown=("handler_crisis",))
    assert danger.ids == ("handler_crisis",)


def test_h40_each_theme_of_a_long_message_finds_its_own() -> None:
    filler = "Nothing much was said there at all. " * 90
    first, second = ("word " * 118 + name + ". " for name in ("alpha", "omega"))

    class Words(Axes):
        def read(self, text: str):  # type: ignore[no-untyped-def]
            self.asked.append(text)
            place = "alpha" if "alpha" in text else "omega" if "omega" in text else text
            return Axes({"alpha": [1.0], "omega": [0.0, 1.0]}).read(place)

    axes = Words({})
    entities = [entity("e1", title="alpha"), entity("e2", title="omega"), entity("e3")]
    found = find(search_over(entities, axes), first + filler + second)
    assert set(found.ids) >= {"e1", "e2"}


def test_a_message_of_three_thousand_words_is_searched() -> None:
    axes = Axes(NEAR)
    search = search_over([*SITUATIONS, CRISIS], axes)
    found = find(search, "one two three four five " * 600 + "and now I want to end it")
    assert found.ids == ("handler_crisis",)
    assert find(search, "one two three four five " * 600).ids == ()


@pytest.mark.parametrize("message", ["", "x", "\x00", "\ud800", "👩‍👧", "İß" * 50, "?" * 900])
def test_an_empty_catalogue_and_odd_messages_find_nothing(message: str) -> None:
    found = find(search_over([]), message, {"last_rating": 1})
    assert (found.ids, found.always, found.ranking.candidates) == ((), (), ())
    assert find(search_over([entity("a", title="lonely")]), message, {}).risk.level is Level.NONE


def test_an_entity_that_says_next_to_nothing_is_found_by_its_title() -> None:
    bare = entity("bare", title=MESSAGE, recognition=(), keywords=(), acknowledgement=())
    assert find(search_over([bare], Axes(NEAR)), MESSAGE).ids == ("bare",)


def test_h26_every_candidate_tells_its_channels_and_every_step_is_traced() -> None:
    named = replace(SITUATIONS[0], keywords=("what i say",), trigger_patterns=phrases("what i say"))
    tracer = Tracer("test")
    search = search_over([named, *SITUATIONS[1:]], Axes(NEAR))
    found = search.find(MESSAGE, {}, risk=Risk(), tracer=tracer)
    assert [hit.channel for hit in found.final[0].hits] == ["semantic", "keyword", "pattern"]
    assert [step.name for step in tracer.trace().steps] == [
        "embed", "search_semantic", "search_keyword", "search_pattern", "search_state", "merge",
    ]  # fmt: skip
    assert MESSAGE not in str(tracer.trace())


def test_the_same_message_finds_the_same() -> None:
    search = search_over([*SITUATIONS, *HANDLERS, CRISIS], Axes(NEAR))
    assert find(search, MESSAGE, ALL) == find(search, MESSAGE, dict(reversed(ALL.items())))
