"""Sessions and events in this process alone; they end with it."""

from handrail.adapters.memory.events import MemoryEvents
from handrail.adapters.memory.sessions import MemorySessions

__all__ = ["MemoryEvents", "MemorySessions"]
