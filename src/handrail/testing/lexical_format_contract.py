"""What every `LexicalFormat` must do: subclass, override the ``format`` fixture, inherit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from handrail.errors import IndexCorrupt
from handrail.ports import LexicalFormat, LexicalIndex

TEXTS = (
    "My brother borrowed money and will not talk about it.",
    "Sleep comes late and money worries come early.",
    "The garden grows without any worries.",
    "My brother borrowed money and will not talk about it.",
    "Año nuevo, mañana tranquila. Ποτάμι. 日本語 テキスト.",
    "",
)


class LexicalFormatContract:
    """Subclass in a test module and override ``format``."""

    @pytest.fixture
    def format(self) -> LexicalFormat:
        raise NotImplementedError("override the format fixture")

    @pytest.fixture
    def index(self, format: LexicalFormat, tmp_path: Path) -> LexicalIndex:
        """The index of `TEXTS`, written and read."""
        format.write(TEXTS, tmp_path / "lexical")
        return format.read(tmp_path / "lexical")

    def test_c14_texts_that_share_a_word_are_found_best_first(self, index: LexicalIndex) -> None:
        assert index.count == len(TEXTS)
        hits = index.search("garden worries", k=5)
        assert [hit.row for hit in hits] == [2, 1]
        assert hits[0].score > hits[1].score > 0

    def test_ties_fall_to_the_smaller_row(self, index: LexicalIndex) -> None:
        assert [hit.row for hit in index.search("brother", k=2)] == [0, 3]
        assert [hit.row for hit in index.search("brother", k=1)] == [0]

    @pytest.mark.parametrize("text", ["", "  ", "?!", "unheard zyzzyva", "\ud800"])
    def test_nothing_in_common_is_nothing_found(self, index: LexicalIndex, text: str) -> None:
        assert list(index.search(text, k=5)) == []
        assert not index.scores(text, range(index.count)).any()

    def test_asking_for_nothing_finds_nothing(self, index: LexicalIndex) -> None:
        assert list(index.search("money", k=0)) == []

    @pytest.mark.parametrize("text", ["mañana", "ΠΟΤΆΜΙ", "テキスト"])
    def test_other_scripts_are_words_too(self, index: LexicalIndex, text: str) -> None:
        assert [hit.row for hit in index.search(text, k=5)] == [4]

    def test_scores_are_those_of_the_search_and_zero_elsewhere(self, index: LexicalIndex) -> None:
        found = {hit.row: hit.score for hit in index.search("money worries", k=9)}
        scores = index.scores("money worries", [5, 3, 2, 1, 0])
        assert scores.shape == (5,)
        np.testing.assert_allclose(scores, [found.get(row, 0) for row in (5, 3, 2, 1, 0)])

    def test_no_text_scores_more_than_the_question_informs(self, index: LexicalIndex) -> None:
        question = "brother borrowed money talk zyzzyva"
        assert 0 < index.search(question, k=1)[0].score < index.information(question)
        assert index.information("zyzzyva") > 0
        assert index.information("") == 0

    @pytest.mark.parametrize("texts", [[], [""], ["?"], ["", "", ""]])
    def test_texts_without_a_word_can_be_asked(
        self, format: LexicalFormat, tmp_path: Path, texts: list[str]
    ) -> None:
        format.write(texts, tmp_path / "lexical")
        index = format.read(tmp_path / "lexical")
        assert index.count == len(texts)
        assert list(index.search("anything", k=3)) == []
        assert index.information("anything") >= 0

    def test_one_text_is_enough(self, format: LexicalFormat, tmp_path: Path) -> None:
        format.write(["money"], tmp_path / "lexical")
        assert [hit.row for hit in format.read(tmp_path / "lexical").search("money", k=3)] == [0]

    def test_the_same_texts_give_the_same_bytes(
        self, format: LexicalFormat, tmp_path: Path
    ) -> None:
        written = []
        for name in ("one", "two"):
            format.write(TEXTS, tmp_path / name)
            files = sorted(path for path in (tmp_path / name).iterdir())
            written.append([(path.name, path.read_bytes()) for path in files])
        assert written[0] == written[1]

    def test_c11_what_is_no_index_is_refused(self, format: LexicalFormat, tmp_path: Path) -> None:
        (tmp_path / "lexical").mkdir()
        with pytest.raises(IndexCorrupt, match="lexical"):
            format.read(tmp_path / "lexical")
