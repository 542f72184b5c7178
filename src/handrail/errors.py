"""Every error Handrail raises on purpose.

HandrailError
├── UsageError            the caller can mend it (CLI exit 2, HTTP 4xx)
│   ├── InvalidInput      text, file or option that cannot be used
│   ├── InvalidSettings   a setting is unknown or out of range
│   ├── NotFound          a collection, case or file that does not exist
│   ├── UnreadableFile    a file that cannot be parsed as what it claims to be
│   ├── MissingExtra      an adapter's library is absent
│   └── ReceiptInvalid    a receipt that cannot be read
├── KindMismatch          two kinds of score were compared
├── UnreachableThreshold  a threshold no score of its kind can pass, or fail
├── IndexUnusable         an index that must not be used as it is
│   ├── IndexCorrupt      bytes differ from the manifest
│   ├── IndexMismatch     built with another model, segmenter or format
│   ├── IndexNotReady     still building, or never built
│   └── CollectionBusy    another process is writing it
├── ContentInvalid        a content file breaks its schema
├── ModelFailed           a model call failed in a way its caller must handle
├── SearchFailed          a part of the search broke, or gave nonsense
├── TimedOut              work was not done in time
├── SessionBusy           another turn of the session is under way
├── SessionConflict       somebody else wrote the session meanwhile
├── SessionUnreadable     a stored session does not open
├── EntityConflict        somebody else wrote the entity meanwhile
├── StoreFailed           a store of sessions, events or entities cannot be used
└── BudgetExhausted       a hard budget was used up
"""

from __future__ import annotations


class HandrailError(Exception):
    """Base of every deliberate error; ``code`` is stable, the message names the next step."""

    code = "error"


class UsageError(HandrailError):
    """The caller can mend it."""

    code = "usage"


class InvalidInput(UsageError):
    """Text, a file or an option that cannot be used as given."""

    code = "invalid-input"


class InvalidSettings(UsageError):
    """A setting is unknown or out of range."""

    code = "invalid-settings"


class NotFound(UsageError):
    """A collection, case or file that does not exist."""

    code = "not-found"


class UnreadableFile(UsageError):
    """A file that cannot be parsed as what it claims to be."""

    code = "unreadable-file"


class MissingExtra(UsageError, ImportError):
    """An adapter's library is absent."""

    code = "missing-extra"

    def __init__(self, package: str, *, extra: str) -> None:
        super().__init__(f"{package!r} is not installed. Run: pip install 'handrail[{extra}]'")


class KindMismatch(HandrailError, TypeError):
    """Two kinds of score were compared."""

    code = "score-kind-mismatch"


class UnreachableThreshold(HandrailError, ValueError):
    """A threshold that no score of its kind can pass, or that none can fail."""

    code = "unreachable-threshold"


class IndexUnusable(HandrailError):
    """An index that must not be used as it is."""

    code = "index-unusable"


class IndexCorrupt(IndexUnusable):
    """Bytes on disk differ from the manifest; the message names the file."""

    code = "index-corrupt"


class IndexMismatch(IndexUnusable):
    """The index was built with another model, segmenter or format."""

    code = "index-mismatch"


class IndexNotReady(IndexUnusable):
    """The index is still building, or was never built."""

    code = "index-not-ready"


class CollectionBusy(IndexUnusable):
    """Another process is writing the collection."""

    code = "collection-busy"


class ContentInvalid(HandrailError):
    """A content file breaks its schema; the message names the file and the item."""

    code = "content-invalid"


class ModelFailed(HandrailError):
    """A model call failed; a bounded call turns this into its fallback."""

    code = "model-failed"


class SearchFailed(HandrailError):
    """A part of the search broke, or gave what cannot be; the message names the type."""

    code = "search-failed"


class TimedOut(HandrailError):
    """Work was not done within its time and was left behind."""

    code = "timed-out"


class BudgetExhausted(HandrailError):
    """A hard budget was used up before the work was done."""

    code = "budget-exhausted"


class SessionBusy(HandrailError):
    """Another turn of the same session is under way."""

    code = "session-busy"


class SessionConflict(HandrailError):
    """The session was written by somebody else since it was read; read it again."""

    code = "session-conflict"


class SessionUnreadable(HandrailError):
    """A stored session that does not open: another key, or bytes that were changed."""

    code = "session-unreadable"


class EntityConflict(HandrailError):
    """The entity was written by somebody else since it was read; read it again."""

    code = "entity-conflict"


class StoreFailed(HandrailError):
    """A store of sessions, events or entities cannot be reached or used."""

    code = "store-failed"


class ReceiptInvalid(UsageError):
    """A receipt that cannot be read or is not one."""

    code = "receipt-invalid"
