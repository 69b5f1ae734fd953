"""Play now: who is paired with whom; and even with many requests at once, no one is paired twice."""

from __future__ import annotations

import asyncio
import contextlib
import html
import json
import random
import re
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from math import inf
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from parlour.house.database import postgresql, turns
from parlour.house.database.store import Store
from parlour.house.errors import StoreFailed
from parlour.house.house import House
from parlour.house.ratings import schema as ratings
from parlour.house.ratings.matchmaking import deeds as matchmaking_deeds
from parlour.house.ratings.matchmaking import rows as matchmaking_rows
from parlour.house.ratings.matchmaking.deeds import ANYBODY, gap, groups, window
from parlour.house.ratings.matchmaking.rows import Asker
from parlour.house.ratings.rows import START
from tests.house.lobby.test_lobby import WAIT, Page
from tests.house.people import BOT, ME, Person, guest_of
from tests.house.serving import Nursery

ASKERS = st.lists(
    st.builds(
        Asker,
        guest=st.sampled_from([f"guest {i}" for i in range(12)]),  # some ask on two devices
        name=st.just(""),
        game=st.sampled_from(["one", "other"]),
        ruleset=st.sampled_from(["", "short"]),
        players=st.integers(2, 4),
        since=st.floats(0, 5),
        table_id=st.just(""),
        rated=st.just(False),  # no guest has a rating
        tempo=st.sampled_from(["", "quick"]),
        mu=st.just(START.mu),
        sigma=st.just(START.sigma),
    ),
    max_size=30,
)


def kind(one: Asker) -> Any:
    return one.game, one.ruleset, one.players, one.tempo


@given(ASKERS, st.randoms())
def test_who_is_paired_with_whom(waiting: list[Asker], chance: random.Random) -> None:
    found = groups(waiting, 5.0)
    paired = [one.guest for group in found for one in group]
    assert max(Counter(paired).values(), default=1) == 1  # no one meets themselves, on two devices or in two groups
    for group in found:
        assert len({kind(one) for one in group}) == 1
        assert len(group) == group[0].players
    first: dict[str, Asker] = {}
    for one in sorted(waiting, key=lambda one: (one.since, one.guest)):
        first.setdefault(one.guest, one)
    left = [one for one in first.values() if one.guest not in paired]
    for what, number in Counter(map(kind, left)).items():
        assert number < what[2]  # guests wait only if there are too few compatible ones
    for one in left:
        assert all(other.since <= one.since for group in found for other in group if kind(other) == kind(one))
    times = sorted(one.since for group in found for one in group)
    assert times == sorted(first[guest].since for guest in paired)
    chance.shuffle(waiting)
    again = groups(waiting, 5.0)
    assert {frozenset(one.guest for one in group) for group in again} == {
        frozenset(one.guest for one in group) for group in found
    } or len({(one.since, one.guest) for one in waiting}) < len(waiting)


RATED = st.lists(
    st.builds(
        Asker,
        guest=st.uuids().map(str),
        name=st.just(""),
        game=st.just("one"),
        ruleset=st.just(""),
        players=st.integers(2, 3),
        since=st.floats(0, 40),
        table_id=st.just(""),
        rated=st.booleans(),
        tempo=st.sampled_from(["", "usual"]),
        mu=st.floats(0, 50),
        sigma=st.floats(0.5, 25 / 3),
    ),
    max_size=20,
)


def same(one: Asker, other: Asker) -> bool:
    return (one.players, one.rated, one.tempo) == (other.players, other.rated, other.tempo)


