"""A person's preferences: the same on all their devices, on both databases, and deleted with the account."""

from __future__ import annotations

import asyncio
import io
import json
import re
import time
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
import sqlalchemy as sa

from parlour.house.accounts import schema as accounts
from parlour.house.accounts.preferences import rows as preference_rows
from parlour.house.accounts.preferences import schema as preferences
from parlour.house.accounts.preferences.choices import PREFERENCES
from parlour.house.house import House
from parlour.house.profiles import schema as profiles
from parlour.house.settings import Settings
from parlour.house.social import rows as social_rows
from parlour.house.social import schema as social
from parlour.house.table.jobs.sweeping import sweep
from tests.house.people import Person, guest_of

Arrive = Callable[[], Person]
SECRET = "correct horse"
BOTH = ["sqlite", pytest.param("postgresql", marks=[pytest.mark.service, pytest.mark.whole])]


@pytest.fixture(params=BOTH)
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    address = f"sqlite:///{tmp_path}/parlour.db"
    if request.param == "postgresql":
        address = request.getfixturevalue("database")
    return Settings(database=address, pace=0, engine="plain")


@pytest.fixture(autouse=True)
async def _empty(house: House) -> None:
    """Delete everything: all of these tests share one PostgreSQL."""
    async with house.store.write() as connection:
        for one in (accounts.people, accounts.retired, preferences.preferences, profiles.pictures, social.reports):
            await connection.execute(sa.delete(one))


def root(page: str) -> str:
    """Return the root tag of a page."""
    found = re.search("<html[^>]*>", page)
    assert found
    return found[0]


async def chosen(one: Person) -> dict[str, str]:
    return (await guest_of(one)).preferences


async def test_what_is_chosen_stands_on_every_page_and_the_usual_nowhere(ann: Person, bob: Person) -> None:
    assert root((await ann.get("/")).text) == '<html lang="en" data-mine>'
    await ann.do("me/preferences", name="theme", value="dark")
    await ann.do("me/preferences", name="sound", value="harp")
    for path in ("/", "/me", "/best/fortune"):
        assert root((await ann.get(path)).text) == '<html lang="en" data-mine data-sound="harp" data-theme="dark">'
        assert root((await bob.get(path)).text) == '<html lang="en" data-mine>'
    await ann.do("me/preferences", name="theme", value="system")
    assert await chosen(ann) == {"sound": "harp"}
    assert await chosen(bob) == {}
    for path in ("/rules/fortune", "/offline"):  # the same for everyone
        assert root((await ann.get(path)).text) == '<html lang="en">'


async def test_every_value_can_be_chosen_and_no_other(ann: Person) -> None:
    for name, one in PREFERENCES.items():
        for value in one.values:
            await ann.do("me/preferences", name=name, value=value)
            assert (await chosen(ann)).get(name, one.usual) == value
        error = await ann.refused("me/preferences", 400, "bad-input", name=name, value="other")
        assert error["allowed"] == [*one.values]
        assert all(len(word) <= 16 for word in (name, *one.values))  # the longest that the database accepts
    error = await ann.refused("me/preferences", 400, "bad-input", name="mine", value="x")
    assert error["allowed"] == [*PREFERENCES]
    await ann.refused("me/preferences", 400, "bad-input", name="theme", value='" onload="x')


async def test_a_person_has_them_on_every_device_and_brings_a_guests_along(
    ann: Person, arrive: Arrive, house: House
) -> None:
    phone, other = arrive(), arrive()
    await ann.do("me/preferences", name="theme", value="dark")
    await ann.do("me/claim", name="Ann", password=SECRET)
    assert await chosen(ann) == {"theme": "dark"}
    for one in (phone, other):
        await one.do("me/preferences", name="theme", value="light")
        await one.do("me/preferences", name="suits", value="four")
    await other.do("me/sign-in", name="Ann", password=SECRET, bring=False)  # that guest keeps their preferences
    assert await chosen(other) == {"theme": "dark"}
    await other.do("me/sign-out")
    assert await chosen(other) == {"theme": "light", "suits": "four"}
    await phone.do("me/sign-in", name="Ann", password=SECRET, bring=True)
    assert await chosen(phone) == await chosen(ann) == {"theme": "dark", "suits": "four"}
    await phone.do("me/preferences", name="motion", value="less")
    assert await chosen(ann) == {"theme": "dark", "suits": "four", "motion": "less"}
    await phone.do("me/sign-out")
    assert await chosen(phone) == {}
    await ann.do("me/delete", password=SECRET)
    assert await chosen(ann) == {}
    async with house.store.read() as connection:
        left = (await connection.execute(sa.select(preferences.preferences.c.value))).scalars().all()
    assert sorted(left) == ["four", "light"]  # the other's, signed out


