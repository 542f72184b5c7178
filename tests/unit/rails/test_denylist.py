"""What may not be quoted, entry by entry, and what common words may not trigger."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from handrail.adapters.re2 import Re2Engine
from handrail.content import load
from handrail.corpus.segment import segment
from handrail.errors import ContentInvalid
from handrail.rails import denylist
from handrail.rails.denylist import Denylist, DenylistFile, DenylistItem

ITEMS = load(denylist.FILE, DenylistFile).items


@cache
def packaged() -> Denylist:
    return Denylist.packaged(Re2Engine())


def caught_by(sentence: str) -> set[str]:
    return {item.id for item in packaged().hits(sentence)}


def pairs(kind: str) -> list[tuple[str, str]]:
    return [(item.id, sentence) for item in ITEMS for sentence in getattr(item, kind)]


@pytest.mark.parametrize(("entry", "sentence"), pairs("catches"))
def test_c24_an_entry_catches_its_examples(entry: str, sentence: str) -> None:
    assert entry in caught_by(sentence)


@pytest.mark.parametrize(("entry", "sentence"), pairs("passes"))
def test_c69_a_near_miss_passes_every_entry(entry: str, sentence: str) -> None:
    assert caught_by(sentence) == set()


@pytest.mark.parametrize(
    "category",
    ["medication", "medical-claim", "diagnosis", "absolute", "manipulation", "harm", "contact"],
)
def test_c24_each_category_has_an_entry(category: str) -> None:
    assert category in {item.category for item in ITEMS}


@pytest.mark.parametrize(
    "word",
    [
        *("always", "never", "drug", "definitely", "absolutely", "cure", "must", "fast", "add"),
        *("hell", "leave", "stay", "diet", "crazy", "grow", "stable", "book", "doctor", "pot"),
    ],
)
def test_c69_a_common_word_alone_triggers_nothing(word: str) -> None:
    assert caught_by(word) == set()
    assert caught_by(f"The word {word} stands in this sentence.") == set()


@pytest.mark.parametrize(
    "sentence",
    [
        "ASK ABOUT YOUR MEDICATION.",
        "Don’t  ever\ttrust  anyone.",
        "You’ve got to tell them.",
        "“Snap out of it,” is no help.",
    ],
)
def test_c24_case_apostrophes_and_spaces_do_not_matter(sentence: str) -> None:
    assert caught_by(sentence)


def test_c25_hits_come_once_and_in_file_order() -> None:
    hits = packaged().hits(
        "Take your meds, take your meds, and call 911 or write to me@example.org"
    )
    order = [ITEMS.index(hit) for hit in hits]
    assert order == sorted(set(order))
    assert len(order) >= 3


def test_an_excuse_sets_its_own_entry_aside_and_no_other() -> None:
    def entry(name: str, pattern: str, unless: str | None) -> DenylistItem:
        return ITEMS[0].model_copy(update={"id": name, "pattern": pattern, "unless": unless})

    both = Denylist((entry("a", "wine", "no wine"), entry("b", "wine", None)), Re2Engine())
    assert [item.id for item in both.hits("some wine")] == ["a", "b"]
    assert [item.id for item in both.hits("no wine")] == ["b"]


def test_an_entry_without_examples_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    item = ITEMS[0].model_dump(mode="json", exclude={"passes"})
    body = {"version": 1, "language": "en", "reviewer": "r", "items": [item]}
    (tmp_path / "list.yaml").write_text(json.dumps(body), encoding="utf-8")
    monkeypatch.setattr("handrail.content.loader.ROOT", tmp_path)
    with pytest.raises(ContentInvalid, match=r"list\.yaml.*passes"):
        load("list.yaml", DenylistFile)


def test_an_id_that_occurs_twice_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    item = ITEMS[0].model_dump(mode="json")
    body = {"version": 1, "language": "en", "reviewer": "r", "items": [item, item]}
    (tmp_path / "list.yaml").write_text(json.dumps(body), encoding="utf-8")
    monkeypatch.setattr("handrail.content.loader.ROOT", tmp_path)
    with pytest.raises(ContentInvalid, match="occurs twice"):
        load("list.yaml", DenylistFile)


def test_a_pattern_that_would_backtrack_is_named() -> None:
    item = ITEMS[0].model_copy(update={"pattern": r"(a)\1"})
    with pytest.raises(ContentInvalid, match="does not compile"):
        Denylist((item,), Re2Engine())


@pytest.mark.slow
def test_c25_real_counselling_answers_lose_a_small_share(
    shared_data: Callable[[str], Path],
) -> None:
    """Between one in fifty and one in four; each category drops something, none drops much."""
    dropped, sentences = Counter[str](), 0
    with (shared_data("counsel-chat") / "context_response.ndjson").open(encoding="utf-8") as rows:
        for row in rows:
            answer = json.loads(row)["Response"] or ""
            for span in segment(answer):
                sentences += 1
                categories = {hit.category for hit in packaged().hits(span.of(answer))}
                dropped.update([*categories, *(["any"] if categories else [])])
    shares = {name: count / sentences for name, count in dropped.items()}
    assert 0.02 < shares["any"] < 0.25
    assert set(shares) == {"any", *(item.category for item in ITEMS)}
    assert max(share for name, share in shares.items() if name != "any") < 0.1
