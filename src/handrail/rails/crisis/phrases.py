"""The small language in which lexicons are written, and its way to RE2 syntax.

A phrase is words in ordinary spelling. ``kill*`` is any word that begins so; ``{die}`` is a concept
of the same file; ``(a b|c)`` is a choice; a trailing ``?`` makes an item optional, a trailing ``~``
lets it come any number of times or not at all; ``...`` stands for up to three words of the same
clause and ``..5`` for up to five. A short gap never passes over a barrier, one of the words of the
language that would turn its meaning round ("not"). Each line is a phrase of its own; one that
begins with ``#`` is a remark to the editor.

Reading a lexicon finds only the trigger words of each phrase. Its pattern is written out when a
message first holds one of them, so that starting up never pays for thousands of patterns.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from handrail.errors import ContentInvalid
from handrail.rails.crisis.folding import fold_lexicon
from handrail.rails.crisis.spelling import undouble, undoubled

_SIGN = re.compile(r"\{\w+\}|[^\W_]+\*?|\.\.\.|\.\.\d{1,2}|[(|)?~]")
_BLOCK = re.compile(rf"\([^(){{}}?~.]++\)|{_SIGN.pattern}")  # a choice of plain words is one block
_EMPTY = ("()", "(|", "||", "|)")
_WORDS = re.compile(r"[^\W_]+\*?")
_GAP = 3
_WIDE_GAP = 7  # a gap so wide spans more than one predicate; barriers do not bind it
_NO_COST = 1 << 60
_COMMON_COST = 1000  # a common word is a poor trigger, the poorer the shorter it is

_LETTER = r"[^ ,.?\n]"
_PASSED = r"[^ ,.?\n_]"  # no normal text holds "_" but in a marked barrier
_JOINT = r"[ ,\n]?"  # two words have one separator between them; "." and "?" end a sentence
_WORD_END = r"\b" + _JOINT
_STEM_END = _LETTER + "*" + _JOINT
_MARKS = {"(": "(?:", ")": ")", "|": "|", "?": "?", "~": "*"}
_MAYBE = ("?", "~")


def folded(text: str) -> str:
    """Lexicon text in the normal form of messages, but for doubled letters."""
    return fold_lexicon(text).replace("'", "")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A way to say something: every match of it holds at least one word of ``triggers``.

    Triggers are as written, with doubled letters; a trigger with a final star is a stem.
    """

    text: str
    triggers: frozenset[str]
    book: Book = field(repr=False, compare=False)
    tight: bool = False  # its words stand side by side, with no comma or line end between them

    @property
    def pattern(self) -> str:
        """The phrase in RE2 syntax; a match may end with the separator behind its last word."""
        source = self.book.pattern(self.text)
        return rf"\b(?:{source.replace(_JOINT, ' ?') if self.tight else source})"

    def required(self) -> tuple[frozenset[str], ...]:
        """Sets of words and stems in normal form; every match holds at least one of each set."""
        return self.book.required(self.text)


