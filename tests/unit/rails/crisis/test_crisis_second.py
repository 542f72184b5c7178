"""The second reader raises, to moderate at most, and its failures cost nothing but itself."""

from __future__ import annotations

import threading
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handrail.content.loader import ROOT
from handrail.domain.risk import Level, Risk, Signal, Subject
from handrail.domain.scores import Score, ScoreKind, Threshold
from handrail.domain.text import Span
from handrail.errors import ContentInvalid, IndexMismatch, ModelFailed, UnreachableThreshold
from handrail.ports import Reading
from handrail.rails.crisis import CrisisScreen, SecondReader, TwoReaders, load_second
from handrail.rails.crisis import packaged as packaged_module
from handrail.rails.crisis.exemplars import Exemplar, Exemplars
from handrail.rails.crisis.second import (
    UNNAMED,
    Floors,
    language_of,
    of_second,
    probability,
    within,
)
from handrail.rails.crisis.windows import WINDOW_WORDS, undisguised, windows
from handrail.rails.crisis.wording import BUCKETS, Wording, features
from handrail.testing.hash_embedder import HashEmbedder

FINGERPRINT = "f" * 64
DARK, SUNNY = np.array([1.0, 0.0]), np.array([0.0, 1.0])
LOW = "I have been feeling like the gloom will swallow me whole"
NO_PIECES = np.zeros(0, np.int32)


def exemplars(
    kinds: tuple[str, ...] = ("burden", "burden", "burden", ""), fingerprint: str = FINGERPRINT
) -> Exemplars:
    labels = [Exemplar(f"row-{at}", kind) for at, kind in enumerate(kinds)]
    rows = np.array([DARK if kind else SUNNY for kind in kinds]) * 127
    return Exemplars(
        labels,
        rows.astype(np.int8),
        np.eye(2),
        unit=1 / 127,
        embedder="hash",
        fingerprint=fingerprint,
    )


def floors(mild: float = 0.6, moderate: float = 0.9) -> Floors:
    kind = ScoreKind.PROBABILITY
    return Floors(mild=Threshold(kind, mild), moderate=Threshold(kind, moderate))


def wording(*, against: str = "", bias: float = 0.0) -> Wording:
    """A wording that knows the features of one text, and leans by ``bias``."""
    weights = np.zeros(BUCKETS, np.int8)
    weights[sorted(features(against))] = 127
    return Wording(weights.tobytes() + bytes([16]) * BUCKETS, unit=0.01, bias=bias)


def reading(vector: np.ndarray) -> Reading:
    return Reading(vector.astype(np.float32), NO_PIECES, np.zeros((0, 2), np.int8))


@pytest.fixture
def second(screen: CrisisScreen) -> SecondReader:
    """A reader of which the wording leans to neither side and every message lies near danger."""
    return SecondReader(
        version="test",
        normalise=lambda text: screen.read(text).normal,
        wording=wording(),
        worded=floors(),
        nearest=floors(),
        exemplars=exemplars(),
        read=lambda text: reading(DARK),
    )


@pytest.fixture(scope="module")
def shipped(screen: CrisisScreen) -> SecondReader:
    return load_second(screen)


def test_what_lies_near_dangers_is_raised_to_moderate_and_says_why(second: SecondReader) -> None:
    found = second.over(LOW, Risk())
    assert found.failed is None
    assert found.risk.level is Level.MODERATE
    (signal,) = found.risk.signals
    assert (signal.rule, signal.kind, signal.subject) == (
        "second.en.nearest",
        "burden",
        Subject.SELF,
    )
    assert signal.notes == ("strength 1.00", "near row-0, row-1, row-2", "version test")
    assert signal.span.of(LOW) == LOW
    assert of_second(signal)


def test_between_the_floors_a_message_is_raised_to_mild(second: SecondReader) -> None:
    second.nearest = floors(moderate=1.0)
    assert second.over(LOW, Risk()).risk.level is Level.MILD


def test_what_lies_near_the_harmless_is_left_alone(second: SecondReader) -> None:
    second.read = lambda text: reading(SUNNY)
    assert second.over(LOW, Risk()).risk == Risk()


@pytest.mark.parametrize("level", list(Level))
def test_no_level_is_lowered_and_none_raised_beyond_moderate(
    second: SecondReader, level: Level
) -> None:
    signal = Signal(rule="r", kind="k", level=level, span=Span(0, 1), language="en")
    risk = Risk(level=level, kinds=("k",), signals=(signal,))
    raised = second.over(LOW, risk).risk
    assert raised.level is max(level, Level.MODERATE)
    assert raised.signals[0] == signal
    assert (raised == risk) is (level >= Level.MODERATE)


