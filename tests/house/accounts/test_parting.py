"""Deleting an account in the middle of everything, and with two processes: no page shows the name, the others play
on."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Any

import httpx
import pytest

from parlour.core.game import Game
from parlour.house.accounts import leaving
from parlour.house.accounts import rows as account_rows
from parlour.house.house import House
from parlour.house.table.storage.change import Change
from tests.found import added
from tests.house.account_acts import finished
from tests.house.accounts.test_belongings import SECRET, packed
from tests.house.admin.test_order_of_two import Page
from tests.house.following import WAIT
from tests.house.invitations.test_inviting import invitations
from tests.house.people import BOT, ME, OPEN, Person, guest_of, turn
from tests.house.serving import Nursery, Server


@pytest.fixture(autouse=True)
def _kuhn() -> Iterator[None]:
    with added(Game("kuhn", "tests.fixtures.kuhn")):
        yield


Arrive = Callable[[], Person]
NAME = "Quillon"  # in no rule, page or script
NUMBERS = itertools.count(1)
CLOCKS = {"bank": 600.0, "increment": 5.0}
SOON = 8.0  # seconds in which the other process knows, on a busy machine


async def begun(ann: Person, *others: Person, **body: Any) -> str:
    """Start a game that Ann hosts and all sit at; return its id."""
    table = await ann.make(ME, *[OPEN] * len(others), **body)
    for person in others:
        await person.do(f"tables/{table}/sit")
    await ann.do(f"tables/{table}/start")
    return table


async def shown(person: Person, tables: Sequence[str], name: str = NAME) -> list[str]:
    """Return where this person still finds a name."""
    paths = ["/", "/me", "/api/invitations", "/best/fortune"]
    paths += [
        path.format(one) for one in tables for path in ("/t/{}", "/t/{}/replay", "/t/{}/record", "/api/tables/{}")
    ]
    texts = {path: (await person.get(path)).text for path in paths}
    mine, files = await packed(person)
    found = [path for path, text in {**texts, **files, "export": str(mine)}.items() if name in text]
    if (await person.get(f"/p/{name}")).status_code != 404:
        found.append("/p/")
    return found


async def goes_on(person: Person, table: str) -> None:
    """Wait until this person can move, and move; or until the game is over."""
    async with asyncio.timeout(60):
        while not (seen := await person.see(table))["legal"]:
            if seen["table"]["status"] == "over":
                return
            await asyncio.sleep(0.02)
    move = "stop" if "stop" in seen["legal"] else seen["legal"][0]
    await person.do(f"tables/{table}/moves", move=move, version=seen["table"]["version"])


async def is_due(house: House, table: str) -> bool:
    """Return whether a clock runs there."""
    return (await house.store.load(table)).table.due is not None


async def known(person: Person, name: str = NAME) -> None:
    await person.do("me/claim", name=name, password=SECRET)


async def gone(person: Person) -> None:
    await person.do("me/delete", password=SECRET)


async def test_who_is_away_while_a_bot_plays_on(ann: Person, bob: Person, house: House) -> None:
    await known(ann)
    table = await begun(ann, bob, tempo=CLOCKS)
    await goes_on((await turn(table, ann, bob))[0], table)
    await ann.do(f"tables/{table}/leave")
    before = (await bob.see(table))["table"]
    assert (before["seats"][0]["name"], before["seats"][0]["left"]) == (NAME, True)
    await gone(ann)
    assert not await shown(bob, [table])
    seat = (await bob.see(table))["table"]["seats"][0]
    assert (seat["name"], seat["kind"], seat["left"]) == ("Somebody", "bot", False)
    await ann.refused(f"tables/{table}/sit", 409, "already-started")
    for _ in range(2):
        await goes_on(bob, table)
    assert await is_due(house, table)


@pytest.mark.parametrize("waits", [True, False])
async def test_while_a_vote_is_open(ann: Person, bob: Person, arrive: Arrive, house: House, waits: bool) -> None:
    """A voter, or the player whom the others wait for, deletes their account: the vote continues without them."""
    cy = arrive()
    await known(ann)
    table = await begun(ann, bob, cy, tempo=CLOCKS, game="family-trade")
    for person in (bob, cy) if waits else (ann, bob):
        await person.do(f"tables/{table}/end")
    assert len((await bob.see(table))["table"]["ending"]) == 2
    await gone(ann)
    assert not await shown(bob, [table])
    seen = (await bob.see(table))["table"]
    assert (seen["ending"], seen["status"]) == ([], "playing")
    assert 0 not in seen["voters"]
    assert await is_due(house, table)
    for person in (bob, cy):
        await person.see(table)
        await person.do(f"tables/{table}/end")
    assert (await bob.see(table))["table"]["status"] == "closed"
    assert not await is_due(house, table)
    assert not await shown(bob, [table])


async def test_who_has_invited_others(ann: Person, bob: Person) -> None:
    """Their waiting table is deleted, and the game before it can have another rematch."""
    await known(ann)
    over = await finished(ann, bob)
    asked = str((await ann.do(f"tables/{over}/rematch"))["id"])
    assert [one["id"] for one in await invitations(bob)] == [asked]
    await gone(ann)
    assert await invitations(bob) == []
    assert (await bob.get(f"/t/{asked}")).status_code == 404
    assert not await shown(bob, [over])
    again = str((await bob.do(f"tables/{over}/rematch"))["id"])
    assert again != asked
    seats = (await bob.see(again))["table"]["seats"]
    assert {seat["name"] for seat in seats} == {(await bob.get("/api/me")).json()["name"], ""}


async def test_who_is_invited_and_asks_to_play(ann: Person, bob: Person) -> None:
    """No seat stays reserved for them, and no one is paired with them."""
    await known(ann)
    over = await finished(ann, bob)
    asked = str((await bob.do(f"tables/{over}/rematch"))["id"])
    assert NAME in (await bob.get(f"/t/{asked}")).text
    await ann.do("lobby/play", game="fortune")
    await gone(ann)
    assert not await shown(bob, [over, asked])
    assert (await bob.do("lobby/play", game="fortune"))["url"] is None
    seen = (await bob.see(asked))["table"]
    assert [seat["kind"] for seat in seen["seats"]] == ["guest", "link"]
    await bob.do(f"tables/{asked}/start", bots=True)
    await goes_on(bob, asked)


async def test_against_bots_alone_and_as_the_last_person(ann: Person, bob: Person, house: House) -> None:
    """A game without people has no running clock, and no name."""
    await known(ann)
    alone, table = await ann.make(ME, BOT, tempo=CLOCKS), await begun(ann, bob, tempo=CLOCKS)
    await bob.do(f"tables/{table}/leave")
    await gone(ann)
    assert not await shown(bob, [alone, table])
    for one in (alone, table):
        row = (await house.store.load(one)).table
        assert (row.began, row.turn) == (0.0, "")
    await bob.do(f"tables/{table}/sit")  # a player who had left may come back
    await goes_on(bob, table)


async def test_what_a_process_began_that_died_another_ends(ann: Person, bob: Person, house: House) -> None:
    """The process dies after the first step: no session acts for them, the name is gone, and the rest follows."""
    await known(ann)
    guest, table = (await guest_of(ann)).id, await begun(ann, bob, tempo=CLOCKS)
    over = await finished(ann, bob)
    await house.store.do(partial(account_rows.begin_parting, guest=guest))
    house.guests.changed(guest)
    await ann.refused("me", 403, "signed-out", name="Ann")
    for _ in range(2):
        await leaving.finish(house)
    assert not await shown(bob, [table, over])
    assert await house.store.look(account_rows.parting) == []
    await goes_on(bob, table)
    assert await is_due(house, table)


async def test_where_another_process_is_faster_it_is_done_all_the_same(
    ann: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    await known(ann)
    table = await begun(ann, bob, tempo=CLOCKS)
    true, asked = Change.next_step, count()

    async def moved_meanwhile(change: Change) -> int:
        return await true(change) + next(asked) % 2 - 1  # the first try of each

    monkeypatch.setattr(Change, "next_step", moved_meanwhile)
    for path in ("leave", "sit"):
        await bob.do(f"tables/{table}/{path}")
    await gone(ann)
    assert next(asked) == 6
    assert not await shown(bob, [table])
    await goes_on(bob, table)


# Over two processes ------------------------------------------------------------------------------------
@dataclass
class Two:
    """Two processes. Ann is at the first, her phone at the second; so is Bob, and his phone at the first."""

    ann: Person
    phone: Person
    bob: Person
    bobs_phone: Person


@pytest.fixture(scope="module")
def servers(database_of_file: str, redis_url: str, nursery: Nursery) -> list[Server]:
    return [nursery.start(database=database_of_file, redis=redis_url, fixtures=["kuhn"]) for _ in range(2)]


@pytest.fixture
async def two(servers: list[Server]) -> AsyncIterator[Two]:
    async with contextlib.AsyncExitStack() as stack:
        made = [
            await stack.enter_async_context(Person(base_url=servers[number].url, timeout=WAIT))
            for number in (0, 1, 1, 0)
        ]
        two = Two(*made)
        name = f"{NAME} {next(NUMBERS)}"  # a deleted account's name stays taken
        await known(two.ann, name)
        await two.phone.do("me/sign-in", name=name, password=SECRET)
        await two.bob.do("me", name="Bob")
        two.bobs_phone.cookies = httpx.Cookies(two.bob.cookies)
        yield two


@pytest.mark.service
async def test_two_processes_and_open_pages_know_it_soon(two: Two) -> None:
    """There are games under way, one with clocks, and a finished one, in the memory of the other process alone."""
    tables = [await begun(two.ann, two.bob, tempo=CLOCKS), await begun(two.bob, two.phone)]
    over = await finished(two.phone, two.bob)
    tables.append(over)
    async with contextlib.AsyncExitStack() as stack:
        pages = [
            Page(person, path)
            for person, some in ((two.bob, tables), (two.bobs_phone, tables[:2]))
            for path in ("/api/lobby/events", *(f"/api/tables/{table}/events" for table in some))
        ]
        for page in pages:
            stack.push_async_callback(page.close)
            await page.has(NAME)
        read = [len(page.text) for page in pages]
        await gone(two.ann)
        assert not await shown(two.bobs_phone, tables)
        for page, before in zip(pages, read, strict=True):  # before a request there reads it again
            async with asyncio.timeout(SOON):
                while "Somebody" not in page.text[before:]:
                    page.news.clear()
                    await page.news.wait()
        async with asyncio.timeout(SOON):
            while await shown(two.bob, tables):  # noqa: ASYNC110
                await asyncio.sleep(0.1)
        await asyncio.sleep(0.5)
        for page, before in zip(pages, read, strict=True):  # one table after another is renamed: the last news counts
            named = [news for news in page.text[before:].split("\n\n") if NAME in news or "Somebody" in news]
            assert NAME not in named[-1], page.path
    await two.phone.refused("me", 403, "signed-out", name="Ann")
    for table in tables[:2]:
        await goes_on(two.bob, table)


@pytest.mark.service
@pytest.mark.whole
async def test_at_both_processes_at_once(two: Two) -> None:
    """One of them deletes the account; the other says that it is deleted, or gives the same answer. If that takes
    seconds, on a busy machine, the other may say so (503), and has changed nothing."""
    table = await begun(two.ann, two.bob, tempo=CLOCKS)
    answers = await asyncio.gather(
        *(one.post("/api/me/delete", json={"password": SECRET}) for one in (two.ann, two.phone, two.ann, two.phone))
    )
    assert 200 in (found := {answer.status_code for answer in answers}), found
    assert found <= {200, 403, 503}, [answer.text for answer in answers]
    assert all("Nothing was changed" in answer.text for answer in answers if answer.status_code == 503)
    async with asyncio.timeout(SOON):
        while await shown(two.bob, [table]):  # noqa: ASYNC110
            await asyncio.sleep(0.1)
    await goes_on(two.bob, table)


@pytest.mark.service
@pytest.mark.whole
async def test_while_the_other_plays_at_the_other_process(two: Two) -> None:
    """Other players may move meanwhile at any process: the account is deleted, and the game continues."""
    table = await begun(two.ann, two.bob, tempo=CLOCKS)
    over = asyncio.Event()

    async def plays(person: Person) -> None:
        while not over.is_set():
            seen = await person.see(table)
            if seen["legal"]:
                body = {"move": seen["legal"][0], "version": seen["table"]["version"]}
                answer = await person.post(f"/api/tables/{table}/moves", json=body)
                assert answer.status_code in (200, 403, 409), answer.text

    playing = [asyncio.create_task(plays(person)) for person in (two.bob, two.bobs_phone)]
    await asyncio.sleep(0.2)
    await gone(two.ann)
    over.set()
    await asyncio.gather(*playing)
    async with asyncio.timeout(SOON):
        while await shown(two.bob, [table]):  # noqa: ASYNC110
            await asyncio.sleep(0.1)
    await goes_on(two.bob, table)
