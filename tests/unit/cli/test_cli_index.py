"""Collections by command: made, listed, proven, made anew, removed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tiny_corpus import write_corpus


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_corpus(tmp_path_factory.mktemp("corpus") / "cases.ndjson")


def test_adding_twice_embeds_nothing_anew(run, indexed_home: Path, corpus: Path) -> None:
    ran = run("index", "add", str(corpus), "--collection", "tiny", "--json")
    assert ran.code == 0
    assert ran.body["records"] == 12
    assert (ran.body["added"], ran.body["embedded"], ran.body["changed"]) == (0, 0, False)


def test_a_list_names_every_collection(run) -> None:
    (listed,) = run("index", "list", "--json").body["collections"]
    assert (listed["name"], listed["ok"], listed["records"]) == ("tiny", True, 12)
    assert run("index", "list").out.startswith("tiny: 12 cases, ")


def test_an_empty_home_has_an_empty_list(run_empty) -> None:
    assert run_empty("index", "list", "--json").body == {"collections": []}
    ran = run_empty("index", "list")
    assert (ran.code, ran.out) == (0, "")
    assert "handrail index add" in ran.err


def test_verifying_finds_the_changed_byte(run_empty, corpus: Path, tmp_path: Path) -> None:
    assert run_empty("index", "add", str(corpus), "--collection", "mine").code == 0
    assert run_empty("index", "verify", "mine").code == 0
    (vectors,) = (tmp_path / "home" / "collections" / "mine").glob("*/ctx.faiss")
    raw = bytearray(vectors.read_bytes())
    raw[-1] ^= 1
    vectors.write_bytes(raw)
    ran = run_empty("index", "verify", "--json")
    assert ran.code == 1
    assert "ctx.faiss" in ran.body["collections"][0]["problem"]
    asked = run_empty("coach", "I feel low", "--collection", "mine")
    assert (asked.code, asked.out) == (1, "")
    assert asked.err.startswith("error[index-corrupt]: ctx.faiss")
    assert "findahelpline" in asked.err


def test_a_rebuild_keeps_the_cases(run_empty, corpus: Path) -> None:
    made = run_empty("index", "add", str(corpus), "--collection", "mine", "--json").body
    anew = run_empty("index", "rebuild", "--collection", "mine", "--json")
    assert (anew.code, anew.body["records"]) == (0, made["records"])
    assert anew.body["embedded"] == made["embedded"]


def test_removing_asks_first(run_empty, corpus: Path) -> None:
    run_empty("index", "add", str(corpus), "--collection", "mine")
    assert run_empty("index", "remove", "mine", stdin="n\n").code == 2
    assert len(run_empty("index", "list", "--json").body["collections"]) == 1
    assert run_empty("index", "remove", "mine", stdin="").code == 2
    assert run_empty("index", "remove", "mine", "--yes", "--json").body == {"removed": "mine"}
    assert run_empty("index", "list", "--json").body == {"collections": []}


def test_columns_of_other_names_are_named(run_empty, tmp_path: Path) -> None:
    path = tmp_path / "other.csv"
    path.write_text('ask,say\n"I feel low today.","A walk can help."\n', encoding="utf-8")
    add = ("index", "add", str(path), "--collection", "mine")
    assert run_empty(*add).code == 2
    assert run_empty(*add, "--response-column", "say").code == 2
    ran = run_empty(*add, "--context-column", "ask", "--response-column", "say", "--json")
    assert (ran.code, ran.body["records"]) == (0, 1)


def test_bad_lines_are_counted_and_named_by_number(run_empty, tmp_path: Path) -> None:
    path = tmp_path / "cases.ndjson"
    good = json.dumps({"Context": "I feel low.", "Response": "A walk can help."})
    path.write_text(f"{good}\n\ncanary\n[1]\n{{}}\n", encoding="utf-8")
    ran = run_empty("index", "add", str(path), "--collection", "mine", "--json")
    (file,) = ran.body["files"]
    assert (ran.code, file["records"], file["skipped"]) == (0, 1, 3)
    assert [bad["line"] for bad in file["bad_lines"]] == [3, 4, 5]
    assert "3 of 4 records skipped" in ran.err
    assert "canary" not in ran.out + ran.err


@pytest.mark.parametrize("name", ["../up", "UPPER", "", "a" * 65, "a b"])
def test_a_name_that_could_lead_elsewhere_is_a_mistake(run_empty, corpus: Path, name: str) -> None:
    ran = run_empty("index", "add", str(corpus), "--collection", name)
    assert ran.code == 2
    assert ran.err.startswith("error[invalid-input]: ")


@pytest.mark.parametrize(
    "words",
    [("verify", "nope"), ("remove", "nope", "--yes"), ("rebuild", "--collection", "nope")],
    ids=" ".join,
)
def test_an_unknown_collection_is_a_mistake(run_empty, words) -> None:
    ran = run_empty("index", *words)
    assert (ran.code, ran.out) == (2, "")
    assert "nope" in ran.err
