"""What the coach says to a dozen messages, word for word, over the packaged corpus with the twin.

The files beside this one are the record of every change of wording: read the difference before it
is committed. ``python tests/golden/golden_replies.py`` writes them anew.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from handrail.bootstrap import build_engine
from handrail.domain.outcome import Outcome
from handrail.engine import STARTER, Engine
from handrail.settings import Settings

FOLDER = Path(__file__).parent
COUNTRY = "IE"

MESSAGES = {
    "worthless-and-anxious": "I feel worthless and anxious",
    "depressed-and-anxious": "I'm feeling depressed and anxious",
    "grief": "My dad died in spring. I still set the table for him and then I cry.",
    "oblique-sleep": "Three in the morning again. The ceiling and I know each other well by now.",
    "no-feeling-named": "My sister has not picked up the phone since the wedding.",
    "anger": "I snapped at my kids again over a spilled glass and I'm so angry with myself.",
    "asthma": "I panic on the bus every day, and I have asthma so I dread losing my breath.",
    "mild": "I can't take it anymore. My manager writes to me every evening after nine.",
    "out-of-scope": "Which train goes from Cork to Dublin before noon?",
    "spanish": "Me siento sola desde que me mudé y no conozco a nadie aquí.",
    "moderate": "Most nights I hope that I just don't wake up.",
    "high-spanish": "Esta noche me voy a matar.",
    "abuse": "My husband hits me when dinner is late and I am afraid to go home.",
}


def replies(engine: Engine) -> dict[str, str]:
    """The text of every file, by name."""
    return {
        name: transcript(message, engine.coach_now(message, collection=STARTER, country=COUNTRY))
        for name, message in MESSAGES.items()
    }


def transcript(message: str, outcome: Outcome) -> str:
    """Message, kind of outcome, words, citations and help, as a person would read them."""
    kind = type(outcome).__name__
    reason = getattr(outcome, "reason", None)
    head = f"{kind} ({reason})" if reason else kind
    cited = [f"{c.case_id}/{c.sent_id} [{c.start}:{c.end}]" for c in outcome.citations]
    help_ = [f"{resource.label}: {resource.value}" for resource in outcome.resources]
    parts = [f"> {message}", f"{head}, risk {outcome.risk.level.label}", outcome.text]
    parts += ["\n".join(lines) for lines in (cited, help_) if lines]
    return "\n\n".join(parts) + "\n"


def recorded(name: str) -> Path:
    """The file of a message."""
    return FOLDER / f"{name}.txt"


def main() -> None:
    """Write every file anew."""
    with tempfile.TemporaryDirectory() as home:
        for name, text in replies(build_engine(Settings(home=Path(home)))).items():
            recorded(name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
