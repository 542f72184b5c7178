"""What every `EventLog` must do: subclass, override the fixture, inherit."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

import pytest

from handrail.errors import InvalidInput
from handrail.ports import EventLog
from handrail.testing.store_processes import OpenLog, report, running, said

MORE_THAN_A_PAGE = 1_203


class EventLogContract:
    """Subclass in a test module and override ``log``, which is empty at first."""

    @pytest.fixture
    def log(self) -> EventLog:
        raise NotImplementedError("override the log fixture")

    def test_a36_events_come_by_time_and_then_by_arrival(self, log: EventLog) -> None:
        log.append([{"at": 3.0, "name": "c"}, {"at": 1, "name": "a"}])
        log.append([{"at": 3.0, "name": "d"}, {"at": 2.5, "name": "b"}])
        log.append([{"at": 3.0, "name": "a"}])
        assert [event["name"] for event in log.read()] == ["a", "b", "c", "d", "a"]

    def test_reading_begins_at_the_time_given(self, log: EventLog) -> None:
        log.append([{"at": at} for at in (1.0, 2.0, 2.0, 3.0)])
        assert [event["at"] for event in log.read(since=2.0)] == [2.0, 2.0, 3.0]
        assert [event["at"] for event in log.read(since=2.001)] == [3.0]
        assert list(log.read(since=4.0)) == []

    def test_values_come_back_as_they_were(self, log: EventLog) -> None:
        event: dict[str, object] = {
            "at": 1_700_000_000.123456,
            "whole": 2**53,
            "part": 0.1,
            "flag": True,
            "nothing": None,
            "text": "'; DROP TABLE event; -- \x00 \ud800 día 👋 %s",
            "list": [1, [2.5, "x"]],
            "map": {"a": {"b": []}},
        }
        log.append([event])
        (found,) = log.read()
        assert found == event
        assert list(found) == list(event)
        assert [type(value) for value in found.values()] == [type(v) for v in event.values()]

    def test_an_empty_log_and_an_empty_report(self, log: EventLog) -> None:
        log.append([])
        assert list(log.read()) == []

    def test_what_is_changed_afterwards_stays_as_it_was(self, log: EventLog) -> None:
        event: dict[str, object] = {"at": 1.0, "list": [1]}
        log.append([event])
        event["list"] = "changed"
        assert list(log.read()) == [{"at": 1.0, "list": [1]}]

    @pytest.mark.parametrize(
        "unfit",
        [
            {"canary": 1},
            {"at": None},
            {"at": True},
            {"at": "1.0"},
            {"at": float("nan")},
            {"at": float("inf")},
            {"at": 1.0, "value": float("nan")},
            {"at": 1.0, "value": object()},
            {"at": 1.0, "value": b"canary"},
        ],
    )
    def test_a36_one_unfit_event_keeps_all_out_and_is_not_repeated(
        self, log: EventLog, unfit: dict[str, object]
    ) -> None:
        with pytest.raises(InvalidInput) as caught:
            log.append([{"at": 1.0}, unfit])
        assert "canary" not in f"{caught.value!r} {caught.value.__cause__!r}"
        assert list(log.read()) == []

    def test_a_long_log_is_read_to_its_end(self, log: EventLog) -> None:
        log.append([{"at": float(n // 700), "n": n} for n in range(MORE_THAN_A_PAGE)])
        assert [event["n"] for event in log.read()] == list(range(MORE_THAN_A_PAGE))

    def test_a_reader_who_stops_or_pauses_keeps_nobody_out(self, log: EventLog) -> None:
        log.append([{"at": 1.0, "n": n} for n in range(MORE_THAN_A_PAGE)])
        reader = log.read()
        assert len(list(islice(reader, 3))) == 3
        log.append([{"at": 0.5, "n": -1}])
        assert next(reader)["n"] == 3
        assert next(iter(log.read()))["n"] == -1

    def test_threads_lose_no_event(self, log: EventLog) -> None:
        def append(thread: int) -> None:
            for number in range(25):
                log.append([{"at": float(number), "thread": thread}])

        with ThreadPoolExecutor(4) as pool:
            list(pool.map(append, range(4)))
        found = [json.dumps(event) for event in log.read()]
        assert len(found) == 100
        assert len(set(found)) == 100


class SharedEventLogContract(EventLogContract):
    """Subclass and override ``open_log``: picklable, and each call opens the same place."""

    @pytest.fixture
    def open_log(self) -> OpenLog:
        raise NotImplementedError("override the open_log fixture")

    @pytest.fixture
    def log(self, open_log: OpenLog) -> EventLog:
        """The log as this process has opened it."""
        return open_log()

    def test_a36_processes_share_one_log(self, log: EventLog, open_log: OpenLog) -> None:
        with (
            running(report, open_log, "one", 50) as (_, one),
            running(report, open_log, "two", 50) as (_, two),
        ):
            assert [said(one), said(two)] == ["done", "done"]
        names = [event["name"] for event in log.read()]
        assert (names.count("one"), names.count("two")) == (50, 50)
