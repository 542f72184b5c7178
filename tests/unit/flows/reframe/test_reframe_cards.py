"""Which knowledge cards lie beside a reply: by phase, by trap, and each in its turn (A27)."""

from __future__ import annotations

from itertools import product

import pytest

from handrail.flows.reframe.cards import SHOWN, Card, CardFile, Cards, packaged_cards
from handrail.flows.reframe.distortions import Distortion
from handrail.flows.reframe.phases import Phase

CARDS = packaged_cards()
LANGUAGES = ("en", "es")
WORKED_IN = [phase for phase in Phase if phase is not Phase.CLOSED]
TURNS = 14 + 3  # messages of the longest session


def ids(cards: tuple[Card, ...]) -> list[str]:
    return [card.id for card in cards]


def general(phase: Phase, language: str = "en") -> list[str]:
    """Cards for any thought in that phase, in the order of the file."""
    fits = (card for card in CARDS.of(language) if phase in card.phases)
    return [card.id for card in fits if not card.distortions]


def test_a27_both_languages_have_the_same_cards_for_the_same_uses() -> None:
    uses = [
        {card.id: (card.kind, card.phases, card.distortions) for card in CARDS.of(language)}
        for language in LANGUAGES
    ]
    assert uses[0] == uses[1]
    assert ids(CARDS.of("en")) == ids(CARDS.of("es"))


def test_a27_every_trap_has_a_card_and_no_card_belongs_to_two() -> None:
    owners = [card.distortions for card in CARDS.of("en") if card.distortions]
    assert sorted(owners) == sorted((trap,) for trap in Distortion)


def test_a27_a_language_without_cards_gets_the_english_ones() -> None:
    assert CARDS.of("fr") == CARDS.of("en")


@pytest.mark.parametrize(("phase", "turn"), [*product(Phase, range(TURNS))])
def test_a27_a_reply_has_few_cards_each_once_and_of_its_phase(phase: Phase, turn: int) -> None:
    for traps in ((), ("labeling",), ("labeling", "mind-reading")):
        found = CARDS.find(phase, traps, turn=turn)
        assert len(found) == min(SHOWN, len(set(found)))
        assert all(phase in card.phases for card in found)
        assert bool(found) == (phase is not Phase.CLOSED)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a27_the_traps_come_first_in_their_order(language: str) -> None:
    for one, two in product(Distortion, Distortion):
        found = ids(CARDS.find(Phase.REFRAME, (one, two), language=language))
        assert found[: 1 + (one is not two)] == list(
            dict.fromkeys([f"distortion-{one.value}", f"distortion-{two.value}"])
        )


def test_a27_a_trap_has_no_card_where_no_trap_is_spoken_of() -> None:
    assert not any(card.distortions for card in CARDS.find(Phase.CLARIFY, ("labeling",)))


def test_a27_at_the_first_turn_ties_fall_to_the_order_of_the_file() -> None:
    for phase in WORKED_IN:
        assert ids(CARDS.find(phase)) == general(phase)[:SHOWN]


@pytest.mark.parametrize("phase", WORKED_IN)
@pytest.mark.parametrize("turn", range(TURNS))
def test_a27_what_a_phase_needs_most_always_stays(phase: Phase, turn: int) -> None:
    assert ids(CARDS.find(phase, turn=turn))[0] == general(phase)[0]
    assert ids(CARDS.find(phase, turn=turn)) == ids(CARDS.find(phase, turn=turn))


@pytest.mark.parametrize("traps", [(), ("labeling",), ("labeling", "mind-reading")])
@pytest.mark.parametrize("phase", WORKED_IN)
def test_a27_every_card_comes_up_within_the_turns_of_a_session(
    phase: Phase, traps: tuple[str, ...]
) -> None:
    seen = {one for turn in range(TURNS) for one in ids(CARDS.find(phase, traps, turn=turn))}
    assert set(general(phase)) <= seen


def test_a27_every_card_can_be_reached() -> None:
    seen = {
        card
        for phase, turn in product(WORKED_IN, range(TURNS))
        for card in ids(CARDS.find(phase, turn=turn))
    }
    seen |= {one for trap in Distortion for one in ids(CARDS.find(Phase.REFRAME, (trap,)))}
    assert seen == set(ids(CARDS.of("en")))


@pytest.mark.parametrize("k", [0, 1, 2, 3, 50])
def test_a27_there_are_never_more_than_asked_for(k: int) -> None:
    for turn in range(TURNS):
        found = CARDS.find(Phase.REFRAME, ("labeling",), k=k, turn=turn)
        assert len(found) == min(k, 1 + len(general(Phase.REFRAME)))
        assert len(set(ids(found))) == len(found)


def test_a27_one_place_goes_round_over_all() -> None:
    seen = [ids(CARDS.find(Phase.WARMUP, k=1, turn=turn))[0] for turn in range(TURNS)]
    assert set(seen) == set(general(Phase.WARMUP))


def test_a27_a_file_with_a_card_twice_is_refused() -> None:
    card = CARDS.of("en")[0].model_dump()
    with pytest.raises(ValueError, match="twice"):
        CardFile(id="x", version="1", language="en", reviewer="r", source="s", cards=[card, card])


def test_a27_cards_are_found_in_whatever_files_there_are() -> None:
    card = CARDS.of("en")[0]
    file = CardFile(id="x", version="1", language="en", reviewer="r", source="s", cards=(card,))
    assert Cards([file]).find(Phase.REFRAME) == ()
    assert Cards([file]).find(Phase.REFRAME, card.distortions, turn=7) == (card,)
