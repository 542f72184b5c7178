"""Weak signs: nothing alone, a danger together."""

from __future__ import annotations

import pytest
from crisis_sample import tiny_lexicon

from handrail.adapters.re2 import Re2Engine
from handrail.domain.risk import Level, Subject
from handrail.errors import ContentInvalid
from handrail.rails.crisis import CrisisScreen
from handrail.rails.crisis.lexicon import read_lexicon

SIGNS = [
    {"id": "xx.rope", "sign": "means", "review": "none", "say": "hid the rope"},
    {"id": "xx.knife", "sign": "means", "review": "none", "say": "hid the knife"},
    {"id": "xx.secret", "sign": "secrecy", "review": "none", "say": "nobody knows"},
    {"id": "xx.calm", "sign": "calm", "review": "none", "say": "rope calm\nnobody knows calm"},
    {"id": "xx.theirs", "sign": "gone", "review": "none", "say": "is away", "subject": "third"},
]
PAIR = {"id": "xx.pair", "kind": "suicide", "level": "high", "review": "none"}
SUM = PAIR | {"signs": ["means", "secrecy"]}


def _screen(*sums: dict[str, object], **changes: object) -> CrisisScreen:
    body = tiny_lexicon(signs=SIGNS, sums=list(sums), **changes)
    return CrisisScreen([read_lexicon(body, "xx.yaml")], Re2Engine())


@pytest.mark.parametrize("said", ["I hid the rope", "nobody knows", "I hid the rope and the knife"])
def test_a_sign_alone_is_no_danger(said: str) -> None:
    risk = _screen(SUM).check(said)
    assert (risk.level, risk.signals) == (Level.NONE, ())


def test_different_signs_add_up_wherever_they_stand() -> None:
    risk = _screen(SUM).check("Nobody knows. It rained. I hid the rope")
    assert risk.level is Level.HIGH
    assert risk.kinds == ("suicide",)


def test_each_part_of_a_sum_is_shown_with_its_place() -> None:
    said = "I hid the rope, nobody knows"
    risk = _screen(SUM).check(said)
    shown = [(s.rule, said[s.span.start : s.span.end], s.notes) for s in risk.signals]
    assert shown == [
        ("xx.pair", "hid the rope", ("adds up", "xx.rope")),
        ("xx.pair", "nobody knows", ("adds up", "xx.secret")),
    ]


def test_two_ways_to_say_one_sign_count_once() -> None:
    two = PAIR | {"signs": ["means", "secrecy", "calm"], "least": 2}
    assert _screen(two).check("I hid the rope and hid the knife").level is Level.NONE


def test_signs_that_share_words_count_once() -> None:
    two = PAIR | {"signs": ["secrecy", "calm"]}
    assert _screen(two).check("nobody knows calm").level is Level.NONE
    assert _screen(two).check("nobody knows. rope calm").level is Level.HIGH


def test_as_many_signs_as_the_sum_asks_for() -> None:
    three = PAIR | {"signs": ["means", "secrecy", "calm"]}
    said = "I hid the knife, nobody knows"
    assert _screen(three).check(said).level is Level.NONE
    assert _screen(three | {"least": 2}).check(said).level is Level.HIGH


def test_a_harmless_reason_takes_a_sum_away() -> None:
    screen = _screen(SUM | {"unless": ["calm"]})
    assert screen.check("I hid the rope, nobody knows").level is Level.HIGH
    assert screen.check("I hid the rope, nobody knows. rope calm").level is Level.NONE


def test_a_danger_is_a_sign_by_its_kind() -> None:
    screen = _screen(PAIR | {"signs": ["burden", "means"]}, rules=[_burden()])
    assert screen.check("heavy. I hid the rope").level is Level.HIGH
    assert screen.check("heavy").level is Level.MILD


def test_what_is_set_aside_is_no_sign() -> None:
    cues = {"negation": "not {want}~", "fiction": "in my novel"}
    screen = _screen(SUM, cues=cues)
    assert screen.check("I not hid the rope, nobody knows").level is Level.NONE
    assert screen.check("in my novel hid the rope, nobody knows").level is Level.NONE


def test_what_somebody_else_said_of_themselves_is_not_the_writers_sign() -> None:
    screen = _screen(SUM, cues={"reported": "she said i?"})
    assert screen.check("she said i hid the rope, nobody knows").level is Level.NONE


def test_signs_of_somebody_else_add_up_to_their_danger() -> None:
    theirs = PAIR | {"signs": ["gone", "means"], "subject": "third", "least": 2}
    signs = [SIGNS[-1], SIGNS[0] | {"subject": "third"}, SIGNS[2]]
    body = tiny_lexicon(signs=signs, sums=[theirs])
    screen = CrisisScreen([read_lexicon(body, "xx.yaml")], Re2Engine())
    risk = screen.check("he hid the rope and is away")
    assert risk.level_for(Subject.THIRD) is Level.HIGH
    assert risk.level_for(Subject.SELF) is Level.NONE
    assert screen.check("he hid the rope, nobody knows").level is Level.NONE


def test_a_rule_may_need_a_sign_beside_it() -> None:
    screen = _screen(rules=[_burden() | {"needs": ["secrecy"]}])
    assert screen.check("heavy").level is Level.NONE
    assert screen.check("heavy. nobody knows").level is Level.MILD


@pytest.mark.parametrize(
    "total",
    [
        PAIR | {"signs": ["means"]},
        PAIR | {"signs": ["means", "means"]},
        PAIR | {"signs": ["means", "unheard"]},
        SUM | {"unless": ["unheard"]},
        PAIR | {"signs": ["means", "secrecy"], "least": 1},
        PAIR | {"signs": ["means", "secrecy"], "least": 3},
        SUM | {"id": "xx.rope"},
    ],
)
def test_a_sum_that_cannot_be_meant_is_refused(total: dict[str, object]) -> None:
    with pytest.raises(ContentInvalid, match=r"xx\.yaml"):
        _screen(total)


def _burden() -> dict[str, object]:
    return {"id": "xx.heavy", "kind": "burden", "level": "mild", "review": "none", "say": "heavy"}


def test_a_danger_counts_in_every_language_and_a_sign_in_its_own() -> None:
    other = tiny_lexicon(
        language="yy",
        concepts={"drown": "drown"},
        cues={"negation": "nay"},
        idioms=[],
        rules=[PAIR | {"id": "yy.drown", "say": "{drown}"}],
        signs=[{"id": "yy.rope", "sign": "means", "review": "none", "say": "corda"}],
    )
    wide = PAIR | {"id": "xx.wide", "kind": "goodbye", "signs": ["suicide", "secrecy"]}
    ours = tiny_lexicon(signs=SIGNS, sums=[SUM, wide])
    screen = CrisisScreen(
        [read_lexicon(ours, "xx.yaml"), read_lexicon(other, "yy.yaml")], Re2Engine()
    )
    assert "goodbye" in screen.check("drown, nobody knows").kinds
    assert screen.check("corda, nobody knows").level is Level.NONE
