"""How blocks become one text: paragraphs, numbered steps, and nothing but white space between.

Layout characters are digits, a bracket, a bullet and white space; every word comes from a block.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from handrail.domain.reply import Block, BlockKind, Draft, Fragment, Layout

_BULLET = "• "
_CHARACTERS = frozenset(" \n)0123456789•")
_OPENING = frozenset({BlockKind.VALIDATION, BlockKind.REFLECTION})


def is_layout(text: str) -> bool:
    """Whether ``text`` is white space, digits, brackets and bullets alone, and not empty."""
    return bool(text) and _CHARACTERS.issuperset(text)


def _gap(text: str) -> Fragment:
    return Fragment(text, Layout())


def _block(block: Block) -> Iterator[Fragment]:
    for index, sentence in enumerate(block.sentences):
        if index:
            yield _gap(" ")
        yield from sentence.fragments


def render(
    draft: Draft, *, steps_lead: Sequence[Fragment], goal_lead: Sequence[Fragment]
) -> tuple[Fragment, ...]:
    """The fragments of the whole text, in reading order (C43).

    Validation and reflection share the opening paragraph; evidence gets its own; steps are
    numbered under ``steps_lead``; the goal closes behind ``goal_lead``. Bullets stand one a line.
    """
    out: list[Fragment] = []
    step = 0
    previous: BlockKind | None = None
    for block in draft.blocks:
        if out:
            same = previous in _OPENING and block.kind in _OPENING
            follows = block.kind is BlockKind.BULLET or (block.kind is BlockKind.STEP and step > 0)
            out.append(_gap(" " if same else "\n" if follows else "\n\n"))
        if block.kind is BlockKind.STEP:
            step += 1
            if step == 1:
                out += [*steps_lead, _gap("\n")]
            out.append(_gap(f"{step}) "))
        if block.kind is BlockKind.BULLET:
            out.append(_gap(_BULLET))
        if block.kind is BlockKind.GOAL:
            out += [*goal_lead, _gap(" ")]
        out += _block(block)
        previous = block.kind
    return tuple(out)
