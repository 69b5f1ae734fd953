"""What is worth achieving in Fortune: each teaches something that a first game rarely shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from parlour.core.contract import Achievement, Step
from parlour.games.fortune import rules as r

FORTUNE, CURSE = 3000, 1000  # points of a turn; of each opponent

ACHIEVEMENTS = (
    Achievement("island", "Castaway", "Reach the Island: four skulls or more in the first roll of a turn.", "FO-13"),
    Achievement("full-chest", "Full Chest", "Stop with all eight dice earning points, for 500 more.", "FO-11"),
    Achievement("safe-chest", "Safe on board", "Lose your turn to skulls, and score what is on the chest.", "FO-16"),
    Achievement("spell", "A skull less", "Let the Sorceress free a skull, and score in the same turn.", "FO-18"),
    Achievement("battle", "Four swords", "Win the Sea Battle for four swords.", "FO-19"),
    Achievement("fortune", "A fortune", "Score 3,000 points or more in one turn.", "FO-8"),
    Achievement("curse", "The captain’s curse", "Cost every opponent 1,000 points or more on the Island.", "FO-15"),
    Achievement("overtake", "The last word", "Win in the final round that someone else began.", "FO-26"),
)


def achieved(steps: Sequence[Step]) -> Iterator[tuple[str, int, int]]:
    """Yield what each turn achieved, and the end of the game."""
    for at, step in enumerate(steps):
        for key in _turn(step):
            yield key, step.before.player, at
    last = steps[-1]
    best, finisher = r.highest(last.after), last.before.finisher
    if finisher != r.NOBODY and last.after.scores[finisher] < best:  # FO-26
        for seat in range(last.after.players):
            if last.after.scores[seat] == best:
                yield "overtake", seat, len(steps) - 1


def _turn(step: Step) -> Iterator[str]:
    before, after = step.before, step.after
    if before.phase == r.ROLL and after.island and not before.island:
        yield "island"
    if after.turns == before.turns:
        return
    if after.fate == r.ISLAND and after.loss >= CURSE:
        yield "curse"
    if after.fate == r.DISQUALIFIED and before.card == r.CHEST and after.worth > 0:
        yield "safe-chest"
    if after.fate in (r.STOPPED, r.STORM_OVER) and after.worth >= FORTUNE:
        yield "fortune"
    if after.fate == r.STOPPED and after.worth > 0:
        if r.full_chest(before):
            yield "full-chest"
        if before.spell:
            yield "spell"
        if before.card == r.SEA_4:
            yield "battle"
