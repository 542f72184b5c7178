"""The labelled bank, and a lexicon small enough to read in one look."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from handrail.content.loader import ROOT
from handrail.domain.risk import Level


@dataclass(frozen=True, slots=True, kw_only=True)
class BankItem:
    """One labelled message."""

    id: str
    text: str
    level: Level
    kind: str | None
    language: str
    source: str
    split: str | None


def bank() -> list[BankItem]:
    """The oldest rows of the packaged bank, which have no split: each of them is to be met."""
    return [item for item in whole_bank() if item.split is None]


def whole_bank() -> list[BankItem]:
    """Every row of the packaged bank."""
    lines = (ROOT / "banks" / "crisis.jsonl").read_text(encoding="utf-8").splitlines()
    return [_item(json.loads(line)) for line in lines]


def _item(row: dict[str, Any]) -> BankItem:
    return BankItem(
        id=row["id"],
        text=row["text"],
        level=Level[row["level"].upper()],
        kind=row.get("kind"),
        language=row["language"],
        source=row["source"],
        split=row.get("split"),
    )


def tiny_lexicon(**changes: object) -> dict[str, object]:
    """The parsed file of an invented language in which only sinking is a danger."""
    body: dict[str, object] = {
        "version": "1",
        "language": "xx",
        "reviewer": "nobody",
        "common": "i the to",
        "guarded": "sink",
        "concepts": {"sink": "sink | go under", "want": "want to | wish to"},
        "cues": {"negation": "not {want}~"},
        "idioms": [
            {"id": "xx.idiom", "review": "none", "reason": "idiom", "say": "sink a ship"},
        ],
        "rules": [
            {
                "id": "xx.sink",
                "kind": "suicide",
                "level": "high",
                "review": "none",
                "say": "{want} {sink}",
            },
        ],
    }
    return body | changes
