"""Every error is a typed problem that repeats nothing (C48, C51)."""

from __future__ import annotations

import pytest
from asgi import Reply, send
from fastapi import FastAPI
from starlette.middleware import Middleware

from handrail import errors
from handrail.domain.trace import Run
from handrail.server import problems
from handrail.server.envelope import CLIENT_GONE, HEADERS, Envelope

CANARY = "canary-that-somebody-wrote"


class Seen:
    """What the envelope reports."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, int]] = []
        self.runs: list[Run] = []

    def requested(self, endpoint: str, status: int) -> None:
        self.requests.append((endpoint, status))


def app_that_raises(error: BaseException, seen: Seen) -> FastAPI:
    app = FastAPI(
        middleware=[
            Middleware(
                Envelope,
                new_id=lambda: "trace-1",
                requested=seen.requested,
                observe=seen.runs.append,
            )
        ]
    )

    @app.get("/thing/{name}")
    async def thing(name: str) -> None:
        raise error

    problems.install(app)
    return app


async def problem_of(error: BaseException, seen: Seen | None = None) -> Reply:
    app = app_that_raises(error, seen or Seen())
    return await send(app, method="GET", path=f"/thing/{CANARY}")


EXPECTED: list[tuple[errors.HandrailError, int]] = [
    (errors.InvalidInput("write more"), 422),
    (errors.UnreadableFile("not JSON"), 422),
    (errors.ReceiptInvalid("changed"), 422),
    (errors.NotFound("no such case"), 404),
    (errors.CollectionBusy("wait"), 409),
    (errors.SessionBusy("another turn"), 409),
    (errors.SessionConflict("read it again"), 409),
    (errors.SessionUnreadable("another key"), 409),
    (errors.EntityConflict("read it again"), 409),
    (errors.StoreFailed("no room left"), 503),
    (errors.TimedOut("not in time"), 503),
    (errors.IndexNotReady("index building"), 503),
    (errors.IndexCorrupt("cases.parquet"), 503),
    (errors.IndexMismatch("another model"), 503),
    (errors.InvalidSettings("unknown"), 500),
    (errors.MissingExtra("torch", extra="bench"), 500),
    (errors.ModelFailed("timeout"), 500),
    (errors.BudgetExhausted("no calls left"), 500),
    (errors.ContentInvalid("phrases"), 500),
]


@pytest.mark.parametrize(("error", "status"), EXPECTED, ids=lambda v: getattr(v, "code", v))
async def test_a_deliberate_error_speaks_for_itself(
    error: errors.HandrailError, status: int
) -> None:
    reply = await problem_of(error)
    assert reply.status == status
    assert reply.headers["content-type"] == "application/problem+json"
    body = reply.json()
    assert (body["code"], body["detail"], body["status"]) == (error.code, str(error), status)
    assert body["type"] == "about:blank"
    assert body["title"]
    assert body["trace_id"] == reply.headers["x-trace-id"] == "trace-1"


async def test_c51_an_index_that_is_building_says_when_to_come_back() -> None:
    reply = await problem_of(errors.IndexNotReady("index building"))
    assert reply.headers["retry-after"].isdecimal()


async def test_a63_a_busy_session_says_when_to_come_back() -> None:
    reply = await problem_of(errors.SessionBusy("another turn"))
    assert reply.headers["retry-after"].isdecimal()


async def test_every_error_of_the_tree_has_a_status() -> None:
    for error in EXPECTED:
        assert any(isinstance(error[0], kind) for kind, _ in problems.STATUS)
    assert problems.STATUS[-1][0] is errors.HandrailError


async def test_c48_a_defect_tells_its_place_to_observers_and_nothing_to_the_caller() -> None:
    seen = Seen()
    reply = await problem_of(KeyError(CANARY), seen)
    assert (reply.status, reply.json()["code"]) == (500, "internal-error")
    assert CANARY not in reply.body.decode()
    (run,) = seen.runs
    assert run.reason is not None
    assert run.reason.startswith("KeyError at test_server_problems.py:")
    assert run.trace.trace_id == "trace-1"


async def test_a_defect_after_the_reply_began_ends_quietly() -> None:
    seen = Seen()

    async def half(scope, receive, send):  # type: ignore[no-untyped-def]
        await send({"type": "http.response.start", "status": 200, "headers": []})
        raise RuntimeError(CANARY)

    envelope = Envelope(half, lambda: "t", seen.requested, seen.runs.append)
    reply = await send(envelope)
    assert (reply.status, reply.body) == (200, b"")
    assert seen.runs[0].reason is not None
    assert CANARY not in seen.runs[0].reason


async def test_c66_a_request_is_counted_once_by_route_and_never_by_address() -> None:
    seen = Seen()
    app = app_that_raises(errors.NotFound("none"), seen)
    await send(app, method="GET", path=f"/thing/{CANARY}")
    await send(app, method="GET", path=f"/{CANARY}")
    await send(app, method="GET", path=f"/{CANARY}/{CANARY}")
    assert seen.requests == [
        ("GET /thing/{name}", 404),
        ("unmatched", 404),
        ("unmatched", 404),
    ]


async def test_a_client_that_went_away_is_counted_as_such() -> None:
    seen = Seen()

    async def silent(scope, receive, send):  # type: ignore[no-untyped-def]
        return

    await send(Envelope(silent, lambda: "t", seen.requested, seen.runs.append))
    assert seen.requests == [("unmatched", CLIENT_GONE)]


@pytest.mark.parametrize(
    ("method", "path", "code"),
    [
        ("GET", "/nowhere", "no-such-route"),
        ("PUT", "/thing/a", "method-not-allowed"),
    ],
)
async def test_the_frameworks_own_errors_are_problems_too(
    method: str, path: str, code: str
) -> None:
    reply = await send(app_that_raises(KeyError(), Seen()), method=method, path=path)
    assert reply.headers["content-type"] == "application/problem+json"
    assert reply.json()["code"] == code


async def test_c71_every_reply_carries_the_headers() -> None:
    reply = await problem_of(errors.NotFound("none"))
    for name, value in HEADERS.items():
        assert reply.headers[name.lower()] == value
