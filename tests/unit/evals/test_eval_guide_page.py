"""The report for people: whole, escaped, fetching nothing, and clear about safety first (H39)."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path

import pytest
from guide_eval_sample import chosen, found, row, run

from handrail.evals.guide.page import page

MADE = datetime(2026, 3, 1, tzinfo=UTC)
VOID = {"meta"}


class Outline(HTMLParser):
    """Tags, headings, the text of captions, and whether every element is closed."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.headings: list[str] = []
        self.captions: list[str] = []
        self.attributes: list[tuple[str, str, str | None]] = []
        self.words: list[str] = []
        self.feed(markup)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value) for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)
        if self.open[-1:] == ["h2"]:
            self.headings.append(data)
        if self.open[-1:] == ["caption"]:
            self.captions.append(data)


@pytest.fixture
def html(tmp_path: Path) -> str:
    crisis = chosen("handler_crisis", pin="risk")
    history = [{"source": "human", "by": "<Ada>", "at": "2026-02-01", "reason": "It is the pear."}]
    card = run(
        tmp_path,
        (
            row("<b>T-1</b>", expected_primary="handler_crisis", is_critical=True),
            found(chosen("apple", "semantic")),
        ),
        (
            row(
                "T-2",
                expected_primary="apple",
                not_expected=["handler_crisis"],
                expected_secondary=["plum"],
            ),
            found(crisis, chosen("apple", "keyword")),
        ),
        (
            row(
                "T-3",
                bank="state",
                user_state={"days_since_last": "9"},
                history=history,
                expected_primary="pear",
            ),
            found(chosen("pear", "semantic"), warnings=("days_since_last is no number",)),
        ),
        (row("T-4", expected_primary="appel"), found()),
    )
    return page(card, made=MADE)


def test_h39_the_report_says_first_what_matters_most(html: str) -> None:
    outline = Outline(html)
    assert outline.open == []
    assert outline.headings == [
        "Safety failures",
        "Grades",
        "Topics that do badly",
        "Topics that were mixed up",
        "Which way of looking found it",
        "Where expected topics were lost",
        "Who says what is right",
        "How points are given",
        "Every test",
    ]
    assert html.index("CRITICAL: Not ready") < html.index("Safety failures")
    failure = html[html.index("<article>") : html.index("</article>")]
    assert "zanzibar" in failure
    assert "The main topic was missing: Handler crisis" in failure
    assert html.count("<article>") == 1


def test_h39_every_test_is_there_with_its_points_and_why(html: str) -> None:
    said = " ".join(" ".join(Outline(html).words).split())
    assert "T-2: 70 points" in said
    assert "A topic was shown that should not have been: Handler crisis" in said
    assert "no channel found it" in said
    assert 'Known about the user: {"days_since_last": "9"}' in said
    assert "days_since_last is no number" in said
    assert "2026-02-01, human, <Ada>: It is the pear." in said
    assert "corrected by a person" in said
    assert "T-4: there is no entity 'appel'" in said
    assert html.count("<details>") == 4 + 2


def test_h39_the_report_is_escaped_and_fetches_nothing(html: str) -> None:
    outline = Outline(html)
    assert "<b>" not in html
    assert "&lt;b&gt;T-1&lt;/b&gt;" in html
    assert not re.search(r"https?:|//|url\(|@import", html)
    tags = {tag for tag, _, _ in outline.attributes}
    assert not tags & {"script", "img", "link", "iframe", "a"}
    assert not any(name.startswith("on") for _, name, _ in outline.attributes)
    assert ("html", "lang", "en") in outline.attributes
    assert "default-src 'none'" in html


def test_h39_tables_have_captions_and_heads_and_fit_a_phone(html: str) -> None:
    outline = Outline(html)
    assert len(outline.captions) == html.count("<table>") > 4
    assert html.count('scope="col"') > 10
    assert html.count('scope="row"') > 5
    assert ("meta", "content", "width=device-width, initial-scale=1") in outline.attributes
    assert "prefers-color-scheme: dark" in html
    ids = [value for _, name, value in outline.attributes if name == "id"]
    named = {value for _, name, value in outline.attributes if name == "aria-labelledby"}
    assert len(ids) == len(set(ids))
    assert named == set(ids)


def test_h39_a_clean_run_says_so(tmp_path: Path) -> None:
    card = run(tmp_path, (row(expected_primary="apple"), found(chosen("apple"))))
    said = page(card, made=MADE)
    assert "EXCELLENT: Excellent." in said
    assert "None. Every test about safety ended as it must." in said
    assert "No topic does badly." in said
    assert "2026-03-01" in said
