"""What the routes of the guide are asked."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, Field

from handrail.server.bodies import Asked, Text, sound
from handrail.wire.guide import ChatTypeName
from handrail.wire.reply import NoticesShown

ENTITY_ID = "^[a-z][a-z0-9_]{0,99}$"  # handrail.content.entities
MAX_FIELDS = 100  # of a state; seven are known, the rest is room for a careless caller
MAX_SHOWN = 100
MAX_MESSAGES = 5_000


def sound_tree(whole: dict[str, Any]) -> dict[str, Any]:
    """``whole``, unless a text in it is one that no reply could hold."""
    waiting: list[Any] = [whole]
    while waiting:
        match waiting.pop():
            case str() as text:
                sound(text)
            case dict() as fields:
                waiting += [*fields, *fields.values()]
            case list() as values:
                waiting += values
    return whole


State = Annotated[dict[str, Any], Field(max_length=MAX_FIELDS), AfterValidator(sound_tree)]
Tree = Annotated[dict[str, Any], AfterValidator(sound_tree)]
EntityId = Annotated[str, Field(pattern=ENTITY_ID)]


class GuideAsked(Asked):
    """What a parent wrote, and what is known of them."""

    message: Text
    user_state: State = Field(
        {}, description="Fields that are unknown or of a wrong type are not used, and told."
    )
    chat_type: ChatTypeName | None = Field(None, description="What the conversation is about.")
    shown: list[EntityId] = Field(
        [],
        max_length=MAX_SHOWN,
        description="Ids of entities of the last three replies, which are passed over.",
    )
    country: Annotated[str, Field(pattern="^[A-Z]{2}$")] | None = None
    notices_shown_at: NoticesShown = Field(
        NoticesShown(), description="As the last reply gave it; left out, every notice is due."
    )
    minor: bool = Field(False, description="Whether the person is known to be a minor.")


class RetrieveAsked(GuideAsked):
    """The same; ``country``, ``minor`` and ``notices_shown_at`` change nothing here."""

    explain: bool = Field(False, description="Whether to show every candidate, drop and step.")


class MessageAsked(Asked):
    """A message to try, and the entity that it was written for, where that is known."""

    text: Text
    entity_id: EntityId | None = None


class DryRunAsked(Asked):
    """A changed entity, and what to try it on; left out, all that the catalogue recognises."""

    entity: Tree
    messages: list[Text | MessageAsked] | None = Field(None, max_length=MAX_MESSAGES)
