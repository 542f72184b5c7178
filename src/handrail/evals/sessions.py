"""How reframing sessions go, each share and mean with its 95 % interval (A51, A53d).

The counts are those of `handrail.flows.reframe.analytics`. Intervals say how far chance reaches,
and nothing about why a session went as it did. Medians and 90th percentiles are nearest ranks.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from handrail.evals.differences import difference
from handrail.evals.intervals import NOTHING, Estimate, mean, share
from handrail.flows.reframe.analytics import Report
from handrail.flows.reframe.experiments import CONTROL

KNOWN = ("situation", "thought", "emotion", "intensity")
WRITERS = ("composer", "model", "protocol")

Figures: TypeAlias = dict[str, Any]


def figures(report: Report) -> Figures:
    """Every figure as plain values, rounded to six places; a share is over sessions or replies."""
    return {
        **_figures(report),
        "under_way": report.under_way,
        "cut": report.cut,
        "languages": {name: _figures(part) for name, part in report.languages.items()},
        "arms": _arms(report.arms),
    }


def _figures(report: Report) -> Figures:
    n = report.sessions
    return {
        "sessions": n,
        "turns": report.turns,
        "summed_up": share(report.summed_up, n).to_json(),
        "ended": share(report.ended, n).to_json(),
        "danger": share(report.danger, n).to_json(),
        "danger_in": dict(sorted(report.danger_in.items())),
        "left_in": dict(sorted(report.left_in.items())),
        "length_turns": _ranks(report.lengths),
        "length_seconds": _ranks(report.seconds),
        "anxiety_eased": _change(report.eased),
        "confidence_gained": _change(report.surer),
        "truth": _change(report.truths, moves=False),
        "known": {name: share(report.known.get(name, 0), n).to_json() for name in KNOWN},
        "writers": {
            name: share(report.writers.get(name, 0), report.turns).to_json() for name in WRITERS
        },
        "steps": [
            {"from": before, "to": after, "count": count}
            for (before, after), count in sorted(report.steps.items())
        ],
    }


def _ranks(values: Sequence[float]) -> Figures:
    """The median and the 90th percentile."""
    return {"median": _rank(values, 0.5), "p90": _rank(values, 0.9), "n": len(values)}


def _rank(values: Sequence[float], at: float) -> float | None:
    if not values:
        return None
    return round(float(sorted(values)[math.ceil(at * len(values)) - 1]), 6)


def _change(values: Sequence[int], *, moves: bool = True) -> Figures:
    """The mean and the median of what was rated; of a change also the share for the better."""
    body: Figures = {
        "mean": mean(values).to_json(),
        "median": _rank(values, 0.5),
        "n": len(values),
    }
    if moves:
        better = sum(value > 0 for value in values)
        body["improved"] = share(better, len(values)).to_json()
    return body


def _arms(arms: Mapping[str, Report]) -> Figures:
    """Each arm, and how its share of sessions with a summary differs from that of the control."""
    control = arms.get(CONTROL)
    return {
        name: {
            "sessions": arm.sessions,
            "summed_up": share(arm.summed_up, arm.sessions).to_json(),
            "anxiety_eased": _change(arm.eased),
            "summed_up_less_control": _less_control(name, arm, control).to_json(),
        }
        for name, arm in arms.items()
    }


def _less_control(name: str, arm: Report, control: Report | None) -> Estimate:
    if control is None or name == CONTROL:
        return NOTHING
    return difference((arm.summed_up, arm.sessions), (control.summed_up, control.sessions))
