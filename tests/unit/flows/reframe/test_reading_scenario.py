"""The scenario of the contract, message by message, in both languages."""

from __future__ import annotations

import pytest

from handrail.adapters.re2 import Re2Engine
from handrail.flows.reframe.reading import Act, Asked, Reader, Reading

READER = Reader.packaged(Re2Engine())


def quoted(message: str, reading: Reading, name: str) -> str | None:
    span = getattr(reading, name)
    return None if span is None else span.of(message)


def families(reading: Reading) -> list[str]:
    return [emotion.family for emotion in reading.emotions]


@pytest.mark.parametrize(
    "message", ["I'm anxious about a presentation", "Me angustia una presentación"]
)
def test_a32_the_opening_tells_a_situation_and_a_feeling(message: str) -> None:
    reading = READER.read(message)
    assert reading.act is Act.CONTENT
    assert quoted(message, reading, "situation") == message
    assert reading.thought is None
    assert families(reading) == ["anxiety"]


@pytest.mark.parametrize("message", ["everyone will judge me", "todos me van a juzgar"])
def test_a32_the_worry_is_a_thought(message: str) -> None:
    reading = READER.read(message, asked=Asked.WORRY)
    assert quoted(message, reading, "thought") == message
    assert reading.situation is None


@pytest.mark.parametrize("message", ["Fear and shame", "Miedo y vergüenza"])
def test_a32_two_feelings_are_two_families(message: str) -> None:
    assert families(READER.read(message, asked=Asked.EMOTION)) == ["anxiety", "shame"]


@pytest.mark.parametrize("message", ["About 8", "Como un 8"])
def test_a32_a_number_is_the_intensity(message: str) -> None:
    intensity = READER.read(message, asked=Asked.INTENSITY).intensity
    assert intensity is not None
    assert (intensity.value, intensity.span.of(message)) == (8, "8")


@pytest.mark.parametrize(
    ("message", "thought"),
    [
        ("I think that everyone will judge me", "everyone will judge me"),
        ("I just feel like nobody likes me", "nobody likes me"),
        ("well, I'm scared that I'll fail, I guess", "I'll fail"),
        ("i don’t think i’m good enough", "i don’t think i’m good enough"),
        ("Siento que todos se van a reír de mí", "todos se van a reír de mí"),
        ("me da miedo que me dejen", "me dejen"),
        ("no creo que valga para esto", "no creo que valga para esto"),
        ("que soy un fracaso 😔", "soy un fracaso"),
    ],
)
def test_a8_a_thought_is_quoted_without_its_lead(message: str, thought: str) -> None:
    assert quoted(message, READER.read(message, asked=Asked.WORRY), "thought") == thought


@pytest.mark.parametrize(
    ("message", "situation", "thought"),
    [
        (
            "My boss didn't reply. She must hate me",
            "My boss didn't reply",
            "She must hate me",
        ),
        (
            "Mi pareja me dejó ayer y creo que nadie me va a querer",
            "Mi pareja me dejó ayer",
            "nadie me va a querer",
        ),
    ],
)
def test_a8_an_opening_may_hold_both(message: str, situation: str, thought: str) -> None:
    reading = READER.read(message)
    assert quoted(message, reading, "situation") == situation
    assert quoted(message, reading, "thought") == thought


@pytest.mark.parametrize(
    ("message", "asked", "act"),
    [
        ("no", Asked.FIT, Act.NO),
        ("nothing", Asked.EVIDENCE, Act.NO),
        ("nothing", Asked.INTENSITY, Act.CONTENT),
        ("fine", Asked.FIT, Act.YES),
        ("fine", Asked.NOTHING, Act.POSITIVE),
        ("a bit", Asked.FIT, Act.PARTLY),
        ("a bit", Asked.INTENSITY, Act.CONTENT),
        ("nada", Asked.EVIDENCE, Act.NO),
        ("nada", Asked.INTENSITY, Act.CONTENT),
        ("bien", Asked.FIT, Act.YES),
        ("bien", Asked.NOTHING, Act.POSITIVE),
        ("un poco", Asked.FIT, Act.PARTLY),
        ("un poco", Asked.INTENSITY, Act.CONTENT),
    ],
)
def test_a53e_the_same_words_answer_what_was_asked(message: str, asked: Asked, act: Act) -> None:
    assert READER.read(message, asked=asked).act is act


