"""The reviewed lines of the protocol."""

from __future__ import annotations

from functools import cache

from handrail.content.wordings import Wordings
from handrail.domain.reply import Fragment
from handrail.rails.protocol.state import State

_FILES = "protocol/lines.*.yaml"
PREFIX = "protocol/"


class ProtocolLines(Wordings):
    """Every reviewed line of the protocol, by language, move and wording."""

    prefix = PREFIX
    speaker = "the protocol"

    def fragment(self, state: State, move: str) -> Fragment:
        """The next wording of ``move`` in a session; raises `ContentInvalid` for an unknown one.

        ``state`` is the session before the move.
        """
        item_id = self.pick(move, language=state.language, seed=state.seed, count=state.count(move))
        (fragment,) = self.fragments(item_id)
        return fragment


@cache
def packaged_lines() -> ProtocolLines:
    """The lines of every packaged language; raises `ContentInvalid` when a file is broken."""
    return ProtocolLines.packaged(_FILES)


def move_of(item_id: str) -> str:
    """The move that a reviewed line of the protocol makes."""
    return item_id.removeprefix(PREFIX).partition(".")[0]
