"""Every builder of an index in memory under its contract, the vendor's and the plain one (H9)."""

from __future__ import annotations

import pytest

from handrail.adapters.faiss import FaissMemory
from handrail.ports import VectorBuilder
from handrail.testing.plain_formats import ArrayBuilder
from handrail.testing.vector_builder_contract import VectorBuilderContract


class TestFaissMemory(VectorBuilderContract):
    @pytest.fixture
    def builder(self) -> VectorBuilder:
        return FaissMemory()


class TestFaissMemoryWhole(VectorBuilderContract):
    @pytest.fixture
    def builder(self) -> VectorBuilder:
        return FaissMemory(coded_from=1_000_000)


class TestFaissMemoryCoded(VectorBuilderContract):
    @pytest.fixture
    def builder(self) -> VectorBuilder:
        return FaissMemory(coded_from=0)


class TestArrayBuilder(VectorBuilderContract):
    @pytest.fixture
    def builder(self) -> VectorBuilder:
        return ArrayBuilder()
