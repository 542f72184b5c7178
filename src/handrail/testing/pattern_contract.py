"""What every `PatternEngine` must do: subclass, override the ``engine`` fixture, inherit."""

from __future__ import annotations

import time

import pytest

from handrail.errors import ContentInvalid
from handrail.ports import PatternEngine, PatternHit


class PatternEngineContract:
    """Subclass in a test module and override ``engine``."""

    @pytest.fixture
    def engine(self) -> PatternEngine:
        raise NotImplementedError("override the engine fixture")

    def test_hits_come_by_start_then_pattern(self, engine: PatternEngine) -> None:
        found = engine.compile(["b", "a", "ab"]).scan("abab")
        assert [(hit.start, hit.pattern) for hit in found] == [
            (0, 1),
            (0, 2),
            (1, 0),
            (2, 1),
            (2, 2),
            (3, 0),
        ]

    def test_matches_of_one_pattern_do_not_overlap(self, engine: PatternEngine) -> None:
        assert engine.compile(["aa"]).scan("aaaaa") == [PatternHit(0, 0, 2), PatternHit(0, 2, 4)]

    def test_offsets_are_code_points(self, engine: PatternEngine) -> None:
        text = "año 👩‍👧 cœur, mañana"
        found = engine.compile(["mañana", "zzz"]).scan(text)
        assert [text[hit.start : hit.end] for hit in found] == ["mañana"]

    def test_an_inner_hit_and_an_outer_hit_keep_their_offsets(self, engine: PatternEngine) -> None:
        text = "éé aé ééaé"
        found = engine.compile(["é+", "aé"]).scan(text)
        assert [text[hit.start : hit.end] for hit in found] == ["éé", "aé", "é", "éé", "aé", "é"]

    def test_a_lone_surrogate_takes_one_place(self, engine: PatternEngine) -> None:
        text = "\ud800x\udfffdanger"
        assert engine.compile(["danger"]).scan(text) == [PatternHit(0, 3, 9)]

    def test_nul_bytes_are_ordinary(self, engine: PatternEngine) -> None:
        assert engine.compile(["b", "c"]).scan("a\x00b\x00") == [PatternHit(0, 2, 3)]

    def test_case_is_ignored_where_the_pattern_says_so(self, engine: PatternEngine) -> None:
        patterns = engine.compile(["(?i)niño", "(?i)help", "help"])
        assert [hit.pattern for hit in patterns.scan("NIÑO HELP")] == [0, 1]

    def test_no_pattern_and_no_text_are_no_hits(self, engine: PatternEngine) -> None:
        assert list(engine.compile([]).scan("anything")) == []
        assert list(engine.compile(["a", "b"]).scan("")) == []

    def test_one_pattern_finds_what_the_same_pattern_finds_among_many(
        self, engine: PatternEngine
    ) -> None:
        text = "one two three two one"
        alone = engine.compile(["two"]).scan(text)
        among = engine.compile(["[0-9]", "two", "four"]).scan(text)
        assert [(h.start, h.end) for h in alone] == [(h.start, h.end) for h in among]

    @pytest.mark.parametrize("broken", ["(a", "a(?=b)", r"(a)\1", "["])
    def test_a_pattern_that_cannot_be_linear_is_refused_by_name(
        self, engine: PatternEngine, broken: str
    ) -> None:
        with pytest.raises(ContentInvalid) as refusal:
            engine.compile(["fine", broken])
        assert repr(broken) in str(refusal.value)

    def test_time_grows_with_the_text_and_no_faster(self, engine: PatternEngine) -> None:
        patterns = engine.compile(["(a+)+b", "(x|x)*y"])
        began = time.perf_counter()
        patterns.scan("a" * 200_000)
        assert time.perf_counter() - began < 2.0
