"""C1-C5, C24-C26, C30, C33-C37, C41-C43, C53, C57-C59, C67: a message's way through the coach."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from pathlib import Path

import pytest
from coach_sample import (
    CONCERN,
    ELSEWHERE,
    MILD,
    PLAIN,
    SPANISH,
    body_of,
    choosing,
    coach_of,
    proven,
    reply,
    shown_to,
    unscreened,
)

from handrail.calls import forbid_model_calls
from handrail.content import load_coach
from handrail.domain.outcome import Abstention, Answer, Reason
from handrail.domain.reply import Echo, Quoted, Vetted
from handrail.engine import Engine
from handrail.errors import ModelFailed, NotFound
from handrail.flows.coach import Coach
from invented_corpus import CASES, INVENTED, PILLS
from wrapping import Wrapping

STAGES = (
    *("screen", "second_reader", "injection", "embed", "search_dense", "search_lexical", "fuse"),
    *("distinct", "top", "probe", "settle", "mmr", "scope", "evidence"),
    *("decider", "assemble", "gate", "render"),
)
CONCERNS = (CONCERN, PLAIN, MILD, *(context for _, context, _ in CASES if "thyroid" not in context))


def named(coach: Coach, *titles: str) -> list[str]:
    """The ids of the first case of each title."""
    cases = list(coach.search.collection.cases)  # type: ignore[attr-defined]
    return [next(case.id for case in cases if case.title == title) for title in titles]


def test_c1_retrieval_comes_first_then_the_bounded_call_then_the_gate(invented: Engine) -> None:
    for model in (None, choosing()):
        outcome = reply(coach_of(invented, model), CONCERN)
        assert tuple(step.name for step in outcome.trace.steps) == STAGES


def test_c3_search_alone_does_not_coach(invented: Engine) -> None:
    with forbid_model_calls():
        found = invented.search(CONCERN, collection=INVENTED)
    assert len(found.ranking.candidates) == 3
    assert not hasattr(found, "text")


@pytest.mark.parametrize("message", CONCERNS)
def test_c4_c5_every_character_is_reviewed_quoted_echoed_or_white_space(
    invented: Engine, message: str
) -> None:
    coach = coach_of(invented)
    outcome = reply(coach, message)
    kinds = proven(outcome, message, coach.search.collection, coach.content)
    assert isinstance(outcome, Answer)
    assert kinds.count("quoted") >= 2
    assert len(outcome.citations) == len(set(outcome.citations)) >= 2


def test_c30_c34_c36_c37_without_a_model_one_step_and_one_goal_are_given(invented: Engine) -> None:
    coach = coach_of(invented)
    outcome = reply(coach, CONCERN)
    used = [f.provenance.item_id for f in outcome.fragments if isinstance(f.provenance, Vetted)]
    by_bank = {
        bank: [item.id for item in getattr(coach.content, bank) if item.id in used]
        for bank in ("validation", "frames", "steps", "goals")
    }
    assert {bank: len(ids) for bank, ids in by_bank.items()} == {
        "validation": 1,
        "frames": 1,
        "steps": 1,
        "goals": 1,
    }
    assert body_of(outcome)["trace"]["decider"]["by"] == "fallback"
    assert outcome.trace.flags["fallback_used"]


def test_c30_reflection_comes_only_where_a_feeling_was_named(invented: Engine) -> None:
    frames = {frame.id for frame in load_coach().frames}

    def reflected(message: str) -> bool:
        outcome = reply(coach_of(invented), message)
        assert isinstance(outcome, Answer)
        proofs = (fragment.provenance for fragment in outcome.fragments)
        return any(isinstance(proof, Vetted) and proof.item_id in frames for proof in proofs)

    assert reflected(CONCERN)
    assert not reflected(PLAIN)


def test_c35_the_echo_is_the_persons_own_words(invented: Engine) -> None:
    echoes = 0
    for message in CONCERNS:
        for fragment in reply(coach_of(invented), message).fragments:
            if isinstance(fragment.provenance, Echo):
                assert fragment.text in message
                echoes += 1
    assert echoes >= 3


def test_c43_an_opening_paragraph_then_try_today_then_a_goal(invented: Engine) -> None:
    answer = reply(coach_of(invented), CONCERN).text
    shape = r"[^\n]+\n\n(?:[^\n]+\n\n)?Try today:\n1\) [^\n]+(?:\n2\) [^\n]+)?\n\nGoal: [^\n]+"
    assert re.fullmatch(shape, answer)


def test_c42_the_success_body_has_the_fields_of_the_contract(invented: Engine) -> None:
    body = body_of(reply(coach_of(invented, choosing()), CONCERN))
    assert body["answer"]
    for cited in body["citations"]:
        assert set(cited) == {"case_id", "sent_id", "start", "end"}
    retrieval = body["trace"]["retrieval"]
    assert {key: retrieval[key] for key in ("rrf_c", "mmr_lambda", "k1", "n", "m")} == {
        "rrf_c": 60,
        "mmr_lambda": 0.7,
        "k1": 30,
        "n": 10,
        "m": 3,
    }
    assert body["trace"]["decider"]["model"] == "scripted-1"
    assert body["trace"]["decider"]["latency_ms"] >= 0
    assert body["trace"]["gate_alpha"] == 0.6
    assert body["trace"]["dropped_sentences"] == 0
    assert body["latency_ms"] > 0
    assert body["refusal"] is None


def test_c38_resources_are_always_added(invented: Engine) -> None:
    """Resolution 4: the success body has them too."""
    assert body_of(reply(coach_of(invented), CONCERN, country="GB"))["resources"]


def test_c26_at_most_nine_snippets_of_two_hundred_characters_are_shown(invented: Engine) -> None:
    for message in CONCERNS:
        model = choosing()
        reply(coach_of(invented, model), message)
        shown = shown_to(model.requests[0])
        assert set(shown) == {"query", "snippets", "coping_labels", "goal_labels"}
        assert 1 <= len(shown["snippets"]) <= 9
        cases = [snippet["case_id"] for snippet in shown["snippets"]]
        assert max(cases.count(case) for case in cases) <= 3
        for snippet in shown["snippets"]:
            assert set(snippet) == {"case_id", "sent_id", "text"}
            assert len(snippet["text"]) <= 200
        texts = [snippet["text"] for snippet in shown["snippets"]]
        assert len(texts) == len(set(texts))


def test_c24_c25_c57_advice_on_medicine_is_never_shown_nor_quoted(invented: Engine) -> None:
    model = choosing()
    coach = coach_of(invented, model)
    ids = named(coach, "Worry before exams", "Depressed and grey", "Only medicine")
    for message in (CONCERN, CASES[0][1], "Should I take an antidepressant, I feel so depressed"):
        outcome = reply(coach, message, case_ids=ids)
        assert PILLS not in outcome.text
    assert len(model.requests) == 3
    assert all(PILLS not in request.user for request in model.requests)
    dropped = reply(coach, CONCERN, case_ids=ids).trace.step("evidence")
    assert dropped is not None
    assert dropped.facts["dropped"]["denylist:medication"] == 3  # type: ignore[index]


def test_c33_thin_evidence_gets_the_fixed_words_and_the_cases(invented: Engine) -> None:
    """Resolution 12: for want of evidence these words, and not those of a crisis."""
    coach = coach_of(invented)
    outcome = reply(coach, CONCERN, case_ids=named(coach, "Only medicine"))
    assert isinstance(outcome, Abstention)
    assert outcome.reason is Reason.THIN_EVIDENCE
    assert outcome.text == "I need more evidence to make suggestions. Here are the closest cases."
    assert [c.passage.metadata["title"] for c in outcome.cases] == ["Only medicine"]
    assert outcome.resources


def test_a_model_is_not_asked_to_choose_from_nothing(invented: Engine) -> None:
    model = choosing()
    coach = coach_of(invented, model)
    reply(coach, CONCERN, case_ids=named(coach, "Only medicine"))
    assert model.requests == []


@pytest.mark.parametrize("message", [ELSEWHERE, "Fix my Python loop, please", "asdf qwer zxcv"])
def test_c53_nothing_similar_gets_guidance_to_rephrase_and_no_coaching(
    invented: Engine, message: str
) -> None:
    model = choosing()
    with forbid_model_calls():
        outcome = reply(coach_of(invented, model), message)
    assert isinstance(outcome, Abstention)
    assert outcome.reason in {Reason.NOTHING_SIMILAR, Reason.OUT_OF_SCOPE}
    assert outcome.text == invented.content.notice("abstain-rephrase").text
    assert outcome.citations == ()
    assert outcome.resources


@pytest.mark.parametrize("message", [SPANISH, "Ich fühle mich seit Wochen leer und allein"])
def test_c58_another_language_gets_guidance_and_no_guess(invented: Engine, message: str) -> None:
    outcome = reply(coach_of(invented), message)
    assert isinstance(outcome, Abstention)
    assert outcome.text == invented.content.notice("abstain-rephrase").text


def test_c58_a_mild_message_in_spanish_gets_the_guidance_in_spanish(invented: Engine) -> None:
    outcome = reply(coach_of(invented), "Estoy agotada, ya no puedo más")
    assert isinstance(outcome, Abstention)
    assert outcome.text == invented.content.notice("abstain-rephrase", "es").text


def test_c41_resolution_11_no_ids_means_a_search(invented: Engine) -> None:
    coach = unscreened(coach_of(invented))
    found = coach.search.search(CONCERN, k=3, tracer=invented.tracer())
    outcome = reply(coach, CONCERN, case_ids=[])
    assert [c.passage.id for c in outcome.cases] == [c.passage.id for c in found.ranking.candidates]


def test_c41_resolution_11_the_named_cases_are_the_ones_that_are_cited(invented: Engine) -> None:
    coach = coach_of(invented)
    ids = named(coach, "Panic on the bus", "Lonely in a new town")
    outcome = reply(coach, CONCERN, case_ids=ids)
    assert [c.passage.document_id for c in outcome.cases] == ids
    assert {cited.case_id for cited in outcome.citations} <= set(ids)


def test_resolution_11_of_more_than_three_the_first_three_distinct_ones_are_used(
    invented: Engine,
) -> None:
    coach = coach_of(invented)
    ids = named(coach, "Panic on the bus", "My father died", "She left me", "I put everything off")
    outcome = reply(coach, CONCERN, case_ids=[ids[0], ids[0], *ids[1:]])
    assert [c.passage.document_id for c in outcome.cases] == ids[:3]


def test_resolution_11_unknown_ids_are_all_named_and_nothing_is_coached(invented: Engine) -> None:
    coach = coach_of(invented)
    known = named(coach, "Panic on the bus")
    with pytest.raises(NotFound) as caught:
        reply(coach, CONCERN, case_ids=[*known, "0" * 16, "f" * 16])
    assert "0" * 16 in str(caught.value)
    assert "f" * 16 in str(caught.value)
    assert known[0] not in str(caught.value)


def snapshot(home: Path) -> dict[str, str]:
    """Every file below ``home`` with the hash of its bytes."""
    return {
        str(path.relative_to(home)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(home.rglob("*"))
        if path.is_file()
    }


def test_c59_nothing_about_the_person_is_written_anywhere(invented: Engine) -> None:
    before = snapshot(invented.settings.home)
    for message in (CONCERN, ELSEWHERE, MILD, SPANISH):
        invented.coach_now(message, collection=INVENTED)
        invented.search(message, collection=INVENTED)
    assert snapshot(invented.settings.home) == before


def test_the_same_message_gives_the_same_bytes_and_the_same_receipt(invented: Engine) -> None:
    first, second = (reply(coach_of(invented), CONCERN) for _ in range(2))
    assert first.text == second.text
    assert first.receipt == second.receipt
    assert first.receipt.id != reply(coach_of(invented), CONCERN + ".").receipt.id


def test_no_text_of_the_person_or_the_corpus_is_in_the_trace(invented: Engine) -> None:
    outcome = reply(coach_of(invented, choosing()), CONCERN)
    facts = repr([step.facts for step in outcome.trace.steps])
    quotes = [f.text for f in outcome.fragments if isinstance(f.provenance, Quoted | Echo)]
    assert quotes
    for text in (*quotes, CONCERN, "worthless"):
        assert text not in facts


def test_every_sentence_that_was_held_back_is_counted_by_reason(invented: Engine) -> None:
    coach = coach_of(invented)
    ids = named(coach, "Only medicine", "A very long answer")
    step = reply(coach, CONCERN, case_ids=ids).trace.step("evidence")
    assert step is not None
    assert step.facts["dropped"] == {"denylist:medication": 1, "too-short": 2, "too-long": 1}


def test_a_gate_that_breaks_lets_nothing_out(invented: Engine) -> None:
    coach = coach_of(invented)

    def judge(*args: object, **more: object) -> None:
        raise KeyError(CONCERN)

    broken = replace(coach, gate=Wrapping(coach.gate, judge=judge))
    outcome = reply(broken, CONCERN)
    assert isinstance(outcome, Abstention)
    assert outcome.reason is Reason.GATE_FAILED
    assert CONCERN not in outcome.text


def test_an_embedder_that_breaks_gives_an_error_and_no_half_reply(invented: Engine) -> None:
    coach = coach_of(invented, choosing())

    def read(text: str) -> None:
        raise OSError(f"no model for {text}")

    unread = replace(coach.front, second=None)
    broken = replace(coach, front=unread, search=replace(coach.search, read=read))
    with pytest.raises(ModelFailed) as caught:
        reply(broken, CONCERN)
    assert CONCERN not in str(caught.value)


async def test_cpu_work_goes_through_the_offload(invented: Engine) -> None:
    away: list[str] = []

    async def offload(work):  # type: ignore[no-untyped-def]
        away.append("once")
        return work()

    outcome = await coach_of(invented).reply(CONCERN, tracer=invented.tracer("t"), offload=offload)
    assert isinstance(outcome, Answer)
    assert len(away) == 3  # the front gate, the evidence, and the gate with what follows
