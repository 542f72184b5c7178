"""What every test runs under: a clean environment, loopback at most, always the same examples."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from made_once import _lines_are_embedded_once, _packaged_parts_are_made_once, line_vectors
from postgres_server import postgres_server, postgres_url
from shell import Ended, data_of, first_command

if TYPE_CHECKING:
    from handrail.engine import Engine

__all__ = [  # fixtures of all tests
    "_lines_are_embedded_once",
    "_packaged_parts_are_made_once",
    "first_command",
    "line_vectors",
    "postgres_server",
    "postgres_url",
]

CHECKOUT = Path(__file__).resolve().parents[1]

settings.register_profile(
    "ci",
    max_examples=60,
    deadline=None,  # two busy cores make a slow example, not a wrong one
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("thorough", settings.get_profile("ci"), max_examples=2_000)
settings.load_profile("ci")  # pytest --hypothesis-profile=thorough chooses the other one


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test marked ``sockets`` reaches this machine and no other."""
    for item in items:
        if item.get_closest_marker("sockets"):
            item.add_marker(pytest.mark.allow_hosts(["127.0.0.1"]))


@pytest.fixture(scope="session", autouse=True)
def _clean_environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The settings of whoever runs the tests decide nothing, and their home stays untouched."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.upper().startswith("HANDRAIL_")]:
            patch.delenv(name)
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data-home")))
        yield


@pytest.fixture(scope="session")
def shared_data() -> Callable[[str], Path]:
    """A file or folder of third-party data by its relative path; skips where it is absent.

    Such data never enters the repository: it is looked for in ``SHARED_DATA_DIR``, else in
    ``../shared/data`` beside the checkout.
    """
    root = Path(os.environ.get("SHARED_DATA_DIR") or CHECKOUT.parent / "shared" / "data")

    def find(name: str) -> Path:
        path = root / name
        if not path.exists():
            pytest.skip(f"no third-party data {name!r}: set SHARED_DATA_DIR to its folder")
        return path

    return find


@pytest.fixture(scope="session")
def engine_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home that the engines of all tests share, so that reviewed lines are embedded once."""
    return tmp_path_factory.mktemp("engine-home")


@pytest.fixture(scope="session")
def invented(engine_home: Path) -> Engine:
    """An engine without a model over sixteen invented cases, with the real embedder (about 9 s)."""
    from handrail.bootstrap import build_engine
    from handrail.settings import Settings
    from invented_corpus import INVENTED, write_corpus

    engine = build_engine(Settings(home=engine_home))
    engine.add(write_corpus(engine_home / "invented.ndjson"), collection=INVENTED)
    engine.coach_for(INVENTED)
    return engine


@pytest.fixture(scope="session")
def starter(invented: Engine, engine_home: Path, first_command: Ended) -> Engine:
    """The same engine with the packaged corpus too, as the first command has indexed it."""
    from handrail.engine import STARTER

    assert first_command.code == 0, first_command.err
    made = data_of(first_command.home) / "collections" / STARTER
    shutil.copytree(made, engine_home / "collections" / STARTER)
    invented.coach_for(STARTER)
    return invented
