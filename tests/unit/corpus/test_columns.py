from __future__ import annotations

import pytest

from handrail.corpus.columns import BadRecord, ColumnMap, detect, to_case
from handrail.domain.text import Case, case_id

COLUMNS = ColumnMap(context="Context", response="Response", title="title", id="_id")


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["Context", "Response"], ColumnMap(context="Context", response="Response")),
        (
            ["questionTitle", "questionText", "answerText"],
            ColumnMap(context="questionText", response="answerText", title="questionTitle"),
        ),
        (["answer", "question", "id"], ColumnMap(context="question", response="answer", id="id")),
        (["_id", "title", "text"], ColumnMap(context="text", title="title", id="_id")),
        (["text", "Context", "Response"], ColumnMap(context="Context", response="Response")),
        (["RESPONSE", "context"], ColumnMap(context="context", response="RESPONSE")),
        (["question"], None),
        (["prompt", "completion"], None),
        ([], None),
    ],
)
def test_known_spellings_are_found(names: list[str], expected: ColumnMap | None) -> None:
    assert detect(names) == expected


def test_c68_a_case_is_named_by_its_text() -> None:
    made = to_case({"Context": " a\r\nb ", "Response": "c", "title": "T", "_id": 7}, COLUMNS)
    assert made == Case(
        id=case_id("a\nb", "c"), context="a\nb", response="c", title="T", source_id="7"
    )


def test_everything_else_is_metadata_in_strings() -> None:
    more = {"n": 3, "flag": True, "tags": ["b", "a"], "none": None, "text": "x\x00y"}
    made = to_case({"Context": "a", "Response": "b", **more}, COLUMNS)
    assert made.metadata == {"n": "3", "flag": "true", "tags": '["b", "a"]', "text": "xy"}


def test_a_text_alone_has_nothing_to_quote() -> None:
    made = to_case({"text": "a", "_id": "d1"}, ColumnMap(context="text", id="_id"))
    assert (made.context, made.response, made.source_id, made.sentences) == ("a", "", "d1", ())


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"Response": "b"}, "column 'Context' is missing"),
        ({"Context": None, "Response": "b"}, "column 'Context' is missing"),
        ({"Context": "a"}, "column 'Response' is missing"),
        ({"Context": 3, "Response": "b"}, "column 'Context' is not a string"),
        ({"Context": ["a"], "Response": "b"}, "column 'Context' is not a string"),
        ({"Context": " \x00\n", "Response": "b"}, "column 'Context' is blank"),
        ({"Context": "a", "Response": ""}, "column 'Response' is blank"),
    ],
)
def test_c54_a_record_without_both_texts_says_why(fields: dict[str, object], reason: str) -> None:
    with pytest.raises(BadRecord) as refusal:
        to_case(fields, COLUMNS)
    assert str(refusal.value) == reason
