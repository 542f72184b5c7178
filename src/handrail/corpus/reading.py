"""What is embedded of a case, and by which of an embedder's verbs.

Contexts are what a question is compared with: one text a case, title first, read with the vectors
of their word pieces where the embedder gives them. Sentences are what may be quoted: each has one
vector.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias, TypeGuard

import numpy as np

from handrail.domain.text import Case, short_id
from handrail.ports import Embedder, Reading, TokenEmbedder

Kind: TypeAlias = Literal["context", "sentence"]


def context_text(case: Case) -> str:
    """What dense and lexical search read of a case (docs/decisions: the title helps both).

    Change it, and `manifest.FORMAT` changes with it.
    """
    return f"{case.title} {case.context}" if case.title else case.context


def context_id(case: Case) -> str:
    """The id of a context; cases with the same title and context share it (C68)."""
    return short_id("context", case.title, case.context)


def sentence_texts(case: Case) -> list[str]:
    """The quotable sentences of a case, in order."""
    return [span.of(case.response) for span in case.sentences]


def reads_tokens(embedder: Embedder) -> TypeGuard[TokenEmbedder]:
    """Whether the embedder gives the vectors of word pieces."""
    return hasattr(embedder, "read")


def token_dim(embedder: Embedder) -> int:
    """Length of the embedder's token vectors; 0 where it gives none."""
    return embedder.token_dim if reads_tokens(embedder) else 0


def read(embedder: Embedder, kind: Kind, texts: Sequence[str]) -> Sequence[Reading]:
    """One reading a text; without pieces for sentences and for embedders that give none."""
    if kind == "context" and reads_tokens(embedder):
        return embedder.read(texts)
    return [without_tokens(vector) for vector in embedder.embed_documents(texts)]


def without_tokens(vector: np.ndarray[tuple[int, ...], np.dtype[np.float32]]) -> Reading:
    """A reading that is its vector alone."""
    return Reading(vector, np.empty(0, np.int32), np.empty((0, 1), np.int8))


def read_message(embedder: Embedder, text: str) -> Reading:
    """A message in one forward pass, with token vectors where the embedder gives them."""
    if reads_tokens(embedder):
        return embedder.read([text])[0]
    return without_tokens(embedder.embed_query(text))
