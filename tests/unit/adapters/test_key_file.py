"""The file that holds the key: whole, for its owner alone, the same for everybody (A63)."""

from __future__ import annotations

import multiprocessing
import os
import stat
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from handrail.adapters.cryptography import AesGcmCipher, load_or_create_key, new_key
from handrail.errors import InvalidSettings


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "secret" / "sessions.key"


def test_a63_a_key_is_made_once_for_its_owner_alone(path: Path) -> None:
    before = os.umask(0)
    try:
        key = load_or_create_key(path)
    finally:
        os.umask(before)
    assert AesGcmCipher([key])
    assert load_or_create_key(path) == key
    assert [each.name for each in path.parent.iterdir()] == ["sessions.key"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_key_that_is_there_is_taken(path: Path) -> None:
    path.parent.mkdir()
    key = new_key()
    path.write_text(f"{key}\n\n")
    assert load_or_create_key(path) == key


def test_two_folders_have_two_keys_and_randomness_is_given(tmp_path: Path) -> None:
    assert load_or_create_key(tmp_path / "a") != load_or_create_key(tmp_path / "b")
    assert load_or_create_key(tmp_path / "c", random=bytes) == "A" * 43 + "="


def test_a63_threads_that_start_at_once_end_up_with_one_key(path: Path) -> None:
    for round_ in range(20):
        start = threading.Barrier(6)
        place = path.with_name(str(round_))

        def load(place: Path = place, start: threading.Barrier = start) -> str:
            start.wait()
            return load_or_create_key(place)

        with ThreadPoolExecutor(6) as pool:
            keys = [pool.submit(load) for _ in range(6)]
        assert len({key.result() for key in keys}) == 1


def test_a63_processes_that_start_at_once_end_up_with_one_key(path: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        keys = pool.map(load_or_create_key, [path] * 8, chunksize=1)
    assert len(set(keys)) == 1
    assert load_or_create_key(path) == keys[0]


@pytest.mark.parametrize("content", [b"", b"canary", b"\xff\xfe", b"A" * 44])
def test_a_file_without_a_key_is_refused_and_left_alone(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(InvalidSettings, match=r"'sessions.key' holds no key. Bring back") as caught:
        load_or_create_key(path)
    assert "canary" not in f"{caught.value!r}"
    assert path.read_bytes() == content


def test_a_place_that_cannot_be_used_is_told(path: Path) -> None:
    path.parent.write_text("in the way")
    with pytest.raises(InvalidSettings, match=r"'sessions.key' cannot be read or made .*Check"):
        load_or_create_key(path)
    with pytest.raises(InvalidSettings, match="cannot be read or made"):
        load_or_create_key(path.parent.parent)
