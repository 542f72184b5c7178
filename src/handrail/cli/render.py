"""Outcomes as plain text: wrapped for a terminal, unbroken for a pipe, never in need of colour."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from handrail.domain.duties import NoticeKind
from handrail.domain.outcome import (
    Abstention,
    Answer,
    Outcome,
    Refusal,
    Resource,
    SafetyResponse,
)
from handrail.domain.risk import Level
from handrail.domain.trace import Trace

if TYPE_CHECKING:
    from handrail.content import CoachContent
    from handrail.domain.ranking import Candidate
    from handrail.wire import HelpBody

MAX_WIDTH = 88  # longer lines are hard to follow; narrower terminals decide themselves
CLIP = 160  # characters of a case's concern in a list


def outcome_text(
    outcome: Outcome,
    content: CoachContent,
    sources: Callable[[Answer], str] | None = None,
) -> str:
    """What a person reads: help first where there is risk, the sources under an answer.

    ``sources`` names them where they are no cases.
    """
    language = outcome.risk.language or "en"

    def notice(name: str) -> str:
        return content.notice(name, language).text

    spoken, resources = [outcome.text], _resources(outcome.resources, notice)
    if isinstance(outcome, Answer):
        spoken.append((sources or _sources)(outcome))
    elif isinstance(outcome, Abstention) and outcome.cases:
        spoken.append(_closest(outcome.cases))
    elif isinstance(outcome, Refusal) and outcome.cases:
        spoken.append(cases_text(outcome.cases))
    first = outcome.risk.level is Level.MILD
    parts = [resources, *spoken] if first else [*spoken, resources]
    answers = [n.text for n in outcome.notices if n.id == NoticeKind.ASKED]
    others = [n.text for n in outcome.notices if n.id != NoticeKind.ASKED]
    if isinstance(outcome, SafetyResponse):  # help stands before everything else
        parts += [*answers, *others]
    else:
        parts = [*answers, *parts, *others]
    return "\n\n".join(wrapped(part) for part in parts)


def _resources(resources: Sequence[Resource], notice: Callable[[str], str]) -> str:
    known = any(resource.country for resource in resources)
    lead = notice("resources-lead" if known else "resources-unknown-country")
    return "\n".join([lead, *resource_lines(resources)])


def resource_lines(resources: Iterable[Resource | HelpBody]) -> Iterator[str]:
    """One line each: whom, how, when."""
    for resource in resources:
        more = "; ".join(filter(None, [resource.hours, resource.note]))
        yield f"- {resource.label}: {resource.value}" + (f" ({more})" if more else "")


def _sources(answer: Answer) -> str:
    titles = {case.passage.document_id: _title(case) for case in answer.cases}
    made_up = {case.passage.document_id for case in answer.cases if _marked(answer, case)}
    cited = dict.fromkeys(citation.case_id for citation in answer.citations)
    lines = [
        f"[{number}] {titles.get(case_id, '')} (case {case_id}){_mark(case_id in made_up)}"
        for number, case_id in enumerate(cited, start=1)
    ]
    return "\n".join(["Sources:", *lines])


def _marked(answer: Answer, case: Candidate) -> bool:
    return answer.marked and case.passage.metadata.get("synthetic") == "true"


def _mark(made_up: bool) -> str:
    return ", invented" if made_up else ""


def _closest(cases: Sequence[Candidate]) -> str:
    lines = [f"- {_title(case)} (case {case.passage.document_id})" for case in cases]
    return "\n".join(["Closest cases:", *lines])


def _title(case: Candidate) -> str:
    return case.passage.metadata.get("title") or _clipped(case.passage.text)


def _clipped(text: str) -> str:
    return textwrap.shorten(text, CLIP, placeholder=" …")


def cases_text(cases: Sequence[Candidate]) -> str:
    """Cases with their scores and nearest sentences, best first."""
    return "\n\n".join(
        wrapped("\n".join(_case(number, case))) for number, case in enumerate(cases, start=1)
    )


def _case(number: int, case: Candidate) -> Iterator[str]:
    similarity = case.similarity or case.score
    yield f"{number}. {_title(case)} (case {case.passage.document_id}, {similarity.value:.2f})"
    if case.passage.metadata.get("title"):
        yield f"   {_clipped(case.passage.text)}"
    for support in case.support:
        text = " ".join(support.passage.text.split())
        yield f"   - “{text}” (sentence {support.passage.metadata['sent_id']})"


def trace_lines(trace: Trace) -> Iterator[str]:
    """The way of one message: stages, milliseconds and facts; never text."""
    yield f"trace {trace.trace_id}"
    for step in trace.steps:
        facts = " ".join(f"{name}={_fact(value)}" for name, value in step.facts.items())
        yield f"{step.ms:9.2f} ms  {step.name:<15} {facts}".rstrip()
    flags = [name for name, raised in trace.flags.items() if raised]
    yield f"{trace.ms:9.2f} ms  in all" + (f"          {' '.join(flags)}" if flags else "")


def _fact(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return ",".join(map(_fact, value)) or "-"
    if isinstance(value, dict):
        return ",".join(f"{key}:{_fact(item)}" for key, item in value.items()) or "-"
    return str(value)


def wrapped(text: str) -> str:
    """``text`` in lines that fit the terminal; as it is where nobody looks at one."""
    if not sys.stdout.isatty():
        return text
    width = min(shutil.get_terminal_size().columns, MAX_WIDTH)
    return "\n".join(
        textwrap.fill(
            line,
            width,
            subsequent_indent=" " * (len(line) - len(line.lstrip()) + _hang(line)),
            break_long_words=False,
            break_on_hyphens=False,
        )
        for line in text.split("\n")
    )


def _hang(line: str) -> int:
    """How far the lines after a list mark are set in."""
    mark, _, rest = line.lstrip().partition(" ")
    listed = mark == "-" or (mark[:-1].strip("[").isdigit() and mark[-1:] in ").]")
    return len(mark) + 1 if rest and listed else 0
