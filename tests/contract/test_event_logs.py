"""Every log of events under its contract (A36)."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from handrail.adapters.memory import MemoryEvents
from handrail.adapters.postgres import PostgresEvents
from handrail.adapters.sqlite import SqliteEvents
from handrail.ports import EventLog
from handrail.testing.event_log_contract import EventLogContract, SharedEventLogContract
from handrail.testing.store_processes import OpenLog


class TestMemoryEvents(EventLogContract):
    @pytest.fixture
    def log(self) -> EventLog:
        return MemoryEvents()


class TestSqliteEvents(SharedEventLogContract):
    @pytest.fixture
    def open_log(self, tmp_path: Path) -> OpenLog:
        return partial(SqliteEvents, tmp_path / "sessions")


@pytest.mark.sockets
class TestPostgresEvents(SharedEventLogContract):
    @pytest.fixture
    def open_log(self, postgres_url: str) -> OpenLog:
        return partial(PostgresEvents, postgres_url)
