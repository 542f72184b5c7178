"""What HTTP alone asks and answers; every other body is shared with the CLI in `handrail.wire`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic_core import PydanticCustomError

from handrail.flows.reframe.limits import LONGEST, MOST_FOLLOWUPS, SHORTEST
from handrail.wire import NoticesShown, ResourceBody

CASE_ID = "^[0-9a-f]{16}$"  # handrail.domain.text.short_id
COLLECTION = "^[a-z0-9][a-z0-9._-]{0,63}$"  # handrail.corpus.store
SESSION_ID = "^[A-Za-z0-9_-]{1,64}$"  # handrail.flows.reframe.sessions
MESSAGE_ID = "^[A-Za-z0-9._:-]{1,64}$"
MAX_CASE_IDS = 100  # three are used (resolution 11); the rest is room for a careless caller


def sound(text: str) -> str:
    """``text``, unless UTF-8 cannot hold it or a C string would end in its middle."""
    if "\x00" in text:
        raise PydanticCustomError("nul", "Input should hold no NUL character")
    if not text.isascii() and any("\ud800" <= char <= "\udfff" for char in text):
        raise PydanticCustomError("lone_surrogate", "Input should hold no lone surrogate")
    return text


Text = Annotated[str, AfterValidator(sound)]
CaseId = Annotated[str, Field(pattern=CASE_ID)]
Column = Annotated[Text, Field(min_length=1, max_length=200)]


class Asked(BaseModel):
    """Closed and strict: an unknown field or a number in quotes is a mistake, not a wish."""

    model_config = ConfigDict(extra="forbid", strict=True)


class ColumnsAsked(Asked):
    """Which column of the file is which part of a case."""

    context: Column
    response: Column | None = None
    title: Column | None = None
    id: Column | None = None


class IndexAsked(Asked):
    """A file on the server's disk to add to a collection; without one, the packaged corpus."""

    path: Annotated[Text, Field(min_length=1, max_length=4096)] | None = None
    dataset_path: Annotated[Text, Field(min_length=1, max_length=4096)] | None = None
    collection: Annotated[str, Field(pattern=COLLECTION)] | None = None
    columns: ColumnsAsked | None = None

    @property
    def file(self) -> str | None:
        """The file, under either of its names."""
        return self.path or self.dataset_path


class SearchAsked(Asked):
    """What to look for."""

    query: Text
    k: int = Field(3, ge=1, description="How many cases.")


class CoachAsked(Asked):
    """What the person wrote, and the cases that they chose, if any."""

    query: Text
    case_ids: list[CaseId] = Field([], max_length=MAX_CASE_IDS)
    country: Annotated[str, Field(pattern="^[A-Z]{2}$")] | None = None
    notices_shown_at: NoticesShown = Field(
        NoticesShown(), description="As the last reply gave it; left out, every notice is due."
    )
    minor: bool = Field(False, description="Whether the person is known to be a minor.")


class ChatAsked(Asked):
    """What the person wrote; the rest is taken up by the first message of a session."""

    message: Text
    session_id: Annotated[str, Field(pattern=SESSION_ID)] | None = Field(
        None, description="Left out, a session begins under an id that nobody can guess."
    )
    message_id: Annotated[str, Field(pattern=MESSAGE_ID)] | None = Field(
        None,
        description="Sent again, the same turn comes back; left out, every message is a new one.",
    )
    language: Literal["en", "es"] | None = Field(
        None, description="Left out, the person's words tell."
    )
    country: Annotated[str, Field(pattern="^[A-Z]{2}$")] | None = None
    max_turns: int | None = Field(
        None, ge=SHORTEST, le=LONGEST, description="Fewer turns than configured, never more."
    )
    followups: int | None = Field(
        None, ge=0, le=MOST_FOLLOWUPS, description="Fewer follow-ups than configured, never more."
    )
    minor: bool = Field(False, description="Whether the person is known to be a minor.")


class LimitsAsked(Asked):
    """Limits that a therapist sets for a session under way (A50)."""

    by: Annotated[Text, Field(min_length=1, max_length=80)] = Field(
        description="An opaque name of whoever sets them; no name of a person."
    )
    max_turns: int | None = Field(None, ge=SHORTEST, le=LONGEST)
    followups: int | None = Field(None, ge=0, le=MOST_FOLLOWUPS)


class CheckAsked(Asked):
    """What the crisis screen should read."""

    text: Text


class IndexedBody(BaseModel):
    """A finished build (C39)."""

    records: int
    model: str
    dim: int
    build_ms: float


class ProgressBody(BaseModel):
    """Texts embedded, of how many, and the seconds that the rest may take."""

    done: int
    total: int
    seconds_left: float


class ProblemBody(BaseModel):
    """RFC 9457; ``code`` is stable and ``detail`` names the next step."""

    type: str = "about:blank"
    title: str
    status: int
    code: str
    detail: str
    trace_id: str
    errors: list[FaultBody] | None = None
    resources: list[ResourceBody] | None = Field(
        None, description="People to turn to, on every problem of /coach, /chat and /guide."
    )


class FaultBody(BaseModel):
    """One thing that is wrong with a request; never what was sent."""

    at: str
    code: str
    message: str


class BuildErrorBody(BaseModel):
    """Why a build failed."""

    code: str
    detail: str


class BuildBody(BaseModel):
    """A background build."""

    id: str
    collection: str
    state: Literal["running", "done", "failed", "cancelled"]
    progress: ProgressBody | None = None
    result: IndexedBody | None = None
    error: BuildErrorBody | None = None


class HealthBody(BaseModel):
    """The process is there; ``initialized`` once its collection is open."""

    status: Literal["ok"] = "ok"
    initialized: bool


class ReadyBody(BaseModel):
    """The collection is open."""

    status: Literal["ready"] = "ready"


class StageBody(BaseModel):
    """How long a stage took, over the runs that are still in the window."""

    count: int
    p50_ms: float
    p95_ms: float


class DeciderBody(BaseModel):
    """Who decided, and how often a model ran out of time."""

    by_model: int
    by_fallback: int
    timeouts: int


class GateBody(BaseModel):
    """Replies that came to the gate, by what it said."""

    passed: int
    failed: int


class ReframeMetricsBody(BaseModel):
    """Turns of reframing sessions, by outcome."""

    turns: int
    outcomes: dict[str, int]
    p50_ms: float | None
    p95_ms: float | None


class ReferralsBody(BaseModel):
    """Replies of one month that sent somebody to people; one may tell of several kinds."""

    total: int
    kinds: dict[str, int]


class MetricsBody(BaseModel):
    """Measured since the process began; null where nothing was measured (C45, C66)."""

    hit_at_3: float | None
    gate_pass_rate: float | None
    refusal_rate: float | None
    p50_ms: float | None
    p95_ms: float | None
    coach_requests: int
    crisis: int
    referrals: dict[str, ReferralsBody] = Field(
        {}, description="By month (UTC), where a duty asks to count them."
    )
    outcomes: dict[str, int]
    reframe: ReframeMetricsBody
    gate: GateBody
    decider: DeciderBody
    requests: dict[str, dict[str, int]]
    stages: dict[str, StageBody]


ProblemBody.model_rebuild()
