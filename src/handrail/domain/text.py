"""Stored text: what is quoted, and how a quote is pinned to its bytes."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

_ID_DIGITS = 16  # 64 bits: a collision among 10^6 texts has probability below 3e-8
_SURROGATE = re.compile("[\ud800-\udfff]")


def digest(*parts: str) -> str:
    """SHA-256 hex of the parts, each length-prefixed so that no two splits collide."""
    sha = hashlib.sha256()
    for part in parts:
        raw = part.encode("utf-8", "surrogatepass")
        sha.update(f"{len(raw)}:".encode())
        sha.update(raw)
    return sha.hexdigest()


def short_id(*parts: str) -> str:
    """A content-addressed id: the first 16 hex digits of `digest`."""
    return digest(*parts)[:_ID_DIGITS]


def canonical(text: str) -> str:
    """The form of a text that is stored and that offsets count in.

    Line ends become ``\\n``, NULs go, lone surrogates become U+FFFD, outer white space goes;
    everything else stays code point for code point.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "")
    return _SURROGATE.sub("\ufffd", text).strip()


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Half-open code-point range ``[start, end)``."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"not a span: [{self.start}, {self.end})")

    def of(self, text: str) -> str:
        """The slice of ``text`` that the span covers."""
        return text[self.start : self.end]


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A piece of a document: ``document.text[span.start:span.end] == text``."""

    id: str
    document_id: str
    text: str
    span: Span
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A stored text; ``id`` is the hash of its bytes."""

    id: str
    text: str
    metadata: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, text: str, metadata: Mapping[str, str] | None = None) -> Document:
        """The document of a text, canonicalised and content-addressed."""
        text = canonical(text)
        return cls(id=short_id(text), text=text, metadata=metadata or {})

    def passage(self, span: Span) -> Passage:
        """The passage at ``span``; its id is the hash of the document id and the span."""
        return Passage(
            id=short_id(self.id, str(span.start), str(span.end)),
            document_id=self.id,
            text=span.of(self.text),
            span=span,
            metadata=self.metadata,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One person's concern and one answer to it; quotes are spans of ``response``.

    ``id`` is the hash of context and response; ``group`` is shared by cases whose contexts are the
    same or nearly so; ``source_id`` is the record's own id, where the source had one.
    """

    id: str
    context: str
    response: str
    title: str = ""
    group: str = ""
    source_id: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)
    sentences: tuple[Span, ...] = ()

    def sentence(self, sent_id: int) -> Passage:
        """The quotable sentence ``sent_id`` (0-based) of the response.

        Raises `IndexError` beyond either end: a negative number never counts from the back.
        """
        if sent_id < 0:
            raise IndexError(f"no sentence {sent_id}: sentences count from 0")
        span = self.sentences[sent_id]
        return Passage(
            id=f"{self.id}/{sent_id}",
            document_id=self.id,
            text=span.of(self.response),
            span=span,
            metadata={"sent_id": str(sent_id)},
        )


def case_id(context: str, response: str) -> str:
    """The content-addressed id of a case (C68)."""
    return short_id("case", context, response)
