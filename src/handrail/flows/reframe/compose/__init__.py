"""The deterministic composer: a session that works well without a model."""

from handrail.flows.reframe.compose.lines import ReframeLines, packaged_lines
from handrail.flows.reframe.compose.plan import Plan, Turn
from handrail.flows.reframe.compose.turns import plan
from handrail.flows.reframe.compose.voice import Voice, Voiced, count_words, echo, first_words

__all__ = [
    "Plan",
    "ReframeLines",
    "Turn",
    "Voice",
    "Voiced",
    "count_words",
    "echo",
    "first_words",
    "packaged_lines",
    "plan",
]
