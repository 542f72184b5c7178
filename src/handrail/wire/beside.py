"""What stands beside the words of any reply: people to turn to, and notices."""

from __future__ import annotations

from handrail.domain.outcome import Resource
from handrail.wire.base import Body


class HelpBody(Body):
    """One way to reach people; ``value`` as dialled inside ``country``, or a URL."""

    id: str
    label: str
    value: str
    kind: str
    country: str | None = None
    hours: str | None = None
    note: str | None = None


class ResourceBody(HelpBody):
    """One way to reach people, with where it was read and when that was last confirmed."""

    source: str = ""
    confirmed: str = ""


def resource_body(resource: Resource) -> ResourceBody:
    """A resource as a body."""
    return ResourceBody(
        id=resource.id,
        label=resource.label,
        value=resource.value,
        kind=resource.kind,
        country=resource.country,
        hours=resource.hours,
        note=resource.note,
        source=resource.source,
        confirmed=resource.confirmed,
    )


class NoticeBody(Body):
    """A notice to show beside the reply, in reviewed words."""

    id: str
    language: str
    text: str
