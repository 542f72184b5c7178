"""The contract of a turn: what an instruction says, and what is kept of whatever comes back."""

from __future__ import annotations

import pytest

from handrail.errors import InvalidInput
from handrail.flows.reframe.contract import (
    MAX_READ,
    ConfidenceShift,
    Control,
    enforce_ui_contract,
    parse,
    render,
)
from handrail.flows.reframe.control import FIELDS, PHASES
from handrail.flows.reframe.phases import Phase

BODY = (
    '{"next_phase": "clarify", "missing_fields": ["thought"], '
    '"suggest_questions": ["What then?"], "crisis_detected": false}'
)
CONTROL = Control(
    next_phase="clarify", missing_fields=("thought",), suggest_questions=("What then?",)
)
TURN = f"<ui>That sounds heavy.</ui>\n<control>{BODY}</control>"


def test_the_phases_are_those_of_the_session() -> None:
    assert tuple(phase.value for phase in Phase) == PHASES


@pytest.mark.parametrize("phase", PHASES)
def test_a20_every_instruction_is_wrapped_once(phase: str) -> None:
    once = enforce_ui_contract("Be AURA.", phase=phase, language="en")
    assert once.startswith("Be AURA.\n")
    assert enforce_ui_contract(once, phase=phase, language="en") == once


def test_a20_a_contract_of_another_phase_is_replaced() -> None:
    first = enforce_ui_contract("Be AURA.", phase="warmup", language="en")
    second = enforce_ui_contract(first, phase="summary", language="es")
    assert second == enforce_ui_contract("Be AURA.", phase="summary", language="es")


@pytest.mark.parametrize(("phase", "words"), [("warmup", "110"), ("summary", "160")])
def test_a25_a26_the_limits_are_those_of_the_phase(phase: str, words: str) -> None:
    text = enforce_ui_contract("Be AURA.", phase=phase, language="en")
    assert f"at most {words} words" in text
    assert f'"next_phase": "{phase}"' in text
    assert "{words}" not in text


def test_a37_the_number_of_words_can_be_set() -> None:
    text = enforce_ui_contract("Be AURA.", phase="clarify", language="es", words=80)
    assert "at most 80 words" in text
    assert "Spanish" in text


@pytest.mark.parametrize(("phase", "language"), [("nowhere", "en"), ("clarify", "fr")])
def test_an_unknown_phase_or_language_is_refused(phase: str, language: str) -> None:
    with pytest.raises(InvalidInput):
        enforce_ui_contract("Be AURA.", phase=phase, language=language)


def test_a17_a18_a_turn_that_keeps_the_contract_has_no_fault() -> None:
    parsed = parse(TURN)
    assert (parsed.ui, parsed.control, parsed.faults) == ("That sounds heavy.", CONTROL, ())


def test_a17_rendering_gives_exactly_the_two_blocks() -> None:
    text = render("One < two & <three>", CONTROL)
    assert text.count("<ui>") == text.count("</ui>") == 1
    assert text.count("<control>") == text.count("</control>") == 1
    assert text.startswith("<ui>")
    assert text.endswith("</control>")


def test_render_carries_every_field() -> None:
    control = Control(
        next_phase="reframe",
        missing_fields=FIELDS,
        suggest_questions=("a < b & c?", "¿Y luego?"),
        crisis_detected=True,
        balanced_thought="I was late once.",
        confidence_shift=ConfidenceShift(before=2, after=5),
    )
    assert parse(render("Text", control)) == parse(render("Text", control))
    assert parse(render("Text", control)).control == control


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (f"<control>{BODY}</control><ui>That sounds heavy.</ui>", "control-first"),
        (f"Here you go: {TURN} Bye!", "outside-text"),
        (f"```xml\n{TURN}\n```", "fenced"),
        (f"<ui>That sounds heavy.</ui><ui>More.</ui><control>{BODY}</control>", "duplicated-ui"),
        (f"<ui>That sounds heavy.<control>{BODY}</control>", "unclosed-ui"),
        (f"That sounds heavy.</ui><control>{BODY}</control>", "stray-ui"),
        (f"That sounds heavy.\n<control>{BODY}</control>", "missing-ui"),
        (f"<ui>That sounds heavy.</ui><control>{BODY}", "unclosed-control"),
        (f"<ui>That sounds heavy.</ui>{BODY}", "control-outside"),
        (f"<ui>That sounds heavy.\n{BODY}</ui>", "control-outside"),
        (f"<ui>That sounds heavy.</ui><control>```json\n{BODY}\n```</control>", None),
        (f'<UI lang="en">That sounds heavy.</Ui >< control x=1>{BODY}</CONTROL>', None),
        (f"<ui>That sounds heavy.</ui><control>Sure: {BODY} done</control>", None),
    ],
)
def test_a45_what_breaks_the_contract_is_set_right_and_named(text: str, fault: str | None) -> None:
    parsed = parse(text)
    assert (parsed.ui, parsed.control) == ("That sounds heavy.", CONTROL)
    assert fault is None or fault in parsed.faults


