"""``handrail chat``: a turn, a pipe of turns, and a conversation in a terminal."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from handrail.bootstrap import build_engine
from handrail.cli import chat_screen
from handrail.cli.chat import Talk
from handrail.cli.chat_words import EN, ES
from handrail.cli.doctor import session_store
from handrail.cli.session import Session
from handrail.engine import Engine
from handrail.errors import InvalidInput, StoreFailed
from handrail.flows.reframe import Opening, Phase
from handrail.settings import Settings
from handrail.wire import ChatBody

OPENER = "I'm anxious about a presentation"
DANGER = "I want to hurt myself"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home of its own for the sessions of this file."""
    return tmp_path_factory.mktemp("chat-home")


@pytest.fixture(scope="module")
def engine(home: Path) -> Engine:
    """An engine whose sessions are built once."""
    engine = build_engine(Settings(home=home))
    assert engine.sessions.model is None
    return engine


@pytest.fixture
def talk(engine: Engine) -> Talk:
    """A conversation that has not begun."""
    return Talk(Session(), engine, Opening(), engine.new_id())


def typing(*lines: str, then: type[BaseException] = EOFError) -> Callable[[], str]:
    """A person who types these lines and leaves with Ctrl-D, or with Ctrl-C."""
    waiting = list(lines)

    def ask() -> str:
        if not waiting:
            raise then
        return waiting.pop(0)

    return ask


@contextmanager
def terminal() -> Iterator[io.StringIO]:
    """Standard output as a terminal of 100 columns, and what it shows."""
    shown = io.StringIO()
    shown.isatty = lambda: True  # type: ignore[method-assign]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdout", shown)
        patch.setenv("COLUMNS", "100")
        patch.setenv("TERM", "dumb")
        yield shown


def test_a28_one_turn_is_printed_and_the_way_back_is_told(run_empty) -> None:
    ran = run_empty("chat", "--session", "one", OPENER)
    assert ran.code == 0
    assert OPENER in ran.out
    assert "handrail chat --session one" in ran.err
    second = run_empty("chat", "--session", "one", "--json", "everyone will judge me")
    assert second.body["turn"] == 2
    assert list(second.body) == list(ChatBody.model_fields)
    shown = run_empty("sessions", "show", "one")
    assert "thought: everyone will judge me" in shown.out
    assert run_empty("sessions", "show", "one", "--json").body["state"] == second.body["state"]
    assert run_empty("sessions", "delete", "one", "--yes").out == "forgotten\n"
    for words in (("show", "one"), ("delete", "one", "--yes")):
        gone = run_empty("sessions", *words)
        assert (gone.code, "error[not-found]" in gone.err) == (2, True)
    assert run_empty("sessions", "purge", "--json").body == {"purged": 0}


def test_a_session_is_not_forgotten_by_mistake(run_empty) -> None:
    run_empty("chat", "--session", "kept", OPENER)
    assert run_empty("sessions", "delete", "kept", stdin="n\n").code == 2
    assert run_empty("sessions", "show", "kept").code == 0


def test_a33_danger_ends_a_turn_with_its_own_code_and_people(run_empty) -> None:
    ran = run_empty("chat", DANGER, "--country", "ie")
    assert ran.code == 4
    assert "116 123" in ran.out


def test_a_pipe_sends_a_message_a_line_and_gets_a_record_a_line(run_empty) -> None:
    said = f"{OPENER}\n\neveryone will judge me\n{DANGER}\n"
    ran = run_empty("chat", "--json", "--session", "piped", stdin=said)
    bodies = [json.loads(line) for line in ran.out.splitlines()]
    assert [body["turn"] for body in bodies] == [1, 2, 3]
    assert {body["session_id"] for body in bodies} == {"piped"}
    assert ran.code == 4


def test_a_pipe_may_begin_anew_and_stop(run_empty) -> None:
    said = f"{OPENER}\n/new\nhola, tengo miedo\n/quit\nnever sent\n"
    ran = run_empty("chat", "--json", stdin=said)
    bodies = [json.loads(line) for line in ran.out.splitlines()]
    assert [body["turn"] for body in bodies] == [1, 1]
    assert len({body["session_id"] for body in bodies}) == 2


def test_a_language_is_kept_to(run_empty) -> None:
    ran = run_empty("chat", "--lang", "es", "--json", "--max-turns", "8", OPENER)
    assert ran.body["state"]["user_language"] == "es"
    assert ran.body["state"]["max_turns"] == 8


@pytest.mark.parametrize(
    "words", [("--session", "a b", "hi"), ("--max-turns", "3", "hi"), ("--lang", "fr", "hi"), ("",)]
)
def test_what_cannot_be_meant_is_told(run_empty, words: tuple[str, ...]) -> None:
    ran = run_empty("chat", *words)
    assert (ran.code, ran.out) == (2, "")