def test_a_danger_that_the_screen_saw_costs_no_embedding(second: SecondReader) -> None:
    asked: list[str] = []
    second.read = lambda text: asked.append(text) or reading(DARK)  # type: ignore[func-returns-value]
    risk = Risk(level=Level.MODERATE)
    assert second.over(LOW, risk).risk == risk
    assert asked == []


@settings(max_examples=150, deadline=None)
@given(text=st.text(max_size=400), level=st.sampled_from(list(Level)))
def test_any_text_is_read_without_failing_and_points_inside(
    shipped: SecondReader, text: str, level: Level
) -> None:
    found = shipped.over(text, Risk(level=level))
    assert found.failed is None
    assert level <= found.risk.level <= max(level, Level.MODERATE)
    for signal in found.risk.signals:
        assert 0 <= signal.span.start < signal.span.end <= len(text)
    assert shipped.over(text, Risk(level=level)) == found


def test_a_long_message_is_raised_by_the_sentences_that_speak(second: SecondReader) -> None:
    second.read = second.exemplars = None
    second.wording = wording(against="the gloom will swallow me whole", bias=-6.0)
    before = "We had soup and walked along the river. The neighbours brought their children. "
    after = "Later it rained, so everybody played cards indoors. My uncle fixed the old radio. "
    more = "On Monday we drove to the coast. A ferry took us over to the island for an hour. "
    message = before + after + "The gloom will swallow me whole. " + more
    second.worded = floors(mild=0.01, moderate=0.02)
    (signal,) = second.over(message, Risk()).risk.signals
    assert "gloom" in signal.span.of(message)
    assert len(signal.span.of(message)) < len(message) / 2
    assert signal.rule == "second.en.words"


def raising(text: str) -> Reading:
    raise RuntimeError("a library's own words")


@pytest.mark.parametrize(
    ("vector", "failure"),
    [
        (np.array([np.nan, 0.0]), "ModelFailed"),
        (np.array([np.inf, 0.0]), "ModelFailed"),
        (np.zeros(2), "ModelFailed"),
        (np.ones(3), "ModelFailed"),
        (np.float32(1.0), "ModelFailed"),
    ],
)
def test_garbage_for_a_vector_leaves_the_wording_alone_to_speak(
    second: SecondReader, vector: np.ndarray, failure: str
) -> None:
    second.read = lambda text: reading(np.asarray(vector))
    second.wording = wording(bias=5.0)
    found = second.over(LOW, Risk())
    assert found.failed == failure
    assert found.risk.signals[0].rule == "second.en.words"
    assert found.reading is None


def test_an_embedder_that_raises_is_recorded_without_its_words(second: SecondReader) -> None:
    second.read = raising
    assert second.over(LOW, Risk()).failed == "RuntimeError"
    assert second.over(LOW, Risk()).risk == Risk()


def test_an_embedder_that_hangs_is_left_behind_and_not_asked_again(second: SecondReader) -> None:
    release = threading.Event()
    asked: list[str] = []

    def hanging(text: str) -> Reading:
        asked.append(text)
        release.wait()
        return reading(DARK)

    second.read, second.patience = hanging, 0.01
    try:
        assert second.over(LOW, Risk()).failed == "ModelFailed"
        assert second.over(LOW, Risk()).failed == "ModelFailed"
        assert len(asked) == 1
    finally:
        release.set()


def test_a_reader_that_fails_altogether_leaves_the_screens_word(second: SecondReader) -> None:
    risk = Risk(level=Level.MILD, kinds=("exhaustion",))
    found = replace(second, normalise=raising).over(LOW, risk)  # type: ignore[arg-type]
    assert (found.risk, found.failed) == (risk, "RuntimeError")


def test_work_within_its_time_gives_or_raises() -> None:
    assert within(5.0, lambda: 7) == (7, None)
    with pytest.raises(KeyError):
        within(5.0, lambda: {}["x"])


def test_the_reading_of_a_plain_message_is_handed_on_and_of_a_disguised_one_not(
    second: SecondReader,
) -> None:
    asked: list[str] = []
    second.read = lambda text: asked.append(text) or reading(DARK)  # type: ignore[func-returns-value]
    assert second.over(LOW, Risk()).reading is not None
    assert second.over(LOW.replace("o", "о"), Risk()).reading is None
    assert asked[0] == LOW
    assert asked[1] == LOW.lower()


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("I'm tired, and it's so hard.", True),
        ("¿Qué hago? Me siento sólo y extraño a mi mamá…", True),
        ("I a\u200bm tired", False),
        ("I аm tired", False),
        ("I am tired 😢", False),
        ("I am t1red", False),
        ("I am sooo tired", False),
    ],
)
def test_disguises_are_told_from_plain_writing(
    screen: CrisisScreen, text: str, plain: bool
) -> None:
    assert undisguised(text, screen.read(text).normal) is plain


