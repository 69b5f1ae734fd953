"""What people are told in a week of games by post (`tests.table.week`), by webhooks on this machine, held against what
was seen: of each turn and each line of chat that waits for long enough they are told, once, and once that the time of a
turn is short; and nothing else. Whoever sees the table's page is not told.

What is right is worked out here from what somebody who looks on sees, who knows no hand and of no secret question:
whose turn it was, how much of its time was left, who said what and who had a page open. So a notice that depends on
anything else is one too many, one too few, or too late. Of `storage.notices` nothing is known but the seconds that a
notice waits, those after which what a page shows counts as seen, and that there is an hourly limit.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.table.people import Person
from tests.table.receiving import Service
from tests.table.week_house import Dead, Host

GRACE = 30.0  # seconds that each notice waits
SEEN = 12.0  # seconds after which a page that shows it, and is seen, counts
REFUSED = 3  # times at most that the same notice is not taken
SIZES = {"h": 3600.0, "min": 60.0, "s": 1.0}
SOON = 1800.0  # seconds after which whoever has little time must know that
FULL = 15  # notices in an hour, of 20 that a person gets at most; with those that were refused there may be more
LATE = 2 * 3600.0  # seconds after which whoever still waits must have been told, also beyond the hourly limit


@dataclass
class Line:
    """What somebody said at a table, to whom, and when."""

    by: int
    table: str
    to: int
    at: float
    told: bool = False
    noted: float = 0.0
    seen: bool = False
    unseen: bool = False


@dataclass
class Waits:
    """Somebody's turn: at which table, with whom, which one, and since when they could be told of it. `left`: what the
    clock says at a moment; time is `short` with so much left."""

    to: int
    table: str
    title: str
    other: int
    made: int
    at: float
    left: Callable[[float], float]
    short: float
    told: bool = False
    warned: bool = False
    noted: float = 0.0  # when the house looked first
    seen: bool = False  # whether they had the page open at any time that it looked
    unseen: bool = False  # or had not
    short_seen: bool = False  # the same since their time is short
    short_unseen: bool = False

    def is_short(self, now: float) -> bool:
        """Whether their time is short, and they were not told."""
        return not self.warned and self.left(now) <= self.short


@dataclass
class Told:
    """The notices of a week. `service` takes them, and now and then does not."""

    service: Service
    choice: random.Random
    notices: int = 0
    warned: int = 0
    refused: int = 0
    turns: dict[str, Waits] = field(default_factory=dict)  # by table, whose turn it is
    lines: list[Line] = field(default_factory=list)
    titles: dict[str, str] = field(default_factory=dict)  # of the games, by table
    since: float = 0.0  # since when there is a house
    seen: set[str] = field(default_factory=set)  # ids of notices that were taken
    unsure: dict[str, dict[str, str]] = field(default_factory=dict)  # those of which a house that died may not know it
    again_told: int = 0  # of them, those that came again
    strike: Callable[[], None] | None = None  # what befalls the house as it sends the next notice
    looks: set[tuple[int, str]] = field(default_factory=set)  # who sees which table's page
    lately: dict[int, list[float]] = field(default_factory=dict)  # by person, when they were
    refusals: Counter[str] = field(default_factory=Counter)  # by id, how often it was not taken

    def __post_init__(self) -> None:
        self.service.refuses = self._refuses

    async def listen(self, person: Person, who: int) -> None:
        """Somebody wants to be told of everything."""
        address = f"{self.service.url}/hook?who={who}"
        await person.do("me/told", kind="hook", address=address, turn=True, invitation=True, chat=True)

    def turn(self, table: str, turn: Waits | None) -> None:
        """Whose turn it is at a table, None if nobody's who can be told."""
        known = self.turns.get(table)
        if turn is None:
            self.turns.pop(table, None)
        elif known is None or (known.to, known.made) != (turn.to, turn.made):
            self.turns[table] = turn

    def waits(self, now: float) -> bool:
        """Whether anybody is still to be told of anything."""
        told = all(one.told for one in (*self.turns.values(), *self.lines))
        return not told or any(one.is_short(now) for one in self.turns.values())

    async def tell(self, host: Host, now: float) -> bool:
        """Let the house tell what is due, and look at what came; whether it lives."""
        self.taken: list[dict[str, str]] = []
        self.again: set[tuple[int, str]] = set()  # who is to be told of which table another time
        lives = True
        try:
            await host.ask("tell", now)
        except Dead:
            lives = False
        if lives or self.taken:
            self._look(now)
        for one in self.taken:
            self._take(one, now, sure=lives)
        if lives:
            self._all_told(now)
        self.lines = [one for one in self.lines if not one.told]
        return lives

    def _look(self, now: float) -> None:
        """The house has looked who sees what."""
        for one in (*self.turns.values(), *self.lines):
            one.noted = one.noted or (one.at if isinstance(one, Line) else now)
            looks = (one.to, one.table) in self.looks
            one.seen, one.unseen = one.seen or looks, one.unseen or not looks
            one.told = one.told or (looks and now - one.noted >= SEEN)
            if isinstance(one, Waits) and one.is_short(now):
                one.short_seen, one.short_unseen = one.short_seen or looks, one.short_unseen or not looks
                one.warned = looks and one.left(now - SEEN) <= one.short

    def _all_told(self, now: float) -> None:
        """Whoever was to know something by now does."""
        late = [
            one for one in (*self.turns.values(), *self.lines)
            if not (one.told or one.seen) and now - max(one.at, self.since) > LATE
            and (one.to, one.table) not in self.again
        ]  # fmt: skip
        assert not late, f"not told: {late[:3]}"
        late = [
            one for one in self.turns.values()
            if one.is_short(now - SOON) and not one.short_seen and now - self.since > SOON
            and (one.to, one.table) not in self.again and len(self._last_hour(one.to, now)) < FULL
        ]  # fmt: skip
        assert not late, f"not told that their time is short: {late[:3]}"

    def _last_hour(self, who: int, now: float) -> list[float]:
        self.lately[who] = [at for at in self.lately.get(who, []) if at > now - 3600]
        return self.lately[who]

    def _refuses(self, one: dict[str, str]) -> bool:
        """Whether the service does not take a notice that comes now."""
        if self.strike is not None:
            self.strike()
            self.strike = None
        refused = self.refusals[one["id"]] < REFUSED and self.choice.random() < 0.25
        if refused:
            self.refusals[one["id"]] += 1
            self.refused += 1
            self.again.add((int(one["who"]), one["url"].rpartition("/")[2]))
        else:
            self.taken.append(one)
        return refused

    def _take(self, one: dict[str, str], now: float, *, sure: bool) -> None:
        """What came must be so, be news, and say what everybody at the table knows, and nothing else. Not `sure`: the
        house was killed then; it may send the same once more."""
        who, table = int(one["who"]), one["url"].rpartition("/")[2]
        if (before := self.unsure.pop(one["id"], None)) is not None:
            self.again_told += 1
            assert [one[part] for part in ("title", "url", "who")] == [before[part] for part in ("title", "url", "who")]
            if not sure:  # it was killed again
                self.unsure[one["id"]] = one
            return
        if not sure:
            self.unsure[one["id"]] = one
        assert one["id"] not in self.seen, f"told twice: {one}"
        self.seen.add(one["id"])
        self.notices += 1
        self._last_hour(who, now).append(now)
        if one["title"].startswith("Your turn"):
            turn = self.turns.get(table)
            assert turn is not None, f"told of a turn that is nobody's: {one}"
            assert turn.to == who, f"told of another's turn: {one}"
            assert not turn.told, f"told twice of the same turn, or of one that they saw: {one}"
            assert turn.unseen, f"told though they see the page: {one}"
            assert now - turn.at >= GRACE, f"told too soon: {one}"
            turn.told = True
            said = (f"Your turn: {turn.title}", f"It is your turn with Person {turn.other}.")
        elif one["title"].startswith("Time is short"):
            turn = self.turns.get(table)
            assert turn is not None, f"told that the time of nobody's turn is short: {one}"
            assert turn.to == who, f"told that another's time is short: {one}"
            assert not turn.warned, f"told twice that time is short, or though they saw it: {one}"
            assert turn.short_unseen, f"told that time is short though they see the page: {one}"
            assert turn.left(now - GRACE) <= turn.short + 1e-3, f"told too soon that time is short: {one}"
            turn.warned, left = True, turn.left(now)
            self.warned += 1
            found = re.search(r"You have (\d+)(½?) (\w+) left", one["body"])
            assert found is not None, one
            size = SIZES[found[3]]
            wrong = left + 60 - (int(found[1]) + 0.5 * bool(found[2])) * size
            assert 0 <= wrong + 1e-3 < size, f"told of another time than {left}: {one}"
            said = (f"Time is short: {turn.title}", f"{found[0]} with Person {turn.other}; after that a bot plays on.")
        else:
            lines = [line for line in self.lines if (line.table, line.to) == (table, who) and not line.told]
            assert lines, f"told of nothing new: {one}"
            assert any(line.unseen for line in lines), f"told though they see the page: {one}"
            for line in lines:
                line.told = True
            said = (f"At your table: {self.titles[table]}", f"Person {lines[-1].by} has written something.")
        words = {"title": said[0], "body": said[1], "url": f"http://house.test/t/{table}"}
        text = f"{said[0]}: {said[1]} {words['url']}"
        assert one == words | {"text": text, "content": text, "id": one["id"], "who": str(who)}
