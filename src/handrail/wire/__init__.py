"""The bodies that every face shows: the HTTP responses and the CLI's ``--json`` are the same."""

from handrail.wire.beside import HelpBody, NoticeBody, ResourceBody, resource_body
from handrail.wire.chat import ChatBody, SessionBody, StateBody, chat_body, session_body
from handrail.wire.coach import (
    REFUSAL,
    CitationBody,
    CoachBody,
    TraceBody,
    citation_body,
    coach_body,
)
from handrail.wire.reply import MadeBy, NoticesShown, OutcomeName, StepBody, steps_body
from handrail.wire.risk import DismissalBody, RiskBody, SignalBody, risk_body
from handrail.wire.search import (
    CaseBody,
    ChannelBody,
    DropBody,
    HighlightBody,
    SearchBody,
    SentenceBody,
    StoredCaseBody,
    case_body,
    is_synthetic,
    search_body,
    stored_case_body,
)

__all__ = [
    "REFUSAL",
    "CaseBody",
    "ChannelBody",
    "ChatBody",
    "CitationBody",
    "CoachBody",
    "DismissalBody",
    "DropBody",
    "HelpBody",
    "HighlightBody",
    "MadeBy",
    "NoticeBody",
    "NoticesShown",
    "OutcomeName",
    "ResourceBody",
    "RiskBody",
    "SearchBody",
    "SentenceBody",
    "SessionBody",
    "SignalBody",
    "StateBody",
    "StepBody",
    "StoredCaseBody",
    "TraceBody",
    "case_body",
    "chat_body",
    "citation_body",
    "coach_body",
    "is_synthetic",
    "resource_body",
    "risk_body",
    "search_body",
    "session_body",
    "steps_body",
    "stored_case_body",
]
