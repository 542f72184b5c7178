"""What the words around a danger make of it.

A negation binds only to the predicate it touches. Whose danger it is, when it was and what it is
about are read from the same clause or sentence, never from another one, with two exceptions: a
story told in an earlier sentence still holds for its characters, and a danger that is told in the
past may be resolved anywhere.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import accumulate

from handrail.domain.risk import Level, Subject
from handrail.rails.crisis.lexicon import Idiom, Rule
from handrail.rails.crisis.normalise import Normal
from handrail.rails.crisis.reading import Found

_STOPS = re.compile(r"[.?]")
_PAUSES = re.compile(r"[.?,\n]")


class Places:
    """Ranges of the text by start; each question about them takes logarithmic time."""

    def __init__(self, ranges: Iterable[tuple[int, int]]) -> None:
        self._ranges = sorted(ranges)
        self.starts = [start for start, _ in self._ranges]
        self._reach = list(accumulate((end for _, end in self._ranges), max))

    def touches(self, start: int) -> bool:
        """Whether a range begins before ``start`` and reaches the word at ``start``."""
        before = bisect_left(self.starts, start)
        return before > 0 and self._reach[before - 1] >= start - 1

    def overlaps(self, start: int, end: int) -> bool:
        """Whether a range shares a character with ``[start, end)``."""
        before = bisect_left(self.starts, end)
        return before > 0 and self._reach[before - 1] > start

    def bridges(self, start: int, end: int) -> bool:
        """Whether a range begins at ``start`` and ends at ``end`` exactly."""
        at = bisect_left(self.starts, start)
        return (start, end) in self._ranges[at : at + 4]

    def last_end(self, start: int) -> int:
        """How far the ranges that begin before ``start`` reach; -1 without any."""
        before = bisect_left(self.starts, start)
        return self._reach[before - 1] if before else -1

    def any_within(self, start: int, end: int) -> bool:
        """Whether a range begins within ``[start, end)``."""
        at = bisect_left(self.starts, start)
        return at < len(self.starts) and self.starts[at] < end

    def __bool__(self) -> bool:
        return bool(self._ranges)


class Scene:
    """One message as one language reads it: its sentences, its clauses, and the cues in it.

    What may lower a danger is looked for in the language of the danger alone, since the words of
    one language look like other words of another; what may raise it is looked for in all.
    """

    def __init__(
        self, normal: Normal, read_cues: Callable[[str], Places], idioms: Sequence[Found[Idiom]]
    ) -> None:
        self._normal = normal
        self._read_cues = read_cues
        self._cues: dict[str, Places] = {}
        self._sentences = _edges(normal.text, _STOPS)
        self._idioms = _by_reason(idioms)

    def cue(self, role: str) -> Places:
        """Where cues of a role stand; they are looked for when first asked about."""
        if role not in self._cues:
            self._cues[role] = self._read_cues(role)
        return self._cues[role]

    def touches(self, role: str, start: int) -> bool:
        """Whether a cue runs right up to ``start``, with no comma or line end before it."""
        return self._normal.text[start - 1 : start] == " " and self.cue(role).touches(start)

    def sentence(self, start: int) -> tuple[int, int]:
        """The sentence around a place."""
        return _around(self._sentences, start)

    def clause(self, start: int) -> tuple[int, int]:
        """The clause around a place."""
        return _around(self._clauses, start)

    @cached_property
    def _clauses(self) -> Sequence[int]:
        return sorted({*_edges(self._normal.text, _PAUSES), *self.cue("connector").starts})

    def quotation(self, start: int) -> tuple[int, int]:
        """The quotation that a place stands in; an empty range outside of one."""
        return self._normal.quotation(start)

    def in_sentence(self, role: str, start: int) -> bool:
        """Whether a cue of the role stands in the sentence around ``start``."""
        return self.cue(role).any_within(*self.sentence(start))

    def in_clause(self, role: str, start: int) -> bool:
        """Whether a cue of the role stands in the clause around ``start``."""
        return self.cue(role).any_within(*self.clause(start))

    def idiom(self, start: int, end: int, kind: str) -> str | None:
        """The reason of an idiom that overlaps a danger of ``kind``."""
        for (reason, kinds), places in self._idioms.items():
            if (not kinds or kind in kinds) and places.overlaps(start, end):
                return reason
        return None


def set_aside(scene: Scene, hit: Found[Rule]) -> str | None:
    """Why a hit is no danger at all, or None."""
    start, end, rule = hit
    reason = None if rule.literal else scene.idiom(start, end, rule.kind)
    if reason:
        return reason
    if not rule.own_negation and _negated(scene, start):
        return "negation"
    if scene.touches("addressed", start):
        return "addressed to another"
    if not rule.literal and _fictional(scene, hit):
        return "fiction"
    if rule.topical and _on_topic(scene, rule, start):
        return "topic"
    return None


def carried_on(scene: Scene, negated_end: int, start: int) -> bool:
    """Whether a negation that ended at ``negated_end`` still holds at ``start``: "… or die"."""
    return scene.cue("coordination").bridges(negated_end + 1, start - 1)


def subject(scene: Scene, hit: Found[Rule]) -> Subject:
    """Whose danger a hit is: what its rule says, else the nearest person before it."""
    start, _, rule = hit
    if rule.subject is Subject.SELF and _reported(scene, start):
        return Subject.THIRD
    if rule.subject is not None:
        return rule.subject
    return Subject.THIRD if third_before(scene, start) else Subject.SELF


def third_before(scene: Scene, start: int) -> bool:
    """Whether the nearest person named before a place, in its sentence, is not the writer."""
    third = scene.cue("third").last_end(start + 1)
    own = scene.cue("self").last_end(start + 1)
    return third >= own and third > scene.sentence(start)[0]


def unclaimed(scene: Scene, hit: Found[Rule]) -> bool:
    """Whether nobody claims what happened: "Robin survived an attempt", no "I" in its sentence.

    Holds only for rules that ask whose danger it is and tell of the past or of a subject matter,
    and never for the first words of a sentence: "want to die" and "been suicidal" are the writer's.
    """
    start, end, rule = hit
    if rule.subject is not None or rule.level is Level.HIGH or not (rule.past or rule.topical):
        return False
    begin = scene.sentence(start)[0]
    return start > begin + 1 and not scene.cue("self").any_within(begin, end)


def level(scene: Scene, hit: Found[Rule], whose: Subject) -> tuple[Level, tuple[str, ...]]:
    """How grave a hit is in its surroundings, and what changed it."""
    start, _, rule = hit
    if whose is Subject.THIRD:
        return _third(scene, start, rule)
    if whose is Subject.OTHER and scene.touches("feared", start):
        return min(rule.level, Level.MODERATE), ("feared, not meant",)
    if rule.past or (scene.touches("formerly", start) and not rule.always):
        return _past(scene, start, rule)
    return rule.level, ()


def trivial(scene: Scene, hit: Found[Rule]) -> bool:
    """Whether an everyday cause is named: for slang in the sentence, else in the clause."""
    if not hit.what.trivial:
        return False
    if hit.what.kind == "slang":
        return scene.in_sentence("trivial", hit.start)
    return scene.in_clause("trivial", hit.start)


def _on_topic(scene: Scene, rule: Rule, start: int) -> bool:
    """Whether a subject matter is talked about, and not what the writer says of themselves.

    "I wrote an essay about it" is; "I think about it in class" is not. A bare mention and a sign
    are subject matter wherever the topic is named.
    """
    topic = scene.cue("topic")
    if rule.bare or rule.level is Level.NONE:
        return bool(topic)
    begin = scene.clause(start)[0]
    own = scene.cue("self").last_end(start)
    if own <= begin:
        return scene.in_clause("topic", start)
    return topic.any_within(begin, start) and own <= topic.last_end(start)


def _third(scene: Scene, start: int, rule: Rule) -> tuple[Level, tuple[str, ...]]:
    """Somebody else's danger: high when it is now, mild when it is over, none when long ago."""
    usual = rule.level if rule.subject is Subject.THIRD else rule.third
    if rule.past and scene.in_sentence("distant", start):
        return Level.NONE, ("third person", "past")
    if rule.past and not scene.in_sentence("recent", start):
        return min(usual, Level.MILD), ("third person", "past")
    if not rule.always and scene.in_sentence("distant", start):
        return min(usual, Level.MILD), ("third person", "past")
    if not rule.past and usual >= Level.MODERATE and scene.in_sentence("now", start):
        return Level.HIGH, ("third person", "now")
    return usual, ("third person",)


