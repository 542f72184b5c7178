"""The flow's four agents on google-adk, driven by the one orchestrator, without a network."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from reframe_sample import CRISIS, NORMAL, Talk

from handrail.adapters.adk import AdkAgents
from handrail.bootstrap import build_model
from handrail.bootstrap.reframe import agent_specs
from handrail.errors import InvalidSettings
from handrail.flows.reframe import Sessions
from handrail.settings import LLMSettings, Settings
from handrail.testing.adk_model import adk_model
from handrail.testing.scripted_model import ScriptedModel

FIRST = "That presentation is on your mind a lot. Which thought about it hurts most?"
REPLY = (
    f"<ui>{FIRST}</ui>"
    '<control>{"next_phase": "clarify", "missing_fields": ["thought"], '
    '"suggest_questions": [], "crisis_detected": false}</control>'
)


@pytest.fixture
def seen() -> list[Any]:
    """What ADK asked the model, call by call."""
    return []


@pytest.fixture
def over_adk(sessions: Sessions, seen: list[Any]) -> Sessions:
    """Sessions in which agents on ADK write, with a local model class behind them."""
    model = AdkAgents(adk_model(ScriptedModel(REPLY), seen), agent_specs("en"))
    return replace(sessions, model=model)


def test_a28_a29_a_turn_goes_through_the_agents_and_back(
    talk: Callable[..., Talk], over_adk: Sessions, seen: list[Any]
) -> None:
    record = talk("en", over=over_adk).say("I'm anxious")
    assert record["phase"] in {"warmup", "clarify"}
    assert (record["ui_text"], record["writer"]) == (FIRST, "model")
    assert len(seen) == 1


@pytest.mark.parametrize("language", ["en", "es"])
def test_a22_a54_the_crisis_screen_stands_before_the_runner(
    talk: Callable[..., Talk], over_adk: Sessions, seen: list[Any], language: str
) -> None:
    session = talk(language, over=over_adk)
    assert session.say(CRISIS[language])["outcome"] == "safety"
    session.say(*NORMAL[language])
    assert seen == []


def test_a20_a30_a53a_four_agents_wrapped_and_without_tools() -> None:
    specs = agent_specs("en")
    assert [spec.role for spec in specs] == ["greeting", "discovery", "reframing", "summary"]
    assert all("contract of the reply" in spec.instruction for spec in specs)
    gone = ("design_micro_action", "generate_action_items")
    assert not any(word in spec.instruction for spec in specs for word in gone)


def test_a53b_agents_are_chosen_by_a_setting_and_need_a_model() -> None:
    with pytest.raises(InvalidSettings, match="HANDRAIL_LLM__MODEL"):
        build_model(Settings(llm=LLMSettings(adapter="adk")))
