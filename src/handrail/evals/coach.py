"""Does the coach answer concerns, refuse the rest, and prove what it says."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from handrail.domain.outcome import Answer, Citation, Outcome
from handrail.domain.text import case_id
from handrail.engine import STARTER, Engine
from handrail.evals import metrics
from handrail.evals.banks import COACH_BANK, Message, read_messages
from handrail.evals.intervals import Estimate, percentile, share
from handrail.evals.labels import Labels
from handrail.evals.retrieval import HIT, Progress, silent, three_cases
from handrail.evals.scorecard import Scorecard
from handrail.retrieval.store import CaseStore
from handrail.wire import coach_body

IN, OUT = "in", "out"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What became of one message; ``gated`` is None where no draft reached the evidence gate."""

    message: Message
    outcome: str
    decided_by: str | None
    gated: bool | None
    citations: int
    citations_held: int
    receipt_held: bool
    hit: bool | None
    ms: float

    @property
    def refused(self) -> bool:
        """Abstentions, refusals and safety responses all count (resolution 9)."""
        return self.outcome != "answer"


def run_coach(
    engine: Engine,
    *,
    collection: str = STARTER,
    bank: Path | None = None,
    group_by: str | None = None,
    progress: Progress = silent,
) -> Scorecard:
    """Measure the coach over ``collection`` with a bank, by default the packaged one.

    Messages are asked one after another on one thread, after one that is not counted. Raises
    `InvalidInput` or `NotFound` for a bank that cannot be used, and what opening the collection
    raises.
    """
    messages = read_messages(bank or COACH_BANK)
    coach = engine.coach_for(collection)
    labels = Labels.of(coach.search.collection, group_by)
    replies = []
    with asyncio.Runner() as loop:
        ask = _asker(engine, collection, loop)
        ask(messages[0].text)
        for done, message in enumerate(messages, start=1):
            replies.append(_reply(engine, collection, labels, message, ask))
            progress(done, len(messages))
    return Scorecard(
        suite="coach",
        collection=coach.search.collection.pin(),
        pipeline=coach.search.pipeline,
        decider=coach.model.name if coach.model else "twin",
        metrics=_estimates(replies),
        counts=_counts(replies),
        misses=_misses(replies),
    )


def _asker(
    engine: Engine, collection: str, loop: asyncio.Runner
) -> Callable[[str], tuple[Outcome, float]]:
    def ask(text: str) -> tuple[Outcome, float]:
        begun = time.perf_counter()
        outcome = loop.run(engine.coach(text, collection=collection))
        return outcome, (time.perf_counter() - begun) * 1000

    return ask


def _reply(
    engine: Engine,
    collection: str,
    labels: Labels,
    message: Message,
    ask: Callable[[str], tuple[Outcome, float]],
) -> Reply:
    outcome, ms = ask(message.text)
    search = engine.searcher(collection)
    answered = isinstance(outcome, Answer)
    decider = outcome.trace.step("decider")
    held = [citation_holds(outcome.text, c, search.collection) for c in outcome.citations]
    wanted = labels.known & set(message.relevant)
    return Reply(
        message=message,
        outcome=type(outcome).__name__.lower(),
        decided_by=str(decider.facts.get("by")) if decider else None,
        gated=answered if outcome.trace.step("gate") else None,
        citations=len(held),
        citations_held=sum(held),
        receipt_held=engine.verify(coach_body(outcome).model_dump(mode="json")).ok,
        hit=_hit(three_cases(search, labels, message.text), wanted) if wanted else None,
        ms=ms,
    )


def citation_holds(text: str, citation: Citation, store: CaseStore) -> bool:
    """Whether the cited bytes are stored, are a whole sentence, and stand in the reply's text.

    The case's id must be the hash of what is stored under it, so that a corpus that was changed
    after indexing fails as well.
    """
    case = store.by_id(citation.case_id)
    if case is None or case_id(case.context, case.response) != case.id:
        return False
    places = {at: (span.start, span.end) for at, span in enumerate(case.sentences)}
    whole = places.get(citation.sent_id) == (citation.start, citation.end)
    return whole and case.response[citation.start : citation.end] in text


def _hit(returned: Sequence[str], wanted: frozenset[str]) -> bool:
    return bool(metrics.hit(returned, wanted))


def _estimates(replies: Sequence[Reply]) -> dict[str, Estimate]:
    """Every figure; the labelled one only where the bank has labels for this corpus (C66)."""
    times = [reply.ms for reply in replies]
    cited = sum(reply.citations for reply in replies)
    found = {
        "refusal_rate.in": _rate(r.refused for r in replies if r.message.kind == IN),
        "refusal_rate.out": _rate(r.refused for r in replies if r.message.kind == OUT),
        "citations_verified": share(sum(reply.citations_held for reply in replies), cited),
        "receipts_verified": _rate(reply.receipt_held for reply in replies),
        "gate_pass_rate": _rate(r.gated for r in replies if r.gated is not None),
        "latency_p50_ms": percentile(times, 0.50),
        "latency_p95_ms": percentile(times, 0.95),
    }
    hits = [reply.hit for reply in replies if reply.hit is not None]
    return {**found, HIT: _rate(hits)} if hits else found


def _rate(flags: Iterable[bool]) -> Estimate:
    seen = list(flags)
    return share(sum(seen), len(seen))


def _counts(replies: Sequence[Reply]) -> dict[str, int]:
    outcomes = Counter(reply.outcome for reply in replies)
    deciders = Counter(reply.decided_by for reply in replies)
    return {
        "messages": len(replies),
        "messages_in": sum(reply.message.kind == IN for reply in replies),
        "messages_out": sum(reply.message.kind == OUT for reply in replies),
        **{name: outcomes[name] for name in ("answer", "abstention", "refusal", "safetyresponse")},
        "decided_by_model": deciders["model"],
        "decided_by_fallback": deciders["fallback"],
        "citations": sum(reply.citations for reply in replies),
    }


def _misses(replies: Sequence[Reply]) -> Mapping[str, tuple[str, ...]]:
    def ids(missed: Callable[[Reply], bool]) -> tuple[str, ...]:
        return tuple(reply.message.id for reply in replies if missed(reply))

    return {
        "refusal_rate.in": ids(lambda r: r.refused and r.message.kind == IN),
        "refusal_rate.out": ids(lambda r: not r.refused and r.message.kind == OUT),
        "citations_verified": ids(lambda r: r.citations_held < r.citations),
        "receipts_verified": ids(lambda r: not r.receipt_held),
        "gate_pass_rate": ids(lambda r: r.gated is False),
        HIT: ids(lambda r: r.hit is False),
    }
