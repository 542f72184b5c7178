"""Handrail: an engine for high-stakes conversations, where a model may choose but not improvise."""

__version__ = "0.1.0"
