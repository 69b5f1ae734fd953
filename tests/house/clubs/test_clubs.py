"""Clubs: founding, joining, leading and leaving them, who may, and what becomes of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from parlour.house.accounts import schema as accounts
from parlour.house.clubs import rows
from parlour.house.clubs import schema as clubs
from parlour.house.house import House
from parlour.house.settings import Settings
from tests.house.accounts.test_belongings import SECRET, packed
from tests.house.people import ME, OPEN, Person, guest_of

Arrive = Callable[[], Person]
BOTH = ["sqlite", pytest.param("postgresql", marks=[pytest.mark.service, pytest.mark.whole])]
PICTURE = {"figure": "cat", "pattern": "dots", "ground": "plum", "ink": "cream"}


@pytest.fixture(params=BOTH)
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    address = f"sqlite:///{tmp_path}/parlour.db"
    if request.param == "postgresql":
        address = request.getfixturevalue("database")
    return Settings(database=address, pace=0, engine="plain", limits=False)


@pytest.fixture(autouse=True)
async def _empty(house: House) -> None:
    """Delete everything: all of these tests share one PostgreSQL."""
    async with house.store.write() as connection:
        for one in (clubs.clubs, accounts.guests, accounts.retired):
            await connection.execute(sa.delete(one))


@pytest.fixture
async def people(arrive: Arrive) -> Callable[..., Any]:
    """Return what makes people with accounts."""

    async def claimed(*names: str) -> list[Person]:
        made = []
        for name in names:
            made.append(arrive())
            await made[-1].do("me/claim", name=name, password=SECRET)
        return made

    return claimed


async def founded(person: Person, name: str = "Thursday table", entry: str = "ask", **more: str) -> str:
    """Found a club; return its id."""
    return str((await person.do("clubs", name=name, entry=entry, **PICTURE, **more))["id"])


async def members(person: Person, club: str) -> dict[str, str]:
    """Return the role of each member."""
    found = (await person.get(f"/api/clubs/{club}")).json()["members"]
    return {one["name"]: one["role"] for one in found}


async def link_of(person: Person, club: str) -> str:
    """Return the token of a club's link."""
    return str((await person.do(f"clubs/{club}/link"))["link"].rpartition("/")[2])


async def test_a_club_of_one_begins_with_its_link(people: Any) -> None:
    ann, bob = await people("Ann", "Bob")
    club = await founded(ann, entry="open")
    page = (await ann.get(f"/clubs/{club}")).text
    assert page.index("Link of the club") < page.index("Plan a season")
    await bob.do(f"clubs/{club}/join")
    page = (await ann.get(f"/clubs/{club}")).text
    assert page.index("Plan a season") < page.index("Link of the club")
    assert "Link of the club" not in (await bob.get(f"/clubs/{club}")).text


async def test_a_club_is_founded_found_joined_and_left(people: Any, arrive: Arrive) -> None:
    ann, bob, eve = await people("Ann", "Bob", "Eve")
    club = await founded(ann, entry="open", about="We meet on Thursdays.")
    assert await members(bob, club) == {"Ann": "owner"}
    page = (await bob.get("/clubs")).text
    assert f'href="/clubs/{club}"' in page
    assert "We meet on Thursdays." in page
    assert "<span>1 member</span> <span>open</span>" in page
    assert (await bob.do(f"clubs/{club}/join"))["status"] == "member"
    assert (await bob.do(f"clubs/{club}/join"))["status"] == "member", "repeating it does no harm"
    assert (await ann.do(f"clubs/{club}/join"))["status"] == "owner"
    assert await members(eve, club) == {"Ann": "owner", "Bob": "member"}
    assert "Thursday table" in (await eve.get("/p/Bob")).text, "a player's page names the clubs that are listed"
    assert "you’re in" in (await bob.get("/me")).text
    await bob.do(f"clubs/{club}/leave")
    assert await members(eve, club) == {"Ann": "owner"}
    guest = arrive()
    for path, body in (("clubs", {"name": "Mine", **PICTURE}), (f"clubs/{club}/join", {})):
        await guest.refused(path, 403, "not-claimed", **body)
    assert "You need an account to join." in (await guest.get(f"/clubs/{club}")).text
    await guest.refused("clubs/nowhere/join", 403, "not-claimed")
    await bob.refused("clubs/nowhere/join", 404, "not-found")


async def test_a_name_belongs_to_one_club_and_is_checked_as_other_names_are(people: Any) -> None:
    ann, bob = await people("Ann", "Bob")
    club = await founded(ann, name="Night Owls")
    await bob.refused("clubs", 409, "name-taken", name="night 0wls", **PICTURE)
    for name in ("", "x" * 41, "Parlour", "a\u0007b"):
        await bob.refused("clubs", 400, "bad-input", name=name, **PICTURE)
    await bob.refused("clubs", 400, "bad-input", name="Good", **PICTURE | {"ink": "octarine"})
    await bob.refused("clubs", 400, "bad-input", name="Good", about="x" * 301, **PICTURE)
    await ann.do(f"clubs/{club}/change", name="Night  Owls", about="Late games.", entry="link", **PICTURE)
    seen = (await ann.get(f"/api/clubs/{club}")).json()
    assert (seen["name"], seen["about"], seen["entry"]) == ("Night Owls", "Late games.", "link")
    other = await founded(bob, name="Early Birds")
    await bob.refused(f"clubs/{other}/change", 409, "name-taken", name="Night Owls", **PICTURE)


