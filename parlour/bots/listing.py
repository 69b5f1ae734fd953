"""List the bots: what each is, and which commands have it compiled."""

from __future__ import annotations

from dataclasses import dataclass

from parlour import bots
from parlour.bots import nets, solved
from parlour.bots.levels import LEARNED
from parlour.core.game import Game

ABOUT = {
    LEARNED: "makes the decision after which a network sees the best chance to win; without one it searches",
    "greedy": "makes the decision that the game's own heuristic values most, without looking further",
    "random": "makes any legal decision, each with the same chance",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """A bot of a game, with a one-line description.

    It plays in `serve`, `play`, `arena`, `simulate` and `stats`. `compiled`: the commands in which whole games with it
    are compiled, if those of all seats are; else it is asked for one decision at a time. `default`: it plays against a
    person who has chosen no bot.
    """

    game: str
    bot: str
    about: str
    compiled: tuple[str, ...]
    default: bool


def listing(game: Game, ruleset: str | None = None) -> list[Entry]:
    """Return the bots of a game, the best first, with what they are in one of its rulesets or, without, in most."""
    return [
        Entry(game.name, name, _about(game, name, ruleset), _compiled(game, name), name == bots.default(game))
        for name in bots.names(game)
    ]


def _about(game: Game, name: str, ruleset: str | None) -> str:
    level = bots.declared(game).get(name)
    searches = ruleset is not None and not nets.files(game, (ruleset,))  # as `learned` does without a network
    if level is None and name == LEARNED and searches:
        return "looks ahead, as no network has learnt this ruleset"
    if level is None:
        return ABOUT.get(name) or solved.about(game, name)
    if isinstance(level, int) or (level.bot == LEARNED and searches):
        plan = bots.plan(game, name)
        judge = ", judged by a network" if plan.net and nets.files(game) else ""
        return f"looks ahead: {plan.simulations:,} simulations for a decision{judge}"
    if not level.noise:
        return f"plays as `{level.bot}` does"
    return f"plays as `{level.bot}` does, but misjudges each decision by {level.noise:,g} or so"


def _compiled(game: Game, name: str) -> tuple[str, ...]:
    """Return the commands that play whole games in compiled loops."""
    if name in bots.simulated(game):
        return ("simulate", "stats")
    return ("simulate",) if name in solved.names(game) else ()
