"""Receipts of the coach: genuine ones hold, and every kind of tampering is found."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from coach_sample import (
    CONCERN,
    ELSEWHERE,
    HIGH,
    MILD,
    PLAIN,
    body_of,
    choosing,
    coach_of,
    reply,
)
from hypothesis import given
from hypothesis import strategies as st

from handrail.calls import forbid_model_calls
from handrail.domain.reply import Echo
from handrail.domain.text import digest
from handrail.domain.trace import Tracer
from handrail.engine import Engine
from handrail.errors import NotFound, ReceiptInvalid
from handrail.flows.coach import proof
from handrail.rails.receipt import opened, sealed
from handrail.rails.verification import Check, Verification
from invented_corpus import CASES, INVENTED, write_corpus

Body = dict[str, Any]
Tamper = Callable[[Body], None]


@pytest.fixture(scope="module")
def message(invented: Engine) -> str:
    """A message whose reply says some of its words back."""
    asked = (f"{CONCERN}{end}" for end in ("", ".", "!", " again", " now"))
    coach = coach_of(invented)
    return next(
        said
        for said in asked
        if any(isinstance(f.provenance, Echo) for f in reply(coach, said, country="GB").fragments)
    )


@pytest.fixture
def body(invented: Engine, message: str) -> Body:
    """A genuine answer with quotes, reviewed lines and own words."""
    return body_of(reply(coach_of(invented), message, country="GB"))


def resealed(body: Body) -> Body:
    """The reply with a receipt whose id fits again: what somebody who knows the format would do."""
    return {**body, "receipt": dict(sealed(body["receipt"]).body)}


def named(found: Verification) -> dict[str, bool | None]:
    return {check.name: check.ok for check in found.checks}


@pytest.mark.parametrize("message", [CONCERN, PLAIN, MILD, HIGH, ELSEWHERE])
@pytest.mark.parametrize("country", [None, "US"])
def test_a_genuine_reply_holds_with_and_without_its_message(
    invented: Engine, message: str, country: str | None
) -> None:
    found = body_of(reply(coach_of(invented), message, country=country))
    with forbid_model_calls():
        for said in (None, message):
            verified = invented.verify(found, message=said)
            assert verified.ok, verified.checks
            assert False not in named(verified).values()
    checked = {"content", "corpus", "fragments", "text", "reply", "replay"}
    if message == HIGH:  # no corpus stands behind what the front gate says
        checked.remove("corpus")
    assert named(invented.verify(found, message=message)) == dict.fromkeys(checked, True)


@pytest.mark.parametrize("level", ["none", "mild", "moderate", "high"])
def test_a_models_choice_is_replayed_offline_and_never_made_anew(
    invented: Engine, level: str
) -> None:
    found = body_of(reply(coach_of(invented, choosing(level=level)), CONCERN))
    with forbid_model_calls():
        verified = invented.verify(found, message=CONCERN)
    assert verified.ok, verified.checks
    assert found["receipt"]["decider"]["model"] == "scripted-1"


@pytest.mark.parametrize("message", [CONCERN, ELSEWHERE])
@pytest.mark.parametrize("level", ["none", "high"])
def test_cases_that_the_caller_named_are_replayed_as_named(
    invented: Engine, message: str, level: str
) -> None:
    ids = [case.id for case in invented.collection(INVENTED).cases][3:7]
    outcome = reply(coach_of(invented, choosing(level=level)), message, case_ids=ids)
    assert outcome.receipt.body["chosen"] == ids[:3]
    assert invented.verify(body_of(outcome), message=message).ok


def test_a_receipt_alone_holds_where_it_repeats_no_own_words(invented: Engine) -> None:
    outcome = reply(coach_of(invented), HIGH)
    assert invented.verify(dict(outcome.receipt.body)).ok
    assert invented.verify({"receipt": dict(outcome.receipt.body)}).ok


def test_a_receipt_alone_is_not_ok_where_the_own_words_were_not_compared(
    invented: Engine, body: Body
) -> None:
    verified = invented.verify(body["receipt"])
    assert not verified.ok
    assert named(verified)["text"] is None


def test_with_another_message_the_reply_does_not_hold(
    invented: Engine, body: Body, message: str
) -> None:
    assert invented.verify(body, message=message).ok
    for other in (message + " ", ELSEWHERE, HIGH, ""):
        assert not invented.verify(body, message=other).ok


def test_a_message_that_the_front_gate_lets_pass_was_not_met_with_help_alone(
    invented: Engine,
) -> None:
    found = body_of(reply(coach_of(invented), HIGH))
    verified = invented.verify(found, message=CONCERN)
    assert named(verified)["replay"] is False


def test_one_changed_byte_anywhere_in_the_answer_is_found(invented: Engine, body: Body) -> None:
    answer = body["answer"]
    for at in range(0, len(answer), 7):
        changed = answer[:at] + chr(ord(answer[at]) + 1) + answer[at + 1 :]
        assert not invented.verify({**body, "answer": changed}).ok
    for changed in (answer[:-1], answer + " ", "", None):
        assert not invented.verify({**body, "answer": changed}).ok


def _first(body: Body, kind: str) -> list[Any]:
    return next(row for row in body["receipt"]["fragments"] if row[0] == kind)


def _set(kind: str, at: int, value: Any) -> Tamper:
    def tamper(body: Body) -> None:
        row = _first(body, kind)
        row[at] = value(row[at]) if callable(value) else value

    return tamper


def _swap_steps(body: Body) -> None:
    rows = body["receipt"]["fragments"]
    vetted = [row for row in rows if row[0] == "vetted"]
    vetted[0][1], vetted[-1][1] = vetted[-1][1], vetted[0][1]


def _drop(body: Body) -> None:
    body["receipt"]["fragments"].pop()


INSIDE: dict[str, Tamper] = {
    "another case id": _set("quoted", 1, "0" * 16),
    "another sentence": _set("quoted", 2, lambda at: at + 1),
    "a sentence that is not there": _set("quoted", 2, 999),
    "a shifted start": _set("quoted", 3, lambda at: at + 1),
    "a shifted end": _set("quoted", 4, lambda at: at - 1),
    "another reviewed line": _swap_steps,
    "an unknown reviewed line": _set("vetted", 1, "val-invented-99"),
    "another piece": _set("vetted", 2, 7),
    "a shifted echo": _set("echo", 2, lambda at: at + 1),
    "words in the layout": _set("layout", 1, " do it "),
    "other white space": _set("layout", 1, "  "),
    "a fragment less": _drop,
    "no fragments": lambda body: body["receipt"].update(fragments="none"),
    "a fragment of no kind": lambda body: body["receipt"]["fragments"].append(["prose", "x"]),
    "another text hash": lambda body: body["receipt"]["text"].update(sha256="0" * 64),
    "no text hash": lambda body: body["receipt"].update(text=None),
}


@pytest.mark.parametrize("tamper", INSIDE.values(), ids=INSIDE)
def test_a_changed_fragment_is_found_even_under_a_new_seal(
    invented: Engine, body: Body, tamper: Tamper
) -> None:
    changed = copy.deepcopy(body)
    tamper(changed)
    assert changed != body
    with pytest.raises(ReceiptInvalid, match="changed after it was issued"):
        invented.verify(changed)
    try:
        verified = invented.verify(resealed(changed))
    except ReceiptInvalid:
        return
    assert not verified.ok
    assert False in named(verified).values()


def test_half_a_sentence_is_found_however_well_the_rest_was_forged(
    invented: Engine, body: Body
) -> None:
    """Every hash, offset and citation agrees; only the sentence is not a whole one."""
    row = _first(body, "quoted")
    case = invented.case(row[1], collection=INVENTED)
    quote = case.response[row[3] : row[4]]
    for citation in body["citations"]:
        if citation["end"] == row[4] and citation["case_id"] == row[1]:
            citation["end"] -= 12
    row[4] -= 12
    body["answer"] = body["answer"].replace(quote, quote[:-12])
    body["receipt"]["text"] = {"sha256": digest(body["answer"]), "chars": len(body["answer"])}
    verified = invented.verify(resealed(body))
    assert named(verified)["reply"]
    assert [check.detail for check in verified.checks if check.ok is False] == [
        f"a quote of case {row[1]!r} is not a whole sentence"
    ]


def _highlight(body: Body) -> Body:
    highlights: list[Body] = next(row["highlights"] for row in body["cases"] if row["highlights"])
    return highlights[0]


OUTSIDE: dict[str, Tamper] = {
    "another outcome": lambda body: body.update(outcome="abstention"),
    "a second text": lambda body: body.update(refusal="Stop taking your tablets."),
    "a message beside the answer": lambda body: body.update(message="Call nobody."),
    "no outcome": lambda body: body.pop("outcome"),
    "another number to call": lambda body: body["resources"][0].update(value="0900 1234"),
    "another name for a number": lambda body: body["resources"][0].update(label="Us"),
    "no resources": lambda body: body.update(resources=[]),
    "a resource more": lambda body: body["resources"].append(dict(body["resources"][0])),
    "a shifted citation": lambda body: body["citations"][0].update(start=0),
    "no citations": lambda body: body.update(citations=[]),
    "citations of no kind": lambda body: body.update(citations=["here"]),
    "another case": lambda body: body["cases"][0].update(id="0" * 16),
    "no cases": lambda body: body.update(cases=None),
    "another context": lambda body: body["cases"][0].update(context="I was told to leave."),
    "no context": lambda body: body["cases"][0].pop("context"),
    "another title": lambda body: body["cases"][0].update(title="Call nobody"),
    "another highlight": lambda body: _highlight(body).update(text="Stop taking your tablets."),
    "a shifted highlight": lambda body: _highlight(body).update(start=1),
    "another highlight's number": lambda body: _highlight(body).update(sent_id=99),
    "a highlight of no kind": lambda body: body["cases"][0].update(highlights=["Call nobody."]),
}


@pytest.mark.parametrize("tamper", OUTSIDE.values(), ids=OUTSIDE)
def test_a_change_beside_the_words_is_found(invented: Engine, body: Body, tamper: Tamper) -> None:
    changed = copy.deepcopy(body)
    tamper(changed)
    verified = invented.verify(changed)
    assert not verified.ok
    assert named(verified)["reply"] is False


def test_the_fixed_refusal_beside_safety_lines_is_no_tampering(invented: Engine) -> None:
    found = body_of(reply(coach_of(invented), HIGH))
    assert found["refusal"]
    assert invented.verify(found).ok
    assert not invented.verify({**found, "refusal": "Call nobody."}).ok
    for message in ("Call nobody.", None):
        assert not invented.verify({**found, "message": message}).ok


REPLAYED: dict[str, Tamper] = {
    "another choice": lambda body: body["receipt"]["decider"]["choice"].update(goals=[]),
    "another level": lambda body: body["receipt"]["risk"].update(level="mild"),
    "another message": lambda body: body["receipt"]["message"].update(chars=3),
    "other cases": lambda body: body["receipt"].update(chosen=body["receipt"]["cases"][:1]),
    "unknown cases": lambda body: body["receipt"].update(chosen=["0" * 16]),
    "a lower gate": lambda body: body["receipt"]["policy"].update(gate_alpha=0.1),
    "another pipeline": lambda body: body["receipt"]["policy"]["pipeline"].update(m=1),
    "another country": lambda body: body["receipt"].update(country="US"),
    "another flow": lambda body: body["receipt"].update(flow="other"),
}


@pytest.mark.parametrize("tamper", REPLAYED.values(), ids=REPLAYED)
def test_a_change_to_how_it_came_about_is_found_by_replay(
    invented: Engine, body: Body, message: str, tamper: Tamper
) -> None:
    changed = copy.deepcopy(body)
    tamper(changed)
    verified = invented.verify(resealed(changed), message=message)
    assert not verified.ok
    assert named(verified)["replay"] is False


@pytest.mark.parametrize("field", ["collection", "country", "risk", "decider", "policy", "text"])
@pytest.mark.parametrize("value", [None, 5, "text", [], {}, {"level": "grave"}])
def test_a_receipt_of_another_shape_never_holds_and_crashes_nothing(
    invented: Engine, body: Body, message: str, field: str, value: object
) -> None:
    changed = resealed({**body, "receipt": {**body["receipt"], field: value}})
    try:
        verified = invented.verify(changed, message=message)
    except ReceiptInvalid:
        return
    assert not verified.ok


@pytest.mark.parametrize("value", [None, 5, "receipt", [], {}, {"receipt": None}])
def test_what_is_no_receipt_is_invalid(invented: Engine, value: object) -> None:
    with pytest.raises(ReceiptInvalid):
        invented.verify(value)


def test_an_unknown_collection_is_said_to_be_missing(invented: Engine, body: Body) -> None:
    pinned = {**body["receipt"]["collection"], "name": "nowhere"}
    with pytest.raises(NotFound, match="nowhere"):
        invented.verify(resealed({**body, "receipt": {**body["receipt"], "collection": pinned}}))


@pytest.fixture(scope="module")
def smaller(invented: Engine, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A collection without the cases that the answers quote."""
    file: Path = tmp_path_factory.mktemp("smaller") / "smaller.ndjson"
    invented.add(write_corpus(file, CASES[-2:]), collection="smaller")
    return "smaller"


