"""An engine over a small corpus."""

from __future__ import annotations

import pytest
from evals_sample import CASES, write_rows

from handrail.bootstrap import build_engine
from handrail.engine import Engine
from handrail.settings import load_settings


@pytest.fixture(scope="session")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    """An engine with the collection ``small``."""
    home = tmp_path_factory.mktemp("evals-home")
    rows = (
        {"_id": id, "topic": topic, "Context": context, "Response": response}
        for id, topic, context, response in CASES
    )
    engine = build_engine(load_settings(home=home))
    engine.add(write_rows(home / "small.ndjson", *rows), collection="small")
    return engine
