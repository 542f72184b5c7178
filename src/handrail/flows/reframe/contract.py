"""The contract of a model's turn: ``<ui>…</ui><control>{json}</control>`` (A17-A20, A41, A45, A62).

`enforce_ui_contract` puts it into an instruction, `parse` reads what came back. Parsing raises for
no string, takes linear time and keeps whatever can be kept; what it set right it names as faults.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from handrail.calls import Prompt
from handrail.domain.text import canonical
from handrail.errors import InvalidInput
from handrail.flows.reframe.control import (
    FIELDS,
    KEYS,
    MAX_QUESTIONS,
    PHASES,
    ConfidenceShift,
    Control,
    read_control,
    warns,
)
from handrail.flows.reframe.limits import SUMMARY_LIMIT, WORD_LIMIT

__all__ = ["ConfidenceShift", "Control", "Parsed", "enforce_ui_contract", "parse", "render"]

MAX_READ = 200_000  # characters of a reply that are read; the rest is cut off and named a fault
_BEGIN, _END = "--- contract of the reply ---", "--- end of the contract ---"
_LANGUAGES = {"en": "English", "es": "Spanish (neutral, with tú)"}
_ASKS = {
    "reframe": "at most one question, and it may stay out",
    "summary": "exactly one question, which asks for all the ratings at once",
    "followup": "at most one question, better none",
    "closed": "no question",
}
_TAG = re.compile(r"<[\s/]*(ui|control)\b[^<>]*>", re.IGNORECASE)
_FENCE = re.compile(r"(?m)^[ \t]*(?:```|~~~)[\w-]*[ \t]*$\n?")
_SLOT = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Parsed:
    """A model's turn: text for the person, control if any could be read, and what was wrong."""

    ui: str
    control: Control | None
    faults: tuple[str, ...] = ()


def enforce_ui_contract(
    instruction: str, *, phase: str, language: str, words: int | None = None
) -> str:
    """``instruction`` with the contract below it, once however often it is wrapped.

    ``words`` is the most that the text may have, by default that of the phase. Raises
    `InvalidInput` for an unknown phase or language.
    """
    if phase not in PHASES or language not in _LANGUAGES:
        raise InvalidInput(f"no contract for phase {phase!r} in language {language!r}")
    summary = phase == "summary"
    values = {
        "phase": phase,
        "language_name": _LANGUAGES[language],
        "words": str(words or (SUMMARY_LIMIT if summary else WORD_LIMIT)),
        "questions": _ASKS.get(phase, "exactly one question"),
        "bullets": " other than the three bullets" if summary else "",
        "phases": ", ".join(f"`{name}`" for name in PHASES),
        "fields": ", ".join(f"`{name}`" for name in FIELDS),
        "most_questions": str(MAX_QUESTIONS),
    }
    text = Prompt.load("handrail.flows.reframe", "contract.md").text
    filled = _SLOT.sub(lambda slot: values.get(slot[1], slot[0]), text)
    return f"{_unwrapped(instruction)}\n\n{_BEGIN}\n{filled.strip()}\n{_END}\n"


def _unwrapped(instruction: str) -> str:
    start, end = instruction.find(_BEGIN), instruction.rfind(_END)
    if 0 <= start < end:
        instruction = instruction[:start] + instruction[end + len(_END) :]
    return instruction.strip()


def render(ui: str, control: Control) -> str:
    """Exactly the two blocks; `parse` gives back what `parse` gave before."""
    body = json.dumps(control.to_json(), ensure_ascii=False)
    for sign in "<>&":
        body = body.replace(sign, f"\\u{ord(sign):04x}")
    return f"<ui>{html.escape(ui, quote=False)}</ui>\n<control>{body}</control>"


