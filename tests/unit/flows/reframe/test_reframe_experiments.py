"""Who gets which variant: always the same, in the shares that were set (A47, A53d)."""

from __future__ import annotations

import hashlib
from collections import Counter

import pytest

from handrail.flows.reframe.experiments import CONTROL, Arm, assigned, bucket, enabled, place

IDS = [f"session-{number}" for number in range(100_000)]


def test_a47_the_place_of_a_session_never_moves() -> None:
    """Golden: a session that comes back after an update is in the arm that it was in."""
    assert bucket("session_1", salt="arms") == 0.17534274506012482
    assert bucket("session_1", salt="model") == 0.1943151579853697


def test_a47_the_place_is_the_hash_that_anybody_can_compute() -> None:
    sha = hashlib.sha256(b"arms\0session_1").hexdigest()
    assert bucket("session_1", salt="arms") == pytest.approx(int(sha[:8], 16) / 16**8, abs=1e-9)


def test_a47_salt_and_unit_are_kept_apart() -> None:
    assert bucket("b", salt="a") != bucket("", salt="ab") != bucket("ab", salt="")


def test_a47_any_text_has_a_place() -> None:
    assert 0 <= bucket("\ud800", salt="\udfff") < 1


def test_a47_the_arms_get_their_shares() -> None:
    """Within one percent of 100,000 sessions."""
    arms = [Arm(name="short", share=0.2), Arm(name="long", share=0.3)]
    counted = Counter(assigned(arms, one).name for one in IDS)
    assert counted.keys() == {"short", "long", CONTROL}
    assert counted["short"] == pytest.approx(20_000, abs=1_000)
    assert counted["long"] == pytest.approx(30_000, abs=1_000)
    assert counted[CONTROL] == pytest.approx(50_000, abs=1_000)


@pytest.mark.parametrize("share", [0.0, 0.01, 0.25, 0.5, 0.99, 1.0])
def test_a53d_a_flag_is_on_for_its_share(share: float) -> None:
    on = sum(enabled("model", share, one) for one in IDS)
    assert on == pytest.approx(share * len(IDS), abs=0.01 * len(IDS) if 0 < share < 1 else 0)


def test_a53d_raising_a_share_takes_nobody_out() -> None:
    before: set[str] = set()
    for percent in (1, 5, 20, 50, 100):
        now = {one for one in IDS[:10_000] if enabled("model", percent / 100, one)}
        assert before < now
        before = now


def test_a53d_two_flags_do_not_choose_the_same_sessions() -> None:
    both = sum(enabled("one", 0.5, u) and enabled("two", 0.5, u) for u in IDS)
    assert both == pytest.approx(25_000, abs=1_000)


def test_a47_growing_the_first_arm_keeps_whoever_was_in_it() -> None:
    small, grown = [Arm(name="short", share=0.1)], [Arm(name="short", share=0.4)]
    was = [one for one in IDS[:10_000] if assigned(small, one).name == "short"]
    assert {assigned(grown, one).name for one in was} == {"short"}


def test_a47_without_arms_everybody_is_the_control() -> None:
    assert assigned([], "session_1") == Arm(name=CONTROL, share=1.0)


def test_a47_arms_that_fill_up_leave_no_control() -> None:
    arms = [Arm(name="one", share=0.5), Arm(name="two", share=0.5)]
    assert {assigned(arms, one).name for one in IDS[:10_000]} == {"one", "two"}


def test_a47_the_last_place_lies_below_one() -> None:
    """A hash of ones alone would round up to 1.0 and be in no share at all."""
    assert place(b"\xff" * 8) < 1.0
    assert place(b"\0" * 8) == 0.0
