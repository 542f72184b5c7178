"""Settings: the only reader of the environment; unknown ``HANDRAIL_*`` names are refused."""

from __future__ import annotations

import difflib
import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from handrail.errors import InvalidSettings

PREFIX = "HANDRAIL_"


def data_home() -> Path:
    """The user's data folder for Handrail, by the XDG base directory specification."""
    base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(base) / "handrail"


class _Group(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class LLMSettings(_Group):
    """An OpenAI-compatible model; without ``base_url`` and ``model`` the twin decides."""

    adapter: Literal["openai", "adk"] = Field(
        "openai", description="An OpenAI-compatible server, or the agents of google-adk (reframe)."
    )
    base_url: str | None = Field(None, description="Base URL of an OpenAI-compatible server.")
    model: str | None = Field(None, description="Model name sent to that server.")
    api_key: SecretStr | None = Field(None, description="Key sent as a bearer token.")
    timeout_seconds: float = Field(4.0, gt=0, le=120, description="Hard limit of one skill (C30).")
    retries: int = Field(1, ge=0, le=5, description="Further attempts inside the time limit.")
    max_tokens: int = Field(600, ge=16, le=8192, description="Completion limit of one call.")


class EmbeddingSettings(_Group):
    """Which model turns text into vectors."""

    adapter: Literal["minilm", "sentence-transformers", "openai"] = Field(
        "minilm", description="Packaged MiniLM, a sentence-transformers model, or an API."
    )
    model: str = Field(
        "sentence-transformers/all-MiniLM-L6-v2", description="Model name or local folder."
    )
    base_url: str | None = Field(None, description="Base URL for the openai adapter.")
    api_key: SecretStr | None = Field(None, description="Key for the openai adapter.")
    query_prefix: str | None = Field(None, description="Override; e5 models get theirs by name.")
    document_prefix: str | None = Field(None, description="Override of the document prefix.")
    workers: int | None = Field(
        None, ge=1, le=64, description="Threads for indexing; by default one a core, at most 4."
    )


class CoachSettings(_Group):
    """Policy of the coach flow; defaults are the contract's values."""

    min_top1_similarity: float = Field(
        0.15, ge=-1, le=1, description="Floor on the cosine of the best case (C53, resolution 1)."
    )
    gate_alpha: float = Field(0.6, gt=0, le=1, description="Overlap floor of the evidence gate.")
    reply_seconds: float = Field(
        20.0, gt=0, le=600, description="Hard limit of one reply or search; then help, no answer."
    )
    open_seconds: float = Field(
        900.0,
        gt=0,
        description="Hard limit for opening a collection, or making the packaged one.",
    )
    fusion: Literal["default", "rrf"] = Field(
        "default", description="Fusion preset: what measured best, or plain RRF (C15)."
    )


class CrisisSettings(_Group):
    """The crisis screen; its first reader cannot be switched off."""

    second_reader: bool = Field(
        True, description="Read again what the screen leaves low; raises to moderate at most."
    )


class InjectionSettings(_Group):
    """The injection screen: texts that give orders to the machine."""

    skip: bool = Field(
        False, description="Switch the screen off, for evaluation only (L6); on by default."
    )
    research_on_error: Literal["open", "rules", "closed"] = Field(
        "open",
        description="A screen that fails in research: go on, go on without a model, or stop (L5).",
    )


class ReframeSettings(_Group):
    """A reframing session; defaults are the contract's values (A37)."""

    max_turns: int = Field(14, ge=6, le=40, description="Turns of a session; the last one ends it.")
    followup_budget: int = Field(3, ge=0, le=10, description="Answers after the summary.")
    halfway_point: float = Field(0.5, gt=0, lt=1, description="Share of turns before the banner.")
    word_limit: int = Field(110, ge=105, le=400, description="Most words of a reply.")
    summary_limit: int = Field(160, ge=150, le=600, description="Most words of a summary.")
    language: Literal["en", "es"] = Field("en", description="Language until a person's words tell.")
    model_share: float = Field(
        1.0, ge=0, le=1, description="Share of sessions in which a model may write (A53d)."
    )
    arms: str = Field(
        "", max_length=2_000, description="Arms of an experiment on limits, as JSON (A47)."
    )


class SessionSettings(_Group):
    """Where sessions are kept, sealed, and for how long."""

    store: Literal["memory", "sqlite", "postgres"] = Field(
        "sqlite", description="This process, a file below home, or the server of the url."
    )
    url: SecretStr | None = Field(None, description="URL of the PostgreSQL server (libpq).")
    keys: tuple[SecretStr, ...] = Field(
        (),
        description="Base64 keys of 32 bytes; the first seals, all open. One is made for sqlite.",
    )
    ttl_seconds: float = Field(
        3600.0, gt=0, le=30 * 86_400, description="How long a session outlives its last turn (A63)."
    )
    wait_seconds: float = Field(
        10.0, gt=0, le=60, description="How long a turn waits for another turn of its session."
    )
    events: bool = Field(True, description="Keep events without text for reports (A36).")


class GuideSettings(_Group):
    """The guide for parents: where its entities are kept, and how many of them are shown."""

    store: Literal["packaged", "sqlite", "postgres"] = Field(
        "sqlite", description="The packaged entities as they are, a file below home, or the url."
    )
    url: SecretStr | None = Field(None, description="URL of the PostgreSQL server (libpq).")
    merge: Literal["rrf", "seed"] = Field(
        "rrf", description="Weighted reciprocal ranks, or the plain sum of the first design (H18)."
    )
    max_candidates: int = Field(15, ge=1, le=50, description="Candidates after the merge (H8).")
    min_shown: int = Field(3, ge=1, le=10, description="Fewest entities shown, if so many fit.")
    max_shown: int = Field(6, ge=1, le=15, description="Most entities shown beside the pinned.")
    language_model_ranks: bool = Field(
        True, description="A configured model may order the candidates; pins are not its to move."
    )


class ServerSettings(_Group):
    """Limits and doors of the HTTP server."""

    api_keys: tuple[SecretStr, ...] = Field(
        (), description="Accepted keys; required once the server binds beyond loopback."
    )
    cors_origins: tuple[str, ...] = Field((), description="Allowed origins; none by default.")
    max_body_bytes: int = Field(65_536, ge=1024, description="Larger bodies get 413.")
    max_query_chars: int = Field(4_000, ge=1, description="Longer messages get 422.")
    max_k: int = Field(20, ge=1, le=100, description="Largest k of /search_cases.")
    workers: int = Field(2, ge=1, le=64, description="Threads for CPU work.")
    admin_keys: tuple[SecretStr, ...] = Field(
        (), description="Keys that may set the limits of a session; without one nobody may (A50)."
    )
    heartbeat_seconds: float = Field(
        15.0, gt=0, le=300, description="Silence on a stream after which a comment is sent."
    )


class Settings(BaseSettings):
    """All settings, frozen; nested names are joined by two underscores."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_nested_delimiter="__", frozen=True, extra="forbid"
    )

    home: Path = Field(default_factory=data_home, description="Folder that holds collections.")
    country: str | None = Field(
        None, pattern="^[A-Z]{2}$", description="ISO 3166 code for helplines; none by default."
    )
    policy: str = Field(
        "default",
        max_length=400,
        description="Profiles of content/policy, by commas; the strictest of them holds.",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "warning", description="Lowest level of the structured log on stderr."
    )
    llm: LLMSettings = LLMSettings()
    embedding: EmbeddingSettings = EmbeddingSettings()
    coach: CoachSettings = CoachSettings()
    crisis: CrisisSettings = CrisisSettings()
    injection: InjectionSettings = InjectionSettings()
    reframe: ReframeSettings = ReframeSettings()
    sessions: SessionSettings = SessionSettings()
    guide: GuideSettings = GuideSettings()
    server: ServerSettings = ServerSettings()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Arguments, then the environment; no files are read behind the operator's back."""
        return init_settings, env_settings


def known_names() -> list[str]:
    """Every environment variable that is read, in the order of the reference."""
    names = []
    for name, info in Settings.model_fields.items():
        group = info.annotation
        if isinstance(group, type) and issubclass(group, _Group):
            names += [f"{PREFIX}{name}__{key}".upper() for key in group.model_fields]
        else:
            names.append(f"{PREFIX}{name}".upper())
    return names


def refuse_unknown(environ: Mapping[str, str]) -> None:
    """Raise `InvalidSettings` for a ``HANDRAIL_*`` name nobody reads: a typo disables no rail."""
    known = known_names()
    for name in sorted(environ):
        if name.upper().startswith(PREFIX) and name.upper() not in known:
            near = difflib.get_close_matches(name.upper(), known, n=1)
            hint = f"Did you mean {near[0]}?" if near else "Run: handrail config show"
            raise InvalidSettings(f"unknown setting {name!r}. {hint}")


def load_settings(**overrides: Any) -> Settings:
    """Settings from the environment; raises `InvalidSettings` and never echoes a value."""
    refuse_unknown(os.environ)
    try:
        return Settings(**overrides)
    except ValidationError as error:
        problems = "; ".join(
            f"{PREFIX}{'__'.join(str(part) for part in item['loc']).upper()}: {item['msg']}"
            for item in error.errors()
        )
        raise InvalidSettings(f"{problems}. Run: handrail config show") from None


@dataclass(frozen=True, slots=True)
class InForce:
    """A setting by its variable, with the value as JSON holds it and where that comes from."""

    name: str
    value: object
    source: Literal["default", "environment", "option"]


def _source(
    name: str, typed: Collection[str], present: Collection[str]
) -> Literal["default", "environment", "option"]:
    if name in typed:
        return "option"
    return "environment" if name in present else "default"


def in_force(settings: Settings, *, given: Collection[str] = ()) -> list[InForce]:
    """Every setting in the order of the reference, secrets masked; ``given`` names options."""
    values = settings.model_dump(mode="json")
    typed = {f"{PREFIX}{name}".upper() for name in given}
    present = {name.upper() for name in os.environ}
    rows = []
    for name in known_names():
        value: Any = values
        for part in name.removeprefix(PREFIX).lower().split("__"):
            value = value[part]
        rows.append(InForce(name, value, _source(name, typed, present)))
    return rows
