"""The only door: a draft becomes an answer here, or the reason why there is none.

A gate that raises or runs past its time means `Abstention`, never a pass. Every outcome leaves with
resources, citations, a trace and a receipt.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, assert_never

from handrail.domain.outcome import (
    Abstention,
    Answer,
    Citation,
    Outcome,
    Reason,
    Refusal,
    Resource,
    SafetyResponse,
)
from handrail.domain.ranking import Candidate
from handrail.domain.reply import (
    Contracted,
    Draft,
    EvidenceBundle,
    Fragment,
    Layout,
    Quoted,
    Snippet,
)
from handrail.domain.risk import Risk
from handrail.domain.text import digest
from handrail.domain.trace import Tracer
from handrail.domain.verdict import Abstain, Escalate, Pass, Revise, Verdict
from handrail.ports import Reading
from handrail.rails import layout, receipt

GATE_SECONDS = 2.0  # a gate slower than this is broken; judging nine quotes takes about 1 ms

Line = Callable[[str], Fragment]  # the reviewed line of that name, in the reply's language


class Gate(Protocol):
    """Judges a draft against the evidence it was made from."""

    def judge(
        self, draft: Draft, *, bundle: EvidenceBundle, selected: Sequence[Snippet], message: str
    ) -> Verdict:
        """The verdict; raising counts as a broken gate."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What every outcome of one message shares; ``pins`` go into the receipt as they are."""

    flow: str
    message: str
    risk: Risk
    tracer: Tracer
    line: Line
    resources: tuple[Resource, ...]
    cases: tuple[Candidate, ...] = ()
    pins: Mapping[str, object] = field(default_factory=dict)
    rules_only: bool = False  # no model may see what was said or found
    needs_evidence: bool = True  # an answer needs a quote or a claim; a conversation does not
    reading: Reading | None = None  # the message by the embedder, where it was asked already
    clock: Callable[[], float] = time.monotonic


def release(
    draft: Draft,
    *,
    gate: Gate,
    bundle: EvidenceBundle,
    selected: Sequence[Snippet],
    context: Context,
) -> Outcome:
    """Turn a draft into an answer, or into the reason there is none."""
    verdict = _judge(draft, gate, bundle, selected, context)
    match verdict:
        case Pass(draft=kept):
            return _answer(kept, 0, context)
        case Revise(draft=kept, dropped_sentences=dropped):
            return _answer(kept, dropped, context)
        case Abstain(reason=reason, dropped_sentences=dropped):
            return abstain(reason, context, dropped_sentences=dropped)
        case Escalate():
            return safety(("safety-high",), context)
        case _:
            assert_never(verdict)


def _judge(
    draft: Draft,
    gate: Gate,
    bundle: EvidenceBundle,
    selected: Sequence[Snippet],
    context: Context,
) -> Verdict:
    with context.tracer.step("gate") as facts:
        begun = context.clock()
        try:
            verdict = gate.judge(draft, bundle=bundle, selected=selected, message=context.message)
        except Exception as error:  # noqa: BLE001  a broken gate stays shut
            facts["error"] = type(error).__name__
            return Abstain(Reason.GATE_FAILED)
        if not context.clock() - begun <= GATE_SECONDS:  # nor in a time that is no number
            facts["error"] = "time-out"
            return Abstain(Reason.GATE_FAILED)
        if not isinstance(verdict, Verdict):  # a bool or None is no verdict, whatever it meant
            facts["error"] = "no-verdict"
            return Abstain(Reason.GATE_FAILED)
        facts["verdict"] = type(verdict).__name__.lower()
        facts["reasons"] = list(getattr(verdict, "reasons", ()))
        return verdict


def _answer(draft: Draft, dropped: int, context: Context) -> Outcome:
    with context.tracer.step("render"):
        fragments = layout.render(
            draft,
            steps_lead=[context.line("layout-steps")],
            goal_lead=[context.line("layout-goal")],
        )
    stands = any(isinstance(fragment.provenance, Quoted | Contracted) for fragment in fragments)
    if not fragments or (context.needs_evidence and not stands):
        return abstain(Reason.THIN_EVIDENCE, context, dropped_sentences=dropped)
    return Answer(**_common("answer", fragments, context, dropped_sentences=dropped))


def abstain(reason: Reason, context: Context, *, dropped_sentences: int = 0) -> Abstention:
    """No answer for want of evidence; the closest cases go with it."""
    name = (
        "abstain-rephrase"
        if reason in {Reason.NOTHING_SIMILAR, Reason.OUT_OF_SCOPE}
        else "abstain-evidence"
        if reason is Reason.THIN_EVIDENCE
        else "abstain-fault"
    )
    fields = _common(
        f"abstention:{reason.value}",
        _lines((name,), context),
        context,
        dropped_sentences=dropped_sentences,
    )
    return Abstention(reason=reason, **fields)


def refuse(
    reason: Reason, context: Context, *, lines: Sequence[str] = ("refusal-policy",)
) -> Refusal:
    """No answer by policy, in reviewed ``lines``."""
    said = _lines(lines, context)
    return Refusal(reason=reason, **_common(f"refusal:{reason.value}", said, context))


def safety(
    lines: Sequence[str],
    context: Context,
    *,
    gap: str = "\n\n",
    opening: Sequence[Fragment] = (),
) -> SafetyResponse:
    """Reviewed lines and resources only: what a message at moderate or high gets (C38).

    ``gap`` is white space between two lines; ``opening`` are reviewed lines, and the person's own
    words, in a paragraph before them.
    """
    said = (*opening, *([Fragment("\n\n", Layout())] if opening else []))
    return SafetyResponse(**_common("safety", (*said, *_lines(lines, context, gap)), context))


def _lines(names: Sequence[str], context: Context, gap: str = "\n\n") -> tuple[Fragment, ...]:
    out: list[Fragment] = []
    for name in names:
        out += [Fragment(gap, Layout())] if out else []
        out.append(context.line(name))
    return tuple(out)


def _common(
    kind: str, fragments: tuple[Fragment, ...], context: Context, *, dropped_sentences: int = 0
) -> dict[str, Any]:
    text = "".join(fragment.text for fragment in fragments)
    quotes = [f.provenance for f in fragments if isinstance(f.provenance, Quoted)]
    body = {
        **context.pins,
        "flow": context.flow,
        "outcome": kind,
        "message": {"sha256": digest(context.message), "chars": len(context.message)},
        "risk": {"level": context.risk.level.label, "kinds": list(context.risk.kinds)},
        "text": {"sha256": digest(text), "chars": len(text)},
        "fragments": receipt.encode(fragments),
        "resources": [resource.id for resource in context.resources],
        "cases": [candidate.passage.document_id for candidate in context.cases],
    }
    return {
        "text": text,
        "fragments": fragments,
        "citations": tuple(dict.fromkeys(map(_citation, quotes))),
        "resources": context.resources,
        "cases": context.cases,
        "risk": context.risk,
        "dropped_sentences": dropped_sentences,
        "receipt": receipt.sealed(body),
        "trace": context.tracer.trace(),
    }


def _citation(quote: Quoted) -> Citation:
    return Citation(
        case_id=quote.case_id, sent_id=quote.sent_id, start=quote.span.start, end=quote.span.end
    )
