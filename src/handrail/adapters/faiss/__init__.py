"""FAISS: exact inner-product search, over a memory-mapped file or over vectors in memory."""

from handrail.adapters.faiss.flat import FaissFlat, FaissFlatIndex
from handrail.adapters.faiss.memory import FaissMemory

__all__ = ["FaissFlat", "FaissFlatIndex", "FaissMemory"]
