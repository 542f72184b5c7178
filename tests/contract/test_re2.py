"""google-re2 keeps the contract of `PatternEngine`."""

from __future__ import annotations

import pytest

from handrail.adapters.re2 import Re2Engine
from handrail.ports import PatternEngine
from handrail.testing.pattern_contract import PatternEngineContract


class TestRe2(PatternEngineContract):
    @pytest.fixture
    def engine(self) -> PatternEngine:
        return Re2Engine()


def test_more_patterns_than_the_library_would_cache_stay_compiled() -> None:
    patterns = Re2Engine().compile([f"word{number}x" for number in range(400)])
    assert [hit.pattern for hit in patterns.scan("word7x and word399x")] == [7, 399]
