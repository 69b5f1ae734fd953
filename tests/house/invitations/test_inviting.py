"""Rematches: which players are shown, which are invited, and who sees nothing of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import msgspec
import pytest

from parlour.house.house import House
from parlour.house.invitations.deeds import DECLINED
from parlour.house.lobby.pages import COMPANIES, Again, companions, own_tables
from parlour.house.table.storage.rows import Listing, SeatRow
from tests.house.accounts.test_belongings import packed
from tests.house.lobby.test_lobby import Page
from tests.house.people import BOT, ME, OPEN, Person, guest_of, play_on, two_at_table

SHORT = {"target": "5000", "finish": "at_least"}


async def over(ann: Person, bob: Person, **body: object) -> str:
    table = await two_at_table(ann, bob, **{"options": SHORT, **body})
    await play_on(table, 5000, ann, bob, first=True)
    assert (await ann.see(table))["table"]["status"] == "over"
    return table


async def finish(table: str, person: Person) -> None:
    """Play against bots to the end."""
    while (seen := await person.see(table))["table"]["status"] != "over":
        if seen["legal"]:
            await person.do(f"tables/{table}/moves", move=seen["legal"][0], version=seen["table"]["version"])
        await asyncio.sleep(0.02)


async def invitations(person: Person) -> list[dict[str, str]]:
    found: list[dict[str, str]] = (await person.get("/api/invitations")).json()["invitations"]
    return found


@pytest.fixture
async def played(ann: Person, bob: Person) -> str:
    """Return a private game that Ann and Bob have finished."""
    return await over(ann, bob, public=False)


@pytest.fixture
async def ended(ann: Person, bob: Person) -> str:
    """Return a private game that Ann and Bob have ended early, which takes less time."""
    table = await two_at_table(ann, bob, options=SHORT, public=False)
    for person in (ann, bob):
        await person.do(f"tables/{table}/end")
    return table


async def test_who_is_invited_sees_it_in_their_open_lobby_and_sits_by_it(
    played: str, ann: Person, bob: Person, house: House, arrive: Callable[[], Person]
) -> None:
    eve = arrive()
    async with Page(house, (await guest_of(bob)).id) as bobs, Page(house, (await guest_of(eve)).id) as eves:
        made = (await ann.do(f"tables/{played}/rematch"))["id"]
        await bobs.until(lambda: "<bdi>Ann</bdi> invites you to Fortune." in bobs.lists["running"])
        (asked,) = await invitations(bob)
        assert {name: asked[name] for name in ("id", "title", "host")} == {
            "id": made,
            "title": "Fortune",
            "host": "Ann",
        }
        assert "5,000 points" in asked["about"]  # with the same options as before
        snapshot = await house.store.load(made)
        assert [(seat.kind, seat.name) for seat in snapshot.seats] == [("link", "Bob"), ("guest", "Ann")]
        assert not snapshot.table.public
        (exported,) = (await packed(bob))[0]["invitations"]
        assert (exported["table"], exported["game"], exported["host"]) == (made, "fortune", "Ann")
        await bob.do(f"tables/{made}/sit", token=asked["token"])
        await bobs.until(lambda: "invites you" not in bobs.lists["running"] and bobs.shows("running", made))
        assert not await invitations(bob)
        assert (await ann.see(made))["table"]["status"] == "playing"  # the game waits for no one else
        assert made.encode() not in b"".join(eves.messages)
    assert not await invitations(eve)
    for path in ("/", "/api/invitations"):
        assert made not in (await eve.get(path)).text


async def test_who_declines_is_asked_no_more_and_the_table_sees_it(ended: str, ann: Person, bob: Person) -> None:
    made = (await ann.do(f"tables/{ended}/rematch"))["id"]
    await bob.do(f"tables/{made}/decline")
    assert not await invitations(bob)
    assert [(line["name"], line["text"]) for line in (await ann.see(made))["table"]["chat"]] == [("Bob", DECLINED)]
    refused = await bob.refused(f"tables/{made}/decline", 404, "bad-link")
    assert "don't have an invitation" in refused["message"]


@pytest.mark.parametrize("change", ["open", "other link", "started", "deleted"])
async def test_an_invitation_ends_with_the_seat_that_was_kept(
    change: str, ended: str, ann: Person, bob: Person
) -> None:
    made = (await ann.do(f"tables/{ended}/rematch"))["id"]
    assert await invitations(bob)
    if change == "open":
        await ann.do(f"tables/{made}/seats", seat=0, kind="open")
    elif change == "other link":
        await ann.do(f"tables/{made}/seats", seat=0, kind="link")  # reserved for another guest
    elif change == "started":
        await ann.do(f"tables/{made}/start", bots=True)
    else:
        await ann.do(f"tables/{made}/delete")
    assert not await invitations(bob)
    assert "invites you" not in (await bob.get("/")).text


async def test_only_who_played_invites_and_only_people(played: str, ann: Person, arrive: Callable[[], Person]) -> None:
    await arrive().refused(f"tables/{played}/rematch", 403, "not-seated")
    alone = await ann.make(ME, BOT, options=SHORT)
    await finish(alone, ann)
    again = (await ann.do(f"tables/{alone}/rematch"))["id"]
    assert (await ann.see(again))["table"]["status"] == "playing"  # bots are seated at once
    waiting = await ann.make(ME, OPEN)
    await ann.refused(f"tables/{waiting}/rematch", 409, "not-over")
    text = (await ann.get("/")).text.split("Play again with:")[1].split("</section>")[0]
    assert text.count("data-path=") == 1
    assert "<bdi>Bob</bdi>" in text


async def test_who_left_is_invited_too_and_bots_stay_bots(ann: Person, bob: Person, house: House) -> None:
    table = await ann.make(ME, OPEN, BOT, options=SHORT)
    await bob.do(f"tables/{table}/sit")
    await ann.do(f"tables/{table}/start")
    await bob.do(f"tables/{table}/leave")
    await finish(table, ann)
    made = (await ann.do(f"tables/{table}/rematch"))["id"]
    snapshot = await house.store.load(made)
    assert [seat.kind for seat in snapshot.seats] == ["link", "bot", "guest"]
    assert [one["id"] for one in await invitations(bob)] == [made]


async def test_one_company_is_shown_once_for_each_ruleset(played: str, ann: Person, bob: Person, house: House) -> None:
    guest = (await guest_of(ann)).id
    own = await own_tables(house, guest)
    assert own.again == (Again(played, "fortune", "Fortune", ("Bob",)),)
    row = (await house.store.load(played)).table
    bobs = (await guest_of(bob)).id

    def game(number: int, *others: str) -> Listing:
        seats = [SeatRow(str(number), 0, "guest", guest_id=guest, name="Ann")]
        seats += [SeatRow(str(number), i, "guest", guest_id=other, name=other) for i, other in enumerate(others, 1)]
        names = [seat.name for seat in seats]
        return Listing(msgspec.structs.replace(row, id=str(number), names=names), seats)

    lately = [game(1, bobs), game(2, bobs, "cid"), game(3, bobs), game(4, "cid", bobs)]
    assert [one.table_id for one in companions(guest, lately)] == ["1", "2"]
    assert len(companions(guest, [game(i, f"guest {i}") for i in range(20)])) == COMPANIES
    assert companions(guest, [game(1)]) == ()


async def test_who_is_invited_is_named_and_takes_the_seat_by_asking_for_the_same(
    ended: str, ann: Person, bob: Person
) -> None:
    made = (await ann.do(f"tables/{ended}/rematch"))["id"]
    seen = (await ann.see(made))["table"]
    assert [(seat["kind"], seat["name"], seat["kept"]) for seat in seen["seats"]] == [
        ("link", "", "Bob"), ("guest", "Ann", ""),
    ]  # fmt: skip
    page = (await bob.get(f"/t/{made}")).text
    assert 'data-token="' in page
    assert "kept for <bdi>Bob</bdi>, who is invited" in page
    assert (await bob.see(made))["table"]["my_seat"] is None  # invited players have to accept
    await bob.do("me", name="Robert")
    assert (await bob.do(f"tables/{ended}/rematch"))["id"] == made
    seen = (await ann.see(made))["table"]
    assert (seen["status"], [seat["name"] for seat in seen["seats"]]) == ("playing", ["Robert", "Ann"])
    for _ in range(2):  # from now on it only links there
        assert (await bob.do(f"tables/{ended}/rematch"))["id"] == made


async def test_the_seat_of_who_declines_is_kept_for_nobody_by_name(ended: str, ann: Person, bob: Person) -> None:
    made = (await ann.do(f"tables/{ended}/rematch"))["id"]
    await bob.do(f"tables/{made}/decline")
    assert [seat["kept"] for seat in (await ann.see(made))["table"]["seats"]] == ["", ""]
    assert (await bob.do(f"tables/{ended}/rematch"))["id"] == made
    assert (await bob.see(made))["table"]["my_seat"] is None
    await ann.do(f"tables/{made}/start", bots=True)


@pytest.mark.parametrize("blocks", [False, True])
async def test_no_seat_is_kept_by_name_for_who_deletes_themself(
    blocks: bool, ended: str, ann: Person, bob: Person
) -> None:
    """Nor for a person who has blocked the inviting player, which would reveal the block."""
    if blocks:
        await bob.do("me/block", table=ended, seat=0)
    made = (await ann.do(f"tables/{ended}/rematch"))["id"]
    assert bool(await invitations(bob)) is not blocks
    assert "kept for <bdi>Bob</bdi>" in (await ann.get(f"/t/{made}")).text
    await bob.do("me/delete", word="delete")
    assert "Bob" not in (await ann.get(f"/t/{made}")).text


async def test_a_kept_seat_follows_the_name(ended: str, ann: Person, bob: Person) -> None:
    made = (await ann.do(f"tables/{ended}/rematch"))["id"]
    await bob.do("me", name="Robert")
    assert [seat["kept"] for seat in (await ann.see(made))["table"]["seats"]] == ["Robert", ""]


async def test_when_that_game_is_over_too_whoever_asks_makes_another(ended: str, ann: Person, bob: Person) -> None:
    first = (await ann.do(f"tables/{ended}/rematch"))["id"]
    await bob.do(f"tables/{ended}/rematch")
    for person in (ann, bob):
        await person.do(f"tables/{first}/end")
    again = (await bob.do(f"tables/{ended}/rematch"))["id"]
    assert again != first
    assert [one["id"] for one in await invitations(ann)] == [again]
    assert (await ann.do(f"tables/{ended}/rematch"))["id"] == again
    assert (await ann.see(again))["table"]["status"] == "playing"
    await bob.do(f"tables/{again}/leave")


async def three(ann: Person, bob: Person, eve: Person) -> str:
    """Play a game of three to its end, with Carol on the middle player's device; return Ann's rematch."""
    seats = [ME, OPEN, {"kind": "here", "name": "Carol"}, OPEN]
    table = str((await bob.do("tables", game="fortune", options=SHORT, seats=seats))["id"])
    for person in (ann, eve):
        await person.do(f"tables/{table}/sit")
    await bob.do(f"tables/{table}/start")
    for person in (bob, ann, eve):
        await person.do(f"tables/{table}/end")
    return str((await ann.do(f"tables/{table}/rematch"))["id"])


async def test_who_sits_already_takes_no_second_seat_by_their_invitation(
    ann: Person, bob: Person, arrive: Callable[[], Person]
) -> None:
    eve = arrive()
    made = await three(ann, bob, eve)
    (asked,) = await invitations(eve)
    free = [seat["kept"] for seat in (await ann.see(made))["table"]["seats"]].index("Bob")
    await ann.do(f"tables/{made}/seats", seat=free, kind="open")
    await eve.do(f"tables/{made}/sit", seat=free)
    await eve.do(f"tables/{made}/sit", token=asked["token"], words="Once more")
    seats = (await eve.see(made))["table"]["seats"]
    assert [seat["mine"] for seat in seats].count(True) == 1


async def test_who_leaves_and_comes_back_brings_somebody_with_a_name(
    ann: Person, bob: Person, arrive: Callable[[], Person]
) -> None:
    made = await three(ann, bob, arrive())
    (asked,) = await invitations(bob)
    for _ in range(2):
        await bob.do(f"tables/{made}/sit", token=asked["token"])
        mine = [seat["name"] for seat in (await bob.see(made))["table"]["seats"] if seat["mine"]]
        assert len(mine) == 2
        assert all(mine)
        await bob.do(f"tables/{made}/leave")


async def test_who_played_on_one_device_comes_along_and_all_are_waited_for(
    ann: Person, bob: Person, arrive: Callable[[], Person]
) -> None:
    eve = arrive()
    table = (
        await bob.do(
            "tables", game="fortune", options=SHORT,
            seats=[{"kind": "here", "name": "Carol"}, ME, OPEN, OPEN],
        )
    )["id"]  # fmt: skip
    for person in (ann, eve):
        await person.do(f"tables/{table}/sit")
    await bob.do(f"tables/{table}/start")
    for person in (bob, ann, eve):
        await person.do(f"tables/{table}/end")
    made = (await ann.do(f"tables/{table}/rematch"))["id"]
    assert await invitations(eve)
    await bob.do(f"tables/{table}/rematch")
    seen = (await bob.see(made))["table"]
    assert seen["status"] == "waiting"
    assert sorted((seat["kind"], seat["name"]) for seat in seen["seats"] if seat["mine"]) == [
        ("guest", (await guest_of(bob)).name), ("here", "Carol"),
    ]  # fmt: skip
    await eve.do(f"tables/{table}/rematch")
    assert (await eve.see(made))["table"]["status"] == "playing"


async def test_a_game_with_clocks_begins_by_itself_only_while_all_look(ann: Person, bob: Person, house: House) -> None:
    for looks in (False, True):
        table = await two_at_table(ann, bob, tempo={"bank": 600})
        for person in (ann, bob):
            await person.do(f"tables/{table}/end")
        made = (await ann.do(f"tables/{table}/rematch"))["id"]
        live = await house.table(made)
        with house.presence.listening(live, (await guest_of(ann)).id if looks else "a stranger"):
            await bob.do(f"tables/{table}/rematch")
        assert (await ann.see(made))["table"]["status"] == ("playing" if looks else "waiting")
