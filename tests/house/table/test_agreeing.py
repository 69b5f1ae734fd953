"""No one waits forever: a bot plays on for an absent player, and people end a game together."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable

import pytest

from parlour.core.record import Record
from parlour.house.house import House
from parlour.house.table.live import looking
from parlour.house.table.live.audience import Audience
from parlour.house.table.play import agreeing
from parlour.house.table.storage.rows import WITHOUT
from tests.house.people import BOT, ME, OPEN, Person, guest_of, turn, two_at_table


async def gone(house: House, table: str, person: Person, seconds: float = looking.ABSENT + 1) -> None:
    """Let a person be away for this long."""
    live = await house.table(table)
    live.audience.seen[(await guest_of(person)).id] = time.monotonic() - seconds


async def waiting_for(table: str, ann: Person, bob: Person) -> tuple[Person, Person, int]:
    """Return the player to move, the one who waits for them, and the seat of the first."""
    late, seen = await turn(table, ann, bob)
    return late, bob if late is ann else ann, int(seen["table"]["my_seat"])


async def test_a_bot_plays_on_for_who_went_away_until_they_are_back(ann: Person, bob: Person, house: House) -> None:
    table = await two_at_table(ann, bob)
    late, waits, seat = await waiting_for(table, ann, bob)
    assert (await waits.see(table))["table"]["absent"] == []
    await waits.refused(f"tables/{table}/absent", 409, "still-here", seat=seat)
    await gone(house, table, late)
    assert (await waits.see(table))["table"]["absent"] == [seat]
    for _ in range(2):  # repeating it does no harm
        await waits.do(f"tables/{table}/absent", seat=seat)
    seen = (await waits.see(table))["table"]
    assert seen["seats"][seat]["left"]
    assert seen["absent"] == []
    await late.do(f"tables/{table}/sit")
    assert not (await waits.see(table))["table"]["seats"][seat]["left"]


async def test_only_who_has_the_decision_and_is_away_is_played_for_and_only_players_ask(
    ann: Person, bob: Person, arrive: Callable[[], Person], house: House
) -> None:
    table = await two_at_table(ann, bob)
    late, waits, seat = await waiting_for(table, ann, bob)
    await gone(house, table, waits)
    await late.refused(f"tables/{table}/absent", 409, "still-here", seat=1 - seat)  # it is not their turn
    await gone(house, table, late)
    await arrive().refused(f"tables/{table}/absent", 403, "not-seated", seat=seat)
    await waits.do(f"tables/{table}/absent", seat=15)  # no such seat
    assert not (await waits.see(table))["table"]["seats"][seat]["left"]


async def test_where_there_are_clocks_they_see_to_who_is_away(ann: Person, bob: Person, house: House) -> None:
    table = await two_at_table(ann, bob, tempo={"delay": 3600})
    late, waits, seat = await waiting_for(table, ann, bob)
    await gone(house, table, late)
    said = await waits.refused(f"tables/{table}/absent", 409, "still-here", seat=seat)
    assert said["message"] == "This player's clock is running. A bot takes over when their time is up."


async def test_an_open_page_shows_when_somebody_has_been_away_for_long(ann: Person, bob: Person, house: House) -> None:
    table = await two_at_table(ann, bob)
    late, waits, seat = await waiting_for(table, ann, bob)
    live = await house.table(table)
    with house.presence.listening(live, (await guest_of(waits)).id) as listener:
        await gone(house, table, late, looking.ABSENT - 1.5)
        house.presence.tell(live)  # as when a guest comes or goes
        async with asyncio.timeout(10):
            while (await waits.see(table))["table"]["absent"] != [seat]:
                listener.news.clear()
                await listener.news.wait()


async def test_people_end_a_game_together_and_each_may_think_again(ann: Person, bob: Person, house: House) -> None:
    table = await two_at_table(ann, bob)
    await ann.do(f"tables/{table}/end")
    assert (await bob.see(table))["table"]["ending"] == [0]
    await ann.do(f"tables/{table}/end", agree=False)
    await bob.do(f"tables/{table}/end")
    assert (await ann.see(table))["table"]["ending"] == [1]
    await bob.do(f"tables/{table}/leave")
    await bob.do(f"tables/{table}/sit")
    assert (await ann.see(table))["table"]["ending"] == []  # a player who leaves and returns has no vote
    await bob.do(f"tables/{table}/end")
    await ann.do(f"tables/{table}/end")
    for person in (ann, bob):
        seen = (await person.see(table))["table"]
        assert seen["status"] == "closed"
        assert seen["closed"].startswith("The players ended this game together")
        assert seen["verdict"]["seed"]
    await bob.refused(f"tables/{table}/moves", 409, "not-playing", move="stop", version=0)
    await bob.refused(f"tables/{table}/end", 409, "not-playing")
    record = Record.parse((await ann.get(f"/t/{table}/record")).text)
    assert record.steps[0][1].endswith("starts")
    assert (await ann.do(f"tables/{table}/rematch"))["id"] != table
    house.tables.clear()  # as after a restart
    assert (await ann.see(table))["table"]["closed"].startswith("The players ended this game together")


async def test_one_person_against_bots_ends_alone_and_a_spectator_does_not(
    ann: Person, arrive: Callable[[], Person]
) -> None:
    table = await ann.make(ME, BOT)
    await arrive().refused(f"tables/{table}/end", 403, "not-seated")
    await ann.do(f"tables/{table}/end")
    assert (await ann.see(table))["table"]["status"] == "closed"
    waiting = await ann.make(ME, OPEN)
    await ann.refused(f"tables/{waiting}/end", 409, "not-playing")


async def test_who_is_away_is_not_waited_for(
    ann: Person, bob: Person, arrive: Callable[[], Person], house: House
) -> None:
    """This holds without a bot in their seat, and with one; a player who is back can vote."""
    eve = arrive()
    table = await ann.make(ME, OPEN, OPEN)
    for person in (bob, eve):
        await person.do(f"tables/{table}/sit")
    await ann.do(f"tables/{table}/start")
    await ann.do(f"tables/{table}/end")
    seen = (await bob.see(table))["table"]
    assert (seen["ending"], seen["voters"]) == ([0], [0, 1, 2])
    await gone(house, table, eve)
    page = await bob.get(f"/t/{table}")
    seen = (await bob.see(table))["table"]
    assert (seen["ending"], seen["voters"]) == ([0], [0, 1])
    words = " ".join(re.sub(r"<[^>]+>", "", page.text).split())
    assert "without a result: 1 of 2 agree. It continues until you agree." in words
    assert f"{seen['seats'][2]['name']} is away, so we don’t wait for them." in words
    await eve.see(table)  # she watches
    await bob.do(f"tables/{table}/end")
    seen = (await bob.see(table))["table"]
    assert (seen["status"], seen["ending"]) == ("playing", [0, 1])
    assert [line["text"] for line in seen["chat"]] == [agreeing.ASKS, agreeing.AGREES]
    await gone(house, table, eve)
    await ann.do(f"tables/{table}/end")  # once more, as there are no other voters
    seen = (await bob.see(table))["table"]
    assert seen["closed"].startswith("A player was away, and the others ended this game")
    assert len(seen["chat"]) == 2


async def test_whoever_is_left_may_end_a_game_that_is_not_rated(ann: Person, bob: Person) -> None:
    table = await two_at_table(ann, bob)
    await bob.do(f"tables/{table}/leave")
    await ann.do(f"tables/{table}/end")
    assert (await bob.see(table))["table"]["closed"].startswith("A player was away")


async def test_a_wish_that_changes_nothing_is_not_notified_again(ann: Person, bob: Person) -> None:
    table = await two_at_table(ann, bob)
    for agree in (True, True, False, False):
        await ann.do(f"tables/{table}/end", agree=agree)
    assert [line["text"] for line in (await bob.see(table))["table"]["chat"]] == [agreeing.ASKS, agreeing.PLAYS_ON]


async def test_with_clocks_nobody_is_away_before_their_time_is_up(ann: Person, bob: Person, house: House) -> None:
    table = await two_at_table(ann, bob, tempo={"delay": 3600})
    await gone(house, table, bob)
    await ann.do(f"tables/{table}/end")
    seen = (await ann.see(table))["table"]
    assert (seen["status"], seen["voters"]) == ("playing", [0, 1])


def test_who_looked_through_another_process_was_here_until_it_said_otherwise() -> None:
    """Otherwise they would have been away since the table was loaded."""
    audience = Audience()
    now = time.monotonic()
    audience._born = now - 1800
    audience.hear("other", ["bob"], now=now)
    assert audience.away("bob") == 0
    audience.hear("other", [], now=now)
    assert audience.away("bob") < 10
    audience.hear("other", ["bob", "eve"], now=now - 9)
    audience.lose(now - 8)  # the process is gone
    assert audience.present() == {}
    assert audience.away("bob") == pytest.approx(9, abs=5) == audience.away("eve")
    assert audience.away("cid") >= 1800


async def test_who_deleted_themself_is_away_for_good(ann: Person, bob: Person, house: House) -> None:
    """Their game of two ends without them, and the page says so."""
    table = await two_at_table(ann, bob)
    await bob.do("me/delete", word="delete")
    await ann.do(f"tables/{table}/end")
    assert (await house.store.load(table)).table.ended == WITHOUT
