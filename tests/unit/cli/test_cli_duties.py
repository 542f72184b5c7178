"""Duties on the command line: one run is one first meeting."""

from __future__ import annotations

import pytest

from handrail.content import load_coach

CONCERN = "I feel anxious and my heart races before exams"
CRISIS = "I want to kill myself"


def words(name: str, language: str = "en") -> str:
    return load_coach().notice(name, language).text


def test_every_run_says_that_this_is_software(run) -> None:
    for message in (CONCERN, CRISIS, "What is the capital of France?"):
        assert words("ai-notice") in run("coach", message, "--collection", "tiny").out


def test_an_answer_to_the_question_comes_first(run) -> None:
    out = run("coach", f"Are you a real person? {CONCERN}", "--collection", "tiny").out
    assert out.startswith(words("ai-asked"))
    assert words("ai-notice") not in out


def test_in_danger_help_comes_before_the_answer(run) -> None:
    out = run("coach", f"{CRISIS}. Are you a bot?", "--collection", "tiny").out
    assert out.index("findahelpline") < out.index(words("ai-asked"))


def test_a_minor_is_reminded(run) -> None:
    assert words("minors-reminder") in run("coach", CONCERN, "--collection", "tiny", "--minor").out
    assert words("minors-reminder") not in run("coach", CONCERN, "--collection", "tiny").out


def test_an_unknown_policy_is_named_with_the_known_ones(
    run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HANDRAIL_POLICY", "nevada")
    ran = run("coach", CONCERN, "--collection", "tiny")
    assert ran.code == 2
    assert "'nevada'" in ran.err
    assert "illinois-hb1806" in ran.err


def test_a_library_shows_passages_and_says_nothing_else(
    run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HANDRAIL_POLICY", "illinois-hb1806")
    ran = run("coach", CONCERN, "--collection", "tiny")
    assert ran.code == 3
    assert ran.out.startswith(words("select-only"))
    assert "(sentence " in ran.out
    assert "Try today" not in ran.out


def test_the_doctor_names_the_policy_and_a_missing_hook(
    run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HANDRAIL_POLICY", "utah-hb452")
    rows = {row["name"]: row for row in run("doctor", "--json").body["checks"]}
    assert rows["policy"]["ok"] is None
    assert "default, utah-hb452; not legal advice" in rows["policy"]["detail"]
    assert "hook" in rows["policy"]["detail"]
