"""Sessions, events and entities in this process alone; they end with it."""

from handrail.adapters.memory.entities import MemoryEntities
from handrail.adapters.memory.events import MemoryEvents
from handrail.adapters.memory.sessions import MemorySessions

__all__ = ["MemoryEntities", "MemoryEvents", "MemorySessions"]
