"""The proof of a reply: hashes, ids and offsets; the same input makes the same receipt.

A receipt holds no text, no time and no random value, so replaying a reply must reproduce it byte
for byte. Its hash of a very short message can be guessed by trying messages: keep receipts as
safely as the conversations they prove.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from handrail.domain.outcome import Receipt
from handrail.domain.reply import Contracted, Echo, Fragment, Layout, Quoted, Vetted
from handrail.domain.text import Span, digest
from handrail.errors import ReceiptInvalid
from handrail.rails.layout import is_layout

FORMAT = "handrail.receipt/1"


def canonical_json(value: object) -> str:
    """JSON with sorted keys, no spaces, no NaN."""
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False
    )


def sealed(body: Mapping[str, object]) -> Receipt:
    """A receipt whose ``id`` is the hash over everything else."""
    rest = {key: value for key, value in body.items() if key != "id"} | {"format": FORMAT}
    return Receipt({**rest, "id": digest(canonical_json(rest))})


def opened(value: object) -> Receipt:
    """A receipt read from JSON, alone or inside a reply; raises `ReceiptInvalid`."""
    body: Any = value
    if isinstance(body, Mapping) and "receipt" in body:
        body = body["receipt"]
    if not isinstance(body, Mapping) or body.get("format") != FORMAT:
        raise ReceiptInvalid(
            f"not a {FORMAT!r} receipt. Save a reply with --json and pass that file"
        )
    seal = _seal_of(body)
    if seal is None or seal != body.get("id"):
        raise ReceiptInvalid("the receipt was changed after it was issued: its id does not match")
    return Receipt(dict(body))


def _seal_of(body: Mapping[str, object]) -> str | None:
    """The id that the body should carry; None for what no receipt can hold, such as NaN."""
    try:
        return sealed(body).id
    except (TypeError, ValueError, RecursionError):
        return None


def encode(fragments: Sequence[Fragment]) -> list[list[object]]:
    """Fragments as short rows: what to look up, never what it says."""
    return [_row(fragment) for fragment in fragments]


def _row(fragment: Fragment) -> list[object]:
    match fragment.provenance:
        case Quoted(case_id=case_id, sent_id=sent_id, span=span):
            return ["quoted", case_id, sent_id, span.start, span.end]
        case Vetted(item_id=item_id, piece=piece):
            return ["vetted", item_id, piece]
        case Echo(span=span, number=None):
            return ["echo", span.start, span.end]
        case Echo(span=span, number=number):
            return ["echo", span.start, span.end, number]
        case Layout():
            return ["layout", fragment.text]
        case Contracted(contract=contract, passage_ids=ids):
            return ["contracted", contract, digest(fragment.text), len(fragment.text), *ids]


def provenance(row: Sequence[Any]) -> Quoted | Vetted | Echo | Layout:
    """The provenance behind a row that can be looked up; raises `ReceiptInvalid` otherwise.

    Numbers are counted from zero; a negative one, or a boolean, is of no known kind.
    """
    if any(isinstance(item, bool) or (isinstance(item, int) and item < 0) for item in row):
        raise ReceiptInvalid("a fragment of the receipt has a number that counts nothing")
    match list(row):
        case ["quoted", str(case_id), int(sent_id), int(start), int(end)] if start < end:
            return Quoted(case_id=case_id, sent_id=sent_id, span=Span(start, end))
        case ["vetted", str(item_id), int(piece)]:
            return Vetted(item_id=item_id, piece=piece)
        case ["echo", int(start), int(end)] if start < end:
            return Echo(span=Span(start, end))
        case ["echo", int(start), int(end), int(number)] if start < end and number > 0:
            return Echo(span=Span(start, end), number=number)
        case ["layout", str(text)] if is_layout(text):
            return Layout()
        case _:
            raise ReceiptInvalid("a fragment of the receipt is of no known kind")
