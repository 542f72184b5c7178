"""The crisis screen: a message in, a `Risk` out, before any model has seen the message."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from handrail.domain.risk import Dismissal, Level, Risk, Signal, Subject
from handrail.errors import ContentInvalid
from handrail.ports import PatternEngine
from handrail.rails.crisis import scope
from handrail.rails.crisis.ear import Ear
from handrail.rails.crisis.lexicon import Cue, Lexicon, Rule, Sum
from handrail.rails.crisis.normalise import Normal, Normaliser
from handrail.rails.crisis.reading import Found, Index, Sentence, Shelf
from handrail.rails.crisis.scope import Places, Scene
from handrail.rails.crisis.spelling import Speller
from handrail.rails.crisis.sums import totals

_REACHING = ("negation", "addressed to another")  # hold for a longer phrase with the same end
_RAISING = {"now", "recent", "loss", "affirmation"}
_KEPT_PER_RULE = 20  # a message may say one thing a million times; the verdict needs it once


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What earlier messages of a conversation tell about this one.

    ``heard`` are kinds of danger and cues that count as present for rules that need one beside
    them; ``told`` are kinds of danger that were told of somebody else, who may be meant again.
    Neither lowers the level of a message.
    """

    heard: frozenset[str] = frozenset()
    told: frozenset[str] = frozenset()


_ALONE = Context()


class Message(NamedTuple):
    """A message in normal form, and its sentences."""

    normal: Normal
    sentences: Sequence[Sentence]


class CrisisScreen:
    """Reads every message in every language it has a lexicon for.

    ``ear`` hears what only a conversation shows; see `conversation`. Deterministic, without state
    between messages, and linear in the length of the message. Raises `ContentInvalid` when there
    is no lexicon: a screen that knows nothing must not say "no risk".
    """

    def __init__(
        self, lexicons: Iterable[Lexicon], engine: PatternEngine, ear: Ear | None = None
    ) -> None:
        self.lexicons = tuple(lexicons)
        self.ear = ear or Ear((), engine)
        if not any(lexicon.rules for lexicon in self.lexicons):
            raise ContentInvalid("The crisis screen has no lexicon with rules; it cannot screen.")
        self._normalise = Normaliser(_speller(self.lexicons))
        self._index = Index(engine)
        self._rules = self._index.shelve([r for each in self.lexicons for r in each.rules])
        self._sums = [total for each in self.lexicons for total in each.sums]
        self._needed = frozenset(n for each in self.lexicons for r in each.rules for n in r.needs)
        self._idioms = self._index.shelve([i for each in self.lexicons for i in each.idioms])
        self._cues = _by_role_and_language(
            [c for each in self.lexicons for c in each.cues], self._index
        )

    def compile_all(self) -> None:
        """Compile every pattern now, as a server does before its first message."""
        self.ear.compile_all()
        self._rules.compile_all()
        self._idioms.compile_all()
        for cues in self._cues.values():
            cues.compile_all()

    def check(self, text: str, context: Context = _ALONE) -> Risk:
        """The verdict on one message; spans count code points of ``text``."""
        return self.judge(self.read(text), context)

    def read(self, text: str) -> Message:
        """The message as `judge` and `company` take it, so that its text is read once."""
        normal = self._normalise(text)
        return Message(normal, self._index.open(normal.text))

    def company(self, message: Message) -> frozenset[str]:
        """The cues that a rule may need beside it, in this message or in a later one."""
        return frozenset(
            role
            for (role, _), cues in self._cues.items()
            if role in self._needed and cues.read(message.sentences)
        )

    def judge(self, message: Message, context: Context = _ALONE) -> Risk:
        """The verdict on a message that was read."""
        normal, sentences = message
        hits = self._rules.read(sentences)
        if not hits:
            return Risk()
        idioms = self._idioms.read(sentences)
        scenes = {
            language: Scene(
                normal,
                partial(self._places, sentences, language),
                [found for found in idioms if found.what.language == language],
            )
            for language in {hit.what.language for hit in hits}
        }
        return _Judgement(normal, scenes, context).over(hits, self._sums)

    def _places(self, sentences: Sequence[Sentence], language: str, role: str) -> Places:
        """Where a cue stands: those that may raise a level in any language, others in this one."""
        heard = [each.language for each in self.lexicons] if role in _RAISING else [language]
        shelves = (self._cues.get((role, spoken)) for spoken in heard)
        return Places(
            (start, end)
            for cues in shelves
            if cues is not None
            for start, end, _ in cues.read(sentences)
        )


