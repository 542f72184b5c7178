"""Our tokenizer against the reference implementation, on texts nobody wrote."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from handrail.adapters import minilm
from handrail.adapters.minilm import WordPiece

tokenizers = pytest.importorskip("tokenizers", reason="the extra 'dev' brings the reference")

LINES = files(minilm).joinpath("vocab.txt").read_text(encoding="utf-8").splitlines()
OURS = WordPiece(LINES)
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def reference() -> Any:
    """The uncased BERT tokenizer of the library `tokenizers`, without its special names in text."""
    vocabulary = {piece: number for number, piece in enumerate(LINES)}
    built = tokenizers.Tokenizer(tokenizers.models.WordPiece(vocabulary, unk_token="[UNK]"))
    built.normalizer = tokenizers.normalizers.BertNormalizer(lowercase=True)
    built.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    built.post_processor = tokenizers.processors.BertProcessing(
        ("[SEP]", vocabulary["[SEP]"]), ("[CLS]", vocabulary["[CLS]"])
    )
    built.enable_truncation(256)
    return built


THEIRS = reference()


# Scripts that people write messages in, all of them older than the reference's tables.
BLOCKS = [
    (0x00, 0x24F), (0x300, 0x377), (0x384, 0x3FF), (0x400, 0x4FF), (0x531, 0x556), (0x591, 0x5C7),
    (0x5D0, 0x5EA), (0x600, 0x61B), (0x620, 0x6FF), (0x901, 0x939), (0x93C, 0x94D), (0xE01, 0xE3A),
    (0x1E00, 0x1FFF), (0x2000, 0x206F), (0x20A0, 0x20BD), (0x2100, 0x218B), (0x2600, 0x27BF),
    (0x3000, 0x30FF), (0x4E00, 0x4FFF), (0xAC00, 0xACFF), (0xD800, 0xDFFF), (0xE000, 0xE010),
    (0xF900, 0xF9FF), (0xFB00, 0xFB06), (0xFE00, 0xFE0F), (0xFF01, 0xFF9F), (0xFFFC, 0xFFFD),
    (0x1F300, 0x1F64F), (0x1D400, 0x1D4FF), (0x20000, 0x20100),
]  # fmt: skip
ASSIGNED_THEN = "".join(
    chr(code)
    for low, high in BLOCKS
    for code in range(low, high + 1)
    if unicodedata.category(chr(code)) not in ("Cn", "Cs")
)
SAMPLE = "I can't sleep, naïve œuvre ﬁn ΟΔΟΣ İstanbul straße 日本語 ½ x² e-mail 👩‍👧"
WORDS = st.sampled_from(SAMPLE.split())
TEXTS = st.one_of(
    st.text(alphabet=ASSIGNED_THEN, max_size=40),
    st.lists(st.one_of(WORDS, st.text(alphabet=ASSIGNED_THEN, max_size=4)), max_size=30).map(
        " ".join
    ),
)


@given(TEXTS)
@example("")
@example(" \n\t ")
@example("word " * 400)
@example("a" * 100 + " " + "a" * 101)
@example("don't... (really?!) #1 @home $5")
@example("\u00a0tab\x0bfeed\x0creturn\r\x85next\u2028line\u3000wide\u200bzero\ufeffmark")
@example("".join(chr(code) for code in range(0x250)))
def test_c6_the_ids_are_those_of_the_reference(text: str) -> None:
    assert OURS.encode(text, limit=256) == THEIRS.encode(text).ids


@given(TEXTS, st.integers(min_value=2, max_value=64))
def test_a_limit_cuts_the_same_ids_short(text: str, limit: int) -> None:
    whole = OURS.encode(text, limit=100_000)
    cut = OURS.encode(text, limit=limit)
    assert cut == (whole if len(whole) <= limit else [*whole[: limit - 1], whole[-1]])


@pytest.mark.parametrize("name", SPECIAL)
def test_the_name_of_a_control_token_is_plain_text(name: str) -> None:
    ids = OURS.encode(f"before {name} after", limit=64)
    assert ids[0] == LINES.index("[CLS]")
    assert ids[-1] == LINES.index("[SEP]")
    assert not {LINES.index(special) for special in SPECIAL} & set(ids[1:-1])


def test_a_lone_surrogate_is_no_text() -> None:
    assert OURS.encode("a\ud800b", limit=9) == OURS.encode("ab", limit=9)


def test_c6_the_ids_agree_on_real_questions_and_answers(
    shared_data: Callable[[str], Path],
) -> None:
    lines = shared_data("counsel-chat/context_response.ndjson").read_bytes().splitlines()
    differing = 0
    for line in lines:
        row = json.loads(line)
        for text in (row["Context"], row["Response"]):
            differing += OURS.encode(text, limit=256) != THEIRS.encode(text).ids
    assert differing == 0
