"""What every `Tables` must do: subclass, override the ``tables`` fixture, inherit."""

from __future__ import annotations

from pathlib import Path

import pytest

from handrail.errors import UnreadableFile
from handrail.ports import Tables

COLUMNS = {"id": ["a", "b", "c"], "text": ["", "naïve 👩‍👧\nline", "\x00 nul, \t tab"]}


class TablesContract:
    """Subclass in a test module and override ``tables``."""

    @pytest.fixture
    def tables(self) -> Tables:
        raise NotImplementedError("override the tables fixture")

    def test_c10_what_was_written_is_read(self, tables: Tables, tmp_path: Path) -> None:
        tables.write(COLUMNS, tmp_path / "t.parquet")
        found = tables.read(tmp_path / "t.parquet")
        assert {name: list(column) for name, column in found.items()} == COLUMNS
        assert list(found) == list(COLUMNS)

    def test_rows_come_one_by_one_in_order(self, tables: Tables, tmp_path: Path) -> None:
        many = {"n": [str(number) for number in range(5_000)]}
        tables.write(many, tmp_path / "t.parquet")
        rows = [row["n"] for row in tables.rows(tmp_path / "t.parquet")]
        assert rows == many["n"]

    def test_a_table_without_rows_keeps_its_columns(self, tables: Tables, tmp_path: Path) -> None:
        tables.write({"a": [], "b": []}, tmp_path / "t.parquet")
        found = tables.read(tmp_path / "t.parquet")
        assert {name: list(column) for name, column in found.items()} == {"a": [], "b": []}
        assert list(tables.rows(tmp_path / "t.parquet")) == []

    def test_the_same_columns_give_the_same_bytes(self, tables: Tables, tmp_path: Path) -> None:
        for name in ("one", "two"):
            tables.write(COLUMNS, tmp_path / name)
        assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()

    @pytest.mark.parametrize("raw", [b"", b"id,text\na,b\n", bytes(64)])
    def test_what_is_no_table_is_refused(self, tables: Tables, tmp_path: Path, raw: bytes) -> None:
        (tmp_path / "t.parquet").write_bytes(raw)
        with pytest.raises(UnreadableFile, match=r"t\.parquet"):
            tables.read(tmp_path / "t.parquet")
        with pytest.raises(UnreadableFile, match=r"t\.parquet"):
            list(tables.rows(tmp_path / "t.parquet"))
