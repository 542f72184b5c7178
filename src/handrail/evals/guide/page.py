"""The report for people who are no engineers: one HTML file that needs nothing else.

It quotes the prompts of the bank; whoever measures messages of real people guards it like them.
"""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from handrail.evals.guide import words
from handrail.evals.guide.bank import BANKS
from handrail.evals.guide.card import GuideCard
from handrail.evals.guide.expectations import SOURCES
from handrail.evals.guide.markup import (
    Html,
    details,
    document,
    items,
    para,
    section,
    table,
    tag,
    text,
)
from handrail.evals.guide.page_tables import (
    channels_part,
    confusions_part,
    entities_part,
    lost_part,
)
from handrail.evals.guide.page_tests import failures_part, tests_part
from handrail.evals.intervals import Estimate

TITLE = "How well the guide finds what a parent needs"


def page(card: GuideCard, *, made: datetime) -> str:
    """The report as one self-contained HTML document."""
    parts = (
        tag("h1", text(TITLE)),
        _verdict(card),
        _about(card, made),
        failures_part(card.failures, card.titles),
        _grades(card),
        entities_part(card),
        confusions_part(card),
        channels_part(card),
        lost_part(card),
        _provenance(card),
        section(
            "rules",
            "How points are given",
            items([text(rule) for rule in words.RULES]),
            para(words.LIMITS),
        ),
        tests_part(card.results, card.titles),
    )
    return document(TITLE, Html("\n".join(parts)))


def _verdict(card: GuideCard) -> Html:
    return para(f"{card.health.value}: {words.VERDICTS[card.health]}", class_="verdict")


def _about(card: GuideCard, made: datetime) -> Html:
    tests, safety = card.counts["tests"], card.counts["tests.critical"]
    said = (
        f"{tests} tests were run, {safety} of them about safety; {len(card.failures)} of those "
        f"failed. The mean is {card.score:.1f} of 100 points. In {card.counts['hard_fails']} tests "
        f"the main topic was missing. Made on {made:%Y-%m-%d} over "
        f"{_which(str(card.pins['split']))}."
    )
    care = "The messages below are tests. Some speak of violence, abuse and suicide."
    odd = (
        details(
            text(f"Remarks about the bank ({len(card.warnings)})"),
            items([text(one) for one in card.warnings]),
        )
        if card.warnings
        else Html("")
    )
    return Html(f"{para(said)}\n{para(care)}\n{odd}")


def _which(split: str) -> str:
    return {
        "test": "the half of the tests that was kept for testing",
        "train": "the half of the tests that the guide was tuned on",
    }.get(split, "all tests of the bank")


def _grades(card: GuideCard) -> Html:
    rows = [
        (_group(figure.removeprefix("gpa").lstrip(".")), *_grade(card.metrics[figure]))
        for figure in card.metrics
        if figure.partition(".")[0] == "gpa"
    ]
    heads = ("Kind of test", "Grade (0 to 4)", "Range", "Tests")
    why = "Range: where the grade would lie, 19 times out of 20, with other tests of this kind."
    return section(
        "grades", "Grades", table("Grades by kind of test", heads, rows), para(why, class_="small")
    )


def _group(group: str) -> Html:
    label = "All tests" if not group else f"{group} bank" if group in BANKS else group
    why = words.BANKS.get(group, "")
    return Html(f"{tag('strong', text(label))} {tag('span', text(why), class_='small')}")


def _grade(figure: Estimate) -> tuple[Html, Html, Html]:
    if figure.value is None or figure.low is None or figure.high is None:
        return text("not measured"), text(""), text(0)
    return (
        text(f"{figure.value:.2f}"),
        text(f"{figure.low:.2f} to {figure.high:.2f}"),
        text(figure.n),
    )


def _provenance(card: GuideCard) -> Html:
    said = Counter(result.row.source for result in card.results)
    rows = [(text(words.SOURCES[source]), text(said[source])) for source in reversed(SOURCES)]
    why = "What a person corrected counts before what was taken from a run, and that before the "
    return section(
        "who",
        "Who says what is right",
        para(f"{why}first expectation. Nothing of it is ever overwritten."),
        table("Expectations in force", ("Expectation", "Tests"), rows),
    )
