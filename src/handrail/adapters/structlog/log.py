"""One JSON line for every run: ids, codes, flags and milliseconds (C46-C48)."""

from __future__ import annotations

import logging
import sys
from typing import Any, TextIO

from handrail.domain.outcome import FAULTS
from handrail.domain.timings import timings
from handrail.domain.trace import Run

NOT_REFUSED = frozenset({"answer", "found", "done"})
_FAULTS = frozenset(reason.value for reason in FAULTS)


class StructuredLog:
    """Writes runs to ``stream`` (standard error unless given) from ``level`` upwards.

    An ordinary run is ``info``; a crisis (C23) or a rail that failed shut is ``warning``; a defect
    is ``error``. A sink that fails costs nobody a reply: it is counted in ``failures``.
    """

    def __init__(self, *, level: str = "warning", stream: TextIO | None = None) -> None:
        import structlog

        self.failures = 0
        self._log = structlog.wrap_logger(
            structlog.PrintLogger(stream or sys.stderr),
            processors=[
                structlog.processors.add_log_level,
                structlog.processors.TimeStamper(fmt="iso", utc=True),
                structlog.processors.JSONRenderer(),
            ],
            wrapper_class=structlog.make_filtering_bound_logger(_number(level)),
            cache_logger_on_first_use=True,
        )

    def observed(self, run: Run) -> None:
        """One line about ``run``; never raises."""
        try:
            self._log.log(_number(_level(run)), "run", **fields(run))
        except Exception:  # noqa: BLE001  a full disk or a closed pipe is not the person's trouble
            self.failures += 1


def fields(run: Run) -> dict[str, Any]:
    """What the log says about a run; the facts of its steps stay in the trace."""
    flags = run.trace.flags
    return {
        "trace_id": run.trace.trace_id,
        "flow": run.flow,
        "outcome": run.outcome,
        "reason": run.reason,
        "risk": run.risk,
        "crisis": bool(flags.get("crisis")),
        "refused": run.outcome not in NOT_REFUSED,
        "fallback_used": bool(flags.get("fallback_used")),
        **{name: round(ms, 3) for name, ms in timings(run.trace).items()},
        "latency_ms": round(run.trace.ms, 3),
        "case_ids": list(run.case_ids),
        "sentence_ids": list(run.sentence_ids),
        "dropped_sentences": run.dropped_sentences,
        "receipt_id": run.receipt_id,
        **({"handoff": run.handoff} if run.handoff else {}),
    }


def _level(run: Run) -> str:
    if run.outcome == "error":
        return "error"
    if run.trace.flags.get("crisis") or run.reason in _FAULTS:
        return "warning"
    return "info"


def _number(level: str) -> int:
    return logging.getLevelNamesMapping()[level.upper()]
