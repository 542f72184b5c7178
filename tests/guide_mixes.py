"""Mixes of a message, a state, limits, an edited catalogue, a broken store and a hostile ranker."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any

from handrail.adapters.memory import MemoryEntities
from handrail.content.entities import packaged_entities
from handrail.content.loader import ROOT
from handrail.domain.entity import Audience, ChatType, Entity, EntityType, LoadMode, Trigger
from handrail.evals.carriers import read_carriers
from handrail.evals.mutations import FURTHER, MUTATIONS
from handrail.flows.guide.limits import Limits
from handrail.rails.escalation import MAX_MESSAGE_CHARS
from handrail.testing.hash_embedder import HashTokenEmbedder
from handrail.testing.hostile import KINDS

if TYPE_CHECKING:
    from handrail.ports import Vector

CRISIS = "handler_crisis"
EDITOR = "anna"
IDS = tuple(entity.entity_id for entity in packaged_entities())
DISGUISES = {**MUTATIONS, **FURTHER}
RANKERS = (*KINDS, "without_the_best", "invented_ids", "all_reversed")


class Words(HashTokenEmbedder):
    """Hashed words, each of them hashed once."""

    def __init__(self, dim: int = 64) -> None:
        super().__init__(dim)
        self._known: dict[str, Vector] = {}

    def _direction(self, word: str) -> Vector:
        if word not in self._known:
            self._known[word] = super()._direction(word)
        return self._known[word]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mix:
    """What one seed plays; ``broken`` is what the store does no more, with which error."""

    message: str
    state: Mapping[Any, object]
    chat_type: ChatType | None
    shown: tuple[str, ...]
    limits: Limits
    edit: str
    broken: tuple[str, str] | None
    ranker: str

    @classmethod
    def of(cls, seed: int) -> Mix:
        """The mix of a seed."""
        dice = Random(seed)
        return cls(
            message=message(dice),
            state=state(dice),
            chat_type=dice.choice((None, *ChatType)),
            shown=shown(dice),
            limits=limits(dice),
            edit=dice.choice(tuple(EDITS)),
            broken=(dice.choice(READS), dice.choice(ERRORS)) if dice.random() < 0.15 else None,
            ranker=dice.choice(RANKERS),
        )


def message(dice: Random) -> str:
    """A danger, or in one of eight an ordinary day; often disguised, often within other words."""
    match dice.randrange(8):
        case 0:
            said = dice.choice(ordinary())
        case 1 | 2:
            said = spoken(dice.choice(phrases()), dice)
        case _:
            said = dice.choice(dangers())
    if dice.random() < 0.3:
        said = DISGUISES[dice.choice(tuple(DISGUISES))](said) or said
    match dice.randrange(12):
        case 0 | 1:
            said = f"{dice.choice(ordinary())}{dice.choice(JOINTS)}{said}"
        case 2 | 3:
            said = f"{said}{dice.choice(JOINTS)}{dice.choice(ordinary())}"
        case 4:
            said = dice.choice(frames()).replace("{message}", said)
        case 5:
            said = f"{dice.choice(orders())}\n{said}"
        case 6 if dice.random() < 0.15:
            said = f"{dice.choice(ordinary())}\n" * (MAX_MESSAGE_CHARS // 40) + said
    return said


def spoken(phrase: str, dice: Random) -> str:
    """One of the ways in which a trigger's phrase may be said."""
    signs = re.findall(r"\.\.\.|[^\s()|?*]+\*?|[(|)?]", phrase)
    return " ".join(_one_way(signs, dice))


def _one_way(signs: list[str], dice: Random) -> list[str]:
    """Takes what it has read, up to a closing bracket, out of ``signs``."""
    ways: list[list[str]] = [[]]
    while signs and (sign := signs.pop(0)) != ")":
        if sign == "|":
            ways.append([])
            continue
        said = _one_way(signs, dice) if sign == "(" else [sign.rstrip("*")]
        if sign == "...":
            said = dice.sample(("so", "then", "really", "just"), dice.randint(0, 3))
        if signs[:1] == ["?"]:
            signs.pop(0)
            said = dice.choice((said, []))
        ways[-1] += said
    return dice.choice(ways)


JOINTS = (" ", "\n", ". ", "\n\n", " but ", " - ")


