"""The recap: three bullets, one compound question, and what the ratings tell (A31, A57)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from handrail.flows.reframe.compose.lines import move_of
from handrail.flows.reframe.compose.plan import Draftsman, Filling, Keep, Plan, Say, Turn
from handrail.flows.reframe.distortions import Distortion
from handrail.flows.reframe.phases import Phase
from handrail.flows.reframe.reading import Act, Asked
from handrail.flows.reframe.state import Measures, Progress, SessionState

TRUE_FROM = 6  # of 10: a balanced thought that feels rather true than not
UNTRUE_TO = 4
BOTH = "balanced-both"  # the balanced thought that is made of the person's own two sides
LEFT = {2: "followup-left-two", 1: "followup-left-one", 0: "followup-last"}
INVITES = {3: "invite-followups", 2: LEFT[2], 1: LEFT[1], 0: "closing"}
"""Lines that name how many answers are left; other budgets than the usual are not counted aloud."""
_STOPS = frozenset({Act.WANTS_END, Act.WANTS_SUMMARY})
"""Acts that bring a session to its summary before it is due."""

_BALANCED = "balanced-"
_OF_TRAPS = frozenset(f"{_BALANCED}{trap.value}" for trap in Distortion)
_MOVED = frozenset({"wrap-eased", "wrap-higher"})
"""Lines about a change, which repeat both numbers."""


def plan(turn: Turn, draft: Draftsman) -> Plan:
    """A real summary, also where it was forced; in the last turn it ends the session."""
    last = turn.position.turn >= turn.state.limits.max_turns
    if last and turn.before.phase is Phase.SUMMARY:
        return _last(turn, draft)
    nothing = not (turn.progress.situation or turn.progress.thought or turn.progress.emotions)
    leaving = last or turn.reading.act is Act.WANTS_END
    if nothing and leaving:
        check(turn, draft)
        draft.say("closing")
        return draft.plan(round=turn.memory.round)
    if turn.reading.act in _STOPS:
        draft.say("take-stop", keep=Keep.IF_ROOM)
    _reaction(turn, draft)
    draft.end()
    draft.say("summary-lead", keep=Keep.RATHER if turn.mild else Keep.ALWAYS)
    bullets(turn, draft)
    if leaving:
        left = 0 if last else turn.position.followups_left
        draft.say(INVITES.get(left, "closing"))  # who says goodbye may still come back
        return draft.plan(round=turn.memory.round)
    offered = bool(turn.memory.balanced) or turn.progress.thought is not None
    draft.say("ask-ratings" if offered else "ask-ratings-short")
    return draft.plan(asked=Asked.RATINGS, round=turn.memory.round)


def bullets(turn: Turn, draft: Draftsman) -> None:
    """What happened, what the thought was, and what may stand beside it."""
    draft.bullet(_what_happened(turn.progress))
    draft.bullet(_what_was_thought(turn.progress, turn.named))
    draft.bullet(*_what_may_stand(turn))


def again(turn: Turn, draft: Draftsman) -> None:
    """The recap once more, for somebody who asks for it; the thought stays where room is short."""
    draft.say("summary-lead")
    draft.bullet(replace(_what_happened(turn.progress), keep=Keep.IF_ROOM))
    draft.bullet(_what_was_thought(turn.progress, turn.named))
    draft.bullet(*(replace(say, keep=Keep.RATHER) for say in _what_may_stand(turn)))


def check(turn: Turn, draft: Draftsman) -> None:
    """An answer to a mild sign of danger, once a session."""
    if turn.mild and not turn.memory.checked:
        draft.say("mild-check")


def crisis_recap(state: SessionState) -> Plan:
    """What was told before the danger, for somebody who asks for it; no trap is named there."""
    draft = Draftsman()
    draft.say("crisis-summary-lead")
    draft.bullet(_what_happened(state.progress))
    draft.bullet(_what_was_thought(state.progress))
    return draft.plan()


def _reaction(turn: Turn, draft: Draftsman) -> None:
    """How the balanced thought was taken, before the recap."""
    act, evidence = turn.reading.act, turn.progress.evidence
    if "evidence" in turn.fresh and evidence:
        draft.say("reflect-evidence", evidence=evidence, keep=Keep.IF_ROOM)
    elif turn.memory.asked is Asked.FIT and act in (Act.YES, Act.PARTLY, Act.POSITIVE, Act.THANKS):
        draft.say("take-fit", keep=Keep.IF_ROOM)
    elif turn.memory.asked is Asked.FIT and act in (Act.NO, Act.UNSURE):
        draft.say("take-no-fit", keep=Keep.IF_ROOM)
    check(turn, draft)


def _what_happened(progress: Progress) -> Say:
    situation, felt = progress.situation, progress.felt
    slots: dict[str, Filling] = {}
    if situation:
        slots["situation"] = situation
    if felt:
        slots["emotion"] = felt
    if situation and felt:
        short = Say("bullet-feeling", {"emotion": felt})
        return Say("bullet-situation-feeling", slots, short=short)
    if situation:
        return Say("bullet-situation", slots, short=Say("bullet-situation-none"))
    return Say("bullet-feeling", slots) if felt else Say("bullet-situation-none")


def _what_was_thought(progress: Progress, named: Sequence[str] = ()) -> Say:
    thought = progress.thought
    if thought is None:
        return Say("bullet-thought-none")
    if not named:
        return Say("bullet-thought", {"thought": thought})
    return Say("bullet-thought-trap", {"thought": thought, "name": f"name-of-{named[0]}"})


def _what_may_stand(turn: Turn) -> tuple[Say, ...]:
    """The balanced thought that was offered last for the thought; where none was, one for it."""
    offered = _offered(turn) if turn.memory.balanced and turn.same_thought else None
    if offered is not None:
        return Say("bullet-balanced"), offered
    if turn.progress.thought is None:
        return (Say("bullet-balanced-none"),)
    return Say("bullet-balanced"), Say(balanced_move(turn))


def _offered(turn: Turn) -> Say | None:
    """The line that was offered; in a session that changed its language, one of the same kind."""
    line, progress = turn.memory.balanced, turn.progress
    move = move_of(line)
    same = line if line.endswith(f".{turn.state.user_language}") else ""
    if move in _OF_TRAPS and turn.named and move.removeprefix(_BALANCED) not in turn.named:
        return None  # it was for another thought
    if move != BOTH:
        return Say(move, line=same)
    if progress.thought is None or progress.evidence is None:
        return None
    both = {"thought": progress.thought, "evidence": progress.evidence}
    return Say(move, both, line=same, short=Say(balanced_move(turn)))


def balanced_move(turn: Turn) -> str:
    """Which kind of balanced thought goes with the thought."""
    return f"balanced-{turn.named[0]}" if turn.named else "balanced-general"


def wrap(turn: Turn, draft: Draftsman) -> bool:
    """What the ratings tell, if the message gave any; whether it did."""
    measures, progress = turn.state.measures, turn.progress
    if "ratings" not in turn.fresh:
        return False
    words: dict[str, Filling] = {}
    if progress.after_words:
        words["after"] = progress.after_words
    if progress.intensity_words:
        words["before"] = progress.intensity_words
    change = _change(measures, words)
    if change:
        before = words.get("before") if change in _MOVED else None
        draft.say(change, before=before, after=words["after"])
    truth = _truth(measures)
    if truth:
        draft.say(truth, keep=Keep.IF_ROOM if change else Keep.ALWAYS)
    if not (change or truth):
        draft.say("followup-plain")
    return True


def _change(measures: Measures, words: Mapping[str, Filling]) -> str | None:
    """How the anxiety moved, where it was rated now."""
    before, after = measures.suds_pre, measures.suds_post
    if after is None or "after" not in words:
        return None
    if before is None or "before" not in words:
        return "wrap-after"
    if after == before:
        return "wrap-same"
    return "wrap-eased" if after < before else "wrap-higher"


def _truth(measures: Measures) -> str | None:
    """How true the balanced thought feels, where that leans to one side."""
    truth = measures.truth
    if truth is None or UNTRUE_TO < truth < TRUE_FROM:
        return None
    return "wrap-true-high" if truth >= TRUE_FROM else "wrap-true-low"


def _last(turn: Turn, draft: Draftsman) -> Plan:
    """The turn that ends the session: what the ratings tell, and the recap's last word."""
    if not wrap(turn, draft):
        draft.say("wrap-unrated")
    check(turn, draft)
    draft.end()
    if turn.memory.balanced:
        draft.bullet(*_what_may_stand(turn))
    else:
        draft.bullet(_what_was_thought(turn.progress, turn.named))
    draft.say("closing")
    return draft.plan(round=turn.memory.round)
