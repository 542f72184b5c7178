"""The coach's reviewed lines: fixed wording, legal slots, unique ids, no number to dial."""

from __future__ import annotations

import re
from functools import cache

import pytest

from handrail.content import CoachContent, load_coach
from handrail.content.schema import Bank, EmotionWord, Frame, Notice, Validation
from handrail.errors import ContentInvalid

_DIALLED = re.compile(r"\d[\d ()./-]{4,}\d|\b(?:911|988|999|112)\b")
_SLOTS = {"echo", "feelings", "emergency", "date"}


@cache
def coach() -> CoachContent:
    return load_coach()


@cache
def lines() -> dict[str, str]:
    """Every line that a reply may hold, by id."""
    content = coach()
    banks = [content.validation, content.frames, content.bridges, content.steps, content.goals]
    found = {item.id: item.text for bank in banks for item in bank}
    for language, bank in content.notices.items():
        found |= {f"{notice.id}.{language}": notice.text for notice in bank.items}
    return found


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "abstain-evidence",
            "I need more evidence to make suggestions. Here are the closest cases.",
        ),
        ("refusal-policy", "I can't provide coaching for this request."),
        ("layout-steps", "Try today:"),
        ("layout-goal", "Goal:"),
    ],
)
def test_c33_c43_c44_fixed_wording_is_exact(name: str, text: str) -> None:
    assert coach().notice(name).text == text


def test_every_line_can_be_looked_up_piece_by_piece() -> None:
    for item_id, text in lines().items():
        slots = re.findall(r"\{(\w+)\}", text)
        pieces = [coach().piece(item_id, at) for at in range(len(slots) + 1)]
        rebuilt = "".join(
            piece + ("{" + slot + "}" if slot else "")
            for piece, slot in zip(pieces, [*slots, ""], strict=True)
        )
        assert rebuilt == text


def test_no_line_holds_a_number_that_could_be_dialled() -> None:
    assert [name for name, text in lines().items() if _DIALLED.search(text)] == []


def test_every_slot_is_legal() -> None:
    assert {slot for text in lines().values() for slot in re.findall(r"\{(.*?)\}", text)} <= _SLOTS


def test_no_step_or_goal_touches_medicine_or_diagnosis() -> None:
    words = re.compile(r"\b(?:medicat\w*|pills?|dose|diagnos\w*|prescri\w*|disorder)\b", re.I)
    steps = [*coach().steps, *coach().goals]
    assert [step.id for step in steps if words.search(step.text)] == []


def test_labels_of_steps_and_goals_are_unique() -> None:
    for bank in (coach().steps, coach().goals):
        assert len({step.label for step in bank}) == len(bank)


@pytest.mark.parametrize(
    ("item_id", "piece"),
    [("no-such", 0), ("layout-goal", 0), ("layout-goal.en", 1), ("layout-goal.en", -1)],
)
def test_what_was_never_reviewed_cannot_be_looked_up(item_id: str, piece: int) -> None:
    with pytest.raises(ContentInvalid, match=item_id):
        coach().piece(item_id, piece)


def test_a_notice_in_an_unknown_language_is_the_english_one() -> None:
    assert coach().notice("refusal-policy", "xx") is coach().notice("refusal-policy")
    assert coach().notice("refusal-policy", "es") is not coach().notice("refusal-policy")


def test_every_notice_stands_in_every_language() -> None:
    ids = [set(bank.by_id) for bank in coach().notices.values()]
    assert all(found == ids[0] for found in ids)


def bank(*items: Validation) -> Bank[Validation]:
    return Bank[Validation](version=1, language="en", reviewer="r", items=items)


def test_an_id_in_two_files_is_refused() -> None:
    line = Validation(id="same", text="Rest.", source="s", review="r", family="general")
    notice = Notice(id="n", text="Rest.", source="s", review="r")
    notices = Bank[Notice](version=1, language="en", reviewer="r", items=(notice,))
    frame = Frame(id="same", text="Rest.", source="s", review="r", needs=())
    with pytest.raises(ContentInvalid, match="'same'"):
        CoachContent(
            validation=bank(line),
            frames=Bank[Frame](version=1, language="en", reviewer="r", items=(frame,)),
            bridges=Bank(version=1, language="en", reviewer="r", items=()),
            steps=Bank(version=1, language="en", reviewer="r", items=()),
            goals=Bank(version=1, language="en", reviewer="r", items=()),
            emotions=Bank[EmotionWord](version=1, language="en", reviewer="r", items=()),
            notices={"en": notices},
            layout=Bank[Notice](version=1, language="en", reviewer="r", items=()),
        )


def test_a_frame_whose_slots_differ_from_its_needs_is_refused() -> None:
    with pytest.raises(ValueError, match="differ from needs"):
        Frame(id="f", text="{echo} again", source="s", review="r", needs=("feelings",))
