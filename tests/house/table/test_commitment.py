"""The commitment of a table: what it covers, from when on, and tables that began with the older form."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from parlour.core import fair
from parlour.core.replay import verify
from parlour.games import find
from parlour.house.house import House
from parlour.house.table.live.journal import setup_of
from parlour.house.table.storage import schema as storage
from tests.house.people import BOT, ME, OPEN, Person, play_on


async def test_the_commitment_binds_the_table_from_its_first_page_on(ann: Person, bob: Person, house: House) -> None:
    """It covers game, edition, options and number of seats: a player who adds a phrase knows that none of it
    changes."""
    table = await ann.make(ME, OPEN, options={"target": "5000", "round_limit": "100"})
    page = (await bob.get(f"/t/{table}")).text
    assert "which also fixes the game, edition, options and number of seats" in page
    commitment = (await bob.see(table))["table"]["verdict"]["commitment"]
    await bob.do(f"tables/{table}/sit")
    await ann.do(f"tables/{table}/start")
    await play_on(table, 5000, ann, bob, first=True)
    record = await bob.record(table)
    assert (record.commitment, record.form) == (commitment, fair.SETUP)
    assert verify(record, find).over
    assert "that the setup did not change later" in (await bob.get(f"/t/{table}")).text
    again = await ann.do(f"tables/{table}/rematch")
    row = house.tables[again["id"]].row
    assert row.commitment == fair.commitment(row.seed, setup_of(row, 2)) != commitment


async def test_a_table_that_waits_through_an_upgrade_binds_the_new_rules(
    ann: Person, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await ann.make(ME, BOT, wait=True)
    before = (await ann.see(table))["table"]["verdict"]["commitment"]
    rules = find("fortune").rules
    monkeypatch.setattr(rules, "VERSION", rules.VERSION + 1)
    house.tables.clear()
    shown = (await ann.see(table))["table"]["verdict"]
    assert shown["whole"] is True
    await ann.do(f"tables/{table}/start")
    house.tables.clear()
    assert before != shown["commitment"] == (await ann.record(table)).commitment


async def test_a_table_that_was_made_with_the_older_commitment_goes_on(ann: Person, bob: Person, house: House) -> None:
    table = await ann.make(ME, OPEN, options={"target": "5000", "round_limit": "100"})
    seed = house.tables[table].row.seed
    async with house.store.write() as connection:
        await connection.execute(sa.update(storage.tables).values(commitment=fair.commitment(seed)))
    house.tables.clear()
    assert "which also fixes" not in (await ann.get(f"/t/{table}")).text
    await bob.do(f"tables/{table}/sit")
    await ann.do(f"tables/{table}/start")
    await play_on(table, 5000, ann, bob, first=True)
    record = await ann.record(table)
    assert (record.commitment, record.form) == (fair.commitment(seed), fair.SEED)
    assert verify(record, find).over
    assert "this table began before fingerprints covered them" in (await ann.get(f"/t/{table}")).text
