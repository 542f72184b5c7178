"""Where a session stands and where a message leads: the table is the whole truth (A4-A6, A12-A15).

`advance` is pure and total. A session has at most ``max_turns`` turns and ``followups`` answers
after them; a crisis latches, and leads to a summary and then to the end.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from handrail.flows.reframe.limits import Limits


class Phase(StrEnum):
    """The phase that a reply belongs to."""

    WARMUP = "warmup"
    CLARIFY = "clarify"
    REFRAME = "reframe"
    SUMMARY = "summary"
    FOLLOWUP = "followup"
    CLOSED = "closed"


class Move(StrEnum):
    """What a message asks of the session; exactly one for every message."""

    CRISIS = "crisis"  # the screen, or a model, says danger
    STAY = "stay"  # the phase is not done
    GO_ON = "go-on"  # the phase is done
    RATED = "rated"  # nothing but the ratings that the summary asked for
    FINISH = "finish"  # the person wants to come to an end


class Banner(StrEnum):
    """A note beside the reply (A12, A13, A22)."""

    HALFWAY = "banner-halfway"
    LAST = "banner-last"
    CRISIS = "banner-crisis"


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """Where a session stands after a reply; ``phase`` is the phase of that reply.

    ``turn`` counts replies within the budget (0 before the first), ``followups_left`` what remains
    of the answers outside it. ``crisis`` never goes back to False (A58).
    """

    phase: Phase = Phase.WARMUP
    turn: int = 0
    followups_left: int = 3
    crisis: bool = False

    def ended(self, limits: Limits) -> bool:
        """Whether the session is over: only `Phase.CLOSED` can follow."""
        exhausted = self.phase is Phase.FOLLOWUP and self.followups_left <= 0
        return self.phase is Phase.CLOSED or exhausted or self.turn >= limits.max_turns


_W, _C, _R, _S, _F, _X = Phase

TABLE: Mapping[Phase, Mapping[Move, Phase]] = {
    _W: {Move.CRISIS: _S, Move.STAY: _W, Move.GO_ON: _C, Move.RATED: _C, Move.FINISH: _S},
    _C: {Move.CRISIS: _S, Move.STAY: _C, Move.GO_ON: _R, Move.RATED: _C, Move.FINISH: _S},
    _R: {Move.CRISIS: _S, Move.STAY: _R, Move.GO_ON: _S, Move.RATED: _R, Move.FINISH: _S},
    _S: {Move.CRISIS: _S, Move.STAY: _F, Move.GO_ON: _F, Move.RATED: _F, Move.FINISH: _X},
    _F: {Move.CRISIS: _S, Move.STAY: _F, Move.GO_ON: _F, Move.RATED: _F, Move.FINISH: _X},
    _X: dict.fromkeys(Move, _X),
}
"""The phase of the next reply, by the phase of the last one and what the message asks."""

_WORKING = frozenset({_W, _C, _R})


def advance(position: Position, move: Move, limits: Limits) -> Position:
    """Where the session stands after the reply to a message; total over positions and moves.

    Limits outrank the table: a session that is over is closed, a crisis is answered in a summary
    and acknowledged once, the turn before the last is a summary, and the last turn ends it.
    """
    crisis = position.crisis or move is Move.CRISIS
    if position.ended(limits) or position.crisis:
        return replace(position, phase=Phase.CLOSED, crisis=crisis)
    phase, turn = _phase(position, move, limits), position.turn + 1
    if phase is Phase.CLOSED:
        return replace(position, phase=phase)
    if phase is Phase.FOLLOWUP and not _answers_the_summary(position, move):
        return _followup(position)
    return replace(position, phase=phase, turn=turn, crisis=crisis)


def _phase(position: Position, move: Move, limits: Limits) -> Phase:
    """The phase by the table, within the limits."""
    if position.turn == 0 and move is not Move.CRISIS:
        return Phase.WARMUP
    phase, turn = TABLE[position.phase][move], position.turn + 1
    due = phase in _WORKING and turn >= limits.last_call
    over = position.phase is Phase.SUMMARY and turn >= limits.max_turns
    return Phase.SUMMARY if due or over else phase


def _answers_the_summary(position: Position, move: Move) -> bool:
    """Whether a message does no more than rate; the reply then counts among the turns."""
    return position.phase is Phase.SUMMARY and move is Move.RATED


def _followup(position: Position) -> Position:
    if position.followups_left <= 0:
        return replace(position, phase=Phase.CLOSED)
    left = position.followups_left - 1
    return replace(position, phase=Phase.FOLLOWUP, followups_left=left)


def banner(before: Position, after: Position, limits: Limits) -> Banner | None:
    """The note that goes with the reply which led from ``before`` to ``after``."""
    if after.crisis and not before.crisis:
        return Banner.CRISIS
    if after.crisis or after.turn == before.turn:
        return None
    if after.turn == limits.last_call and before.phase in _WORKING:
        return Banner.LAST
    if after.turn == limits.halfway_turn and after.phase in _WORKING:
        return Banner.HALFWAY
    return None
