"""In danger the crisis entity is in the final set, whatever is mixed; scripts/fuzz plays more."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from guide_mixes import CRISIS, EDITS, IDS, Mix, ordinary, phrases, spoken
from guide_property import Stage, Tally, run
from guide_sample import LATE
from handrail.domain.outcome import SafetyResponse
from handrail.domain.ranking import Ranking
from handrail.domain.risk import Risk
from handrail.flows.guide import search as searching
from handrail.flows.guide.conditions import State
from handrail.flows.guide.flow import Guided
from handrail.flows.guide.found import Found
from handrail.flows.guide.limits import Limits
from handrail.flows.guide.search import GuideSearch, Prepared
from handrail.flows.guide.text import normal
from handrail.rails.escalation import MAX_MESSAGE_CHARS
from handrail.testing.virtual_time import run_virtually
from handrail.wire.guide import guide_body

MIXES = 100
DANGER = "I want to kill myself tonight"
PLAIN = Mix(
    message=DANGER,
    state={},
    chat_type=None,
    shown=(),
    limits=Limits(),
    edit="whole",
    broken=None,
    ranker="plausible",
)


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    return Stage.over(tmp_path_factory.mktemp("guide"))


@pytest.fixture(scope="module")
def own(stage: Stage) -> str:
    """What the entity's own triggers hear, and neither the screen nor another entity does."""
    triggers = stage.shelf("whole").live().triggers
    for said in (f"{LATE}. Then: {spoken(phrase, Random(0))}" for phrase in phrases()):
        risk = stage.engine.check(said)
        heard = {hit.entity_id for hit in triggers.scan(normal(said)) if hit.safety_critical}
        if not risk.signals and not risk.dismissed and heard == {CRISIS}:
            return said
    raise AssertionError("the screen hears all by itself: take the triggers away")


def played(stage: Stage, mix: Mix) -> list[str]:
    """What escapes of one mix."""
    return run_virtually(stage.play(mix, 0, Tally()))[0]


def guided(stage: Stage, mix: Mix) -> Guided:
    """The reply to a mix."""
    shelf = stage.shelf(mix.edit)
    return run_virtually(stage.asked(stage.with_guide(mix, shelf), mix, shelf))[0]


def test_h30_the_crisis_entity_is_there_whatever_is_mixed(stage: Stage) -> None:
    tally = Tally()
    run(stage, range(MIXES), tally)
    assert tally.escapes == []
    assert tally.positives > MIXES // 2
    assert tally.by_trigger > MIXES // 40
    assert tally.asked > 5  # hostile rankers had their say where nobody was in danger
    assert tally.edits.keys() == EDITS.keys()


# Each of these has escaped once.


@pytest.mark.parametrize(
    "state",
    [
        {"last_rating": 2, 7: "x", None: "y", ("a",): 1},
        {"days_since_last": 10**400, "conversation_count": -(10**5_000)},
        {"session_type": "\ud800", "\ud800": "x", "x" * 10_000: None},
    ],
    ids=["keys of many types", "numbers beyond all numbers", "text that is none"],
)
def test_h37_a_state_that_is_none_costs_nobody_the_crisis_entity(
    stage: Stage, state: dict[Any, object]
) -> None:
    assert played(stage, replace(PLAIN, state=state)) == []
    read = State.read(state)
    assert set(read.values) <= {"last_rating"}
    assert all(len(told) < 200 and told.isprintable() for told in read.warnings)


@pytest.mark.parametrize("error", ["OSError", "KeyError", "MemoryError"])
@pytest.mark.parametrize("read", ["revision", "entities"])
def test_h30_a_store_that_fails_as_no_store_should_leaves_the_standing_catalogue(
    stage: Stage, read: str, error: str
) -> None:
    assert played(stage, replace(PLAIN, broken=(read, error))) == []


TAKEN = ("deleted", "inactive", "renamed", "by state", "always", "unflagged", "emptied")


@pytest.mark.parametrize("edit", TAKEN)
def test_h30_what_the_entity_listens_for_cannot_be_edited_away(
    stage: Stage, own: str, edit: str
) -> None:
    told = guided(stage, replace(PLAIN, message=own, edit=edit))
    assert isinstance(told.outcome, SafetyResponse)
    assert told.found is not None
    assert CRISIS in told.found.ids
    assert played(stage, replace(PLAIN, message=own, edit=edit)) == []


def test_an_editor_may_still_say_that_a_trigger_is_not_for_safety(stage: Stage, own: str) -> None:
    told = guided(stage, replace(PLAIN, message=own, edit="unmarked triggers"))
    assert told.found is not None
    assert CRISIS not in told.found.ids


@pytest.mark.parametrize("edit", ["reworded and deleted", "first by an editor"])
def test_c32_a_stand_in_proves_its_lines_whatever_the_store_has_under_that_version(
    stage: Stage, edit: str
) -> None:
    mix = replace(PLAIN, edit=edit)
    told = guided(stage, mix)
    cited = guide_body(told).citations
    assert {(one.entity_id, one.version) for one in cited} == {(CRISIS, 0)}
    assert played(stage, mix) == []


