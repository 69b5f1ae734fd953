"""Databases that earlier commits wrote: every table continues, or closes with an explanation and its record."""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from litestar import Litestar

from parlour.core.contract import CHANCE
from parlour.core.record import Record
from parlour.core.replay import replay, verify
from parlour.games import find
from parlour.house.app import open_house
from parlour.house.house import House
from parlour.house.settings import Settings
from parlour.house.table.live.deciding import deciding
from tests.house.people import Person, turn
from tests.old.kept import DOCUMENT, FIXTURES, Kept, unpack
from tests.old.making import today

Create = Callable[[Settings], Litestar]
FEWEST = 3  # fixtures
EACH = [
    pytest.param(
        file, id=file.name.removesuffix(".tar.xz"),
        marks=() if file in (FIXTURES[0], FIXTURES[-1]) else pytest.mark.whole,
    )
    for file in FIXTURES
]  # fmt: skip


@asynccontextmanager
async def reopened(kept: Kept, create: Create) -> AsyncIterator[tuple[House, dict[str, Person]]]:
    """Open a fixture's house with today's code; yield it and its people with their old cookies; "" is a stranger."""
    settings = Settings(database=f"sqlite:///{kept.database}", pace=0, limits=False, engine="plain", patience=0.05)
    app = create(settings)
    house = await open_house(app)
    jars = kept.about["cookies"] | {"": {}}
    people = {
        name: Person(transport=httpx.ASGITransport(app=app), base_url="http://house.test", cookies=jar)
        for name, jar in jars.items()
    }
    try:
        yield house, people
    finally:
        for person in people.values():
            await person.aclose()
        await house.close()


def stored(database: Path, table: str) -> list[tuple[int, int, str]]:
    """Return the steps that were not taken back, as the old house wrote them: actor, action, text."""
    steps: list[tuple[int, int, str]] = []
    with closing(sqlite3.connect(database)) as connection:
        for row in connection.execute(
            "SELECT actor, action, text FROM steps WHERE table_id = ? ORDER BY idx", (table,)
        ):
            if row[1] == -1:
                steps.pop()
            elif row[1] >= CHANCE:
                steps.append(row)
    return steps


@pytest.mark.parametrize("fixture", EACH)
async def test_every_table_of_an_old_house_plays_on_or_says_why_not(
    fixture: Path, tmp_path: Path, create: Create, size: Callable[[int, int], int]
) -> None:
    kept = unpack(fixture, tmp_path)
    tables, counts = kept.tables(), Counter[str]()
    before = {table: stored(kept.database, table) for table in tables}
    looked: Counter[tuple[str, str, str]] = Counter()
    async with reopened(kept, create) as (house, people):
        for name, person in people.items():
            assert (await person.get("/api/me")).json()["name"] == name or not name
            for page in ("/", "/me", "/me/export"):
                assert (await person.get(page)).status_code == 200, page
        for table, row in tables.items():
            kind = row["game"], row["options"].get("ruleset", ""), row["status"]
            looked[kind] += 1
            whole = looked[kind] <= size(1, 1000)
            counts[await _outcome(house, people, table, row["status"], before[table], whole=whole)] += 1
        house.close_streams()
        for table in tables:
            assert (await people["Ann"].get(f"/api/tables/{table}/events?since=0")).status_code == 200
    print(kept.row(counts))
    assert kept.row(counts) in DOCUMENT.read_text("utf-8"), f"docs/testing.md lacks: {kept.row(counts)}"


async def _outcome(
    house: House, people: dict[str, Person], table: str, was: str, before: list[Any], *, whole: bool
) -> str:
    """Return what becomes of a table: waiting, playing (a move was made), over or closed."""
    seen = await people["Ann"].see(table)
    status = str(seen["table"]["status"])
    if whole:
        for person in (people["Ann"], people[""]):
            assert (await person.get(f"/t/{table}")).status_code == 200
            for page, refused in (("record", 409), ("replay", 409)):
                answer = await person.get(f"/t/{table}/{page}")
                assert answer.status_code in (200, refused), answer.text
            assert (await person.get(f"/api/tables/{table}/analysis")).status_code in (200, 409)
    if status == "closed":
        assert "record" in seen["table"]["closed"]
        kept = await people["Ann"].record(table)
        assert [text for _, text in kept.steps] == [text for _, _, text in before]
        return status
    if was == "waiting":
        return status
    match = (await house.table(table)).match
    assert match is not None
    assert [(actor, action) for actor, action, _ in match.steps][: len(before)] == [row[:2] for row in before]
    if was == "over":
        assert verify(await people["Ann"].record(table), find).steps == match.steps
        return status
    await _move(house, people, table, len(before))
    return "playing"


async def _move(house: House, people: dict[str, Person], table: str, before: int) -> None:
    """Make a move there, unless a bot moves first, or a clock that ran out years ago."""
    for _ in range(200):
        live = await house.table(table)
        assert live.match is not None
        if len(live.match.steps) > before or live.over:
            return
        if deciding(live):
            try:
                person, seen = await turn(table, *people.values())
            except AssertionError:  # a bot's turn, a secret question, or the device must be passed on
                for person in people.values():
                    await person.post(f"/api/tables/{table}/lift", json={"seat": deciding(live)[0]})
                await asyncio.sleep(0.05)
                continue
            await person.post(f"/api/tables/{table}/moves", json={
                "move": seen["legal"][0], "version": seen["table"]["version"],
            })  # fmt: skip
    raise AssertionError(f"No one can move at {table}.")


@pytest.mark.parametrize("fixture", EACH)
def test_records_as_old_houses_printed_them_are_read(fixture: Path, tmp_path: Path) -> None:
    kept = unpack(fixture, tmp_path)
    assert kept.records
    for table, text in kept.records.items():
        record = Record.parse(text)
        assert record.seed is not None
        match = verify(record, find)
        assert match.over
        assert [row[:2] for row in match.steps] == [row[:2] for row in stored(kept.database, table)]
        assert replay(match.record(), find).steps == match.steps  # in today's words as well


def test_there_is_a_fixture_of_today() -> None:
    """If this fails, words, rules or the schema have changed: make a fixture with `python -m tests.old.making`
    (docs/testing.md)."""
    assert len(FIXTURES) >= FEWEST
    assert today() in [unpacked for file in FIXTURES if (unpacked := _today(file))], __doc__


def _today(fixture: Path) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        found: dict[str, Any] = unpack(fixture, Path(folder)).about.get("today", {})
    return found
