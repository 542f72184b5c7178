"""A dozen invented cases: enough to answer from, few enough to index in a second or two."""

from __future__ import annotations

import json
from pathlib import Path

CASES = [
    (
        "Exam week",
        "My exams start on Monday and I feel anxious all day. I sit down to revise and my heart "
        "races so much that I read one line five times.",
        "Slow breathing with a longer breath out can calm a racing heart within a few minutes. "
        "A short walk outside often helps the body to let go of tension. "
        "Writing worries down before bed can make them feel smaller.",
    ),
    (
        "A quiet flat",
        "Since I moved to this city I feel lonely. My evenings are long and I talk to nobody.",
        "One small message to an old friend can be a gentle first step out of loneliness. "
        "Many people find that a weekly group makes a new town feel less strange.",
    ),
    (
        "Awake at night",
        "I cannot sleep. At three in the morning I plan the whole week again and again.",
        "A regular hour for winding down prepares the body for sleep. "
        "Writing the plans on paper before bed lets the mind rest. "
        "Getting up at the same time each day steadies the body clock.",
    ),
    (
        "The new job",
        "I started a new job and feel worthless beside people who know everything already.",
        "Feeling small in a new place is common and says little about what a person can do. "
        "Noting one thing that went well each day can soften harsh thoughts about yourself.",
    ),
    (
        "After the dog",
        "Our old dog died last month. I feel sad and low, and I miss the walks we had.",
        "Grief for an animal is real grief. "
        "A ten-minute walk on the old path can be a way to remember. "
        "Telling a friend one good memory may bring some warmth to the day.",
    ),
    (
        "Flatmates",
        "My flatmate leaves everything dirty and I am angry before I even open the door.",
        "Anger often eases when it is said early and calmly. "
        "Counting slow breaths before a hard talk gives the words time to settle.",
    ),
    (
        "Too much work",
        "I feel overwhelmed at work. The list only grows and I do not know where to begin.",
        "Choosing one task for the next half hour can make a long list less heavy. "
        "Short breaks away from the desk help the mind to recover.",
    ),
    (
        "My mother calls",
        "My mother calls five times a day and I feel guilty when I do not answer.",
        "A limit said kindly is still a limit. "
        "Agreeing on one fixed time to talk can take the weight from the other hours.",
    ),
    (
        "The stage",
        "I am nervous about speaking in front of my class and my hands shake.",
        "Letting the shoulders drop and breathing out slowly can quiet shaking hands. "
        "Practising the first two sentences aloud makes a beginning easier.",
    ),
    (
        "Growing apart",
        "My partner and I hardly talk any more and I feel sad about it.",
        "Ten minutes of listening without advice can bring two people closer. "
        "It can help to say what you miss rather than what is wrong.",
    ),
    (
        "Retired",
        "I retired in spring and my days feel empty. I worry that I am no use to anyone.",
        "A small task at a fixed hour can give shape to an empty day. "
        "Spending time on something you used to enjoy can bring a little pleasure back.",
    ),
    (
        "The move",
        "We move house next week and I feel tense and tired from all the boxes.",
        "Tensing and releasing the muscles one by one can ease a tired body. "
        "A warm drink and ten quiet minutes count as rest.",
    ),
]


def write_corpus(path: Path) -> Path:
    """The cases as JSON lines at ``path``."""
    lines = (
        json.dumps({"title": title, "Context": context, "Response": response})
        for title, context, response in CASES
    )
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
