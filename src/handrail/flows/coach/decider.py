"""The coach's bounded call: skills, labels and quote references, nothing else (C26-C30)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from handrail.calls import Accept, Prompt, Prune, Reject, Ruling, Skill
from handrail.domain.risk import Level

MAX_SNIPPETS = 9
MAX_COPING = 2
# The member as JSON or Python writes it, whole or cut off behind the word. Within a string of
# valid JSON its quotes are escaped, so words that are merely repeated there do not match.
_NAMED_LEVEL = re.compile(r"""["']crisis_level["']\s*:\s*["'](mild|moderate|high)\b""", re.I)


class _Closed(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ShownSnippet(_Closed):
    """One sentence as the model sees it."""

    case_id: str
    sent_id: int
    text: str = Field(max_length=200)


class DeciderInput(_Closed):
    """All that a model is told; at most nine snippets of at most 200 characters."""

    query: str
    snippets: tuple[ShownSnippet, ...] = Field(max_length=MAX_SNIPPETS)
    coping_labels: tuple[str, ...]
    goal_labels: tuple[str, ...]


class QuoteRef(_Closed):
    """Which shown sentence."""

    case_id: str
    sent_id: int

    @property
    def key(self) -> tuple[str, int]:
        """The reference as a dictionary key."""
        return (self.case_id, self.sent_id)


class SkillChoice(_Closed):
    """A conversational skill, with sentences that carry it."""

    name: Literal["validation", "reflection"]
    quote_refs: tuple[QuoteRef, ...] = Field(default=(), max_length=3)


class LabelChoice(_Closed):
    """A vetted label, with sentences that justify it."""

    label: str = Field(max_length=80)
    quote_refs: tuple[QuoteRef, ...] = Field(default=(), max_length=3)


class DeciderOutput(_Closed):
    """The whole of what a model may say."""

    crisis_level: Literal["none", "mild", "moderate", "high"]
    skills: tuple[SkillChoice, ...] = Field(default=(), max_length=2)
    coping_suggestions: tuple[LabelChoice, ...] = Field(default=(), max_length=MAX_COPING)
    goals: tuple[LabelChoice, ...] = Field(default=(), max_length=1)


ChoiceT = TypeVar("ChoiceT", SkillChoice, LabelChoice)


def only_what_was_shown(shown: DeciderInput, said: DeciderOutput) -> Ruling[DeciderOutput]:
    """Take out references and labels that were never shown; they are rejected, never clamped.

    A raised crisis level stands whatever else was wrong. Without a usable step and a usable goal
    the output is rejected, so that the fallback answers: fewer bullets never pass the gate (C33).
    """
    refs = {(snippet.case_id, snippet.sent_id) for snippet in shown.snippets}
    dropped: list[str] = []
    pruned = said.model_copy(
        update={
            "skills": tuple(_with_shown_refs(skill, refs, dropped) for skill in said.skills),
            "coping_suggestions": _known(
                said.coping_suggestions, shown.coping_labels, refs, dropped
            ),
            "goals": _known(said.goals, shown.goal_labels, refs, dropped),
        }
    )
    if pruned.crisis_level in ("none", "mild") and not (pruned.coping_suggestions and pruned.goals):
        return Reject("nothing-usable")
    return Prune(pruned, tuple(dropped)) if dropped else Accept()


def _with_shown_refs(choice: ChoiceT, refs: set[tuple[str, int]], dropped: list[str]) -> ChoiceT:
    kept = tuple(ref for ref in choice.quote_refs if ref.key in refs)
    dropped += ["ref-not-shown"] * (len(choice.quote_refs) - len(kept))
    return choice.model_copy(update={"quote_refs": kept})


def _known(
    choices: tuple[LabelChoice, ...],
    labels: tuple[str, ...],
    refs: set[tuple[str, int]],
    dropped: list[str],
) -> tuple[LabelChoice, ...]:
    kept = []
    for choice in choices:
        if choice.label not in labels:
            dropped.append("label-not-offered")
            continue
        checked = _with_shown_refs(choice, refs, dropped)
        if checked.quote_refs:
            kept.append(checked)
        else:
            dropped.append("label-without-reason")
    return tuple(kept)


def named_level(text: str) -> Level:
    """The gravest level that a reply names in so many words, however broken it is otherwise."""
    return max((Level[name.upper()] for name in _NAMED_LEVEL.findall(text)), default=Level.NONE)


def decider(
    fallback: Callable[[DeciderInput], DeciderOutput],
    *,
    timeout_seconds: float,
    retries: int,
    max_tokens: int,
) -> Skill[DeciderInput, DeciderOutput]:
    """The skill, with the deterministic twin of one message as its fallback."""

    def check(shown: DeciderInput, said: DeciderOutput) -> Ruling[DeciderOutput]:
        ruling = only_what_was_shown(shown, said)
        if not isinstance(ruling, Reject) or said.crisis_level == "none":
            return ruling
        level = {"crisis_level": said.crisis_level}  # it stands, though the twin chooses the rest
        return Prune(fallback(shown).model_copy(update=level), (ruling.reason,))

    def hear(shown: DeciderInput, text: str, usable: DeciderOutput | None) -> DeciderOutput | None:
        """A level may always be raised, so a broken reply that names one is heard."""
        level = named_level(text)
        if level <= (Level[usable.crisis_level.upper()] if usable else Level.NONE):
            return None
        return (usable or fallback(shown)).model_copy(update={"crisis_level": level.label})

    return Skill(
        name="coach.decider.v1",
        prompt=Prompt.load("handrail.flows.coach", "decider.md"),
        input=DeciderInput,
        output=DeciderOutput,
        check=check,
        hear=hear,
        fallback=fallback,
        timeout_seconds=timeout_seconds,
        retries=retries,
        max_tokens=max_tokens,
        on_error="fallback",
    )
