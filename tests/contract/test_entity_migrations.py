"""Tables of entities that other programs made: brought up to date, nothing lost (H20)."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias
from uuid import uuid4

import pytest

from handrail.adapters.entity_rows import ATTRIBUTION_COLUMNS, ENTITY_COLUMNS
from handrail.adapters.postgres import PostgresEntities
from handrail.adapters.sqlite import SqliteEntities
from handrail.adapters.sqlite.entity_schema import FILE
from handrail.domain.entity import Audience, ChatType, Entity, EntityType, LoadMode
from handrail.errors import ContentInvalid, EntityConflict, StoreFailed
from handrail.testing.entity_processes import sample

Store: TypeAlias = SqliteEntities | PostgresEntities

COLUMNS = {**ENTITY_COLUMNS, **ATTRIBUTION_COLUMNS}

# As the tables of 15 December had it; the seed added to such a one.
DECEMBER = """
CREATE TABLE content_entities (
    id INTEGER PRIMARY KEY{counted},
    entity_id VARCHAR(100) UNIQUE NOT NULL,
    entity_type VARCHAR(20) NOT NULL,
    subtype VARCHAR(50),
    title VARCHAR(200) NOT NULL,
    concept_summary TEXT NOT NULL,
    recognition TEXT,
    keywords VARCHAR(500),
    guidance_do TEXT,
    guidance_dont TEXT,
    examples TEXT,
    red_flags TEXT,
    load_mode VARCHAR(20) DEFAULT 'SITUATION',
    priority INTEGER DEFAULT 50,
    state_conditions {json},
    audience_types VARCHAR(100),
    chat_types VARCHAR(200),
    editable_by VARCHAR(100),
    is_active BOOLEAN DEFAULT TRUE,
    retrieval_count INTEGER NOT NULL DEFAULT 0,
    embedding {json},
    created_by VARCHAR(100),
    created_at TIMESTAMP
)
"""
OLDEST = """
CREATE TABLE content_entities (
    entity_id TEXT, entity_type TEXT, title TEXT, concept_summary TEXT
)
"""
ROW = {
    "entity_id": "old_one",
    "entity_type": "SITUATION",
    "title": "Old",
    "concept_summary": "about",
    "recognition": "first line\n\n  second line  \r\n",
    "keywords": "gray rock, BIFF , ,documentation",
    "guidance_do": "Do this.\nThen that.",
    "state_conditions": '{"days_since_last": {"gte": 7}}',
    "audience_types": "PARENT, clinician",
    "chat_types": '["CO_PARENT"]',
    "retrieval_count": 41,
    "embedding": "[0.5, 0.25]",
    "created_by": "trainer",
    "created_at": "2025-12-15 08:00:00",
}
READ = Entity(
    entity_id="old_one",
    entity_type=EntityType.SITUATION,
    load_mode=LoadMode.SITUATION,
    title="Old",
    concept_summary="about",
    recognition=("first line", "second line"),
    keywords=("gray rock", "BIFF", "documentation"),
    guidance_do=("Do this.", "Then that."),
    state_conditions={"days_since_last": {"gte": 7}},
    audience_types=(Audience.PARENT, Audience.CLINICIAN),
    chat_types=(ChatType.CO_PARENT,),
)
WRITTEN = 1_765_785_600.0  # the time of `ROW`, in UTC


@dataclass(frozen=True)
class Place:
    """A database, with and without a store of ours on it."""

    open: Callable[[], Store]
    run: Callable[..., list[Any]]  # a statement of another program
    json: str
    counted: str

    def december(self, *rows: dict[str, object]) -> None:
        self.run(DECEMBER.format(json=self.json, counted=self.counted))
        for row in rows:
            self.insert({**ROW, **row})

    def insert(self, row: dict[str, object]) -> None:
        marks = ", ".join("?" * len(row))
        statement = f"INSERT INTO content_entities ({', '.join(row)}) VALUES ({marks})"
        self.run(statement, list(row.values()))

    def ask(self, *names: str, entity_id: str = "old_one") -> list[Any]:
        (row,) = self.run(
            f"SELECT {', '.join(names)} FROM content_entities WHERE entity_id = ?", [entity_id]
        )
        return list(row)


@pytest.fixture
def sqlite_place(tmp_path: Path) -> Place:
    def run(statement: str, values: Sequence[object] = ()) -> list[Any]:
        with closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as connection:
            return connection.execute(statement, values).fetchall()

    return Place(lambda: SqliteEntities(tmp_path), run, json="TEXT", counted="")


@pytest.fixture
def postgres_place(postgres_url: str) -> Iterator[Place]:
    psycopg = pytest.importorskip("psycopg", reason="needs the extra 'postgres'")
    with psycopg.connect(postgres_url, autocommit=True) as link:

        def run(statement: str, values: Sequence[object] = ()) -> list[Any]:
            cursor = link.execute(statement.replace("?", "%s"), values or None)
            return list(cursor.fetchall()) if cursor.description else []

        counted = " GENERATED ALWAYS AS IDENTITY"
        yield Place(lambda: PostgresEntities(postgres_url), run, json="JSONB", counted=counted)


@pytest.fixture(
    params=["sqlite_place", pytest.param("postgres_place", marks=pytest.mark.sockets)],
    ids=["sqlite", "postgres"],
)
def place(request: pytest.FixtureRequest) -> Place:
    found: Place = request.getfixturevalue(request.param)
    return found


def tables(place: Place) -> list[Any]:
    """All that there is to know of the tables, their keys and their rows."""
    if place.json == "TEXT":
        shape = place.run("SELECT name, sql FROM sqlite_master ORDER BY name")
    else:
        shape = place.run(
            "SELECT table_name, column_name, data_type, column_default, is_nullable, "
            "character_maximum_length FROM information_schema.columns "
            "WHERE table_schema = current_schema() ORDER BY 1, ordinal_position"
        ) + place.run(
            "SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema() ORDER BY 1"
        )
    return shape + place.run("SELECT * FROM content_entities ORDER BY entity_id")


def test_h13_h38_an_older_row_is_read_as_an_entity(place: Place) -> None:
    place.december({})
    store = place.open()
    assert list(store.entities()) == [READ]
    assert list(store.unreadable()) == []
    record = store.get("old_one")
    assert record is not None
    assert (record.entity, record.by, record.at) == (READ, "trainer", WRITTEN)
    assert list(store.history("old_one")) == [record]
    assert store.get("old_one", version=1) == record
    assert store.revision() == 1


def test_h20_every_row_and_foreign_column_stays(place: Place) -> None:
    place.december({}, {"entity_id": "old_two"})
    before = place.run("SELECT * FROM content_entities ORDER BY entity_id")
    store = place.open()
    after = place.run("SELECT * FROM content_entities ORDER BY entity_id")
    assert [row[: len(before[0])] for row in after] == before
    store.put([replace(READ, title="new")], by="Ana", at=2.0)
    assert place.ask("id", "retrieval_count", "created_by") == [1, 41, "trainer"]
    assert str(place.ask("embedding")[0]) == "[0.5, 0.25]"
    assert place.ask("title", "version", "updated_by") == ["new", 2, "Ana"]
    assert [record.by for record in store.history("old_one")] == ["trainer", "Ana"]
    assert [record.entity.title for record in store.history("old_one")] == ["Old", "new"]


def test_h20_the_columns_of_the_seed_are_there_and_running_twice_changes_nothing(
    place: Place,
) -> None:
    place.december({})
    place.open()
    after_one = tables(place)
    store = place.open()
    assert tables(place) == after_one
    assert place.ask("trigger_patterns", "language", "safety_critical", "version") in (
        ["[]", "en", 0, 1],
        [[], "en", False, 1],
    )
    place.ask(*COLUMNS)
    store.put([sample("new")], by="x", at=1.0)
    assert place.ask("state_conditions", entity_id="new") == [None]


def test_h20_a_new_table_takes_a_second_opening_unchanged(place: Place) -> None:
    place.open().put([READ], by="x", at=1.0)
    before = tables(place)
    assert list(place.open().entities()) == [READ]
    assert tables(place) == before


def test_h20_a_table_with_hardly_a_column_is_brought_up_too(place: Place) -> None:
    place.run(OLDEST)
    row = {"entity_id": "old", "entity_type": "rule", "title": "t", "concept_summary": "c"}
    place.insert(dict(row))
    store = place.open()
    (found,) = store.entities()
    assert found == sample("old", entity_type=EntityType.RULE, title="t", concept_summary="c")
    store.put([replace(found, keywords=("k" * 600,))], by="x", at=1.0)
    with pytest.raises(Exception, match=r"(?i)unique"):
        place.insert(dict(row))


def test_h20_a_long_list_of_keywords_fits_where_500_characters_did(place: Place) -> None:
    place.december({})
    keywords = tuple(f"keyword, {number}" for number in range(200))
    entity = replace(READ, keywords=keywords, entity_type=EntityType.KNOWLEDGE, title="x" * 200)
    (written,) = place.open().put([entity], by="y" * 300, at=1.0)
    assert written == replace(entity, version=2)
    assert list(place.open().entities()) == [written]


def test_h20_workers_that_open_an_older_table_at_once(place: Place) -> None:
    place.december({}, {"entity_id": "old_two"})
    start = threading.Barrier(4)

    def work(name: str) -> None:
        start.wait()
        place.open().put([sample(name)], by=name, at=1.0)

    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(work, name) for name in "abcd"]:
            done.result()
    found = [entity.entity_id for entity in place.open().entities()]
    assert found == ["a", "b", "c", "d", "old_one", "old_two"]
    assert place.open().revision() == 5


def test_h13_importing_what_an_older_row_says_changes_nothing(place: Place) -> None:
    place.december({})
    store = place.open()
    assert store.put([READ], by="x", at=1.0) == []
    assert store.revision() == 1
    assert place.ask("keywords") == [ROW["keywords"]]
    with pytest.raises(EntityConflict):
        store.put([READ], by="x", at=1.0, expected={"old_one": 0})


@pytest.mark.parametrize(
    ("row", "fields"),
    [
        ({"keywords": None, "recognition": None, "audience_types": None}, {}),
        ({"keywords": "", "state_conditions": None, "chat_types": " "}, {}),
        ({"keywords": '["a, b", "c"]'}, {"keywords": ("a, b", "c")}),
        ({"keywords": "[a], b"}, {"keywords": ("[a]", "b")}),
        ({"is_active": None, "priority": None, "load_mode": None}, {}),
        ({"guidance_do": "- one\n[two"}, {"guidance_do": ("- one", "[two")}),
        ({"state_conditions": "{}"}, {}),
        ({"load_mode": "ALWAYS"}, {"load_mode": LoadMode.ALWAYS}),
        (
            {"load_mode": None, "state_conditions": '{"is_first_conversation": true}'},
            {
                "load_mode": LoadMode.STATE,
                "state_conditions": {"is_first_conversation": True},
            },
        ),
    ],
)
def test_h13_forms_that_older_rows_have(
    place: Place, row: dict[str, object], fields: dict[str, Any]
) -> None:
    plain = dict.fromkeys(("recognition", "keywords", "guidance_do", "state_conditions"))
    place.december({**plain, "audience_types": "", "chat_types": None, **row})
    expected = sample("old_one", title="Old", concept_summary="about", **fields)
    assert list(place.open().entities()) == [expected]


def test_a_row_that_is_no_entity_is_named_and_keeps_nobody_from_the_others(place: Place) -> None:
    place.december({}, {"entity_id": "a_persona", "entity_type": "PERSONA"})
    store = place.open()
    assert list(store.entities()) == [READ]
    (told,) = store.unreadable()
    for part in ("'a_persona'", "entity_type", "Mend the row"):
        assert part in told
    with pytest.raises(ContentInvalid, match="'a_persona'"):
        store.get("a_persona")
    assert list(store.history("a_persona")) == []
    assert store.delete("a_persona", by="x", at=1.0, expected=1)
    assert list(store.unreadable()) == []
    assert place.ask("entity_type", entity_id="a_persona") == ["PERSONA"]


def test_h32_a_row_that_safety_needs_is_not_left_out_in_silence(place: Place) -> None:
    place.december({"load_mode": "STATE", "state_conditions": None})
    store = place.open()
    assert list(store.entities()) == []
    place.run("UPDATE content_entities SET safety_critical = TRUE")
    with pytest.raises(StoreFailed, match=r"safety.*'old_one'.*state_conditions"):
        store.entities()
    (written,) = store.put([READ], by="x", at=1.0)
    assert written == replace(READ, version=2)
    assert list(store.entities()) == [written]
    assert [record.entity for record in store.history("old_one")] == [written]
    lines = place.run("SELECT line FROM content_entity_versions WHERE version = 1")
    assert "gray rock" in lines[0][0]


def test_a_file_of_a_newer_release_is_left_alone(sqlite_place: Place) -> None:
    sqlite_place.open()
    sqlite_place.run("PRAGMA user_version = 99")
    with pytest.raises(StoreFailed, match=r"entities.*newer Handrail.*Update"):
        sqlite_place.open()


@pytest.mark.sockets
def test_h20_lists_and_enumerations_of_postgresql_become_text(postgres_place: Place) -> None:
    place, run = postgres_place, postgres_place.run
    run("CREATE TABLE people (id UUID PRIMARY KEY)")
    run("CREATE TYPE kind AS ENUM ('SITUATION', 'RULE')")
    run(
        "CREATE TABLE content_entities (id UUID PRIMARY KEY, "
        "entity_id VARCHAR(50) UNIQUE NOT NULL, "
        "entity_type kind NOT NULL DEFAULT 'RULE', title TEXT, concept_summary TEXT, "
        "keywords TEXT[] DEFAULT '{x}', audience_types JSONB DEFAULT '[\"PARENT\"]', "
        "guidance_do JSONB, state_conditions JSONB NOT NULL DEFAULT '{}', priority NUMERIC(5, 2), "
        "created_by UUID REFERENCES people (id), updated_at TIMESTAMPTZ)"
    )
    insert = (
        "INSERT INTO content_entities (id, entity_id, title, concept_summary, keywords, "
        "guidance_do, priority) VALUES (?, ?, 'Old', 'about', ?, '[\"one\"]', 70.00)"
    )
    run(insert, [uuid4(), "old_one", ["a, b", "c"]])
    store = place.open()
    before = tables(place)
    (found,) = store.entities()
    assert found == sample(
        "old_one",
        entity_type=EntityType.RULE,
        title="Old",
        concept_summary="about",
        keywords=("a, b", "c"),
        guidance_do=("one",),
        audience_types=(Audience.PARENT,),
        priority=70,
    )
    assert tables(place) == before
    changed = replace(found, entity_type=EntityType.SCRIPT)
    store.put([changed, sample("new")], by="Ana", at=2.0)
    assert place.ask("entity_type", "created_by") == ["SCRIPT", None]
    assert [record.by for record in store.history("old_one")] == ["", "Ana"]
    assert place.open().get("new") is not None
    run(
        "INSERT INTO content_entities (id, entity_id, title, concept_summary) "
        "VALUES (?, 'theirs', 't', 'c')",
        [uuid4()],
    )
    theirs = place.open().get("theirs")
    assert theirs is not None
    assert (theirs.entity.entity_type, theirs.entity.keywords) == (EntityType.RULE, ("x",))


@pytest.mark.sockets
@pytest.mark.parametrize(
    ("columns", "told"),
    [
        ("entity_id TEXT, version VARCHAR(9)", "version.*character varying.*BIGINT.*Rename"),
        ("entity_id TEXT, title BYTEA", "title.*bytea.*TEXT.*Rename"),
        ("name TEXT", "no column entity_id.*Rename"),
    ],
)
def test_h20_a_table_that_cannot_be_ours_is_told_and_left_alone(
    postgres_place: Place, columns: str, told: str
) -> None:
    postgres_place.run(f"CREATE TABLE content_entities ({columns})")
    with pytest.raises(StoreFailed, match=told):
        postgres_place.open()
    found = postgres_place.run(
        "SELECT count(*) FROM information_schema.columns WHERE table_schema = current_schema()"
    )
    assert found == [(columns.count(",") + 1,)]


@pytest.mark.sockets
def test_a_rule_of_the_older_table_is_told_without_the_row(postgres_place: Place) -> None:
    postgres_place.run(OLDEST.replace("title TEXT", "title TEXT CHECK (title <> 'canary')"))
    store = postgres_place.open()
    with pytest.raises(StoreFailed, match=r"23514.*content_entities.*rules") as caught:
        store.put([sample("good"), sample("bad", title="canary")], by="x", at=1.0)
    assert "canary" not in f"{caught.value!r}"
    assert (store.revision(), list(store.entities())) == (0, [])


@pytest.mark.sockets
def test_an_account_that_may_change_no_tables_can_use_those_that_are_there(
    postgres_place: Place, postgres_url: str
) -> None:
    psycopg = pytest.importorskip("psycopg", reason="needs the extra 'postgres'")
    postgres_place.open().put([READ], by="x", at=1.0)
    guest, run = f"guest_{uuid4().hex}", postgres_place.run
    ((schema,),) = run("SELECT current_schema()")
    try:
        run(f"CREATE ROLE {guest}")
    except psycopg.errors.InsufficientPrivilege:
        pytest.skip("the account of the given server may make no roles")
    run(f"GRANT USAGE ON SCHEMA {schema} TO {guest}")
    tables = "content_entities, content_entity_versions"
    run(f"GRANT SELECT, INSERT, UPDATE ON {tables} TO {guest}")
    url = psycopg.conninfo.make_conninfo(
        postgres_url, options=f"-c search_path={schema} -c role={guest}"
    )
    store = PostgresEntities(url)
    assert store.delete("old_one", by="x", at=1.0)
    run(f"REVOKE ALL ON {tables} FROM {guest}")
    with pytest.raises(StoreFailed, match=r"42501.*content_entities and content_entity_versions"):
        store.entities()
    run(f"DROP OWNED BY {guest}")
    run(f"DROP ROLE {guest}")
