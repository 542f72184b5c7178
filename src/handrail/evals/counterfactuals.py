"""Thirteen ways to make a true sentence false, or false to its source; the same for one seed.

A family takes a sentence and gives another text, or None where there is nothing for it to change.
The words are content, so that a language is a file; which of several changes is made, a seed says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random

from pydantic import BaseModel, ConfigDict, Field

from handrail.content import load

FILE = "evidence/counterfactuals.en.yaml"
MIN_WORDS = 3  # what is left of a sentence that is cut
OPENER = 3  # words before the first comma that may be a mere opener, such as "in other words"

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_FIGURE = re.compile(r"\d+")
_END = re.compile(r"[.!?…\"'”’)\]\s]*$")
_SPACES = re.compile(r" {2,}")


class _Content(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Swaps(_Content):
    """What words of one family turn into."""

    id: str
    review: str
    words: dict[str, tuple[str, ...]] = Field(min_length=1)


class Rules(_Content):
    """The words of the families; the content file's head explains the keys."""

    version: int
    language: str
    reviewer: str
    denial: str
    auxiliaries: frozenset[str]
    removals: dict[str, str]
    swaps: tuple[Swaps, ...]
    numbers: tuple[str, ...]
    clauses: tuple[str, ...]
    sentences: tuple[str, ...]
    cuts: frozenset[str]
    frames: tuple[str, ...]
    unframes: tuple[str, ...]
    lookalikes: dict[str, str]
    invisible: tuple[str, ...]

    @classmethod
    def packaged(cls) -> Rules:
        """The rules that ship with the package; raises `ContentInvalid` when they are broken."""
        return load(FILE, cls)

    @cached_property
    def by_family(self) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
        """The swaps of each family."""
        return {swaps.id: swaps.words for swaps in self.swaps}


@dataclass(frozen=True, slots=True)
class Change:
    """One change of one sentence: what it has to go by, and the chance that picks among several.

    ``other`` is a sentence of another document.
    """

    text: str
    other: str
    rules: Rules
    chance: Random

    def pick(self, options: Sequence[str]) -> str | None:
        """One of the options that differ from the sentence."""
        changed = [option for option in options if option.strip() != self.text.strip()]
        return self.chance.choice(changed) if changed else None

    @property
    def body(self) -> str:
        """The sentence without its end mark."""
        return _END.sub("", self.text)

    @property
    def tail(self) -> str:
        """The end mark."""
        return self.text[len(self.body) :] or "."


Family = Callable[[Change], str | None]


def _negation(change: Change) -> str | None:
    rules = change.rules
    options = [
        _put(change.text, m, rules.removals[_low(m)])
        for m in _words(change.text)
        if _low(m) in rules.removals
    ]
    options += [
        _put(change.text, m, f"{m.group()} not")
        for m in _words(change.text)
        if _low(m) in rules.auxiliaries
    ]
    return change.pick(options) or f"{rules.denial} {_uncapped(change.text)}"


def _swapped(name: str) -> Family:
    def family(change: Change) -> str | None:
        table = change.rules.by_family[name]
        return change.pick(
            [
                _put(change.text, match, new)
                for match in _words(change.text)
                for new in table.get(_low(match), ())
            ]
        )

    return family


def _number(change: Change) -> str | None:
    words = change.rules.numbers
    options = [
        _put(change.text, match, new)
        for match in _words(change.text)
        if _low(match) in words
        for new in words
        if new != _low(match)
    ]
    for match in _FIGURE.finditer(change.text):
        figure = int(match.group()[:9])
        options += [_put(change.text, match, str(new)) for new in (figure + 1, figure * 10 + 5)]
    return change.pick(options)


def _appended(change: Change) -> str | None:
    options = [f"{change.body}{clause}{change.tail}" for clause in change.rules.clauses]
    options += [f"{change.text} {sentence}" for sentence in change.rules.sentences]
    return change.pick(options)


def _truncation(change: Change) -> str | None:
    """The sentence up to one of its joints, or from behind its first clause."""
    body = change.body
    ends = [m.start() for m in _words(body) if _low(m) in change.rules.cuts]
    ends += [match.start() for match in re.finditer(r"[,;:]", body)]
    heads = [f"{body[:end].rstrip(' ,;:')}." for end in ends if _says_something(body[end:])]
    commas = list(re.finditer(r",", body))[:1]
    tails = [body[m.end() :].strip() for m in commas if len(body[: m.start()].split()) > OPENER]
    options = [*heads, *(f"{_capped(tail)}{change.tail}" for tail in tails)]
    return change.pick([o for o in options if len(o.split()) >= MIN_WORDS])


def _splice(change: Change) -> str | None:
    """The first half of this sentence and the second half of the other one."""
    first, second = change.text.split(), change.other.split()
    if min(len(first), len(second)) < 2 * MIN_WORDS:
        return None
    halves = [*first[: len(first) // 2], *second[len(second) // 2 :]]
    return change.pick([" ".join(halves)])


def _homoglyph(change: Change) -> str | None:
    text, rules = change.text, change.rules
    options = [
        text[:at] + rules.lookalikes[letter] + text[at + 1 :]
        for at, letter in enumerate(text)
        if letter in rules.lookalikes
    ]
    at = change.chance.randrange(len(text))
    options += [text[:at] + mark + text[at:] for mark in rules.invisible]
    return change.pick(options)


def _wrong_document(change: Change) -> str | None:
    """The sentence itself: what is wrong is where it is said to come from."""
    return change.text


def _reported(change: Change) -> str | None:
    low = change.text.lower()
    framed = [frame for frame in change.rules.unframes if low.startswith(f"{frame} ")]
    if framed:
        return _capped(change.text[len(max(framed, key=len)) + 1 :])
    return change.pick([f"{frame} {_uncapped(change.text)}" for frame in change.rules.frames])


FAMILIES: Mapping[str, Family] = {
    "negation": _negation,
    "antonym": _swapped("antonym"),
    "number": _number,
    "modality": _swapped("modality"),
    "quantifier": _swapped("quantifier"),
    "subject": _swapped("subject"),
    "time": _swapped("time"),
    "appended_advice": _appended,
    "truncation": _truncation,
    "cross_case_splice": _splice,
    "homoglyph": _homoglyph,
    "wrong_document": _wrong_document,
    "reported_speech": _reported,
}


def counterfactual(family: str, text: str, *, other: str, rules: Rules, seed: str) -> str | None:
    """``text`` as ``family`` changes it, or None; ``other`` is a sentence of another document."""
    chance = Random(f"{seed}:{family}:{text}")  # noqa: S311  repeatable, not secret
    return FAMILIES[family](Change(text, other, rules, chance))


def _words(text: str) -> list[re.Match[str]]:
    return list(_WORD.finditer(text))


def _says_something(text: str) -> bool:
    return any(letter.isalnum() for letter in text)


def _low(match: re.Match[str]) -> str:
    return match.group().lower().replace("’", "'")


def _put(text: str, match: re.Match[str], new: str) -> str:
    """The text with ``new`` in the match's place, capital for capital."""
    new = _capped(new) if match.group()[:1].isupper() and match.start() == 0 else new
    whole = text[: match.start()] + new + text[match.end() :]
    return _SPACES.sub(" ", whole).strip() if not new else whole


def _capped(text: str) -> str:
    return text[:1].upper() + text[1:]


def _uncapped(text: str) -> str:
    """A small first letter, but for ``I`` and for words in capitals."""
    first = text.split(maxsplit=1)[0] if text else ""
    return text if first == "I" or first[:2].isupper() else text[:1].lower() + text[1:]
