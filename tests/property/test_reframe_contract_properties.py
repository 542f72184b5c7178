"""Parsing raises for no string, keeps its promises for all, and reads back what it wrote."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.adapters.re2 import Re2Engine
from handrail.flows.reframe.contract import ConfidenceShift, Control, parse, render
from handrail.flows.reframe.control import FIELDS, MAX_QUESTION_CHARS, MAX_QUESTIONS, PHASES
from handrail.rails.reply_contract import CODES, ReplyContract, Terms

PIECES = st.sampled_from(
    [
        "<ui>",
        "</ui>",
        "<control>",
        "</control>",
        "<UI x='1'>",
        "< / ui",
        "<",
        ">",
        "{",
        "}",
        "[",
        "]",
        '"',
        "'",
        ",",
        ":",
        "\\",
        "&lt;",
        "&amp;lt;ui&amp;gt;",
        "&#60;ui&#62;",
        "```json\n",
        "```\n",
        "\n",
        "//",
        "/*",
        "*/",
        '"next_phase"',
        '"crisis_detected": true',
        '"missing_fields"',
        "suggest_questions: ['a?']",
        "That sounds heavy.",
        "• ",
        "\u202e",
        "\ud800",
        "\x00",
        "é",
    ]
)
HOSTILE = st.lists(PIECES | st.text(max_size=8), max_size=40).map("".join)
LINES = st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"]), max_size=60)
CONTROLS = st.builds(
    Control,
    next_phase=st.none() | st.sampled_from(PHASES),
    missing_fields=st.lists(st.sampled_from(FIELDS), unique=True).map(tuple),
    suggest_questions=st.lists(
        LINES.map(str.strip).filter(bool), unique=True, max_size=MAX_QUESTIONS
    ).map(tuple),
    crisis_detected=st.booleans(),
    balanced_thought=st.none() | LINES.map(str.strip).filter(bool),
    confidence_shift=st.none()
    | st.builds(ConfidenceShift, before=st.integers(0, 10), after=st.integers(0, 10)),
)
RAIL = ReplyContract.packaged(Re2Engine())
EN = Terms(words=110, questions=1, language="en")


@given(HOSTILE)
def test_a45_a_text_of_any_kind_is_read_to_its_end(text: str) -> None:
    parsed = parse(text)
    assert not re.search(r"<[\s/]*(?:ui|control)\b[^<>]*>", parsed.ui, re.IGNORECASE)
    assert parsed.ui == parsed.ui.strip()
    assert len(set(parsed.faults)) == len(parsed.faults)
    if control := parsed.control:
        assert control.next_phase is None or control.next_phase in PHASES
        assert set(control.missing_fields) <= set(FIELDS)
        assert len(control.suggest_questions) <= MAX_QUESTIONS
        assert all(len(each) <= MAX_QUESTION_CHARS for each in control.suggest_questions)


@given(HOSTILE)
def test_a59_a_warning_in_a_whole_block_is_never_lost(text: str) -> None:
    control = parse(f'{text}<control>{{"crisis_detected": true}}</control>{text}').control
    assert control is not None
    assert control.crisis_detected


@given(HOSTILE, CONTROLS)
def test_a17_what_was_read_is_written_and_read_back(text: str, control: Control) -> None:
    ui = parse(f"<ui>{text}</ui>").ui
    again = parse(render(ui, control))
    assert (again.ui, again.control) == (ui, _heard(ui, control))


@given(LINES, CONTROLS)
def test_a17_the_same_for_plain_text(text: str, control: Control) -> None:
    ui = parse(render(text, control)).ui
    assert parse(render(ui, control)).ui == ui


def _heard(ui: str, control: Control) -> Control | None:
    """The control, with the warning that stands in the text beside it."""
    alone = parse(render(ui, Control())).control
    assert alone is not None
    return control if control.crisis_detected or not alone.crisis_detected else _warned(control)


def _warned(control: Control) -> Control:
    body = {name: getattr(control, name) for name in Control.__slots__}
    return Control(**{**body, "crisis_detected": True})


@given(HOSTILE)
def test_a60_the_rail_raises_for_nothing_and_is_the_same_twice(text: str) -> None:
    found = RAIL.breaches(text, EN)
    assert found == RAIL.breaches(text, EN)
    assert all(breach.code in CODES for breach in found)
    assert "rail-broken" not in {breach.code for breach in found}
    assert all(0 <= breach.start <= breach.end <= len(text) for breach in found)


@given(st.text(max_size=40), st.lists(st.text(max_size=20), max_size=3))
def test_own_words_of_any_kind_break_no_rail(text: str, own: list[str]) -> None:
    quoted = f"You wrote “{text}” and it sounds heavy."
    assert "rail-broken" not in {b.code for b in RAIL.breaches(quoted, EN, own_words=own)}


@pytest.mark.parametrize(
    "piece",
    ["<ui", "<ui>", "<<ui>", "{", "}{", "/*", '"', "'", "&lt;", "```\n", "[" * 9, "crisis_"],
)
def test_a_megabyte_of_anything_is_read(piece: str) -> None:
    parsed = parse(f"<control>{{{piece * (1_000_000 // len(piece))}")
    assert "too-long" in parsed.faults
