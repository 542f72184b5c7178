"""C26, C28, C29, C65: what the decider may be shown, and what it may say."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from handrail.calls import Accept, Prune, Reject
from handrail.content import load_coach
from handrail.flows.coach.decider import (
    DeciderInput,
    DeciderOutput,
    LabelChoice,
    QuoteRef,
    ShownSnippet,
    SkillChoice,
    decider,
    only_what_was_shown,
)

SHOWN = DeciderInput(
    query="invented",
    snippets=(
        ShownSnippet(case_id="a", sent_id=0, text="One."),
        ShownSnippet(case_id="a", sent_id=2, text="Two."),
    ),
    coping_labels=("Breathe", "Write"),
    goal_labels=("Walk",),
)
FIRST, SECOND = (QuoteRef(case_id="a", sent_id=at) for at in (0, 2))
HIDDEN = QuoteRef(case_id="a", sent_id=1)


def said(**changes: Any) -> DeciderOutput:
    fields: dict[str, Any] = {
        "crisis_level": "none",
        "skills": (SkillChoice(name="validation"),),
        "coping_suggestions": (LabelChoice(label="Breathe", quote_refs=(FIRST,)),),
        "goals": (LabelChoice(label="Walk", quote_refs=(SECOND,)),),
    }
    return DeciderOutput(**{**fields, **changes})


def test_c28_the_schema_has_the_contracts_fields_and_nothing_may_be_added() -> None:
    schema = DeciderOutput.model_json_schema()
    assert list(schema["properties"]) == ["crisis_level", "skills", "coping_suggestions", "goals"]
    assert schema["properties"]["crisis_level"]["enum"] == ["none", "mild", "moderate", "high"]
    with pytest.raises(ValidationError):
        DeciderOutput.model_validate({"crisis_level": "none", "answer": "free text"})
    with pytest.raises(ValidationError):
        DeciderOutput.model_validate({"skills": []})


def test_c29_the_vocabulary_of_the_contract_is_there() -> None:
    content = load_coach()
    assert {SkillChoice(name=name).name for name in ("validation", "reflection")}
    assert "4-7-8 breathing" in {step.label for step in content.steps}
    assert "10-minute walk 3x/week" in {step.label for step in content.goals}
    with pytest.raises(ValidationError):
        SkillChoice.model_validate({"name": "diagnosis"})


def test_c36_c37_at_most_two_steps_and_one_goal() -> None:
    choice = LabelChoice(label="Breathe")
    for field, limit in (("coping_suggestions", 2), ("goals", 1), ("skills", 2)):
        item = SkillChoice(name="validation") if field == "skills" else choice
        assert said(**{field: (item,) * limit})
        with pytest.raises(ValidationError):
            said(**{field: (item,) * (limit + 1)})


def test_c26_neither_a_tenth_snippet_nor_a_long_one_can_be_shown() -> None:
    snippet = ShownSnippet(case_id="a", sent_id=0, text="x" * 200)
    with pytest.raises(ValidationError):
        ShownSnippet(case_id="a", sent_id=0, text="x" * 201)
    full = {"query": "q", "coping_labels": (), "goal_labels": ()}
    assert DeciderInput(snippets=(snippet,) * 9, **full)
    with pytest.raises(ValidationError):
        DeciderInput(snippets=(snippet,) * 10, **full)


def test_what_was_shown_and_offered_is_accepted() -> None:
    assert only_what_was_shown(SHOWN, said()) == Accept()


def test_c65_a_hidden_reference_goes_and_the_rest_stays() -> None:
    both = LabelChoice(label="Breathe", quote_refs=(HIDDEN, FIRST))
    ruling = only_what_was_shown(SHOWN, said(coping_suggestions=(both,)))
    assert ruling == Prune(said(), ("ref-not-shown",))


@pytest.mark.parametrize(
    "choice",
    [
        LabelChoice(label="Breathe", quote_refs=(HIDDEN,)),
        LabelChoice(label="Breathe", quote_refs=(QuoteRef(case_id="b", sent_id=0),)),
        LabelChoice(label="Breathe"),
        LabelChoice(label="breathe", quote_refs=(FIRST,)),
        LabelChoice(label="Walk", quote_refs=(FIRST,)),
    ],
)
def test_c65_a_step_without_a_shown_reason_or_an_offered_label_is_no_step(
    choice: LabelChoice,
) -> None:
    ruling = only_what_was_shown(SHOWN, said(coping_suggestions=(choice,)))
    assert ruling == Reject("nothing-usable")


@pytest.mark.parametrize("level", ["moderate", "high"])
def test_a_raised_level_stands_whatever_else_is_wrong(level: str) -> None:
    raised = said(crisis_level=level, coping_suggestions=(), goals=())
    assert only_what_was_shown(SHOWN, raised) == Accept()


def test_mild_stands_with_the_twins_choice_where_nothing_can_be_used() -> None:
    twin = said(skills=())
    skill = decider(lambda shown: twin, timeout_seconds=4, retries=1, max_tokens=600)
    ruling = skill.check(SHOWN, said(crisis_level="mild", goals=()))
    assert ruling == Prune(said(skills=(), crisis_level="mild"), ("nothing-usable",))
    assert skill.check(SHOWN, said(goals=())) == Reject("nothing-usable")


def test_c30_the_skill_waits_four_seconds_and_falls_back() -> None:
    skill = decider(lambda shown: said(), timeout_seconds=4, retries=1, max_tokens=600)
    assert (skill.timeout_seconds, skill.on_error) == (4, "fallback")
    assert skill.fallback(SHOWN) == said()
