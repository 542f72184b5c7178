"""The crisis protocol as a flow uses it: a state and a message in, a safety response out."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from handrail.content import content_hash
from handrail.domain.outcome import Resource, SafetyResponse
from handrail.domain.reply import Fragment
from handrail.domain.trace import Tracer
from handrail.ports import PatternEngine
from handrail.rails import release
from handrail.rails.crisis.conversation import Heard
from handrail.rails.helplines import Helplines
from handrail.rails.protocol.cues import Cues
from handrail.rails.protocol.lines import ProtocolLines, packaged_lines
from handrail.rails.protocol.reading import read
from handrail.rails.protocol.state import State, Track
from handrail.rails.protocol.turn import Reading, Shows, Turn, advance

PIN = "protocol"
_PREPOSITION = re.compile(r"^\s*(?:from|in|the|de|desde|en|soy de)\s+", re.IGNORECASE)
_SUPPORT = ("suicide", "emotional-support")
_TOPICS = {
    Track.ABUSE: ("domestic-violence",),
    Track.WITNESS: ("domestic-violence",),
    Track.CHILD: ("child-abuse", "domestic-violence"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """Our turn: the state to keep, the reply to send, and the moves that it is made of."""

    state: State
    reply: SafetyResponse
    reading: Reading
    turn: Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Protocol:
    """Speaks from reviewed lines only, without a model, without a clock, without chance.

    Safe to share between sessions: all that differs is in the `State`.
    """

    lines: ProtocolLines
    helplines: Helplines
    cues: Cues

    @classmethod
    def packaged(cls, engine: PatternEngine, helplines: Helplines | None = None) -> Protocol:
        """The protocol over the packaged content; raises `ContentInvalid` when it is broken."""
        return cls(
            lines=packaged_lines(),
            helplines=helplines or Helplines.packaged(),
            cues=Cues.packaged(engine),
        )

    def respond(
        self,
        state: State,
        heard: Heard,
        message: str,
        *,
        flow: str,
        tracer: Tracer,
        language: str | None = None,
        opening: Sequence[Fragment] = (),
        pins: Mapping[str, object] | None = None,
    ) -> Spoken:
        """Our turn after ``message``, which ``heard`` is about.

        ``language`` is what the flow knows; without it the language of what was heard is taken.
        ``opening`` is what the flow says first, ``pins`` what its receipts hold besides.
        A country comes from the state, where a flow put the configured one, or from the message.
        """
        with tracer.step("protocol") as facts:
            reading = read(state, heard, message, self.cues.read(message))
            reading = replace(
                reading,
                country=self._country(state, message),
                language=language or reading.language,
            )
            turn = advance(state, reading)
            facts.update(phase=turn.state.phase.value, moves=list(turn.moves))
        spoken = replace(state, language=turn.state.language)
        context = release.Context(
            flow=flow,
            message=message,
            risk=heard.risk,
            tracer=tracer,
            line=lambda move: self.lines.fragment(spoken, move),
            resources=self.resources(turn.state, turn.shows),
            pins={
                "content": content_hash(),
                "country": turn.state.country,
                **(pins or {}),
                PIN: _pinned(turn),
            },
        )
        reply = release.safety(turn.moves, context, gap=" ", opening=opening)
        return Spoken(state=turn.state, reply=reply, reading=reading, turn=turn)

    def resources(self, state: State, shows: Shows = Shows.PEOPLE) -> tuple[Resource, ...]:
        """Whom the person can reach, three at most; never a number of a country not named."""
        return shown(self.helplines, country=state.country, track=state.track, shows=shows)

    def _country(self, state: State, message: str) -> str | None:
        """The country that is stated; after our request for it the bare name will do."""
        stated = self.helplines.stated(message)
        if stated or state.country or not state.count("resources-country"):
            return stated
        named = _PREPOSITION.sub("", message, count=1)
        return self.helplines.stated(f"i live in {named}")


def shown(
    helplines: Helplines, *, country: str | None, track: Track | None, shows: Shows
) -> tuple[Resource, ...]:
    """The resources beside a turn; the first of them is the emergency number, where known."""
    if shows is Shows.NOTHING:
        return ()
    topics = _TOPICS.get(track, _SUPPORT) if track else _SUPPORT
    found = helplines.resources(country, topics=topics)
    return found[:1] if shows is Shows.EMERGENCY else found


def _pinned(turn: Turn) -> dict[str, object]:
    """Where the session stands after the turn; names, never words."""
    state = turn.state
    return {
        "phase": state.phase.value,
        "track": state.track.value if state.track else None,
        "turn": state.turn,
        "shows": turn.shows.value,
    }
