"""What a rail says: a closed union, matched to the end; never a bool."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from handrail.domain.outcome import Reason
from handrail.domain.reply import Draft
from handrail.domain.risk import Risk


@dataclass(frozen=True, slots=True)
class Pass:
    """The draft may leave as it is."""

    draft: Draft


@dataclass(frozen=True, slots=True)
class Revise:
    """The draft may leave without what was dropped; ``reasons`` name each dropped block."""

    draft: Draft
    dropped_sentences: int
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Abstain:
    """Nothing may leave."""

    reason: Reason
    dropped_sentences: int = 0
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Escalate:
    """Help first."""

    risk: Risk


Verdict: TypeAlias = Pass | Revise | Abstain | Escalate
