"""The engine and the coach, from settings to adapters."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

from handrail.adapters.bm25s import Bm25
from handrail.adapters.faiss import FaissFlat
from handrail.adapters.minilm import MiniLmEmbedder
from handrail.adapters.parquet import ParquetTables
from handrail.adapters.re2 import Re2Engine
from handrail.calls.patience import Patient
from handrail.content import CoachContent, Step, load_coach
from handrail.content.policies import load_policy
from handrail.corpus.cache import cached_vectors
from handrail.corpus.collection import Collection, Formats
from handrail.corpus.library import Library
from handrail.corpus.reading import read_message
from handrail.corpus.segment import quotable
from handrail.domain.scores import ScoreKind, Threshold
from handrail.engine import Engine
from handrail.errors import InvalidSettings
from handrail.flows.coach import Coach
from handrail.flows.coach.bundle import EvidenceFinder
from handrail.flows.coach.feelings import FeelingReader
from handrail.flows.coach.plainness import Plainness
from handrail.flows.coach.support import SupportIndex, paraphrases
from handrail.ports import (
    ChatModel,
    Embedder,
    EntityStore,
    EventLog,
    Handoff,
    Observer,
    PatternEngine,
    Reading,
    SessionStore,
)
from handrail.rails.agreement import Agreement
from handrail.rails.contracted import ContractGate
from handrail.rails.crisis import CrisisScreen, SecondReader, load_screen, load_second
from handrail.rails.denylist import Denylist
from handrail.rails.disclosure import Discloser, packaged_questions
from handrail.rails.evidence import EvidenceGate
from handrail.rails.front import Front
from handrail.rails.helplines import Helplines
from handrail.rails.injection import (
    InjectionGuard,
    InjectionScreen,
    PassageGuard,
    Way,
    policies,
)
from handrail.rails.quotability import Quotability
from handrail.retrieval import CaseSearch, ScopeTest
from handrail.retrieval.scope import load_anchors
from handrail.settings import Settings, load_settings

if TYPE_CHECKING:
    from handrail.flows.guide.desk import Desk
    from handrail.flows.reframe import Sessions
    from handrail.ports import Matrix


MAX_WORKERS = 4  # beyond that indexing waits for memory, not for cores


def build_engine(
    settings: Settings | None = None,
    *,
    embedder: Embedder | None = None,
    model: ChatModel | None = None,
    observers: Sequence[Observer] = (),
    handoff: Handoff | None = None,
    store: SessionStore | None = None,
    log: EventLog | None = None,
    entities: EntityStore | None = None,
) -> Engine:
    """The engine for ``settings``; a given embedder, model or store replaces the configured one.

    ``handoff`` is told of every reply that sends somebody to people, where the policy allows it.
    Raises `ContentInvalid` when a rail's content is broken: without rails there is no engine.
    """
    settings = settings or load_settings()
    patterns = Re2Engine()
    content = load_coach()
    policy = load_policy(settings.policy)
    screen = load_screen(patterns)
    embedder = embedder or build_embedder(settings)
    parts = _Parts(
        settings=settings,
        embedder=embedder,
        model=model or build_model(settings),
        front=Front(
            screen=screen,
            second=build_second(screen, embedder) if settings.crisis.second_reader else None,
            guard=build_guard(settings, patterns, flow="coach"),
            content=content,
            helplines=_helplines(settings),
            country=settings.country,
            duties=policy.duties,
        ),
        gate=build_gate(settings, patterns, content),
    )
    discloser = Discloser(
        duties=policy.duties, questions=packaged_questions(patterns), content=content
    )
    return Engine(
        settings=settings,
        library=Library(settings.home, parts.embedder, formats()),
        front=parts.front,
        coach_over=parts.coach,
        discloser=discloser,
        make_sessions=partial(_sessions, parts, patterns, discloser, store, log),
        make_desk=partial(_desk, parts, patterns, entities),
        observers=tuple(map(Patient, observers)),
        handoff=handoff,
    )


def _sessions(
    parts: _Parts,
    patterns: PatternEngine,
    discloser: Discloser,
    store: SessionStore | None,
    log: EventLog | None,
) -> Sessions:
    """The sessions of the reframing flow, which is loaded when somebody asks for it."""
    from handrail.bootstrap.reframe import build_sessions

    return build_sessions(
        parts.settings,
        patterns,
        front=parts.front,
        guard=build_guard(parts.settings, patterns, flow="reframe"),
        discloser=replace(discloser, suffix="-session"),
        model=parts.model,
        store=store,
        log=log,
    )


def _desk(parts: _Parts, patterns: PatternEngine, entities: EntityStore | None) -> Desk:
    """The guide with its entities, which are loaded when somebody asks for them."""
    from handrail.bootstrap.guide import build_desk

    guard = build_guard(parts.settings, patterns, flow="guide")
    front = replace(parts.front, flow="guide", guard=guard)
    return build_desk(
        parts.settings,
        patterns,
        front=front,
        embedder=parts.embedder,
        model=parts.model,
        store=entities,
    )


def build_second(screen: CrisisScreen, embedder: Embedder) -> SecondReader:
    """The crisis screen's second reader, with exemplars if they were made for ``embedder``."""
    return load_second(screen, embedder, partial(read_message, embedder))


