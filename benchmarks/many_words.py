"""Phrases and sentences that a large invented catalogue and its messages are made of."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from random import Random

_NOUNS = """
arrival bag bedtime bicycle birthday breakfast bus calendar call camp car chore church class
coach coat cousin curfew custody daycare dentist diary dinner doctor doorstep drawing driver
email envelope evening exam exchange fee festival flight form friend game garden grandmother
guitar handover haircut hearing holiday homework hospital house invoice jacket judge key kitchen
landlord lawyer lesson letter library lunch mediator medicine meeting message money morning move
nap neighbour notebook nurse overnight pancake parcel park partner party passport payment phone
photograph piano picnic pickup plan promise puppy receipt record refund report request room
routine rule schedule school screen secret shoe silence sister sleepover snack sofa stepbrother
story suitcase summer support swimming table tablet teacher teenager text ticket timetable
toddler tooth train trip tutor uncle uniform vacation video visit voicemail wedding weekend
winter
"""
_KINDS = """
angry awkward big borrowed broken cancelled cheap cold constant court crowded daily different
double early empty endless extra family final first forgotten half hasty hidden hurried joint
last late local long loud missed missing monthly new noisy old only open other own paid promised
public quiet quick rude second secret shared short silent small sudden sunday surprise tense
tired unpaid urgent usual weekly written wrong
"""
NOUNS, KINDS = _NOUNS.split(), _KINDS.split()
_FAMILIAR = 6_000  # of the phrases, those that people use most; the rest has invented words in it
_CONSONANTS, _VOWELS = "bdfgklmnprstvz", "aeiou"
_SENTENCES = (
    "My ex brought up the {0} again, and then it was about the {1}.",
    "I do not know what to say to the children about the {0}.",
    "Every time there is a {0}, we end up arguing about the {1}.",
    "She says the {0} is my fault because of the {1}.",
    "How do I keep the {0} calm when he talks about the {1}?",
    "Our son came home upset and would only talk about the {0}.",
    "I wrote down what happened with the {0} and the {1}.",
    "Nobody told me about the {0} until the {1} was over.",
    "I need a way to answer a message about the {0}.",
    "We agreed on the {0}, but the {1} was never mentioned.",
    "My daughter asks why the {0} has changed.",
    "They want me to pay for the {0} and for the {1} as well.",
)
WORDS = (10, 80)  # of the shortest message, and about of the longest


class Phrases:
    """``count`` different phrases of one to three words; the n-th is drawn in proportion to
    1 / (n + 10), which is near to how words are spread in texts (Zipf; Mandelbrot's shift).
    """

    def __init__(self, random: Random, count: int) -> None:
        self._random = random
        self.all = _phrases(random, count)
        self._sums = list(accumulate(1 / (rank + 10) for rank in range(1, count + 1)))

    def draw(self, count: int) -> list[str]:
        """That many, which may repeat."""
        return self._random.choices(self.all, cum_weights=self._sums, k=count)

    def sentence(self) -> str:
        """One sentence about one or two phrases."""
        return self._random.choice(_SENTENCES).format(*self.draw(2))

    def message(self, begun: str = "") -> str:
        """What was begun, and sentences; 10 to about 80 words in all."""
        wanted, said = self._random.randint(*WORDS), begun
        while len(said.split()) < max(wanted - 12, WORDS[0]):  # a sentence has 12 words or so
            said = f"{said} {self.sentence()}".strip()
        return said


def _phrases(random: Random, count: int) -> list[str]:
    familiar = [*NOUNS, *(f"{kind} {noun}" for kind in KINDS for noun in NOUNS)]
    random.shuffle(familiar)
    found = dict.fromkeys(familiar[:_FAMILIAR])
    for phrase in _rare(random):
        if len(found) >= count:
            return list(found)[:count]
        found[phrase] = None
    raise AssertionError("rare phrases do not end")


def _rare(random: Random) -> Iterator[str]:
    """Names and terms of somebody's own: one word in five, two in half, else three."""
    while True:
        term = _invented(random)
        kind, noun = random.choice(KINDS), random.choice(NOUNS)
        yield random.choices((term, f"{term} {noun}", f"{kind} {term} {noun}"), (2, 5, 3))[0]


def _invented(random: Random) -> str:
    pairs = range(random.randint(2, 3))
    return "".join(random.choice(_CONSONANTS) + random.choice(_VOWELS) for _ in pairs) + "n"
