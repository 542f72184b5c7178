"""What a session of the protocol remembers: where it stands, what was asked, never a word."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from handrail.rails.crisis.answers import Answer


class Phase(StrEnum):
    """Where the conversation stands."""

    CALM = "calm"  # nothing heard so far
    ASKED = "asked"  # a sign was heard and asked about
    ACTIVE = "active"  # danger is being understood, one question at a time
    IMMINENT = "imminent"  # people first: emergency number, company, distance
    SUPPORT = "support"  # nothing left to ask; help, plan, lasting care
    DENIED = "denied"  # the person said no, and is believed


class Track(StrEnum):
    """What kind of danger is talked about; the order is which comes first when there are two."""

    MEDICAL = "medical"
    SELF = "self"
    VOICES = "voices"
    OTHERS = "others"
    CHILD = "child"
    ABUSE = "abuse"
    THIRD = "third"  # somebody the person worries about
    WITNESS = "witness"  # violence against somebody else

    @property
    def rank(self) -> int:
        """Smaller comes first."""
        return tuple(Track).index(self)


class Event(StrEnum):
    """What the person's turn amounts to; exactly one for every turn."""

    IMMINENT = "imminent"
    GRAVE = "grave"
    SIGN = "sign"
    METHOD = "method"  # asks for a way to die or to hurt somebody
    MILD = "mild"
    YES = "yes"
    NO = "no"
    UNSURE = "unsure"
    RETRACT = "retract"  # takes back what was said
    STOP = "stop"  # wants to end the conversation
    SILENCE = "silence"
    TALK = "talk"


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Pure data, JSON-able; every tuple of names is sorted and holds each once.

    ``said`` counts how often each move was made, ``facts`` hold the last answer to each question,
    ``pending`` is the question of the last turn, ``unanswered`` how many in a row got no answer,
    ``quiet`` whether the person asked not to be asked, ``seed`` what the choice of wording and
    nothing else depends on.
    """

    phase: Phase = Phase.CALM
    track: Track | None = None
    turn: int = 0
    tracks: tuple[Track, ...] = ()
    closed: tuple[Track, ...] = ()
    pending: str | None = None
    facts: tuple[tuple[str, Answer], ...] = ()
    said: tuple[tuple[str, int], ...] = ()
    unanswered: int = 0
    mild: int = 0
    quiet: bool = False
    shown_for: str = ""
    country: str | None = None
    language: str = "en"
    seed: int = 0

    def count(self, move: str) -> int:
        """How often ``move`` was made."""
        return dict(self.said).get(move, 0)

    def fact(self, question: str) -> Answer:
        """The last answer to ``question``, `Answer.NONE` without one."""
        return dict(self.facts).get(question, Answer.NONE)

    def with_fact(self, question: str, answer: Answer) -> State:
        """The state in which ``question`` has been answered so."""
        facts = {**dict(self.facts), question: answer}
        return replace(self, facts=tuple(sorted(facts.items())))

    def to_json(self) -> dict[str, Any]:
        """The state as plain values."""
        return {
            "phase": self.phase.value,
            "track": self.track.value if self.track else None,
            "turn": self.turn,
            "tracks": [track.value for track in self.tracks],
            "closed": [track.value for track in self.closed],
            "pending": self.pending,
            "facts": {question: answer.value for question, answer in self.facts},
            "said": dict(self.said),
            "unanswered": self.unanswered,
            "mild": self.mild,
            "quiet": self.quiet,
            "shown_for": self.shown_for,
            "country": self.country,
            "language": self.language,
            "seed": self.seed,
        }

    @staticmethod
    def from_json(body: Mapping[str, Any]) -> State:
        """What `to_json` gave; raises `KeyError` or `ValueError` for anything else."""
        return State(
            phase=Phase(body["phase"]),
            track=Track(body["track"]) if body["track"] else None,
            turn=int(body["turn"]),
            tracks=in_order(map(Track, body["tracks"])),
            closed=in_order(map(Track, body["closed"])),
            pending=_name(body["pending"]),
            facts=tuple(sorted((str(q), _ANSWERS[a]) for q, a in body["facts"].items())),
            said=tuple(sorted((str(move), int(n)) for move, n in body["said"].items())),
            unanswered=int(body["unanswered"]),
            mild=int(body["mild"]),
            quiet=bool(body["quiet"]),
            shown_for=str(body["shown_for"]),
            country=_name(body["country"]),
            language=str(body["language"]),
            seed=int(body["seed"]),
        )


_ANSWERS = {answer.value: answer for answer in Answer}


def in_order(tracks: Any) -> tuple[Track, ...]:
    """Tracks by rank, each once."""
    return tuple(sorted(set(tracks), key=lambda track: track.rank))


def _name(value: object) -> str | None:
    return None if value is None else str(value)
