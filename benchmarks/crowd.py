"""Many people at once: each writes, waits for the reply, and writes again some seconds later.

Each turn opens a connection of its own, since a server closes one that is idle for so long; opening
it counts.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from random import Random
from urllib.parse import urlsplit

JITTER = 0.3  # a turn comes up to that share of the period earlier or later
SAID: Mapping[str, Sequence[str]] = {
    "en": (
        "Hi. I have to give a talk on Friday and I can't stop thinking about it.",
        "I keep thinking that everyone will see how nervous I am and laugh.",
        "Mostly fear, and some shame on top.",
        "about an 8",
        "Hm, maybe. Last time two people said it was fine, but they were only being polite.",
        "What do you mean by that?",
        "It sits a bit better, yes.",
        "5, 6 and 4",
        "thank you",
        "Why do I always think like that?",
    ),
    "es": (
        "Hola. El viernes doy una charla y no dejo de darle vueltas.",
        "Pienso que todos van a notar mis nervios y se van a reír.",
        "Sobre todo miedo, y algo de vergüenza.",
        "como un 8",
        "Puede ser. La última vez dos personas dijeron que estuvo bien, pero fue por educación.",
        "¿Qué quieres decir con eso?",
        "Así me suena un poco mejor, sí.",
        "5, 6 y 4",
        "gracias",
        "¿Por qué pienso siempre así?",
    ),
}


@dataclass(slots=True)
class Crowd:
    """Milliseconds of each turn that was answered, sessions begun, and turns that were not."""

    ms: list[float] = field(default_factory=list)
    sessions: int = 0
    failures: int = 0


def drive(address: str, name: str, *, people: int, period: float, seconds: float) -> Crowd:
    """Let ``people`` talk for ``seconds``, each a turn every ``period`` seconds.

    ``name`` begins the ids of their sessions.
    """
    return asyncio.run(_drive(address, name, people, period, seconds))


async def _drive(address: str, name: str, people: int, period: float, seconds: float) -> Crowd:
    crowd, until = Crowd(), time.perf_counter() + seconds
    talks = (_talk(address, f"{name}-{n}", n, period, until, crowd) for n in range(people))
    await asyncio.gather(*talks)
    return crowd


async def _talk(
    address: str, name: str, number: int, period: float, until: float, crowd: Crowd
) -> None:
    """One person: session after session, until the time is up."""
    dice = Random(number)
    await asyncio.sleep(dice.random() * period)
    while time.perf_counter() < until:
        crowd.sessions += 1
        session = f"{name}-{crowd.sessions}"
        for text in SAID[("en", "es")[number % 2]]:
            ended = await _turn(address, session, text, crowd)
            await asyncio.sleep(period * (1 + dice.uniform(-JITTER, JITTER)))
            if ended or time.perf_counter() >= until:
                break


async def _turn(address: str, session: str, text: str, crowd: Crowd) -> bool:
    """Whether the session ended with this turn."""
    body = json.dumps({"session_id": session, "message": text}).encode()
    begun = time.perf_counter()
    status, reply = await post(address, "/chat", body)
    if status != HTTPStatus.OK:
        crowd.failures += 1
        return False
    crowd.ms.append((time.perf_counter() - begun) * 1000)
    return bool(json.loads(reply).get("end_of_session"))


async def post(address: str, path: str, body: bytes) -> tuple[int, bytes]:
    """Status and body of one request on a connection of its own."""
    place = urlsplit(address)
    reader, writer = await asyncio.open_connection(place.hostname, place.port)
    try:
        head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        head += f"Connection: close\r\nContent-Length: {len(body)}\r\n\r\n"
        writer.write(head.encode() + body)
        told, _, reply = (await reader.read(-1)).partition(b"\r\n\r\n")
    finally:
        writer.close()
    return int(told.split(b" ", 2)[1]), reply
