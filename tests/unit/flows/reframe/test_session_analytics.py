"""Counts of sessions from their events, against sums worked by hand (A36, A51)."""

from __future__ import annotations

from collections.abc import Callable

from reframe_sample import CRISIS, NORMAL, RATED, Talk
from session_events import ALL, HOUR, OPEN_SINCE, five, session

from handrail.flows.reframe import Sessions
from handrail.flows.reframe.analytics import START, Report, report

FIVE = report(five(), open_since=OPEN_SINCE)


def test_a51_only_sessions_that_are_over_are_counted() -> None:
    assert (FIVE.sessions, FIVE.under_way, FIVE.cut) == (5, 1, 1)
    assert FIVE.turns == 8 + 6 + 2 + 4 + 5


def test_a51_completion_is_a_summary_without_danger() -> None:
    assert (FIVE.summed_up, FIVE.ended) == (3, 3)


def test_a51_danger_is_counted_where_it_was_heard() -> None:
    assert FIVE.danger == 1
    assert FIVE.danger_in == {"clarify": 1}


def test_a51_who_left_is_counted_by_the_phase_of_the_last_reply() -> None:
    assert FIVE.left_in == {"clarify": 1, "summary": 1}


def test_a36_phase_transitions_are_counted_reply_by_reply() -> None:
    assert FIVE.steps == {
        (START, "warmup"): 5,
        ("warmup", "clarify"): 5,
        ("clarify", "clarify"): 2 + 1,
        ("clarify", "reframe"): 3,
        ("reframe", "reframe"): 1,
        ("reframe", "summary"): 3,
        ("clarify", "summary"): 1,
        ("summary", "followup"): 1,
        ("followup", "followup"): 1,
        ("summary", "closed"): 2,
    }
    assert sum(FIVE.steps.values()) == FIVE.turns


def test_a51_lengths_are_in_turns_and_seconds() -> None:
    assert FIVE.lengths == (8, 6, 2, 4, 5)
    assert FIVE.seconds == (420.0, 300.0, 60.0, 180.0, 240.0)


def test_a51_a_change_needs_both_ratings() -> None:
    assert FIVE.eased == (4, -1, 0)
    assert FIVE.surer == (3,)
    assert FIVE.truths == (7,)


def test_a36_progress_is_counted_detail_by_detail() -> None:
    assert FIVE.known == {"situation": 4, "thought": 3, "emotion": 2, "intensity": 2}


def test_a51_replies_are_counted_by_writer() -> None:
    assert FIVE.writers == {"composer": 25 - 3 - 2, "model": 3, "protocol": 2}


def test_a53d_arms_and_languages_are_reports_of_their_own() -> None:
    assert set(FIVE.arms) == {"control", "short"}
    short = FIVE.arms["short"]
    assert (short.sessions, short.summed_up, short.eased) == (2, 2, (-1, 0))
    assert (FIVE.arms["control"].sessions, FIVE.arms["control"].summed_up) == (3, 1)
    assert {name: part.sessions for name, part in FIVE.languages.items()} == {"en": 4, "es": 1}
    assert short.arms == {}


def test_a51_no_events_are_no_sessions() -> None:
    assert report([], open_since=0.0) == Report(sessions=0, turns=0, summed_up=0, ended=0, danger=0)


def test_a63_an_id_that_begins_anew_is_another_session() -> None:
    events = [
        *session("a", "wc", began=0.0),
        *session("a", "wcrs", began=5 * HOUR, ended=True),
    ]
    found = report(events, open_since=OPEN_SINCE)
    assert (found.sessions, found.lengths) == (2, (2, 4))


def test_a51_a_session_that_ended_just_now_is_over() -> None:
    found = report(session("a", "wx", began=10 * HOUR, ended=True), open_since=OPEN_SINCE)
    assert (found.sessions, found.under_way) == (1, 0)


def test_a51_an_event_that_was_lost_leaves_a_session_whole() -> None:
    events = session("a", "wccrs", began=0.0, ended=True)
    found = report([*events[:2], *events[3:]], open_since=OPEN_SINCE)
    assert (found.sessions, found.lengths, found.cut) == (1, (5,), 0)


def test_a51_events_of_another_kind_are_passed_over() -> None:
    assert report([{"at": 1.0, "event": "release"}], open_since=0.0).sessions == 0


def test_a58_danger_at_the_first_message_is_no_completion() -> None:
    events = session("a", "sx", began=0.0, ended=True, danger_at=1)
    found = report(events, open_since=OPEN_SINCE)
    assert (found.summed_up, found.danger_in) == (0, {START: 1})


def test_a36_the_events_of_real_sessions_are_counted(
    talk: Callable[..., Talk], sessions: Sessions
) -> None:
    """What the flow writes is what is read here."""
    whole = talk("en", over=sessions)
    whole.say(*NORMAL["en"], "yes, that fits", RATED["en"], "thanks, bye")
    talk("es", over=sessions).say(NORMAL["es"][0], CRISIS["es"], "ok")
    assert sessions.log is not None
    found = report(sessions.log.read(), open_since=sessions.clock() + 1)
    assert (found.sessions, found.cut, found.under_way) == (2, 0, 0)
    assert (found.danger, found.danger_in, found.summed_up) == (1, {"warmup": 1}, 1)
    assert (found.eased, found.truths) == ((4,), (6,))
    assert all(found.known[name] >= 1 for name in ALL)
    assert set(found.languages) == {"en", "es"}
    assert found.turns == sum(found.steps.values())
