"""The routes; each asks the engine and shows the body that every face shows."""

from __future__ import annotations

import re
from functools import partial
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Header, Response

from handrail.corpus.columns import ColumnMap
from handrail.domain.duties import NoticeState
from handrail.errors import HandrailError, InvalidInput, NotFound
from handrail.server.bodies import (
    CASE_ID,
    BuildBody,
    BuildErrorBody,
    CheckAsked,
    CoachAsked,
    ColumnsAsked,
    HealthBody,
    IndexAsked,
    IndexedBody,
    MetricsBody,
    ProgressBody,
    ReadyBody,
    SearchAsked,
)
from handrail.server.builds import Build
from handrail.server.using import PROBLEMS, Traced, Using
from handrail.wire import (
    CoachBody,
    RiskBody,
    SearchBody,
    StoredCaseBody,
    coach_body,
    risk_body,
    search_body,
    stored_case_body,
)

router = APIRouter()


@router.post("/search_cases", responses=PROBLEMS)
async def search_cases(asked: SearchAsked, service: Using, tracer: Traced) -> SearchBody:
    """The most similar cases, best first (C40)."""
    limits = service.engine.settings.server
    if asked.k > limits.max_k:
        raise InvalidInput(f"k is at most {limits.max_k} (HANDRAIL_SERVER__MAX_K)")
    if len(asked.query) > limits.max_query_chars:
        raise service.too_long()
    search = partial(
        service.engine.search,
        asked.query,
        collection=service.collection,
        k=asked.k,
        tracer=tracer,
    )
    found = await service.over_index(lambda: service.offload(search))
    return search_body(found, tracer.trace())


@router.post("/coach", responses=PROBLEMS)
async def coach(asked: CoachAsked, service: Using, tracer: Traced) -> CoachBody:
    """An answer, an abstention, a refusal or help first; each of them is an outcome (C41-C44)."""
    await service.require_readable(asked.query)
    outcome = await service.engine.coach(
        asked.query,
        collection=service.collection,
        case_ids=asked.case_ids,
        country=asked.country,
        trace_id=tracer.trace_id,
        offload=service.offload,
        screen_offload=service.screened,
        before_index=service.require_index,
        seen=NoticeState(ai=asked.notices_shown_at.ai, minors=asked.notices_shown_at.minors),
        minor=asked.minor,
    )
    if "collection" in outcome.receipt.body:
        service.opened = True
    return coach_body(outcome)


@router.get("/cases/{case_id}", responses=PROBLEMS)
async def case(case_id: str, service: Using) -> StoredCaseBody:
    """A stored case with every sentence that may be cited."""
    if not re.fullmatch(CASE_ID, case_id):
        raise NotFound("no such case: an id has 16 hexadecimal digits. Use ids from /search_cases")
    stored = partial(service.engine.case, case_id, collection=service.collection)
    return stored_case_body(await service.over_index(lambda: service.offload(stored)))


@router.post("/check", responses=PROBLEMS)
async def check(asked: CheckAsked, service: Using) -> RiskBody:
    """What the crisis screen says; no model, no index, nothing stored."""
    return risk_body(await service.screened(lambda: service.engine.check(asked.text)))


@router.post("/index", status_code=HTTPStatus.ACCEPTED, responses=PROBLEMS)
async def index(
    asked: IndexAsked, service: Using, response: Response, wait: bool = False
) -> BuildBody | IndexedBody:
    """Add a file on the server's disk to a collection, in the background unless ``wait`` (C39).

    Any file that the server's user may read can be named, which is why callers are on this machine
    or hold a key.
    """
    build = service.index(asked.file, asked.collection, _columns(asked.columns))
    response.headers["Location"] = f"/index/{build.id}"
    if not wait:
        return _build_body(build)
    await service.builds.wait(build)
    if build.error is not None:
        raise build.error
    response.status_code = HTTPStatus.OK
    return _indexed(build)


def _columns(asked: ColumnsAsked | None) -> ColumnMap | None:
    return ColumnMap(**asked.model_dump()) if asked else None


@router.get("/index/{build_id}", responses=PROBLEMS)
async def index_state(build_id: str, service: Using) -> BuildBody:
    """How far a build is."""
    return _build_body(service.builds.get(build_id))


@router.delete("/index/{build_id}", status_code=HTTPStatus.ACCEPTED, responses=PROBLEMS)
async def index_stop(build_id: str, service: Using) -> BuildBody:
    """Stop a build within a second or so; the standing index stays."""
    build = service.builds.get(build_id)
    build.stop.set()
    return _build_body(build)


def _indexed(build: Build) -> IndexedBody:
    built = build.built
    assert built is not None
    return IndexedBody(
        records=built.records, model=built.model, dim=built.dim, build_ms=round(built.ms, 3)
    )


def _build_body(build: Build) -> BuildBody:
    state, progress = build.state, build.progress
    body = BuildBody(id=build.id, collection=build.collection, state=state)
    if progress is not None:
        body.progress = ProgressBody(
            done=progress.done, total=progress.total, seconds_left=round(progress.seconds_left, 1)
        )
    if state == "done":
        body.result = _indexed(build)
    if state == "failed":
        body.error = _build_error(build.error)
    return body


def _build_error(error: Exception | None) -> BuildErrorBody:
    if isinstance(error, HandrailError):
        return BuildErrorBody(code=error.code, detail=str(error))
    return BuildErrorBody(code="internal-error", detail="This is a defect. Report it with the id")


@router.get("/metrics", response_model=MetricsBody, responses=PROBLEMS)
async def metrics(
    service: Using, accept: Annotated[str, Header(include_in_schema=False)] = ""
) -> MetricsBody | Response:
    """Counts and times as JSON (C45), or as Prometheus text where that is what is accepted."""
    if "text/plain" not in accept and "openmetrics" not in accept:
        return service.metrics.body()
    text, media_type = service.metrics.text(accept)
    return Response(text, headers={"Content-Type": media_type, "Vary": "Accept"})


@router.get("/health")
async def health(service: Using) -> HealthBody:
    """The process is alive; needs no key."""
    return HealthBody(initialized=service.opened)


@router.get("/ready", responses=PROBLEMS)
async def ready(service: Using) -> ReadyBody:
    """Whether questions are answered; a problem until the collection is open (C51)."""
    service.require_index()
    if not service.opened:  # it may have come since, from the command line
        await service.offload(service.open)
    if service.failure is not None:
        raise service.failure
    return ReadyBody()
