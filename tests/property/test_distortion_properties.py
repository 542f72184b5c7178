"""Whatever is typed, the reader of thinking traps answers, in bounds and always alike."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.adapters.re2 import Re2Engine
from handrail.flows.reframe.distortions import Distortion, DistortionReader
from handrail.flows.reframe.distortions.lexicon import load_models

_SAID = [cue.example for model in load_models() for cue in model.cues]
TEXTS = st.one_of(
    st.text(),
    st.lists(st.sampled_from([*_SAID, ", ", "\n", "…", "¿", "😂", "not ", "no "])).map(" ".join),
)
LANGUAGES = st.sampled_from(["en", "es", "es-AR", "EN_us", "de", "", "-"])


@pytest.fixture(scope="module")
def reader() -> DistortionReader:
    return DistortionReader.packaged(Re2Engine())


@given(text=TEXTS, language=LANGUAGES, context=TEXTS)
def test_a_reading_keeps_its_bounds(
    reader: DistortionReader, text: str, language: str, context: str
) -> None:
    found = reader.read(text, language, context=context)
    assert len(found) <= len(Distortion)
    assert len({each.distortion for each in found}) == len(found)
    assert sum(each.named for each in found) == min(2, len(found))
    for each in found:
        assert each.cues
        assert 0.5 <= each.score.value <= 1
        assert all(0 <= cue.span.start < cue.span.end <= len(text) for cue in each.cues)


@given(text=TEXTS, language=LANGUAGES)
def test_the_order_is_by_score_and_then_by_trap(
    reader: DistortionReader, text: str, language: str
) -> None:
    order = list(Distortion)
    ranks = [
        (-each.score.value, order.index(each.distortion)) for each in reader.read(text, language)
    ]
    assert all(one < other for one, other in pairwise(ranks))


@given(text=TEXTS, before=TEXTS, language=LANGUAGES)
def test_what_was_read_before_changes_nothing(
    reader: DistortionReader, text: str, before: str, language: str
) -> None:
    first = reader.read(text, language)
    reader.read(before, language)
    assert reader.read(text, language) == first
