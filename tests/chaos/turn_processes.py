"""Both ends of `killed_turns`: processes that fork for each turn, and what they gave."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

DRIVER = Path(__file__).with_name("killed_turns.py")
KILLED = -9

Said: TypeAlias = tuple[str, str]


def numbered(*texts: str) -> list[Said]:
    """Messages under ids of their own."""
    return [(f"message-{number}", text) for number, text in enumerate(texts)]


@dataclass(frozen=True)
class Script:
    """What is said in a session."""

    said: Sequence[Said]
    language: str = "en"
    model: bool = False


NORMAL = Script(
    numbered(
        "I'm anxious about a presentation",
        "everyone will judge me",
        "Fear and shame",
        "About 8",
        "yes, that fits 🙂",
        "true 6, anxiety 4, confidence 5",
        "What is mind reading?",
        "What is catastrophizing?",
    )
)
WRITTEN = Script(NORMAL.said, model=True)
DANGER = Script(
    numbered(
        "Tengo ansiedad por una presentación",
        "quiero hacerme daño",
        "estoy en España, no tengo a nadie",
        "todos me van a juzgar",
    ),
    language="es",
)


@dataclass
class Forks:
    """A process that has loaded the flow; each job is done by a child of its own."""

    process: subprocess.Popen[str]

    def begin(self, **job: Any) -> None:
        """Start a job; `end` gives how it went."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(job) + "\n")
        self.process.stdin.flush()

    def end(self) -> int:
        """The exit code of the job that was begun; -9 for a child that was killed."""
        assert self.process.stdout is not None
        return int(self.process.stdout.readline())

    def do(self, **job: Any) -> int:
        """Start a job and wait for it."""
        self.begin(**job)
        return self.end()


@contextmanager
def forks(home: Path, *, seed: int) -> Iterator[Forks]:
    """A process whose hashes of text are salted by ``seed``."""
    command = [sys.executable, str(DRIVER), str(home)]
    environment = {"PYTHONHASHSEED": str(seed), "OMP_NUM_THREADS": "1"}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            yield Forks(process)
        finally:
            process.kill()


@dataclass
class Place:
    """A store that processes share, with the files of their replies beside it."""

    store: str
    place: str
    folder: Path
    script: Script
    files: int = field(default=0)

    def job(self, said: Sequence[Said], **more: Any) -> dict[str, Any]:
        """A job in this place; its replies go into a new file."""
        self.files += 1
        return {
            "store": self.store,
            "place": self.place,
            "language": self.script.language,
            "model": self.script.model,
            "said": list(said),
            "out": str(self.out),
            **more,
        }

    @property
    def out(self) -> Path:
        """The file of the last job."""
        return self.folder / f"{self.files}.replies"

    @property
    def replies(self) -> list[str]:
        """The records of the last job, each a line of JSON; none where it died before the first."""
        if not self.out.exists():
            return []
        return self.out.read_text(encoding="ascii").splitlines()

    @property
    def beats(self) -> list[str]:
        """The events of the last turn."""
        met: list[str] = json.loads(self.out.with_suffix(".beats").read_text())
        return met


def undisturbed(forks: Forks, folder: Path, script: Script) -> list[str]:
    """The records of a session in one process that nobody kills, over a store in memory."""
    folder.mkdir(exist_ok=True)
    place = Place("memory", "", folder, script)
    assert forks.do(**place.job(script.said)) == 0
    assert len(place.replies) == len(script.said)
    return place.replies