async def test_other_clubs_fill_their_pages(people: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clubs that a person is in are neither among the others nor counted with them."""
    monkeypatch.setattr(rows, "PAGE", 2)
    ann, bob, eve = await people("Ann", "Bob", "Eve")
    for person, name in ((ann, "Mondays"), (ann, "Tuesdays"), (bob, "Fridays"), (eve, "Saturdays")):
        await founded(person, name)
    other = (await ann.get("/clubs")).text.partition("Other clubs")[2]
    assert "Fridays" in other
    assert "Saturdays" in other
    assert "Pages of clubs" not in other, "two clubs fit a page of two"


async def test_a_request_waits_for_an_organiser(people: Any) -> None:
    ann, bob, eve, kim = await people("Ann", "Bob", "Eve", "Kim")
    club = await founded(ann)
    assert (await bob.do(f"clubs/{club}/join"))["status"] == "asked"
    assert (await bob.do(f"clubs/{club}/join"))["status"] == "asked"
    await eve.do(f"clubs/{club}/join")
    assert "2 ask to join" in (await ann.get(f"/clubs/{club}")).text
    assert "ask to join" not in (await kim.get(f"/clubs/{club}")).text
    await bob.refused(f"clubs/{club}/answer", 403, "forbidden", name="Bob")
    await ann.do(f"clubs/{club}/answer", name="Bob")
    await ann.do(f"clubs/{club}/answer", name="Eve", off=True)
    await ann.refused(f"clubs/{club}/answer", 404, "not-found", name="Eve")
    await ann.refused(f"clubs/{club}/answer", 404, "not-found", name="Who")
    await kim.do(f"clubs/{club}/join")
    await kim.do(f"clubs/{club}/leave")
    await ann.refused(f"clubs/{club}/answer", 404, "not-found", name="Kim")
    assert await members(eve, club) == {"Ann": "owner", "Bob": "member"}


async def test_a_link_lets_people_in_until_it_is_made_anew(people: Any, arrive: Arrive) -> None:
    ann, bob, eve = await people("Ann", "Bob", "Eve")
    club = await founded(ann, entry="link")
    old = await link_of(ann, club)
    await bob.refused(f"clubs/{club}/join", 403, "forbidden")
    assert "Thursday table" not in (await bob.get("/clubs")).text, "it is not listed"
    page = await bob.get(f"/clubs/join/{old}")
    assert "Thursday table" in page.text
    assert page.headers["referrer-policy"] == "no-referrer"
    assert "You need an account" in (await arrive().get(f"/clubs/join/{old}")).text
    assert (await bob.do("clubs/join", token=old))["id"] == club
    await link_of(ann, club)
    await eve.refused("clubs/join", 404, "bad-link", token=old)
    assert (await eve.get(f"/clubs/join/{old}")).status_code == 404
    assert await members(eve, club) == {"Ann": "owner", "Bob": "member"}
    assert "Thursday table" not in (await eve.get("/p/Bob")).text, "pages of players name only clubs that are listed"
    assert old not in (await bob.get(f"/clubs/{club}")).text, "members don't see the link"


async def test_roles_decide_who_removes_and_who_leads(people: Any) -> None:
    ann, bob, eve = await people("Ann", "Bob", "Eve")
    club = await founded(ann, entry="open")
    for person in (bob, eve):
        await person.do(f"clubs/{club}/join")
    await bob.refused(f"clubs/{club}/remove", 403, "forbidden", name="Eve")
    await bob.refused(f"clubs/{club}/link", 403, "forbidden")
    await ann.do(f"clubs/{club}/role", name="Bob", role="organiser")
    await bob.refused(f"clubs/{club}/role", 403, "forbidden", name="Eve", role="organiser")
    await bob.refused(f"clubs/{club}/remove", 403, "forbidden", name="Ann")
    await bob.refused(f"clubs/{club}/remove", 403, "forbidden", name="Bob")
    await bob.do(f"clubs/{club}/remove", name="Eve")
    await bob.refused(f"clubs/{club}/remove", 404, "not-found", name="Eve")
    await ann.refused(f"clubs/{club}/leave", 403, "forbidden")
    await ann.refused(f"clubs/{club}/role", 403, "forbidden", name="Ann", role="member")
    await ann.do(f"clubs/{club}/role", name="Bob", role="owner")
    assert await members(eve, club) == {"Bob": "owner", "Ann": "organiser"}
    await ann.refused(f"clubs/{club}/delete", 403, "forbidden")
    await ann.do(f"clubs/{club}/leave")
    await bob.do(f"clubs/{club}/leave")
    assert (await eve.get(f"/api/clubs/{club}")).status_code == 404, "the last one to leave deletes it"
    other = await founded(ann, name="Other")
    await ann.do(f"clubs/{other}/delete")
    assert (await ann.get(f"/clubs/{other}")).status_code == 404


async def test_people_whom_a_leader_has_blocked_meet_a_club_that_a_link_opens(people: Any) -> None:
    ann, bob, eve = await people("Ann", "Bob", "Eve")
    club = await founded(ann, entry="open")
    token = await link_of(ann, club)
    await ann.do("me/block", name="Eve")
    await eve.refused(f"clubs/{club}/join", 403, "forbidden")
    await eve.refused("clubs/join", 404, "bad-link", token=token)
    assert (await eve.get(f"/clubs/join/{token}")).status_code == 404
    assert "Members join by a link." in (await eve.get(f"/clubs/{club}")).text
    assert (await eve.get(f"/api/clubs/{club}")).json()["entry"] == "link"
    await bob.do(f"clubs/{club}/join")
    await bob.do("me/block", name="Ann")
    assert await members(bob, club) == {"Ann": "owner", "Bob": "member"}, "who is in stays in"
    await ann.do("me/block", name="Eve", off=True)
    assert (await eve.do(f"clubs/{club}/join"))["status"] == "member"


async def test_there_are_so_many_of_everything(people: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob, eve, kim = await people("Ann", "Bob", "Eve", "Kim")
    for name, most in (("OWNED", 2), ("JOINED", 2), ("MEMBERS", 2), ("WAITING", 1), ("ASKED", 1)):
        monkeypatch.setattr(rows, f"MOST_{name}", most)
    first, second = await founded(ann, "One", "open"), await founded(ann, "Two")
    await ann.refused("clubs", 409, "too-many", name="Three", **PICTURE)
    await bob.do(f"clubs/{first}/join")
    await eve.refused(f"clubs/{first}/join", 409, "too-many")
    await bob.do(f"clubs/{second}/join")
    await eve.refused(f"clubs/{second}/join", 409, "too-many")
    third = await founded(kim, "Three")
    await bob.refused(f"clubs/{third}/join", 409, "too-many")
    await kim.refused(f"clubs/{second}/join", 409, "too-many")
    await founded(kim, "Four")
    await eve.do(f"clubs/{third}/join")
    await kim.refused("clubs/join", 409, "too-many", token=await link_of(ann, second))


async def test_news_are_listed_games_of_several_members(people: Any, house: House) -> None:
    ann, bob, eve = await people("Ann", "Bob", "Eve")
    club = await founded(ann, entry="open")
    await bob.do(f"clubs/{club}/join")
    for guest, public in ((bob, True), (bob, False), (eve, True)):
        table = await ann.make(ME, OPEN, public=public)
        await guest.do(f"tables/{table}/sit")
        await ann.do(f"tables/{table}/start")

    async def end() -> None:
        async with house.store.write() as connection:
            await connection.execute(sa.text("UPDATE tables SET status = 'over'"))
            query = sa.text("SELECT id FROM tables")
            for (table,) in (await connection.execute(query)).all():
                for seat, share in enumerate((1.0, 0.0)):
                    values = {"table": table, "seat": seat, "share": share}
                    await connection.execute(
                        sa.text("INSERT INTO outcomes (table_id, seat, share) VALUES (:table, :seat, :share)"), values
                    )

    assert "won against" not in (await eve.get(f"/clubs/{club}")).text
    await end()
    page = (await eve.get(f"/clubs/{club}")).text
    assert page.count("Ann won against Bob") == 1
    assert "Eve" not in page.partition("Latest results")[2].partition("</main>")[0]


async def test_an_export_has_clubs_and_a_deletion_hands_them_over(people: Any, house: House) -> None:
    ann, bob, eve = await people("Ann", "Bob", "Eve")
    club, alone = await founded(ann, entry="open"), await founded(ann, "Alone")
    for person in (eve, bob):
        await person.do(f"clubs/{club}/join")
    await ann.do(f"clubs/{club}/role", name="Bob", role="organiser")
    asked = await founded(bob, "Asked")
    await ann.do(f"clubs/{asked}/join")
    about, *_ = await packed(ann)
    assert [(one["name"], one["role"]) for one in about["clubs"]] == [("Thursday table", "owner"), ("Alone", "owner")]
    assert [one["name"] for one in about["asked to join"]] == ["Asked"]
    guest = (await guest_of(ann)).id
    await ann.do("me/delete", password=SECRET)
    assert await members(eve, club) == {"Bob": "owner", "Eve": "member"}
    assert (await eve.get(f"/api/clubs/{alone}")).status_code == 404
    assert await house.store.look(partial(rows.waiting, club=asked)) == []
    assert await house.store.look(partial(rows.of, guest=guest)) == []
