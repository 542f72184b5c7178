"""Work in a process of its own: one thread, fresh memory, a clean start."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from figures import Skip

HERE = Path(__file__).resolve().parent
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Ours without settings of the caller's, held to one thread."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("HANDRAIL_")}
    return {**plain, **ONE_THREAD, **(extra or {})}


def call(script: str, *arguments: object, python: str = sys.executable) -> dict[str, Any]:
    """The object that ``script`` prints last; raises `Skip` with the end of what went wrong."""
    done = subprocess.run(
        command(script, *arguments, python=python),
        env=environment({"HANDRAIL_EMBEDDING__WORKERS": "1"}),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise Skip((done.stderr.strip().splitlines() or ["it failed"])[-1])
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def command(script: str, *arguments: object, python: str = sys.executable) -> Sequence[str]:
    """The command line of a script in this folder."""
    return [python, str(HERE / script), *map(str, arguments)]


def peak_megabytes(pid: int | str = "self") -> float:
    """The most memory that a process has held resident, by the kernel's own account."""
    return megabytes("VmHWM", pid)


def megabytes(field: str, pid: int | str = "self") -> float:
    """What the kernel counts under a name: ``VmRSS`` is resident now, ``VmHWM`` was at most."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError as error:
        raise Skip("memory is read from /proc, which is not here") from error
    line = next(line for line in status.splitlines() if line.startswith(f"{field}:"))
    return int(line.split()[1]) / 1024
