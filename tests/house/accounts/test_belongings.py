"""A person's data: their games counted and listed, the export in a ZIP, and what stays after their account is
deleted."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import random
import re
import secrets
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from parlour.cli.app import run
from parlour.core.game import Game
from parlour.core.record import Record
from parlour.core.scene import SPECTATOR
from parlour.house.accounts import rows as account_rows
from parlour.house.accounts import schema as accounts
from parlour.house.accounts.deeds import new_link
from parlour.house.accounts.pages import page_of, title_of
from parlour.house.database.all_tables import TABLES
from parlour.house.house import House
from parlour.house.ratings import outcomes, results
from parlour.house.ratings import schema as ratings
from parlour.house.ratings.results import Outcome, Wanted
from parlour.house.table.storage import schema as storage
from parlour.house.table.storage.rows import SeatRow
from tests.found import added
from tests.house.people import BOT, ME, OPEN, Person, guest_of, play_on, turn, two_at_table
from tests.house.serving import Nursery
from tests.leak import kept, restore, swap, twin

Arrive = Callable[[], Person]
SECRET = "correct horse"
SHORT = {"target": "5000", "finish": "at_least"}


@pytest.fixture(autouse=True)
def _kuhn() -> Iterator[None]:
    with added(Game("kuhn", "tests.fixtures.kuhn")):
        yield


async def a_game(ann: Person, bob: Person, *, seed: int = 1, **body: Any) -> str:
    """Play a short game of two with hidden cards to its end."""
    table = str((await ann.do("tables", game="kuhn", seats=[ME, OPEN], **body))["id"])
    await bob.do(f"tables/{table}/sit")
    await ann.do(f"tables/{table}/start")
    await play_on(table, 9, ann, bob, seed=seed)
    return table


async def against_bots(house: House, like: str, table: str, guest: str, shares: Sequence[float]) -> None:
    """Store a finished game of a guest with bots of one level and these shares of the win, like another game."""
    row = msgspec.structs.replace((await house.store.load(like)).table, id=table, public=True, names=["Ann", "1", "2"])
    seats = [SeatRow(table, seat, "bot", bot="greedy", name="Greedy bot") for seat in range(3)]
    seats[0] = SeatRow(table, 0, "guest", guest_id=guest, name="Ann")
    await house.store.create(row, seats)
    outcomes = [Outcome(share, 0) for share in shares]
    await house.store.do(partial(results.keep_outcomes, table_id=table, outcomes=outcomes))


async def winner(ann: Person, table: str) -> int:
    return list((await ann.see(table))["table"]["result"]).index(1.0)


def listed(page: str) -> dict[str, str]:
    """Return the tables that a page of games lists, and how it says that each ended."""
    found = re.findall(r'<li><a href="/t/(\w+)">.*?<span class="how (\w+)">', page, re.DOTALL)
    return dict(found)


async def packed(person: Person) -> tuple[Any, dict[str, str]]:
    """Return a person's export: me.json, and the records by name."""
    answer = await person.get("/me/export")
    assert answer.headers["content-type"] == "application/zip"
    assert "attachment" in answer.headers["content-disposition"]
    with zipfile.ZipFile(io.BytesIO(answer.content)) as pack:
        assert pack.testzip() is None
        files = {name: pack.read(name).decode() for name in pack.namelist()}
    return json.loads(files.pop("me.json")), files


# Games -----------------------------------------------------------------------------------------------
async def test_ones_games_are_listed_counted_and_compared(ann: Person, bob: Person) -> None:
    games = [await a_game(ann, bob, seed=seed) for seed in range(6)]
    won = [await winner(ann, table) == 0 for table in games]
    running = await two_at_table(ann, bob)
    page = (await ann.get("/me")).text
    expected = {table: "won" if mine else "lost" for table, mine in zip(games, won, strict=True)}
    assert listed(page) == {**expected, running: "running"}
    assert re.search(r'class="how running">(<strong>your turn|waiting for )', page)
    counts = [f"{won.count(True)} won", f"{won.count(False)} lost"]
    assert ", ".join(one for one in counts if one[0] != "0") in page
    assert f"6 games: {won.count(True)} ahead, {won.count(False)} behind" in page
    assert page.count('<svg class="bar-of"') == 2
    only = listed((await ann.get("/me?which=kuhn&result=won")).text)
    assert only == {table: "won" for table, mine in zip(games, won, strict=True) if mine}
    assert listed((await ann.get("/me?result=running")).text) == {running: "running"}
    assert listed((await ann.get("/me?which=none")).text) == {}
    theirs = listed((await bob.get("/me")).text)
    assert {theirs[table] for table, mine in expected.items() if mine == "won"} <= {"lost"}


