"""Sessions and events in PostgreSQL, for any number of workers; needs the extra ``postgres``."""

from handrail.adapters.postgres.events import PostgresEvents
from handrail.adapters.postgres.sessions import PostgresSessions

__all__ = ["PostgresEvents", "PostgresSessions"]