class _Judgement:
    """Weighs the hits of one message."""

    def __init__(self, normal: Normal, scenes: Mapping[str, Scene], context: Context) -> None:
        self._normal = normal
        self._scenes = scenes
        self._heard = context.heard
        self._told = set(context.told)
        self._found: list[tuple[Found[Rule], Subject]] = []  # signs included
        self._signals: list[tuple[Signal, bool]] = []  # and whether an everyday cause is beside it
        self._dismissed: list[Dismissal] = []
        self._kept: Counter[tuple[str, str, Level]] = Counter()

    def over(self, hits: Sequence[Found[Rule]], sums: Sequence[Sum]) -> Risk:
        """The risk that the hits of the message come to."""
        hits = list(_without_covered(hits))
        reasons = self._reasons(hits)
        for hit, reason in zip(hits, reasons, strict=True):
            if not hit.what.needs:
                self._weigh(hit, reason)
        present = {hit.what.kind for hit, _ in self._found}
        for hit, reason in zip(hits, reasons, strict=True):
            if hit.what.needs:
                met = self._met(hit.what.needs, present)
                self._weigh(hit, reason if met or reason else "nothing beside it")
        self._add_up(sums)
        return self._risk()

    def _add_up(self, sums: Sequence[Sum]) -> None:
        """Signals for every sum that is reached: each of its signs, on the level of the sum."""
        third = [hit for hit, whose in self._found if whose is Subject.THIRD]
        own = [hit for hit, whose in self._found if whose is not Subject.THIRD]
        for found, theirs in ((own, False), (third, True)):
            wanted = [each for each in sums if (each.subject is Subject.THIRD) is theirs]
            for total, parts in totals(wanted, found):
                self._signals += [(self._part(total, hit), False) for hit in parts]

    def _part(self, total: Sum, hit: Found[Rule]) -> Signal:
        return Signal(
            rule=total.id,
            kind=total.kind,
            level=total.level,
            span=self._normal.span(hit.start, hit.end),
            language=total.language,
            subject=total.subject,
            notes=("adds up", hit.what.id),
        )

    def _reasons(self, hits: Sequence[Found[Rule]]) -> Sequence[str | None]:
        """Why each hit is set aside, or None; a negation reaches the phrases that end in it."""
        reasons: list[str | None] = []
        negated: list[tuple[int, int]] = []
        latest = -1
        for hit in hits:
            scene = self._scenes[hit.what.language]
            reason = scope.set_aside(scene, hit)
            if reason is None and not hit.what.own_negation:
                carried = scope.carried_on(scene, latest, hit.start)
                reason = "negation" if carried else None
            if reason in _REACHING:
                negated.append((hit.start, hit.end))
                latest = max(latest, hit.end)
            reasons.append(reason)
        within = partial(_negated_within, Places(negated))
        reasons = [
            "negation" if reason is None and within(hit) else reason
            for hit, reason in zip(hits, reasons, strict=True)
        ]
        return self._given_to_others(hits, reasons)

    def _given_to_others(
        self, hits: Sequence[Found[Rule]], reasons: Sequence[str | None]
    ) -> Sequence[str | None]:
        """The reasons, with one for the writer's dangers that another's attempt is told in.

        "my friend, who attempted to commit suicide": the shorter phrase names no person, the
        longer one does, and between them nobody else is named.
        """
        told = Places(
            (hit.start, hit.end)
            for hit, reason in zip(hits, reasons, strict=True)
            if reason is None and hit.what.subject is Subject.THIRD and hit.what.past
        )
        return [
            "somebody else's" if reason is None and self._is_others(hit, told) else reason
            for hit, reason in zip(hits, reasons, strict=True)
        ]

    def _is_others(self, hit: Found[Rule], told: Places) -> bool:
        if hit.what.subject is not Subject.SELF or told.last_end(hit.start) < hit.end:
            return False
        return scope.third_before(self._scenes[hit.what.language], hit.start)

    def _met(self, needs: frozenset[str], present: set[str]) -> bool:
        return bool(needs & (present | self._heard)) or any(
            scene.cue(need) for scene in self._scenes.values() for need in needs
        )

    def _weigh(self, hit: Found[Rule], reason: str | None) -> None:
        if reason is None:
            self._signal(hit)
        else:
            self._dismiss(hit, reason)

    def _dismiss(self, hit: Found[Rule], reason: str) -> None:
        rule = hit.what
        if self._keeps(rule, reason, Level.NONE):
            span = self._normal.span(hit.start, hit.end)
            dismissal = Dismissal(rule=rule.id, kind=rule.kind, span=span, reason=reason)
            self._dismissed.append(dismissal)

    def _signal(self, hit: Found[Rule]) -> None:
        rule = hit.what
        scene = self._scenes[rule.language]
        whose = scope.subject(scene, hit)
        if rule.level is Level.NONE:
            self._sign(hit, whose)
            return
        level, notes = scope.level(scene, hit, whose)
        if whose is Subject.SELF and rule.kind in self._told and scope.unclaimed(scene, hit):
            whose, notes = Subject.THIRD, (*notes, "told of somebody else before")
        if whose is Subject.THIRD:
            self._told.add(rule.kind)
        if level is Level.NONE:
            self._dismiss(hit, "history" if whose is Subject.THIRD else "past")
            return
        trivial = scope.trivial(scene, hit)
        if not trivial:
            self._found.append((hit, whose))
        if self._keeps(rule, "trivial" if trivial else "", level):
            signal = Signal(
                rule=rule.id,
                kind=rule.kind,
                level=level,
                span=self._normal.span(hit.start, hit.end),
                language=rule.language,
                subject=whose,
                notes=notes,
            )
            self._signals.append((signal, trivial))

    def _sign(self, hit: Found[Rule], whose: Subject) -> None:
        """Keep a sign that is its subject's own; no danger yet."""
        if whose is hit.what.subject:
            self._found.append((hit, whose))

    def _keeps(self, rule: Rule, reason: str, level: Level) -> bool:
        self._kept[rule.id, reason, level] += 1
        return self._kept[rule.id, reason, level] <= _KEPT_PER_RULE

    def _risk(self) -> Risk:
        signals = self._with_trivial_causes()
        gravest = max((signal.level for signal in signals), default=Level.NONE)
        by_gravity = sorted(signals, key=lambda signal: (-signal.level, signal.span))
        return Risk(
            level=gravest,
            kinds=tuple(dict.fromkeys(signal.kind for signal in by_gravity)),
            signals=tuple(signals),
            dismissed=tuple(self._dismissed),
        )

    def _with_trivial_causes(self) -> list[Signal]:
        """The signals, sunk to mild where each serious one stands beside an everyday cause."""
        grave = any(
            signal.level >= Level.MODERATE and not trivial for signal, trivial in self._signals
        )
        return [
            _sunk(signal) if trivial and not grave else signal for signal, trivial in self._signals
        ]


