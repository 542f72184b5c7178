"""Whatever dies while an index is written, the collection answers: as before, or as after."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from corpus_sample import CASES, PLAIN, CountingEmbedder, case

from handrail.corpus.build import build
from handrail.corpus.library import Library
from handrail.corpus.store import Disk
from handrail.domain.text import Case
from handrail.testing.plain_formats import JsonTables

MANY = [case(f"concern {n} of many", f"Answer {n}. And more {n}.") for n in range(300)]


class PowerCut(BaseException):
    """Nothing after this is executed."""


class FailingDisk(Disk):
    """Loses power before its ``n``-th step."""

    def __init__(self, n: int) -> None:
        self._left = n

    def _step(self) -> None:
        if self._left == 0:
            raise PowerCut
        self._left -= 1

    def sync(self, path: Path) -> None:
        self._step()
        super().sync(path)

    def rename(self, old: Path, new: Path) -> None:
        self._step()
        super().rename(old, new)

    def remove(self, path: Path) -> None:
        self._step()
        super().remove(path)


def add(library: Library, cases: list[Case], disk: Disk) -> bool:
    """Whether the build came to its end."""
    try:
        build(
            library.home,
            "main",
            cases,
            embedder=library.embedder,
            formats=library.formats,
            disk=disk,
        )
    except PowerCut:
        return False
    return True


def test_c11_a_power_cut_before_any_step_leaves_a_whole_index(library: Library) -> None:
    add(library, list(CASES[:2]), Disk())
    counts = []
    for n in range(1_000):
        whole = add(library, [*CASES, case(f"attempt {n}", "Go on.")], FailingDisk(n))
        library.verify("main")
        counts.append(len(library.open("main").cases))
        if whole:
            break
    else:
        pytest.fail("the build never came to its end")
    assert len(counts) > 20
    assert counts[0] == 2
    assert counts == sorted(counts)
    assert counts[-1] >= 5


def test_a_power_cut_before_the_first_index_leaves_none(library: Library) -> None:
    assert not add(library, list(CASES), FailingDisk(3))
    assert not library.exists("main")
    assert add(library, list(CASES), Disk())
    assert len(library.open("main").cases) == 4


def test_what_was_embedded_before_a_power_cut_is_not_embedded_again(library: Library) -> None:
    assert not add(library, list(CASES), FailingDisk(5))
    assert isinstance(library.embedder, CountingEmbedder)
    library.embedder.asked.clear()
    assert add(library, list(CASES), Disk())
    assert library.embedder.asked == []


WRITER = """
import sys, time
from pathlib import Path
sys.path.insert(0, {tests!r})
from corpus_sample import PLAIN, CountingEmbedder
from test_crash import MANY
from handrail.corpus.build import build

class Slow(CountingEmbedder):
    def embed_documents(self, texts):
        time.sleep(0.02)
        return super().embed_documents(texts)

print("ready", flush=True)
build(Path({home!r}), "main", MANY, embedder=Slow(), formats=PLAIN)
print("done", flush=True)
"""


def start_writer(home: Path) -> subprocess.Popen[str]:
    code = WRITER.format(tests=str(Path(__file__).parent), home=str(home))
    writer = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    assert writer.stdout.readline() == "ready\n"
    return writer


@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGINT], ids=["kill", "ctrl-c"])
def test_a_killed_process_leaves_a_whole_index_and_the_next_goes_on(
    library: Library, ending: signal.Signals
) -> None:
    add(library, list(CASES), Disk())
    dice = random.Random(11)
    for _ in range(4):
        with start_writer(library.home) as writer:
            time.sleep(dice.uniform(0, 0.25))
            writer.send_signal(ending)
        library.verify("main")
        assert len(library.open("main").cases) in (4, 304)
    assert add(library, MANY, Disk())
    assert len(library.open("main").cases) == 304
    names = {path.name for path in (library.home / "collections" / "main").iterdir()}
    assert names == {library.open("main").manifest.checksum[:12], "current", "lock"}


def test_readers_find_a_whole_index_while_a_writer_swaps(library: Library) -> None:
    add(library, list(CASES[:1]), Disk())
    opened = 0
    with start_writer(library.home) as writer:
        while writer.poll() is None:
            library.open("main")
            opened += 1
    assert opened > 1
    assert len(library.open("main").cases) == 301


def test_the_index_goes_where_the_reader_looked_and_the_reader_looks_again(
    library: Library,
) -> None:
    """A swap between reading ``current`` and opening the files is no damage."""
    add(library, list(CASES[:1]), Disk())
    tables = SwapsOnce(lambda: add(library, list(CASES), Disk()))
    reader = replace(library, formats=replace(PLAIN, tables=tables))
    assert len(reader.open("main").cases) == 4


class SwapsOnce(JsonTables):
    """Tables that let a writer finish just before the first read."""

    def __init__(self, swap: Callable[[], object]) -> None:
        self._swaps = [swap]

    def read(self, path: Path) -> Mapping[str, Sequence[str]]:
        while self._swaps:
            self._swaps.pop()()
        return super().read(path)
