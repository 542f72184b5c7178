"""What the crisis screen says."""

from __future__ import annotations

from handrail.domain.risk import Risk, Subject
from handrail.wire.base import Body


class SignalBody(Body):
    """A rule of the crisis screen that fired; offsets count code points of the message."""

    rule: str
    kind: str
    level: str
    start: int
    end: int
    language: str
    subject: str
    notes: list[str] = []


class DismissalBody(Body):
    """A rule that matched and was set aside, and why."""

    rule: str
    kind: str
    start: int
    end: int
    reason: str


class RiskBody(Body):
    """What the crisis screen says; ``subjects`` has the level for self, other and third."""

    level: str
    subjects: dict[str, str] = {}
    kinds: list[str] = []
    signals: list[SignalBody] = []
    dismissed: list[DismissalBody] = []


def risk_body(risk: Risk) -> RiskBody:
    """The screen's verdict as a body."""
    return RiskBody(
        level=risk.level.label,
        subjects={subject.value: risk.level_for(subject).label for subject in Subject},
        kinds=list(risk.kinds),
        signals=[
            SignalBody(
                rule=signal.rule,
                kind=signal.kind,
                level=signal.level.label,
                start=signal.span.start,
                end=signal.span.end,
                language=signal.language,
                subject=signal.subject.value,
                notes=list(signal.notes),
            )
            for signal in risk.signals
        ],
        dismissed=[
            DismissalBody(
                rule=item.rule,
                kind=item.kind,
                start=item.span.start,
                end=item.span.end,
                reason=item.reason,
            )
            for item in risk.dismissed
        ],
    )
