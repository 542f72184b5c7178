"""The forms in which a Spanish verb orders: tú, usted, vos, with and without pronouns.

All of them without accents, as normal text has none.
"""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import BaseModel, ConfigDict

_ENDINGS = {  # tú and vos, usted, ustedes, no … tú
    "ar": ("a", "e", "en", "es"),
    "er": ("e", "a", "an", "as"),
    "ir": ("e", "a", "an", "as"),
}
_ONE = ("me", "te", "se", "lo", "la", "le", "los", "las", "les", "nos")
_PAIRS = tuple(first + last for first in ("me", "te", "se", "nos") for last in ("lo", "la"))
CLITICS = (*_ONE, *_PAIRS)


class Verbs(BaseModel):
    """Verbs that order: ``regular`` infinitives, ``changed`` as infinitive:stem, ``given`` forms.

    ``given`` are forms that take pronouns as they stand.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    regular: str = ""
    changed: str = ""
    given: str = ""


def command_forms(verbs: Verbs) -> frozenset[str]:
    """Every ordering form, and each with its pronouns."""
    bare = {*verbs.given.split()}
    for infinitive in verbs.regular.split():
        bare.update(_of(infinitive[:-2], infinitive[-2:]))
    for pair in verbs.changed.split():
        infinitive, _, stem = pair.partition(":")
        bare.update(_of(stem, infinitive[-2:]))
        bare.update(_vos(infinitive))
    return frozenset(bare | {form + clitic for form in bare for clitic in CLITICS})


def _of(stem: str, kind: str) -> Iterator[str]:
    told, polite, many, never = _ENDINGS[kind]
    yield from (stem + told, _hard(stem, kind) + polite)
    yield from (_hard(stem, kind) + many, _hard(stem, kind) + never)
    if kind == "ir":
        yield f"{stem}i"  # vos


def _vos(infinitive: str) -> Iterator[str]:
    yield infinitive[:-1]


def _hard(stem: str, kind: str) -> str:
    """The stem as it is spelt before the other vowel: busca, busque; elige, elija."""
    changes = {"c": "qu", "g": "gu", "z": "c"} if kind == "ar" else {"c": "z", "g": "j"}
    last = stem[-1]
    return stem[:-1] + changes[last] if last in changes else stem
