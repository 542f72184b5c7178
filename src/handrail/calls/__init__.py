"""The bounded call: a skill, a budget, a deadline, and a twin that decides when no model does."""

from handrail.calls.budget import Budget
from handrail.calls.failure import CallFailed, Failure, Undecided
from handrail.calls.forbid import ModelCallForbidden, forbid_model_calls
from handrail.calls.prompt import Prompt
from handrail.calls.runner import Decision, run
from handrail.calls.skill import Accept, OnError, Prune, Reject, Ruling, Skill, accept

__all__ = [
    "Accept",
    "Budget",
    "CallFailed",
    "Decision",
    "Failure",
    "ModelCallForbidden",
    "OnError",
    "Prompt",
    "Prune",
    "Reject",
    "Ruling",
    "Skill",
    "Undecided",
    "accept",
    "forbid_model_calls",
    "run",
]
