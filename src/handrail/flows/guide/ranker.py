"""The bounded call that orders candidates (H8): a model may choose among ids, and write nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pydantic import BaseModel, ConfigDict, Field

from handrail.calls import Accept, Prompt, Prune, Reject, Ruling, Skill
from handrail.domain.entity import Entity

MOST_CANDIDATES = 50
SUMMARY_CHARS = 300
MESSAGE_CHARS = 4_000


class _Closed(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ShownEntity(_Closed):
    """One candidate as the model sees it."""

    entity_id: str
    title: str
    summary: str = Field(max_length=SUMMARY_CHARS)


class RankerInput(_Closed):
    """All that a model is told; ``least`` and ``most`` are how many to choose."""

    message: str = Field(max_length=MESSAGE_CHARS)
    candidates: tuple[ShownEntity, ...] = Field(max_length=MOST_CANDIDATES)
    least: int
    most: int


class RankerOutput(_Closed):
    """The whole of what a model may say: ids that it was shown, the best first."""

    entity_ids: tuple[str, ...] = Field(max_length=MOST_CANDIDATES)


def shown(message: str, entities: Sequence[Entity], *, least: int, most: int) -> RankerInput:
    """The input for candidates in their fused order; long texts are cut.

    A lone surrogate, which no JSON can carry, becomes a question mark.
    """
    return RankerInput(
        message=message[:MESSAGE_CHARS].encode("utf-8", "replace").decode("utf-8"),
        candidates=tuple(
            ShownEntity(
                entity_id=one.entity_id,
                title=one.title,
                summary=one.concept_summary[:SUMMARY_CHARS],
            )
            for one in entities
        ),
        least=min(least, len(entities)),
        most=most,
    )


def only_what_was_shown(given: RankerInput, said: RankerOutput) -> Ruling[RankerOutput]:
    """Ids that were shown, each once, at most ``most``; under ``least`` the twin ranks instead."""
    known = {one.entity_id for one in given.candidates}
    kept = [name for name in dict.fromkeys(said.entity_ids) if name in known][: given.most]
    if len(kept) < given.least:
        return Reject("too-few-candidates")
    if len(kept) == len(said.entity_ids):
        return Accept()
    dropped = ("id-not-offered",) * (len(said.entity_ids) - len(kept))
    return Prune(RankerOutput(entity_ids=tuple(kept)), dropped)


def ranker(
    fallback: Callable[[RankerInput], RankerOutput],
    *,
    timeout_seconds: float,
    retries: int,
    max_tokens: int,
) -> Skill[RankerInput, RankerOutput]:
    """The skill, with the deterministic twin of one message as its fallback."""
    return Skill(
        name="guide.ranker.v1",
        prompt=Prompt.load("handrail.flows.guide", "ranker.md"),
        input=RankerInput,
        output=RankerOutput,
        check=only_what_was_shown,
        fallback=fallback,
        timeout_seconds=timeout_seconds,
        retries=retries,
        max_tokens=max_tokens,
        on_error="fallback",
    )
