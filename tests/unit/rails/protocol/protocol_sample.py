"""A conversation with the protocol, for tests."""

from __future__ import annotations

from dataclasses import dataclass, field

from handrail.domain.trace import Tracer
from handrail.rails.crisis import CrisisScreen
from handrail.rails.crisis.conversation import State as Ears
from handrail.rails.crisis.conversation import hear
from handrail.rails.protocol import Protocol, Spoken, State


@dataclass
class Talk:
    """A conversation: what the person says goes in, what is answered comes out."""

    screen: CrisisScreen
    protocol: Protocol
    state: State = field(default_factory=lambda: State(country="IE"))
    ears: Ears = field(default_factory=Ears)
    spoken: list[Spoken] = field(default_factory=list)

    def say(self, *messages: str) -> Spoken:
        for message in messages:
            before = self.spoken[-1].reply.text if self.spoken else None
            heard = hear(self.screen, self.ears, message, before=before)
            tracer = Tracer("talk", clock=lambda: 0.0)
            self.spoken.append(
                self.protocol.respond(self.state, heard, message, flow="test", tracer=tracer)
            )
            self.state, self.ears = self.spoken[-1].state, heard.state
        return self.spoken[-1]

    def moves(self) -> list[str]:
        return [move for spoken in self.spoken for move in spoken.turn.moves]
