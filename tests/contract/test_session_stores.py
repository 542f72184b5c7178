"""Every store of sessions under its contract (A63)."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from handrail.adapters.memory import MemorySessions
from handrail.adapters.postgres import PostgresSessions
from handrail.adapters.sqlite import SqliteSessions
from handrail.ports import SessionStore
from handrail.testing.session_store_contract import (
    SessionStoreContract,
    SharedSessionStoreContract,
)
from handrail.testing.store_processes import OpenStore


class TestMemorySessions(SessionStoreContract):
    @pytest.fixture
    def store(self) -> SessionStore:
        return MemorySessions()


class TestSqliteSessions(SharedSessionStoreContract):
    @pytest.fixture
    def open_store(self, tmp_path: Path) -> OpenStore:
        return partial(SqliteSessions, tmp_path / "sessions")


@pytest.mark.sockets
class TestPostgresSessions(SharedSessionStoreContract):
    @pytest.fixture
    def open_store(self, postgres_url: str) -> OpenStore:
        return partial(PostgresSessions, postgres_url)
