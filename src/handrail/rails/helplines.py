"""Whom a person can reach: the confirmed numbers of their country, never of a default one."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cached_property
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from handrail.content import load
from handrail.domain.outcome import Resource
from handrail.errors import InvalidInput

FILE = "helplines/helplines.yaml"
MAX_HELPLINES = 2  # with the emergency number at most three at a time (SAFETY.md, protocol)
_AMBIGUOUS = frozenset({"Georgia", "Jordan", "Granada", "America", "Jordania"})


class _Content(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Channel(_Content):
    """One way to reach a service: a number as dialled inside the country, or a URL."""

    kind: Literal["call", "text", "chat", "whatsapp"]
    value: str | None = None
    url: str | None = None
    send: str | None = None
    then: str | None = None


class Helpline(_Content):
    """A service with its source and the day it was confirmed there."""

    id: str
    name: str
    channels: tuple[Channel, ...] = Field(min_length=1)
    audience: str
    topics: tuple[str, ...]
    source: str
    confirmed: str
    hours: str | None = None
    note: str | None = None


class Emergency(_Content):
    """An emergency number and the services behind it."""

    number: str
    services: tuple[str, ...]


class Country(_Content):
    """A country's numbers, and the names people call it by."""

    code: str = Field(pattern="^[A-Z]{2}$")
    name: str
    emergency: tuple[Emergency, ...]
    helplines: tuple[Helpline, ...]
    dial_check: str | None = None
    names_es: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()


class Directory(_Content):
    """An international list of helplines, for people whose country is unknown."""

    id: str
    name: str
    url: str
    note: str
    source: str
    confirmed: str


class Helplines(_Content):
    """The whole directory; ``version`` and ``as_of`` go into receipts."""

    version: int
    as_of: str
    directories: tuple[Directory, ...]
    countries: tuple[Country, ...]

    @classmethod
    def packaged(cls) -> Helplines:
        """The directory that ships with the package."""
        return load(FILE, cls)

    @cached_property
    def by_code(self) -> dict[str, Country]:
        """Countries by ISO 3166 code."""
        return {country.code: country for country in self.countries}

    @cached_property
    def _stated(self) -> tuple[tuple[re.Pattern[str], str], ...]:
        lead = r"\b(?:i live|i'm living|i am living|we live|i'm|i am|based|vivo|estoy) (?:in|en) "
        return tuple(
            (re.compile(f"{lead}(?:the |el |la |los )?{re.escape(name.lower())}\\b"), country.code)
            for country in self.countries
            for name in (country.name, *country.names_es, *country.aliases)
            if name not in _AMBIGUOUS
        )

    def require(self, code: str) -> str:
        """``code`` if the directory knows it; raises `InvalidInput` otherwise."""
        if code not in self.by_code:
            raise InvalidInput(f"no helplines for country {code!r}. Use an ISO 3166 code such as IE")
        return code

    def stated(self, message: str) -> str | None:
        """The country that the person says they are in, or None."""
        text = message[:4000].lower().replace("’", "'")
        if not any(word in text for word in (" in ", " en ")):
            return None
        return next((code for pattern, code in self._stated if pattern.search(text)), None)

    def resources(
        self, country: str | None, *, topics: Collection[str] = ()
    ) -> tuple[Resource, ...]:
        """The emergency number and the fitting helplines of ``country``; without one, the
        international directories. Never empty (C67)."""
        entry = self.by_code.get(country or "")
        if entry is None or not (entry.emergency or entry.helplines):
            return tuple(map(_directory, self.directories))
        lines = sorted(entry.helplines, key=lambda line: _distance(line, topics))
        found = [*_emergency(entry), *(_resource(line, entry) for line in lines[:MAX_HELPLINES])]
        if not entry.helplines:
            found += map(_directory, self.directories[:1])
        return tuple(found)


def _distance(line: Helpline, topics: Collection[str]) -> tuple[bool, bool]:
    wanted = not set(topics) & set(line.topics) if topics else False
    return (wanted, line.audience != "general" and not topics)


def _emergency(country: Country) -> Iterator[Resource]:
    for entry in country.emergency[:1]:
        yield Resource(
            id=f"{country.code.lower()}-emergency",
            label="Emergency Services",
            value=entry.number,
            kind="emergency",
            country=country.code,
            note=", ".join(entry.services),
        )


def _resource(line: Helpline, country: Country) -> Resource:
    first, *others = line.channels
    return Resource(
        id=line.id,
        label=f"{line.name} ({country.code})",
        value=first.value or first.url or "",
        kind=first.kind,
        country=country.code,
        hours=line.hours,
        note="; ".join(filter(None, [_how(first), *map(_also, others)])) or None,
        source=line.source,
        confirmed=line.confirmed,
    )


def _how(channel: Channel) -> str | None:
    if channel.send:
        return f"text {channel.send}"
    return channel.then


def _also(channel: Channel) -> str:
    words = {"call": "call", "text": "text", "chat": "chat at", "whatsapp": "WhatsApp"}
    send = f"{channel.send} to " if channel.send else ""
    then = f", then {channel.then}" if channel.then else ""
    return f"{words[channel.kind]} {send}{channel.value or channel.url}{then}"


def _directory(entry: Directory) -> Resource:
    return Resource(
        id=entry.id,
        label=entry.name,
        value=entry.url,
        kind="web",
        note=entry.note,
        source=entry.source,
        confirmed=entry.confirmed,
    )
