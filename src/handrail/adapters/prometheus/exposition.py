"""Prometheus and OpenMetrics text from plain counts; nothing global, nothing about the process."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, assert_never

if TYPE_CHECKING:
    from prometheus_client import Metric

Labels = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CounterFamily:
    """Counters that differ in the values of ``labels``."""

    name: str
    help: str
    labels: Labels = ()
    samples: Mapping[Labels, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class HistogramFamily:
    """Histograms as upper bounds with cumulative counts (the last bound is ``+Inf``), and sums."""

    name: str
    help: str
    labels: Labels = ()
    samples: Mapping[Labels, tuple[Sequence[tuple[str, float]], float]]


@dataclass(eq=False, slots=True)
class _Collector:
    families: Sequence[CounterFamily | HistogramFamily]

    def collect(self) -> Iterator[Metric]:
        """Every family, in order."""
        return map(_metric, self.families)


def exposition(
    families: Sequence[CounterFamily | HistogramFamily], accept: str
) -> tuple[bytes, str]:
    """The text and its media type: OpenMetrics where ``accept`` asks for it."""
    from prometheus_client import CollectorRegistry
    from prometheus_client.exposition import choose_encoder

    registry = CollectorRegistry()
    registry.register(_Collector(families))
    encoder, media_type = choose_encoder(accept)
    return encoder(registry), media_type


def _metric(family: CounterFamily | HistogramFamily) -> Metric:
    from prometheus_client import core

    metric: Any
    match family:
        case CounterFamily():
            metric = core.CounterMetricFamily(family.name, family.help, labels=family.labels)
            for labels, value in sorted(family.samples.items()):
                metric.add_metric(labels, value)
        case HistogramFamily():
            metric = core.HistogramMetricFamily(family.name, family.help, labels=family.labels)
            for labels, (buckets, total) in sorted(family.samples.items()):
                metric.add_metric(labels, buckets, total)
        case _:
            assert_never(family)
    made: Metric = metric
    return made
