"""Whole sessions with whatever may be said, in any order: each reply leaves, each session ends."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from reframe_sample import NORMAL, RATED, Talk

from handrail.flows.reframe import Limits
from handrail.flows.reframe.compose import count_words

LIMITS = Limits()
SHORT = {
    "en": (
        "hi",
        "3",
        "yes",
        "no",
        "maybe a bit",
        "I don't know",
        "...",
        "",
        "I'd rather not say",
        "this is useless",
        "what should I do?",
        "are you human?",
        "can you give me a summary?",
        "what is mind reading?",
        "is this private?",
        "what's the capital of France?",
        "can we speak Spanish?",
        "thanks",
        "bye",
    ),
    "es": (
        "hola",
        "sí",
        "no",
        "no sé",
        "...",
        "¿eres humano?",
        "¿qué hago?",
        "un resumen por favor",
        "¿qué es la lectura de mente?",
        "gracias",
        "adiós",
    ),
}
LONG = {
    "en": (
        "I have to do my talk at ten and I am so slow and so shy that all of us in it will be out",
        "they were kind to me the last time though and a few of them even came up to me after it",
        "everything is going to go wrong and I will lose my job and my friends, all my own fault",
    ),
    "es": (
        "mañana a las diez me toca hablar y se me va a ir la voz y se van a dar cuenta de ello",
        "la otra vez fueron amables y hubo quien se me acercó al final a darme las gracias",
    ),
}


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("seed", range(12))
def test_a9_every_session_ends_and_no_reply_is_held_back(
    talk: Callable[..., Talk], language: str, seed: int
) -> None:
    """A25: a reply that broke its limits would not leave the gate, and be an abstention."""
    chance = random.Random(f"{language}-{seed}")
    said = (*NORMAL[language], RATED[language], *SHORT[language], *LONG[language])
    session = talk()
    for number in range(1, LIMITS.max_turns + LIMITS.followups + 1):
        record = session.say(chance.choice(said))
        assert record["turn"] <= number
        assert record["outcome"] in {"answer", "safety"}, session.messages
        if record["outcome"] == "safety":  # the protocol has limits of its own
            continue
        summary = record["phase"] == "summary"
        assert count_words(record["ui_text"]) <= (LIMITS.summary_words if summary else LIMITS.words)
    assert record["end_of_session"]
    assert session.say("hm")["phase"] == "closed"