async def test_they_are_taken_home(ann: Person) -> None:
    await ann.do("me/preferences", name="confirm", value="end")
    pack = zipfile.ZipFile(io.BytesIO((await ann.get("/me/export")).content))
    assert json.loads(pack.read("me.json"))["prefers"] == {"confirm": "end"}


async def test_guests_without_a_name_are_forgotten_with_their_cookie(ann: Person, arrive: Arrive, house: House) -> None:
    for one in (ann, arrive()):
        await one.do("me/preferences", name="suits", value="four")
    assert (await guest_of(ann)).named
    now = time.time() + preference_rows.KEPT
    for later, left in ((now - 60, 2), (now + 60, 1)):
        await house.store.do(partial(preference_rows.clear, now=later))
        async with house.store.read() as connection:
            assert await connection.scalar(sa.select(sa.func.count()).select_from(preferences.preferences)) == left


async def test_guests_without_a_name_are_remembered_as_long_as_they_come(arrive: Arrive, house: House) -> None:
    """The lobby prolongs their cookie, and so what they have chosen: settings and picture."""
    one, other = arrive(), arrive()
    horse = {"figure": "cat", "pattern": "dots", "ground": "plum", "ink": "cream"}
    for guest in (one, other):
        await guest.get("/")
        await guest.do("me/preferences", name="suits", value="four")
        await guest.do("me/picture", **horse)
    c = preferences.preferences.c
    begun = time.time() - preference_rows.KEPT + 86400.0  # so long ago that a day is left

    def age(connection: sa.Connection) -> None:
        for table in (preferences.preferences, profiles.pictures):
            connection.execute(sa.update(table).values(chosen=begun))

    await house.store.do(age)
    house.guests.forget_all()
    for guest in (one, other):
        house.guests.forget((await guest_of(guest)).id)
    await one.get("/")
    async with asyncio.timeout(20):
        while len(await those(house, c.guest_id, c.chosen > begun)) < 1:  # noqa: ASYNC110 - the house writes it unasked
            await asyncio.sleep(0.02)
    assert await sweep(house, "here", now=begun + preference_rows.KEPT + 60) == 0  # as the house does it unasked
    assert await those(house, c.guest_id) == [(await guest_of(one)).id]
    assert await those(house, profiles.pictures.c.guest_id) == [(await guest_of(one)).id]
    assert (await guest_of(one)).preferences == {"suits": "four"}


async def those(house: House, column: sa.Column[str], *which: sa.ColumnElement[bool]) -> list[str]:
    async with house.store.read() as connection:
        return list((await connection.execute(sa.select(column).where(*which))).scalars())


async def test_reports_that_were_done_long_ago_go_with_their_lines(house: House) -> None:
    def write(connection: sa.Connection) -> None:
        for number, done in enumerate((None, 1000.0, 2000.0), 1):
            made = sa.insert(social.reports).values(
                id=number,
                guest_id="a",
                about="b",
                table_id="t",
                line=0,
                reason="rude",
                words="",
                created=1.0,
                done=done,
            )
            connection.execute(made)
            line = sa.insert(social.report_lines).values(report_id=number, line=1, guest_id="b", name="Bob", text="Boo")
            connection.execute(line)

    await house.store.do(write)
    assert await house.store.do(partial(social_rows.clear, now=social_rows.KEPT + 1500)) == 1
    async with house.store.read() as connection:
        for column in (social.reports.c.id, social.report_lines.c.report_id):
            assert sorted((await connection.execute(sa.select(column))).scalars()) == [1, 3]
