"""The package's public names, all of them, and that reading the package costs nothing."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from source_tree import SRC

import handrail

PUBLIC = [
    "Abstention",
    "Answer",
    "Engine",
    "HandrailError",
    "Level",
    "Outcome",
    "Refusal",
    "Risk",
    "SafetyResponse",
    "Settings",
    "__version__",
    "build_engine",
]
HEAVY = {"bm25s", "faiss", "fastapi", "numpy", "onnxruntime", "openai", "pyarrow", "pydantic"}


def test_the_public_names_are_these() -> None:
    assert sorted(handrail.__all__) == PUBLIC


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_name_resolves_and_says_what_it_is(name: str) -> None:
    assert (getattr(handrail, name).__doc__ or "").strip()


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = handrail.no_such_name


def test_reading_the_package_loads_no_library() -> None:
    script = "import json, sys, handrail; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(SRC)},
    )
    loaded = {name.split(".")[0] for name in json.loads(done.stdout)}
    assert loaded & HEAVY == set()
