"""A parent's message in the terminal: the reply, the object, the reasons, the exit code."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_runs import Run, run_in

from guide_sample import DANGER, DIM, IDS, LATE, NOTHING, few
from handrail.bootstrap import build
from handrail.bootstrap import guide as guide_parts
from handrail.testing.hash_embedder import HashEmbedder
from handrail.wire.guide import GuideBody, RetrieveBody

FIRST = ("--state", "is_first_conversation=true")
CANARY = "zanzibar"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """Commands over a handful of entities, with an embedder that needs no model."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "build_embedder", lambda _settings: HashEmbedder(dim=DIM))
        patch.setattr(guide_parts, "packaged_entities", few)
        yield run_in(tmp_path_factory.mktemp("home"))


def test_an_answer_is_the_text_whose_lines_it_speaks_and_whom_to_turn_to(run: Run) -> None:
    ran = run("guide", LATE, *FIRST)
    body = run("guide", LATE, *FIRST, "--json").body
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(body["answer"] + "\n\nSources:\n- ")
    sources = ran.out.partition("Sources:\n")[2].partition("\n\n")[0]
    spoken = dict.fromkeys(line["entity_id"] for line in body["citations"])
    assert [line.rpartition("(")[2] for line in sources.split("\n")] == [f"{n})" for n in spoken]
    assert body["resources"][0]["value"] in ran.out
    assert "\x1b" not in ran.out


def test_the_object_is_the_body_of_the_http_api(run: Run) -> None:
    ran = run("guide", LATE, "--json")
    assert ran.out.count("\n") == 1
    assert GuideBody.model_validate(ran.body).outcome == "answer"


def test_h31_a_crisis_gets_help_alone_and_numbers_of_its_country(run: Run) -> None:
    ran = run("guide", DANGER, "--country", "ie")
    body = run("guide", DANGER, "--json").body
    assert ran.code == 4
    assert "Sources:" not in ran.out
    assert "116 123" in ran.out
    assert [one["entity_id"] for one in body["entities"]] == ["handler_crisis"]


def test_nothing_that_fits_is_declined(run: Run) -> None:
    ran = run("guide", NOTHING)
    assert ran.code == 3
    assert "Sources:" not in ran.out


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("conversation_count=3", 3),
        ("days_since_last=2.5", 2.5),
        ("has_pending_debrief=false", False),
        ("session_type=intake", "intake"),
        ("session_type=co-parent.1", "co-parent.1"),
    ],
)
def test_h12_values_of_a_state_are_json_or_text(run: Run, written: str, kept: object) -> None:
    ran = run("guide", LATE, "--state", written, "--json")
    name = written.partition("=")[0]
    assert ran.err == ""
    assert ran.body["receipt"]["asked"]["user_state"] == {name: kept}


@pytest.mark.parametrize("written", ["session_type=a=b", 'session_type="quoted"'])
def test_h37_a_text_is_a_short_name_because_a_receipt_holds_it(run: Run, written: str) -> None:
    ran = run("guide", LATE, "--state", written, "--json")
    assert ran.err == "warning: user_state.session_type is not a short name and was not used\n"
    assert ran.body["receipt"]["asked"]["user_state"] == {}


def test_h37_fields_that_were_not_used_are_told_beside_the_reply(run: Run) -> None:
    states = ("mood=low", "last_rating=NaN", "days_since_last=null", "conversation_count=[1]")
    ran = run("guide", LATE, *(word for state in states for word in ("--state", state)))
    told = ran.err.splitlines()
    assert [line.split()[:2] for line in told] == [
        ["warning:", "user_state.conversation_count"],
        ["warning:", "user_state.last_rating"],
        ["warning:", "user_state.mood"],
    ]
    assert "warning" not in ran.out


@pytest.mark.parametrize("state", ["mood", "=1", " = 1"])
def test_a_state_without_a_name_or_a_value_is_a_mistake(run: Run, state: str) -> None:
    ran = run("guide", LATE, "--state", state)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("error[invalid-input]: ")


def test_h26_explained_every_candidate_has_its_channels(run: Run) -> None:
    ran = run("guide", LATE, *FIRST, "--explain")
    body = RetrieveBody.model_validate(run("guide", LATE, *FIRST, "--explain", "--json").body)
    assert (ran.code, ran.err) == (0, "")
    assert "handler_first_conversation  (pinned: state)" in ran.out
    assert body.candidates is not None
    for one in body.candidates:
        row = next(
            x for x in ran.out.splitlines() if x.startswith(f"  {one.score:.4f}  {one.entity_id}")
        )
        assert all(f"{hit.channel} {hit.rank}." in row for hit in one.channels)


def test_h40_what_was_shown_and_h38_the_kind_of_conversation_are_taken_up(run: Run) -> None:
    asked = run("guide", LATE, "--shown", "late_pickups", "--chat-type", "co_parent", "--json").body
    recorded = asked["receipt"]["asked"]
    assert (recorded["shown"], recorded["chat_type"]) == (["late_pickups"], "CO_PARENT")
    assert "late_pickups" not in [one["entity_id"] for one in asked["entities"]]


def test_an_explained_crisis_exits_like_a_check(run: Run) -> None:
    ran = run("guide", DANGER, "--explain")
    assert ran.code == 4
    assert ran.out.startswith("risk: high, ")


@pytest.mark.parametrize("words", [("",), (" ",), ("", "--explain"), ("x" * 20_001,)])
def test_a_message_that_cannot_be_used_still_names_people(run: Run, words: tuple[str, ...]) -> None:
    ran = run("guide", *words, "--json")
    assert (ran.code, ran.body["code"]) == (2, "invalid-input")
    assert ran.body["resources"]


def test_the_trace_tells_stages_and_no_text(run: Run) -> None:
    ran = run("guide", f"{LATE}, says {CANARY}", "--trace")
    assert {"screen", "search_pattern", "merge", "ranker", "gate"} <= set(ran.err.split())
    assert CANARY not in ran.err


def test_a_reply_verifies_and_a_changed_one_does_not(run: Run, tmp_path: Path) -> None:
    reply = tmp_path / "reply.json"
    ran = run("guide", LATE, "--json")
    reply.write_text(ran.out, encoding="utf-8")
    assert run("verify", str(reply), "--message", LATE).code == 0
    body = ran.body
    body["entities"].pop()
    reply.write_text(json.dumps(body), encoding="utf-8")
    assert run("verify", str(reply)).code == 1


def test_the_entities_of_these_tests_are_there(run: Run) -> None:
    rows = run("entities", "list", "--json").body["entities"]
    assert [row["entity_id"] for row in rows] == sorted(IDS)
