"""Indexing the whole corpus once: how fast, and in how much memory."""

from __future__ import annotations

from pathlib import Path

from children import call
from figures import Figure, Skip, single
from handrail.corpus.store import collection_dir, current_id
from material import Material


def stands(material: Material, home: Path) -> bool:
    """Whether the corpus is indexed in ``home``."""
    return current_id(collection_dir(home, material.name)) is not None


def measure(material: Material, home: Path) -> list[Figure]:
    """The index stays in ``home`` for the parts that ask it."""
    if stands(material, home):
        raise Skip("the folder given by --home holds the index already")
    found = call("child_index.py", home, material.name, *material.files)
    return [
        single("index.cases", "cases", found["cases"]),
        single("index.rate", "texts/s", found["texts"] / found["wall_s"]),
        single("index.seconds", "s", found["wall_s"]),
        single("memory.indexing_peak", "MB", found["peak_mb"]),
    ]