class Book:
    """The concepts of one lexicon; raises `ContentInvalid` for a phrase that cannot be read.

    ``variants`` are other spellings of a word; wherever a phrase says the word it says them too.
    ``barriers`` are words that a short gap does not pass over; `guarded` marks them for patterns.
    """

    def __init__(
        self,
        concepts: Mapping[str, str],
        common: frozenset[str],
        where: str,
        variants: Mapping[str, str] | None = None,
        barriers: str = "",
    ) -> None:
        self.barriers = frozenset(map(undouble, folded(barriers).split()))
        self._barrier = re.compile(rf"\b(?:{'|'.join(sorted(self.barriers))})\b")
        self._where = where
        self._common = common
        spelt = {folded(word): folded(also).split() for word, also in (variants or {}).items()}
        self._variants = {word: (word, *also) for word, also in spelt.items()}
        self._written_so = {
            undouble(word): f"(?:{'|'.join(map(self._mark, map(undouble, every)))})"
            for word, every in self._variants.items()
        }
        self._texts = {folded(name): folded(text) for name, text in concepts.items()}
        self._triggers: dict[str, frozenset[str]] = {}
        self._patterns: dict[str, str] = {}
        self._under_way: set[str] = set()
        self.words = {word for text in self._texts.values() for word in _WORDS.findall(text)}
        self.words.update(*self._variants.values())
        for name in self._texts:
            self.triggers(name)

    def phrases(self, name: str, text: str, *, tight: bool = False) -> tuple[Phrase, ...]:
        """The phrases of ``text``, one a line, checked; ``name`` is named by the error."""
        spoken = (line for line in text.split("\n") if not line.lstrip().startswith("#"))
        text = folded("\n".join(spoken))
        self.words.update(_WORDS.findall(text))
        lines = filter(None, map(str.strip, text.split("\n")))
        return tuple(
            Phrase(line, self._varied(self._read(name, line)), self, tight) for line in lines
        )

    def pattern(self, text: str) -> str:
        """A checked phrase text in RE2 syntax."""
        signs = [*_SIGN.findall(text), ""]
        signs = [sign if sign[:1] == "{" else undouble(sign) for sign in signs]
        return "".join(map(self._written, signs, signs[1:]))

    def required(self, text: str) -> tuple[frozenset[str], ...]:
        """The words a checked phrase needs, rarest first; a final star marks a stem."""
        every = _Every(self._common)
        self._called_by(_BLOCK.findall(text), every)
        firm = sorted(every.needed(), key=lambda words: _cost(words, self._common))
        return tuple(frozenset(undoubled(self._varied(words)).values()) for words in firm)

    def triggers(self, concept: str) -> frozenset[str]:
        """Words of which every match of the concept holds at least one."""
        if concept not in self._triggers:
            if concept not in self._texts or concept in self._under_way:
                raise self._broken(concept, "is not a concept, or means itself")
            self._under_way.add(concept)
            self._triggers[concept] = self._read(concept, self._texts[concept])
        return self._triggers[concept]

    def _written(self, sign: str, following: str) -> str:
        if sign in _MARKS:
            return _MARKS[sign]
        if sign[0] == "{":
            return f"(?:{self._concept(sign[1:-1])})"
        if sign[0] == ".":
            letter = _PASSED if self.barriers and _gap(sign) < _WIDE_GAP else _LETTER
            return f"(?:{letter}+[ \\n]){{0,{_gap(sign)}}}"
        spelt = self._written_so.get(sign) or self._mark(sign)
        word = sign[:-1] + _STEM_END if sign[-1] == "*" else spelt + _WORD_END
        return f"(?:{word})" if following in _MAYBE else word

    def _varied(self, words: Collection[str]) -> frozenset[str]:
        """The words and their other spellings, barriers as they are marked."""
        every = frozenset(words).union(*(self._variants.get(word, ()) for word in words))
        return frozenset(map(self._mark, every)) if self.barriers else every

    def _mark(self, word: str) -> str:
        return f"_{word[1:]}" if self.barriers and undouble(word) in self.barriers else word

    def guarded(self, text: str) -> str:
        """A normal text with each barrier marked and as long as before, as the patterns say it."""
        return self._barrier.sub(_hidden, text)

    def _concept(self, name: str) -> str:
        if name not in self._patterns:
            self._patterns[name] = self.pattern(self._texts[name])
        return self._patterns[name]

    def _read(self, name: str, text: str) -> frozenset[str]:
        """The triggers of a phrase that is checked to be readable."""
        blocks = _BLOCK.findall(text)
        plain = _unspaced(text)
        if _unspaced("".join(blocks)) != plain or any(empty in plain for empty in _EMPTY):
            raise self._broken(name, f"has an empty part, or signs that no phrase has: {text!r}")
        try:
            return self._called_by(blocks, _Choice(self._common))
        except (IndexError, ValueError):
            raise self._broken(name, f"has stray brackets or nothing firm: {text!r}") from None

    def _called_by(self, blocks: Sequence[str], whole: _Choice) -> frozenset[str]:
        """The triggers of a phrase: of each alternative, its item that messages hold least often.

        Raises `ValueError` for an alternative without any firm item, `IndexError` for brackets
        that do not pair.
        """
        choices = [whole]
        for block, following in zip(blocks, [*blocks[1:], ""], strict=True):
            firm = following not in _MAYBE
            if block == "|":
                choices[-1].close_alternative()
            elif block == "(":
                choices.append(_Choice(self._common))
            elif block == ")":
                inner = choices.pop().closed()
                if firm:
                    choices[-1].take(inner)
            elif block[0] == "{":
                inner = self.triggers(block[1:-1])
                if firm:
                    choices[-1].take(inner)
            elif firm and block[0] not in "?~.":
                choices[-1].take_plain(block)
        (whole,) = choices
        return whole.closed()

    def _broken(self, name: str, how: str) -> ContentInvalid:
        return ContentInvalid(f"{self._where}: {name} {how}.")


