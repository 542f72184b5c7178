"""What surroundings make of a danger, over an invented language with one word for each thing."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from crisis_sample import tiny_lexicon

from handrail.adapters.re2 import Re2Engine
from handrail.domain.risk import Level, Risk, Subject
from handrail.rails.crisis import CrisisScreen
from handrail.rails.crisis.lexicon import read_lexicon
from handrail.rails.crisis.screen import Context

NONE, MILD, MODERATE, HIGH = Level
SELF, OTHER, THIRD = Subject


def rule(say: str, kind: str = "suicide", level: str = "high", **more: Any) -> dict[str, Any]:
    id = f"xx.{say.replace(' ', '-')}"
    return {"id": id, "kind": kind, "level": level, "review": "none", "say": say} | more


def sign(say: str, **more: Any) -> dict[str, Any]:
    return {"id": f"xx.{say}", "sign": say, "review": "none", "say": say} | more


CUES = {
    "negation": "not",
    "affirmation": "why not",
    "coordination": "or",
    "addressed": "dost",
    "reported": "quoth",
    "feared": "dread",
    "formerly": "erstwhile",
    "distant": "yore",
    "recent": "lately",
    "resolved": "healed",
    "now": "presently",
    "trivial": "homework",
    "fiction": "novel",
    "topic": "essay",
    "self": "me",
    "third": "him",
    "connector": "but",
    "loss": "grief",
}
RULES = [
    rule("sink"),
    rule("sink gladly"),
    rule("drown", subject="open"),
    rule("founder", subject="third", third="none", level="moderate"),
    rule("maul", kind="harm_others", subject="other"),
    rule("capsized", kind="self_harm", tense="past", subject="open"),
    rule("wrecked", kind="self_harm", level="moderate", tense="past", subject="open"),
    rule("stranded", kind="abuse", tense="told"),
    rule("marooned", kind="voices", tense="always"),
    rule("unfloat", negation="own"),
    rule("meh", kind="slang", level="moderate", trivial=True),
    rule("tired", kind="exhaustion", level="moderate", trivial=True),
    rule("abyss", kind="passive_ideation", level="moderate", topical=True),
    rule("deep", kind="burden", level="moderate", bare=True),
    rule("deep end", kind="burden", level="mild"),
    rule("plunge", kind="goodbye", literal=True),
    rule("bridge", kind="facilitation", needs=["loss", "burden"]),
    rule("tried", subject="third", tense="past", third="moderate", level="moderate"),
]
LEXICON = tiny_lexicon(
    common="the",
    guarded="sink",
    concepts={},
    cues=CUES,
    rules=RULES,
    signs=[
        sign("rope"),
        sign("attic"),
        sign("letter"),
        sign("moving"),
        sign("his", subject="third"),
        sign("mist", topical=True),
        sign("unmoored", negation="own"),
    ],
    sums=[
        {
            "id": "xx.sum",
            "kind": "suicide",
            "level": "moderate",
            "review": "none",
            "signs": ["rope", "attic", "letter", "mist", "unmoored"],
            "least": 2,
            "unless": ["moving"],
        }
    ],
    idioms=[
        {"id": "i1", "review": "none", "reason": "idiom", "say": "sink a ship"},
        {"id": "i2", "review": "none", "reason": "work", "say": "deep work", "kinds": ["burden"]},
        {"id": "i3", "review": "none", "reason": "sport", "say": "plunge pool"},
        {"id": "i4", "review": "none", "reason": "health", "say": "drown a", "kinds": ["abuse"]},
    ],
)


@cache
def screen() -> CrisisScreen:
    return CrisisScreen([read_lexicon(LEXICON, "xx.yaml")], Re2Engine())


def check(text: str, **context: frozenset[str]) -> Risk:
    return screen().check(text, Context(**context))


def seen(text: str) -> list[tuple[str, Level, str, tuple[str, ...]]]:
    return [(s.rule[3:], s.level, s.subject.value, s.notes) for s in check(text).signals]


def aside(text: str) -> list[str]:
    return [dismissal.reason for dismissal in check(text).dismissed]


@pytest.mark.parametrize(
    ("text", "reasons"),
    [
        ("not sink", ["negation"]),
        ("not, sink", []),
        ("not\nsink", []),
        ("not the sink", []),
        ("why not sink", []),
        ("not sink or drown", ["negation", "negation"]),
        ("not sink and drown", ["negation"]),
        ("not sink. drown", ["negation"]),
        ("not unfloat", []),
        ("not sink or unfloat", ["negation"]),
        ("dost sink", ["addressed to another"]),
        ("sink a ship", ["idiom"]),
        ("drown a sorrow", []),
        ("deep work", ["work"]),
        ("plunge pool", []),
        ("novel sink", ["fiction"]),
        ("novel plunge", []),
        ("sink novel", []),
        ("novel, sink", []),
        ("novel me sink", []),
        ("novel. him drown", ["fiction"]),
        ("him drown. novel", []),
        ("essay abyss", ["topic"]),
        ("abyss essay", ["topic"]),
        ("essay, abyss", []),
        ("essay me abyss", []),
        ("me essay abyss", ["topic"]),
        ("me abyss essay", []),
        ("essay sink", []),
        ("bridge", ["nothing beside it"]),
        ("bridge grief", []),
        ("not bridge", ["negation"]),
    ],
)
def test_what_sets_a_danger_aside_is_named(text: str, reasons: list[str]) -> None:
    assert aside(text) == reasons


@pytest.mark.parametrize(
    ("text", "signals"),
    [
        ("sink", [("sink", HIGH, "self", ())]),
        ("me drown", [("drown", HIGH, "self", ())]),
        ("drown", [("drown", HIGH, "self", ())]),
        ("him drown", [("drown", MODERATE, "third", ("third person",))]),
        ("him me drown", [("drown", HIGH, "self", ())]),
        ("me him drown", [("drown", MODERATE, "third", ("third person",))]),
        ("him. drown", [("drown", HIGH, "self", ())]),
        ("him sink", [("sink", HIGH, "self", ())]),
        ("quoth sink", [("sink", MODERATE, "third", ("third person",))]),
        ('quoth "well, sink"', [("sink", MODERATE, "third", ("third person",))]),
        ('"well, sink" quoth', [("sink", MODERATE, "third", ("third person",))]),
        ('"well, sink" me quoth', [("sink", HIGH, "self", ())]),
        ("him drown presently", [("drown", HIGH, "third", ("third person", "now"))]),
        ("him drown yore", [("drown", MILD, "third", ("third person", "past"))]),
        ("founder", [("founder", MODERATE, "third", ("third person",))]),
        ("founder presently", [("founder", HIGH, "third", ("third person", "now"))]),
        ("maul", [("maul", HIGH, "other", ())]),
        ("dread maul", [("maul", MODERATE, "other", ("feared, not meant",))]),
        ("dread sink", [("sink", HIGH, "self", ())]),
    ],
)
def test_whose_danger_it_is(text: str, signals: list[tuple[str, Level, str, Any]]) -> None:
    assert seen(text) == signals


@pytest.mark.parametrize(
    ("text", "signals"),
    [
        ("erstwhile sink", [("sink", MODERATE, "self", ("past",))]),
        ("erstwhile sink yore", [("sink", MILD, "self", ("past",))]),
        ("erstwhile sink lately", [("sink", HIGH, "self", ())]),
        ("erstwhile sink. healed", [("sink", MILD, "self", ("past, resolved",))]),
        ("sink yore", [("sink", HIGH, "self", ())]),
        ("sink. healed", [("sink", HIGH, "self", ())]),
        ("me capsized", [("capsized", MODERATE, "self", ("past",))]),
        ("me capsized yore", [("capsized", MILD, "self", ("past",))]),
        ("me capsized. yore", [("capsized", MODERATE, "self", ("past",))]),
        ("me capsized lately", [("capsized", HIGH, "self", ())]),
        ("me capsized lately healed", [("capsized", MILD, "self", ("past, resolved",))]),
        ("stranded", [("stranded", HIGH, "self", ("past",))]),
        ("stranded yore", [("stranded", MILD, "self", ("past",))]),
        ("marooned yore", [("marooned", HIGH, "self", ())]),
        ("erstwhile marooned", [("marooned", HIGH, "self", ())]),
        ("him capsized", [("capsized", MILD, "third", ("third person", "past"))]),
        ("him capsized lately", [("capsized", MODERATE, "third", ("third person",))]),
        ("him capsized yore", []),
        ("him capsized lately presently", [("capsized", MODERATE, "third", ("third person",))]),
    ],
)
def test_when_it_was(text: str, signals: list[tuple[str, Level, str, Any]]) -> None:
    assert seen(text) == signals


def test_long_ago_and_somebody_elses_is_history() -> None:
    assert aside("him capsized yore") == ["history"]


@pytest.mark.parametrize(
    ("text", "signals"),
    [
        ("meh", [("meh", MODERATE, "self", ())]),
        ("meh, homework", [("meh", MILD, "self", ("trivial cause",))]),
        ("meh. homework", [("meh", MODERATE, "self", ())]),
        ("tired homework", [("tired", MILD, "self", ("trivial cause",))]),
        ("tired, homework", [("tired", MODERATE, "self", ())]),
        ("tired but homework", [("tired", MODERATE, "self", ())]),
        (
            "tired homework. sink",
            [("tired", MODERATE, "self", ()), ("sink", HIGH, "self", ())],
        ),
        (
            "tired homework. deep end",
            [("tired", MILD, "self", ("trivial cause",)), ("deep-end", MILD, "self", ())],
        ),
        ("sink homework", [("sink", HIGH, "self", ())]),
    ],
)
def test_an_everyday_cause_sinks_what_may_be_everyday(
    text: str, signals: list[tuple[str, Level, str, Any]]
) -> None:
    assert seen(text) == signals


@pytest.mark.parametrize(
    ("text", "signals"),
    [
        ("deep", [("deep", MODERATE, "self", ())]),
        ("deep end", [("deep-end", MILD, "self", ())]),
        ("deep end. deep", [("deep-end", MILD, "self", ()), ("deep", MODERATE, "self", ())]),
        ("bridge", []),
        ("bridge deep", [("deep", MODERATE, "self", ()), ("bridge", HIGH, "self", ())]),
        ("deep. bridge", [("deep", MODERATE, "self", ()), ("bridge", HIGH, "self", ())]),
        ("grief. bridge", [("bridge", HIGH, "self", ())]),
    ],
)
def test_fuller_phrases_and_things_beside(
    text: str, signals: list[tuple[str, Level, str, Any]]
) -> None:
    assert seen(text) == signals


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("rope", []),
        ("rope. attic", ["xx.sum", "xx.sum"]),
        ("rope rope", []),
        ("rope, attic, letter", ["xx.sum"] * 3),
        ("rope, attic, moving", []),
        ("not rope, attic", []),
        ("not unmoored, attic", ["xx.sum", "xx.sum"]),
        ("mist, attic", ["xx.sum", "xx.sum"]),
        ("mist, attic, essay", []),
        ("rope, attic, essay", ["xx.sum", "xx.sum"]),
        ("his, attic", []),
    ],
)
def test_signs_add_up(text: str, rules: list[str]) -> None:
    found = check(text)
    assert [signal.rule for signal in found.signals] == rules
    assert found.level is (MODERATE if rules else NONE)


def test_what_adds_up_is_told_sign_by_sign() -> None:
    first, second = check("rope. attic").signals
    assert (first.kind, first.subject, first.language) == ("suicide", SELF, "xx")
    assert (first.notes, second.notes) == (("adds up", "xx.rope"), ("adds up", "xx.attic"))
    assert [signal.span.of("rope. attic") for signal in (first, second)] == ["rope", "attic"]


def test_what_was_heard_before_counts_as_beside() -> None:
    assert check("bridge", heard=frozenset({"burden"})).level is HIGH
    assert check("bridge", heard=frozenset({"loss"})).level is HIGH
    assert check("bridge", heard=frozenset({"abuse"})).level is NONE


def test_what_was_told_of_somebody_else_may_be_theirs_again() -> None:
    told = frozenset({"self_harm"})
    (again,) = check("well the wrecked", told=told).signals
    assert (again.subject, again.level) == (THIRD, MODERATE)
    assert again.notes == ("past", "told of somebody else before")
    for own in ("me wrecked", "wrecked", "well the capsized", "well the sink"):
        assert check(own, told=told).signals[0].subject is SELF
    assert check("well the wrecked").signals[0].subject is SELF
    him, after = check("him wrecked lately. well the wrecked").signals
    assert (him.subject, after.subject) == (THIRD, THIRD)


def test_a_negation_reaches_the_longer_phrase_that_ends_in_it() -> None:
    assert aside("him not sink gladly") == ["negation", "negation"]


def test_one_thing_said_without_end_is_told_twenty_times() -> None:
    assert len(check("sink. " * 50).signals) == 20
    assert len(check("not sink. " * 50).dismissed) == 20
    mixed = check("sink. " * 30 + "drown. " * 30)
    assert len(mixed.signals) == 40


def test_the_gravest_kind_comes_first() -> None:
    found = check("deep end. tired. plunge. sink")
    assert found.kinds == ("goodbye", "suicide", "exhaustion", "burden")
    assert found.level is HIGH


def test_every_finding_has_its_place_and_language() -> None:
    text = "Well: NOT sink; but “drown”!"
    found = check(text)
    (signal,) = found.signals
    (dismissed,) = found.dismissed
    assert (signal.span.of(text), signal.language, signal.kind) == ("drown", "xx", "suicide")
    assert (dismissed.span.of(text), dismissed.rule, dismissed.kind) == (
        "sink",
        "xx.sink",
        "suicide",
    )


def test_what_keeps_company_is_known_for_later() -> None:
    assert screen().company(screen().read("grief")) == frozenset({"loss"})
    assert screen().company(screen().read("me. him")) == frozenset()
