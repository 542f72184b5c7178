"""Which danger a turn asks about, and which strain a message shows."""

from __future__ import annotations

import pytest

from handrail.domain.risk import Level, Subject
from handrail.rails.crisis import CrisisScreen
from handrail.rails.crisis.answers import Answer
from handrail.rails.crisis.ear import gravest


def _asked(screen: CrisisScreen, turn: str) -> set[str]:
    return {question.id.split(".", 2)[2] for question in screen.ear.asked(turn)}


@pytest.mark.parametrize(
    ("turn", "about"),
    [
        ("Are you thinking about killing yourself?", "suicide"),
        ("Are there any thoughts of suicide?", "suicide"),
        ("Do you sometimes wish you could go to sleep and not wake up?", "wish"),
        ("Have you been hurting yourself?", "self_harm"),
        ("Do you have a plan for how you would end your life?", "plan"),
        ("Is there a gun at home?", "means"),
        ("Are you safe right now?", "safety"),
        ("Are you in danger?", "danger"),
        ("Are you in a safe place tonight?", "safe_place"),
        ("Some people then think of suicide. Is that something you have felt?", "referring"),
        ("Cuando dices que no puedes más, ¿piensas en morir?", "wish"),
        ("¿Estás en un lugar seguro?", "safe_place"),
        ("Have you thought about hurting someone else?", "harm_others"),
        ("Do the voices tell you to hurt yourself?", "voices_command"),
        ("Have you ever tried to end your life?", "attempt"),
        ("Is your brother thinking about suicide?", "third"),
        ("¿Estás pensando en quitarte la vida?", "suicide"),
        ("¿Has deseado no despertar?", "wish"),
        ("¿Has pensado en hacerte daño?", "self_harm"),
        ("¿Tienes un plan para hacerlo?", "plan"),
        ("¿Hay una pistola en tu casa?", "means"),
        ("¿Estás a salvo en este momento?", "safety"),
        ("¿Las voces te dicen que te hagas daño?", "voices_command"),
        ("¿Tu hermana ha hablado de suicidarse?", "third"),
    ],
)
def test_a49_a_direct_question_is_known_by_what_it_asks(
    screen: CrisisScreen, turn: str, about: str
) -> None:
    """A49: context begins with knowing what was asked."""
    assert about in _asked(screen, turn)


@pytest.mark.parametrize(
    "turn",
    [
        "",
        "How did you sleep?",
        "Suicide lines are open all night. Does that sound all right?",
        "If you are thinking about suicide, call your local line. How was work?",
        "Do you have a plan for the weekend?",
        "Do you feel safe sharing that here?",
        "Would you like the number of a suicide prevention line?",
        "Are you ending things with your boyfriend?",
        "¿Tienes planes para mañana?",
        "¿Estás segura de que quieres cambiar de trabajo?",
    ],
)
def test_what_only_looks_like_such_a_question_is_none(screen: CrisisScreen, turn: str) -> None:
    assert _asked(screen, turn) == set()


def test_a_question_beside_another_needs_the_danger_named(screen: CrisisScreen) -> None:
    assert _asked(screen, "Have you made a plan?") == set()
    assert "plan_beside" in _asked(screen, "You spoke of suicide. Have you made a plan?")


def test_a_question_knows_whether_another_followed(screen: CrisisScreen) -> None:
    (last,) = screen.ear.asked("How was today? Are you thinking about suicide?")
    (earlier,) = screen.ear.asked("Are you thinking about suicide? How was today?")
    assert (last.open, earlier.open) == (True, False)


def test_a_question_that_suggests_a_no_is_not_open(screen: CrisisScreen) -> None:
    (leading,) = screen.ear.asked("You would never kill yourself, right?")
    assert not leading.open
    (plain,) = screen.ear.asked("Cuando dices que no puedes más, ¿piensas en suicidarte?")
    assert plain.open


def test_every_language_asks_the_same_with_the_same_weight(screen: CrisisScreen) -> None:
    pairs = [
        ("Are you thinking about killing yourself?", "¿Estás pensando en matarte?"),
        ("Are you safe?", "¿Estás a salvo?"),
        ("Do you hear voices?", "¿Oyes voces?"),
        ("You are not thinking of suicide?", "¿No estás pensando en el suicidio?"),
    ]
    for english, spanish in pairs:
        (first,), (second,) = screen.ear.asked(english), screen.ear.asked(spanish)
        assert (first.kind, first.subject, first.levels) == (
            second.kind,
            second.subject,
            second.levels,
        )


def test_the_gravest_question_depends_on_the_answer(screen: CrisisScreen) -> None:
    asked = screen.ear.asked("Are you safe? Do you want to die?")
    no, yes = gravest(asked, Answer.NO), gravest(asked, Answer.YES)
    assert no is not None
    assert yes is not None
    assert (no.levels[Answer.NO], yes.levels[Answer.YES]) == (Level.HIGH, Level.MODERATE)
    assert gravest((), Answer.YES) is None


def test_a_question_about_somebody_else_is_about_them(screen: CrisisScreen) -> None:
    assert {q.subject for q in screen.ear.asked("Is your friend suicidal?")} == {Subject.THIRD}


@pytest.mark.parametrize(
    ("said", "sign"),
    [
        ("What's the point?", "hopelessness"),
        ("nothing ever gets better", "hopelessness"),
        ("I can't see any way out", "entrapment"),
        ("I need my dark thoughts to go away", "thoughts"),
        ("I feel like a failure", "defeat"),
        ("I've let everyone down", "defeat"),
        ("my kids deserve better", "burden"),
        ("I feel invisible", "unseen"),
        ("no le veo sentido a nada", "hopelessness"),
        ("no veo salida", "entrapment"),
        ("soy un fracaso", "defeat"),
        ("a nadie le importa, nadie se daría cuenta", "unseen"),
    ],
)
def test_a49_a_sign_of_strain_is_known(screen: CrisisScreen, said: str, sign: str) -> None:
    """A49."""
    assert sign in screen.ear.signs(screen.read(said).normal)


@pytest.mark.parametrize(
    "said",
    [
        "I don't feel hopeless",
        "my sister feels like a failure",
        'he wrote "I feel invisible" on the wall',
        "worst case nothing changes",
        "I deserve better",
        "no soy un fracaso",
        "mi hermano se siente un fracaso",
    ],
)
def test_a_sign_denied_quoted_joked_or_another_persons_is_none(
    screen: CrisisScreen, said: str
) -> None:
    assert not screen.ear.signs(screen.read(said).normal)


def test_a_screen_without_an_ear_hears_nothing(screen: CrisisScreen) -> None:
    from handrail.adapters.re2 import Re2Engine

    deaf = CrisisScreen(screen.lexicons, Re2Engine())
    assert deaf.ear.asked("Are you thinking about suicide?") == ()
    assert not deaf.ear.signs(deaf.read("what's the point").normal)
