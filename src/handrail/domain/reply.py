"""What a reply is made of: every character belongs to a fragment, every fragment has its proof."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from handrail.domain.text import Case, Passage, Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Quoted:
    """Verbatim text of a stored answer: ``case.response[span] == fragment.text``."""

    case_id: str
    sent_id: int
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Vetted:
    """Piece ``piece`` of a reviewed line; a line with slots has one piece around each slot."""

    item_id: str
    piece: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Echo:
    """The person's own words: ``message[span] == fragment.text``.

    ``number`` counts the person's messages of a conversation from 1; None is the one answered.
    """

    span: Span
    number: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """White space, list numbers and bullets between blocks; never a word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contracted:
    """Model text that passed a written contract, with the passages that it cites."""

    contract: str
    passage_ids: tuple[str, ...]


Provenance: TypeAlias = Quoted | Vetted | Echo | Layout | Contracted


@dataclass(frozen=True, slots=True)
class Fragment:
    """A run of characters with one provenance."""

    text: str
    provenance: Provenance


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence as a person reads it, in fragments."""

    fragments: tuple[Fragment, ...]

    @property
    def text(self) -> str:
        """The sentence as one string."""
        return "".join(fragment.text for fragment in self.fragments)

    @property
    def quotes(self) -> tuple[Fragment, ...]:
        """The fragments that quote a stored text."""
        return tuple(f for f in self.fragments if isinstance(f.provenance, Quoted))


class BlockKind(StrEnum):
    """What a block is for; steps and goals stand only on evidence (C33, resolution 3)."""

    VALIDATION = "validation"
    REFLECTION = "reflection"
    EVIDENCE = "evidence"
    STEP = "step"
    GOAL = "goal"
    NOTICE = "notice"
    SPEECH = "speech"  # a paragraph of a conversation
    BULLET = "bullet"


NEEDS_EVIDENCE = frozenset({BlockKind.EVIDENCE, BlockKind.STEP, BlockKind.GOAL})


@dataclass(frozen=True, slots=True)
class Block:
    """Sentences that stand or fall together: a step goes when its justification goes."""

    kind: BlockKind
    sentences: tuple[Sentence, ...]

    @property
    def quotes(self) -> tuple[Fragment, ...]:
        """Every quoting fragment of the block."""
        return tuple(quote for sentence in self.sentences for quote in sentence.quotes)

    @property
    def claims(self) -> tuple[Fragment, ...]:
        """Every fragment that a model wrote under a contract."""
        every = (f for sentence in self.sentences for f in sentence.fragments)
        return tuple(f for f in every if isinstance(f.provenance, Contracted))


@dataclass(frozen=True, slots=True)
class Draft:
    """An ungated reply; only `handrail.rails.release` turns it into an outcome."""

    blocks: tuple[Block, ...]

    def sentences(self) -> Iterator[Sentence]:
        """Every sentence, in reading order."""
        for block in self.blocks:
            yield from block.sentences


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """One quotable sentence as a model may see it; ``shown`` is at most 200 characters."""

    case_id: str
    sent_id: int
    span: Span
    text: str
    shown: str
    similarity: float


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceBundle:
    """All that may be cited in one reply: the cases and the snippets that passed the denylist.

    ``passages`` are what text under a contract may cite.
    """

    cases: tuple[Case, ...]
    snippets: tuple[Snippet, ...]
    passages: tuple[Passage, ...] = ()
    _by_ref: Mapping[tuple[str, int], Snippet] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        index = {(s.case_id, s.sent_id): s for s in self.snippets}
        object.__setattr__(self, "_by_ref", index)

    def find(self, case_id: str, sent_id: int) -> Snippet | None:
        """The snippet, or None for a reference that was never shown (C65: never clamped)."""
        return self._by_ref.get((case_id, sent_id))

    def case(self, case_id: str) -> Case | None:
        """The bundle's case with this id, or None."""
        return next((case for case in self.cases if case.id == case_id), None)

    def passage(self, passage_id: str) -> Passage | None:
        """The bundle's passage with this id, or None."""
        return next((passage for passage in self.passages if passage.id == passage_id), None)
