"""Each switch of a policy as the coach behaves: on and off, seen from outside."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from handrail.bootstrap import build_engine
from handrail.content.policies import load_policy
from handrail.domain.duties import DEFAULT_DUTIES, UNSEEN, Duties, NoticeState
from handrail.domain.outcome import Answer, Outcome, Reason, Referral, Refusal, SafetyResponse
from handrail.domain.reply import Quoted
from handrail.domain.trace import Run
from handrail.engine import HANDOFF_SECONDS, Engine
from handrail.settings import Settings
from handrail.testing.hash_embedder import HashEmbedder
from handrail.testing.scripted_model import ScriptedModel
from handrail.wire import coach_body

CONCERN = "My exams make me anxious and my heart races before every test."
MILD = "kms, I forgot my charger. My exams make me anxious and my heart races."
DANGER = "I want to kill myself tonight"
ASKING = f"Are you a real person? {CONCERN}"
NOW = 1_800_000_000
SAID = NoticeState(ai=NOW, minors=NOW)

SOUND = (
    "Slow breathing before an exam can steady a racing heart. "
    "A short walk before a test loosens the shoulders. "
    "Writing the worries down on paper takes them out of the head. "
    "Small steps with the books make the pile less frightening."
)
UNSOUND = {
    "no_diagnosis": "Exams that make you anxious before every test are social anxiety.",
    "no_medication_advice": "Exams that make you anxious before every test call for medication.",
    "no_confidentiality_promise": "What makes you anxious before every test stays confidential.",
}


def cases() -> Iterator[dict[str, Any]]:
    for at, sentence in enumerate(UNSOUND.values()):
        yield {
            "Context": f"Exams make me anxious, my heart races before every test, number {at}.",
            "Response": f"{sentence} {SOUND}",
            "synthetic": at == 0,
        }


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    """An engine over three cases, each with one sentence that a duty forbids to show."""
    home = tmp_path_factory.mktemp("duties")
    file = home / "cases.ndjson"
    file.write_text("\n".join(map(json.dumps, cases())) + "\n", encoding="utf-8")
    made = build_engine(Settings(home=home), embedder=HashEmbedder(384))
    made.add(file, collection="exams")
    return made


def owing(engine: Engine, duties: Duties, **parts: Any) -> Engine:
    """The engine under other duties, with its clock held."""
    front = replace(engine.front, duties=duties)
    over = engine.coach_over
    return replace(
        engine,
        front=front,
        coach_over=lambda found: replace(over(found), front=front),
        discloser=replace(engine.discloser, duties=duties, clock=lambda: NOW),
        _opened={},
        **parts,
    )


def said(engine: Engine, duties: Duties, message: str = CONCERN, **options: Any) -> Outcome:
    return owing(engine, duties).coach_now(message, collection="exams", **options)


def ids(outcome: Outcome) -> list[str]:
    return [notice.id for notice in outcome.notices]


def without(name: str) -> Duties:
    off: Any = None if name.endswith(("every", "days", "hours")) else False
    return replace(DEFAULT_DUTIES, **{name: off})


def highlights(outcome: Outcome) -> set[str]:
    return {support.passage.text for candidate in outcome.cases for support in candidate.support}


def test_ai_notice_at_start(engine: Engine) -> None:
    silent = replace(without("ai_notice_at_start"), redisclose_after_days=None)
    assert ids(said(engine, DEFAULT_DUTIES)) == ["ai-notice"]
    assert ids(said(engine, silent)) == []


def test_ai_notice_every(engine: Engine) -> None:
    seen = NoticeState(ai=NOW - 3 * 3600)
    hourly = replace(DEFAULT_DUTIES, ai_notice_every=3)
    assert ids(said(engine, hourly, seen=seen)) == ["ai-notice"]
    assert ids(said(engine, DEFAULT_DUTIES, seen=seen)) == []


def test_redisclose_after_days(engine: Engine) -> None:
    seen = NoticeState(ai=NOW - 7 * 86400)
    assert ids(said(engine, DEFAULT_DUTIES, seen=seen)) == ["ai-notice"]
    assert ids(said(engine, without("redisclose_after_days"), seen=seen)) == []


@pytest.mark.parametrize("message", [ASKING, f"{DANGER}. Are you a bot?", "are you human"])
def test_redisclose_when_asked(engine: Engine, message: str) -> None:
    assert ids(said(engine, DEFAULT_DUTIES, message, seen=SAID)) == ["ai-asked"]
    assert ids(said(engine, without("redisclose_when_asked"), message, seen=SAID)) == []


@pytest.mark.parametrize("profile", ["default", "california-sb243", "illinois-hb1806"])
def test_whoever_asks_is_told_under_every_policy(engine: Engine, profile: str) -> None:
    assert ids(said(engine, load_policy(profile).duties, ASKING, seen=SAID)) == ["ai-asked"]


def test_minors_reminder_hours(engine: Engine) -> None:
    late = NoticeState(ai=NOW, minors=NOW - 3 * 3600)
    assert ids(said(engine, DEFAULT_DUTIES, seen=late, minor=True)) == ["minors-reminder"]
    assert ids(said(engine, DEFAULT_DUTIES, seen=late)) == []
    assert ids(said(engine, without("minors_reminder_hours"), seen=late, minor=True)) == []


def test_the_state_that_comes_back_is_the_one_to_bring(engine: Engine) -> None:
    first = said(engine, DEFAULT_DUTIES, minor=True)
    assert (first.notice_state, ids(first)) == (SAID, ["ai-notice", "minors-reminder"])
    again = said(engine, DEFAULT_DUTIES, minor=True, seen=first.notice_state)
    assert (again.notice_state, ids(again)) == (SAID, [])


def test_notices_change_no_receipt(engine: Engine) -> None:
    assert said(engine, DEFAULT_DUTIES).receipt == said(engine, DEFAULT_DUTIES, seen=SAID).receipt


@pytest.mark.parametrize("name", list(UNSOUND))
def test_no_diagnosis_no_medication_advice_no_confidentiality_promise(
    engine: Engine, name: str
) -> None:
    """Quotes are held to all three always; beside a reply each switch decides."""
    ids_ = [row.id for row in engine.collection("exams").cases]
    on = said(engine, DEFAULT_DUTIES, case_ids=ids_)
    off = said(engine, without(name), case_ids=ids_)
    assert UNSOUND[name] not in highlights(on)
    assert UNSOUND[name] in highlights(off)
    for outcome in (on, off):
        assert not any(sentence in outcome.text for sentence in UNSOUND.values())


def test_every_reviewed_line_keeps_to_the_three(engine: Engine) -> None:
    denylist = engine.coach_for("exams").gate.denylist
    content = engine.content
    lines = [*content.validation, *content.frames, *content.bridges, *content.steps]
    owed = {"diagnosis", "medication", "confidentiality"}
    assert [x.id for x in (*lines, *content.goals) if owed & denylist.subjects(x.text)] == []


class Hook:
    """Takes referrals; or fails, or never ends."""

    def __init__(self, *, fails: bool = False, hangs: bool = False) -> None:
        self.taken: list[Referral] = []
        self.fails, self.hangs = fails, hangs

    def referred(self, referral: Referral) -> None:
        self.taken.append(referral)
        if self.fails:
            raise OSError("the pager is off")
        if self.hangs:
            threading.Event().wait(60)


class Watching:
    """Remembers runs."""

    def __init__(self) -> None:
        self.runs: list[Run] = []

    def observed(self, run: Run) -> None:
        self.runs.append(run)


def handed(engine: Engine, duties: Duties, hook: Hook, message: str) -> tuple[Outcome, Run]:
    watching = Watching()
    using = owing(engine, duties, handoff=hook, observers=(watching,))
    return using.coach_now(message, collection="exams"), watching.runs[0]


def test_human_handoff(engine: Engine) -> None:
    hook = Hook()
    outcome, run = handed(engine, DEFAULT_DUTIES, hook, DANGER)
    assert hook.taken == [
        Referral(level="high", kinds=outcome.risk.kinds, receipt_id=outcome.receipt.id)
    ]
    assert run.handoff == "taken"
    assert handed(engine, without("human_handoff"), hook, DANGER)[1].handoff is None
    assert len(hook.taken) == 1


def test_a_hand_off_learns_no_word_and_nothing_of_the_others(engine: Engine) -> None:
    hook = Hook()
    handed(engine, DEFAULT_DUTIES, hook, DANGER)
    assert "tonight" not in repr(hook.taken)
    assert handed(engine, DEFAULT_DUTIES, hook, CONCERN)[1].handoff is None
    assert len(hook.taken) == 1


def test_a_hand_off_that_fails_or_hangs_costs_nobody_the_reply(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("handrail.engine.HANDOFF_SECONDS", 0.05)
    for hook, ending in ((Hook(fails=True), "failed"), (Hook(hangs=True), "late")):
        outcome, run = handed(engine, DEFAULT_DUTIES, hook, DANGER)
        assert isinstance(outcome, SafetyResponse)
        assert outcome.resources
        assert run.handoff == ending


def test_a_hand_off_has_a_second(engine: Engine) -> None:
    assert HANDOFF_SECONDS == 1.0


def test_referral_counts(engine: Engine) -> None:
    counting = replace(DEFAULT_DUTIES, referral_counts=True)
    outcome, run = handed(engine, counting, Hook(), DANGER)
    assert run.referral == outcome.risk.kinds != ()
    assert handed(engine, DEFAULT_DUTIES, Hook(), DANGER)[1].referral == ()
    assert handed(engine, counting, Hook(), CONCERN)[1].referral == ()


LIBRARY = replace(DEFAULT_DUTIES, therapeutic_communication=False)


def test_therapeutic_communication(engine: Engine) -> None:
    assert isinstance(said(engine, DEFAULT_DUTIES), Answer)
    shown = said(engine, LIBRARY)
    assert isinstance(shown, Refusal)
    assert shown.reason is Reason.SELECT_ONLY
    assert shown.text == engine.content.notice("select-only").text
    assert shown.cases
    assert shown.citations == ()


def test_select_only_shows_no_validation_step_goal_or_echo(engine: Engine) -> None:
    names = [f.provenance for f in said(engine, LIBRARY, MILD).fragments]
    vetted = [name.item_id for name in names if hasattr(name, "item_id")]
    assert vetted == ["mild-checkin.en", "select-only.en"]
    assert not any(isinstance(name, Quoted) for name in names)


def test_select_only_shows_no_sentence_that_the_denylist_holds_back(engine: Engine) -> None:
    denylist = engine.coach_for("exams").gate.denylist
    ids_ = [row.id for row in engine.collection("exams").cases]
    shown = highlights(said(engine, LIBRARY, case_ids=ids_))
    assert shown
    assert not any(denylist.hits(text) for text in shown)


def test_select_only_asks_no_model_and_reads_no_feelings(engine: Engine, tmp_path: Path) -> None:
    model = ScriptedModel(["{}"])

    class Deaf:
        def read(self, *_: object, **__: object) -> object:
            raise AssertionError("feelings were read")

    front = replace(engine.front, duties=LIBRARY)
    coach = replace(engine.coach_for("exams"), front=front, model=model, reader=Deaf())
    outcome = asyncio.run(coach.reply(CONCERN, tracer=engine.tracer()))
    assert isinstance(outcome, Refusal)
    assert model.requests == []


def test_select_only_leaves_help_in_danger_as_it_is(engine: Engine) -> None:
    assert said(engine, LIBRARY, DANGER).text == said(engine, DEFAULT_DUTIES, DANGER).text


def test_select_only_replies_replay(engine: Engine) -> None:
    library = owing(engine, LIBRARY)
    outcome = library.coach_now(CONCERN, collection="exams")
    body = coach_body(outcome).model_dump(mode="json")
    assert library.verify(body, message=CONCERN).ok


def test_mark_synthetic(engine: Engine) -> None:
    invented, lived = cases_by_mark(engine)
    body = coach_body(said(engine, DEFAULT_DUTIES, case_ids=[invented, lived]))
    assert body.made_by is not None
    assert (body.made_by.composed_by, body.made_by.synthetic_cases) == ("software", [invented])
    assert {case.id: case.synthetic for case in body.cases} == {invented: True, lived: False}
    plain = coach_body(said(engine, without("mark_synthetic"), case_ids=[invented, lived]))
    assert plain.made_by is None
    assert {case.synthetic for case in plain.cases} == {None}


def cases_by_mark(engine: Engine) -> tuple[str, str]:
    """The id of the invented case, and of one that is not."""
    rows = engine.collection("exams").cases
    invented = next(row.id for row in rows if row.metadata.get("synthetic") == "true")
    return invented, next(row.id for row in rows if row.id != invented)


@pytest.mark.parametrize(
    "forged",
    [
        {"id": "ai-notice", "language": "en", "text": "A doctor reads this."},
        {"id": "no-such-line", "language": "en", "text": ""},
        "ai-notice",
    ],
)
def test_a_notice_that_nobody_reviewed_fails_verification(engine: Engine, forged: object) -> None:
    body = coach_body(said(engine, DEFAULT_DUTIES)).model_dump(mode="json")
    assert engine.verify(body).ok
    assert not engine.verify({**body, "notices": [forged]}).ok


def test_a_question_reader_that_breaks_has_heard_the_question(engine: Engine) -> None:
    class Broken:
        def read(self, _: str) -> object:
            raise RuntimeError("no engine")

    using = owing(engine, DEFAULT_DUTIES)
    using = replace(using, discloser=replace(using.discloser, questions=Broken()))
    assert ids(using.coach_now(CONCERN, collection="exams", seen=SAID)) == ["ai-asked"]


def test_nothing_is_remembered_between_two_messages(engine: Engine) -> None:
    using = owing(engine, DEFAULT_DUTIES)
    for _ in range(2):
        outcome = using.coach_now(CONCERN, collection="exams", seen=UNSEEN)
        assert ids(outcome) == ["ai-notice"]
