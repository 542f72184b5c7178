"""The engine: collections opened once, observers told, refusals named, and one way in for all."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import process_time

import pytest

from handrail.bootstrap import build_engine
from handrail.domain.outcome import Abstention, Answer, SafetyResponse
from handrail.domain.risk import Level
from handrail.domain.trace import Run
from handrail.engine import STARTER, Engine
from handrail.errors import InvalidInput, InvalidSettings, NotFound
from handrail.rails.verification import Verification
from handrail.settings import LLMSettings, Settings
from handrail.testing.hash_embedder import HashEmbedder
from handrail.testing.scripted_model import ScriptedModel
from handrail.wire import coach_body
from invented_corpus import CASES, EXAM, INVENTED, write_corpus

CONCERN = "My boss shouts at me and I feel worthless and anxious every morning"
HIGH = "I want to kill myself tonight"


class Watching:
    """An observer that remembers; or one whose disk is full."""

    def __init__(self, *, full: bool = False) -> None:
        self.runs: list[Run] = []
        self.full = full

    def observed(self, run: Run) -> None:
        self.runs.append(run)
        if self.full:
            raise OSError("disk full")


@pytest.fixture
def watching(invented: Engine) -> tuple[Engine, Watching]:
    seen = Watching()
    return replace(invented, observers=(seen,)), seen


def test_c3_search_and_coach_are_two_calls_and_both_are_observed(
    watching: tuple[Engine, Watching],
) -> None:
    engine, seen = watching
    found = engine.search(CONCERN, collection=INVENTED)
    answer = engine.coach_now(CONCERN, collection=INVENTED)
    assert [(run.flow, run.outcome) for run in seen.runs] == [
        ("search", "found"),
        ("coach", "answer"),
    ]
    searched, coached = seen.runs
    assert searched.case_ids == tuple(c.passage.document_id for c in found.ranking.candidates)
    assert coached.receipt_id == answer.receipt.id
    assert coached.sentence_ids == tuple(f"{c.case_id}/{c.sent_id}" for c in answer.citations)


def test_what_an_observer_learns_holds_no_text(watching: tuple[Engine, Watching]) -> None:
    engine, seen = watching
    for message in (CONCERN, HIGH, "What is the capital of France?"):
        engine.coach_now(message, collection=INVENTED)
    assert [(run.outcome, run.reason, run.risk) for run in seen.runs] == [
        ("answer", None, "none"),
        ("safetyresponse", "crisis", "high"),
        ("abstention", "nothing-similar", "none"),
    ]
    assert "worthless" not in repr(seen.runs)
    assert "tonight" not in repr(seen.runs)


def test_an_observer_that_fails_costs_nobody_the_reply(invented: Engine) -> None:
    broken, after = Watching(full=True), Watching()
    engine = replace(invented, observers=(broken, after))
    assert isinstance(engine.coach_now(CONCERN, collection=INVENTED), Answer)
    assert len(broken.runs) == len(after.runs) == 1


def test_the_trace_id_is_the_callers_or_a_new_one(invented: Engine) -> None:
    engine = replace(invented, new_id=lambda: "made")
    given = engine.coach_now(CONCERN, collection=INVENTED, trace_id="given")
    assert given.trace.trace_id == "given"
    assert engine.coach_now(CONCERN, collection=INVENTED).trace.trace_id == "made"
    assert given.receipt == engine.coach_now(CONCERN, collection=INVENTED).receipt


@pytest.mark.parametrize("query", ["", "  \n"])
def test_an_empty_query_is_refused(invented: Engine, query: str) -> None:
    with pytest.raises(InvalidInput):
        invented.search(query, collection=INVENTED)


@pytest.mark.parametrize("k", [0, -1])
def test_fewer_than_one_case_cannot_be_asked_for(invented: Engine, k: int) -> None:
    with pytest.raises(InvalidInput, match="at least one"):
        invented.search(CONCERN, collection=INVENTED, k=k)


def test_c2_as_many_cases_as_were_asked_for(invented: Engine) -> None:
    for k in (1, 3, 5):
        found = invented.search(CONCERN, collection=INVENTED, k=k)
        assert len(found.ranking.candidates) == k


def test_a_case_is_found_by_its_id_or_named_as_missing(invented: Engine) -> None:
    stored = invented.collection(INVENTED).cases[0]
    assert invented.case(stored.id, collection=INVENTED) == stored
    with pytest.raises(NotFound, match="ffff"):
        invented.case("f" * 16, collection=INVENTED)


def test_a_collection_that_is_missing_is_named_with_the_next_step(invented: Engine) -> None:
    with pytest.raises(NotFound, match="index add"):
        invented.coach_now(CONCERN, collection="nowhere")


def test_a_collection_is_opened_once_and_afresh_after_it_grew(tmp_path: Path) -> None:
    engine = build_engine(Settings(home=tmp_path / "home"), embedder=HashEmbedder())
    engine.add(write_corpus(tmp_path / "a.ndjson", CASES[:3]), collection="grown")
    first = engine.coach_for("grown")
    assert engine.coach_for("grown") is first
    report = engine.add(write_corpus(tmp_path / "b.ndjson", CASES[3:6]), collection="grown")
    assert (report.records, report.added) == (6, 3)
    assert engine.coach_for("grown") is not first
    assert len(engine.collection("grown").cases) == 6
    assert len(first.search.collection.answers(first.search.collection.context_id(0))) == 2


def test_another_embedder_coaches_too_and_its_replies_hold(tmp_path: Path) -> None:
    """Whole without token vectors, and without a model."""
    engine = build_engine(Settings(home=tmp_path / "home"), embedder=HashEmbedder(384))
    engine.add(write_corpus(tmp_path / "c.ndjson"), collection=INVENTED)
    outcome = engine.coach_now(EXAM, collection=INVENTED)
    assert isinstance(outcome, Answer | Abstention)
    body = coach_body(outcome).model_dump(mode="json")
    assert engine.verify(body, message=EXAM).ok


def test_the_engines_model_is_the_one_that_decides(tmp_path: Path) -> None:
    model = ScriptedModel('{"crisis_level": "high"}', name="second-reader")
    settings = Settings(home=tmp_path / "home")
    engine = build_engine(settings, embedder=HashEmbedder(), model=model)
    engine.add(write_corpus(tmp_path / "c.ndjson"), collection=INVENTED)
    coach = engine.coach_for(INVENTED)
    assert coach.model is model
    assert (coach.timeout_seconds, coach.retries) == (4, 1)


@pytest.mark.parametrize("llm", [{"model": "m"}, {"base_url": "http://127.0.0.1:1/v1"}])
def test_half_a_model_is_a_settings_error(tmp_path: Path, llm: dict[str, str]) -> None:
    settings = Settings(home=tmp_path, llm=LLMSettings.model_validate(llm))
    with pytest.raises(InvalidSettings, match="needs both"):
        build_engine(settings, embedder=HashEmbedder())


def test_a_country_without_helplines_is_refused_at_the_start(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="ISO 3166"):
        build_engine(Settings(home=tmp_path, country="ZZ"), embedder=HashEmbedder())


def test_a_given_country_outranks_a_stated_one_and_that_the_configured(invented: Engine) -> None:
    engine = replace(invented, front=replace(invented.front, country="GB"))
    stated = f"I live in New Zealand. {HIGH}"
    for message, options, country in (
        (HIGH, {}, "GB"),
        (stated, {}, "NZ"),
        (stated, {"country": "IE"}, "IE"),
    ):
        outcome = engine.coach_now(message, collection=INVENTED, **options)
        assert {resource.country for resource in outcome.resources} == {country}


def test_check_says_what_the_screen_says_and_opens_nothing(tmp_path: Path) -> None:
    engine = build_engine(Settings(home=tmp_path / "home"), embedder=HashEmbedder())
    assert engine.check(HIGH).level is Level.HIGH
    assert engine.check("cutting onions").level is Level.NONE
    assert not (tmp_path / "home").exists()


def test_the_rrf_preset_is_a_setting_and_is_on_record(invented: Engine) -> None:
    """C15 as a named preset."""
    settings = invented.settings.model_copy(
        update={"coach": invented.settings.coach.model_copy(update={"fusion": "rrf"})}
    )
    engine = build_engine(settings)
    outcome = engine.coach_now(CONCERN, collection=INVENTED)
    body = coach_body(outcome).model_dump(mode="json")
    assert body["trace"]["retrieval"]["fusion"] == "rrf.v1"
    assert engine.verify(body, message=CONCERN).ok
    assert not invented.verify(body, message=CONCERN).ok


async def test_an_answer_can_be_verified_within_a_running_loop(invented: Engine) -> None:
    outcome = await invented.coach(CONCERN, collection=INVENTED)
    body = coach_body(outcome).model_dump(mode="json")
    verified = invented.verify(body, message=CONCERN)
    assert isinstance(verified, Verification)
    assert verified.ok


async def test_many_at_once_get_what_each_gets_alone(invented: Engine) -> None:
    messages = [CONCERN, HIGH, EXAM, "What is the capital of France?"] * 3
    away = asyncio.to_thread
    together = await asyncio.gather(
        *(invented.coach(message, collection=INVENTED, offload=away) for message in messages)
    )
    alone = [await invented.coach(message, collection=INVENTED) for message in messages]
    assert [outcome.receipt for outcome in together] == [outcome.receipt for outcome in alone]
    assert isinstance(together[1], SafetyResponse)


def median_ms(work: Callable[[], object], *, runs: int = 15) -> float:
    """The median of the processor's time, which a busy machine does not stretch."""
    taken = []
    for _ in range(runs):
        begun = process_time()
        work()
        taken.append((process_time() - begun) * 1000)
    return median(taken)


