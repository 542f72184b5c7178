"""The reader: one message in, one `Reading` out."""

from __future__ import annotations

from handrail.flows.reframe.reading.acts import Heard, denies, done
from handrail.flows.reframe.reading.clauses import told
from handrail.flows.reframe.reading.feelings import feelings
from handrail.flows.reframe.reading.lexicon import Lexicon
from handrail.flows.reframe.reading.message import Message
from handrail.flows.reframe.reading.model import Act, Asked, Language, Ratings, Reading
from handrail.flows.reframe.reading.numbers import Countings
from handrail.flows.reframe.reading.ratings import Figures, figures
from handrail.ports import PatternEngine

LONG = 60
"""Words from which a message is long: more than a reply can take up one by one."""

_OTHER_SIDE = frozenset({Act.CONTENT, Act.YES, Act.PARTLY})
_TELLS = frozenset({Act.CONTENT, Act.WANTS_ADVICE, Act.FRUSTRATED, Act.ASKS_WHO})


class Reader:
    """Reads English and Spanish; pure, without state, linear in the message."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._countings = Countings(lexicon.models)

    @classmethod
    def packaged(cls, engine: PatternEngine) -> Reader:
        """The reader over the packaged files; raises `ContentInvalid` when one is broken."""
        return cls(Lexicon.packaged(engine))

    def warm(self) -> None:
        """Compile every pattern now, so that no message pays for it later."""
        self._lexicon.warm()

    def read(self, message: str, *, asked: Asked = Asked.NOTHING) -> Reading:
        """What ``message`` says in answer to what was ``asked``; never fails."""
        read = Message(message, self._lexicon, asked)
        emotions = feelings(read)
        numbers = figures(read, self._countings[read.language], feels=bool(emotions))
        clauses = told(read)
        act = done(Heard(message=read, told=clauses, figures=numbers, feels=bool(emotions)))
        tells = act.act in _TELLS and not _only_rates(asked, numbers)
        return Reading(
            act=act.act,
            topic=act.topic,
            trap=act.trap,
            situation=clauses.situation if tells else None,
            thought=clauses.thought if tells else None,
            emotions=emotions,
            intensity=numbers.intensity,
            out_of_range=numbers.out_of_range,
            ratings=numbers.ratings,
            evidence=clauses.evidence if act.act is Act.CONTENT else None,
            beside=clauses.beside if act.act in _OTHER_SIDE else None,
            self_attack=clauses.self_attack,
            corrects=clauses.corrects,
            denies=denies(read),
            turns=clauses.turns,
            loss=any(read.said.role("loss")),
            doubts=any(read.said.role("doubts")),
            event=clauses.event,
            long=len(read.tokens) > LONG,
            language=read.language,
            wants_language=act.language,
        )

    def language_of(self, message: str) -> Language | None:
        """The language a message is written in; None where its words do not tell."""
        return Message(message, self._lexicon, Asked.NOTHING).language


def _only_rates(asked: Asked, numbers: Figures) -> bool:
    """Whether the words around a number are about the number."""
    if asked is Asked.INTENSITY:
        return numbers.intensity is not None
    return asked is Asked.RATINGS and numbers.ratings != Ratings()
