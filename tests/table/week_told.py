"""What people are told in a week of games by post (`tests.table.week`), by webhooks on this machine, held against what
was seen: of each turn and each line of chat that waits for long enough they are told, once, and nothing else.

What is right is worked out here from whose turn it was and who said what; of `storage.notices` nothing is known but the
seconds that a notice waits, and that there is an hourly limit.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from parlour.table.house.house import House
from parlour.table.staff import telling
from tests.table.people import Person
from tests.table.receiving import Service

GRACE = 30.0  # seconds that each notice waits
LATE = 2 * 3600.0  # seconds after which whoever still waits must have been told, also beyond the hourly limit


@dataclass
class Line:
    """What somebody said at a table, to whom, and when."""

    by: int
    table: str
    to: int
    at: float
    told: bool = False


@dataclass
class Waits:
    """Somebody's turn: at which table, with whom, which one, and since when they could be told of it."""

    who: int
    table: str
    other: int
    made: int
    at: float
    told: bool = False


@dataclass
class Told:
    """The notices of a week. `service` takes them, and now and then does not."""

    service: Service
    choice: random.Random
    notices: int = 0
    refused: int = 0
    turns: dict[str, Waits] = field(default_factory=dict)  # by table, whose turn it is
    lines: list[Line] = field(default_factory=list)
    since: float = 0.0  # since when there is a house
    seen: set[str] = field(default_factory=set)  # ids of notices that were taken

    async def listen(self, person: Person, who: int) -> None:
        """Somebody wants to be told of everything."""
        address = f"{self.service.url}/hook?who={who}"
        await person.do("me/told", kind="hook", address=address, turn=True, invitation=True, chat=True)

    def turn(self, table: str, who: int | None, other: int, made: int, now: float) -> None:
        """Whose turn it is at a table, None if nobody's who can be told."""
        known = self.turns.get(table)
        if who is None:
            self.turns.pop(table, None)
        elif known is None or (known.who, known.made) != (who, made):
            self.turns[table] = Waits(who, table, other, made, now)

    def waits(self) -> bool:
        """Whether anybody is still to be told of anything."""
        return any(not one.told for one in (*self.turns.values(), *self.lines))

    async def tell(self, house: House, now: float) -> None:
        """Let the house tell what is due, and look at what came."""
        self.service.hook_status = 503 if self.choice.random() < 0.25 else 200
        self.service.hooked.clear()
        await telling.note(house)
        while await telling.send(house, now):
            pass
        if self.service.hook_status != 200:
            self.refused += len(self.service.hooked)
            return
        for one in self.service.hooked:
            self._take(one, now)
        late = [
            one for one in (*self.turns.values(), *self.lines) if not one.told and now - max(one.at, self.since) > LATE
        ]
        assert not late, f"not told: {late[:3]}"
        self.lines = [one for one in self.lines if not one.told]

    def _take(self, one: dict[str, str], now: float) -> None:
        """What came must be so, be news, and say what everybody at the table knows, and nothing else."""
        who, table = int(one["who"]), one["url"].rpartition("/")[2]
        assert one["id"] not in self.seen, f"told twice: {one}"
        self.seen.add(one["id"])
        self.notices += 1
        if one["title"].startswith("Your turn"):
            turn = self.turns.get(table)
            assert turn is not None, f"told of a turn that is nobody's: {one}"
            assert turn.who == who, f"told of another's turn: {one}"
            assert not turn.told, f"told twice of the same turn: {one}"
            assert now - turn.at >= GRACE, f"told too soon: {one}"
            turn.told = True
            said = ("Your turn: Fortune", f"It is your turn with Person {turn.other}.")
        else:
            lines = [line for line in self.lines if (line.table, line.to) == (table, who) and not line.told]
            assert lines, f"told of nothing new: {one}"
            for line in lines:
                line.told = True
            said = ("At your table: Fortune", f"Person {lines[-1].by} has written something.")
        words = {"title": said[0], "body": said[1], "url": f"http://house.test/t/{table}"}
        text = f"{said[0]}: {said[1]} {words['url']}"
        assert one == words | {"text": text, "content": text, "id": one["id"], "who": str(who)}
