"""Many results as tables: by entity, by channel, pairs that were mixed up, what was lost where."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from handrail.evals.guide.results import SCREEN, Result, Stage, sources
from handrail.flows.guide.limits import CHANNELS


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityLine:
    """How an entity fares as the primary of ``n`` tests, and where it was not wanted.

    ``mean_rank`` counts from 1 over the tests that found it; None where none did. ``barred`` counts
    the tests that name it as not expected, ``intruded`` those of them that showed it.
    """

    entity_id: str
    n: int
    gpa: float | None
    found: int
    first: int
    mean_rank: float | None
    barred: int
    intruded: int


@dataclass(slots=True, kw_only=True)
class ChannelLine:
    """What one channel brought: wanted entities that were shown, and candidates that were not."""

    channel: str
    found: int = 0
    alone: int = 0
    top: int = 0  # wanted entities that the channel itself had first
    candidates: int = 0
    not_shown: int = 0


@dataclass(slots=True, kw_only=True)
class Confusion:
    """Tests that wanted one entity and got another first; ``missing`` of them lack the first."""

    expected: str
    got: str
    missing: int = 0
    tests: list[str] = field(default_factory=list)


def by_entity(results: Sequence[Result]) -> tuple[EntityLine, ...]:
    """A line for each entity that some test names, the worst first; unused ones of them last."""
    primary: defaultdict[str, list[Result]] = defaultdict(list)
    barred: Counter[str] = Counter()
    intruded: Counter[str] = Counter()
    for result in results:
        if result.expected.expected_primary:
            primary[result.expected.expected_primary].append(result)
        barred.update(result.expected.unwanted)
        intruded.update(set(result.expected.unwanted).intersection(result.found.ids))
    lines = [
        _entity(name, primary.get(name, ()), barred[name], intruded[name])
        for name in {**primary, **barred}
    ]
    return tuple(sorted(lines, key=_worst_first))


def _entity(name: str, results: Sequence[Result], barred: int, intruded: int) -> EntityLine:
    ranks = [result.rank for result in results if result.rank is not None]
    return EntityLine(
        entity_id=name,
        n=len(results),
        gpa=sum(result.points.gpa for result in results) / len(results) if results else None,
        found=len(ranks),
        first=sum(result.confusion is None for result in results if result.rank is not None),
        mean_rank=sum(ranks) / len(ranks) if ranks else None,
        barred=barred,
        intruded=intruded,
    )


def _worst_first(line: EntityLine) -> tuple[float, int, str]:
    return (5.0 if line.gpa is None else line.gpa, -line.intruded, line.entity_id)


def by_channel(results: Sequence[Result]) -> tuple[ChannelLine, ...]:
    """A line for each channel, and one for the crisis screen, which pins without a channel."""
    lines = {name: ChannelLine(channel=name) for name in (*CHANNELS, SCREEN)}
    for result in results:
        _count_found(result, lines)
        shown = set(result.found.ids)
        for candidate in result.found.ranking.candidates:
            for hit in candidate.hits:
                line = lines.setdefault(hit.channel, ChannelLine(channel=hit.channel))
                line.candidates += 1
                line.not_shown += candidate.passage.id not in shown
    return tuple(lines.values())


def _count_found(result: Result, lines: dict[str, ChannelLine]) -> None:
    """Count the primary and the handlers that were found, once each."""
    expected = result.expected
    wanted = {expected.expected_primary or "", *expected.expected_handlers}
    shown = {one.entity.entity_id: one for one in result.found.final}
    for name in wanted.intersection(shown):
        by = sources(shown[name])
        top = {hit.channel for hit in shown[name].hits if hit.rank == 1}
        for channel in by:
            line = lines.setdefault(channel, ChannelLine(channel=channel))
            line.found += 1
            line.alone += len(by) == 1
            line.top += channel in top


def confusions(results: Sequence[Result]) -> tuple[Confusion, ...]:
    """The pairs, those that lost the wanted entity first, then the frequent ones."""
    pairs: dict[tuple[str, str], Confusion] = {}
    for result in results:
        if result.confusion:
            expected, got = result.confusion
            pair = pairs.setdefault(result.confusion, Confusion(expected=expected, got=got))
            pair.tests.append(result.row.id)
            pair.missing += result.points.hard_fail
    return tuple(
        sorted(pairs.values(), key=lambda p: (-p.missing, -len(p.tests), p.expected, p.got))
    )


def lost(results: Sequence[Result]) -> dict[Stage, int]:
    """How many expected entities each stage lost."""
    counted = Counter(loss.stage for result in results for loss in result.losses)
    return {stage: counted[stage] for stage in Stage}
