"""Check a receipt against the stored text: every fragment is looked up again and compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from handrail.domain.outcome import Receipt, Resource
from handrail.domain.reply import Echo, Layout, Quoted, Vetted
from handrail.domain.text import Case, case_id, digest
from handrail.errors import HandrailError, ReceiptInvalid
from handrail.rails.receipt import provenance

Cases = Callable[[str], Case | None]
Lines = Callable[[str, int], str]
Keeps = Callable[[str, str], bool]
"""Whether a text keeps the contract of that name."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was checked; ``ok`` is None where it could not be, and ``detail`` says why."""

    name: str
    ok: bool | None
    detail: str


@dataclass(frozen=True, slots=True)
class Verification:
    """All checks of one receipt; it holds when none failed and the bytes were compared."""

    receipt_id: str
    checks: tuple[Check, ...]

    @property
    def ok(self) -> bool:
        """True when no check failed and the text itself was checked."""
        by_name = {check.name: check.ok for check in self.checks}
        return False not in by_name.values() and by_name.get("text") is True


def check_fragments(
    receipt: Receipt,
    *,
    text: str | None,
    message: str | None,
    cases: Cases,
    lines: Lines,
    earlier: Mapping[int, str] | None = None,
    keeps: Keeps | None = None,
) -> list[Check]:
    """Rebuild the reply from stored text and compare it with the receipt and with ``text``.

    The person's own words are known from ``message`` and, by number, from the messages of the same
    conversation, ``earlier`` ones; or else they are taken from ``text`` at their place, and the
    hash over the whole reply in the receipt holds them to what was said. What a model wrote is
    taken from ``text`` as well, compared with its own hash, and judged again by ``keeps``.
    """
    pieces: list[str] = []
    counts = {"quoted": 0, "vetted": 0, "echo": 0, "contracted": 0}
    said = dict(earlier or {})
    try:
        at = 0
        for row in _rows(receipt.body):
            if row[0] == "contracted":
                piece = _written(row, at, text, keeps)
            else:
                piece = _piece(row, at, text, message, said, cases, lines)
            if piece is None:
                return [_needs_words(counts)]
            at += len(piece)
            pieces.append(piece)
            counts[str(row[0])] = counts.get(str(row[0]), 0) + 1
    except HandrailError as error:
        return [Check("fragments", False, str(error))]
    rebuilt = "".join(pieces)
    summary = f"{counts['quoted']} quoted, {counts['vetted']} reviewed, {counts['echo']} own words"
    if counts["contracted"]:
        summary += f", {counts['contracted']} under contract"
    return [Check("fragments", True, summary), _text_check(receipt, rebuilt, text)]


def check_reply(
    receipt: Receipt,
    reply: Mapping[str, Any],
    *,
    fixed: Sequence[str],
    resources: Sequence[Resource],
    cases: Cases,
    lines: Lines | None = None,
) -> Check:
    """Whether what stands beside the words is what the receipt lists.

    ``fixed`` are wordings that any outcome may show; ``resources`` is the help that belongs to the
    receipt's country and risk; ``lines`` has the reviewed notices that may be shown beside, none
    without it; ``cases`` has what the shown cases say. Their scores and where they
    were found are for replay to compare.
    """
    quotes = [row[1:] for row in _rows(receipt.body) if row[0] == "quoted"]
    listed = [[case] for case in _listed(receipt.body, "cases")]
    more = {
        "citations": _columns(reply, "citations", _CITED) == _distinct(quotes),
        "cases": _columns(reply, "cases", ("id",)) == listed,
        "words of cases": all(_as_stored(row, cases) for row in _listed(reply, "cases")),
    }
    return check_beside(receipt, reply, fixed=fixed, resources=resources, lines=lines, more=more)


def check_beside(
    receipt: Receipt,
    reply: Mapping[str, Any],
    *,
    fixed: Sequence[str],
    resources: Sequence[Resource],
    lines: Lines | None,
    more: Mapping[str, bool],
) -> Check:
    """The same for what every flow shows; ``more`` says what of a flow's own holds."""
    kind, _, reason = str(receipt.body.get("outcome")).partition(":")
    beside = [reply.get(key) for key in SPOKEN.values() if key != SPOKEN.get(kind)]
    held = {
        "outcome": reply.get("outcome") == kind,
        "reason": not reason or reply.get("reason") == reason,
        "other text": all(text is None or text in fixed for text in beside),
        **more,
        "notices": all(_is_reviewed(row, lines) for row in _listed(reply, "notices")),
        "resources": _columns(reply, "resources", _DIALLED)
        == [[getattr(resource, key) for key in _DIALLED] for resource in resources],
    }
    faults = [name for name, holds in held.items() if not holds]
    if faults:
        return Check("reply", False, f"not what the receipt lists: {', '.join(faults)}")
    shown = ", ".join(name for name in ("outcome", *more) if " " not in name)
    return Check("reply", True, f"{shown} and resources as the receipt lists them")


SPOKEN = {"answer": "answer", "safety": "message", "abstention": "refusal", "refusal": "refusal"}
"""The field of a reply that holds its words, by kind of outcome."""

_CITED = ("case_id", "sent_id", "start", "end")
_HIGHLIGHTED = ("sent_id", "start", "end", "text")
_DIALLED = ("id", "label", "value")


