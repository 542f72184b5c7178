"""The guide to sessions does what it says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from handrail.server.bodies import ChatAsked
from handrail.wire import ChatBody

GUIDE = (Path(__file__).parents[2] / "docs" / "howto" / "hold-a-session.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", GUIDE, re.DOTALL)


def test_a29_the_python_runs_as_it_stands(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = blocks("python")
    exec(compile(code, "hold-a-session.md", "exec"), {})
    said = capsys.readouterr().out.splitlines()
    assert re.match(r"(warmup|clarify) 1 \S", said[0])
    assert any(line.startswith("clarify 2 ") for line in said)


def test_the_requests_that_are_shown_are_requests() -> None:
    shown = [body for block in blocks("console") for body in re.findall(r"-d '(\{.*?\})'", block)]
    asked = [json.loads(body) for body in shown]
    chats = [ChatAsked.model_validate(body) for body in asked if "message" in body]
    assert len(chats) == 3
    assert {body["by"] for body in asked if "by" in body} == {"therapist-7"}


def test_the_table_of_the_request_is_the_request() -> None:
    table = GUIDE.partition("| field of the request")[2].partition("\n\n")[0]
    named = re.findall(r"`(\w+)`", "\n".join(row.split("|")[1] for row in table.split("\n")[2:]))
    assert sorted(named) == sorted(ChatAsked.model_fields)


def test_the_stream_that_is_shown_has_the_names_of_a_turn() -> None:
    (stream,) = blocks("text")
    names = re.findall(r"^event: (\w+)$", stream, re.MULTILINE)
    assert names == ["sentence", "sentence", "control", "done"]
    data = [json.loads(line) for line in re.findall(r"^data: (.+)$", stream, re.MULTILINE)]
    assert list(data[2]) == list(ChatBody.model_fields["control"].annotation.model_fields)
    assert set(data[3]) <= set(ChatBody.model_fields)
    assert re.findall(r"^id: (.+)$", stream, re.MULTILINE) == ["2.1", "2.2", "2.3", "2.4"]
