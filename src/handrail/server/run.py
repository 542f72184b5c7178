"""One process that serves until it is told to stop."""

from __future__ import annotations

import socket
from collections.abc import Callable

import uvicorn

from handrail.engine import Engine
from handrail.errors import InvalidInput
from handrail.server.app import create_app

BACKLOG = 128
GRACE_SECONDS = 10  # for requests under way after SIGTERM or Ctrl-C


def serve(
    engine: Engine,
    host: str,
    port: int,
    collection: str,
    *,
    announce: Callable[[str], None] = lambda _: None,
) -> None:
    """Answer over HTTP until SIGTERM or Ctrl-C; port 0 takes a free one.

    ``announce`` is told the address once it accepts connections. Raises `InvalidSettings` when the
    server would stand open, and `InvalidInput` for an address that cannot be had.
    """
    app = create_app(engine, collection=collection, host=host)
    with _listener(host, port) as listener:
        announce(_address(listener))
        config = uvicorn.Config(
            app,
            access_log=False,  # it would hold addresses, and with them ids
            log_level="warning",
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=GRACE_SECONDS,
        )
        uvicorn.Server(config).run(sockets=[listener])


def _listener(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listener = socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        raise InvalidInput(
            f"cannot listen on {host} port {port}: {error.strerror}. Try another --host or --port"
        ) from error
    # Inherited by every connection. The event loop sets it only where a socket names its protocol,
    # and without it each reply waits 40 ms for an acknowledgement.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def _address(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
