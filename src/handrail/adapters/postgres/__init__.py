"""Sessions, events and entities in PostgreSQL, for any number of workers.

It needs the extra ``postgres``.
"""

from handrail.adapters.postgres.entities import PostgresEntities
from handrail.adapters.postgres.events import PostgresEvents
from handrail.adapters.postgres.sessions import PostgresSessions

__all__ = ["PostgresEntities", "PostgresEvents", "PostgresSessions"]
