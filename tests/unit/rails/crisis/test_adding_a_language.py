"""A language is one lexicon file and one bank: an invented one, put down in a folder, is heard.

The steps are those of ``docs/howto/add-a-language.md``. The words mean nothing in any language.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from handrail.adapters.re2 import Re2Engine
from handrail.content import coach_bank, loader
from handrail.domain.risk import Level
from handrail.errors import ContentInvalid
from handrail.evals.crisis import run_crisis
from handrail.rails import disclosure
from handrail.rails.crisis import CrisisScreen, load_screen, packaged
from handrail.rails.disclosure import packaged_questions

LEXICON = """
version: "0.1.0"
language: qaa
reviewer: invented
common: mi no zu
guarded: zorbu
barriers: "no"
concepts:
  die: zorbu | zorban | zorbik
cues:
  negation: |
    no (vel)?
  formerly: |
    plu
idioms:
  - id: qaa.idiom.laughing
    review: editorial
    reason: idiom
    say: zorbu hihi
rules:
  - id: qaa.suicide.wish
    kind: suicide
    level: high
    review: editorial
    say: |
      (vel|velu) {die}
  - id: qaa.exhaustion.plain
    kind: exhaustion
    level: mild
    review: editorial
    say: mi fatu
"""

BANK = [
    ("q1", "mi vel zorbu", "high"),
    ("q2", "mi velu zorban zu nok", "high"),
    ("q3", "mi fatu", "mild"),
    ("q4", "mi no vel zorbu", "none"),
    ("q5", "mi vel zorbu hihi", "none"),
    ("q6", "lipo tarem gusto", "none"),
]

ASKED = """
id: duties.asked.qaa
version: "1.0.0"
language: qaa
reviewer: invented
common: zu
concepts:
  thing: robot
cues:
  - id: ai-asked
    review: editorial
    say: (bu|bo) zu {thing}
"""


@pytest.fixture
def content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the content folder that may be added to."""
    copy = tmp_path / "content"
    keep = ("crisis", "conversation", "coach", "duties")
    for name in keep:
        shutil.copytree(loader.ROOT / name, copy / name)
    for module in (loader, packaged, coach_bank, disclosure):
        monkeypatch.setattr(module, "ROOT", copy)
    return copy


@pytest.fixture
def screen(content: Path) -> CrisisScreen:
    (content / "crisis" / "qaa.yaml").write_text(LEXICON, encoding="utf-8")
    return load_screen(Re2Engine())


def test_one_file_makes_the_screen_read_a_language(screen: CrisisScreen) -> None:
    assert [lexicon.language for lexicon in screen.lexicons] == ["en", "es", "qaa"]
    risk = screen.check("mi vel zorbu")
    assert (risk.level, risk.language) == (Level.HIGH, "qaa")
    assert [signal.rule for signal in risk.signals] == ["qaa.suicide.wish"]


@pytest.mark.parametrize(
    "text", ["MI VEL ZÖRBU", "mi v3l z0rbu", "mi  vel\u200b zorbuuu", "m i v e l z o r b u"]
)
def test_disguises_need_no_word_in_the_file(screen: CrisisScreen, text: str) -> None:
    assert screen.check(text).level is Level.HIGH


def test_scope_works_in_the_words_of_the_file(screen: CrisisScreen) -> None:
    denied = screen.check("mi no vel zorbu")
    assert (denied.level, [item.reason for item in denied.dismissed]) == (Level.NONE, ["negation"])
    assert screen.check("mi vel zorbu hihi").level is Level.NONE


def test_the_other_languages_read_what_they_read_before(screen: CrisisScreen) -> None:
    assert screen.check("I want to kill myself").level is Level.HIGH
    assert screen.check("me quiero morir").level >= Level.MODERATE


def test_the_lexicon_in_the_howto_is_one(content: Path) -> None:
    howto = Path(__file__).parents[4] / "docs" / "howto" / "add-a-language.md"
    shown = howto.read_text(encoding="utf-8").split("```yaml\n")[1].split("```")[0]
    (content / "crisis" / "qaa.yaml").write_text(shown, encoding="utf-8")
    screen = load_screen(Re2Engine())
    levels = [screen.check(text).level for text in ("mi vel zorbu", "mi no vel zorbu")]
    assert levels == [Level.HIGH, Level.NONE]


def test_one_bank_measures_it(screen: CrisisScreen, tmp_path: Path) -> None:
    rows = [{"id": i, "lang": "qaa", "text": text, "level": level} for i, text, level in BANK]
    bank = tmp_path / "qaa.jsonl"
    bank.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    card = run_crisis(screen.check, bank=bank)
    assert card.metrics["recall.high.qaa"].value == 1.0
    assert card.metrics["false_alarm.qaa"].value == 0.0


def test_a_file_under_another_name_is_refused(content: Path) -> None:
    (content / "crisis" / "qab.yaml").write_text(LEXICON, encoding="utf-8")
    with pytest.raises(ContentInvalid, match="qaa"):
        load_screen(Re2Engine())


def test_notices_and_questions_of_the_language_are_a_file_each(content: Path) -> None:
    spanish = (content / "coach" / "notices.es.yaml").read_text(encoding="utf-8")
    target = content / "coach" / "notices.qaa.yaml"
    target.write_text(spanish.replace("language: es", "language: qaa"), encoding="utf-8")
    (content / "duties" / "asked.qaa.yaml").write_text(ASKED, encoding="utf-8")
    reviewed = coach_bank.load_coach()
    assert reviewed.tongue("ai-notice", "qaa") == "qaa"
    assert reviewed.piece("ai-notice.qaa", 0) == reviewed.notice("ai-notice", "qaa").text
    noticed = packaged_questions(Re2Engine()).read("bu zu robot")
    assert (noticed.language, "ai-asked" in noticed.cues) == ("qaa", True)


def test_without_notices_of_its_own_a_language_gets_the_english_ones(content: Path) -> None:
    reviewed = coach_bank.load_coach()
    assert reviewed.tongue("safety-high", "qaa") == "en"
    assert reviewed.notice("safety-high", "qaa") == reviewed.notice("safety-high", "en")
