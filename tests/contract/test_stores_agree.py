"""The same steps in every store give the same answers, and those of a plain model (A63)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from handrail.adapters.memory import MemorySessions
from handrail.adapters.postgres import PostgresSessions
from handrail.adapters.sqlite import SqliteSessions
from handrail.errors import SessionConflict
from handrail.ports import SessionStore, StoredSession

NAMES = st.sampled_from(["a", "b", "\ud800"])
TIMES = st.integers(0, 6).map(float)
FAR = 1e9


@dataclass(frozen=True)
class Save:
    name: str
    body: bytes
    expected: int
    now: float
    expires_at: float

    def on(self, store: SessionStore) -> object:
        try:
            return store.save(
                self.name,
                self.body,
                expected=self.expected,
                now=self.now,
                expires_at=self.expires_at,
            )
        except SessionConflict:
            return "conflict"


@dataclass(frozen=True)
class Load:
    name: str
    now: float

    def on(self, store: SessionStore) -> object:
        return store.load(self.name, now=self.now)


@dataclass(frozen=True)
class Delete:
    name: str

    def on(self, store: SessionStore) -> object:
        return store.delete(self.name)


@dataclass(frozen=True)
class Purge:
    now: float

    def on(self, store: SessionStore) -> object:
        return store.purge(now=self.now)


Step: TypeAlias = Save | Load | Delete | Purge

STEPS = st.lists(
    st.builds(Save, NAMES, st.binary(max_size=300), st.integers(0, 3), TIMES, TIMES)
    | st.builds(Load, NAMES, TIMES)
    | st.builds(Delete, NAMES)
    | st.builds(Purge, TIMES),
    max_size=25,
)


class Model:
    """The contract in as few words as it can be said."""

    def __init__(self) -> None:
        self.rows: dict[str, StoredSession] = {}

    def answer(self, step: Step) -> object:
        match step:
            case Save():
                standing = self._living(step.name, step.now)
                if step.expected != (standing.version if standing else 0):
                    return "conflict"
                version = step.expected + 1
                self.rows[step.name] = StoredSession(
                    body=step.body, version=version, expires_at=step.expires_at
                )
                return version
            case Load():
                return self._living(step.name, step.now)
            case Delete():
                return self.rows.pop(step.name, None) is not None
            case Purge():
                before = len(self.rows)
                self.rows = {n: r for n, r in self.rows.items() if r.expires_at > step.now}
                return before - len(self.rows)

    def _living(self, name: str, now: float) -> StoredSession | None:
        row = self.rows.get(name)
        return row if row and row.expires_at > now else None


@pytest.fixture(params=["memory", "sqlite", pytest.param("postgres", marks=pytest.mark.sockets)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> SessionStore:
    """Each store in turn."""
    if request.param == "memory":
        return MemorySessions()
    if request.param == "sqlite":
        return SqliteSessions(tmp_path)
    return PostgresSessions(request.getfixturevalue("postgres_url"))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_a63_every_step_is_answered_as_the_model_does(
    store: SessionStore, steps: list[Step]
) -> None:
    store.purge(now=FAR)  # what the example before has left
    model = Model()
    assert [step.on(store) for step in steps] == [model.answer(step) for step in steps]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=st.binary(max_size=20_000), name=st.text(max_size=200))
def test_a63_any_bytes_under_any_id_come_back(store: SessionStore, body: bytes, name: str) -> None:
    store.purge(now=FAR)
    store.save(name, body, expected=0, now=0.0, expires_at=1.0)
    assert store.load(name, now=0.0) == StoredSession(body=body, version=1, expires_at=1.0)
