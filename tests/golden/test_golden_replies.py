"""The recorded replies stand, byte for byte."""

from __future__ import annotations

import pytest
from golden_replies import FOLDER, MESSAGES, recorded, replies

from handrail.engine import Engine


@pytest.fixture(scope="module")
def said(starter: Engine) -> dict[str, str]:
    return replies(starter)


@pytest.mark.parametrize("name", MESSAGES)
def test_the_reply_is_the_recorded_one(said: dict[str, str], name: str) -> None:
    """After a wanted change: python tests/golden/golden_replies.py, then read the difference."""
    assert said[name] == recorded(name).read_text(encoding="utf-8")


def test_c59a_the_contracts_sample_messages_are_among_them() -> None:
    samples = {"I feel worthless and anxious", "I'm feeling depressed and anxious"}
    assert samples <= set(MESSAGES.values())


def test_every_record_belongs_to_a_message() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(MESSAGES)
