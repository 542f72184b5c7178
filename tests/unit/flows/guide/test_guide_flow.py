"""The whole way of a message: answers, danger, handlers, policy, and nothing that fits."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from guide_parts import phrases
from guide_talk import (
    CLINICIAN,
    FIRST,
    HIGH,
    LATE,
    NOTHING,
    TRIGGER,
    few,
    guide_over,
    talk,
)

from handrail.domain.duties import DEFAULT_DUTIES
from handrail.domain.entity import LINES, Entity
from handrail.domain.outcome import Abstention, Answer, Reason, Refusal, SafetyResponse
from handrail.domain.reply import Layout, Vetted
from handrail.domain.risk import Level
from handrail.domain.trace import Tracer
from handrail.engine import Engine
from handrail.errors import ContentInvalid, InvalidInput
from handrail.flows.guide.flow import GuideAsked, Guided
from handrail.flows.guide.lines import cited, is_entity_line

WINS = {"last_rating": 5}


def only(name: str) -> Entity:
    """A packaged entity."""
    return next(one for one in few() if one.entity_id == name)


def spoken_of(made: Guided) -> list[tuple[str, str]]:
    """Entity and field of every line of an entity, in order."""
    items = [
        f.provenance.item_id for f in made.outcome.fragments if isinstance(f.provenance, Vetted)
    ]
    return [(cited(item)[0], cited(item)[2]) for item in items if is_entity_line(item)]


def test_an_answer_is_made_of_reviewed_lines_of_its_final_set_alone(hashed: Engine) -> None:
    guide = guide_over(hashed)
    made = talk(guide, LATE)
    assert isinstance(made.outcome, Answer)
    assert made.found is not None
    assert made.found.ids[0] == "late_pickups"
    for fragment in made.outcome.fragments:
        match fragment.provenance:
            case Vetted(item_id=item_id, piece=piece):
                assert guide.piece(item_id, piece) == fragment.text
            case other:
                assert isinstance(other, Layout)
    assert {name for name, _ in spoken_of(made)} <= set(made.found.ids)
    assert made.outcome.resources
    assert [one.entity_id for one in made.found.always] == ["rule_child_focus"]


def test_the_same_message_gets_the_same_words(hashed: Engine) -> None:
    guide = guide_over(hashed)
    first, again = talk(guide, LATE), talk(guide, LATE)
    assert first.outcome.text == again.outcome.text
    assert first.outcome.receipt == again.outcome.receipt


def test_h31_in_danger_the_crisis_entity_speaks_and_nothing_else(hashed: Engine) -> None:
    made = talk(guide_over(hashed), HIGH)
    assert isinstance(made.outcome, SafetyResponse)
    assert made.found is not None
    assert made.found.ids == ("handler_crisis",)
    assert {name for name, _ in spoken_of(made)} == {"handler_crisis"}
    assert made.outcome.trace.flags["crisis"]
    assert "embed" not in {step.name for step in made.outcome.trace.steps}


def test_h3_h14_a_trigger_that_the_screen_does_not_know_brings_help_first(hashed: Engine) -> None:
    told = replace(only("handler_crisis"), trigger_patterns=phrases("zebra crossing"))
    guide = guide_over(hashed, few(told))
    message = f"{LATE} at the zebra crossing"
    assert guide.front.check(message).level is Level.NONE
    made = talk(guide, message)
    assert isinstance(made.outcome, SafetyResponse)
    assert made.found is not None
    assert [(one.entity, one.by_danger) for one in made.found.final] == [(told, True)]
    assert made.outcome.risk.level is Level.MODERATE
    assert made.outcome.trace.flags["crisis"]
    assert made.outcome.resources


@pytest.mark.parametrize("message", [HIGH, TRIGGER])
def test_a_deleted_crisis_entity_speaks_as_it_was_packaged(hashed: Engine, message: str) -> None:
    guide = guide_over(hashed, few(without=("handler_crisis",)))
    made = talk(guide, message)
    assert isinstance(made.outcome, SafetyResponse)
    assert made.found is not None
    assert made.found.ids == ("handler_crisis",)
    assert made.outcome.text == talk(guide_over(hashed), message).outcome.text
    for fragment in made.outcome.fragments:
        if isinstance(fragment.provenance, Vetted):
            assert (
                guide.piece(fragment.provenance.item_id, fragment.provenance.piece) == fragment.text
            )


def test_h31_help_comes_first_though_the_catalogue_breaks(hashed: Engine) -> None:
    def broken() -> Any:
        raise ContentInvalid("no catalogue")

    guide = guide_over(hashed)
    guide = replace(guide, search=replace(guide.search, catalogue=broken))
    made = talk(guide, HIGH)
    assert isinstance(made.outcome, SafetyResponse)
    assert made.found is not None
    assert made.found.ids == ("handler_crisis",)
    assert made.outcome.resources


def test_a_first_conversation_is_greeted_and_gets_no_pile_of_advice(hashed: Engine) -> None:
    made = talk(guide_over(hashed), LATE, user_state=FIRST)
    said = spoken_of(made)
    assert said[0] == ("handler_first_conversation", "scripts")
    assert [field for name, field in said if name == "late_pickups"].count("guidance_do") == 1
    assert {name for name, _ in said} == {"handler_first_conversation", "late_pickups"}


def test_h2_h6_a_handler_speaks_though_nothing_fits_the_message(hashed: Engine) -> None:
    made = talk(guide_over(hashed), NOTHING, user_state=FIRST)
    assert isinstance(made.outcome, Answer)
    assert {name for name, _ in spoken_of(made)} == {"handler_first_conversation"}


def test_of_several_handlers_the_most_important_greets(hashed: Engine) -> None:
    made = talk(guide_over(hashed), LATE, user_state={**FIRST, **WINS})
    assert made.found is not None
    assert made.found.ids[:2] == ("handler_first_conversation", "handler_celebrating_wins")
    assert "handler_celebrating_wins" not in {name for name, _ in spoken_of(made)}


def test_a_professional_gets_the_entry_and_not_the_parents_words(hashed: Engine) -> None:
    made = talk(guide_over(hashed), LATE, user_state=CLINICIAN)
    said = spoken_of(made)
    assert said[0] == ("handler_clinician_mode", "scripts")
    assert ("late_pickups", "concept_summary") in said
    assert not {"acknowledgement", "scripts"} & {
        field for name, field in said if name != "handler_clinician_mode"
    }


def test_a_professional_is_spoken_to_as_one_whatever_editors_find_important(
    hashed: Engine,
) -> None:
    louder = replace(only("handler_celebrating_wins"), priority=100)
    made = talk(guide_over(hashed, few(louder)), LATE, user_state={**CLINICIAN, **WINS})
    assert spoken_of(made)[0] == ("handler_clinician_mode", "scripts")


def test_nobody_is_congratulated_before_a_danger_is_met(hashed: Engine) -> None:
    told = replace(only("domestic_violence_safety"), trigger_patterns=phrases("zebra crossing"))
    made = talk(guide_over(hashed, few(told)), f"{LATE} at the zebra crossing", user_state=WINS)
    assert isinstance(made.outcome, Answer)
    assert made.found is not None
    assert made.found.ids[:2] == ("domestic_violence_safety", "handler_celebrating_wins")
    assert {name for name, _ in spoken_of(made)} == {"domestic_violence_safety"}


def test_where_nothing_fits_the_guide_says_so(hashed: Engine) -> None:
    made = talk(guide_over(hashed), NOTHING)
    assert isinstance(made.outcome, Abstention)
    assert made.outcome.reason is Reason.NOTHING_SIMILAR
    assert spoken_of(made) == []
    assert made.outcome.resources


def test_an_entity_without_lines_says_nothing_and_breaks_nothing(hashed: Engine) -> None:
    silent = dict.fromkeys(LINES, ())
    mute = replace(only("late_pickups"), **silent)
    made = talk(guide_over(hashed, [mute]), LATE)
    assert isinstance(made.outcome, Abstention)


def test_an_empty_store_answers_danger_and_nothing_else(hashed: Engine) -> None:
    guide = guide_over(hashed, [])
    assert isinstance(talk(guide, LATE, user_state=FIRST).outcome, Abstention)
    assert talk(guide, HIGH).found.ids == ("handler_crisis",)  # type: ignore[union-attr]


def test_a_policy_that_only_selects_refuses_and_danger_is_still_answered(hashed: Engine) -> None:
    guide = guide_over(hashed)
    duties = replace(DEFAULT_DUTIES, therapeutic_communication=False)
    guide = replace(guide, front=replace(guide.front, duties=duties))
    refused = talk(guide, LATE)
    assert isinstance(refused.outcome, Refusal)
    assert refused.outcome.reason is Reason.SELECT_ONLY
    assert spoken_of(refused) == []
    assert isinstance(talk(guide, HIGH).outcome, SafetyResponse)


@pytest.mark.parametrize("message", ["", "  \n", "x" * 20_001])
def test_what_cannot_be_answered_is_refused_by_name(hashed: Engine, message: str) -> None:
    with pytest.raises(InvalidInput):
        talk(guide_over(hashed), message)


@pytest.mark.parametrize("odd", ["İß \x00 👩‍👧 \ud800", "( ' \" ) `", "?" * 300])
def test_odd_signs_change_no_answer_into_a_fault(hashed: Engine, odd: str) -> None:
    made = talk(guide_over(hashed), f"{LATE} {odd}")
    assert isinstance(made.outcome, Answer | Abstention)
    assert made.outcome.text.encode()


def test_a_message_of_three_thousand_words_is_answered(hashed: Engine) -> None:
    made = talk(guide_over(hashed), (f"{LATE}. " * 180)[:19_000])
    assert made.found is not None
    assert "late_pickups" in made.found.ids


def test_h26_the_trace_names_what_was_found_and_holds_no_word_of_it(hashed: Engine) -> None:
    made = talk(guide_over(hashed), LATE)
    steps = {step.name: step.facts for step in made.outcome.trace.steps}
    assert "late_pickups" in steps["search_semantic"]["hits"]
    assert "coat" not in str(made.outcome.trace) + str(made.outcome.receipt.body)


@pytest.mark.parametrize(
    ("message", "crisis"),
    [
        ("I'm going to kill myself", True),
        ("I don\u2019t feel safe", True),
        ("i wanna die", True),
        ("i am not feeling safe", True),
        ("he wants to kill himself", True),
        ("I want to end it all tonight", True),
        ("I want to kill time until pickup", False),
        ("he wants to hurt my case", False),
        ("I can't take it to the office", False),
        ("my soldier on a diet has no skills on snapchat", False),
        ("close it before she snaps a picture", False),
    ],
)
def test_h3_h35_danger_is_heard_and_figures_of_speech_are_not(
    hashed: Engine, crisis_guide: Any, message: str, crisis: bool
) -> None:
    risk = crisis_guide.front.check(message)
    found = crisis_guide.find(message, GuideAsked(), risk=risk, tracer=Tracer("test"))
    assert ("handler_crisis" in found.ids) is crisis


@pytest.fixture(scope="module")
def crisis_guide(hashed: Engine) -> Any:
    return guide_over(hashed)