def state(dice: Random) -> dict[Any, object]:
    """Known fields with fitting or unfitting values, and now and then fields that nobody knows."""
    given: dict[Any, object] = {}
    for name, values in FITTING.items():
        if dice.random() < 0.35:
            given[name] = dice.choice(values if dice.random() < 0.7 else UNFIT)
    for _ in range(dice.choice((0, 0, 0, 1, 3))):
        given[dice.choice(STRANGE)] = dice.choice(UNFIT)
    return given


FITTING: Mapping[str, Sequence[object]] = {
    "is_first_conversation": (True, False),
    "conversation_count": (0, 1, 2, 9, -1, 10**9),
    "days_since_last": (0, 0.5, 3, 14, 400.25, -2.0),
    "last_rating": (1, 2, 3.5, 5, 0, 99),
    "user_type": ("PARENT", "CLINICIAN", "PROFESSIONAL"),
    "has_pending_debrief": (True, False),
    "session_type": ("debrief", "DEBRIEF", "coaching", "x"),
}
UNFIT: Sequence[object] = (
    *(None, "", "yes", "PARENTS", "\ud800", "\x00", "x" * 5_000, b"bytes"),
    *(True, 0, -1, 10**400, 1e308, float("nan"), float("inf"), float("-inf")),
    *([], [[["deep"]]], {}, {"$gte": 3}, {"a": {"b": None}}, (1, 2), {1, 2}, object()),
)
STRANGE: Sequence[object] = (
    *("", "mood", "User_Type", "user_type ", "__class__", "any", "$or", "x" * 500, "\ud800"),
    *(7, None, 1.5, True, ("a", 1), b"user_type"),
)


def shown(dice: Random) -> tuple[str, ...]:
    """What was shown of late: nothing, the crisis entity, all there is, or what is not there."""
    some = dice.sample(IDS, dice.randint(0, 6))
    return dice.choice(((), (CRISIS,), (CRISIS, *some), IDS, (CRISIS,) * 60, ("nobody", "")))


def limits(dice: Random) -> Limits:
    """Every cap that the settings take, with both merges and now and then no depth at all."""
    plain = Limits(
        merge=dice.choice(("rrf", "seed")),
        candidates=dice.choice((1, 2, 3, 15, 50, dice.randint(1, 50))),
        least=dice.randint(1, 10),
        most=dice.choice((1, 1, 3, 6, dice.randint(1, 15))),
    )
    if dice.random() < 0.15:
        return replace(plain, depths=dict.fromkeys(plain.depths, 0), reserved={})
    return plain


# What editors do to the entity that answers a crisis, and around it.


def _changed(**values: Any) -> Callable[[MemoryEntities], None]:
    def edit(store: MemoryEntities) -> None:
        _put(store, replace(packaged(CRISIS), **values))

    return edit


def _put(store: MemoryEntities, *entities: Entity) -> None:
    store.put(entities, by=EDITOR, at=1.0)


def _unmarked(store: MemoryEntities) -> None:
    standing = packaged(CRISIS)
    triggers = (replace(one, safety_critical=False) for one in standing.trigger_patterns)
    _put(store, replace(standing, trigger_patterns=tuple(triggers)))


def _deleted(store: MemoryEntities, *names: str) -> None:
    for name in names or (CRISIS,):
        store.delete(name, by=EDITOR, at=2.0)


def _renamed(store: MemoryEntities) -> None:
    _put(store, replace(packaged(CRISIS), entity_id="handler_emergency"))
    _deleted(store)


def _reworded(store: MemoryEntities) -> None:
    _changed(scripts=("Other words.",), guidance_do=("Another step.",))(store)


def _reworded_and_deleted(store: MemoryEntities) -> None:
    _reworded(store)
    _deleted(store)


def _forbidden(store: MemoryEntities) -> None:
    others = [one for one in packaged_entities() if one.entity_id != CRISIS]
    _put(store, *(replace(one, never_with=(CRISIS,), confused_with=(CRISIS,)) for one in others))
    _changed(never_with=IDS, confused_with=IDS)(store)


def _only_it(store: MemoryEntities) -> None:
    _deleted(store, *(name for name in IDS if name != CRISIS))


