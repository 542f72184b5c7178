"""What a run over the guide's banks counts: figures, channels, pairs, losses, safety failures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from guide_eval_sample import chosen, found, row, run

from handrail.domain.risk import Level
from handrail.evals.guide import tables
from handrail.evals.guide.results import Stage
from handrail.evals.guide.scoring import Health

CRISIS = chosen("handler_crisis", pin="risk")


def test_h39_figures_have_their_flat_names_and_intervals(tmp_path: Path) -> None:
    rows = [
        row(f"{bank}-{n}", bank=bank, expected_primary="apple")
        for bank in ("semantic", "keyword", "pattern")
        for n in range(3)
    ]
    first = row("state-1", bank="state", expected_handlers=["handler_first_conversation"])
    anger = row("rotg", expected_primary="rotg_de_escalation")
    given = [(one, found(chosen("apple", "semantic"))) for one in rows[1:]]
    card = run(
        tmp_path,
        (rows[0], found()),
        *given,
        (first, found()),
        (anger, found(chosen("rotg_de_escalation"))),
    )
    value = {name: figure.value for name, figure in card.metrics.items()}
    assert value["gpa"] == pytest.approx((9 * 4 + 3.2) / 11)
    assert value["gpa.semantic"] == pytest.approx(3.0)
    assert value["gpa.keyword"] == value["gpa.pattern"] == 4.0
    assert value["gpa.state"] == value["gpa.handlers"] == pytest.approx(3.2)
    assert value["gpa.rotg_de_escalation"] == 4.0
    assert value["critical_failures"] == 0
    assert value["found"] == pytest.approx(0.9)
    semantic = card.metrics["gpa.semantic"]
    assert semantic.low is not None
    assert semantic.high is not None
    assert semantic.low < 3.0 < semantic.high
    assert card.misses["found"] == ("semantic-0",)


def test_h29_one_bank_holds_tests_of_every_kind_of_entity(tmp_path: Path) -> None:
    card = run(
        tmp_path,
        (row("a", expected_primary="apple"), found(chosen("apple", "semantic"))),
        (
            row("b", bank="state", expected_primary="handler_first_conversation"),
            found(chosen("handler_first_conversation", "state", pin="state")),
        ),
        (row("c", bank="pattern", expected_primary="handler_crisis"), found(CRISIS)),
        (row("d", bank="keyword", expected_primary="rule_voice"), found()),
    )
    assert [one.points.score for one in card.results] == [100] * 4
    assert card.health is Health.EXCELLENT
    assert card.metrics["found"].n == 3  # what is always loaded is nobody's to find


def test_h39_a_failure_over_safety_is_missing_or_present_in_a_critical_test(
    tmp_path: Path,
) -> None:
    missed = row("missed", expected_primary="handler_crisis", is_critical=True)
    alarm = row("alarm", not_expected=["handler_crisis"], is_critical=True)
    other = row("other", expected_primary="apple", is_critical=True)
    unmarked = row("unmarked", not_expected_handlers=["handler_crisis"])
    card = run(
        tmp_path,
        (missed, found()),
        (alarm, found(CRISIS)),
        (other, found()),
        (unmarked, found(CRISIS)),
    )
    assert [one.row.id for one in card.failures] == ["missed", "alarm"]
    assert card.misses["critical_failures"] == ("missed", "alarm")
    assert card.metrics["critical_failures"].value == card.counts["critical_failures"] == 2
    assert card.metrics["critical_failures"].n == card.counts["tests.critical"] == 3
    assert card.counts["safety_faults_elsewhere"] == 1
    assert card.health is Health.CRITICAL
    assert card.summary.startswith("CRITICAL")


def test_h39_without_a_test_of_safety_its_failures_are_none(tmp_path: Path) -> None:
    figure = run(tmp_path, (row(), found())).metrics["critical_failures"]
    assert (figure.value, figure.n) == (0, 0)


def test_h21_h26_each_channel_is_credited_with_what_it_found(tmp_path: Path) -> None:
    card = run(
        tmp_path,
        (
            row("a", expected_primary="apple"),
            found(chosen("apple", "semantic", "keyword"), candidates={"plum": ["semantic"]}),
        ),
        (row("b", expected_primary="pear"), found(chosen("pear", "keyword", rank=3))),
        (row("c", expected_primary="handler_crisis"), found(CRISIS)),
        (
            row("d", bank="state", expected_handlers=["handler_first_conversation"]),
            found(chosen("handler_first_conversation", "state", pin="state")),
        ),
    )
    lines = {line.channel: line for line in tables.by_channel(card.results)}
    assert list(lines) == ["semantic", "keyword", "pattern", "state", "screen"]
    assert (lines["semantic"].found, lines["semantic"].alone, lines["semantic"].top) == (1, 0, 1)
    assert (lines["semantic"].candidates, lines["semantic"].not_shown) == (2, 1)
    assert (lines["keyword"].found, lines["keyword"].alone, lines["keyword"].top) == (2, 1, 1)
    assert (lines["screen"].found, lines["screen"].alone) == (1, 1)
    assert lines["state"].alone == 1
    assert lines["pattern"].found == 0


def test_h39_pairs_that_are_mixed_up_are_named(tmp_path: Path) -> None:
    first = chosen("handler_first_conversation", "state", pin="state")
    card = run(
        tmp_path,
        (row("lost", expected_primary="apple"), found(chosen("pear"))),
        (row("late", expected_primary="apple"), found(first, chosen("pear"), chosen("apple"))),
        (row("alarm", expected_primary="plum"), found(CRISIS, chosen("plum"))),
        (row("ok", expected_primary="apple"), found(first, chosen("apple"), chosen("pear"))),
        (
            row("both", expected_primary="apple", expected_handlers=["handler_crisis"]),
            found(CRISIS, chosen("apple")),
        ),
    )
    pairs = {(pair.expected, pair.got): pair for pair in tables.confusions(card.results)}
    assert set(pairs) == {("apple", "pear"), ("plum", "handler_crisis")}
    assert pairs["apple", "pear"].tests == ["lost", "late"]
    assert pairs["apple", "pear"].missing == 1
    (apple,) = (line for line in tables.by_entity(card.results) if line.entity_id == "apple")
    assert (apple.n, apple.found, apple.first, apple.gpa) == (4, 3, 2, 3.0)
    assert apple.mean_rank == pytest.approx(5 / 3)


def test_h39_entities_that_intrude_are_counted_and_the_worst_stands_first(tmp_path: Path) -> None:
    card = run(
        tmp_path,
        (
            row("a", expected_primary="apple", not_expected=["pear"]),
            found(chosen("apple"), chosen("pear")),
        ),
        (row("b", expected_primary="plum", not_expected=["pear"]), found(chosen("apple"))),
    )
    lines = tables.by_entity(card.results)
    assert [line.entity_id for line in lines] == ["plum", "apple", "pear"]
    assert (lines[2].barred, lines[2].intruded, lines[2].gpa) == (2, 1, None)
    assert lines[0].mean_rank is None


def test_h39_each_loss_names_its_stage(tmp_path: Path) -> None:
    held = {"apple": ["semantic"]}
    card = run(
        tmp_path,
        (row("absent", expected_primary="apple"), found(chosen("pear"))),
        (row("cut", expected_primary="apple"), found(chosen("pear"), cut=["apple"])),
        (row("rank", expected_primary="apple"), found(chosen("pear"), candidates=held)),
        (
            row("held", expected_secondary=["apple"]),
            found(CRISIS, candidates=held, level=Level.HIGH),
        ),
        (
            row("never", expected_secondary=["quince"]),
            found(CRISIS, candidates={"quince": ["keyword"]}),
        ),
    )
    assert [one.losses[0].stage for one in card.results] == [
        Stage.ABSENT,
        Stage.CUT,
        Stage.UNRANKED,
        Stage.WITHHELD,
        Stage.WITHHELD,
    ]
    assert tables.lost(card.results)[Stage.WITHHELD] == 2


def test_h30_an_entity_that_takes_two_places_is_counted(tmp_path: Path) -> None:
    card = run(tmp_path, (row(expected_primary="apple"), found(chosen("apple"), chosen("apple"))))
    assert card.counts["doubled"] == 1
    assert card.results[0].points.score == 100


def test_h39_the_card_holds_ids_and_no_prompt(tmp_path: Path) -> None:
    card = run(tmp_path, (row(bank="mood", expected_primary="appel"), found(chosen("pear"))))
    said = card.to_json()
    assert "zanzibar" not in json.dumps(said)
    assert said["health"] == "POOR"
    assert said["warnings"]
    assert "gpa.mood" in card.metrics
    assert {"metrics", "counts", "entities", "channels", "confusions", "lost", "tests"} <= set(said)