def test_h30_danger_at_the_end_of_an_over_long_message(stage: Stage, own: str) -> None:
    filling = "We agreed on the summer plan. " * (MAX_MESSAGE_CHARS // 20)
    told = guided(stage, replace(PLAIN, message=filling + own))
    assert isinstance(told.outcome, SafetyResponse)
    assert played(stage, replace(PLAIN, message=filling + own)) == []


def test_h30_an_embedder_that_breaks_costs_nobody_what_a_trigger_heard(
    stage: Stage, own: str
) -> None:
    def unread() -> None:
        raise RuntimeError("no model here")

    catalogue = replace(stage.shelf("whole").live(), find_meaning=unread, _made=[])
    spoilt = replace(stage, search=lambda search: replace(search, catalogue=lambda: catalogue))
    engine = spoilt.with_guide(PLAIN, spoilt.shelf("whole"))
    told = run_virtually(engine.guide(own, offload=here))[0]
    assert isinstance(told.outcome, SafetyResponse)
    assert told.found is not None
    assert CRISIS in told.found.ids


class Falling(GuideSearch):
    """A search that cannot prepare anything."""

    def prepare(self, *_given: Any, **_options: Any) -> Prepared:
        raise RuntimeError("out of order")


def test_h30_a_search_that_breaks_in_danger_leaves_the_pins(stage: Stage) -> None:
    spoilt = replace(stage, search=lambda search: like(Falling, search))
    engine = spoilt.with_guide(PLAIN, spoilt.shelf("whole"))
    told = run_virtually(engine.guide(DANGER, offload=here))[0]
    assert isinstance(told.outcome, SafetyResponse)
    assert told.found is not None
    assert told.found.ids == (CRISIS,)
    assert "RuntimeError" in str(told.outcome.trace.step("fault"))
    body = guide_body(told).model_dump(mode="json")
    checks = {one.name: one.ok for one in engine.verify(body, message=DANGER).checks}
    assert False not in checks.values()
    assert checks["replay"] is None  # whole again it would say more


# The property itself is worth what it catches: each of these loses pins in its own way.


def like(kind: type[GuideSearch], search: GuideSearch) -> GuideSearch:
    """The search as another kind of search."""
    names = GuideSearch.__dataclass_fields__
    return kind(**{name: getattr(search, name) for name in names})


async def here(work: Any) -> Any:
    return work()


class Obeying(GuideSearch):
    """A search whose ranker has the last word."""

    def finish(self, prepared: Prepared, order: Iterable[str]) -> Found:
        found = GuideSearch.finish(self, prepared, order)
        wanted = set(order)
        return replace(
            found, final=tuple(one for one in found.final if one.entity.entity_id in wanted)
        )


class Deaf(GuideSearch):
    """A search that hears no danger."""

    def prepare(self, *given: Any, risk: Risk, **options: Any) -> Prepared:
        return GuideSearch.prepare(self, *given, risk=Risk(), **options)


def escapes(stage: Stage, seeds: range = range(24)) -> str:
    tally = Tally()
    run(stage, seeds, tally)
    return " ".join(tally.escapes)


def test_the_property_sees_a_ranker_that_may_remove_pins(stage: Stage) -> None:
    said = escapes(replace(stage, search=lambda search: like(Obeying, search)))
    assert f"{CRISIS} is not in the final set" in said
    assert "handler_first_conversation is not in the final set" in said


def test_the_property_sees_a_merge_that_drops_pins(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = searching.merged

    def unpinned(*given: Any, **options: Any) -> Ranking:
        return plain(*given, **{**options, "pins": {}})

    monkeypatch.setattr(searching, "merged", unpinned)
    assert "a fault" in escapes(stage)


def test_the_property_sees_a_search_that_hears_nothing(stage: Stage) -> None:
    said = escapes(replace(stage, search=lambda search: like(Deaf, search)))
    assert f"{CRISIS} is not in the final set" in said


def test_the_mixes_are_what_they_are_named() -> None:
    mixes = [Mix.of(seed) for seed in range(400)]
    assert {mix.limits.merge for mix in mixes} == {"rrf", "seed"}
    assert {1, 50} <= {mix.limits.candidates for mix in mixes}
    assert any(CRISIS in mix.shown for mix in mixes)
    assert any(len(mix.message) > MAX_MESSAGE_CHARS for mix in mixes)
    assert sum(mix.broken is not None for mix in mixes) > 20
    assert len({mix.ranker for mix in mixes}) > 30
    assert CRISIS in IDS
    assert len(ordinary()) > 300
    ways = {spoken("a? (b|c (d|e)) ... f*", Random(seed)) for seed in range(200)}
    assert {"b f", "a b f", "c d f", "a c e f"} <= ways
    assert all(spoken(phrase, Random(0)) for phrase in phrases())
