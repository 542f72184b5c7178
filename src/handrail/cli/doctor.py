"""``handrail doctor``: is everything here that an answer needs, and does it hold."""

from __future__ import annotations

import platform
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

import typer

from handrail import __version__
from handrail.cli.exits import Exit
from handrail.cli.problems import problem_of
from handrail.cli.session import Session
from handrail.errors import IndexNotReady

if TYPE_CHECKING:
    from pathlib import Path

    from handrail.engine import Engine
    from handrail.ports import Embedder
    from handrail.rails.helplines import Helplines

OLDEST_PYTHON = (3, 11)
LIBRARIES = ("numpy", "faiss-cpu", "onnxruntime", "bm25s", "pyarrow", "google-re2", "pydantic")
HELPLINE_DAYS = 365  # SAFETY: a record older than a year is due
KEY_MODE = 0o600
CRISIS = "I want to kill myself"  # the contract's own example (C22)
CONCERN = "I'm feeling depressed and anxious"  # the contract's sample query (C59a)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at; ``ok`` is None for a warning, or where nothing was there."""

    name: str
    ok: bool | None
    detail: str


def doctor(context: typer.Context) -> Exit:
    """Check the installation, the collections and the rails; exits with 1 for a fault."""
    session = Session.of(context)
    findings = list(_findings(session))
    ok = not any(finding.ok is False for finding in findings)
    rows = [{"name": f.name, "ok": f.ok, "detail": f.detail} for f in findings]
    marks = {True: "ok", False: "FAULT", None: "note"}
    plain = "\n".join(f"{marks[f.ok]:<6} {f.name}: {f.detail}" for f in findings)
    session.show({"ok": ok, "checks": rows}, plain)
    return Exit.DONE if ok else Exit.FAULT


def _findings(session: Session) -> Iterator[Finding]:
    yield _python()
    yield _libraries()
    settings = session.settings()
    yield _checked("home", lambda: _home(settings.home))
    engine: list[Engine] = []
    yield _checked("content", lambda: _content(session, engine))
    if not engine:
        return
    yield _checked("policy", lambda: _policy(engine[0]))
    yield _checked("embedder", lambda: _embedder(engine[0].library.embedder))
    yield _checked("helplines", partial(_helplines, engine[0].front.helplines))
    for item in engine[0].library.list():
        yield _checked(f"collection {item.name}", partial(_collection, engine[0], item.name))
    yield _checked("session store", lambda: session_store(engine[0]))
    yield _checked("session self-test", lambda: _session(engine[0]))
    yield _checked("crisis self-test", lambda: _crisis(engine[0]))
    yield _checked("reply self-test", lambda: _reply(engine[0]))


def _checked(name: str, look: Callable[[], tuple[bool | None, str]]) -> Finding:
    """What ``look`` found; whatever it raises is a fault, but for an index not yet made."""
    try:
        ok, detail = look()
    except IndexNotReady as error:
        return Finding(name, None, str(error))
    except Exception as error:  # noqa: BLE001  one broken part must not hide the others
        return Finding(name, False, problem_of(error).detail)
    return Finding(name, ok, detail)


def _python() -> Finding:
    return Finding("python", sys.version_info[:2] >= OLDEST_PYTHON, f"{platform.python_version()}")


def _libraries() -> Finding:
    found, absent = [f"handrail {__version__}"], []
    for name in LIBRARIES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            absent.append(name)
    if absent:
        return Finding("libraries", False, f"absent: {', '.join(absent)}. Run: pip install .")
    return Finding("libraries", True, ", ".join(found))


def _home(home: Path) -> tuple[bool, str]:
    home.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=home):
        return True, f"{home} can be written"


def _content(session: Session, made: list[Engine]) -> tuple[bool, str]:
    from handrail.content import content_hash

    made.append(session.engine())
    lexicons = ", ".join(f"{x.language} {x.version}" for x in made[0].front.screen.lexicons)
    return True, f"reviewed text {content_hash()[:12]}, crisis lexicons {lexicons}"


def _policy(engine: Engine) -> tuple[bool | None, str]:
    """What is owed; a note where somebody is to be told and nobody gave a hook."""
    from handrail.content.policies import load_policy

    policy = load_policy(engine.settings.policy)
    said = f"{', '.join(policy.ids)}; not legal advice"
    if policy.duties.human_handoff and engine.handoff is None:
        return None, f"{said}. No hand-off hook: watch the log for crises"
    return True, said


