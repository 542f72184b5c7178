"""Every rule and shield of the content files does what its own example says."""

from __future__ import annotations

from functools import cache

import pytest

from handrail.adapters.re2 import Re2Engine
from handrail.content.loader import ROOT, load
from handrail.errors import ContentInvalid
from handrail.rails.injection.lexicon import LexiconModel, RuleModel, ShieldModel, lexicon_of
from handrail.rails.injection.phrases import Phrasebook
from handrail.rails.injection.reading import folded_text
from handrail.rails.injection.screen import InjectionScreen

FILES = sorted(path.name for path in (ROOT / "injection").glob("*.yaml"))
MODELS = {name: load(f"injection/{name}", LexiconModel) for name in FILES}
RULES = [rule for model in MODELS.values() for rule in model.items]
SHIELDS = [shield for model in MODELS.values() for shield in model.shields]


@cache
def screen() -> InjectionScreen:
    return InjectionScreen.packaged(Re2Engine())


@cache
def bare() -> InjectionScreen:
    """Each rule alone in the field: no shield sets its example aside."""
    lexicons = (
        lexicon_of(model.model_copy(update={"shields": ()}), name) for name, model in MODELS.items()
    )
    return InjectionScreen(lexicons, Re2Engine())


def of(said: str, **concepts: str) -> LexiconModel:
    rule = {"id": "r", "kind": "override", "weight": 0.6, "review": "e", "example": "-"}
    return LexiconModel.model_validate(
        {
            "version": "1",
            "language": "en",
            "reviewer": "nobody",
            "concepts": concepts,
            "items": [rule | {"say": said}],
        }
    )


def test_english_and_spanish_are_there_with_the_same_kinds() -> None:
    english, spanish = ({r.kind for r in MODELS[f"{tongue}.yaml"].items} for tongue in ("en", "es"))
    assert english - {"forgery"} == spanish - {"forgery"}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_fires_on_its_example(rule: RuleModel) -> None:
    (alone,) = [MODELS[name] for name in FILES if rule in MODELS[name].items]
    only = alone.model_copy(update={"items": (rule,), "shields": ()})
    found = InjectionScreen([lexicon_of(only, "alone")], Re2Engine()).check(rule.example)
    assert {signal.rule for signal in found.signals} == {rule.id}


@pytest.mark.parametrize("shield", SHIELDS, ids=lambda shield: shield.id)
def test_a_shield_covers_its_example(shield: ShieldModel) -> None:
    assert not screen().check(shield.example).attack
    hits = screen()._shields.scan(folded_text(shield.example)[0])
    assert hits or not bare().check(shield.example).signals


@pytest.mark.parametrize(
    ("said", "concepts"),
    [
        ("{absent} words", {}),
        ("{loop} words", {"loop": "{loop}"}),
        ("words (not closed", {}),
        ("words . with a dot", {}),
    ],
)
def test_a_phrase_that_cannot_be_read_is_named(said: str, concepts: dict[str, str]) -> None:
    with pytest.raises(ContentInvalid, match="broken"):
        lexicon_of(of(said, **concepts), "broken")


def test_an_id_stands_once() -> None:
    model = of("some words")
    with pytest.raises(ContentInvalid, match="more than once"):
        lexicon_of(model.model_copy(update={"items": model.items * 2}), "twice")


def test_no_rules_are_no_screen() -> None:
    with pytest.raises(ContentInvalid, match="no rules"):
        InjectionScreen((), Re2Engine())


@pytest.mark.parametrize(
    ("said", "text", "matches"),
    [
        ("drop it", "please drop it now", True),
        ("drop it", "a raindrop itches", False),
        ("drop it", "drop, 'it'", True),
        ("drop ..2 it", "drop all of it", True),
        ("drop ..2 it", "drop all of just it", False),
        ("drop ..2 it", "drop. all it", False),
        ("drop (the|my)? rules", "drop rules", True),
        ("instruct* now", "instructions now", True),
        ("don't stop", "dont stop", True),
        ("^ drop it", "we drop it", False),
        ("^ drop it", "so: drop it", True),
        ("^ drop it", "please drop it", True),
    ],
)
def test_the_language_of_phrases(said: str, text: str, matches: bool) -> None:
    book = Phrasebook({"clause": "please | so"}, "here")
    assert bool(Re2Engine().compile([book.pattern(said)]).scan(text)) is matches
