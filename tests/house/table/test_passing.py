"""Pass-and-play: several seats on one device, and a curtain if the game has secrets."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import httpx
import msgspec
import pytest
import sqlalchemy as sa

from parlour.core.contract import CHANCE
from parlour.core.game import Game
from parlour.core.replay import verify
from parlour.core.scene import SPECTATOR
from parlour.games import find
from parlour.house.analysis import rows as analysis_rows
from parlour.house.app import create_app, open_house
from parlour.house.database.migrating import HEAD, migrate
from parlour.house.database.store import Store
from parlour.house.house import House
from parlour.house.settings import Settings
from parlour.house.table.live import eyes
from parlour.house.table.live.audience import Kept
from parlour.house.table.live.eyes import eyes_of, same_story
from parlour.house.table.web.stream import events
from parlour.house.table.web.updates import Page, update
from tests.expanding import bare
from tests.found import added
from tests.house.people import BOT, ME, OPEN, Person
from tests.house.table.test_leak import _sent
from tests.leak import kept, restore, swap, twin

HERE = {"kind": "here"}


@pytest.fixture(autouse=True)
def _fixtures() -> Iterator[None]:
    with added(*(Game(name, f"tests.fixtures.{name}") for name in ("satchel", "kuhn"))):
        yield


async def device(ann: Person, game: str = "satchel", *others: dict[str, str]) -> str:
    """Start a game of Ann and Bob on Ann's device; return its id."""
    seats = [ME, {"kind": "here", "name": "Bob"}, *others]
    return str((await ann.do("tables", game=game, seats=seats))["id"])


async def move(table: str, person: Person, text: str) -> int:
    version = (await person.see(table))["table"]["version"]
    return int((await person.do(f"tables/{table}/moves", move=text, version=version))["version"])


async def test_where_nothing_is_hidden_the_page_has_the_eyes_of_who_decides(ann: Person, house: House) -> None:
    table = await device(ann, "fortune")
    live = await house.table(table)
    assert (await ann.see(table))["table"]["status"] == "playing"  # the game waits for no one
    for _ in range(6):
        seen = await ann.see(table)
        assert seen["scene"]["viewer"] == seen["table"]["my_seat"] == seen["scene"]["to_move"]
        assert seen["table"]["pass_to"] is None
        assert "stop" in seen["legal"]
        await move(table, ann, "stop")
    assert {step.actor for step in live.history} == {CHANCE, 0, 1}
    assert (await ann.see(table))["table"]["seats"][1]["name"] == "Bob"
    assert 'class="curtain' not in (await ann.get(f"/t/{table}")).text


async def test_a_curtain_falls_between_players_who_have_secrets(ann: Person) -> None:
    table = await device(ann)
    for seat in (0, 1, 0, 1):
        seen = await ann.see(table)
        assert (seen["scene"]["viewer"], seen["table"]["pass_to"], seen["legal"]) == (SPECTATOR, seat, [])
        page = bare((await ann.get(f"/t/{table}")).text)
        assert f"Pass to {('Ann', 'Bob')[seat]}" in page
        version = seen["table"]["version"]
        await ann.refused(f"tables/{table}/moves", 409, "not-your-turn", move="coin 1", version=version)
        await ann.refused(f"tables/{table}/lift", 409, "not-your-turn", seat=1 - seat)
        for _ in range(2):  # repeating it does no harm
            await ann.do(f"tables/{table}/lift", seat=seat)
        seen = await ann.see(table)
        assert (seen["scene"]["viewer"], seen["table"]["pass_to"]) == (seat, None)
        assert "coin 1" in seen["legal"]
        await move(table, ann, "coin 1")
        assert (await ann.see(table))["scene"]["viewer"] == seat  # his turn continues
        await move(table, ann, "close")
    assert (await ann.see(table))["table"]["status"] == "over"
    assert verify(await ann.record(table), find).over


