"""What every `EntityStore` must do: subclass, override the fixture, inherit."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TypeAlias

import pytest

from handrail.domain.entity import (
    Audience,
    ChatType,
    Entity,
    EntityType,
    LoadMode,
    Trigger,
)
from handrail.errors import ContentInvalid, EntityConflict, InvalidInput
from handrail.ports import EntityRecord, EntityStore
from handrail.testing.entity_processes import OpenEntities, compete, edit, race_to_edit, sample
from handrail.testing.store_processes import running, said

Change: TypeAlias = Callable[[Entity], Entity]

BY, AT = "editor", 1_700_000_000.123456
THREADS = 4

FULL = Entity(
    entity_id="whole_entity",
    entity_type=EntityType.HANDLER,
    load_mode=LoadMode.STATE,
    title="Títle 👩‍👧 \u202e",
    concept_summary="'; DROP TABLE content_entities; -- %s ? :a \\u0000",
    subtype="sub",
    priority=89,
    safety_critical=True,
    recognition=("a, b", "[not a list", '["a list"]', "two\nlines"),
    recognition_clinician=("日本語", "e\u0301", "é"),
    keywords=("comma, inside", "die", " spaced "),
    trigger_patterns=(
        Trigger(phrase="a (b|c) ... d"),
        Trigger(regex=r"\bx\d+\b", safety_critical=False),
        Trigger(phrase="other", safety_critical=True),
    ),
    state_conditions={
        "z": {"gte": 7, "lt": 7.5},
        "a": True,
        "one": 1,
        "list": ["x", 0, False, None],
        "deep": {"any": [{"é": 0.1}, -0.25, 2**53]},
    },
    confused_with=("another",),
    never_with=("a_third",),
    acknowledgement=("yes",),
    guidance_do=("null", "do"),
    guidance_dont=("don't",),
    scripts=('say "this"',),
    examples=("{}",),
    red_flags=("[]",),
    audience_types=(Audience.CLINICIAN,),
    chat_types=(ChatType.COURT_PREP, ChatType.MISCELLANEOUS),
    editable_by=("admin",),
    language="es",
    reviewer="somebody",
    source="a book",
    version=3,
)
CHANGES: tuple[Change, ...] = (
    lambda entity: replace(entity, title="another"),
    lambda entity: replace(entity, priority=1),
    lambda entity: replace(entity, keywords=("one, two",)),
    lambda entity: replace(entity, keywords=("one", "two")),
    lambda entity: replace(entity, state_conditions={"one": 1}),
    lambda entity: replace(entity, state_conditions={"one": True}),
    lambda entity: replace(entity, state_conditions={"one": 1.0}),
    lambda entity: replace(entity, trigger_patterns=(Trigger(phrase="one"),)),
    lambda entity: replace(entity, is_active=False),
    lambda entity: replace(entity, safety_critical=False),
)


def put(store: EntityStore, *entities: Entity, **expected: int) -> list[Entity]:
    """Write at `AT`; ``expected`` by id."""
    return list(store.put(entities, by=BY, at=AT, expected=expected or None))


def ids(store: EntityStore) -> list[str]:
    """Of what stands."""
    return [entity.entity_id for entity in store.entities()]


class EntityStoreContract:
    """Subclass in a test module and override ``store``, which is empty at first."""

    @pytest.fixture
    def store(self) -> EntityStore:
        raise NotImplementedError("override the store fixture")

    def test_h20_a_store_that_never_held_one(self, store: EntityStore) -> None:
        assert (store.revision(), list(store.entities())) == (0, [])
        assert store.get("nobody") is None
        assert list(store.history("nobody")) == []
        assert not store.delete("nobody", by=BY, at=AT)
        assert put(store) == []
        assert store.revision() == 0

    def test_h13_every_field_comes_back_as_it_was(self, store: EntityStore) -> None:
        assert put(store, FULL, sample("least")) == [FULL, sample("least")]
        assert list(store.entities()) == [sample("least"), FULL]
        assert store.get(FULL.entity_id) == EntityRecord(entity=FULL, by=BY, at=AT)
        found = store.entities()[1].state_conditions
        assert found is not None
        assert repr(dict(found)) == repr(dict(sorted((FULL.state_conditions or {}).items())))

    def test_h13_entities_come_in_the_order_of_their_ids(self, store: EntityStore) -> None:
        names = ["b", "a_b", "ab", "a1", "a", "a_1", "zz", "z"]
        put(store, *map(sample, names))
        assert ids(store) == sorted(names)

    def test_h20_writing_again_changes_nothing(self, store: EntityStore) -> None:
        put(store, FULL, sample("other"))
        again = replace(FULL, version=71)
        assert put(store, again, sample("other")) == []
        assert store.revision() == 1
        assert [record.entity for record in store.history(FULL.entity_id)] == [FULL]

    def test_h20_what_differs_is_the_next_version(self, store: EntityStore) -> None:
        entity = FULL
        put(store, entity)
        for number, change in enumerate(CHANGES, start=1):
            entity = replace(change(entity), version=3 + number)
            assert put(store, replace(entity, version=1)) == [entity]
            assert store.revision() == 1 + number
        versions = [record.entity.version for record in store.history(FULL.entity_id)]
        assert versions == list(range(3, 4 + len(CHANGES)))

    def test_the_history_keeps_who_when_and_what(self, store: EntityStore) -> None:
        first, second = sample("one"), sample("one", title="second")
        store.put([first], by="Ana", at=1.5)
        store.put([second], by="日本 '; --", at=2.25)
        store.delete("one", by="", at=-3.0)
        second = replace(second, version=2)
        gone = replace(second, version=3, is_active=False)
        records = [
            EntityRecord(entity=first, by="Ana", at=1.5),
            EntityRecord(entity=second, by="日本 '; --", at=2.25),
            EntityRecord(entity=gone, by="", at=-3.0),
        ]
        assert list(store.history("one")) == records
        assert [store.get("one", version=number) for number in (1, 2, 3)] == records
        assert store.get("one") == records[2]
        assert [store.get("one", version=number) for number in (0, 4, -1, 2**70)] == [None] * 4

    def test_a_deleted_entity_is_a_version_that_is_not_active(self, store: EntityStore) -> None:
        put(store, sample("one"), sample("two"))
        assert store.delete("one", by=BY, at=AT)
        assert ids(store) == ["two"]
        assert store.revision() == 2
        assert not store.delete("one", by=BY, at=AT)
        assert store.revision() == 2
        assert put(store, sample("one")) == [sample("one", version=3)]
        assert ids(store) == ["one", "two"]

    @pytest.mark.parametrize("expected", [0, 1, 3, -1, 2**70])
    def test_a_write_on_another_version_is_refused(self, store: EntityStore, expected: int) -> None:
        put(store, sample("one"))
        put(store, sample("one", title="second"))
        third = sample("one", title="third")
        with pytest.raises(EntityConflict, match=r"'one' stands at version 2.*Read it again"):
            put(store, sample("new"), third, one=expected)
        with pytest.raises(EntityConflict):
            store.delete("one", by=BY, at=AT, expected=expected)
        assert list(store.entities()) == [sample("one", title="second", version=2)]
        assert store.revision() == 2
        assert put(store, third, one=2) == [replace(third, version=3)]
        assert store.delete("one", by=BY, at=AT, expected=3)

    def test_a_write_on_a_version_of_nothing_is_refused(self, store: EntityStore) -> None:
        with pytest.raises(EntityConflict):
            put(store, sample("one"), one=1)
        with pytest.raises(EntityConflict):
            store.delete("one", by=BY, at=AT, expected=1)
        assert put(store, sample("one"), one=0) == [sample("one")]

    def test_an_unchanged_entity_is_refused_on_another_version_too(
        self, store: EntityStore
    ) -> None:
        put(store, sample("one"))
        with pytest.raises(EntityConflict):
            put(store, sample("one"), one=4)

    @pytest.mark.parametrize(
        ("unfit", "error"),
        [
            (sample("Not An Id"), ContentInvalid),
            (sample("bad", title=""), ContentInvalid),
            (sample("bad", priority=101), ContentInvalid),
            (sample("bad", load_mode=LoadMode.STATE), ContentInvalid),
            (sample("bad", trigger_patterns=(Trigger(regex="unreviewed"),)), ContentInvalid),
            (sample("bad", title="canary\0"), InvalidInput),
            (sample("bad", keywords=("canary\ud800",)), InvalidInput),
            (sample("bad", state_conditions={"canary": float("nan")}), InvalidInput),
            (sample("bad", state_conditions={"canary": 2**53 + 1}), InvalidInput),
            (sample("bad", state_conditions={"canary": 1e300}), InvalidInput),
            (sample("bad", state_conditions={"canary": object()}), InvalidInput),
            (sample("good"), InvalidInput),
        ],
    )
    def test_one_unfit_entity_keeps_all_out(
        self, store: EntityStore, unfit: Entity, error: type[Exception]
    ) -> None:
        with pytest.raises(error) as caught:
            put(store, sample("good"), unfit)
        assert "canary" not in f"{caught.value!r} {caught.value.__cause__!r}"
        assert (store.revision(), ids(store)) == (0, [])

    @pytest.mark.parametrize(
        ("by", "at"), [("\0", AT), ("\ud800", AT), (BY, float("nan")), (BY, 1e18)]
    )
    def test_who_and_when_must_be_fit_too(self, store: EntityStore, by: str, at: float) -> None:
        with pytest.raises(InvalidInput):
            store.put([sample("one")], by=by, at=at)
        with pytest.raises(InvalidInput):
            store.delete("one", by=by, at=at)

    @pytest.mark.parametrize("name", ["", "\0", "\ud800", "'; --", "%s", "?", "é", "x" * 500])
    def test_any_text_may_be_asked_for(self, store: EntityStore, name: str) -> None:
        put(store, sample("one"))
        assert store.get(name) is None
        assert store.get(name, version=1) is None
        assert list(store.history(name)) == []
        assert not store.delete(name, by=BY, at=AT)
        assert put(store, sample("two"), **{name: 0}) == [sample("two")]

    def test_what_is_changed_afterwards_stays_as_it_was(self, store: EntityStore) -> None:
        conditions: dict[str, object] = {"list": [1]}
        put(store, sample("one", state_conditions=conditions))
        conditions["list"] = "changed"
        for found in (store.entities()[0], store.history("one")[0].entity):
            assert found.state_conditions == {"list": [1]}
            found.state_conditions.clear()  # type: ignore[attr-defined]
        assert store.entities()[0].state_conditions == {"list": [1]}

    def test_no_conditions_and_empty_ones_are_the_same(self, store: EntityStore) -> None:
        assert put(store, sample("one", state_conditions={})) == [sample("one")]
        assert put(store, sample("one")) == []

    def test_more_than_one_question_holds(self, store: EntityStore) -> None:
        many = [sample(f"entity_{number:04}") for number in range(1_203)]
        assert put(store, *many) == many
        assert list(store.entities()) == many
        assert put(store, *many[:1_000], sample("entity_1202", title="x")) == [
            sample("entity_1202", title="x", version=2)
        ]
        assert store.revision() == 2

    def test_of_threads_on_one_version_exactly_one_wins(self, store: EntityStore) -> None:
        rounds = 20
        with ThreadPoolExecutor(THREADS) as pool:
            won = [pool.submit(race_to_edit, store, name, rounds) for name in "abcd"]
            assert sum(done.result() for done in won) == rounds
        assert len(store.history("raced")) == store.revision() == rounds

    def test_threads_lose_no_version(self, store: EntityStore) -> None:
        with ThreadPoolExecutor(THREADS) as pool:
            for done in [pool.submit(edit, store, name, 10) for name in "abcd"]:
                done.result()
        assert store.revision() == 40
        versions = [record.entity.version for record in store.history("shared")]
        assert versions == list(range(1, 41))

    def test_a_reader_sees_a_write_whole_or_not_at_all(self, store: EntityStore) -> None:
        names = [f"entity_{number:03}" for number in range(50)]
        done = threading.Event()

        def write() -> None:
            for number in range(10):
                put(store, *(sample(name, title=f"title {number}") for name in names))
            done.set()

        with ThreadPoolExecutor(1) as pool:
            writing = pool.submit(write)
            seen = {"none"}
            while not done.is_set() and not writing.done():
                titles = {entity.title for entity in store.entities()}
                assert len(titles) <= 1
                seen |= titles
            writing.result()
        assert len(store.entities()) == len(names)


class SharedEntityStoreContract(EntityStoreContract):
    """Subclass and override ``open_store``: picklable, and each call opens the same place."""

    @pytest.fixture
    def open_store(self) -> OpenEntities:
        raise NotImplementedError("override the open_store fixture")

    @pytest.fixture
    def store(self, open_store: OpenEntities) -> EntityStore:
        """The store as this process has opened it."""
        return open_store()

    def test_h20_workers_open_a_new_place_at_once(self, open_store: OpenEntities) -> None:
        start = threading.Barrier(THREADS)

        def work(name: str) -> None:
            start.wait()
            put(open_store(), sample(name))

        with ThreadPoolExecutor(THREADS) as pool:
            for done in [pool.submit(work, name) for name in "abcd"]:
                done.result()
        assert (ids(open_store()), open_store().revision()) == (list("abcd"), THREADS)

    def test_what_one_has_written_another_reads(
        self, store: EntityStore, open_store: OpenEntities
    ) -> None:
        put(store, FULL)
        other = open_store()
        assert list(other.entities()) == [FULL]
        assert other.delete(FULL.entity_id, by=BY, at=AT, expected=3)
        assert (list(store.entities()), store.revision()) == ([], 2)

    def test_processes_lose_no_version_and_one_wins_each(
        self, store: EntityStore, open_store: OpenEntities
    ) -> None:
        rounds = 30
        with (
            running(compete, open_store, "one", rounds) as (_, one),
            running(compete, open_store, "two", rounds) as (_, two),
        ):
            assert [said(one), said(two)] == ["ready", "ready"]
            one.send("go")
            two.send("go")
            first, second = said(one), said(two)
        assert isinstance(first, int)
        assert isinstance(second, int)
        assert first + second == rounds
        assert [len(store.history(name)) for name in ("raced", "shared")] == [rounds, 2 * rounds]
        assert store.revision() == 3 * rounds
