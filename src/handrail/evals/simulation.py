"""Simulated dialogues: a scripted person, the real screen, the real protocol."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from handrail.domain.outcome import Resource
from handrail.domain.risk import Level
from handrail.domain.trace import Tracer
from handrail.evals.personas import Persona, Speaker, Told
from handrail.rails.crisis import CrisisScreen
from handrail.rails.crisis.conversation import State as Ears
from handrail.rails.crisis.conversation import hear
from handrail.rails.protocol import Event, Phase, Protocol, State, Track
from handrail.rails.protocol.turn import Shows

FLOW = "protocol-simulation"


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """The person's turn and ours, with what lay behind them."""

    said: str
    told: Told
    level: Level
    event: Event
    reply: str
    moves: tuple[str, ...]
    question: str | None
    asides: tuple[str, ...]
    shows: Shows
    resources: tuple[Resource, ...]
    asked_for: bool
    before: State
    state: State

    @property
    def phase(self) -> Phase:
        """Where the talk stands after our turn."""
        return self.state.phase

    @property
    def track(self) -> Track | None:
        """What danger it is about."""
        return self.state.track


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialogue:
    """A finished dialogue; ``id`` names persona and number."""

    id: str
    persona: Persona
    exchanges: tuple[Exchange, ...]

    @property
    def told(self) -> Told:
        """All that the person let out."""
        return max(exchange.told for exchange in self.exchanges)


def simulate(
    persona: Persona, number: int, *, screen: CrisisScreen, protocol: Protocol
) -> Dialogue:
    """Dialogue ``number`` of a persona: the same for the same number, and ours is the last word."""
    speaker = Speaker(persona, number)
    state = State(country=persona.model.country, language=persona.model.language, seed=number)
    ears, before, question = Ears(), None, None
    exchanges: list[Exchange] = []
    while (line := speaker.next(question)) is not None:
        heard = hear(screen, ears, line.text, before=before)
        spoken = protocol.respond(
            state,
            heard,
            line.text,
            flow=FLOW,
            tracer=Tracer(f"{persona.name}-{number}"),
            language=persona.model.language,
        )
        exchanges.append(
            Exchange(
                said=line.text,
                told=line.told,
                level=heard.risk.level,
                event=spoken.reading.event,
                reply=spoken.reply.text,
                moves=spoken.turn.moves,
                question=spoken.turn.question,
                asides=spoken.reading.asides,
                shows=spoken.turn.shows,
                resources=spoken.reply.resources,
                asked_for=spoken.reading.wants_numbers,
                before=state,
                state=spoken.state,
            )
        )
        state, ears, before, question = (
            spoken.state,
            heard.state,
            spoken.reply.text,
            spoken.turn.question,
        )
    return Dialogue(id=f"{persona.name}-{number:03d}", persona=persona, exchanges=tuple(exchanges))


def transcript(dialogue: Dialogue) -> str:
    """The dialogue as published conversations are written: ``user:`` and ``agent:`` turns."""
    turns: list[str] = []
    for exchange in dialogue.exchanges:
        turns += [f"user: {exchange.said}", f"agent: {_shown(exchange)}"]
    return "\n\n".join(turns) + "\n"


def _shown(exchange: Exchange) -> str:
    """Our turn as a person sees it: the words, and the ways to reach people below them."""
    rows = [_row(resource) for resource in exchange.resources]
    return "\n".join([exchange.reply, *rows])


def _row(resource: Resource) -> str:
    details = "; ".join(filter(None, [resource.hours, resource.note]))
    return f"- {resource.label}: {resource.value}" + (f" ({details})" if details else "")


def export(dialogues: Sequence[Dialogue], folder: Path) -> int:
    """Write one file a dialogue into ``folder``, which is made; gives how many."""
    folder.mkdir(parents=True, exist_ok=True)
    for dialogue in dialogues:
        name, _, number = dialogue.id.rpartition("-")
        path = folder / f"{name}_handrail_run{int(number) + 1}.txt"
        path.write_text(transcript(dialogue), encoding="utf-8")
    return len(dialogues)
