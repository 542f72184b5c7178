"""What one turn gives (A16, A35): the reply with its proof, and where the session stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from handrail.domain.outcome import Outcome
from handrail.flows.reframe.control import Control
from handrail.flows.reframe.phases import Phase
from handrail.flows.reframe.state import SessionState

Writer = Literal["composer", "model", "protocol"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnResult:
    """One turn; ``outcome`` has the reply's fragments, resources, receipt and trace.

    ``banner_id`` names the reviewed line of ``banner``; ``sentences`` are the parts in which the
    reply is streamed, which join to ``ui_text``; ``moves`` are what the composer did.
    """

    state: SessionState
    outcome: Outcome
    control: Control
    writer: Writer
    banner: str | None = None
    banner_id: str | None = None
    sentences: Sequence[str] = ()
    moves: Sequence[str] = ()

    @property
    def ui_text(self) -> str:
        """What the person reads."""
        return self.outcome.text

    @property
    def phase(self) -> Phase:
        """The phase of the reply."""
        return self.state.phase

    @property
    def end_of_session(self) -> bool:
        """Whether the session is over with this reply."""
        return self.state.ended

    def as_dict(self) -> dict[str, Any]:
        """The result fields of the contract (A16), plain values throughout."""
        return {
            "phase": self.phase.value,
            "turn": self.state.position.turn,
            "followups_left": self.state.position.followups_left,
            "banner": self.banner,
            "ui_text": self.ui_text,
            "control": _told(self.control),
            "state": shown(self.state),
            "end_of_session": self.end_of_session,
        }


def _told(control: Control) -> dict[str, object]:
    """The control block as data for a face (A18, A36); it holds no word of the person."""
    return {
        "next_phase": control.next_phase,
        "missing_fields": list(control.missing_fields),
        "suggest_questions": list(control.suggest_questions),
        "crisis_detected": control.crisis_detected,
    }


def shown(state: SessionState) -> Mapping[str, Any]:
    """The state as a face shows it (A8): the person's own words among it, nothing of the rails."""
    progress, measures = state.progress, state.measures
    return {
        "phase": state.phase.value,
        "turn": state.position.turn,
        "max_turns": state.limits.max_turns,
        "followups_left": state.position.followups_left,
        "user_language": state.user_language,
        "progress": {
            "situation": progress.situation.text if progress.situation else None,
            "thought": progress.thought.text if progress.thought else None,
            "emotion": ", ".join(f.words.text for f in progress.emotions) or None,
            "intensity": progress.intensity,
        },
        "suds_pre": measures.suds_pre,
        "suds_post": measures.suds_post,
        "confidence_pre": measures.confidence_pre,
        "confidence_post": measures.confidence_post,
        "crisis_flag": state.crisis_flag,
    }
