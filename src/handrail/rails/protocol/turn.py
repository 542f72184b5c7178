"""Our turn after the person's: `advance` is pure and total, and picks moves by the table.

A turn has at most `MAX_SENTENCES` sentences and one question. What does not fit is not counted as
said, so that it may come in a later turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from handrail.rails.crisis.answers import Answer
from handrail.rails.protocol import moves as m
from handrail.rails.protocol.state import Event, Phase, State, Track, in_order
from handrail.rails.protocol.table import TABLE, Row, Then


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The person's turn, read: one event, the answer to our question, and what else was said.

    ``facts`` are answers given without having been asked; ``asides`` are moves that what was said
    calls for, gravest first; ``direct`` says that thoughts of suicide were put in plain words.
    """

    event: Event
    track: Track | None = None
    also: tuple[Track, ...] = ()
    answer: Answer = Answer.NONE
    direct: bool = False
    facts: tuple[tuple[str, Answer], ...] = ()
    asides: tuple[str, ...] = ()
    quiet: bool = False
    wants_numbers: bool = False
    country: str | None = None
    language: str | None = None


class Shows(StrEnum):
    """Which ways to reach people stand beside a turn."""

    NOTHING = "nothing"
    PEOPLE = "people"  # the emergency number and fitting helplines, three at most
    EMERGENCY = "emergency"  # the emergency number alone


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One turn of ours: the state after it, its moves in order, and what is shown beside it."""

    state: State
    moves: tuple[str, ...]
    shows: Shows = Shows.NOTHING
    question: str | None = field(init=False)

    def __post_init__(self) -> None:
        asked = [move for move in self.moves if m.asks(move)]
        object.__setattr__(self, "question", asked[0] if asked else None)


_OPENS = frozenset({Event.IMMINENT, Event.GRAVE, Event.SIGN, Event.METHOD})
_SIGNALS = frozenset({Event.IMMINENT, Event.GRAVE})
_HELD = frozenset({Event.STOP, Event.SILENCE})
_ABOUT_SELF = frozenset({Track.SELF, Track.VOICES, Track.MEDICAL})
_SOFTENED = frozenset({"ack-anger"})
MILDS = 2  # different mild signs that together are asked about (editorial)


def advance(state: State, reading: Reading) -> Turn:
    """Our turn after the person's; the same for the same two arguments."""
    noted = _noted(state, reading)
    event = _event(state, noted, reading)
    row, placed = _placed(noted, reading, event)
    after = replace(placed, phase=row.phase)
    if event in (Event.NO, Event.RETRACT) and row.phase is Phase.DENIED and after.track:
        after = replace(after, closed=in_order({*after.closed, after.track}))
    parts = _Parts(after, reading, row, event)
    return parts.turn(before=state)


def _noted(state: State, reading: Reading) -> State:
    """What the person's turn adds to the facts, whatever comes of it."""
    new = {reading.track, *reading.also} - {None}
    if Track.CHILD in {*state.tracks, *new}:
        new -= {Track.WITNESS}  # a child who is hit is the child's own danger, told once
    state = replace(
        state,
        turn=state.turn + 1,
        tracks=in_order({*state.tracks, *(track for track in new if track)}),
        quiet=state.quiet or (reading.quiet and state.phase is not Phase.CALM),
        country=reading.country or state.country,
        language=reading.language or state.language,
        mild=state.mild + (reading.event is Event.MILD),
    )
    if pending := state.pending:
        answer = _answer(pending, reading)
        missed = answer is Answer.NONE and pending in _ASSESSING and reading.event not in _OPENS
        state = replace(state, unanswered=state.unanswered + 1 if missed else 0)
        if answer is not Answer.NONE:
            state = state.with_fact(pending, answer)
    for question, told in reading.facts:
        state = state.with_fact(question, told)
    return _reopened(state, reading)


def _reopened(state: State, reading: Reading) -> State:
    """Grave words end an earlier no, and a question that went unanswered may be followed up."""
    if state.pending == "ask-again" and state.fact("ask-again") is not Answer.NONE:
        state = state.with_fact("ask-thoughts", state.fact("ask-again"))
    thoughts = state.fact("ask-thoughts")
    if reading.direct and thoughts in (Answer.NONE, Answer.NO):
        state = state.with_fact("ask-thoughts", Answer.YES)
    elif reading.event in _SIGNALS and thoughts is Answer.NO and reading.track is Track.SELF:
        state = state.with_fact("ask-thoughts", Answer.UNSURE)
    return replace(state, unanswered=0) if reading.event in _SIGNALS else state


