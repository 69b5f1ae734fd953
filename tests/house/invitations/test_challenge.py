"""Inviting a player by their account's name: who may, how often, and that a blocked person can't notice the block."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from parlour.games import all_games
from parlour.house.house import House
from parlour.house.invitations.deeds import DECLINED
from parlour.house.invitations.pages import challenges
from parlour.house.invitations.rows import IN_ALL, TO_ONE
from parlour.house.settings import Settings
from tests.house.invitations.test_inviting import invitations
from tests.house.lobby.test_lobby import Page
from tests.house.people import BOT, LINK, ME, OPEN, Person, guest_of, two_at_table
from tests.house.receiving import service

Arrive = Callable[[], Person]
SECRET = "correct horse"
HERE = {"kind": "here", "name": "Zoe"}


def to(name: str) -> dict[str, str]:
    """Return a seat with an invitation."""
    return {**LINK, "invite": name}


async def somebody(person: Person, name: str) -> Person:
    await person.do("me/claim", name=name, password=SECRET)
    return person


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Return settings with which no notification is sent automatically, so that a test sees what is due."""
    return Settings(
        database=f"sqlite:///{tmp_path}/parlour.db", pace=0, engine="plain", limits=False, outside="any", grace=3600.0
    )


@pytest.fixture(autouse=True)
async def _names(ann: Person, bob: Person) -> None:
    await somebody(ann, "Ann")
    await somebody(bob, "Bob")


@pytest.fixture
async def eve(arrive: Arrive) -> Person:
    return await somebody(arrive(), "Eve")


# Being invited -----------------------------------------------------------------------------------------
async def test_who_is_invited_sees_it_in_their_open_lobby_and_the_game_begins_when_they_accept(
    ann: Person, bob: Person, eve: Person, house: House
) -> None:
    async with Page(house, (await guest_of(bob)).id) as bobs, Page(house, (await guest_of(eve)).id) as eves:
        made = await ann.make(ME, to("bob"))  # names that look alike count as equal
        await bobs.until(lambda: "<bdi>Ann</bdi> invites you to Fortune." in bobs.lists["running"])
        assert made.encode() not in b"".join(eves.messages)
    (asked,) = await invitations(bob)
    assert (asked["id"], asked["host"]) == (made, "Ann")
    assert not await invitations(eve)
    seats = (await ann.see(made))["table"]["seats"]
    assert [(seat["kind"], seat["kept"]) for seat in seats] == [("guest", ""), ("link", "Bob")]
    assert "kept for <bdi>Bob</bdi>, who is invited" in (await ann.get(f"/t/{made}")).text
    assert 'data-token="' in (await bob.get(f"/t/{made}")).text
    await eve.refused(f"tables/{made}/sit", 409, "seat-taken")
    await bob.do(f"tables/{made}/sit", token=asked["token"])
    assert (await ann.see(made))["table"]["status"] == "playing"


async def test_who_declines_is_asked_no_more_and_the_table_sees_it(ann: Person, bob: Person) -> None:
    made = await ann.make(ME, to("Bob"))
    await bob.do(f"tables/{made}/decline")
    assert not await invitations(bob)
    seen = (await ann.see(made))["table"]
    assert [(line["name"], line["text"]) for line in seen["chat"]] == [("Bob", DECLINED)]
    assert [seat["kept"] for seat in seen["seats"]] == ["", ""]


async def test_several_are_invited_beside_others_and_to_rated_games(ann: Person, bob: Person, eve: Person) -> None:
    made = await ann.make(to("Eve"), BOT, ME, to("Bob"), rated=True)
    for person in (bob, eve):
        assert [one["id"] for one in await invitations(person)] == [made]
    seen = (await ann.see(made))["table"]
    assert seen["rated"]
    assert [seat["kept"] for seat in seen["seats"]] == ["Eve", "", "", "Bob"]


async def test_who_asks_is_called_by_their_own_name(ann: Person, bob: Person) -> None:
    """The invitation does not have the name of another player on their device, which can be anything."""
    await ann.make(HERE, ME, to("Bob"))
    assert [one["host"] for one in await invitations(bob)] == ["Ann"]