def _negated_within(negated: Places, hit: Found[Rule]) -> bool:
    """Whether the last predicate of a long phrase is negated: "he denied wanting to die"."""
    start, end, rule = hit
    ends_so = negated.any_within(start + 1, end) and negated.last_end(end) >= end
    return ends_so and not rule.own_negation


def _without_covered(hits: Sequence[Found[Rule]]) -> Iterator[Found[Rule]]:
    """The hits but for bare ones that a fuller phrase lies over."""
    full = Places((start, end) for start, end, rule in hits if not rule.bare)
    for hit in hits:
        if not (hit.what.bare and full.overlaps(hit.start, hit.end)):
            yield hit


def _by_role_and_language(cues: Sequence[Cue], index: Index) -> dict[tuple[str, str], Shelf[Cue]]:
    return {(cue.role, cue.language): index.shelve([cue]) for cue in cues}


def _sunk(signal: Signal) -> Signal:
    return replace(
        signal, level=min(signal.level, Level.MILD), notes=(*signal.notes, "trivial cause")
    )


def _speller(lexicons: Sequence[Lexicon]) -> Speller:
    return Speller(
        words=frozenset[str]().union(*(lexicon.words for lexicon in lexicons)),
        stems=frozenset[str]().union(*(lexicon.stems for lexicon in lexicons)),
        guarded=frozenset[str]().union(*(lexicon.guarded for lexicon in lexicons)),
        sounding=[lexicon.sounding for lexicon in lexicons if lexicon.sounding],
    )
