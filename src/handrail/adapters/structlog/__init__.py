"""The structured log: one line a run, no text."""

from handrail.adapters.structlog.log import StructuredLog

__all__ = ["StructuredLog"]
