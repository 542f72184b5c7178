"""The suite of thinking traps: what its figures mean, and what its bank and its labels promise."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from evals_sample import write_rows

from handrail.errors import InvalidInput, NotFound
from handrail.evals.banks import read_rows
from handrail.evals.distortions import run_distortions
from handrail.evals.multilabel import macro_f1
from handrail.evals.thoughts import DISTORTION_BANK, Thought, read_public
from handrail.flows.reframe.distortions import Distortion
from handrail.testing.hash_embedder import HashEmbedder

ROWS = tuple(
    {"prompt": f"{text} {number} ->", "completion": f" {label}"}
    for number in range(12)
    for text, label in (
        ("zanzibar loser", "Labeling"),
        ("zanzibar always", "Overgeneralization"),
        ("zanzibar always", "Comparing"),
        ("zanzibar bus", "Not distorted"),
        ("zanzibar them", "Blaming"),
    )
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write_rows(tmp_path / "thoughts.jsonl", *ROWS)


def reads_losers(text: str, language: str) -> Sequence[str]:
    return ["labeling"] if "loser" in text else []


def test_macro_f1_is_the_mean_over_labels() -> None:
    pairs = [(("a",), ("a",)), (("a", "b"), ("a",)), (("b",), ("b", "a")), ((), ())]
    figure = macro_f1(pairs, ["a", "b"])
    assert figure.value == pytest.approx((4 / 5 + 2 / 3) / 2)
    assert figure.low is not None
    assert figure.high is not None
    assert figure.low < figure.value < figure.high
    assert macro_f1(pairs, ["a"]).value == pytest.approx(4 / 5)
    assert macro_f1(pairs, ["a", "b", "unheard of"]) == figure
    assert macro_f1([], ["a"]).value is None


def test_labels_are_mapped_and_what_does_not_map_is_counted(file: Path) -> None:
    public = read_public(file)
    assert Counter(thought.distortions for thought in public.thoughts) == {
        ("labeling",): 12,
        ("all-or-nothing",): 12,
        (): 12,
    }
    assert (public.rows, public.rows_left_out, public.prompts_left_out) == (60, 24, 12)
    assert {thought.split for thought in public.thoughts} == {"dev", "held"}
    assert not any("->" in thought.text for thought in public.thoughts)


def test_a_trap_that_one_rater_saw_outweighs_another_who_saw_none(tmp_path: Path) -> None:
    labels = (" Not distorted", " Labeling")
    rows = [{"prompt": "zanzibar ->", "completion": label} for label in labels]
    (thought,) = read_public(write_rows(tmp_path / "t.jsonl", *rows)).thoughts
    assert thought.distortions == ("labeling",)


def test_the_card_sets_the_reader_beside_what_needs_no_reading(file: Path) -> None:
    card = run_distortions(reads_losers, file=file, split="dev", embedder=HashEmbedder())
    value = {name: figure.value for name, figure in card.metrics.items()}
    assert value["file.f1.labeling"] == 1
    assert value["file.f1.all-or-nothing"] == 0
    assert value["file.macro_f1"] == value["file.macro_f1.best"] == 0.5
    assert value["file.quiet"] == 1
    assert {name.split(".")[0] for name in value} == {
        "bank",
        "file",
        "majority",
        "nearest_bank",
        "nearest_file",
    }
    assert card.counts["file_rows_left_out"] == 24
    assert 0 < card.counts["file_thoughts"] < 36


def test_the_halves_are_apart_and_make_the_whole(file: Path) -> None:
    halves = [run_distortions(reads_losers, file=file, split=half) for half in ("dev", "held")]
    assert sum(card.counts["file_thoughts"] for card in halves) == 36
    assert sum(card.counts["bank_rows"] for card in halves) == 320


def test_without_a_file_the_bank_alone_is_measured() -> None:
    rows = {row.text: row.distortions for row in read_rows(DISTORTION_BANK, Thought)}
    card = run_distortions(lambda text, language: rows[text])
    assert {name.split(".")[0] for name in card.metrics} == {"bank"}
    assert card.metrics["bank.en.macro_f1"].value == 1
    assert card.metrics["bank.es.quiet"].value == 1
    assert card.misses["bank.best_hit"] == ()
    assert card.pins["file"] is None


def test_a_card_holds_no_thought(file: Path) -> None:
    card = run_distortions(lambda text, language: [], file=file, embedder=HashEmbedder())
    assert "zanzibar" not in json.dumps(card.to_json())
    assert len(card.misses["bank.best_hit"]) == 120


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        ({"prompt": "zanzibar", "completion": " Moonstruck"}, "line 1: has a label"),
        ({"prompt": "zanzibar"}, "line 1: is not an object"),
    ],
)
def test_a_row_that_cannot_be_read_is_named_and_not_quoted(
    tmp_path: Path, row: dict[str, str], complaint: str
) -> None:
    with pytest.raises(InvalidInput, match=complaint) as raised:
        read_public(write_rows(tmp_path / "t.jsonl", row))
    assert "zanzibar" not in str(raised.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=r"nowhere\.jsonl"):
        read_public(tmp_path / "nowhere.jsonl")


def test_the_bank_has_enough_of_each_trap_in_both_languages_and_halves() -> None:
    rows = read_rows(DISTORTION_BANK, Thought)
    chief = Counter((row.language, row.distortions[0]) for row in rows if row.distortions)
    assert set(chief) == {(language, trap) for language in ("en", "es") for trap in Distortion}
    assert min(chief.values()) >= 12
    assert Counter(row.language for row in rows if not row.distortions) == {"en": 30, "es": 30}
    assert min(Counter((row.language, row.split) for row in rows).values()) >= 70
    assert len({row.text.lower() for row in rows}) == len(rows)


def test_the_public_file_is_read_to_its_end(shared_data) -> None:
    public = read_public(shared_data("cognitive-reframing/thinking_traps.jsonl"))
    assert (public.rows, len(public.thoughts)) == (1077, 644)
