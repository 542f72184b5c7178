"""The routes of the guide for parents: a reply, and the final set alone."""

from __future__ import annotations

from functools import partial
from typing import Any

from fastapi import APIRouter

from handrail.domain.duties import NoticeState
from handrail.domain.entity import ChatType
from handrail.server.guide_bodies import GuideAsked, RetrieveAsked
from handrail.server.using import PROBLEMS, Traced, Using
from handrail.wire.guide import GuideBody, RetrieveBody, guide_body, retrieve_body

router = APIRouter()


@router.post("/guide", responses=PROBLEMS)
async def guide(asked: GuideAsked, service: Using, tracer: Traced) -> GuideBody:
    """An answer, an abstention, a refusal or help first, from curated entities; no index (H8)."""
    await service.require_readable(asked.message)
    guided = await service.engine.guide(
        asked.message,
        **_situation(asked),
        country=asked.country,
        trace_id=tracer.trace_id,
        offload=service.guided,
        screen_offload=service.screened,
        seen=NoticeState(ai=asked.notices_shown_at.ai, minors=asked.notices_shown_at.minors),
        minor=asked.minor,
    )
    return guide_body(guided)


@router.post("/guide/retrieve", responses=PROBLEMS)
async def retrieve(asked: RetrieveAsked, service: Using, tracer: Traced) -> RetrieveBody:
    """The final set alone, without a model; with ``explain`` each channel's part in it (H26)."""
    await service.require_readable(asked.message)
    find = partial(service.engine.guide_find, asked.message, **_situation(asked), tracer=tracer)
    found = await service.guided(find)
    return retrieve_body(found, tracer.trace(), explain=asked.explain)


def _situation(asked: GuideAsked) -> dict[str, Any]:
    return {
        "user_state": asked.user_state,
        "chat_type": ChatType(asked.chat_type) if asked.chat_type else None,
        "shown": asked.shown,
    }