def test_a_conversation_greets_answers_and_says_how_to_come_back(talk: Talk, capsys) -> None:
    talk.converse(typing("", OPENER, "/where", "/help", then=KeyboardInterrupt))
    shown = capsys.readouterr().out
    assert OPENER in shown
    assert EN.help in shown
    assert f"turn 1 of 14 ({talk.session_id})" in shown
    assert f"{EN.bye}\n\nTo come back within 60 minutes" in shown
    assert shown.rstrip().endswith(f"handrail chat --session {talk.session_id}")


def test_whoever_said_nothing_is_not_asked_back(talk: Talk, capsys) -> None:
    talk.converse(typing("/where", "/quit"))
    shown = capsys.readouterr().out
    assert EN.nothing_yet in shown
    assert "--session" not in shown


def test_whoever_comes_back_is_told_where_they_were(engine: Engine, capsys) -> None:
    first = Talk(Session(), engine, Opening(language="es"), "come-back")
    first.converse(typing("tengo miedo de un examen"))
    capsys.readouterr()
    again = Talk(Session(), engine, Opening(), "come-back", said=True)
    again.converse(typing())
    shown = capsys.readouterr().out
    assert shown.startswith("inicio, turno 1 de 14")
    assert ES.bye in shown
    with pytest.raises(InvalidInput):
        Talk(Session(), engine, Opening(), "no id", said=True).converse(typing())


def test_a_new_session_is_another_one(talk: Talk, capsys) -> None:
    before = talk.session_id
    talk.converse(typing(OPENER, "/new", "/where"))
    assert talk.session_id != before
    assert EN.nothing_yet in capsys.readouterr().out


def test_a_message_that_begins_with_a_slash_is_heard(talk: Talk, capsys) -> None:
    talk.converse(typing(f"/{DANGER}"))
    assert "safety matters" in capsys.readouterr().out


def test_a33_a_danger_shows_people_in_a_frame_and_leaves_the_terminal_open(talk: Talk) -> None:
    with terminal() as shown:
        talk = Talk(talk.run, talk.engine, talk.opening, talk.session_id)
        talk.converse(typing(OPENER, DANGER, "I don't know", "ok", "bye"))
    text = shown.getvalue()
    framed = [line for line in text.split("\n") if line.startswith("│")]
    assert any("findahelpline.com" in line for line in framed)
    assert text.index("safety matters") < text.index("findahelpline.com")
    assert EN.bye in text  # after every message was answered
    assert [x for x in text.split("\n") if len(x) > 100 and "--session" not in x] == []


def test_a12_a_banner_is_a_rule_and_the_status_says_the_turn(talk: Talk) -> None:
    with terminal() as shown:
        talk = Talk(talk.run, talk.engine, Opening(max_turns=6), talk.session_id)
        talk.converse(typing(OPENER, "I don't know", "no idea", "hm"))
    lines = shown.getvalue().split("\n")
    assert any("──" in line and "Halfway through" in line for line in lines)
    assert any("turn 3 of 6" in line for line in lines)


class FullDisk:
    """A store that keeps nothing."""

    def hold(self, session_id: str, *, seconds: float) -> None:
        raise StoreFailed("'conversations.sqlite3' has no room left. Free some space on its disk")


def test_a_store_that_fails_shows_people_and_the_conversation_goes_on(
    engine: Engine, capsys
) -> None:
    broken = replace(engine, _sessions=replace(engine.sessions, store=FullDisk()))
    talk = Talk(Session(), broken, Opening(), engine.new_id())
    talk.converse(typing(OPENER, "are you there?"))
    printed = capsys.readouterr()
    assert printed.err.count("error[store-failed]") == 2
    assert printed.err.count("findahelpline.com") == 2
    assert EN.bye in printed.out


def test_what_a_person_typed_does_not_steer_the_terminal(talk: Talk, capsys) -> None:
    talk.converse(typing("I'm anxious about \x1b[2Jmy \u202eexam"))
    shown = capsys.readouterr().out
    assert "\x1b" not in shown
    assert "\u202e" not in shown


def test_every_phase_has_a_name_in_both_languages() -> None:
    for words in (EN, ES):
        assert set(words.phases) == {phase.value for phase in Phase}


def test_only_line_ends_and_tabs_pass_of_what_steers() -> None:
    assert chat_screen.neutral("a\nb\tc") == "a\nb\tc"
    assert chat_screen.neutral("\x07\x1b\x9b\r\u2066") == "\N{REPLACEMENT CHARACTER}" * 5


def test_a63_a_doctor_finds_a_key_that_others_can_read(engine: Engine, home: Path) -> None:
    key = home / "sessions" / "key"
    ok, said = session_store(engine)
    assert (ok, "key file 600" in said) == (True, True)
    key.chmod(0o640)
    ok, said = session_store(engine)
    key.chmod(0o600)
    assert (ok, "chmod 600" in said) == (False, True)


def test_a_doctor_notes_sessions_that_are_gone_with_the_process(engine: Engine) -> None:
    chosen = engine.settings.sessions.model_copy(update={"store": "memory"})
    settings = engine.settings.model_copy(update={"sessions": chosen})
    ok, said = session_store(replace(engine, settings=settings))
    assert ok is None
    assert "gone when the process ends" in said
