"""Labelled thoughts: our own bank, and public files whose labels are mapped to the ten traps."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from handrail.content.loader import ROOT, load
from handrail.errors import InvalidInput, NotFound
from handrail.evals.banks import LanguageCode, Query

Half = Literal["dev", "held"]

DISTORTION_BANK = ROOT / "banks" / "distortions.jsonl"
_LABELS = "banks/distortion-labels.yaml"
_ARROW = "->"  # the public file ends each thought so
_ID_DIGITS = 12


class Thought(Query):
    """A thought and the traps that it shows, the chief one first; none where it is plain."""

    language: LanguageCode
    distortions: tuple[str, ...]
    split: Half


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _Label(_Strict):
    id: str
    labels: tuple[str, ...]
    trap: str | None = None
    undistorted: bool = False
    review: str
    why: str


class _Labels(_Strict):
    id: str
    version: str
    language: str
    reviewer: str
    source: str
    items: tuple[_Label, ...]

    def by_name(self) -> Mapping[str, _Label]:
        return {name: item for item in self.items for name in item.labels}


class _Row(_Strict):
    prompt: str
    completion: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Public:
    """The thoughts of a public file, and how many rows and prompts its labels left out."""

    thoughts: tuple[Thought, ...]
    rows: int
    rows_left_out: int
    prompts_left_out: int


def read_public(path: Path) -> Public:
    """The thoughts of a public file, each prompt once, by the labels that map to a trap.

    No text goes into an id or an error. Raises `InvalidInput` or `NotFound`.
    """
    known = load(_LABELS, _Labels).by_name()
    found: dict[str, list[_Label]] = {}
    rows = 0
    for number, row in _rows(path):
        label = known.get(row.completion.strip())
        if label is None:
            raise InvalidInput(f"{path.name!r} line {number}: has a label that is not mapped")
        found.setdefault(row.prompt, []).append(label)
        rows += 1
    thoughts = [_thought(prompt, labels) for prompt, labels in found.items()]
    kept = tuple(thought for thought in thoughts if thought is not None)
    unmapped = (not (label.trap or label.undistorted) for each in found.values() for label in each)
    return Public(
        thoughts=kept,
        rows=rows,
        rows_left_out=sum(unmapped),
        prompts_left_out=len(thoughts) - len(kept),
    )


def _rows(path: Path) -> Iterator[tuple[int, _Row]]:
    if not path.is_file():
        raise NotFound(f"there is no file {str(path)!r}")
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
        if line.strip():
            try:
                yield number, _Row.model_validate_json(line)
            except ValidationError:
                raise InvalidInput(
                    f"{path.name!r} line {number}: is not an object of prompt and completion"
                ) from None


def _thought(prompt: str, labels: Sequence[_Label]) -> Thought | None:
    traps = sorted({label.trap for label in labels if label.trap})
    if not traps and not any(label.undistorted for label in labels):
        return None
    digest = hashlib.sha256(prompt.encode("utf-8", "surrogatepass"))
    return Thought(
        id=digest.hexdigest()[:_ID_DIGITS],
        text=prompt.removesuffix(_ARROW).strip() or _ARROW,
        language="en",
        distortions=tuple(traps),
        split="held" if digest.digest()[0] % 2 else "dev",
    )
