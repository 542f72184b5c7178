"""Build one catalogue of the guide, ask it message by message, print what it took: HOME COUNT.

COUNT invented entities; 0 stands for the packaged ones, asked what the packaged banks ask.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from children import megabytes
from guide_stages import Clock, Question, ask, find
from handrail.adapters.re2 import Re2Engine
from handrail.bootstrap import build_embedder
from handrail.bootstrap.guide import build_search, compiled
from handrail.content.entities import packaged_entities
from handrail.corpus.reading import read_message, reads_tokens
from handrail.domain.entity import ChatType, Entity
from handrail.evals.guide.bank import PACKAGED, read_guide
from handrail.flows.guide.catalogue import Catalogue
from handrail.flows.guide.words import EntityReading, condensed
from handrail.ports import TokenEmbedder
from handrail.settings import Settings, load_settings
from many_entities import many
from many_vectors import MixedEmbedder
from plain_guide import PlainGuide

WARM = 20
PLAIN = 100  # messages that the plain loops answer as well; they take long
T = TypeVar("T")
Said = tuple[str, dict[str, object], ChatType | None]


@dataclass(frozen=True, slots=True)
class Case:
    """Entities, what is said to them, and who reads their texts."""

    entities: tuple[Entity, ...]
    said: Sequence[Said]
    reader: TokenEmbedder


def main(home: str, count: str) -> None:
    """Figures as one object: numbers, and under ``ms`` the milliseconds of every stage."""
    settings = load_settings(home=Path(home))
    embedder = build_embedder(settings)
    assert reads_tokens(embedder)
    case = _invented(embedder, int(count)) if int(count) else _packaged(embedder)
    questions = [
        Question(text, state, read_message(embedder, text), kind) for text, state, kind in case.said
    ]
    gc.collect()
    before = megabytes("VmRSS")
    catalogue, took = _built(case)
    gc.collect()
    memory = {"memory": megabytes("VmRSS") - before, "memory_peak": megabytes("VmHWM") - before}
    first, search_clock = _asked(settings, embedder, catalogue, questions)
    counts = {"entities": len(case.entities), "searched": len(catalogue.searched)}
    print(json.dumps({**counts, **took, **memory, "first": first, "ms": search_clock.ms}))


def _packaged(embedder: TokenEmbedder) -> Case:
    rows = [row for path in PACKAGED for row in read_guide(path)]
    said = [(row.text, row.user_state, row.chat_type) for row in rows]
    return Case(tuple(packaged_entities()), said, embedder)


def _invented(embedder: TokenEmbedder, count: int) -> Case:
    made = many(count)
    said = [(one.text, dict(one.user_state), None) for one in made.messages]
    return Case(made.entities, said, MixedEmbedder(embedder, made.pool))


def _built(case: Case) -> tuple[Catalogue, dict[str, float]]:
    """The catalogue with everything made, and the seconds for each part of it."""
    compiling, catalogue = _timed(
        partial(
            compiled,
            case.entities,
            read=partial(_readings, case.reader),
            patterns=Re2Engine(),
            vocabulary=case.reader.pieces,
        )
    )
    meaning, _ = _timed(lambda: catalogue.meaning)
    hashing, _ = _timed(lambda: catalogue.sha256)
    return catalogue, {"compile_s": compiling, "meaning_s": meaning, "hash_s": hashing}


def _readings(embedder: TokenEmbedder, texts: Sequence[Sequence[str]]) -> Sequence[EntityReading]:
    return [condensed(embedder.read(each)) for each in texts]


def _timed(work: Callable[[], T]) -> tuple[float, T]:
    begun = time.perf_counter()
    made = work()
    return time.perf_counter() - begun, made


def _asked(
    settings: Settings,
    embedder: TokenEmbedder,
    catalogue: Catalogue,
    questions: Sequence[Question],
) -> tuple[float, Clock]:
    """Milliseconds of the very first search, and of every stage once it is warm.

    The plain loops have their turn after each of the first messages, on the same machine's load.
    """
    search = build_search(settings, embedder, lambda: catalogue)
    meaning = catalogue.meaning
    assert meaning is not None
    plain = PlainGuide(catalogue.entities, meaning.pooled)
    first, _ = _timed(partial(find, search, questions[0]))
    clock = Clock()
    for at, question in enumerate([*questions[:WARM], *questions]):
        if at == WARM:
            clock = Clock()
        ask(search, question, clock)
        if WARM <= at < WARM + PLAIN:
            with clock("plain"):
                plain.search(question.text, question.reading.vector, question.user_state)
    return first * 1000, clock


if __name__ == "__main__":
    main(*sys.argv[1:])
