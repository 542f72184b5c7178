"""The front gate: what happens to a message before any index or model is needed (C22, C23)."""

from __future__ import annotations

from asyncio import CancelledError
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import assert_never

from handrail.content import CoachContent, content_hash
from handrail.domain.duties import DEFAULT_DUTIES, Duties
from handrail.domain.outcome import Outcome, Reason, Resource
from handrail.domain.risk import Risk
from handrail.domain.trace import Tracer
from handrail.errors import HandrailError, InvalidInput
from handrail.rails import escalation, release
from handrail.rails.crisis import CrisisScreen, SecondReader
from handrail.rails.crisis.second import Second
from handrail.rails.helplines import Helplines
from handrail.rails.injection import InjectionGuard, Way


@dataclass(frozen=True, slots=True, kw_only=True)
class Front:
    """Screens a message; help does not wait for an index to be built or a collection to exist.

    Whose numbers are shown: the country given with the message, the one it states, then
    ``country``; without any the international directories.
    """

    screen: CrisisScreen
    guard: InjectionGuard
    content: CoachContent
    helplines: Helplines
    country: str | None = None
    second: SecondReader | None = None
    duties: Duties = DEFAULT_DUTIES
    flow: str = "coach"
    _standing: tuple[Resource, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # Found now, so that there is help to show when its directory breaks later on.
        object.__setattr__(self, "_standing", self.helplines.resources(self.country))

    def admit(
        self,
        message: str,
        tracer: Tracer,
        *,
        country: str | None = None,
        helped: Callable[[release.Context], Outcome] | None = None,
    ) -> release.Context | Outcome:
        """The context of a message that may go on, or the outcome where the way ends here.

        ``helped`` may put more beside the safety lines of a flow; what it raises changes nothing.

        A screen that raises lets nothing through: the outcome is an abstention with resources.
        Raises `InvalidInput` for an empty or over-long message without danger in it.
        """
        try:
            with tracer.step("screen") as facts:
                risk = self.screen.check(message)
                facts.update(level=risk.level.label, kinds=list(risk.kinds))
        except Exception as error:  # noqa: BLE001  a screen that fails lets nothing through
            tracer.flags["rail_failed"] = True
            facts["error"] = type(error).__name__
            return release.abstain(
                Reason.RAIL_FAILED, self.context(message, Risk(), tracer, country)
            )
        second = self._second(message, risk, tracer)
        risk = second.risk
        context = self.context(message, risk, tracer, country)
        if escalation.escalates(risk):
            tracer.flags["crisis"] = True
            return _helped(context, helped)
        _refuse_unusable(message)
        return self._guarded(replace(context, reading=second.reading))

    def check(self, message: str) -> Risk:
        """What both readers say; raises what the screen raises."""
        risk = self.screen.check(message)
        return risk if self.second is None else self.second.over(message, risk).risk

    def _second(self, message: str, risk: Risk, tracer: Tracer) -> Second:
        """What the second reader adds; where it fails, the screen's word stands."""
        if self.second is None or escalation.escalates(risk):
            return Second(risk)
        with tracer.step("second_reader") as facts:
            second = self.second.over(message, risk)
            facts.update(level=second.risk.level.label)
            if second.failed is not None:
                facts["failed"] = second.failed
        return second

    def _guarded(self, context: release.Context) -> release.Context | Outcome:
        """The context after the injection screen: with a model, without one, or not at all."""
        match self.guard.way(context.message, context.tracer):
            case Way.OPEN:
                return context
            case Way.RULES:
                return replace(context, rules_only=True)
            case Way.CLOSED:
                return release.refuse(Reason.POLICY, context)
            case never:
                assert_never(never)

    def context(
        self, message: str, risk: Risk, tracer: Tracer, country: str | None
    ) -> release.Context:
        """What every outcome of a message shares, with the help that fits its risk."""
        place, resources = self.help(message, risk, country)
        return self._with_help(message, risk, tracer, place, resources)

    def failed(self, message: str, tracer: Tracer, error: BaseException) -> Outcome:
        """The outcome for a message that `admit` broke over; it asks no part that may hang."""
        tracer.flags["rail_failed"] = True
        with tracer.step("fault") as facts:
            facts["error"] = type(error).__name__
        context = self._with_help(message, Risk(), tracer, self.country, self._standing)
        return release.abstain(Reason.RAIL_FAILED, context)

    def help(
        self, message: str, risk: Risk, country: str | None
    ) -> tuple[str | None, tuple[Resource, ...]]:
        """Whose numbers, and which; without a directory those that were found at the start."""
        try:
            place = country or self.helplines.stated(message) or self.country
            found = self.helplines.resources(place, topics=escalation.topics(risk))
            if _is_code(place) and found and all(isinstance(one, Resource) for one in found):
                return place, tuple(found)
        except HandrailError:
            raise
        except (Exception, CancelledError):  # noqa: BLE001, S110  help is shown all the same
            pass
        return self.country, self._standing

    def _with_help(
        self,
        message: str,
        risk: Risk,
        tracer: Tracer,
        place: str | None,
        resources: tuple[Resource, ...],
    ) -> release.Context:
        language = risk.language or "en"

        return release.Context(
            flow=self.flow,
            message=message,
            risk=risk,
            tracer=tracer,
            line=lambda name: self.content.said(name, language),
            resources=resources,
            pins={"content": content_hash(), "country": place},
        )


def _helped(
    context: release.Context, helped: Callable[[release.Context], Outcome] | None
) -> Outcome:
    try:
        if helped is not None:
            return helped(context)
    except Exception as error:  # noqa: BLE001  help does not wait for what stands beside it
        with context.tracer.step("fault") as facts:
            facts["error"] = type(error).__name__
    return release.safety(escalation.safety_lines(context.risk), context)


def _is_code(place: object) -> bool:
    """Whether that is a country as a receipt may name it, or none."""
    return place is None or (isinstance(place, str) and len(place) == 2)


def _refuse_unusable(message: str) -> None:
    if not message.strip():
        raise InvalidInput("the message is empty. Write a sentence or two about what is going on")
    most = escalation.MAX_MESSAGE_CHARS
    if len(message) > most:
        raise InvalidInput(f"the message has {len(message)} characters. Send at most {most}")
