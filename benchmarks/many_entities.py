"""A large invented catalogue, and messages to it.

Everything follows from a seed. No line of it is meant to be read by anybody.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from handrail.domain.entity import Audience, ChatType, Entity, EntityType, LoadMode, Trigger
from many_words import KINDS, NOUNS, Phrases

ENTITIES = 100_000
PHRASES = 30_000
MESSAGES = 500
PATTERNED = 50  # one entity in so many has trigger phrases
STATED = 20  # one in so many asks for a state
CONDITIONS = 400  # different ones among them
HANDLERS = 10  # of those that ask for a state, one in so many is loaded by it
TRIGGERING = 3  # one message in so many says what a trigger waits for
CRITICAL = 100  # of those with triggers, one in so many is for safety
POOL = 3_000  # sentences to mix vectors from, see many_vectors
_TYPES = (EntityType.SITUATION, EntityType.KNOWLEDGE, EntityType.SCRIPT)
_TRIGGERS = (
    "(keeps|kept) changing the {kind}? {noun}",
    "never ... (said|told) about the {kind} {noun}",
    "{kind} {noun} (again|today|tonight)",
    "threaten* ... {kind} {noun}",
    "no more {kind} {noun}",
)


@dataclass(frozen=True, slots=True)
class Message:
    """What somebody writes, and what is known of them."""

    text: str
    user_state: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Many:
    """A catalogue, messages to it, and the sentences that its vectors are mixed from."""

    entities: tuple[Entity, ...]
    messages: tuple[Message, ...]
    pool: tuple[str, ...]


def many(count: int = ENTITIES, *, seed: int = 5, messages: int = MESSAGES) -> Many:
    """The same for the same arguments; 100,000 entities take some five seconds."""
    random = Random(seed)
    phrases = Phrases(random, PHRASES)
    conditions = _conditions(random)
    entities = tuple(_entity(random, phrases, conditions, number) for number in range(count))
    spoken = [_spoken(each) for entity in entities for each in entity.trigger_patterns]
    begun = (random.choice(spoken) if at % TRIGGERING == 0 else "" for at in range(messages))
    asked = tuple(Message(phrases.message(each), _state(random)) for each in begun)
    return Many(entities, asked, tuple(phrases.sentence() for _ in range(POOL)))


def _entity(
    random: Random, phrases: Phrases, conditions: Sequence[Mapping[str, object]], number: int
) -> Entity:
    stated = number % STATED == STATED - 1
    handler = stated and number // STATED % HANDLERS == 0
    patterned = number % PATTERNED == 0
    keywords = phrases.draw(random.randint(1, 4))
    return Entity(
        entity_id=f"invented_{number:06d}",
        entity_type=EntityType.HANDLER if handler else random.choice(_TYPES),
        load_mode=LoadMode.STATE if handler else LoadMode.SITUATION,
        title=f"About the {keywords[0]}",
        concept_summary=phrases.sentence(),
        priority=round(random.triangular(0, 100, 50)),
        safety_critical=patterned and number // PATTERNED % CRITICAL == 0,
        recognition=(phrases.sentence(), phrases.sentence()),
        keywords=tuple(dict.fromkeys(keywords)),
        trigger_patterns=_triggers(random) if patterned else (),
        state_conditions=random.choice(conditions) if stated else None,
        acknowledgement=("That was a long day.",),
        guidance_do=(f"Write down what was said about the {keywords[0]}.",),
        audience_types=_audience(random),
        chat_types=(random.choice(tuple(ChatType)),) if random.random() < 0.2 else (),
        reviewer="invented",
        source="invented",
    )


def _audience(random: Random) -> tuple[Audience, ...]:
    """Nine in ten are for parents, half of them for parents alone."""
    sets = ((Audience.PARENT,), tuple(Audience), (Audience.CLINICIAN, Audience.PROFESSIONAL))
    return random.choices(sets, (45, 45, 10))[0]


def _triggers(random: Random) -> tuple[Trigger, ...]:
    forms = random.sample(_TRIGGERS, random.randint(2, 3))
    return tuple(
        Trigger(phrase=form.format(kind=random.choice(KINDS), noun=random.choice(NOUNS)))
        for form in forms
    )


def _spoken(trigger: Trigger) -> str:
    """A sentence that the trigger matches."""
    said = re.sub(r"\((\w+)\|[^)]*\)", r"\1", trigger.phrase or "")
    said = said.replace("...", "us all").replace("*", "ed").replace("?", "")
    return f"It was {said}."


def _conditions(random: Random) -> list[Mapping[str, object]]:
    """Different conditions over one to three fields, some of them with ways."""
    found: dict[str, Mapping[str, object]] = {}
    while len(found) < CONDITIONS:
        tests = dict(random.sample(list(_tests(random)), random.randint(1, 3)))
        if random.random() < 0.1:
            tests["any"] = [dict([one]) for one in random.sample(list(_tests(random)), 2)]
        found.setdefault(repr(sorted(tests.items())), tests)
    return list(found.values())


def _tests(random: Random) -> Iterator[tuple[str, object]]:
    least = random.randrange(60)
    yield "conversation_count", {"gte": least, "lt": least + random.randint(1, 9)}
    yield "days_since_last", {random.choice(("gt", "gte")): random.randrange(1, 90)}
    yield "last_rating", random.choice(([1, 2], {"eq": 3}, {"lte": 2}, {"gte": 4}))
    yield "is_first_conversation", random.random() < 0.5
    yield "has_pending_debrief", {"eq": True}
    yield "user_type", {"in": ["CLINICIAN", "PROFESSIONAL"]}
    yield "session_type", random.choice(("chat", "debrief", "check_in"))


def _state(random: Random) -> Mapping[str, object]:
    """Nobody's state is fully known; nine in ten are parents."""
    whole: dict[str, object] = {
        "is_first_conversation": random.random() < 0.1,
        "conversation_count": random.randrange(60),
        "days_since_last": random.choice((None, 0.5, 2, 9, 40)),
        "last_rating": random.choice((None, 1, 2, 3, 4, 5)),
        "user_type": random.choices(("PARENT", "CLINICIAN", "PROFESSIONAL"), (18, 1, 1))[0],
        "has_pending_debrief": random.random() < 0.1,
        "session_type": random.choice(("chat", "chat", "debrief")),
    }
    return {name: value for name, value in whole.items() if random.random() < 0.8}