_ASSESSING = frozenset(question for listed in m.QUESTIONS.values() for question in listed)
_TOLD_BY_DANGER = frozenset(
    {"ask-thoughts", "ask-plan", "ask-means", "ask-harm", "ask-others-plan"}
)


def _answer(pending: str, reading: Reading) -> Answer:
    """The answer to our question; new grave words are a yes to what they were asked about."""
    if reading.answer is not Answer.NONE:
        return reading.answer
    grave = reading.event in _SIGNALS and pending in _TOLD_BY_DANGER
    return Answer.YES if grave else Answer.NONE


def _event(before: State, noted: State, reading: Reading) -> Event:
    """The event, raised where answers together mean danger now, or mild signs add up."""
    facts, known = set(noted.facts), set(before.facts)
    if any(row <= facts and not row <= known for row in m.IMMINENT_WHEN):
        return Event.IMMINENT
    if reading.event is Event.MILD and noted.mild >= MILDS and before.phase is Phase.CALM:
        return Event.SIGN
    denial = m.DENIES.get(noted.track) if noted.track else None
    if before.pending and reading.event is Event.NO and before.phase is Phase.ACTIVE:
        return Event.RETRACT if denial == (before.pending, Answer.NO) else Event.NO
    return reading.event


def _placed(state: State, reading: Reading, event: Event) -> tuple[Row, State]:
    """The row, and the state with the danger that the turn is about.

    A danger that was not talked about yet begins at the beginning, unless a graver one is still
    being asked about; it then waits its turn.
    """
    track = reading.track or state.track or Track.SELF
    busy = state.phase in (Phase.ASKED, Phase.ACTIVE, Phase.IMMINENT)
    opens = event in _OPENS and track is not state.track
    if opens and state.phase is Phase.IMMINENT and event is not Event.IMMINENT:
        opens = False
    if opens and busy and state.track and state.track.rank < track.rank:
        opens = event is Event.IMMINENT
    if opens and track in state.closed and event is not Event.IMMINENT:
        return TABLE[Phase.SUPPORT][event], replace(state, track=track)
    if opens:
        return _suited(TABLE[Phase.CALM][event], track), replace(state, track=track)
    return TABLE[state.phase][event], state


def _suited(row: Row, track: Track) -> Row:
    """A row for a new danger: only some begin with a question whose no settles it."""
    phase = row.phase
    if phase is Phase.ASKED and track not in m.DENIES:
        phase = Phase.ACTIVE
    opening = row.opening
    if opening == "ack-first" and track is not Track.SELF:
        opening = None
    return replace(row, phase=phase, opening=opening)


