"""A message within its conversation."""

from __future__ import annotations

import json

import pytest

from handrail.domain.risk import Level, Risk, Subject
from handrail.rails.crisis import CrisisScreen
from handrail.rails.crisis.conversation import STRAIN, State, hear
from handrail.rails.crisis.latch import DENIED_TWICE, HUMAN, QUIET_TURNS, SIGNAL
from handrail.rails.crisis.screen import Context

NONE, MILD, MODERATE, HIGH = Level
ASKED = "Thank you for telling me. Are you thinking about killing yourself?"
ASKED_ES = "Gracias por contármelo. ¿Estás pensando en quitarte la vida?"


def _own(screen: CrisisScreen, said: str, before: str | None) -> Level:
    return hear(screen, State(), said, before=before).risk.level_for(Subject.SELF)


def _through(screen: CrisisScreen, *said: str) -> tuple[Risk, State]:
    """The risk of the last of several messages without questions between, and the state."""
    state, risk = State(), Risk()
    for message in said:
        heard = hear(screen, state, message)
        state, risk = heard.state, heard.risk
    return risk, state


@pytest.mark.parametrize(
    ("before", "said", "level"),
    [
        (ASKED, "yes", HIGH),
        (ASKED, "sometimes", HIGH),
        (ASKED, "i guess", MODERATE),
        (ASKED, "I'd rather not say", MODERATE),
        (ASKED, "no, nothing like that", NONE),
        (ASKED, "no", NONE),
        (ASKED, "the dog is barking", NONE),
        (ASKED_ES, "a veces", HIGH),
        (ASKED_ES, "prefiero no decirlo", MODERATE),
        (ASKED_ES, "no, para nada", NONE),
        ("Do you wish you were dead?", "yeah", MODERATE),
        ("Is there a gun at home?", "yes", HIGH),
        ("Do you have a plan to end your life?", "kind of", MODERATE),
        ("Are you safe right now?", "yes", NONE),
        ("Are you safe right now?", "no", HIGH),
        ("Are you safe right now?", "not sure", MODERATE),
        ("¿Estás a salvo?", "no", HIGH),
        ("Do you hear voices?", "yes", MODERATE),
        ("How was your day?", "yes", NONE),
        (None, "yes", NONE),
    ],
)
def test_a49_an_elliptical_answer_means_what_was_asked(
    screen: CrisisScreen, before: str | None, said: str, level: Level
) -> None:
    """A49: contextual analysis."""
    assert _own(screen, said, before) is level


@pytest.mark.parametrize(
    ("before", "said", "level"),
    [
        ("Are you thinking about suicide? Are you safe?", "no", MODERATE),
        ("Are you safe?", "no, the landlord came and I could not sleep", MODERATE),
        ("Are you safe?", "I'm safe. I don't know what to do about rent", NONE),
        ("Are you safe?", "I don't know, I am at home", MODERATE),
        ("¿Estás a salvo?", "estoy a salvo. no sé qué hacer con la renta", NONE),
    ],
)
def test_a49_a_no_to_safety_is_grave_only_where_it_can_mean_nothing_else(
    screen: CrisisScreen, before: str, said: str, level: Level
) -> None:
    """A49."""
    assert _own(screen, said, before) is level


def test_a49_an_answer_behind_another_question_counts_as_unsure(screen: CrisisScreen) -> None:
    """A49: it may belong to the last question."""
    assert _own(screen, "yes", f"{ASKED} And would you like some ideas for tonight?") is MODERATE


def test_an_answer_about_somebody_else_is_their_danger(screen: CrisisScreen) -> None:
    risk = hear(screen, State(), "yes", before="Is your brother thinking about suicide?").risk
    assert {subject: risk.level_for(subject) for subject in risk.subjects} == {
        Subject.THIRD: MODERATE
    }


