"""Which notices stand beside a reply: by the clock, by what was seen, and always when asked."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from handrail.content import CoachContent
from handrail.content.loader import ROOT, load
from handrail.domain.duties import Duties, NoticeState, due
from handrail.domain.outcome import Disclosure
from handrail.ports import PatternEngine
from handrail.rails.protocol.cues import Cues, CuesModel

_FILES = "duties/asked.*.yaml"
_ASKED = "ai-asked"


def packaged_questions(engine: PatternEngine) -> Cues:
    """The ways to ask for a person, in every packaged language; linear in the text."""
    names = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob(_FILES))
    return Cues([load(name, CuesModel) for name in names], engine)


@dataclass(frozen=True, slots=True, kw_only=True)
class Discloser:
    """Reads whether a message asks for a person, and says what is due in reviewed lines.

    ``clock`` is in seconds since 1970. ``suffix`` ends the names of lines that a flow words in its
    own way; where it has none of a notice, the common line is said.
    """

    duties: Duties
    questions: Cues
    content: CoachContent
    clock: Callable[[], float] = time.time
    suffix: str = ""

    def beside(
        self, message: str, *, seen: NoticeState, minor: bool, language: str | None
    ) -> tuple[tuple[Disclosure, ...], NoticeState]:
        """The notices for a reply to ``message``, and the state to bring with the next one.

        They come in the language of the question, else in ``language``, else in English.
        """
        noticed = self.questions.read(message)
        asked = _ASKED in noticed.cues
        tongue = noticed.language if asked else language
        return self._due(asked, seen=seen, minor=minor, language=tongue)

    def unread(
        self, *, seen: NoticeState, minor: bool, language: str | None
    ) -> tuple[tuple[Disclosure, ...], NoticeState]:
        """The same for a message that could not be read: the question may have been in it."""
        return self._due(True, seen=seen, minor=minor, language=language)

    def _due(
        self, asked: bool, *, seen: NoticeState, minor: bool, language: str | None
    ) -> tuple[tuple[Disclosure, ...], NoticeState]:
        kinds, after = due(self.duties, seen, now=self.clock(), minor=minor, asked=asked)
        return tuple(self._said(kind, language or "en") for kind in kinds), after

    def _said(self, name: str, language: str) -> Disclosure:
        if self.content.has_notice(name + self.suffix):
            name += self.suffix
        notice = self.content.notice(name, language)
        tongue = self.content.tongue(name, language)
        return Disclosure(id=notice.id, language=tongue, text=notice.text)
