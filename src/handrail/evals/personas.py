"""Invented people for the simulator, and what they say next: scripted, drawn with a seed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from random import Random
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from handrail.content.loader import ROOT, load
from handrail.errors import ContentInvalid

_FOLDER = "personas"
_COMMON = "common"
MAX_TURNS = 16  # of the person; longer than any script
_ANSWERS_AT = 0.8  # how often a question with a scripted answer gets it (editorial)
_SKIPS_AT = 0.15  # how often a stage of the story is left out (editorial)
_STAYS_AT = 0.35  # how often a stage is stayed with for one turn more (editorial)


class Told(IntEnum):
    """What a person has let out so far, whatever anybody made of it."""

    NONE = 0
    THIRD = 1  # somebody else's danger
    LOW = 2
    HIGH = 3
    IMMINENT = 4


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class SayingModel(_Strict):
    """Some ways to say one thing."""

    id: str
    review: str
    say: tuple[str, ...] = Field(min_length=1)


class StageModel(SayingModel):
    """A stage of the story; ``discloses`` is what everybody knows once it was said."""

    discloses: Literal["none", "third", "low", "high", "imminent"]

    @property
    def told(self) -> Told:
        """``discloses`` as a level."""
        return Told[self.discloses.upper()]


class CommonModel(_Strict):
    """What all people of one language answer and say in passing."""

    id: str
    version: str
    language: str
    reviewer: str
    answers: tuple[SayingModel, ...]
    moods: tuple[SayingModel, ...]


class PersonaModel(_Strict):
    """One invented person; answers name a way of answering, moods how likely they are."""

    id: str
    version: str
    language: str
    reviewer: str
    risk: Literal["none", "low", "high", "imminent"]
    about: Literal["none", "self", "others", "abuse", "child", "third"]
    country: str | None
    stages: tuple[StageModel, ...] = Field(min_length=3)
    answers: Mapping[str, str]
    moods: Mapping[str, float]

    @model_validator(mode="after")
    def _calm_people_have_no_danger(self) -> PersonaModel:
        if self.risk == "none" and any(stage.told > Told.THIRD for stage in self.stages):
            raise ValueError(f"{self.id}: somebody without risk discloses none")
        return self


@dataclass(frozen=True, slots=True, kw_only=True)
class Persona:
    """A persona with all that it may say."""

    model: PersonaModel
    common: CommonModel
    _sayings: Mapping[str, Sequence[str]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        sayings = {f"answer {each.id}": each.say for each in self.common.answers}
        sayings |= {f"mood {each.id}": each.say for each in self.common.moods}
        object.__setattr__(self, "_sayings", sayings)
        wanted = {f"answer {how}" for how in self.model.answers.values()}
        wanted |= {f"mood {mood}" for mood in (*self.model.moods, "leaving")}
        if missing := wanted - sayings.keys():
            raise ContentInvalid(f"{self.model.id} needs {sorted(missing)} of {self.common.id}")

    @property
    def name(self) -> str:
        """The id without its folder."""
        return self.model.id.rpartition(".")[2]

    def line(self, group: str, name: str, random: Random) -> str:
        """One of the ways to say ``name``."""
        return random.choice(self._sayings[f"{group} {name}"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One turn of the person; ``told`` is what is out by then."""

    text: str
    told: Told


class Speaker:
    """One dialogue of a persona; the same for the same number."""

    def __init__(self, persona: Persona, number: int) -> None:
        self._persona = persona
        self._random = Random(f"{persona.name}/{number}")  # noqa: S311  repeatable, not secret
        self._stages = list(self._story())
        self._answered: set[str] = set()
        self._moods = dict(persona.model.moods)
        self._told = Told.NONE
        self._turns = 0

    def next(self, question: str | None) -> Line | None:
        """What the person says to our turn, which asked ``question``; None when they have gone."""
        self._turns += 1
        if self._turns > MAX_TURNS:
            return None
        if answer := self._answer(question):
            return Line(text=answer, told=self._told)
        if mood := self._mood():
            return Line(text=mood, told=self._told)
        return self._stage()

    def _story(self) -> Iterator[tuple[StageModel, str]]:
        peak = max(stage.told for stage in self._persona.model.stages)
        for number, stage in enumerate(self._persona.model.stages):
            says = list(stage.say)
            self._random.shuffle(says)
            needed = number == 0 or stage.told is peak
            if not needed and self._random.random() < _SKIPS_AT:
                continue
            yield stage, says[0]
            if len(says) > 1 and self._random.random() < _STAYS_AT:
                yield stage, says[1]

    def _answer(self, question: str | None) -> str | None:
        asked = (question or "").removeprefix("ask-")
        how = self._persona.model.answers.get(asked)
        if how is None or asked in self._answered or self._random.random() > _ANSWERS_AT:
            return None
        self._answered.add(asked)
        return self._persona.line("answer", how, self._random)

    def _mood(self) -> str | None:
        if self._told is Told.NONE and self._persona.model.risk != "none":
            return None
        for mood, chance in list(self._moods.items()):
            if self._turns > 2 and self._random.random() < chance / 2:
                del self._moods[mood]
                return self._persona.line("mood", mood, self._random)
        return None

    def _stage(self) -> Line | None:
        if self._stages:
            stage, text = self._stages.pop(0)
            self._told = max(self._told, stage.told)
            return Line(text=text, told=self._told)
        self._turns = MAX_TURNS
        return Line(text=self._persona.line("mood", "leaving", self._random), told=self._told)


def packaged_personas() -> tuple[Persona, ...]:
    """Every packaged persona, by name; raises `ContentInvalid` when a file is broken."""
    paths = sorted((ROOT / _FOLDER).glob("*.yaml"))
    names = [path.name for path in paths]
    common = {
        model.language: model
        for name in names
        if name.startswith(f"{_COMMON}.")
        for model in [load(f"{_FOLDER}/{name}", CommonModel)]
    }
    models = [
        load(f"{_FOLDER}/{name}", PersonaModel)
        for name in names
        if not name.startswith(f"{_COMMON}.")
    ]
    return tuple(Persona(model=model, common=common[model.language]) for model in models)
