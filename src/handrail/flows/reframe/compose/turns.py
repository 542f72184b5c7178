"""What each phase says (A26): one function a phase, chosen by where the reply stands."""

from __future__ import annotations

from handrail.flows.reframe.compose import summary
from handrail.flows.reframe.compose.plan import Draftsman, Keep, Plan, Say, Turn
from handrail.flows.reframe.compose.summary import BOTH, INVITES, LEFT, balanced_move, check
from handrail.flows.reframe.compose.voice import count_words
from handrail.flows.reframe.moves import (
    ASKS,
    DOUBTFUL,
    IN_ITS_PLACE,
    ROUNDS,
    feeling_before,
    open_questions,
)
from handrail.flows.reframe.phases import Phase
from handrail.flows.reframe.reading import Act, Asked, Reading, Topic

TRAPS = 2  # thinking traps that may be named at once
PLAIN = Say("reflect-plain")
BRIEF = 1  # words of a thought that is no sentence

_TAKES = {
    Act.UNSURE: "take-unsure",
    Act.SILENCE: "take-silence",
    Act.REFUSES: "take-refusal",
    Act.FRUSTRATED: "take-frustration",
    Act.HOSTILE: "take-hostile",
    Act.WANTS_ADVICE: "take-advice",
    Act.ASKS_WHO: "take-who",
    Act.POSITIVE: "take-positive",
    Act.THANKS: "take-thanks",
    Act.OFFTOPIC: "take-offtopic",
    Act.YES: "take-yes",
    Act.NO: "take-no",
}
"""How an act is received that brings nothing to look at."""

_UNRATED = frozenset({Act.REFUSES, Act.UNSURE, Act.SILENCE, Act.NO})
"""Answers to the question for numbers that give none."""

_EXPLAINS = {
    Topic.BALANCED: "explain-balanced",
    Topic.TRAPS: "explain-traps",
    Topic.WHY_FEELINGS: "explain-why-feelings",
    Topic.NOT_BELIEVING: "explain-not-believing",
    Topic.PASSING: "explain-passing",
    Topic.SCALE: "explain-scale",
    Topic.WHY_ASKED: "explain-why-asked",
    Topic.NO_TASKS: "explain-no-tasks",
    Topic.THERAPY: "explain-therapy",
    Topic.PRIVACY: "explain-privacy",
    Topic.NORMAL: "explain-normal",
}


def plan(turn: Turn) -> Plan:
    """The plan of the reply; total over phases and readings."""
    draft = Draftsman()
    match turn.position.phase:
        case Phase.WARMUP:
            return _warmup(turn, draft)
        case Phase.CLARIFY:
            return _clarify(turn, draft)
        case Phase.REFRAME:
            return _reframe(turn, draft)
        case Phase.SUMMARY:
            return summary.plan(turn, draft)
        case Phase.FOLLOWUP:
            return _followup(turn, draft)
        case Phase.CLOSED:
            ending = turn.before.phase is not Phase.CLOSED and not turn.before.ended
            if ending:
                check(turn, draft)
            draft.say("closing" if ending else "closed")
            return draft.plan()


def _warmup(turn: Turn, draft: Draftsman) -> Plan:
    known = turn.progress.situation or turn.progress.thought or turn.progress.emotions
    if not known and turn.reading.act in (Act.GREETING, Act.CONTENT, Act.YES, Act.NO):
        if turn.before.messages == 0 and not (turn.mild or turn.reading.doubts):
            draft.say("hello")
            return draft.plan(asked=Asked.NOTHING)
        plain = "take-doubt" if turn.reading.doubts else "reflect-plain"
        draft.say(plain if turn.reading.act is Act.CONTENT else "take-silence")
        check(turn, draft)
        draft.say("ask-mind")
        return draft.plan()
    met = turn.reading.loss or turn.reading.doubts  # what is said to that comes first
    if turn.before.messages == 0 and turn.fresh and turn.reading.act is Act.CONTENT and not met:
        draft.say("welcome", keep=Keep.IF_ROOM)
    _receive(turn, draft)
    if not known:
        draft.say("ask-mind")
        return draft.plan()
    return _ask(turn, draft)


def _clarify(turn: Turn, draft: Draftsman) -> Plan:
    _receive(turn, draft)
    return _ask(turn, draft)