# Who may -----------------------------------------------------------------------------------------------
async def test_who_cannot_be_invited_and_by_whom(ann: Person, bob: Person, arrive: Arrive) -> None:
    async def refused(person: Person, status: int, code: str, *seats: dict[str, str]) -> str:
        return str((await person.refused("tables", status, code, game="fortune", seats=list(seats)))["message"])

    guest = arrive()
    words = await refused(guest, 403, "not-claimed", ME, to("Bob"))
    assert words == "You need an account to invite someone by name. Create one under You."
    assert await refused(guest, 403, "not-claimed", ME, to("Nemo")) == words
    assert (await refused(ann, 404, "not-found", ME, to("Nemo"))) in (await ann.get("/p/Nemo")).text
    assert await refused(ann, 400, "bad-input", ME, to("ANN")) == "That's you. Please choose someone else."
    assert "only one seat" in await refused(ann, 400, "bad-setup", ME, to("Bob"), to("bob"))
    assert "you play too" in await refused(ann, 400, "bad-setup", HERE, to("Bob"))
    assert "kind link" in await refused(ann, 400, "bad-input", ME, {**OPEN, "invite": "Bob"})
    assert "kind link" in await refused(ann, 400, "bad-input", {**ME, "invite": "Bob"}, OPEN)
    await ann.do("me/block", name="Bob")
    assert "You've blocked Bob." in await refused(ann, 403, "forbidden", ME, to("Bob"))
    assert not await invitations(bob)
    assert "/t/" not in (await ann.get("/?only=tables")).text  # no table is there


async def test_so_many_tables_of_one_host_wait_for_the_same_person(ann: Person, bob: Person, eve: Person) -> None:
    made = [await ann.make(ME, to("Bob")) for _ in range(TO_ONE)]
    asked = {"game": "fortune", "seats": [ME, to("Bob")]}
    refused = await ann.refused("tables", 409, "too-many", **asked)
    assert f"You already have {TO_ONE} open invitations to Bob" in refused["message"]
    await ann.make(ME, to("Eve"))
    await eve.make(ME, to("Bob"))  # another host
    await bob.do(f"tables/{made[0]}/decline")
    made.append(await ann.make(ME, to("Bob")))
    (asks, *_) = [one for one in await invitations(bob) if one["id"] == made[1]]
    await bob.do(f"tables/{made[1]}/sit", token=asks["token"])  # an accepted invitation no longer counts
    await ann.make(ME, to("Bob"))
    await ann.refused("tables", 409, "too-many", **asked)
    await ann.do(f"tables/{made[2]}/delete")
    await ann.make(ME, to("Bob"))


async def test_so_many_invitations_of_one_host_wait_in_all_and_a_rematch_is_never_refused(
    ann: Person, bob: Person, arrive: Arrive
) -> None:
    played = await two_at_table(ann, bob)
    for person in (ann, bob):
        await person.do(f"tables/{played}/end")
    names = [f"Carol {letter}" for letter in "abcdefghk"[: IN_ALL - 1]]
    for name in names:
        await somebody(arrive(), name)
        await ann.make(ME, to(name))
    two = {"game": "fortune", "seats": [ME, to("Bob"), to(names[0])]}
    refused = await ann.refused("tables", 409, "too-many", **two)
    assert f"{IN_ALL} unanswered invitations" in refused["message"]
    last = await ann.make(ME, to(names[0]))
    await ann.refused("tables", 409, "too-many", game="fortune", seats=[ME, to("Bob")])
    assert (await ann.do(f"tables/{played}/rematch"))["id"]
    await ann.do(f"tables/{last}/delete")
    await ann.refused("tables", 409, "too-many", game="fortune", seats=[ME, to("Bob")])  # the rematch counts


async def test_who_has_deleted_themself_is_invited_no_more(ann: Person, bob: Person) -> None:
    made = await ann.make(ME, to("Bob"))
    await bob.do("me/delete", word="delete", password=SECRET)
    assert "Bob" not in (await ann.get(f"/t/{made}")).text
    await ann.refused("tables", 404, "not-found", game="fortune", seats=[ME, to("Bob")])


