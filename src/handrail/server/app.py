"""The HTTP face of an engine."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from fastapi.telemetry import TelemetryConfig
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware

from handrail import __version__
from handrail.engine import Engine
from handrail.server import chat, entities, guide, problems
from handrail.server.doors import Doors
from handrail.server.envelope import Envelope
from handrail.server.limits import Guard
from handrail.server.routes import router
from handrail.server.service import WAITING_PER_WORKER, Service

# The framework would export validation failures, which hold what was sent, on its own.
_NO_TELEMETRY: TelemetryConfig = {
    "tracing": False,
    "metrics": False,
    "logs": False,
    "operation_spans": False,
    "auto_configure": False,
}


def create_app(engine: Engine, *, collection: str, host: str) -> FastAPI:
    """An app that answers from ``collection``; raises `InvalidSettings` when it would stand open.

    ``host`` is what the server listens on. Only the lifespan opens the collection ahead of the
    first question; it ends builds and threads.
    """
    doors = Doors.of(engine.settings.server, host=host)
    service = Service(engine, collection)
    app = FastAPI(
        title="Handrail",
        version=__version__,
        docs_url=None,  # both pages load scripts from elsewhere
        redoc_url=None,
        redirect_slashes=False,
        lifespan=_lifespan,
        middleware=_middleware(service, doors),
        telemetry=_NO_TELEMETRY,
    )
    app.state.service, app.state.doors = service, doors
    app.include_router(router)
    app.include_router(chat.router)
    app.include_router(guide.router)
    app.include_router(entities.router)
    problems.install(app)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    service: Service = app.state.service
    service.start()
    try:
        yield
    finally:
        await service.turns.close()
        await service.engine.close()
        await asyncio.to_thread(service.close)


def _middleware(service: Service, doors: Doors) -> list[Middleware]:
    """Outermost first: a preflight carries no key, so CORS stands before the guard."""
    limits = service.engine.settings.server
    return [
        Middleware(
            Envelope,
            new_id=service.engine.new_id,
            requested=service.metrics.requested,
            observe=service.observe,
        ),
        Middleware(
            CORSMiddleware,
            allow_origins=limits.cors_origins,
            allow_methods=["GET", "POST", "PUT", "PATCH", "DELETE"],
            allow_headers=[
                "Authorization",
                "Content-Type",
                "If-Match",
                "Last-Event-ID",
                "X-API-Key",
            ],
            expose_headers=["ETag", "Location", "Retry-After", "X-Session-Id", "X-Trace-Id"],
        ),
        Middleware(
            Guard,
            doors=doors,
            max_body_bytes=limits.max_body_bytes,
            max_in_flight=limits.workers * WAITING_PER_WORKER,
        ),
    ]