def _receive(turn: Turn, draft: Draftsman) -> None:
    """How what was said is taken: what is new in it first, or the act itself."""
    _take(turn, draft, keep=Keep.RATHER if turn.fresh else Keep.ALWAYS)
    progress, fresh = turn.progress, turn.fresh
    if "thought" in fresh and progress.thought:
        brief = count_words(progress.thought.text) <= BRIEF
        move = "reflect-thought-word" if brief else "reflect-thought"
        draft.say(move, thought=progress.thought, short=PLAIN)
    elif "situation" in fresh and progress.situation:
        move = "reflect-loss" if turn.reading.loss else "reflect-situation"
        draft.say(move, situation=progress.situation, short=PLAIN)
    if "emotion" in fresh and progress.emotions:
        _felt(turn, draft)
    if "intensity" in fresh and progress.intensity_words:
        draft.say(_note(progress.intensity), intensity=progress.intensity_words, keep=Keep.RATHER)
    plain = turn.reading.act in (Act.CONTENT, Act.PARTLY, Act.GREETING)
    taken = _explanation(turn.reading) or turn.reading.doubts or turn.reading.self_attack
    if not fresh and plain and not taken:
        draft.say("reflect-plain")
    check(turn, draft)


def _felt(turn: Turn, draft: Draftsman) -> None:
    """The feeling of the message; beside what else it told, where that does not name it."""
    progress, told = turn.progress, {"situation", "thought"} & turn.fresh
    if not told:
        draft.say(_feeling(turn), emotion=progress.felt)
        return
    said = progress.thought if "thought" in told else progress.situation
    if said and progress.felt and progress.felt.text not in said.text:
        draft.say("with-emotion", emotion=progress.felt, keep=Keep.IF_ROOM)


def _take(turn: Turn, draft: Draftsman, *, keep: Keep) -> None:
    act, explained = turn.reading.act, _explanation(turn.reading)
    if act is Act.ASKS:
        draft.say(explained or "take-question")
    elif turn.before.doubting and (act is Act.NO or (act is Act.CONTENT and turn.reading.denies)):
        draft.say("take-denied")
    elif turn.reading.corrects and act is Act.CONTENT:
        draft.say("take-corrected", keep=keep)
    elif turn.reading.turns and {"thought", "situation"} & turn.fresh:
        draft.say("take-turn", keep=keep)
    elif turn.reading.doubts and act is Act.CONTENT:
        draft.say("take-doubt", keep=keep)
    elif turn.reading.self_attack:
        draft.say("take-self-attack", keep=Keep.IF_ROOM)
    elif act in _TAKES and not (turn.fresh and act in (Act.YES, Act.NO, Act.UNSURE)):
        draft.say(_TAKES[act], keep=Keep.ALWAYS if act is Act.ASKS_WHO else keep)
    elif turn.reading.long and turn.fresh & {"thought", "situation"}:
        draft.say("take-long", keep=Keep.IF_ROOM)


def _explanation(reading: Reading) -> str | None:
    """The line that answers what a question is about."""
    if reading.topic is Topic.TRAP and reading.trap:
        return f"explain-{reading.trap}"
    return _EXPLAINS.get(reading.topic)


def _note(intensity: int | None) -> str:
    """Eleven steps in three: low to 3, high from 8."""
    if intensity is None or 4 <= intensity <= 7:
        return "note-intensity-mid"
    return "note-intensity-high" if intensity > 7 else "note-intensity-low"


def _ask(turn: Turn, draft: Draftsman) -> Plan:
    """One question, about the first thing that is missing (A53e)."""
    missing = open_questions(turn.state)
    if missing:
        first, again, asked = ASKS[missing[0]]
        if missing[0] == "thought" and turn.reading.loss and not turn.memory.count(first):
            first = IN_ITS_PLACE["thought"]
        before = feeling_before(turn.progress)
        if missing[0] == "emotion" and before:
            draft.say("recall-emotion", emotion=before)
            draft.say(IN_ITS_PLACE["emotion"])
        else:
            draft.say(again if turn.memory.count(first) else first)
        return draft.plan(asked=asked)
    if turn.progress.situation is None and not turn.memory.count("ask-situation"):
        draft.say("ask-situation")
        return draft.plan(asked=Asked.SITUATION)
    if turn.memory.count("ask-more"):
        draft.say("ask-evidence")
        return draft.plan(asked=Asked.EVIDENCE)
    draft.say("ask-more")
    return draft.plan(asked=Asked.SITUATION)


