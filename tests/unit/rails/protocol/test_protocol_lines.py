"""What the protocol can say: both languages alike, short, plain, one question or none."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from handrail.content.loader import ROOT, load
from handrail.content.wordings import LinesModel
from handrail.domain.risk import Subject
from handrail.errors import ContentInvalid
from handrail.rails.crisis import CrisisScreen
from handrail.rails.protocol import State
from handrail.rails.protocol import moves as m
from handrail.rails.protocol.cues import CuesModel
from handrail.rails.protocol.lines import ProtocolLines, packaged_lines
from handrail.rails.protocol.reading import ASIDES, TOLD
from handrail.rails.protocol.table import TABLE

LANGUAGES = ("en", "es")
WORDINGS = [
    (language, move, text)
    for language in LANGUAGES
    for move, says in packaged_lines().moves(language).items()
    for text in says
]
_SENTENCE = re.compile(r"[.!?](?=[\s\"»]|$)")
_FORBIDDEN = re.compile(
    r"\b(?:pills?|dose|gun|rope|bridge|razor|overdose|pastillas|pistola|soga|puente|navaja"
    r"|commit suicide|committed|you must|should have|promise me|calm down|selfish|attention"
    r"|disorder|bipolar|psychosis|you will be|everything will|cheer up|vosotros|vuestr\w+"
    r"|tranquilízate|cálmate|egoísta|deberías)\b",
    re.IGNORECASE,
)
_GENDERED = re.compile(r"\b(?:estás|sientes|eres) (?:solo|sola|seguro|segura|cansado|cansada)\b")


def reachable() -> set[str]:
    """Every move that some table names."""
    listed = (m.QUESTIONS, m.NOW, m.NOW_QUESTIONS, m.NOW_HELP, m.HELP, m.PARTING, m.REPLIES)
    named = {move for table in listed for moves in table.values() for move in moves}
    named |= {*m.DENIED_HELP, *m.PLAN, *m.FIRST_WORDS.values(), *m.FOR_THE_BODY.values(), *ASIDES}
    named |= {row.opening for rows in TABLE.values() for row in rows.values() if row.opening}
    return named | {
        *("ai", "hello", "resources", "resources-country", "presence", "presence-now"),
        *("ask-again", "ask-changed", "ease", "grave-again", "keep-call"),
    }


def test_every_move_has_lines_and_every_line_a_move() -> None:
    assert set(packaged_lines().moves("en")) == reachable()


def test_both_languages_have_the_same_moves_with_as_many_wordings() -> None:
    english, spanish = (packaged_lines().moves(language) for language in LANGUAGES)
    assert {move: len(says) for move, says in english.items()} == {
        move: len(says) for move, says in spanish.items()
    }


def test_both_languages_know_the_same_cues() -> None:
    english, spanish = (load(f"protocol/cues.{code}.yaml", CuesModel) for code in LANGUAGES)
    assert {cue.id for cue in english.cues} == {cue.id for cue in spanish.cues}
    assert {*ASIDES, *TOLD} <= {cue.id for cue in english.cues}


def test_every_move_can_be_said_in_two_ways_at_least() -> None:
    assert [move for move, says in packaged_lines().moves("en").items() if len(says) < 2] == []


def test_no_sentence_stands_in_two_places() -> None:
    texts = Counter(text for _, _, text in WORDINGS)
    assert [text for text, count in texts.items() if count > 1] == []


def test_a_line_is_as_short_as_its_move_allows() -> None:
    assert [t for _, move, t in WORDINGS if len(_SENTENCE.findall(t)) > m.size(move)] == []


def test_a_question_asks_once_and_no_other_line_asks() -> None:
    assert [t for _, move, t in WORDINGS if t.count("?") != m.asks(move)] == []


def test_no_line_names_a_method_judges_or_promises() -> None:
    assert [text for _, _, text in WORDINGS if _FORBIDDEN.search(text)] == []


def test_spanish_lines_do_not_guess_who_is_reading() -> None:
    assert [text for _, _, text in WORDINGS if _GENDERED.search(text)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_screen_hears_our_questions_as_what_they_are(
    screen: CrisisScreen, language: str
) -> None:
    """An answer to a question about suicide counts as one; an answer to an offer never does."""
    direct = {"ask-thoughts", "ask-again", "ask-changed", "ask-plan", "ask-when", "ask-means"}
    offers = {*m.PLAN, "ask-willing", "ask-trusted", "ask-safety-plan", "ask-reasons", "ask-call"}
    for move, says in packaged_lines().moves(language).items():
        for text in says:
            about = {question.subject for question in screen.ear.asked(text)}
            if move in direct:
                assert Subject.SELF in about, text
            if move in offers or not m.asks(move):
                assert about == set(), text


def test_wordings_take_turns() -> None:
    lines = packaged_lines()
    said = [lines.fragment(State(said=(("presence", n),)), "presence").text for n in range(8)]
    assert len(set(said)) == 8


def test_a_session_may_begin_with_another_wording() -> None:
    lines = packaged_lines()
    firsts = {lines.fragment(State(seed=seed), "presence").text for seed in range(20)}
    assert len(firsts) > 3


@pytest.mark.parametrize(
    "item_id",
    ["protocol/ai.0.en", "protocol/ai.9.en", "protocol/ai.1.fr", "protocol/x.1.en", "ai.1.en"],
)
def test_what_was_never_reviewed_is_not_found(item_id: str) -> None:
    with pytest.raises(ContentInvalid):
        packaged_lines().piece(item_id, 0)


def test_what_was_reviewed_is_found_by_its_id() -> None:
    first = packaged_lines().moves("es")["ai"][0]
    assert packaged_lines().piece("protocol/ai.1.es", 0) == first
    with pytest.raises(ContentInvalid):
        packaged_lines().piece("protocol/ai.1.es", 1)


def test_a_protocol_without_its_fallback_language_does_not_start() -> None:
    spanish = load("protocol/lines.es.yaml", LinesModel)
    with pytest.raises(ContentInvalid):
        ProtocolLines([spanish])


def test_the_files_are_those_of_the_languages() -> None:
    found = sorted(path.name for path in (ROOT / "protocol").glob("*.yaml"))
    assert found == [f"{kind}.{code}.yaml" for kind in ("cues", "lines") for code in LANGUAGES]