def test_c21_c61_search_and_coach_stay_within_their_budgets(starter: Engine) -> None:
    starter.coach_now(CONCERN)
    assert median_ms(lambda: starter.search(CONCERN)) <= 250
    assert median_ms(lambda: starter.coach_now(CONCERN)) <= 1_200


def test_the_packaged_corpus_is_indexed_once(starter: Engine) -> None:
    assert starter.library.exists(STARTER)
    assert starter.ensure_starter() is None
    assert len(starter.collection(STARTER).cases) >= 150


def test_a_first_question_indexes_the_packaged_corpus_in_an_empty_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = write_corpus(tmp_path / "few.ndjson")
    monkeypatch.setattr("handrail.engine.corpora", {STARTER: [few]}.__getitem__)
    made = build_engine(Settings(home=tmp_path / "home"), embedder=HashEmbedder(384))
    assert not made.library.exists(STARTER)
    made.coach_now(EXAM)
    assert made.library.exists(STARTER)
    assert len(made.collection(STARTER).cases) == 16


def test_c23_danger_is_answered_without_an_index(tmp_path: Path) -> None:
    alone = build_engine(Settings(home=tmp_path / "nothing", country="US"))
    outcome = alone.coach_now("I want to kill myself", collection="never-built")
    assert isinstance(outcome, SafetyResponse)
    assert "988" in [resource.value for resource in outcome.resources]
    assert alone.verify(coach_body(outcome).model_dump(), message="I want to kill myself").ok
    assert not (tmp_path / "nothing").exists()
