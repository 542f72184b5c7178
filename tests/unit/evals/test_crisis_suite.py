"""The figures of the crisis suite, defined by a screen that reads its verdict in the message."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from evals_sample import write_rows

from handrail.domain.risk import Level, Risk
from handrail.errors import InvalidInput
from handrail.evals import Scorecard, run_crisis
from handrail.evals.banks import CrisisRow
from handrail.evals.carriers import FRAMES, read_carriers
from handrail.evals.crisis import (
    TIMED_LENGTH,
    amid_everyday_talk,
    one_after_another,
    read_row,
)
from handrail.evals.crisis_figures import Reading, figures, misses
from handrail.evals.mutations import FURTHER, MUTATIONS, disguised

VERDICT = re.compile(r"rated (none|mild|moderate|high)")


def scripted(text: str) -> Risk:
    """The gravest level that a text names, in these very letters; a disguise hides it."""
    named = [Level[name.upper()] for name in VERDICT.findall(text)]
    return Risk(level=max(named, default=Level.NONE))


def row(id: str, lang: str, level: str, rated: str, **more: str) -> dict[str, object]:
    text = f"It's {id}, rated {rated}"
    return {"id": id, "lang": lang, "text": text, "level": level} | more


ROWS = (
    row("h1", "en", "high", "high", category="suicide"),
    row("h2", "en", "high", "moderate", category="suicide", split="held"),
    row("h3", "en", "high", "none", category="abuse"),
    row("m1", "en", "moderate", "high"),
    row("m2", "en", "moderate", "mild"),
    row("l1", "en", "mild", "mild"),
    row("l2", "en", "mild", "none"),
    row("n1", "en", "none", "none", category="idiom"),
    row("n2", "en", "none", "mild", category="idiom"),
    row("n3", "en", "none", "moderate", category="idiom", accepted="cannot be told apart"),
    row("n4", "en", "none", "high", category="topic", split="held"),
    row("s1", "es", "high", "high"),
    row("s2", "es-MX", "high", "high"),
    row("f1", "fr", "none", "none"),
)


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_rows(tmp_path_factory.mktemp("bank") / "bank.jsonl", *ROWS)


@pytest.fixture(scope="module")
def card(bank: Path) -> Scorecard:
    return run_crisis(scripted, bank=bank)


@pytest.mark.parametrize(
    ("figure", "value", "n", "missed"),
    [
        ("recall.high.en", 1 / 3, 3, ["h2", "h3"]),
        ("recall.high.es", 1, 2, []),
        ("recall.moderate.en", 1 / 2, 2, ["m2"]),
        ("recall.mild.en", 1 / 2, 2, ["l2"]),
        ("recall.moderate_up.en", 3 / 5, 5, ["h3", "m2"]),
        ("recall.moderate_up.es", 1, 2, []),
        ("recall.mild_up.en", 5 / 7, 7, ["h3", "l2"]),
        ("false_alarm.en", 2 / 4, 4, ["n3", "n4"]),
        ("false_alarm.fr", 0, 1, []),
        ("false_alarm_high.en", 1 / 4, 4, ["n4"]),
        ("level_exact.en", 3 / 11, 11, ["h2", "h3", "m1", "m2", "l2", "n2", "n3", "n4"]),
        ("level_exact.es", 1, 2, []),
    ],
)
def test_a_figure_is_the_share_that_its_name_says(
    card: Scorecard, figure: str, value: float, n: int, missed: list[str]
) -> None:
    found = card.metrics[figure]
    assert (found.value, found.n) == (pytest.approx(value), n)
    assert list(card.misses.get(figure, ())) == missed


@pytest.mark.parametrize(
    ("figure", "value", "n"),
    [
        ("recall.high.en.suicide", 1 / 2, 2),
        ("recall.high.en.abuse", 0, 1),
        ("false_alarm.en.idiom", 1 / 3, 3),
        ("false_alarm.en.topic", 1, 1),
    ],
)
def test_a_category_refines_its_figure(card: Scorecard, figure: str, value: float, n: int) -> None:
    assert (card.metrics[figure].value, card.metrics[figure].n) == (pytest.approx(value), n)
    assert figure not in card.misses


def test_every_language_of_the_bank_has_its_figures(card: Scorecard) -> None:
    for language in ("en", "es", "fr"):
        assert f"recall.high.{language}" in card.metrics
        assert f"false_alarm_in_carriers.{language}.story" in card.metrics
    assert card.metrics["recall.high.fr"].value is None
    assert card.metrics["false_alarm.es"].n == 0


def test_the_gap_is_the_best_language_less_the_worst_that_was_measured(card: Scorecard) -> None:
    gap = card.metrics["language_gap.high"]
    assert (gap.value, gap.n) == (pytest.approx(1 - 1 / 3), 5)
    assert gap.low is not None
    assert gap.high is not None
    assert gap.low < 0 < 2 / 3 < gap.high < 1


def test_one_language_has_no_gap(tmp_path: Path) -> None:
    card = run_crisis(scripted, bank=write_rows(tmp_path / "b.jsonl", *ROWS[:7]))
    assert card.metrics["language_gap.moderate_up"].value is None


def test_equal_languages_have_a_gap_of_nothing_and_its_interval(tmp_path: Path) -> None:
    rows = (ROWS[0], ROWS[11])
    gap = run_crisis(scripted, bank=write_rows(tmp_path / "b.jsonl", *rows)).metrics
    assert (gap["language_gap.high"].value, gap["language_gap.high"].n) == (0, 2)


def test_rows_that_were_caught_are_read_in_disguise(card: Scorecard) -> None:
    caught = {"h1", "h2", "m1", "s1", "s2"}
    assert card.metrics["mutation_retention.upper_case"].n == len(caught)
    assert card.metrics["mutation_retention.upper_case"].value == 0
    assert set(card.misses["mutation_retention.upper_case"]) == caught
    assert card.metrics["mutation_retention.curly_apostrophe"].value == 1
    assert "mutation_retention.curly_apostrophe" not in card.misses
    assert card.metrics["mutation_retention.no_accents"].n == 0  # it changes none of these rows


def test_retention_counts_the_twelve_and_names_the_others(card: Scorecard) -> None:
    texts = [str(each["text"]) for each in ROWS if each["id"] in {"h1", "h2", "m1", "s1", "s2"}]
    seen = [(name, scripted(said)) for text in texts for name, said in disguised(text).items()]
    twelve = [risk.level >= Level.MODERATE for name, risk in seen if name in MUTATIONS]
    pooled = card.metrics["mutation_retention"]
    assert (pooled.value, pooled.n) == (pytest.approx(sum(twelve) / len(twelve)), len(twelve))
    assert {f"mutation_retention.{name}" for name in MUTATIONS | FURTHER} <= card.metrics.keys()
    assert "mutation_retention" not in card.misses


def test_carriers_keep_what_was_caught_and_alarm_where_the_row_does(card: Scorecard) -> None:
    kept = card.metrics["carrier_retention"]
    assert (kept.value, kept.n) == (1, 5 * len(FRAMES))
    alarms = card.metrics["false_alarm_in_carriers.en"]
    assert (alarms.value, alarms.n) == (1 / 2, 4 * len(FRAMES))
    assert card.misses["false_alarm_in_carriers.en.story"] == ("n3", "n4")
    assert "false_alarm_in_carriers.en" not in card.misses


def test_a_language_without_carriers_gets_the_english_ones() -> None:
    carriers = read_carriers()
    heard: list[str] = []

    def listening(text: str) -> Risk:
        heard.append(text)
        return Risk()

    french = CrisisRow.model_validate(ROWS[-1])
    reading = read_row(french, listening, carriers)
    assert heard == [french.text, *(carrier.around(french.text) for carrier in carriers["en"])]
    assert reading.carried == dict.fromkeys(FRAMES, Level.NONE)


@pytest.mark.parametrize("level", ["mild", "moderate", "high"])
def test_a_danger_that_was_missed_is_not_read_again(level: str) -> None:
    missed = CrisisRow.model_validate(row("x", "en", level, "none"))
    reading = read_row(missed, scripted, read_carriers())
    assert (reading.mutated, reading.carried) == ({}, {})


def test_what_a_disguise_loses_is_counted_against_it() -> None:
    reading = Reading(
        row=CrisisRow.model_validate(ROWS[0]),
        level=Level.HIGH,
        mutated={"leet": Level.MILD, "typo": Level.MODERATE, "dropped_letter": Level.NONE},
        carried={"story": Level.MILD, "question": Level.HIGH},
    )
    found = figures([reading])
    assert (found["mutation_retention"].value, found["mutation_retention"].n) == (1 / 2, 2)
    assert (found["carrier_retention"].value, found["carrier_retention"].n) == (1 / 2, 2)
    assert misses([reading]) == {
        "mutation_retention.leet": ("h1",),
        "mutation_retention.dropped_letter": ("h1",),
        "carrier_retention.story": ("h1",),
        "false_alarm.accepted": (),
    }


def test_an_accepted_alarm_counts_and_is_named(card: Scorecard) -> None:
    assert "n3" in card.misses["false_alarm.en"]
    assert card.misses["false_alarm.accepted"] == ("n3",)
    assert card.counts["false_alarms_accepted"] == 1


def test_rows_are_counted_by_language_level_and_split(card: Scorecard) -> None:
    assert card.counts["rows"] == len(ROWS)
    assert (card.counts["rows.en.high"], card.counts["rows.es.high"]) == (3, 2)
    assert card.counts["rows.split.held"] == 2
    assert card.counts["read_in_carriers"] == (5 + 5) * len(FRAMES)


def test_one_split_is_measured_alone(bank: Path) -> None:
    card = run_crisis(scripted, bank=bank, split="held")
    assert card.counts["rows"] == 2
    assert card.pins["split"] == "held"
    with pytest.raises(InvalidInput, match=r"no split 'test'. Its splits: 'held'"):
        run_crisis(scripted, bank=bank, split="test")


def test_the_scorecard_pins_what_was_read_and_holds_no_text(card: Scorecard, bank: Path) -> None:
    other = run_crisis(scripted, bank=write_rows(bank.with_name("o.jsonl"), ROWS[0]), reader="x")
    assert card.pins["bank"] != other.pins["bank"]
    assert (card.pins["reader"], other.pins["reader"]) == ("screen", "x")
    assert "rated" not in str(card.to_json())


def test_progress_is_told_after_each_row(bank: Path) -> None:
    told: list[tuple[int, int]] = []
    run_crisis(scripted, bank=bank, progress=lambda done, total: told.append((done, total)))
    assert told == [(done, len(ROWS)) for done in range(1, len(ROWS) + 1)]


def test_a_screen_that_breaks_ends_the_measurement(bank: Path) -> None:
    def broken(text: str) -> Risk:
        raise RuntimeError("no verdict")

    with pytest.raises(RuntimeError, match="no verdict"):
        run_crisis(broken, bank=bank)


def test_each_row_gives_a_timed_passage_of_its_own_language(card: Scorecard) -> None:
    rows = [CrisisRow.model_validate(each) for each in ROWS]
    timed = list(one_after_another(rows))
    assert [len(passage) for passage in timed] == [TIMED_LENGTH] * len(rows)
    assert timed[0].startswith(f"{rows[0].text} {rows[1].text} {rows[2].text}")
    assert timed[10].startswith(f"{rows[10].text} {rows[0].text}")  # round to the first English one
    assert _ids(timed[11]) == {"s1", "s2"}
    assert _ids(timed[13]) == {"f1"}
    assert card.metrics["latency_dense_p99_ms"].n == len(rows)


def test_a_row_is_timed_amid_everyday_talk_of_its_language(card: Scorecard) -> None:
    rows = [CrisisRow.model_validate(each) for each in ROWS]
    timed = list(amid_everyday_talk(rows, read_carriers()))
    assert [len(passage) for passage in timed] == [TIMED_LENGTH] * len(rows)
    assert all(passage.startswith(row.text) for row, passage in zip(rows, timed, strict=True))
    assert "thank you for having me" in timed[0]
    assert "gracias por atenderme" in timed[11]
    assert card.metrics["latency_p99_ms"].n == len(rows)


def test_the_first_reader_is_timed_where_it_is_given(bank: Path) -> None:
    heard: list[str] = []

    def first(text: str) -> Risk:
        heard.append(text)
        return scripted(text)

    run_crisis(scripted, bank=bank, timed=first)
    assert len(heard) == 2 * len(ROWS) * 3


def _ids(passage: str) -> set[str]:
    return set(re.findall(r"[a-z]\d(?=, rated)", passage))


def test_a_long_text_is_cut() -> None:
    long = CrisisRow.model_validate(ROWS[0] | {"text": "word " * 100})
    assert list(one_after_another([long])) == [("word " * 100)[:TIMED_LENGTH]]


def test_the_headlines_stand_before_the_categories(card: Scorecard) -> None:
    names: Sequence[str] = list(card.metrics)
    assert names[0] == "recall.high.en"
    assert names[-3:] == ["latency_p50_ms", "latency_p99_ms", "latency_dense_p99_ms"]
    assert names.index("language_gap.high") < names.index("false_alarm.en.idiom")
