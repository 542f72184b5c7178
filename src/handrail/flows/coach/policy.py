"""The coach's policy as data: how many cases, and which lines a library says."""

from __future__ import annotations

from collections.abc import Sequence

from handrail.domain.risk import Level, Risk

K = 3  # C2: the three most similar cases


def library_lines(risk: Risk) -> Sequence[str]:
    """What stands before passages where nothing may be said in the manner of therapy."""
    return ("mild-checkin", "select-only") if risk.level is Level.MILD else ("select-only",)
