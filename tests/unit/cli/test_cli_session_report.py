"""``handrail sessions report``: from a log of events to shares, lengths and ratings (A51)."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from handrail.adapters.sqlite import SqliteEvents
from handrail.bootstrap.reframe import FOLDER
from handrail.cli import app

DAY = 86_400.0


def reported(home: Path, *words: str) -> Result:
    return CliRunner().invoke(app, ["--home", str(home), "sessions", "report", *words])


def body_of(home: Path, *words: str) -> Any:
    return json.loads(reported(home, *words, "--json").stdout)


def turns(name: str, phases: tuple[str, ...], *, began: float, arm: str) -> list[dict[str, object]]:
    """One event a phase, a minute apart; the last one ends the session, eased from 8 to 5."""
    return [
        {
            "at": began + 60.0 * at,
            "event": "turn",
            "session": name,
            "number": at + 1,
            "turn": at + 1,
            "from": phases[at - 1] if at else None,
            "to": phase,
            "crisis": False,
            "crisis_began": False,
            "ended": at + 1 == len(phases),
            "writer": "composer",
            "language": "en",
            "arm": arm,
            "suds_pre": 8,
            "suds_post": 5,
            "confidence_pre": None,
            "confidence_post": None,
            "truth": 6,
            "known": ["thought"],
        }
        for at, phase in enumerate(phases)
    ]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home whose log holds one session of ten days ago and one of yesterday."""
    home = tmp_path_factory.mktemp("report-home")
    now = time.time()
    log = SqliteEvents(home / FOLDER)
    whole = ("warmup", "clarify", "reframe", "summary", "closed")
    log.append(turns("old", whole, began=now - 10 * DAY, arm="control"))
    log.append(turns("new", ("warmup", "closed"), began=now - DAY, arm="short"))
    return home


def test_a51_the_report_counts_every_session_that_is_over(home: Path) -> None:
    body = body_of(home)
    assert (body["since"], body["sessions"], body["turns"]) == (None, 2, 7)
    assert body["summed_up"]["value"] == 0.5
    assert body["anxiety_eased"]["mean"]["value"] == 3.0
    assert body["arms"]["short"]["summed_up_less_control"]["value"] == -1.0


def test_a51_since_looks_back_so_far_and_no_farther(home: Path) -> None:
    body = body_of(home, "--since", "7d")
    assert (body["since"], body["sessions"], body["cut"]) == ("7d", 1, 0)
    assert body_of(home, "--since", "60m")["sessions"] == 0


def test_a51_the_report_reads_as_lines(home: Path) -> None:
    lines = reported(home).stdout.splitlines()
    assert lines[0] == "2 sessions that are over, 7 replies; 0 under way, 0 begun before"
    assert "summed up               50.0% (1.3% to 98.7%) of 2" in lines
    assert "turns                   median 2, nine in ten up to 5" in lines
    assert "balanced thought true   mean 6.00 (6.00 to 6.00) of 2" in lines
    assert "start -> warmup: 2" in lines
    assert any(line.startswith("arm short: 1 sessions") for line in lines)


def test_a51_an_empty_log_is_no_fault(tmp_path: Path) -> None:
    ran = reported(tmp_path)
    assert ran.exit_code == 0
    assert "nothing to count" in ran.stdout


@pytest.mark.parametrize("since", ["", "7", "week", "-1d", "1.5h", "7D", "9999999d"])
def test_a51_a_span_that_is_none_is_refused(home: Path, since: str) -> None:
    ran = reported(home, f"--since={since}")
    assert (ran.exit_code, ran.stdout) == (2, "")


def test_a36_without_events_there_is_nothing_to_report(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HANDRAIL_SESSIONS__EVENTS", "false")
    ran = reported(home)
    assert ran.exit_code == 2
    assert "HANDRAIL_SESSIONS__EVENTS" in ran.stderr
