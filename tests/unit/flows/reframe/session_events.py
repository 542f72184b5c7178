"""Sessions as their events tell of them; small enough to count by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

HOUR = 3_600.0
MINUTE = 60.0
PHASES = {
    "w": "warmup",
    "c": "clarify",
    "r": "reframe",
    "s": "summary",
    "f": "followup",
    "x": "closed",
}


def session(
    name: str,
    phases: str,
    *,
    began: float,
    ended: bool = False,
    danger_at: int | None = None,
    language: str = "en",
    arm: str = "control",
    writers: str = "",
    known: Sequence[str] = (),
    measures: Mapping[str, int] | None = None,
    first: int = 1,
) -> list[dict[str, Any]]:
    """One event a letter of ``phases``, a minute apart; measures and details are in the last one.

    ``danger_at`` is the number of the reply from which on there is danger; ``writers`` has m and p
    for a model and the protocol, and the composer wrote what it leaves out.
    """
    written = {"m": "model", "p": "protocol", "c": "composer"}
    events = []
    for at, letter in enumerate(phases):
        number, last = first + at, at == len(phases) - 1
        danger = danger_at is not None and number >= danger_at
        before = PHASES[phases[at - 1]] if at else (None if first == 1 else "warmup")
        events.append(
            {
                "at": began + at * MINUTE,
                "event": "turn",
                "session": name,
                "number": number,
                "turn": number,
                "from": before,
                "to": PHASES[letter],
                "crisis": danger,
                "crisis_began": danger and number == danger_at,
                "ended": ended and last,
                "writer": written[(writers + "c" * len(phases))[at]],
                "language": language,
                "arm": arm,
                "suds_pre": None,
                "suds_post": None,
                "confidence_pre": None,
                "confidence_post": None,
                "truth": None,
                "known": list(known) if last else [],
                **((measures or {}) if last else {}),
            }
        )
    return events


ALL = ("situation", "thought", "emotion", "intensity")


def five() -> list[dict[str, Any]]:
    """Five sessions that are over, one under way at ten hours, one whose beginning is missing."""
    every = [
        # A whole session: eight turns, seven minutes, eased by four.
        *session(
            "a",
            "wcccrsff",
            began=0.0,
            ended=True,
            known=ALL,
            writers="cmmm",
            measures={
                "suds_pre": 8,
                "suds_post": 4,
                "confidence_pre": 2,
                "confidence_post": 5,
                "truth": 7,
            },
        ),
        # In Spanish, in the short arm: six turns, five minutes, no easier by one.
        *session(
            "b",
            "wccrsx",
            began=HOUR,
            ended=True,
            language="es",
            arm="short",
            known=ALL,
            measures={"suds_pre": 5, "suds_post": 6},
        ),
        # Left while clarifying: two turns, one minute.
        *session("c", "wc", began=2 * HOUR, known=("situation",), measures={"suds_pre": 6}),
        # Danger heard while clarifying: four turns, three minutes.
        *session("d", "wcsx", began=3 * HOUR, ended=True, danger_at=3, writers="ccpp"),
        # Left in the summary, in the short arm: five turns, four minutes, nothing changed.
        *session(
            "e",
            "wcrrs",
            began=4 * HOUR,
            arm="short",
            known=("thought", "situation"),
            measures={"suds_pre": 3, "suds_post": 3},
        ),
        # Its first turns lie before what was read.
        *session("f", "cr", began=5 * HOUR, first=3),
        # Under way.
        *session("g", "wc", began=10 * HOUR),
    ]
    return sorted(every, key=lambda event: event["at"])


OPEN_SINCE = 9.5 * HOUR
