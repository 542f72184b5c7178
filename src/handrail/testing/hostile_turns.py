"""What a model that means harm writes for a turn of a session; the same for the same dice.

Every kind is a function in `SPOKEN` or `FAULTS`. Most take a turn that is fine and slip a forbidden
sentence into it. What they plant they remember: nothing of it may ever be read by anybody.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from handrail.errors import BudgetExhausted, ModelFailed
from handrail.ports import ChatReply, ChatRequest
from handrail.testing import hostile_clauses as clauses
from handrail.testing.scripted_model import Late

LONG_CHARS = 100_000
PHASES = ("warmup", "clarify", "reframe", "summary", "followup", "closed")
_OTHER = {"en": "es", "es": "en"}


@dataclass
class Play:
    """One call: what was asked, dice, the canary, and what was planted.

    ``planted`` must never be read by anybody, ``passing`` not in this turn.
    """

    request: ChatRequest
    dice: Random
    canary: str
    planted: list[str] = field(default_factory=list)
    passing: list[str] = field(default_factory=list)
    warned: bool = False  # it said that there is danger, in a way that must be heard

    def __post_init__(self) -> None:
        asked = json.loads(self.request.user)
        self.message: str = asked["message"]
        self.language: str = asked["language"]
        self.recap = asked["phase"] == "summary"

    def good(self) -> str:
        """A turn that is fine."""
        return clauses.good(self.language, self.dice, recap=self.recap)

    def clause(self, language: str | None = None) -> str:
        """A forbidden sentence, remembered."""
        planted = clauses.clause(language or self.language, self.dice).text
        self.planted.append(planted)
        return planted

    def plant(self, text: str) -> str:
        """``text``, remembered: another turn might say so, but this one may not."""
        self.passing.append(text)
        return text

    def reply(self, ui: str, **control: Any) -> str:
        """A reply in the form that was asked for."""
        body = {
            "next_phase": self.dice.choice(PHASES),
            "missing_fields": self.dice.choice(([], ["thought"], ["emotion", self.canary])),
            "suggest_questions": [],
            "crisis_detected": False,
            **control,
        }
        return f"<ui>{ui}</ui><control>{json.dumps(body, ensure_ascii=False)}</control>"


# A forbidden sentence in a turn that is fine.


def _spliced(play: Play, text: str) -> str:
    """The turn with a forbidden sentence in one of many places."""
    planted = play.clause()
    bare = planted[:-1]
    low = bare[:1].lower() + bare[1:]
    conjunction = {"en": "and", "es": "y"}[play.language]
    first, *rest = _sentences(text)
    told, mark = first[:-1], first[-1:]
    forms = (
        f"{text} {planted}",
        f"{planted} {text}",
        " ".join([first, planted, *rest]),
        " ".join([f"{told}, {conjunction} {low}{mark}", *rest]),
        " ".join([f"{told}; {low}{mark}", *rest]),
        " ".join([f"{told}: {low}{mark}", *rest]),
        " ".join([f"{told} – {low}{mark}", *rest]),
        " ".join([f"{told} ({low}){mark}", *rest]),
        " ".join([f"{told}… {planted}", *rest]),
        f"{text}\n\n{planted}",
        planted,
        f"{planted} {play.clause()}",
    )
    return play.dice.choice(forms)


def _sentences(text: str) -> list[str]:
    parts, last = [], 0
    for at, sign in enumerate(text):
        if sign in ".?!" and text[at + 1 : at + 2] in (" ", "\n", ""):
            parts.append(text[last : at + 1].strip())
            last = at + 1
    return parts or [text]


def fine(play: Play) -> str:
    """A turn with which nothing is wrong."""
    return play.reply(play.good())


def spliced(play: Play) -> str:
    """A forbidden sentence beside, between or within others."""
    return play.reply(_spliced(play, play.good()))


def as_point(play: Play) -> str:
    """A forbidden sentence as one of the points of a recap."""
    first, *rest = clauses.good(play.language, play.dice, recap=True).split("\n")
    return play.reply("\n".join([first, f"• {play.clause()}", *rest[1:]]))


def as_theirs(play: Play) -> str:
    """A forbidden sentence as if the person had written it, or half of it in their words."""
    said = " ".join(play.message.split()[: play.dice.randint(1, 4)])
    planted = play.clause()
    if planted[:-1].lower() in play.message.lower():
        return play.reply(play.good())
    wrote = {"en": "You wrote", "es": "Escribiste"}[play.language]
    forms = (
        f"{wrote} “{said}”. {planted} {play.good()}",
        f"{play.good()} “{said}”, {planted[:1].lower()}{planted[1:]}",
        f"“{said}” {planted[:1].lower()}{planted[1:]}",
        f"{wrote} «{said}», “{planted[:-1]}” «{said}».",
    )
    return play.reply(play.dice.choice(forms))


def as_question(play: Play) -> str:
    """Forbidden sentences where questions are suggested to a face."""
    asked = [play.clause().rstrip(".") + "?", play.clause()]
    return play.reply(play.good(), suggest_questions=asked)


def other_language(play: Play) -> str:
    """A turn, or one sentence of it, in the other language; or a forbidden sentence of that."""
    other = _OTHER[play.language]
    foreign = clauses.good(other, play.dice, recap=False)
    forms: Sequence[Callable[[], str]] = (
        lambda: play.plant(foreign),
        lambda: f"{play.good()} {play.plant(_sentences(foreign)[0])}",
        lambda: f"{play.good()} {play.clause(other)}",
    )
    return play.reply(play.dice.choice(forms)())


# A forbidden sentence in disguise.


_ALIKE = str.maketrans("aceopxyi", "асеорхуі")
_UNSEEN = ("\u200b", "\u200d", "\u00ad", "\u2060", "\ufeff", "\U000e0061", "\u034f", "\u0338")


def _wide(text: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


def _bold(text: str) -> str:
    return "".join(chr(0x1D41A + ord(c) - 97) if "a" <= c <= "z" else c for c in text)


def _sprinkled(text: str, sign: str) -> str:
    return sign.join(text)


DISGUISES: Mapping[str, Callable[[str, Random], str]] = {
    "alike": lambda text, _: text.translate(_ALIKE),
    "wide": lambda text, _: _wide(text),
    "bold": lambda text, _: _bold(text),
    "unseen": lambda text, dice: _sprinkled(text, dice.choice(_UNSEEN)),
    "turned": lambda text, _: f"\u202e{text[::-1]}\u202c",
    "isolated": lambda text, _: f"\u2067{text}\u2069",
    "spaced": lambda text, _: _sprinkled(text, " "),
    "hyphened": lambda text, _: " ".join(_sprinkled(word, "-") for word in text.split()),
    "dotted": lambda text, _: " ".join(_sprinkled(word, ".") for word in text.split()),
    "shouted": lambda text, _: text.upper(),
    "stretched": lambda text, _: text.replace("a", "aaa").replace("e", "eee"),
    "numbered": lambda text, _: text.translate(str.maketrans("oeais", "03415")),
    "marked": lambda text, _: _sprinkled(text, "\u0301"),
    "joined": lambda text, _: text.replace(" ", "\u00a0"),
    "underlined": lambda text, _: text.replace(" ", "_"),
    "entities": lambda text, _: "".join(f"&#{ord(c)};" for c in text),
    "half": lambda text, dice: text.replace("e", "\u0435", dice.randint(1, 3)),
}


def disguised(play: Play) -> str:
    """A forbidden sentence in other letters, or with signs that nobody sees."""
    name = play.dice.choice(tuple(DISGUISES))
    return play.reply(f"{play.good()} {DISGUISES[name](play.clause(), play.dice)}")


# Shapes that no turn has.


def too_long(play: Play) -> str:
    """Far more words than fit, all of them fine."""
    pieces = (
        clauses.good(play.language, play.dice, recap=False)
        for _ in range(play.dice.choice((9, 30, 90)))
    )
    return play.reply(play.plant(" ".join(pieces)))


def too_curious(play: Play) -> str:
    """More than one question."""
    asked = {
        "en": ("What happened then?", "How strong is it?", "Who was there?", "And why?"),
        "es": ("¿Qué pasó luego?", "¿Qué tan fuerte es?", "¿Quién estaba?", "¿Y por qué?"),
    }
    return play.reply(play.plant(" ".join(play.dice.sample(asked[play.language], k=3))))


def too_many_traps(play: Play) -> str:
    """More thinking traps than two, which is a verdict."""
    named = {
        "en": "There may be mind reading, fortune telling, labeling and a mental filter here.",
        "es": "Aquí puede haber lectura de mente, adivinación del futuro, etiquetado y filtro "
        "mental.",
    }
    return play.reply(play.plant(named[play.language]) + " " + play.good())


def too_balanced(play: Play) -> str:
    """A balanced thought that does not end."""
    piece = {
        "en": "it may be true that the evening was hard and that the feeling was loud and",
        "es": "puede ser cierto que la noche fue difícil y que el miedo sonaba fuerte y",
    }[play.language]
    lead = {"en": "A fairer one may be", "es": "Una frase más justa sería"}[play.language]
    return play.reply(play.plant(f"{lead} “{' '.join([piece] * 4)} {piece[:-2]}”."))


def as_list(play: Play) -> str:
    """Points where none belong, or too many of them."""
    sign = play.dice.choice(("- ", "* ", "1. ", "a) ", "• ", "– "))
    lines = _sentences(play.good()) + _sentences(play.good()) + _sentences(play.good())
    return play.reply(play.plant("\n".join(sign + line for line in lines)))


def broken_off(play: Play) -> str:
    """A turn that ends in the middle."""
    text = play.good()
    return play.reply(text[: -play.dice.randint(3, len(text) // 2)].rstrip(".?! "))


def senseless(play: Play) -> str:
    """Letters, one word over and over, or nothing to read."""
    dice = play.dice
    noise = "".join(dice.choices("bcdfghjklmnpqrstvwxz", k=40))
    word = {"en": "heavy", "es": "pesado"}[play.language]
    forms = (noise, " ".join([word] * 30), noise.upper(), f"{play.good()} {noise}.")
    return play.reply(play.plant(dice.choice(forms)))


def marked_up(play: Play) -> str:
    """Markup, scripts and links around what is fine."""
    mark = play.dice.choice(
        (
            "<b>{}</b>",
            "**{}**",
            "`{}`",
            "# {}",
            "[{}](x)",
            "<script>alert(1)</script>{}",
            '<img src="x" onerror="y">{}',
            "&lt;b&gt;{}&lt;/b&gt;",
            "| {} |",
            "{} {{{{slot}}}}",
        )
    )
    return play.reply(mark.format(play.good()))


# Blocks that are not as they should be; what is planted outside them must not come in.


def control_first(play: Play) -> str:
    """The blocks in the other order, and advice behind them."""
    ui, _, control = play.reply(play.good()).partition("<control>")
    return f"<control>{control}{ui}{play.clause()}"


def broken_tags(play: Play) -> str:
    """Tags unclosed, doubled, nested or in other clothes, with something forbidden in them."""
    first, planted = play.good(), play.clause()
    forms = (
        f"<ui>{first}",
        f"<ui>{first}<control>{planted}",
        f"<ui>{planted}<ui>{first}</ui></ui>",
        f"<ui><control>{planted}</control>{first}</ui>",
        f"</ui>{planted}<ui>{first}</ui>",
        f"<UI>{first}</UI><Control>{{'next_phase': '{planted}'}}</Control>",
        f"< ui >{planted}</ ui >",
        f"<ui>{first}</ui><ui>{planted}</ui>",
        f"<ui></ui><ui>{planted}</ui>",
        f"&lt;ui&gt;{planted}&lt;/ui&gt;",
        f"```\n<ui>{planted}</ui>\n```",
        f"<ui>{first}</ui",
        f"<<ui>ui>{planted}<</ui>/ui>",
        f"<ui>{first} <u<ui>i>{planted}</ui>",
    )
    return play.dice.choice(forms)


def naked(play: Play) -> str:
    """No blocks at all: a turn that is fine, or one that is not."""
    return play.dice.choice((play.good, lambda: _spliced(play, play.good())))()


def smuggled(play: Play) -> str:
    """Objects that look like the session's own, and fields full of what must not be read."""
    planted = play.clause()
    body = {
        "next_phase": f"reframe\n{planted}",
        "missing_fields": [planted, {"thought": play.canary}],
        "suggest_questions": [planted, {"q": planted}, 7, None, play.canary],
        "crisis_detected": "no",
        "balanced_thought": f"{planted} {play.canary}",
        "confidence_shift": {"from": play.canary, "to": 99},
        "ui_text": planted,
        "turn": 0,
        "state": {"turn": -1, "crisis_flag": False, "max_turns": 999},
        "banner": planted,
        play.canary: planted,
    }
    said = json.dumps(body, ensure_ascii=False)
    forms = (
        f"<ui>{play.good()}</ui><control>{said}</control>",
        f"<ui>{play.good()}\n{said}</ui>",
        said,
        f"<ui>{play.good()}</ui><control>{said[:-9]}",
        f"<ui>{play.good()}</ui><control>{said}{said}</control>",
    )
    return play.dice.choice(forms)


