"""The forms in which a verb orders or names a deed, made from the verbs of a file.

Spanish forms are without accents, as normal text has none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pydantic import BaseModel, ConfigDict, Field

from handrail.rails.crisis.spelling import undouble

_ENDINGS = {  # what tú and vos hear, and what the others hear: usted, ustedes, and tú after "no"
    "ar": ("a", "e"),
    "er": ("e", "a"),
    "ir": ("e", "a"),
}
_SPELT = {"ar": {"c": "qu", "g": "gu", "z": "c"}, "er": {"c": "z", "g": "j"}, "ir": {"g": "j"}}
CLITICS = ("me", "te", "se", "lo", "la", "le", "los", "las", "les", "nos")
PAIRS = tuple(first + last for first in ("me", "te", "se", "nos") for last in ("lo", "la"))
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
    return frozenset(bare | {form + clitic for form in bare for clitic in (*CLITICS, *PAIRS)})


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


def english_forms(verbs: Iterable[str]) -> frozenset[str]:
    """The verbs with their ending -ing, in normal form."""
    return frozenset(undouble(_ing(verb)) for verb in verbs)


def _ing(verb: str) -> str:
    if verb.endswith("ie"):
        return f"{verb[:-2]}ying"
    if verb.endswith("e") and not verb.endswith(("ee", "ye", "oe")):
        return f"{verb[:-1]}ing"
    return f"{verb}ing"


def spanish_forms(infinitives: Iterable[str], given: Sequence[str]) -> frozenset[str]:
    """Infinitives and gerunds with and without pronouns, and "if you" forms, without accents.

    The pronoun of the first person stays out: nobody is told to do something to oneself with it.
    """
    forms = set(given)
    for infinitive in infinitives:
        stem, kind = infinitive[:-2], infinitive[-2:]
        forms |= {infinitive, stem + ("ando" if kind == "ar" else "iendo")}
        forms.add(stem + ("aras" if kind == "ar" else "ieras"))
    bound = {
        form + clitic for form in forms if form[-1] in "ro" for clitic in (*CLITICS[1:], *PAIRS)
    }
    return frozenset(map(undouble, forms | bound))
