"""Any change of a receipt is seen, and a row read back is the row written."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from handrail.domain.reply import Echo, Fragment, Layout, Quoted, Vetted
from handrail.domain.text import Span
from handrail.errors import ReceiptInvalid
from handrail.rails.receipt import canonical_json, encode, opened, provenance, sealed

KEYS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=6)
PLAIN = st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=8)
VALUES = st.recursive(
    PLAIN,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)
BODIES = st.dictionaries(KEYS.filter(lambda key: key not in ("id", "format")), VALUES, max_size=5)
SPANS = st.builds(
    lambda start, size: Span(start, start + size), st.integers(0, 99), st.integers(1, 99)
)
PROVENANCES = st.one_of(
    st.builds(Quoted, case_id=KEYS, sent_id=st.integers(0, 99), span=SPANS),
    st.builds(Vetted, item_id=KEYS, piece=st.integers(0, 9)),
    st.builds(Echo, span=SPANS),
)


@given(BODIES)
def test_what_was_sealed_can_be_opened(body: dict[str, Any]) -> None:
    receipt = sealed(body)
    assert opened(json.loads(canonical_json(receipt.body))).id == receipt.id


@given(st.data())
def test_a_changed_value_is_seen(data: st.DataObject) -> None:
    body = data.draw(BODIES)
    read = json.loads(canonical_json(sealed(body).body))
    key = data.draw(st.sampled_from(sorted(read)))
    changed = copy.deepcopy(read)
    changed[key] = data.draw(VALUES)
    assume(canonical_json(changed) != canonical_json(read))
    with pytest.raises(ReceiptInvalid):
        opened(changed)


@given(PROVENANCES, st.text(max_size=8))
def test_a_row_leads_back_to_what_it_was_made_from(
    origin: Quoted | Vetted | Echo, text: str
) -> None:
    rows = json.loads(json.dumps(encode([Fragment(text, origin)])))
    assert provenance(rows[0]) == origin


@given(st.text(max_size=6))
def test_a_layout_row_is_layout_or_nothing(text: str) -> None:
    row = encode([Fragment(text, Layout())])[0]
    if text and set(text) <= set(" \n)0123456789"):
        assert provenance(row) == Layout()
    else:
        with pytest.raises(ReceiptInvalid):
            provenance(row)


@given(st.lists(PLAIN, max_size=6))
def test_no_row_breaks_the_reader(row: list[Any]) -> None:
    try:
        provenance(row)
    except ReceiptInvalid:
        return
    assert row[0] in ("quoted", "vetted", "echo", "layout")
