"""Budgets are hard: what does not fit is refused, and what was refused is not booked."""

from __future__ import annotations

import pytest

from handrail.calls import Budget
from handrail.errors import BudgetExhausted


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_the_last_call_that_fits_passes_and_the_next_does_not() -> None:
    budget = Budget(calls=2)
    budget.before_call(1)
    budget.before_call(1)
    with pytest.raises(BudgetExhausted, match="calls"):
        budget.before_call(1)
    assert budget.used_calls == 2


def test_characters_in_are_checked_before_they_are_sent() -> None:
    budget = Budget(chars_in=10)
    budget.before_call(10)
    with pytest.raises(BudgetExhausted, match="characters in"):
        budget.before_call(1)
    assert (budget.used_calls, budget.used_chars_in) == (1, 10)


def test_characters_out_are_checked_before_they_are_used() -> None:
    budget = Budget(chars_out=10)
    budget.after_call(10)
    with pytest.raises(BudgetExhausted, match="characters out"):
        budget.after_call(1)


def test_seconds_run_from_the_start_whoever_spends_them() -> None:
    clock = Clock()
    budget = Budget(seconds=5.0, clock=clock)
    clock.now += 4.0
    assert budget.seconds_left == pytest.approx(1.0)
    budget.before_call(1)
    clock.now += 1.0
    with pytest.raises(BudgetExhausted, match="seconds"):
        budget.after_call(1)
    with pytest.raises(BudgetExhausted, match="seconds"):
        budget.before_call(1)
    assert budget.seconds_left == 0.0


def test_a_budget_of_nothing_forbids_every_call() -> None:
    with pytest.raises(BudgetExhausted):
        Budget(calls=0).before_call(0)


def test_a_negative_budget_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="negative"):
        Budget(calls=-1)
