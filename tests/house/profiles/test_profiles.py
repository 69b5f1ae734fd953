"""What people show of themselves: a picture, streaks, moments and achievements, and how two players did against each
other; who sees it, and what becomes of it."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import sqlalchemy as sa

from parlour.core.achieving import mark
from parlour.core.game import Game
from parlour.games import find
from parlour.house.accounts import schema as accounts
from parlour.house.house import House
from parlour.house.profiles import rows
from parlour.house.profiles import schema as profiles
from parlour.house.profiles.pages import Streaks, avatar, streaks
from parlour.house.profiles.pictures import BOT, GROUNDS, INKS, PARTS, Picture, default, of_bot, parse, within
from parlour.house.ratings.results import Wanted
from parlour.house.settings import Settings
from parlour.house.site import files
from parlour.house.table.storage import schema as storage
from parlour.house.table.storage.rows import AWAY
from tests.found import added
from tests.house.accounts.test_belongings import SECRET, packed
from tests.house.people import BOT as A_BOT
from tests.house.people import ME, OPEN, Person, guest_of, two_at_table

Arrive = Callable[[], Person]
BOTH = ["sqlite", pytest.param("postgresql", marks=[pytest.mark.service, pytest.mark.whole])]
DAY = 86400.0
HORSE = {"figure": "cat", "pattern": "dots", "ground": "plum", "ink": "cream"}


@pytest.fixture(params=BOTH)
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    address = f"sqlite:///{tmp_path}/parlour.db"
    if request.param == "postgresql":
        address = request.getfixturevalue("database")
    return Settings(database=address, pace=0, engine="plain", limits=False)


@pytest.fixture(autouse=True)
def _kuhn() -> Iterator[None]:
    with added(Game("kuhn", "tests.fixtures.kuhn")):
        yield


@pytest.fixture(autouse=True)
async def _empty(house: House) -> None:
    """Delete everything: all of these tests share one PostgreSQL."""
    async with house.store.write() as connection:
        for one in (storage.tables, accounts.guests, accounts.retired, profiles.pictures, profiles.moments):
            await connection.execute(sa.delete(one))


async def finished(ann: Person, bob: Person, *moves: str, public: bool = True) -> str:
    """Play a game of Kuhn to its end with these moves; return its id."""
    table = str((await ann.do("tables", game="kuhn", seats=[ME, OPEN], public=public))["id"])
    await bob.do(f"tables/{table}/sit")
    await ann.do(f"tables/{table}/start")
    for turn, move in enumerate(moves):
        await (ann, bob)[turn % 2].do(f"tables/{table}/moves", move=move, version=2 + turn)
    return table


async def judged(house: House, table: str) -> None:
    """Wait until it is known what was achieved in a game, and its page says so: its result is shown before."""
    live, guest = await house.look(table, "nobody")
    assert guest
    for _ in range(500):
        known = partial(rows.is_judged, table_id=table, mark=mark(live.game))
        if await house.store.look(known) and not house._stories._tasks:
            return
        await asyncio.sleep(0.01)
    raise AssertionError("nothing is worked out")


async def earned(house: House, person: Person, *, public: bool = False) -> dict[str, tuple[str, int]]:
    """Return what a person has achieved: by key, the first table and the number of games."""
    guest = (await guest_of(person)).id
    found = await house.store.look(partial(rows.earned, wanted=Wanted(guest, public=public)))
    return {one.key: (one.table_id, one.times) for one in found if one.game == "kuhn"}


# Achievements --------------------------------------------------------------------------------------
async def test_a_first_achievement_is_one_line_at_the_result_and_stays_on_the_page(
    ann: Person, bob: Person, house: House
) -> None:
    first = await finished(ann, bob, "bet", "pass")
    await judged(house, first)
    line = "“Not shown”"  # among others, if there are several
    assert line in (await ann.get(f"/t/{first}")).text
    assert line in (await ann.get(f"/t/{first}")).text
    assert line not in (await bob.get(f"/t/{first}")).text
    second = await finished(ann, bob, "bet", "pass")
    await judged(house, second)
    assert line not in (await ann.get(f"/t/{second}")).text
    assert (await earned(house, ann))["steal"] == (first, 2)
    assert await earned(house, bob) == {}
    page = (await ann.get("/me")).text
    (step,) = set(re.findall(rf'href="(/t/{first}/replay\?entry=\d+)">[^<]+</a>, and in 1 other game', page))
    assert 'data-version="4"' in (await ann.get(step)).text
    assert "Not shown" in (await bob.get("/me")).text, "what is ahead is shown to its player"


async def test_achievements_are_worked_out_again_from_the_record_and_for_a_new_list(
    ann: Person, bob: Person, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await finished(ann, bob, "bet", "pass")
    await judged(house, table)
    before = await earned(house, ann)
    assert before

    def forget(connection: sa.Connection) -> None:
        connection.execute(sa.delete(profiles.achievements))

    await house.store.do(forget)
    await ann.get("/me")
    assert await earned(house, ann) == {}, "it is known of the game that it was looked at"
    game = find("kuhn")
    assert game.achievements is not None
    monkeypatch.setattr(game.achievements, "ACHIEVEMENTS", (*game.achievements.ACHIEVEMENTS[::-1],))
    assert mark(game) != ""
    await ann.get("/me")
    assert await earned(house, ann) == before
    await ann.get("/me")
    assert await earned(house, ann) == before


async def test_nothing_is_achieved_in_a_seat_that_a_bot_had_or_from_given_steps(
    ann: Person, bob: Person, house: House
) -> None:
    tables = [await finished(ann, bob, "bet", "pass") for _ in range(2)]
    for table in tables:
        await judged(house, table)
    assert (await earned(house, ann))["steal"][1] == 2

    def change(connection: sa.Connection) -> None:
        row = {"table_id": tables[0], "idx": 4, "actor": 0, "action": AWAY, "text": "left"}
        connection.execute(sa.insert(storage.steps).values(row))
        connection.execute(sa.update(storage.tables).where(storage.tables.c.id == tables[1]).values(given=1))
        connection.execute(sa.delete(profiles.judged))
        connection.execute(sa.delete(profiles.achievements))

    await house.store.do(change)
    await ann.get("/me")
    assert await earned(house, ann) == {}


async def test_a_fault_in_a_game_s_own_code_costs_nothing_else(
    ann: Person, bob: Person, house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    achievements = find("kuhn").achievements
    assert achievements is not None
    for faulty in (lambda _: 1 / 0, lambda _: [("unheard", 0, 0)]):
        monkeypatch.setattr(achievements, "achieved", faulty)
        table = await finished(ann, bob, "bet", "pass")
        await judged(house, table)
        assert "wins" in (await ann.get(f"/t/{table}")).text
    assert await earned(house, ann) == {}
    assert caplog.text.count("Could not work out what was achieved") == 2


# Moments -------------------------------------------------------------------------------------------
async def test_a_moment_is_pinned_shown_and_removed(ann: Person, bob: Person, arrive: Arrive) -> None:
    await ann.do("me/claim", name="Ann", password=SECRET)
    listed, own = [await finished(ann, bob, "bet", "pass", public=public) for public in (True, False)]
    for table in (listed, own, listed):  # pinned twice, it is there once
        await ann.do("me/moments/pin", table=table, step=3)
    page = (await ann.get("/me")).text
    pictures = re.findall(r'<img src="(/t/\w+/moment\?entry=\d+)"', page)
    assert {one.split("/")[2] for one in pictures} == {listed, own}
    stranger = arrive()
    public = (await stranger.get("/p/Ann")).text
    assert re.findall(r'<img src="(/t/\w+)/moment', public) == [f"/t/{listed}"]
    drawing = await stranger.get(pictures[0])
    assert drawing.headers["content-type"].startswith("image/svg+xml")
    root = ElementTree.fromstring(drawing.text)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "script" not in drawing.text
    place = int(pictures[0].rpartition("=")[2])
    for table in (listed, own):
        await ann.do("me/moments/unpin", table=table, place=place)
    assert "<img" not in (await ann.get("/me")).text


async def test_moments_are_of_finished_games_that_one_played_and_few(
    ann: Person, bob: Person, arrive: Arrive, house: House
) -> None:
    table = await finished(ann, bob, "bet", "pass")
    running = await two_at_table(ann, bob)
    eve = arrive()
    await eve.refused("me/moments/pin", 403, "forbidden", table=table, step=1)
    await ann.refused("me/moments/pin", 409, "not-over", table=running, step=1)
    await ann.refused("me/moments/pin", 400, "bad-input", table=table, step=99)
    await ann.refused("me/moments/pin", 404, "unknown-table", table="none", step=1)
    assert (await ann.get(f"/t/{running}/moment?entry=1")).status_code == 409
    assert (await ann.get(f"/t/{table}/moment?entry=99")).status_code == 400
    tables = [table, *[await finished(ann, bob, "bet", "pass") for _ in range(2)]]
    steps = [(one, step) for one in tables for step in range(4)]
    for one, step in steps[: rows.MOST_MOMENTS]:
        await ann.do("me/moments/pin", table=one, step=step)
    error = await ann.refused("me/moments/pin", 409, "too-many", table=tables[2], step=0)
    assert f"{rows.MOST_MOMENTS} moments" in error["message"]
    await ann.do("me/moments/pin", table=table, step=0)  # pinned already
    guest = (await guest_of(ann)).id
    assert len(await house.store.look(partial(rows.moments, guest=guest))) == rows.MOST_MOMENTS


# Pictures ------------------------------------------------------------------------------------------
async def test_everyone_has_a_picture_and_may_choose_another(ann: Person, bob: Person) -> None:
    await ann.do("me/claim", name="Ann", password=SECRET)
    guest = (await guest_of(ann)).id
    assert avatar(default(guest)) in (await bob.get("/p/Ann")).text
    await ann.do("me/picture", **HORSE)
    mine = avatar(Picture(*HORSE.values()))
    assert mine in (await bob.get("/p/Ann")).text
    assert mine in (await ann.get("/me")).text
    error = await ann.refused("me/picture", 400, "bad-input", **{**HORSE, "ink": "invisible"})
    assert "cream" in error["allowed"]
    assert mine in (await bob.get("/p/Ann")).text


async def test_pictures_are_at_seats_and_before_names_in_lists(ann: Person, bob: Person, house: House) -> None:
    horse, owl = (Picture(*HORSE.values()), Picture("owl", "rays", "sea", "gold"))
    await ann.do("me/picture", **HORSE)
    table = await ann.make(ME, OPEN, A_BOT, OPEN)
    room = (await ann.get(f"/t/{table}")).text
    assert (room.count(avatar(horse)), room.count(avatar(of_bot("greedy")))) == (1, 1)
    assert room.count('class="avatar free"') == 2
    await bob.get("/")
    await house.lobby.fresh()
    assert avatar(horse) in (await bob.get("/")).text
    await bob.do(f"tables/{table}/sit")
    await ann.do(f"tables/{table}/start", bots=True)
    kinds = [seat["picture"].split(" ")[0] for seat in (await ann.see(table))["table"]["seats"]]
    assert [kinds[0], *kinds[2:]] == ["cat", BOT, BOT]
    assert kinds[1] == default((await guest_of(bob)).id).figure
    await bob.do("me/picture", **owl._asdict())
    page = (await ann.get(f"/t/{table}")).text
    for seat, one in ((0, horse), (1, owl), (2, of_bot("greedy"))):
        assert f'<use href="#player-{seat}"/>' in page, "the plate has it by name"
        assert f'id="player-{seat}" viewBox="0 0 64 64">{within(one, files.address("avatars.svg"))}' in page


def test_pictures_can_be_told_from_their_ground_and_the_ground_from_the_page() -> None:
    pages = ("#f2eadb", "#fbf7ee", "#101419", "#191f27")  # --paper and --panel, light and dark
    for ground in GROUNDS.values():
        assert min(contrast(ground, page) for page in pages) >= 3, ground
        assert min(contrast(ground, ink) for ink in INKS.values()) >= 3, ground
    assert len({default(f"{number}") for number in range(200)}) > 150
    drawn = ElementTree.fromstring(files.find("avatars.svg").data.decode())  # type: ignore[union-attr]
    there = {one.get("id") for one in drawn}
    assert there == {f"{kind.lower()}-{name}" for kind, names in PARTS[:2] for name in names} | {f"figure-{BOT}"}
    ElementTree.fromstring(avatar(of_bot("easy")))
    assert parse(" ".join(of_bot("easy"))) is None, "no person can look like a bot"
    assert parse("cat dots plum cream") == Picture("cat", "dots", "plum", "cream")
    assert parse("cat dots plum") is None
    assert parse("cat dots cream plum") is None


def contrast(one: str, other: str) -> float:
    """WCAG 2.2, 1.4.11."""

    def light(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


# Streaks and duels ---------------------------------------------------------------------------------
def test_streaks_are_of_days_in_utc_and_of_wins() -> None:
    noon = 20_000 * DAY + DAY / 2
    played: list[Any] = [
        (noon + day * DAY, result)
        for day, result in ((0, "lost"), (0, "won"), (1, "shared"), (2, "won"), (4, "left"), (5, "won"))
    ]
    assert streaks(played, noon + 5 * DAY) == Streaks(2, 3, 1, 3)
    assert streaks(played, noon + 6 * DAY).days == 2, "today may still continue it"
    assert streaks(played, noon + 7 * DAY).days == 0
    late = [(20_000 * DAY - 1, "won"), (20_000 * DAY, "won")]  # two seconds, and two days in UTC
    assert streaks(late, noon).days == 2  # type: ignore[arg-type]
    assert streaks([], noon) == Streaks(0, 0, 0, 0)


async def test_a_duel_is_shown_by_ruleset_to_its_two_players_and_not_across_a_block(
    ann: Person, bob: Person, arrive: Arrive
) -> None:
    await ann.do("me/claim", name="Ann", password=SECRET)
    await bob.do("me/claim", name="Bob", password=SECRET)
    for moves in (("bet", "pass"), ("bet", "pass"), ("pass", "bet", "pass")):
        await ann.get(f"/t/{await finished(ann, bob, *moves, public=False)}")
    title = "You and <bdi>"
    assert "3 games: 2 ahead, 1 behind" in (await ann.get("/p/Bob")).text
    assert "3 games: 1 ahead, 2 behind" in (await bob.get("/p/Ann")).text
    assert title not in (await arrive().get("/p/Ann")).text
    assert title not in (await ann.get("/p/Ann")).text
    await bob.do("me/block", name="Ann")
    for person, path in ((ann, "/p/Bob"), (bob, "/p/Ann")):
        assert title not in (await person.get(path)).text


# What becomes of it --------------------------------------------------------------------------------
async def test_it_is_exported_comes_along_and_goes(ann: Person, bob: Person, arrive: Arrive, house: House) -> None:
    table = await finished(ann, bob, "bet", "pass")
    await judged(house, table)
    await ann.do("me/moments/pin", table=table, step=2)
    await ann.do("me/picture", **HORSE)
    told, _ = await packed(ann)
    assert told["picture"] == "cat dots plum cream"
    assert [one["table"] for one in told["moments"]] == [table]
    assert {one["achievement"] for one in told["achievements"]} >= {"steal"}

    phone = arrive()
    await phone.do("me/claim", name="Ann", password=SECRET)
    await ann.do("me/sign-in", name="Ann", password=SECRET, bring=True)
    person = (await guest_of(phone)).id
    assert (await house.store.look(partial(rows.pictures, guests=[person]))) == {person: "cat dots plum cream"}
    assert [one.table_id for one in await house.store.look(partial(rows.moments, guest=person))] == [table]
    assert "steal" in await earned(house, phone)

    await phone.do("me/delete", password=SECRET)
    for kept in (profiles.pictures, profiles.moments):
        count = sa.select(sa.func.count()).select_from(kept)
        assert await house.store.look(lambda connection, query=count: connection.scalar(query)) == 0
    assert "Not shown" not in (await bob.get("/p/Ann")).text


async def test_a_picture_of_a_guest_whom_no_cookie_knows_is_deleted(ann: Person, arrive: Arrive, house: House) -> None:
    await ann.do("me/picture", **HORSE)
    nameless = arrive()
    await nameless.do("me/picture", **HORSE)
    later = time.time() + rows.KEPT + DAY
    assert await house.store.do(partial(rows.clear, now=later - 2 * DAY)) == 0
    assert await house.store.do(partial(rows.clear, now=later)) == 1
    guest = (await guest_of(ann)).id
    assert guest in await house.store.look(partial(rows.pictures, guests=[guest]))
