"""Spellings that are compared as one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from pydantic import BaseModel, ConfigDict, Field

from handrail.content.loader import load

FILE = "guide/spellings.en.yaml"


class _File(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    version: int
    language: str
    reviewer: str
    source: str
    rows: tuple[tuple[str, ...], ...] = Field(min_length=1)


@cache
def spellings() -> Mapping[str, str]:
    """Each other spelling and the one that stands for it; raises `ContentInvalid`."""
    return {other: row[0] for row in load(FILE, _File).rows for other in row[1:]}
