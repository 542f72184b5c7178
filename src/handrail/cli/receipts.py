"""``handrail verify``: a receipt against the stored text."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from handrail.cli.exits import Exit
from handrail.cli.session import Session
from handrail.cli.words import read_text
from handrail.errors import NotFound, ReceiptInvalid

MAX_BYTES = 16 * 2**20  # a reply has some thousand bytes


def verify(
    context: typer.Context,
    receipt: Annotated[Path, typer.Argument(help="A receipt or a JSON reply; - reads it.")],
    message: Annotated[
        str | None, typer.Option(help="What the person wrote: the reply is then replayed.")
    ] = None,
    messages: Annotated[
        Path | None,
        typer.Option(help="A JSON list of what the person wrote in a session, to replay it."),
    ] = None,
) -> Exit:
    """Look up every piece of a reply again and compare it byte for byte."""
    session = Session.of(context)
    said = None if message is None else read_text(message)
    all_said = None if messages is None else _listed(messages)
    found = session.engine().verify(_read(receipt), message=said, messages=all_said)
    body = {
        "ok": found.ok,
        "receipt_id": found.receipt_id,
        "checks": [{"name": c.name, "ok": c.ok, "detail": c.detail} for c in found.checks],
    }
    lines = [f"{_mark(check.ok):<9} {check.name}: {check.detail}" for check in found.checks]
    verdict = "the receipt holds" if found.ok else "the receipt does not hold"
    session.show(body, "\n".join([*lines, verdict]))
    return Exit.DONE if found.ok else Exit.FAULT


def _mark(ok: bool | None) -> str:
    return {True: "ok", False: "FAILED", None: "unchecked"}[ok]


def _listed(path: Path) -> list[str]:
    listed = _read(path)
    if not isinstance(listed, list) or not all(isinstance(each, str) for each in listed):
        raise ReceiptInvalid(f"{str(path)!r} is no JSON list of messages, the first one first")
    return listed


def _read(path: Path) -> Any:

    try:
        raw = sys.stdin.buffer.read(MAX_BYTES) if str(path) == "-" else path.read_bytes()
    except OSError as error:
        raise NotFound(f"{str(path)!r} cannot be read: {error.strerror}. Name a file") from error
    try:
        return json.loads(raw[:MAX_BYTES])
    except (ValueError, RecursionError):
        raise ReceiptInvalid(
            f"{str(path)!r} is not JSON. Save a reply with --json and pass that file"
        ) from None
