"""The screens take any text, say the same twice, and are not fooled by its dress."""

from __future__ import annotations

from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from handrail.adapters.re2 import Re2Engine
from handrail.content import load
from handrail.domain.text import Case, Span, canonical
from handrail.rails import denylist
from handrail.rails.denylist import Denylist, DenylistFile
from handrail.rails.quotability import Quotability

BAD = [line for item in load(denylist.FILE, DenylistFile).items for line in item.catches]
TEXTS = st.text(st.characters(codec="utf-8"), max_size=300)


@cache
def denied() -> Denylist:
    return Denylist.packaged(Re2Engine())


@cache
def rules() -> Quotability:
    return Quotability.packaged(Re2Engine())


@given(st.sampled_from(BAD), st.sampled_from(["upper", "curly", "spaces", "lines", "quoted"]))
def test_c24_dress_hides_nothing(line: str, dress: str) -> None:
    dressed = {
        "upper": line.upper(),
        "curly": line.replace("'", "’"),
        "spaces": line.replace(" ", " \t  "),
        "lines": line.replace(" ", "\n"),
        "quoted": f"“{line}”",
    }[dress]
    assert denied().hits(line)
    assert denied().hits(dressed)


@given(st.lists(TEXTS.map(canonical).filter(bool), min_size=1, max_size=4), TEXTS)
def test_c57_any_text_gets_an_answer_and_the_same_one_twice(
    sentences: list[str], message: str
) -> None:
    spans, at = [], 0
    for sentence in sentences:
        spans.append(Span(at, at + len(sentence)))
        at += len(sentence) + 1
    answer = Case(id="c", context="", response="\n".join(sentences), sentences=tuple(spans))
    first = [rules().fault(answer, n, message=message) for n in range(len(spans))]
    assert first == [rules().fault(answer, n, message=message) for n in range(len(spans))]
    for sentence in sentences:
        assert denied().hits(sentence) == denied().hits(sentence)


@given(st.sampled_from(BAD), st.integers(0, 40))
def test_c57_a_letter_of_another_alphabet_or_an_invisible_one_makes_it_unquotable(
    line: str, place: int
) -> None:
    """A screen that reads Latin letters must not be asked about others."""
    place = min(place, len(line))
    for odd in ("\u0430", "\u200b", "\u00ad", "\u202e", "\u0301"):
        text = line[:place] + odd + line[place:]
        answer = Case(id="c", context="", response=text, sentences=(Span(0, len(text)),))
        assert rules().fault(answer, 0, message="") is not None
