"""The guide's banks: rows, the 100-point score, what each channel found, a report for people."""

from handrail.evals.guide.card import GuideCard
from handrail.evals.guide.page import page
from handrail.evals.guide.suite import run_guide

__all__ = ["GuideCard", "page", "run_guide"]
