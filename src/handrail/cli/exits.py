"""Exit codes, and which error ends with which."""

from __future__ import annotations

from enum import IntEnum

from handrail.errors import HandrailError, IndexCorrupt, IndexUnusable, UsageError


class Exit(IntEnum):
    """How a command ended; scripts may rely on the numbers."""

    DONE = 0
    FAULT = 1
    USAGE = 2
    DECLINED = 3
    SAFETY = 4
    STOPPED = 130


MEANING = {
    Exit.DONE: "answered, or done; `check` read no risk or a mild one",
    Exit.FAULT: "something is broken, or what was checked does not hold",
    Exit.USAGE: "something the caller can mend: a word typed, a setting, a file, an old index",
    Exit.DECLINED: "abstained or refused",
    Exit.SAFETY: "safety response; `check` read a moderate or high risk",
    Exit.STOPPED: "stopped by Ctrl-C; what was embedded is kept",
}

# The first class that fits decides. An index that needs one command is no fault; damage is.
_CODES: tuple[tuple[type[HandrailError], Exit], ...] = (
    (UsageError, Exit.USAGE),
    (IndexCorrupt, Exit.FAULT),
    (IndexUnusable, Exit.USAGE),
    (HandrailError, Exit.FAULT),
)


def exit_code(error: Exception) -> Exit:
    """The code for an error; one that nobody raised on purpose is a fault."""
    return next((code for kind, code in _CODES if isinstance(error, kind)), Exit.FAULT)
