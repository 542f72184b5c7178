"""A few entities, rows about them, and a finder that gives what a test says it gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from evals_sample import write_rows

from handrail.domain.entity import ChatType, Entity, EntityType, LoadMode
from handrail.domain.ranking import Candidate, ChannelHit, Drop, Pin, Ranking
from handrail.domain.risk import Level, Risk
from handrail.domain.scores import Score, ScoreKind
from handrail.domain.text import Passage, Span
from handrail.evals.guide.card import GuideCard
from handrail.evals.guide.suite import run_guide
from handrail.flows.guide.found import Chosen, Found


def entity(
    name: str, *, load: LoadMode = LoadMode.SITUATION, critical: bool = False, **more: Any
) -> Entity:
    return Entity(
        entity_id=name,
        entity_type=EntityType.SITUATION,
        load_mode=load,
        title=name.replace("_", " ").capitalize(),
        concept_summary="About it.",
        safety_critical=critical,
        **more,
    )


ENTITIES = {
    one.entity_id: one
    for one in (
        entity("apple"),
        entity("pear"),
        entity("plum"),
        entity("quince", never_with=("handler_crisis",)),
        entity("rotg_de_escalation"),
        entity("handler_crisis", critical=True),
        entity("handler_first_conversation", load=LoadMode.STATE),
        entity("rule_voice", load=LoadMode.ALWAYS),
    )
}


def hit(channel: str, rank: int = 1) -> ChannelHit:
    return ChannelHit(channel=channel, rank=rank, score=Score(ScoreKind.COUNT, 1.0))


def chosen(name: str, *channels: str, pin: str | None = None, rank: int = 1) -> Chosen:
    hits = tuple(hit(channel, rank) for channel in channels)
    return Chosen(entity=ENTITIES[name], pin=Pin(pin) if pin else None, hits=hits)


def found(
    *final: Chosen,
    candidates: Mapping[str, Sequence[str]] | None = None,
    cut: Sequence[str] = (),
    level: Level = Level.NONE,
    warnings: tuple[str, ...] = (),
) -> Found:
    """A final set; ``candidates`` are those not chosen, by id with their channels."""
    left = candidates or {}
    ranking = Ranking(
        candidates=(
            *(_candidate(one.entity.entity_id, one.hits) for one in final),
            *(_candidate(name, tuple(map(hit, found_by))) for name, found_by in left.items()),
        ),
        dropped=tuple(Drop(passage_id=name, stage="cap", reason="below 15") for name in cut),
    )
    return Found(
        final=final,
        always=(ENTITIES["rule_voice"],),
        ranking=ranking,
        risk=Risk(level=level),
        warnings=warnings,
    )


def _candidate(name: str, hits: tuple[ChannelHit, ...]) -> Candidate:
    passage = Passage(id=name, document_id=name, text=name, span=Span(0, len(name)))
    return Candidate(passage=passage, score=Score(ScoreKind.FUSION, 0.5), hits=hits)


def row(test_id: str = "T-1", *, bank: str = "semantic", **more: Any) -> dict[str, Any]:
    return {"test_id": test_id, "bank": bank, "prompt": f"zanzibar {test_id}", **more}


def run(tmp_path: Path, *given: tuple[dict[str, Any], Found]) -> GuideCard:
    """The card over rows, each with what is found for it."""
    bank = write_rows(tmp_path / "guide.jsonl", *(one for one, _ in given))
    answers = {one["prompt"]: answer for one, answer in given}

    def find(prompt: str, state: Mapping[str, object], chat_type: ChatType | None) -> Found:
        return answers[prompt]

    return run_guide(find, entities=ENTITIES.values(), bank=bank)