def test_an_answer_about_harming_others_is_danger_from_the_writer(screen: CrisisScreen) -> None:
    risk = hear(screen, State(), "yes", before="Are you thinking of hurting someone?").risk
    assert risk.level_for(Subject.OTHER) is HIGH
    assert risk.level_for(Subject.SELF) is NONE


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("Are you thinking about suicide?", "suicide? no, never"),
        ("Are you thinking about suicide?", "no, no suicide or anything"),
        ("¿Estás pensando en suicidarte?", "¿suicidarme? no, para nada"),
        (ASKED, "No, I'm not thinking about killing myself"),
    ],
)
def test_c70_the_words_of_the_question_in_a_denial_are_not_danger(
    screen: CrisisScreen, before: str, said: str
) -> None:
    """C70: a denial after a direct question is not risk."""
    heard = hear(screen, State(), said, before=before)
    assert heard.risk.level is NONE
    assert heard.risk.dismissed
    assert heard.state.denials == (1,)


@pytest.mark.parametrize(
    "said",
    [
        "No. I want to kill myself",
        "no, but I took all my pills",
        "No. Want to kill myself",
        "no... I'm going to end my life tonight",
        "No. Quiero matarme",
    ],
)
def test_c70_a_denial_that_is_contradicted_hides_nothing(screen: CrisisScreen, said: str) -> None:
    """C70: a denial counts only while nothing else contradicts it."""
    assert _own(screen, said, "Do you want to kill yourself?") is HIGH


def test_a_denial_adds_nothing_and_takes_nothing_back(screen: CrisisScreen) -> None:
    first = hear(screen, State(), "everyone would be better off without me").state
    denied = hear(screen, first, "no, nothing like that", before=ASKED)
    assert denied.risk.level is NONE
    assert denied.state.latch == first.latch
    assert denied.state.latch.level is MODERATE
    assert set(first.heard) <= set(denied.state.heard)


def test_a_denial_with_a_but_adds_only_what_follows(screen: CrisisScreen) -> None:
    assert _own(screen, "no, but work is hard", ASKED) is NONE
    assert _own(screen, "no, but I wish I wouldn't wake up", ASKED) is MODERATE


def test_a49_a_loss_of_three_turns_ago_weighs_on_a_question_about_a_place(
    screen: CrisisScreen,
) -> None:
    """A49."""
    asks = "what is the tallest bridge around here"
    assert _through(screen, asks)[0].level is NONE
    told = ("I lost my job last month", "it rained today", "I had soup", asks)
    risk, state = _through(screen, *told)
    assert risk.level is HIGH
    assert "loss" in state.heard


def test_somebody_elses_attempt_told_before_is_meant_again(screen: CrisisScreen) -> None:
    again = "Robin survived a suicide attempt"
    told = "my friend tried to kill himself last week"
    alone, after = _through(screen, again)[0], _through(screen, told, again)[0]
    assert alone.level_for(Subject.SELF) is MODERATE
    assert after.level_for(Subject.SELF) is NONE
    assert after.level_for(Subject.THIRD) is MODERATE
    assert after.level is alone.level


@pytest.mark.parametrize(
    "said",
    ["want to die", "I had a suicide attempt too", "been thinking about suicide", "suicidal"],
)
def test_what_the_writer_says_of_themselves_stays_theirs(screen: CrisisScreen, said: str) -> None:
    told = Context(told=frozenset({"suicide"}))
    assert screen.check(said, told) == screen.check(said)


def test_strain_weighs_when_it_tells_of_the_future_and_of_oneself(screen: CrisisScreen) -> None:
    one_sided = ("what's the point", "nothing ever changes", "I can't see any way out")
    assert STRAIN not in dict(_through(screen, *one_sided)[1].counts)
    risk, state = _through(screen, *one_sided, "I'm a failure")
    assert risk.level_for(Subject.SELF) is MODERATE
    assert STRAIN in dict(state.counts)
    again = hear(screen, state, "I'm such a failure").risk
    assert STRAIN not in {signal.rule for signal in again.signals}


