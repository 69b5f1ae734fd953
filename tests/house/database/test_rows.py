"""What a guest or a table can store has a limit, in both databases, and what is no longer needed is deleted
(docs/limits.md)."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path

import pytest
import sqlalchemy as sa

from parlour.house.accounts import schema as accounts
from parlour.house.accounts.preferences import schema as preferences
from parlour.house.admin import rows as admin_rows
from parlour.house.admin import schema as admin
from parlour.house.admin.rows import Ban
from parlour.house.analysis import rows as analysis_rows
from parlour.house.analysis import schema as analysis
from parlour.house.errors import TooMany
from parlour.house.house import House
from parlour.house.notify import allowances, jobs
from parlour.house.notify import schema as notify
from parlour.house.settings import Settings
from parlour.house.social import schema as social
from parlour.house.table.play import absence
from parlour.house.table.storage import queries
from parlour.house.table.storage import schema as storage
from tests.house.people import ME, OPEN, Person, two_at_table

MOST = 3
BOTH = ["sqlite", pytest.param("postgresql", marks=pytest.mark.service)]


@pytest.fixture(params=BOTH)
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    address = f"sqlite:///{tmp_path}/parlour.db"
    if request.param == "postgresql":
        address = request.getfixturevalue("database")
    return Settings(database=address, pace=0, limits=False)


@pytest.fixture(autouse=True)
async def _empty(house: House) -> None:
    """Delete everything: all of these tests share one PostgreSQL."""
    async with house.store.write() as connection:
        for one in (
            storage.tables,
            accounts.guests,
            notify.channels,
            social.marks,
            storage.holidays,
            notify.quiet_hours,
            preferences.preferences,
            notify.allowances,
            admin.bans,
        ):
            await connection.execute(sa.delete(one))


async def test_a_table_keeps_its_last_messages(ann: Person, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "CHAT_STORED", MOST)
    one, other = await ann.make(ME, OPEN), await ann.make(ME, OPEN)
    for number in range(MOST + 2):
        await ann.do(f"tables/{one}/chat", text=f"{number}")
    await ann.do(f"tables/{other}/chat", text="elsewhere")
    found = await house.store.look(
        lambda connection: connection.execute(sa.select(storage.chat.c.text)).scalars().all()
    )
    assert found == ["2", "3", "4", "elsewhere"]


async def test_a_player_comes_back_so_often(ann: Person, bob: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(absence, "RETURNS", 1)
    table = await two_at_table(ann, bob)
    for _ in range(2):
        await bob.do(f"tables/{table}/leave")
        await ann.do(f"tables/{table}/leave")
        answer = await bob.post(f"/api/tables/{table}/sit", json={})
        await ann.post(f"/api/tables/{table}/sit", json={})
    assert answer.json()["error"]["code"] == "too-many"
    assert "come back to this game 1 times" in answer.json()["error"]["message"]
    seats = (await bob.see(table))["table"]["seats"]
    assert [seat["kind"] for seat in seats] == ["bot", "bot"]


async def test_a_game_has_one_analysis(ann: Person, house: House) -> None:
    table = await ann.make(ME, OPEN)
    for rules, way in ((1, "old"), (2, "old"), (2, "new")):
        keep = partial(analysis_rows.keep_analysis, table_id=table, rules=rules, way=way, judgements=[])
        await house.store.do(keep)
    found = await house.store.look(
        lambda connection: connection.execute(sa.select(analysis.analyses.c.rules, analysis.analyses.c.way)).all()
    )
    assert [tuple(one) for one in found] == [(2, "new")]


async def test_so_many_bans_are_in_force(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that are over do not count, and one that replaces another adds nothing."""
    monkeypatch.setattr(admin_rows, "MOST_BANS", 2)
    now = time.time()

    async def ban(guest: str, until: float | None = None, at: float = now) -> int:
        return await house.store.do(partial(admin_rows.ban, row=Ban(0, guest, "", until, "", at)))

    await ban("over", now - 1.0, now - 2.0)
    await ban("ann")
    await ban("ann")
    last = await ban("bob")
    with pytest.raises(TooMany, match="already 2 bans in force"):
        await ban("eve")
    await house.store.do(partial(admin_rows.lift, number=last, now=now))
    await ban("eve")


async def test_an_allowance_that_is_full_again_goes(house: House) -> None:
    await house.store.do(partial(allowances.spend, whose="long ago", most=2, seconds=10.0, now=1000.0))
    await house.store.do(partial(allowances.spend, whose="now", most=2, seconds=1000.0, now=time.time()))
    await house.store.do(jobs.forget)
    left = await house.store.look(
        lambda connection: connection.execute(sa.select(notify.allowances.c.whose)).scalars().all()
    )
    assert left == ["now"]
