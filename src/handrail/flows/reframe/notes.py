"""What a message adds to a session: pure, and never more than the words that were written (A61)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from handrail.domain.text import Span
from handrail.flows.reframe.compose import first_words
from handrail.flows.reframe.moves import ASKS
from handrail.flows.reframe.phases import Phase
from handrail.flows.reframe.reading import Act, Asked, Number, Reading
from handrail.flows.reframe.state import Feeling, Kept, Measures, Progress, SessionState

LONGEST_FELT = 40  # code points: "fear and shame", not a sentence that begins and ends with one
SWITCH = 3  # words from which a message may change the language of a session
MOST_QUOTED = 30  # words; 140 code points have some 28, but a person may use very short ones
_RATES = frozenset({Phase.SUMMARY, Phase.FOLLOWUP})
_GATHERS = frozenset({Phase.WARMUP, Phase.CLARIFY})
_MARKS = frozenset(".!?;\n…")
"""What ends a sentence; feelings on two sides of it are not one quote."""


Traps = Callable[[SessionState, str], Sequence[str]]
"""The thinking traps in a thought, in its session."""


def note(
    state: SessionState, reading: Reading, message: str, *, traps: Traps
) -> tuple[SessionState, frozenset[str]]:
    """The session with what the message told, and the names of what is new.

    Names are ``thought``, ``situation``, ``emotion``, ``intensity``, ``evidence`` and ``ratings``.
    """
    taken = _Taken(state, reading, message, traps)
    progress, measures = taken.progress(), taken.measures()
    fresh = frozenset(taken.fresh)
    same = progress.thought == state.progress.thought
    memory = replace(
        state.memory,
        skipped=_skipped(state, reading, fresh),
        traps=state.memory.traps if same else (),
    )
    language, fixed = _language(state, reading, message)
    noted = replace(
        state,
        progress=progress,
        measures=measures,
        memory=memory,
        user_language=language,
        fixed_language=fixed,
    )
    return noted, fresh


class _Taken:
    """One message being taken apart; ``fresh`` collects what is new."""

    def __init__(self, state: SessionState, reading: Reading, message: str, traps: Traps) -> None:
        self.state, self.reading, self.message, self.traps = state, reading, message, traps
        self.number = state.messages + 1
        self.fresh: set[str] = set()

    def progress(self) -> Progress:
        before = self._left()
        progress = replace(
            before,
            thought=self._thought(before),
            situation=self._situation(before),
            emotions=self._emotions(before),
            felt=self._felt() or before.felt,
            evidence=self._evidence(before),
        )
        return self._numbers(progress)

    def _left(self) -> Progress:
        """What is known before the message; nothing where it turns to something else."""
        turns = self.reading.turns and (self.reading.thought or self.reading.situation)
        if turns and self.state.phase in _GATHERS:
            return Progress()
        return self.state.progress

    def _kept(self, span: Span) -> Kept:
        """The words at ``span``, as many as a reply has room to say back."""
        said = first_words(span.of(self.message), MOST_QUOTED)
        return Kept.of(self.message, Span(span.start, span.start + len(said)), self.number)

    def _thought(self, before: Progress) -> Kept | None:
        """The thought to look at: the first, unless a later one shows traps where it shows none,
        or turns against the person.

        A new one is taken up while thoughts are looked at, if it shows traps; without any it is
        rather the other side. Where we are told that we took it wrong, the new one counts.
        """
        span = self.reading.thought
        if span is None or self.state.memory.asked in (Asked.EVIDENCE, Asked.RATINGS):
            return before.thought
        if self.reading.event and before.situation is None and before.thought is None:
            return None  # it is what happened; the thought about it is asked for once more
        kept = self._kept(span)
        if before.thought is None:
            self.fresh.add("thought")
            return kept
        if before.thought.text.casefold() == kept.text.casefold():
            return before.thought
        if self.reading.corrects and self.state.phase is not Phase.FOLLOWUP:
            self.fresh.add("thought")
            return kept
        if not self._traps(kept):
            return before.thought
        match self.state.phase:
            case Phase.REFRAME:
                self.fresh.add("thought")
                return kept
            case Phase.FOLLOWUP:
                self.fresh.add("thought")  # received, but no new round begins
            case _ if self.reading.self_attack or not self._traps(before.thought):
                self.fresh.add("thought")
                return kept
        return before.thought

    def _traps(self, thought: Kept) -> bool:
        return bool(self.traps(self.state, thought.text))

    def _situation(self, before: Progress) -> Kept | None:
        span = self.reading.situation
        if self.reading.event and before.thought is None:
            span = self.reading.thought
        if before.situation is not None or span is None:
            return before.situation
        self.fresh.add("situation")
        return self._kept(span)

    def _emotions(self, before: Progress) -> tuple[Feeling, ...]:
        """The feelings named last come first; a family is kept once."""
        named = [
            Feeling(family=emotion.family, words=self._kept(emotion.span))
            for emotion in self.reading.emotions
        ]
        if named:
            self.fresh.add("emotion")
        families = {feeling.family for feeling in named}
        return (*named, *(old for old in before.emotions if old.family not in families))

    def _felt(self) -> Kept | None:
        """One quote for all feelings of the message where they stand close, else for the first."""
        spans = [emotion.span for emotion in self.reading.emotions]
        if not spans:
            return None
        whole = Span(min(span.start for span in spans), max(span.end for span in spans))
        near = whole.end - whole.start <= LONGEST_FELT and _MARKS.isdisjoint(whole.of(self.message))
        together = len(spans) > 1 and near
        return self._kept(whole if together else spans[0])

    def _evidence(self, before: Progress) -> Kept | None:
        """The other side: as asked for, or in place of a yes or no to the balanced thought."""
        span = self.reading.evidence if self._asked(Asked.EVIDENCE) else None
        if self._asked(Asked.FIT) and "thought" not in self.fresh:
            span = self.reading.beside or self.reading.thought
        if span is None:
            return before.evidence
        self.fresh.add("evidence")
        return self._kept(span)

    def _asked(self, what: Asked) -> bool:
        return self.state.memory.asked is what

    def _numbers(self, progress: Progress) -> Progress:
        intensity, ratings = self.reading.intensity, self.reading.ratings
        if self.state.phase in _RATES:
            after = ratings.anxiety
            return replace(progress, after_words=self._kept(after.span)) if after else progress
        if intensity is None or (
            progress.intensity is not None and not self._asked(Asked.INTENSITY)
        ):
            return progress
        self.fresh.add("intensity")
        words = self._kept(intensity.span)
        return replace(progress, intensity=intensity.value, intensity_words=words)

    def measures(self) -> Measures:
        before, ratings = self.state.measures, self.reading.ratings
        confidence = _value(ratings.confidence)
        if self.state.phase in _RATES:
            given = (ratings.truth, ratings.anxiety, ratings.confidence)
            if any(number is not None for number in given):
                self.fresh.add("ratings")
            return replace(
                before,
                suds_post=_or(_value(ratings.anxiety), before.suds_post),
                confidence_post=_or(confidence, before.confidence_post),
                truth=_or(_value(ratings.truth), before.truth),
            )
        strength = self.reading.intensity
        first = before.suds_pre is None or "intensity" in self.fresh
        return replace(
            before,
            suds_pre=_value(strength) if strength and first else before.suds_pre,
            confidence_pre=_or(confidence, before.confidence_pre),
        )


def _value(number: Number | None) -> int | None:
    return number.value if number else None


def _or(new: int | None, old: int | None) -> int | None:
    return old if new is None else new


def _skipped(state: SessionState, reading: Reading, fresh: frozenset[str]) -> tuple[str, ...]:
    """What will not be asked for again because the person would rather not say."""
    if reading.act is not Act.REFUSES or fresh:
        return state.memory.skipped
    refused = [name for name, (*_, asked) in ASKS.items() if asked is state.memory.asked]
    return tuple(sorted({*state.memory.skipped, *refused}))


def _language(state: SessionState, reading: Reading, message: str) -> tuple[str, bool]:
    """The language to answer in: what was fixed, what was asked for, what the words are in.

    A word or two, such as "eh", change no language that was spoken so far.
    """
    if reading.act is Act.OTHER_LANGUAGE_REQUEST:
        other = "es" if state.user_language == "en" else "en"
        return reading.wants_language or other, True
    brief = state.messages > 0 and len(message.split()) < SWITCH
    if state.fixed_language or reading.language is None or brief:
        return state.user_language, state.fixed_language
    return reading.language, False
