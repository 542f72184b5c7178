"""Every format of an index under its contract, the vendors' and the plain ones (C12)."""

from __future__ import annotations

import pytest

from handrail.adapters.bm25s import Bm25
from handrail.adapters.faiss import FaissFlat
from handrail.adapters.parquet import ParquetTables
from handrail.ports import LexicalFormat, Tables, VectorFormat
from handrail.testing.lexical_format_contract import LexicalFormatContract
from handrail.testing.plain_formats import ArrayFormat, JsonTables, OverlapFormat
from handrail.testing.tables_contract import TablesContract
from handrail.testing.vector_format_contract import VectorFormatContract


class TestFaissFlat(VectorFormatContract):
    @pytest.fixture
    def format(self) -> VectorFormat:
        return FaissFlat()


class TestArrayFormat(VectorFormatContract):
    @pytest.fixture
    def format(self) -> VectorFormat:
        return ArrayFormat()


class TestBm25(LexicalFormatContract):
    @pytest.fixture
    def format(self) -> LexicalFormat:
        return Bm25()


class TestOverlapFormat(LexicalFormatContract):
    @pytest.fixture
    def format(self) -> LexicalFormat:
        return OverlapFormat()


class TestParquetTables(TablesContract):
    @pytest.fixture
    def tables(self) -> Tables:
        return ParquetTables()


class TestJsonTables(TablesContract):
    @pytest.fixture
    def tables(self) -> Tables:
        return JsonTables()
