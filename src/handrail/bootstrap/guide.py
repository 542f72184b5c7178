"""The guide with its store: the packaged entities, SQLite or PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from handrail.adapters.faiss import FaissMemory
from handrail.adapters.memory import MemoryEntities
from handrail.content.entities import packaged_entities
from handrail.content.spellings import spellings
from handrail.corpus.cache import cached_vectors
from handrail.domain.entity import Entity
from handrail.errors import InvalidSettings
from handrail.flows.guide.catalogue import Catalogue, Embed
from handrail.flows.guide.desk import Desk
from handrail.flows.guide.flow import Guide
from handrail.flows.guide.limits import Limits
from handrail.flows.guide.live import LiveCatalogue
from handrail.flows.guide.search import GuideSearch
from handrail.flows.guide.signal import Signals
from handrail.ports import ChatModel, Embedder, EntityStore, PatternEngine
from handrail.rails.front import Front
from handrail.settings import Settings

if TYPE_CHECKING:
    from handrail.ports import Matrix

FOLDER = "guide"
CACHED_ONE_BY_ONE = 500  # entities; of more all vectors lie in one file


def build_desk(
    settings: Settings,
    patterns: PatternEngine,
    *,
    front: Front,
    embedder: Embedder,
    model: ChatModel | None,
    store: EntityStore | None = None,
) -> Desk:
    """The guide for ``settings``; a given store replaces the configured one."""
    kept = store if store is not None else build_entities(settings)
    live = build_catalogue(settings, embedder, patterns, kept)
    asks = settings.guide.language_model_ranks and settings.llm.adapter != "adk"

    def by_version(name: str, version: int) -> Entity | None:
        found = kept.get(name, version=version)
        return found.entity if found else packaged_version(name, version)

    guide = Guide(
        front=front,
        search=build_search(settings, embedder, live),
        content=front.content,
        by_version=by_version,
        model=model if asks else None,
        timeout_seconds=settings.llm.timeout_seconds,
        retries=settings.llm.retries,
        max_tokens=settings.llm.max_tokens,
    )
    return Desk(guide=guide, store=kept, live=live, patterns=patterns, spellings=spellings())


def packaged_version(name: str, version: int) -> Entity | None:
    """A packaged entity, which stands in where a pin is missing in the store."""
    found = (one for one in packaged_entities() if one.entity_id == name)
    return next((one for one in found if one.version == version), None)


def build_entities(settings: Settings) -> EntityStore:
    """The store of entities; raises `InvalidSettings`, `MissingExtra` or `StoreFailed`."""
    match settings.guide.store:
        case "packaged":
            return MemoryEntities()
        case "sqlite":
            from handrail.adapters.sqlite import SqliteEntities

            return SqliteEntities(settings.home / FOLDER)
        case "postgres":
            from handrail.adapters.postgres import PostgresEntities

            if settings.guide.url is None:
                raise InvalidSettings(
                    "entities in PostgreSQL need HANDRAIL_GUIDE__URL. Set it, or another store"
                )
            return PostgresEntities(settings.guide.url.get_secret_value())


def build_catalogue(
    settings: Settings, embedder: Embedder, patterns: PatternEngine, store: EntityStore
) -> LiveCatalogue:
    """The live catalogue over ``store``, which is filled at the first use if it is empty."""
    embed = partial(_embedded, settings, embedder)

    def build(entities: Sequence[Entity], revision: int) -> Catalogue:
        return compiled(entities, embed=embed, patterns=patterns, revision=revision)

    return LiveCatalogue(store, packaged_entities, build)


def compiled(
    entities: Sequence[Entity], *, embed: Embed, patterns: PatternEngine, revision: int = 0
) -> Catalogue:
    """A catalogue with the packaged spellings; raises `ContentInvalid`."""
    return Catalogue.build(
        entities,
        embed=embed,
        patterns=patterns,
        vectors=FaissMemory(),
        spellings=spellings(),
        revision=revision,
    )


def build_search(
    settings: Settings, embedder: Embedder, catalogue: Callable[[], Catalogue]
) -> GuideSearch:
    """The search with the configured limits and the packaged signals."""
    chosen = settings.guide
    return GuideSearch(
        catalogue=catalogue,
        embed=embedder.embed_query,
        signals=Signals.packaged(),
        limits=Limits(
            merge=chosen.merge,
            candidates=chosen.max_candidates,
            least=chosen.min_shown,
            most=chosen.max_shown,
        ),
    )


def _embedded(
    settings: Settings, embedder: Embedder, texts: Sequence[Sequence[str]]
) -> Sequence[Matrix]:
    """Vectors entity by entity, kept on disk: an edit costs the embedding of one entity."""
    folder = settings.home / "cache"
    if len(texts) <= CACHED_ONE_BY_ONE:
        return [cached_vectors(folder, embedder, each) for each in texts]
    rows = cached_vectors(folder, embedder, [text for each in texts for text in each])
    parts, at = [], 0
    for each in texts:
        parts.append(rows[at : at + len(each)])
        at += len(each)
    return parts
