"""What the protocol can say, as names: questions and offers in order, and what answers call for.

A move is the name of a reviewed line with several wordings; one that begins with ``ask-`` asks a
question, no other does. The names are those of ``content/protocol``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from handrail.rails.crisis.answers import Answer
from handrail.rails.protocol.state import Track

MAX_SENTENCES = 4  # of one turn: a person in distress takes in little at a time (editorial)
MAX_UNANSWERED = 2  # questions in a row without an answer, after which no more are asked

YES, NO, UNSURE = Answer.YES, Answer.NO, Answer.UNSURE

QUESTIONS: Mapping[Track, Sequence[str]] = {
    Track.MEDICAL: ("ask-thoughts", "ask-safe"),
    Track.SELF: ("ask-thoughts", "ask-plan", "ask-when", "ask-means", "ask-safe"),
    Track.VOICES: ("ask-voices", "ask-obey", "ask-thoughts", "ask-plan", "ask-when", "ask-safe"),
    Track.OTHERS: ("ask-harm", "ask-target", "ask-others-plan", "ask-others-means", "ask-near"),
    Track.CHILD: ("ask-child-now", "ask-adult"),
    Track.ABUSE: ("ask-channel", "ask-danger", "ask-hurt", "ask-children"),
    Track.THIRD: ("ask-third-now", "ask-third-said"),
    Track.WITNESS: ("ask-third-now",),
}
"""What is asked about a danger, one at a time, in this order."""

SKIPPED: Mapping[str, Sequence[tuple[str, Answer]]] = {
    "ask-when": (("ask-plan", NO),),
    "ask-means": (("ask-plan", NO),),
    "ask-plan": (("ask-thoughts", NO),),
    "ask-obey": (("ask-voices", NO),),
    "ask-target": (("ask-harm", NO),),
    "ask-others-plan": (("ask-harm", NO),),
    "ask-others-means": (("ask-harm", NO), ("ask-others-plan", NO)),
    "ask-near": (("ask-harm", NO), ("ask-others-plan", NO)),
    "ask-third-said": (("ask-third-now", YES),),
}
"""A question is left out once one of these answers makes it idle."""

DENIES: Mapping[Track, tuple[str, Answer]] = {
    Track.SELF: ("ask-thoughts", NO),
    Track.OTHERS: ("ask-harm", NO),
}
"""The answer that a person is believed with, and not asked again."""

IMMINENT_WHEN: Sequence[frozenset[tuple[str, Answer]]] = (
    frozenset({("ask-when", YES)}),
    frozenset({("ask-safe", NO)}),
    frozenset({("ask-changed", YES)}),
    frozenset({("ask-plan", YES), ("ask-means", YES), ("ask-when", UNSURE)}),
    frozenset({("ask-obey", YES)}),
    frozenset({("ask-others-plan", YES), ("ask-others-means", YES)}),
    frozenset({("ask-near", YES), ("ask-others-means", YES)}),
    frozenset({("ask-near", YES), ("ask-others-plan", YES)}),
    frozenset({("ask-danger", YES)}),
    frozenset({("ask-child-now", YES)}),
    frozenset({("ask-third-now", YES)}),
)
"""Answers that together mean danger now, whichever way the screen reads them."""

FIRST_WORDS: Mapping[Track, str] = {
    Track.MEDICAL: "ack-grave",
    Track.SELF: "ack-grave",
    Track.VOICES: "ack-voices",
    Track.OTHERS: "ack-others",
    Track.CHILD: "ack-child",
    Track.ABUSE: "ack-abuse",
    Track.THIRD: "ack-third",
    Track.WITNESS: "ack-third",
}

PLAIN_FOR = frozenset({Track.OTHERS, Track.CHILD, Track.ABUSE, Track.THIRD, Track.WITNESS})
"""Where words about one's own pain would miss the point: ``ack-plain`` stands for ``ack-more``."""

NOW: Mapping[Track, Sequence[str]] = {
    Track.MEDICAL: ("now-medical", "ask-company"),
    Track.SELF: ("now-self", "now-distance", "ask-company"),
    Track.VOICES: ("now-voices", "now-distance", "ask-company"),
    Track.OTHERS: ("now-others", "now-distance", "ask-company"),
    Track.CHILD: ("now-child",),
    Track.ABUSE: ("now-abuse",),
    Track.THIRD: ("now-third", "ask-with-them"),
    Track.WITNESS: ("now-witness", "ask-with-them"),
}
"""All that imminent danger calls for, at once: a number, people, distance."""

