"""What the crisis screen says, in words: the level, whose danger it is, and which rules spoke."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from handrail.domain.risk import Risk, Subject

WHOSE: Mapping[Subject, str] = {
    Subject.SELF: "danger to the writer",
    Subject.OTHER: "danger from the writer to somebody else",
    Subject.THIRD: "somebody else in danger",
}
REASONS: Mapping[str, str] = {
    "negation": "denied by the words right before it",
    "denied when asked": "takes up the words of the question and denies them",
    "addressed to another": "asked of somebody else, not said of the writer",
    "fiction": "told of a story or of somebody in one",
    "topic": "spoken of as a subject, not as a wish",
    "idiom": "part of a figure of speech",
    "object": "said of a thing, not of a life",
    "history": "another person's past",
    "past": "long ago and over",
    "work": "part of what people say at work",
    "sport": "part of what people say in sport",
    "health": "part of what people say about health",
    "somebody else's": "told within somebody else's danger",
    "nothing beside it": "grave only beside a loss or another sign, and there is none",
}


def risk_text(risk: Risk) -> str:
    """The level with the kinds of danger if any, then the level of each subject."""
    first = f"{risk.level.label}: {', '.join(risk.kinds)}" if risk.kinds else risk.level.label
    return "\n".join([first, *_by_subject(risk)])


def _by_subject(risk: Risk) -> Iterator[str]:
    for subject in risk.subjects:
        yield f"  {WHOSE[subject]}: {risk.level_for(subject).label}"


def risk_lines(risk: Risk) -> Iterator[str]:
    """Every rule that fired or was set aside, each once, with offsets and without the words."""
    yield from dict.fromkeys(_lines(risk))
    if not risk.signals and not risk.dismissed:
        yield "no rule matched"


def _lines(risk: Risk) -> Iterator[str]:
    for signal in risk.signals:
        notes = f" ({', '.join(signal.notes)})" if signal.notes else ""
        place = f"characters {signal.span.start} to {signal.span.end}"
        about = f"{signal.level.label}, {signal.kind}, {WHOSE[signal.subject]}"
        yield f"fired      {signal.rule} [{signal.language}] at {place}: {about}{notes}"
    for item in risk.dismissed:
        place = f"characters {item.span.start} to {item.span.end}"
        why = REASONS.get(item.reason, item.reason)
        yield f"set aside  {item.rule} at {place}: {why} ({item.reason})"
