"""Where ports meet adapters: the only place that knows which library does what."""

from handrail.bootstrap.build import (
    build_contract_gate,
    build_embedder,
    build_engine,
    build_evidence_bench,
    build_gate,
    build_guard,
    build_model,
    build_second,
    formats,
)

__all__ = [
    "build_contract_gate",
    "build_embedder",
    "build_engine",
    "build_evidence_bench",
    "build_gate",
    "build_guard",
    "build_model",
    "build_second",
    "formats",
]
