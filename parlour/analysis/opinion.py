"""What a bot would have decided in a game that others played, judged in the same way as what they did."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from parlour.analysis.evaluation import Decision, Judgement, Progress, Summary, summaries
from parlour.bots import outside
from parlour.bots.own import SECONDS, BotFault
from parlour.core.game import Game
from parlour.engine.interpreted import Engine


@dataclass(frozen=True, slots=True)
class Choice:
    """A bot's choice in a decision of a record. `action` is None if it failed, and `fault` says how."""

    decision: Decision
    action: int | None
    fault: str = ""

    @property
    def differs(self) -> bool:
        """Return whether it is another one than the player made."""
        return self.action not in (None, self.decision.action)


@dataclass(frozen=True, slots=True)
class Opinion:
    """A bot in the place of one seat's player: its decisions together, how many of them were the player's own, and how
    many were the best that the analysis knows or cannot be distinguished from it; the same of the player's."""

    summary: Summary
    same: int
    best: int
    player_best: int


def ask(
    game: Game,
    found: Sequence[Decision],
    named: outside.Named,
    engine: Engine | None = None,
    clock: float = SECONDS,
    progress: Progress | None = None,
) -> list[Choice]:
    """Ask a bot, of any kind that `outside.chooser` knows, in each of these decisions, in order; each seat has one of
    its own. It gets what the seat could know then. A fault costs it that decision only. Raises what `chooser` raises.
    """
    asked = {seat: outside.chooser(game, named, clock) for seat in {one.view.seat for one in found}}
    begun, choices = set[int](), list[Choice]()
    try:
        for number, one in enumerate(found):
            if progress:
                progress(number, len(found))
            bot, seat = asked[one.view.seat], one.view.seat
            try:
                if isinstance(bot, outside.OwnBot) and seat not in begun:
                    bot.begin()
                    begun.add(seat)
                choices.append(Choice(one, bot.choose(one.view, engine)))
            except BotFault as fault:
                begun.discard(seat)
                choices.append(Choice(one, None, str(fault)))
    finally:
        for bot in asked.values():
            if isinstance(bot, outside.OwnBot):
                bot.close()
    return choices


def judged(
    choices: Sequence[Choice],
    played: Sequence[Judgement],
    judge: Callable[[Sequence[Decision]], list[Judgement]],
) -> dict[int, Judgement]:
    """Return the judgement on each choice, by the step of the record. `played` are those on the decisions that were
    made; `judge` judges the others. Choices that failed have none."""
    known = {one.step: one for one in played}
    others = [replace(one.decision, action=one.action) for one in choices if one.differs and one.action is not None]
    found = {one.step: one for one in judge(others)} if others else {}
    same = {one.decision.step for one in choices if one.action is not None and not one.differs}
    return found | {step: known[step] for step in same}


def is_best(one: Judgement) -> bool:
    """Return whether a decision was the best known, or cannot be distinguished from it."""
    return one.loss == 0 or one.alike


def opinions(
    choices: Sequence[Choice], said: dict[int, Judgement], played: Sequence[Judgement], players: int
) -> list[Opinion]:
    """Return the bot in the place of each seat's player."""
    found = []
    for summary in summaries(said.values(), players):
        mine = [one for one in choices if one.decision.view.seat == summary.seat and one.decision.step in said]
        best = sum(is_best(said[one.decision.step]) for one in mine)
        theirs = sum(is_best(one) for one in played if one.seat == summary.seat)
        found.append(Opinion(summary, sum(not one.differs for one in mine), best, theirs))
    return found
