"""What a session remembers (A8): plain data, JSON-able, with the person's words where they stood.

A state is never changed; each turn gives a new one. It holds words of the person and belongs only
in a sealed store.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from handrail.domain.duties import UNSEEN, NoticeState
from handrail.domain.text import Span, digest
from handrail.errors import InvalidInput
from handrail.flows.reframe.limits import Limits
from handrail.flows.reframe.phases import Phase, Position
from handrail.flows.reframe.reading import Asked
from handrail.rails.crisis import conversation
from handrail.rails.protocol import state as protocol

FORMAT = 1
"""Version of the JSON; a store with another one is read by no code that does not know it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Words of the person: ``messages[number][span] == text``; ``sha256`` is of that message.

    ``number`` counts the person's messages from 1.
    """

    text: str
    number: int
    span: Span
    sha256: str

    @staticmethod
    def of(message: str, span: Span, number: int) -> Kept:
        """The words at ``span`` of the message with that number."""
        return Kept(text=span.of(message), number=number, span=span, sha256=digest(message))

    def to_json(self) -> list[Any]:
        """As a short row."""
        return [self.text, self.number, self.span.start, self.span.end, self.sha256]

    @staticmethod
    def from_json(row: Any) -> Kept:
        """What `to_json` gave."""
        text, number, start, end, sha256 = row
        return Kept(text=text, number=number, span=Span(start, end), sha256=sha256)


@dataclass(frozen=True, slots=True, kw_only=True)
class Feeling:
    """A feeling that was named, with its family."""

    family: str
    words: Kept


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """What is known of the worry; None or empty is what may still be asked for."""

    situation: Kept | None = None
    thought: Kept | None = None
    emotions: tuple[Feeling, ...] = ()
    felt: Kept | None = None  # the words to quote for the feelings named last
    intensity: int | None = None
    intensity_words: Kept | None = None
    evidence: Kept | None = None
    after_words: Kept | None = None  # in which the anxiety was rated after the summary

    @property
    def missing(self) -> tuple[str, ...]:
        """What is not known yet, in the order in which it is asked for (A53e)."""
        known = {
            "thought": self.thought is not None,
            "emotion": self._feels_it(),
            "intensity": self.intensity is not None,
        }
        return tuple(name for name, is_known in known.items() if not is_known)

    def _feels_it(self) -> bool:
        """Whether a feeling was named since the thought is known: before, it was about the day."""
        since = self.thought.number if self.thought else 0
        return any(feeling.words.number >= since for feeling in self.emotions)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """Ratings from 0 to 10: how strong the anxiety is, how confident the person, how true it feels.

    ``suds`` is the subjective units of distress scale, here of eleven steps (A8).
    """

    suds_pre: int | None = None
    suds_post: int | None = None
    confidence_pre: int | None = None
    confidence_post: int | None = None
    truth: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """What the composer must not repeat: moves said, questions asked, traps named, lines offered.

    ``round`` counts balanced thoughts offered, at most two a session (A7).
    """

    said: tuple[tuple[str, int], ...] = ()
    asked: Asked = Asked.NOTHING
    traps: tuple[str, ...] = ()
    balanced: str = ""  # id of the balanced thought offered last
    round: int = 0
    checked: bool = False  # a mild sign was answered
    skipped: tuple[str, ...] = ()  # what the person would rather not say
    proposed: str = ""  # the phase that a model named for the next reply
    modelled: bool = False  # a model wrote or warned in this session

    def count(self, move: str) -> int:
        """How often a move was made."""
        return dict(self.said).get(move, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """How a session began, as far as its replies depend on it."""

    language: str = "en"
    fixed: bool = False  # the caller chose it
    country: str | None = None

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionState:
    """One session between two messages.

    ``seed`` decides the choice of wording and nothing else; ``arm`` names the experiment's arm.
    ``last_words`` is what was said last by us, for reading the answer; ``messages`` counts what the
    person sent, the answers to a closed session included.
    """

    position: Position = field(default_factory=Position)
    limits: Limits = field(default_factory=Limits)
    user_language: str = "en"
    fixed_language: bool = False  # the caller or the person chose it
    country: str | None = None
    progress: Progress = field(default_factory=Progress)
    measures: Measures = field(default_factory=Measures)
    memory: Memory = field(default_factory=Memory)
    heard: conversation.State = field(default_factory=conversation.State)
    protocol: protocol.State = field(default_factory=protocol.State)
    doubts: int = 0  # how often a danger was asked about that only the second reader heard
    doubting: bool = False  # the last turn did so
    last_words: str = ""
    messages: int = 0
    seed: int = 0
    arm: str = ""
    writes: bool = True  # whether a model may write in this session
    minor: bool = False  # the person is known to be one
    seen: NoticeState = UNSEEN  # which notices were shown when
    opened: Opened = field(default_factory=Opened)

    @staticmethod
    def begun(
        opened: Opened, *, limits: Limits, seed: int, arm: str = "", writes: bool = True
    ) -> SessionState:
        """A session before its first message."""
        return SessionState(
            position=Position(followups_left=limits.followups),
            limits=limits,
            user_language=opened.language,
            fixed_language=opened.fixed,
            country=opened.country,
            seed=seed,
            arm=arm,
            writes=writes,
            opened=opened,
        )

    @property
    def phase(self) -> Phase:
        """The phase of the last reply."""
        return self.position.phase

    @property
    def crisis_flag(self) -> bool:
        """Whether danger was heard; it never goes back."""
        return self.position.crisis

    @property
    def ended(self) -> bool:
        """Whether the session is over."""
        return self.position.ended(self.limits)

    def with_(self, **changes: Any) -> Self:
        """The state with some fields changed."""
        return replace(self, **changes)

    def to_json(self) -> dict[str, Any]:
        """The state as plain values."""
        place = self.position
        return {
            "format": FORMAT,
            "phase": place.phase.value,
            "turn": place.turn,
            "followups_left": place.followups_left,
            "crisis_flag": place.crisis,
            "limits": self.limits.to_json(),
            "user_language": self.user_language,
            "fixed_language": self.fixed_language,
            "country": self.country,
            "progress": _progress_json(self.progress),
            "measures": {name: getattr(self.measures, name) for name in Measures.__slots__},
            "memory": {
                **{name: getattr(self.memory, name) for name in Memory.__slots__},
                "said": dict(self.memory.said),
                "traps": list(self.memory.traps),
                "skipped": list(self.memory.skipped),
            },
            "heard": self.heard.to_json(),
            "protocol": self.protocol.to_json(),
            "doubts": self.doubts,
            "doubting": self.doubting,
            "last_words": self.last_words,
            "messages": self.messages,
            "seed": self.seed,
            "arm": self.arm,
            "writes": self.writes,
            "minor": self.minor,
            "seen": [self.seen.ai, self.seen.minors],
            "opened": self.opened.to_json(),
        }

    @staticmethod
    def from_json(body: Mapping[str, Any]) -> SessionState:
        """What `to_json` gave; raises `KeyError`, `TypeError` or `ValueError` for anything else."""
        if body["format"] != FORMAT:
            raise ValueError(f"session format {body['format']!r} is not {FORMAT}")
        try:
            return SessionState._read(body)
        except (AttributeError, IndexError, InvalidInput) as error:
            raise ValueError("what was stored is no session") from error

    @staticmethod
    def _read(body: Mapping[str, Any]) -> SessionState:
        memory = body["memory"]
        return SessionState(
            position=Position(
                phase=Phase(body["phase"]),
                turn=body["turn"],
                followups_left=body["followups_left"],
                crisis=body["crisis_flag"],
            ),
            limits=Limits.from_json(body["limits"]),
            user_language=body["user_language"],
            fixed_language=body["fixed_language"],
            country=body["country"],
            progress=_progress(body["progress"]),
            measures=Measures(**body["measures"]),
            memory=Memory(
                **{
                    **memory,
                    "said": tuple(sorted(memory["said"].items())),
                    "asked": Asked(memory["asked"]),
                    "traps": tuple(memory["traps"]),
                    "skipped": tuple(memory["skipped"]),
                }
            ),
            heard=conversation.State.from_json(body["heard"]),
            protocol=protocol.State.from_json(body["protocol"]),
            doubts=body["doubts"],
            doubting=body["doubting"],
            last_words=body["last_words"],
            messages=body["messages"],
            seed=body["seed"],
            arm=body["arm"],
            writes=body["writes"],
            minor=body["minor"],
            seen=NoticeState(ai=body["seen"][0], minors=body["seen"][1]),
            opened=Opened(**body["opened"]),
        )


def _progress_json(progress: Progress) -> dict[str, Any]:
    return {
        "situation": _row(progress.situation),
        "thought": _row(progress.thought),
        "emotions": [[feeling.family, feeling.words.to_json()] for feeling in progress.emotions],
        "felt": _row(progress.felt),
        "intensity": progress.intensity,
        "intensity_words": _row(progress.intensity_words),
        "evidence": _row(progress.evidence),
        "after_words": _row(progress.after_words),
    }


def _progress(body: Mapping[str, Any]) -> Progress:
    return Progress(
        situation=_kept(body["situation"]),
        thought=_kept(body["thought"]),
        emotions=tuple(
            Feeling(family=family, words=Kept.from_json(row)) for family, row in body["emotions"]
        ),
        felt=_kept(body["felt"]),
        intensity=body["intensity"],
        intensity_words=_kept(body["intensity_words"]),
        evidence=_kept(body["evidence"]),
        after_words=_kept(body["after_words"]),
    )


def _row(kept: Kept | None) -> list[Any] | None:
    return kept.to_json() if kept else None


def _kept(row: Any) -> Kept | None:
    return Kept.from_json(row) if row is not None else None
