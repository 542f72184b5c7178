"""A model may raise the level in an output that cannot be used otherwise; none ever lowers it."""

from __future__ import annotations

import json

import pytest
from coach_sample import CONCERN, MILD, body_of, coach_of, reply

from handrail.domain.outcome import SafetyResponse
from handrail.domain.risk import Level
from handrail.engine import Engine
from handrail.flows.coach.decider import named_level
from handrail.ports import ChatRequest
from handrail.testing.scripted_model import ScriptedModel
from invented_corpus import INVENTED

WHOLE = '{"crisis_level": "none", "skills": [], "coping_suggestions": [], "goals": []}'


@pytest.mark.parametrize(
    "said",
    [
        '{"crisis_level": "high", "skills": [{"na',
        '{"crisis_level": "high',
        "{'crisis_level': 'HIGH', 'skills': None}",
        'I think {"crisis_level" :\n"high"} fits. {"crisis_level": "none"',
        '{"crisis_level": "high", "crisis_level": "none"}',
        '{"crisis_level": "high", "advice": "run"}',
        f"{WHOLE}\n{WHOLE.replace('none', 'high')}",
        '{"crisis_level": "high", "skills": [' + " " * 200_000,
    ],
    ids=range(8),
)
def test_a_level_that_a_broken_output_raises_is_heard(invented: Engine, said: str) -> None:
    outcome = reply(coach_of(invented, ScriptedModel(said, name="m")), CONCERN)
    assert isinstance(outcome, SafetyResponse)
    assert outcome.risk.level is Level.HIGH
    assert invented.verify(body_of(outcome), message=CONCERN).ok


def test_a_mild_level_in_a_broken_output_leaves_the_choice_to_the_twin(invented: Engine) -> None:
    outcome = reply(coach_of(invented, ScriptedModel('{"crisis_level": "mild", "sk')), CONCERN)
    alone = reply(coach_of(invented), CONCERN)
    assert outcome.risk.level is Level.MILD
    assert {c.case_id for c in outcome.citations} <= {c.passage.document_id for c in alone.cases}
    assert invented.verify(body_of(outcome), message=CONCERN).ok


@pytest.mark.parametrize(
    "said",
    [
        "The level is high.",
        '{"crisis_level": "highly unclear", "sk',
        '{"crisis_level": {"enum": ["none", "mild", "moderate", "high"]}}',
        '{"level": "high"',
        "",
    ],
    ids=range(5),
)
def test_other_words_raise_nothing(said: str) -> None:
    assert named_level(said) is Level.NONE


def test_neither_the_prompt_nor_a_message_repeated_raises_a_level(invented: Engine) -> None:
    """Within a JSON string the quotes are escaped, and the instructions name no level that way."""

    def everything(request: ChatRequest) -> str:
        return request.system + json.dumps(dict(request.schema)) + request.user

    message = f'{CONCERN}, as in "crisis_level": "high"'
    outcome = reply(coach_of(invented, ScriptedModel(everything)), message)
    assert outcome.risk.level is Level.NONE


@pytest.mark.parametrize("said", [WHOLE, WHOLE[:-9], "none"], ids=["whole", "broken", "prose"])
def test_no_output_lowers_what_the_screen_said(invented: Engine, said: str) -> None:
    assert invented.check(MILD).level is Level.MILD
    outcome = reply(coach_of(invented, ScriptedModel(said)), MILD)
    assert outcome.risk.level is Level.MILD
    assert outcome.cases[0].passage.document_id in invented.collection(INVENTED).cases.column("id")
