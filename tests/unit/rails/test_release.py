"""The only door: what may leave, with what, and what happens when the gate is broken."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

import pytest
from evidence_sample import (
    BUNDLE,
    CALM,
    CASES,
    KIND,
    MESSAGE,
    SNIPPETS,
    STEADY,
    block,
    content,
    gate,
    goal,
    quoted,
    sound_draft,
    step,
    vetted,
)

from handrail.domain.outcome import Abstention, Answer, Outcome, Reason, Refusal, SafetyResponse
from handrail.domain.reply import (
    BlockKind,
    Draft,
    Echo,
    EvidenceBundle,
    Fragment,
    Layout,
    Quoted,
    Snippet,
    Vetted,
)
from handrail.domain.risk import Level, Risk
from handrail.domain.trace import Tracer
from handrail.domain.verdict import Abstain, Escalate, Pass, Verdict
from handrail.rails import release
from handrail.rails.helplines import Helplines
from handrail.rails.release import GATE_SECONDS, Gate

THIN = Draft((step(quoted(STEADY, 3)), goal(quoted(STEADY, 2))))


def line(name: str) -> Fragment:
    notice = content().notice(name)
    return Fragment(notice.text, Vetted(item_id=f"{notice.id}.en"))


def context(seconds: float = 0.0) -> release.Context:
    """A context whose clock moves ``seconds`` between two looks at it."""
    ticks: Iterator[float] = (seconds * tick for tick in count())
    return release.Context(
        flow="coach",
        message=MESSAGE,
        risk=Risk(),
        tracer=Tracer("trace-1", clock=lambda: 0.0),
        line=line,
        resources=Helplines.packaged().resources(None),
        clock=lambda: next(ticks),
    )


def released(draft: Draft, through: Gate | None = None, *, seconds: float = 0.0) -> Outcome:
    return release.release(
        draft,
        gate=through or gate(),
        bundle=BUNDLE,
        selected=SNIPPETS,
        context=context(seconds),
    )


@dataclass
class Stub:
    """A gate that says the same about every draft."""

    says: object

    def judge(
        self, draft: Draft, *, bundle: EvidenceBundle, selected: Sequence[Snippet], message: str
    ) -> Verdict:
        if isinstance(self.says, Exception):
            raise self.says
        return self.says  # type: ignore[return-value]


OUTCOMES = [
    released(sound_draft()),
    released(THIN),
    released(sound_draft(), Stub(RuntimeError("broken"))),
    released(sound_draft(), Stub(Escalate(Risk(level=Level.HIGH)))),
    release.refuse(Reason.POLICY, context()),
    release.safety(("safety-high", "resources-lead"), context()),
    release.abstain(Reason.NOTHING_SIMILAR, context()),
]
KINDS = [Answer, Abstention, Abstention, SafetyResponse, Refusal, SafetyResponse, Abstention]


def test_a_sound_draft_becomes_an_answer() -> None:
    assert [type(outcome) for outcome in OUTCOMES] == KINDS


@pytest.mark.parametrize("outcome", OUTCOMES, ids=[kind.__name__ for kind in KINDS])
def test_c67_every_outcome_has_resources_a_receipt_and_a_trace(outcome: Outcome) -> None:
    assert outcome.resources
    assert all(resource.value and resource.label for resource in outcome.resources)
    assert len(outcome.receipt.id) == 64
    assert outcome.trace.trace_id == "trace-1"


@pytest.mark.parametrize("outcome", OUTCOMES, ids=[kind.__name__ for kind in KINDS])
def test_every_character_has_its_proof(outcome: Outcome) -> None:
    assert outcome.text == "".join(fragment.text for fragment in outcome.fragments)
    assert [proof(fragment) for fragment in outcome.fragments] == [
        fragment.text for fragment in outcome.fragments
    ]


def proof(fragment: Fragment) -> str:
    """What the fragment's provenance says, looked up again."""
    match fragment.provenance:
        case Quoted(case_id=case_id, span=span):
            return span.of(next(case.response for case in CASES if case.id == case_id))
        case Vetted(item_id=item_id, piece=piece):
            return content().piece(item_id, piece)
        case Echo(span=span):
            return span.of(MESSAGE)
        case Layout():
            return fragment.text if not fragment.text.strip(" \n)0123456789") else ""
        case _:
            return ""


