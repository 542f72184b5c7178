"""The guide over HTTP in this process: stores that break, embedders that hang, admin keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastapi import FastAPI
from pydantic import SecretStr
from server_app import configured

from guide_sample import over, small_store
from handrail.adapters.memory import MemoryEntities
from handrail.domain.entity import Entity
from handrail.engine import Engine
from handrail.errors import StoreFailed
from handrail.ports import EntityStore
from handrail.server.app import create_app

ADMIN = "an-admin-key-of-some-length"
CALLER = "a-caller-key-of-some-length"
AS_ADMIN = {"X-API-Key": ADMIN}
ABSENT = "absent"  # a collection that nobody made


def guide_app(engine: Engine, store: EntityStore | None = None, **server: Any) -> FastAPI:
    """An app whose guide reads ``store``, with an admin key and without a collection."""
    server = {"admin_keys": (SecretStr(ADMIN),), **server}
    chosen = over(configured(engine, **server), store or small_store())
    return create_app(chosen, collection=ABSENT, host="127.0.0.1")


class BrokenEntities(MemoryEntities):
    """A store on a full disk."""

    def revision(self) -> int:
        raise StoreFailed("'entities.sqlite3' has no room left. Free some space on its disk")

    def get(self, entity_id: str, *, version: int | None = None) -> None:
        self.revision()

    def entities(self) -> Sequence[Entity]:
        self.revision()
        return ()