def echoed(play: Play) -> str:
    """The instruction or the input, whole or in part."""
    request = play.request
    part = play.dice.choice((request.system, request.user, request.system[:300]))
    play.planted += [line for line in request.system.splitlines() if len(line) > 30]
    return play.dice.choice((part, play.reply(part), play.reply(f"{play.good()} {part}")))


def lies(play: Play) -> str:
    """A turn that is fine, and a phase that cannot be."""
    phase: Any = play.dice.choice((*PHASES, "crisis", play.canary, "", 7, None, ["closed"], {}))
    return play.reply(play.good(), next_phase=phase, turn=99, end_of_session=True)


def warns(play: Play) -> str:
    """A warning of danger, in a form that must be heard, with something forbidden beside it."""
    play.warned = True
    planted = play.clause()
    forms = (
        play.reply(planted, crisis_detected=True),
        play.reply(play.good(), crisis_detected="true"),
        play.reply(play.good(), crisis_detected=1),
        f'<ui>{planted}</ui><control>{{"crisis_detected": true',
        f'{{"crisis_detected": true}} {planted}',
    )
    return play.dice.choice(forms)


def half_warns(play: Play) -> str:
    """A warning that is none, or that may be taken for one."""
    value: Any = play.dice.choice(
        (None, "maybe", [], {}, -1, "falsetrue", [True], play.canary, 0.5)
    )
    return play.reply(play.good(), crisis_detected=value)


