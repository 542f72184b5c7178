"""C36: which steps a sentence justifies, and which a message speaks against."""

from __future__ import annotations

import numpy as np
import pytest

from handrail.content import Step
from handrail.flows.coach.support import CUE_BONUS, SupportIndex
from handrail.testing.hash_embedder import HashEmbedder


def step(name: str, **more: object) -> Step:
    fields = {
        "id": name,
        "text": f"{name} now.",
        "label": name,
        "families": ("general",),
        "cues": (name,),
        "support": (f"{name} calms the body", f"people who {name} rest"),
        "source": "test",
        "review": "test",
    }
    return Step.model_validate({**fields, **more})


EMBEDDER = HashEmbedder(128)
STEPS = (
    step("breathe", avoid_when=("asthma",)),
    step("walk", support=("walking outside lifts mood",)),
    step("budget", only_when=("money", "debt")),
)
INDEX = SupportIndex.build(STEPS, EMBEDDER)


def test_support_is_the_best_cosine_to_a_paraphrase_and_a_cue_counts_more() -> None:
    texts = ["breathe calms the body", "walking outside lifts mood", "something else"]
    vectors = EMBEDDER.embed_documents(texts)
    scores = INDEX.scores(texts, vectors)
    assert scores.shape == (3, 3)
    expected = max(float(EMBEDDER.embed_query(text) @ vectors[0]) for text in STEPS[0].support)
    assert scores[0, 0] == pytest.approx(expected + CUE_BONUS)
    assert scores[1, 1] == pytest.approx(1)  # the words are the paraphrase's, without the cue
    assert scores.argmax(axis=0)[:2].tolist() == [0, 1]


def test_relevance_is_nearness_to_the_message() -> None:
    question = EMBEDDER.embed_query("walking outside lifts mood")
    assert INDEX.relevance(question)[1] == pytest.approx(1)


@pytest.mark.parametrize(
    ("message", "fits"),
    [
        ("I feel low", [True, True, False]),
        ("I have asthma and feel low", [False, True, False]),
        ("We fight about money", [True, True, True]),
        ("ASTHMA, and debt", [False, True, True]),
    ],
)
def test_a_step_fits_where_nothing_in_the_message_speaks_against_it(
    message: str, fits: list[bool]
) -> None:
    assert INDEX.fitting(message).tolist() == fits


def test_no_sentences_have_no_scores() -> None:
    assert INDEX.scores([], np.empty((0, 128), np.float32)).shape == (3, 0)
