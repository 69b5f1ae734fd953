"""What is worth achieving in Facets of Fortune: markets that are read well, and risks that pay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from parlour.core.contract import Achievement, Step
from parlour.games.facets_of_fortune import rules as r
from parlour.games.facets_of_fortune.study import events as e

ACHIEVEMENTS = (
    Achievement(
        "triple", "Three of a colour", "Hold three numbered cards of one colour, for the bank’s bonus.", "FF-25"
    ),
    Achievement("top", "At the top", "Sell a gem at the highest price of its market.", "FF-10"),
    Achievement("escape", "Just in time", "Sell your last gem of a market that the next roll crashes.", "FF-26"),
    Achievement("stop", "STOP", "Save a market from a crash with your STOP.", "FF-23"),
    Achievement("heist", "The great heist", "Steal three gems or more in one Heist.", "FF-22"),
    Achievement("reopen", "Open again", "Reopen a closed market with a Switch.", "FF-24"),
    Achievement("corner", "Cornered", "Own all ten gems of a market, and win at once.", "FF-28"),
)


def achieved(steps: Sequence[Step]) -> Iterator[tuple[str, int, int]]:
    """Yield what each step achieved; what a sale escaped is known at the next roll."""
    sold: dict[int, tuple[int, int]] = {}  # since the last roll, by colour: the seat that sold its last gem, and when
    for at, step in enumerate(steps):
        before, after = step.before, step.after
        if before.phase in (r.ROLL, r.NAME):
            for colour in range(r.N_COLOURS):
                if after.closed[colour] > before.closed[colour] and colour in sold:
                    yield "escape", *sold[colour]
                if before.marker[colour] + after.step > r.TOP and not after.closed[colour] and _rolled(step, colour):
                    yield from (
                        ("stop", seat, at) for seat in range(before.players) if before.stops[colour] >> seat & 1
                    )
            if after.phase != r.NAME:
                sold = {}
        elif before.phase == r.TRADE:
            colour, gems = r.traded(step.action)
            if gems < 0 and before.marker[colour] == r.TOP:
                yield "top", before.player, at
            if gems < 0 and not after.own[before.player][colour]:
                sold[colour] = before.player, at
        if after.corner != r.NOBODY and before.corner == r.NOBODY:
            yield "corner", after.corner, at
        found = e.events(before, step.action)
        for bit, key in ((e.TRIPLE, "triple"), (e.BIG_HEIST, "heist"), (e.REOPENED, "reopen")):
            if found & bit:
                yield key, before.player, at


def _rolled(step: Step, colour: int) -> bool:
    """Return whether a market is one that this step moves, or would."""
    before, after = step.before, step.after
    if before.phase == r.NAME:
        return bool(step.action - r.MARKET == colour)
    return bool(after.gem != r.WILD and r.is_moved(before, after.gem, colour))
