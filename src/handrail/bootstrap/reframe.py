"""The reframing flow with its stores: memory, SQLite or PostgreSQL, always sealed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from handrail.adapters.memory import MemoryEvents, MemorySessions
from handrail.calls.patience import PatientLog
from handrail.errors import InvalidSettings
from handrail.flows.reframe import Limits, Orchestrator, Sessions
from handrail.flows.reframe.cards import packaged_cards
from handrail.flows.reframe.compose import packaged_lines
from handrail.flows.reframe.distortions import DistortionReader
from handrail.flows.reframe.experiments import Arm
from handrail.flows.reframe.hearing import Hearing
from handrail.flows.reframe.phases import Phase
from handrail.flows.reframe.reading import Reader
from handrail.flows.reframe.writing import ROLES, instruction
from handrail.ports import ChatModel, Cipher, EventLog, PatternEngine, SessionStore
from handrail.rails.disclosure import Discloser
from handrail.rails.front import Front
from handrail.rails.injection import InjectionGuard
from handrail.rails.protocol import Protocol
from handrail.rails.reply_contract import ReplyContract
from handrail.settings import Settings

if TYPE_CHECKING:
    from handrail.adapters.adk import AgentSpec

FOLDER = "sessions"


def build_sessions(
    settings: Settings,
    patterns: PatternEngine,
    *,
    front: Front,
    guard: InjectionGuard,
    discloser: Discloser,
    model: ChatModel | None,
    store: SessionStore | None = None,
    log: EventLog | None = None,
) -> Sessions:
    """The sessions for ``settings``; a given store or log replaces the configured one.

    Raises `ContentInvalid`, `InvalidSettings`, `MissingExtra` or `StoreFailed`.
    """
    chosen = settings.reframe
    kept, events = (store, log) if store is not None else _stores(settings)
    return Sessions(
        orchestrator=build_orchestrator(settings, patterns, front=front, guard=guard),
        store=kept,
        cipher=_cipher(settings),
        model=model,
        limits=Limits(
            max_turns=chosen.max_turns,
            followups=chosen.followup_budget,
            halfway=chosen.halfway_point,
            words=chosen.word_limit,
            summary_words=chosen.summary_limit,
        ),
        language=chosen.language,
        country=settings.country,
        arms=_arms(chosen.arms),
        model_share=chosen.model_share,
        ttl_seconds=settings.sessions.ttl_seconds,
        wait_seconds=settings.sessions.wait_seconds,
        log=PatientLog(events) if events is not None and settings.sessions.events else None,
        discloser=discloser,
    )


def build_orchestrator(
    settings: Settings, patterns: PatternEngine, *, front: Front, guard: InjectionGuard
) -> Orchestrator:
    """The flow over packaged content, with the rails that the engine's other flows use."""
    return Orchestrator(
        hearing=Hearing(
            screen=front.screen,
            second=front.second,
            protocol=Protocol.packaged(patterns, front.helplines),
        ),
        guard=guard,
        reader=Reader.packaged(patterns),
        distortions=DistortionReader.packaged(patterns),
        lines=packaged_lines(),
        cards=packaged_cards(),
        contract=ReplyContract.packaged(patterns, screen=front.screen.check),
        content=front.content,
        helplines=front.helplines,
        timeout_seconds=settings.llm.timeout_seconds,
    )


def _stores(settings: Settings) -> tuple[SessionStore, EventLog]:
    match settings.sessions.store:
        case "memory":
            return MemorySessions(), MemoryEvents()
        case "sqlite":
            from handrail.adapters.sqlite import SqliteEvents, SqliteSessions

            folder = settings.home / FOLDER
            return SqliteSessions(folder), SqliteEvents(folder)
        case "postgres":
            return _postgres(settings)


def _postgres(settings: Settings) -> tuple[SessionStore, EventLog]:
    from handrail.adapters.postgres import PostgresEvents, PostgresSessions

    url = settings.sessions.url
    if url is None:
        raise InvalidSettings(
            "the store postgres needs a server. Set HANDRAIL_SESSIONS__URL, such as "
            "postgresql://user@host/handrail"
        )
    return PostgresSessions(url.get_secret_value()), PostgresEvents(url.get_secret_value())


def _cipher(settings: Settings) -> Cipher:
    """Keys from the settings; else one of this machine's, made at the first use."""
    from handrail.adapters.cryptography import AesGcmCipher, load_or_create_key, new_key

    given = [key.get_secret_value() for key in settings.sessions.keys]
    if given:
        return AesGcmCipher(given)
    if settings.sessions.store == "memory":
        return AesGcmCipher([new_key()])
    if settings.sessions.store != "sqlite":
        raise InvalidSettings(
            "a shared store needs a shared key. Set HANDRAIL_SESSIONS__KEYS to a list of base64 "
            "keys of 32 bytes; the first one seals"
        )
    return AesGcmCipher([load_or_create_key(settings.home / FOLDER / "key")])


def _arms(text: str) -> tuple[Arm, ...]:
    """The experiment's arms from JSON, such as ``{"short": {"share": 0.5, "max_turns": 10}}``."""
    try:
        body = json.loads(text) if text else {}
        arms = tuple(Arm(name=str(name), **fields) for name, fields in body.items())
        if sum(arm.share for arm in arms) > 1 or any(arm.share < 0 for arm in arms):
            raise ValueError
    except (TypeError, ValueError, AttributeError):
        raise InvalidSettings(
            "HANDRAIL_REFRAME__ARMS is JSON such as "
            '{"short": {"share": 0.5, "max_turns": 10}}, with shares that add up to 1 at most'
        ) from None
    return arms


def build_agents(settings: Settings) -> ChatModel:
    """The flow's agents on google-adk (A53a): greeting, discovery, reframing and summary."""
    from handrail.adapters.adk import AdkAgents

    llm = settings.llm
    if llm.model is None:
        raise InvalidSettings(
            "agents need a model. Set HANDRAIL_LLM__MODEL, such as gemini-2.5-pro"
        )
    key = llm.api_key.get_secret_value() if llm.api_key else None
    agents = agent_specs(settings.reframe.language)
    return AdkAgents(llm.model, agents, api_key=key, base_url=llm.base_url)


def agent_specs(language: str) -> list[AgentSpec]:
    """The four agents, each instruction wrapped by the contract (A20)."""
    from handrail.adapters.adk import AgentSpec

    return [
        AgentSpec(
            role=role,
            name=f"{role}_agent",
            description=f"Writes the {phase.value} of a reframing session",
            instruction=instruction(phase, language=language),
        )
        for phase, role in ROLES.items()
        if phase is not Phase.FOLLOWUP  # the summary agent answers these as well
    ]
