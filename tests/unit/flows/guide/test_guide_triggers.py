"""Trigger patterns: phrases that authors can write, expressions that cannot run away."""

from __future__ import annotations

import time

import pytest
from guide_parts import PATTERNS, entity, phrases

from handrail.content.entities import MAX_TRIGGER_CHARS, packaged_entities, read_entity
from handrail.domain.entity import Trigger
from handrail.errors import ContentInvalid
from handrail.flows.guide.text import normal
from handrail.flows.guide.triggers import Triggers, expression

SEED_CRISIS = [
    "want(s)? to (die|end it|hurt|kill)",
    "better off (dead|without me)",
    "(not|don't|dont) feel safe",
    "can'?t (go on|do this|take it)",
]
SEED_FLOODING = [
    "(about to|going to|gonna) (lose it|snap|explode)",
    "(need|help).*(calm|calming) down",
    "blood pressure (rising|up)",
]


def found(phrase: str, text: str) -> list[str]:
    """What the phrase matches, in the words of the original."""
    hits = Triggers([entity("a", trigger_patterns=phrases(phrase))], PATTERNS).scan(normal(text))
    return [hit.span.of(text) for hit in hits]


SIX = "needs one two three four five six help"


@pytest.mark.parametrize(
    ("phrase", "text", "matched"),
    [
        ("lose it", "I'll LOSE IT", ["LOSE IT"]),
        ("lose it", "close it", []),
        ("lose it", "lose items", []),
        ("lose it", "lose\n it, lose-it", ["lose\n it", "lose-it"]),
        ("lose it", "lose. It", []),
        ("don't go", "I don\u2019t go, dont go", ["don\u2019t go", "dont go"]),
        ("threaten* me", "he threatened me. threat me", ["threatened me"]),
        ("threaten*", "threateningly", ["threateningly"]),
        ("(he|she) hit", "he hit. She hit. they hit", ["he hit", "She hit"]),
        ("a? knife", "a knife, knife", ["a knife", "knife"]),
        ("my (own dear)? knife", "my own dear knife. my own knife", ["my own dear knife"]),
        ("my (own dear)? knife", "my knife", ["my knife"]),
        ("hit me hard?", "hit me. hit me hard. hit me hardly", ["hit me", "hit me hard", "hit me"]),
        ("hit me (so hard)?", "hit me so hard", ["hit me so hard"]),
        ("(so|very)? (sad|low) today?", "very low today", ["very low today"]),
        (
            "needs ... help",
            "needs help. needs a lot of help",
            ["needs help", "needs a lot of help"],
        ),
        ("needs ... help", "needs a whole lot of help", []),
        ("needs ... help", "needs. help", []),
        ("needs ... help", 'needs (a "bit") help', ['needs (a "bit") help']),
        ("needs ... ... help", SIX, [SIX]),
        ("needs ... ... help", f"{SIX[:-4]} seven help", []),
        ("... help", "so much help", ["help"]),
        ("help ...", "help so much", ["help"]),
        ("needs ... (any|some)? help", "needs now some help", ["needs now some help"]),
        ("one|two three", "one. two three. two", ["one", "two three"]),
        ("((one|two) three|four)", "two three four", ["two three", "four"]),
        ("(a (b (c|d)? e)?) f", "a f. a b e f. a b d e f", ["a f", "a b e f", "a b d e f"]),
        ("(snap|snapped)", "snapped", ["snapped"]),
        ("pick-up, please", "pick up please", ["pick up please"]),
        ("her fiancé", "her fiancé. her fiancée", ["her fiancé"]),
        ("her fiancé", "her fiance", ["her fiance"]),
        ("élan vital", "élan vital. délan vital", ["élan vital"]),
        ("her fianc* left", "her fiancée left", ["her fiancée left"]),
        ("snap", "snapé ésnap snap snapchat", ["snap"]),
        ("snap", "🙂snap👍 \x00snap\ud800", ["snap", "snap"]),
        ("hit me", "İİİ ß 👩‍👧 he hit me 🙂 hit\u00a0me", ["hit me", "hit\u00a0me"]),
    ],
)
def test_h11_h24_a_phrase_matches_whole_words(phrase: str, text: str, matched: list[str]) -> None:
    assert found(phrase, text) == matched


GLUED = ["a*b", "(a|b)c", "a(b|c)", "want(s)? to", "(with)?in"]
UNPAIRED = ["(a|b", "a|b)", "()", "(a|)", "|a", "a|", "?", "? a", "a ??", "(?)", "a? b?", "(...)"]
UNKNOWN = ["...", "* a", "a $b", "[a]", "a\\b", "a.b", "“a”", "-", "a+", "a {2}", "\x00", "🙂"]


@pytest.mark.parametrize("phrase", [*GLUED, *UNPAIRED, *UNKNOWN])
def test_h24_h36_a_phrase_that_means_nothing_is_refused_by_name(phrase: str) -> None:
    with pytest.raises(ContentInvalid, match="the_entity"):
        expression(Trigger(phrase=phrase), where="the_entity")