def _important_others(store: MemoryEntities) -> None:
    others = [one for one in packaged_entities() if one.entity_id != CRISIS]
    _put(store, *(replace(one, priority=100, safety_critical=True) for one in others))
    _changed(priority=0)(store)


LINES = ("acknowledgement", "guidance_do", "guidance_dont", "scripts", "examples", "red_flags")
WORDS = ("recognition", "recognition_clinician", "keywords", "trigger_patterns")
EDITS: Mapping[str, Callable[[MemoryEntities], None]] = {
    "whole": lambda _store: None,
    "deleted": _deleted,
    "inactive": _changed(is_active=False),
    "renamed": _renamed,
    "unflagged": _changed(safety_critical=False),
    "by state": _changed(load_mode=LoadMode.STATE, state_conditions={"last_rating": {"lte": 1}}),
    "always": _changed(load_mode=LoadMode.ALWAYS),
    "clinicians only": _changed(audience_types=(Audience.CLINICIAN,)),
    "one chat type": _changed(chat_types=(ChatType.COURT_PREP,)),
    "priority 0": _changed(priority=0),
    "important others": _important_others,
    "silent": _changed(**dict.fromkeys(LINES, ())),
    "unfindable": _changed(**dict.fromkeys(WORDS, ())),
    "unmarked triggers": _unmarked,
    "another type": _changed(entity_type=EntityType.SITUATION),
    "reworded": _reworded,
    "reworded and deleted": _reworded_and_deleted,
    "forbidden": _forbidden,
    "only it": _only_it,
    "emptied": lambda store: _deleted(store, *IDS),
}
FIRST_BY_EDITOR = "first by an editor"
"""An edit before the packaged entities were ever there: see `filled`."""
EDITS = {**EDITS, FIRST_BY_EDITOR: _deleted}
UNREADABLE = "a change that does not compile"
READS = ("revision", "entities", "get", UNREADABLE)
ERRORS = ("StoreFailed", "OSError", "KeyError", "MemoryError")
BROKEN_TRIGGER = Trigger(phrase="(never closed")


def filled(edit: str) -> MemoryEntities:
    """A store of the packaged entities after an edit."""
    store = MemoryEntities()
    if edit == FIRST_BY_EDITOR:
        _reworded(store)
    store.put(packaged_entities(), by="handrail", at=0.0)
    if edit == FIRST_BY_EDITOR:
        _reworded(store)
    EDITS[edit](store)
    return store


def packaged(name: str) -> Entity:
    """A packaged entity."""
    return next(one for one in packaged_entities() if one.entity_id == name)


# The packaged texts.


def _rows(bank: str) -> list[dict[str, Any]]:
    lines = (ROOT / "banks" / f"{bank}.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


GUIDE_BANKS = ("guide-semantic", "guide-keyword", "guide-pattern", "guide-state", "guide-second")


@cache
def guide_rows() -> tuple[dict[str, Any], ...]:
    """Every row of the banks of the guide."""
    return tuple(row for bank in GUIDE_BANKS for row in _rows(bank))


def _is_crisis(row: Mapping[str, Any]) -> bool:
    return CRISIS in (row["expected_primary"], *row["expected_handlers"])


@cache
def dangers() -> tuple[str, ...]:
    """Crisis rows of all banks, those of the guide as often as those of the screen."""
    screened = [row["text"] for row in _rows("crisis") if row["level"] in ("moderate", "high")]
    own = [row["prompt"] for row in guide_rows() if _is_crisis(row)]
    return (*screened, *(own * (len(screened) // max(1, len(own)))))


@cache
def phrases() -> tuple[str, ...]:
    """What the crisis entity listens for itself."""
    return tuple(one.phrase for one in packaged(CRISIS).trigger_patterns if one.phrase)


@cache
def ordinary() -> tuple[str, ...]:
    """What parents say on other days."""
    return tuple(row["prompt"] for row in guide_rows() if not _is_crisis(row))


@cache
def frames() -> tuple[str, ...]:
    """Harmless text around a message."""
    return tuple(one.text for found in read_carriers().values() for one in found)


@cache
def orders() -> tuple[str, ...]:
    """Text that speaks to the machine."""
    return tuple(row["text"] for row in _rows("injection") if row["attack"])
