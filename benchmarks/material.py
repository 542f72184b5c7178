"""The corpus and the questions that the benchmarks run over."""

from __future__ import annotations

import os
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from handrail.content import corpora
from handrail.evals.banks import COACH_BANK, read_messages, read_queries

HERE = Path(__file__).resolve().parent
COUNSEL_CHAT = "counsel-chat/context_response.ndjson"


@dataclass(frozen=True, slots=True)
class Material:
    """A corpus as files, and everyday questions to it."""

    name: str
    files: tuple[Path, ...]
    questions: tuple[str, ...]


def material(data: Path | None) -> Material:
    """Counsel-chat where it is at hand, else the packaged starter corpus.

    It is looked for in ``data``, in ``SHARED_DATA_DIR``, and in ``../shared/data`` beside the
    checkout.
    """
    folder = data or Path(os.environ.get("SHARED_DATA_DIR") or HERE.parents[1] / "shared" / "data")
    if (file := folder / COUNSEL_CHAT).is_file():
        queries = read_queries(HERE / "queries" / "counsel-chat.jsonl")
        return Material("counsel-chat", (file,), tuple(query.text for query in queries))
    inside = (message for message in read_messages(COACH_BANK) if message.kind == "in")
    return Material("starter", tuple(corpora("starter")), tuple(row.text for row in inside))


def sample(material: Material, cases: int, path: Path) -> Path:
    """At most ``cases`` records, taken evenly from the corpus, as one file."""
    lines = [line for file in material.files for line in file.read_bytes().splitlines()]
    step = max(1, len(lines) // cases)
    path.write_bytes(b"\n".join(islice(lines[::step], cases)) + b"\n")
    return path
