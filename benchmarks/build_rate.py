"""Building an index here against embedding the same texts with sentence-transformers on torch."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from children import call
from figures import Figure, single
from handrail.adapters.minilm import MiniLmEmbedder
from handrail.evals.intervals import Estimate, mean
from material import Material, sample

COLLECTION = "sample"


def measure(
    material: Material, scratch: Path, *, cases: int, rounds: int, python: str
) -> list[Figure]:
    """Texts a second of both, in turns, and how near our vectors are to the reference.

    Ours is the whole build: reading, cutting, embedding, both indexes, tables and hashes. The
    reference only embeds. Both have loaded their model and keep to one thread. The ratio of
    processor time is steadier where neighbours use the same cores.
    """
    file = sample(material, cases, scratch / "sample.ndjson")
    turns = [_turn(file, scratch / str(turn), python) for turn in range(rounds)]
    figures = [
        Figure("build_rate.ours", "texts/s", _rates(turns, "ours", "wall_s")),
        Figure("build_rate.reference", "texts/s", _rates(turns, "reference", "wall_s")),
        single("build_rate.ratio", "", _ratio(turns, "wall_s")),
        single("build_rate.ratio_cpu", "", _ratio(turns, "cpu_s")),
    ]
    return figures + cosines(scratch / "0")


def _turn(file: Path, home: Path, python: str) -> dict[str, Any]:
    home.mkdir()
    return {
        "ours": call("child_index.py", home, COLLECTION, file),
        "reference": call(
            "child_reference.py", home / "texts.json", home / "vectors.npy", python=python
        ),
    }


def _rates(turns: list[dict[str, Any]], who: str, clock: str) -> Estimate:
    """The median turn with the slowest and the fastest."""
    rates = [turn[who]["texts"] / turn[who][clock] for turn in turns]
    return Estimate(median(rates), min(rates), max(rates), len(rates))


def _ratio(turns: list[dict[str, Any]], clock: str) -> float:
    ratios = (
        turn["ours"]["texts"]
        / turn["ours"][clock]
        / (turn["reference"]["texts"] / turn["reference"][clock])
        for turn in turns
    )
    return float(median(ratios))


def cosines(home: Path) -> list[Figure]:
    """Cosine of each packaged int8 vector to the fp32 reference."""
    texts = json.loads((home / "texts.json").read_text())
    reference = np.load(home / "vectors.npy")
    found = np.sum(MiniLmEmbedder().embed_documents(texts) * reference, axis=1)
    return [
        Figure("vectors.cosine_mean", "", mean([float(value) for value in found])),
        single("vectors.cosine_min", "", float(found.min())),
    ]
