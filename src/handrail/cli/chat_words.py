"""What the terminal says around a session, in the session's language; AURA's words are content."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The few words of one language; ``phases`` by the phase's name."""

    phases: Mapping[str, str]
    status: str
    followups: str
    welcome: str
    ended: str
    new: str
    nothing_yet: str
    bye: str
    come_back: str
    forgotten: str
    synthetic: str
    waiting: str
    help: str


EN = Words(
    phases={
        "warmup": "beginning",
        "clarify": "a closer look",
        "reframe": "another view",
        "summary": "summary",
        "followup": "after the summary",
        "closed": "closed",
    },
    status="{phase}, turn {turn} of {most}",
    followups="{phase}, {left} more",
    welcome="AURA is software that looks at one thought with you. {help}",
    ended="This session is complete. {help}",
    new="A new session.",
    nothing_yet="Nothing was said in this session yet.",
    bye="Take care.",
    come_back="To come back within {minutes} minutes: handrail chat --session {session_id}",
    forgotten="Nothing of this session is kept.",
    synthetic="put together by software",
    waiting="one moment",
    help="/new begins anew, /where says where you are, /quit leaves.",
)

ES = Words(
    phases={
        "warmup": "inicio",
        "clarify": "más de cerca",
        "reframe": "otra mirada",
        "summary": "resumen",
        "followup": "después del resumen",
        "closed": "cerrada",
    },
    status="{phase}, turno {turn} de {most}",
    followups="{phase}, {left} más",
    welcome="AURA es un programa que mira un pensamiento contigo. {help}",
    ended="Esta sesión está completa. {help}",
    new="Una sesión nueva.",
    nothing_yet="En esta sesión todavía no se ha dicho nada.",
    bye="Cuídate.",
    come_back="Para volver en los próximos {minutes} minutos: handrail chat --session {session_id}",
    forgotten="Nada de esta sesión se guarda.",
    synthetic="compuesto por un programa",
    waiting="un momento",
    help="/new empieza de nuevo, /where dice dónde estás, /quit sale.",
)


def words_of(language: str) -> Words:
    """The words of that language; English where there are none."""
    return {"es": ES}.get(language, EN)
