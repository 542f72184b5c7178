"""All that a reply of the composer can depend on, laid out: every phase, act, question and detail.

What a plan does not look at is left out of the product, and told apart cases stay apart: the lists
below say which values each part takes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, combinations, product

from handrail.domain.text import Span
from handrail.flows.reframe.compose import Plan, Turn, plan
from handrail.flows.reframe.distortions import Distortion
from handrail.flows.reframe.limits import Limits
from handrail.flows.reframe.moves import ASKS
from handrail.flows.reframe.phases import Phase, Position
from handrail.flows.reframe.reading import FAMILIES, Act, Asked, Emotion, Reading, Topic
from handrail.flows.reframe.state import (
    Feeling,
    Kept,
    Measures,
    Memory,
    Progress,
    SessionState,
)

QUOTE = "the people in that room all saw my hands and heard my voice and now they must be sure"
"""Words of a person; a quote is cut to what `reading` lets through."""
LIMITS = Limits()
NUMBER = 9  # of the message answered
TRAPS = ((), ("mind-reading",), ("mind-reading", "catastrophizing"))
OFFERED = ("", "reframe/balanced-both.1.en", "reframe/balanced-general.2.en")
DETAILS = ("situation", "thought", "emotion", "intensity")


def kept(text: str, number: int = 3) -> Kept:
    """Words of an earlier message that held nothing else."""
    return Kept.of(text, Span(0, len(text)), number)


def subsets(names: Sequence[str]) -> Iterator[frozenset[str]]:
    """Every subset, the empty one first."""
    every = chain.from_iterable(combinations(names, n) for n in range(len(names) + 1))
    return map(frozenset, every)


def progress(known: frozenset[str], *, family: str = "shame", quote: str = QUOTE) -> Progress:
    """A worry of which ``known`` is known; every quote has the same words."""
    words = kept(quote)

    def when(name: str) -> Kept | None:
        return words if name in known else None

    return Progress(
        situation=when("situation"),
        thought=when("thought"),
        emotions=(Feeling(family=family, words=words),) if "emotion" in known else (),
        felt=when("emotion"),
        intensity=8 if "intensity" in known else None,
        intensity_words=when("intensity"),
        evidence=when("evidence"),
        after_words=when("after"),
    )


def reading(act: Act, *, fresh: frozenset[str] = frozenset(), family: str = "shame") -> Reading:
    """A message that does ``act`` and names a feeling where one is fresh."""
    felt = (Emotion(family=family, span=Span(0, 1)),) if "emotion" in fresh else ()
    return Reading(act=act, emotions=felt)


def turn(
    phase: Phase,
    read: Reading,
    *,
    before: Position | None = None,
    after: Position | None = None,
    known: Progress | None = None,
    memory: Memory | None = None,
    measures: Measures | None = None,
    traps: Sequence[str] = (),
    fresh: frozenset[str] = frozenset(),
    mild: bool = False,
    messages: int = NUMBER - 1,
    doubting: bool = False,
    language: str = "en",
) -> Turn:
    """The turn whose reply stands in ``phase``; everything else is as little as can be."""
    state = SessionState(
        position=before or Position(phase=phase, turn=4),
        limits=LIMITS,
        user_language=language,
        progress=known or Progress(),
        measures=measures or Measures(),
        memory=memory or Memory(),
        messages=messages,
        doubting=doubting,
    )
    return Turn(
        before=replace(state, progress=Progress()) if fresh else state,
        state=state,
        position=after or Position(phase=phase, turn=5),
        reading=read,
        traps=traps,
        fresh=fresh,
        mild=mild,
    )


def news(known: frozenset[str]) -> Iterator[frozenset[str]]:
    """Nothing new, one thing, or all that is known."""
    return iter(sorted({frozenset[str](), known, *(frozenset({one}) for one in known)}, key=sorted))


def every_turn() -> Iterator[Turn]:
    """The whole space, phase by phase."""
    yield from _gathering()
    yield from _reframing()
    yield from _summing_up()
    yield from _following_up()
    yield from _closing()


def every_plan() -> Iterator[tuple[Turn, Plan]]:
    """Every turn with its plan."""
    return ((each, plan(each)) for each in every_turn())


def _asked_so_far() -> Iterator[Memory]:
    """Nothing asked, each thing once, everything twice, and the questions that come after."""
    firsts = [first for first, _, _ in ASKS.values()]
    twice = {move: 1 for first, again, _ in ASKS.values() for move in (first, again)}
    yield Memory()
    yield Memory(said=tuple(sorted(dict.fromkeys(firsts, 1).items())))
    for further in ((), ("ask-situation",), ("ask-more", "ask-situation")):
        yield Memory(said=tuple(sorted({**twice, **dict.fromkeys(further, 1)}.items())))
    yield Memory(skipped=("emotion", "intensity", "thought"))


def _gathering() -> Iterator[Turn]:
    """WARMUP and CLARIFY."""
    for phase, act, known in product((Phase.WARMUP, Phase.CLARIFY), Act, subsets(DETAILS)):
        for fresh, mild, messages in product(news(known), (False, True), (0, NUMBER - 1)):
            marked = ({}, {"self_attack": True}, {"long": True}, {"corrects": True})
            for marks in marked if fresh else ({}, {"corrects": True}):
                yield turn(
                    phase,
                    replace(reading(act, fresh=fresh), **marks),
                    known=progress(known),
                    fresh=fresh,
                    mild=mild,
                    messages=messages,
                )
        for memory in _asked_so_far():
            yield turn(phase, reading(act), known=progress(known), memory=memory)
    known = frozenset(DETAILS)
    for family in FAMILIES:
        fresh = frozenset({"emotion"})
        read = reading(Act.CONTENT, fresh=fresh, family=family)
        yield turn(Phase.CLARIFY, read, known=progress(known, family=family), fresh=fresh)
    several = tuple(Emotion(family=family, span=Span(0, 1)) for family in ("shame", "anger"))
    for phase in (Phase.CLARIFY, Phase.REFRAME):
        fresh = frozenset({"emotion"})
        read = Reading(act=Act.CONTENT, emotions=several)
        yield turn(phase, read, known=progress(known), fresh=fresh)
    for intensity in range(11):
        told = replace(progress(known), intensity=intensity)
        fresh = frozenset({"intensity"})
        yield turn(Phase.CLARIFY, reading(Act.CONTENT), known=told, fresh=fresh)
    yield turn(Phase.CLARIFY, reading(Act.NO), doubting=True)
    for known, marks in _received():
        read = replace(reading(Act.CONTENT, fresh=known), **marks)
        yield turn(Phase.CLARIFY, read, known=progress(known), fresh=known)
        brief = replace(progress(known), thought=kept("all"))
        if "thought" in known:
            yield turn(Phase.CLARIFY, read, known=brief, fresh=known)
    yield turn(Phase.CLARIFY, reading(Act.YES), known=_felt_before())
    for topic in Topic:
        for trap in Distortion if topic is Topic.TRAP else (None,):
            for phase in (Phase.WARMUP, Phase.CLARIFY):
                yield turn(phase, Reading(act=Act.ASKS, topic=topic, trap=trap))


def _received() -> Iterator[tuple[frozenset[str], dict[str, bool]]]:
    """A thought or a situation, with a feeling or without, and what else a message can be."""
    for told in ({"situation"}, {"thought"}, {"situation", "thought"}):
        for known, mark in product(
            (told, told | {"emotion"}), ("loss", "turns", "event", "doubts")
        ):
            yield frozenset(known), {mark: True}


def _felt_before() -> Progress:
    """A thought that came after the feeling."""
    known = progress(frozenset({"thought", "emotion"}))
    early = replace(known.emotions[0], words=replace(known.emotions[0].words, number=1))
    return replace(known, emotions=(early,))


def _reframing() -> Iterator[Turn]:
    for act, known, asked, round_ in product(
        Act, subsets(["thought", "evidence"]), (Asked.NOTHING, Asked.FIT, Asked.EVIDENCE), (0, 1, 2)
    ):
        told = progress(known | {"situation", "emotion", "intensity"})
        fresh_ones = news(known | {"emotion", "intensity"})
        for fresh, traps, mild in product(fresh_ones, TRAPS, (False, True)):
            if traps and "thought" not in known:
                continue
            memory = Memory(round=round_, asked=asked)
            yield turn(
                Phase.REFRAME,
                reading(act, fresh=fresh),
                known=told,
                memory=memory,
                traps=traps,
                fresh=fresh,
                mild=mild,
            )
    thought = progress(frozenset({"thought"}))
    for first, second in product(Distortion, Distortion):
        if first is not second:
            yield turn(Phase.REFRAME, reading(Act.CONTENT), known=thought, traps=(first, second))
    for topic in Topic:
        for trap in Distortion if topic is Topic.TRAP else (None,):
            read = Reading(act=Act.ASKS, topic=topic, trap=trap)
            yield turn(Phase.REFRAME, read, known=thought, memory=Memory(round=1, asked=Asked.FIT))


def _summing_up() -> Iterator[Turn]:
    """SUMMARY, also forced, and the last turn."""
    details = ("situation", "thought", "emotion", "evidence")
    for act, known, balanced in product(Act, subsets(details), OFFERED):
        for asked, fresh, traps, mild in product(
            (Asked.FIT, Asked.NOTHING), subsets(["evidence"]), TRAPS, (False, True)
        ):
            if not fresh <= known or (traps and "thought" not in known):
                continue
            memory = Memory(balanced=balanced, asked=asked, round=1)
            yield turn(
                Phase.SUMMARY,
                reading(act, fresh=fresh),
                before=Position(phase=Phase.REFRAME, turn=6),
                after=Position(phase=Phase.SUMMARY, turn=7),
                known=progress(known),
                memory=memory,
                traps=traps,
                fresh=fresh,
                mild=mild,
            )
    for trap in Distortion:
        yield turn(
            Phase.SUMMARY,
            reading(Act.CONTENT),
            known=progress(frozenset({"thought"})),
            traps=(trap.value,),
        )
        offered = Memory(balanced=f"reframe/balanced-{trap.value}.6.en", round=1)
        yield turn(Phase.SUMMARY, reading(Act.CONTENT), memory=offered)
    yield from _last_turns()


def _rated() -> Iterator[tuple[Measures, frozenset[str], frozenset[str]]]:
    """Ratings that a message can have given, the details they leave, and what is fresh."""
    scale = (None, 0, 5, 10)
    for before, after, truth, confidence in product(scale, scale, scale, (None, 5)):
        given = any(value is not None for value in (after, truth, confidence))
        known = {"intensity"} if before is not None else set()
        known |= {"after"} if after is not None else set()
        measures = Measures(
            suds_pre=before, suds_post=after, truth=truth, confidence_post=confidence
        )
        yield measures, frozenset(known), frozenset({"ratings"} if given else ())


def _last_turns() -> Iterator[Turn]:
    """The fourteenth turn, after a summary or forced by lowered limits."""
    last = Position(phase=Phase.SUMMARY, turn=LIMITS.max_turns)
    for (measures, known, fresh), more, balanced, mild in product(
        _rated(), subsets(["situation", "thought", "evidence"]), OFFERED, (False, True)
    ):
        yield turn(
            Phase.SUMMARY,
            reading(Act.CONTENT),
            before=Position(phase=Phase.SUMMARY, turn=LIMITS.max_turns - 1),
            after=last,
            known=progress(known | more),
            measures=measures,
            memory=Memory(balanced=balanced, asked=Asked.RATINGS, round=1),
            fresh=fresh,
            mild=mild,
        )
    for act, known, balanced in product(Act, subsets(DETAILS), OFFERED):
        yield turn(
            Phase.SUMMARY,
            reading(act),
            before=Position(phase=Phase.REFRAME, turn=LIMITS.max_turns - 1),
            after=last,
            known=progress(known),
            memory=Memory(balanced=balanced, asked=Asked.FIT, round=1),
        )


RATED = (Measures(), Measures(suds_pre=5, suds_post=5, truth=10))
"""Where what is said matters more than what was rated."""


def _following_up() -> Iterator[Turn]:
    rated_or_not = [each for each in _rated() if each[0] in RATED]
    for act, topic, (measures, known, fresh), left in product(Act, Topic, rated_or_not, range(5)):
        for trap in ("labeling",) if topic is Topic.TRAP else (None,):
            rated = bool(fresh) and left == 3
            yield turn(
                Phase.FOLLOWUP,
                Reading(act=act, topic=topic, trap=trap),
                before=Position(phase=Phase.SUMMARY, turn=6, followups_left=left + (not rated)),
                after=Position(phase=Phase.FOLLOWUP, turn=6 + rated, followups_left=left),
                known=progress(known),
                measures=measures,
                memory=Memory(asked=Asked.RATINGS, round=1),
                fresh=fresh,
            )
    for (measures, known, fresh), left in product(_rated(), range(11)):
        yield turn(
            Phase.FOLLOWUP,
            reading(Act.CONTENT),
            before=Position(phase=Phase.SUMMARY, turn=6, followups_left=left),
            after=Position(phase=Phase.FOLLOWUP, turn=7, followups_left=left),
            known=progress(known),
            measures=measures,
            fresh=fresh,
        )
    for act, rated, left, mild in product(Act, (False, True), range(5), (False, True)):
        for fresh in subsets(["thought", "emotion"]):
            yield turn(
                Phase.FOLLOWUP,
                reading(act, fresh=fresh),
                before=Position(phase=Phase.SUMMARY, turn=6, followups_left=left),
                after=Position(phase=Phase.FOLLOWUP, turn=6 + rated, followups_left=left),
                known=progress(frozenset({"thought", "emotion", "situation", "evidence"})),
                memory=Memory(asked=Asked.FOLLOWUP, round=1, balanced="reframe/balanced-both.1.en"),
                fresh=fresh,
                mild=mild,
            )
    for trap in Distortion:
        read = Reading(act=Act.ASKS, topic=Topic.TRAP, trap=trap.value)
        yield turn(Phase.FOLLOWUP, read)


def _closing() -> Iterator[Turn]:
    for act, mild, before in product(Act, (False, True), Phase):
        yield turn(
            Phase.CLOSED,
            reading(act),
            before=Position(phase=before, turn=8),
            after=Position(phase=Phase.CLOSED, turn=8),
            mild=mild,
        )
