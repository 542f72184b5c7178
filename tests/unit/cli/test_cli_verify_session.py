"""A turn of a session is verified from its record, and replayed from the person's messages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

FIRST = "I'm anxious about a presentation"


@pytest.fixture
def record(run_empty, tmp_path: Path) -> Path:  # type: ignore[no-untyped-def]
    file = tmp_path / "turn.json"
    file.write_text(run_empty("chat", "--session", "s1", FIRST, "--json").out, encoding="utf-8")
    return file


def test_a_turn_replays_from_its_messages(run_empty, record: Path, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    messages = tmp_path / "messages.json"
    messages.write_text(json.dumps([FIRST]), encoding="utf-8")
    ran = run_empty("verify", str(record), "--messages", str(messages), "--json")
    assert ran.code == 0
    assert {check["name"]: check["ok"] for check in ran.body["checks"]}["replay"] is True


def test_other_words_do_not_pass(run_empty, record: Path, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    messages = tmp_path / "messages.json"
    messages.write_text(json.dumps(["Something else was on my mind"]), encoding="utf-8")
    assert run_empty("verify", str(record), "--messages", str(messages)).code != 0


@pytest.mark.parametrize("listed", ["{}", "[1]", '"text"'])
def test_what_is_no_list_of_messages_is_refused(  # type: ignore[no-untyped-def]
    run_empty, record: Path, tmp_path: Path, listed: str
) -> None:
    messages = tmp_path / "messages.json"
    messages.write_text(listed, encoding="utf-8")
    ran = run_empty("verify", str(record), "--messages", str(messages))
    assert ran.code == 2
    assert "list of messages" in ran.err