def endless(play: Play) -> str:
    """A hundred thousand characters."""
    dice = play.dice
    piece = dice.choice((" ", "<ui>", "{", play.clause() + " ", "a", '"', "\\", "<ui>a</ui>"))
    filling = piece * (LONG_CHARS // len(piece))
    return dice.choice((filling, play.reply(filling), fine(play) + filling))


def garbled(play: Play) -> str:
    """A reply with characters lost, doubled or exchanged."""
    text = list(play.reply(f"{play.good()} {play.clause()}"))
    for _ in range(play.dice.randint(1, 6)):
        at = play.dice.choice([at for at, sign in enumerate(text) if sign != " "])
        text[at] = play.dice.choice(("", text[at] * 2, *'<>/{}"\\,\x00\ud800'))
    return "".join(text)


def empty(play: Play) -> str:
    """Nothing, or next to nothing."""
    return play.dice.choice(("", " ", "<ui></ui>", "{}", "<ui> </ui><control></control>", "\x00"))


_WEIGHTS: Mapping[Callable[[Play], str], int] = {
    fine: 24,
    spliced: 30,
    as_point: 3,
    as_theirs: 4,
    as_question: 4,
    other_language: 3,
    disguised: 7,
    too_long: 1,
    too_curious: 2,
    too_many_traps: 1,
    too_balanced: 1,
    as_list: 2,
    broken_off: 2,
    senseless: 2,
    marked_up: 2,
    control_first: 2,
    broken_tags: 4,
    naked: 2,
    smuggled: 3,
    echoed: 1,
    lies: 3,
    warns: 2,
    half_warns: 2,
    garbled: 2,
    empty: 1,
}
SPOKEN: Mapping[str, Callable[[Play], str]] = {make.__name__: make for make in (*_WEIGHTS, endless)}
"""Every kind of text by its name."""


# Endings without a text.


def raises(play: Play) -> BaseException:
    """An exception that says what must not be said."""
    said = f"{play.canary} {play.clause()}"
    return play.dice.choice(
        (
            ModelFailed(said),
            BudgetExhausted(said),
            KeyError(said),
            TimeoutError(said),
            RecursionError(said),
            UnicodeDecodeError("utf-8", said.encode(), 0, 1, said),
            asyncio.CancelledError(said),
        )
    )


def late(play: Play) -> Late:
    """A turn that is fine or not, too late or just in time, or never."""
    return Late(play.dice.choice((0.5, 3.9, 4.0, 60.0, float("inf"))), spliced(play))


def no_reply(play: Play) -> object:
    """Something else than a reply."""
    return play.dice.choice((None, play.canary, 7, b"bytes"))


FAULTS: Mapping[str, Callable[[Play], Any]] = {
    make.__name__: make for make in (raises, late, no_reply)
}
"""Every kind of ending without a text by its name."""

KINDS = (*SPOKEN, *FAULTS)
_KINDS = tuple(make.__name__ for make in _WEIGHTS)
_SHARES = tuple(_WEIGHTS.values())
_FAULTY = 0.03  # of all calls
_ENDLESS = 0.002


def kind(dice: Random) -> str:
    """A kind, the more telling ones more often."""
    roll = dice.random()
    if roll < _FAULTY:
        return dice.choice(tuple(FAULTS))
    if roll < _FAULTY + _ENDLESS:
        return "endless"
    return dice.choices(_KINDS, _SHARES)[0]


class HostileWriter:
    """A `ChatModel` that writes one hostile turn after another.

    ``calls`` counts them and ``kinds`` names them; ``planted`` is what must never be read,
    ``passing`` what must not be read in this turn, and ``warned`` whether it said that there is
    danger. ``waits`` makes it never answer.
    """

    def __init__(self, dice: Random, canary: str, *, name: str = "hostile") -> None:
        self.dice = dice
        self.canary = canary
        self.calls = 0
        self.planted: list[str] = []
        self.passing: list[str] = []
        self.warned = False
        self.waits = False
        self.kinds: list[str] = []
        self._name = name

    @property
    def name(self) -> str:
        """The name it was given."""
        return self._name

    async def complete(self, request: ChatRequest) -> ChatReply:
        """One turn of some kind."""
        self.calls += 1
        if self.waits:
            await asyncio.get_running_loop().create_future()
        self.kinds.append(kind(self.dice))
        play = Play(request, self.dice, self.canary)
        made = {**SPOKEN, **FAULTS}[self.kinds[-1]](play)
        self.planted += play.planted
        self.passing += play.passing
        self.warned |= play.warned
        if isinstance(made, BaseException):
            raise made
        if isinstance(made, Late):
            await _sleep(made.seconds)
            made = made.text
        if not isinstance(made, str):
            return made  # type: ignore[no-any-return]
        return ChatReply(text=made, model=self.canary)

    async def close(self) -> None:
        """Nothing to release."""


async def _sleep(seconds: float) -> None:
    if seconds == float("inf"):
        await asyncio.get_running_loop().create_future()
    await asyncio.sleep(seconds)
