"""Tournaments for tests: people with accounts, and games that are over in a moment."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from typing import Any

from parlour.house.house import House
from parlour.house.tournaments import jobs
from tests.house.clock import Clock
from tests.house.people import Person

KUHN: dict[str, Any] = {"game": "kuhn", "tempo": {"bank": 60.0}}


async def accounts(arrive: Callable[[], Person], number: int, first: int = 0) -> list[Person]:
    """Return people with accounts, called Player A, Player B and so on, or from the `first` letter on."""
    people = [arrive() for _ in range(number)]
    for i, person in enumerate(people, first):
        name = f"Player {chr(ord('A') + i)}"
        await person.do("me", name=name)
        await person.do("me/claim", name=name, password="correct horse")
    return people


async def announce(organiser: Person, **body: Any) -> str:
    """Announce a tournament; return its id."""
    made = await organiser.do("tournaments", **{"name": "Kuhn Open", "system": "swiss", **KUHN, **body})
    return str(made["id"])


async def begun(house: House, organiser: Person, people: Sequence[Person], **body: Any) -> str:
    """Announce a tournament that these people join, start it and pair it; return its id."""
    tournament = await announce(organiser, **body)
    for person in people:
        await person.do(f"tournaments/{tournament}/join")
    await organiser.do(f"tournaments/{tournament}/start")
    await settle(house)
    return tournament


async def settle(house: House, now: float | None = None) -> None:
    """Let the house see to its tournaments until nothing is due. `now` replaces the present time."""
    for _ in range(20):
        if not await jobs.beat(house, time.time() if now is None else now):
            return
    raise AssertionError("a tournament is always due")


async def seen(person: Person, tournament: str, what: str = "") -> Any:
    """Return a tournament as a person sees it, or its standings or games."""
    answer = await person.get(f"/api/tournaments/{tournament}{what}")
    assert answer.is_success, answer.text
    return answer.json()


async def play(person: Person, table: str, seed: int = 1) -> bool:
    """Make the move that a person can make at a table; return whether there was one."""
    there = await person.see(table)
    if not there["legal"]:
        return False
    version = there["table"]["version"]
    move = random.Random(f"{seed}/{table}/{version}").choice(there["legal"])
    await person.do(f"tables/{table}/moves", move=move, version=version)
    return True


async def play_all(house: House, people: Sequence[Person], tournament: str) -> None:
    """Play all games of these people that are in progress."""
    sits = {person: set((await seen(person, tournament))["tables"]) for person in people}
    for table in set().union(*sits.values()):
        players = [person for person in people if table in sits[person]]
        while any([await play(one, table) for one in players]):
            pass
    await told(house)


async def play_rounds(house: House, clock: Clock, people: Sequence[Person], tournament: str) -> None:
    """Play round after round until the tournament is over."""
    for _ in range(20):
        if (await seen(people[0], tournament))["state"] == "over":
            return
        await play_all(house, people, tournament)
        clock.ahead += jobs.BREAK
        await settle(house)
    raise AssertionError("the tournament does not end")


async def told(house: House) -> None:
    """Wait until the results of all games that are over are stored."""
    for task in [*house._stories._tasks.values()]:
        await task
