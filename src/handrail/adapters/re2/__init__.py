"""google-re2: linear-time regular expressions."""

from handrail.adapters.re2.engine import Re2Engine, Re2PatternSet

__all__ = ["Re2Engine", "Re2PatternSet"]
