"""From three cases to at most nine sentences that may be shown, chosen and quoted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from handrail.domain.reply import EvidenceBundle, Snippet
from handrail.domain.text import Case
from handrail.rails.denylist import Denylist
from handrail.rails.quotability import Quotability

if TYPE_CHECKING:
    from handrail.ports import Matrix, Vector

PER_CASE = 3  # C26: three cases with at most three sentences each
NEAR_MESSAGE = 1  # of them, the one nearest to the message; the others are the best reasons


@dataclass(frozen=True, slots=True)
class Quotable:
    """The sentences of one case that passed the denylist and can stand alone."""

    case: Case
    sent_ids: tuple[int, ...]
    faults: Counter[str]


@dataclass(frozen=True, slots=True)
class Evidence:
    """The bundle, and what was held back by reason."""

    bundle: EvidenceBundle
    vectors: Matrix
    dropped: Counter[str]


def quotable(case: Case, *, message: str, denylist: Denylist, quotability: Quotability) -> Quotable:
    """Screen the sentences of a case before anyone can select one (C25)."""
    kept, faults = [], Counter[str]()
    for sent_id, span in enumerate(case.sentences):
        fault = quotability.fault(case, sent_id, message=message)
        if fault is None and (hits := denylist.hits(span.of(case.response))):
            fault = f"denylist:{hits[0].category}"
        if fault is None:
            kept.append(sent_id)
        else:
            faults[fault] += 1
    return Quotable(case, tuple(kept), faults)


def choose(
    screened: Sequence[Quotable],
    sentence_vectors: Sequence[Matrix],
    question: Vector,
    worth: Sequence[np.ndarray],
) -> Evidence:
    """At most `PER_CASE` sentences a case: the nearest to the message, then the best reasons.

    ``sentence_vectors[i]`` has one row for each sentence of case ``i``; ``worth[i]`` says how well
    each *quotable* sentence of it justifies some vetted step.
    """
    snippets: list[Snippet] = []
    rows: list[np.ndarray] = []
    seen: set[str] = set()
    for item, vectors, reasons in zip(screened, sentence_vectors, worth, strict=True):
        ids = list(item.sent_ids)
        similarity = vectors[ids] @ question
        for at in _picks(similarity, reasons):
            text = item.case.sentences[ids[at]].of(item.case.response)
            if text.casefold() in seen:
                continue
            seen.add(text.casefold())
            snippets.append(_snippet(item.case, ids[at], text, float(similarity[at])))
            rows.append(vectors[ids[at]])
    dropped = sum((item.faults for item in screened), Counter[str]())
    bundle = EvidenceBundle(cases=tuple(q.case for q in screened), snippets=tuple(snippets))
    width = question.shape[0]
    return Evidence(bundle, np.array(rows, np.float32).reshape(len(rows), width), dropped)


def _picks(similarity: np.ndarray, reasons: np.ndarray) -> list[int]:
    nearest = list(np.argsort(-similarity, kind="stable")[:NEAR_MESSAGE])
    others = [at for at in np.argsort(-reasons, kind="stable") if at not in nearest]
    return [int(at) for at in (*nearest, *others[: PER_CASE - len(nearest)])]


def _snippet(case: Case, sent_id: int, text: str, similarity: float) -> Snippet:
    return Snippet(
        case_id=case.id,
        sent_id=sent_id,
        span=case.sentences[sent_id],
        text=text,
        shown=text,
        similarity=similarity,
    )
