"""What every command shares: the options that may stand anywhere, and the two streams."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from pydantic import BaseModel

    from handrail.engine import Engine
    from handrail.ports import Observer
    from handrail.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One run of the command line."""

    home: Path | None = None
    as_json: bool = False
    trace: bool = False

    @staticmethod
    def of(context: typer.Context) -> Session:
        """The session that the root callback made."""
        found = context.find_object(Session)
        assert found is not None
        return found

    def settings(self, **overrides: Any) -> Settings:
        """Settings from the environment and the options; raises `InvalidSettings`."""
        from handrail.settings import load_settings

        if self.home is not None:
            overrides["home"] = self.home
        return load_settings(**overrides)

    def engine(self, *observers: Observer, **overrides: Any) -> Engine:
        """The engine for these settings."""
        from handrail.bootstrap import build_engine

        return build_engine(self.settings(**overrides), observers=observers)

    def show(self, body: Mapping[str, object], plain: str) -> None:
        """The command's data: one JSON object with ``--json``, else ``plain``."""
        print(json.dumps(body, ensure_ascii=False) if self.as_json else plain)


def show_body(body: BaseModel) -> None:
    """A body of the HTTP API as the one JSON object."""
    print(body.model_dump_json())


def say(text: str) -> None:
    """Talk: whatever is not the command's data."""
    print(text, file=sys.stderr, flush=True)
