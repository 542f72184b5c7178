"""A small corpus about everyday troubles, made up, and a writer of banks."""

from __future__ import annotations

import json
from pathlib import Path

SLEEP = (
    "Set a fixed time to get up and keep it through the week. "
    "Write tomorrow's worries on a sheet of paper before you lie down. "
    "Leave the bed when you have been awake for a while and read something dull."
)
QUARREL = (
    "Choose a calm hour and say what you felt, without blame. "
    "Ask your sister what the evening was like for her. "
    "Agree on one small thing that both of you will try this month."
)
EXAM = (
    "Break the material into short pieces and begin with an easy one. "
    "Practise one question a day under the conditions of the exam. "
    "Plan a walk after each hour of study."
)
CASES = [
    ("s1", "sleep", "I lie awake every night and worry about the next day.", SLEEP),
    ("s2", "sleep", "I lie awake every night and worry about the next day.", SLEEP[:112]),
    ("q1", "family", "My sister and I quarrel at every family dinner.", QUARREL),
    ("e1", "study", "I panic before each exam and cannot study any more.", EXAM),
    ("w1", "work", "My colleagues leave me out and lunch without me.", QUARREL[:105]),
]


def write_rows(path: Path, *rows: dict[str, object]) -> Path:
    """The rows as JSON Lines."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path
