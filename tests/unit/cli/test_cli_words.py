"""What may be typed, in which order, and what is said when it makes no sense."""

from __future__ import annotations

import doctest
import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail import __version__
from handrail.cli import group
from handrail.cli.group import parted
from handrail.cli.words import read_text

Run = Callable[..., object]

WORDS = st.lists(st.sampled_from(["coach", "x", "-", "--json", "--trace", "--home", "d", "--k"]))


def test_the_examples_of_parting_hold() -> None:
    assert doctest.testmod(group).failed == 0


@given(WORDS)
def test_parting_loses_no_word(words: list[str]) -> None:
    first, rest = parted(words)
    assert sorted([*first, *rest]) == sorted(words)
    assert "--json" not in rest


@given(WORDS)
def test_nothing_behind_two_dashes_is_an_option(words: list[str]) -> None:
    assert parted(["coach", "--", *words]) == ([], ["coach", "--", *words])


@pytest.mark.parametrize(
    "words", [("--json", "check", "x"), ("check", "--json", "x"), ("check", "x", "--json")]
)
def test_global_options_may_stand_anywhere(run_empty, words) -> None:
    assert run_empty(*words).body["level"] == "none"


def test_the_version_is_data(run_empty) -> None:
    ran = run_empty("--version")
    assert (ran.code, ran.out, ran.err) == (0, f"handrail {__version__}\n", "")


def test_nothing_typed_shows_help_on_standard_error(run_empty) -> None:
    ran = run_empty()
    assert (ran.code, ran.out) == (2, "")
    assert "coach" in ran.err
    assert "doctor" in ran.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("coach",), "Missing argument"),
        (("coach", "two", "words"), "quotes"),
        (("coach", "--no-such"), "No such option"),
        (("no-such-command",), "No such command"),
        (("coach", "x", "--country", "Ireland"), "such as IE"),
        (("search", "x", "-k", "0"), "-k"),
        (("search", "x", "-k", "many"), "-k"),
        (("index", "add", "cases.ndjson"), "--collection"),
        (("eval", "retrieval"), "--queries"),
    ],
    ids=" ".join,
)
def test_a_mistake_is_one_line_with_the_next_step(run_empty, words, said) -> None:
    ran = run_empty(*words)
    assert (ran.code, ran.out) == (2, "")
    (line,) = ran.err.splitlines()
    assert line.startswith("error[usage]: ")
    assert said in line
    assert "Run: handrail" in line


def test_a_mistake_is_an_object_with_json(run_empty) -> None:
    ran = run_empty("coach", "--json")
    assert ran.code == 2
    assert ran.body.keys() == {"type", "title", "code", "detail"}
    assert ran.body["code"] == "usage"


def test_words_without_quotes_are_not_repeated(run_empty) -> None:
    ran = run_empty("coach", "a", "canary", "sings")
    assert "canary" not in ran.err


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("  a\r\nb \n", "a\nb"),
        (f"a{chr(0xDCFF)}b", "a\ufffdb"),  # how Python holds a byte that is no UTF-8
        (f"a{chr(0xD83D)}b", "a\ufffdb"),
        ("عربي", "عربي"),
        ("😀" * 10, "😀" * 10),
    ],
)
def test_a_text_is_read_in_its_canonical_form(typed: str, read: str) -> None:
    assert read_text(typed) == read


def test_a_dash_reads_standard_input(run_empty) -> None:
    ran = run_empty("check", "-", "--json", stdin="I want to kill myself\n")
    assert ran.code == 4
    assert ran.body["signals"][0]["start"] == 0


@pytest.mark.parametrize("raw", [b"\xff\xfe\xfd", b"a\x00b", b"\xef\xbb\xbfa", b"", b"\n\n"])
def test_bytes_of_any_kind_are_read(run_empty, raw: bytes) -> None:
    ran = run_empty("check", "-", "--json", stdin=raw)
    assert (ran.code, ran.body["level"]) == (0, "none")


def test_a_broken_byte_hides_no_crisis(run_empty) -> None:
    assert run_empty("check", "-", stdin=b"I want to \x00kill myself \xff").code == 4


def test_a_setting_that_nobody_knows_is_a_mistake(
    run_empty, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HANDRAIL_COUNTRI", "IE")
    ran = run_empty("config", "show", "--json")
    assert ran.code == 2
    assert ran.body["code"] == "invalid-settings"
    assert "HANDRAIL_COUNTRY" in ran.err


def test_the_configuration_names_its_sources_and_masks_keys(
    run_empty, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HANDRAIL_LLM__API_KEY", "canary")
    monkeypatch.setenv("HANDRAIL_SERVER__API_KEYS", json.dumps(["canary"]))
    ran = run_empty("config", "show", "--json")
    rows = {row["name"]: row for row in ran.body["settings"]}
    assert "canary" not in ran.out + ran.err + run_empty("config", "show").out
    assert rows["HANDRAIL_LLM__API_KEY"]["source"] == "environment"
    assert rows["HANDRAIL_HOME"]["source"] == "option"
    assert rows["HANDRAIL_COACH__GATE_ALPHA"] == {
        "name": "HANDRAIL_COACH__GATE_ALPHA",
        "value": 0.6,
        "source": "default",
    }
