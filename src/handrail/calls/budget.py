"""Hard limits on what one message may spend on models."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from handrail.errors import BudgetExhausted


@dataclass(slots=True, kw_only=True)
class Budget:
    """A ledger of model use, checked before and after each call; raises `BudgetExhausted`.

    ``calls`` counts attempts, retries included; ``seconds`` run from the moment the budget is made;
    characters are code points. Defaults hold one skill with its retries, and the 20 s in which a
    reply has to be there. Use one budget a message, on one event loop.
    """

    calls: int = 4
    seconds: float = 20.0
    chars_in: int = 48_000
    chars_out: int = 64_000
    clock: Callable[[], float] = time.monotonic
    used_calls: int = field(init=False, default=0)
    used_chars_in: int = field(init=False, default=0)
    used_chars_out: int = field(init=False, default=0)
    _begun: float = field(init=False)

    def __post_init__(self) -> None:
        if min(self.calls, self.seconds, self.chars_in, self.chars_out) < 0:
            raise ValueError("a budget cannot be negative; 0 forbids every call")
        self._begun = self.clock()

    @property
    def seconds_left(self) -> float:
        """Time until the budget closes, never below zero."""
        return max(0.0, self.seconds - (self.clock() - self._begun))

    def before_call(self, chars: int) -> None:
        """Book a call that sends ``chars``; one that does not fit is not booked at all."""
        self._refuse(self.used_calls + 1 > self.calls, "calls")
        self._refuse(self.used_chars_in + chars > self.chars_in, "characters in")
        self._refuse(self.seconds_left <= 0, "seconds")
        self.used_calls += 1
        self.used_chars_in += chars

    def after_call(self, chars: int) -> None:
        """Book what came back; a reply that breaks the budget must not be used."""
        self.used_chars_out += chars
        self._refuse(self.used_chars_out > self.chars_out, "characters out")
        self._refuse(self.seconds_left <= 0, "seconds")

    @staticmethod
    def _refuse(exceeded: bool, what: str) -> None:
        if exceeded:
            raise BudgetExhausted(f"no {what} left for this message; raise the budget or ask less")
