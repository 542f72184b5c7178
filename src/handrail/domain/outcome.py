"""What leaves: one of four outcomes, each with resources, citations, trace id and receipt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from handrail.domain.duties import UNSEEN, NoticeState
from handrail.domain.ranking import Candidate
from handrail.domain.reply import Fragment
from handrail.domain.risk import Risk
from handrail.domain.trace import Trace


class Reason(StrEnum):
    """Why there is no answer; stable names, used by every face."""

    THIN_EVIDENCE = "thin-evidence"
    NOTHING_SIMILAR = "nothing-similar"
    OUT_OF_SCOPE = "out-of-scope"
    GATE_FAILED = "gate-failed"
    RAIL_FAILED = "rail-failed"
    PART_FAILED = "part-failed"
    POLICY = "policy"
    SELECT_ONLY = "select-only"
    CRISIS = "crisis"


FAULTS = frozenset({Reason.GATE_FAILED, Reason.RAIL_FAILED, Reason.PART_FAILED})
"""Reasons that tell of a defect, which another run need not meet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """One way to reach people; ``value`` is exactly as dialled inside ``country``, or a URL."""

    id: str
    label: str
    value: str
    kind: str
    country: str | None = None
    hours: str | None = None
    note: str | None = None
    source: str = ""
    confirmed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A quoted span: ``case.response[start:end]``."""

    case_id: str
    sent_id: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Receipt:
    """The proof of one reply: hashes, ids and offsets, canonical JSON, no text."""

    body: Mapping[str, object]

    @property
    def id(self) -> str:
        """The hash over everything else in the receipt."""
        return str(self.body["id"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Disclosure:
    """A notice that a duty puts beside a reply: a reviewed line, by its name and language."""

    id: str
    language: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Referral:
    """A reply that sent somebody to people, as a hand-off hook learns of it: no word of theirs."""

    level: str
    kinds: tuple[str, ...]
    receipt_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reply:
    text: str
    fragments: tuple[Fragment, ...]
    resources: tuple[Resource, ...]
    risk: Risk
    trace: Trace
    receipt: Receipt
    citations: tuple[Citation, ...] = ()
    cases: tuple[Candidate, ...] = ()
    dropped_sentences: int = 0
    notices: tuple[Disclosure, ...] = ()
    notice_state: NoticeState = UNSEEN
    marked: bool = False  # a duty asks to say that software put it together


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer(_Reply):
    """A gated reply; constructed in `handrail.rails.release` alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Abstention(_Reply):
    """No answer, because the evidence does not carry one."""

    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal(_Reply):
    """No answer, because policy forbids one."""

    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class SafetyResponse(_Reply):
    """Help first: reviewed lines and resources only."""

    reason: Reason = Reason.CRISIS


Outcome: TypeAlias = Answer | Abstention | Refusal | SafetyResponse
