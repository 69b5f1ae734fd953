"""The notifications in a week of games by post (`tests.house.week`), by webhooks on this machine, compared with what
was visible. People get one notification of each turn, chat message, start, end, vote and bot in their seat that waits
for long enough, one that the time of a turn is short, and no others. People who see the table's page get none.

The test computes what is right from what a spectator sees, who knows no hand and no secret question: whose turn it was,
how much of its time was left, who wrote what and who had a page open. So a notification that depends on anything else
is one too many, one too few, or too late. Of `notify.outbox` the test knows only for how many seconds a notification
waits, after how many what a page shows counts as seen, and that there is an hourly limit.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from tests.house.people import Person
from tests.house.receiving import Service
from tests.house.week_house import Dead, Host

GRACE = 30.0  # seconds that each notification waits
SEEN = 12.0  # seconds after which it counts as seen on a visible page
REFUSED = 3  # times at most that the same notification is refused
SIZES = {"h": 3600.0, "min": 60.0, "s": 1.0}
SOON = 1800.0  # seconds within which a player must know that their time is short
FULL = 15  # notifications in an hour, of at most 20 for a person; refused ones may be more
ASKS = r".+ The score: Person \d+ −?[\d,]+ and Person \d+ −?[\d,]+\."
NEWS = {  # by kind, the beginning of its title and its text
    "chat": ("New message", r"{by} wrote a message at your table\."),
    "started": ("Game started", r"The game has started\."),
    "vote": ("Vote to end the game", r"{by} wants to end this game without a result\. It ends if everyone .*"),
    "seat": ("A bot plays for you", r"You were away on your turn, so a bot is playing in your seat\. .*"),
    "over": ("Game over", r".+"),
}  # fmt: skip
LATE = 2 * 3600.0  # seconds within which every notification must have arrived, even after the hourly limit


@dataclass
class Line:
    """A chat message or other news of a table, for whom, and when. `must`: whether it has to be notified; of the end
    the test does not know whether a player who was there or a bot made the move."""

    by: int
    table: str
    to: int
    at: float
    kind: str = "chat"
    must: bool = True
    sent: bool = False
    noted: float = 0.0
    seen: bool = False
    unseen: bool = False


@dataclass
class Waits:
    """A person's turn: at which table, with whom, which one, and since when a notification could be sent. `left`: what
    the clock shows at a moment; time is `short` with this much left."""

    to: int
    table: str
    title: str
    other: int
    made: int
    at: float
    left: Callable[[float], float]
    short: float
    up: Callable[[], float]  # when it is up, without what is given back
    sent: bool = False
    warned: bool = False
    noted: float = 0.0  # when the house first checked
    seen: bool = False  # whether they had the page open at any of its checks
    unseen: bool = False  # or did not
    short_seen: bool = False  # the same since their time is short
    short_unseen: bool = False

    def is_short(self, now: float) -> bool:
        """Return whether their time is short, and they have no notification of that."""
        return not self.warned and self.left(now) <= self.short


@dataclass
class Notices:
    """The notifications of a week. `service` accepts them, and now and then refuses one."""

    service: Service
    choice: random.Random
    notices: int = 0
    warned: int = 0
    refused: int = 0
    turns: dict[str, Waits] = field(default_factory=dict)  # by table, the present turn
    lines: list[Line] = field(default_factory=list)
    titles: dict[str, str] = field(default_factory=dict)  # of the games, by table
    alike: Callable[[str], bool] = lambda _: False  # whether the same two play the same game at another table, too
    since: float = 0.0  # when the house was started
    seen: set[str] = field(default_factory=set)  # ids of accepted notifications
    unsure: dict[str, dict[str, str]] = field(default_factory=dict)  # those that a house may not have noted as it died
    sent_again: int = 0  # of them, those that came again
    strike: Callable[[], None] | None = None  # what happens to the house as it sends the next notification
    looks: set[tuple[int, str]] = field(default_factory=set)  # the people who see each table's page
    lately: dict[int, list[float]] = field(default_factory=dict)  # by person, when notifications arrived
    refusals: Counter[str] = field(default_factory=Counter)  # by id, how often it was refused

    def __post_init__(self) -> None:
        self.service.refuses = self._refuses

    async def listen(self, person: Person, who: int) -> None:
        """Set up notifications of everything for a person."""
        address = f"{self.service.url}/hook?who={who}"
        await person.do("me/told", kind="hook", address=address, turn=True, game=True, invitation=True, chat=True)

    def turn(self, table: str, turn: Waits | None) -> None:
        """Note whose turn it is at a table, None without a person to notify."""
        known = self.turns.get(table)
        if turn is None:
            self.turns.pop(table, None)
        elif known is None or (known.to, known.made) != (turn.to, turn.made):
            self.turns[table] = turn

    def no_longer(self, table: str, *kinds: str, to: int | None = None) -> None:
        """Drop unsent news of these kinds at a table, for one person or all, because it is no longer true."""
        for one in self.lines:
            one.sent |= one.table == table and one.kind in kinds and to in (None, one.to)

    def waits(self, now: float) -> bool:
        """Return whether any notification is still to be sent."""
        sent = all(one.sent for one in (*self.turns.values(), *self.lines))
        return not sent or any(one.is_short(now) for one in self.turns.values())

    async def tell(self, host: Host, now: float) -> bool:
        """Let the house send what is due, and check what came; return whether it is alive."""
        self.taken: list[dict[str, str]] = []
        self.again: set[tuple[int, str]] = set()  # people and tables with a repeated notification
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
            self._all_sent(now)
        self.lines = [one for one in self.lines if not one.sent]
        return lives

    def _look(self, now: float) -> None:
        """Note what people see, as the house has just done. The player to move gets start and turn in one."""
        for table, turn in self.turns.items():
            if not any(one["title"].startswith("Game started") for one in self.taken):
                self.no_longer(table, "started", to=turn.to)
        for one in (*self.turns.values(), *self.lines):
            one.noted = one.noted or (one.at if isinstance(one, Line) else now)
            looks = (one.to, one.table) in self.looks
            one.seen, one.unseen = one.seen or looks, one.unseen or not looks
            one.sent = one.sent or (looks and now - one.noted >= SEEN)
            if isinstance(one, Waits) and one.is_short(now):
                one.short_seen, one.short_unseen = one.short_seen or looks, one.short_unseen or not looks
                one.warned = looks and one.left(now - SEEN) <= one.short

    def _all_sent(self, now: float) -> None:
        """Check that everything due by now has arrived."""
        late = [
            one for one in (*self.turns.values(), *self.lines)
            if not (one.sent or one.seen) and now - max(one.at, self.since) > LATE
            and (isinstance(one, Waits) or one.must)
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
        """Return whether the service refuses a notification that comes now."""
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
        """Check that a notification is true, new, and contains only what everyone at the table knows. Not `sure`: the
        house was killed then, and may send the same once more."""
        who, table = int(one["who"]), one["url"].rpartition("/")[2]
        if (before := self.unsure.pop(one["id"], None)) is not None:
            self.sent_again += 1
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
            assert turn is not None, f"notified of a turn that does not exist: {one}"
            assert turn.to == who, f"notified of another's turn: {one}"
            assert not turn.sent, f"told twice of the same turn, or of one that they saw: {one}"
            assert turn.unseen, f"told though they see the page: {one}"
            assert now - turn.at >= GRACE, f"told too soon: {one}"
            turn.sent = True
            said, pattern = f"Your turn: {turn.title}", rf"(The game has started\. )?{ASKS} Please move by (.*) UTC\."
            _is_near(self._said(one, said, pattern)[2], turn.up())
        elif one["title"].startswith("Time is running out"):
            turn = self.turns.get(table)
            assert turn is not None, f"warned about a turn that does not exist: {one}"
            assert turn.to == who, f"warned about another's time: {one}"
            assert not turn.warned, f"told twice that time is short, or though they saw it: {one}"
            assert turn.short_unseen, f"told that time is short though they see the page: {one}"
            assert turn.left(now - GRACE) <= turn.short + 1e-3, f"told too soon that time is short: {one}"
            turn.warned, left = True, turn.left(now)
            self.warned += 1
            pattern = rf"You have (\d+)(½?) (\w+) left, until (.*) UTC\. Then a bot plays for you\. {ASKS}"
            found = self._said(one, f"Time is running out: {turn.title}", pattern)
            size = SIZES[found[3]]
            wrong = left + 60 - (int(found[1]) + 0.5 * bool(found[2])) * size
            assert 0 <= wrong + 1e-3 < size, f"told of another time than {left}: {one}"
            _is_near(found[4], turn.up())
        else:
            kind = next((kind for kind, (title, _) in NEWS.items() if one["title"].startswith(f"{title}: ")), "")
            found = [line for line in self.lines if (line.kind, line.table, line.to) == (kind, table, who)]
            lines = [line for line in found if not line.sent]
            assert lines, f"told of nothing new: {one}"
            assert any(line.unseen for line in lines), f"told though they see the page: {one}"
            assert any(now - line.at >= GRACE for line in lines), f"told too soon: {one}"
            for line in lines:
                line.sent = True
            title, body = NEWS[kind]
            self._said(one, f"{title}: {self.titles[table]}", body.format(by=f"Person {lines[-1].by}"), lines[-1].by)

    def _said(self, one: dict[str, str], title: str, body: str, by: int | None = None) -> re.Match[str]:
        """Check that a notification has this title, with the other player, and text of this pattern; return the
        match."""
        who, table = one["who"], one["url"].rpartition("/")[2]
        other = self.turns[table].other if by is None else by
        mark, more = "", ""
        if self.alike(table):
            mark, more = f" (table {table[:4]})", rf" This is table {table[:4]}, opened on .* UTC\."
        assert one["title"] == f"{title} with Person {other}{mark}"
        found = re.fullmatch(body + more, one["body"])
        assert found is not None, one
        text = f"{one['title']}: {one['body']} http://house.test/t/{table}"
        words = {"title": one["title"], "body": one["body"], "url": f"http://house.test/t/{table}"}
        assert one == words | {"text": text, "content": text, "id": one["id"], "who": who}
        return found


GIVEN = 30.0  # seconds for which a house is down at most, on a busy machine


def _is_near(said: str, moment: float) -> None:
    """Check that a deadline, given to the minute, is this one. It may be a second later than computed here, and earlier
    by what a restarted house has given back, because the notification was written before."""
    at = datetime.strptime(said, "%d %B %Y, %H:%M").replace(tzinfo=UTC).timestamp()
    assert -2 < moment - at < 60 + GIVEN, f"told of another deadline than {datetime.fromtimestamp(moment, UTC)}: {said}"