def _is_reviewed(row: Any, lines: Lines | None) -> bool:
    """Whether a notice beside the words is a reviewed line; which were due, the clock knew."""
    if lines is None or not isinstance(row, Mapping):
        return False
    try:
        return lines(f"{row.get('id')}.{row.get('language')}", 0) == row.get("text")
    except HandrailError:
        return False


def _as_stored(row: Any, cases: Cases) -> bool:
    """Whether a shown case says what is stored under its id, and its highlights are sentences."""
    case = cases(str(row.get("id"))) if isinstance(row, Mapping) else None
    if case is None or row.get("context") != case.context or row.get("title") != case.title:
        return False
    whole = [
        [at, span.start, span.end, span.of(case.response)] for at, span in enumerate(case.sentences)
    ]
    return all(shown in whole for shown in _columns(row, "highlights", _HIGHLIGHTED))


def _columns(reply: Mapping[str, Any], name: str, keys: Sequence[str]) -> list[list[Any]]:
    rows = _listed(reply, name)
    return [[row.get(key) for key in keys] if isinstance(row, Mapping) else [] for row in rows]


def _listed(body: Mapping[str, Any], name: str) -> Sequence[Any]:
    found = body.get(name)
    return found if isinstance(found, list) else []


def _distinct(rows: Sequence[Sequence[Any]]) -> list[Sequence[Any]]:
    return [row for at, row in enumerate(rows) if row not in rows[:at]]


def _rows(body: Mapping[str, object]) -> Sequence[Sequence[Any]]:
    rows = body.get("fragments")
    if not isinstance(rows, list) or not all(isinstance(row, list) and row for row in rows):
        raise ReceiptInvalid("the receipt lists no fragments")
    return rows


def _piece(
    row: Sequence[Any],
    at: int,
    text: str | None,
    message: str | None,
    said: Mapping[int, str],
    cases: Cases,
    lines: Lines,
) -> str | None:
    match provenance(row):
        case Quoted() as quote:
            return _quoted(quote, cases)
        case Vetted(item_id=item_id, piece=piece):
            return lines(item_id, piece)
        case Layout():
            return str(row[1])
        case Echo(span=span, number=number):
            source = message if number is None else said.get(number)
            if source is not None:
                return span.of(source)
            return None if text is None else text[at : at + span.end - span.start]


def _written(row: Sequence[Any], at: int, text: str | None, keeps: Keeps | None) -> str | None:
    """What a model wrote under a contract, where the reply is at hand to be judged again."""
    match list(row):
        case ["contracted", str(contract), str(sha256), int(chars), *_] if chars > 0:
            if text is None or keeps is None:
                return None
            piece = text[at : at + chars]
            if digest(piece) != sha256:
                raise ReceiptInvalid("what a model wrote is not what the receipt lists")
            if not keeps(contract, piece):
                raise ReceiptInvalid(f"what a model wrote breaks the contract {contract!r}")
            return piece
        case _:
            raise ReceiptInvalid("a fragment of the receipt is of no known kind")


def _quoted(quote: Quoted, cases: Cases) -> str:
    case = cases(quote.case_id)
    if case is None:
        raise ReceiptInvalid(f"case {quote.case_id!r} is not in the collection")
    if case_id(case.context, case.response) != quote.case_id:
        raise ReceiptInvalid(f"case {quote.case_id!r} does not have the bytes its id stands for")
    if not 0 <= quote.sent_id < len(case.sentences):
        raise ReceiptInvalid(f"case {quote.case_id!r} has no sentence {quote.sent_id}")
    if case.sentences[quote.sent_id] != quote.span:
        raise ReceiptInvalid(f"a quote of case {quote.case_id!r} is not a whole sentence")
    return quote.span.of(case.response)


def _needs_words(counts: Mapping[str, int]) -> Check:
    done = f"{counts['quoted']} quoted and {counts['vetted']} reviewed fragments before it hold"
    return Check("text", None, f"{done}; pass the whole reply or --message to check their words")


def _text_check(receipt: Receipt, rebuilt: str, text: str | None) -> Check:
    pinned = receipt.body.get("text")
    sha256 = pinned.get("sha256") if isinstance(pinned, Mapping) else None
    if text is not None and text != rebuilt:
        return Check("text", False, "the reply differs from what the receipt rebuilds")
    if digest(rebuilt) != sha256:
        return Check("text", False, "the rebuilt reply has another hash than the receipt says")
    return Check("text", True, f"{len(rebuilt)} characters, byte for byte")


def check_pins(
    receipt: Receipt, *, content: str, collection: Mapping[str, object] | None
) -> list[Check]:
    """Whether the reviewed text and the corpus are those that the receipt was issued with.

    ``collection`` is None for a reply that no corpus stands behind.
    """
    same_text = receipt.body.get("content") == content
    found = [Check("content", same_text or None, _pin_detail("reviewed text", same_text))]
    if collection is not None:
        pinned: Any = receipt.body.get("collection", {})
        same = pinned.get("corpus_hash") == collection.get("corpus_hash")
        found.append(Check("corpus", same or None, _pin_detail("corpus", same)))
    return found


def _pin_detail(what: str, same: bool) -> str:
    if same:
        return f"the same {what}"
    return f"the {what} has changed since; each fragment is still looked up by id"
