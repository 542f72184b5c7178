"""Google ADK agents, one a role, behind the port of a chat model."""

from handrail.adapters.adk.agents import AdkAgents
from handrail.adapters.adk.tree import AgentSpec

__all__ = ["AdkAgents", "AgentSpec"]