@given(RATED, st.floats(0, 60))
def test_ratings_near_each_other_meet_first_and_nobody_waits_for_ever(waiting: list[Asker], now: float) -> None:
    found = groups(waiting, now)
    paired = [one.guest for group in found for one in group]
    assert len(paired) == len(set(paired))
    left = [one for one in waiting if one.guest not in paired]
    for group in found:
        first, *others = group
        assert len(group) == first.players
        most = window(now - first.since)
        furthest = max(abs(one.mu - first.mu) for one in others)
        for one in others:
            assert same(one, first)
            assert gap(one, first) <= most
        for one in left:  # no nearer possible opponent was skipped
            if same(one, first) and gap(one, first) <= most:
                assert abs(one.mu - first.mu) >= furthest
    for one in left:
        if now - one.since >= ANYBODY:  # waits only because there are too few others
            assert sum(same(one, other) for other in left) < one.players
        near = [other for other in left if same(one, other) and gap(one, other) <= window(now - one.since)]
        assert len(near) < one.players  # they are one of them


@given(st.floats(0, 100), st.floats(0, 100))
def test_the_window_only_widens(one: float, other: float) -> None:
    assert window(min(one, other)) <= window(max(one, other))
    assert window(ANYBODY) == inf


def test_who_is_not_known_yet_plays_anybody_at_once() -> None:
    ask = partial(Asker, name="", game="one", ruleset="", players=2)
    new, middle, strong, weak = (
        ask(guest, since=0.0, mu=mu, sigma=sigma)
        for guest, mu, sigma in (
            ("new", 25.0, 25 / 3),
            ("middle", 27.0, 2.0),
            ("strong", 35.0, 2.0),
            ("weak", 20.0, 2.0),
        )
    )
    assert groups([new, strong], 0.0) == [(new, strong)]
    assert groups([strong, weak], 0.0) == []
    assert groups([strong, weak], 19.0) == []
    assert groups([strong, weak], 20.0) == [(strong, weak)]
    (pair,) = groups([strong, weak, middle], 17.0)
    assert set(pair) == {weak, middle}