def _reframe(turn: Turn, draft: Draftsman) -> Plan:
    memory, act = turn.memory, turn.reading.act
    if memory.round == 0:
        if "emotion" in turn.fresh or "intensity" in turn.fresh:
            _arrived(turn, draft)
        elif turn.reading.act is Act.CONTENT and not (turn.fresh or turn.mild):
            draft.say("reflect-plain", keep=Keep.IF_ROOM)
        elif not turn.mild:  # a sign of danger is answered first, and there is no room for both
            _take(turn, draft, keep=Keep.IF_ROOM)
        check(turn, draft)
        return _offer(turn, draft)
    if memory.asked is Asked.EVIDENCE and memory.round < ROUNDS:
        return _second(turn, draft)
    if "thought" in turn.fresh and memory.round < ROUNDS:
        taken = "take-corrected" if turn.reading.corrects else "take-new-thought"
        draft.say(taken, keep=Keep.IF_ROOM)
        draft.say("reflect-thought", thought=turn.progress.thought, keep=Keep.RATHER)
        check(turn, draft)
        return _offer(turn, draft)
    if act in DOUBTFUL and memory.round < ROUNDS and not turn.before.doubting:
        draft.say("take-no-fit" if act is Act.NO else _TAKES[act])
        check(turn, draft)
        draft.say("ask-evidence")
        return draft.plan(asked=Asked.EVIDENCE, round=memory.round)
    _receive(turn, draft)
    draft.say("ask-fit-back")
    return draft.plan(asked=Asked.FIT, round=memory.round)


def _arrived(turn: Turn, draft: Draftsman) -> None:
    """The last detail before the thought is looked at, in a line that may go."""
    progress = turn.progress
    if "intensity" in turn.fresh and progress.intensity_words:
        draft.say(_note(progress.intensity), intensity=progress.intensity_words, keep=Keep.RATHER)
    elif progress.felt:
        draft.say(_feeling(turn), emotion=progress.felt, keep=Keep.RATHER)


def _feeling(turn: Turn) -> str:
    """A line for the one feeling that was named, a plain one for several."""
    named = {emotion.family for emotion in turn.reading.emotions}
    return f"reflect-emotion-{named.pop()}" if len(named) == 1 else "reflect-emotion"


def _offer(turn: Turn, draft: Draftsman) -> Plan:
    """The traps, the balanced thought, and how it sits."""
    draft.end()
    if turn.progress.thought is None or not turn.traps:
        draft.say("name-none")
    else:
        draft.say(f"name-{turn.traps[0]}")
        for trap in turn.traps[1:TRAPS]:
            draft.say(f"also-{trap}", keep=Keep.RATHER)
    draft.end()
    draft.say("lead-balanced")
    draft.say(balanced_move(turn))
    draft.end()
    draft.say("ask-fit")
    return draft.plan(asked=Asked.FIT, round=turn.memory.round + 1)


def _second(turn: Turn, draft: Draftsman) -> Plan:
    """The second round: the person's own other side beside the thought, where they gave one."""
    thought, evidence = turn.progress.thought, turn.progress.evidence
    if "evidence" in turn.fresh and evidence and thought:
        check(turn, draft)
        draft.end()
        draft.say(BOTH, thought=thought, evidence=evidence, short=Say(balanced_move(turn)))
    else:
        _take(turn, draft, keep=Keep.ALWAYS)
        check(turn, draft)
        draft.end()
        draft.say("lead-balanced")
        draft.say(balanced_move(turn))
    draft.end()
    draft.say("ask-fit-again")
    return draft.plan(asked=Asked.FIT, round=turn.memory.round + 1)


def _followup(turn: Turn, draft: Draftsman) -> Plan:
    reading, left = turn.reading, turn.position.followups_left
    rated = summary.wrap(turn, draft)
    if explained := _explanation(reading):
        draft.say(explained)
    elif reading.act is Act.WANTS_SUMMARY:
        summary.again(turn, draft)
    elif reading.act is Act.WANTS_ADVICE:
        draft.say("explain-no-tasks")
    elif "thought" in turn.fresh:
        draft.say("followup-thought")
    elif turn.memory.asked is Asked.RATINGS and reading.act in _UNRATED and not rated:
        draft.say("wrap-unrated")
    elif reading.act is Act.ASKS:
        draft.say("take-question")
    elif reading.act in _TAKES and reading.act not in (Act.YES, Act.NO) and not rated:
        draft.say(_TAKES[reading.act])
    elif not rated:
        answered = reading.act in (Act.YES, Act.NO, Act.PARTLY)
        draft.say("followup-okay" if answered else "followup-plain")
    check(turn, draft)
    draft.end()
    if turn.position.turn > turn.before.position.turn:
        if left in INVITES:
            draft.say(INVITES[left])
    elif left in LEFT:
        draft.say(LEFT[left])
    unrated = turn.memory.asked is Asked.RATINGS and not rated
    asked = Asked.RATINGS if unrated else Asked.FOLLOWUP  # numbers may still come
    return draft.plan(asked=asked, round=turn.memory.round)
