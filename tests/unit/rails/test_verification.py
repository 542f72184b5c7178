"""A receipt is checked against stored text: what holds, what fails, and what was not compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from handrail.domain.outcome import Receipt, Resource
from handrail.domain.reply import Echo, Fragment, Layout, Quoted, Vetted
from handrail.domain.text import Case, Span, case_id, digest
from handrail.errors import ContentInvalid
from handrail.rails.receipt import encode
from handrail.rails.verification import (
    Check,
    Verification,
    check_fragments,
    check_pins,
    check_reply,
)

MESSAGE = "I lie awake most nights."
ANSWER = "Rest counts. Slow is fine."
STORED = Case(
    id=case_id("Nights are long.", ANSWER),
    context="Nights are long.",
    response=ANSWER,
    title="Sleep",
    sentences=(Span(0, 12), Span(13, 26)),
)
REVIEWED = {("lead", 0): "You said: ", ("close", 1): "That is all."}
FRAGMENTS = (
    Fragment("You said: ", Vetted(item_id="lead")),
    Fragment("lie awake", Echo(span=Span(2, 11))),
    Fragment("\n\n", Layout()),
    Fragment("Rest counts.", Quoted(case_id=STORED.id, sent_id=0, span=Span(0, 12))),
    Fragment(" ", Layout()),
    Fragment("Slow is fine.", Quoted(case_id=STORED.id, sent_id=1, span=Span(13, 26))),
    Fragment("\n\n", Layout()),
    Fragment("That is all.", Vetted(item_id="close", piece=1)),
)
TEXT = "".join(fragment.text for fragment in FRAGMENTS)
ROWS = encode(FRAGMENTS)
SUMMARY = Check("fragments", True, "2 quoted, 2 reviewed, 1 own words")
SAME = Check("text", True, f"{len(TEXT)} characters, byte for byte")
HELP = (
    Resource(id="one", label="One", value="111", kind="call"),
    Resource(id="two", label="Two", value="222", kind="text"),
)


def stored(id: str) -> Case | None:
    return STORED if id == STORED.id else None


def reviewed(item_id: str, piece: int) -> str:
    try:
        return REVIEWED[item_id, piece]
    except KeyError:
        raise ContentInvalid(f"no line {item_id!r}") from None


def receipt(rows: object = ROWS, **changed: object) -> Receipt:
    body: dict[str, object] = {
        "outcome": "answer",
        "text": {"sha256": digest(TEXT), "chars": len(TEXT)},
        "fragments": rows,
        "cases": [STORED.id],
        "content": "c" * 64,
        "collection": {"corpus_hash": "h" * 64},
    }
    return Receipt(body | changed)


def fragments(
    of: Receipt,
    *,
    text: str | None = TEXT,
    message: str | None = MESSAGE,
    case: Case | None = STORED,
) -> list[Check]:
    return check_fragments(
        of,
        text=text,
        message=message,
        cases=lambda id: case if id == STORED.id else None,
        lines=reviewed,
    )


@pytest.mark.parametrize("message", [MESSAGE, None])
@pytest.mark.parametrize("text", [TEXT, None])
def test_every_fragment_is_looked_up_and_counted_by_kind(
    text: str | None, message: str | None
) -> None:
    if text is None and message is None:
        return
    assert fragments(receipt(), text=text, message=message) == [SUMMARY, SAME]


def test_own_words_that_nobody_brought_are_not_compared_and_do_not_pass() -> None:
    (check,) = fragments(receipt(), text=None, message=None)
    assert check == Check(
        "text",
        None,
        "0 quoted and 1 reviewed fragments before it hold; "
        "pass the whole reply or --message to check their words",
    )
    rows = [*ROWS[3:], *ROWS[:3]]
    (later,) = fragments(receipt(rows), text=None, message=None)
    assert later.detail.startswith("2 quoted and 2 reviewed fragments")


def test_a_receipt_without_own_words_needs_neither_message_nor_reply() -> None:
    text = TEXT[21:]
    found = fragments(receipt(ROWS[3:], text={"sha256": digest(text)}), text=None, message=None)
    assert found == [
        Check("fragments", True, "2 quoted, 1 reviewed, 0 own words"),
        Check("text", True, f"{len(text)} characters, byte for byte"),
    ]


def test_own_words_are_taken_from_their_place_in_the_reply() -> None:
    other = TEXT.replace("lie awake", "sit about")
    assert fragments(receipt(), text=other, message=None) == [
        SUMMARY,
        Check("text", False, "the rebuilt reply has another hash than the receipt says"),
    ]
    resealed = receipt(text={"sha256": digest(other)})
    assert fragments(resealed, text=other, message=None)[1].ok is True


def test_the_message_decides_where_both_are_there() -> None:
    other = TEXT.replace("lie awake", "sit about")
    assert fragments(receipt(text={"sha256": digest(other)}), text=other)[1] == Check(
        "text", False, "the reply differs from what the receipt rebuilds"
    )


@pytest.mark.parametrize("pinned", [None, "x", {}, {"sha256": None}, {"sha256": "0" * 64}])
def test_another_hash_than_the_rebuilt_text_has_does_not_hold(pinned: object) -> None:
    for text in (TEXT, None):
        summary, check = fragments(receipt(text=pinned), text=text)
        assert summary == SUMMARY
        assert check == Check(
            "text", False, "the rebuilt reply has another hash than the receipt says"
        )


@pytest.mark.parametrize("rows", [None, "rows", {}, [[]], ["x"], [ROWS[0], []], [ROWS[0], None]])
def test_a_list_of_fragments_that_is_none_fails(rows: object) -> None:
    assert fragments(receipt(rows)) == [Check("fragments", False, "the receipt lists no fragments")]


def moved(**changes: Any) -> Case:
    """The stored case with other bytes under the same id."""
    return replace(STORED, **changes)


@pytest.mark.parametrize(
    ("row", "case", "fault"),
    [
        (["quoted", "nowhere", 0, 0, 12], STORED, "case 'nowhere' is not in the collection"),
        (ROWS[3], None, f"case {STORED.id!r} is not in the collection"),
        (
            ROWS[3],
            moved(context="Days are long."),
            f"case {STORED.id!r} does not have the bytes its id stands for",
        ),
        (
            ROWS[3],
            moved(response=ANSWER + "!"),
            f"case {STORED.id!r} does not have the bytes its id stands for",
        ),
        (
            ["quoted", STORED.id, 2, 0, 12],
            STORED,
            f"case {STORED.id!r} has no sentence 2",
        ),
        (
            ["quoted", STORED.id, 0, 0, 11],
            STORED,
            f"a quote of case {STORED.id!r} is not a whole sentence",
        ),
        (
            ["quoted", STORED.id, 1, 0, 12],
            STORED,
            f"a quote of case {STORED.id!r} is not a whole sentence",
        ),
        (["vetted", "lead", 1], STORED, "no line 'lead'"),
        (["said", "anything"], STORED, "a fragment of the receipt is of no known kind"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_fragment_that_cannot_be_looked_up_fails_with_its_reason(
    row: list[object], case: Case | None, fault: str
) -> None:
    assert fragments(receipt([row]), case=case) == [Check("fragments", False, fault)]


def reply(**changed: object) -> dict[str, Any]:
    """What stands beside the words of the reply that the receipt proves."""
    cited = [
        {"case_id": STORED.id, "sent_id": at, "start": span.start, "end": span.end}
        for at, span in enumerate(STORED.sentences)
    ]
    case = {
        "id": STORED.id,
        "context": STORED.context,
        "title": STORED.title,
        "highlights": [{"sent_id": 1, "start": 13, "end": 26, "text": "Slow is fine."}],
    }
    whole: dict[str, Any] = {
        "outcome": "answer",
        "answer": TEXT,
        "refusal": None,
        "message": None,
        "citations": cited,
        "cases": [case],
        "resources": [{"id": r.id, "label": r.label, "value": r.value} for r in HELP],
    }
    return whole | changed


def beside(
    body: dict[str, Any], of: Receipt | None = None, fixed: Sequence[str] = ("No.",)
) -> Check:
    return check_reply(of or receipt(), body, fixed=fixed, resources=HELP, cases=stored)


HOLDS = Check("reply", True, "outcome, citations, cases and resources as the receipt lists them")


def test_a_reply_that_says_what_its_receipt_lists_holds() -> None:
    assert beside(reply()) == HOLDS
    assert beside(reply(refusal="No.", message="No.")) == HOLDS


def case_with(**changed: object) -> list[dict[str, Any]]:
    return [reply()["cases"][0] | changed]


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"outcome": "refusal"}, "outcome"),
        ({"outcome": None}, "outcome"),
        ({"refusal": "Call nobody."}, "other text"),
        ({"message": "Call nobody."}, "other text"),
        ({"citations": []}, "citations"),
        ({"citations": None}, "citations"),
        ({"citations": ["here", "there"]}, "citations"),
        ({"citations": reply()["citations"][::-1]}, "citations"),
        ({"citations": reply()["citations"][:1]}, "citations"),
        ({"cases": []}, "cases"),
        ({"cases": "none"}, "cases"),
        ({"resources": []}, "resources"),
        ({"resources": reply()["resources"][::-1]}, "resources"),
        ({"resources": reply()["resources"][:1]}, "resources"),
        ({"cases": case_with(context="Days are long.")}, "words of cases"),
        ({"cases": case_with(title="Work")}, "words of cases"),
        ({"cases": case_with(highlights=["Slow is fine."])}, "words of cases"),
        ({"cases": case_with(id="nowhere")}, "cases, words of cases"),
        ({"cases": [STORED.id]}, "cases, words of cases"),
        ({"outcome": "safety", "resources": []}, "outcome, resources"),
    ],
)
def test_what_differs_from_the_receipt_is_named(changed: dict[str, object], fault: str) -> None:
    assert beside(reply(**changed)) == Check("reply", False, f"not what the receipt lists: {fault}")


@pytest.mark.parametrize("field", ["case_id", "sent_id", "start", "end"])
def test_a_citation_is_compared_in_every_field(field: str) -> None:
    first, second = reply()["citations"]
    assert beside(reply(citations=[first | {field: 3}, second])).ok is False


@pytest.mark.parametrize("field", ["id", "label", "value"])
def test_a_resource_is_compared_in_every_field(field: str) -> None:
    first, second = reply()["resources"]
    assert beside(reply(resources=[first | {field: "999"}, second])).ok is False


@pytest.mark.parametrize("field", ["sent_id", "start", "end", "text"])
def test_a_highlight_is_a_whole_stored_sentence(field: str) -> None:
    (shown,) = reply()["cases"][0]["highlights"]
    assert beside(reply(cases=case_with(highlights=[shown, shown]))).ok
    changed = reply(cases=case_with(highlights=[shown, shown | {field: 0}]))
    assert beside(changed).ok is False


def test_a_sentence_quoted_twice_is_cited_once() -> None:
    assert beside(reply(), receipt([*ROWS, ROWS[3]])) == HOLDS


@pytest.mark.parametrize(
    ("kind", "field"),
    [
        ("answer", "answer"),
        ("safety", "message"),
        ("abstention", "refusal"),
        ("refusal", "refusal"),
    ],
)
def test_only_the_field_of_its_outcome_may_hold_free_words(kind: str, field: str) -> None:
    empty = {"answer": None, "message": None, "refusal": None}
    of = receipt(outcome=kind)
    assert beside(reply(**empty | {"outcome": kind, field: "Any words."}), of) == HOLDS
    for other in empty.keys() - {field}:
        assert beside(reply(**empty | {"outcome": kind, other: "Any words."}), of).ok is False


def test_the_reason_is_compared_where_the_receipt_has_one() -> None:
    of = receipt(outcome="abstention:thin-evidence")
    body = reply(outcome="abstention", answer=None, refusal="Words.")
    assert beside(body | {"reason": "thin-evidence"}, of) == HOLDS
    assert beside(body | {"reason": "policy"}, of).detail == "not what the receipt lists: reason"
    assert beside(body, of).ok is False
    assert beside(body | {"reason": "policy"}, receipt(outcome="abstention")) == HOLDS


NOTICE = {"id": "close", "language": "en", "text": "This is software."}


def noted(*notices: object, register: bool = True) -> Check:
    """The reply with notices beside its words, held to a register of one reviewed notice."""

    def notice(item_id: str, piece: int) -> str:
        if (item_id, piece) != ("close.en", 0):
            raise ContentInvalid(f"no line {item_id!r}")
        return NOTICE["text"]

    return check_reply(
        receipt(),
        reply(notices=list(notices)),
        fixed=(),
        resources=HELP,
        cases=stored,
        lines=notice if register else None,
    )


def test_a_reviewed_notice_may_stand_beside_the_words() -> None:
    assert noted() == HOLDS
    assert noted(NOTICE, NOTICE) == HOLDS


@pytest.mark.parametrize(
    "changed",
    [{"text": "Call nobody."}, {"text": None}, {"id": "open"}, {"language": "es"}, {"id": None}],
    ids=str,
)
def test_a_notice_that_nobody_reviewed_may_not(changed: dict[str, object]) -> None:
    assert noted(NOTICE, NOTICE | changed).detail == "not what the receipt lists: notices"
    assert noted(NOTICE | changed, NOTICE).ok is False


def test_a_notice_of_another_shape_or_without_a_register_may_not() -> None:
    assert noted("This is software.").detail == "not what the receipt lists: notices"
    assert noted(NOTICE, register=False).ok is False


@pytest.mark.parametrize("cases", [None, "x", {}])
def test_a_receipt_that_lists_no_cases_lets_none_be_shown(cases: object) -> None:
    of = receipt(cases=cases)
    assert beside(reply(cases=[]), of) == HOLDS
    assert beside(reply(), of).detail == "not what the receipt lists: cases"


def test_the_same_text_and_corpus_hold() -> None:
    same = check_pins(receipt(), content="c" * 64, collection={"corpus_hash": "h" * 64})
    assert same == [
        Check("content", True, "the same reviewed text"),
        Check("corpus", True, "the same corpus"),
    ]


def test_changed_text_and_corpus_are_said_and_fail_nothing() -> None:
    changed = check_pins(receipt(), content="d" * 64, collection={"corpus_hash": "i" * 64})
    tail = "has changed since; each fragment is still looked up by id"
    assert changed == [
        Check("content", None, f"the reviewed text {tail}"),
        Check("corpus", None, f"the corpus {tail}"),
    ]


def test_a_reply_behind_which_no_corpus_stands_has_no_corpus_check() -> None:
    (only,) = check_pins(receipt(), content="c" * 64, collection=None)
    assert only.name == "content"


def test_a_receipt_without_a_collection_stands_on_another_corpus() -> None:
    body = {key: value for key, value in receipt().body.items() if key != "collection"}
    assert check_pins(Receipt(body), content="c", collection={"corpus_hash": "h"})[1].ok is None


@pytest.mark.parametrize(
    ("oks", "holds"),
    [
        ({"text": True}, True),
        ({"content": None, "text": True}, True),
        ({"text": None}, False),
        ({"text": False}, False),
        ({"fragments": False, "text": True}, False),
        ({"fragments": True}, False),
        ({}, False),
    ],
)
def test_it_holds_when_the_words_were_compared_and_nothing_failed(
    oks: dict[str, bool | None], holds: bool
) -> None:
    checks = tuple(Check(name, ok, "") for name, ok in oks.items())
    assert Verification("id", checks).ok is holds
