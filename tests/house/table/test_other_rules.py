"""Tables under way when the rules change: they are closed with an explanation, and lose no data."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import httpx
import pytest
import sqlalchemy as sa

from parlour.core.game import Game
from parlour.games import find
from parlour.house.admin import deeds as admin_deeds
from parlour.house.admin import rows as stored
from parlour.house.admin.rows import Ban
from parlour.house.app import create_app, open_house
from parlour.house.house import House
from parlour.house.settings import Settings
from parlour.house.table.jobs import clocks
from parlour.house.table.live.deciding import bot_to_move, deciding
from parlour.house.table.storage import schema as storage
from parlour.house.table.storage import timekeeping
from tests.found import added
from tests.house.people import BOT, ME, OPEN, Person, guest_of, play_on, two_at_table


@pytest.fixture(autouse=True)
def _kuhn() -> Iterator[None]:
    with added(Game("kuhn", "tests.fixtures.kuhn")):
        yield


@pytest.fixture
def upgrade(house: House, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Return a function that reopens the house with the next version of a game's rules."""

    def change(game: str = "fortune") -> None:
        rules = find(game).rules
        monkeypatch.setattr(rules, "VERSION", rules.VERSION + 1)
        house.tables.clear()

    return change


async def test_a_table_under_way_is_closed_and_says_why(
    ann: Person, bob: Person, arrive: Callable[[], Person], house: House, upgrade: Callable[[], None]
) -> None:
    table = await two_at_table(ann, bob)
    await play_on(table, 6, ann, bob)
    before = await ann.record(table)
    upgrade()
    for person in (ann, arrive()):
        seen = await person.see(table)
        assert (seen["table"]["status"], seen["scene"], seen["legal"]) == ("closed", None, [])
        assert "began with version 1 of the rules of Fortune" in seen["table"]["closed"]
        assert "now has version 2" in seen["table"]["closed"]
        page = (await person.get(f"/t/{table}")).text
        assert "This table is closed" in page
        assert "version 2" in page
    record = await bob.record(table)
    assert (record.rules_version, record.steps[: len(before.steps)]) == (1, before.steps)
    assert record.seed is not None
    assert (await ann.see(table))["table"]["verdict"]["seed"] == record.seed
    lobby = (await ann.get("/")).text
    assert f'href="/t/{table}"' in lobby
    assert "closed" in lobby
    assert f'href="/t/{table}"' not in (await arrive().get("/")).text  # nothing to watch
    refusal = await ann.refused(f"tables/{table}/moves", 409, "not-playing", move="stop", version=0)
    assert "closed the game" in refusal["message"]
    await ann.refused(f"tables/{table}/undo", 409, "not-playing", version=0)
    await ann.refused(f"tables/{table}/analysis", 409, "other-rules")
    assert (await ann.get(f"/t/{table}/replay")).status_code == 409
    await ann.do(f"tables/{table}/chat", text="What now?")
    assert (await house.store.load(table)).table.status == "closed"


async def test_the_same_people_begin_again_with_the_same_settings(
    ann: Person, bob: Person, upgrade: Callable[[], None]
) -> None:
    table = await two_at_table(ann, bob, options={"target": "5000"}, pace=0.5)
    upgrade()
    again = (await bob.do(f"tables/{table}/rematch"))["id"]
    assert (await ann.do(f"tables/{table}/rematch"))["id"] == again
    assert (await ann.see(table))["table"]["rematch"] == again
    view = (await bob.see(again))["table"]
    assert view["status"] == "playing"  # the game waits for no one
    assert ({seat["name"] for seat in view["seats"]}, view["is_host"]) == ({"Ann", "Bob"}, True)
    assert (view["pace"], [o["value"] for o in view["options"] if o["changed"]]) == (0.5, ["5000"])
    await play_on(again, 4, ann, bob)
    assert (await bob.record(again)).rules_version == 2


async def test_each_puts_it_away_for_themselves(
    ann: Person, bob: Person, house: House, upgrade: Callable[[], None]
) -> None:
    table = await two_at_table(ann, bob)
    upgrade()
    await ann.do(f"tables/{table}/leave")
    assert f'href="/t/{table}"' not in (await ann.get("/")).text
    assert f'href="/t/{table}"' in (await bob.get("/")).text
    assert (await ann.record(table)).rules_version == 1
    again = (await bob.do(f"tables/{table}/rematch"))["id"]
    assert sorted(seat["kind"] for seat in (await bob.see(again))["table"]["seats"]) == ["guest", "open"]
    await bob.do(f"tables/{table}/leave")
    assert (await bob.get(f"/api/tables/{table}")).status_code == 404
    assert table not in house.tables


async def test_no_bot_and_no_question_goes_on_there(ann: Person, house: House, upgrade: Callable[[], None]) -> None:
    table = await ann.make(ME, BOT, BOT)
    await (await house.table(table)).lock.acquire()  # so no bot moves
    upgrade()
    steps = (await house.store.load(table)).steps
    assert (await ann.see(table))["table"]["status"] == "closed"
    live = await house.table(table)
    house.go_on(live)
    assert bot_to_move(live) is None
    assert live.work.bots is None
    assert not live.busy()
    assert (await house.store.load(table)).steps == steps
    one = (await ann.do("tables", game="kuhn", seats=[ME, {"kind": "here"}]))["id"]  # hidden cards on one device
    upgrade("kuhn")
    seen = await ann.see(one)
    assert (seen["table"]["status"], seen["table"]["pass_to"]) == ("closed", None)
    assert (await ann.record(one)).seed


