"""One screen and one protocol for all tests: neither keeps anything between messages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from protocol_sample import Talk

from handrail.adapters.re2 import Re2Engine
from handrail.rails.crisis import CrisisScreen, load_screen
from handrail.rails.protocol import Protocol, State


@pytest.fixture(scope="session")
def screen() -> CrisisScreen:
    return load_screen(Re2Engine())


@pytest.fixture(scope="session")
def protocol() -> Protocol:
    return Protocol.packaged(Re2Engine())


@pytest.fixture
def talk(screen: CrisisScreen, protocol: Protocol) -> Callable[..., Talk]:
    def begin(**state: object) -> Talk:
        return Talk(screen, protocol, replace(State(country="IE"), **state))  # type: ignore[arg-type]

    return begin
