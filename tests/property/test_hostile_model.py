"""C65: whatever a model says, only reviewed lines, shown quotes and the person's words leave."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.domain.outcome import Answer, Citation, Outcome, SafetyResponse
from handrail.domain.reply import Fragment, Vetted
from handrail.domain.risk import Level, Risk
from handrail.domain.trace import Run
from handrail.engine import Engine
from handrail.rails.receipt import sealed
from handrail.testing.hostile import KINDS, TEXTS
from handrail.testing.virtual_time import run_virtually
from hostile_property import CANARY, DANGER, MESSAGES, Stage, Tally, run
from invented_corpus import INVENTED

OUTPUTS = 5_000  # scripts/fuzz plays as many as one likes


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    return Stage.over(tmp_path_factory.mktemp("hostile"))


def test_c65_nothing_escapes_from_five_thousand_outputs(stage: Stage) -> None:
    tally = Tally()
    run(stage, range(OUTPUTS), tally)
    assert tally.escapes == []
    assert set(tally.outputs) == set(KINDS)
    assert min(tally.outputs.values()) >= OUTPUTS // len(KINDS)
    # Many outputs were used, or the property would be about nothing.
    assert tally.endings["answer by model"] >= 0.05 * OUTPUTS
    assert tally.endings["safetyresponse by model"] >= 0.05 * OUTPUTS
    assert tally.endings["answer by fallback"] >= 0.05 * OUTPUTS
    assert tally.endings["abstention by model"] >= 5
    assert tally.endings["safetyresponse by nobody"] >= 0.01 * OUTPUTS
    assert len(stage.proven) >= 0.02 * OUTPUTS


def test_a_range_of_seeds_can_be_cut_and_gone_on_with(stage: Stage) -> None:
    whole, first, second = Tally(), Tally(), Tally()
    run(stage, range(60), whole)
    left = iter([False] * 25 + [True])
    stopped = run(stage, range(60), first, lambda: next(left))
    assert stopped == 25
    assert run(stage, range(stopped, 60), second) == 60
    assert first.outputs + second.outputs == whole.outputs
    assert first.endings + second.endings == whole.endings


def said(stage: Stage, line: str, message: str = MESSAGES[0]) -> list[str]:
    """What is wrong when the model says this."""
    stage.model.line = line
    try:
        return run_virtually(stage.play("plausible", Random(0), message))[0]
    finally:
        stage.model.line = None


@given(line=st.text(max_size=400), message=st.sampled_from([*MESSAGES, DANGER]))
def test_any_text_is_harmless(stage: Stage, line: str, message: str) -> None:
    assert said(stage, line, message) == []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["crisis_level", "skills", "goals", "label"]), inner)
    ),
    max_leaves=12,
)


@given(value=JSON, message=st.sampled_from(MESSAGES))
def test_any_json_is_harmless(stage: Stage, value: object, message: str) -> None:
    assert said(stage, json.dumps(value), message) == []


@given(raw=st.binary(max_size=300))
def test_any_bytes_are_harmless(stage: Stage, raw: bytes) -> None:
    assert said(stage, raw.decode("utf-8", "surrogateescape")) == []


@pytest.mark.parametrize("kind", TEXTS)
def test_each_kind_of_output_is_the_same_for_the_same_dice(stage: Stage, kind: str) -> None:
    def once() -> list[str]:
        run_virtually(stage.play(kind, Random(5), MESSAGES[0]))
        return list(stage.model.said)

    assert once() == once() != []


# The property itself is worth what it catches: each of these breaks one promise.


def spoken(outcome: Outcome) -> Any:
    return replace(outcome, text=f"{outcome.text} {CANARY}")


def unproven_words(outcome: Outcome) -> Any:
    more = Fragment(" Take your tablets.", Vetted(item_id=outcome.fragments[0].provenance.item_id))
    fragments = (*outcome.fragments, more)
    return replace(outcome, text=outcome.text + more.text, fragments=fragments)


def more_cited(outcome: Outcome) -> Any:
    cited = Citation(case_id=outcome.cases[0].passage.document_id, sent_id=0, start=0, end=4)
    return replace(outcome, citations=(*outcome.citations, cited))


def no_help(outcome: Outcome) -> Any:
    return replace(outcome, resources=())


def other_help(outcome: Outcome) -> Any:
    first, *rest = outcome.resources
    return replace(outcome, resources=(replace(first, note="Call your mother instead"), *rest))


def calmer(outcome: Outcome) -> Any:
    return replace(outcome, risk=Risk())


def words_in_the_receipt(outcome: Outcome) -> Any:
    return replace(outcome, receipt=sealed({**outcome.receipt.body, "note": "some free words"}))


def words_in_the_trace(outcome: Outcome) -> Any:
    return replace(outcome, trace=replace(outcome.trace, flags={"some free words": True}))


def tampering(engine: Engine, tamper: Callable[[Outcome], Any]) -> Engine:
    """The engine, with what it hands out changed on the way."""

    class Tampered:
        def __getattr__(self, name: str) -> Any:
            return getattr(engine, name)

        async def coach(self, *words: Any, **options: Any) -> Any:
            return tamper(await engine.coach(*words, **options))

    return Tampered()  # type: ignore[return-value]


MILD = MESSAGES[2]


@pytest.mark.parametrize(
    ("tamper", "message"),
    [
        (spoken, MESSAGES[0]),
        (unproven_words, MESSAGES[0]),
        (more_cited, MESSAGES[0]),
        (no_help, MESSAGES[0]),
        (other_help, MESSAGES[0]),
        (calmer, MILD),
        (calmer, DANGER),
        (words_in_the_receipt, MESSAGES[0]),
        (words_in_the_trace, MESSAGES[0]),
        (lambda outcome: "a string", MESSAGES[0]),
    ],
)
def test_the_property_sees_a_broken_promise(
    stage: Stage, tamper: Callable[[Outcome], Any], message: str
) -> None:
    broken = replace(stage, engine=tampering(stage.engine, tamper), proven=set())
    assert run_virtually(stage.play("shown_only", Random(3), message))[0] == []
    assert run_virtually(broken.play("shown_only", Random(3), message))[0] != []


class Gossip:
    """An observer that writes the model's words into the log."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage

    def observed(self, run: Run) -> None:
        self.stage.log.write(CANARY)


