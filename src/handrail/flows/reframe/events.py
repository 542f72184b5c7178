"""What happened in a turn, for reports: names, numbers and hashes, never text (A36, A51)."""

from __future__ import annotations

from typing import Any

from handrail.domain.text import digest
from handrail.flows.reframe.compose import count_words
from handrail.flows.reframe.result import TurnResult
from handrail.flows.reframe.state import SessionState


def event_of(
    session_id: str,
    before: SessionState,
    message: str,
    result: TurnResult,
    *,
    at: float,
    ms: float,
) -> dict[str, Any]:
    """One turn as an event; ``at`` is in seconds since the epoch, ``ms`` how long it took."""
    after = result.state
    return {
        "at": at,
        "event": "turn",
        "session": digest("session", session_id)[:16],
        "number": after.messages,
        "turn": after.position.turn,
        "from": before.phase.value if before.messages else None,
        "to": after.phase.value,
        "followups_left": after.position.followups_left,
        "crisis": after.crisis_flag,
        "crisis_began": after.crisis_flag and not before.crisis_flag,
        "ended": after.ended,
        "writer": result.writer,
        "language": after.user_language,
        "arm": after.arm,
        "words_in": count_words(message),
        "words_out": count_words(result.ui_text),
        "suds_pre": after.measures.suds_pre,
        "suds_post": after.measures.suds_post,
        "confidence_pre": after.measures.confidence_pre,
        "confidence_post": after.measures.confidence_post,
        "truth": after.measures.truth,
        "known": _known(after),
        "ms": round(ms, 3),
    }


def _known(state: SessionState) -> list[str]:
    """Which parts of the progress are known (A36)."""
    progress = state.progress
    parts = {
        "situation": progress.situation,
        "thought": progress.thought,
        "emotion": progress.emotions,
        "intensity": progress.intensity_words,
    }
    return [name for name, value in parts.items() if value]
