"""BM25 by bm25s, over stems by PyStemmer."""

from handrail.adapters.bm25s.analysis import Analyzer
from handrail.adapters.bm25s.index import Bm25, Bm25Index

__all__ = ["Analyzer", "Bm25", "Bm25Index"]
