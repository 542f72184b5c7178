"""The packaged sentence encoder: all-MiniLM-L6-v2 on ONNX Runtime, with a tokenizer of our own."""

from handrail.adapters.minilm.embedder import MiniLmEmbedder
from handrail.adapters.minilm.wordpiece import WordPiece

__all__ = ["MiniLmEmbedder", "WordPiece"]
