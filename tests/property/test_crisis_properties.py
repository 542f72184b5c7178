"""Whatever is written: the screen answers, points inside the text, and is not talked down."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.adapters.re2 import Re2Engine
from handrail.domain.risk import Level
from handrail.rails.crisis import CrisisScreen, load_screen

DANGERS = (
    "I want to kill myself",
    "I don't want to live anymore",
    "my husband beats me",
    "I've been cutting again",
    "the voices tell me to kill myself",
    "everyone would be better off without me",
    "ya no quiero vivir",
    "quiero matar a mi jefe",
    "soy una carga para mi familia",
    "mi hija dice que se quiere morir",
)
UNRELATED = (
    "The weather was nice",
    "We had soup for dinner",
    "No problem with the car",
    "He is not my doctor",
    "I never liked tea",
    "I am writing a novel about bees",
    "My homework is done",
    "El gato duerme",
    "No tengo hambre",
)
PIECES = st.sampled_from(
    (
        *DANGERS,
        *UNRELATED,
        "not",
        "no",
        "never",
        "I",
        "she said",
        '"',
        ". ",
        ", ",
        "? ",
        "\n",
        "and ",
    )
)


@pytest.fixture(scope="module")
def screen() -> CrisisScreen:
    return load_screen(Re2Engine())


anything = st.one_of(
    st.text(),
    st.text(st.characters(categories=["Cs", "Cf", "Mn", "So", "Ll", "Zs", "Cc"])),
    st.lists(PIECES).map(" ".join),
)


@given(said=anything)
def test_any_text_has_a_verdict_and_its_spans_lie_inside(screen: CrisisScreen, said: str) -> None:
    risk = screen.check(said)
    for found in (*risk.signals, *risk.dismissed):
        assert 0 <= found.span.start < found.span.end <= len(said)
    assert risk.level == max((signal.level for signal in risk.signals), default=Level.NONE)


@given(said=anything)
def test_the_same_text_has_the_same_verdict(screen: CrisisScreen, said: str) -> None:
    assert screen.check(said) == screen.check(said)


@given(danger=st.sampled_from(DANGERS), after=st.sampled_from(UNRELATED))
def test_an_unrelated_sentence_behind_never_lowers(
    screen: CrisisScreen, danger: str, after: str
) -> None:
    assert screen.check(f"{danger}. {after}.").level >= screen.check(danger).level


@given(danger=st.sampled_from(DANGERS), before=st.sampled_from(UNRELATED))
def test_c70_a_negation_in_another_clause_never_lowers(
    screen: CrisisScreen, danger: str, before: str
) -> None:
    """C70."""
    alone = screen.check(danger).level
    for joint in (". ", ", ", " but ", "; ", "\n\n"):
        assert screen.check(f"{before}{joint}{danger}").level >= alone


@given(
    danger=st.sampled_from(DANGERS),
    changes=st.lists(st.booleans(), min_size=80, max_size=80),
    hidden=st.sampled_from(["", "\u200b", "\u00ad", "\u2060", "\ufeff"]),
    apostrophe=st.sampled_from(["'", "’", "ʼ", ""]),
)
def test_case_apostrophes_and_hidden_signs_change_nothing(
    screen: CrisisScreen, danger: str, changes: list[bool], hidden: str, apostrophe: str
) -> None:
    said = "".join(
        (c.upper() if up else c) + (hidden if up else "")
        for c, up in zip(danger.replace("'", apostrophe), changes, strict=False)
    )
    assert screen.check(said).level == screen.check(danger).level
