"""A flow's retrieval as data: channels with depths, one fusion, stages in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from handrail.domain.ranking import Ranking
from handrail.domain.trace import Tracer
from handrail.retrieval.channel import Channel, ChannelRanking
from handrail.retrieval.fusion import Fusion
from handrail.retrieval.question import Question
from handrail.retrieval.stage import Stage


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Channels (each with its ``k``), a fusion and stages; running it changes nothing."""

    channels: Sequence[tuple[Channel, int]]
    fusion: Fusion
    stages: Sequence[Stage]

    def find(self, question: Question, tracer: Tracer) -> list[ChannelRanking]:
        """What every channel found."""
        found = []
        for channel, k in self.channels:
            with tracer.step(f"search_{channel.name}") as facts:
                ranking = channel.search(question, k=k)
                facts["hits"] = len(ranking.hits)
            found.append(ranking)
        return found

    def run(self, question: Question, tracer: Tracer) -> Ranking:
        """Search, fuse, then each stage in order; every step timed, every drop kept."""
        rankings = self.find(question, tracer)
        with tracer.step("fuse") as facts:
            ranking = self.fusion.fuse(rankings, question)
            facts.update(fusion=self.fusion.name, candidates=len(ranking.candidates))
        for stage in self.stages:
            with tracer.step(stage.name) as facts:
                ranking = stage.apply(ranking, question)
                facts["candidates"] = len(ranking.candidates)
        return ranking
