"""The parts of the report that are tables over all tests: topics, pairs, channels, losses."""

from __future__ import annotations

from collections.abc import Iterable

from handrail.evals.guide import tables, words
from handrail.evals.guide.card import GuideCard
from handrail.evals.guide.markup import Html, details, para, section, table, text
from handrail.evals.guide.page_tests import Titles, name

WEAK_GPA = 3.6  # the bar that the whole has to reach


def entities_part(card: GuideCard) -> Html:
    """Topics with a low grade, topics that push in, and all of them folded away."""
    lines = tables.by_entity(card.results)
    weak = [line for line in lines if _is_weak(line.gpa)]
    pushing = sorted((line for line in lines if line.intruded), key=lambda line: -line.intruded)
    parts = [
        _entity_table(caption, some, card.titles)
        for caption, some in (
            (f"Topics with a grade below {WEAK_GPA} as the main topic", weak),
            ("Topics shown in tests that say they should not be", pushing),
        )
        if some
    ] or [para("No topic does badly.")]
    rest = details(text("All topics"), _entity_table("All topics, worst first", lines, card.titles))
    return section("topics", "Topics that do badly", *parts, rest)


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


def confusions_part(card: GuideCard) -> Html:
    """Which topic came first where another was the main one."""
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


def channels_part(card: GuideCard) -> Html:
    """What each channel brought."""
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


def lost_part(card: GuideCard) -> Html:
    """At which stage expected topics got lost."""
    rows = [(text(words.STAGES[stage]), text(n)) for stage, n in tables.lost(card.results).items()]
    return section(
        "lost",
        "Where expected topics were lost",
        table("Lost topics", ("What happened", "Topics"), rows),
    )
