"""Mute and block: what changes for whom, on every device at once; and that blocked people get the usual answers."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.house.errors import StoreFailed
from parlour.house.house import House
from parlour.house.ratings.matchmaking.deeds import groups
from parlour.house.ratings.matchmaking.rows import Asker
from parlour.house.social import regards
from parlour.house.social import rows as social_rows
from tests.house.people import BOT, LINK, ME, OPEN, Person, guest_of, play_on, two_at_table

Arrive = Callable[[], Person]
SHORT = {"target": "5000", "finish": "at_least"}


@pytest.fixture
async def eve(arrive: Arrive) -> Person:
    person = arrive()
    await person.do("me", name="Eve")
    return person


async def chat_of(person: Person, table: str) -> list[str]:
    return [line["text"] for line in (await person.see(table))["table"]["chat"]]


async def sees(person: Person, table: str) -> Any:
    """Return all that a person sees of a table, without what always differs."""
    return (await person.see(table))["table"]


# Mute ------------------------------------------------------------------------------------------------
async def test_a_muted_person_is_not_heard_and_does_not_learn_it(ann: Person, bob: Person, eve: Person) -> None:
    table = await two_at_table(ann, bob)
    await bob.do(f"tables/{table}/chat", text="You play badly.")
    await eve.do(f"tables/{table}/chat", text="Hello!")
    before = await sees(bob, table)
    assert await ann.do("me/mute", table=table, seat=1) == {"muted": True, "blocked": False}
    await bob.do(f"tables/{table}/chat", text="Very badly.")
    assert await chat_of(ann, table) == ["Hello!"]
    (hushed,) = (await sees(ann, table))["hushed"]
    assert (hushed["name"], hushed["blocked"]) == ("Bob", False)
    assert await chat_of(bob, table) == ["You play badly.", "Hello!", "Very badly."]
    assert await chat_of(eve, table) == ["You play badly.", "Hello!", "Very badly."]
    after = await sees(bob, table)
    assert {**after, "chat": None} == {**before, "chat": None}
    assert "Very badly." not in (await ann.get(f"/t/{table}")).text
    await ann.do("me/mute", table=table, line=hushed["line"], off=True)
    assert await chat_of(ann, table) == ["You play badly.", "Hello!", "Very badly."]


async def test_who_watches_and_talks_can_be_muted_by_a_line(ann: Person, bob: Person, eve: Person) -> None:
    table = await two_at_table(ann, bob)
    await eve.do(f"tables/{table}/chat", text="Take the skulls!")
    (line,) = (await sees(ann, table))["chat"]
    assert line["mine"] is False
    await ann.do("me/mute", table=table, line=line["id"])
    assert await chat_of(ann, table) == []
    assert (await sees(eve, table))["chat"][0]["mine"] is True


async def test_one_mutes_on_every_page_that_is_open_at_once(ann: Person, bob: Person, house: House) -> None:
    table = await two_at_table(ann, bob)
    await bob.do(f"tables/{table}/chat", text="Boo.")
    guest, live = await guest_of(ann), await house.table(table)
    with house.presence.listening(live, guest.id) as one, house.presence.listening(live, guest.id) as other:
        for listener in (one, other):
            listener.news.clear()
        await ann.do("me/mute", table=table, seat=1)
        for listener in (one, other):
            await listener.wait(asyncio_time() + 5)
            assert listener.news.is_set()
    assert (await house.regards.of(guest.id)).muted == {(await guest_of(bob)).id}


def asyncio_time() -> float:
    return asyncio.get_running_loop().time()


async def test_whom_one_means_is_said_in_one_way(ann: Person, bob: Person) -> None:
    table = await two_at_table(ann, bob)
    await ann.do(f"tables/{table}/chat", text="Hello!")
    (line,) = (await sees(ann, table))["chat"]
    for wrong in (
        {},
        {"table": table},
        {"seat": 1},
        {"table": table, "seat": 1, "name": "Bob"},
        {"id": "x", "name": "y"},
    ):
        await ann.refused("me/mute", 400, "bad-input", **wrong)
    for kind in ("mute", "block"):
        await ann.refused(f"me/{kind}", 400, "bad-input", table=table, seat=0)
        await ann.refused(f"me/{kind}", 400, "bad-input", table=table, line=line["id"])
        await ann.refused(f"me/{kind}", 404, "not-found", table=table, seat=9)
        await ann.refused(f"me/{kind}", 404, "not-found", table=table, line=line["id"] + 1)
        await ann.refused(f"me/{kind}", 404, "not-found", name="No such name")
        await ann.refused(f"me/{kind}", 404, "not-found", id="none")
        await ann.refused(f"me/{kind}", 404, "unknown-table", table="none", seat=0)
    bots = await ann.make(ME, BOT)
    await ann.refused("me/mute", 404, "not-found", table=bots, seat=1)


async def test_ones_own_list_undoes_it(ann: Person, bob: Person, arrive: Arrive) -> None:
    table = await two_at_table(ann, bob)
    await ann.do("me/mute", table=table, seat=1)
    await ann.do("me/block", table=table, seat=1)
    page = (await ann.get("/me")).text
    assert "muted and blocked" in page
    assert (await guest_of(bob)).id not in page  # no page shows another's id
    (token,) = set(re.findall(r'name="id" value="(\w{16})"', page))
    stranger = arrive()
    await stranger.refused("me/block", 404, "not-found", id=token, off=True)  # the token is unknown in another's list
    assert await ann.do("me/block", id=token, off=True) == {"muted": True, "blocked": False}
    assert await ann.do("me/mute", id=token, off=True) == {"muted": False, "blocked": False}
    assert "Muted and blocked" not in (await ann.get("/me")).text


async def test_a_list_has_an_end(ann: Person, bob: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(social_rows, "MOST_MARKS", 1)
    table = await ann.make(ME, OPEN, OPEN)
    await bob.do(f"tables/{table}/sit")
    await bob.do(f"tables/{table}/chat", text="Hello!")
    await ann.do("me/block", table=table, seat=1)
    await ann.do("me/mute", table=table, seat=1)  # the same person
    await bob.do("me/claim", name="Bobby", password="correct horse")
    async with Person(transport=ann._transport, base_url="http://house.test") as eve:
        await eve.do("me/claim", name="Eve", password="correct horse")
        problem = await ann.refused("me/mute", 409, "too-many", name="Eve")
    assert problem["message"].endswith(".")


# Block: the same answers as in other cases --------------------------------------------------------------
async def answers_to(person: Person, table: str, token: str, names: dict[str, str]) -> list[Any]:
    """Return all answers to a person who tries to sit down: statuses and words, without ids."""
    answers: list[httpx.Response] = [
        await person.get(f"/api/tables/{table}"),
        await person.get(f"/t/{table}"),
        await person.get(f"/t/{table}/join/{token}"),
        await person.get(f"/t/{table}/join/{token}/qr"),
        await person.post(f"/api/tables/{table}/sit", json={}),
        await person.post(f"/api/tables/{table}/sit", json={"seat": 1}),
        await person.post(f"/api/tables/{table}/sit", json={"seat": 2}),
        await person.post(f"/api/tables/{table}/sit", json={"token": token}),
        await person.post(f"/api/tables/{table}/start", json={}),
        await person.get("/?only=tables"),
        await person.get("/api/invitations"),
    ]
    found = []
    for answer in answers:
        text = answer.text
        for secret, name in {table: "TABLE", token: "TOKEN", **names}.items():
            text = text.replace(secret, name)
        text = re.sub(r'(commitment":"|<code>|have=")[0-9a-f.]+', r"\1", text)
        text = re.sub(r'data-have="[^"]*"', "", text)
        found.append((answer.status_code, text))
    return found


async def test_the_blocked_are_answered_as_anybody_where_seats_are_kept(
    ann: Person, bob: Person, arrive: Arrive
) -> None:
    """If its host has blocked you, a table with free seats looks like one whose seats are reserved by link, and your
    link like a withdrawn one."""
    await bob.do("me/claim", name="Bob", password="correct horse")
    kept = await ann.make(ME, LINK, LINK)
    gone = (await ann.see(kept))["table"]["seats"][1]["invite"].rpartition("/")[2]
    await ann.do(f"tables/{kept}/seats", seat=1, kind="link")  # another link: the old one is void
    for_anybody = await answers_to(bob, kept, gone, {})
    await ann.do(f"tables/{kept}/delete")
    free = await ann.make(ME, OPEN, LINK)
    good = (await ann.see(free))["table"]["seats"][2]["invite"].rpartition("/")[2]
    await ann.do("me/block", name="Bob")
    assert await answers_to(bob, free, good, {}) == for_anybody
    stranger = arrive()
    assert (await stranger.do(f"tables/{free}/sit", seat=1)) == {"seat": 1}  # for others nothing changes
    await ann.do("me/block", name="Bob", off=True)
    assert (await bob.do(f"tables/{free}/sit", token=good)) == {"seat": 2}


async def test_nor_does_it_take_longer(ann: Person, bob: Person, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The database gets the same queries, equally many, for a blocked guest and for one who is refused elsewhere."""
    monkeypatch.setattr(house.streams, "is_news", lambda _: False)  # noted now and then, whatever is asked for
    await bob.do("me/claim", name="Bob", password="correct horse")
    kept, free = await ann.make(ME, LINK), await ann.make(ME, OPEN)
    await ann.do("me/block", name="Bob")
    for table in (kept, free):
        await bob.get(f"/t/{table}")  # both in memory, with the guest known

    async def asked(table: str) -> list[str]:
        names: list[str] = []
        house.store.timed = lambda name, _: names.append(name)
        await bob.refused(f"tables/{table}/sit", 403, "forbidden", seat=1)
        await bob.refused(f"tables/{table}/sit", 404, "bad-link", token="none")
        assert (await bob.get(f"/t/{table}")).is_success
        return names

    for _ in range(5):  # the house's own queries may interfere: a real difference appears each time
        first, second = await asked(kept), await asked(free)
        if first == second:
            break
    assert first == second
    assert first


