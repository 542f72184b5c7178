"""What one message of a person says, as far as a session about a thought needs to know."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from handrail.domain.text import Span

Language = Literal["en", "es"]

FAMILIES = (
    "anxiety",
    "sadness",
    "anger",
    "shame",
    "guilt",
    "loneliness",
    "overwhelm",
    "hurt",
    "jealousy",
    "numbness",
)
"""Every family of feelings that an `Emotion` may be of."""

LONGEST_QUOTE = 140
"""Code points of the longest thought, situation or evidence; more could not be said back."""


class Asked(StrEnum):
    """What our last turn asked for; the same words answer different questions differently."""

    NOTHING = "nothing"
    WORRY = "worry"
    EMOTION = "emotion"
    INTENSITY = "intensity"
    SITUATION = "situation"
    FIT = "fit"  # how the balanced thought sits
    EVIDENCE = "evidence"  # what the harsh thought leaves out
    RATINGS = "ratings"
    FOLLOWUP = "followup"


class Act(StrEnum):
    """What a message does; every message does exactly one thing."""

    CONTENT = "content"
    GREETING = "greeting"
    THANKS = "thanks"
    YES = "yes"
    NO = "no"
    PARTLY = "partly"
    UNSURE = "unsure"
    REFUSES = "refuses"
    SILENCE = "silence"  # nothing, dots, pictures
    FRUSTRATED = "frustrated"  # with us, or with this
    HOSTILE = "hostile"  # insults at us
    WANTS_ADVICE = "wants_advice"
    WANTS_SUMMARY = "wants_summary"
    WANTS_END = "wants_end"
    ASKS_WHO = "asks_who"
    ASKS = "asks"  # about thoughts, traps, or this session
    POSITIVE = "positive"
    OFFTOPIC = "offtopic"
    OTHER_LANGUAGE_REQUEST = "other_language_request"


class Topic(StrEnum):
    """What a question is about."""

    TRAP = "trap"
    BALANCED = "balanced"
    TRAPS = "traps"
    WHY_FEELINGS = "why_feelings"
    NOT_BELIEVING = "not_believing"
    PASSING = "passing"
    SCALE = "scale"
    WHY_ASKED = "why_asked"
    NO_TASKS = "no_tasks"
    THERAPY = "therapy"
    PRIVACY = "privacy"
    NORMAL = "normal"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Emotion:
    """A feeling that the writer names as their own, and the words they name it with."""

    family: str
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """A number from 0 to 10, and the words it was given in; halves are rounded up."""

    value: int
    span: Span

    def __post_init__(self) -> None:
        if not 0 <= self.value <= 10:
            raise ValueError(f"not on the scale: {self.value}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratings:
    """The set of numbers at the end, each where it was given; ``unlabelled`` ones fit no place."""

    truth: Number | None = None
    anxiety: Number | None = None
    confidence: Number | None = None
    unlabelled: tuple[Number, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a message says; spans are code points of the message as it was sent.

    ``thought``, ``situation`` and ``evidence`` are whole clauses without their lead-in, of at most
    `LONGEST_QUOTE` code points. ``out_of_range`` when a number was given that is not on the scale.
    ``corrects`` when we are told that we took it wrong, ``denies`` when a no opens the message,
    ``turns`` when what was told before is left for something else, ``loss`` when somebody died,
    ``doubts`` when the person doubts that this is of use.
    ``beside`` is another side that is told beside the answer to the balanced thought.
    ``event`` when the thought is what happened, for want of a belief.
    ``trap`` is the id of the thinking trap that a question is about. ``language`` is None where
    the words do not tell; ``wants_language`` is the one that the person asks to speak.
    """

    act: Act
    topic: Topic = Topic.NONE
    trap: str | None = None
    situation: Span | None = None
    thought: Span | None = None
    emotions: tuple[Emotion, ...] = ()
    intensity: Number | None = None
    out_of_range: bool = False
    ratings: Ratings = field(default_factory=Ratings)
    evidence: Span | None = None
    beside: Span | None = None
    self_attack: bool = False
    corrects: bool = False
    denies: bool = False
    turns: bool = False
    loss: bool = False
    doubts: bool = False
    event: bool = False
    long: bool = False
    language: Language | None = None
    wants_language: Language | None = None
