"""Finding passages: channels, one fusion, stages in order."""

from handrail.retrieval.question import Question
from handrail.retrieval.scope import Scope, ScopeTest
from handrail.retrieval.search import CaseSearch, Found

__all__ = ["CaseSearch", "Found", "Question", "Scope", "ScopeTest"]
