"""One claim against one sentence: None for a restatement, else the reason why it is none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from handrail.rails.agreement.words import Tokens, WordLists, load_words

MAX_CLAIM_CHARS = 2_000  # longer than any sentence; a claim beyond it is no sentence

_MARKS = frozenset("’‘“”–—…§€£ \n")  # beside ASCII: what a typesetter puts in
_ASCII = frozenset(map(chr, range(0x20, 0x7F)))


@dataclass(frozen=True, slots=True)
class Agreement:
    """Compares by closed lists; linear for what agrees, and deterministic."""

    words: WordLists

    @classmethod
    def packaged(cls, language: str = "en") -> Agreement:
        """The lists that ship with the package; raises `ContentInvalid` when they are broken."""
        return cls(load_words(language))

    def fault(self, claim: str, source: str) -> str | None:
        """Why ``claim`` does not say again what the sentence ``source`` says, or None.

        The reasons: too-long, empty, odd-letters; opposite, number, name and the kinds of the word
        lists; appended, cut-short, added, left-out, other-words.
        """
        if len(claim) > MAX_CLAIM_CHARS:
            return "too-long"
        if not _ASCII.union(_MARKS, self.words.letters, source).issuperset(claim):
            return "odd-letters"
        said, meant = self.words.tokens(claim), self.words.tokens(source)
        if not said or not meant:
            return "empty"
        if self._restates(said, meant):
            return None
        if said[0] != meant[0]:
            said = self.words.without_opener(said, self.words.addable_tokens)
            meant = self.words.without_opener(meant, self.words.droppable_tokens)
        return self._reason(claim, said, meant)

    def _restates(self, said: Tokens, meant: Tokens) -> bool:
        """Whether some permitted opening of the one is, word for word, the other."""
        lists = self.words
        shorter = lists.without_opener(said, lists.addable_tokens)
        bare = lists.without_opener(meant, lists.droppable_tokens)
        return any(self._same(s, m) for s in {said, shorter} for m in {meant, bare})

    def _same(self, said: Tokens, meant: Tokens) -> bool:
        """Equal, but for intensifiers that went."""
        droppable = frozenset() if self._negated(meant) else self.words.intensifiers
        at = 0
        for token in meant:
            if at < len(said) and said[at] == token:
                at += 1
            elif token not in droppable:
                return False
        return at == len(said)

    def _negated(self, tokens: Tokens) -> bool:
        return not self.words.polarity.isdisjoint(tokens)

    def _reason(self, claim: str, said: Tokens, meant: Tokens) -> str:
        """What the difference is called."""
        edits = list(_edits(said, meant))
        gone = frozenset(token for edit in edits for token in edit.gone)
        new = frozenset(token for edit in edits for token in edit.new)
        if any(_swapped(pair.words, gone, new) for pair in self.words.opposites):
            return "opposite"
        shape = edits[0].shape(len(meant)) if len(edits) == 1 else "other-words"
        return self._called(shape, gone | new, _names(claim))

    def _called(self, shape: str, changed: frozenset[str], names: frozenset[str]) -> str:
        """The name of a difference: its place where that tells most, else its kind of word."""
        kinds = [kind.id for kind in self.words.kinds if not changed.isdisjoint(kind.words)]
        if shape in ("appended", "cut-short") and len(changed) > 1:
            return shape
        if kinds:
            return kinds[0]
        if any(token[-1].isdigit() for token in changed):
            return "number"
        return "name" if names & changed else shape


@dataclass(frozen=True, slots=True)
class _Edit:
    """Tokens of the source that went, at ``place``, and those that came instead."""

    gone: Tokens
    new: Tokens
    place: int

    def shape(self, length: int) -> str:
        last = self.place + len(self.gone) == length
        if self.gone and self.new:
            return "other-words"
        if self.new:
            return "appended" if last else "added"
        return "cut-short" if last else "left-out"


def _edits(said: Tokens, meant: Tokens) -> Iterator[_Edit]:
    matcher = SequenceMatcher(None, meant, said, autojunk=False)
    for tag, i, j, k, n in matcher.get_opcodes():
        if tag != "equal":
            yield _Edit(meant[i:j], said[k:n], i)


def _swapped(pair: Tokens, gone: frozenset[str], new: frozenset[str]) -> bool:
    return any(word in gone and other in new for word in pair for other in pair if word != other)


def _names(claim: str) -> frozenset[str]:
    """Capitalised words after the first, in lower case."""
    words = (word.strip(".,;:!?()\"'") for word in claim.split()[1:])
    return frozenset(word.casefold() for word in words if word[:1].isupper())
