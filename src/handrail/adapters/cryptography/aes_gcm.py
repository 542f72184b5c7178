"""`Cipher` by AES-256-GCM, from the cryptography library."""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
from collections.abc import Callable, Sequence

from handrail.errors import InvalidSettings, SessionUnreadable

KEY_BYTES = 32
NONCE_BYTES = 12  # NIST SP 800-38D, 8.2.2: a random nonce of 96 bits
KEY_ID_BYTES = 8
TAG_BYTES = 16
FORMAT = b"\x01"

_HEADER_BYTES = len(FORMAT) + KEY_ID_BYTES + NONCE_BYTES


def new_key(random: Callable[[int], bytes] = os.urandom) -> str:
    """A fresh key in base64."""
    return base64.b64encode(random(KEY_BYTES)).decode("ascii")


def key_bytes(key: str) -> bytes:
    """The 32 bytes of a key in base64; raises `InvalidSettings` without repeating it."""
    try:
        raw = base64.b64decode(key.strip(), validate=True)
    except (binascii.Error, ValueError):
        raw = b""
    if len(raw) != KEY_BYTES:
        raise InvalidSettings(
            "a session key is 32 random bytes in base64. Make one with: "
            "head -c 32 /dev/urandom | base64"
        )
    return raw


class AesGcmCipher:
    """The first key seals; any of them opens, so that keys can be changed one after another.

    Sealed: a byte for the format, eight of the key's hash, the nonce, then text and tag; 37 bytes
    more than the text. ``bound_to`` is the associated data. With random nonces a key serves 2**32
    seals (NIST SP 800-38D, 8.3); change it before. ``random`` gives so many unguessable bytes.
    """

    def __init__(self, keys: Sequence[str], *, random: Callable[[int], bytes] = os.urandom) -> None:
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        raws = [key_bytes(key) for key in keys]
        if not raws:
            raise InvalidSettings("sealed sessions need a key")
        self._first = _key_id(raws[0])
        self._keys = {_key_id(raw): AESGCM(raw) for raw in raws}
        self._invalid = InvalidTag
        self._random = random

    def seal(self, plain: bytes, *, bound_to: str) -> bytes:
        """Sealed bytes that open only with the same ``bound_to``; two seals of a text differ."""
        nonce = self._random(NONCE_BYTES)
        text = self._keys[self._first].encrypt(nonce, plain, _place(bound_to))
        return FORMAT + self._first + nonce + text

    def unseal(self, sealed: bytes, *, bound_to: str) -> bytes:
        """The plain bytes; raises `SessionUnreadable` for a wrong key, place or byte."""
        header, text = sealed[:_HEADER_BYTES], sealed[_HEADER_BYTES:]
        key = self._keys.get(header[len(FORMAT) : -NONCE_BYTES])
        if key is None or not header.startswith(FORMAT) or len(text) < TAG_BYTES:
            raise _unreadable()
        try:
            return key.decrypt(header[-NONCE_BYTES:], text, _place(bound_to))
        except self._invalid:
            raise _unreadable() from None


def _key_id(raw: bytes) -> bytes:
    return hashlib.sha256(b"handrail-key\0" + raw).digest()[:KEY_ID_BYTES]


def _place(bound_to: str) -> bytes:
    return bound_to.encode("utf-8", "surrogatepass")


def _unreadable() -> SessionUnreadable:
    return SessionUnreadable(
        "a stored session does not open with the keys given. Add the key that sealed it, "
        "or start a new session"
    )