async def test_two_who_are_far_apart_meet_when_they_have_waited(
    ann: Person, bob: Person, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The house's own beat pairs them, without another request."""
    for person, name, mu in ((ann, "Ann", 45.0), (bob, "Bob", 5.0)):
        guest = await person.do("me/claim", name=name, password="correct horse")
        values = {"game": "fortune", "ruleset": "", "player": guest["id"], "mu": mu, "sigma": 1.0, "games": 50}
        await house.store.do(partial(_insert, values=values | {"sure": True}))
    assert await ann.do("lobby/play", game="fortune", rated=True) == {"url": None}
    assert await bob.do("lobby/play", game="fortune", rated=True) == {"url": None}
    await matchmaking_deeds.pair(house)
    assert await wish_of(house, (await guest_of(ann)).id) is not None
    monkeypatch.setattr(matchmaking_deeds, "ANYBODY", 0.0)
    async with Page(house, (await guest_of(ann)).id) as page:
        await page.until(lambda: any(b'"go":"/t/' in message for message in page.messages))
    table = (await wish_of(house, (await guest_of(bob)).id)).table_id  # type: ignore[union-attr]
    seen = (await bob.see(table))["table"]
    assert (seen["rated"], seen["status"], bool(seen["tempo"])) == (True, "playing", True)


async def wish_of(house: House, guest: str) -> Asker | None:
    return await house.store.look(partial(matchmaking_rows.wish, guest=guest, now=time.time()))


def _insert(connection: sa.Connection, *, values: dict[str, Any]) -> None:
    connection.execute(sa.insert(ratings.ratings).values(values))


async def test_who_has_no_name_of_their_own_is_not_paired_for_a_rated_game(ann: Person, bob: Person) -> None:
    await ann.refused("lobby/play", 403, "forbidden", game="fortune", rated=True)
    assert await ann.do("lobby/play", game="fortune") == {"url": None}
    await bob.do("me/claim", name="Bob", password="correct horse")
    assert await bob.do("lobby/play", game="fortune", rated=True) == {"url": None}  # the other does not want that


async def test_two_who_ask_for_the_same_play_with_each_other(
    ann: Person, bob: Person, house: House, arrive: Callable[[], Person]
) -> None:
    eve = arrive()
    async with Page(house, (await guest_of(ann)).id) as page:
        assert await ann.do("lobby/play", game="fortune") == {"url": None}
        await page.until(lambda: "Looking for 1 more player for Fortune." in page.lists["running"])
        assert await ann.do("lobby/play", game="fortune") == {"url": None}  # pressed twice, or on another device
        assert await eve.do("lobby/play", game="fortune", players=3) == {"url": None}
        found = (await bob.do("lobby/play", game="fortune"))["url"]
        await page.until(lambda: any(b'"go":"/t/' in message for message in page.messages))
        assert page.messages[-1].partition(b'"go":"')[2].partition(b'"')[0].decode() == found.removeprefix(
            "http://house.test"
        )
    seen = (await ann.see(found.rpartition("/")[2]))["table"]
    assert seen["status"] == "playing"
    assert [seat["name"] for seat in seen["seats"]] == ["Ann", "Bob"]
    assert (await bob.do("lobby/play", game="fortune"))["url"] == found  # pressed twice
    assert (await guest_of(ann)).id not in await house.store.look(matchmaking_rows.askers)
    assert "Looking for 2 more players for Fortune." in (await eve.get("/")).text
    await eve.do("lobby/stop")
    assert "Looking for" not in (await eve.get("/")).text


async def test_another_wish_takes_the_place_of_the_first(
    ann: Person, bob: Person, arrive: Callable[[], Person]
) -> None:
    await ann.do("lobby/play", game="fortune")
    await ann.do("lobby/play", game="family-trade", ruleset="battle-royale")
    assert (await bob.do("lobby/play", game="fortune"))["url"] is None
    cid = arrive()
    assert (await cid.do("lobby/play", game="family-trade"))["url"] is None  # another ruleset
    found = (await cid.do("lobby/play", game="family-trade", ruleset="battle-royale"))["url"]
    options = {
        option["name"]: option["value"] for option in (await ann.see(found.rpartition("/")[2]))["table"]["options"]
    }
    assert options["ruleset"] == "battle-royale"
    refused = await bob.refused("lobby/play", 400, "unknown-name", game="fortune", ruleset="battle-royale")
    assert "no ruleset" in refused["message"]
    await bob.refused("lobby/play", 400, "bad-setup", game="gatsby", players=3)


async def test_who_closes_the_page_leaves_the_queue_and_who_plays_a_bot_keeps_the_place(
    ann: Person, bob: Person, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matchmaking_rows, "STALE", 3.0)
    monkeypatch.setattr("parlour.house.lobby.lists.HERE", 0.5)
    monkeypatch.setattr("parlour.house.ratings.matchmaking.jobs.BEAT", 0.2)
    guest = (await guest_of(ann)).id
    async with Page(house, guest):
        await ann.do("lobby/play", game="fortune")
        await asyncio.sleep(4)  # longer than without a page
        assert await wish_of(house, guest) is not None
    table = await ann.make(ME, BOT)
    live = await house.table(table)
    with house.presence.listening(live, guest):
        await asyncio.sleep(4)
        assert (await bob.do("lobby/play", game="fortune"))["url"]
    assert (await ann.get("/api/invitations")).json()["go"].startswith("/t/")  # shown on the page of the other table
    assert (await ann.get("/api/invitations")).json()["go"] == ""  # once
    await ann.do("lobby/play", game="fortune")
    async with asyncio.timeout(WAIT):
        while await wish_of(house, guest):  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    assert (await bob.do("lobby/play", game="fortune"))["url"] is None


async def test_a_bot_is_offered_after_a_while(ann: Person, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour.house.lobby.pages.OFFER", 5.0)  # long enough for a busy machine to draw the list
    monkeypatch.setattr("parlour.house.lobby.api.OFFER", 5.0)
    assert matchmaking_deeds.OFFER == 20
    async with Page(house, (await guest_of(ann)).id) as page:
        await ann.do("lobby/play", game="family-trade", ruleset="god-of-the-market", players=3)
        await page.until(lambda: "Looking for 2 more players for God of the Market." in page.lists["running"])
        assert "Play a bot while you wait" not in page.lists["running"]
        await page.until(lambda: "Play a bot while you wait" in page.lists["running"])
    wish = await wish_of(house, (await guest_of(ann)).id)
    assert wish is not None
    made = await ann.do("tables", **matchmaking_deeds.bot_table(wish))
    assert len((await ann.see(made["id"]))["table"]["seats"]) == 3


async def test_who_asks_for_a_tempo_plays_with_others_who_do(
    ann: Person, bob: Person, house: House, arrive: Callable[[], Person]
) -> None:
    cid = arrive()
    async with Page(house, (await guest_of(ann)).id) as page:
        await ann.do("lobby/play", game="fortune", tempo="quick")
        await page.until(lambda: "for Fortune, 5 min each, 5 s more a decision." in page.lists["running"])
        for tempo in ({}, {"tempo": "usual"}):
            assert await cid.do("lobby/play", game="fortune", **tempo) == {"url": None}
            await cid.do("lobby/stop")
        assert (await bob.do("lobby/play", game="fortune", tempo="quick"))["url"]
        await page.until(lambda: any(b'"go":"/t/' in message for message in page.messages))
        table = page.messages[-1].partition(b'"go":"/t/')[2].partition(b'"')[0].decode()
    seen = (await bob.see(table))["table"]
    assert (seen["status"], seen["tempo"], seen["rated"]) == ("playing", "5 min each, 5 s more a decision", False)
    await cid.refused("lobby/play", 400, "bad-input", game="fortune", tempo="slow")
    await cid.refused("lobby/play", 400, "bad-input", game="fortune", tempo={"bank": 60})


async def test_a_rated_game_has_the_usual_tempo_unless_others_want_another(ann: Person, bob: Person) -> None:
    for person, name in ((ann, "Ann"), (bob, "Bob")):
        await person.do("me/claim", name=name, password="correct horse")
    await ann.do("lobby/play", game="fortune", rated=True)
    assert await bob.do("lobby/play", game="fortune", rated=True, tempo="quick") == {"url": None}
    found = (await bob.do("lobby/play", game="fortune", rated=True, tempo="usual"))["url"]
    assert (await ann.see(found.rpartition("/")[2]))["table"]["tempo"] == "20 min each, 10 s more a decision"


# What others see of those who wait ---------------------------------------------------------------------
PLAY = re.compile(r'data-create="([^"]*)" data-path="/api/lobby/play"')


async def test_who_waits_is_shown_to_others_without_a_name_and_joined_by_a_press(
    ann: Person, bob: Person, house: House, arrive: Callable[[], Person]
) -> None:
    eve, mine = await guest_of(arrive()), await guest_of(ann)
    async with Page(house, eve.id) as page, Page(house, mine.id) as own:
        await ann.do("lobby/play", game="family-trade", ruleset="battle-royale", players=3, tempo="turns")
        said = "1 person is waiting: Battle Royale, 3 players, 1 min a decision"
        await page.until(lambda: said in page.lists["waiting"])
        await own.until(lambda: "Looking for 2 more players for Battle Royale" in own.lists["running"])
        assert said not in b"".join(own.messages).decode()  # the guest's own entry is not listed
        for person in (arrive(), bob):
            ask = json.loads(html.unescape(PLAY.findall(page.lists["waiting"])[0]))
            await person.do("lobby/play", **ask)
            if person is not bob:
                await page.until(lambda: said.replace("1 person is", "2 people are") in page.lists["waiting"])
        await page.until(lambda: "waiting:" not in page.lists["waiting"])  # they play
        await own.until(lambda: any(b'"go":"/t/' in message for message in own.messages))
    assert b"Ann" not in page.messages[1]
    assert mine.id.encode() not in b"".join(page.messages)


async def test_who_waits_is_not_shown_to_whom_they_blocked_and_is_gone_with_their_page(
    ann: Person, bob: Person, house: House, arrive: Callable[[], Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    for person, name in ((ann, "Ann"), (bob, "Bob")):
        await person.do("me/claim", name=name, password="correct horse")
    await ann.do("me/block", name="Bob")
    await bob.do("lobby/play", game="fortune", rated=True)
    line = "1 person is waiting: Fortune, rated, 2 players, 20 min each, 10 s more a decision"
    async with Page(house, (await guest_of(arrive())).id) as page, Page(house, (await guest_of(ann)).id) as anns:
        await page.until(lambda: line in page.lists["waiting"])
        assert line not in b"".join(anns.messages).decode()
        assert line not in (await ann.get("/")).text
        assert "claimed" in page.lists["waiting"].partition(line)[2].partition("</button>")[0]  # whom it is for
        monkeypatch.setattr(matchmaking_rows, "STALE", 1.0)  # as if these seconds had passed
        monkeypatch.setattr("parlour.house.lobby.lists.HERE", 0.5)
        await page.until(lambda: line not in page.lists["waiting"])


@pytest.mark.service
async def test_many_ask_two_processes_at_once_and_nobody_is_paired_twice(
    database: str, redis_url: str, nursery: Nursery, size: Callable[[int, int], int]
) -> None:
    pairs = size(8, 20)
    urls = [nursery.start(database=database, redis=redis_url).url for _ in range(2)]
    async with contextlib.AsyncExitStack() as stack:
        people = [
            await stack.enter_async_context(Person(base_url=urls[i % 2], timeout=WAIT)) for i in range(2 * pairs + 1)
        ]
        guests = [(await guest_of(person)).id for person in people]
        await asyncio.gather(*(person.do("lobby/play", game="fortune") for person in people for _ in range(2)))
        playing: Counter[str] = Counter()
        sat: Counter[str] = Counter()
        for person, guest in zip(people, guests, strict=True):
            text = (await person.get("/")).text
            running = text.split('data-key="running"')[1].split('class="picks"')[0]
            for table in {piece.partition('"')[0] for piece in running.split('href="/t/')[1:]}:
                playing[table] += 1
                sat[guest] += 1
        assert len(playing) == pairs
        assert set(playing.values()) == {2}
        assert set(sat.values()) == {1}
        assert len(sat) == 2 * pairs


def take(connection: sa.Connection, word: str) -> str:
    """Take a turn; return for how long it then waits for any other lock."""
    turns.take(connection, 1, word)
    return str(connection.scalar(sa.text("SHOW lock_timeout")))


@pytest.mark.service
@pytest.mark.parametrize("word", ["", "a word"])
async def test_a_turn_is_waited_for_longer_than_the_lock_of_another_program(
    database: str, monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    monkeypatch.setattr(postgresql, "PATIENCE", 0.2)
    store = Store(database)
    await store.open()
    waiting = sa.text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
    async with contextlib.AsyncExitStack() as stack:
        stack.push_async_callback(store.close)
        async with store.write() as before:
            assert await before.run_sync(partial(take, word=word)) == "200ms"
            after = asyncio.create_task(store.do(partial(take, word=word)))
            async with asyncio.timeout(WAIT):
                while not await before.scalar(waiting):  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
            await asyncio.sleep(0.6)
            assert not after.done()
        assert await after == "200ms"
        monkeypatch.setattr(turns, "QUEUED", 0.2)
        async with store.write() as before:
            await before.run_sync(partial(take, word=word))
            with pytest.raises(StoreFailed, match="lock timeout"):  # and not forever
                await store.do(partial(take, word=word))
