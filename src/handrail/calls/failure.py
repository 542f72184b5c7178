"""Why a bounded call did not use a model's reply: stable codes, never the reply itself."""

from __future__ import annotations

from enum import StrEnum

from handrail.errors import ModelFailed


class Failure(StrEnum):
    """Codes of `Decision.failure`.

    A colon and a detail may follow: ``rejected:ref-not-shown``, ``check-raised:KeyError``.
    """

    MODEL_FAILED = "model-failed"
    BUDGET = "budget-exhausted"
    TIMEOUT = "timeout"
    NO_OBJECT = "no-json-object"
    MALFORMED = "malformed-json"
    DUPLICATE_KEY = "duplicate-key"
    NOT_FINITE = "not-finite-number"
    SCHEMA = "schema-mismatch"
    REJECTED = "rejected"
    CHECK_RAISED = "check-raised"
    UNSENDABLE = "unsendable"


class CallFailed(ModelFailed):
    """One attempt came to nothing; ``code`` is a `Failure` with its detail.

    The message holds the code alone, and no cause is chained: a model's words, or a person's that
    it repeats, never enter an error.
    """

    def __init__(self, failure: Failure, detail: str = "") -> None:
        self.code = f"{failure}:{detail}" if detail else str(failure)
        super().__init__(self.code)


class Undecided(ModelFailed):
    """A skill with ``on_error="abstain"`` has no decision; the flow answers with an abstention."""

    code = "undecided"

    def __init__(self, skill: str, failure: str) -> None:
        self.failure = failure
        super().__init__(f"{skill} has no decision ({failure}); abstain")
