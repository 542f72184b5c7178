"""Screens that fail or that say what they are told, for the tests of the injection rail."""

from __future__ import annotations

from handrail.rails.injection import Injection


class FailingScreen:
    """Raises on every text."""

    def check(self, text: str) -> Injection:
        raise RuntimeError(text)


class CountingScreen:
    """Takes texts with a word for attacks, and counts what it reads."""

    def __init__(self, word: str) -> None:
        self.word = word
        self.read: list[str] = []

    def check(self, text: str) -> Injection:
        self.read.append(text)
        return Injection(attack=self.word in text)