async def test_whose_eyes_a_guest_has_is_worked_out_once_for_each_request(
    ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await device(ann)
    await ann.do(f"tables/{table}/lift", seat=0)
    version = (await ann.see(table))["table"]["version"]
    worked_out: list[str] = []

    def noted(guest: str, *rest: Any, **more: Any) -> eyes.Eyes:
        worked_out.append(guest)
        return honest(guest, *rest, **more)

    honest = eyes.Eyes
    monkeypatch.setattr(eyes, "Eyes", noted)
    for path in (f"api/tables/{table}", f"t/{table}"):
        assert (await ann.get(f"/{path}")).is_success
        assert len(worked_out) == 1, path
        worked_out.clear()
    moved = await ann.do(f"tables/{table}/moves", move="coin 1", version=version)
    assert len(worked_out) == 1
    worked_out.clear()
    await ann.do(f"tables/{table}/undo", version=moved["version"])
    assert len(worked_out) == 1


async def test_only_the_device_lifts_its_curtain(ann: Person, bob: Person) -> None:
    table = await device(ann)
    await bob.refused(f"tables/{table}/lift", 403, "not-seated", seat=0)
    await ann.refused(f"tables/{table}/lift", 400, "bad-input", seat=-1)
    await ann.refused(f"tables/{table}/lift", 400, "bad-input")
    seen = await bob.see(table)
    assert (seen["scene"]["viewer"], seen["table"]["pass_to"]) == (SPECTATOR, None)
    assert "Pass to" not in (await bob.get(f"/t/{table}")).text


async def test_others_at_the_table_play_on_their_own_devices(ann: Person, bob: Person, house: House) -> None:
    """Two players share Ann's device; a player with a single seat never has to pass a device."""
    seats = [ME, {"kind": "here", "name": "Cid"}, OPEN]
    table = str((await ann.do("tables", game="fortune", seats=seats))["id"])
    assert [seat["kind"] for seat in (await ann.see(table))["table"]["seats"]] == ["guest", "here", "open"]
    await bob.do(f"tables/{table}/sit")
    await ann.do(f"tables/{table}/start")
    live = await house.table(table)
    assert live.match is not None
    for _ in range(6):
        person = bob if live.match.current_player == 2 else ann
        other = ann if person is bob else bob
        assert (await other.see(table))["legal"] == []
        await move(table, person, "stop")
    assert (await bob.see(table))["scene"]["viewer"] == 2


async def test_a_move_sent_twice_is_made_once_though_another_seat_decides_now(ann: Person) -> None:
    table = await device(ann, "fortune")
    body = {"move": "stop", "version": (await ann.see(table))["table"]["version"], "id": "one"}
    first = await ann.do(f"tables/{table}/moves", **body)
    assert await ann.do(f"tables/{table}/moves", **body) == first
    assert (await ann.see(table))["table"]["version"] == first["version"]


async def test_taking_back_on_one_device(ann: Person) -> None:
    table = await device(ann)
    await ann.do(f"tables/{table}/lift", seat=0)
    version = await move(table, ann, "coin 2")
    await ann.do(f"tables/{table}/undo", version=version)
    await move(table, ann, "coin 3")
    version = await move(table, ann, "close")
    await ann.refused(
        f"tables/{table}/undo", 409, "cannot-undo", version=version
    )  # it is Bob's now, behind the curtain
    await ann.do(f"tables/{table}/lift", seat=1)
    await ann.refused(f"tables/{table}/undo", 409, "cannot-undo", version=version)


async def test_a_restart_does_not_lift_the_curtain(ann: Person, house: House, settings: Settings) -> None:
    tables = [await device(ann), await device(ann)]
    await ann.do(f"tables/{tables[0]}/lift", seat=0)
    views = [await ann.see(table) for table in tables]
    assert [view["scene"]["viewer"] for view in views] == [0, SPECTATOR]
    pages = [(await ann.get(f"/t/{table}")).text for table in tables]
    await house.close()
    again = create_app(settings)
    await open_house(again)
    async with Person(transport=httpx.ASGITransport(app=again), base_url="http://house.test") as same:
        same.cookies = ann.cookies
        for table, view, page in zip(tables, views, pages, strict=True):
            assert await same.see(table) == view
            assert (await same.get(f"/t/{table}")).text == page
    await again.state.house.close()


async def test_bots_take_all_seats_of_who_leaves_and_give_them_back(ann: Person) -> None:
    seats = [ME, {"kind": "here", "name": "Bob"}, {"kind": "here"}, BOT]
    table = str((await ann.do("tables", game="fortune", seats=seats, pace=30))["id"])
    await ann.do(f"tables/{table}/leave")
    assert [seat["kind"] for seat in (await ann.see(table))["table"]["seats"]] == ["bot"] * 4
    await ann.do(f"tables/{table}/sit")
    kinds = [seat["kind"] for seat in (await ann.see(table))["table"]["seats"]]
    assert kinds == ["guest", "here", "here", "bot"]
    assert [seat["name"] for seat in (await ann.see(table))["table"]["seats"]][:3] == ["Ann", "Bob", "Player 3"]


async def test_seats_here_before_the_start(ann: Person, bob: Person) -> None:
    table = await ann.make(ME, OPEN, OPEN)
    await ann.do(f"tables/{table}/seats", seat=1, kind="here", name="Cid")
    await bob.refused(f"tables/{table}/seats", 403, "not-host", seat=2, kind="here")
    await ann.refused(f"tables/{table}/seats", 400, "bad-input", seat=2, kind="bot", name="Cid")
    await bob.refused(f"tables/{table}/sit", 409, "seat-taken", seat=1)
    await ann.do("me", name="Anna")
    seats = (await ann.see(table))["table"]["seats"]
    assert [seat["name"] for seat in seats] == ["Anna", "Cid", ""]  # his own name changes, not the other's
    assert [seat["mine"] for seat in seats] == [True, True, False]
    await ann.do(f"tables/{table}/seats", seat=1, kind="open")
    assert (await ann.see(table))["table"]["seats"][1]["kind"] == "open"
    await ann.refused("tables", 400, "bad-setup", game="fortune", seats=[ME, ME])
    for name in ("x" * 300, "\u202e"):
        await ann.refused("tables", 400, "bad-input", game="fortune", seats=[ME, {"kind": "here", "name": name}])
    await ann.do(f"tables/{table}/seats", seat=1, kind="here")
    await ann.do(f"tables/{table}/leave")  # the table is empty, so it is closed
    assert (await ann.get(f"/api/tables/{table}")).status_code == 404


async def test_another_game_on_the_same_device(ann: Person) -> None:
    table = await device(ann)
    for seat in (0, 1, 0, 1):
        await ann.do(f"tables/{table}/lift", seat=seat)
        await move(table, ann, "close")
    again = (await ann.do(f"tables/{table}/rematch"))["id"]
    seen = await ann.see(again)
    assert seen["table"]["status"] == "playing"
    assert [seat["name"] for seat in seen["table"]["seats"]] == ["Bob", "Ann"]
    assert seen["scene"]["viewer"] == SPECTATOR


async def test_the_lobby_says_whose_turn_it_is_on_the_device(ann: Person) -> None:
    table = await device(ann)
    assert f'<a href="/t/{table}" class="turn">' in (await ann.get("/")).text


@pytest.mark.parametrize(
    ("game", "options", "secrets"),
    [
        ("fortune", {}, False), ("satchel", {}, True), ("kuhn", {}, True), ("aces-and-faces", {}, True),
        ("aces-and-faces", {"handed_card": "public"}, False),
    ],
)  # fmt: skip
async def test_which_tables_have_secrets(
    game: str, options: dict[str, str], secrets: bool, ann: Person, house: House
) -> None:
    """It is known before the game starts, which is when people must know whether to look away."""
    made = await ann.do("tables", game=game, options=options, seats=[ME, OPEN])
    live = await house.table(made["id"])
    assert live.match is None
    assert live.hidden_information is secrets


async def test_the_stream_starts_anew_with_other_eyes(ann: Person, house: House) -> None:
    """What the device showed to one player is replaced, including the log, and not continued."""
    table = await device(ann)
    live, guest = await house.table(table), await house.guests.guest((await ann.get("/api/me")).json()["id"])
    stream = events(house, live, guest.id, Page(live.version, SPECTATOR), "http://house.test")

    async def read() -> Any:
        async for chunk in stream:
            if chunk.startswith(b"event"):
                return msgspec.json.decode(chunk.split(b"data: ", 1)[1])
        return None

    first = await read()
    assert (first["eyes"], first["fresh"], first["frames"]) == (SPECTATOR, False, [])
    await ann.do(f"tables/{table}/lift", seat=0)
    lifted = await read()
    assert (lifted["eyes"], lifted["fresh"], len(lifted["frames"])) == (0, True, 1)
    assert "is dealt a ticket" in lifted["frames"][0]["log"]
    assert "curtain" not in lifted["table"]
    await move(table, ann, "coin 3")
    assert "puts in a coin of 3" in (await read())["frames"][0]["log"]
    await move(table, ann, "close")
    fallen = await read()
    assert (fallen["eyes"], fallen["fresh"]) == (SPECTATOR, True)
    assert "coin of 3" not in str(fallen)
    assert "Pass to Bob" in bare(fallen["table"])
    await stream.aclose()  # type: ignore[attr-defined]
    late = events(
        house, live, guest.id, Page(live.version, 0), "http://house.test"
    )  # a page that still shows Ann's hand
    stream = late
    assert (await read())["fresh"] is True
    await stream.aclose()  # type: ignore[attr-defined]


async def test_an_open_game_goes_on_in_the_stream(ann: Person, house: House) -> None:
    """Without secrets, the dice of one player still roll on the page when it is the next player's turn."""
    table = await device(ann, "fortune")
    live, guest = await house.table(table), await house.guests.guest((await ann.get("/api/me")).json()["id"])
    seat = version = -1
    while seat in (
        -1,
        eyes_of(live, guest.id).viewer,
    ):  # a turn may be lost at its first roll, and the same seat continues
        seat, version = eyes_of(live, guest.id).viewer, live.version
        await move(table, ann, "stop")
    assert same_story(live, seat, eyes_of(live, guest.id).viewer)
    assert len(update(live, eyes_of(live, guest.id), "", Page(version), Kept()).frames) > 1


async def test_nothing_passes_through_the_curtain(ann: Person, house: House, size: Callable[[int, int], int]) -> None:
    """This is the leak test with two seats on one device: before the curtain is lifted, the page gets what a spectator
    may know; afterwards, what the seat may know."""
    choice = random.Random(8)
    table = await device(ann)
    live = await house.table(table)
    guest = (await ann.get("/api/me")).json()["id"]
    viewers = []
    for seat, moves in ((0, ("coin 2", "close")), (1, ("look", "coin 1", "close")), (0, ("close",))):
        for text in ("", "lift", *moves):
            if text == "lift":
                await ann.do(f"tables/{table}/lift", seat=seat)
            elif text:
                await move(table, ann, text)
            true = await _sent(house, live, ann)
            viewers.append(eyes_of(live, guest).viewer)
            for _ in range(size(1, 4)):
                assert live.match is not None
                before = kept(live)
                swap(live, *twin(live.match, eyes_of(live, guest).viewer, choice))
                other = await _sent(house, live, ann)
                restore(live, before)
                assert [kind for kind in true if true[kind] != other[kind]] == []
    assert viewers == [SPECTATOR, 0, 0, SPECTATOR, SPECTATOR, 1, 1, 1, SPECTATOR, SPECTATOR, 0, SPECTATOR]
    assert live.match is not None
    assert twin(live.match, SPECTATOR, choice)


async def test_a_database_from_before_is_brought_up_to_date(settings: Settings) -> None:
    from alembic import command
    from alembic.config import Config

    store = Store(settings.database)
    engine = sa.create_engine(settings.database)

    def first(connection: sa.Connection) -> None:
        config = Config()
        config.set_main_option("script_location", "parlour/house/database/migrations")
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")

    with engine.begin() as connection:
        first(connection)
        old = [str(column["name"]) for column in sa.inspect(connection).get_columns("tables")]
        values = {name: 1 if name in ("rules", "pace", "created", "touched") else "{}" for name in old}
        names = ", ".join(values)
        connection.execute(
            sa.text(f"INSERT INTO tables ({names}) VALUES ({', '.join(':' + name for name in values)})"),
            {**values, "id": "old", "public": True, "names": "[]", "words": "[]", "status": "playing"},
        )
        migrate(connection)
        assert connection.scalar(sa.text("SELECT version_num FROM alembic_version")) == HEAD
    engine.dispose()
    await store.open()
    found = (await store.load("old")).table
    assert (found.in_hand, found.hints, found.watched) == (-1, False, False)
    read = partial(analysis_rows.analysis, table_id="old", rules=1, way="1/hard")
    assert await store.look(read) is None
    await store.close()
