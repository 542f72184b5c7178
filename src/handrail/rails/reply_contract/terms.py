"""What a turn may hold, and what it is called when it holds something else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

Code: TypeAlias = Literal[
    "too-many-words",
    "too-many-questions",
    "action",  # an order, a suggestion, advice, a plan
    "exercise",
    "diagnosis",
    "medication",
    "promise",
    "claims-human",
    "harm",  # danger, insult, or the harsh thought affirmed
    "flattery",
    "contact",
    "technical",
    "language",
    "disguise",
    "distortions",
    "balanced-too-long",
    "naked-list",
    "gibberish",
    "astray",  # a sentence that speaks of nothing such a turn is for
    "unfinished",
    "rail-broken",  # the rail itself failed, and so nothing passes
]
CODES: tuple[Code, ...] = get_args(Code)


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The limits of one turn; counts are upper bounds.

    ``compound`` lets one question ask for several things at once, as the ratings of a summary do.
    ``bullets`` lets three lines begin with a bullet.
    """

    words: int
    questions: int
    language: str
    distortions: int = 2
    balanced_words: int = 40
    sentence_words: int = 40
    bullets: bool = False
    compound: bool = False


@dataclass(frozen=True, slots=True)
class Breach:
    """One reason against a text; ``[start, end)`` counts its code points.

    ``rule`` names the entry of the content file, where there is one.
    """

    code: Code
    start: int
    end: int
    rule: str = ""
