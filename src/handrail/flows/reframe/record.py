"""A turn as plain values: what a store keeps, so that asking again gives the same bytes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from handrail.domain.outcome import Abstention, Answer, Disclosure, Outcome, Refusal, SafetyResponse
from handrail.flows.reframe.result import TurnResult

_KINDS: dict[type, str] = {
    Answer: "answer",
    Abstention: "abstention",
    Refusal: "refusal",
    SafetyResponse: "safety",
}


def recorded(
    session_id: str, result: TurnResult, notices: Sequence[Disclosure] = (), *, marked: bool = False
) -> dict[str, Any]:
    """The result fields of the contract (A16), the proof, and what stands beside the words.

    ``notices`` are due beside the reply; ``marked`` says that software put it together.
    """
    outcome = result.outcome
    return {
        "session_id": session_id,
        **result.as_dict(),
        "outcome": _KINDS[type(outcome)],
        "reason": _reason(outcome),
        "writer": result.writer,
        "sentences": list(result.sentences),
        "risk": {"level": outcome.risk.level.label, "kinds": list(outcome.risk.kinds)},
        "resources": [
            {
                "id": resource.id,
                "label": resource.label,
                "value": resource.value,
                "kind": resource.kind,
                "country": resource.country,
                "hours": resource.hours,
                "note": resource.note,
            }
            for resource in outcome.resources
        ],
        "notices": [
            {"id": notice.id, "language": notice.language, "text": notice.text}
            for notice in notices
        ],
        "synthetic": marked,
        "receipt": dict(outcome.receipt.body),
    }


def _reason(outcome: Outcome) -> str | None:
    reason = getattr(outcome, "reason", None)
    return reason.value if reason else None