@pytest.mark.parametrize(
    "body",
    [
        "{'next_phase': 'clarify', 'missing_fields': ['thought'], "
        "'suggest_questions': ['What then?'], 'crisis_detected': False}",
        BODY.replace("]", ",]").replace("}", ",}"),
        BODY.replace("{", "{ // all of it\n").replace("}", "/* end */}"),
        BODY.replace('"next_phase"', "next_phase"),
        BODY.replace('["thought"]', '"thought"').replace('["What then?"]', '"What then?"'),
        BODY.replace('"thought"', '"thought", "mood", 7, null'),
        BODY.replace("clarify", " CLARIFY "),
        BODY.replace('"What then?"', f'"What then?", "", 3, "{"x" * 201}"'),
    ],
)
def test_a62_a_control_that_is_nearly_json_is_read(body: str) -> None:
    assert parse(f"<ui>Fine.</ui><control>{body}</control>").control == CONTROL


def test_a62_a_bad_phase_costs_nothing_but_itself() -> None:
    parsed = parse(TURN.replace("clarify", "party"))
    assert parsed.control == Control(missing_fields=("thought",), suggest_questions=("What then?",))
    assert parsed.faults == ("bad-next_phase",)


def test_a62_fields_are_picked_out_of_a_block_without_grammar() -> None:
    broken = "{" + BODY.replace("]", "").replace("}", "")
    control = parse(f"<ui>Fine.</ui><control>{broken}</control>").control
    assert control is not None
    assert (control.next_phase, control.missing_fields) == ("clarify", ("thought",))


def test_at_most_three_questions_are_kept() -> None:
    body = '{"suggest_questions": ["a?", "b?", "c?", "d?"]}'
    parsed = parse(f"<ui>Fine.</ui><control>{body}</control>")
    assert parsed.control == Control(suggest_questions=("a?", "b?", "c?"))
    assert parsed.faults == ("bad-suggest_questions",)


@pytest.mark.parametrize("said", ["true", '"true"', '"Yes"', "1", "1.0", '"on"', "True"])
def test_a59_a_warning_is_heard_in_any_form(said: str) -> None:
    control = parse(f'<ui>Fine.</ui><control>{{"crisis_detected": {said}}}</control>').control
    assert control is not None
    assert control.crisis_detected


@pytest.mark.parametrize(
    "text",
    [
        "crisis_detected: true",
        "<ui>Fine.</ui><control>{crisis_detected=yes, ]]</control>",
        '<ui>Fine. {"crisis_detected": true</ui>',
        "<control>{&quot;crisis_detected&quot;: true}</control>",
        '<ui>Fine.</ui><control>{"crisis_detected": false}</control>{"crisis_detected": true}',
        "x" * MAX_READ + '"crisis_detected": true',
    ],
)
def test_a59_a_warning_is_heard_however_broken_the_rest_is(text: str) -> None:
    control = parse(text).control
    assert control is not None
    assert control.crisis_detected


@pytest.mark.parametrize("said", ["false", '"no"', "0", "null", "[]", '"untrue"'])
def test_what_is_no_warning_stays_none(said: str) -> None:
    control = parse(f'<ui>Fine.</ui><control>{{"crisis_detected": {said}}}</control>').control
    assert control == Control()


def test_a61_lines_and_bullets_stay() -> None:
    text = "Here:\n• one\n• two\n\nAnd then?"
    assert parse(f"<ui>\r\n{text}\n</ui><control>{BODY}</control>").ui == text


@pytest.mark.parametrize(
    ("inner", "ui"),
    [
        ("a &lt; b &amp;amp; c", "a < b &amp; c"),
        ("one &lt;control&gt;two&lt;/control&gt;", "one  two"),
        (f"one {BODY} two", "one \n two"),
        ("one\n```json\ntwo\n```", "one\ntwo"),
        ("I like {this}", "I like {this}"),
    ],
)
def test_a19_no_tag_and_no_control_is_left_in_the_text(inner: str, ui: str) -> None:
    assert parse(f"<ui>{inner}</ui><control>{BODY}</control>").ui == ui


def test_the_optional_fields_are_read() -> None:
    body = '{"balanced_thought": " I was late once. ", "confidence_shift": {"from": "3", "to": 6}}'
    control = parse(f"<ui>Fine.</ui><control>{body}</control>").control
    assert control == Control(
        balanced_thought="I was late once.",
        confidence_shift=ConfidenceShift(before=3, after=6),
    )


@pytest.mark.parametrize(
    "shift", ['{"from": 3}', '{"from": 3, "to": 11}', "4", '{"from": true, "to": 1}']
)
def test_a_shift_that_is_none_is_left_out(shift: str) -> None:
    body = f'{{"confidence_shift": {shift}}}'
    assert parse(f"<ui>Fine.</ui><control>{body}</control>").control == Control()


@pytest.mark.parametrize("text", ["", "   ", "<control></control>", "<ui></ui>", "</ui>"])
def test_where_nothing_is_said_nothing_is_read(text: str) -> None:
    parsed = parse(text)
    assert (parsed.ui, parsed.control) == ("", None)
    assert parsed.faults
