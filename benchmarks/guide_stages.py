"""One message through the guide's search, stage by stage, its vectors being known."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from handrail.domain.entity import Audience, ChatType
from handrail.domain.ranking import Candidate
from handrail.domain.risk import Risk
from handrail.domain.trace import Tracer
from handrail.flows.guide.catalogue import Catalogue
from handrail.flows.guide.channels import CHANNELS, like
from handrail.flows.guide.conditions import State
from handrail.flows.guide.found import Asked, Found
from handrail.flows.guide.merge import merged
from handrail.flows.guide.search import GuideSearch
from handrail.flows.guide.text import normal
from handrail.flows.guide.twin import LATE, LIKE, Twin
from handrail.ports import Reading
from handrail.retrieval.channel import ChannelRanking
from handrail.retrieval.late import meet


@dataclass(frozen=True, slots=True)
class Question:
    """A message, what is known of who wrote it, and what the embedder made of it."""

    text: str
    user_state: Mapping[str, object]
    reading: Reading
    chat_type: ChatType | None = None


class Clock:
    """Milliseconds by stage; ``NAME_cpu`` is the processor time of the same stretch."""

    def __init__(self) -> None:
        self.ms: defaultdict[str, list[float]] = defaultdict(list)

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        """Time a stage."""
        wall, cpu = time.perf_counter(), time.process_time()
        yield
        took, worked = time.perf_counter() - wall, time.process_time() - cpu
        self.ms[name].append(took * 1000)
        self.ms[f"{name}_cpu"].append(worked * 1000)


def ask(search: GuideSearch, question: Question, clock: Clock) -> Found:
    """Every stage by itself, then the whole search as a caller has it."""
    catalogue = search.catalogue()
    with clock("four"):
        asked = _asked(catalogue, question, clock)
        found = [_ranking(search, catalogue, asked, number, clock) for number in range(4)]
    with clock("merge"):
        ranking = merged(found, entities=catalogue.by_id, pins={}, limits=search.limits)
    candidates = _met(catalogue, question.reading, ranking.candidates, clock)
    with clock("twin"):
        Twin(catalogue.by_id, search.limits, search.evidence).order(candidates)
    with clock("find"):
        return find(search, question)


def find(search: GuideSearch, question: Question) -> Found:
    """The search with the message's reading at hand, as it is where the front has read it."""
    return search.find(
        question.text,
        question.user_state,
        risk=Risk(),
        tracer=Tracer("bench"),
        chat_type=question.chat_type,
        reading=question.reading,
    )


def _asked(catalogue: Catalogue, question: Question, clock: Clock) -> Asked:
    state = State.read(question.user_state)
    audience = Audience(str(state.values.get("user_type", Audience.PARENT.value)))
    with clock("scan"):
        said = normal(question.text)
        triggers, keywords = catalogue.triggers.scan(said), catalogue.keywords.find(said)
    return Asked(
        text=question.text,
        normal=said,
        state=state,
        audience=audience,
        chat_type=question.chat_type,
        visible=catalogue.visible(audience, question.chat_type),
        readings=(question.reading,),
        triggers=triggers,
        keywords=keywords,
    )


def _ranking(
    search: GuideSearch, catalogue: Catalogue, asked: Asked, number: int, clock: Clock
) -> ChannelRanking:
    channel = CHANNELS[number]
    with clock(channel.name):
        return channel.search(catalogue, asked, k=search.limits.depths[channel.name])


def _met(
    catalogue: Catalogue, reading: Reading, candidates: Sequence[Candidate], clock: Clock
) -> Sequence[Candidate]:
    """The candidates that words may find, each with its likeness and how well words meet words."""
    meaning = catalogue.meaning
    found = [one for one in candidates if one.passage.id in catalogue.row]
    if meaning is None or meaning.words is None or not found:
        return found
    rows = [catalogue.row[one.passage.id] for one in found]
    with clock("late"):
        likeness = like(meaning, reading.vector, rows).tolist()
        late = meet(reading, meaning.words, rows).forward.tolist()
    return [
        replace(one, parts={LIKE: likeness[at], LATE: late[at]}) for at, one in enumerate(found)
    ]
