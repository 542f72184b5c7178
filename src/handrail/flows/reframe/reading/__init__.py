"""Reading one message of a person in a reframing session."""

from handrail.flows.reframe.reading.model import (
    FAMILIES,
    LONGEST_QUOTE,
    Act,
    Asked,
    Emotion,
    Number,
    Ratings,
    Reading,
    Topic,
)

__all__ = [
    "FAMILIES",
    "LONGEST_QUOTE",
    "Act",
    "Asked",
    "Emotion",
    "Number",
    "Ratings",
    "Reading",
    "Topic",
]
