"""`Embedder` over a sentence-transformers model, for those who have torch."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from handrail.adapters.prefixes import Prefixes
from handrail.domain.text import digest
from handrail.errors import InvalidSettings, MissingExtra

if TYPE_CHECKING:
    from handrail.ports import Matrix, Vector


class SentenceTransformersEmbedder:
    """A model by published name or local folder, on the CPU.

    Nothing is downloaded: a model that is not on this machine raises `InvalidSettings`. Texts are
    run one by one, because a vector must not depend on what was embedded beside it.
    """

    def __init__(
        self, model: str, *, query_prefix: str | None = None, document_prefix: str | None = None
    ) -> None:
        self._name = model
        self._prefixes = Prefixes.of(model, query=query_prefix, document=document_prefix)
        self._model = _load(model)
        self._fingerprint = self._hash()

    @property
    def name(self) -> str:
        """The name or folder that was given."""
        return self._name

    @property
    def fingerprint(self) -> str:
        """Hash over weights, modules, vocabulary, length limit and prefixes."""
        return self._fingerprint

    @property
    def dim(self) -> int:
        """Length of a vector."""
        model = self._model  # the method was renamed in release 5
        length = getattr(model, "get_embedding_dimension", None)
        return int(length() if length else model.get_sentence_embedding_dimension())

    def embed_query(self, text: str) -> Vector:
        """One vector of shape ``(dim,)``."""
        vector: Vector = self._embed([self._prefixes.query + text])[0]
        return vector

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """Vectors in the order of ``texts``."""
        return self._embed([self._prefixes.document + text for text in texts])

    def _embed(self, texts: list[str]) -> Matrix:
        if not texts:
            return np.empty((0, self.dim), dtype=np.float32)
        found = self._model.encode(
            [text.encode("utf-8", "replace").decode() for text in texts],  # no lone surrogates
            batch_size=1,
            normalize_embeddings=True,
            convert_to_numpy=True,
            show_progress_bar=False,
        )
        return np.asarray(found, dtype=np.float32)

    def _hash(self) -> str:
        weights = hashlib.sha256()
        for name, tensor in sorted(self._model.state_dict().items()):
            weights.update(name.encode())
            weights.update(tensor.detach().cpu().float().numpy().tobytes())
        vocabulary = json.dumps(self._model.tokenizer.get_vocab(), sort_keys=True)
        return digest(
            weights.hexdigest(),
            repr(self._model),
            vocabulary,
            str(self._model.max_seq_length),
            self._prefixes.query,
            self._prefixes.document,
        )


def _load(model: str) -> Any:
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as absent:
        raise MissingExtra("sentence-transformers", extra="sentence-transformers") from absent
    try:
        return SentenceTransformer(model, device="cpu", local_files_only=True)
    except (OSError, ValueError) as absent:
        raise InvalidSettings(
            f"the model {model!r} is not on this machine. Download it first, or set "
            "HANDRAIL_EMBEDDING__MODEL to the folder that holds it"
        ) from absent