def build_gate(settings: Settings, patterns: PatternEngine, content: CoachContent) -> EvidenceGate:
    """The evidence gate with the packaged denylist and quotability rules."""
    return EvidenceGate(
        Denylist.packaged(patterns),
        Quotability.packaged(patterns),
        Threshold(ScoreKind.OVERLAP, settings.coach.gate_alpha),
        lines=content.piece,
    )


def build_contract_gate(settings: Settings, patterns: PatternEngine) -> ContractGate:
    """The gate for what a model wrote under a contract, with the packaged word lists."""
    return ContractGate(
        Agreement.packaged(),
        Quotability.packaged(patterns),
        Threshold(ScoreKind.OVERLAP, settings.coach.gate_alpha),
        segment=quotable,
    )


def build_evidence_bench(settings: Settings) -> EvidenceGate:
    """The evidence gate with the contract for claims, as `handrail eval evidence` measures it."""
    patterns = Re2Engine()
    gate = build_gate(settings, patterns, load_coach())
    return replace(gate, contract=build_contract_gate(settings, patterns))


def build_guard(settings: Settings, patterns: PatternEngine, *, flow: str) -> InjectionGuard:
    """The injection screen under the policy of ``flow``, or no screen where it is skipped."""
    chosen = policies(research_on_error=Way(settings.injection.research_on_error))
    screen = None if settings.injection.skip else InjectionScreen.packaged(patterns)
    return InjectionGuard(screen=screen, policy=chosen[flow])


def _helplines(settings: Settings) -> Helplines:
    helplines = Helplines.packaged()
    if settings.country:
        helplines.require(settings.country)
    return helplines


def formats() -> Formats:
    """The embedded stores."""
    return Formats(vectors=FaissFlat(), lexical=Bm25(), tables=ParquetTables())


def build_embedder(settings: Settings) -> Embedder:
    """The configured embedder; raises `MissingExtra` or `InvalidSettings`."""
    chosen = settings.embedding
    if chosen.adapter == "minilm":
        return MiniLmEmbedder(workers=chosen.workers or min(MAX_WORKERS, _cores()))
    if chosen.adapter == "sentence-transformers":
        from handrail.adapters.sentence_transformers import SentenceTransformersEmbedder

        return SentenceTransformersEmbedder(
            chosen.model,
            query_prefix=chosen.query_prefix,
            document_prefix=chosen.document_prefix,
        )
    from handrail.adapters.openai.embeddings import OpenAIEmbedder

    return OpenAIEmbedder(
        base_url=chosen.base_url,
        model=chosen.model,
        api_key=chosen.api_key.get_secret_value() if chosen.api_key else None,
        query_prefix=chosen.query_prefix,
        document_prefix=chosen.document_prefix,
    )


def _cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def build_model(settings: Settings) -> ChatModel | None:
    """The configured model, or None: then the deterministic twins decide."""
    llm = settings.llm
    if llm.adapter == "adk":
        from handrail.bootstrap.reframe import build_agents

        return build_agents(settings)
    if llm.base_url is None and llm.model is None:
        return None
    if llm.base_url is None or llm.model is None:
        raise InvalidSettings(
            "a model needs both HANDRAIL_LLM__BASE_URL and HANDRAIL_LLM__MODEL. Set the other one"
        )
    from handrail.adapters.openai.chat import OpenAIChat

    return OpenAIChat(llm)


@dataclass(frozen=True)
class _Parts:
    """What the coaches of all collections share."""

    settings: Settings
    embedder: Embedder
    model: ChatModel | None
    front: Front
    gate: EvidenceGate

    def coach(self, collection: Collection) -> Coach:
        """The coach over one collection."""
        policy, content = self.settings.coach, self.front.content
        search = CaseSearch(collection, self.read, self.scope, preset=policy.fusion)
        return Coach(
            front=self.front,
            search=search,
            content=content,
            reader=FeelingReader(content.emotions),
            gate=self.gate,
            finder=EvidenceFinder(
                search=search,
                denylist=self.gate.denylist,
                passages=PassageGuard(self.front.guard),
                quotability=self.gate.quotability,
                coping=self._support(content.steps),
                goals=self._support(content.goals),
            ),
            plainness=Plainness.of(collection.cases.column("response")),
            model=None if self.settings.llm.adapter == "adk" else self.model,  # agents that reframe
            timeout_seconds=self.settings.llm.timeout_seconds,
            retries=self.settings.llm.retries,
            max_tokens=self.settings.llm.max_tokens,
        )

    def read(self, text: str) -> Reading:
        """A message in one forward pass, with token vectors where the embedder gives them."""
        return read_message(self.embedder, text)

    @cached_property
    def scope(self) -> ScopeTest:
        """The test of what belongs here, over the reviewed anchors."""
        anchors = load_anchors()
        return ScopeTest(
            floor=Threshold(ScoreKind.COSINE, self.settings.coach.min_top1_similarity),
            inside=self._vectors(anchors.inside),
            concerns=self._vectors(anchors.concerns),
            outside=self._vectors(anchors.outside),
        )

    def _support(self, steps: Sequence[Step]) -> SupportIndex:
        return SupportIndex(steps, self._vectors(paraphrases(steps)))

    def _vectors(self, texts: Sequence[str]) -> Matrix:
        return cached_vectors(self.settings.home / "cache", self.embedder, texts)
