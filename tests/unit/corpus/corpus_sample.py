"""A small invented corpus, formats without a vendor, and an embedder that counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from handrail.corpus.collection import Formats
from handrail.corpus.columns import ColumnMap, to_case
from handrail.domain.text import Case
from handrail.testing.hash_embedder import HashTokenEmbedder
from handrail.testing.plain_formats import ArrayFormat, JsonTables, OverlapFormat

if TYPE_CHECKING:
    from handrail.ports import Matrix, Reading

COLUMNS = ColumnMap(context="c", response="r", title="t")


def case(context: str, response: str, title: str = "", **more: str) -> Case:
    return to_case({"c": context, "r": response, "t": title, **more}, COLUMNS)


CASES = (
    case("I cannot sleep before exams.", "Sleep comes late. Keep the phone away!", "Exams"),
    case("My sister and I stopped talking.", "Write to her first. Keep it short."),
    case("I cannot sleep before exams.", "Walk in the evening, e.g. by the river.", "Exams"),
    case("Work follows me home.", "-----\n\nSet an end to the day.\n\n2010."),
)


class CountingEmbedder(HashTokenEmbedder):
    """Remembers what it was asked to embed."""

    def __init__(self, name: str = "testing/counting") -> None:
        super().__init__(32, name)
        self.asked: list[str] = []

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        self.asked += texts
        return super().embed_documents(texts)

    def read(self, texts: Sequence[str]) -> list[Reading]:
        self.asked += texts
        return super().read(texts)


PLAIN = Formats(vectors=ArrayFormat(), lexical=OverlapFormat(), tables=JsonTables())