def test_the_property_sees_words_in_the_log(stage: Stage) -> None:
    telling = replace(stage, engine=replace(stage.engine, observers=(Gossip(stage),)))
    found, _ = run_virtually(telling.play("smuggled", Random(3), MESSAGES[0]))
    assert found == ["canary in the log"]


def test_the_property_sees_a_model_that_is_asked_too_often_or_waits_too_long(stage: Stage) -> None:
    async def nagging(*_words: Any, **_options: Any) -> Outcome:
        stage.model.calls += 3
        await asyncio.sleep(9)
        return await stage.engine.coach(*_words, **_options)

    class Nagging:
        coach = staticmethod(nagging)

        def __getattr__(self, name: str) -> Any:
            return getattr(stage.engine, name)

    broken = replace(stage, engine=Nagging())  # type: ignore[arg-type]
    found, _ = run_virtually(broken.play("shown_only", Random(3), DANGER))
    assert len(found) == 2


def test_the_messages_are_what_the_property_is_about(stage: Stage) -> None:
    """Ordinary ones that get an answer, a mild one, and one that no model may see."""
    outcomes = [stage.engine.coach_now(message, collection=INVENTED) for message in MESSAGES]
    assert {type(outcome) for outcome in outcomes} <= {Answer, SafetyResponse}
    assert stage.screened(MILD) is Level.MILD
    assert stage.screened(DANGER) is Level.HIGH
