"""Which sentences may stand alone in a reply to somebody else, and why the others may not."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from evidence_sample import case

from handrail.adapters.re2 import Re2Engine
from handrail.content import corpora, load
from handrail.corpus.segment import quotable
from handrail.domain.text import Case
from handrail.errors import ContentInvalid
from handrail.rails import quotability
from handrail.rails.denylist import Denylist
from handrail.rails.quotability import MAX_QUOTE_CHARS, Quotability, QuotabilityFile

PLAIN_MESSAGE = "I cannot sleep and worry about everything."


@cache
def packaged() -> Quotability:
    return Quotability.packaged(Re2Engine())


def fault(*sentences: str, at: int = 0, message: str = PLAIN_MESSAGE) -> str | None:
    return packaged().fault(case("c", *sentences), at, message=message)


STANDS_ALONE = [
    "Ångström walks are short and calm the body.",
    "A café visit can lift the mood of a day.",
    "Slow breathing tells the body that the moment is safe.",
    "Writing a worry down takes some of its weight away.",
    "Be patient with yourself, and celebrate small steps.",
    "You deserve to be heard and valued.",
    "Everyone needs a place where they can rest.",
    "It is normal to feel lost after a big change.",
    "It's okay to ask for help more than once.",
    "It can be hard to talk about feelings at first.",
    "It may also be helpful to keep a short diary.",
    "It takes time to build trust in yourself again.",
    "There is no shame in asking for help.",
    "There is nothing weak about needing rest.",
    "No one can carry every worry alone.",
    "Those who sleep little tend to worry more.",
    "Not everyone needs the same amount of rest.",
    "If you feel overwhelmed, step outside for a minute.",
    "If you can, talk with somebody you trust.",
    "Also, try to get up at the same hour each day.",
    "First, notice where the tension sits in your body.",
    "And remember that rest is part of the work.",
    "Although you may feel alone, many people share the same fear.",
    "When worry grows loud, name five things that you can see.",
    "Sometimes the first step is simply to name what hurts.",
    "I would suggest keeping a notebook beside the bed.",
    "A thought that is repeated often can start to look like a fact.",
    "Your feelings are valid, and that is enough reason to rest.",
    "Make it a habit to write down one good thing each evening.",
    "“Small” steps are still steps in the right direction.",
    "1. Notice one thing each day that went well.",
    "A person who feels ashamed often hides what he or she needs most.",
    "Ask a friend how she winds down after a long day.",
    "Have faith in yourself and in the steps you took.",
    "Be as gentle with yourself as you would be with a child.",
    "Please remember that you know yourself better than anyone.",
    "Its understandable to feel nervous before a big change.",
    "People of all ages have hard weeks, and they get through them.",
    "Some habits lose their pull when the evenings fill up.",
    "You do not have to carry it all by yourself.",
    "The past cannot be changed, and the next hour can.",
    "The first step is often the smallest one.",
    "The goal of a pause is to let the body catch up.",
    "The way you speak to yourself matters.",
    "The good news is that habits can change.",
    "A good therapist will let the client set the pace.",
    "Treat yourself with kindness through this time in your life.",
    "Your fear is understandable, and naming it can help.",
    "Writing worries down takes a minute, and this can calm the mind.",
]

FAULTS = [
    # leans on what went before
    ("That is a myth that many people carry around.", "leans-back"),
    ("But I disagree with the whole idea.", "leans-back"),
    ("I disagree with the whole idea.", "leans-back"),
    ("This can make the nights feel longer.", "leans-back"),
    ("They often come back stronger in the evening.", "leans-back"),
    ("It helps more than most people expect.", "leans-back"),
    ("It sounds like a heavy week for anybody.", "leans-back"),
    ("However, the opposite is just as common.", "leans-back"),
    ("For example, a warm bath can calm the body.", "leans-back"),
    ("Also, this will feel strange at first.", "leans-back"),
    ("So take the other road and be gentle.", "leans-back"),
    ("Try doing this every evening before bed.", "leans-back"),
    ("Many people find that this is enough for a start.", "leans-back"),
    ("Give it a little time before you judge.", "leans-back"),
    ("Tell them what you need from the evening.", "leans-back"),
    ("Some of these will work better than others.", "leans-back"),
    ("The technique mentioned above takes ten minutes.", "leans-back"),
    ("A good listener can help you with this part.", "leans-back"),
    ("Maybe it was never about the work at all.", "leans-back"),
    ("Another way to rest is to lie on the floor.", "leans-back"),
    ("Sometimes friends respond this way at first.", "leans-back"),
    ("Just writing these down can make the night calmer.", "leans-back"),
    ("Sometimes that balance makes the work easier.", "leans-back"),
    ("Take good care of that hurt for a while.", "leans-back"),
    ("Don't allow their problems to become yours.", "leans-back"),
    ("Ask how you can be supported by them today.", "leans-back"),
    ("You never know where it will take you.", "leans-back"),
    ("You can learn how to process it in time.", "leans-back"),
    ("It's a normal human response to pain.", "leans-back"),
    ("It is a hard situation for everyone at home.", "leans-back"),
    ("More importantly, the evenings need a plan.", "leans-back"),
    ("The rest of the work is in the evenings.", "leans-back"),
    ("One final tip is to keep the lamp low.", "leans-back"),
    ("Something else to try would be a short walk.", "leans-back"),
    ("Yoga on the other hand takes a little practice.", "leans-back"),
    ("Secrets will wear a person out though.", "leans-back"),
    ("The problem is not the amount of work.", "leans-back"),
    ("The feelings will pass after a while.", "leans-back"),
    ("All that being said, rest comes before work.", "leans-back"),
    ("As an added note, the evenings need a plan.", "leans-back"),
    ("To begin, write a page about the week.", "leans-back"),
    ("For some people, it feels like a game.", "leans-back"),
    ("Nobody knows what goes on inside as a result.", "leans-back"),
    ("A friend can help you find the new one.", "leans-back"),
    ("Let the client decide about the pace.", "leans-back"),
    ("Without that clarification, worry fills the gap.", "leans-back"),
    # true only under the first person's condition
    ("Depending on what the two agree on, rest may wait.", "conditional"),
    ("If so, a short rest may be enough for now.", "leans-back"),
    ("If he agrees, the evening may go better.", "conditional"),
    ("If your husband agrees, the evening may go better.", "conditional"),
    ("If you do this, the nights will feel shorter.", "leans-back"),
    ("If you decide to stay, set one clear rule.", "conditional"),
    ("Unless there is more to it, rest is enough.", "conditional"),
    ("Since you live alone, the evenings may feel long.", "conditional"),
    # reported
    ("Some people believe that crying is a weakness.", "reported"),
    ("Many say that time heals all wounds.", "reported"),
    ("The myth about grief is that it ends in a year.", "reported"),
    ("You mentioned that the mornings are the worst part.", "reported"),
    ("According to an old saying, time heals all wounds.", "reported"),
    ("The belief that rest is lazy is hard to shake.", "reported"),
    ("Depression tells us things like you are worthless.", "reported"),
    ("As Dana mentioned, worry is a part of life.", "reported"),
    # the writer's own voice, or words for somebody else's mouth
    ("I can learn from my mistakes and move forward.", "first-person"),
    ("I want to rest more and worry less.", "first-person"),
    ("First, I have to commend the effort behind the plan.", "first-person"),
    ("I'm afraid to say a word about the nights.", "first-person"),
    ("Pause, and say that you won't talk to me tonight.", "first-person"),
    ("A short walk before work has always helped me.", "first-person"),
    ("We recommend a first meeting of one hour.", "first-person"),
    # speaks to the first person
    ("Wow, what a heavy week for anybody to carry.", "addressed"),
    ("How frustrating to lie awake for so long!", "addressed"),
    ("Hello again, and kudos for the plan you made.", "addressed"),
    ("You may be right, the noise could be the reason.", "addressed"),
    ("It is also really good that you see the pattern.", "addressed"),
    ("Your fear is somewhat larger than the danger.", "addressed"),
    ("You are moving through a heavy season.", "addressed"),
    ("You probably become more restless at night.", "addressed"),
    ("Although you didn't write about work, rest matters.", "addressed"),
    ("Thank you for reaching out with your question.", "addressed"),
    ("I am sorry that you are going through a hard time.", "addressed"),
    ("I don't know whether the two of you have talked.", "addressed"),
    ("Let me say the same thing in another way.", "addressed"),
    ("A short answer is all that this forum has room for.", "addressed"),
    ("A good listener can support you in these goals.", "leans-back"),
    ("I hope the week gets a little lighter.", "addressed"),
    ("I wonder whether you sleep enough at night.", "addressed"),
    ("You are dealing with a lot at the moment.", "addressed"),
    ("Please contact us for a first talk.", "addressed"),
    ("Cheering you on, Dana Doe, LMHCP.", "addressed"),
    ("You're apparently aware of the pattern.", "addressed"),
    ("Your current plan needs a rest day.", "addressed"),
    ("You are too busy to see the garden.", "addressed"),
    # the first person's own life
    ("A calm evening can change your relationship.", "specific"),
    ("Nightmares often fade when the day is calmer.", "specific"),
    ("A rehearsal can make an audience less frightening.", "specific"),
    ("Punishment teaches less than a calm word.", "specific"),
    ("Car accidents can leave a body on guard.", "specific"),
    ("Mood swings can follow a pattern of weeks.", "specific"),
    ("A parent you admire may have had the same doubts.", "specific"),
    ("You could both set aside an hour for talk.", "specific"),
    ("You have been carrying a lot for a long time.", "specific"),
    ("The fact that you have survived shows strength.", "specific"),
    ("After ten years together, habits are hard to change.", "specific"),
    ("At your age, sleep often changes.", "specific"),
    ("A calm talk with your mother may help.", "specific"),
    ("A calm talk with her may help a little.", "specific"),
    ("Let the evening be a time that he looks forward to.", "specific"),
    ("Alcohol makes sleep lighter and shorter.", "specific"),
    ("Couples need time for one another each week.", "specific"),
    ("Children notice more than adults expect.", "specific"),
    ("Exams ask for more than reading the book twice.", "specific"),
    ("Grief comes in waves, and each wave passes.", "specific"),
    ("Prayer can be a source of calm.", "specific"),
    # announces, is cut, or cannot be read
    ("Let's look at two ways out of the circle.", "open-end"),
    ("Some examples may include trust and respect.", "open-end"),
    ("For one thing, bills have to be paid.", "open-end"),
    ("Starting is hard, but here are some ways in.", "open-end"),
    ("Cut out the easiest times first of all.3.", "open-end"),
    ("Here are a few ideas to start with.", "leans-back"),
    ("There are many ways to calm the body.", "open-end"),
    ("The most useful steps are the following.", "leans-back"),
    ("Keep in mind three simple rules for the night:", "fragment"),
    ("and the rest of the evening stays quiet.", "fragment"),
    ("Breathing (slow and deep calms the body.", "fragment"),
    ("Rest comes first.", "too-short"),
    ("What would a good friend say to you?", "question"),
    ("Respira hondo antes de dormir cada noche.", "foreign"),
    ("Descansa un poco más antes de así decidir.", "foreign"),
    ("Rest is the m\u043est useful part of the day.", "odd-letters"),
    ("Rest is the most use\u200bful part of the day.", "odd-letters"),
    ("Rest is \u202ethe most useful part of the day.", "odd-letters"),
    ("Rest is the most use\x9ful part of the day.", "odd-letters"),
    ("“You will never manage to rest.”", "inside-quote"),
    ('"You will never manage to rest."', "inside-quote"),
    ('Think of a night without "rest and quiet.', "inside-quote"),
    ("Think of a night without “rest and quiet.", "inside-quote"),
]


@pytest.mark.parametrize("sentence", STANDS_ALONE)
def test_c57_a_sentence_that_stands_alone_is_quotable(sentence: str) -> None:
    assert fault(sentence) is None


@pytest.mark.parametrize(("sentence", "reason"), FAULTS)
def test_c57_a_sentence_that_does_not_is_held_back(sentence: str, reason: str) -> None:
    assert fault(sentence) == reason


@pytest.mark.parametrize(
    ("sentence", "following", "quotable"),
    [
        ("Resting is the same as giving up.", "That is a myth.", False),
        ("Resting is the same as giving up.", "This is simply not true.", False),
        ("Resting is the same as giving up.", "But the truth is kinder.", False),
        ("Resting is the same as giving up.", "Nothing could be further from the truth.", False),
        ("Resting is the same as giving up.", "In fact, the body needs rest.", False),
        ("Resting is the same as giving up.", "Thoughts like that can be questioned.", True),
        ("Resting is the same as giving up.", "Such thoughts are automatic.", False),
        ("Resting is part of the work.", "The body repairs itself at night.", True),
        ("Asking for help takes courage.", "It is not easy for anyone.", True),
        ("Asking for help takes courage.", "But you can start small.", True),
    ],
)
def test_c57_a_sentence_that_the_next_one_takes_back_is_not_quotable(
    sentence: str, following: str, *, quotable: bool
) -> None:
    assert fault(sentence, following) == (None if quotable else "overturned")


@pytest.mark.parametrize(
    "before",
    [
        "Here are some myths about rest:",
        "People under pressure often say:",
        "Try to avoid these thoughts:",
        "Examples of negative beliefs:",
    ],
)
def test_c57_a_line_of_a_list_of_myths_is_not_quotable(before: str) -> None:
    assert fault(before, "Resting is the same as giving up.", at=1) == "leans-back"
    assert fault("Some thoughts on rest.", "Resting is part of the work.", at=1) is None


def test_c57_speech_between_quotation_marks_is_not_quotable() -> None:
    speech = ("He might say: “Leave me alone.", "Rest is the same as giving up.", "I am done.”")
    assert fault(*speech, at=1) == "inside-quote"
    straight = ('She said: "Nobody cares.', "Rest is the same as giving up.", 'I am done."')
    assert fault(*straight, at=1) == "inside-quote"


def test_c57_a_mark_left_open_reaches_no_further_than_its_paragraph() -> None:
    text = "He said: “Leave me alone.\nResting is part of the work."
    lines = text.split("\n")
    spans = case("c", *lines).sentences
    answer = Case(id="c", context="", response=text, sentences=spans)
    assert packaged().fault(answer, 1, message=PLAIN_MESSAGE) is None


@pytest.mark.parametrize(
    ("sentence", "message", "named"),
    [
        ("Children notice more than adults expect.", "My son will not sleep.", True),
        ("Children notice more than adults expect.", "My toddler screams all night.", True),
        ("Children notice more than adults expect.", "My 5 year old will not sleep.", True),
        ("Children notice more than adults expect.", "I'm 15 and cannot sleep.", False),
        ("A calm talk with your child may help.", "My daughter ignores me.", True),
        ("A calm talk with your child may help.", "The kids at school laugh at me.", False),
        ("A calm talk with your son may help.", "My daughter ignores me.", False),
        ("Exams ask for more than reading twice.", "My professor failed me.", True),
        ("Exams ask for more than reading twice.", "I skip every class now.", True),
        ("Exams ask for more than reading twice.", "My boss shouts at me.", False),
        ("Couples need time for one another.", "My boyfriend never calls.", True),
        ("Couples need time for one another.", "My wife is angry with me.", True),
        ("Couples need time for one another.", "My boss is angry with me.", False),
        ("Tell your partner what you need.", "My husband never listens.", True),
        ("Tell your partner what you need.", "My flatmate never listens.", False),
        ("Tell your husband what you need.", "My wife never listens.", False),
        ("A calm talk with your mother may help.", "My mum never listens.", True),
        ("A calm talk with your mother may help.", "My dad never listens.", False),
        ("A calm talk with your parents may help.", "My mom never listens.", True),
        ("Ask your boss for one clear answer.", "I hate my job.", True),
        ("Ask your boss for one clear answer.", "I hate my evenings.", False),
        ("Let him have a quiet hour as well.", "My husband is always tired.", True),
        ("Let the hour be quiet, so that he can rest.", "My wife is always tired.", False),
        ("A calm talk with her may help a little.", "My sister is always tired.", True),
        ("Grief comes in waves, and each wave passes.", "I lost my dad in spring.", True),
        ("Grief comes in waves, and each wave passes.", "I lost my job in spring.", False),
        ("Alcohol makes sleep lighter and shorter.", "I have two beers to fall asleep.", True),
        ("Prayer can be a source of calm.", "My church means a lot to me.", True),
        ("Panic passes, even when it feels endless.", "My heart races at night.", True),
        ("Your work is not the measure of your worth.", "I cannot sleep.", True),
    ],
)
def test_c57_a_subject_must_be_the_persons_own(sentence: str, message: str, *, named: bool) -> None:
    expected = {None} if named else {"specific"}
    if sentence.startswith("Let him"):
        expected = {"leans-back"}  # an order about somebody the sentence never names
    assert {fault(sentence, message=message)} == expected


def test_c26_what_is_longer_than_the_decider_may_see_is_not_quoted() -> None:
    fits = "Rest is part of the work and of the day" + " and night" * 16 + "!"
    assert len(fits) == MAX_QUOTE_CHARS
    assert fault(fits) is None
    assert fault(fits + "!") == "too-long"


def test_a_message_is_remembered_by_its_hash_and_never_by_its_words() -> None:
    rules = Quotability.packaged(Re2Engine())
    answer = case("c", "Couples need time for one another.")
    for number in range(200):
        rules.fault(answer, 0, message=f"planted canary {number}")
    assert "canary" not in repr(vars(rules))


def test_a_rule_that_names_without_a_subject_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = load(quotability.FILE, QuotabilityFile).items[0].model_dump(mode="json")
    body = {"version": 1, "language": "en", "reviewer": "r", "links": []}
    body["items"] = [{**rule, "where": "inside", "named_by": "rest"}]
    (tmp_path / "rules.yaml").write_text(json.dumps(body), encoding="utf-8")
    monkeypatch.setattr("handrail.content.loader.ROOT", tmp_path)
    with pytest.raises(ContentInvalid, match="unless-named"):
        load("rules.yaml", QuotabilityFile)


@pytest.mark.slow
def test_c25_screening_three_cases_takes_milliseconds() -> None:
    """Measured 2.5 ms for 36 sentences on a busy core; the limit leaves room for a slower one."""
    rules, denied = packaged(), Denylist.packaged(Re2Engine())
    answer = case("c", *(STANDS_ALONE * 2)[:36])
    best = min(_screened(rules, denied, answer) for _ in range(20))
    assert best < 0.015


def _screened(rules: Quotability, denied: Denylist, answer: Case) -> float:
    begun = time.perf_counter()
    for at, span in enumerate(answer.sentences):
        rules.fault(answer, at, message=PLAIN_MESSAGE)
        denied.hits(span.of(answer.response))
    return time.perf_counter() - begun


@pytest.mark.slow
def test_c57_the_packaged_corpus_can_be_quoted(starter_cases: tuple[Case, ...]) -> None:
    """Every starter case has three sentences for a message about the same thing."""
    poor = [c.id for c in starter_cases if _sound(c) < 3]
    assert len(poor) <= len(starter_cases) // 10


@pytest.fixture
def starter_cases() -> tuple[Case, ...]:
    rows = [
        json.loads(row)
        for file in corpora("starter")
        for row in file.read_text(encoding="utf-8").splitlines()
    ]
    return tuple(
        Case(
            id=row["id"],
            context=row["Context"],
            response=row["Response"],
            sentences=quotable(row["Response"]),
        )
        for row in rows
    )


def _sound(of: Case) -> int:
    return sum(
        packaged().fault(of, at, message=of.context) is None for at in range(len(of.sentences))
    )


@pytest.mark.slow
def test_c57_real_answers_leave_enough_to_quote(shared_data: Callable[[str], Path]) -> None:
    """A third of all sentences; two in three answers of eight sentences or more give three."""
    cases = []
    with (shared_data("counsel-chat") / "context_response.ndjson").open(encoding="utf-8") as rows:
        for row in rows:
            record = json.loads(row)
            answer, context = record["Response"] or "", record["Context"] or ""
            spans = quotable(answer)
            cases.append(Case(id="", context=context, response=answer, sentences=spans))
    sound = [_sound(c) for c in cases]
    long = [n >= 3 for c, n in zip(cases, sound, strict=True) if len(c.sentences) >= 8]
    assert 0.25 < sum(sound) / sum(len(c.sentences) for c in cases) < 0.6
    assert sum(long) / len(long) > 0.66
