"""The pages on HTTP and on events name what the server has, all of it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from fastapi.routing import APIRoute
from source_tree import ROOT, modules

from handrail.adapters.structlog.log import fields
from handrail.domain.trace import Run, Trace
from handrail.server import chat, entities, guide, routes
from handrail.server.metrics import Metrics
from handrail.server.problems import STATUS

HTTP = (ROOT / "docs" / "reference" / "http.md").read_text(encoding="utf-8")
EVENTS = (ROOT / "docs" / "reference" / "events.md").read_text(encoding="utf-8")


def problem_codes() -> Iterator[str]:
    """Codes that the server writes itself: the third argument of `problem`, and `_HTTP`'s."""
    for module in modules():
        if not module.path.startswith("server/"):
            continue
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "problem":
                yield from _constants(node.args[2:3])
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_HTTP":
                pairs = [v for v in ast.walk(node.value) if isinstance(v, ast.Tuple)]
                yield from _constants([pair.elts[0] for pair in pairs])


def _constants(nodes: list[ast.expr]) -> Iterator[str]:
    return (str(node.value) for node in nodes if isinstance(node, ast.Constant))


def test_the_table_of_routes_is_the_router() -> None:
    documented = re.findall(r"^\| `([A-Z]+ /[^`]*)`", HTTP, re.MULTILINE)
    routed = [
        f"{method} {route.path}"
        for face in (routes, chat, guide, entities)
        for route in face.router.routes
        if isinstance(route, APIRoute)
        for method in route.methods
    ]
    assert sorted(documented) == sorted(routed)


def test_every_problem_code_of_the_server_is_explained() -> None:
    codes = set(problem_codes())
    assert len(codes) >= 8
    assert sorted(code for code in codes if f"`{code}`" not in HTTP) == []


def test_every_status_of_a_deliberate_error_is_explained() -> None:
    wanted = {str(int(status)) for _, status in STATUS}
    assert sorted(s for s in wanted if not re.search(rf"^\| {s} \|", HTTP, re.MULTILINE)) == []


def test_every_field_of_the_log_is_explained() -> None:
    run = Run(flow="coach", outcome="answer", trace=Trace("0"))
    assert [name for name in fields(run) if f"`{name}`" not in EVENTS] == []


def test_the_table_of_metrics_is_what_is_exposed() -> None:
    metrics = Metrics()
    metrics.observed(Run(flow="coach", outcome="answer", trace=Trace("0")))
    exposed = re.findall(r"^# TYPE (\w+)", metrics.text("text/plain")[0].decode(), re.MULTILINE)
    documented = re.findall(r"^\| `(handrail_\w+)`", EVENTS, re.MULTILINE)
    assert sorted(documented) == sorted(exposed)
