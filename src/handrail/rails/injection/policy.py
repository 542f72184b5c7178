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


KEPT_PASSAGES = 8_192  # verdicts; at about 100 bytes each they never amount to a megabyte


class PassageGuard:
    """The same policy over stored texts, which are data and never orders; one reading each.

    An id stands for its text for ever (it is a hash), so a verdict is remembered by id.
    """

    def __init__(self, guard: InjectionGuard) -> None:
        self._guard = guard
        self._known: dict[str, Way] = {}

    def way(self, passage_id: str, text: str) -> Way:
        """CLOSED for a text that speaks to the machine; else OPEN, or the way of an error."""
        screen = self._guard.screen
        if screen is None:
            return Way.OPEN
        if (known := self._known.get(passage_id)) is not None:
            return known
        try:
            way = Way.CLOSED if screen.check(text).attack else Way.OPEN
        except Exception:  # noqa: BLE001  what a broken screen means is policy
            return self._guard.policy.on_error
        if len(self._known) >= KEPT_PASSAGES:
            self._known.clear()
        self._known[passage_id] = way
        return way
