"""C27: strict JSON. Wrapping is forgiven, content is not."""

from __future__ import annotations

import time

import pytest
from decider_sample import Choice, Label, reply

from handrail.calls.failure import CallFailed
from handrail.calls.repair import MAX_REPLY_CHARS, first_object, read


def failure(text: str) -> str:
    with pytest.raises(CallFailed) as caught:
        read(text, Choice)
    return caught.value.code


@pytest.mark.parametrize(
    "text",
    [
        reply(),
        f"```json\n{reply()}\n```",
        f"```\n{reply()}\n```",
        f"Sure! Here is the choice:\n\n{reply()}\n\nAnything else?",
        f"\ufeff  {reply()}",
        f"{reply()}{reply(label='validation')}",
        f"{reply()} \udcff\udcfe",
    ],
)
def test_c27_wrapping_is_forgiven(text: str) -> None:
    assert read(text, Choice).label is Label.REFLECTION


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "no-json-object"),
        ("I would validate the person.", "no-json-object"),
        (f"[{reply()}]", "no-json-object"),
        (f"```json\n[ {reply()}]\n```", "no-json-object"),
        (reply()[:-1], "malformed-json"),
        ("{'label': 'reflection', 'refs': []}", "malformed-json"),
        ('{"label": "reflection", "refs": [],}', "malformed-json"),
        ('{"label": "reflection", "refs": [] // none\n}', "malformed-json"),
        ('{label} {"label": "reflection", "refs": []}', "malformed-json"),
        ('{"label": "reflection", "label": "validation", "refs": []}', "duplicate-key"),
        ('{"label": "reflection", "refs": [{"sent_id": 1, "sent_id": 2}]}', "duplicate-key"),
        ('{"label": "reflection", "refs": NaN}', "not-finite-number"),
        ('{"label": "reflection", "refs": -Infinity}', "not-finite-number"),
        ('{"label": "reflection", "refs": 1e999}', "not-finite-number"),
        ('{"label": 1, "refs": []}', "schema-mismatch"),
        ('{"label": "Reflection", "refs": []}', "schema-mismatch"),
        ('{"label": "hypnosis", "refs": []}', "schema-mismatch"),
        (reply(advice="stop taking it"), "schema-mismatch"),
        (reply(refs=[("a1", "2")]), "schema-mismatch"),
        (reply(refs=[("a1", 2.0)]), "schema-mismatch"),
        (reply(refs=[("a1", True)]), "schema-mismatch"),
        (reply(refs=[("\ud800", 2)]), "schema-mismatch"),
        (reply(refs=[("a1", 2)] * 10), "schema-mismatch"),
        ('{"refs": []}', "schema-mismatch"),
        ('{"a":' * 5_000 + "1" + "}" * 5_000, "malformed-json"),
        ('{"refs": ' + "9" * 5_000 + "}", "malformed-json"),
    ],
)
def test_c27_content_is_never_mended(text: str, code: str) -> None:
    assert failure(text) == code


def test_what_lies_past_the_limit_is_never_looked_at() -> None:
    assert failure(" " * MAX_REPLY_CHARS + reply()) == "no-json-object"
    assert failure(reply(refs=[("x" * MAX_REPLY_CHARS, 0)])) == "malformed-json"


def test_a_hundred_megabytes_cost_no_more_than_the_limit() -> None:
    text = '{"label":' + "[" * 100_000_000
    begun = time.perf_counter()
    assert failure(text) == "malformed-json"
    assert time.perf_counter() - begun < 0.5


def test_an_error_holds_none_of_the_models_words() -> None:
    with pytest.raises(CallFailed) as caught:
        read(reply(label="canary-3c1d"), Choice)
    assert "canary" not in f"{caught.value}{caught.value.__cause__}"
    assert caught.value.__suppress_context__


def test_numbers_and_text_come_through_unchanged() -> None:
    text = '{"n": 0.1, "s": "caf\\u00e9 \\ud83d\\udc4b", "deep": {"l": [1, null, true]}}'
    assert first_object(text) == {"n": 0.1, "s": "café 👋", "deep": {"l": [1, None, True]}}