async def test_while_the_database_is_away_what_is_known_holds(
    ann: Person, bob: Person, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await two_at_table(ann, bob)
    await ann.do("me/mute", table=table, seat=1)
    a = (await guest_of(ann)).id
    monkeypatch.setattr(regards, "TOLD", 0.0)  # so that it is queried again

    async def away(_: object) -> object:
        raise StoreFailed("The house could not write this down.")

    monkeypatch.setattr(house.store, "ask", away)
    assert (await house.regards.of(a)).muted
    with pytest.raises(StoreFailed):
        await house.regards.of("another guest")


async def test_a_table_at_which_somebody_sits_who_blocked_me_is_shut_but_its_hosts_link_is_good(
    ann: Person, bob: Person, eve: Person
) -> None:
    await bob.do("me/claim", name="Bob", password="correct horse")
    await ann.do("me/block", name="Bob")
    table = await eve.make(ME, OPEN, OPEN, LINK)
    await ann.do(f"tables/{table}/sit", seat=1)
    await bob.refused(f"tables/{table}/sit", 403, "forbidden", seat=2)
    assert table not in (await bob.get("/?only=tables")).text
    token = (await eve.see(table))["table"]["seats"][3]["invite"].rpartition("/")[2]
    assert (await bob.do(f"tables/{table}/sit", token=token)) == {"seat": 3}
    assert [seat["kind"] for seat in (await bob.see(table))["table"]["seats"]] == ["guest", "guest", "open", "guest"]


async def test_a_game_of_both_goes_on_and_its_seats_stay(ann: Person, bob: Person) -> None:
    """If both sit at one table, only the messages are hidden."""
    waiting = await ann.make(ME, OPEN, OPEN)
    await bob.do(f"tables/{waiting}/sit")
    table = await two_at_table(ann, bob)
    before = await sees(bob, table)
    await ann.do("me/block", table=table, seat=1)
    assert await sees(bob, table) == before
    assert (await bob.do(f"tables/{waiting}/sit", words="Aces!")) == {"seat": 1}
    await play_on(table, 6, ann, bob)
    await bob.do(f"tables/{table}/leave")
    assert (await bob.do(f"tables/{table}/sit")) == {"seat": 1}  # back from the bot
    await bob.do(f"tables/{table}/chat", text="Hello?")
    assert await chat_of(ann, table) == []


async def over(ann: Person, bob: Person) -> str:
    """Start a game that both end early, which allows a rematch as one played to its end; return its table."""
    table = await two_at_table(ann, bob, options=SHORT)
    for person in (ann, bob):
        await person.do(f"tables/{table}/end")
    assert (await sees(ann, table))["status"] == "closed"
    return table


async def test_the_blocked_invite_without_learning_that_nobody_is_asked(ann: Person, bob: Person) -> None:
    table, other_table = await over(ann, bob), await over(ann, bob)
    first = await bob.do(f"tables/{table}/rematch")
    assert len((await ann.get("/api/invitations")).json()["invitations"]) == 1
    await ann.do("me/block", table=table, seat=1)
    assert (await ann.get("/api/invitations")).json()["invitations"] == []  # earlier ones are hidden too
    again = await bob.do(f"tables/{other_table}/rematch")
    assert (await ann.get("/api/invitations")).json()["invitations"] == []
    one, other = (await sees(bob, first["id"])), (await sees(bob, again["id"]))
    for seen in (one, other):
        for seat in seen["seats"]:
            seat["invite"] = bool(seat["invite"])
    secret = ("id", "url", "verdict")
    assert {k: v for k, v in one.items() if k not in secret} == {k: v for k, v in other.items() if k not in secret}


async def test_a_rematch_that_the_blocked_ask_for_waits_for_somebody_who_does_not_come(
    ann: Person, bob: Person
) -> None:
    table = await over(ann, bob)
    await ann.do("me/block", table=table, seat=1)
    made = (await bob.do(f"tables/{table}/rematch"))["id"]
    seats = (await sees(bob, made))["seats"]
    assert [(seat["kind"], seat["name"], seat["kept"]) for seat in seats] == [("guest", "Bob", ""), ("link", "", "Ann")]
    assert made not in (await ann.get("/")).text
    assert (await ann.do(f"tables/{table}/rematch"))["id"] == made
    assert (await sees(ann, made))["my_seat"] is None


async def test_a_rematch_that_one_asks_for_oneself_has_a_free_seat(ann: Person, bob: Person) -> None:
    table = await over(ann, bob)
    await ann.do("me/block", table=table, seat=1)
    made = (await ann.do(f"tables/{table}/rematch"))["id"]
    assert {seat["kind"] for seat in (await sees(ann, made))["seats"]} == {"guest", "open"}
    await bob.refused(f"tables/{made}/sit", 409, "seat-taken")


async def test_play_now_pairs_neither_with_the_other(ann: Person, bob: Person, eve: Person) -> None:
    await bob.do("me/claim", name="Bob", password="correct horse")
    await ann.do("me/block", name="Bob")
    assert await ann.do("lobby/play", game="fortune") == {"url": None}
    assert await bob.do("lobby/play", game="fortune") == {"url": None}
    assert (await eve.do("lobby/play", game="fortune"))["url"]
    assert (await ann.get("/api/invitations")).json()["go"]
    assert not (await bob.get("/api/invitations")).json()["go"]


GUESTS = [f"g{i}" for i in range(9)]
PAIRS = st.frozensets(st.sampled_from([frozenset((a, b)) for a in GUESTS for b in GUESTS if a < b]), max_size=20)


@given(st.lists(st.sampled_from(GUESTS), unique=True), PAIRS, st.integers(2, 4))
def test_who_is_kept_apart_never_meets_and_of_two_nobody_waits_for_nothing(
    guests: list[str], apart: frozenset[frozenset[str]], size: int
) -> None:
    waiting = [Asker(guest, guest, "fortune", "", size, float(i)) for i, guest in enumerate(guests)]
    random.Random(len(guests)).shuffle(waiting)
    found = groups(waiting, 100.0, apart)  # after the time at which any strength will do
    met = [one.guest for group in found for one in group]
    assert len(met) == len(set(met))
    for group in found:
        assert len(group) == size
        assert not any(frozenset((a.guest, b.guest)) in apart for a in group for b in group if a != b)
    if size == 2:
        left = [one.guest for one in waiting if one.guest not in met]
        assert all(frozenset((a, b)) in apart for a in left for b in left if a != b)
    if not apart:
        assert len(found) == len(waiting) // size


async def test_marks_come_along_when_one_signs_in_and_go_when_one_is_deleted(
    ann: Person, bob: Person, arrive: Arrive, house: House
) -> None:
    table = await two_at_table(ann, bob)
    await ann.do("me/claim", name="Ann", password="correct horse")
    phone = arrive()
    await phone.do("me", name="A guest")
    watched = await two_at_table(phone, bob)
    await phone.do("me/block", table=watched, seat=1)
    await bob.do("me/mute", table=watched, seat=0)
    await phone.do("me/sign-in", name="Ann", password="correct horse", bring=True)
    a, b = (await guest_of(ann)).id, (await guest_of(bob)).id
    assert (await house.regards.of(a)).blocked == {b}
    assert (await house.regards.of(b)) == social_rows.Regard(frozenset({a}), frozenset(), frozenset({a}))
    assert (await sees(ann, table))["seats"][1]["blocked"]
    await ann.do("me/delete", password="correct horse")
    assert await house.regards.of(b) == social_rows.NOBODY


async def test_other_processes_hear_of_it(ann: Person, bob: Person, house: House) -> None:
    """Another process writes into the database: this one checks at intervals, and refreshes the pages."""
    table = await two_at_table(ann, bob)
    a, b = (await guest_of(ann)).id, (await guest_of(bob)).id
    assert await house.regards.of(a) == social_rows.NOBODY
    live = await house.table(table)
    with house.presence.listening(live, a) as listener:
        await house.store.do(lambda connection: social_rows.mark(connection, a, b, muted=True))
        listener.news.clear()
        await house.regards.look()
        await listener.wait(asyncio_time() + 5)
        assert listener.news.is_set()
    assert (await house.regards.of(a)).muted == {b}