@settings(max_examples=100, deadline=None)
@given(words=st.lists(st.sampled_from(["rain", "tea.", "bus", "door?", "so,"]), max_size=200))
def test_windows_cover_a_long_message_and_stay_short(
    screen: CrisisScreen, words: list[str]
) -> None:
    normal = screen.read(" ".join(words)).normal
    cut = list(windows(normal))
    assert bool(cut) is (len(normal.starts) > WINDOW_WORDS)
    covered = {at for start, end in cut for at in range(start, end)}
    assert not cut or all(start in covered for start in normal.starts)
    assert all(1 <= len(normal.text[a:b].split()) <= WINDOW_WORDS for a, b in cut)
    assert cut == sorted(set(cut))


def test_the_kind_is_named_only_when_the_nearest_agree(second: SecondReader) -> None:
    second.exemplars = exemplars(("burden", "suicide", "burden", ""))
    assert second.over(LOW, Risk()).risk.kinds == (UNNAMED,)
    second.exemplars = exemplars(("third_party",) * 3 + ("",))
    assert second.over(LOW, Risk()).risk.subjects == (Subject.THIRD,)


def test_another_embedder_is_refused_and_the_wording_says_so(screen: CrisisScreen) -> None:
    asked: list[str] = []
    reader = load_second(
        screen,
        HashEmbedder(),
        lambda text: asked.append(text) or reading(DARK),  # type: ignore[func-returns-value]
    )
    assert reader.over(LOW, Risk()).failed == "IndexMismatch"
    assert asked == []
    with pytest.raises(IndexMismatch, match="Fit them anew"):
        exemplars().require(HashEmbedder())
    with pytest.raises(IndexMismatch):
        exemplars().require(HashEmbedder(name="hash"))
    exemplars(fingerprint=HashEmbedder(name="hash").fingerprint).require(HashEmbedder(name="hash"))


def test_a_table_that_was_changed_is_refused(
    screen: CrisisScreen, monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    read = packaged_module.load

    def altered(name: str, schema: type) -> object:
        described = read(name, schema)
        return described.model_copy(update={"sha256": {**described.sha256, "wording.bin": "0"}})

    monkeypatch.setattr(packaged_module, "load", altered)
    with pytest.raises(ContentInvalid, match="not the file"):
        load_second(screen)


def test_tables_of_another_shape_are_refused() -> None:
    with pytest.raises(ContentInvalid, match="bytes"):
        Wording(b"", unit=1.0, bias=0.0)
    with pytest.raises(ContentInvalid, match="dangers come first"):
        exemplars(("", "burden"))
    with pytest.raises(ContentInvalid, match="shape"):
        Exemplars(
            [Exemplar("a")], np.ones((2, 2)), np.eye(2), unit=1.0, embedder="", fingerprint=""
        )


def test_floors_that_nothing_reaches_cannot_be_made() -> None:
    with pytest.raises(UnreachableThreshold):
        floors(moderate=1.01)
    with pytest.raises(UnreachableThreshold):
        floors(mild=0.0)


def test_the_shipped_floors_are_reached_and_in_order(shipped: SecondReader) -> None:
    for each in (shipped.worded, shipped.nearest):
        assert each.mild.minimum < each.moderate.minimum
        assert each.level(Score(ScoreKind.PROBABILITY, probability(30.0))) is Level.MODERATE
        assert each.level(Score(ScoreKind.PROBABILITY, probability(-30.0))) is Level.NONE
    grave = "I can't go on, everyone would be better off without me and I just want it to end"
    assert shipped.over(grave, Risk()).risk.level is Level.MODERATE


def test_an_everyday_message_is_left_alone(shipped: SecondReader) -> None:
    for text in ("", " \n", "?!", "My boss moved the meeting and now I have to skip lunch."):
        assert shipped.over(text, Risk()).risk == Risk()


def test_the_shipped_reader_is_small() -> None:
    sizes = [path.stat().st_size for path in (ROOT / "crisis" / "second").iterdir()]
    assert sum(sizes) < 1_500_000


def test_both_readers_read_as_one(screen: CrisisScreen, shipped: SecondReader) -> None:
    both = TwoReaders(screen, shipped)
    for text in ("I want to die", LOW, "cutting onions"):
        assert both.check(text).level >= screen.check(text).level


@pytest.mark.parametrize(
    ("text", "language"),
    [("no se que hacer con la casa", "es"), ("i do not know what to do with it", "en"), ("", "en")],
)
def test_the_language_is_that_of_the_common_words(text: str, language: str) -> None:
    assert language_of(text) == language


def test_a_vector_is_checked_before_it_is_compared() -> None:
    with pytest.raises(ModelFailed, match="length"):
        exemplars().nearness(np.array([0.5, 0.0], np.float32))
    assert exemplars().nearness(SUNNY.astype(np.float32)).log_odds < 0
