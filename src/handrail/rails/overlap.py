"""ROUGE-L F1 between two texts: necessary for a quote, and nowhere near sufficient.

ROUGE-L is the F-measure of the longest common subsequence of tokens (Lin 2004, "ROUGE: A Package
for Automatic Evaluation of Summaries", section 3.1, equations 2 to 4, with beta = 1): with a
candidate of m tokens, a reference of n, and L tokens common to both in the same order, precision is
L / m, recall is L / n, and their harmonic mean is 2 L / (m + n). L is computed with the
bit-parallel recurrence of Hyyrö (2004, "Bit-parallel LCS-length computation revisited"): one
big-integer step a token.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_TOKEN = re.compile(r"\w+(?:['’]\w+)*", re.UNICODE)


def tokens(text: str) -> list[str]:
    """Case-folded word tokens with straight apostrophes."""
    return [token.replace("’", "'") for token in _TOKEN.findall(text.casefold())]


def lcs_length(a: Sequence[str], b: Sequence[str]) -> int:
    """Length of the longest common subsequence of two token lists."""
    positions: dict[str, int] = {}
    for index, token in enumerate(a):
        positions[token] = positions.get(token, 0) | (1 << index)
    full = (1 << len(a)) - 1
    row = full
    for token in b:
        matches = row & positions.get(token, 0)
        row = ((row + matches) | (row - matches)) & full
    return len(a) - row.bit_count()


def rouge_l(candidate: str, reference: str) -> float:
    """ROUGE-L F1 in [0, 1]; 0 when either text has no token."""
    a, b = tokens(candidate), tokens(reference)
    if not a or not b:
        return 0.0
    common = lcs_length(a, b)
    return 2 * common / (len(a) + len(b))