def _past(scene: Scene, start: int, rule: Rule) -> tuple[Level, tuple[str, ...]]:
    if scene.cue("resolved"):
        return min(rule.level, Level.MILD), ("past, resolved",)
    if scene.in_sentence("recent", start):
        return rule.level, ()
    if scene.in_sentence("distant", start):
        return min(rule.level, Level.MILD), ("past",)
    return (rule.level if rule.told else min(rule.level, Level.MODERATE)), ("past",)


def _negated(scene: Scene, start: int) -> bool:
    if not scene.touches("negation", start):
        return False
    return not scene.touches("affirmation", start)


def _reported(scene: Scene, start: int) -> bool:
    """Whether somebody else is quoted, with the speaker named before or after the quotation."""
    reported = scene.cue("reported")
    if reported.touches(start):
        return True
    opened, closed = scene.quotation(start)
    before = reported.any_within(scene.sentence(opened)[0], opened)
    return closed > opened and (before or reported.any_within(closed, closed + 2))


def _fictional(scene: Scene, hit: Found[Rule]) -> bool:
    start = hit.start
    fiction = scene.cue("fiction")
    if not fiction:
        return False
    if subject(scene, hit) is Subject.THIRD:
        return fiction.any_within(0, scene.sentence(start)[1])
    opened, closed = scene.quotation(start)
    if closed > opened:
        return fiction.any_within(*scene.sentence(start))
    told = fiction.any_within(scene.clause(start)[0], start)
    return told and scene.cue("self").last_end(start) <= fiction.last_end(start)


def _by_reason(
    idioms: Sequence[Found[Idiom]],
) -> dict[tuple[str, frozenset[str]], Places]:
    groups: defaultdict[tuple[str, frozenset[str]], list[tuple[int, int]]] = defaultdict(list)
    for start, end, idiom in idioms:
        groups[idiom.reason, idiom.kinds].append((start, end))
    return {key: Places(ranges) for key, ranges in groups.items()}


def _edges(text: str, marks: re.Pattern[str]) -> list[int]:
    return [mark.start() for mark in marks.finditer(text)]


def _around(edges: Sequence[int], start: int) -> tuple[int, int]:
    at = bisect_right(edges, start)
    return (edges[at - 1] if at else 0), (edges[at] if at < len(edges) else 1 << 62)
