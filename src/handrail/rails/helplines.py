"""Whom a person can reach: the confirmed numbers of their country, never of a default one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from handrail.content import load
from handrail.domain.outcome import Resource
from handrail.errors import InvalidInput

FILE = "helplines/helplines.yaml"
MAX_HELPLINES = 2  # with the emergency number at most three at a time (SAFETY.md, protocol)
_VIOLENCE = frozenset({"domestic-violence", "child-abuse"})  # the police come first
_MAX_READ = 4000  # characters read for a stated country

_AMBIGUOUS = frozenset({"Georgia", "Jordan", "Granada", "America"})  # states, names, cities
_ABBREVIATED = {"US": ("the us", "the u.s.", "the states")}  # a bare "us" is a pronoun
_SUPPOSED = r"(?<!when )(?<!if )(?<!until )(?<!while )(?<!whenever )(?<!cuando )(?<!\bsi )"
_LIVES = r"(?:i|we)(?:'m| am|'re| are)?(?: (?:currently|now))? (?:live|living|based)|vivo|vivimos"
_IS = r"i'm|i am|we're|we are|based|here|estoy|estamos|aqui"
_TOWN = r"(?:[\w'-]+(?: [\w'-]+){0,2}, )?"  # "I live in Cork, Ireland"
_ARTICLE = r"(?:the |el |la |los )?"


class _Content(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Channel(_Content):
    """One way to reach a service: a number as dialled inside the country, or a URL."""

    kind: Literal["call", "text", "chat", "whatsapp"]
    value: str | None = None
    url: str | None = None
    send: str | None = None
    then: str | None = None
    hours: str | None = None
    confidence: str | None = None

    @model_validator(mode="after")
    def _leads_somewhere(self) -> Channel:
        if not (self.value or self.url):
            raise ValueError("a channel needs a value or a url")
        return self


class Helpline(_Content):
    """A service with its source and the day it was confirmed there.

    What only editors read (``also_seen``, ``confidence`` …) is declared so that a misspelt key is
    an error.
    """

    id: str
    name: str
    channels: tuple[Channel, ...] = Field(min_length=1)
    audience: str
    topics: tuple[str, ...]
    source: str
    confirmed: str
    hours: str | None = None
    hours_es: str | None = None
    note: str | None = None
    note_es: str | None = None
    languages: tuple[str, ...] = ()
    confidence: str | None = None
    also_seen: tuple[str, ...] = ()
    newest_source_date: str | None = None
    editor_note: str | None = None


class Emergency(_Content):
    """An emergency number, the services behind it and the keys of its sources."""

    number: str = Field(min_length=1)
    services: tuple[str, ...] = Field(min_length=1)
    sources: tuple[str, ...] = Field(min_length=1)
    channel: Literal["call", "text"] = "call"
    also_seen: str | None = None


class CountryDirectory(_Content):
    """Where a country without a number of a kind sends people instead; for editors so far."""

    name: str
    url: str | None = None
    topics: tuple[str, ...]
    source: str
    note: str


class Country(_Content):
    """A country's numbers, and the names people call it by."""

    code: str = Field(pattern="^[A-Z]{2}$")
    name: str
    emergency: tuple[Emergency, ...]
    helplines: tuple[Helpline, ...]
    dial_check: str
    names_es: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    emergency_note: str | None = None
    emergency_editor_note: str | None = None
    directories: tuple[CountryDirectory, ...] = ()


class Directory(_Content):
    """An international list of helplines, for people whose country is unknown."""

    id: str
    name: str
    url: str
    note: str
    note_es: str | None = None
    source: str
    confirmed: str
    confidence: str | None = None


class Helplines(_Content):
    """The whole directory; ``version`` and ``as_of`` go into receipts."""

    version: int
    as_of: str
    reviewer: str
    source: str
    conventions: Mapping[str, str]
    emergency_sources: Mapping[str, str]
    directories: tuple[Directory, ...] = Field(min_length=1)
    countries: tuple[Country, ...] = Field(min_length=1)

    @classmethod
    def packaged(cls) -> Helplines:
        """The directory that ships with the package."""
        return load(FILE, cls)

    @cached_property
    def by_code(self) -> dict[str, Country]:
        """Countries by ISO 3166 code."""
        return {country.code: country for country in self.countries}

    @cached_property
    def _names(self) -> dict[str, str]:
        """Every unambiguous name that people call a country by, folded, and its code."""
        names = {name: code for code, known in _ABBREVIATED.items() for name in known}
        for country in self.countries:
            for name in (country.name, *country.names_es, *country.aliases):
                if name not in _AMBIGUOUS:
                    names[_folded(name)] = country.code
        return names

    @cached_property
    def _stated(self) -> re.Pattern[str]:
        names = "|".join(map(re.escape, sorted(self._names, key=lambda name: (-len(name), name))))
        lives = rf"(?:{_LIVES}) (?:in|en) {_TOWN}"
        lead = rf"\b{_SUPPOSED}(?:{lives}|(?:{_IS}) (?:in|en) )"
        return re.compile(rf"{lead}(?P<article>{_ARTICLE})(?P<name>{names})(?!\w)")

    def require(self, code: str) -> str:
        """``code`` if the directory knows it; raises `InvalidInput` otherwise."""
        if code not in self.by_code:
            raise InvalidInput(
                f"no helplines for country {code!r}. Use an ISO 3166 code such as IE"
            )
        return code

    def stated(self, message: str) -> str | None:
        """The country that the person says they are in, or None; the first one they name."""
        match = self._stated.search(_folded(message[:_MAX_READ]))
        return self._names[match["name"]] if match else None

    def resources(
        self, country: str | None, *, topics: Collection[str] = ()
    ) -> tuple[Resource, ...]:
        """The emergency number and the fitting helplines of ``country``; without one, the
        international directories. Never empty (C67)."""
        entry = self.by_code.get(country or "")
        if entry is None or not (entry.emergency or entry.helplines):
            return tuple(map(_directory, self.directories))
        lines = sorted(entry.helplines, key=lambda line: _distance(line, topics))
        found = [
            *self._emergency(entry, topics),
            *(_resource(line, entry) for line in lines[:MAX_HELPLINES]),
        ]
        if not entry.helplines:
            found += map(_directory, self.directories[:1])
        return tuple(found)

    def _emergency(self, country: Country, topics: Collection[str]) -> Iterator[Resource]:
        wanted = "police" if _VIOLENCE & set(topics) else "ambulance"
        calls = [entry for entry in country.emergency if entry.channel == "call"]
        for entry in sorted(calls, key=lambda entry: wanted not in entry.services)[:1]:
            yield Resource(
                id=f"{country.code.lower()}-emergency",
                label="Emergency Services",
                value=entry.number,
                kind="emergency",
                country=country.code,
                note=", ".join(entry.services),
                source="; ".join(self.emergency_sources.get(key, key) for key in entry.sources),
                confirmed=self.as_of,
            )


def _folded(text: str) -> str:
    """Lower case without accents, with straight apostrophes and single spaces."""
    letters = unicodedata.normalize("NFKD", text.lower().replace("’", "'"))
    return " ".join("".join(c for c in letters if not unicodedata.combining(c)).split())


def _distance(line: Helpline, topics: Collection[str]) -> tuple[bool, bool]:
    """How far a line is from the need: another topic first, then an audience of its own."""
    fits = not topics or bool(set(topics) & set(line.topics))
    return (not fits, line.audience not in ("general", *topics))


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
