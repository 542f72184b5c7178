"""What is stored of a session: the state after its last turn, that turn, and what it answered."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from handrail.domain.text import digest
from handrail.errors import SessionUnreadable
from handrail.flows.reframe.state import SessionState

FRESH = 0  # the version of a session that was never saved
REMEMBERED = 32  # ids of answered messages; a session with every turn it may have has fewer


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """A session as it was ``at`` the time of reading, in seconds since the epoch.

    ``last`` is the record of the last turn, made for the message with ``last_id`` and ``last_sha``;
    ``answered`` are hashes of the ids of earlier ones.
    """

    state: SessionState
    at: float
    version: int = FRESH
    answered: tuple[str, ...] = ()
    last_id: str = ""
    last_sha: str = ""
    last: Mapping[str, Any] | None = None

    def has_answered(self, message_id: str) -> bool:
        """Whether a message before the last one had this id."""
        return _hash(message_id) in self.answered

    def after(
        self, state: SessionState, record: Mapping[str, Any], *, message_id: str, text: str
    ) -> Snapshot:
        """The session after the turn with this record."""
        earlier = (*self.answered, _hash(self.last_id)) if self.last_id else self.answered
        return replace(
            self,
            state=state,
            answered=earlier[-REMEMBERED:],
            last_id=message_id,
            last_sha=digest(text),
            last=record,
        )

    def packed(self) -> bytes:
        """The session as bytes, to be sealed."""
        body = {
            "state": self.state.to_json(),
            "answered": self.answered,
            "last_id": self.last_id,
            "last_sha": self.last_sha,
            "last": self.last,
        }
        return zlib.compress(json.dumps(body, ensure_ascii=False).encode("utf-8", "surrogatepass"))

    @staticmethod
    def unpacked(packed: bytes, *, version: int, at: float) -> Snapshot:
        """What `packed` gave; raises `SessionUnreadable` for anything else."""
        try:
            body = json.loads(zlib.decompress(packed))
            return Snapshot(
                state=SessionState.from_json(body["state"]),
                at=at,
                version=version,
                answered=tuple(body["answered"]),
                last_id=body["last_id"],
                last_sha=body["last_sha"],
                last=body["last"],
            )
        except (KeyError, TypeError, ValueError, RecursionError, zlib.error):
            raise SessionUnreadable(
                "a stored session is of another version of Handrail. Delete it and start anew"
            ) from None


def _hash(message_id: str) -> str:
    return digest("message", message_id)[:16]
