"""Who may come in: loopback alone, or callers with a key."""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import SecretStr
from starlette.datastructures import Headers

from handrail.errors import InvalidSettings
from handrail.settings import ServerSettings

MIN_KEY_CHARS = 16
_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]"})


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server that listens on ``host``."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@dataclass(frozen=True, slots=True)
class Doors:
    """Accepted keys, and whether only loopback names may stand in the Host header.

    An admin key opens the doors as well, and what lies behind `admits_admin`.

    Without keys a page elsewhere could point its own name at this machine (DNS rebinding) and read
    the replies; with keys it would have to know one.
    """

    keys: tuple[bytes, ...]
    admin_keys: tuple[bytes, ...] = ()

    @classmethod
    def of(cls, settings: ServerSettings, *, host: str) -> Doors:
        """Raises `InvalidSettings` when the doors would stand open."""
        keys = _long_enough("API_KEYS", settings.api_keys)
        admin_keys = _long_enough("ADMIN_KEYS", settings.admin_keys)
        if set(keys) & set(admin_keys):
            raise InvalidSettings(
                "HANDRAIL_SERVER__ADMIN_KEYS: a key is among the API keys too, so every caller "
                "could set limits. Make keys of their own"
            )
        if not keys and not is_loopback(host):
            raise InvalidSettings(
                f"the server would be open to anyone who reaches {host!r}. Set "
                "HANDRAIL_SERVER__API_KEYS to a JSON list of keys, or use --host 127.0.0.1"
            )
        if not keys and "*" in settings.cors_origins:
            raise InvalidSettings(
                "HANDRAIL_SERVER__CORS_ORIGINS is * and there are no keys: any web page could read "
                "every reply. Name the origins, or set HANDRAIL_SERVER__API_KEYS"
            )
        return cls(tuple(key.encode() for key in keys), tuple(key.encode() for key in admin_keys))

    def knows_host(self, headers: Headers) -> bool:
        """Whether the request was meant for this machine."""
        if self.keys:
            return True
        host = headers.get("host", "").lower()
        name, _, port = host.rpartition(":") if not host.endswith("]") else (host, "", "")
        return (name if port.isdigit() else host) in _NAMES

    def admits(self, headers: Headers) -> bool:
        """Whether a key is right; every key is compared, in constant time."""
        return not self.keys or _is_among(headers, (*self.keys, *self.admin_keys))

    def admits_admin(self, headers: Headers) -> bool:
        """Whether an admin key is right; without any configured, nobody's is."""
        return _is_among(headers, self.admin_keys)


def _long_enough(name: str, keys: Sequence[SecretStr]) -> list[str]:
    plain = [key.get_secret_value() for key in keys]
    if any(len(key) < MIN_KEY_CHARS for key in plain):
        raise InvalidSettings(
            f"HANDRAIL_SERVER__{name}: a key has fewer than {MIN_KEY_CHARS} characters. "
            "Make one: python -c 'import secrets; print(secrets.token_urlsafe())'"
        )
    return plain


def _is_among(headers: Headers, keys: Sequence[bytes]) -> bool:
    """Whether one of the offered keys is one of ``keys``."""
    found = [hmac.compare_digest(offered, key) for offered in _offered(headers) for key in keys]
    return any(found)


def _offered(headers: Headers) -> list[bytes]:
    """The bearer token and the X-API-Key: a gateway may send one key and its caller another."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    bearer = token.strip() if scheme.lower() == "bearer" else ""
    given = (bearer, headers.get("x-api-key", ""))
    return [key.encode("utf-8", "replace") for key in given if key]
