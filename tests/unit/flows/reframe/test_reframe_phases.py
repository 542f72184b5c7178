"""Every position a session can come to, every move from it: the whole graph, nothing sampled."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product

import pytest

from handrail.flows.reframe.limits import Limits
from handrail.flows.reframe.phases import TABLE, Banner, Move, Phase, Position, advance, banner

DEFAULT = Limits()
GRID = tuple(
    Limits(max_turns=turns, followups=followups)
    for turns, followups in product(range(6, 21), range(6))
)
EVERY = (DEFAULT, *GRID)
CORNERS = tuple(Limits(max_turns=turns, followups=n) for turns in (6, 7, 20) for n in (0, 5))
WORKING = frozenset({Phase.WARMUP, Phase.CLARIFY, Phase.REFRAME})


def everywhere(test: Callable[[Limits], None]) -> Callable[[], None]:
    """The test under every limits of the grid."""

    def over_the_grid() -> None:
        for limits in EVERY:
            test(limits)

    over_the_grid.__name__ = test.__name__
    return over_the_grid


@dataclass(frozen=True)
class Edge:
    """A reply: where the session stood, what the message asked, where it stands."""

    before: Position
    move: Move
    after: Position


@dataclass(frozen=True)
class Graph:
    """Every position that can be reached from the start, and every edge between them."""

    limits: Limits
    start: Position
    following: Mapping[Position, Mapping[Move, Position]]

    @property
    def edges(self) -> Iterator[Edge]:
        for before, moves in self.following.items():
            for move, after in moves.items():
                yield Edge(before, move, after)

    def closed(self, position: Position) -> bool:
        return position.phase is Phase.CLOSED


@cache
def graph(limits: Limits) -> Graph:
    """Breadth first from the position before the first message."""
    start = Position(followups_left=limits.followups)
    following: dict[Position, Mapping[Move, Position]] = {}
    waiting = deque([start])
    while waiting:
        at = waiting.popleft()
        if at not in following:
            following[at] = {move: advance(at, move, limits) for move in Move}
            waiting.extend(following[at].values())
    return Graph(limits, start, following)


@cache
def paths(limits: Limits) -> int:
    """How many ways of moves lead from the start to the first closed position."""
    found, known = graph(limits), {}

    def count(at: Position) -> int:
        if found.closed(at):
            return 1
        if at not in known:
            known[at] = sum(map(count, found.following[at].values()))
        return known[at]

    return count(found.start)


def longest(found: Graph) -> int:
    """The most replies before a closed position; a circle would never come back from here."""
    known: dict[Position, int] = {}

    def replies(at: Position) -> int:
        if found.closed(at):
            return 0
        if at not in known:
            nexts = found.following[at].values()
            known[at] = max(0 if found.closed(to) else 1 + replies(to) for to in nexts)
        return known[at]

    return replies(found.start)


def every_position(limits: Limits) -> Iterator[Position]:
    """Reachable or not: a stored session may have had other limits."""
    for phase, turn, left, crisis in product(
        Phase, range(limits.max_turns + 3), range(limits.followups + 2), (False, True)
    ):
        yield Position(phase=phase, turn=turn, followups_left=left, crisis=crisis)


def test_a4_the_six_phases() -> None:
    assert [phase.value for phase in Phase] == [
        "warmup",
        "clarify",
        "reframe",
        "summary",
        "followup",
        "closed",
    ]


def test_a1_the_table_has_one_phase_for_every_phase_and_move() -> None:
    assert {(phase, move) for phase, moves in TABLE.items() for move in moves} == set(
        product(Phase, Move)
    )


def test_a9_the_walk_saw_as_many_positions_and_ways_as_there_are() -> None:
    """Another number means another flow; the figures stand here so that nobody shrinks the walk."""
    assert len(graph(DEFAULT).following) == 233
    assert paths(DEFAULT) == 56_679_481
    assert sum(len(graph(limits).following) for limits in GRID) == 17_415


def test_a1_advance_is_total_and_pure_over_every_position_reachable_or_not() -> None:
    for limits in (DEFAULT, *CORNERS):
        for position, move in product(every_position(limits), Move):
            first = advance(position, move, limits)
            assert first == advance(position, move, limits)
            assert isinstance(first.phase, Phase)
            assert first.turn - position.turn in (0, 1)
            assert first.followups_left <= position.followups_left


@everywhere
def test_a5_without_danger_or_a_limit_the_phases_follow_each_other_as_drawn(limits: Limits) -> None:
    for edge in graph(limits).edges:
        before, after = edge.before, edge.after
        inside = not before.ended(limits) and after.turn < limits.last_call
        if edge.move is Move.CRISIS or before.crisis or not inside:
            continue
        drawn = Phase.WARMUP if before.turn == 0 else TABLE[before.phase][edge.move]
        spent = drawn is Phase.FOLLOWUP and not before.followups_left
        assert after.phase in ({Phase.CLOSED, Phase.FOLLOWUP} if spent else {drawn})


def test_a5_what_can_follow_what() -> None:
    seen = {
        (edge.before.phase, edge.after.phase)
        for edge in graph(DEFAULT).edges
        if edge.move is not Move.CRISIS and not edge.before.crisis
    }
    assert seen == {
        (Phase.WARMUP, Phase.WARMUP),
        (Phase.WARMUP, Phase.CLARIFY),
        (Phase.WARMUP, Phase.SUMMARY),  # who wants to end, or the limit
        (Phase.CLARIFY, Phase.CLARIFY),
        (Phase.CLARIFY, Phase.REFRAME),
        (Phase.CLARIFY, Phase.SUMMARY),
        (Phase.REFRAME, Phase.REFRAME),
        (Phase.REFRAME, Phase.SUMMARY),
        (Phase.SUMMARY, Phase.FOLLOWUP),
        (Phase.SUMMARY, Phase.SUMMARY),  # the last turn
        (Phase.SUMMARY, Phase.CLOSED),
        (Phase.FOLLOWUP, Phase.FOLLOWUP),
        (Phase.FOLLOWUP, Phase.CLOSED),
        (Phase.CLOSED, Phase.CLOSED),
    }


@everywhere
def test_a9_every_reply_uses_up_a_turn_or_a_followup_or_closes(limits: Limits) -> None:
    for edge in graph(limits).edges:
        turns = edge.after.turn - edge.before.turn
        answers = edge.before.followups_left - edge.after.followups_left
        if edge.after.phase is Phase.CLOSED:
            assert (turns, answers) == (0, 0)
        else:
            assert (turns, answers) in {(1, 0), (0, 1)}


@everywhere
def test_a14_no_way_has_more_replies_than_turns_and_followups(limits: Limits) -> None:
    found = graph(limits)
    assert max(position.turn for position in found.following) == limits.max_turns
    assert longest(found) <= limits.max_turns + limits.followups


def test_a15_the_longest_way_of_the_usual_session() -> None:
    """Summed up at twelve, rated at thirteen, and three answers; never the seventeen that A14
    and A15 add up to, for a session that is summed up at thirteen ends with fourteen."""
    assert longest(graph(DEFAULT)) == 16


@everywhere
def test_a56_closed_is_terminal_and_every_way_comes_to_it(limits: Limits) -> None:
    found = graph(limits)
    longest(found)  # RecursionError if any way went round in a circle
    for position in filter(found.closed, found.following):
        for after in found.following[position].values():
            assert after.phase is Phase.CLOSED
            assert (after.turn, after.followups_left) == (position.turn, position.followups_left)
    ends = [p for p, moves in found.following.items() if set(moves.values()) <= {p}]
    assert ends
    assert all(map(found.closed, ends))


@everywhere
def test_a58_after_danger_there_is_one_summary_and_then_the_end(limits: Limits) -> None:
    for edge in graph(limits).edges:
        if edge.before.crisis:
            assert edge.after.crisis
            assert edge.after.phase is Phase.CLOSED
        elif edge.after.crisis:
            assert edge.move is Move.CRISIS
            over = edge.before.ended(limits)
            assert edge.after.phase is (Phase.CLOSED if over else Phase.SUMMARY)
            assert edge.after.turn == edge.before.turn + (not over)


@everywhere
def test_a6_danger_is_heard_in_every_phase_and_at_every_position(limits: Limits) -> None:
    found = graph(limits)
    for position in found.following:
        assert advance(position, Move.CRISIS, limits).crisis
    under_way = {p.phase for p in found.following if not p.ended(limits) and not p.crisis}
    phases = set(Phase) - {Phase.CLOSED}
    if limits.followups == 0:  # a follow-up without budget is an end
        phases -= {Phase.FOLLOWUP}
    assert under_way == phases


@everywhere
def test_a12_the_reply_in_the_middle_says_so_once(limits: Limits) -> None:
    for edge in graph(limits).edges:
        noted = banner(edge.before, edge.after, limits) is Banner.HALFWAY
        new_turn = edge.after.turn == limits.halfway_turn != edge.before.turn
        assert noted == (new_turn and edge.after.phase in WORKING)


def test_a12_in_the_usual_session_it_is_turn_seven() -> None:
    turns = {
        edge.after.turn
        for edge in graph(DEFAULT).edges
        if banner(edge.before, edge.after, DEFAULT) is Banner.HALFWAY
    }
    assert turns == {7}


@everywhere
def test_a13_the_last_turn_but_one_is_a_summary_whatever_was_said_before(limits: Limits) -> None:
    before_last = 0
    for edge in graph(limits).edges:
        if edge.before.turn != limits.last_call - 1 or edge.before.phase not in WORKING:
            continue
        before_last += 1
        assert edge.after.phase is Phase.SUMMARY
        assert edge.after.turn == limits.last_call
        noted = banner(edge.before, edge.after, limits)
        assert noted is (Banner.CRISIS if edge.move is Move.CRISIS else Banner.LAST)
    assert before_last == 3 * len(Move)  # greeting, clarifying and reframing can all last so long


@everywhere
def test_a13_the_note_of_the_end_stands_nowhere_else(limits: Limits) -> None:
    for edge in graph(limits).edges:
        if banner(edge.before, edge.after, limits) is Banner.LAST:
            assert edge.before.phase in WORKING
            assert edge.after.turn == limits.last_call
            assert edge.after.phase is Phase.SUMMARY


@everywhere
def test_a13_no_working_phase_reaches_the_last_two_turns(limits: Limits) -> None:
    for position in graph(limits).following:
        if position.phase in WORKING:
            assert position.turn < limits.last_call


@everywhere
def test_a14_the_last_turn_ends_the_session(limits: Limits) -> None:
    last = [p for p in graph(limits).following if p.turn == limits.max_turns]
    assert last
    for position in last:
        assert position.ended(limits)
        assert position.phase in {Phase.SUMMARY, Phase.CLOSED}
        assert {advance(position, move, limits).phase for move in Move} == {Phase.CLOSED}


@everywhere
def test_a6_a_summary_is_reached_by_what_may_reach_it_and_by_nothing_else(limits: Limits) -> None:
    for edge in graph(limits).edges:
        if edge.after.phase is not Phase.SUMMARY:
            continue
        asked_for = edge.move in {Move.FINISH, Move.CRISIS} or (
            edge.move is Move.GO_ON and edge.before.phase is Phase.REFRAME
        )
        assert asked_for or edge.after.turn >= limits.last_call


@everywhere
def test_a56_followups_are_counted_down_by_one_and_never_below_none(limits: Limits) -> None:
    for edge in graph(limits).edges:
        left, before = edge.after.followups_left, edge.before.followups_left
        assert 0 <= left <= limits.followups
        answered = edge.after.phase is Phase.FOLLOWUP and edge.after.turn == edge.before.turn
        assert before - left == (1 if answered else 0)


@pytest.mark.parametrize("budget", range(6))
def test_a15_after_the_last_followup_the_session_is_closed(budget: int) -> None:
    limits = Limits(followups=budget)
    at = Position(phase=Phase.SUMMARY, turn=6, followups_left=budget)
    answers = 0
    while (at := advance(at, Move.STAY, limits)).phase is Phase.FOLLOWUP:
        answers += 1
    assert answers == budget
    assert at.phase is Phase.CLOSED


def test_a56_the_third_followup_ends_the_session_already() -> None:
    at = Position(phase=Phase.SUMMARY, turn=6)
    ended = []
    for _ in range(3):
        at = advance(at, Move.STAY, DEFAULT)
        ended.append((at.followups_left, at.ended(DEFAULT)))
    assert ended == [(2, False), (1, False), (0, True)]


def test_a15_ratings_alone_cost_a_turn_and_no_followup() -> None:
    summed_up = Position(phase=Phase.SUMMARY, turn=6)
    rated = advance(summed_up, Move.RATED, DEFAULT)
    assert rated == Position(phase=Phase.FOLLOWUP, turn=7, followups_left=3)


def test_a5_the_first_message_is_greeted_whatever_it_asks_but_help() -> None:
    start = Position()
    asked = {move: advance(start, move, DEFAULT).phase for move in Move}
    assert asked.pop(Move.CRISIS) is Phase.SUMMARY
    assert set(asked.values()) == {Phase.WARMUP}


def test_a22_danger_is_noted_beside_the_reply_once() -> None:
    noted = [
        edge
        for edge in graph(DEFAULT).edges
        if banner(edge.before, edge.after, DEFAULT) is Banner.CRISIS
    ]
    assert noted
    assert all(edge.after.crisis and not edge.before.crisis for edge in noted)


def test_a50_a_session_whose_limits_were_changed_still_ends() -> None:
    """A therapist may set fewer turns than were used; any position leads to the end."""
    for limits, position in product(CORNERS, every_position(DEFAULT)):
        at = position
        for _ in range(limits.max_turns + DEFAULT.followups + 2):
            at = advance(at, Move.STAY, limits)
        assert at.phase is Phase.CLOSED