def test_strain_is_answered_in_the_language_it_was_told_in(screen: CrisisScreen) -> None:
    risk, _ = _through(screen, "no le veo sentido a nada", "no veo salida", "soy un fracaso")
    (strain,) = [signal for signal in risk.signals if signal.rule == STRAIN]
    assert strain.language == "es"


def test_moderate_signs_in_many_turns_are_kept_and_are_not_high(screen: CrisisScreen) -> None:
    said = (
        "I wish I wouldn't wake up",
        "I'm a burden to everyone",
        "what's the point of any of it",
        "everyone would be better off without me",
    )
    _, state = _through(screen, *said)
    assert state.latch.level_for(Subject.SELF) is MODERATE
    assert {"passive_ideation", "burden"} <= set(state.heard)
    assert sum(count for _, count in state.counts) >= len(said) - 1


def test_every_change_of_a_level_has_its_reason(screen: CrisisScreen) -> None:
    _, state = _through(screen, "I can't do this anymore", "hello", "I want to die")
    changes = [(c.turn, c.before, c.after, c.reason) for c in state.latch.changes]
    assert changes == [(1, NONE, MILD, SIGNAL), (3, MILD, HIGH, SIGNAL)]
    assert state.latch.changes[-1].by == "en.suicide.wish"


def _denying(screen: CrisisScreen, first: str, *, quiet: int) -> State:
    state = hear(screen, State(), first).state
    for _ in range(2):
        state = hear(screen, state, "no, nothing like that", before=ASKED).state
    for _ in range(quiet - 2):
        state = hear(screen, state, "I made soup").state
    return state


def test_c70_two_denials_and_quiet_take_moderate_to_mild_when_called(
    screen: CrisisScreen,
) -> None:
    """C70: the level falls only by a named rule."""
    state = _denying(screen, "I wish I wouldn't wake up", quiet=QUIET_TURNS)
    assert state.latch.level is MODERATE
    after = state.denied_twice()
    assert after.latch.level is MILD
    assert after.latch.changes[-1].reason == DENIED_TWICE


def test_c70_the_rule_needs_two_denials_and_quiet_and_never_touches_high(
    screen: CrisisScreen,
) -> None:
    """C70."""
    early = _denying(screen, "I wish I wouldn't wake up", quiet=2)
    assert early.denied_twice() == early
    grave = _denying(screen, "I want to kill myself", quiet=QUIET_TURNS)
    assert grave.denied_twice() == grave
    once = hear(screen, State(), "I wish I wouldn't wake up").state
    for said in ("no", "I made soup", "and bread", "and tea"):
        once = hear(screen, once, said, before=ASKED if said == "no" else None).state
    assert once.denied_twice() == once


def test_a_new_signal_takes_earlier_denials_back(screen: CrisisScreen) -> None:
    state = _denying(screen, "I wish I wouldn't wake up", quiet=2)
    assert hear(screen, state, "I still wish I wouldn't wake up").state.denials == ()


def test_a_person_can_release_any_level(screen: CrisisScreen) -> None:
    state = hear(screen, State(), "I want to kill myself").state
    after = state.released(Subject.SELF, MILD, by="reviewer-7")
    assert after.latch.level is MILD
    assert (after.latch.changes[-1].reason, after.latch.changes[-1].by) == (HUMAN, "reviewer-7")


def test_a_state_holds_no_words(screen: CrisisScreen) -> None:
    canary = "Zanzibar marmalade"
    said = f"{canary}: I feel like a failure, what's the point, I want to die"
    state = hear(screen, State(), said, before=f"{canary}, {ASKED}").state
    written = json.dumps(state.to_json())
    assert "anzibar" not in written
    assert "failure" not in written
    assert State.from_json(json.loads(written)) == state


@pytest.mark.parametrize("broken", [{}, {"turn": 1}, {**State().to_json(), "latch": {}}])
def test_a_broken_state_is_an_error_and_never_an_empty_one(broken: dict[str, object]) -> None:
    with pytest.raises((KeyError, ValueError)):
        State.from_json(broken)
