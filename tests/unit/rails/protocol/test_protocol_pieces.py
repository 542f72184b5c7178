"""A reviewed line is picked by counting and found again by its id, and by no other."""

from __future__ import annotations

import pytest

from handrail.content.wordings import LinesModel, MoveModel
from handrail.errors import ContentInvalid
from handrail.rails.protocol.lines import ProtocolLines, move_of
from handrail.rails.protocol.state import State


def model(language: str, **moves: tuple[str, ...]) -> LinesModel:
    return LinesModel(
        id=f"lines-{language}",
        version="3",
        language=language,
        reviewer="nobody",
        source="none",
        moves=tuple(MoveModel(id=id, review="editorial", say=say) for id, say in moves.items()),
    )


LINES = ProtocolLines(
    [model("en", ease=("One.", "Two.", "Three."), wait=("Wait.",)), model("es", ease=("Uno.",))]
)


@pytest.mark.parametrize("seed", range(8))
def test_every_wording_comes_once_before_any_comes_again(seed: int) -> None:
    picked = [
        LINES.fragment(State(seed=seed, said=(("ease", count),)), "ease") for count in range(6)
    ]
    assert {fragment.text for fragment in picked[:3]} == {"One.", "Two.", "Three."}
    assert picked[3:] == picked[:3]
    for fragment in picked:
        assert LINES.piece(fragment.provenance.item_id, 0) == fragment.text  # type: ignore[union-attr]


def test_the_first_wording_depends_on_the_seed_and_the_move() -> None:
    first = {LINES.fragment(State(seed=seed), "ease").text for seed in range(40)}
    assert first == {"One.", "Two.", "Three."}


def test_a_language_without_lines_is_answered_in_english() -> None:
    assert LINES.fragment(State(language="fr"), "wait").text == "Wait."
    assert LINES.fragment(State(language="es"), "ease").text == "Uno."
    assert LINES.moves("fr") == LINES.moves("en")
    assert set(LINES.moves("es")) == {"ease"}
    assert LINES.languages == ("en", "es")
    assert LINES.versions == {"en": "3", "es": "3"}


def test_a_move_without_a_line_is_named() -> None:
    with pytest.raises(ContentInvalid, match=r"^the protocol has no line 'wait' in 'es'"):
        LINES.fragment(State(language="es"), "wait")


def test_a_protocol_without_english_cannot_speak() -> None:
    with pytest.raises(ContentInvalid, match=r"^the protocol has no lines in 'en'; it cannot"):
        ProtocolLines([model("es", ease=("Uno.",))])


@pytest.mark.parametrize(
    ("item_id", "text"),
    [
        ("protocol/ease.1.en", "One."),
        ("protocol/ease.3.en", "Three."),
        ("protocol/ease.1.es", "Uno."),
        ("protocol/wait.1.en", "Wait."),
    ],
)
def test_a_line_is_found_by_its_id(item_id: str, text: str) -> None:
    assert LINES.piece(item_id, 0) == text


@pytest.mark.parametrize(
    "item_id",
    [
        "ease.1.en",
        "other/ease.1.en",
        "protocol/ease.0.en",
        "protocol/ease.4.en",
        "protocol/ease.01.en",
        "protocol/ease.-1.en",
        "protocol/ease.x.en",
        "protocol/ease..en",
        "protocol/ease.1.fr",
        "protocol/ease.1",
        "protocol/ease",
        "protocol/none.1.en",
        "",
    ],
)
def test_no_other_id_finds_one(item_id: str) -> None:
    with pytest.raises(ContentInvalid) as refused:
        LINES.piece(item_id, 0)
    assert f"no reviewed line {item_id!r} piece 0" in str(refused.value)


@pytest.mark.parametrize("piece", [1, -1])
def test_a_line_of_the_protocol_has_one_piece(piece: int) -> None:
    with pytest.raises(ContentInvalid):
        LINES.piece("protocol/ease.1.en", piece)


def test_a_line_tells_its_move() -> None:
    assert move_of("protocol/ask-plan.2.en") == "ask-plan"
