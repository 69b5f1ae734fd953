"""Two people who are never there at the same time, with hours in between: the notifications that each gets of the
other's acts.

The clock is the test's own; the house, the webhooks and the people are real. No page is open.
"""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from litestar import Litestar

from parlour.house.house import House
from parlour.house.notify import jobs as notify_jobs
from parlour.house.settings import Settings
from parlour.house.table.jobs import clocks
from parlour.house.table.live.tempo import DAY
from tests.house.clock import Clock, by_hand
from tests.house.moderators import does, moderator_of
from tests.house.people import LINK, ME, OPEN, Person, play_on, two_at_table
from tests.house.receiving import ASKED, Service, service, stop

HOUR, SECRET = 3600.0, "correct horse"
SLOW = {"delay": 2 * DAY}
Arrive = Callable[[], Person]


class Far:
    """The house with its clock, which the test moves, and the notifications that each person gets."""

    def __init__(self, house: House, world: Service, clock: Clock) -> None:
        self._house, self.world, self.clock = house, world, clock

    async def wants(self, person: Person, who: str, **kinds: bool) -> None:
        """Set up notifications for a person: of all kinds by default."""
        kinds = kinds or {"chat": True}
        await person.do("me/told", kind="hook", address=f"{self.world.url}/hook?who={who}", **kinds)

    async def later(self, hours: float) -> list[tuple[str, str]]:
        """Let hours pass, in which the house sends what is due; return to whom, and the titles."""
        self.world.hooked.clear()
        for _ in range(4):
            self.clock.ahead += hours * HOUR / 4
            await notify_jobs.note(self._house)
            while await notify_jobs.send(self._house):
                pass
        return sorted((one["who"], one["title"]) for one in self.world.hooked)

    def said(self) -> str:
        """Return the text of the last notification, which must be the only one."""
        (one,) = self.world.hooked
        return str(one["body"])


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(
        database=f"sqlite:///{tmp_path}/parlour.db", pace=0, engine="plain", limits=False, outside="any", grace=60.0,
        base_url="http://house.test",
    )  # fmt: skip


@pytest.fixture
async def app(settings: Settings, create: Callable[[Settings], Litestar], clock: Clock) -> AsyncIterator[Litestar]:  # noqa: ARG001
    async with by_hand(create(settings)) as made:
        yield made


@pytest.fixture
async def far(house: House, clock: Clock) -> AsyncIterator[Far]:
    async with service() as world:
        yield Far(house, world, clock)


@pytest.fixture
async def two(far: Far, arrive: Arrive) -> tuple[Person, Person]:
    """Return Ann and Bob, who have accounts and get notifications of everything."""
    ann, bob = arrive(), arrive()
    for person, name in ((ann, "Ann"), (bob, "Bob")):
        await person.do("me/claim", name=name, password=SECRET)
        await far.wants(person, name.lower())
    return ann, bob


async def invite(ann: Person) -> str:
    """Let Ann invite Bob to a slow game of three; return the table."""
    return await ann.make(ME, {**LINK, "invite": "Bob"}, OPEN, tempo=SLOW)


async def token_of(bob: Person) -> str:
    return str((await bob.get("/api/invitations")).json()["invitations"][0]["token"])


async def test_an_invitation_its_acceptance_and_the_start(two: tuple[Person, Person], far: Far) -> None:
    ann, bob = two
    table = await invite(ann)
    assert await far.later(5) == [("bob", "Invitation: Fortune with Ann")]
    await bob.do(f"tables/{table}/sit", token=await token_of(bob))
    assert await far.later(5) == [("ann", "A player joined: Fortune with Bob")]
    assert far.said() == "Bob joined your table. The game hasn't started yet."
    await ann.do(f"tables/{table}/start", bots=True)
    turns = await far.later(5)
    assert len(turns) == len(dict(turns))  # one notification each: the player to move gets start and turn in one
    said = "Game started" if "ann" in dict(turns) else "(Game started|Your turn)"  # otherwise it may be the bot's
    assert re.fullmatch(rf"{said}: Fortune with Ann and \w+ bot", dict(turns)["bob"])


