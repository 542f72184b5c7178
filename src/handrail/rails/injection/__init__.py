"""The injection screen: text that speaks to the machine, told from text about the same words."""

from handrail.rails.injection.policy import (
    InjectionGuard,
    InjectionPolicy,
    PassageGuard,
    Way,
    policies,
)
from handrail.rails.injection.screen import Injection, InjectionScreen, InjectionSignal

__all__ = [
    "Injection",
    "InjectionGuard",
    "InjectionPolicy",
    "InjectionScreen",
    "InjectionSignal",
    "PassageGuard",
    "Way",
    "policies",
]
