"""Two hundred people in reframing sessions at once, against a real server with its store."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import mean

from children import command, environment, peak_megabytes
from crowd import SAID, Crowd, drive
from figures import Figure, Skip, single
from handrail.bootstrap import build_engine
from handrail.domain.timings import timings
from handrail.evals.intervals import percentile
from handrail.settings import load_settings

PEOPLE, PERIOD_SECONDS = 200, 5.0
WARM_SECONDS = 6.0
STORE = Path("sessions") / "conversations.sqlite3"
OTHERS = ("template", "adk")
ALONE = 40  # sessions of the stages


def measure(scratch: Path, *, seconds: float) -> list[Figure]:
    """Latency, load, memory and the store of the server; the same crowd at what has no rails."""
    home = scratch / "sessions-home"
    figures, ours = _served("sessions", command("child_server.py", home, "none"), seconds)
    figures += _kept(home / STORE)
    for kind in OTHERS:
        try:
            theirs, crowd = _served(f"sessions.{kind}", command("child_plain.py", kind), seconds)
        except Skip as reason:
            print(f"{kind}: skipped: {reason}", file=sys.stderr)
            continue
        figures += [*theirs, *_ratios(kind, ours, crowd)]
    return figures + stages(scratch / "stages-home")


def _served(name: str, server: Sequence[str], seconds: float) -> tuple[list[Figure], Crowd]:
    """The crowd's figures at one server, and those of its process."""
    with _running(server) as (process, address):
        drive(address, "warm", people=20, period=1.0, seconds=WARM_SECONDS)
        spent, begun = _cpu_seconds(process.pid), time.perf_counter()
        crowd = drive(address, "crowd", people=PEOPLE, period=PERIOD_SECONDS, seconds=seconds)
        share = (_cpu_seconds(process.pid) - spent) / (time.perf_counter() - begun)
        if not crowd.ms:
            raise Skip(f"all of {crowd.failures} turns failed")
        figures = [
            *(
                Figure(f"{name}.turn.p{p}", "ms", percentile(crowd.ms, p / 100))
                for p in (50, 95, 99)
            ),
            single(f"{name}.turn.max", "ms", max(crowd.ms)),
            single(f"{name}.failed", "turns", crowd.failures),
            single(f"{name}.turns_per_second", "turns/s", len(crowd.ms) / seconds),
            single(f"{name}.cpu", "cores", share),
            single(f"{name}.memory.peak", "MB", peak_megabytes(process.pid)),
        ]
    return figures, crowd


@contextmanager
def _running(server: Sequence[str]) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server that has announced its address; it is stopped afterwards."""
    with subprocess.Popen(server, env=environment(), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            address = process.stdout.readline().strip()
            if not address:
                raise Skip("the server did not start")
            yield process, address
        finally:
            process.terminate()


def _cpu_seconds(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError as error:
        raise Skip("processor time is read from /proc, which is not here") from error
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _kept(store: Path) -> list[Figure]:
    """What an idle session costs: its sealed body, and its share of the file."""
    with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as connection:
        sizes = [size for (size,) in connection.execute("SELECT length(body) FROM session")]
    whole = sum(path.stat().st_size for path in store.parent.glob(f"{store.name}*"))
    return [
        single("sessions.stored", "sessions", len(sizes)),
        single("sessions.stored.mean", "bytes", mean(sizes)),
        single("sessions.stored.max", "bytes", max(sizes)),
        single("sessions.stored.file_each", "bytes", whole / len(sizes)),
    ]


def _ratios(kind: str, ours: Crowd, theirs: Crowd) -> list[Figure]:
    """How many times as long a turn takes here, in the middle and at the slow end."""
    return [
        single(
            f"sessions.ratio_to_{kind}.p{p}",
            "",
            float(percentile(ours.ms, p / 100).value or 0)
            / float(percentile(theirs.ms, p / 100).value or 1),
        )
        for p in (50, 95)
    ]


def stages(home: Path) -> list[Figure]:
    """Every stage of a turn in the process, one session after another, and the whole."""
    return asyncio.run(_stages(home))


async def _stages(home: Path) -> list[Figure]:
    engine = build_engine(load_settings(home=home))
    seen: defaultdict[str, list[float]] = defaultdict(list)
    for number in range(ALONE + 2):
        for text in SAID[("en", "es")[number % 2]]:
            begun, begun_cpu = time.perf_counter(), time.process_time()
            told = await engine.chat(f"alone-{number}", text)
            if number < 2:
                continue  # patterns are compiled and models loaded
            seen["whole"].append((time.perf_counter() - begun) * 1000)
            seen["whole_cpu"].append((time.process_time() - begun_cpu) * 1000)
            for name, ms in timings(told.tracer.trace()).items():
                seen[name.removesuffix("_ms")].append(ms)
    await engine.close()
    return [
        Figure(f"turn.{name}.p{p}", "ms", percentile(ms, p / 100))
        for name, ms in seen.items()
        for p in (50, 95)
    ]
