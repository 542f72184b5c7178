"""The catalogue of the moment: filled, followed, kept; and the desk that writes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from guide_parts import PATTERNS, catalogue_of, entity, phrases
from guide_talk import LATE, desk_engine, few, talk

from handrail.adapters.memory import MemoryEntities
from handrail.content.entities import entity_json
from handrail.content.spellings import spellings
from handrail.domain.entity import Entity, Trigger
from handrail.domain.outcome import Abstention, Answer
from handrail.engine import Engine
from handrail.errors import (
    ContentInvalid,
    EntityConflict,
    HandrailError,
    InvalidInput,
    NotFound,
    StoreFailed,
)
from handrail.flows.guide.catalogue import Catalogue
from handrail.flows.guide.desk import MAX_BY_CHARS, Desk
from handrail.flows.guide.dry_run import Message, dry_run
from handrail.flows.guide.live import BY, LOOK_SECONDS, LiveCatalogue


class Shop(MemoryEntities):
    """A store that can break, and counts how often it was asked."""

    error: Exception | None = None
    asked = 0

    def revision(self) -> int:
        self.asked += 1
        if self.error is not None:
            raise self.error
        return super().revision()


class Moments:
    """A live catalogue over a shop, with a clock that a test turns."""

    def __init__(self, *packaged: Entity, store: Shop | None = None) -> None:
        self.store = store or Shop()
        self.time = 0.0
        self.built = 0
        self.live = LiveCatalogue(
            self.store, lambda: packaged, self._build, clock=lambda: self.time, now=lambda: 7.0
        )

    def _build(self, entities: Sequence[Entity], revision: int) -> Catalogue:
        self.built += 1
        return catalogue_of(entities, revision=revision)

    def ids(self, *, later: float = LOOK_SECONDS) -> list[str]:
        self.time += later
        return [one.entity_id for one in self.live().entities]


A, B = entity("a"), entity("b")


def test_an_empty_store_is_filled_with_what_is_packaged() -> None:
    shop = Moments(A, B)
    assert shop.ids() == ["a", "b"]
    record = shop.store.get("a")
    assert record is not None
    assert (record.by, record.at) == (BY, 7.0)
    assert Moments().ids() == []


def test_h25_nothing_is_built_or_asked_again_while_nothing_changes() -> None:
    shop = Moments(A)
    shop.ids()
    asked = shop.store.asked
    for _ in range(5):
        shop.ids(later=0.0)
    assert shop.store.asked == asked
    shop.ids()
    assert (shop.store.asked, shop.built) == (asked + 1, 1)


def test_edits_and_deletions_are_followed_within_a_moment() -> None:
    shop = Moments(A, B)
    shop.ids()
    shop.store.put([replace(A, title="new"), entity("c")], by="anna", at=8.0)
    assert shop.ids(later=0.0) == ["a", "b"]
    assert shop.ids() == ["a", "b", "c"]
    assert shop.live().by_id["a"].title == "new"
    shop.store.delete("b", by="anna", at=9.0)
    shop.live.look()
    assert shop.ids(later=0.0) == ["a", "c"]


def test_a_newer_package_renews_its_own_and_leaves_what_editors_did() -> None:
    old = Moments(A, B, entity("gone"))
    old.ids()
    old.store.put([replace(A, title="anna's")], by="anna", at=8.0)
    old.store.delete("gone", by="anna", at=8.0)
    newer = Moments(
        *(replace(one, title="newer", version=2) for one in (A, B)),
        entity("gone"),
        entity("added"),
        store=old.store,
    )
    assert newer.ids() == ["a", "added", "b"]
    assert {name: one.title for name, one in newer.live().by_id.items()} == {
        "a": "anna's",
        "added": "added",
        "b": "newer",
    }


@pytest.mark.parametrize("error", [StoreFailed("down"), OSError("down")])
def test_a_store_that_fails_later_leaves_the_standing_catalogue_in_use(error: Exception) -> None:
    shop = Moments(A)
    shop.ids()
    shop.store.error = error
    assert shop.ids() == ["a"]
    assert isinstance(shop.live.failed, HandrailError)
    shop.store.error = None
    shop.store.put([B], by="anna", at=8.0)
    assert shop.ids() == ["a", "b"]
    assert shop.live.failed is None


def test_a_store_that_fails_at_the_start_says_so() -> None:
    shop = Moments(A)
    shop.store.error = StoreFailed("down")
    with pytest.raises(StoreFailed):
        shop.live()
    shop.store.error = None
    assert shop.ids() == ["a"]


def test_an_entity_that_does_not_compile_leaves_the_former_ones_in_use() -> None:
    shop = Moments(A)
    shop.ids()
    broken = replace(B, trigger_patterns=(Trigger(regex="(("),), reviewer="anna")
    shop.store.put([broken], by="anna", at=8.0)
    assert shop.ids() == ["a"]
    assert isinstance(shop.live.failed, ContentInvalid)
    shop.store.put([B], by="anna", at=9.0)
    assert shop.ids() == ["a", "b"]


@pytest.fixture
def desk(hashed: Engine) -> Desk:
    return desk_engine(hashed, few()).desk


def values(one: Entity, **changes: Any) -> dict[str, Any]:
    return {**entity_json(one), **changes}


def test_h36_what_an_editor_writes_is_in_use_at_once(desk: Desk) -> None:
    assert isinstance(talk(desk.guide, LATE).outcome, Answer)
    late = desk.record("late_pickups").entity
    written = desk.put(values(late, guidance_do=["Put the kettle on."]), by="anna", expected=1)
    assert written.version == 2
    assert "Put the kettle on." in talk(desk.guide, LATE).outcome.text
    assert [record.by for record in desk.history("late_pickups")] == ["handrail", "anna"]
    for one in list(desk.entities()):
        desk.delete(one.entity_id, by="anna")
    assert isinstance(talk(desk.guide, LATE).outcome, Abstention)


@pytest.mark.parametrize("by", ["", "  ", "x" * (MAX_BY_CHARS + 1)])
def test_every_write_has_a_name_on_it(desk: Desk, by: str) -> None:
    late = values(desk.record("late_pickups").entity)
    with pytest.raises(InvalidInput):
        desk.put(late, by=by)
    with pytest.raises(InvalidInput):
        desk.delete("late_pickups", by=by)
    assert len(desk.history("late_pickups")) == 1


@pytest.mark.parametrize(
    "changes",
    [
        {"trigger_patterns": [{"phrase": "(a"}]},
        {"trigger_patterns": [{"regex": "(a"}]},
        {"trigger_patterns": [{"regex": r"\b"}]},
        {"state_conditions": {"mood": "low"}},
        {"priority": 101},
    ],
)
def test_h36_h37_nothing_that_cannot_be_read_is_written(
    desk: Desk, changes: dict[str, Any]
) -> None:
    late = desk.record("late_pickups").entity
    with pytest.raises(ContentInvalid):
        desk.put(values(late, **changes), by="anna")
    assert desk.record("late_pickups").entity == late


def test_who_writes_over_a_newer_version_is_told(desk: Desk) -> None:
    late = desk.record("late_pickups").entity
    desk.put(values(late, title="first"), by="anna")
    with pytest.raises(EntityConflict):
        desk.put(values(late, title="second"), by="ben", expected=1)


def test_what_is_not_there_is_not_found(desk: Desk) -> None:
    for ask in (
        lambda: desk.record("nobody"),
        lambda: desk.record("late_pickups", version=9),
        lambda: desk.history("nobody"),
        lambda: desk.delete("nobody", by="anna"),
    ):
        with pytest.raises(NotFound):
            ask()


def test_h36_a_dry_run_tells_what_is_new_what_is_lost_and_what_is_strange(desk: Desk) -> None:
    before = entity("a", trigger_patterns=phrases("lose it"), keywords=("rage",))
    after = entity("a", trigger_patterns=phrases("lose it", "snap"))
    said = [
        Message("I lose it", "a"),
        Message("I\u2019ll snap", "b"),
        Message("rage", "a"),
        Message("calm"),
    ]
    found = dry_run(after, before, said, patterns=PATTERNS, spellings=spellings())
    assert [(match.message.text, match.by, match.fresh) for match in found.matches] == [
        ("I lose it", "trigger 1", False),
        ("I\u2019ll snap", "trigger 2", True),
    ]
    assert found.matches[1].span.of("I\u2019ll snap") == "snap"
    assert found.lost == (said[2],)
    assert (found.tried, found.strangers("a")) == (4, (found.matches[1],))
    new = dry_run(after, None, said, patterns=PATTERNS, spellings={})
    assert [match.fresh for match in new.matches] == [True, True]
    assert new.lost == ()
    with pytest.raises(ContentInvalid):
        dry_run(
            entity("a", trigger_patterns=phrases("(a")), None, [], patterns=PATTERNS, spellings={}
        )


def test_h36_a_dry_run_asks_by_default_what_parents_say_and_writes_nothing(desk: Desk) -> None:
    late = desk.record("late_pickups").entity
    found = desk.dry_run(values(late, trigger_patterns=[{"phrase": "late"}]))
    assert found.tried == sum(len(one.recognition) for one in few())
    assert any(match.fresh for match in found.matches)
    assert desk.record("late_pickups").entity == late
