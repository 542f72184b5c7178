"""FAISS: exact inner-product search over a memory-mapped file."""

from handrail.adapters.faiss.flat import FaissFlat, FaissFlatIndex

__all__ = ["FaissFlat", "FaissFlatIndex"]
