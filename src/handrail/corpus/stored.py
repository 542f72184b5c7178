"""Cases as they lie in a table, and the list of their sentences beside it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import overload

from handrail.corpus.reading import context_id
from handrail.domain.text import Case, Span

CASES, SENTENCES = "cases.parquet", "sent_manifest.jsonl"


class StoredCases(Sequence[Case]):
    """Cases by row, made from the table's columns when they are first asked for."""

    def __init__(self, columns: Mapping[str, Sequence[str]]) -> None:
        self._columns = columns
        self._made: list[Case | None] = [None] * len(columns["id"])

    def __len__(self) -> int:
        return len(self._made)

    @overload
    def __getitem__(self, row: int) -> Case: ...
    @overload
    def __getitem__(self, row: slice) -> Sequence[Case]: ...
    def __getitem__(self, row: int | slice) -> Case | Sequence[Case]:
        """The case at ``row``, or the cases of a slice."""
        if isinstance(row, slice):
            return [self[place] for place in range(*row.indices(len(self)))]
        case = self._made[row]
        if case is None:
            case = self._made[row] = _case({k: column[row] for k, column in self._columns.items()})
        return case

    def column(self, name: str) -> Sequence[str]:
        """One column of the table, without making cases."""
        return self._columns[name]


def sentence_lines(case: Case) -> Iterator[str]:
    """The lines of ``sent_manifest.jsonl`` for one case (C9), in the order of the vectors."""
    for sent_id, span in enumerate(case.sentences):
        row = {
            "case_id": case.id,
            "sent_id": sent_id,
            "start": span.start,
            "end": span.end,
            "sentence": span.of(case.response),
        }
        yield json.dumps(row, ensure_ascii=True)


def columns_of(cases: Sequence[Case]) -> dict[str, list[str]]:
    """The table that `StoredCases` reads."""
    return {
        "id": [case.id for case in cases],
        "context_id": [context_id(case) for case in cases],
        "context": [case.context for case in cases],
        "response": [case.response for case in cases],
        "title": [case.title for case in cases],
        "group": [case.group for case in cases],
        "source_id": [case.source_id for case in cases],
        "metadata": [json.dumps(dict(case.metadata), sort_keys=True) for case in cases],
        "sentences": [" ".join(f"{s.start}-{s.end}" for s in case.sentences) for case in cases],
    }


def _case(row: Mapping[str, str]) -> Case:
    edges = (pair.split("-") for pair in row["sentences"].split())
    return Case(
        id=row["id"],
        context=row["context"],
        response=row["response"],
        title=row["title"],
        group=row["group"],
        source_id=row["source_id"],
        metadata=json.loads(row["metadata"]),
        sentences=tuple(Span(int(start), int(end)) for start, end in edges),
    )
