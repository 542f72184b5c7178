"""A restatement differs from its sentence in what the word lists permit, and in nothing else."""

from __future__ import annotations

from functools import cache

import pytest

from handrail.rails.agreement import Agreement
from handrail.rails.agreement.compare import MAX_CLAIM_CHARS
from handrail.rails.overlap import rouge_l

RULE = "However, a landlord may not evict a tenant before 30 days have passed."


@cache
def english() -> Agreement:
    return Agreement.packaged()


@cache
def spanish() -> Agreement:
    return Agreement.packaged("es")


SAME = [
    (RULE, RULE),
    ("A landlord may not evict a tenant before 30 days have passed.", RULE),
    ("A landlord may not evict a tenant before thirty days have passed", RULE),
    ("A landlord may not evict a tenant prior to 30 days have passed.", RULE),
    ("Also, a landlord may not evict a tenant before 30 days have passed.", RULE),
    ("Resting isn't the same as giving up.", "Resting is not the same as giving up."),
    ("They are not alone.", "They aren't alone."),
    ("A walk can be helpful.", "A walk can be very helpful."),
    ("A walk helps!", "A walk helps."),
    ("“A walk helps.”", "A walk helps."),
    ("Rest for 1,000 seconds.", "Rest for 1000 seconds."),
    ("Non-refundable fees are void.", "Non refundable fees are void."),
    ("Don’t rush it.", "Don't rush it."),
    ("Rest - a habit - helps.", "Rest – a habit — helps."),
    ("A well-known habit helps.", "A well known habit helps."),
]

FAULTS = [
    ("A landlord may evict a tenant before 30 days have passed.", RULE, "polarity"),
    ("A landlord must not evict a tenant before 30 days have passed.", RULE, "modality"),
    ("A landlord may not evict a tenant after 30 days have passed.", RULE, "time"),
    ("A landlord may not evict a tenant before 31 days have passed.", RULE, "number"),
    ("Every landlord may not evict a tenant before 30 days have passed.", RULE, "quantifier"),
    ("A tenant may not evict a landlord before 30 days have passed.", RULE, "subject"),
    ("A landlord may not evict a tenant.", RULE, "cut-short"),
    ("A court held that a walk helps.", "A walk helps.", "quantifier"),
    ("Experts said a walk helps.", "A walk helps.", "reported"),
    ("If you rest, a walk helps.", "A walk helps.", "condition"),
    ("A walk helps if you rest.", "A walk helps.", "appended"),
    ("A walk is dangerous.", "A walk is safe.", "opposite"),
    ("A walk helps?", "A walk helps.", "question"),
    ("A walk helps, so buy Brandol.", "A walk helps.", "appended"),
    ("A walk helps with Brandol.", "A walk helps with sleep.", "name"),
    ("A walk helps, sell shares.", "A walk helps.", "appended"),
    ("A long walk helps.", "A walk helps.", "added"),
    ("A walk helps.", "A long walk helps.", "left-out"),
    ("A walk helps.", "A walk helps, rain notwithstanding.", "cut-short"),
    ("A stroll helps.", "A walk helps.", "other-words"),
    ("A stroll aids sleep.", "A walk helps sleep.", "other-words"),
    ("A calm stroll aids good sleep.", "A quiet stroll helps good sleep.", "other-words"),
    ("A w\u0430lk helps.", "A walk helps.", "odd-letters"),
    ("A walk\u200b helps.", "A walk helps.", "odd-letters"),
    ("A wal\u212a helps.", "A walk helps.", "odd-letters"),
    ("… !", "A walk helps.", "empty"),
    ("A walk helps.", "…", "empty"),
    ("Walk. " * MAX_CLAIM_CHARS, "Walk.", "too-long"),
    ("A walk is helpful.", "A walk is not very helpful.", "polarity"),
]


@pytest.mark.parametrize(("claim", "source"), SAME)
def test_l18_a_restatement_agrees(claim: str, source: str) -> None:
    assert english().fault(claim, source) is None


@pytest.mark.parametrize(("claim", "source", "reason"), FAULTS)
def test_l18_a_claim_that_says_something_else_is_named(
    claim: str, source: str, reason: str
) -> None:
    assert english().fault(claim, source) == reason


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Do not! Stop taking rests.", "Do not stop taking rests."),
        ("No, rest helps.", "No rest helps."),
        ("Do not eat and drink water.", "Do not eat, and drink water."),
        ("A walk is not helpful.", "A walk is not very helpful."),
        ("A walk is very helpful.", "A walk is helpful."),
        ("However, a walk helps.", "A walk helps."),
        ("For the fall he was unhurt.", "But for the fall he was unhurt."),
        ("Water must be tested.", "Well water must be tested."),
        ("A walk “helps” a person.", "A walk helps a person."),
        ("The rules are.", "The rules are:"),
        ("Owe 15 coins.", "Owe 1.5 coins."),
        ("It fell to 5 degrees.", "It fell to -5 degrees."),
        ("It cost 5 coins.", "It cost 5% coins."),
        ("Few people rest.", "A few people rest."),
        ("A walk will help.", "A walk will definitely help."),
        ("Past deeds matter.", "In general, past deeds matter."),
        ("Helps a walk.", "A walk helps."),
    ],
)
def test_l18_marks_order_and_small_words_count(claim: str, source: str) -> None:
    """Each of these has the words of its source, or nearly, and another meaning."""
    assert english().fault(claim, source) is not None


def test_a_claim_may_be_as_long_as_any_sentence_and_no_longer() -> None:
    longest = "walk " * (MAX_CLAIM_CHARS // 5 - 1) + "walks"
    assert len(longest) == MAX_CLAIM_CHARS
    assert english().fault(longest, longest) is None
    assert english().fault(longest + ".", longest) == "too-long"


def test_c32_what_overlap_lets_through_agreement_does_not() -> None:
    false = [claim for claim, source, _ in FAULTS if rouge_l(claim, source) >= 0.6]
    assert len(false) > len(FAULTS) / 2


def test_every_reason_of_the_lists_can_be_given() -> None:
    kinds = {kind.id for kind in english().words.kinds}
    assert kinds <= {reason for _, _, reason in FAULTS}


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        ("La persona puede descansar dos días.", None),
        ("La persona puede descansar 2 días.", None),
        ("Además, la persona puede descansar dos días.", None),
        ("La persona no puede descansar dos días.", "polarity"),
        ("La persona debe descansar dos días.", "modality"),
        ("La persona puede descansar tres días.", "number"),
        ("L\u0430 persona puede descansar dos días.", "odd-letters"),
        ("La persona puede descansar dos semanas.", "time"),
        ("La madre puede descansar dos días.", "subject"),
    ],
)
def test_a_language_is_a_file(claim: str, reason: str | None) -> None:
    source = "Sin embargo, la persona puede descansar dos días."
    assert spanish().fault(claim, source) == reason