class _Parts:
    """The moves of one turn, picked so that they fit into `MAX_SENTENCES` and one question."""

    def __init__(self, state: State, reading: Reading, row: Row, event: Event) -> None:
        self._state = state
        self._reading = reading
        self._row = row
        self._event = event

    def turn(self, *, before: State) -> Turn:
        """The turn, and the state in which it has been said."""
        opening = list(self._opening(before))
        follow = self._follow(opening)
        shows = self._shows(before)
        moves = _fitted(opening, self._extras(shows, opening, follow), follow)
        return Turn(state=self._after(moves, shows), moves=moves, shows=shows)

    def _opening(self, before: State) -> Iterator[str]:
        if self._row.then is Then.NOW:
            return
        asides = self._reading.asides[:1]
        replies = [move for move in self._replies(before) if not (asides and m.asks(move))]
        if self._track is Track.MEDICAL:
            replies = [m.FOR_THE_BODY.get(move, move) for move in replies]
        if replies and asides == ("barrier-nobody",):
            asides = ()
        yield from replies
        yield from asides
        if not replies and not asides:
            yield self._words(first=before.turn == 0)
        elif self._row.opening == "method" and "method" not in asides:
            yield "method"

    def _words(self, *, first: bool) -> str:
        opening = self._row.opening or m.FIRST_WORDS[self._track]
        if opening == "ack-more" and self._track in m.PLAIN_FOR:
            return "ack-plain"
        return "hello" if opening == "listen" and first else opening

    def _replies(self, before: State) -> Sequence[str]:
        """What the answer to our question calls for, unless something graver came up."""
        if self._event in {*_OPENS, *_HELD, Event.RETRACT}:
            return ()
        if unasked := self._done_unasked(before):
            return unasked
        if before.pending is None:
            return ()
        told = dict(self._reading.facts).get(before.pending, self._reading.answer)
        return m.REPLIES.get((before.pending, told), ())

    def _done_unasked(self, before: State) -> Sequence[str]:
        """What the person did without having been asked, while it is urgent."""
        if self._state.phase is not Phase.IMMINENT or self._event in _HELD:
            return ()
        for told in self._reading.facts:
            if before.fact(told[0]) is not told[1] and told in m.REPLIES:
                return m.REPLIES[told]
        return ()

    def _follow(self, opening: Sequence[str]) -> Sequence[str]:
        if any(map(m.asks, opening)) or _SOFTENED & set(opening):
            return ()
        match self._row.then:
            case Then.WAIT:
                return self._parting() if self._event is Event.STOP else ()
            case Then.NOW:
                return self._now()
            case Then.AGAIN:
                return self._again()
            case Then.ASK:
                return self._ask()
            case Then.HELP:
                return self._resumed() or self._help()

    def _parting(self) -> Sequence[str]:
        """Something to take along, when somebody leaves."""
        if self._state.phase in (Phase.CALM, Phase.IMMINENT):
            return ()
        left = (move for move in m.PARTING[self._track] if not self._idle(move))
        return [move for move in left if not self._state.count(m.SAME.get(move, move))][:1]

    def _now(self) -> Sequence[str]:
        """All at once the first time; a question only if it was not answered already."""
        moves = [move for move in m.NOW[self._track] if not (m.asks(move) and self._idle(move))]
        alone = self._state.fact("ask-company") is Answer.NO and "ask-company" not in moves
        return [*moves, "keep-company"] if alone and self._track in _ABOUT_SELF else moves

    def _again(self) -> Sequence[str]:
        """A new sign after a no, or after everything was asked: one question more, only once."""
        if self._state.phase is Phase.ACTIVE and self._open(self._track):
            return self._ask()
        again = "ask-changed" if self._state.phase is Phase.ACTIVE else "ask-again"
        if self._state.count(again) or self._state.quiet or self._track not in _ABOUT_SELF:
            self._state = replace(self._state, phase=Phase.SUPPORT)
            return self._help()
        return (again,)

    def _ask(self) -> Sequence[str]:
        if self._state.phase is Phase.IMMINENT:
            questions = m.NOW_QUESTIONS[self._track]
        else:
            questions = m.QUESTIONS[self._track] if self._may_ask() else ()
        for question in questions:
            if not self._idle(question):
                return (question,)
        if self._state.phase is Phase.IMMINENT:
            return self._help()
        closed = in_order({*self._state.closed, self._track})
        self._state = replace(self._state, closed=closed)
        return self._resumed() or self._settled()

    def _settled(self) -> Sequence[str]:
        if self._state.phase in (Phase.ASKED, Phase.ACTIVE):
            self._state = replace(self._state, phase=Phase.SUPPORT)
        return self._help()

    def _resumed(self) -> Sequence[str]:
        """The first question about another danger that was heard and not yet talked about."""
        if self._state.phase not in (Phase.ACTIVE, Phase.SUPPORT, Phase.DENIED):
            return ()
        if self._track not in self._state.closed or not self._may_ask():
            return ()
        for track in self._state.tracks:
            left = self._open(track)
            if track not in self._state.closed and left:
                self._state = replace(self._state, track=track, phase=Phase.ACTIVE)
                return left[:1]
        return ()

    def _open(self, track: Track) -> Sequence[str]:
        """What was not asked yet about a danger."""
        return [q for q in m.QUESTIONS[track] if not self._idle(q)] if self._may_ask() else []

    def _help(self) -> Sequence[str]:
        for move in self._agenda():
            if not (self._idle(move) or self._done(move)):
                calm = self._state.phase is not Phase.IMMINENT
                paired = calm and move in m.PAIRS and not self._idle("ask-willing")
                return (move, "ask-willing") if paired else (move,)
        if self._event in (Event.GRAVE, Event.SIGN) and self._track in _ABOUT_SELF:
            return ("keep-call" if self._state.phase is Phase.IMMINENT else "grave-again",)
        return (self._presence(),)

    def _presence(self) -> str:
        """Nothing is left to offer: stay, and in imminent danger name the number now and then."""
        if self._state.phase is not Phase.IMMINENT:
            return "presence"
        due = self._state.turn % 2 == 0 and not self._done("keep-call")
        return "keep-call" if due else "presence-now"

    def _agenda(self) -> Iterator[str]:
        if self._state.fact("ask-safety-plan") is Answer.YES:
            yield from m.PLAN
        if self._state.phase is Phase.IMMINENT:
            yield from m.NOW_HELP[self._track]
            if set(m.REACHED) & set(self._state.facts):
                yield from (move for move in m.HELP[self._track] if not m.asks(move))
        elif self._state.phase is Phase.DENIED:
            yield from m.DENIED_HELP
        else:
            yield from m.HELP[self._track][:2]
            if self._state.quiet:
                yield "ease"
            yield from m.HELP[self._track][2:]

    def _idle(self, move: str) -> bool:
        """Whether a move was made before, or is a question that is answered or unwanted."""
        if self._state.count(move):
            return True
        if not m.asks(move):
            return False
        answers = dict(self._state.facts)
        known = any(answers.get(asked) is told for asked, told in m.SKIPPED.get(move, ()))
        return known or move in answers or self._state.quiet

    def _done(self, move: str) -> bool:
        question, answer = m.DONE_BY.get(move, ("", Answer.NONE))
        return bool(question) and self._state.fact(question) is answer

    def _may_ask(self) -> bool:
        return not self._state.quiet and self._state.unanswered < m.MAX_UNANSWERED

    def _shows(self, before: State) -> Shows:
        """People when danger is first heard, grows imminent, is asked for, or a country is told."""
        phase = self._state.phase
        if phase is Phase.CALM and not self._reading.wants_numbers:
            return Shows.NOTHING
        first = not before.shown_for
        new_country = bool(self._state.country) and before.shown_for != self._state.country
        turned = phase is Phase.IMMINENT and before.phase is not Phase.IMMINENT
        if first or new_country or turned or self._reading.wants_numbers:
            return Shows.PEOPLE
        return Shows.EMERGENCY if phase is Phase.IMMINENT else Shows.NOTHING

    def _extras(self, shows: Shows, opening: Sequence[str], follow: Sequence[str]) -> Iterator[str]:
        spoken = {*opening, *follow}
        told = any(self._state.count(move) for move in m.AI_MOVES)
        if not told and not spoken & m.AI_MOVES and self._row.then is not Then.NOW:
            yield "ai"
        if shows is Shows.NOTHING:
            return
        if self._state.country is None and not self._state.count("resources-country"):
            yield "resources-country"
        elif shows is Shows.PEOPLE and self._state.phase is not Phase.IMMINENT:
            yield "resources"

    def _after(self, moves: Sequence[str], shows: Shows) -> State:
        said = dict(self._state.said)
        for move in moves:
            said[move] = said.get(move, 0) + 1
        asked = [move for move in moves if m.asks(move)]
        shown = self._state.country or "?" if shows is Shows.PEOPLE else self._state.shown_for
        return replace(
            self._state,
            said=tuple(sorted(said.items())),
            pending=asked[0] if asked else None,
            shown_for=shown,
        )

    @property
    def _track(self) -> Track:
        return self._state.track or Track.SELF


def _fitted(
    opening: Sequence[str], extras: Iterator[str], follow: Sequence[str]
) -> tuple[str, ...]:
    """As much as a person can take in: opening words first, then what follows, then extras."""
    room = m.MAX_SENTENCES - sum(map(m.size, opening))
    kept: list[str] = []
    for move in follow:
        if m.size(move) <= room:
            kept.append(move)
            room -= m.size(move)
    between: list[str] = []
    for move in extras:
        if m.size(move) <= room:
            between.append(move)
            room -= m.size(move)
    if not opening:  # in imminent danger nothing comes before the number
        return (*kept[:1], *between, *kept[1:])
    return (*opening, *between, *kept)
