"""The forms in which a Spanish verb orders: tú, usted, vos, with and without pronouns.

All of them without accents, as normal text has none.
"""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import BaseModel, ConfigDict, Field

_ENDINGS = {  # what tú and vos hear, and what the others hear: usted, ustedes, and tú after "no"
    "ar": ("a", "e"),
    "er": ("e", "a"),
    "ir": ("e", "a"),
}
_SPELT = {"ar": {"c": "qu", "g": "gu", "z": "c"}, "er": {"c": "z", "g": "j"}, "ir": {"g": "j"}}
_ONE = ("me", "te", "se", "lo", "la", "le", "los", "las", "les", "nos")
_PAIRS = tuple(first + last for first in ("me", "te", "se", "nos") for last in ("lo", "la"))
CLITICS = frozenset(_ONE)
_INFINITIVES = r"^([a-z]+[aei]r\s*)*$"
_PAIRED = r"^([a-z]+[aei]r:[a-z]+\s*)*$"


class Verbs(BaseModel):
    """Verbs that order: ``regular`` infinitives, ``changed`` as infinitive:stem, ``given`` forms.

    ``never`` are given forms that follow "no".
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    regular: str = Field("", pattern=_INFINITIVES)
    changed: str = Field("", pattern=_PAIRED)
    given: str = ""
    never: str = ""


def orders(verbs: Verbs) -> frozenset[str]:
    """Every form that orders, and each with its pronouns."""
    bare = {*verbs.given.split(), *verbs.never.split()}
    for stem, infinitive in _stems(verbs):
        told, polite = _ENDINGS[infinitive[-2:]]
        hard = _hard(stem, infinitive[-2:])
        bare |= {stem + told, infinitive[:-1], hard + polite, f"{hard}{polite}n"}
    return frozenset(bare | {form + clitic for form in bare for clitic in (*_ONE, *_PAIRS)})


def prohibitions(verbs: Verbs) -> frozenset[str]:
    """Every form that forbids, after "no"."""
    never = {*verbs.never.split()}
    for stem, infinitive in _stems(verbs):
        form = _hard(stem, infinitive[-2:]) + _ENDINGS[infinitive[-2:]][1]
        never |= {form, f"{form}s", f"{form}n"}
    return frozenset(never)


def _stems(verbs: Verbs) -> Iterator[tuple[str, str]]:
    for infinitive in verbs.regular.split():
        yield infinitive[:-2], infinitive
    for pair in verbs.changed.split():
        infinitive, _, stem = pair.partition(":")
        yield stem, infinitive
        yield infinitive[:-2], infinitive  # what vos hears, and "no" says to nosotros


def _hard(stem: str, kind: str) -> str:
    """The stem as it is spelt before the other vowel: busca, busque; elige, elija."""
    changes = _SPELT[kind]
    return stem[:-1] + changes[stem[-1]] if stem[-1] in changes else stem
