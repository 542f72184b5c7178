"""A failure as one line on standard error, and as RFC 9457 fields on standard output."""

from __future__ import annotations

import json
import traceback
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import PurePath

import typer

from handrail.cli.render import resource_lines
from handrail.cli.session import say
from handrail.domain.outcome import Resource
from handrail.errors import HandrailError

_DASH = "For text that begins with a dash, put -- before it"


@dataclass(frozen=True, slots=True)
class Problem:
    """What went wrong; ``code`` is stable and ``detail`` names the next step."""

    code: str
    detail: str

    @property
    def title(self) -> str:
        """The code in words."""
        return self.code.replace("-", " ").capitalize()


class WithPeople(Exception):
    """A failure on the way to a reply, with whom to turn to meanwhile (C67)."""

    def __init__(self, cause: Exception, people: Sequence[Resource]) -> None:
        super().__init__()
        self.cause = cause
        self.people = people


def show_problem(problem: Problem, *, as_json: bool, people: Sequence[Resource] = ()) -> None:
    """Tell both the person and the program that runs us."""
    detail = " ".join(problem.detail.split())
    say(f"error[{problem.code}]: {detail}")
    if people:
        say("\n" + "\n".join(resource_lines(people)))
    if as_json:
        body: dict[str, object] = {
            "type": "about:blank",
            "title": problem.title,
            "code": problem.code,
            "detail": detail,
        }
        if people:
            body["resources"] = [asdict(resource) for resource in people]
        print(json.dumps(body, ensure_ascii=False))


def problem_of(error: Exception) -> Problem:
    """The problem of an exception; only a deliberate error may speak for itself."""
    if isinstance(error, HandrailError):
        return Problem(error.code, str(error))
    if isinstance(error, typer.TyperException):
        return Problem("usage", _usage(error))
    if isinstance(error, typer.Abort):
        return Problem("aborted", "Nothing was done. Give --yes to go on without a question")
    last = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{type(error).__name__} at {PurePath(last.filename).name}:{last.lineno}"
    return Problem("internal-error", f"{place}. This is a defect. Run again with --debug")


def _usage(error: typer.TyperException) -> str:
    """What is wrong with the words; words that may be a person's text are not repeated."""
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "handrail"
    said = error.format_message().strip().rstrip(".")
    if said.startswith("Got unexpected extra argument"):
        said = "too many arguments; text of several words needs quotes"
    elif said.startswith("No such option"):
        said = f"{said}. {_DASH}"
    return f"{said}. Run: {command} --help"