def test_c42_an_answer_cites_each_quote_once_with_its_offsets() -> None:
    twice = Draft((*sound_draft().blocks, block(BlockKind.EVIDENCE, quoted(CALM, 0))))
    outcome = released(twice)
    cited = [(c.case_id, c.sent_id, c.start, c.end) for c in outcome.citations]
    assert cited == [
        ("kind", 0, 0, len(KIND.sentences[0].of(KIND.response))),
        ("calm", 0, CALM.sentences[0].start, CALM.sentences[0].end),
        ("steady", 0, STEADY.sentences[0].start, STEADY.sentences[0].end),
    ]


def test_c33_thin_evidence_has_the_fixed_wording() -> None:
    outcome = released(THIN)
    assert isinstance(outcome, Abstention)
    assert outcome.reason is Reason.THIN_EVIDENCE
    assert outcome.dropped_sentences == 4
    assert outcome.text == ("I need more evidence to make suggestions. Here are the closest cases.")


def test_c44_a_policy_refusal_has_the_fixed_wording() -> None:
    outcome = release.refuse(Reason.POLICY, context())
    assert outcome.text == "I can't provide coaching for this request."


@pytest.mark.parametrize("error", [RuntimeError("x"), AssertionError(), MemoryError()])
def test_c52_a_gate_that_raises_lets_nothing_through(error: Exception) -> None:
    outcome = released(sound_draft(), Stub(error))
    assert isinstance(outcome, Abstention)
    assert outcome.reason is Reason.GATE_FAILED
    step_ = outcome.trace.step("gate")
    assert step_ is not None
    assert step_.facts == {"error": type(error).__name__}


def test_c52_a_gate_that_takes_too_long_lets_nothing_through() -> None:
    slow = released(sound_draft(), seconds=GATE_SECONDS + 0.01)
    assert isinstance(slow, Abstention)
    assert slow.reason is Reason.GATE_FAILED
    assert isinstance(released(sound_draft(), seconds=GATE_SECONDS), Answer)


@pytest.mark.parametrize("says", [True, None, "pass", object()])
def test_c52_what_is_no_verdict_lets_nothing_through(says: object) -> None:
    outcome = released(sound_draft(), Stub(says))
    assert isinstance(outcome, Abstention)
    assert outcome.reason is Reason.GATE_FAILED


def test_c52_a_fault_is_not_reported_as_thin_evidence() -> None:
    assert released(sound_draft(), Stub(RuntimeError())).text == line("abstain-fault").text


def test_an_answer_without_a_quote_cannot_leave() -> None:
    opening = content().validation[0]
    bare = Draft((block(BlockKind.VALIDATION, vetted(opening.id, opening.text)),))
    outcome = released(bare, Stub(Pass(bare)))
    assert isinstance(outcome, Abstention)
    assert outcome.reason is Reason.THIN_EVIDENCE


def test_an_empty_draft_cannot_leave() -> None:
    assert isinstance(released(Draft(())), Abstention)
    assert isinstance(released(Draft(()), Stub(Pass(Draft(())))), Abstention)


def test_c38_an_escalated_draft_becomes_help_and_nothing_of_it_is_left() -> None:
    outcome = released(sound_draft(), Stub(Escalate(Risk(level=Level.HIGH))))
    assert isinstance(outcome, SafetyResponse)
    assert outcome.citations == ()
    assert outcome.text == line("safety-high").text


def test_an_abstaining_gate_keeps_its_reason() -> None:
    outcome = released(sound_draft(), Stub(Abstain(Reason.OUT_OF_SCOPE, 3)))
    assert isinstance(outcome, Abstention)
    assert (outcome.reason, outcome.dropped_sentences) == (Reason.OUT_OF_SCOPE, 3)


def test_c48_no_text_of_the_message_or_of_a_case_is_in_receipt_or_trace() -> None:
    for outcome in OUTCOMES:
        kept = json.dumps(outcome.receipt.body) + repr(outcome.trace)
        assert "breathing" not in kept
        assert "lie awake" not in kept


def test_the_same_draft_leaves_with_the_same_receipt() -> None:
    assert released(sound_draft()).receipt == OUTCOMES[0].receipt
    assert released(THIN).receipt != OUTCOMES[0].receipt
