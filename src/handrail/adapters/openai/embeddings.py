"""`Embedder` over any server that speaks the OpenAI embeddings API."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from handrail.adapters.openai.client import _HEADERS
from handrail.adapters.prefixes import Prefixes
from handrail.domain.text import digest
from handrail.errors import InvalidSettings, MissingExtra, ModelFailed

if TYPE_CHECKING:
    from openai import OpenAI

    from handrail.ports import Matrix, Vector

BATCH = 64  # texts a request
RETRIES = 2
TIMEOUT_SECONDS = 30.0


class OpenAIEmbedder:
    """A model behind ``POST {base_url}/embeddings``; vectors are brought to unit length here.

    The weights are out of sight, so the fingerprint covers model name, dimension and prefixes
    alone: a server that changes its model under the same name is not noticed. Whether the same text
    always gives the same bytes is up to the server. Anything that goes wrong is `ModelFailed`.
    """

    def __init__(
        self,
        *,
        base_url: str | None,
        model: str,
        api_key: str | None = None,
        query_prefix: str | None = None,
        document_prefix: str | None = None,
        timeout_seconds: float = TIMEOUT_SECONDS,
    ) -> None:
        if not base_url:
            raise InvalidSettings("the openai embedder needs HANDRAIL_EMBEDDING__BASE_URL")
        self._name = model
        self._prefixes = Prefixes.of(model, query=query_prefix, document=document_prefix)
        self._client = _client(base_url, api_key, timeout_seconds)
        weakref.finalize(self, self._client.close)  # the port knows no close

    @property
    def name(self) -> str:
        """The model's name as configured."""
        return self._name

    @property
    def fingerprint(self) -> str:
        """Hash over model name, dimension and prefixes; asks the server once."""
        prefixes = (self._prefixes.query, self._prefixes.document)
        return digest("openai-embeddings-1", self._name, str(self.dim), *prefixes)

    @cached_property
    def dim(self) -> int:
        """Length of a vector, found by embedding one word."""
        return int(self._request(["dimension"]).shape[1])

    def embed_query(self, text: str) -> Vector:
        """One vector of shape ``(dim,)``."""
        vector: Vector = self._embed([self._prefixes.query + text])[0]
        return vector

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """Vectors in the order of ``texts``, in requests of 64."""
        return self._embed([self._prefixes.document + text for text in texts])

    def _embed(self, texts: Sequence[str]) -> Matrix:
        batches = [texts[start : start + BATCH] for start in range(0, len(texts), BATCH)]
        found = [np.empty((0, self.dim), dtype=np.float32)]
        found += [self._request(batch) for batch in batches]
        if {part.shape[1] for part in found} != {self.dim}:
            raise ModelFailed("the embedding server changed the length of its vectors")
        return np.concatenate(found)

    def _request(self, texts: Sequence[str]) -> Matrix:
        # A lone surrogate cannot be sent; an empty text is refused by many servers.
        sent = [text.encode("utf-8", "replace").decode() or " " for text in texts]
        try:
            reply = self._client.embeddings.create(
                model=self._name, input=sent, encoding_format="float"
            )
            rows = [item.embedding for item in sorted(reply.data, key=lambda item: item.index)]
        except Exception as error:  # noqa: BLE001  its transport raises types it does not document
            # Not chained: a vendor's message may repeat what was sent.
            raise ModelFailed(f"the embedding server failed: {type(error).__name__}") from None
        return _unit(rows, expected=len(texts))


def _unit(rows: Sequence[Sequence[float]], *, expected: int) -> Matrix:
    """The rows as unit vectors; raises `ModelFailed` for a reply that is no matrix of numbers."""
    try:
        matrix = np.asarray(rows, dtype=np.float32)
        norms = np.linalg.norm(matrix, axis=1, keepdims=True)
    except (ValueError, TypeError):
        raise ModelFailed("the embedding server sent vectors of different lengths") from None
    if len(matrix) != expected or not np.isfinite(norms).all() or not norms.all():
        raise ModelFailed("the embedding server sent too few vectors, or vectors without length")
    unit: Matrix = matrix / norms
    return unit


def _client(base_url: str, api_key: str | None, timeout_seconds: float) -> OpenAI:
    """As `client.build_client`, but blocking: indexing is not a matter for an event loop."""
    try:
        import openai
    except ImportError:
        raise MissingExtra("openai", extra="openai") from None
    kept = _HEADERS | {"authorization"} if api_key else _HEADERS

    def strip(request: Any) -> None:
        for name in set(request.headers) - kept:
            del request.headers[name]

    return openai.OpenAI(
        base_url=base_url,
        api_key=api_key or "none",
        max_retries=RETRIES,
        timeout=timeout_seconds,
        http_client=openai.DefaultHttpxClient(
            verify=True, follow_redirects=False, event_hooks={"request": [strip]}
        ),
    )
