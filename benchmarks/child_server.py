"""Serve a collection on a free loopback port and print the address: HOME COLLECTION"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

from handrail.bootstrap import build_engine
from handrail.server.run import serve
from handrail.settings import load_settings


def main(home: str, collection: str) -> None:
    """Until SIGTERM."""
    engine = build_engine(load_settings(home=Path(home)))
    serve(engine, "127.0.0.1", 0, collection, announce=partial(print, flush=True))


if __name__ == "__main__":
    main(*sys.argv[1:])