async def test_bots_are_compared_too_and_on_somebodys_page_one_sees_how_one_did_against_them(
    ann: Person, bob: Person, arrive: Callable[[], Person], house: House
) -> None:
    await ann.do("me/claim", name="Ann", password="correct horse")
    await bob.do("me/claim", name="Bob", password="correct horse")
    games = [await a_game(ann, bob, seed=seed, public=seed > 0) for seed in range(3)]
    won = [await winner(ann, table) == 0 for table in games]
    for number, shares in enumerate(((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))):
        await against_bots(house, games[0], f"bots-{number}", (await guest_of(ann)).id, shares)
    mine = f"3 games: {won.count(True)} ahead, {won.count(False)} behind"
    public = f"2 games: {won[1:].count(True)} ahead, {won[1:].count(False)} behind"
    page = (await ann.get("/me")).text
    assert mine in page
    bots = page.partition("<b><bdi>Greedy bot</bdi></b>")[2]
    assert "2 games: 1 ahead, 1 behind" in bots.partition("</li>")[0]  # not four: a game counts once
    theirs = (await ann.get("/p/Bob")).text
    assert mine in theirs.partition("You and <bdi>Bob</bdi>")[2].partition("</section>")[0]  # with the private game
    seen = (await bob.get("/p/Ann")).text
    own = f"3 games: {won.count(False)} ahead, {won.count(True)} behind"
    assert own in seen.partition("You and <bdi>Ann</bdi>")[2].partition("</section>")[0]
    for text in ((await arrive().get("/p/Ann")).text, (await ann.get("/p/Ann")).text):
        assert "You and" not in text
        assert mine not in text
        assert public in text
        assert "<bdi>Greedy bot</bdi>" in text


async def test_all_games_are_found_page_by_page(ann: Person, bob: Person) -> None:
    games = {await a_game(ann, bob, seed=seed) for seed in range(23)}
    pages = [listed((await ann.get(f"/me?page={number}")).text) for number in (1, 2, 3)]
    assert [len(page) for page in pages] == [20, 3, 0]
    assert set(pages[0]) | set(pages[1]) == games
    assert 'rel="next" href="?which=&amp;result=&amp;page=2#games-title"' in (await ann.get("/me")).text
    assert (await ann.get("/me?page=0")).status_code == 400


async def test_a_game_that_was_left_is_no_win(ann: Person, bob: Person, house: House) -> None:
    table = await a_game(ann, bob)
    async with house.store.write() as connection:  # as if Ann had left, and the bot won for her or lost
        await connection.execute(sa.update(storage.seats).where(storage.seats.c.seat == 0).values(kind="bot"))
    assert listed((await ann.get("/me")).text) == {table: "left"}
    assert "1 left to a bot" in (await ann.get("/me")).text
    assert "Opponents" not in (await bob.get("/me")).text  # not to the end


async def test_rulesets_are_counted_apart(ann: Person, house: House) -> None:
    for ruleset in ("market-making", "battle-royale"):
        await ann.make(ME, BOT, game="family-trade", options={"ruleset": ruleset}, wait=True)
    guest = await guest_of(ann)
    tallies = await house.store.look(lambda connection: results.tallies(connection, Wanted(guest.id)))
    assert {(one.game, one.ruleset, one.result, one.games) for one in tallies} == {
        ("family-trade", "market-making", "running", 1), ("family-trade", "battle-royale", "running", 1),
    }  # fmt: skip
    page = (await ann.get("/me?which=family-trade:battle-royale")).text
    assert len(listed(page)) == 1
    assert "Battle Royale" in page


