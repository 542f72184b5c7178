"""The segmenter on what counsellors' answers look like (C56, C64); sentences are invented."""

from __future__ import annotations

import pytest

from handrail.corpus.segment import quotable, segment

# Each row is a text with ``|`` where a cut is due; the bar itself is not part of the text.
CASES = {
    "two plain sentences": "You are tired. |Rest is allowed.",
    "question and exclamation": "Is that so? |Yes! |Good.",
    "runs of marks": "What?! |Really?? |Yes!!! |Fine.",
    "one sentence without a stop": "just some words",
    "title": "Dr. Lee and Mrs. Ortiz agree. |Mr. Chan does not.",
    "title without space": "I asked Dr.Lee about it. |She agreed.",
    "for example": "Pick something small, e.g. a walk. |Then rest.",
    "for example with a capital": "Read a book, e.g. Sherlock Holmes, at night.",
    "that is": "The first step, i.e. sleep, matters. |Start there.",
    "e.g. before a comma": "Some things, e.g., tea, help. |Others do not.",
    "et cetera inside": "Walks, tea, etc. can help you.",
    "et cetera at an end": "Walks, tea, etc. |They all help.",
    "versus": "It is you vs. the habit. |You can win.",
    "initial": "A book by J. Rowan helped. |Try it.",
    "two initials": "A book by J. R. Rowan helped.",
    "glued initials": "A book by J.R. Rowan helped.",
    "missing space before a contraction": "It wears you out.|I'm sure of that.",
    "letter at an end": "Go back to plan B. |The rest can wait.",
    "vitamin": "Low vitamin D. |But that can be tested.",
    "pronoun at an end": "He is as scared as I. |Neither of you said so.",
    "country inside": "In the U.S. many people call 988.",
    "country at an end": "I live in the U.S. |There are other lines elsewhere.",
    "degree inside": "Ask a Ph.D. or a social worker.",
    "degree at an end": "She has a Ph.D. |That helps her.",
    "degree as signature": "Written by R. Stone, Psy.D. |You may write back.",
    "morning": "Wake up at 7 a.m. each day. |Keep it up.",
    "evening at an end": "Stop work at 6 p.m. |Then walk.",
    "company": "Calm Minds Inc. offers groups. |Ask them.",
    "saint": "The group on St. Mark's Lane meets weekly.",
    "decimal": "It fell from 3.5 to 2.1 in a week. |Good.",
    "money": "It costs $4.50 a week. |That is fair.",
    "number word": "See no. 5 on the list. |Then stop.",
    "the word no": "You may say no. |No. |That is a sentence.",
    "page": "It is on p. 14 of the book.",
    "month": "We met on Jan. 5 and talked.",
    "year at an end": "It began in 2010. |Then it stopped.",
    "number starts a sentence": "Count slowly. |4 seconds in, 4 out.",
    "ellipsis trails on": "I thought... maybe not. |But yes.",
    "ellipsis ends": "I thought so... |Then it changed.",
    "one-character ellipsis": "I thought so… |Then it changed.",
    "one-character ellipsis trails on": "I thought … maybe.",
    "spaced ellipsis": "I thought . . . maybe not. |Yes.",
    "glued ellipsis": "well...I do not know. |Do you?",
    "closing quote": 'She said, "I am done." |Then she left.',
    "closing curly quote": "She said, “I am done.” |Then she left.",
    "question inside a quote goes on": '"Why me?" she asked. |Nobody knew.',
    "quote opens a sentence": 'Listen. |"I can" is enough.',
    "apostrophe quote": "He said 'stop.' |You did.",
    "closing bracket": "Breathe (in and out.) |Then rest.",
    "bracket goes on": "Breathe (slowly!) and rest.",
    "bracket opens": "Breathe. |(Slowly is fine.)",
    "missing space": "people you hang out with.|Seriously, the best thing",
    "missing space before I": "It wears you out.|I feel that too.",
    "missing space after a contraction": "Some people don't.|Others do.",
    "missing space before a number": "Rest a while.|2. Then walk.|3.Then eat.",
    "numbers in a row": "Try 1. rest, 2. walks, 3. tea. |Then see.",
    "spaced abbreviation": "Some signs, i. e. a racing heart, pass.",
    "missing space after question": "Why not?|Because it hurts.",
    "missing space after bracket": "It helps (a bit).|Then rest.",
    "missing space after year": "It began in 2010.|Then it stopped.",
    "no cut in a lower-case join": "this.that is one word",
    "URL": "See https://example.org/a.b/C.Dee?x=1. |Then call.",
    "bare host": "See www.Example.Org.Uk for more. |Then call.",
    "host with capitals": "See Example.Com for more.",
    "URL with marks": "See http://example.org/?a!B=c&d.Efg here.",
    "e-mail": "Write to a.Person@Some.Org today. |Then wait.",
    "lines": "First line\n|Second line",
    "wrapped line": "You can talk with someone whom you\ntrust about this.",
    "wrapped before a name": (
        "A group meets here in the evening, and I am quite sure that\nMaria would be welcome."
    ),
    "paragraphs": "One thought\n\n|another thought",
    "stop before a break": "One thought.\n|Another thought.",
    "abbreviation before a break": "Talk with Dr.\nStone about it.",
    "windows line ends": "One.\r\n|Two.\r\n\r\n|Three",
    "heading": "What helps:\n|Sleep and food",
    "numbered list": "1. Breathe in.\n|2. Breathe out.\n|3. Rest",
    "numbered list on one line": "Do this. |1. Breathe in. |2. Breathe out.",
    "numbered with brackets": "1) Breathe\n|2) Rest",
    "numbered without space": "1.Breathe in.\n|2.Breathe out.",
    "lettered list": "a. Breathe\n|b. Rest",
    "dashes": "- breathe\n|- rest",
    "stars": "* breathe\n|* rest",
    "bullets on one line": "Try: |• breathing |• resting",
    "item in lower case": "Try this\n|- rest",
    "emoji after a stop": "You did it! 😊 |Now rest.",
    "emoji as a stop": "You did it 😊 |Now rest.",
    "emoji inside": "You 😊 did it.",
    "emoji with joiner": "Well done! 👩‍👧 |Now rest.",
    "smiley as a stop": "That is good :) |Now rest.",
    "smiley after a stop": "That is good. :) |Now rest.",
    "ideographic stops": "你好。|再见！|真的吗？|好",
    "devanagari": "यह ठीक है। |अब आराम करो।",
    "spanish": "¿Estás bien? |¡Claro que sí! |Bien.",
    "lower-case writer": "i am tired. |i want rest. |do you?",
    "markdown bold": "**Rest well.** |Then eat.",
}  # fmt: skip


def pieces(text: str) -> list[str]:
    return [span.of(text) for span in segment(text)]


@pytest.mark.parametrize("marked", CASES.values(), ids=list(CASES))
def test_c64_cuts_fall_where_a_reader_puts_them(marked: str) -> None:
    wanted = [piece.strip() for piece in marked.split("|")]
    assert pieces(marked.replace("|", "")) == wanted


def test_c64_offsets_are_code_points_of_the_text() -> None:
    text = "  👩‍👧 cœur brisé.   Encore un.\n\n\tFin  "
    assert [(s.start, s.end) for s in segment(text)] == [(2, 17), (20, 30), (33, 36)]


@pytest.mark.parametrize("text", ["", " ", "\n\n\t"])
def test_c64_white_space_has_no_sentence(text: str) -> None:
    assert segment(text) == ()


def test_c56_an_over_long_sentence_stays_whole() -> None:
    text = "word " * 50_000 + "end."
    assert pieces(text) == [text]


def test_c9_what_holds_no_letter_is_not_quotable() -> None:
    text = "Rest.\n\n-----\n\n2010.\n\nEat."
    assert [span.of(text) for span in quotable(text)] == ["Rest.", "Eat."]
