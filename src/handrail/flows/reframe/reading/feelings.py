"""Feelings that the writer names as their own."""

from __future__ import annotations

from collections.abc import Iterator

from handrail.flows.reframe.reading.lexicon import EmotionModel
from handrail.flows.reframe.reading.message import Message
from handrail.flows.reframe.reading.model import Asked, Emotion
from handrail.flows.reframe.reading.sayings import Words


def feelings(message: Message) -> tuple[Emotion, ...]:
    """Each family once, at its first words; denied ones and other people's are not the writer's."""
    if message.asked is Asked.RATINGS:
        return ()  # "anxiety 4" names what was rated, not what is felt
    first: dict[str, Emotion] = {}
    for emotion in _own(message):
        first.setdefault(emotion.family, emotion)
    return tuple(first.values())


def _own(message: Message) -> Iterator[Emotion]:
    said = list(message.said.of(EmotionModel))
    if not said:
        return
    void = message.said.places("void")
    apart = message.said.places("negation"), message.said.places("third")
    for words, item in said:
        start, end = message.place(words)
        if void.overlaps(start, end) or any(message.follows(places, words) for places in apart):
            continue
        if _denied_after(message, words):
            continue
        if span := message.span(words):
            yield Emotion(family=item.family, span=span)


def _denied_after(message: Message, words: Words) -> bool:
    """Whether a bare "no" comes behind: "enojada no"."""
    after = message.tokens[words.end : words.end + 1]
    return after == ["no"] and message.ends(words.end) and not message.ends(words.end - 1)
