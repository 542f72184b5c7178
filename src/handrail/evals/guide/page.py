"""The report for people who are no engineers: one HTML file that needs nothing else.

It quotes the prompts of the bank; whoever measures messages of real people guards it like them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime

from handrail.evals.guide import tables, words
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
from handrail.evals.guide.page_tests import Titles, failures_part, name, tests_part
from handrail.evals.intervals import Estimate

TITLE = "How well the guide finds what a parent needs"
WEAK_GPA = 3.6  # the bar that the whole has to reach


def page(card: GuideCard, *, made: datetime) -> str:
    """The report as one self-contained HTML document."""
    parts = (
        tag("h1", text(TITLE)),
        _verdict(card),
        _about(card, made),
        failures_part(card.failures, card.titles),
        _grades(card),
        _entities(card),
        _confusions(card),
        _channels(card),
        _lost(card),
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
        f"the main topic was missing. Made on {made:%Y-%m-%d} from "
        f"{_which(str(card.pins['split']))} of the bank."
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
        "test": "the half that was kept for testing",
        "train": "the half that the guide was tuned on",
    }.get(split, "all rows")


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


def _entities(card: GuideCard) -> Html:
    lines = tables.by_entity(card.results)
    weak = [line for line in lines if line.intruded or _is_weak(line.gpa)]
    caption = f"Topics below {WEAK_GPA} as the main topic, or shown where they should not be"
    first = _entity_table(caption, weak, card.titles) if weak else para("No topic does badly.")
    rest = details(text("All topics"), _entity_table("All topics", lines, card.titles))
    return section("topics", "Topics that do badly", first, rest)


def _is_weak(gpa: float | None) -> bool:
    return gpa is not None and gpa < WEAK_GPA


def _entity_table(caption: str, lines: Iterable[tables.EntityLine], titles: Titles) -> Html:
    heads = ("Topic", "Tests", "Grade", "Found", "Came first", "Mean place", "Shown when unwanted")
    rows = [
        (
            name(line.entity_id, titles),
            text(line.n),
            text(_number(line.gpa)),
            text(f"{line.found} of {line.n}"),
            text(f"{line.first} of {line.n}"),
            text(_number(line.mean_rank, 1)),
            text(f"{line.intruded} of {line.barred}"),
        )
        for line in lines
    ]
    return table(caption, heads, rows)


def _number(value: float | None, places: int = 2) -> str:
    return "none" if value is None else f"{value:.{places}f}"


def _confusions(card: GuideCard) -> Html:
    pairs = tables.confusions(card.results)
    if not pairs:
        return section("pairs", "Topics that were mixed up", para("None."))
    heads = ("Expected", "Came first", "Tests", "Expected one missing", "Which tests")
    rows = [
        (
            name(pair.expected, card.titles),
            name(pair.got, card.titles),
            text(len(pair.tests)),
            text(pair.missing),
            text(", ".join(pair.tests)),
        )
        for pair in pairs
    ]
    return section(
        "pairs", "Topics that were mixed up", table("Expected and found first", heads, rows)
    )


def _channels(card: GuideCard) -> Html:
    heads = (
        "Way",
        "Found what was needed",
        "Only this way did",
        "Had it first",
        "Suggestions",
        "Not shown in the end",
    )
    rows = [
        tuple(
            map(
                text,
                (
                    f"{words.CHANNELS.get(line.channel, line.channel)} ({line.channel})",
                    line.found,
                    line.alone,
                    line.top,
                    line.candidates,
                    line.not_shown,
                ),
            )
        )
        for line in tables.by_channel(card.results)
    ]
    return section("ways", "Which way of looking found it", table("Found by each way", heads, rows))


def _lost(card: GuideCard) -> Html:
    rows = [(text(words.STAGES[stage]), text(n)) for stage, n in tables.lost(card.results).items()]
    return section(
        "lost",
        "Where expected topics were lost",
        table("Lost topics", ("What happened", "Topics"), rows),
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
