"""Several workers share one session and change nothing but the time."""

from __future__ import annotations

import numpy as np

from handrail.adapters.minilm import MiniLmEmbedder

TEXTS = [f"{'word ' * (number % 7 + 1)}number {number}" for number in range(40)]


def test_c68_the_same_bytes_come_from_one_worker_and_from_three() -> None:
    one, three = MiniLmEmbedder(), MiniLmEmbedder(workers=3)
    assert one.embed_documents(TEXTS).tobytes() == three.embed_documents(TEXTS).tobytes()
    for alone, beside in zip(one.read(TEXTS), three.read(TEXTS), strict=True):
        assert np.array_equal(alone.tokens, beside.tokens)
        assert alone.vector.tobytes() == beside.vector.tobytes()
