"""No sequence of times makes a notice late, and the strictest of policies is a plain lattice."""

from __future__ import annotations

from dataclasses import fields

from hypothesis import given
from hypothesis import strategies as st

from handrail.domain.duties import HOUR, Duties, NoticeKind, NoticeState, due, strictest

PERIODS = st.none() | st.floats(0.01, 400, allow_nan=False)
DUTIES = st.builds(
    Duties,
    **{
        f.name: PERIODS if f.name.endswith(("every", "days", "hours")) else st.booleans()
        for f in fields(Duties)
    },
)
TIMES = st.lists(st.floats(0, 4_000_000, allow_nan=False), min_size=1, max_size=30)
STATES = st.builds(
    NoticeState,
    ai=st.none() | st.integers(0, 5_000_000),
    minors=st.none() | st.integers(0, 5_000_000),
)


@given(DUTIES, TIMES, STATES)
def test_a_reminder_is_never_later_than_its_period(
    duties: Duties, times: list[float], seen: NoticeState
) -> None:
    """Also where the clock jumps back, and where the state was made up."""
    told: float | None = None
    for now in times:
        kinds, seen = due(duties, seen, now=now, minor=True, asked=False)
        if NoticeKind.MINORS in kinds:
            told = now
        elif duties.minors_reminder_hours is not None and told is not None:
            assert now - told < duties.minors_reminder_hours * HOUR
        held = duties.notice_seconds
        assert held is None or (seen.ai is not None and 0 <= now - seen.ai < max(held, 1))


@given(DUTIES, st.floats(0, 4e9, allow_nan=False), STATES, st.booleans())
def test_whoever_asks_is_told_where_that_is_owed(
    duties: Duties, now: float, seen: NoticeState, minor: bool
) -> None:
    kinds, after = due(duties, seen, now=now, minor=minor, asked=True)
    assert (NoticeKind.ASKED in kinds) == duties.redisclose_when_asked
    assert after.ai == (
        int(now) if NoticeKind.ASKED in kinds or NoticeKind.AI in kinds else seen.ai
    )


@given(DUTIES, DUTIES, DUTIES)
def test_strictest_is_associative_commutative_and_idempotent(
    a: Duties, b: Duties, c: Duties
) -> None:
    assert strictest(a, strictest(b, c)) == strictest(strictest(a, b), c) == strictest(a, b, c)
    assert strictest(a, b) == strictest(b, a)
    assert strictest(a, a) == a == strictest(a)


@given(DUTIES, DUTIES, TIMES, STATES)
def test_a_further_profile_takes_no_notice_away(
    mine: Duties, other: Duties, times: list[float], seen: NoticeState
) -> None:
    both = strictest(mine, other)
    for now in times:
        alone, _ = due(mine, seen, now=now, minor=True, asked=False)
        together, _ = due(both, seen, now=now, minor=True, asked=False)
        assert set(alone) <= set(together)