@pytest.mark.parametrize("starter", ["ann", "bob"])
async def test_who_starts_a_game_is_not_notified_and_whose_turn_it_is_hears_both_at_once(
    two: tuple[Person, Person], far: Far, starter: str
) -> None:
    """The starter is Ann, its host, who starts it by hand; or Bob, who takes the last seat."""
    ann, bob = two
    other = {"ann": "bob", "bob": "ann"}[starter]
    started = set()
    for _ in range(30):  # the first player is random: once in 500 million runs it is the same 30 times
        table = await ann.make(ME, OPEN, tempo=SLOW, wait=starter == "ann")
        await bob.do(f"tables/{table}/sit")
        assert ((await ann.see(table))["table"]["status"] == "playing") is (starter == "bob")
        if starter == "ann":
            await ann.do(f"tables/{table}/start")
        await far.later(0.1)
        for one in far.world.hooked:
            if one["title"].startswith("Your turn"):
                assert re.match(rf"The game has started\. {ASKED} The score: Ann ", one["body"])
                assert " Please move by " in one["body"]
                assert one["body"].endswith("UTC.") or "This is table" in one["body"]
        first = {one["who"] for one in far.world.hooked if one["title"].startswith("Your turn")}
        others = {one["who"] for one in far.world.hooked if one["title"].startswith("Game started")}
        assert len(first) == 1
        assert others == ({other} if first == {starter} else set())
        started |= first
        for person in (ann, bob):
            await person.do(f"tables/{table}/end")
        await far.later(0.1)
        if started == {"ann", "bob"}:
            return
    raise AssertionError("the same person moved first in thirty games")


async def test_an_invitation_that_is_declined(two: tuple[Person, Person], far: Far) -> None:
    """It is notified once, and not also as a chat message."""
    ann, bob = two
    table = await invite(ann)
    await far.later(5)
    await bob.do(f"tables/{table}/decline")
    assert await far.later(5) == [("ann", "Invitation declined: Fortune")]
    assert far.said() == "Bob can't play this time. The seat is free for someone else."


async def test_a_vote_to_end_and_how_the_game_ended_and_another_one(two: tuple[Person, Person], far: Far) -> None:
    ann, bob = two
    table = await two_at_table(ann, bob, tempo=SLOW)
    await far.later(1)
    await ann.do(f"tables/{table}/end")
    assert await far.later(5) == [("bob", "Vote to end the game: Fortune with Ann")]
    await bob.do(f"tables/{table}/end")
    assert await far.later(5) == [("ann", "Game over: Fortune with Bob")]
    assert far.said() == "The players agreed to end this game without a result."
    await ann.do(f"tables/{table}/rematch")
    assert await far.later(5) == [("bob", "Invitation: Fortune with Ann")]


async def test_a_vote_that_was_taken_back_is_not_notified(two: tuple[Person, Person], far: Far) -> None:
    ann, bob = two
    table = await two_at_table(ann, bob, tempo=SLOW)
    await far.later(1)
    for agree in (True, False):
        await ann.do(f"tables/{table}/end", agree=agree)
    assert [title for _, title in await far.later(5)] == ["New message: Fortune with Ann"]  # about the last message


async def test_how_a_game_ended_is_notified_to_players_who_did_not_end_it(two: tuple[Person, Person], far: Far) -> None:
    ann, bob = two
    table = await two_at_table(ann, bob, tempo=SLOW)
    await play_on(table, 10_000, ann, bob, first=True)
    sent = await far.later(5)
    assert [title for _, title in sent] == [f"Game over: Fortune with {'Bob' if sent[0][0] == 'ann' else 'Ann'}"]
    assert "win" in far.said()
    assert "The score: Ann " in far.said()


async def test_a_bot_in_ones_seat(two: tuple[Person, Person], far: Far, house: House) -> None:
    ann, bob = two
    table = await two_at_table(ann, bob, tempo={"delay": DAY})
    await stop(ann, table)
    await far.later(1)
    far.clock.ahead += DAY
    await clocks.beat(house, time.time() - 0.5)
    assert ("bob", "A bot plays for you: Fortune with Ann") in await far.later(0.1)
    await bob.do(f"tables/{table}/sit")
    assert all("A bot" not in title for _, title in await far.later(1))


async def test_a_report_that_was_handled(two: tuple[Person, Person], far: Far, house: House, arrive: Arrive) -> None:
    ann, bob = two
    table = await two_at_table(ann, bob, tempo=SLOW)
    await far.later(1)
    number = (await ann.do("me/report", table=table, seat=1, reason="rude", words="He was."))["id"]
    moderator = await moderator_of(house, arrive)
    await does(moderator, "report", id=str(number), words="Talked to them.")
    assert await far.later(5) == [("ann", "Your report was handled")]
    assert "Talked" not in far.said()
    moderator = await moderator_of(house, arrive)  # the session is over by now
    for again in ("yes", "", "yes"):  # a report that is open again by then is not notified
        await does(moderator, "report", id=str(number), again=again)
        far.clock.ahead += 2.0
    assert await far.later(5) == []


async def test_each_channel_has_its_kinds(two: tuple[Person, Person], far: Far) -> None:
    """Kinds for games and answers are chosen separately; what is turned off is not sent later either."""
    ann, bob = two
    await far.wants(ann, "ann", turn=False, game=False, answers=False, invitation=False)
    table = await invite(ann)
    await far.later(1)
    await bob.do(f"tables/{table}/sit", token=await token_of(bob))
    await ann.do(f"tables/{table}/start", bots=True)
    for person in (bob, ann):
        await person.do(f"tables/{table}/end")
    assert {who for who, _ in await far.later(5)} == {"bob"}
    await far.wants(ann, "ann")
    assert {who for who, _ in await far.later(5)} <= {"bob"}


