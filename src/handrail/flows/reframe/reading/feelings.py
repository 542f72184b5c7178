"""Feelings that the writer names as their own."""

from __future__ import annotations

from collections.abc import Iterator

from handrail.flows.reframe.reading.lexicon import EmotionModel
from handrail.flows.reframe.reading.message import Message
from handrail.flows.reframe.reading.model import Asked, Emotion


def feelings(message: Message) -> tuple[Emotion, ...]:
    """Each family once, at its first words; denied ones and other people's are not the writer's."""
    if message.asked is Asked.RATINGS:
        return ()  # "anxiety 4" names what was rated, not what is felt
    first: dict[str, Emotion] = {}
    for emotion in _own(message):
        first.setdefault(emotion.family, emotion)
    return tuple(first.values())


def _own(message: Message) -> Iterator[Emotion]:
    said = list(message.said(EmotionModel))
    if not said:
        return
    void = message.places("void")
    apart = message.places("negation"), message.places("third")
    for words, item in said:
        start, end = message.place(words)
        if void.overlaps(start, end) or any(places.touches(start) for places in apart):
            continue
        if span := message.span(words):
            yield Emotion(family=item.family, span=span)
