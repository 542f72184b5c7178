"""The routes of editors: entities read, tried, written and taken back, with an admin key."""

from __future__ import annotations

import re
from collections.abc import Callable
from http import HTTPStatus
from typing import Annotated, TypeVar

from fastapi import APIRouter, Body, Depends, Header, Query, Response

from handrail.errors import ContentInvalid, InvalidInput, NotFound
from handrail.flows.guide.desk import MAX_BY_CHARS, Desk
from handrail.flows.guide.dry_run import Message
from handrail.server.bodies import Text
from handrail.server.guide_bodies import ENTITY_ID, DryRunAsked, MessageAsked, Tree
from handrail.server.service import Service
from handrail.server.using import PROBLEMS, Using, require_admin
from handrail.wire.entities import (
    DryRunBody,
    EntitiesBody,
    EntityRecordBody,
    HistoryBody,
    dry_run_body,
    entities_body,
    history_body,
    record_body,
)

router = APIRouter(
    prefix="/guide/entities", dependencies=[Depends(require_admin)], responses=PROBLEMS
)

T = TypeVar("T")
_VERSION = re.compile(r'(?:W/)?"(\d{1,9})"|\d{1,9}')


class Unfit(InvalidInput):
    """An entity that a client sent breaks the schema; the client can mend it."""

    code = ContentInvalid.code


def _known_shape(entity_id: str) -> str:
    if not re.fullmatch(ENTITY_ID, entity_id):
        raise NotFound("no such entity: an id has lower-case letters, digits and _")
    return entity_id


def _expected(
    if_match: Annotated[
        str | None,
        Header(description='The version that the change was made from, such as "3"; 0 is none.'),
    ] = None,
) -> int | None:
    if if_match is None:
        return None
    found = _VERSION.fullmatch(if_match.strip())
    if found is None:
        raise InvalidInput('If-Match holds the version that was read, such as "3"')
    return int(found[1] or found[0])


EntityId = Annotated[str, Depends(_known_shape)]
Expected = Annotated[int | None, Depends(_expected)]
By = Annotated[
    Text,
    Query(
        min_length=1,
        max_length=MAX_BY_CHARS,
        description="Who writes, as the history will show it.",
    ),
]


@router.get("")
async def entities(service: Using) -> EntitiesBody:
    """Every active entity, by id."""
    return entities_body(await _at_desk(service, lambda desk: desk.entities()))


@router.get("/{entity_id}")
async def entity(
    entity_id: EntityId,
    service: Using,
    response: Response,
    version: Annotated[int | None, Query(ge=1, le=2**31)] = None,
) -> EntityRecordBody:
    """A version of an entity, by default the standing one, active or not."""
    record = await _at_desk(service, lambda desk: desk.record(entity_id, version=version))
    response.headers["ETag"] = f'"{record.entity.version}"'
    return record_body(record)


@router.get("/{entity_id}/history")
async def entity_history(entity_id: EntityId, service: Using) -> HistoryBody:
    """Who changed which fields, oldest first."""
    return history_body(entity_id, await _at_desk(service, lambda desk: desk.history(entity_id)))


@router.put("/{entity_id}")
async def entity_put(
    entity_id: EntityId,
    sent: Annotated[Tree, Body(description="The whole entity.")],
    by: By,
    expected: Expected,
    service: Using,
    response: Response,
) -> EntityRecordBody:
    """Write a new version, in use at once; an equal one changes nothing."""
    values = {"entity_id": entity_id, **sent}
    if values["entity_id"] != entity_id:
        raise InvalidInput("the entity_id of the body is not the one of the address")

    def put(desk: Desk) -> EntityRecordBody:
        with_version = desk.put(values, by=by, expected=expected).version
        return record_body(desk.record(entity_id, version=with_version))

    body = await _at_desk(service, _theirs(put))
    response.headers["ETag"] = f'"{body.entity.version}"'
    return body


@router.delete("/{entity_id}", status_code=HTTPStatus.NO_CONTENT)
async def entity_delete(entity_id: EntityId, by: By, expected: Expected, service: Using) -> None:
    """Take an entity out of use; its versions stay."""
    await _at_desk(service, lambda desk: desk.delete(entity_id, by=by, expected=expected))


@router.post("/dry-run")
async def entity_dry_run(asked: DryRunAsked, service: Using) -> DryRunBody:
    """What an entity would match, by default in all that the catalogue recognises (H36)."""
    messages = None if asked.messages is None else [_message(one) for one in asked.messages]
    name = str(asked.entity.get("entity_id"))
    run = await _at_desk(service, _theirs(lambda desk: desk.dry_run(asked.entity, messages)))
    return dry_run_body(name, run)


def _message(asked: str | MessageAsked) -> Message:
    return Message(asked) if isinstance(asked, str) else Message(asked.text, asked.entity_id)


async def _at_desk(service: Service, work: Callable[[Desk], T]) -> T:
    return await service.guided(lambda: work(service.engine.desk))


def _theirs(work: Callable[[Desk], T]) -> Callable[[Desk], T]:
    """``work``, in which content that is invalid is what the client sent."""

    def done(desk: Desk) -> T:
        try:
            return work(desk)
        except ContentInvalid as error:
            raise Unfit(str(error)) from None

    return done
