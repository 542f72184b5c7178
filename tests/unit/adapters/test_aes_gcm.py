"""Keys, their change, and how sealed bytes lie (A63)."""

from __future__ import annotations

import base64

import pytest

from handrail.adapters.cryptography import AesGcmCipher, new_key
from handrail.adapters.cryptography.aes_gcm import NONCE_BYTES
from handrail.errors import InvalidSettings, SessionUnreadable

OLD, NEW = (base64.b64encode(bytes([number]) * 32).decode() for number in (1, 2))


def counted(count: int) -> bytes:
    """No randomness at all: the test knows what comes."""
    return bytes(range(count))


def test_a63_old_keys_open_and_the_first_one_seals() -> None:
    before, after = AesGcmCipher([OLD]), AesGcmCipher([NEW, OLD])
    assert after.unseal(before.seal(b"text", bound_to="s"), bound_to="s") == b"text"
    fresh = after.seal(b"text", bound_to="s")
    assert AesGcmCipher([NEW]).unseal(fresh, bound_to="s") == b"text"
    with pytest.raises(SessionUnreadable):
        before.unseal(fresh, bound_to="s")


def test_a_cipher_is_the_published_one() -> None:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    sealed = AesGcmCipher([OLD], random=counted).seal(b"text", bound_to="día")
    assert sealed[0] == 1
    assert sealed[9 : 9 + NONCE_BYTES] == counted(NONCE_BYTES)
    plain = AESGCM(bytes([1]) * 32).decrypt(counted(12), sealed[21:], "día".encode())
    assert plain == b"text"


def test_randomness_is_asked_for_every_nonce() -> None:
    asked: list[int] = []

    def random(count: int) -> bytes:
        asked.append(count)
        return bytes(count)

    cipher = AesGcmCipher([new_key(random)], random=random)
    cipher.seal(b"a", bound_to="s")
    cipher.seal(b"a", bound_to="s")
    assert asked == [32, 12, 12]


@pytest.mark.parametrize(
    "key", ["", "short", "c2hvcnQ=", base64.b64encode(bytes(33)).decode(), "ñ" * 44, OLD[:-1]]
)
def test_what_is_no_key_is_refused_and_not_repeated(key: str) -> None:
    with pytest.raises(InvalidSettings, match="32 random bytes in base64") as caught:
        AesGcmCipher([OLD, key])
    assert not key or key not in f"{caught.value!r}"


def test_a_cipher_needs_a_key() -> None:
    with pytest.raises(InvalidSettings, match="need a key"):
        AesGcmCipher([])


def test_space_around_a_key_does_no_harm() -> None:
    sealed = AesGcmCipher([f" {OLD}\n"]).seal(b"text", bound_to="s")
    assert AesGcmCipher([OLD]).unseal(sealed, bound_to="s") == b"text"


def test_a63_the_refusal_names_the_next_step() -> None:
    with pytest.raises(SessionUnreadable, match="Add the key that sealed it, or start a new"):
        AesGcmCipher([OLD]).unseal(b"", bound_to="s")
