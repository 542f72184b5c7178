"""From a message and a user's state to the final set: screen, channels, merge, ranks, pins."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from handrail.domain.entity import Audience, ChatType, Entity
from handrail.domain.ranking import Candidate, Drop, Pin, Ranking
from handrail.domain.risk import Risk
from handrail.domain.trace import Tracer
from handrail.flows.guide.catalogue import Catalogue, is_visible
from handrail.flows.guide.channels import CHANNELS, like, pinned_by_state, stated
from handrail.flows.guide.conditions import State
from handrail.flows.guide.found import STATE_PIN, Asked, Chosen, Found
from handrail.flows.guide.keywords import KeywordHit
from handrail.flows.guide.limits import DEFAULT_LIMITS, Limits
from handrail.flows.guide.merge import merged
from handrail.flows.guide.signal import Heard, Signals
from handrail.flows.guide.stand_in import stand_ins
from handrail.flows.guide.text import normal
from handrail.flows.guide.themes import themes
from handrail.flows.guide.twin import DEFAULT_EVIDENCE, LATE, LIKE, Evidence, Twin
from handrail.retrieval.channel import ChannelRanking
from handrail.retrieval.late import meet

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from handrail.ports import Reading

BESIDE_SAFETY = 2  # entities ranked beside one that is pinned for safety


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """All that is known before the ranker has its say; ``pins`` the most important first."""

    heard: Heard
    ranking: Ranking
    pins: tuple[str, ...]
    shown: frozenset[str]
    state: Mapping[str, object]
    chat_type: ChatType | None
    entities: Mapping[str, Entity]
    always: tuple[Entity, ...]
    warnings: tuple[str, ...]
    sha256: str
    rules: tuple[Entity, ...] = ()
    is_vague: bool = False

    @property
    def free(self) -> tuple[Candidate, ...]:
        """Candidates that a ranker may order; none where help comes first.

        What was shown of late is none of them, whoever ranks (H40).
        """
        if self.heard.escalates or self.is_vague:
            return ()
        return tuple(one for one in self.ranking.candidates if not one.pin and self._may(one))

    def _may(self, candidate: Candidate) -> bool:
        """Whether it is fresh, and no pinned entity forbids that it stands beside."""
        entity = self.entities[candidate.passage.id]
        return entity.entity_id not in self.shown and set(entity.never_with).isdisjoint(self.pins)

    @property
    def most(self) -> int | None:
        """How many may be shown beside the pins, where safety limits it."""
        return BESIDE_SAFETY if self.heard.pins else None


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideSearch:
    """Four channels over the catalogue of the moment; searching changes nothing."""

    catalogue: Callable[[], Catalogue]
    read: Callable[[str], Reading]
    signals: Signals
    limits: Limits = DEFAULT_LIMITS
    evidence: Evidence = DEFAULT_EVIDENCE

    def find(
        self,
        message: str,
        user_state: Mapping[str, object],
        *,
        risk: Risk,
        tracer: Tracer,
        chat_type: ChatType | None = None,
        shown: Collection[str] = (),
        reading: Reading | None = None,
    ) -> Found:
        """The final set as the deterministic twin ranks it; ``risk`` is what the screen said."""
        prepared = self.prepare(
            message,
            user_state,
            risk=risk,
            tracer=tracer,
            chat_type=chat_type,
            shown=shown,
            reading=reading,
        )
        return self.finish(prepared, self.twin_order(prepared))

    def prepare(
        self,
        message: str,
        user_state: Mapping[str, object],
        *,
        risk: Risk,
        tracer: Tracer,
        chat_type: ChatType | None = None,
        shown: Collection[str] = (),
        reading: Reading | None = None,
    ) -> Prepared:
        """Channels, pins and merge; ``reading`` is the message's where it is known already.

        Where help comes first nothing is embedded: meaning has no part in it.
        """
        catalogue = self.catalogue()
        asked = _asked(message, user_state, catalogue, chat_type)
        heard = self.signals.hear(risk, asked.triggers, _by_entity(asked.keywords, catalogue))
        if not heard.escalates:
            with tracer.step("embed"):
                asked = replace(asked, readings=self._readings(message, reading))
        found = self._searched(catalogue, asked, tracer)
        state = _state_pins(catalogue, asked, self.limits.candidates)
        known = _known(heard.pins, catalogue)
        with tracer.step("merge") as facts:
            ranking = self._merged(found, {**heard.pins, **state}, known, asked, catalogue)
            after = self._near(heard, ranking, known, message)
            pins = {**after.pins, **state}
            if after.pins.keys() != heard.pins.keys():  # what is heard late has its place as well
                heard, known = after, _known(after.pins, catalogue)
                ranking = self._merged(found, pins, known, asked, catalogue)
            ranking = _shown_pinned(ranking, heard, self.signals)
            facts["candidates"] = [one.passage.id for one in ranking.candidates]
            facts["pins"] = {name: pin.reason for name, pin in pins.items()}
        return Prepared(
            heard=heard,
            ranking=ranking,
            pins=tuple(pins),
            shown=frozenset(shown),
            state=asked.state.values,
            chat_type=chat_type,
            entities=known,
            always=_always(catalogue, asked),
            warnings=asked.state.warnings,
            sha256=catalogue.sha256,
            rules=_touched(catalogue, asked),
            is_vague=asked.is_vague,
        )

    def twin_order(self, prepared: Prepared) -> list[str]:
        """What the deterministic twin would show beside the pins."""
        twin = Twin(prepared.entities, self.limits, self.evidence)
        return twin.order(prepared.free, most=prepared.most)

    def finish(self, prepared: Prepared, order: Iterable[str]) -> Found:
        """The final set: every pin, then of ``order`` what may stand beside them."""
        known = {one.passage.id: one for one in prepared.ranking.candidates}
        free = {one.passage.id for one in prepared.free}
        ranked = [name for name in dict.fromkeys(order) if name in free]
        most = self.limits.most if prepared.most is None else prepared.most
        ids = [*prepared.pins, *ranked[:most]]
        drops = tuple(
            Drop(passage_id=name, stage="rank", reason="not chosen")
            for name in known
            if name not in ids
        )
        twin = Twin(prepared.entities, self.limits, self.evidence)
        return Found(
            final=tuple(_chosen(known[name], prepared.entities[name], twin) for name in ids),
            always=prepared.always,
            ranking=replace(prepared.ranking, dropped=prepared.ranking.dropped + drops),
            risk=prepared.heard.risk,
            warnings=prepared.warnings,
            rules=prepared.rules,
        )

    def hear(self, message: str, risk: Risk) -> Heard:
        """What the entities' triggers add to a risk; nothing is embedded."""
        return self.signals.hear(risk, self.catalogue().triggers.scan(normal(message)), {})

    def bare(self, risk: Risk) -> Found:
        """What a danger pins, as packaged: for a message over which a part of the way broke."""
        heard = self.signals.hear(risk, (), {})
        known = stand_ins(heard.pins)
        final = (Chosen(entity=one, pin=heard.pins[name]) for name, one in known.items())
        return Found(final=tuple(final), always=(), ranking=Ranking(candidates=()), risk=risk)

    def _merged(
        self,
        found: Sequence[ChannelRanking],
        pins: Mapping[str, Pin],
        known: Mapping[str, Entity],
        asked: Asked,
        catalogue: Catalogue,
    ) -> Ranking:
        ranking = merged(found, entities=known, pins=pins, limits=self.limits)
        return replace(ranking, candidates=_met(ranking.candidates, asked, catalogue))

    def _near(
        self, heard: Heard, ranking: Ranking, known: Mapping[str, Entity], message: str
    ) -> Heard:
        """What the best found entity tells, where words were compared with words."""
        met = [one for one in ranking.candidates if LATE in one.parts]
        if not met:
            return heard
        twin = Twin(known, self.limits, self.evidence)
        strengths = {one.passage.id: twin.strength(one) for one in met}
        return self.signals.near(heard, strengths, message)

    def _readings(self, message: str, reading: Reading | None) -> Sequence[Reading]:
        parts = themes(message)
        if len(parts) == 1 and reading is not None:
            return [reading]
        return [self.read(part) for part in parts]

    def _searched(self, catalogue: Catalogue, asked: Asked, tracer: Tracer) -> list[ChannelRanking]:
        found = []
        for channel in CHANNELS:
            with tracer.step(f"search_{channel.name}") as facts:
                ranking = channel.search(catalogue, asked, k=self.limits.depths[channel.name])
                facts["hits"] = [hit.passage_id for hit in ranking.hits]
            found.append(ranking)
        return found


