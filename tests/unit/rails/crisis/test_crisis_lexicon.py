"""Lexicon files: what they must say, and that the screen stays shut without them."""

from __future__ import annotations

import pytest
from crisis_sample import tiny_lexicon

from handrail.adapters.re2 import Re2Engine
from handrail.domain.risk import Level
from handrail.errors import ContentInvalid
from handrail.rails.crisis import CrisisScreen
from handrail.rails.crisis.lexicon import read_lexicon
from handrail.rails.crisis.packaged import lexicon_of, load_lexicons

RULE = {"id": "a", "kind": "suicide", "level": "high", "review": "none", "say": "sink"}


def test_a_language_is_a_file_and_nothing_else() -> None:
    screen = CrisisScreen([read_lexicon(tiny_lexicon(), "xx.yaml")], Re2Engine())
    assert screen.check("I wish to go under").level is Level.HIGH
    assert screen.check("not wish to go under").level is Level.NONE
    assert screen.check("I want to sink a ship").level is Level.NONE


@pytest.mark.parametrize(
    "change",
    [
        {"rules": [RULE | {"level": "grave"}]},
        {"rules": [RULE | {"kind": "mood"}]},
        {"rules": [RULE | {"say": ""}]},
        {"rules": [RULE | {"say": "(sink"}]},
        {"rules": [RULE | {"say": "{unknown}"}]},
        {"rules": [{key: value for key, value in RULE.items() if key != "review"}]},
        {"rules": [RULE, RULE]},
        {"rules": [RULE | {"unless": "maybe"}]},
        {"cues": {"mood": "sad"}},
        {"language": None},
    ],
)
def test_a_broken_lexicon_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(ContentInvalid, match=r"xx\.yaml"):
        read_lexicon(tiny_lexicon(**change), "xx.yaml")


def test_without_rules_there_is_no_screen() -> None:
    for lexicons in ([], [read_lexicon(tiny_lexicon(rules=[]), "xx.yaml")]):
        with pytest.raises(ContentInvalid, match="cannot screen"):
            CrisisScreen(lexicons, Re2Engine())


@pytest.mark.parametrize(
    ("say", "said", "level"),
    [
        ("he ..2 sinks", "he now sinks", Level.HIGH),
        ("he ..2 sinks", "he not sinks", Level.NONE),
        ("he ..2 sinks", "he didn't sinks", Level.NONE),
        ("he ..9 sinks", "he not sinks", Level.HIGH),
        ("he didnt sink", "he didn't sink", Level.HIGH),
        ("(he|not) ever? sink", "not ever sink", Level.HIGH),
    ],
)
def test_a_short_gap_never_passes_over_a_barrier(say: str, said: str, level: Level) -> None:
    body = tiny_lexicon(barriers="not didn't", rules=[RULE | {"say": say}], cues={})
    screen = CrisisScreen([read_lexicon(body, "xx.yaml")], Re2Engine())
    assert screen.check(said).level is level


def test_a_file_bears_the_name_of_its_language() -> None:
    assert lexicon_of("crisis/xx.yaml", tiny_lexicon()).language == "xx"
    with pytest.raises(ContentInvalid, match="'xx'"):
        lexicon_of("crisis/yy.yaml", tiny_lexicon())


def test_english_and_spanish_read_the_same_dangers() -> None:
    """Languages put things differently; every danger that one reads, the other reads as grave."""
    read = {
        lexicon.language: {
            (rule.kind, rule.level) for rule in lexicon.rules if rule.level >= Level.MODERATE
        }
        for lexicon in load_lexicons()
    }
    assert read["en"] == read["es"]


def test_every_pattern_compiles(screen: CrisisScreen) -> None:
    screen.compile_all()
    assert screen.check("kill myself").level is Level.HIGH


def test_every_needed_thing_exists() -> None:
    for lexicon in load_lexicons():
        known = {cue.role for cue in lexicon.cues} | {rule.kind for rule in lexicon.rules}
        assert [rule.id for rule in lexicon.rules if not rule.needs <= known] == []
