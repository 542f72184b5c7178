"""The only door: what may leave, with what, and what happens when the gate is broken."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
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
from handrail.domain.ranking import Candidate
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
from handrail.domain.scores import Score, ScoreKind
from handrail.domain.text import Passage, Span, digest
from handrail.domain.trace import Tracer
from handrail.domain.verdict import Abstain, Escalate, Pass, Revise, Verdict
from handrail.rails import release
from handrail.rails.helplines import Helplines
from handrail.rails.receipt import encode, opened
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


WAYS: dict[str, tuple[Callable[[], Outcome], type, str]] = {
    "sound": (lambda: released(sound_draft()), Answer, "answer"),
    "thin": (lambda: released(THIN), Abstention, "abstention:thin-evidence"),
    "broken": (
        lambda: released(sound_draft(), Stub(RuntimeError("broken"))),
        Abstention,
        "abstention:gate-failed",
    ),
    "escalated": (
        lambda: released(sound_draft(), Stub(Escalate(Risk(level=Level.HIGH)))),
        SafetyResponse,
        "safety",
    ),
    "refused": (lambda: release.refuse(Reason.POLICY, context()), Refusal, "refusal:policy"),
    "safe": (
        lambda: release.safety(("safety-high", "resources-lead"), context()),
        SafetyResponse,
        "safety",
    ),
    "nothing similar": (
        lambda: release.abstain(Reason.NOTHING_SIMILAR, context()),
        Abstention,
        "abstention:nothing-similar",
    ),
}


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def outcome(way: str) -> Outcome:
    """One outcome of every kind."""
    return WAYS[way][0]()


def test_a_draft_leaves_as_what_the_gate_made_of_it(way: str, outcome: Outcome) -> None:
    assert type(outcome) is WAYS[way][1]
    assert outcome.receipt.body["outcome"] == WAYS[way][2]


def test_c67_every_outcome_has_resources_a_receipt_and_a_trace(outcome: Outcome) -> None:
    assert outcome.resources
    assert all(resource.value and resource.label for resource in outcome.resources)
    assert len(outcome.receipt.id) == 64
    assert outcome.trace.trace_id == "trace-1"


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
    for make, _, _ in WAYS.values():
        outcome = make()
        kept = json.dumps(outcome.receipt.body) + repr(outcome.trace)
        assert "breathing" not in kept
        assert "lie awake" not in kept


def test_the_same_draft_leaves_with_the_same_receipt() -> None:
    assert released(sound_draft()).receipt == released(sound_draft()).receipt
    assert released(THIN).receipt != released(sound_draft()).receipt


def test_a_receipt_pins_what_the_outcome_was_made_of(outcome: Outcome) -> None:
    body = outcome.receipt.body
    assert body["flow"] == "coach"
    assert body["message"] == {"sha256": digest(MESSAGE), "chars": len(MESSAGE)}
    assert body["text"] == {"sha256": digest(outcome.text), "chars": len(outcome.text)}
    assert body["fragments"] == encode(outcome.fragments)
    assert body["resources"] == [resource.id for resource in outcome.resources]
    assert body["risk"] == {"level": "none", "kinds": []}
    assert body["cases"] == []
    assert opened(body) == outcome.receipt


def rich() -> release.Context:
    """A context with a risk, a case that was found and a pin of its own."""
    found = Passage(id="p", document_id="calm", text="Slow.", span=Span(0, 5))
    case = Candidate(passage=found, score=Score(ScoreKind.COSINE, 0.5))
    return replace(
        context(),
        risk=Risk(level=Level.MILD, kinds=("sleep",)),
        cases=(case,),
        pins={"content": "abc", "flow": "a pin never hides a fact"},
    )


def test_a_receipt_pins_the_risk_the_cases_and_what_the_flow_adds() -> None:
    outcome = release.refuse(Reason.POLICY, rich())
    body = outcome.receipt.body
    assert body["risk"] == {"level": "mild", "kinds": ["sleep"]}
    assert body["cases"] == ["calm"]
    assert (body["content"], body["flow"]) == ("abc", "coach")
    assert (outcome.risk, outcome.cases) == (rich().risk, rich().cases)


@pytest.mark.parametrize(
    ("reason", "name"),
    [
        (Reason.NOTHING_SIMILAR, "abstain-rephrase"),
        (Reason.OUT_OF_SCOPE, "abstain-rephrase"),
        (Reason.THIN_EVIDENCE, "abstain-evidence"),
        (Reason.GATE_FAILED, "abstain-fault"),
        (Reason.RAIL_FAILED, "abstain-fault"),
    ],
)
def test_each_reason_has_its_reviewed_line(reason: Reason, name: str) -> None:
    outcome = release.abstain(reason, context(), dropped_sentences=2)
    assert outcome.text == line(name).text
    assert (outcome.reason, outcome.dropped_sentences) == (reason, 2)
    assert release.abstain(reason, context()).dropped_sentences == 0


def test_lines_stand_in_their_order_with_the_gap_between_them() -> None:
    names = ("safety-high", "resources-lead", "abstain-fault")
    texts = [line(name).text for name in names]
    assert release.safety(names, context()).text == "\n\n".join(texts)
    close = release.safety(names, context(), gap=" ")
    assert close.text == " ".join(texts)
    assert [f.text for f in close.fragments if isinstance(f.provenance, Layout)] == [" ", " "]


def test_what_was_dropped_is_counted_on_every_way_out() -> None:
    assert released(sound_draft()).dropped_sentences == 0
    less = Draft((*sound_draft().blocks, step(quoted(STEADY, 3), 1)))
    assert released(less).dropped_sentences == 2
    opening = content().validation[0]
    bare = Draft((block(BlockKind.VALIDATION, vetted(opening.id, opening.text)),))
    assert released(bare, Stub(Revise(bare, 3, ("step:overlap",)))).dropped_sentences == 3


@pytest.mark.parametrize(
    ("says", "facts"),
    [
        (Pass(sound_draft()), {"verdict": "pass", "reasons": []}),
        (
            Revise(sound_draft(), 1, ("step:overlap",)),
            {"verdict": "revise", "reasons": ["step:overlap"]},
        ),
        (
            Abstain(Reason.THIN_EVIDENCE, 1, ("goal:overlap",)),
            {"verdict": "abstain", "reasons": ["goal:overlap"]},
        ),
        (Escalate(Risk()), {"verdict": "escalate", "reasons": []}),
        (None, {"error": "no-verdict"}),
    ],
)
def test_the_trace_tells_the_verdict_and_its_reasons(
    says: object, facts: dict[str, object]
) -> None:
    found = released(sound_draft(), Stub(says)).trace.step("gate")
    assert found is not None
    assert found.facts == facts


def test_the_trace_tells_of_a_gate_that_was_too_slow() -> None:
    for seconds in (GATE_SECONDS + 0.01, float("nan")):
        outcome = released(sound_draft(), seconds=seconds)
        assert isinstance(outcome, Abstention)
        found = outcome.trace.step("gate")
        assert found is not None
        assert found.facts == {"error": "time-out"}


def test_an_answer_was_rendered_under_its_reviewed_leads() -> None:
    outcome = released(sound_draft())
    assert outcome.trace.step("render") is not None
    lines = [f.provenance.item_id for f in outcome.fragments if isinstance(f.provenance, Vetted)]
    assert [name for name in lines if name.startswith("layout-")] == [
        "layout-steps.en",
        "layout-goal.en",
    ]


def test_the_gate_hears_the_draft_with_its_evidence_and_the_message() -> None:
    heard: list[object] = []

    class Listening:
        def judge(
            self, draft: Draft, *, bundle: EvidenceBundle, selected: Sequence[Snippet], message: str
        ) -> Verdict:
            heard.extend([draft, bundle, selected, message])
            return Pass(draft)

    released(sound_draft(), Listening())
    assert heard == [sound_draft(), BUNDLE, SNIPPETS, MESSAGE]
