"""What every `Cipher` must do: subclass, override the fixtures, inherit."""

from __future__ import annotations

import traceback
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

from handrail.errors import SessionUnreadable
from handrail.ports import Cipher

PLACE = "conversation-1"
TEXT = b"canary-text that nobody else may read"
MOST_OVERHEAD = 64  # bytes; what a store pays for each session


class CipherContract:
    """Subclass and override ``cipher`` and ``stranger``, which has another key."""

    @pytest.fixture
    def cipher(self) -> Cipher:
        raise NotImplementedError("override the cipher fixture")

    @pytest.fixture
    def stranger(self) -> Cipher:
        raise NotImplementedError("override the stranger fixture")

    def test_a63_what_was_sealed_opens_byte_for_byte(self, cipher: Cipher) -> None:
        dice = Random(7)  # noqa: S311  bytes to test with
        for plain in (b"", b"\0", bytes(range(256)), TEXT, dice.randbytes(1_048_576)):
            for place in ("", PLACE, "día 👋", "\ud800"):
                sealed = cipher.seal(plain, bound_to=place)
                assert cipher.unseal(sealed, bound_to=place) == plain
                assert len(sealed) <= len(plain) + MOST_OVERHEAD

    def test_a63_sealed_bytes_show_nothing(self, cipher: Cipher) -> None:
        sealed = cipher.seal(TEXT, bound_to=PLACE)
        assert not any(TEXT[at : at + 4] in sealed for at in range(len(TEXT) - 3))
        assert PLACE.encode() not in sealed

    def test_two_seals_of_a_text_differ(self, cipher: Cipher) -> None:
        assert len({cipher.seal(TEXT, bound_to=PLACE) for _ in range(1_000)}) == 1_000

    def test_a63_another_key_does_not_open(self, cipher: Cipher, stranger: Cipher) -> None:
        refused(cipher, stranger.seal(TEXT, bound_to=PLACE))
        refused(stranger, cipher.seal(TEXT, bound_to=PLACE))

    @pytest.mark.parametrize("place", ["", "conversation-2", "conversation-1 ", "Conversation-1"])
    def test_a63_a_session_moved_to_another_place_does_not_open(
        self, cipher: Cipher, place: str
    ) -> None:
        refused(cipher, cipher.seal(TEXT, bound_to=PLACE), place=place)

    def test_a63_a_flipped_bit_anywhere_does_not_open(self, cipher: Cipher) -> None:
        sealed = cipher.seal(TEXT, bound_to=PLACE)
        for at in range(len(sealed)):
            for bit in range(8):
                changed = bytearray(sealed)
                changed[at] ^= 1 << bit
                refused(cipher, bytes(changed))

    def test_what_was_cut_or_lengthened_does_not_open(self, cipher: Cipher) -> None:
        sealed = cipher.seal(TEXT, bound_to=PLACE)
        for length in range(len(sealed)):
            refused(cipher, sealed[:length])
        refused(cipher, sealed + b"\0")
        refused(cipher, TEXT)

    def test_threads_share_a_cipher(self, cipher: Cipher) -> None:
        def trip(number: int) -> bool:
            plain = bytes([number % 256]) * 2_000
            return cipher.unseal(cipher.seal(plain, bound_to=PLACE), bound_to=PLACE) == plain

        with ThreadPoolExecutor(4) as pool:
            assert all(pool.map(trip, range(400)))


def refused(cipher: Cipher, sealed: bytes, *, place: str = PLACE) -> None:
    """It does not open, and the error names neither text nor place."""
    with pytest.raises(SessionUnreadable) as caught:
        cipher.unseal(sealed, bound_to=place)
    told = "".join(traceback.format_exception(caught.value, chain=True))
    assert "canary" not in f"{caught.value!r}"
    assert "conversation-" not in f"{caught.value!r}"
    assert "InvalidTag" not in told