async def test_how_old_games_ended_is_worked_out_when_somebody_asks(
    ann: Person, bob: Person, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There are games from before outcomes were stored, and one with an unknown result, because its rules are gone."""
    games = [await a_game(ann, bob, seed=seed) for seed in range(7)]
    async with house.store.write() as connection:
        await connection.execute(sa.delete(ratings.outcomes))
        await connection.execute(sa.update(storage.tables).where(storage.tables.c.id == games[6]).values(rules=99))
    house.tables.clear()
    page = (await ann.get("/me")).text
    assert "still counting some older games" in page
    assert list(listed(page).values()).count("unknown") == 3  # five are worked out at once
    page = (await ann.get("/me")).text
    assert "still counting some older games" not in page
    assert [table for table, result in listed(page).items() if result == "unknown"] == [games[6]]

    def never(*_: object) -> None:
        raise AssertionError("it is known")

    monkeypatch.setattr(outcomes, "_played_again", never)
    assert (await ann.get("/me")).is_success


def test_a_game_that_is_gone_is_called_as_it_was() -> None:
    assert title_of("atlantis", "deep") == "atlantis: deep"
    assert title_of("fortune", "") == "Fortune"


# A player's page -------------------------------------------------------------------------------------
async def test_a_claimed_name_has_a_page_with_finished_and_listed_games_alone(
    ann: Person, bob: Person, arrive: Arrive
) -> None:
    open_, unlisted = await a_game(ann, bob), await a_game(ann, bob, public=False)
    running = await two_at_table(ann, bob)
    eve = arrive()
    assert (await eve.get("/p/Ann")).status_code == 404
    await ann.do("me/claim", name="Ann", password=SECRET)
    page = await eve.get("/p/ann")
    assert page.headers["cache-control"] == "private, no-store"
    assert set(listed(page.text)) == {open_}
    assert "1 game: " in page.text
    for secret in (unlisted, running, "waiting for", "Signed in", "session"):
        assert secret not in page.text
    assert listed((await eve.get("/p/Ann?result=running")).text) == {}
    await bob.do("me/claim", name="Bob/ 100%", password=SECRET)
    assert 'href="/p/bobloo"' in (await ann.get("/me")).text
    assert (await eve.get(page_of("Bob/ 100%"))).is_success


async def test_what_is_shown_of_people_depends_on_nothing_hidden(
    ann: Person, bob: Person, arrive: Arrive, house: House
) -> None:
    """With other cards in the others' hands, the pages and the export are the same, byte for byte."""
    await a_game(ann, bob)
    await ann.do("me/claim", name="Ann", password=SECRET)
    table = str((await ann.do("tables", game="kuhn", seats=[ME, OPEN]))["id"])
    await bob.do(f"tables/{table}/sit")
    await ann.do(f"tables/{table}/start")
    eve, choice = arrive(), random.Random(3)
    await eve.get("/api/me")

    async def all_shown() -> list[Any]:
        mine, files = await packed(ann)
        mine.pop("written")
        pages = [(await who.get(path)).text for who in (ann, bob, eve) for path in ("/me", "/p/Ann", "/")]
        return [mine, files, *pages]

    live = await house.table(table)
    before = await all_shown()
    for _ in range(4):
        assert live.match is not None
        true = kept(live)
        swap(live, *twin(live.match, SPECTATOR, choice))
        assert await all_shown() == before
        restore(live, true)
    assert table not in str(before[1])
    (mine,) = [game for game in before[0]["games"] if game["table"] == table]
    assert mine["status"] == "playing"
    assert mine["record"] is None
    assert not {"steps", "seed", "commitment"} & mine.keys()


# The export ------------------------------------------------------------------------------------------
async def test_what_is_taken_home_is_read_back(
    ann: Person, bob: Person, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = str((await ann.do("tables", game="fortune", seats=[ME, OPEN], options=SHORT))["id"])
    await ann.do(f"tables/{table}/sit", words="Fortune favours me")
    await bob.do(f"tables/{table}/sit")
    await ann.do(f"tables/{table}/start")
    await ann.do(f"tables/{table}/chat", text="My turn!")
    await bob.do(f"tables/{table}/chat", text="Mine.")
    while (await ann.see(table))["table"]["status"] != "over":
        person, seen = await turn(table, ann, bob)
        await person.do(f"tables/{table}/moves", move="stop", version=seen["table"]["version"])
    running = await two_at_table(ann, bob)
    mine, files = await packed(ann)
    assert (mine["name"], mine["claimed"], mine["signed in"]) == ("Ann", False, [])
    assert mine["said"] == [{"table": table, "text": "My turn!"}]
    by_id = {game["table"]: game for game in mine["games"]}
    assert by_id[table]["result"] in ("won", "lost", "shared")
    assert (by_id[running]["status"], by_id[running]["record"]) == ("playing", None)
    name = by_id[table]["record"]
    assert set(files) == {"README.txt", name}
    assert Record.parse(files[name]) == await ann.record(table)
    path = tmp_path / "record.txt"
    path.write_text(files[name], "utf-8")
    for command in ("replay", "verify"):
        assert await asyncio.to_thread(run, [command, str(path)]) == 0
    assert "fair" in capsys.readouterr().out.lower()


async def test_a_guest_without_a_game_takes_home_that(arrive: Arrive) -> None:
    mine, files = await packed(arrive())
    assert (mine["name"], mine["games"], mine["said"]) == (None, [], [])
    assert set(files) == {"README.txt"}


# Deleted accounts ------------------------------------------------------------------------------------
async def test_who_is_deleted_in_a_game_leaves_it_to_a_bot_and_no_name(
    ann: Person, bob: Person, arrive: Arrive
) -> None:
    over, playing = await a_game(ann, bob), await two_at_table(ann, bob)
    waiting, hosted = await ann.make(ME, OPEN), await ann.make(OPEN, ME)
    await bob.do(f"tables/{hosted}/sit")
    await ann.do("me/claim", name="Ann", password=SECRET)
    phone = arrive()
    await phone.do("me/sign-in", name="Ann", password=SECRET)
    await ann.do(f"tables/{playing}/chat", text="farewell")
    before = await bob.record(over)
    await ann.refused("me/delete", 403, "wrong-password", password="wrong horse")
    await ann.refused("me/delete", 403, "wrong-password", word="delete")
    new = await ann.do("me/delete", password=SECRET)
    assert (new["named"], new["claimed"]) == (False, False)
    await phone.refused("me", 403, "signed-out", name="Ann")
    seen = (await bob.see(playing))["table"]
    assert [(seat["name"], seat["kind"], seat["left"]) for seat in seen["seats"]] == [
        ("Somebody", "bot", False), ("Bob", "guest", False),
    ]  # fmt: skip
    assert seen["chat"] == []
    assert (await bob.get(f"/t/{waiting}")).status_code == 404
    assert (await bob.see(hosted))["table"]["is_host"]
    after = await bob.record(over)
    assert after.names == ("Somebody", "Bob")
    assert (after.steps, after.seed, after.words) == (before.steps, before.seed, before.words)
    for path in ("/", "/me", f"/t/{over}", f"/t/{playing}", f"/t/{over}/replay"):
        assert "Ann" not in re.sub(r"Announc\w+|Annul\w+", "", (await bob.get(path)).text), path
    assert (await bob.get("/p/Ann")).status_code == 404
    await arrive().refused("me", 409, "name-taken", name="Ann")  # the name is not free for a while
    await phone.refused("me/sign-in", 403, "wrong-password", name="Ann", password=SECRET)
    for _ in range(3):  # a bot plays in Ann's seat
        async with asyncio.timeout(30):
            while not (seen := await bob.see(playing))["legal"]:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        await bob.do(f"tables/{playing}/moves", move="stop", version=seen["table"]["version"])


async def test_a_guest_types_a_word_to_be_deleted(ann: Person, bob: Person) -> None:
    table = await two_at_table(ann, bob)
    error = await ann.refused("me/delete", 400, "bad-input", word="yes")
    assert error["allowed"] == ["delete"]
    await ann.do("me/delete", word=" Delete ")
    assert (await bob.see(table))["table"]["seats"][0]["name"] == "Somebody"
    assert listed((await ann.get("/me")).text) == {}


async def test_two_who_are_deleted_are_told_apart(ann: Person, bob: Person) -> None:
    table = await a_game(ann, bob)
    for person in (ann, bob):
        await person.do("me/delete", word="delete")
    record = await bob.record(table)
    assert record.names == ("Somebody", "Somebody (2)")


async def test_nothing_of_whom_was_deleted_is_left_in_the_database(ann: Person, bob: Person, house: House) -> None:
    guest = await guest_of(ann)
    table = await two_at_table(ann, bob)
    await ann.do(f"tables/{table}/chat", text="Xyzzy")
    await ann.do("me/claim", name="Annabella", password=SECRET)
    await ann.do("me/device")
    await ann.do("me/delete", password=SECRET)
    async with house.store.read() as connection:
        rows = [str(row) for one in TABLES for row in await connection.execute(sa.select(one))]
    assert len(rows) > 5
    for word in (guest.id, "Annabella", "annabella", "Xyzzy"):
        assert [row for row in rows if word in row] == []


async def test_a_house_with_people_is_moved_whole(ann: Person, house: House, tmp_path: Path) -> None:
    await ann.do("me/claim", name="Ann", password=SECRET)
    _, row = new_link((await guest_of(ann)).id, "reset", 4e9)
    await house.store.do(partial(account_rows.make_link, row=row))
    await house.close()
    source, copy = f"sqlite:///{tmp_path}/parlour.db", f"sqlite:///{tmp_path}/copy.db"
    assert await asyncio.to_thread(run, ["house", "move", source, copy]) == 0
    found = await House.open(replace(house.settings, database=copy), house.jobs)
    async with found.store.read() as connection:
        for one in (accounts.people, accounts.sessions, accounts.links):
            assert await connection.scalar(sa.select(sa.func.count()).select_from(one)) == 1
    await found.close()


@pytest.mark.service
@pytest.mark.whole
async def test_the_same_in_postgresql(nursery: Nursery, database: str) -> None:
    """All queries about one person work in PostgreSQL too."""
    server = nursery.start(database=database, fixtures=["kuhn"])
    name = f"Ann {secrets.token_hex(4)}"
    async with contextlib.AsyncExitStack() as stack:
        ann, bob, phone = [await stack.enter_async_context(Person(base_url=server.url, timeout=60)) for _ in "abc"]
        for person, said in ((ann, name), (bob, "Bob"), (phone, "Phone")):
            await person.do("me", name=said)
        games = [await a_game(ann, bob, seed=seed) for seed in range(3)]
        brought, both = await a_game(phone, bob), await two_at_table(ann, phone)
        rules = await ann.make(ME, OPEN, game="family-trade", options={"ruleset": "battle-royale"})
        await ann.do("me/claim", name=name, password=SECRET)
        await bob.refused("me", 409, "name-taken", name=name.upper())
        await phone.do("me/sign-in", name=name, password=SECRET)
        seats = (await ann.see(both))["table"]["seats"]
        assert [(seat["kind"], seat["mine"]) for seat in seats] == [("guest", True), ("here", True)]
        page = (await ann.get("/me")).text
        assert set(listed(page)) == {*games, brought, both, rules}
        assert "4 games: " in page
        assert set(listed((await ann.get("/me?which=family-trade:battle-royale&result=running")).text)) == {rules}
        assert set(listed((await phone.get(page_of(name))).text)) == {*games, brought}
        token = (await ann.do("me/device"))["url"].partition("#")[2]
        assert (await bob.do("me/link/look", token=token))["name"] == name
        mine, files = await packed(ann)
        assert (len(mine["games"]), len(files)) == (6, 5)
        await phone.do("me/password", password=SECRET, new="battery staple")
        await ann.refused("me", 403, "signed-out", name=name)
        await phone.do("me/delete", password="battery staple")
        assert (await bob.record(games[0])).names == ("Somebody", "Bob")
        assert {seat["name"] for seat in (await bob.see(both))["table"]["seats"]} == {"Somebody", "Somebody (2)"}
