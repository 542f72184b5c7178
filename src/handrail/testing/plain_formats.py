"""Index formats in numpy and JSON, for tests that are about something else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from handrail.errors import IndexCorrupt, UnreadableFile
from handrail.ports import RowHit

if TYPE_CHECKING:
    from handrail.ports import Matrix, Vector

_WORD = re.compile(r"\w\w+")


class ArrayFormat:
    """Vectors in one ``.npy`` file; every search compares them all."""

    def write(self, vectors: Matrix, path: Path) -> None:
        """Write one file."""
        with path.open("wb") as file:
            np.save(file, np.asarray(vectors, dtype=np.float32))

    def read(self, path: Path) -> ArrayIndex:
        """Open what `write` wrote; raises `IndexCorrupt`."""
        try:
            return ArrayIndex(np.load(path, allow_pickle=False))
        except (ValueError, EOFError):
            raise IndexCorrupt(f"{path.name} is not an array") from None


class ArrayIndex:
    """An array of vectors."""

    def __init__(self, matrix: Matrix) -> None:
        self._matrix = matrix
        self._matrix.flags.writeable = False

    @property
    def count(self) -> int:
        """Number of rows."""
        return len(self._matrix)

    def search(self, vector: Vector, *, k: int) -> Sequence[RowHit]:
        """At most ``k`` rows, best first; ties fall to the smaller row."""
        return best((self._matrix * vector).sum(axis=1), k)

    def vectors(self, rows: Sequence[int]) -> Matrix:
        """The stored vectors of ``rows``."""
        found: Matrix = self._matrix[list(rows)]
        return found


class ArrayBuilder:
    """Vectors kept as they are; every search compares them all."""

    def build(self, vectors: Matrix) -> ArrayIndex:
        """An index over a copy of ``vectors``."""
        return ArrayIndex(np.array(vectors, dtype=np.float32))


class OverlapFormat:
    """Texts in a JSON file; the score is the number of the question's words that a text shares."""

    def write(self, texts: Sequence[str], path: Path) -> None:
        """Write the folder."""
        path.mkdir()
        (path / "texts.json").write_text(json.dumps(list(texts)), encoding="utf-8")

    def read(self, path: Path) -> OverlapIndex:
        """Open what `write` wrote; raises `IndexCorrupt`."""
        try:
            texts = json.loads((path / "texts.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            raise IndexCorrupt(f"{path.name} holds no texts") from None
        return OverlapIndex([_words(text) for text in texts])


class OverlapIndex:
    """Sets of words."""

    def __init__(self, texts: Sequence[frozenset[str]]) -> None:
        self._texts = texts

    @property
    def count(self) -> int:
        """Number of texts."""
        return len(self._texts)

    def search(self, text: str, *, k: int) -> Sequence[RowHit]:
        """At most ``k`` rows that share a word, best first; ties fall to the smaller row."""
        hits = best(self.scores(text, range(self.count)), k)
        return [hit for hit in hits if hit.score > 0]

    def scores(self, text: str, rows: Sequence[int]) -> Vector:
        """The number of shared words for each of ``rows``."""
        words = _words(text)
        return np.array([len(words & self._texts[row]) for row in rows], dtype=np.float32)

    def information(self, text: str) -> float:
        """The number of the text's words."""
        return float(len(_words(text)))


class JsonTables:
    """A table in a JSON file, whatever its suffix."""

    def write(self, columns: Mapping[str, Sequence[str]], path: Path) -> None:
        """Write equal-length string columns."""
        lists = {name: list(column) for name, column in columns.items()}
        path.write_text(json.dumps(lists), encoding="utf-8")

    def read(self, path: Path) -> Mapping[str, Sequence[str]]:
        """Every column, nulls as empty strings."""
        columns = self._columns(path)
        return {
            name: ["" if v is None else str(v) for v in column] for name, column in columns.items()
        }

    def rows(self, path: Path) -> Iterator[Mapping[str, object]]:
        """Row by row."""
        columns = self._columns(path)
        for row in zip(*columns.values(), strict=True):
            yield dict(zip(columns, row, strict=True))

    def _columns(self, path: Path) -> dict[str, list[object]]:
        try:
            columns: dict[str, list[object]] = json.loads(path.read_text(encoding="utf-8"))
        except ValueError:
            raise UnreadableFile(f"{path.name!r} is not a table") from None
        return columns


def best(scores: Vector, k: int) -> list[RowHit]:
    """The ``k`` highest scores, ties by row."""
    order = np.lexsort((np.arange(len(scores)), -scores))[: max(k, 0)]
    return [RowHit(int(row), float(scores[row])) for row in order]


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower()))
