"""The database: its tables, its guarantees, and continuing after a restart."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from litestar import Litestar

from parlour.core.errors import ParlourError
from parlour.house.accounts import rows as account_rows
from parlour.house.analysis import rows as analysis_rows
from parlour.house.app import create_app, open_house
from parlour.house.database import migrating, sqlite
from parlour.house.database.all_tables import SCHEMAS, metadata
from parlour.house.database.migrating import HEAD
from parlour.house.database.store import Conflict, Store
from parlour.house.errors import StoreFailed
from parlour.house.house import House
from parlour.house.settings import Settings
from parlour.house.table.live.journal import Journal
from parlour.house.table.play import moving
from parlour.house.table.storage import queries
from parlour.house.table.storage import schema as storage
from parlour.house.table.storage.rows import StepRow
from tests.house.people import Person, play_on, turn, two_at_table, written_by_another


async def test_the_migrations_make_the_tables_that_the_code_declares(house: House) -> None:
    def differences(connection: sa.Connection) -> list[object]:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert context.get_current_revision() == HEAD
        return list(compare_metadata(context, metadata))

    async with house.store.read() as connection:
        assert await connection.run_sync(differences) == []
    config = Config()
    config.set_main_option("script_location", str(Path(migrating.__file__).parent / "migrations"))
    assert ScriptDirectory.from_config(config).get_heads() == [HEAD]


def test_the_tables_of_every_subject_are_looked_at() -> None:
    declared = Path(migrating.__file__).parents[1].rglob("schema.py")
    assert {Path(schema.__file__ or "") for schema in SCHEMAS} == {*declared}


async def test_sqlite_is_set_to_be_durable(
    settings: Settings, durable: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "PRAGMAS", durable)
    store = Store(settings.database)
    await store.open()
    for opened in (store.read, store.write):
        async with opened() as connection:
            for pragma, value in (("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1)):
                assert await connection.scalar(sa.text(f"PRAGMA {pragma}")) == value
    await store.close()


async def test_a_database_of_a_newer_parlour_is_left_alone(house: House, settings: Settings) -> None:
    async with house.store.write() as connection:
        await connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    await house.close()
    with pytest.raises(ParlourError, match="newer Parlour"):
        await Store(settings.database).open()


async def test_a_step_is_written_once_and_all_or_nothing(ann: Person, bob: Person, house: House) -> None:
    table = await two_at_table(ann, bob)
    new = len((await house.store.load(table)).steps)
    taken = StepRow(new + 1, 0, 0, "stop")
    await house.store.do(lambda connection: queries.add_steps(connection, table, [taken]))
    before = await house.store.load(table)
    with pytest.raises(Conflict):
        await house.store.append(table, [StepRow(new, 0, 0, "stop"), taken], over=False)
    assert await house.store.load(table) == before


async def test_another_processs_move_is_seen_and_not_overwritten(ann: Person, bob: Person, house: House) -> None:
    """A second house uses the same rows, without news of what the first does."""
    table = await two_at_table(ann, bob)
    live = await house.table(table)
    person, seen = await turn(table, ann, bob)
    mover = live.match.current_player if live.match else -1
    start = live.version
    trial = live.fork()
    trial.play("stop", mover)
    rows = [StepRow(start + i, *step) for i, step in enumerate(trial.steps[start:])]
    await house.store.append(table, rows, over=False)
    error = await person.refused(f"tables/{table}/moves", 409, "stale-move", move=seen["legal"][-1], version=start)
    assert error["version"] == len(trial.steps)
    assert await person.do(f"tables/{table}/moves", move="stop", version=start) == {"version": len(trial.steps)}
    assert (await ann.see(table))["table"]["version"] == len(trial.steps)


async def test_a_failing_write_changes_nothing_and_later_moves_work(
    ann: Person, bob: Person, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await two_at_table(ann, bob)
    person, seen = await turn(table, ann, bob)
    body = {"move": "stop", "version": seen["table"]["version"]}
    with monkeypatch.context() as patched, written_by_another(house):  # and that takes long
        patched.setattr(sqlite, "PATIENCE", 0.1)
        await person.refused(f"tables/{table}/moves", 503, "storage-failed", **body)
    assert await person.see(table) == seen
    await person.do(f"tables/{table}/moves", **body)


async def test_a_restart_forgets_nothing(ann: Person, bob: Person, house: House, settings: Settings) -> None:
    table = await two_at_table(ann, bob)
    await play_on(table, 8, ann, bob)
    await ann.do(f"tables/{table}/chat", text="still there?")
    views = [await person.see(table) for person in (ann, bob)]
    pages = [(await person.get(f"/t/{table}")).text for person in (ann, bob)]
    await house.close()
    again: Litestar = create_app(settings)
    await open_house(again)
    for person, view, page in zip((ann, bob), views, pages, strict=True):
        async with Person(transport=httpx.ASGITransport(app=again), base_url="http://house.test") as same:
            same.cookies = person.cookies
            assert await same.see(table) == view
            assert (await same.get(f"/t/{table}")).text == page
    await again.state.house.close()


async def test_a_step_in_other_words_is_the_same_step(ann: Person, bob: Person, house: House) -> None:
    table = await two_at_table(ann, bob)
    before = await ann.record(table)
    async with house.store.write() as connection:
        await connection.execute(sa.update(storage.steps).values(text="as they said it then"))
    house.tables.clear()
    await turn(table, ann, bob)  # one of them can move
    assert await ann.record(table) == before


@pytest.mark.parametrize("wrong", [{"action": 99999}, {"actor": 1}, {"text": "card gold"}, {"idx": 77}])
async def test_a_step_that_does_not_fit_the_rules_closes_the_table(
    ann: Person, bob: Person, arrive: Callable[[], Person], house: House, wrong: dict[str, Any]
) -> None:
    table = await two_at_table(ann, bob)
    last = (await house.store.load(table)).steps[-1].idx - 1
    card = (await house.store.load(table)).steps[last].text
    assert card.startswith("card ")
    if card == wrong.get("text"):
        wrong = {"text": "card diamond"}
    async with house.store.write() as connection:
        await connection.execute(sa.update(storage.steps).where(storage.steps.c.idx == last).values(wrong))
    house.tables.clear()
    for person in (ann, bob, arrive()):
        seen = await person.see(table)
        assert (seen["table"]["status"], seen["scene"], seen["legal"]) == ("closed", None, [])
        assert "doesn't fit the rules of Fortune" in seen["table"]["closed"]
        assert "This table is closed" in (await person.get(f"/t/{table}")).text
        assert "seed: " in (await person.get(f"/t/{table}/record")).text
        assert (await person.get(f"/t/{table}/replay")).status_code == 409
        assert (await person.get("/")).status_code == 200
    await ann.refused(f"tables/{table}/analysis", 409, "other-rules")
    assert (await house.store.load(table)).table.status == "closed"
    again = (await bob.do(f"tables/{table}/rematch"))["id"]
    assert (await bob.see(again))["table"]["status"] == "waiting"


async def test_a_table_whose_memory_is_out_of_step_is_read_again_and_not_closed(
    ann: Person, bob: Person, house: House
) -> None:
    table = await two_at_table(ann, bob)
    await play_on(table, 6, ann, bob)
    before, record = await ann.see(table), await ann.record(table)
    live = await house.table(table)
    assert live.match is not None
    live.history = Journal(live.game)
    live.doubtful = True
    assert await ann.see(table) == before
    assert (await house.store.load(table)).table.status == "playing"
    assert await ann.record(table) == record
    assert len(live.history.times) == live.version
    await play_on(table, 2, ann, bob)


async def test_many_at_once_at_one_table(ann: Person, bob: Person, house: House) -> None:
    """The same move, sent twenty times at once, is made once."""
    table = await two_at_table(ann, bob)
    house.tables.clear()  # the table is being loaded at the same time, too
    person, seen = await turn(table, ann, bob)
    body = {"move": "stop", "version": seen["table"]["version"]}
    answers = await asyncio.gather(*(person.do(f"tables/{table}/moves", **body) for _ in range(20)))
    assert len({answer["version"] for answer in answers}) == 1
    assert sum(actor >= 0 for actor, _ in (await ann.record(table)).steps) == 1


def test_the_data_directory_is_the_persons(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("PARLOUR_DATA", raising=False)
    assert str(tmp_path / "parlour") in Settings().database
    monkeypatch.setenv("PARLOUR_DATA", str(tmp_path / "mine"))
    assert Settings().database == f"sqlite:///{tmp_path}/mine/parlour.db"


async def test_writes_that_wait_are_committed_together_and_one_that_fails_harms_no_other(house: House) -> None:
    commits: list[str] = []
    connection = house.store._database._connection  # type: ignore[attr-defined]
    sa.event.listen(connection, "commit", lambda _: commits.append("commit"))
    fine = [house.store.name_guest(f"guest-{number}", "Ann") for number in range(50)]
    await asyncio.gather(*fine)
    print(f"{len(commits)} commits")
    assert len(commits) <= 3  # the first alone, while the others come; then all that wait
    commits.clear()
    rows = [("x", number % 9) for number in range(10)]  # the last exists already
    keep = partial(analysis_rows.keep_analysis, rules=1, judgements={})
    made = await asyncio.gather(
        *(house.store.do(partial(keep, table_id=table, way=f"way-{way}")) for table, way in rows),
        *(house.store.name_guest(f"other-{number}", "Bob") for number in range(10)),
        return_exceptions=True,
    )
    assert [type(one) for one in made[:10]] == [Conflict] * 10  # there is no such table
    assert made[10:] == [True] * 10
    for guest, name in (("other-9", "Bob"), ("guest-49", "Ann")):
        assert (await house.store.look(partial(account_rows.who, guest=guest))).name == name


async def test_who_hangs_up_while_a_move_is_written_has_made_it(ann: Person, bob: Person, house: House) -> None:
    """The table then reads what it has missed."""
    table = await two_at_table(ann, bob)
    live = await house.table(table)
    assert live.match is not None
    guest = live.seats[live.match.current_player].guest_id
    body = moving.MoveBody(move="stop", version=live.version)
    sent = asyncio.create_task(moving.move(house, table, guest, body))
    while not live.lock.locked() or house.store._database._turn is None:  # type: ignore[attr-defined]  # noqa: ASYNC110
        await asyncio.sleep(0)
    await asyncio.sleep(0)
    sent.cancel()
    await asyncio.gather(sent, return_exceptions=True)
    led_to = await moving.move(house, table, guest, body)
    assert led_to == live.version > body.version
    steps = (await house.store.load(table)).steps
    assert [step.idx for step in steps] == list(range(live.version))


async def test_who_reads_sees_one_instant_and_holds_up_no_writer(ann: Person, bob: Person, house: House) -> None:
    table = await two_at_table(ann, bob)
    async with house.store.read() as connection:
        read = partial(queries.load, table_id=table, from_step=0, after_chat=0)
        before = await connection.run_sync(read)
        await play_on(table, 3, ann, bob)
        await ann.do(f"tables/{table}/chat", text="quick")
        assert await connection.run_sync(read) == before
    with pytest.raises(StoreFailed, match="readonly"):
        async with house.store.read() as connection:
            await connection.execute(sa.delete(storage.tables))
    after = await house.store.load(table)
    assert len(after.steps) > len(before.steps)
    assert [line.text for line in after.chat] == ["quick"]


async def test_each_piece_of_work_is_counted_under_its_own_name(ann: Person, bob: Person, house: House) -> None:
    table = await two_at_table(ann, bob)
    named: list[str] = []
    house.store.timed = lambda name, _: named.append(name)
    await house.store.clear("me", 0.0, None, 0.0, 1)
    await house.store.do(partial(analysis_rows.keep_analysis, table_id=table, rules=1, way="way", judgements=[]))
    await house.store.ask(partial(analysis_rows.analysis, table_id=table, rules=1, way="way"))
    await house.store.keys()
    # The house checks its clocks meanwhile.
    assert [name for name in named if name != "next_due"] == ["clear", "keep_analysis", "analysis", "accepted_keys"]