def _embedder(embedder: Embedder) -> tuple[bool, str]:
    vector = embedder.embed_query("a short sentence")
    norm = float((vector @ vector) ** 0.5)
    sound = vector.shape == (embedder.dim,) and abs(norm - 1) < 1e-3
    return sound, f"{embedder.name}, {embedder.dim} dimensions, weights as expected"


def _helplines(packaged: Helplines) -> tuple[bool | None, str]:
    return helplines_age(packaged, today=datetime.now(UTC).date())


def helplines_age(helplines: Helplines, *, today: date) -> tuple[bool | None, str]:
    """A warning when a record was last confirmed more than a year ago."""
    records = [line for country in helplines.countries for line in country.helplines]
    oldest = min(date.fromisoformat(record.confirmed) for record in records)
    days = (today - oldest).days
    detail = f"{len(records)} in {len(helplines.countries)} countries, oldest read {oldest}"
    if days > HELPLINE_DAYS:
        return None, f"{detail}, {days} days ago. Update handrail"
    return True, detail


def _collection(engine: Engine, name: str) -> tuple[bool, str]:
    made = engine.library.verify(name)
    return True, f"{made.record_count} cases, every file as it was written"


def session_store(engine: Engine) -> tuple[bool | None, str]:
    """Whether sessions can be read and written, and only by whom they should be."""
    sessions, chosen = engine.sessions, engine.settings.sessions
    sessions.store.load("doctor", now=sessions.clock())
    with sessions.store.hold("doctor", seconds=chosen.wait_seconds):
        said = f"{chosen.store}, kept {chosen.ttl_seconds / 60:g} min after the last turn"
    if chosen.store == "memory":
        return None, f"{said}, and gone when the process ends"
    if chosen.store == "sqlite" and not chosen.keys:
        path = engine.settings.home / "sessions" / "key"
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode != KEY_MODE:
            return False, f"others can read the key ({mode:03o}). Run: chmod 600 {path}"
        said = f"{said}, key file {mode:03o}"
    if chosen.wait_seconds >= engine.settings.coach.reply_seconds:
        return None, f"{said}. A turn may wait longer than it may take: see the wait_seconds"
    return True, said


def _session(engine: Engine) -> tuple[bool, str]:
    """A turn and a danger, decided without the store."""
    from handrail.domain.trace import Tracer
    from handrail.flows.reframe import SessionState, TurnResult

    flow = engine.sessions.orchestrator
    begun = flow.begin(SessionState(), CONCERN, Tracer("doctor"))
    turn = begun if isinstance(begun, TurnResult) else flow.finish(begun)
    danger = flow.begin(SessionState(), CRISIS, Tracer("doctor"))
    if not (isinstance(danger, TurnResult) and danger.state.crisis_flag):
        return False, "a plain crisis sentence does not end the reframing"
    said = f"{turn.writer} in {turn.phase.value}; danger is answered by the {danger.writer}"
    return turn.outcome.receipt.body.get("outcome") == "answer", said


def _crisis(engine: Engine) -> tuple[bool | None, str]:
    from handrail.domain.outcome import SafetyResponse
    from handrail.domain.risk import Level

    level = engine.check(CRISIS).level
    if level is not Level.HIGH:
        return False, f"a plain crisis sentence reads as {level.label}"
    name = _any_collection(engine)
    if name is None:
        return True, "a plain crisis sentence reads as high"
    outcome = engine.coach_now(CRISIS, collection=name)
    ran = [step.name for step in outcome.trace.steps if step.name != "screen"]
    stopped = isinstance(outcome, SafetyResponse) and not ran
    return stopped, "help first; nothing behind the screen ran" if stopped else f"ran {ran}"


def _reply(engine: Engine) -> tuple[bool | None, str]:
    name = _any_collection(engine)
    if name is None:
        return None, "no collection yet; the first handrail coach makes one"
    outcome = engine.coach_now(CONCERN, collection=name)
    found = engine.verify(outcome.receipt.body, message=CONCERN)
    failed = [check.name for check in found.checks if check.ok is False]
    said = f"{type(outcome).__name__.lower()} over {name!r}"
    return found.ok, f"{said}, receipt replayed" if found.ok else f"{said}, failed: {failed}"


def _any_collection(engine: Engine) -> str | None:
    """The starter where it is there, else any that can be read; nothing is made."""
    names = [item.name for item in engine.library.list() if item.manifest]
    return min(names, key=lambda name: (name != "starter", name), default=None)
