"""Reading one message of a person in a reframing session."""

from handrail.flows.reframe.reading.model import (
    FAMILIES,
    LONGEST_QUOTE,
    Act,
    Asked,
    Emotion,
    Language,
    Number,
    Ratings,
    Reading,
    Topic,
)
from handrail.flows.reframe.reading.reader import Reader

__all__ = [
    "FAMILIES",
    "LONGEST_QUOTE",
    "Act",
    "Asked",
    "Emotion",
    "Language",
    "Number",
    "Ratings",
    "Reader",
    "Reading",
    "Topic",
]
