"""How long pairings of the largest fields take: `nice python -m tests.house.tournaments.times`.

Prints, for each system, the longest of the first rounds and the standings after them, in seconds of one core. That is
the time of the processor, so that other work on the machine hardly matters.
"""

from __future__ import annotations

import random
import time

from parlour.house.tournaments.pairing import dutch, round_robin, systems
from parlour.house.tournaments.pairing.kinds import (
    ARENA,
    ENTRANTS,
    KNOCK_OUT,
    MOST_AT_LARGER,
    MOST_OF_TWO,
    ROUND_ROBIN,
    SIMULTANEOUS,
    SWISS,
    Form,
    Played,
)  # fmt: skip
from tests.house.tournaments.by_chance import field, result

ROUNDS = 5
FIELDS = (
    (SWISS, 2, dutch.MOST), (SWISS, 2, ENTRANTS), (SWISS, 4, ENTRANTS), (SWISS, 6, ENTRANTS), (ARENA, 2, ENTRANTS),
    (ARENA, 4, ENTRANTS), (KNOCK_OUT, 2, ENTRANTS), (KNOCK_OUT, 4, ENTRANTS), (SIMULTANEOUS, 2, ENTRANTS),
    (ROUND_ROBIN, 2, MOST_OF_TWO), (ROUND_ROBIN, 3, MOST_AT_LARGER - 1),
    (ROUND_ROBIN, 4, MOST_AT_LARGER - 1), (ROUND_ROBIN, 6, MOST_AT_LARGER - 1),
)  # fmt: skip


def measure(system: str, seats: int, count: int) -> tuple[float, float]:
    """Return how long the slowest of the first rounds took to pair, and the standings after them, in seconds."""
    form = Form(system=system, seats=seats, host="host" if system == SIMULTANEOUS else "", bots=system == ROUND_ROBIN)
    entrants = field(count)
    strengths = {one.id: one.strength for one in entrants}
    rng = random.Random(1)
    history: list[Played] = []
    slowest = 0.0
    round_robin.schedule.cache_clear()
    for number in range(1, ROUNDS + 1):
        begun = time.process_time()
        todo = systems.pairings(form, entrants, history, number)
        slowest = max(slowest, time.process_time() - begun)
        while todo:
            history += [result(one, number, rng, strengths) for one in todo]
            todo = systems.replays(form, entrants, history, number)
    begun = time.process_time()
    systems.standings(form, entrants, history)
    return slowest, time.process_time() - begun


def main() -> None:
    """Print the times of all systems as a table."""
    print("| system | seats | entrants | a round, s | standings, s |\n|---|--:|--:|--:|--:|")
    for system, seats, count in FIELDS:
        slowest, standings = measure(system, seats, count)
        print(f"| {system} | {seats} | {count:,} | {slowest:.2f} | {standings:.2f} |", flush=True)


if __name__ == "__main__":
    main()
