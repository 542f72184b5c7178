"""What somebody waits for who has just installed the package: import, first answer, second."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from children import environment
from figures import Figure, Skip, single, times

REPEATS = 7
MESSAGE = "I feel worthless and anxious"  # C59a
COMMAND = "import sys; from handrail.cli import main; sys.exit(main())"
ANSWERED_OR_NOT = (0, 3)


def measure(scratch: Path) -> list[Figure]:
    """Wall-clock of fresh processes; the first command indexes the starter corpus."""
    home = str(scratch / "first-home")
    bare = [_python("pass", home) for _ in range(REPEATS)]
    imports = [_python("import handrail", home) for _ in range(REPEATS)]
    return [
        *times("startup.interpreter", bare),
        *times("startup.import_handrail", imports),
        single("startup.first_command", "ms", _python(COMMAND, home, "coach", MESSAGE)),
        *times(
            "startup.next_command",
            [_python(COMMAND, home, "coach", MESSAGE) for _ in range(REPEATS)],
        ),
    ]


def _python(code: str, home: str, *arguments: str) -> float:
    begun = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env=environment({"HANDRAIL_HOME": home}),
        capture_output=True,
        text=True,
        check=False,
    )
    ms = (time.perf_counter() - begun) * 1000
    if done.returncode not in ANSWERED_OR_NOT or done.stderr.startswith("Traceback"):
        raise Skip((done.stderr.strip().splitlines() or ["the command failed"])[-1])
    return ms
