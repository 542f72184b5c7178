"""Labels: which name a case and a context go by."""

from __future__ import annotations

import pytest

from handrail.engine import Engine
from handrail.errors import InvalidInput
from handrail.evals.labels import Labels


@pytest.fixture
def labels() -> Labels:
    return Labels(
        by_case={"1": "a", "2": "b", "3": "a", "4": "c"},
        by_context={"x": ("a",), "y": ("a", "b"), "z": ("c",)},
    )


def test_only_the_first_case_of_a_group_counts(labels: Labels) -> None:
    assert labels.cases(["1", "3", "2"]) == ("a", "b")
    assert labels.ranking(["z", "y", "x"]) == ("c", "a", "b")
    assert labels.known == {"a", "b", "c"}


def test_without_a_field_cases_go_by_the_id_of_their_source(engine: Engine) -> None:
    labels = Labels.of(engine.searcher("small").collection)
    assert labels.known == {"s1", "s2", "q1", "e1", "w1"}
    assert ("s1", "s2") in labels.by_context.values()


def test_with_a_field_answers_to_one_question_are_one_group(engine: Engine) -> None:
    labels = Labels.of(engine.searcher("small").collection, "topic")
    assert sorted(labels.by_context.values()) == [("family",), ("sleep",), ("study",), ("work",)]
    assert sorted(labels.by_case.values()) == ["family", "sleep", "sleep", "study", "work"]


def test_a_field_that_no_case_has_is_refused_with_those_there_are(engine: Engine) -> None:
    with pytest.raises(InvalidInput, match=r"has the field 'subject'\. Its fields: 'topic'"):
        Labels.of(engine.searcher("small").collection, "subject")
