"""What a person says they feel, and the clause in which they say it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from handrail.content import EmotionWord
from handrail.corpus.segment import segment
from handrail.domain.text import Span
from handrail.flows.coach.phrases import Phrases, words

GENERAL = "general"
MAX_FEELINGS = 3
MIN_ECHO_WORDS, MAX_ECHO_CHARS = 4, 110

_NEGATIONS = frozenset(
    (
        *("not", "never", "no", "without", "hardly", "isnt", "dont", "wasnt", "didnt", "arent"),
        *("isn't", "aren't", "wasn't", "don't", "doesn't", "didn't"),
    )
)
_NEGATION_REACH = 3
_REACH = 8  # words of a clause in which the subject of a feeling is looked for
_CLAUSE_MARK = re.compile(r"[.!?;:,\n]")
_OTHERS = frozenset(
    (
        *("he", "she", "they", "he's", "she's", "they're", "his", "their", "hes", "shes"),
        *("husband", "wife", "partner", "boyfriend", "girlfriend", "ex", "mum", "mom", "mother"),
        *("dad", "father", "parents", "son", "daughter", "kids", "child", "children", "brother"),
        *("sister", "boss", "manager", "friend", "friends", "family", "everyone", "people"),
    )
)
_CLAUSE_END = re.compile(r"[,;:–—()\n]+|\s(?=(?:and|but|because|so|then|or)\s)|\.{2,}|…")
_LEAD = re.compile(r"\W*(?:(?:and|but|so|because|then|or|that|which)\s+(?:now\s+|then\s+)?)?", re.I)
_UNSPEAKABLE = re.compile(r"[^\w\s'’\-,]|\d{3,}|_")
_FIRST_PERSON = frozenset(("i", "i'm", "i've", "i'd", "i'll", "me", "my", "im", "ive"))


@dataclass(frozen=True, slots=True)
class Feelings:
    """Named feelings in order of mention, the leading emotion family, and an echo of the message.

    ``echo`` is the span of a short clause of the message, or None when no clause can be quoted.
    """

    words: tuple[EmotionWord, ...]
    family: str
    echo: Span | None
    echo_names_feeling: bool = False

    @property
    def present(self) -> bool:
        """Whether any emotion word or sign was found (C30)."""
        return bool(self.words)

    @property
    def named(self) -> tuple[EmotionWord, ...]:
        """The distinct feelings that the person named, at most three."""
        distinct: dict[str, EmotionWord] = {}
        for word in self.words:
            if word.feeling:
                distinct.setdefault(word.feeling, word)
        return tuple(distinct.values())[:MAX_FEELINGS]


class FeelingReader:
    """Reads feelings by lexicon; a negated word is not a feeling."""

    def __init__(self, lexicon: Sequence[EmotionWord]) -> None:
        self._phrases = Phrases((form, word) for word in lexicon for form in word.forms)

    def read(self, message: str, *, avoid: Sequence[Span] = ()) -> Feelings:
        """Feelings of ``message``; the echo never touches a span in ``avoid``."""
        spoken = words(message)
        found = [
            (word, span)
            for word, span, at in self._phrases.longest(message)
            if _is_their_own(_before(message, spoken, at))
        ]
        families = Counter(word.family for word, _ in found)
        family = families.most_common(1)[0][0] if families else GENERAL
        clauses = [c for c in _clauses(message) if not any(_touch(c, span) for span in avoid)]
        echo = _best_clause(message, clauses, [span for _, span in found])
        return Feelings(
            words=tuple(word for word, _ in found),
            family=family,
            echo=echo,
            echo_names_feeling=echo is not None and any(_touch(echo, span) for _, span in found),
        )


def _before(message: str, spoken: Sequence[tuple[str, Span]], at: int) -> list[str]:
    """The words before word ``at`` in its own clause, nearest first."""
    found: list[str] = []
    edge = spoken[at][1].start
    for word, span in reversed(spoken[max(0, at - _REACH) : at]):
        if _CLAUSE_MARK.search(message, span.end, edge):
            break
        found.append(word)
        edge = span.start
    return found


def _is_their_own(before: Sequence[str]) -> bool:
    """Whether a feeling after these words is the writer's, and not denied."""
    if _NEGATIONS & set(before[:_NEGATION_REACH]):
        return False
    subject = next((word for word in before if word in _FIRST_PERSON or word in _OTHERS), "i")
    return subject in _FIRST_PERSON


def _touch(a: Span, b: Span) -> bool:
    return a.start < b.end and b.start < a.end


def _clauses(message: str) -> list[Span]:
    """Whole sentences where short enough, else their clauses; trimmed of outer marks."""
    spans: list[Span] = []
    for sentence in segment(message[:4000]):
        if sentence.of(message).rstrip().endswith("?"):
            continue
        spans.append(_trim(message, sentence))
        if len(spans[-1].of(message)) > MAX_ECHO_CHARS or _UNSPEAKABLE.search(
            spans[-1].of(message)
        ):
            spans.pop()
            spans += _split(message, sentence)
    return [span for span in spans if _speakable(span.of(message))]


def _split(message: str, sentence: Span) -> list[Span]:
    at = sentence.start
    spans = []
    for match in _CLAUSE_END.finditer(message, sentence.start, sentence.end):
        spans.append(_trim(message, Span(at, match.start())))
        at = match.end()
    return [*spans, _trim(message, Span(at, sentence.end))]


def _trim(message: str, span: Span) -> Span:
    """Without outer marks and leading conjunctions."""
    start, end = span.start, span.end
    if lead := _LEAD.match(message, start, end):
        start = lead.end()
    while start < end and not message[start].isalnum():
        start += 1
    while end > start and not message[end - 1].isalnum():
        end -= 1
    return Span(start, end)


def _speakable(text: str) -> bool:
    spoken = text.split()
    return (
        len(spoken) >= MIN_ECHO_WORDS
        and len(text) <= MAX_ECHO_CHARS
        and not _UNSPEAKABLE.search(text)
        and bool(_FIRST_PERSON & {word.casefold().replace("’", "'") for word in spoken})
    )


def _best_clause(message: str, clauses: Sequence[Span], feelings: Sequence[Span]) -> Span | None:
    """A clause that names a feeling, else the longest; the earlier one where they tie."""
    if not clauses:
        return None

    def weight(clause: Span) -> tuple[int, int, int]:
        felt = sum(_touch(clause, span) for span in feelings)
        return (min(felt, 1), len(clause.of(message).split()), -clause.start)

    return max(clauses, key=weight)
