"""How the ids of a bank name the cases of a collection."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from handrail.domain.text import Case
from handrail.errors import InvalidInput
from handrail.retrieval.store import CaseStore


@dataclass(frozen=True, slots=True)
class Labels:
    """Labels of cases and contexts: a metadata field's value, or the case's own id.

    Without a field a case is named by the id that its source gave it, else by its own. A case that
    lacks the field stands alone under that name.
    """

    by_case: Mapping[str, str]
    by_context: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, store: CaseStore, group_by: str | None = None) -> Labels:
        """The labels of every case; raises `InvalidInput` for a field that no case has."""
        contexts = [store.context_id(row) for row in range(store.contexts.count)]
        answers = {context: store.answers(context) for context in contexts}
        cases = [case for found in answers.values() for case in found]
        if group_by is not None:
            _check(cases, group_by, store.name)
        by_case = {case.id: _label(case, group_by) for case in cases}
        by_context = {
            context: tuple(dict.fromkeys(by_case[case.id] for case in found))
            for context, found in answers.items()
        }
        return cls(by_case, by_context)

    @property
    def known(self) -> frozenset[str]:
        """Every label."""
        return frozenset(self.by_case.values())

    def ranking(self, context_ids: Iterable[str]) -> tuple[str, ...]:
        """The labels of ranked contexts; only the first place of each counts."""
        return tuple(dict.fromkeys(label for id in context_ids for label in self.by_context[id]))

    def cases(self, case_ids: Iterable[str]) -> tuple[str, ...]:
        """The labels of ranked cases; only the first place of each counts."""
        return tuple(dict.fromkeys(self.by_case[id] for id in case_ids))


def _label(case: Case, group_by: str | None) -> str:
    named = case.metadata.get(group_by, "") if group_by is not None else ""
    return named or case.source_id or case.id


def _check(cases: Sequence[Case], group_by: str, name: str) -> None:
    fields = sorted({field for case in cases for field in case.metadata})
    if group_by not in fields:
        known = ", ".join(repr(field) for field in fields[:20]) or "none"
        raise InvalidInput(f"no case of {name!r} has the field {group_by!r}. Its fields: {known}")
