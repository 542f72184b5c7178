"""The files that the house rules look at."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SRC = ROOT / "src"
_MADE = {".git", ".venv", "__pycache__", "build", "dist", "site", "node_modules"}


@dataclass(frozen=True)
class Module:
    """One source file of the package; ``path`` is relative to ``src/handrail``."""

    path: str
    tree: ast.Module

    @property
    def folder(self) -> str:
        """The module's folder inside the package; a file at the top is its own folder."""
        parent = str(Path(self.path).parent)
        return self.path if parent == "." else parent


@cache
def modules() -> tuple[Module, ...]:
    """Every module of the package, by path."""
    home = SRC / "handrail"
    return tuple(
        Module(path.relative_to(home).as_posix(), ast.parse(path.read_text(encoding="utf-8")))
        for path in sorted(home.rglob("*.py"))
    )


@cache
def project_files() -> tuple[Path, ...]:
    """Every file that is or may be committed; without git, every file nothing has generated."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode == 0:
        paths = [ROOT / name for name in listed.stdout.split("\0") if name]
    else:
        paths = [path for path in ROOT.rglob("*") if not _made(path)]
    return tuple(sorted(path for path in paths if path.is_file()))


def _made(path: Path) -> bool:
    parts = path.relative_to(ROOT).parts
    return any(part in _MADE or part.endswith(("_cache", ".egg-info")) for part in parts)


def texts() -> Iterator[tuple[str, str]]:
    """Name and text of every project file that is UTF-8."""
    for path in project_files():
        try:
            yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue


def imported(node: ast.AST) -> list[str]:
    """The absolute module names that an import statement names; empty for anything else."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
        return [node.module]
    return []


def at_import_time(tree: ast.Module) -> Iterator[ast.stmt]:
    """Every statement that runs when the module is read; ``if TYPE_CHECKING`` bodies do not."""
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            waiting += node.orelse
            continue
        if isinstance(node, ast.stmt):
            yield node
        waiting += list(ast.iter_child_nodes(node))
