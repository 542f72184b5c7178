"""The text that a command is about: an argument, or standard input."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from handrail.cli.session import say
from handrail.domain.text import canonical
from handrail.errors import InvalidInput

MAX_BYTES = 16 * 2**20  # of standard input; every flow refuses far shorter messages

_HELP = "In quotes; - reads standard input. Put -- before text that begins with a dash."
Text = Annotated[str, typer.Argument(help=_HELP)]


def read_text(argument: str) -> str:
    """The text in its canonical form, so that offsets and receipts count what a file would hold.

    Bytes that are no UTF-8 become U+FFFD and NULs go: a cry for help with a broken byte in it is
    still read. Raises `InvalidInput` for more than 16 MiB.
    """
    if argument != "-":
        return typed(argument)
    return canonical(_standard_input().decode("utf-8-sig", "replace"))


def typed(text: str) -> str:
    """What was typed, in the same form."""
    return canonical(os.fsencode(_encodable(text)).decode("utf-8-sig", "replace"))


def _encodable(text: str) -> str:
    """``text`` without surrogates that stand for no byte of the command line."""
    return "".join(
        "\ufffd" if "\ud800" <= char <= "\udfff" and not "\udc80" <= char <= "\udcff" else char
        for char in text
    )


def _standard_input() -> bytes:
    if sys.stdin.isatty():
        say("reading standard input; Ctrl-D on an empty line ends it")
    raw = sys.stdin.buffer.read(MAX_BYTES + 1)
    if len(raw) > MAX_BYTES:
        raise InvalidInput(f"standard input has more than {MAX_BYTES} bytes. Send less")
    return raw