def _asked(
    message: str,
    user_state: Mapping[str, object],
    catalogue: Catalogue,
    chat_type: ChatType | None,
) -> Asked:
    state = State.read(user_state)
    audience = Audience(str(state.values.get("user_type", Audience.PARENT.value)))
    said = normal(message)
    return Asked(
        text=message,
        normal=said,
        state=state,
        audience=audience,
        chat_type=chat_type,
        visible=catalogue.visible(audience, chat_type),
        triggers=catalogue.triggers.scan(said),
        keywords=catalogue.keywords.find(said),
    )


def _touched(catalogue: Catalogue, asked: Asked) -> tuple[Entity, ...]:
    """Always loaded entities whose triggers the message holds, the most important first."""
    named = {hit.entity_id for hit in catalogue.rules.scan(asked.normal)}
    return tuple(one for one in _always(catalogue, asked) if one.entity_id in named)


def _by_entity(
    hits: Sequence[KeywordHit], catalogue: Catalogue
) -> Mapping[str, Sequence[KeywordHit]]:
    """The keyword hits of safety-critical entities."""
    found: dict[str, list[KeywordHit]] = {}
    for hit in hits:
        for row in hit.rows[catalogue.critical[hit.rows]].tolist():
            found.setdefault(catalogue.searched[row].entity_id, []).append(hit)
    return found


