"""What an attack, and a screen that fails, lead to: a table by flow, never code in a flow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from handrail.domain.trace import Tracer

if TYPE_CHECKING:
    from handrail.rails.injection.screen import InjectionScreen


class Way(StrEnum):
    """How a text goes on."""

    OPEN = "open"  # as if nothing had been found
    RULES = "rules"  # without a model: the deterministic twin decides
    CLOSED = "closed"  # not at all


@dataclass(frozen=True, slots=True, kw_only=True)
class InjectionPolicy:
    """The way of an attack, and that of a text on which the screen failed."""

    on_attack: Way
    on_error: Way


def policies(*, research_on_error: Way = Way.OPEN) -> Mapping[str, InjectionPolicy]:
    """The policy of each flow; research fails open unless it is told otherwise (L5)."""
    twin = InjectionPolicy(on_attack=Way.RULES, on_error=Way.RULES)
    return {
        "coach": twin,
        "reframe": twin,
        "guide": twin,
        "research": InjectionPolicy(on_attack=Way.CLOSED, on_error=research_on_error),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class InjectionGuard:
    """A screen under one flow's policy; without a screen every text goes on (L6)."""

    screen: InjectionScreen | None
    policy: InjectionPolicy

    def way(self, text: str, tracer: Tracer) -> Way:
        """How ``text`` goes on; the trace holds rule ids, never text. Never raises."""
        if self.screen is None:
            return Way.OPEN
        with tracer.step("injection") as facts:
            try:
                found = self.screen.check(text)
                way = self.policy.on_attack if found.attack else Way.OPEN
                facts["rules"] = [signal.rule for signal in found.signals]
                facts["strength"] = round(found.strength.value, 3)
            except Exception as error:  # noqa: BLE001  what a broken screen means is policy
                way = self.policy.on_error
                tracer.flags["rail_failed"] = True
                facts["error"] = type(error).__name__
            else:
                if found.attack:
                    tracer.flags["injection"] = True
            facts["way"] = way.value
        return way

    def instructs(self, passage: str) -> bool:
        """Whether a retrieved text speaks to the machine; a screen that fails says yes.

        A passage that nobody has read is never worth a risk: another one takes its place.
        """
        if self.screen is None:
            return False
        try:
            return self.screen.check(passage).attack
        except Exception:  # noqa: BLE001  a passage that cannot be screened is not shown
            return True
