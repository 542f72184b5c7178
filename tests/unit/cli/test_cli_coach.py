"""One message in, one outcome out: the text, the object, the exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from handrail.wire import CoachBody, RiskBody, SearchBody

CONCERN = "I feel anxious and my heart races before exams"
CRISIS = "I want to kill myself"
CANARY = "zanzibar"


def test_an_answer_is_the_text_its_sources_and_whom_to_turn_to(run) -> None:
    ran = run("coach", CONCERN, "--collection", "tiny")
    body = run("coach", CONCERN, "--collection", "tiny", "--json").body
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(body["answer"] + "\n\nSources:\n[1] ")
    for citation in body["citations"]:
        assert f"(case {citation['case_id']})" in ran.out
    assert body["resources"][0]["value"] in ran.out
    assert "Which country are you in?" in ran.out
    assert "not a person" in ran.out
    assert "\x1b" not in ran.out


def test_the_object_is_the_body_of_the_http_api(run) -> None:
    ran = run("coach", CONCERN, "--collection", "tiny", "--json")
    body = CoachBody.model_validate(ran.body)
    assert (ran.code, body.outcome) == (0, "answer")
    assert ran.out.count("\n") == 1


def test_a_country_gives_its_numbers(run) -> None:
    ran = run("coach", CONCERN, "--collection", "tiny", "--country", "ie")
    assert "Which country" not in ran.out
    assert "116 123" in ran.out


def test_a_country_that_nobody_lists_is_a_mistake(run) -> None:
    ran = run("coach", CONCERN, "--collection", "tiny", "--country", "ZZ")
    assert (ran.code, ran.out) == (2, "")
    assert "error[invalid-input]" in ran.err


def test_a_crisis_gets_help_alone(run) -> None:
    ran = run("coach", CRISIS, "--collection", "tiny")
    assert ran.code == 4
    assert "Sources:" not in ran.out
    assert "Try today" not in ran.out
    body = run("coach", CRISIS, "--collection", "tiny", "--json").body
    assert (body["outcome"], body["answer"], body["cases"]) == ("safety", None, [])
    assert [step["name"] for step in body["trace"]["steps"]] == ["screen"]


def test_a_mild_risk_puts_people_first(run) -> None:
    ran = run("coach", f"kms, I forgot my charger. {CONCERN}", "--collection", "tiny")
    assert ran.code == 0
    assert ran.out.index("findahelpline") < ran.out.index("Try today")


def test_c53_what_belongs_elsewhere_gets_guidance_and_no_cases(run) -> None:
    ran = run("coach", "What is the capital of France?", "--collection", "tiny")
    body = run("coach", "What is the capital of France?", "--collection", "tiny", "--json").body
    assert (ran.code, body["outcome"]) == (3, "abstention")
    assert body["reason"] in ("nothing-similar", "out-of-scope")
    assert ran.out.startswith(body["refusal"])
    assert body["cases"] == []
    assert "Closest cases" not in ran.out


def test_c33_want_of_evidence_shows_the_closest_cases(run_empty, tmp_path: Path) -> None:
    poor = {"Context": "My exams make me anxious and my heart races.", "Response": "See me soon."}
    (tmp_path / "poor.ndjson").write_text(json.dumps(poor) + "\n", encoding="utf-8")
    run_empty("index", "add", str(tmp_path / "poor.ndjson"), "--collection", "poor")
    ran = run_empty("coach", CONCERN, "--collection", "poor")
    body = run_empty("coach", CONCERN, "--collection", "poor", "--json").body
    assert (ran.code, body["reason"]) == (3, "thin-evidence")
    assert ran.out.startswith("I need more evidence to make suggestions.")
    assert body["cases"]
    assert all(case["id"] in ran.out for case in body["cases"])


def test_chosen_cases_are_the_ones_that_are_quoted(run) -> None:
    found = run("search", "dog", "--collection", "tiny", "-k", "2", "--json").body["cases"]
    ids = [case["id"] for case in found]
    options = [word for id in ids for word in ("--case-id", id)]
    body = run("coach", CONCERN, "--collection", "tiny", "--json", *options).body
    assert {case["id"] for case in body["cases"]} == set(ids)


def test_an_unknown_case_is_named(run) -> None:
    ran = run("coach", CONCERN, "--collection", "tiny", "--case-id", "0123456789abcdef")
    assert ran.code == 2
    assert "0123456789abcdef" in ran.err.splitlines()[0]


@pytest.mark.parametrize("text", ["", " \n\t", "x" * 20_001])
def test_a_message_that_cannot_be_used_is_a_mistake_and_still_names_people(run, text) -> None:
    ran = run("coach", "-", "--collection", "tiny", "--json", stdin=text)
    assert (ran.code, ran.body["code"]) == (2, "invalid-input")
    assert ran.body["resources"]
    assert ran.err.startswith("error[invalid-input]: ")


def test_a_crisis_in_a_message_of_any_length_gets_help(run) -> None:
    ran = run("coach", "-", "--collection", "tiny", stdin=f"{CRISIS}. " + "and so on " * 3_000)
    assert ran.code == 4


def test_the_trace_tells_stages_and_no_text(run) -> None:
    ran = run("coach", f"{CONCERN}, says {CANARY}", "--collection", "tiny", "--trace", "--json")
    assert {"screen", "embed", "search_dense", "gate"} <= set(ran.err.split())
    assert CANARY not in ran.err
    assert ran.body["outcome"] == "answer"


def test_a_reply_and_its_receipt_verify_and_a_changed_one_does_not(run, tmp_path: Path) -> None:
    reply, receipt = tmp_path / "reply.json", tmp_path / "receipt.json"
    ran = run("coach", CONCERN, "--collection", "tiny", "--json", "--receipt", str(receipt))
    reply.write_text(ran.out, encoding="utf-8")
    assert json.loads(receipt.read_text(encoding="utf-8")) == ran.body["receipt"]
    assert run("verify", str(reply)).code == 0
    replayed = run("verify", str(receipt), "--message", CONCERN, "--json")
    assert (replayed.code, replayed.body["ok"]) == (0, True)
    reply.write_text(ran.out.replace("breath", "breadth", 1), encoding="utf-8")
    changed = run("verify", str(reply))
    assert changed.code == 1
    assert "FAILED    text" in changed.out


@pytest.mark.parametrize("raw", ["", "{}", "[]", "null", "not json", '{"receipt": 3}', "[" * 9999])
def test_what_is_no_receipt_is_a_mistake(run, raw: str) -> None:
    ran = run("verify", "-", stdin=raw)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("error[receipt-invalid]: ")


def test_a_receipt_that_cannot_be_written_is_said(run, tmp_path: Path) -> None:
    ran = run("coach", CONCERN, "--collection", "tiny", "--receipt", str(tmp_path))
    assert (ran.code, ran.out) == (2, "")


def test_a_search_shows_cases_and_sentences(run) -> None:
    ran = run("search", "I cannot sleep", "--collection", "tiny")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("1. Awake at night (case ")
    body = run("search", "I cannot sleep", "--collection", "tiny", "--json", "-k", "1").body
    (case,) = SearchBody.model_validate(body).cases
    assert case.title == "Awake at night"
    assert case.highlights


def test_a_search_traces_its_stages(run) -> None:
    ran = run("search", CANARY, "--collection", "tiny", "--trace")
    assert "search_lexical" in ran.err
    assert CANARY not in ran.err


@pytest.mark.parametrize(
    ("text", "code", "level"),
    [
        ("cutting onions", 0, "none"),
        ("kms, forgot my charger", 0, "mild"),
        ("I wish I would not wake up", 4, "moderate"),
        (CRISIS, 4, "high"),
    ],
)
def test_a_check_exits_by_the_level(run_empty, text: str, code: int, level: str) -> None:
    ran = run_empty("check", text, "--trace")
    assert (ran.code, ran.out.split(":")[0].strip()) == (code, level)
    body = RiskBody.model_validate(run_empty("check", text, "--json").body)
    assert body.level == level
    assert all(signal.rule in ran.err for signal in body.signals)
    assert text not in ran.err