@pytest.mark.parametrize(
    ("message", "wanted", "written"),
    [("could we do this in Spanish?", "es", "en"), ("¿podemos hablar en inglés?", "en", "es")],
)
def test_another_language_is_asked_for_by_name(message: str, wanted: str, written: str) -> None:
    reading = READER.read(message)
    assert reading.act is Act.OTHER_LANGUAGE_REQUEST
    assert (reading.wants_language, reading.language) == (wanted, written)
    assert READER.language_of(message) == written


def test_ones_own_head_may_be_harsh_where_it_is_asked() -> None:
    assert READER.read("you're useless").act is Act.HOSTILE
    assert READER.read("you're useless", asked=Asked.WORRY).act is Act.CONTENT


def test_a_long_clause_is_cut_at_a_word() -> None:
    message = "everyone will judge me for " + "what I said and did " * 12
    span = READER.read(message, asked=Asked.WORRY).thought
    assert span is not None
    assert 0 < span.end - span.start <= 140
    assert message[span.end] == " "


def test_a_message_is_long_from_so_many_words() -> None:
    assert not READER.read("word " * 60).long
    assert READER.read("word " * 61).long


@pytest.mark.parametrize(
    ("message", "thought"),
    [
        ("no, that's not what I meant. I'm scared that I'll fail", "I'll fail"),
        ("you misunderstood, everyone will judge me", "everyone will judge me"),
        ("no, no es eso lo que quería decir. es que me van a juzgar", "me van a juzgar"),
        ("me entendiste mal, creo que soy un fracaso", "soy un fracaso"),
    ],
)
def test_a8_a_correction_is_heard_and_not_quoted(message: str, thought: str) -> None:
    reading = READER.read(message, asked=Asked.EMOTION)
    assert reading.corrects
    assert quoted(message, reading, "thought") == thought


@pytest.mark.parametrize(
    ("message", "denies"),
    [
        ("No, not at all. It's about my job.", True),
        ("No, en absoluto. Hablo del trabajo.", True),
        ("ay no, es solo por lo de mi novia", True),
        ("no sé", False),
        ("no puedo más", False),
        ("It's about my job.", False),
        ("hablo del trabajo, que no va bien", False),
    ],
)
def test_a_no_that_opens_an_answer_is_heard_whatever_follows(message: str, denies: bool) -> None:
    assert READER.read(message, asked=Asked.WORRY).denies is denies


@pytest.mark.parametrize(
    ("message", "thought"),
    [
        ("are you a bot? he's going to leave me", "he's going to leave me"),
        ("que me va a dejar. sos un bot vos?", "me va a dejar"),
    ],
)
def test_a8_a_thought_beside_the_question_who_we_are_is_kept(message: str, thought: str) -> None:
    reading = READER.read(message, asked=Asked.WORRY)
    assert (reading.act, quoted(message, reading, "thought")) == (Act.ASKS_WHO, thought)


@pytest.mark.parametrize(
    ("message", "situation"),
    [
        ("I'm 75. My husband died in May. My nephew gave me this phone.", "My husband died in May"),
        ("Mi nieto me instaló esto ayer. Mi mujer murió en mayo.", "Mi mujer murió en mayo"),
    ],
)
def test_a8_where_somebody_died_that_is_what_happened(message: str, situation: str) -> None:
    reading = READER.read(message)
    assert (reading.loss, quoted(message, reading, "situation")) == (True, situation)


def test_a8_a_number_is_no_thought() -> None:
    assert READER.read("6", asked=Asked.WORRY).thought is None


@pytest.mark.parametrize(
    ("message", "thought"),
    [
        ("que no soy bueno", "no soy bueno"),
        ("que los demás pueden y yo no", "los demás pueden y yo no"),
        ("que no merezco perdón", "no merezco perdón"),
        ("que nadie me quiere de verdad", "nadie me quiere de verdad"),
        ("que me va a dejar, creo", "me va a dejar"),
    ],
)
def test_a61_no_word_is_cut_that_carries_the_meaning(message: str, thought: str) -> None:
    assert quoted(message, READER.read(message, asked=Asked.WORRY), "thought") == thought
