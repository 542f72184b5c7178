"""One ranking out of four: fused ranks, the seed's sum, reserved slots, pins and the cap."""

from __future__ import annotations

from itertools import combinations

import pytest
from guide_parts import entity

from handrail.domain.ranking import ChannelHit, Pin, Ranking
from handrail.domain.scores import Score, ScoreKind
from handrail.flows.guide.limits import CHANNELS, WEIGHTS, Limits
from handrail.flows.guide.merge import MERGES, merged
from handrail.retrieval.channel import ChannelRanking, Hit

NO_PINS: dict[str, Pin] = {}


def ranking(channel: str, *ids: str) -> ChannelRanking:
    hits = tuple(Hit(name, 100.0 - at) for at, name in enumerate(ids))
    return ChannelRanking(channel, ScoreKind.COUNT, hits)


def merge(*rankings: ChannelRanking, pins: tuple[str, ...] = (), **limits: object) -> Ranking:
    names = {hit.passage_id for found in rankings for hit in found.hits} | set(pins)
    return merged(
        rankings,
        entities={name: entity(name) for name in names},
        pins={name: Pin("test") for name in pins},
        limits=Limits(**limits),  # type: ignore[arg-type]
    )


def ids(found: Ranking) -> list[str]:
    return [one.passage.id for one in found.candidates]


def hits(*channels: str, rank: int = 1) -> tuple[ChannelHit, ...]:
    score = Score(ScoreKind.COUNT, 1.0)
    return tuple(ChannelHit(channel=name, rank=rank, score=score) for name in channels)


def test_h18_the_seeds_merge_orders_like_the_sum_of_its_weights() -> None:
    """Semantic 1.0, keyword 0.5, pattern 0.8, state 1.0; ranks inside a channel do not count."""
    assert dict(WEIGHTS) == {"semantic": 1.0, "keyword": 0.5, "pattern": 0.8, "state": 1.0}
    each = [found for n in range(1, 5) for found in combinations(CHANNELS, n)]
    sums = {found: sum(WEIGHTS[name] for name in found) for found in each}
    for one in each:
        for other in each:
            mine, theirs = (
                MERGES["seed"].score(hits(*found, rank=rank), WEIGHTS)
                for found, rank in ((one, 1), (other, 9))
            )
            assert (mine > theirs) is (sums[one] > sums[other] + 1e-9)


@pytest.mark.parametrize("name", MERGES)
def test_a_fusion_score_lies_between_0_and_1(name: str) -> None:
    """Resolution 10: the seed's sums reach 3.3, which nobody may take for a similarity."""
    score = MERGES[name].score
    assert score(hits(*CHANNELS), WEIGHTS) == pytest.approx(1.0)
    assert 0 < score(hits("keyword", rank=5), WEIGHTS) < 0.2
    assert score((), WEIGHTS) == 0
    assert merge(ranking("semantic", "a")).candidates[0].score.kind is ScoreKind.FUSION


def test_h23_h30_the_rank_in_a_channel_counts_and_weights_are_what_settings_say() -> None:
    assert ids(merge(ranking("semantic", "z", "m", "a"))) == ["z", "m", "a"]
    assert ids(merge(ranking("semantic", "z", "m", "a"), merge="seed")) == ["a", "m", "z"]
    two = (ranking("semantic", "a"), ranking("keyword", "b"))
    assert ids(merge(*two)) == ["a", "b"]
    assert ids(merge(*two, weights={"semantic": 0.5, "keyword": 1.0})) == ["b", "a"]


def test_h17_what_several_channels_find_ranks_higher_and_stands_once() -> None:
    found = merge(ranking("semantic", "a", "b"), ranking("keyword", "b"), ranking("pattern", "b"))
    assert ids(found) == ["b", "a"]
    assert [hit.channel for hit in found.candidates[0].hits] == ["semantic", "keyword", "pattern"]


TEN = ranking("semantic", *(f"s{n}" for n in range(10)))
FIVE = ranking("keyword", *(f"k{n}" for n in range(5)))
MATCHES = ranking("pattern", *(f"p{n}" for n in range(5)))
THREE = ranking("state", *(f"t{n}" for n in range(3)))


@pytest.mark.parametrize("how", MERGES)
def test_h33_a_keyword_alone_survives_ten_semantic_and_three_state_hits(how: str) -> None:
    found = merge(TEN, FIVE, MATCHES, THREE, merge=how)
    assert len(found.candidates) == 15
    assert {"s0", "s1", "s2", "k0", "k1", "p0", "p1", "t0"} <= set(ids(found))
    assert {one.passage_id for one in found.dropped} == (
        {hit.passage_id for each in (TEN, FIVE, MATCHES, THREE) for hit in each.hits}
        - set(ids(found))
    )
    assert {(one.stage, one.reason) for one in found.dropped} == {("cap", "below 15")}


@pytest.mark.parametrize("cap", range(1, 51))
def test_h8_h19_the_cap_holds_with_pins_and_takes_none_of_them(cap: int) -> None:
    pins = ("x1", "x2", "t0", "k4")
    found = merge(TEN, FIVE, MATCHES, THREE, pins=pins, candidates=cap)
    assert set(pins) <= set(ids(found))
    assert len(found.candidates) == max(len(pins), min(cap, 25))
    assert len(set(ids(found))) == len(ids(found))
    assert {one.passage.id for one in found.candidates if one.pin} == set(pins)
    assert not set(ids(found)) & {one.passage_id for one in found.dropped}


def test_h30_a_pin_that_was_found_too_takes_one_slot() -> None:
    found = merge(TEN, pins=("s0",), candidates=10)
    assert ids(found) == [f"s{n}" for n in range(10)]


def test_h33_without_reserved_slots_scores_alone_decide() -> None:
    found = merge(TEN, FIVE, reserved={}, candidates=10)
    assert ids(found) == [f"s{n}" for n in range(10)]


def test_nothing_found_and_nothing_pinned_is_nothing() -> None:
    assert merge() == Ranking()
