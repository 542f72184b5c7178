"""Sessions and events in one SQLite file, for the workers of one machine."""

from handrail.adapters.sqlite.events import SqliteEvents
from handrail.adapters.sqlite.sessions import SqliteSessions

__all__ = ["SqliteEvents", "SqliteSessions"]