NOW_QUESTIONS: Mapping[Track, Sequence[str]] = {
    Track.MEDICAL: ("ask-company", "ask-call", "ask-thoughts"),
    Track.SELF: ("ask-company", "ask-distance", "ask-call"),
    Track.VOICES: ("ask-company", "ask-distance", "ask-call"),
    Track.OTHERS: ("ask-company", "ask-apart", "ask-call"),
    Track.CHILD: ("ask-leave", "ask-call"),
    Track.ABUSE: ("ask-leave", "ask-call"),
    Track.THIRD: ("ask-with-them", "ask-call"),
    Track.WITNESS: ("ask-with-them", "ask-call"),
}

NOW_HELP: Mapping[Track, Sequence[str]] = {
    Track.MEDICAL: ("wait-medical", "keep-call", "keep-company"),
    Track.SELF: ("wait", "keep-call", "keep-company", "keep-distance"),
    Track.VOICES: ("wait", "keep-call", "keep-company", "keep-distance"),
    Track.OTHERS: ("cool", "keep-call", "keep-distance", "keep-company"),
    Track.CHILD: ("child-tell", "keep-call", "both-child"),
    Track.ABUSE: ("keep-call", "keep-company"),
    Track.THIRD: ("third-stay", "third-distance", "third-ask", "third-both", "third-care"),
    Track.WITNESS: ("keep-call", "both-witness", "third-care"),
}

REACHED = (("ask-company", YES), ("ask-call", YES), ("ask-leave", YES), ("ask-apart", YES))
"""Once one of these holds in imminent danger, help for later may be named as well."""

HELP: Mapping[Track, Sequence[str]] = {
    Track.MEDICAL: ("both", "ask-willing", "ongoing", "ask-safety-plan", "ask-trusted"),
    Track.SELF: (
        "both",
        "ask-willing",
        "ongoing",
        "ask-safety-plan",
        "coping",
        "ask-trusted",
        "ask-reasons",
        "ask-hardest",
    ),
    Track.VOICES: (
        "both",
        "voices-help",
        "ask-willing",
        "ongoing",
        "coping",
        "ask-safety-plan",
        "ask-trusted",
    ),
    Track.OTHERS: (
        "both-others",
        "cool",
        "ask-willing",
        "ongoing",
        "ask-safety-plan",
        "ask-trusted",
        "ask-hardest",
    ),
    Track.CHILD: ("both-child", "child-tell", "ask-willing", "ongoing", "coping"),
    Track.ABUSE: (
        "both-abuse",
        "abuse-plan",
        "ask-willing",
        "ongoing",
        "ask-trusted",
        "coping",
        "ask-hardest",
    ),
    Track.THIRD: (
        "third-ask",
        "third-stay",
        "third-both",
        "third-care",
        "third-distance",
        "ask-third-worry",
    ),
    Track.WITNESS: ("both-witness", "ask-willing", "third-care", "ask-third-worry"),
}
"""What is offered once there is nothing left to ask, one thing a turn."""

DENIED_HELP: Sequence[str] = ("both-later", "ask-hardest", "ongoing", "coping", "ask-around")

PARTING: Mapping[Track, Sequence[str]] = {
    Track.MEDICAL: ("both", "ongoing", "ease"),
    Track.SELF: ("both-later", "ongoing", "ease"),
    Track.VOICES: ("both-later", "ongoing", "ease"),
    Track.OTHERS: ("both-others", "ongoing", "ease"),
    Track.CHILD: ("both-child", "child-tell", "ease"),
    Track.ABUSE: ("both-abuse", "abuse-plan", "ease"),
    Track.THIRD: ("third-both", "third-ask", "third-stay"),
    Track.WITNESS: ("both-witness", "third-care"),
}
"""What somebody who is leaving should not go without, the first that was not said yet."""

PAIRS = frozenset({"both", "both-others", "both-abuse", "both-child", "both-witness"})
"""Lines after which ``ask-willing`` follows in the same turn, if there is room."""

SAME: Mapping[str, str] = {"both-later": "both"}
"""Moves that need not be made when the other one was."""

