"""Sessions, events and entities in SQLite files, for the workers of one machine."""

from handrail.adapters.sqlite.entities import SqliteEntities
from handrail.adapters.sqlite.events import SqliteEvents
from handrail.adapters.sqlite.sessions import SqliteSessions

__all__ = ["SqliteEntities", "SqliteEvents", "SqliteSessions"]
