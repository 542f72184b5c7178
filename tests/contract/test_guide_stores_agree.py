"""The guide finds the same whatever keeps its entities: SQLite and PostgreSQL on all rows (H20)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from guide_mixes import Words, guide_rows
from handrail.adapters.postgres import PostgresEntities
from handrail.adapters.sqlite import SqliteEntities
from handrail.bootstrap import build_engine
from handrail.content.entities import packaged_entities
from handrail.domain.entity import ChatType
from handrail.domain.risk import Risk
from handrail.domain.trace import Tracer
from handrail.engine import Engine
from handrail.flows.guide.desk import Desk
from handrail.flows.guide.flow import GuideAsked
from handrail.flows.guide.found import Found
from handrail.ports import EntityStore, Reading
from handrail.settings import Settings

pytestmark = pytest.mark.sockets

EDITOR = "anna"

Find: TypeAlias = Callable[[Mapping[str, Any]], Found]


def desk_over(engine: Engine, store: EntityStore) -> Desk:
    """The engine's guide with entities that an editor imports into a store."""
    assert engine.make_desk is not None
    desk = engine.make_desk()
    live = replace(desk.live, store=store)
    guide = replace(desk.guide, search=replace(desk.guide.search, catalogue=live))
    made = replace(desk, guide=guide, store=store, live=live)
    made.put_all(packaged_entities(), by=EDITOR)
    return made


def finding(desk: Desk, risk: Callable[[str], Risk], read: Callable[[str], Reading]) -> Find:
    """The search of one desk for a row of a bank; screen and embedder are those of all desks."""
    guide = replace(desk.guide, search=replace(desk.guide.search, read=read))

    def find(row: Mapping[str, Any]) -> Found:
        chat_type = ChatType(row["chat_type"]) if row.get("chat_type") else None
        asked = GuideAsked(user_state=row["user_state"], chat_type=chat_type)
        return guide.find(row["prompt"], asked, risk=risk(row["prompt"]), tracer=Tracer("t"))

    return find


def told(found: Found) -> tuple[Any, ...]:
    """All that a search found: the final set, every candidate with its scores, and every drop."""
    return found.final, found.always, found.ranking, found.risk, found.warnings


@pytest.fixture
def finds(tmp_path: Path, postgres_url: str) -> Sequence[Find]:
    engine = build_engine(Settings(home=tmp_path), embedder=Words())
    stores = (SqliteEntities(tmp_path / "guide"), PostgresEntities(postgres_url))
    desks = [desk_over(engine, store) for store in stores]
    assert [desk.entities() for desk in desks] == [list(packaged_entities())] * 2
    assert desks[0].live().sha256 == desks[1].live().sha256
    risk, read = cache(engine.check), cache(desks[0].guide.search.read)
    return [finding(desk, risk, read) for desk in desks]


def test_h20_every_row_of_the_banks_is_found_alike(
    finds: Sequence[Find],
) -> None:
    in_sqlite, in_postgres = finds
    rows = [row for row in guide_rows() if not row["test_id"].startswith("SECOND")]
    assert len(rows) > 300
    candidates = 0
    for row in rows:
        one, other = in_sqlite(row), in_postgres(row)
        assert told(one) == told(other), row["test_id"]
        candidates += len(one.ranking.candidates)
    assert candidates > 5 * len(rows)
