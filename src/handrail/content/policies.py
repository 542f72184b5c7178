"""Policy profiles: which duties a law asks for, as switches that combine to the strictest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from handrail.content.loader import ROOT, load
from handrail.domain.duties import Duties, strictest
from handrail.errors import ContentInvalid, InvalidSettings

FOLDER = "policy"
DEFAULT = "default"  # always in force: a profile adds duties and takes none away

_Period = Field(gt=0, allow_inf_nan=False)


class _Content(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Law(_Content):
    """One provision that a profile answers to, and how: a public fact, with the day it was read."""

    name: str = Field(min_length=1)
    section: str = Field(min_length=1)
    source: str = Field(pattern="^https://")
    read: str = Field(pattern=r"^\d{4}-\d{2}-\d{2}$")
    asks: str = Field(min_length=1)
    answered_by: str = Field(min_length=1)


class Switches(_Content):
    """Every switch is stated; one left out is an error, so that a typo switches nothing off."""

    ai_notice_at_start: bool
    ai_notice_every: float | None = _Period
    redisclose_after_days: float | None = _Period
    redisclose_when_asked: bool
    minors_reminder_hours: float | None = _Period
    no_diagnosis: bool
    no_medication_advice: bool
    no_confidentiality_promise: bool
    human_handoff: bool
    referral_counts: bool
    therapeutic_communication: bool
    mark_synthetic: bool


class Profile(_Content):
    """A policy file; ``left_open`` is what its laws ask for that software cannot do."""

    id: str = Field(pattern="^[a-z0-9]+(-[a-z0-9]+)*$")
    version: int = Field(ge=1)
    language: str
    reviewer: str = Field(min_length=1)
    review: str = Field(min_length=1)
    standing: Literal["not legal advice"]
    laws: tuple[Law, ...]
    left_open: tuple[str, ...]
    switches: Switches

    @property
    def duties(self) -> Duties:
        """Its switches as duties."""
        return Duties(**self.switches.model_dump())


@dataclass(frozen=True, slots=True)
class InForce:
    """The profiles of a deployment, the default first, and their duties together."""

    ids: tuple[str, ...]
    duties: Duties


def known_profiles() -> list[str]:
    """The ids of the packaged profiles, sorted."""
    return sorted(path.stem for path in (ROOT / FOLDER).glob("*.yaml"))


def load_profile(id: str) -> Profile:
    """One profile; raises `ContentInvalid` when its file is broken or bears another name."""
    profile = load(f"{FOLDER}/{id}.yaml", Profile)
    if profile.id != id:
        raise ContentInvalid(f"content file '{FOLDER}/{id}.yaml' is of the profile {profile.id!r}")
    return profile


def load_policy(names: str) -> InForce:
    """The profiles named in ``names``, separated by commas, and the default one.

    Raises `InvalidSettings` for an unknown name: a deployment that meant a law gets no less.
    """
    known = known_profiles()
    wanted = dict.fromkeys([DEFAULT, *filter(None, map(str.strip, names.split(",")))])
    for name in wanted:
        if name not in known:
            raise InvalidSettings(
                f"HANDRAIL_POLICY: no policy profile {name!r}. Known: {', '.join(known)}"
            )
    profiles = [load_profile(name) for name in wanted]
    return InForce(tuple(wanted), strictest(*(profile.duties for profile in profiles)))
