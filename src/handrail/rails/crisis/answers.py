"""What somebody answers to a direct question: yes, no, neither, or something else.

An answer stands at the start of a clause. Doubt is always `Answer.UNSURE`, never a no: "no, but …",
"not right now" and "yes and no" are unsure, and so is a refusal to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from itertools import product

from pydantic import BaseModel, ConfigDict

from handrail.content.loader import ROOT, load
from handrail.errors import ContentInvalid
from handrail.rails.crisis.folding import fold
from handrail.rails.crisis.spelling import undouble

_FILES = "conversation/answers.*.yaml"
_SENTENCE = re.compile(r"[.!?\n]+")
_CLAUSE = re.compile(r"[,;:()\"]+")
_WORD = re.compile(r"[^\W_]+")
_CHOICE = re.compile(r"\(([^()]*)\)")
_OPENING = 2  # sentences in which a phrase may begin a longer clause and still be the answer


class Answer(StrEnum):
    """What a reply says to the question before it."""

    YES = "yes"
    NO = "no"
    UNSURE = "unsure"
    NONE = "none"  # it does not answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """An answer, and what it rests on.

    ``denied`` when a plain no was said at all; ``qualified`` when that no is unsure only for a
    "but" or "for now" beside it; ``whole`` when the sentence of the answer says nothing else;
    ``soft`` when it is only what leaves an earlier no as it is.
    """

    answer: Answer = Answer.NONE
    denied: bool = False
    qualified: bool = False
    whole: bool = False
    soft: bool = False


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class GroupModel(_Strict):
    """Ways to give one answer.

    An ``alone`` phrase must be a whole clause; a ``soft`` one leaves a plain no as it is.
    """

    id: str
    review: str
    answer: Answer
    say: str
    alone: bool = False
    soft: bool = False


class AnswersModel(_Strict):
    """One language's file."""

    id: str
    version: str
    language: str
    reviewer: str
    fillers: tuple[str, ...]
    contradictions: tuple[str, ...]
    harmless: tuple[str, ...]
    groups: tuple[GroupModel, ...]


Words = tuple[str, ...]


class _Table:
    """Phrases by their words; the longest that begins at a place wins. Linear in the text."""

    def __init__(self, phrases: Mapping[Words, GroupModel | None]) -> None:
        self._phrases = phrases
        self._longest: dict[str, int] = {}  # phrase, in words, by first word
        for words in phrases:
            self._longest[words[0]] = max(len(words), self._longest.get(words[0], 0))

    def match(self, words: Sequence[str], at: int) -> tuple[int, GroupModel | None]:
        """How many words the longest phrase at a place has, and its group; 0 without one."""
        longest = self._longest.get(words[at], 0) if at < len(words) else 0
        for length in range(min(longest, len(words) - at), 0, -1):
            phrase = tuple(words[at : at + length])
            if phrase not in self._phrases:
                continue
            group = self._phrases[phrase]
            if not (group and group.alone and at + length < len(words)):
                return length, group
        return 0, None


class Answers:
    """The answers of one language."""

    def __init__(self, model: AnswersModel) -> None:
        self.language = model.language
        self._fillers = _table(model.fillers)
        self._contradictions = _table(model.contradictions)
        self._harmless = _table(model.harmless)
        self._answers = _Table(
            {
                words: group
                for group in model.groups
                for line in group.say.strip().splitlines()
                for words in _expanded(line)
            }
        )

    def read(self, text: str) -> Reading:
        """The answer in a reply; what comes later may unsettle a no, never make one."""
        reading = Reading()
        for number, clauses in enumerate(_sentences(text)):
            reading = _after(reading, self._sentence(clauses, opening=number < _OPENING))
            if reading.answer is Answer.NO and self._takes_back(clauses):
                reading = Reading(answer=Answer.UNSURE, denied=True, qualified=True)
        return reading

    def _sentence(self, clauses: Sequence[Words], *, opening: bool) -> Reading:
        said = [found for words in clauses if (found := self._answer(words, opening=opening))]
        whole = len(said) == len(clauses) and all(alone for _, alone in said)
        reading = Reading()
        for group, _ in said:
            if not (group.soft and reading.answer is Answer.NO):
                reading = _joined(reading, group.answer)
        soft = bool(said) and all(group.soft for group, _ in said)
        return replace(reading, whole=whole, soft=soft)

    def _answer(self, words: Words, *, opening: bool) -> tuple[GroupModel, bool] | None:
        """The answer that a clause begins with, and whether it is all of the clause."""
        at = 0
        while True:
            length, group = self._answers.match(words, at)
            alone = at + length == len(words)
            if group and (opening or alone):
                return group, alone
            length, _ = self._fillers.match(words, at)
            if not length:
                return None
            at += length

    def _takes_back(self, clauses: Sequence[Words]) -> bool:
        """Whether a sentence contradicts the no in it, or begins by contradicting one before."""
        if any(self._answer(words, opening=True) for words in clauses):
            return any(map(self._contradicts, clauses))
        return bool(self._contradictions.match(clauses[0], 0)[0])

    def _contradicts(self, words: Words) -> bool:
        at = 0
        while at < len(words):
            harmless, _ = self._harmless.match(words, at)
            if not harmless and self._contradictions.match(words, at)[0]:
                return True
            at += harmless or 1
        return False


