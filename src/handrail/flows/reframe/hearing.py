"""Danger before everything: both readers, the session's latch, and the protocol that answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from handrail.domain.reply import Fragment
from handrail.domain.risk import Level, Risk
from handrail.domain.scores import ScoreKind, Threshold
from handrail.domain.trace import Tracer
from handrail.flows.reframe.state import SessionState
from handrail.rails.crisis import CrisisScreen, Heard, SecondReader, hear
from handrail.rails.protocol import Protocol, Spoken

MODEL_KIND = "model"
"""The kind of a danger that a model named; what it saw, nobody can look up (A59)."""


WORDS = 3
"""The second reader reads wording: of "ya" or "stop" it makes guesses, and what such an answer
means in its conversation the first reader knows."""


CLEAR = Threshold(ScoreKind.PROBABILITY, 0.95)
"""From here on what the second reader alone hears is asked about. Below it the turn goes without a
model and with people to turn to beside it: harsh thoughts that are no danger come near much that is
grave, and of those that it would ask about needlessly three in four lie below."""


LEAST = -2.0
"""Log-odds of a wording below which the embedder is not asked, which takes half the time of a turn.
Of the dangers of the packaged bank that the second reader adds none lies below -0.6; of ordinary
messages of sessions more than half do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heeded:
    """What was heard in a message, in its session.

    ``raised`` when the second reader alone hears danger, ``doubted`` when it does so clearly enough
    to ask; what it hears is never taken for certain here. ``mild`` is a mild sign by the first.
    """

    heard: Heard
    mild: bool = False
    raised: bool = False
    doubted: bool = False

    @property
    def risk(self) -> Risk:
        """The risk of the message."""
        return self.heard.risk

    @property
    def danger(self) -> bool:
        """Whether help comes first: at moderate or high, as in every flow."""
        return self.risk.level >= Level.MODERATE and not self.raised

    def warned(self) -> Heeded:
        """The same after a model said that there is danger; it may raise, never lower."""
        risk = self.risk.raised(Level.MODERATE, MODEL_KIND)
        return Heeded(heard=replace(self.heard, risk=risk))


@dataclass(frozen=True, slots=True, kw_only=True)
class Hearing:
    """The crisis screen in a conversation, with the second reader where there is one."""

    screen: CrisisScreen
    protocol: Protocol
    second: SecondReader | None = None

    def heed(self, state: SessionState, message: str, tracer: Tracer) -> Heeded:
        """What the readers say of ``message``; raises what the screen raises."""
        with tracer.step("screen") as facts:
            heard = hear(self.screen, state.heard, message, before=state.last_words or None)
            facts.update(level=heard.risk.level.label, kinds=list(heard.risk.kinds))
        heeded = Heeded(heard=heard, mild=heard.risk.level is Level.MILD)
        if self.second is None or heeded.danger or len(message.split()) < WORDS:
            return heeded
        with tracer.step("second_reader") as facts:
            second = self.second.over(message, heard.risk, least=LEAST)
            facts.update(level=second.risk.level.label)
            if second.failed is not None:
                facts["failed"] = second.failed
        raised = second.risk.level >= Level.MODERATE
        return replace(
            heeded,
            heard=replace(heard, risk=second.risk),
            raised=raised,
            doubted=raised and CLEAR.passes(second.strength),
        )

    def answer(
        self,
        state: SessionState,
        heeded: Heeded,
        message: str,
        tracer: Tracer,
        *,
        flow: str,
        opening: Sequence[Fragment],
        pins: Mapping[str, object],
    ) -> Spoken:
        """The protocol's turn, in the session's language, behind ``opening``."""
        spoken = replace(
            state.protocol,
            country=state.protocol.country or state.country,
            language=state.user_language,
            seed=state.seed,
        )
        return self.protocol.respond(
            spoken,
            heeded.heard,
            message,
            flow=flow,
            tracer=tracer,
            language=state.user_language,
            opening=opening,
            pins=pins,
        )
