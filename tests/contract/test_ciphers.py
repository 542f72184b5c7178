"""The cipher under its contract (A63)."""

from __future__ import annotations

import pytest

from handrail.adapters.cryptography import AesGcmCipher, new_key
from handrail.ports import Cipher
from handrail.testing.cipher_contract import CipherContract


class TestAesGcm(CipherContract):
    @pytest.fixture
    def cipher(self) -> Cipher:
        return AesGcmCipher([new_key()])

    @pytest.fixture
    def stranger(self) -> Cipher:
        return AesGcmCipher([new_key()])
