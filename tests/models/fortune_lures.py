"""Where the walk is lured in Fortune: great and terrible rolls, the finish line, the limit of rounds.

Random play loses points on the whole and never comes near the line. Here each game has a plan, and of the moves and
rolls that are possible the one that serves it is taken, so nothing happens that could not.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

LATE = ("late", "late and back")
PLANS = ("turns", "turns", "race", "exact", "back", "tie")
FEW_SWORDS = {"sea-battle-2": 2, "sea-battle-3": 3, "sea-battle-4": 4}


def lure(model: Any, choices: list[str], rng: Random) -> str | None:
    """Of these choices the one that serves the plan; None: any.

    "turns": every turn something else; "race": great rolls, stopped at once; "exact": to the very line; "back": across
    it, and then drawn back by the Island; "tie". The long ones, with totals kept near zero: "bust": to the limit of
    rounds; "late": until shortly before it, to cross in the last turn; "late and back".
    """
    model.plan = model.plan or rng.choice(PLANS)
    if model.plan == "turns" and model.turns > 30:
        model.plan = "race"
    if model.phase == "seat" or (model.plan not in LATE and rng.random() < 0.03):
        return None
    if model.plan == "turns":
        return one_turn(model, choices, rng)
    if model.phase == "decide":
        return "stop"
    left = model.limit - model.turns if model.limit else 1000
    idle = model.plan == "bust" or (model.plan in LATE and left > 3 * model.players)
    if model.phase == "card":
        good = [c for c in choices if c.split()[1] in ("gold", "diamond", "captain")]
        return rng.choice(good) if good and not idle else None
    return idle_roll(model, choices, rng) if idle else great_roll(model, choices, rng, left)


def one_turn(model: Any, choices: list[str], rng: Random) -> str | None:
    """A card or a first roll that is hardly ever seen; on the Island, ever more skulls."""
    if model.phase == "decide":
        return min(choices) if model.island and rng.random() < 0.8 else None  # "re-roll ..." comes before "stop"
    if model.phase == "card" and rng.random() < 0.3:
        few = [c for c in choices if c in ("card storm", "card truce", "card skulls-1", "card sea-battle-2")]
        return rng.choice(few) if few else None
    if model.phase == "roll" and model.island:
        return with_skulls(model, choices, rng, model.skulls() + rng.randint(0, model.dice.count(None)))
    if model.phase != "roll" or model.rolls:
        return None
    theme = rng.choice(("rich", "skulls", "any"))
    if theme == "rich":
        rich = [c for c in choices if not any(dull in c for dull in ("skull", "monkey", "parrot"))]
        few = [c for c in rich if c.count("sword") == FEW_SWORDS.get(model.card, 0)]
        return rng.choice(few if rng.random() < 0.5 else rich)
    return with_skulls(model, choices, rng, rng.choice((3, 4, 5, 7))) if theme == "skulls" else None


def idle_roll(model: Any, choices: list[str], rng: Random) -> str:
    """One that keeps the total near zero."""
    return nearest(model, some(choices, rng), 0)


def great_roll(model: Any, choices: list[str], rng: Random, left: int) -> str | None:
    """One that leads to the line or, in the final round, where the plan wants its player to be."""
    if model.final_starter is not None:
        if model.plan in ("back", "late and back"):
            return with_skulls(model, choices, rng, 3 if model.card in FEW_SWORDS else 6)
        if model.plan == "tie":
            found = nearest(model, choices, max(model.totals))
            return found if total_if(model)(found) == max(model.totals) else None
    if model.plan in LATE and left > 1:
        return nearest(model, some(choices, rng), model.line - 1000)
    totals = total_if(model)
    if model.plan in ("exact", "back", "late and back"):
        wanted = model.line + (100 if model.plan != "exact" else 0)
        reached = {c: total for c in choices if (total := totals(c)) >= wanted > model.totals[model.player]}
        if reached:
            return min(reached, key=reached.__getitem__)
    return max(some(choices, rng), key=totals)


def with_skulls(model: Any, choices: list[str], rng: Random, skulls: int) -> str:
    """Return a roll after which there are this many skulls, if there is such a roll."""
    wanted = skulls - model.skulls()
    return rng.choice([c for c in choices if c.count("skull") == wanted] or choices)


def nearest(model: Any, choices: list[str], wanted: int) -> str:
    """Return the roll after which stopping leaves the player's total nearest to this."""
    totals = total_if(model)
    return min(choices, key=lambda c: abs(totals(c) - wanted))


def total_if(model: Any) -> Callable[[str], int]:
    """Return what the player's total is after a roll and a stop; four skulls and more change nothing."""
    lying, total = list(model.dice), model.totals[model.player]

    def of(choice: str) -> int:
        coming = iter(choice.split()[1:])
        model.dice = [next(coming) if face is None else face for face in lying]
        worth = model.worth_now() if model.skulls() < 4 else 0
        model.dice = lying
        return int(total + worth)

    return of


def some(choices: list[str], rng: Random) -> list[str]:
    """A few of these rolls, and those of hardly anything but gold and diamonds."""
    few = rng.sample(choices, min(len(choices), 30))
    return few + [c for c in choices if c.count("gold") + c.count("diamond") >= len(c.split()) - 2]
