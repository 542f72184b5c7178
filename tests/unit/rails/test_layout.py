"""How blocks become one text, and that layout never says a word."""

from __future__ import annotations

import pytest
from evidence_sample import CALM, KIND, STEADY, block, content, goal, quoted, step, vetted

from handrail.domain.reply import BlockKind, Draft, Fragment, Layout, Vetted
from handrail.rails.layout import is_layout, render


def lead(name: str) -> list[Fragment]:
    notice = content().notice(name)
    return [Fragment(notice.text, Vetted(item_id=f"{notice.id}.en"))]


def rendered(draft: Draft) -> tuple[Fragment, ...]:
    return render(draft, steps_lead=lead("layout-steps"), goal_lead=lead("layout-goal"))


def test_c43_validation_steps_and_goal_stand_in_their_places() -> None:
    first, second = content().steps[:2]
    goal_line = content().goals[0].text
    opening = content().validation[0]
    text = "".join(
        fragment.text
        for fragment in rendered(
            Draft(
                (
                    block(BlockKind.VALIDATION, vetted(opening.id, opening.text)),
                    block(BlockKind.REFLECTION, Fragment("I see.", Layout())),
                    block(BlockKind.EVIDENCE, quoted(KIND, 0)),
                    step(quoted(CALM, 0), 0),
                    step(quoted(CALM, 1), 1),
                    goal(quoted(STEADY, 0)),
                )
            )
        )
    )
    assert text == (
        f"{opening.text} I see.\n\n"
        f"{quoted(KIND, 0).text}\n\n"
        f"Try today:\n1) {first.text} {quoted(CALM, 0).text}\n"
        f"2) {second.text} {quoted(CALM, 1).text}\n\n"
        f"Goal: {goal_line} {quoted(STEADY, 0).text}"
    )


def test_layout_fragments_are_layout() -> None:
    fragments = rendered(Draft((step(quoted(CALM, 0)), goal(quoted(KIND, 0)))))
    gaps = [f.text for f in fragments if isinstance(f.provenance, Layout)]
    assert gaps == ["\n", "1) ", " ", "\n\n", " ", " "]
    assert all(map(is_layout, gaps))


def test_what_comes_between_two_openings_ends_their_paragraph() -> None:
    first = block(BlockKind.VALIDATION, Fragment("Yes.", Layout()))
    quote = block(BlockKind.EVIDENCE, quoted(KIND, 0))
    last = block(BlockKind.REFLECTION, Fragment("I see.", Layout()))
    text = "".join(f.text for f in rendered(Draft((first, last, quote, first))))
    assert text == f"Yes. I see.\n\n{quoted(KIND, 0).text}\n\nYes."


def test_nothing_is_rendered_from_nothing() -> None:
    assert rendered(Draft(())) == ()


@pytest.mark.parametrize("text", [" ", "\n\n", "12) ", ")"])
def test_white_space_digits_and_brackets_are_layout(text: str) -> None:
    assert is_layout(text)


@pytest.mark.parametrize("text", ["", "a", "1.", "\t", "\u00a0", "\u200b", "٣", "-"])
def test_all_else_is_not(text: str) -> None:
    assert not is_layout(text)