# Who is blocked ------------------------------------------------------------------------------------------
async def test_who_is_blocked_is_answered_as_anybody_byte_for_byte(
    ann: Person, bob: Person, arrive: Arrive, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bob has blocked Ann, Zed has not: Ann's invitations, her pages and her refusals are the same, and so is what the
    database is asked. Only Bob's and Zed's own pages are not."""
    monkeypatch.setattr(house.streams, "is_news", lambda _: False)  # noted now and then, whatever is asked for
    await somebody(arrive(), "Zed")
    await bob.do("me/block", name="Ann")

    async def answers_about(name: str) -> tuple[list[str], list[bytes]]:
        asked: list[str] = []
        found: list[bytes] = []

        def plain(text: str, *own: str) -> bytes:
            for one in (*own, name):
                text = text.replace(one, "-" * len(one))
            # A drawing's mark is a hash of its content, including the name; a picture follows from the guest's id.
            return re.sub(r'data-have="[^"]*"|<svg class="avatar".*?</svg>', "", text).encode()

        await ann.get(f"/p/{name}")
        house.store.timed = lambda work, _: asked.append(work)
        answer = await ann.post("/api/tables", json={"game": "fortune", "seats": [ME, to(name)]})
        house.store.timed = None
        table = answer.json()["id"]
        found.append(plain(answer.text, table))
        assert answer.status_code == 201
        seen = await ann.see(table)
        own = [table, seen["table"]["seats"][1]["invite"].rsplit("/", 1)[1], seen["table"]["verdict"]["commitment"]]
        for path in (f"/p/{name}", f"/api/tables/{table}", f"/t/{table}", "/?only=tables"):
            found.append(plain((await ann.get(path)).text, *own))
        for _ in range(TO_ONE - 1):
            await ann.make(ME, to(name))
        answer = await ann.post("/api/tables", json={"game": "fortune", "seats": [ME, to(name)]})
        assert answer.status_code == 409
        found.append(plain(answer.text))
        for one in re.findall(r'href="/t/(\w+)"', (await ann.get("/?only=tables")).text):
            await ann.do(f"tables/{one}/delete")
        return asked, found

    for _ in range(5):  # the house's own queries may interfere: a real difference appears each time
        (bobs, first), (zeds, second) = await answers_about("Bob"), await answers_about("Zed")
        if bobs == zeds:
            break
    assert first == second
    assert bobs == zeds
    assert "create" in bobs


async def test_whoever_has_blocked_the_asker_never_hears_of_it(ann: Person, bob: Person, house: House) -> None:
    async with service() as world:
        mine = world.browser()
        await bob.do("me/told", **mine.subscription(invitation=True))
        await bob.do("me/block", name="Ann")
        async with Page(house, (await guest_of(bob)).id) as bobs:
            made = await ann.make(ME, to("Bob"))
            other = await bob.make(ME, OPEN)
            await bobs.until(lambda: bobs.shows("running", other))
            assert made.encode() not in b"".join(bobs.messages)
        async with house.store.read() as connection:
            noted = (await connection.execute(sa.text("SELECT kind FROM notices WHERE table_id != ''"))).all()
        assert noted == []
    assert not await invitations(bob)
    for path in ("/", "/me", "/p/Ann"):
        assert made not in (await bob.get(path)).text
    await bob.do("me/block", name="Ann", off=True)


async def test_who_wants_to_know_is_notified_by_their_channels(ann: Person, bob: Person, house: House) -> None:
    async with service() as world:
        await bob.do("me/told", **world.browser().subscription(invitation=True))
        made = await ann.make(ME, to("Bob"))
        async with house.store.read() as connection:
            noted = (await connection.execute(sa.text("SELECT kind, table_id FROM notices"))).all()
        assert ("invitation", made) in [tuple(one) for one in noted]


# The page of a player --------------------------------------------------------------------------------------
async def test_a_players_page_offers_each_ruleset_to_others_with_a_name(
    ann: Person, bob: Person, arrive: Arrive
) -> None:
    page = (await ann.get("/p/Bob")).text
    assert "Play with <bdi>Bob</bdi>" in page
    offered = re.findall(r"<option value='([^']*)' data-players=\"(\d+) (\d+)\">", page)
    bodies = [json.loads(body) for body, *_ in offered]
    assert bodies == [one.body for one in challenges("Bob")]
    assert {one["game"] for one in bodies} == set(all_games())
    for body, (_, *players) in zip(bodies, offered, strict=True):
        assert tuple(map(int, players)) == all_games()[body["game"]].facts.players
    for body in bodies[:2]:
        await ann.do("tables", **body)
    assert len(await invitations(bob)) == len(bodies[:2])
    assert "Play with" not in (await bob.get("/p/Bob")).text
    guests = (await arrive().get("/p/Bob")).text
    assert "data-challenge" not in guests.split("<main")[1]
    assert 'To invite someone by name, <a href="/me">create an account</a> first' in guests


async def test_a_players_page_says_nothing_of_blocks(ann: Person, bob: Person) -> None:
    async def page() -> Any:
        return (await ann.get("/p/Bob")).text

    before = await page()
    await bob.do("me/block", name="Ann")
    assert await page() == before


async def test_a_name_with_every_sign_is_invited_by_its_button(ann: Person, arrive: Arrive) -> None:
    carol = await somebody(arrive(), "O'<b>&\"Carol")
    page = (await ann.get("/p/O'%3Cb%3E&%22Carol")).text
    body = json.loads(re.findall(r"<option value='([^']*)' data-players", page)[0])
    await ann.do("tables", **body)
    assert len(await invitations(carol)) == 1
