"""``handrail chat``: a reframing session in the terminal, or turns from a script or a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from handrail.cli.coach import country_code, people_for
from handrail.cli.exits import Exit
from handrail.cli.session import Session, say, show_body
from handrail.cli.words import MAX_BYTES, read_text, typed
from handrail.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from handrail.cli.chat_screen import Screen
    from handrail.cli.chat_words import Words
    from handrail.engine import Engine
    from handrail.flows.reframe import Opening
    from handrail.wire import ChatBody

QUIT, NEW, WHERE, HELP = "/quit", "/new", "/where", "/help"
_PROMPT = "> "
_EXITS = {"answer": Exit.DONE, "safety": Exit.SAFETY}


def chat(
    context: typer.Context,
    message: Annotated[
        list[str] | None,
        typer.Argument(help="One turn; - reads it from standard input. Left out: a conversation."),
    ] = None,
    lang: Annotated[
        Literal["en", "es"] | None, typer.Option(help="Language; by default the person's.")
    ] = None,
    session: Annotated[
        str | None, typer.Option(help="Id of a session to go on with, or to begin.")
    ] = None,
    country: Annotated[
        str | None, typer.Option(help="Whose helplines to show, such as IE.", callback=country_code)
    ] = None,
    max_turns: Annotated[
        int | None, typer.Option(help="Fewer turns than configured, never more.")
    ] = None,
    minor: Annotated[
        bool, typer.Option("--minor", help="The person is known to be a minor.")
    ] = False,
) -> Exit:
    """Look at one thought with AURA; no advice, no exercises, and people to turn to in danger.

    Lines from a pipe are one message each; with --json each turn is one line.
    """
    from handrail.flows.reframe import Opening

    run = Session.of(context)
    engine = run.engine(**({"country": country} if country else {}))
    opening = Opening(language=lang, country=country, max_turns=max_turns, minor=minor)
    talk = Talk(run, engine, opening, session or engine.new_id(), said=session is not None)
    if message:
        return talk.once(read_text(" ".join(message)))
    if run.as_json or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return talk.lines(_piped())
    talk.converse(lambda: input(_PROMPT))
    return Exit.DONE


@dataclass(slots=True)
class Talk:
    """One conversation, which may go through several sessions."""

    run: Session
    engine: Engine
    opening: Opening
    session_id: str
    said: bool = False
    language: str | None = None
    screen: Screen = field(init=False)

    def __post_init__(self) -> None:
        from handrail.cli.chat_screen import screen

        self.screen = screen()

    def once(self, message: str) -> Exit:
        """One turn of the session."""
        if not message:
            raise InvalidInput("the message is empty. Write a sentence or two about a worry")
        return self.lines(iter([message]), commands=False)

    def lines(self, messages: Iterator[str], *, commands: bool = True) -> Exit:
        """A turn for each message; the exit code tells of the gravest one."""
        codes = [Exit.DONE]
        for message in messages:
            if commands and message == QUIT:
                break
            if not (commands and self._commanded(message)):
                codes.append(self._turn(message))
        if not self.run.as_json:
            say(self._way_back())
        return max(codes)

    def converse(self, ask: Callable[[], str]) -> None:
        """Turns until the person leaves; neither an error nor a closed session leaves for them."""
        from handrail.cli.chat_screen import Kind, Piece

        with suppress(ImportError):
            import readline  # noqa: F401  lines that can be edited; a paste is one message
        if self.said:
            self._note(self._where())
        self._note(self.words.welcome.format(help=self.words.help))
        try:
            while (message := typed(ask())) != QUIT:
                if message and not self._commanded(message):
                    self._tried(message)
        except (EOFError, KeyboardInterrupt):
            print()  # the cursor stands behind the prompt
        self._note(self.words.bye)
        if way_back := self._way_back():
            self.screen.show(Piece(Kind.COMMAND, way_back))

    @property
    def words(self) -> Words:
        """What the terminal says, in the language of the session."""
        from handrail.cli.chat_words import words_of

        return words_of(
            self.language or self.opening.language or self.engine.settings.reframe.language
        )

    def _tried(self, message: str) -> None:
        """A turn, or the problem with people to turn to; the conversation goes on either way."""
        from handrail.cli.problems import problem_of, show_problem

        try:
            with self.screen.waiting(self.words.waiting):
                body = self._told(message)
        except Exception as error:  # noqa: BLE001  somebody may be waiting for an answer
            show_problem(problem_of(error), as_json=False, people=people_for(self.engine, message))
            return
        self._show(body)
        if body.end_of_session:
            self._note(self.words.ended.format(help=self.words.help))

    def _turn(self, message: str) -> Exit:
        try:
            body = self._told(message)
        except Exception as error:
            from handrail.cli.problems import WithPeople

            raise WithPeople(error, people_for(self.engine, message)) from error
        if self.run.as_json:
            show_body(body)
        else:
            self._show(body)
        return _EXITS.get(body.outcome, Exit.DECLINED)

    def _told(self, message: str) -> ChatBody:
        from handrail.cli.render import trace_lines
        from handrail.wire import chat_body

        self.said = True  # also where the turn is broken off: it may be stored
        told = self.engine.chat_now(
            self.session_id, message, message_id=self.engine.new_id(), opening=self.opening
        )
        if self.run.trace:
            say("\n".join(trace_lines(told.tracer.trace())))
        body = chat_body(told.record)
        self.language = body.state.user_language
        return body

    def _show(self, body: ChatBody) -> None:
        from handrail.cli.chat_screen import pieces_of

        for piece in pieces_of(body, self.engine.content):
            self.screen.show(piece)

    def _commanded(self, message: str) -> bool:
        """Whether it was a command; whatever else begins with a slash is a message."""
        if message == NEW:
            self.session_id, self.said = self.engine.new_id(), False
            self._note(self.words.new)
        elif message == WHERE:
            self._note(self._where())
        elif message == HELP:
            self._note(self.words.help)
        else:
            return False
        return True

    def _where(self) -> str:
        from handrail.cli.chat_screen import status
        from handrail.wire import session_body

        try:
            shown = session_body(self.engine.sessions.show(self.session_id))
        except NotFound:
            self.said = False
            return self.words.nothing_yet
        self.language = shown.state.user_language
        return f"{status(shown.state, self.words)} ({self.session_id})"

    def _way_back(self) -> str:
        """How to go on later, where something was said and is kept."""
        settings = self.engine.settings.sessions
        if not self.said:
            return ""
        if settings.store == "memory":
            return self.words.forgotten
        minutes = max(1, round(settings.ttl_seconds / 60))
        return self.words.come_back.format(minutes=minutes, session_id=self.session_id)

    def _note(self, text: str) -> None:
        from handrail.cli.chat_screen import Kind, Piece

        if self.run.as_json:
            say(text)
        else:
            self.screen.show(Piece(Kind.NOTE, text))


def _piped() -> Iterator[str]:
    """The lines of standard input that say something."""
    for raw in iter(lambda: sys.stdin.buffer.readline(MAX_BYTES), b""):
        if line := typed(raw.decode("utf-8-sig", "replace")):
            yield line