def _always(catalogue: Catalogue, asked: Asked) -> tuple[Entity, ...]:
    """What stands beside every set that this audience sees in this kind of conversation (H38)."""
    found = (one for one in catalogue.always if is_visible(one, asked.audience, asked.chat_type))
    return tuple(found)


def _state_pins(catalogue: Catalogue, asked: Asked, most: int) -> dict[str, Pin]:
    """What a state loads, the most important first, no more of it than there are slots."""
    held = pinned_by_state(stated(catalogue, asked))
    held.sort(key=lambda entity: (-entity.priority, entity.entity_id))
    return {one.entity_id: Pin(STATE_PIN) for one in held[:most]}


def _known(pins: Iterable[str], catalogue: Catalogue) -> Mapping[str, Entity]:
    """The entities, with packaged ones for pins that are lost: nobody can edit safety away."""
    lost = [name for name in pins if name not in catalogue.by_id]
    return {**catalogue.by_id, **stand_ins(lost)} if lost else catalogue.by_id


def _met(
    candidates: Sequence[Candidate], asked: Asked, catalogue: Catalogue
) -> tuple[Candidate, ...]:
    """The candidates, each with its likeness, and with how well words meet its own."""
    meaning = catalogue.meaning if asked.readings else None
    rows = [catalogue.row.get(one.passage.id) for one in candidates]
    met = [row for row in rows if row is not None]
    if meaning is None or not met:
        return tuple(candidates)
    parts = {LIKE: np.max([like(meaning, one.vector, met) for one in asked.readings], axis=0)}
    if meaning.words is not None and all(len(one.pieces) for one in asked.readings):
        words = meaning.words
        parts[LATE] = np.max([meet(one, words, met).forward for one in asked.readings], axis=0)
    at = {row: place for place, row in enumerate(met)}
    return tuple(
        one if row is None else replace(one, parts=_parts(parts, at[row]))
        for one, row in zip(candidates, rows, strict=True)
    )


def _parts(parts: Mapping[str, NDArray[np.float32]], place: int) -> dict[str, float]:
    return {name: round(float(values[place]), 6) for name, values in parts.items()}


def _shown_pinned(ranking: Ranking, heard: Heard, signals: Signals) -> Ranking:
    """Entities for danger carry their pin; without one they are not shown."""
    kept = [
        replace(one, pin=heard.pins.get(one.passage.id, one.pin))
        for one in ranking.candidates
        if one.passage.id not in signals.entities or one.passage.id in heard.pins
    ]
    return ranking.keep(kept, stage="safety", reason="no danger was heard")


def _chosen(candidate: Candidate, entity: Entity, twin: Twin) -> Chosen:
    return Chosen(
        entity=entity,
        pin=candidate.pin,
        score=candidate.score.value,
        strength=twin.strength(candidate),
        hits=candidate.hits,
    )