async def test_a_table_that_waits_begins_with_the_rules_of_today(
    ann: Person, bob: Person, upgrade: Callable[[], None]
) -> None:
    table = await ann.make(ME, OPEN)
    upgrade()
    assert (await ann.see(table))["table"]["status"] == "waiting"
    await bob.do(f"tables/{table}/sit")
    await ann.do(f"tables/{table}/start")
    await play_on(table, 4, ann, bob)
    assert (await ann.record(table)).rules_version == 2


async def test_closed_is_closed_also_if_the_old_rules_come_back(
    ann: Person, bob: Person, house: House, monkeypatch: pytest.MonkeyPatch, upgrade: Callable[[], None]
) -> None:
    """Its record, with hidden cards and the seed, could be read meanwhile. No other process plays on either."""
    table = await two_at_table(ann, bob)
    other = await house.table(table)  # as a process with the old rules has it
    upgrade()
    assert (await ann.see(table))["table"]["status"] == "closed"
    monkeypatch.setattr(find("fortune").rules, "VERSION", 1)
    house.tables.clear()
    seen = (await ann.see(table))["table"]
    assert (seen["status"], "another version for a while" in seen["closed"]) == ("closed", True)
    house.tables[table] = other
    await house.refresh(other)
    assert (await ann.see(table))["table"]["status"] == "closed"
    for person in (ann, bob):
        answer = await person.post(f"/api/tables/{table}/moves", json={"move": "stop", "version": other.version})
        assert answer.json()["error"]["code"] == "not-playing"
    assert deciding(other) == ()


async def test_a_finished_game_keeps_its_record(ann: Person, bob: Person, house: House) -> None:
    table = await two_at_table(ann, bob)
    async with house.store.write() as connection:
        await connection.execute(sa.update(storage.tables).values(rules=99, status="over"))
    house.tables.clear()
    seen = (await ann.see(table))["table"]
    assert seen["status"] == "closed"
    assert "was played with version 99" in seen["closed"]
    assert (await bob.record(table)).rules_version == 99
    assert (await house.store.load(table)).table.status == "over"


async def test_a_house_that_is_started_with_other_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Test the whole sequence: one house stops, another starts, and open pages reconnect to the stream."""
    settings = Settings(database=f"sqlite:///{tmp_path}/parlour.db", pace=0, engine="plain")
    cookies: dict[str, str] = {}
    table = ""
    for version in (1, 2):
        monkeypatch.setattr(find("fortune").rules, "VERSION", version)
        app = create_app(settings)
        house = await open_house(app)
        transport = httpx.ASGITransport(app=app)
        async with Person(transport=transport, base_url="http://house.test", cookies=cookies) as ann:
            table = table or await ann.make(ME, BOT)
            cookies = dict(ann.cookies)
            house.close_streams()  # so that this one ends
            assert (await ann.get(f"/api/tables/{table}/events?since=3")).status_code == 200
            assert (await ann.see(table))["table"]["status"] == ("playing" if version == 1 else "closed")
        await house.close()


def as_an_older_process(monkeypatch: pytest.MonkeyPatch, house: House) -> None:
    """Make this process one whose Fortune has no option `target` yet."""
    facts = find("fortune").facts
    older = replace(facts, options=tuple(option for option in facts.options if option.name != "target"))
    monkeypatch.setitem(vars(find("fortune")), "facts", older)
    house.tables.clear()


async def test_a_table_of_a_newer_house_is_neither_closed_nor_opened_by_an_older_process(
    ann: Person, bob: Person, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An upgrade replaces one process after the other: an older one would show its seed and stop its clock."""
    table = await two_at_table(ann, bob, options={"target": "5000"}, tempo={"bank": 600})
    await play_on(table, 4, ann, bob)
    live = await house.table(table)
    game, facts = find("fortune"), find("fortune").facts
    as_an_older_process(monkeypatch, house)
    refusal = await ann.refused(f"tables/{table}/moves", 503, "other-house", move="stop", version=live.version)
    assert "newer version of Parlour" in refusal["message"]
    for page in (f"/api/tables/{table}", f"/t/{table}", f"/t/{table}/record"):
        answer = await bob.get(page)
        assert answer.status_code == 503
        assert live.row.seed not in answer.text
    await house.store.do(partial(timekeeping.look_again, table_id=table, due=time.time() - 1))  # as if it were up
    await clocks.beat(house, time.time())
    row = (await house.store.load(table)).table
    assert (row.status, row.began > 0, row.due is not None and row.due > time.time() + 20) == ("playing", True, True)
    monkeypatch.setitem(vars(game), "facts", facts)
    await play_on(table, 4, ann, bob)


async def test_a_banned_player_leaves_the_tables_that_an_older_process_knows_and_the_others_later(
    ann: Person, bob: Person, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A moderator bans in the older process. It can change only its own tables; the newer process does the rest."""
    before, newer, after = [await two_at_table(ann, bob, game=game) for game in ("gatsby", "fortune", "gatsby")]

    async def kinds() -> list[str]:
        return [(await house.store.load(table)).seats[1].kind for table in (before, newer, after)]

    assert await kinds() == ["guest", "guest", "guest"]
    await house.store.do(partial(stored.ban, row=Ban(0, (await guest_of(bob)).id, "", None, "")))
    facts = find("fortune").facts
    as_an_older_process(monkeypatch, house)
    await admin_deeds.put_out(house)
    assert await kinds() == ["bot", "guest", "bot"]
    monkeypatch.setitem(vars(find("fortune")), "facts", facts)
    await admin_deeds.put_out(house)
    assert await kinds() == ["bot", "bot", "bot"]
