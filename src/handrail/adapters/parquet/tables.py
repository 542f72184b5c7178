"""`Tables` over pyarrow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from handrail.errors import UnreadableFile

_BATCH_ROWS = 1024


class ParquetTables:
    """Parquet files; the same columns give the same bytes."""

    def __init__(self) -> None:
        import pyarrow
        import pyarrow.parquet

        self._arrow: Any = pyarrow
        self._parquet: Any = pyarrow.parquet

    def write(self, columns: Mapping[str, Sequence[str]], path: Path) -> None:
        """Write equal-length string columns."""
        arrays = {k: self._arrow.array(v, self._arrow.string()) for k, v in columns.items()}
        self._parquet.write_table(self._arrow.table(arrays), path, compression="zstd")

    def read(self, path: Path) -> Mapping[str, Sequence[str]]:
        """Every column, nulls as empty strings."""
        with self._open(path) as file:
            table = file.read(use_threads=False)
        return {
            name: ["" if value is None else str(value) for value in column.to_pylist()]
            for name, column in zip(table.column_names, table.columns, strict=True)
        }

    def rows(self, path: Path) -> Iterator[Mapping[str, object]]:
        """Row by row in bounded memory, with the file's own types."""
        with self._open(path) as file:
            for batch in file.iter_batches(batch_size=_BATCH_ROWS, use_threads=False):
                yield from batch.to_pylist()

    def _open(self, path: Path) -> Any:
        try:
            return self._parquet.ParquetFile(path)
        except self._arrow.ArrowInvalid:
            raise UnreadableFile(
                f"{path.name!r} is not a Parquet file. Give it the suffix of what it is: "
                ".ndjson, .jsonl, .csv or .parquet"
            ) from None
