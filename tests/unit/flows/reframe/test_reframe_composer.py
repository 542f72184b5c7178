"""The composer over its whole space: a line for every move, room for every reply (A25, A57)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import product

import pytest
from composer_space import (
    LIMITS,
    NUMBER,
    QUOTE,
    every_plan,
    kept,
    progress,
    reading,
    subsets,
    turn,
)

from handrail.content.wordings import LinesModel, MoveModel
from handrail.domain.reply import BlockKind, EvidenceBundle
from handrail.domain.verdict import Pass
from handrail.flows.reframe.compose import (
    Plan,
    ReframeLines,
    Turn,
    Voice,
    count_words,
    first_words,
    packaged_lines,
    plan,
)
from handrail.flows.reframe.compose.lines import move_of
from handrail.flows.reframe.compose.plan import Say
from handrail.flows.reframe.compose.summary import crisis_recap
from handrail.flows.reframe.distortions import Distortion
from handrail.flows.reframe.emit import kept_words
from handrail.flows.reframe.gate import TurnGate
from handrail.flows.reframe.moves import ASKED_AT_MOST, ASKS
from handrail.flows.reframe.notes import MOST_QUOTED
from handrail.flows.reframe.phases import Phase, Position
from handrail.flows.reframe.reading import LONGEST_QUOTE, Act, Asked, Reading, Topic
from handrail.flows.reframe.state import Measures, Memory

LINES = packaged_lines()
LANGUAGES = ("en", "es")
ELSEWHERE = {  # said by the orchestrator beside the reply, or standing in a slot
    "banner-crisis",
    "banner-halfway",
    "banner-last",
    "crisis-safety",
    "crisis-summary-lead",
    *(f"name-of-{trap.value}" for trap in Distortion),
}


@dataclass(frozen=True)
class Case:
    """One of the turns that lead to a plan, and the plan."""

    turn: Turn
    plan: Plan


def shape(each: Plan) -> object:
    """What tells two plans apart, the words of the person aside."""
    return tuple(
        (paragraph.bullet, tuple(map(_shape, paragraph.moves))) for paragraph in each.paragraphs
    )


def _shape(say: Say) -> object:
    short = _shape(say.short) if say.short else None
    return say.move, tuple(sorted(say.slots)), say.keep, say.line, short


@cache
def cases() -> tuple[Case, ...]:
    """One turn for every different plan of every phase."""
    found: dict[object, Case] = {}
    for each, planned in every_plan():
        found.setdefault((each.position.phase, shape(planned)), Case(each, planned))
    return tuple(found.values())


def says(each: Plan) -> Iterator[Say]:
    """Every move of a plan, the short ones too."""
    for paragraph in each.paragraphs:
        for say in paragraph.moves:
            yield say
            if say.short:
                yield say.short


def words_allowed(each: Turn) -> int:
    return LIMITS.summary_words if each.position.phase is Phase.SUMMARY else LIMITS.words


@cache
def the_longest(language: str) -> ReframeLines:
    """Every move has one wording: its longest, so that a reply is as long as it can get."""
    return ReframeLines(
        [
            LinesModel(
                id=f"longest-{each}",
                version="1",
                language=each,
                reviewer="test",
                source="test",
                moves=tuple(
                    MoveModel(id=move, review="test", say=(max(wordings, key=count_words),))
                    for move, wordings in LINES.moves(language).items()
                ),
            )
            for each in ("en", language)
        ]
    )


def test_a26_the_space_is_as_large_as_it_was() -> None:
    assert len(cases()) > 2_500


def test_a26_the_quotes_of_these_tests_are_as_long_as_quotes_get() -> None:
    assert len(QUOTE) <= LONGEST_QUOTE
    assert count_words(QUOTE) == 19


@pytest.mark.parametrize("language", LANGUAGES)
def test_a26_every_move_of_every_plan_has_lines_with_exactly_the_slots_given(language: str) -> None:
    known = LINES.moves(language)
    for case in cases():
        for say in says(case.plan):
            for number in range(1, len(known[say.move]) + 1):
                slots = LINES.slots(f"reframe/{say.move}.{number}.{language}")
                assert set(slots) == set(say.slots), (say.move, number)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a26_every_line_is_said_by_some_plan(language: str) -> None:
    said = {say.move for case in cases() for say in says(case.plan)}
    assert set(LINES.moves(language)) - said == ELSEWHERE


def test_a26_every_plan_says_something() -> None:
    assert all(case.plan.moves for case in cases())


@pytest.mark.parametrize(("language", "seed"), [*product(LANGUAGES, (0, 1, 2))])
def test_a25_every_reply_passes_the_gate_of_the_flow(language: str, seed: int) -> None:
    """One question, at most so many words and three bullets, and every word proved."""
    voice = Voice(lines=LINES, language=language, seed=seed)
    for case in cases():
        allowed = words_allowed(case.turn)
        spoken = voice.voiced(case.plan, case.turn.memory, number=NUMBER, words=allowed)
        gate = TurnGate(
            lines=LINES.piece,
            own=kept_words(case.turn.state),
            keeps=lambda _text: False,
            words=allowed,
            questions=1,
        )
        bundle = EvidenceBundle(cases=(), snippets=())
        verdict = gate.judge(spoken.draft, bundle=bundle, selected=(), message="")
        assert isinstance(verdict, Pass), (case.plan.moves, verdict)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("quoted", [19, 28, MOST_QUOTED])
def test_a25_the_longest_wordings_with_the_longest_quotes_keep_the_limit(
    language: str, quoted: int
) -> None:
    """Words of two letters: 140 code points could hold more, but no more are said back."""
    voice = Voice(lines=the_longest(language), language=language, seed=0)
    for case in cases():
        widened = widen(case.plan, " ".join(["no"] * quoted))
        spoken = voice.voiced(widened, Memory(), number=NUMBER, words=words_allowed(case.turn))
        said = sum(count_words(sentence.text) for sentence in spoken.draft.sentences())
        assert said <= words_allowed(case.turn), case.plan.moves


def widen(planned: Plan, quote: str) -> Plan:
    """The plan with other words of the person, few for numbers and feelings."""
    few = kept(" ".join(quote.split()[:8]))
    long = kept(quote)

    def widened(say: Say) -> Say:
        slots = {
            name: filling
            if isinstance(filling, str)
            else long
            if name in ("thought", "situation", "evidence")
            else few
            for name, filling in say.slots.items()
        }
        line = ""  # the longest one has another number
        return Say(say.move, slots, say.keep, line, widened(say.short) if say.short else None)

    return replace(
        planned,
        paragraphs=tuple(
            replace(paragraph, moves=tuple(map(widened, paragraph.moves)))
            for paragraph in planned.paragraphs
        ),
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_a25_no_wording_asks_more_than_one_question(language: str) -> None:
    asking = {
        move for move, wordings in LINES.moves(language).items() if any("?" in w for w in wordings)
    }
    for case in cases():
        assert sum(say in asking for say in case.plan.moves) <= 1, case.plan.moves
    for move in asking:
        assert all(wording.count("?") <= 1 for wording in LINES.moves(language)[move])


def test_a31_a_summary_has_three_bullets_and_asks_for_the_ratings_unless_it_ends() -> None:
    for case in cases():
        each = case.turn
        if each.position.phase is not Phase.SUMMARY or each.before.phase is Phase.SUMMARY:
            continue
        known = each.progress.situation or each.progress.thought or each.progress.emotions
        ends = each.position.turn == LIMITS.max_turns or each.reading.act is Act.WANTS_END
        bullets = sum(paragraph.bullet for paragraph in case.plan.paragraphs)
        assert bullets == (0 if ends and not known else 3)
        over = each.position.turn == LIMITS.max_turns or (ends and not known)
        last = "closing" if over else "invite-followups" if ends else "ask-ratings"
        assert case.plan.moves[-1].startswith(last)
        assert case.plan.asked is (Asked.NOTHING if ends else Asked.RATINGS)


def test_a57_a_summary_at_the_last_turn_recaps_what_no_summary_recapped() -> None:
    """A therapist may lower the limits under way, so that the first summary is the last turn."""
    each = turn(
        Phase.SUMMARY,
        reading(Act.CONTENT),
        before=Position(phase=Phase.CLARIFY, turn=LIMITS.max_turns - 1),
        after=Position(phase=Phase.SUMMARY, turn=LIMITS.max_turns),
        known=progress(frozenset({"situation", "thought"})),
    )
    assert plan(each).moves == (
        "summary-lead",
        "bullet-situation",
        "bullet-thought",
        "bullet-balanced",
        "balanced-general",
        "closing",
    )


def test_a32_reframing_names_two_traps_and_offers_the_thought_of_the_first() -> None:
    each = turn(
        Phase.REFRAME,
        reading(Act.CONTENT, fresh=frozenset({"intensity"})),
        known=progress(frozenset({"thought", "emotion", "intensity"})),
        traps=("mind-reading", "catastrophizing", "labeling"),
        fresh=frozenset({"intensity"}),
    )
    planned = plan(each)
    assert planned.moves == (
        "note-intensity-high",
        "name-mind-reading",
        "also-catastrophizing",
        "lead-balanced",
        "balanced-mind-reading",
        "ask-fit",
    )
    assert (planned.asked, planned.round) == (Asked.FIT, 1)


def test_a53e_one_thing_is_asked_for_at_a_time_and_each_twice_at_most() -> None:
    said: dict[str, int] = {}
    asked = []
    while True:
        memory = Memory(said=tuple(sorted(said.items())))
        planned = plan(turn(Phase.CLARIFY, reading(Act.UNSURE), memory=memory))
        if planned.asked is Asked.SITUATION:
            break
        move = planned.moves[-1]
        said[move] = said.get(move, 0) + 1
        asked.append(move)
    assert asked == [move for first, again, _ in ASKS.values() for move in (first, again)]
    assert len(asked) == ASKED_AT_MOST * len(ASKS)


def test_a57_a_new_thought_is_recapped_with_its_own_trap_and_its_own_balanced_thought() -> None:
    each = turn(
        Phase.SUMMARY,
        reading(Act.CONTENT),
        known=progress(frozenset({"thought"})),
        memory=Memory(
            traps=("mind-reading",), balanced="reframe/balanced-mind-reading.1.en", round=2
        ),
        traps=("labeling",),
        fresh=frozenset({"thought"}),
    )
    trap = next(say for say in says(plan(each)) if say.move == "bullet-thought-trap")
    assert trap.slots["name"] == "name-of-labeling"
    assert "balanced-labeling" in plan(each).moves


def test_a57_the_recap_gives_the_line_that_was_offered() -> None:
    line = "reframe/balanced-mind-reading.4.en"
    each = turn(
        Phase.SUMMARY,
        reading(Act.YES),
        known=progress(frozenset({"thought"})),
        memory=Memory(traps=("mind-reading",), balanced=line, round=1),
        traps=("mind-reading",),
    )
    assert line in {say.line for say in says(plan(each))}


def test_a57_who_changed_the_language_reads_a_balanced_thought_in_the_new_one() -> None:
    each = turn(
        Phase.SUMMARY,
        reading(Act.YES),
        known=progress(frozenset({"thought"})),
        memory=Memory(
            traps=("mind-reading",), balanced="reframe/balanced-mind-reading.4.en", round=1
        ),
        language="es",
    )
    voice = Voice(lines=LINES, language="es", seed=1)
    lines = voice.voiced(plan(each), each.memory, number=NUMBER, words=160).lines
    assert {line.rpartition(".")[2] for line in lines} == {"es"}
    assert "balanced-mind-reading" in map(move_of, lines)


@pytest.mark.parametrize("act", Act)
@pytest.mark.parametrize("phase", [each for each in Phase if each is not Phase.CLOSED])
def test_a22_a_mild_sign_is_answered_in_every_phase_whatever_else_was_said(
    phase: Phase, act: Act
) -> None:
    for messages in (0, 5):
        each = turn(phase, reading(act), mild=True, messages=messages)
        assert plan(each).moves.count("mild-check") == 1
        again = turn(phase, reading(act), mild=True, memory=Memory(checked=True))
        assert "mild-check" not in plan(again).moves


def test_a22_a_mild_sign_in_a_goodbye_is_answered_before_the_end() -> None:
    each = turn(
        Phase.CLOSED, reading(Act.WANTS_END), mild=True, before=Position(phase=Phase.FOLLOWUP)
    )
    assert plan(each).moves == ("mild-check", "closing")


def test_a56_a_closed_session_always_says_the_same() -> None:
    voice = Voice(lines=LINES, language="en", seed=3)
    said = set()
    for act in Act:
        each = turn(Phase.CLOSED, reading(act), before=Position(phase=Phase.CLOSED, turn=9))
        spoken = voice.voiced(plan(each), Memory(), number=NUMBER, words=110)
        said.add("".join(sentence.text for sentence in spoken.draft.sentences()))
    assert len(said) == 1


@pytest.mark.parametrize("phase", [Phase.WARMUP, Phase.CLARIFY, Phase.REFRAME, Phase.FOLLOWUP])
def test_a30_a_question_is_answered_where_it_is_asked(phase: Phase) -> None:
    read = Reading(act=Act.ASKS, topic=Topic.TRAP, trap="labeling")
    memory = Memory(round=1, asked=Asked.FIT)
    assert "explain-labeling" in plan(turn(phase, read, memory=memory)).moves
    read = Reading(act=Act.ASKS, topic=Topic.PRIVACY)
    assert "explain-privacy" in plan(turn(phase, read, memory=memory)).moves


def test_a53e_who_asks_what_this_is_when_reframing_begins_is_told() -> None:
    known = progress(frozenset({"thought"}))
    planned = plan(turn(Phase.REFRAME, reading(Act.ASKS_WHO), known=known))
    assert planned.moves[0] == "take-who"


@pytest.mark.parametrize(
    ("measures", "first"),
    [
        (Measures(suds_pre=8, suds_post=5), "wrap-eased"),
        (Measures(suds_pre=5, suds_post=8), "wrap-higher"),
        (Measures(suds_pre=5, suds_post=5), "wrap-same"),
        (Measures(suds_post=5), "wrap-after"),
        (Measures(suds_pre=8, truth=6), "wrap-true-high"),
        (Measures(suds_pre=8, truth=4), "wrap-true-low"),
        (Measures(suds_pre=8, truth=5), "followup-plain"),
        (Measures(suds_pre=8, confidence_post=3), "followup-plain"),
    ],
)
def test_a61_what_is_said_of_numbers_fits_the_numbers_that_were_given(
    measures: Measures, first: str
) -> None:
    """Who rates anything is never told that there are no numbers."""
    known = {"intensity"} if measures.suds_pre is not None else set()
    known |= {"after"} if measures.suds_post is not None else set()
    for phase, before in (
        (Phase.FOLLOWUP, Position(phase=Phase.SUMMARY, turn=6)),
        (Phase.SUMMARY, Position(phase=Phase.SUMMARY, turn=13)),
    ):
        each = turn(
            phase,
            reading(Act.CONTENT),
            before=before,
            after=Position(phase=phase, turn=before.turn + 1),
            known=progress(frozenset(known)),
            measures=measures,
            fresh=frozenset({"ratings"}),
        )
        assert plan(each).moves[0] == first


def test_a31_who_asks_for_the_summary_again_gets_it() -> None:
    each = turn(
        Phase.FOLLOWUP,
        reading(Act.WANTS_SUMMARY),
        before=Position(phase=Phase.FOLLOWUP, turn=7, followups_left=3),
        after=Position(phase=Phase.FOLLOWUP, turn=7, followups_left=2),
        known=progress(frozenset({"thought"})),
    )
    assert plan(each).moves[:3] == ("summary-lead", "bullet-situation-none", "bullet-thought")


def test_a58_the_recap_in_danger_names_no_trap_and_asks_nothing() -> None:
    each = turn(
        Phase.SUMMARY,
        reading(Act.CONTENT),
        known=progress(frozenset({"thought", "situation", "emotion"})),
        memory=Memory(traps=("catastrophizing",)),
    )
    assert crisis_recap(each.state).moves == (
        "crisis-summary-lead",
        "bullet-situation-feeling",
        "bullet-thought",
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_a1_the_same_session_says_the_same(language: str) -> None:
    for case in cases()[::17]:
        one, two = (
            Voice(lines=LINES, language=language, seed=5).voiced(
                plan(case.turn), case.turn.memory, number=NUMBER, words=110
            )
            for _ in range(2)
        )
        assert one == two


@pytest.mark.parametrize("language", LANGUAGES)
def test_a25_no_wording_comes_again_before_all_were_said(language: str) -> None:
    for seed, (move, wordings) in product(range(5), LINES.moves(language).items()):
        picked = [
            LINES.pick(move, language=language, seed=seed, count=count)
            for count in range(2 * len(wordings))
        ]
        assert len(set(picked[: len(wordings)])) == len(wordings)
        assert picked[len(wordings) :] == picked[: len(wordings)]


def test_a25_what_was_said_is_counted_and_what_was_left_out_is_not() -> None:
    voice = Voice(lines=LINES, language="en", seed=0)
    fresh = frozenset({"thought"})
    each = turn(
        Phase.WARMUP,
        Reading(act=Act.CONTENT, long=True),
        known=progress(fresh),
        fresh=fresh,
        messages=0,
    )
    planned = plan(each)
    whole = voice.voiced(planned, Memory(), number=NUMBER, words=500)
    assert {"welcome", "take-long"} <= dict(whole.said).keys()
    tight = voice.voiced(planned, Memory(), number=NUMBER, words=60)
    assert dict(tight.said) == {"ask-emotion": 1, "reflect-thought": 1}
    tighter = voice.voiced(planned, Memory(), number=NUMBER, words=30)
    assert dict(tighter.said) == {"ask-emotion": 1, "reflect-plain": 1}


def test_a25_wordings_go_round_over_a_session() -> None:
    voice = Voice(lines=LINES, language="en", seed=4)
    memory, lines = Memory(), []
    for _ in range(4):
        planned = plan(turn(Phase.CLARIFY, reading(Act.UNSURE)))
        spoken = voice.voiced(planned, memory, number=NUMBER, words=110)
        memory = Memory(said=spoken.said)
        lines.append(spoken.lines[0])
    assert len(set(lines)) == 4


def test_a25_first_words_cut_at_the_end_of_a_word() -> None:
    assert first_words("one, two; three.", 2) == "one, two"
    assert first_words("one, two; three.", 3) == "one, two; three."
    assert first_words("", 2) == ""


def test_a31_bullets_are_bullets() -> None:
    voice = Voice(lines=LINES, language="en", seed=0)
    for known in subsets(["situation", "thought", "emotion"]):
        each = turn(Phase.SUMMARY, reading(Act.CONTENT), known=progress(known))
        draft = voice.voiced(plan(each), Memory(), number=NUMBER, words=160).draft
        kinds = [block.kind for block in draft.blocks]
        assert kinds == [BlockKind.SPEECH, *[BlockKind.BULLET] * 3, BlockKind.SPEECH]