def test_h36_brackets_may_be_as_deep_as_a_phrase_is_long() -> None:
    depth = (MAX_TRIGGER_CHARS - 2) // 2
    deep = f"{'(' * depth}ab{')' * depth}"
    assert found(deep, "ab") == ["ab"]


@pytest.mark.parametrize(
    "regex", ["x*", "(?:)", "(lose it)?", "$", r"\b", r"\B", "^", r"\bx*", "a*|b", r"(?:snap)?\b"]
)
@pytest.mark.parametrize("beside", [(), phrases("snap", "lose it")])
def test_h36_a_trigger_that_matches_nothing_at_all_is_refused(
    regex: str, beside: tuple[Trigger, ...]
) -> None:
    broken = entity("a_b", trigger_patterns=(*beside, Trigger(regex=regex)))
    with pytest.raises(ContentInvalid, match="a_b"):
        Triggers([broken], PATTERNS)


@pytest.mark.parametrize("regex", [r"(a)\1", "a(?=b)", "(?<!a)b", "(((", "[z-a]", "a{2000}"])
def test_h36_an_expression_that_could_not_be_bounded_is_refused(regex: str) -> None:
    with pytest.raises(ContentInvalid):
        Triggers([entity("a", trigger_patterns=(Trigger(regex=regex),))], PATTERNS)


def test_h36_the_longest_message_is_scanned_in_a_time_that_grows_with_it() -> None:
    """It would take longer than this test may run where anything went back over the text."""
    evil = [
        Trigger(regex="(a+)+b"),
        Trigger(regex="(x|x)*y"),
        *phrases("a ... a ... a ... a ... zzz", "((a? a)? a)? zzz", "a* a* a* zzz"),
    ]
    triggers = Triggers([entity("a", trigger_patterns=tuple(evil))], PATTERNS)
    began = time.process_time()
    assert triggers.scan("a " * 10_000 + "a" * 10_000) == []
    assert time.process_time() - began < 20


def test_h25_patterns_are_compiled_once_and_matched_often() -> None:
    class Counting:
        compiled = 0

        def compile(self, patterns: list[str]) -> object:
            self.compiled += 1
            return PATTERNS.compile(patterns)

    engine = Counting()
    entities = [entity(name, trigger_patterns=phrases("lose it", "snap")) for name in "abc"]
    triggers = Triggers(entities, engine)  # type: ignore[arg-type]
    for _ in range(10):
        assert {hit.entity_id for hit in triggers.scan("i snap")} == set("abc")
    assert engine.compiled == 1


def test_h32_a_trigger_is_critical_by_its_own_flag_or_else_by_its_entitys() -> None:
    plain, own, not_own = (
        phrases("one")[0],
        Trigger(phrase="two", safety_critical=True),
        Trigger(phrase="three", safety_critical=False),
    )
    each = (plain, own, not_own)
    entities = [
        entity("calm", trigger_patterns=each, priority=100),
        entity("grave", trigger_patterns=each, priority=1, safety_critical=True),
    ]
    hits = Triggers(entities, PATTERNS).scan("one two three")
    critical = {(hit.entity_id, hit.trigger) for hit in hits if hit.safety_critical}
    assert critical == {("calm", 1), ("grave", 0), ("grave", 1)}


def test_no_entity_and_no_trigger_match_nothing() -> None:
    assert Triggers([], PATTERNS).scan("anything") == []
    assert Triggers([entity("a")], PATTERNS).scan("anything") == []


@pytest.mark.parametrize(
    ("patterns", "message"),
    [
        (SEED_CRISIS, "he wants to die"),
        (SEED_CRISIS, "i want to end it"),
        (SEED_CRISIS, "They're better off without me"),
        (SEED_CRISIS, "I don\u2019t feel safe"),
        (SEED_CRISIS, "I can't take it"),
        (SEED_CRISIS, "i cant go on"),
        (SEED_FLOODING, "I'm gonna snap"),
        (SEED_FLOODING, "I need something for calming down"),
        (SEED_FLOODING, "my blood pressure rising"),
    ],
)
def test_h14_h16_the_first_designs_patterns_are_read_as_they_were_meant(
    patterns: list[str], message: str
) -> None:
    read = read_entity(
        {
            "entity_id": "imported",
            "entity_type": "SCRIPT",
            "load_mode": "SITUATION",
            "title": "t",
            "concept_summary": "c",
            "trigger_patterns": patterns,
            "reviewer": "editorial",
        }
    )
    assert Triggers([read], PATTERNS).scan(normal(message))


def test_h14_h16_h36_the_packaged_patterns_are_phrases_that_compile() -> None:
    assert all(one.phrase for each in packaged_entities() for one in each.trigger_patterns)
    triggers = Triggers(packaged_entities(), PATTERNS)
    flooding = triggers.scan(normal("I\u2019m about to lose it"))
    assert "rotg_de_escalation" in {hit.entity_id for hit in flooding}
