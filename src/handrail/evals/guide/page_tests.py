"""The parts of the report that show single tests: safety failures, and every test with its why."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from handrail.evals.guide import words
from handrail.evals.guide.expectations import Entry
from handrail.evals.guide.markup import Html, details, items, join, para, section, tag, text
from handrail.evals.guide.results import Result, sources
from handrail.evals.guide.scoring import Fault

Titles = Mapping[str, str]


def name(entity_id: str, titles: Titles) -> Html:
    """An entity by its title and its id."""
    code = tag("code", text(entity_id))
    return Html(f"{text(titles[entity_id])} ({code})") if entity_id in titles else code


def failures_part(failures: Sequence[Result], titles: Titles) -> Html:
    """Every failure over safety, with the message and what was wrong."""
    if not failures:
        calm = "None. Every test about safety ended as it must."
        return section("safety", "Safety failures", para(calm))
    return section("safety", "Safety failures", *(_failure(one, titles) for one in failures))


def _failure(result: Result, titles: Titles) -> Html:
    faults = items([_fault(fault, titles) for fault in result.critical])
    return tag(
        "article",
        join([tag("h3", text(result.row.id)), _prompt(result), faults, _shown(result, titles)]),
    )


def tests_part(results: Sequence[Result], titles: Titles) -> Html:
    """Every test by bank, the fewest points first."""
    banks = dict.fromkeys(result.row.bank for result in results)
    parts = []
    for bank in banks:
        own = [result for result in results if result.row.bank == bank]
        own.sort(key=lambda result: (result.points.score, result.row.id))
        parts.append(tag("h3", text(f"Bank: {bank} ({len(own)} tests)")))
        parts += [_test(result, titles) for result in own]
    return section("tests", "Every test", *parts)


def _test(result: Result, titles: Titles) -> Html:
    failed = "; safety failure" if result.critical_failure else ""
    ending = "; main topic missing" if result.points.hard_fail else ""
    head = text(f"{result.row.id}: {result.points.score} points{failed}{ending}")
    return details(
        head,
        _prompt(result),
        _expected(result, titles),
        _shown(result, titles),
        _why(result, titles),
        _provenance(result),
    )


def _prompt(result: Result) -> Html:
    said = tag("blockquote", text(result.row.text))
    if not result.row.user_state:
        return said
    known = json.dumps(result.row.user_state, ensure_ascii=False, sort_keys=True)
    odd = [text(warning) for warning in result.found.warnings]
    return join([said, para(f"Known about the user: {known}", class_="small"), items(odd)])


def _expected(result: Result, titles: Titles) -> Html:
    expected = result.expected
    lists = (
        ("Main topic", (expected.expected_primary,) if expected.expected_primary else ()),
        ("Further topics", expected.expected_secondary),
        ("Ways of answering", expected.expected_handlers),
        ("Not these", expected.unwanted),
    )
    return join([para("Expected:"), items([_line(*one, titles) for one in lists if one[1]])])


def _line(label: str, ids: Sequence[str], titles: Titles) -> Html:
    return Html(f"{text(label)}: {', '.join(name(one, titles) for one in ids)}")


def _shown(result: Result, titles: Titles) -> Html:
    if not result.found.final:
        return para("Shown: nothing.")
    lines = []
    for one in result.found.final:
        by = ", ".join(words.CHANNELS.get(channel, channel) for channel in sources(one))
        found = text(f", found by: {by}" if by else "")
        lines.append(Html(f"{name(one.entity.entity_id, titles)}{found}"))
    return join([para("Shown, in this order:"), items(lines)])


def _why(result: Result, titles: Titles) -> Html:
    if not result.points.faults:
        return para("Nothing was missed and nothing was added.")
    lines = [
        Html(f"{_fault(fault, titles)}{text(_where(fault, result))}: minus {fault.cost}")
        for fault in result.points.faults
    ]
    lines += [Html(f"{name(one, titles)} takes up two places") for one in result.doubled]
    return join([para("Why it lost points:"), items(lines)])


def _where(fault: Fault, result: Result) -> str:
    stages = {loss.entity_id: words.STAGES[loss.stage] for loss in result.losses}
    return f" ({stages[fault.entity_id]})" if fault.entity_id in stages else ""


def _fault(fault: Fault, titles: Titles) -> Html:
    return Html(f"{text(words.FAULTS[fault.kind])}: {name(fault.entity_id, titles)}")


def _provenance(result: Result) -> Html:
    said = para(f"Expectation: {words.SOURCES[result.row.source]}.", class_="small")
    return join([said, items([_entry(entry) for entry in result.row.history])])


def _entry(entry: Entry) -> Html:
    day = entry.at.date().isoformat()
    primary = entry.expected_primary or "none"
    return text(f"{day}, {entry.source}, {entry.by}: {entry.reason} (main topic: {primary})")