def read_answer(text: str, language: str | None = None) -> Answer:
    """What a reply to a direct question says, in ``language`` or in any that is packaged."""
    return read_reply(text, language).answer


def read_reply(text: str, language: str | None = None) -> Reading:
    """`read_answer` with what it rests on; languages that disagree are unsure."""
    books = packaged_answers()
    chosen = [books[language]] if language and language in books else list(books.values())
    readings = [found for book in chosen if (found := book.read(text)).answer is not Answer.NONE]
    if not readings:
        return Reading()
    answers = {found.answer for found in readings}
    qualified = [found.qualified for found in readings if found.answer is not Answer.NO]
    return Reading(
        answer=answers.pop() if len(answers) == 1 else Answer.UNSURE,
        denied=any(found.denied for found in readings),
        qualified=bool(qualified) and all(qualified),
        whole=all(found.whole for found in readings),
    )


@cache
def packaged_answers() -> Mapping[str, Answers]:
    """The answers of every packaged language, by language; raises `ContentInvalid`."""
    names = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob(_FILES))
    books = [Answers(load(name, AnswersModel)) for name in names]
    if not books:
        raise ContentInvalid(f"no content file matches {_FILES!r}; answers cannot be read.")
    return {book.language: book for book in books}


def _joined(reading: Reading, answer: Answer) -> Reading:
    """One more answer: two that differ are unsure, but a yes outlives doubt."""
    denied = reading.denied or answer is Answer.NO
    both = {reading.answer, answer} - {Answer.NONE}
    if len(both) == 1:
        return replace(reading, answer=both.pop(), denied=denied)
    joint = Answer.YES if both == {Answer.YES, Answer.UNSURE} else Answer.UNSURE
    return Reading(answer=joint, denied=denied)


def _after(before: Reading, later: Reading) -> Reading:
    """A later sentence never makes a doubt a no, and takes back only a yes that went on.

    "Yes. No, I have no plan" stays a yes; "Yeah, thanks for asking. No, I don't" is unsure.
    """
    if Answer.NONE in (before.answer, later.answer):
        return later if before.answer is Answer.NONE else before
    if before.answer is Answer.NO and later.soft:
        return before
    if before.answer is Answer.YES and later.answer is Answer.NO and not before.whole:
        return Reading(answer=Answer.UNSURE)
    if Answer.YES in (before.answer, later.answer) and not before.denied:
        return Reading(answer=Answer.YES, whole=True)
    return _joined(before, later.answer)


def _sentences(text: str) -> Iterator[Sequence[Words]]:
    folded = fold(text)[0].replace("'", "")
    for sentence in _SENTENCE.split(folded):
        clauses = [tuple(_words(clause)) for clause in _CLAUSE.split(sentence)]
        if any(clauses):
            yield [clause for clause in clauses if clause]


def _words(text: str) -> Iterator[str]:
    yield from _WORD.findall(undouble(text))


def _table(lines: Sequence[str]) -> _Table:
    spoken = (one for line in lines for part in _parts(line) for one in _expanded(part))
    return _Table(dict.fromkeys(spoken))


def _parts(line: str) -> list[str]:
    """The alternatives of a line, split where a bar stands outside of brackets."""
    shielded = _CHOICE.sub(lambda choice: choice[0].replace("|", "\0"), line)
    return [part.replace("\0", "|") for part in shielded.split("|")]


def _expanded(line: str) -> Iterator[Words]:
    """Every phrase that a line with choices stands for, as folded words."""
    if set("()") & set(_CHOICE.sub("", line)):
        raise ContentInvalid(f"choices in answers do not nest, and brackets pair: {line!r}")
    pieces = [piece.split("|") for piece in _CHOICE.split(line)]
    for chosen in product(*pieces):
        if words := tuple(_words(fold(" ".join(chosen))[0].replace("'", ""))):
            yield words
