"""A turn on the screen: quiet notes around the words, people to turn to in plain sight."""

from __future__ import annotations

import shutil
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Protocol

from handrail.cli.chat_words import Words, words_of
from handrail.cli.render import MAX_WIDTH, resource_lines
from handrail.domain.duties import NoticeKind

if TYPE_CHECKING:
    from handrail.content import CoachContent
    from handrail.wire import ChatBody, StateBody

_BIDI = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


class Kind(Enum):
    """How a piece of a turn is shown."""

    BANNER = "banner"
    STATUS = "status"
    SPOKEN = "spoken"
    NOTICE = "notice"
    PEOPLE = "people"
    NOTE = "note"
    COMMAND = "command"


@dataclass(frozen=True, slots=True)
class Piece:
    """Some lines of a turn; ``urgent`` where help comes first."""

    kind: Kind
    text: str
    urgent: bool = False


class Screen(Protocol):
    """Where pieces are shown."""

    def show(self, piece: Piece) -> None:
        """Show one piece, and a gap behind it."""

    def waiting(self, text: str) -> AbstractContextManager[object]:
        """A sign of life while a turn is made."""


def pieces_of(body: ChatBody, content: CoachContent) -> Iterator[Piece]:
    """The turn from top to bottom; whoever is in danger sees people before any notice."""
    words, urgent = words_of(body.state.user_language), body.outcome == "safety"
    if body.banner:
        yield Piece(Kind.BANNER, body.banner, urgent)
    mark = f" · {words.synthetic}" if body.synthetic else ""
    yield Piece(Kind.STATUS, status(body.state, words) + mark)
    answers = [Piece(Kind.NOTICE, n.text) for n in body.notices if n.id == NoticeKind.ASKED]
    others = [Piece(Kind.NOTICE, n.text) for n in body.notices if n.id != NoticeKind.ASKED]
    spoken = [Piece(Kind.SPOKEN, body.ui_text)]
    people = [Piece(Kind.PEOPLE, _people(body, content), urgent)] if body.resources else []
    yield from [*spoken, *people, *answers] if urgent else [*answers, *spoken, *people]
    yield from others


def status(state: StateBody, words: Words) -> str:
    """Where the session stands, in a few words."""
    phase = words.phases[state.phase]
    if state.phase == "closed":
        return phase
    if state.phase == "followup":
        return words.followups.format(phase=phase, left=state.followups_left)
    return words.status.format(phase=phase, turn=state.turn, most=state.max_turns)


def _people(body: ChatBody, content: CoachContent) -> str:
    known = any(resource.country for resource in body.resources)
    name = "resources-lead" if known else "resources-unknown-country"
    lead = content.notice(name, body.state.user_language).text
    return "\n".join([lead, *resource_lines(body.resources)])


def neutral(text: str) -> str:
    """``text`` without characters that move a terminal's cursor or turn its lines around."""
    return "".join(
        char if char in "\n\t" or not _steers(char) else "\N{REPLACEMENT CHARACTER}"
        for char in text
    )


def _steers(char: str) -> bool:
    return char in _BIDI or (char not in "\n\t" and unicodedata.category(char) == "Cc")


class Plain:
    """Lines for a pipe or a file, unbroken and without colour."""

    def show(self, piece: Piece) -> None:
        """Print the piece; a status is for those who look at a terminal."""
        if piece.kind is not Kind.STATUS:
            print(neutral(piece.text), end="\n\n", flush=True)

    def waiting(self, text: str) -> AbstractContextManager[object]:
        """Nobody looks."""
        return nullcontext()


class Rich:
    """A terminal."""

    def __init__(self) -> None:
        from rich.console import Console

        width = min(shutil.get_terminal_size().columns, MAX_WIDTH)
        self._console = Console(
            file=sys.stdout, width=width, markup=False, highlight=False, emoji=False
        )

    def show(self, piece: Piece) -> None:
        """Print the piece in its way: rules and notes dim, help in a frame."""
        from rich.panel import Panel
        from rich.text import Text

        text = Text(neutral(piece.text))
        match piece.kind:
            case Kind.BANNER:
                text.stylize("bold" if piece.urgent else "dim")
                self._console.rule(text, style="dim")
            case Kind.STATUS | Kind.NOTE:
                self._console.print(text, style="dim")
            case Kind.COMMAND:  # a break would spoil what is to be copied
                self._console.print(text, style="dim", soft_wrap=True)
            case Kind.PEOPLE if piece.urgent:
                self._console.print(Panel(text, border_style="bold red"))
            case _:
                self._console.print(text)
        if piece.kind is not Kind.STATUS:
            self._console.print()

    def waiting(self, text: str) -> AbstractContextManager[object]:
        """A spinner, gone when the turn is there."""
        return self._console.status(text)


def screen() -> Screen:
    """What fits standard output."""
    return Rich() if sys.stdout.isatty() else Plain()
