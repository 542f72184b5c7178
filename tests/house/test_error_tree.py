"""Every error has a code of its own, a place in the drawn tree and a line in the reference."""

from __future__ import annotations

import re

import pytest
from source_tree import ROOT

from handrail import errors
from handrail.errors import HandrailError

_DRAWN = re.compile(r"^(?P<indent>[│ ├└─]*)(?P<name>[A-Z]\w+)", re.MULTILINE)


def every_error(root: type[HandrailError] = HandrailError) -> list[type[HandrailError]]:
    """``root`` and every class under it that the errors module defines."""
    below = [c for c in root.__subclasses__() if c.__module__ == errors.__name__]
    return [root, *(found for child in below for found in every_error(child))]


def drawn() -> dict[str, int]:
    """Depth of each name in the docstring's tree, by four columns a floor."""
    tree = (errors.__doc__ or "").partition("\n\n")[2]
    return {m["name"]: len(m["indent"]) // 4 for m in _DRAWN.finditer(tree)}


def test_the_docstring_draws_the_whole_tree_and_nothing_else() -> None:
    depths = {c.__name__: c.__mro__.index(HandrailError) for c in every_error()}
    assert drawn() == depths


def test_codes_are_unique_and_spelled_alike() -> None:
    codes = [error.code for error in every_error()]
    assert len(set(codes)) == len(codes)
    assert [code for code in codes if not re.fullmatch(r"[a-z]+(?:-[a-z]+)*", code)] == []


@pytest.mark.parametrize("error", every_error(), ids=lambda error: error.code)
def test_an_error_says_its_own_code_and_what_it_means(error: type[HandrailError]) -> None:
    assert "code" in vars(error)
    assert (error.__doc__ or "").strip().endswith(".")


@pytest.mark.parametrize("error", every_error(), ids=lambda error: error.code)
def test_the_reference_lists_the_error(error: type[HandrailError]) -> None:
    listed = (ROOT / "docs" / "reference" / "errors.md").read_text(encoding="utf-8")
    assert f"| `{error.code}` | `{error.__name__}` |" in listed
