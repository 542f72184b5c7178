"""C22, C23, C38, C44, C67, resolution 6: danger first, and no model ever sees it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from coach_sample import (
    CONCERN,
    HIGH,
    MILD,
    MODERATE,
    PLAIN,
    body_of,
    choosing,
    coach_of,
    proven,
    reply,
)

from handrail.calls import forbid_model_calls
from handrail.domain.outcome import Abstention, Answer, Reason, SafetyResponse
from handrail.domain.reply import Echo
from handrail.domain.risk import Level
from handrail.engine import Engine
from handrail.errors import InvalidInput
from handrail.testing.scripted_model import ScriptedModel
from wrapping import Wrapping

PHRASES = (
    "I keep thinking about suicide and I have a plan",
    "I want to kill myself",
    "I just want to end it all",
    "I shouldn't be here anymore",
    "I want to hurt myself",
    "I am going to hurt others at school tomorrow",
)
SPANISH_DANGER = "No quiero seguir viviendo, esta noche me voy a matar"


@pytest.mark.parametrize("message", PHRASES)
def test_c22_c23_every_phrase_of_the_contract_stops_the_coach(
    invented: Engine, message: str
) -> None:
    model = choosing()
    with forbid_model_calls():
        outcome = reply(coach_of(invented, model), message)
    assert isinstance(outcome, SafetyResponse)
    assert outcome.risk.level >= Level.MODERATE
    assert model.requests == []


@pytest.mark.parametrize("message", [MODERATE, HIGH, SPANISH_DANGER])
def test_c23_c38_danger_gets_reviewed_lines_and_resources_only(
    invented: Engine, message: str
) -> None:
    model = choosing()
    with forbid_model_calls():
        coach = coach_of(invented, model)
        outcome = reply(coach, message, country="US")
    assert isinstance(outcome, SafetyResponse)
    assert (outcome.citations, outcome.cases, outcome.dropped_sentences) == ((), (), 0)
    assert set(proven(outcome, message, coach.search.collection, coach.content)) == {"vetted"}
    assert outcome.resources
    assert outcome.trace.flags == {"crisis": True}
    assert [step.name for step in outcome.trace.steps] == ["screen"]
    assert model.requests == []


def test_the_line_is_in_the_language_of_the_danger(invented: Engine) -> None:
    outcome = reply(coach_of(invented), SPANISH_DANGER)
    assert outcome.text == invented.content.notice("safety-high", "es").text


def test_c44_the_refusal_has_the_fixed_wording_and_the_two_us_numbers(invented: Engine) -> None:
    body = body_of(reply(coach_of(invented), HIGH, country="US"))
    assert body["refusal"] == "I can't provide coaching for this request."
    named = {(row["label"], row["value"]) for row in body["resources"]}
    assert {("988 Suicide & Crisis Lifeline (US)", "988"), ("Emergency Services", "911")} <= named
    assert body["latency_ms"] >= 0
    assert (body["answer"], body["citations"], body["cases"]) == (None, [], [])


def test_c67_without_a_country_there_is_still_somewhere_to_turn(invented: Engine) -> None:
    for message in (HIGH, MODERATE, "What is 7 x 8?"):
        assert body_of(reply(coach_of(invented), message))["resources"]


def test_a_country_that_the_person_states_is_the_one_whose_help_is_shown(invented: Engine) -> None:
    outcome = reply(coach_of(invented), f"I live in Ireland. {HIGH}")
    assert {resource.country for resource in outcome.resources} == {"IE"}


def test_abuse_is_answered_by_those_who_know_about_abuse(invented: Engine) -> None:
    said = "He tracks my phone and will not let me see my friends"
    outcome = reply(coach_of(invented), said, country="US")
    assert outcome.text == invented.content.notice("safety-abuse").text
    assert "us-domestic-violence-hotline" in [resource.id for resource in outcome.resources]


def test_mild_goes_on_with_the_check_in_first_and_on_record(invented: Engine) -> None:
    """Resolution 6: mild coaches, names the resources first, and says so."""
    outcome = reply(coach_of(invented), MILD)
    assert isinstance(outcome, Answer)
    assert outcome.risk.level is Level.MILD
    assert outcome.text.startswith(invented.content.notice("mild-checkin").text)
    assert body_of(outcome)["risk"]["level"] == "mild"


@pytest.mark.parametrize("level", ["moderate", "high"])
def test_resolution_6_a_model_that_sees_danger_stops_the_reply(
    invented: Engine, level: str
) -> None:
    """C38 even when the front gate missed it: lines and the right resources, nothing else."""
    coach = coach_of(invented, choosing(level=level))
    outcome = reply(coach, CONCERN, country="US")
    direct = reply(coach_of(invented), {"moderate": MODERATE, "high": HIGH}[level], country="US")
    assert isinstance(outcome, SafetyResponse)
    assert outcome.risk.level.label == level
    assert outcome.risk.kinds == ("model",)
    assert (outcome.text, outcome.resources) == (direct.text, direct.resources)
    assert (outcome.citations, outcome.cases) == ((), ())
    assert outcome.trace.flags["crisis"]


def test_resolution_6_a_model_may_raise_none_to_mild(invented: Engine) -> None:
    outcome = reply(coach_of(invented, choosing(level="mild")), CONCERN)
    assert isinstance(outcome, Answer)
    assert outcome.risk.level is Level.MILD
    assert outcome.text.startswith(invented.content.notice("mild-checkin").text)


def test_a_model_never_lowers_the_level(invented: Engine) -> None:
    outcome = reply(coach_of(invented, choosing(level="none")), MILD)
    assert outcome.risk.level is Level.MILD
    assert outcome.risk.kinds == reply(coach_of(invented), MILD).risk.kinds


@pytest.mark.parametrize("level", ["mild", "moderate", "high"])
def test_a_raised_level_stands_though_nothing_else_can_be_used(
    invented: Engine, level: str
) -> None:
    said = f'{{"crisis_level": "{level}", "skills": [], "coping_suggestions": [], "goals": []}}'
    outcome = reply(coach_of(invented, ScriptedModel(said)), PLAIN)
    assert outcome.risk.level.label == level
    assert isinstance(outcome, Answer if level == "mild" else SafetyResponse)


def test_c67_a_screen_that_breaks_lets_nothing_through(invented: Engine) -> None:
    def check(message: str) -> None:
        raise RuntimeError(f"the screen choked on {message}")

    model = choosing()
    with forbid_model_calls():
        screen = Wrapping(invented.front.screen, check=check)
        coach = coach_of(invented, model, front=replace(invented.front, screen=screen))
        outcome = reply(coach, CONCERN, country="US")
    assert isinstance(outcome, Abstention)
    assert outcome.reason is Reason.RAIL_FAILED
    assert outcome.text == invented.content.notice("abstain-fault").text
    assert "988" in [resource.value for resource in outcome.resources]
    assert outcome.trace.steps[0].facts == {"error": "RuntimeError"}
    assert outcome.trace.flags["rail_failed"]
    assert model.requests == []


@pytest.mark.parametrize("message", ["", "  \n ", "a" * 20_001])
def test_a_message_that_cannot_be_used_is_a_usage_error_that_does_not_repeat_it(
    invented: Engine, message: str
) -> None:
    with pytest.raises(InvalidInput) as caught:
        reply(coach_of(invented), message)
    assert "aaa" not in str(caught.value)


def test_a_message_too_long_to_use_is_still_screened(invented: Engine) -> None:
    outcome = reply(coach_of(invented), f"{HIGH}. {'and so it went on ' * 2_000}")
    assert isinstance(outcome, SafetyResponse)


def test_the_echo_never_repeats_what_the_screen_read_as_danger(invented: Engine) -> None:
    said = "I feel so exhausted that I can't take it anymore. My manager writes to me at nine."
    outcome = reply(coach_of(invented), said)
    assert outcome.risk.level is Level.MILD
    echoes = [f.text for f in outcome.fragments if isinstance(f.provenance, Echo)]
    assert echoes in ([], ["My manager writes to me at nine"])
    coach = coach_of(invented)
    feelings = coach.reader.read(said)
    assert feelings.echo is not None
    assert "anymore" in feelings.echo.of(said)  # without the screen it would have been said back
