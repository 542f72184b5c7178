"""Thinking traps in one thought: which are read, in both languages, and what is left alone."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from handrail.adapters.re2 import Re2Engine
from handrail.errors import ContentInvalid
from handrail.flows.reframe.distortions import Distortion, DistortionReader, Found
from handrail.flows.reframe.distortions.lexicon import LexiconModel, lexicon_of, load_models

MODELS = {model.language: model for model in load_models()}
EXAMPLES = [
    (language, cue.id, cue.example) for language, model in MODELS.items() for cue in model.cues
]
EXCUSED = [
    (language, each.distortions, each.example)
    for language, model in MODELS.items()
    for each in model.excuses
]
ONE_EACH = (
    (Distortion.MIND_READING, "She thinks I'm boring.", "Ella piensa que soy aburrida."),
    (Distortion.FORTUNE_TELLING, "I'll fail the exam.", "Voy a reprobar el examen."),
    (Distortion.CATASTROPHIZING, "We'll end up on the street.", "Vamos a acabar en la calle."),
    (Distortion.ALL_OR_NOTHING, "I always mess up.", "Siempre lo arruino todo."),
    (Distortion.MENTAL_FILTER, "All I see is the scar.", "Lo único que veo es la cicatriz."),
    (Distortion.PERSONALIZATION, "It was all my fault.", "Todo fue por mi culpa."),
    (Distortion.LABELING, "I'm such an idiot.", "Soy un idiota."),
    (Distortion.SHOULD_STATEMENTS, "I should be over this.", "Ya debería haberlo superado."),
    (
        Distortion.EMOTIONAL_REASONING,
        "I feel guilty so I must be guilty.",
        "Me siento culpable, así que lo soy.",
    ),
    (Distortion.DISCOUNTING_POSITIVES, "I passed by pure luck.", "Aprobé por pura suerte."),
)
PLAIN = (
    ("en", "They told me I failed."),
    ("en", "They told me that I failed the exam and I am sad."),
    ("en", "I should call at 5."),
    ("en", "I always take the bus."),
    ("en", "I feel nervous about a presentation."),
    ("en", "I don't know what she thinks about me."),
    ("en", "I'm dying to see the new kitchen."),
    ("en", "It was not my fault."),
    ("es", "Me dijeron que reprobé."),
    ("es", "Me dijeron que reprobé el examen y estoy triste."),
    ("es", "Debería llamar a las 5."),
    ("es", "Siempre tomo el autobús."),
    ("es", "Me pone nervioso una presentación."),
    ("es", "No sé qué piensa de mí."),
    ("es", "Me da pena irme tan pronto."),
    ("es", "No fue mi culpa."),
)


@pytest.fixture(scope="module")
def reader() -> DistortionReader:
    return DistortionReader.packaged(Re2Engine())


def named(found: Sequence[Found]) -> list[Distortion]:
    return [each.distortion for each in found if each.named]


def rules(found: Sequence[Found]) -> set[str]:
    return {cue.rule for each in found for cue in each.cues}


def test_the_ten_have_the_names_and_codes_of_the_session() -> None:
    assert [(each.value, each.code) for each in Distortion] == [
        ("mind-reading", "MW"),
        ("fortune-telling", "FT"),
        ("catastrophizing", "CT"),
        ("all-or-nothing", "AO"),
        ("mental-filter", "MF"),
        ("personalization", "PR"),
        ("labeling", "LB"),
        ("should-statements", "SH"),
        ("emotional-reasoning", "ER"),
        ("discounting-positives", "DP"),
    ]


@pytest.mark.parametrize(
    ("language", "thought", "situation"),
    [
        ("en", "everyone will judge me", "I'm anxious about a presentation"),
        ("en", "Everyone will judge me.", ""),
        ("en", "They will judge me.", "I'm anxious about a presentation"),
        ("es", "todos me van a juzgar", "Me da ansiedad una presentación"),
        ("es", "Todo el mundo me va a juzgar.", ""),
        ("es-MX", "me van a juzgar", "Tengo una presentación el lunes"),
    ],
)
def test_a32_to_be_judged_by_all_is_mind_reading_and_catastrophizing(
    reader: DistortionReader, language: str, thought: str, situation: str
) -> None:
    found = reader.read(thought, language, context=situation)
    assert named(found) == [Distortion.MIND_READING, Distortion.CATASTROPHIZING]


@pytest.mark.parametrize(("trap", "english", "spanish"), ONE_EACH, ids=lambda each: str(each)[:24])
def test_a7_each_trap_is_read_in_both_languages(
    reader: DistortionReader, trap: Distortion, english: str, spanish: str
) -> None:
    assert named(reader.read(english, "en"))[0] is trap
    assert named(reader.read(spanish, "es"))[0] is trap


def test_a26_at_most_two_are_named_and_the_best_come_first(reader: DistortionReader) -> None:
    thought = "I'm such a loser, I always ruin everything, it's all my fault, I should be better."
    found = reader.read(thought, "en")
    assert len(found) > 2
    assert [each.named for each in found] == [True, True] + [False] * (len(found) - 2)
    assert [each.score.value for each in found] == sorted(
        (each.score.value for each in found), reverse=True
    )


def test_a_tie_falls_to_the_order_of_the_traps(reader: DistortionReader) -> None:
    first, second = reader.read("Nobody likes me.", "en")
    assert first.score == second.score
    assert [first.distortion, second.distortion] == [
        Distortion.MIND_READING,
        Distortion.ALL_OR_NOTHING,
    ]


@pytest.mark.parametrize(("language", "thought"), PLAIN)
def test_facts_plans_and_habits_show_nothing(
    reader: DistortionReader, language: str, thought: str
) -> None:
    assert reader.read(thought, language) == ()


@pytest.mark.parametrize(("language", "cue", "example"), EXAMPLES)
def test_every_cue_fires_on_its_example(
    reader: DistortionReader, language: str, cue: str, example: str
) -> None:
    assert cue in rules(reader.read(example, language))


@pytest.mark.parametrize(("language", "distortions", "example"), EXCUSED)
def test_every_excuse_excuses_its_example(
    reader: DistortionReader, language: str, distortions: Sequence[Distortion], example: str
) -> None:
    shown = {each.distortion for each in reader.read(example, language)}
    assert not shown.intersection(distortions)


def test_an_excuse_reaches_no_further_than_its_sentence(reader: DistortionReader) -> None:
    found = reader.read("She told me she was angry with me. She must think I'm stupid.", "en")
    assert rules(found) >= {"mw-think-of-me"}
    assert "mw-angry-with-me" not in rules(found)


def test_a_setting_makes_a_cue_count_but_shows_no_trap_of_its_own(reader: DistortionReader) -> None:
    alone = reader.read("They will judge me.", "en")
    watched = reader.read("They will judge me.", "en", context="I always ruin every speech.")
    assert rules(watched) - rules(alone) == {"ct-watched"}


def test_cues_point_at_the_words_that_were_written(reader: DistortionReader) -> None:
    thought = "¡Ay! Soy un IDIOTA, de verdad."
    (found,) = reader.read(thought, "es")
    assert [cue.span.of(thought) for cue in found.cues] == ["Soy un IDIOTA"]


def test_two_cues_of_one_trap_weigh_more_than_one(reader: DistortionReader) -> None:
    (one,) = reader.read("I should have known.", "en")
    (two,) = reader.read("I should have known. I must never cry.", "en")
    assert two.distortion is one.distortion is Distortion.SHOULD_STATEMENTS
    assert two.score > one.score
    assert len(two.cues) > len(one.cues)


def test_a_language_without_a_file_shows_nothing(reader: DistortionReader) -> None:
    assert reader.read("I'm such a loser.", "de") == ()
    assert set(reader.versions) == {"en", "es"}


def test_both_languages_have_the_same_cues_with_the_same_weights() -> None:
    english, spanish = (
        [(cue.id, cue.distortion, cue.weight, cue.setting) for cue in MODELS[language].cues]
        for language in ("en", "es")
    )
    assert english == spanish
    assert {cue.distortion for cue in MODELS["en"].cues} == set(Distortion)
    assert [each.id for each in MODELS["en"].excuses] == [each.id for each in MODELS["es"].excuses]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [({"id": "a-cue"}, "a-cue is defined more than once"), ({"setting": "moon"}, "moon is no")],
)
def test_a_broken_file_is_refused(change: dict[str, str], complaint: str) -> None:
    cue = {
        "id": "a-cue",
        "distortion": "labeling",
        "weight": 0.5,
        "review": "editorial",
        "example": "Loser.",
        "say": "loser",
    }
    model = LexiconModel.model_validate(
        {
            "id": "broken.en",
            "version": "1",
            "language": "en",
            "reviewer": "nobody",
            "source": "handrail",
            "common": "",
            "concepts": {},
            "excuses": [],
            "cues": [cue, {**cue, "id": "other", **change}],
        }
    )
    with pytest.raises(ContentInvalid, match=complaint):
        lexicon_of(model)
