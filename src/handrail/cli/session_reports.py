"""``handrail sessions report``: how sessions went, from events without text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any

import typer

from handrail.cli.session import Session
from handrail.errors import InvalidInput, InvalidSettings

_SPAN = re.compile(r"(\d{1,6})([mhd])")
_SECONDS = {"m": 60.0, "h": 3_600.0, "d": 86_400.0}


def report(
    context: typer.Context,
    since: Annotated[
        str | None, typer.Option(help="How far to look back, such as 90m, 24h or 7d; else all.")
    ] = None,
) -> None:
    """Show how sessions went: shares with their 95 % intervals, lengths, ratings, arms."""
    from handrail.evals.sessions import figures
    from handrail.flows.reframe import analytics

    session = Session.of(context)
    back = None if since is None else _seconds(since)
    sessions = session.engine().sessions
    if sessions.log is None:
        raise InvalidSettings("no events are kept. Set HANDRAIL_SESSIONS__EVENTS to true")
    now = sessions.clock()
    events = sessions.log.read(since=0.0 if back is None else now - back)
    counted = analytics.report(events, open_since=now - sessions.ttl_seconds)
    body = figures(counted)
    session.show({"since": since, **body}, text(body))


COMMANDS: Mapping[str, Callable[..., object]] = {"report": report}


def _seconds(since: str) -> float:
    found = _SPAN.fullmatch(since)
    if found is None:
        raise InvalidInput(f"{since!r} is no span of time. Write 90m, 24h or 7d")
    return int(found[1]) * _SECONDS[found[2]]


def text(body: Mapping[str, Any]) -> str:
    """The report as lines."""
    lines = [
        f"{body['sessions']} sessions that are over, {body['turns']} replies; "
        f"{body['under_way']} under way, {body['cut']} begun before",
        "",
        *_shares(body),
        *_lengths(body),
        *_ratings(body),
        *_counts("danger heard in", body["danger_in"]),
        *_counts("left in", body["left_in"]),
        *_steps(body["steps"]),
        *_parts("language", body["languages"]),
        *_arms(body["arms"]),
    ]
    return "\n".join(lines)


def _shares(body: Mapping[str, Any]) -> list[str]:
    rows = [
        ("summed up", body["summed_up"]),
        ("ended", body["ended"]),
        ("danger heard", body["danger"]),
        *((f"told the {name}", value) for name, value in body["known"].items()),
        *((f"written by the {name}", value) for name, value in body["writers"].items()),
    ]
    return [f"{name:<24}{_percent(value)}" for name, value in rows]


def _lengths(body: Mapping[str, Any]) -> list[str]:
    rows = (("turns", body["length_turns"]), ("seconds", body["length_seconds"]))
    return [
        f"{name:<24}median {_number(value['median'])}, nine in ten up to {_number(value['p90'])}"
        for name, value in rows
    ]


def _ratings(body: Mapping[str, Any]) -> list[str]:
    lines = []
    for name, key in (
        ("anxiety eased by", "anxiety_eased"),
        ("confidence up", "confidence_gained"),
    ):
        value = body[key]
        lines.append(
            f"{name:<24}{_mean(value)}, median {_number(value['median'])}, "
            f"for the better {_percent(value['improved'])}"
        )
    return [*lines, f"{'balanced thought true':<24}{_mean(body['truth'])}"]


def _mean(value: Mapping[str, Any]) -> str:
    estimate = value["mean"]
    if estimate["value"] is None:
        return "nobody rated it"
    return (
        f"mean {estimate['value']:.2f} ({estimate['low']:.2f} to {estimate['high']:.2f}) "
        f"of {value['n']}"
    )


def _counts(name: str, counts: Mapping[str, int]) -> list[str]:
    if not counts:
        return []
    return [f"{name:<24}" + ", ".join(f"{phase} {count}" for phase, count in counts.items())]


def _steps(steps: list[Mapping[str, Any]]) -> list[str]:
    return (
        ["", *(f"{one['from']} -> {one['to']}: {one['count']}" for one in steps)] if steps else []
    )


def _parts(name: str, parts: Mapping[str, Any]) -> list[str]:
    return [
        "",
        *(
            f"{name} {part}: {value['sessions']} sessions, summed up {_percent(value['summed_up'])}"
            for part, value in parts.items()
        ),
    ]


def _arms(arms: Mapping[str, Any]) -> list[str]:
    lines = []
    for name, arm in arms.items():
        line = f"arm {name}: {arm['sessions']} sessions, summed up {_percent(arm['summed_up'])}"
        apart = arm["summed_up_less_control"]
        if apart["value"] is not None:
            line += (
                f", {apart['value']:+.1%} to the control "
                f"({apart['low']:+.1%} to {apart['high']:+.1%})"
            )
        lines.append(f"{line}; anxiety eased by {_mean(arm['anxiety_eased'])}")
    return lines


def _percent(value: Mapping[str, Any]) -> str:
    if value["value"] is None:
        return "nothing to count"
    return f"{value['value']:.1%} ({value['low']:.1%} to {value['high']:.1%}) of {value['n']}"


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:g}"
