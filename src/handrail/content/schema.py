"""The shape of the coach's content files; a wrong key or a missing review is an error."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from typing import ClassVar, Generic, Literal, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, model_validator

from handrail.domain.reply import Fragment, Vetted
from handrail.errors import ContentInvalid

_SLOT = re.compile(r"\{(\w+)\}")


class _Content(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _Item(_Content):
    may_hold: ClassVar[frozenset[str]] = frozenset()  # names of slots that the text may have

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9-]*$")
    text: str = Field(min_length=1)
    source: str = Field(min_length=1)
    review: str = Field(min_length=1)

    @property
    def slots(self) -> tuple[str, ...]:
        """Names in braces, in order of appearance."""
        return tuple(_SLOT.findall(self.text))

    @property
    def pieces(self) -> tuple[str, ...]:
        """The fixed text before, between and after the slots."""
        return tuple(_SLOT.split(self.text)[::2])

    @model_validator(mode="after")
    def _slots_are_known(self) -> Self:
        unknown = set(self.slots) - self.may_hold
        if unknown or any(brace in piece for piece in self.pieces for brace in "{}"):
            raise ValueError(f"{self.id}: only {sorted(self.may_hold)} may stand in braces")
        return self


class Validation(_Item):
    """A line that opens a reply, for one emotion family."""

    family: str


class Frame(_Item):
    """A reflection with slots for the person's own words or feelings."""

    may_hold = frozenset({"echo", "feelings"})

    needs: tuple[Literal["echo", "feelings"], ...]

    @model_validator(mode="after")
    def _slots_match(self) -> Frame:
        if sorted(self.slots) != sorted(self.needs):
            raise ValueError(f"{self.id}: slots {self.slots} differ from needs {self.needs}")
        return self


class Bridge(_Item):
    """A line that introduces a verbatim quote."""

    kind: Literal["opening", "why"]


class Step(_Item):
    """A vetted coping step or goal, with what would justify it."""

    label: str
    families: tuple[str, ...]
    cues: tuple[str, ...]
    support: tuple[str, ...]
    only_when: tuple[str, ...] = ()
    last_resort: bool = False
    avoid_when: tuple[str, ...] = ()


class EmotionWord(_Content):
    """Surface forms of one feeling; ``feeling`` is null where none was named."""

    id: str
    family: str
    forms: tuple[str, ...]
    feeling: str | None
    review: str = "editorial"


class Notice(_Item):
    """A fixed line: refusals, safety lines, notices."""

    may_hold = frozenset({"emergency", "date"})


ItemT = TypeVar("ItemT", bound=_Content)


class Bank(_Content, Generic[ItemT]):
    """A content file: version, language, reviewer, items with unique ids."""

    version: int
    language: str
    reviewer: str
    items: tuple[ItemT, ...]

    @cached_property
    def by_id(self) -> dict[str, ItemT]:
        """Items by id."""
        return {item.id: item for item in self.items}  # type: ignore[attr-defined]

    @model_validator(mode="after")
    def _unique(self) -> Bank[ItemT]:
        if len(self.by_id) != len(self.items):
            raise ValueError("an id occurs twice")
        return self


class CoachContent:
    """Every reviewed line of the coach, with one register of ids for verification."""

    def __init__(
        self,
        *,
        validation: Bank[Validation],
        frames: Bank[Frame],
        bridges: Bank[Bridge],
        steps: Bank[Step],
        goals: Bank[Step],
        emotions: Bank[EmotionWord],
        notices: dict[str, Bank[Notice]],
        layout: Bank[Notice],
    ) -> None:
        self.validation = validation.items
        self.frames = frames.items
        self.bridges = bridges.items
        self.steps = steps.items
        self.goals = goals.items
        self.emotions = emotions.items
        self.layout = layout
        self.notices = notices
        self._pieces = _register(
            [*validation.items, *frames.items, *bridges.items, *steps.items, *goals.items],
            [*notices.values(), layout],
            emotions.items,
        )

    def notice(self, name: str, language: str = "en") -> Notice:
        """The fixed line ``name``, in ``language`` where it exists, else in English."""
        if name in self.layout.by_id:
            return self.layout.by_id[name]
        return self.notices.get(language, self.notices["en"]).by_id[name]

    def has_notice(self, name: str) -> bool:
        """Whether there is a fixed line of that name."""
        return name in self.notices["en"].by_id

    def tongue(self, name: str, language: str) -> str:
        """The language in which `notice` gives the line ``name``."""
        return language if language in self.notices and name not in self.layout.by_id else "en"

    def said(self, name: str, language: str) -> Fragment:
        """The fixed line ``name`` as a reply holds it."""
        notice, tongue = self.notice(name, language), self.tongue(name, language)
        return Fragment(notice.text, Vetted(item_id=f"{notice.id}.{tongue}"))

    def piece(self, item_id: str, piece: int) -> str:
        """The reviewed text behind a `Vetted` fragment; raises `ContentInvalid` if unknown."""
        pieces = self._pieces.get(item_id, ())
        if not 0 <= piece < len(pieces):
            raise ContentInvalid(f"no reviewed line {item_id!r} piece {piece}")
        return pieces[piece]


def _register(
    items: Iterable[_Item], notices: Iterable[Bank[Notice]], emotions: Iterable[EmotionWord]
) -> dict[str, tuple[str, ...]]:
    """Every reviewed line by id; raises `ContentInvalid` when two files use the same id."""
    register: dict[str, tuple[str, ...]] = {}
    for item_id, pieces in (
        *((item.id, item.pieces) for item in items),
        *((f"{n.id}.{bank.language}", n.pieces) for bank in notices for n in bank.items),
        *((word.id, (word.feeling,)) for word in emotions if word.feeling),
    ):
        if item_id in register:
            raise ContentInvalid(f"two content files use the id {item_id!r}. Rename one of them")
        register[item_id] = pieces
    return register
