"""What no command can use, and corpora of every shape: for the shell and for one process."""

from __future__ import annotations

import json
from typing import Any

GARBAGE = {
    "nothing": b"",
    "blank": b" \n\t\r\n ",
    "a megabyte": b"I feel low and so on. " * 50_000,
    "one endless word": b"a" * 1_000_000,
    "NULs": b"\x00" * 100,
    "NULs in words": b"I feel \x00low\x00",
    "no UTF-8": bytes(range(128, 256)) * 10,
    "lone surrogates": "I feel low \ud800\udfff".encode("utf-8", "surrogatepass"),
    "right to left": "أشعر بالحزن والوحدة كل يوم".encode(),
    "marks of direction": "\u202eI feel low\u2066\u2069".encode(),
    "emoji": "😭".encode() * 10_000,
    "combining marks": ("e" + "\u0301" * 5_000).encode(),
    "braces": b'{"query": "x"}' * 100,
    "terminal codes": b"\x1b[31mI feel low\x1b[0m\x07",
}


def line(**fields: Any) -> str:
    """One line of a corpus."""
    return json.dumps(fields)


ONE = line(Context="I feel low.", Response="A walk can help.")
CORPORA = {
    "one line": (ONE, 0),
    "no line": ("", 2),
    "blank lines": ("\n\n \n", 2),
    "blank lines around one": (f"\n\n{ONE}\n\n", 0),
    "no response": (line(Context="I feel low."), 2),
    "blank response": (line(Context="I feel low.", Response=" "), 2),
    "numbers": (line(Context=1, Response=2), 2),
    "lists": (line(Context=["I feel low."], Response=["A walk."]), 2),
    "an array": (f"[{ONE}]", 2),
    "a string": ('"I feel low."', 2),
    "null": ("null", 2),
    "other columns": (line(a="I feel low.", b="A walk."), 2),
    "half an object": (ONE[:-5], 2),
    "deep": ("[" * 100_000, 2),
    "a huge number": (line(Context="I feel low.", Response="A walk.", n=int("9" * 4_000)), 0),
    "50,000 words": (line(Context="low " * 50_000, Response="A walk can help. " * 12_500), 0),
    "lone surrogates": ('{"Context": "I feel \\ud800 low.", "Response": "A \\udfff walk."}', 0),
    "right to left": (line(Context="أشعر بالحزن.", Response="المشي قد يساعد."), 0),
    "emoji": (line(Context="😭" * 10_000, Response="😀" * 10_000), 0),
    "NULs": (line(Context="I feel\x00 low.", Response="A walk\x00 can help."), 0),
    "columns twice": ('{"Context": "a", "Context": "b", "Response": "A walk can help."}', 0),
}
