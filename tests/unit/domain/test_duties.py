"""Each switch of a policy, on and off, as far as the rule alone decides; a case a switch."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from handrail.domain.duties import (
    DAY,
    DEFAULT_DUTIES,
    HOUR,
    UNSEEN,
    Duties,
    NoticeKind,
    NoticeState,
    due,
    strictest,
)

NOW = 1_800_000_000
NOTHING = Duties(
    ai_notice_at_start=False,
    ai_notice_every=None,
    redisclose_after_days=None,
    redisclose_when_asked=False,
    minors_reminder_hours=None,
    no_diagnosis=False,
    no_medication_advice=False,
    no_confidentiality_promise=False,
    human_handoff=False,
    referral_counts=False,
    therapeutic_communication=True,
    mark_synthetic=False,
)


def kinds(
    duties: Duties,
    seen: NoticeState = UNSEEN,
    *,
    now: float = NOW,
    minor: bool = False,
    asked: bool = False,
) -> tuple[str, ...]:
    return due(duties, seen, now=now, minor=minor, asked=asked)[0]


def test_ai_notice_at_start() -> None:
    assert kinds(replace(NOTHING, ai_notice_at_start=True)) == (NoticeKind.AI,)
    assert kinds(NOTHING) == ()


def test_the_notice_at_the_start_is_not_said_again() -> None:
    duties = replace(NOTHING, ai_notice_at_start=True)
    first, after = due(duties, UNSEEN, now=NOW, minor=False, asked=False)
    assert (first, after.ai) == ((NoticeKind.AI,), NOW)
    assert kinds(duties, after, now=NOW + 900 * DAY) == ()


def test_ai_notice_every() -> None:
    duties = replace(NOTHING, ai_notice_every=2)
    seen = NoticeState(ai=NOW)
    assert kinds(duties, seen, now=NOW + 2 * HOUR - 1) == ()
    assert kinds(duties, seen, now=NOW + 2 * HOUR) == (NoticeKind.AI,)
    assert kinds(NOTHING, seen, now=NOW + 2 * HOUR) == ()


def test_redisclose_after_days() -> None:
    duties = replace(NOTHING, redisclose_after_days=7)
    seen = NoticeState(ai=NOW)
    assert kinds(duties, seen, now=NOW + 7 * DAY - 1) == ()
    assert kinds(duties, seen, now=NOW + 7 * DAY) == (NoticeKind.AI,)
    assert kinds(NOTHING, seen, now=NOW + 7 * DAY) == ()


def test_redisclose_when_asked() -> None:
    seen = NoticeState(ai=NOW - 1)
    duties = replace(NOTHING, redisclose_when_asked=True)
    assert kinds(duties, seen, asked=True) == (NoticeKind.ASKED,)
    assert kinds(duties, seen) == ()
    assert kinds(NOTHING, seen, asked=True) == ()


def test_an_answer_to_the_question_is_notice_enough() -> None:
    told, after = due(DEFAULT_DUTIES, UNSEEN, now=NOW, minor=False, asked=True)
    assert (told, after.ai) == ((NoticeKind.ASKED,), NOW)


def test_minors_reminder_hours() -> None:
    duties = replace(NOTHING, minors_reminder_hours=3)
    seen = NoticeState(minors=NOW)
    assert kinds(duties, seen, now=NOW + 3 * HOUR - 1, minor=True) == ()
    assert kinds(duties, seen, now=NOW + 3 * HOUR, minor=True) == (NoticeKind.MINORS,)
    assert kinds(duties, seen, now=NOW + 3 * HOUR) == ()
    assert kinds(NOTHING, seen, now=NOW + 3 * HOUR, minor=True) == ()


def test_a_minor_of_whom_nothing_is_known_is_reminded_now() -> None:
    assert kinds(replace(NOTHING, minors_reminder_hours=3), minor=True) == (NoticeKind.MINORS,)


@pytest.mark.parametrize("when", [NOW + 1, NOW + 900 * DAY])
def test_a_notice_seen_in_the_future_was_not_seen(when: int) -> None:
    seen = NoticeState(ai=when, minors=when)
    assert kinds(DEFAULT_DUTIES, seen, minor=True) == (NoticeKind.AI, NoticeKind.MINORS)


def test_the_shorter_of_two_periods_holds() -> None:
    assert Duties(ai_notice_every=3, redisclose_after_days=7).notice_seconds == 3 * HOUR
    assert Duties(ai_notice_every=None, redisclose_after_days=7).notice_seconds == 7 * DAY
    assert NOTHING.notice_seconds is None


@pytest.mark.parametrize("name", [f.name for f in fields(Duties)])
def test_what_one_profile_owes_is_owed(name: str) -> None:
    strict = replace(NOTHING, **{name: _strict(name)})
    assert strictest(NOTHING, strict) == strict
    assert strictest(strict, NOTHING) == strict


def _strict(name: str) -> object:
    if name == "therapeutic_communication":
        return False
    return 2 if name.endswith(("every", "days", "hours")) else True
