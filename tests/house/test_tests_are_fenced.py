"""The fence that all tests run inside: no network, no settings from outside, nobody's home."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest
from pytest_socket import SocketBlockedError, SocketConnectBlockedError

ELSEWHERE = ("192.0.2.1", 9)  # an address that RFC 5737 keeps for documentation

pytestmark = pytest.mark.filterwarnings("ignore:A test tried to use socket")


def test_a_test_opens_no_socket() -> None:
    with pytest.raises(SocketBlockedError):
        socket.socket()


@pytest.mark.sockets
def test_a_test_that_needs_sockets_reaches_this_machine_alone() -> None:
    with socket.socket() as server, socket.socket() as client, socket.socket() as stray:
        server.bind(("127.0.0.1", 0))
        server.listen()
        client.connect(server.getsockname())
        with pytest.raises(SocketConnectBlockedError):
            stray.connect(ELSEWHERE)


def test_no_setting_from_outside_is_left_and_data_goes_to_a_temporary_folder(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    assert [name for name in os.environ if name.upper().startswith("HANDRAIL_")] == []
    assert Path(os.environ["XDG_DATA_HOME"]).is_relative_to(tmp_path_factory.getbasetemp())
