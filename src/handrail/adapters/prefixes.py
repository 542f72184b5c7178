"""What some embedding models want before a text, by the model's name."""

from __future__ import annotations

import re
from dataclasses import dataclass

# The e5 family was trained with them (Wang et al. 2022, "Text Embeddings by Weakly-Supervised
# Contrastive Pre-training"); without them it ranks worse. Its instruct models want instructions.
_E5 = re.compile(r"(^|[/_-])e5-(?!.*instruct)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Prefixes:
    """Put before a question, and before a stored text."""

    query: str = ""
    document: str = ""

    @classmethod
    def of(cls, model: str, *, query: str | None = None, document: str | None = None) -> Prefixes:
        """Those that the model's name asks for, unless given (C7)."""
        named = cls("query: ", "passage: ") if _E5.search(model) else cls()
        return cls(
            named.query if query is None else query,
            named.document if document is None else document,
        )
