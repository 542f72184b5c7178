"""A skill's instructions: a packaged Markdown file, read once and named by its hash."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

from handrail.errors import ContentInvalid


@dataclass(frozen=True, slots=True)
class Prompt:
    """Instructions for a model; ``sha256`` over the UTF-8 bytes goes into traces and receipts."""

    name: str
    text: str
    sha256: str = field(init=False)

    def __post_init__(self) -> None:
        if not self.text.strip():
            raise ContentInvalid(f"the prompt {self.name!r} is empty; write its instructions")
        object.__setattr__(self, "sha256", hashlib.sha256(self.text.encode()).hexdigest())

    @staticmethod
    def load(package: str, file: str) -> Prompt:
        """The prompt beside a package's code; raises `ContentInvalid` when it cannot be read."""
        return _load(package, file)


@cache
def _load(package: str, file: str) -> Prompt:
    try:
        text = resources.files(package).joinpath(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError, ModuleNotFoundError) as error:
        raise ContentInvalid(f"cannot read the prompt {file!r} of {package!r}: {error}") from error
    return Prompt(f"{package}/{file}", text)
