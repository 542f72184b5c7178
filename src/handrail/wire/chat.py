"""One turn of a reframing session, and where a session stands (A16, A35)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field, ValidationError

from handrail.errors import SessionUnreadable
from handrail.wire.base import Body
from handrail.wire.beside import HelpBody, NoticeBody
from handrail.wire.reply import OutcomeName

PhaseName = Literal["warmup", "clarify", "reframe", "summary", "followup", "closed"]
WriterName = Literal["composer", "model", "protocol"]


class ControlBody(Body):
    """Where the session goes, as data for a face (A18)."""

    next_phase: PhaseName
    missing_fields: list[str]
    suggest_questions: list[str]
    crisis_detected: bool


class ProgressBody(Body):
    """What the person told, in their own words; ``intensity`` from 0 to 10."""

    situation: str | None
    thought: str | None
    emotion: str | None
    intensity: int | None


class StateBody(Body):
    """Where the session stands (A8); ratings from 0 to 10, null where none was given."""

    phase: PhaseName
    turn: int
    max_turns: int
    followups_left: int
    user_language: str
    progress: ProgressBody
    suds_pre: int | None
    suds_post: int | None
    confidence_pre: int | None
    confidence_post: int | None
    crisis_flag: bool


class HeardBody(Body):
    """What the crisis screen heard in the message."""

    level: str
    kinds: list[str]


class ChatBody(Body):
    """One turn, as it is stored: the same message id gives the same bytes again."""

    session_id: str
    phase: PhaseName
    turn: int
    followups_left: int
    banner: str | None = Field(description="A note on how far the session is; show it apart.")
    ui_text: str = Field(description="What the person reads.")
    control: ControlBody
    state: StateBody
    end_of_session: bool
    outcome: OutcomeName
    reason: str | None
    writer: WriterName
    sentences: list[str] = Field(description="The parts of ui_text; joined they are the text.")
    risk: HeardBody
    resources: list[HelpBody]
    notices: list[NoticeBody]
    synthetic: bool = Field(description="Whether to say that software put the words together.")
    receipt: dict[str, Any]


class SessionBody(Body):
    """Where a session stands, and its last turn."""

    session_id: str
    state: StateBody
    end_of_session: bool
    last: ChatBody | None


def chat_body(record: Mapping[str, Any]) -> ChatBody:
    """A stored turn as a body; raises `SessionUnreadable` for one of another version."""
    try:
        return ChatBody.model_validate(record)
    except ValidationError:
        raise _unreadable() from None


def session_body(shown: Mapping[str, Any]) -> SessionBody:
    """What `Sessions.show` gives as a body; raises `SessionUnreadable` like `chat_body`."""
    try:
        return SessionBody.model_validate(shown)
    except ValidationError:
        raise _unreadable() from None


def _unreadable() -> SessionUnreadable:
    return SessionUnreadable(
        "the last turn was stored by another version of Handrail. Delete the session and start anew"
    )