def test_in_another_collection_the_quotes_are_not_found(
    invented: Engine, body: Body, smaller: str
) -> None:
    pinned = {**body["receipt"]["collection"], "name": smaller}
    moved = resealed({**body, "receipt": {**body["receipt"], "collection": pinned}})
    verified = invented.verify(moved)
    assert named(verified)["corpus"] is None
    assert named(verified)["fragments"] is False
    assert not verified.ok


@given(st.lists(st.sampled_from([True, False, None]), max_size=5), st.sampled_from([None, False]))
def test_without_a_compared_text_nothing_is_ok(
    others: list[bool | None], text: bool | None
) -> None:
    checks = [Check(f"other-{at}", ok, "") for at, ok in enumerate(others)]
    assert not Verification("id", (*checks, Check("text", text, ""))).ok
    assert not Verification("id", tuple(checks)).ok


@given(st.lists(st.sampled_from([True, False, None]), max_size=5))
def test_one_failed_check_is_enough(others: list[bool | None]) -> None:
    checks = [Check(f"other-{at}", ok, "") for at, ok in enumerate(others)]
    verified = Verification("id", (*checks, Check("text", True, "")))
    assert verified.ok == (False not in others)


def test_what_a_replay_needs_is_read_from_the_receipt(invented: Engine, body: Body) -> None:
    run = proof.recorded(opened(body))
    assert run.collection is not None
    assert (run.collection.name, run.country, run.chosen) == (INVENTED, "GB", ())
    assert run.decider is not None
    coach = coach_of(invented)
    checks = proof.checks(coach.front, coach, opened(body), body, message=None, tracer=Tracer("t"))
    assert [check.name for check in checks] == ["content", "corpus", "fragments", "text", "reply"]
