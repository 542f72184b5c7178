"""Patterns with excuses: an entry applies where its pattern matches and its excuse does not.

RE2 has no look-around, so what would be a negative look-ahead elsewhere is a second pattern here.
"""

from __future__ import annotations

from collections.abc import Sequence

from handrail.ports import PatternEngine


class ExcusablePatterns:
    """Pairs of a pattern and its excuse (or None), compiled once into one set."""

    def __init__(self, pairs: Sequence[tuple[str, str | None]], engine: PatternEngine) -> None:
        self._count = len(pairs)
        excused = [(at, excuse) for at, (_, excuse) in enumerate(pairs) if excuse]
        self._excuse = {at: self._count + place for place, (at, _) in enumerate(excused)}
        self._patterns = engine.compile(
            [*(pattern for pattern, _ in pairs), *(excuse for _, excuse in excused)]
        )

    def matching(self, text: str) -> list[int]:
        """Numbers of the pairs that apply to ``text``, ascending, each once; linear time."""
        found = {hit.pattern for hit in self._patterns.scan(text)}
        return sorted(at for at in found if at < self._count and self._excuse.get(at) not in found)


def plain(text: str) -> str:
    """Lower case, straight apostrophes, single spaces: the form the patterns are written for."""
    return " ".join(text.lower().replace("’", "'").replace("‘", "'").split())
