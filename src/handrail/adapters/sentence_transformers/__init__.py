"""Any sentence-transformers model that lies on this machine."""

from handrail.adapters.sentence_transformers.embedder import SentenceTransformersEmbedder

__all__ = ["SentenceTransformersEmbedder"]
