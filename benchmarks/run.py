"""Measure speed and memory; figures on standard output, progress on standard error."""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import build_rate
import guide
import indexing
import over_http
import sessions
import stages
import startup
from figures import Figure, Skip, machine, table
from material import Material, material

Part = Callable[[], list[Figure]]
PARTS = ("indexing", "stages", "http", "build-rate", "startup", "sessions", "guide")


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__)
    parser.add_argument(
        "--part", dest="parts", action="append", choices=PARTS, help="this alone; may be repeated"
    )
    parser.add_argument("--data", type=Path, help="folder of third-party data (README)")
    parser.add_argument("--home", type=Path, help="keep the index here, or use the one that is")
    parser.add_argument("--rounds", type=int, default=3, help="turns of http and build-rate")
    parser.add_argument("--cases", type=int, default=150, help="cases of one turn of build-rate")
    parser.add_argument(
        "--reference-python",
        default=sys.executable,
        help="a Python with sentence-transformers, for build-rate",
    )
    parser.add_argument("--seconds", type=float, default=60.0, help="how long sessions talk")
    parser.add_argument("--entities", type=int, default=100_000, help="invented ones, for guide")
    parser.add_argument("--json", action="store_true", help="one object on standard output")
    parser.add_argument("--out", type=Path, help="write that object to a file as well")
    return parser.parse_args(arguments)


def parts(
    chosen: argparse.Namespace, over: Material, home: Path, scratch: Path
) -> Mapping[str, Part]:
    """Every part by name, in the order in which they are run."""
    return {
        "indexing": partial(indexing.measure, over, home),
        "stages": partial(stages.measure, over, home),
        "http": partial(over_http.measure, over, home, rounds=chosen.rounds),
        "build-rate": partial(
            build_rate.measure,
            over,
            scratch,
            cases=chosen.cases,
            rounds=chosen.rounds,
            python=chosen.reference_python,
        ),
        "startup": partial(startup.measure, scratch),
        "sessions": partial(sessions.measure, scratch, seconds=chosen.seconds),
        "guide": partial(guide.measure, scratch, entities=chosen.entities),
    }


def measure(wanted: Mapping[str, Part]) -> tuple[list[Figure], dict[str, str]]:
    """All figures, and why a part gave none."""
    figures: list[Figure] = []
    skipped: dict[str, str] = {}
    for name, part in wanted.items():
        print(f"{name} … (load {os.getloadavg()[0]:.1f})", file=sys.stderr)
        try:
            figures += part()
        except Skip as reason:
            skipped[name] = str(reason)
    return figures, skipped


def needed(chosen: argparse.Namespace, over: Material, home: Path) -> list[str]:
    """The parts that were asked for, and the index that they stand on."""
    wanted = set(chosen.parts or PARTS)
    if wanted & {"stages", "http"} and not indexing.stands(over, home):
        wanted.add("indexing")
    return [name for name in PARTS if name in wanted]


def main(arguments: Sequence[str]) -> int:
    """0 when every part that was asked for gave figures, 1 when one was skipped."""
    chosen = parse(arguments)
    over = material(chosen.data)
    before = os.getloadavg()
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        home = chosen.home or scratch / "home"
        home.mkdir(parents=True, exist_ok=True)
        every = parts(chosen, over, home, scratch)
        figures, skipped = measure({name: every[name] for name in needed(chosen, over, home)})
    body = {
        "suite": "bench",
        "corpus": over.name,
        "machine": {**machine(), "load_before": before, "load_after": os.getloadavg()},
        "metrics": {figure.name: figure.to_json() for figure in figures},
        "skipped": skipped,
    }
    if chosen.out:
        chosen.out.write_text(json.dumps(body, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(body) if chosen.json else "\n".join(table(figures, skipped)))
    return 1 if skipped else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