PLAN: Sequence[str] = ("ask-warning", "ask-helped", "ask-around", "plan-space", "plan-keep")
"""A small safety plan, once the person wants one, a step a turn."""

DONE_BY: Mapping[str, tuple[str, Answer]] = {
    "keep-call": ("ask-call", YES),
    "keep-company": ("ask-company", YES),
    "keep-distance": ("ask-distance", YES),
}
"""What need not be kept up once the person has done it."""

REPLIES: Mapping[tuple[str, Answer], Sequence[str]] = {
    ("ask-safe", YES): ("safe-yes",),
    ("ask-company", YES): ("company-yes",),
    ("ask-company", NO): ("company-no",),
    ("ask-company", UNSURE): ("company-no",),
    ("ask-distance", YES): ("distance-yes",),
    ("ask-distance", NO): ("distance-no",),
    ("ask-distance", UNSURE): ("distance-no",),
    ("ask-call", YES): ("call-yes",),
    ("ask-call", NO): ("call-no",),
    ("ask-call", UNSURE): ("call-no",),
    ("ask-apart", YES): ("apart-yes",),
    ("ask-apart", NO): ("apart-no",),
    ("ask-apart", UNSURE): ("apart-no",),
    ("ask-leave", YES): ("leave-place-yes",),
    ("ask-leave", NO): ("leave-place-no",),
    ("ask-leave", UNSURE): ("leave-place-no",),
    ("ask-with-them", YES): ("with-them-yes",),
    ("ask-with-them", NO): ("with-them-no",),
    ("ask-channel", YES): ("channel-yes",),
    ("ask-channel", NO): ("channel-no",),
    ("ask-channel", UNSURE): ("channel-no",),
    ("ask-adult", YES): ("adult-yes",),
    ("ask-adult", NO): ("adult-no",),
    ("ask-willing", YES): ("willing-yes",),
    ("ask-willing", UNSURE): ("willing-unsure", "ask-barrier"),
    ("ask-willing", NO): ("willing-no", "ask-barrier"),
    ("ask-trusted", YES): ("trusted-yes",),
    ("ask-trusted", NO): ("trusted-no",),
    ("ask-trusted", UNSURE): ("trusted-no",),
    ("ask-safety-plan", YES): ("plan-start",),
    ("ask-safety-plan", NO): ("plan-no",),
    ("ask-third-said", NO): ("third-not-said",),
    ("ask-third-said", YES): ("third-said",),
}
"""What an answer calls for, in place of a general word of thanks."""

FOR_THE_BODY: Mapping[str, str] = {"company-no": "alone-medical"}
"""What replaces a line where somebody is hurt or poisoned and should not walk about."""

_TWO = frozenset(
    {
        "abuse-plan",
        "adult-no",
        "adult-yes",
        "ai-asked",
        "alone-medical",
        "apart-no",
        "both",
        "both-abuse",
        "both-child",
        "both-later",
        "both-others",
        "both-witness",
        "now-witness",
        "call-no",
        "call-yes",
        "cannot-know",
        "channel-no",
        "child-tell",
        "company-no",
        "company-yes",
        "cool",
        "coping",
        "denied",
        "diagnosis",
        "ease",
        "grave-again",
        "distance-no",
        "leave",
        "leave-now",
        "leave-place-no",
        "leave-place-yes",
        "method",
        "now-child",
        "now-others",
        "now-self",
        "now-voices",
        "ongoing",
        "plan-space",
        "privacy",
        "retracted",
        "retracted-now",
        "third-ask",
        "third-both",
        "third-care",
        "third-not-said",
        "third-stay",
        "third-tell",
        "trusted-no",
        "trusted-yes",
        "voices-help",
        "wait",
        "wait-medical",
        "willing-yes",
        "with-them-no",
    }
)
_THREE = frozenset({"now-abuse", "now-medical", "now-third"})

AI_MOVES = frozenset({"ai", "ai-asked", "now-self", "now-medical", "now-others", "now-voices"})
"""Lines that say that this is software."""


def size(move: str) -> int:
    """The most sentences that any wording of ``move`` has."""
    if move in _THREE:
        return 3
    return 2 if move in _TWO or move.startswith("barrier-") else 1


def asks(move: str) -> bool:
    """Whether ``move`` asks a question."""
    return move.startswith("ask-")
