"""Counts and histograms as Prometheus reads them."""

from handrail.adapters.prometheus.exposition import CounterFamily, HistogramFamily, exposition

__all__ = ["CounterFamily", "HistogramFamily", "exposition"]