async def test_three_games_with_the_same_person_are_told_apart(two: tuple[Person, Person], far: Far) -> None:
    ann, bob = two
    tables = [await two_at_table(ann, bob, tempo=SLOW) for _ in range(3)]
    for table in tables:
        await stop(ann, table)
    await far.later(1)
    turns = [one for one in far.world.hooked if one["title"].startswith("Your turn") and one["who"] == "bob"]
    assert {one["title"] for one in turns} == {f"Your turn: Fortune with Ann (table {one[:4]})" for one in tables}
    assert all("opened on " in one["body"] for one in turns)


# Quiet hours ------------------------------------------------------------------------------------------
def at(far: Far, hour: int) -> None:
    """Move the clock to the next time that it is this hour in UTC."""
    far.clock.ahead += DAY - (time.time() - hour * HOUR) % DAY


async def test_notices_wait_until_the_quiet_hours_end(two: tuple[Person, Person], far: Far) -> None:
    """They are in their owner's time zone: 22 to 7 in Kolkata is 16:30 to 1:30 in UTC."""
    ann, bob = two
    await bob.do("me/told/quiet", begins="22:00", ends="07:00", zone="Asia/Kolkata")
    table = await two_at_table(ann, bob, tempo={"delay": 3 * DAY})
    await stop(ann, table)
    at(far, 10)
    await stop(bob, table)
    await far.later(0.1)
    at(far, 17)
    await stop(ann, table)
    await ann.do(f"tables/{table}/chat", text="Good night")
    assert [one for one in await far.later(8) if one[0] == "bob"] == []
    assert [title for who, title in await far.later(1) if who == "bob"] == [
        "New message: Fortune with Ann", "Your turn: Fortune with Ann",
    ]  # fmt: skip
    assert "(Asia/Kolkata)" in next(one["body"] for one in far.world.hooked if one["title"].startswith("Your turn"))
    await bob.do("me/told/quiet", zone="Asia/Kolkata")  # turns them off
    at(far, 17)
    await ann.do(f"tables/{table}/chat", text="Still there?")
    assert [title for who, title in await far.later(1) if who == "bob"] == ["New message: Fortune with Ann"]


async def test_what_is_no_longer_so_when_the_quiet_hours_end_is_not_notified(
    two: tuple[Person, Person], far: Far
) -> None:
    ann, bob = two
    await bob.do("me/told/quiet", begins="16:00", ends="02:00", zone="UTC")
    table = await two_at_table(ann, bob, tempo={"delay": 3 * DAY})
    at(far, 10)
    for person in (ann, bob):
        await stop(person, table)
    await far.later(1)
    at(far, 17)
    await stop(ann, table)
    await far.later(1)
    await stop(bob, table)
    assert [one for one in await far.later(10) if one[0] == "bob"] == []


async def test_a_warning_comes_before_quiet_hours_in_which_the_time_would_be_up(
    two: tuple[Person, Person], far: Far
) -> None:
    ann, bob = two
    await bob.do("me/told/quiet", begins="22:00", ends="07:00", zone="UTC")
    table = await two_at_table(ann, bob, tempo={"delay": DAY})
    at(far, 5)  # so that Ann has an hour left when she moves
    for person in (ann, bob):
        await stop(person, table)
    at(far, 4)
    await stop(ann, table)  # up at 4 at night, and short at 1:36
    await far.later(3.5)  # 7:30
    assert await far.later(14) == []  # 21:30
    assert [title for who, title in await far.later(1) if who == "bob"] == ["Time is running out: Fortune with Ann"]
    assert await far.later(5) == []


@pytest.mark.parametrize("ends", ["ended", "shorter"])
async def test_a_warning_follows_a_holiday_that_ends_early(two: tuple[Person, Person], far: Far, ends: str) -> None:
    """This holds in quiet hours too: a warning noted for the clock's later end is sent in time for the earlier one."""
    ann, bob = two
    await bob.do("me/told/quiet", begins="22:00", ends="07:00", zone="UTC")
    table = await two_at_table(ann, bob, tempo={"delay": DAY})
    at(far, 5)  # so that Ann has an hour left when she moves
    for person in (ann, bob):
        await stop(person, table)
    await far.later(0.1)
    at(far, 4)
    await bob.do("me/holiday", until=time.time() + 20 * DAY)
    await stop(ann, table)
    await far.later(0.1)
    at(far, 4)
    await bob.do("me/holiday", **({} if ends == "ended" else {"until": time.time() + 60.0}))
    await far.later(3.5)  # 7:30
    assert await far.later(14) == []  # 21:30
    assert [title for who, title in await far.later(1) if who == "bob"] == ["Time is running out: Fortune with Ann"]
    assert await far.later(5) == []
