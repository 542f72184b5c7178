"""The `PatternEngine` over google-re2.

RE2 works on UTF-8 bytes; hits are handed back in code points. A lone surrogate, which UTF-8 cannot
carry, is read as one question mark, so that offsets still hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from handrail.errors import ContentInvalid, MissingExtra
from handrail.ports import PatternHit

_MAX_MEM = 64 << 20  # bytes a pattern may use for its automaton; RE2's own default is 8 MiB
_FILTER_FROM = 2  # a filter costs more than it saves on a single pattern


class Re2Engine:
    """Compiles RE2 syntax; a pattern that would need backtracking does not compile."""

    def __init__(self) -> None:
        try:
            import re2
        except ImportError as absent:
            raise MissingExtra("google-re2", extra="all") from absent
        self._re2: Any = re2
        self._options: Any = re2.Options()
        self._options.log_errors = False
        self._options.max_mem = _MAX_MEM

    def compile(self, patterns: Sequence[str]) -> Re2PatternSet:
        """Raises `ContentInvalid`, naming the pattern that does not compile."""
        if len(patterns) < _FILTER_FROM:
            return Re2PatternSet([self._one(pattern) for pattern in patterns], None)
        prefilter = self._re2.Filter()
        for pattern in patterns:
            self._add(prefilter, pattern)
        prefilter.Compile()
        return Re2PatternSet([prefilter.re(number) for number in range(len(patterns))], prefilter)

    def _add(self, prefilter: Any, pattern: str) -> None:
        try:
            prefilter.Add(pattern, self._options)
        except (self._re2.error, UnicodeEncodeError):
            self._one(pattern)  # says what is wrong with it, which the filter does not
            raise

    def _one(self, pattern: str) -> Any:
        try:
            return self._re2.compile(pattern, self._options)
        except (self._re2.error, UnicodeEncodeError) as broken:
            raise ContentInvalid(
                f"The pattern {pattern!r} does not compile: {_reason(broken)}. "
                "Write it in RE2 syntax (no look-around, no back-references)."
            ) from broken


class Re2PatternSet:
    """Compiled patterns behind one literal prefilter; matching takes linear time."""

    def __init__(self, patterns: Sequence[Any], prefilter: Any) -> None:
        self._patterns = patterns
        self._prefilter = prefilter

    def scan(self, text: str) -> Sequence[PatternHit]:
        """Every non-overlapping match of every pattern, by start then pattern."""
        raw = text.encode("utf-8", "replace")
        found = [
            (match.start(), number, match.end())
            for number in self._candidates(raw)
            for match in self._patterns[number].finditer(raw)
        ]
        found.sort()
        if len(raw) == len(text):
            return [PatternHit(number, start, end) for start, number, end in found]
        return list(_in_code_points(raw, found))

    def _candidates(self, raw: bytes) -> Sequence[int]:
        if self._prefilter is None:
            return range(len(self._patterns))
        return self._prefilter.Match(raw) or ()


def _in_code_points(raw: bytes, found: Sequence[tuple[int, int, int]]) -> Iterator[PatternHit]:
    """Hits with byte offsets, sorted by start, as hits with code-point offsets; one pass."""
    offset = point = 0
    points = {0: 0}
    for edge in sorted({edge for start, _, end in found for edge in (start, end)}):
        point += len(raw[offset:edge].decode("utf-8", "ignore"))
        offset = edge
        points[edge] = point
    for start, number, end in found:
        yield PatternHit(number, points[start], points[end])


def _reason(error: Exception) -> str:
    detail = error.args[0] if error.args else ""
    return detail.decode("utf-8", "replace") if isinstance(detail, bytes) else str(detail)
