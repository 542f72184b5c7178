"""The coach: three similar cases, cited quotes and vetted steps, or a refusal."""

from handrail.flows.coach.decider import DeciderOutput
from handrail.flows.coach.flow import Coach

__all__ = ["Coach", "DeciderOutput"]
