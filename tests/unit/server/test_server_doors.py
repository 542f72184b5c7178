"""Who may come in (C71)."""

from __future__ import annotations

import pytest
from pydantic import SecretStr
from starlette.datastructures import Headers

from handrail.errors import InvalidSettings
from handrail.server.doors import Doors, is_loopback
from handrail.settings import ServerSettings

KEY, OTHER = "a-key-of-at-least-16", "another-key-of-16-or-more"


def settings(*keys: str, origins: tuple[str, ...] = ()) -> ServerSettings:
    return ServerSettings(api_keys=tuple(map(SecretStr, keys)), cors_origins=origins)


def doors(*keys: str) -> Doors:
    return Doors.of(settings(*keys), host="127.0.0.1")


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "localhost"])
def test_loopback_needs_no_key(host: str) -> None:
    assert is_loopback(host)
    assert Doors.of(settings(), host=host).admits(Headers())


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "", "10.1.2.3", "example.org", "localhost.evil"])
def test_beyond_loopback_an_app_without_keys_is_refused_with_the_next_step(host: str) -> None:
    with pytest.raises(InvalidSettings, match="HANDRAIL_SERVER__API_KEYS"):
        Doors.of(settings(), host=host)


@pytest.mark.parametrize("key", ["", "short", "x" * 15])
def test_a_key_that_can_be_guessed_is_refused_and_not_repeated(key: str) -> None:
    with pytest.raises(InvalidSettings) as caught:
        Doors.of(settings(key), host="127.0.0.1")
    assert not key or key not in str(caught.value)


def test_any_origin_needs_keys() -> None:
    with pytest.raises(InvalidSettings, match="CORS"):
        Doors.of(settings(origins=("*",)), host="127.0.0.1")
    assert Doors.of(settings(KEY, origins=("*",)), host="127.0.0.1").keys


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": f"Bearer {KEY}"},
        {"authorization": f"bearer {OTHER}"},
        {"X-API-Key": OTHER},
    ],
)
def test_any_configured_key_opens(headers: dict[str, str]) -> None:
    assert doors(KEY, OTHER).admits(Headers(headers))


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": KEY},
        {"Authorization": f"Basic {KEY}"},
        {"Authorization": "Bearer "},
        {"Authorization": f"Bearer {KEY}x"},
        {"X-API-Key": KEY[:-1]},
        {"X-API-Key": "clé-qui-n-est-pas-bonne"},
    ],
)
def test_anything_else_does_not(headers: dict[str, str]) -> None:
    assert not doors(KEY).admits(Headers(headers))


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:8000", "[::1]:80", "[::1]", "LOCALHOST"])
def test_a_loopback_name_is_answered(host: str) -> None:
    assert doors().knows_host(Headers({"host": host}))


@pytest.mark.parametrize(
    "host", ["", "evil.example", "evil.example:8000", "127.0.0.1.evil.example", "localhost:80:80"]
)
def test_a_rebound_name_is_not_answered_unless_there_are_keys(host: str) -> None:
    assert not doors().knows_host(Headers({"host": host}))
    assert doors(KEY).knows_host(Headers({"host": host}))
