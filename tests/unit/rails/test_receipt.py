"""A receipt proves a reply: it can be opened again, and no field of it can be changed unseen."""

from __future__ import annotations

import json
from typing import Any

import pytest

from handrail.domain.reply import Contracted, Echo, Fragment, Layout, Quoted, Vetted
from handrail.domain.text import Span, digest
from handrail.errors import ReceiptInvalid
from handrail.rails.receipt import FORMAT, canonical_json, encode, opened, provenance, sealed

FRAGMENTS = (
    Fragment("Rest counts.", Vetted(item_id="line-1", piece=2)),
    Fragment("\n\n1) ", Layout()),
    Fragment("Slow is fine.", Quoted(case_id="c", sent_id=4, span=Span(10, 23))),
    Fragment("so tired", Echo(span=Span(3, 11))),
)
BODY: dict[str, object] = {
    "flow": "coach",
    "text": {"sha256": digest("x"), "chars": 1},
    "fragments": encode(FRAGMENTS),
    "cases": ["c"],
    "policy": {"country": None, "gate_alpha": 0.6},
}


def through_json(value: object) -> Any:
    return json.loads(json.dumps(value))


def test_a_receipt_survives_the_way_through_json() -> None:
    receipt = sealed(BODY)
    assert opened(through_json(receipt.body)).id == receipt.id
    assert opened({"answer": "…", "receipt": through_json(receipt.body)}).id == receipt.id


def test_the_same_body_has_the_same_id_whatever_its_order() -> None:
    assert sealed(dict(reversed(BODY.items()))).id == sealed(BODY).id
    assert sealed(sealed(BODY).body).id == sealed(BODY).id


@pytest.mark.parametrize("key", [*BODY, "id", "format"])
def test_a_changed_field_is_seen(key: str) -> None:
    body = through_json(sealed(BODY).body)
    body[key] = "changed"
    with pytest.raises(ReceiptInvalid):
        opened(body)


@pytest.mark.parametrize("key", [*BODY, "id", "format"])
def test_a_missing_field_is_seen(key: str) -> None:
    body = through_json(sealed(BODY).body)
    del body[key]
    with pytest.raises(ReceiptInvalid):
        opened(body)


def test_an_added_field_is_seen() -> None:
    why = r"^the receipt was changed after it was issued: its id does not match$"
    with pytest.raises(ReceiptInvalid, match=why):
        opened({**through_json(sealed(BODY).body), "note": ""})


def test_a_number_that_became_a_boolean_is_seen() -> None:
    body = through_json(sealed(BODY).body)
    body["text"]["chars"] = True
    with pytest.raises(ReceiptInvalid):
        opened(body)


@pytest.mark.parametrize(
    "value", [None, [], "receipt", 3, {}, {"receipt": None}, {"format": "other/1"}]
)
def test_what_is_no_receipt_is_refused(value: object) -> None:
    with pytest.raises(ReceiptInvalid) as refused:
        opened(value)
    assert str(refused.value) == (
        f"not a {FORMAT!r} receipt. Save a reply with --json and pass that file"
    )


@pytest.mark.parametrize("odd", [float("nan"), float("inf"), object(), {1, 2}])
def test_what_json_cannot_hold_is_refused(odd: object) -> None:
    with pytest.raises(ReceiptInvalid):
        opened({"format": FORMAT, "id": "0", "odd": odd})


def test_the_json_is_canonical() -> None:
    assert canonical_json({"b": [1, 2.5], "a": "é"}) == '{"a":"\\u00e9","b":[1,2.5]}'
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical_json(float("nan"))


def test_rows_hold_what_to_look_up_and_no_words() -> None:
    assert encode(FRAGMENTS) == [
        ["vetted", "line-1", 2],
        ["layout", "\n\n1) "],
        ["quoted", "c", 4, 10, 23],
        ["echo", 3, 11],
    ]


def test_a_row_leads_back_to_its_provenance() -> None:
    rows = through_json(encode(FRAGMENTS))
    assert [provenance(row) for row in rows] == [f.provenance for f in FRAGMENTS]


@pytest.mark.parametrize(
    "row",
    [
        [],
        ["quoted"],
        ["quoted", "c", 0, 5, 5],
        ["quoted", "c", 0, 9, 5],
        ["quoted", "c", -1, 0, 5],
        ["quoted", "c", 0, -5, 5],
        ["quoted", "c", True, 0, 5],
        ["quoted", "c", "0", 0, 5],
        ["quoted", "c", 0, 0, 5, 6],
        ["vetted", "line", -1],
        ["vetted", 3, 0],
        ["echo", 4, 4],
        ["echo", 4, 2],
        ["echo", False, 2],
        ["layout", ""],
        ["layout", "Leave him."],
        ["layout", "1) a"],
        ["layout", "\u200b"],
        ["said", "anything"],
    ],
)
def test_a_row_of_no_known_kind_is_refused(row: list[Any]) -> None:
    why = (
        "has a number that counts nothing"
        if any(item is True or item is False or item in (-1, -5) for item in row)
        else "is of no known kind"
    )
    with pytest.raises(ReceiptInvalid, match=f"^a fragment of the receipt {why}$"):
        provenance(row)


def test_a_receipt_nested_without_end_is_refused() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(ReceiptInvalid):
        opened({"format": FORMAT, "id": None, "deep": deep})


def test_a_receipt_without_an_id_is_refused_even_where_none_can_be_made() -> None:
    with pytest.raises(ReceiptInvalid):
        opened({"format": FORMAT, "odd": float("nan")})


def test_contracted_text_is_pinned_by_hash_and_cannot_be_looked_up() -> None:
    text = "Model text under a contract."
    written = Fragment(text, Contracted(contract="any.v1", passage_ids=("p1", "p2")))
    assert encode([written]) == [["contracted", "any.v1", digest(text), len(text), "p1", "p2"]]
    with pytest.raises(ReceiptInvalid):
        provenance(encode([written])[0])
