"""What a message adds to a session, by readings that are built and not read (A8, A61)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from handrail.domain.text import Span
from handrail.flows.reframe.compose import count_words
from handrail.flows.reframe.notes import LONGEST_FELT, MOST_QUOTED, note
from handrail.flows.reframe.phases import Phase, Position
from handrail.flows.reframe.reading import Act, Asked, Emotion, Number, Ratings, Reading
from handrail.flows.reframe.state import Kept, Memory, SessionState

WORKING = [Phase.WARMUP, Phase.CLARIFY, Phase.REFRAME]
RATED = [Phase.SUMMARY, Phase.FOLLOWUP]


def state(
    phase: Phase = Phase.CLARIFY, *, asked: Asked = Asked.NOTHING, **changes: object
) -> SessionState:
    plain = SessionState(position=Position(phase=phase, turn=3), memory=Memory(asked=asked))
    return replace(plain, messages=4, **changes)  # type: ignore[arg-type]


def trapped(_state: SessionState, thought: str) -> Sequence[str]:
    """Every thought shows a trap but the ones that say maybe."""
    return () if "maybe" in thought else ("labeling",)


def noted(
    where: SessionState, message: str, act: Act = Act.CONTENT, **parts: object
) -> tuple[SessionState, frozenset[str]]:
    reading = Reading(act=act, **parts)  # type: ignore[arg-type]
    return note(where, reading, message, traps=trapped)


def at(message: str, words: str) -> Span:
    start = message.index(words)
    return Span(start, start + len(words))


def text(kept: Kept | None) -> str | None:
    return kept.text if kept else None


# The thought


def test_a61_the_words_are_kept_as_they_were_written() -> None:
    message = "Well, I AM a failure, so there"
    after, fresh = noted(state(), message, thought=at(message, "I AM a failure"))
    kept = after.progress.thought
    assert kept == Kept.of(message, at(message, "I AM a failure"), 5)
    assert fresh == {"thought"}


def thinking(thought: str, phase: Phase, *, asked: Asked = Asked.NOTHING) -> SessionState:
    where, _ = noted(state(), thought, thought=Span(0, len(thought)))
    position = Position(phase=phase, turn=5)
    return replace(where, position=position, memory=Memory(asked=asked, round=1), messages=5)


def test_a61_the_first_thought_stays_while_details_are_asked_for() -> None:
    where = thinking("I fail", Phase.CLARIFY)
    after, fresh = noted(where, "I lose", thought=Span(0, 6))
    assert (text(after.progress.thought), fresh) == ("I fail", set())


def test_a61_a_thought_with_a_trap_takes_the_place_of_one_without() -> None:
    where = thinking("maybe it rains", Phase.CLARIFY)
    after, fresh = noted(where, "I lose", thought=Span(0, 6))
    assert (text(after.progress.thought), fresh) == ("I lose", {"thought"})


def test_a61_a_correction_takes_the_place_of_what_was_misread() -> None:
    where = thinking("I fail", Phase.CLARIFY)
    after, fresh = noted(where, "maybe I lose", thought=Span(0, 12), corrects=True)
    assert (text(after.progress.thought), fresh) == ("maybe I lose", {"thought"})


def test_a61_after_the_summary_a_correction_is_received_as_any_message() -> None:
    where = thinking("I fail", Phase.FOLLOWUP)
    after, _ = noted(where, "maybe I lose", thought=Span(0, 12), corrects=True)
    assert text(after.progress.thought) == "I fail"


def test_a25_the_traps_of_a_thought_go_with_it() -> None:
    where = thinking("I fail", Phase.REFRAME)
    where = replace(where, memory=replace(where.memory, traps=("labeling",)))
    assert noted(where, "I lose", thought=Span(0, 6))[0].memory.traps == ()
    assert noted(where, "well")[0].memory.traps == ("labeling",)


def test_a61_while_reframing_a_new_thought_is_taken_up() -> None:
    after, fresh = noted(thinking("I fail", Phase.REFRAME), "I lose", thought=Span(0, 6))
    assert (text(after.progress.thought), fresh) == ("I lose", {"thought"})


def test_a61_the_same_thought_again_is_nothing_new() -> None:
    after, fresh = noted(thinking("I fail", Phase.REFRAME), "i FAIL", thought=Span(0, 6))
    assert (text(after.progress.thought), fresh) == ("I fail", set())


def test_a15_after_the_summary_a_new_thought_is_heard_and_opens_no_round() -> None:
    after, fresh = noted(thinking("I fail", Phase.FOLLOWUP), "I lose", thought=Span(0, 6))
    assert (text(after.progress.thought), fresh) == ("I fail", {"thought"})


@pytest.mark.parametrize("asked", [Asked.EVIDENCE, Asked.RATINGS])
def test_a61_an_answer_to_another_question_is_no_thought(asked: Asked) -> None:
    after, fresh = noted(state(asked=asked), "I lose", thought=Span(0, 6))
    assert (after.progress.thought, fresh) == (None, set())


def test_a61_a_situation_is_kept_once() -> None:
    where, fresh = noted(state(), "my exam", situation=Span(0, 7))
    assert (text(where.progress.situation), fresh) == ("my exam", {"situation"})
    after, fresh = noted(where, "my job", situation=Span(0, 6))
    assert (text(after.progress.situation), fresh) == ("my exam", set())


def test_a25_no_more_words_are_kept_than_a_reply_can_say_back() -> None:
    message = "so " * 70
    after, _ = noted(state(), message, thought=Span(0, len(message) - 1))
    kept = after.progress.thought
    assert kept is not None
    assert count_words(kept.text) == MOST_QUOTED
    assert kept.text == kept.span.of(message)


# The other side


def test_a61_evidence_is_what_was_asked_for() -> None:
    where = state(Phase.REFRAME, asked=Asked.EVIDENCE)
    after, fresh = noted(where, "they clapped", evidence=Span(0, 12))
    assert (text(after.progress.evidence), fresh) == ("they clapped", {"evidence"})
    after, fresh = noted(state(Phase.REFRAME), "they clapped", evidence=Span(0, 12))
    assert (after.progress.evidence, fresh) == (None, set())


def test_a61_a_milder_thought_in_place_of_an_answer_is_the_other_side() -> None:
    where = thinking("I fail", Phase.REFRAME, asked=Asked.FIT)
    after, fresh = noted(where, "maybe not always", thought=Span(0, 16))
    assert (text(after.progress.thought), fresh) == ("I fail", {"evidence"})
    assert text(after.progress.evidence) == "maybe not always"


# Feelings


def feelings(message: str, *named: tuple[str, str]) -> tuple[Emotion, ...]:
    return tuple(Emotion(family=family, span=at(message, words)) for family, words in named)


def test_a61_feelings_stand_newest_first_and_a_family_once() -> None:
    one = "sad and angry"
    where, _ = noted(state(), one, emotions=feelings(one, ("sadness", "sad"), ("anger", "angry")))
    two = "down and ashamed"
    where, fresh = noted(
        replace(where, messages=5),
        two,
        emotions=feelings(two, ("sadness", "down"), ("shame", "ashamed")),
    )
    assert [(f.family, f.words.text) for f in where.progress.emotions] == [
        ("sadness", "down"),
        ("shame", "ashamed"),
        ("anger", "angry"),
    ]
    assert fresh == {"emotion"}


def test_a61_feelings_that_stand_close_are_said_back_together() -> None:
    one = "fear and shame"
    where, _ = noted(state(), one, emotions=feelings(one, ("anxiety", "fear"), ("shame", "shame")))
    assert text(where.progress.felt) == "fear and shame"
    far = "fear" + "," * LONGEST_FELT + "shame"
    where, _ = noted(state(), far, emotions=feelings(far, ("anxiety", "fear"), ("shame", "shame")))
    assert text(where.progress.felt) == "fear"


def test_a61_a_message_without_a_feeling_keeps_the_one_that_was_named() -> None:
    one = "sad"
    where, _ = noted(state(), one, emotions=feelings(one, ("sadness", "sad")))
    after, fresh = noted(where, "yes", Act.YES)
    assert (text(after.progress.felt), fresh) == ("sad", set())


# Numbers


def strength(value: int, message: str = "8") -> Number:
    return Number(value=value, span=Span(0, len(message)))


def test_a61_the_first_intensity_is_the_measure_before() -> None:
    where, fresh = noted(state(), "8", intensity=strength(8))
    assert (where.progress.intensity, where.measures.suds_pre) == (8, 8)
    assert (text(where.progress.intensity_words), fresh) == ("8", {"intensity"})
    after, fresh = noted(where, "2", intensity=strength(2))
    assert (after.progress.intensity, after.measures.suds_pre, fresh) == (8, 8, set())


def test_a61_an_intensity_that_was_asked_for_corrects_an_earlier_one() -> None:
    where, _ = noted(state(), "8", intensity=strength(8))
    asked = replace(where, memory=Memory(asked=Asked.INTENSITY))
    after, fresh = noted(asked, "2", intensity=strength(2))
    assert (after.progress.intensity, after.measures.suds_pre, fresh) == (2, 2, {"intensity"})


ALL = Ratings(truth=strength(6), anxiety=strength(4), confidence=strength(5))


@pytest.mark.parametrize("phase", RATED)
def test_a61_after_the_summary_numbers_are_the_measures_after(phase: Phase) -> None:
    before = state(phase)
    after, fresh = noted(before, "8", ratings=ALL, intensity=strength(9))
    measures = after.measures
    assert (measures.truth, measures.suds_post, measures.confidence_post) == (6, 4, 5)
    assert (measures.suds_pre, measures.confidence_pre) == (None, None)
    assert after.progress.intensity is None
    assert text(after.progress.after_words) == "8"
    assert fresh == {"ratings"}


@pytest.mark.parametrize("phase", WORKING)
def test_a61_before_the_summary_no_measure_after_is_filled(phase: Phase) -> None:
    after, fresh = noted(state(phase), "8", ratings=ALL)
    measures = after.measures
    assert (measures.truth, measures.suds_post, measures.confidence_post) == (None, None, None)
    assert measures.confidence_pre == 5
    assert after.progress.after_words is None
    assert "ratings" not in fresh


def test_a61_a_rating_that_is_not_given_leaves_what_was() -> None:
    rated, _ = noted(state(Phase.SUMMARY), "8", ratings=ALL)
    after, fresh = noted(rated, "8", ratings=Ratings(truth=strength(9)))
    assert (after.measures.truth, after.measures.suds_post) == (9, 4)
    assert fresh == {"ratings"}
    same, fresh = noted(rated, "hm")
    assert (same.measures, fresh) == (rated.measures, set())


def test_a61_nought_is_a_rating() -> None:
    after, fresh = noted(state(Phase.SUMMARY), "0", ratings=Ratings(anxiety=strength(0, "0")))
    assert (after.measures.suds_post, fresh) == (0, {"ratings"})


# What is left out, and the language


@pytest.mark.parametrize(
    ("asked", "name"),
    [(Asked.WORRY, "thought"), (Asked.EMOTION, "emotion"), (Asked.INTENSITY, "intensity")],
)
def test_a53e_what_is_refused_is_remembered(asked: Asked, name: str) -> None:
    after, _ = noted(state(asked=asked), "I'd rather not say", Act.REFUSES)
    assert after.memory.skipped == (name,)
    again, _ = noted(after, "no, thanks", Act.REFUSES)
    assert again.memory.skipped == (name,)


def test_a53e_who_refuses_and_tells_all_the_same_has_told() -> None:
    after, _ = noted(state(asked=Asked.WORRY), "I fail", Act.REFUSES, situation=Span(0, 6))
    assert after.memory.skipped == ()


def test_a53e_refusing_what_is_no_question_skips_nothing() -> None:
    after, _ = noted(state(asked=Asked.FIT), "no", Act.REFUSES)
    assert after.memory.skipped == ()


def test_a8_the_language_follows_the_words_until_it_is_fixed() -> None:
    after, _ = noted(state(), "hola, qué tal", language="es")
    assert (after.user_language, after.fixed_language) == ("es", False)
    begun, _ = noted(replace(state(), messages=0), "hola", language="es")
    assert begun.user_language == "es"
    stays, _ = noted(replace(state(), messages=2), "eh", language="es")
    assert stays.user_language == "en"
    fixed, _ = noted(replace(state(), fixed_language=True), "hola", language="es")
    assert fixed.user_language == "en"
    unknown, _ = noted(state(user_language="es"), "8", language=None)
    assert unknown.user_language == "es"


def test_a8_who_asks_for_a_language_gets_it_and_keeps_it() -> None:
    after, _ = noted(
        state(), "en español", Act.OTHER_LANGUAGE_REQUEST, wants_language="es", language="en"
    )
    assert (after.user_language, after.fixed_language) == ("es", True)
    stays, _ = noted(state(), "english please", Act.OTHER_LANGUAGE_REQUEST, wants_language="en")
    assert (stays.user_language, stays.fixed_language) == ("en", True)


def test_a1_a_message_that_tells_nothing_changes_nothing() -> None:
    before = state()
    after, fresh = noted(before, "...", Act.SILENCE)
    assert (after, fresh) == (before, frozenset())
