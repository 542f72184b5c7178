"""What the session promises whatever is said: no tasks, one order, the same bytes, danger first."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest
from reframe_sample import CRISIS, NORMAL, RATED, VAGUE, Talk

from handrail.adapters.memory import MemorySessions
from handrail.flows import reframe
from handrail.flows.reframe import Opening, Sessions, SessionState
from handrail.flows.reframe.compose import packaged_lines
from handrail.testing.scripted_model import ScriptedModel

Begin = Callable[..., Talk]
LANGUAGES = ("en", "es")
ROOT = Path(__file__).resolve().parents[4]
PAGE = (ROOT / "docs" / "explanation" / "the-reframing-session.md").read_text(encoding="utf-8")


FORBIDDEN = {
    "en": r"\b(try|trying|practi[cs]e|schedule|exercises?|breath\w*|journal\w*|homework|meditat\w*"
    r"|you (?:should|could|must|need to|have to)|next step|let's|consider|i suggest)\b",
    "es": r"\b(intenta|prueba|practica|programa tu|ejercicios?|respira\w*|diario|medita\w*"
    r"|(?:deber|podr|tendr)ías|tienes que|siguiente paso|te sugiero|te recomiendo)\b",
}
"""Words of action and advice that no line of the session may hold (A25, A40, A60)."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_a2_a40_no_reviewed_line_asks_for_anything_to_be_done(language: str) -> None:
    forbidden = re.compile(FORBIDDEN[language], re.IGNORECASE)
    lines = packaged_lines().moves(language)
    told_to = {
        move: found
        for move, says in lines.items()
        if not move.startswith("crisis-")  # in danger, people are to be reached
        and (found := [m.group() for text in says for m in forbidden.finditer(text)])
    }
    assert told_to == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a1_a3_the_same_messages_make_the_same_session_byte_for_byte(
    sessions: Sessions, language: str
) -> None:
    def whole() -> list[dict[str, Any]]:
        fresh = replace(sessions, store=MemorySessions(), discloser=None)
        talk = Talk(sessions=fresh, session_id="same", opening=Opening(language=language))
        return [talk.say(message) for message in [*NORMAL[language], "ok", RATED[language]]]

    assert whole() == whole()


def test_a10_a35_one_call_is_one_turn(sessions: Sessions) -> None:
    model = ScriptedModel("<ui>Which thought about it hurts most?</ui><control>{}</control>")
    turn = sessions.orchestrator.handle_turn(SessionState(), "I'm anxious about a talk", model)
    result = asyncio.run(turn).as_dict()
    assert result["ui_text"] == "Which thought about it hurts most?"
    assert (result["turn"], result["followups_left"], result["banner"]) == (1, 3, None)
    assert result["end_of_session"] is False


def test_a11_a_turn_keeps_its_order(sessions: Sessions, talk: Begin) -> None:
    model = ScriptedModel("<ui>Which thought about it hurts most?</ui><control>{}</control>")
    session = talk("en", over=replace(sessions, model=model))
    session.say(NORMAL["en"][0])
    steps = [step.name for step in session.told[-1].tracer.trace().steps]
    order = ["screen", "second_reader", "understand", "compose", "injection", "turn", "gate"]
    assert [name for name in steps if name in order] == order


@pytest.mark.parametrize(
    "message",
    [
        "I keep thinking about suicide",
        "I'm going to kill myself",
        "I want to end it all",
        "I self harm every night",
        "I've started cutting again",
        "I want to take an overdose",
        "I want to harm others",
        "I'm going to hurt someone",
        "no quiero vivir más",
        "quiero morir",
        "me quiero matar",
        "estoy pensando en suicidarme",
    ],
)
def test_a21_a46_a55_danger_is_heard_in_both_languages(talk: Begin, message: str) -> None:
    assert talk().say(message)["state"]["crisis_flag"] is True


@pytest.mark.parametrize(
    "message",
    [
        "I was cutting onions when he called",
        "I had an overdose of sugar at the party",
        "this deadline is killing me",
        "estaba cortando cebolla cuando llamó",
        "me muero de la risa con mi hermana",
    ],
)
def test_a55_words_alone_are_no_danger(talk: Begin, message: str) -> None:
    assert talk().say(message)["state"]["crisis_flag"] is False


def test_what_the_second_reader_alone_hears_is_asked_about_once(talk: Begin) -> None:
    session = talk("en")
    session.say("my boss emailed me at night about a typo")
    asked = session.say("he's going to fire me")
    assert (asked["outcome"], asked["state"]["crisis_flag"]) == ("safety", False)
    assert asked["ui_text"].endswith("?")
    after = session.say("no, nothing like that")
    assert (after["phase"], after["outcome"]) == ("clarify", "answer")
    assert "take-denied" in session.moves
    assert after["state"]["progress"]["thought"] == "he's going to fire me"  # nothing was lost


