"""What a message asks of the session: pure rules over what is known and what was asked."""

from __future__ import annotations

from collections.abc import Mapping

from handrail.flows.reframe.phases import Move, Phase
from handrail.flows.reframe.reading import Act, Asked, Reading, Topic
from handrail.flows.reframe.state import Kept, Progress, SessionState

ROUNDS = 2  # balanced thoughts a session offers at most (2.1: two rounds of evidence gathering)
ASKED_AT_MOST = 2  # times that one thing is asked for; then the session goes on without it
WARM = 3  # replies of greeting after which the session goes on all the same
REACTIONS = 3  # questions of how a balanced thought sits

ASKS: Mapping[str, tuple[str, str, Asked]] = {
    "thought": ("ask-worry", "ask-worry-again", Asked.WORRY),
    "emotion": ("ask-emotion", "ask-emotion-again", Asked.EMOTION),
    "intensity": ("ask-intensity", "ask-intensity-again", Asked.INTENSITY),
}
"""How each thing is asked for, and asked for again."""

IN_ITS_PLACE: Mapping[str, str] = {"thought": "ask-worry-loss", "emotion": "ask-emotion-still"}
"""What is asked instead where somebody died, or a feeling was named before the thought."""

DOUBTFUL = frozenset({Act.NO, Act.UNSURE, Act.FRUSTRATED})
"""Answers after which another side of the thought is asked for."""

_FITS = ("ask-fit", "ask-fit-again", "ask-fit-back")
"""Questions of how a balanced thought sits."""

_ORDER = (Phase.WARMUP, Phase.CLARIFY, Phase.REFRAME, Phase.SUMMARY)
_SUMS_UP = frozenset({Phase.CLARIFY, Phase.REFRAME})
"""Phases that a wish for a summary ends; later it is answered, not taken for a goodbye."""

_ASIDES = frozenset(
    {
        Act.ASKS,
        Act.ASKS_WHO,
        Act.FRUSTRATED,
        Act.HOSTILE,
        Act.OFFTOPIC,
        Act.OTHER_LANGUAGE_REQUEST,
        Act.SILENCE,
        Act.WANTS_ADVICE,
    }
)
"""Acts that leave a question where it is."""


def open_questions(state: SessionState) -> tuple[str, ...]:
    """What may still be asked for: missing, not refused, and not asked for twice."""
    return tuple(
        name
        for name in state.progress.missing
        if name not in state.memory.skipped and _times(state, name) < _at_most(state, name)
    )


def _times(state: SessionState, name: str) -> int:
    first, again, _ = ASKS[name]
    asked = state.memory.count(first) + state.memory.count(again)
    return asked + state.memory.count(IN_ITS_PLACE.get(name, ""))


def _at_most(state: SessionState, name: str) -> int:
    """Once for a feeling that was named before the thought: it is known well enough."""
    named = name == "emotion" and feeling_before(state.progress)
    return 1 if named else ASKED_AT_MOST


def feeling_before(progress: Progress) -> Kept | None:
    """A feeling that was named for itself before the thought, not as part of what happened."""
    felt, situation = progress.felt, progress.situation
    apart = felt and not (situation and felt.text in situation.text)
    return felt if apart else None


def move(state: SessionState, reading: Reading, fresh: frozenset[str]) -> Move:
    """What the message asks; ``state`` has what it told, ``fresh`` names what of it is new."""
    if reading.act is Act.WANTS_END:
        return Move.FINISH
    if reading.act is Act.WANTS_SUMMARY and (state.phase in _SUMS_UP or _met(state)):
        return Move.FINISH
    proposed = _proposed(state)
    if proposed is not None and reading.act not in _ASIDES:
        return proposed
    match state.phase:
        case Phase.WARMUP:
            return _when(bool(_told(state)) or state.position.turn >= WARM)
        case Phase.CLARIFY:
            return _when(not open_questions(state))
        case Phase.REFRAME:
            return _when(_looked_at(state, reading, fresh))
        case Phase.SUMMARY if "ratings" in fresh and not _wants_more(reading):
            return Move.RATED
        case _:
            return Move.STAY


def _when(done: bool) -> Move:
    return Move.GO_ON if done else Move.STAY


def _proposed(state: SessionState) -> Move | None:
    """What a model proposed for this reply: the same phase or the next one, nothing else (2.1)."""
    named = state.memory.proposed
    if not named or state.phase not in _ORDER[:-1]:
        return None
    at = _ORDER.index(state.phase)
    if named == state.phase.value:
        return Move.STAY
    return Move.GO_ON if named == _ORDER[at + 1].value else None


def _met(state: SessionState) -> bool:
    """Whether a session that has hardly begun has something to sum up."""
    return state.phase is Phase.WARMUP and _told(state)


def _told(state: SessionState) -> bool:
    return bool(state.progress.situation or state.progress.thought)


def _looked_at(state: SessionState, reading: Reading, fresh: frozenset[str]) -> bool:
    """Whether enough was said about the balanced thought to sum up."""
    memory, act = state.memory, reading.act
    if not memory.round:  # came here without one, by a limit or a proposal
        return False
    if sum(map(memory.count, _FITS)) >= REACTIONS:
        return True
    if memory.asked is Asked.NOTHING:  # a danger was asked about; the thought comes back after it
        return False
    if memory.round >= ROUNDS and act is not Act.ASKS:
        return True
    if act in _ASIDES and act not in DOUBTFUL:
        return False
    if memory.asked is Asked.EVIDENCE or "thought" in fresh:
        return False
    return "evidence" in fresh or act not in DOUBTFUL


def _wants_more(reading: Reading) -> bool:
    """Whether a message with ratings asks something as well."""
    return reading.topic is not Topic.NONE or reading.act in (Act.ASKS, Act.WANTS_ADVICE)
