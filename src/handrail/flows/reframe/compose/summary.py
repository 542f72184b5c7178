"""The recap: three bullets, one compound question, and what the ratings tell (A31, A57)."""

from __future__ import annotations

from collections.abc import Sequence

from handrail.flows.reframe.compose.lines import move_of
from handrail.flows.reframe.compose.plan import Draftsman, Filling, Keep, Plan, Say, Turn
from handrail.flows.reframe.reading import Act, Asked
from handrail.flows.reframe.state import Progress, SessionState

TRUE_FROM = 6  # of 10: a balanced thought that feels rather true than not
UNTRUE_TO = 4


def plan(turn: Turn, draft: Draftsman) -> Plan:
    """A real summary, also where it was forced; in the last turn it ends the session."""
    if turn.position.turn >= turn.state.limits.max_turns:
        return _last(turn, draft)
    nothing = not (turn.progress.situation or turn.progress.thought or turn.progress.emotions)
    leaving = turn.reading.act is Act.WANTS_END
    if nothing and leaving:
        draft.say("closing")
        return draft.plan(round=turn.memory.round)
    _reaction(turn, draft)
    draft.end()
    draft.say("summary-lead")
    bullets(turn, draft)
    if leaving:
        draft.say("closing")
        return draft.plan(round=turn.memory.round)
    offered = bool(turn.memory.balanced) or turn.progress.thought is not None
    draft.say("ask-ratings" if offered else "ask-ratings-short")
    return draft.plan(asked=Asked.RATINGS, round=turn.memory.round)


def bullets(turn: Turn, draft: Draftsman) -> None:
    """What happened, what the thought was, and what may stand beside it."""
    draft.bullet(_what_happened(turn.progress))
    draft.bullet(_what_was_thought(turn.state, turn.traps))
    draft.bullet(*_what_may_stand(turn))


def crisis_recap(state: SessionState) -> Plan:
    """What was told before the danger, for somebody who asks for it."""
    draft = Draftsman()
    draft.say("crisis-summary-lead")
    draft.bullet(_what_happened(state.progress))
    draft.bullet(_what_was_thought(state))
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
    if turn.mild and not turn.memory.checked:
        draft.say("mild-check")


def _what_happened(progress: Progress) -> Say:
    situation, felt = progress.situation, progress.felt
    slots: dict[str, Filling] = {}
    if situation:
        slots["situation"] = situation
    if felt:
        slots["emotion"] = felt
    if situation and felt:
        return Say("bullet-situation-feeling", slots)
    if situation:
        return Say("bullet-situation", slots)
    return Say("bullet-feeling", slots) if felt else Say("bullet-situation-none")


def _what_was_thought(state: SessionState, traps: Sequence[str] = ()) -> Say:
    thought, named = state.progress.thought, (*state.memory.traps, *traps)
    if thought is None:
        return Say("bullet-thought-none")
    if not named:
        return Say("bullet-thought", {"thought": thought})
    return Say("bullet-thought-trap", {"thought": thought, "name": f"name-of-{named[0]}"})


def _what_may_stand(turn: Turn) -> tuple[Say, ...]:
    """The balanced thought that was offered last; where none was, the one for the thought."""
    line, progress = turn.memory.balanced, turn.progress
    if line and move_of(line) != "balanced-both":
        return Say("bullet-balanced"), Say("balanced", line=line)
    if line and progress.thought and progress.evidence:
        both = {"thought": progress.thought, "evidence": progress.evidence}
        return Say("bullet-balanced"), Say("balanced", both, line=line)
    if turn.progress.thought is None:
        return (Say("bullet-balanced-none"),)
    return Say("bullet-balanced"), Say(balanced_move(turn))


def balanced_move(turn: Turn) -> str:
    """Which kind of balanced thought goes with the thought."""
    return f"balanced-{turn.traps[0]}" if turn.traps else "balanced-general"


def wrap(turn: Turn, draft: Draftsman) -> bool:
    """What the ratings tell, if the message gave any; whether it did."""
    measures, progress = turn.state.measures, turn.progress
    if "ratings" not in turn.fresh:
        return False
    before, after = measures.suds_pre, measures.suds_post
    words: dict[str, Filling] = {}
    if progress.after_words:
        words["after"] = progress.after_words
    if progress.intensity_words:
        words["before"] = progress.intensity_words
    if after is None or "after" not in words:
        draft.say("wrap-unrated")
    elif before is None or "before" not in words:
        draft.say("wrap-after", after=words["after"])
    elif after == before:
        draft.say("wrap-same", after=words["after"])
    else:
        draft.say(
            "wrap-eased" if after < before else "wrap-higher",
            before=words["before"],
            after=words["after"],
        )
    if measures.truth is not None and measures.truth >= TRUE_FROM:
        draft.say("wrap-true-high", keep=Keep.IF_ROOM)
    elif measures.truth is not None and measures.truth <= UNTRUE_TO:
        draft.say("wrap-true-low", keep=Keep.IF_ROOM)
    return True


def _last(turn: Turn, draft: Draftsman) -> Plan:
    """The turn that ends the session: what the ratings tell, and the recap's last word."""
    if not wrap(turn, draft):
        draft.say("wrap-unrated")
    if turn.mild and not turn.memory.checked:
        draft.say("mild-check")
    draft.end()
    if turn.memory.balanced:
        draft.bullet(*_what_may_stand(turn))
    else:
        draft.bullet(_what_was_thought(turn.state, turn.traps))
    draft.say("closing")
    return draft.plan(round=turn.memory.round)