def test_a_yes_to_that_question_is_a_crisis(talk: Begin) -> None:
    session = talk("en")
    session.say("my boss emailed me at night about a typo", "he's going to fire me")
    assert session.say("yes, I am")["state"]["crisis_flag"] is True


@pytest.mark.parametrize("language", LANGUAGES)
def test_a48_a_whole_session_and_a_crisis_in_every_phase(talk: Begin, language: str) -> None:
    messages = [*NORMAL[language], {"en": "yes", "es": "sí"}[language], RATED[language]]
    for at in range(len(messages) + 1):
        session = talk(language)
        if at:
            session.say(*messages[:at])
        record = session.say(CRISIS[language])
        assert (record["phase"], record["state"]["crisis_flag"]) == ("summary", True)
        assert session.say(VAGUE[language])["phase"] == "closed"


@pytest.mark.parametrize("item", ["A38", "A39", "A40", "A41", "A42", "A43", "A44", "A45"])
def test_a38_a39_a41_a42_a43_a44_what_a_choice_costs_is_written_down(item: str) -> None:
    assert f"({item})" in PAGE


def test_a52_the_table_alone_decides_about_phases() -> None:
    """One orchestrator and one table stand in place of tools that moved phases about."""
    folder = Path(str(reframe.__file__)).parent
    tables = [p.name for p in folder.rglob("*.py") if "Move.GO_ON: " in p.read_text("utf-8")]
    assert tables == ["phases.py"]


def test_a53c_the_quality_gates_stand_in_one_script() -> None:
    script = (ROOT / "scripts" / "check").read_text(encoding="utf-8")
    gates = ("ruff format --check", "ruff check", "mypy", "lint-imports")
    assert [gate for gate in gates if gate not in script] == []


def test_a53_four_fifths_of_the_flow_run_in_its_scenarios(talk: Begin, sessions: Sessions) -> None:
    folder = str(Path(str(reframe.__file__)).parent)
    model = ScriptedModel("<ui>Which thought about it hurts most?</ui><control>{}</control>")
    with _lines_run(folder) as seen:
        talk("en", over=replace(sessions, model=model)).say(NORMAL["en"][0])
        for language in LANGUAGES:
            session = talk(language)
            session.say(*NORMAL[language], "no", VAGUE[language], "8", RATED[language], "hmm")
            talk(language).say(NORMAL[language][0], CRISIS[language], VAGUE[language])
    named = (
        "orchestrator",
        "hearing",
        "safety",
        "notes",
        "moves",
        "phases",
        "emit",
        "gate",
        "record",
    )
    shares = {name: _share(Path(folder) / f"{name}.py", seen) for name in named}
    assert {name: share for name, share in shares.items() if share < 0.6} == {}
    assert sum(shares.values()) / len(shares) >= 0.8


class _lines_run:
    """The lines of files below a folder that run while it is entered."""

    def __init__(self, folder: str) -> None:
        self.folder, self.seen = folder, set[tuple[str, int]]()

    def __enter__(self) -> set[tuple[str, int]]:
        self.before = sys.gettrace()
        sys.settrace(self._call)
        return self.seen

    def __exit__(self, *_: object) -> None:
        sys.settrace(self.before)

    def _call(self, frame: FrameType, _event: str, _arg: object) -> Any:
        return self._line if frame.f_code.co_filename.startswith(self.folder) else None

    def _line(self, frame: FrameType, event: str, _arg: object) -> Any:
        if event == "line":
            self.seen.add((frame.f_code.co_filename, frame.f_lineno))
        return self._line


def _share(path: Path, seen: set[tuple[str, int]]) -> float:
    """How many of the lines inside functions ran."""
    module = compile(path.read_text(encoding="utf-8"), str(path), "exec")
    lines = {line for code in _functions(module) for line in _lines(code)}
    return len({line for line in lines if (str(path), line) in seen}) / len(lines)


def _functions(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if constant.co_flags & 0x2:  # CO_NEWLOCALS: a function, not the body of a class
                yield constant
            yield from _functions(constant)


def _lines(code: CodeType) -> set[int]:
    found = {line for *_, line in code.co_lines() if line is not None}
    return found - {code.co_firstlineno}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_notice_of_a_session_speaks_of_sessions(talk: Begin, language: str) -> None:
    first, second = (talk(language), talk(language))
    notices = first.say(NORMAL[language][0])["notices"]
    assert [notice["id"] for notice in notices] == ["ai-notice-session"]
    asked = {"en": "are you a real person?", "es": "¿eres una persona de verdad?"}[language]
    assert [n["id"] for n in second.say(asked)["notices"]] == ["ai-asked-session"]