class _Choice:
    """Alternatives being read: the best triggers of the present one, and those of the others."""

    __slots__ = ("_all", "_best", "_common", "_cost")
    _GOOD_ENOUGH = 1  # nothing is rarer than one uncommon word

    def __init__(self, common: frozenset[str]) -> None:
        self._common = common
        self._all: set[str] = set()
        self._best: Collection[str] = ()
        self._cost = _NO_COST

    def take_plain(self, block: str) -> None:
        """Weigh a word, or a choice of plain words, as trigger of the present alternative."""
        if self._cost <= self._GOOD_ENOUGH:
            return
        if block[0] != "(":
            self.take((block,))
        elif " " not in block:
            self.take(block[1:-1].split("|"))
        else:
            self.take({self._rarest(alternative) for alternative in block[1:-1].split("|")})

    def take(self, triggers: Collection[str]) -> None:
        """Weigh firm words, of which one is there, as trigger of the present alternative."""
        cost = _cost(triggers, self._common)
        if cost < self._cost:
            self._best, self._cost = triggers, cost

    def close_alternative(self) -> None:
        """End the present alternative; raises `ValueError` when nothing in it is firm."""
        if self._cost == _NO_COST:
            raise ValueError
        self._all.update(self._best)
        self._cost = _NO_COST

    def closed(self) -> frozenset[str]:
        """The triggers of the whole choice."""
        self.close_alternative()
        return frozenset(self._all)

    def _rarest(self, alternative: str) -> str:
        return min(alternative.split(), key=lambda word: _cost((word,), self._common))


class _Every(_Choice):
    """A phrase of which every firm item counts."""

    __slots__ = ("_alternatives", "_items")
    _GOOD_ENOUGH = 0

    def __init__(self, common: frozenset[str]) -> None:
        super().__init__(common)
        self._alternatives = 0
        self._items: list[Collection[str]] = []

    def take(self, triggers: Collection[str]) -> None:
        self._items.append(triggers)
        super().take(triggers)

    def close_alternative(self) -> None:
        self._alternatives += 1
        super().close_alternative()

    def needed(self) -> Sequence[Collection[str]]:
        """One set of words an item; none where the phrase has alternatives of its own."""
        return self._items if self._alternatives == 1 else ()


def _hidden(word: re.Match[str]) -> str:
    return f"_{word[0][1:]}"


def _cost(words: Collection[str], common: frozenset[str]) -> int:
    """How often a message is likely to hold one of the words."""
    return len(words) + sum(_COMMON_COST // len(word) for word in common.intersection(words))


def _unspaced(text: str) -> str:
    return text.replace(" ", "").replace("\t", "")


def _gap(sign: str) -> int:
    return _GAP if sign == "..." else int(sign[2:])
