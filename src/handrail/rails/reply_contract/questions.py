"""How many things a text asks: by marks, by words that ask without one, and two in one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from handrail.domain.text import Span
from handrail.ports import PatternEngine
from handrail.rails.reply_contract.lexicon import Lexicon
from handrail.rails.reply_contract.sentences import Sentence
from handrail.rails.reply_contract.terms import Breach, Terms


class Questions:
    """Counts in one language."""

    def __init__(self, lexicon: Lexicon, engine: PatternEngine) -> None:
        self._unmarked = engine.compile(lexicon.questions)
        self._joined = engine.compile(lexicon.joined)

    def beyond(
        self, said: Sequence[Sentence], text: str, asks: Sequence[Span], terms: Terms
    ) -> Iterator[Breach]:
        """What is asked beyond the number; ``asks`` are phrases that ask without a mark."""
        marked = [each for each in said if each.asks]
        found = [Span(each.start, each.end) for each in marked]
        found += [each for each in asks if not _within(each, marked)]
        found += [Span(each.start, each.end) for each in said if self._asks(each, text)]
        if not terms.compound:
            found += [span for each in marked for span in self._more(each, text)]
        for span in sorted(set(found))[terms.questions :]:
            yield Breach("too-many-questions", span.start, span.end)

    def _asks(self, sentence: Sentence, text: str) -> bool:
        plain = text[sentence.start : sentence.end].strip(' “«"').lower()
        return not sentence.asks and any(hit.start == 0 for hit in self._unmarked.scan(plain))

    def _more(self, sentence: Sentence, text: str) -> Iterator[Span]:
        for hit in self._joined.scan(text[sentence.start : sentence.end].lower()):
            yield Span(sentence.start + hit.start, sentence.start + hit.end)


def _within(span: Span, sentences: Sequence[Sentence]) -> bool:
    return any(each.start <= span.start < each.end for each in sentences)
