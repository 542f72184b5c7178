"""What danger leads to in every flow that talks with a person: which line, whose help."""

from __future__ import annotations

from collections.abc import Sequence

from handrail.domain.risk import Level, Risk, Subject

MAX_MESSAGE_CHARS = 20_000
"""Longer messages are screened for crisis and then refused: an embedding reads 256 tokens."""

ABUSE_KINDS = frozenset({"abuse", "child_abuse", "coercive_control"})
OTHERS_KINDS = frozenset({"harm_others"})


def escalates(risk: Risk) -> bool:
    """Moderate and high get resources only (resolution 6)."""
    return risk.level >= Level.MODERATE


def safety_lines(risk: Risk) -> Sequence[str]:
    """The reviewed line for the gravest danger; danger to the person outranks the rest."""
    gravest = [signal for signal in risk.signals if signal.level is risk.level]
    subjects = {signal.subject for signal in gravest}
    kinds = {signal.kind for signal in gravest}
    own = kinds - ABUSE_KINDS - OTHERS_KINDS if Subject.SELF in subjects else set()
    if own or not gravest:
        return ("safety-high",) if risk.level is Level.HIGH else ("safety-moderate",)
    if kinds & ABUSE_KINDS:
        return ("safety-abuse",)
    if kinds & OTHERS_KINDS or Subject.OTHER in subjects:
        return ("safety-others",)
    return ("safety-third",)


def topics(risk: Risk) -> tuple[str, ...]:
    """Helpline topics for the danger, gravest first; empty for an ordinary message."""
    if risk.level is Level.NONE:
        return ()
    kinds = set(risk.kinds)
    if "child_abuse" in kinds:
        return ("child-abuse", "domestic-violence")
    if kinds & ABUSE_KINDS:
        return ("domestic-violence",)
    return ("suicide", "emotional-support")
