"""Who may come in: loopback alone, or callers with a key."""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass

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

    Without keys a page elsewhere could point its own name at this machine (DNS rebinding) and read
    the replies; with keys it would have to know one.
    """

    keys: tuple[bytes, ...]

    @classmethod
    def of(cls, settings: ServerSettings, *, host: str) -> Doors:
        """Raises `InvalidSettings` when the doors would stand open."""
        keys = tuple(key.get_secret_value() for key in settings.api_keys)
        if any(len(key) < MIN_KEY_CHARS for key in keys):
            raise InvalidSettings(
                f"HANDRAIL_SERVER__API_KEYS: a key has fewer than {MIN_KEY_CHARS} characters. "
                "Make one: python -c 'import secrets; print(secrets.token_urlsafe())'"
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
        return cls(tuple(key.encode() for key in keys))

    def knows_host(self, headers: Headers) -> bool:
        """Whether the request was meant for this machine."""
        if self.keys:
            return True
        host = headers.get("host", "").lower()
        name, _, port = host.rpartition(":") if not host.endswith("]") else (host, "", "")
        return (name if port.isdigit() else host) in _NAMES

    def admits(self, headers: Headers) -> bool:
        """Whether a key is right; every key is compared, in constant time."""
        if not self.keys:
            return True
        offered = _offered(headers).encode("utf-8", "replace")
        found: Sequence[bool] = [hmac.compare_digest(offered, key) for key in self.keys]
        return any(found)


def _offered(headers: Headers) -> str:
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else headers.get("x-api-key", "")
