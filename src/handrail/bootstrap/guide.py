"""The guide with its store: the packaged entities, SQLite or PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from handrail.adapters.faiss import FaissMemory
from handrail.adapters.memory import MemoryEntities
from handrail.content.entities import packaged_entities
from handrail.content.spellings import spellings
from handrail.corpus.cache import cached_arrays
from handrail.corpus.reading import read_message, reads_tokens, without_tokens
from handrail.domain.entity import Entity
from handrail.domain.text import digest
from handrail.errors import InvalidSettings
from handrail.flows.guide.catalogue import Catalogue, ReadTexts
from handrail.flows.guide.desk import Desk
from handrail.flows.guide.flow import Guide
from handrail.flows.guide.limits import Limits
from handrail.flows.guide.live import LiveCatalogue
from handrail.flows.guide.search import GuideSearch
from handrail.flows.guide.signal import Signals
from handrail.flows.guide.words import EntityReading, condensed
from handrail.ports import ChatModel, Embedder, EntityStore, PatternEngine
from handrail.rails.front import Front
from handrail.settings import Settings

if TYPE_CHECKING:
    import numpy as np

FOLDER = "guide"
CACHED_ONE_BY_ONE = 500  # entities; of more nothing is kept on disk


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
    read = partial(_readings, settings, embedder)
    vocabulary = embedder.pieces if reads_tokens(embedder) else 0

    def build(entities: Sequence[Entity], revision: int) -> Catalogue:
        return compiled(
            entities, read=read, patterns=patterns, vocabulary=vocabulary, revision=revision
        )

    return LiveCatalogue(store, packaged_entities, build)


def compiled(
    entities: Sequence[Entity],
    *,
    read: ReadTexts,
    patterns: PatternEngine,
    vocabulary: int = 0,
    revision: int = 0,
) -> Catalogue:
    """A catalogue with the packaged spellings; raises `ContentInvalid`."""
    return Catalogue.build(
        entities,
        read=read,
        patterns=patterns,
        vectors=FaissMemory(),
        spellings=spellings(),
        vocabulary=vocabulary,
        revision=revision,
    )


def build_search(
    settings: Settings, embedder: Embedder, catalogue: Callable[[], Catalogue]
) -> GuideSearch:
    """The search with the configured limits and the packaged signals."""
    chosen = settings.guide
    return GuideSearch(
        catalogue=catalogue,
        read=partial(read_message, embedder),
        signals=Signals.packaged(),
        limits=Limits(
            merge=chosen.merge,
            candidates=chosen.max_candidates,
            least=chosen.min_shown,
            most=chosen.max_shown,
        ),
    )


def _readings(
    settings: Settings, embedder: Embedder, texts: Sequence[Sequence[str]]
) -> list[EntityReading]:
    """What the embedder makes of each entity, kept on disk: an edit costs one entity's texts."""
    folder = settings.home / "cache"
    if len(texts) > CACHED_ONE_BY_ONE:
        return [_arranged(_arrays(embedder, each)) for each in texts]
    return [
        _arranged(
            cached_arrays(
                folder,
                digest("entity-reading.v1", embedder.fingerprint, *each),
                partial(_arrays, embedder, each),
            )
        )
        for each in texts
    ]


def _arrays(embedder: Embedder, texts: Sequence[str]) -> Mapping[str, np.ndarray]:
    if reads_tokens(embedder):
        made = condensed(embedder.read(texts))
    else:
        made = condensed([without_tokens(vector) for vector in embedder.embed_documents(texts)])
    return {
        "vectors": made.vectors,
        "pieces": made.pieces,
        "counts": made.counts,
        "tokens": made.tokens,
    }


def _arranged(arrays: Mapping[str, np.ndarray]) -> EntityReading:
    return EntityReading(**arrays)
