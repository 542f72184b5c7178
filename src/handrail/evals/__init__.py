"""Measuring: banks in, one scorecard out, every figure with its 95 % interval.

The command line wires the ``run_`` functions; nothing here prints. Progress goes to a callback,
problems are raised as errors that name file and line and never quote a row.
"""

from handrail.evals.coach import run_coach
from handrail.evals.crisis import run_crisis
from handrail.evals.evidence import read_passages, run_evidence
from handrail.evals.injection import run_injection
from handrail.evals.intervals import Estimate
from handrail.evals.protocol import run_protocol
from handrail.evals.retrieval import run_retrieval
from handrail.evals.scorecard import Scorecard
from handrail.evals.vera import run_vera

__all__ = [
    "Estimate",
    "Scorecard",
    "read_passages",
    "run_coach",
    "run_crisis",
    "run_evidence",
    "run_injection",
    "run_protocol",
    "run_retrieval",
    "run_vera",
]
