"""Harmless text around a message, as people write it: a greeting, small talk, a list."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal, TypeAlias, get_args

from pydantic import AfterValidator

from handrail.content.loader import ROOT
from handrail.evals.banks import LanguageCode, Query, read_rows

CARRIER_BANK = ROOT / "banks" / "crisis-carriers.jsonl"
SLOT = "{message}"
FALLBACK = "en"  # around a message in a language without carriers: a switch of language

Frame: TypeAlias = Literal["greeting", "small_talk", "story", "question", "mixed_list"]
FRAMES: tuple[str, ...] = get_args(Frame)


def _with_one_slot(text: str) -> str:
    if text.count(SLOT) != 1:
        raise ValueError(f"needs {SLOT} once")
    return text


class Carrier(Query):
    """Reviewed text with a place for a message; ``language`` is that of the messages it suits."""

    language: LanguageCode
    frame: Frame
    text: Annotated[str, AfterValidator(_with_one_slot)]

    def around(self, message: str) -> str:
        """The message in its place, closed with a full stop if it ends in a letter or digit."""
        closed = f"{message}." if message[-1:].isalnum() else message
        return self.text.replace(SLOT, closed)


Carriers: TypeAlias = Mapping[str, Sequence[Carrier]]


def read_carriers(path: Path = CARRIER_BANK) -> Carriers:
    """The carriers by language, in order; raises `InvalidInput` or `NotFound`."""
    found = defaultdict(list)
    for carrier in read_rows(path, Carrier):
        found[carrier.language].append(carrier)
    return dict(found)