def parse(text: str) -> Parsed:
    """What a model wrote, as far as it can be read.

    Faults: too-long, fenced, missing-ui, duplicated-ui, unclosed-ui, stray-ui (and the same for
    control), control-first, control-outside, outside-text, and those of `read_control`. A warning
    is heard wherever it stands (A59).
    """
    faults = ["too-long"] if len(text) > MAX_READ else []
    whole = text
    text = text[:MAX_READ]
    plain = _FENCE.sub("", text)
    faults += ["fenced"] if plain != text else []
    blocks = _Blocks(plain)
    control, control_faults = _control(blocks)
    faults += [*blocks.faults, *control_faults]
    if warns(whole) or warns(html.unescape(text)):
        control = replace(control or Control(), crisis_detected=True)
    return Parsed(_clean(blocks.ui), control, tuple(dict.fromkeys(faults)))


class _Blocks:
    """A reply taken apart at its tags, whatever order and number they come in."""

    def __init__(self, text: str) -> None:
        self.faults: list[str] = []
        self._found: dict[str, list[str]] = {"ui": [], "control": [], "": []}
        order = list(self._walk(text))
        outside = "".join(self._found[""]).strip()
        if not self._found["ui"]:
            self.faults.append("missing-ui")
        elif outside:
            self.faults.append("outside-text")
        if "ui" in order and order.index("ui") > 0:
            self.faults.append("control-first")
        self.faults += [f"duplicated-{name}" for name in ("ui", "control") if order.count(name) > 1]
        self.controls: Sequence[str] = self._found["control"]
        self.outside = outside
        self.ui = next((each for each in self._found["ui"] if each.strip()), "")
        if not self._found["ui"]:
            self.ui = outside

    def _walk(self, text: str) -> Iterator[str]:
        """Sort the text into its blocks; gives their names in order."""
        inside, last = "", 0
        for tag in _TAG.finditer(text):
            name, closes = tag[1].lower(), "/" in tag[0][: tag.start(1) - tag.start()]
            piece, last = text[last : tag.start()], tag.end()
            if closes and inside != name:
                self.faults.append(f"stray-{name}")
            elif not closes and inside:
                self.faults.append(f"unclosed-{inside}")
            owner = inside or (name if closes and not self._found[name] else "")
            self._found[owner].append(piece)
            if owner:
                yield owner
            inside = "" if closes else name
        self._found[inside].append(text[last:])
        if inside:
            self.faults.append(f"unclosed-{inside}")
            yield inside


def _control(blocks: _Blocks) -> tuple[Control | None, Sequence[str]]:
    """The first block that can be read; one outside its tags where there is none in them."""
    faults: list[str] = []
    for block in blocks.controls:
        control, found = read_control(
            _FENCE.sub("", html.unescape(block) if "&" in block else block)
        )
        faults += found
        if control is not None:
            return control, found
    for place in (blocks.outside, blocks.ui):
        for piece, is_control in _braced(html.unescape(place)):
            if is_control:
                control, found = read_control(piece)
                return control, [*faults, "control-outside", *found]
    return None, faults or ["missing-control"]


def _clean(ui: str) -> str:
    """Text for a person: entities decoded once, no tag, no fence, no control object."""
    text = _FENCE.sub("", canonical(html.unescape(ui)))
    text = _TAG.sub(" ", text)
    if _TAG.search(text):
        text = text.replace("<", " ").replace(">", " ")
    kept = (("\n" if is_control else piece) for piece, is_control in _braced(text))
    return canonical("".join(kept))


def _braced(text: str) -> Iterator[tuple[str, bool]]:
    """The text in pieces, in order, and whether each is an object with a control field."""
    depth = last = 0
    for match in re.finditer(r"[{}]", text):
        if match[0] == "{":
            if depth == 0:
                yield text[last : match.start()], False
                last = match.start()
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                yield _told(text[last : match.end()])
                last = match.end()
    yield _told(text[last:]) if depth else (text[last:], False)


def _told(piece: str) -> tuple[str, bool]:
    return piece, any(key in piece for key in KEYS)
