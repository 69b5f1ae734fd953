"""Sessions: after one ends, its open pages are signed out in all processes; and links that sign in."""

from __future__ import annotations

import asyncio
import contextlib
import re
import secrets
import sqlite3
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from litestar import Litestar

from parlour.cli.app import run
from parlour.house.accounts import rows as account_rows
from parlour.house.accounts import schema as accounts
from parlour.house.accounts import streams
from parlour.house.accounts.guests import COOKIE
from parlour.house.accounts.rows import MOST_SESSIONS
from parlour.house.house import House
from tests.house.following import WAIT, Follower
from tests.house.people import Person, guest_of, two_at_table
from tests.house.serving import Nursery, Server

Arrive = Callable[[], Person]
SECRET, OTHER = "correct horse", "battery staple"
KEY = {"name": "Ann", "password": SECRET}
AGENTS = ("Mozilla/5.0 (Windows NT 10.0) Firefox/128.0", "Mozilla/5.0 (Linux; Android 14) Chrome/126.0 Safari/537.36")


async def sessions(person: Person) -> dict[str, str]:
    """Return the names of the other sessions on the page You, by id."""
    page = (await person.get("/me")).text
    found = re.findall(r'<li data-session="(\w+)"><span><b>([^<]+)</b>', page)
    return dict(found)


@pytest.fixture
async def phone(ann: Person, arrive: Arrive) -> Person:
    """Return Ann's phone; she has claimed her name on a computer."""
    ann.headers["user-agent"] = AGENTS[0]
    await ann.do("me/claim", **KEY)
    person = arrive()
    person.headers["user-agent"] = AGENTS[1]
    await person.do("me/sign-in", **KEY)
    return person


async def test_sessions_are_listed_in_words_and_each_can_be_ended(ann: Person, phone: Person, bob: Person) -> None:
    (key, browser), *more = (await sessions(ann)).items()
    assert (browser, more) == ("Chrome on Android", [])
    assert list((await sessions(phone)).values()) == ["Firefox on Windows"]
    assert not await sessions(bob)
    await bob.refused("me/sessions/end", 403, "not-claimed", id=key)
    await bob.do("me/claim", name="Bob", password=SECRET)
    await bob.do("me/sessions/end", id=key)  # the session is not his
    mine = (await guest_of(ann)).id
    assert (await guest_of(phone)).id == mine
    await ann.do("me/sessions/end", id=key)
    assert not await sessions(ann)
    error = await phone.refused("me", 403, "signed-out", name="Eve")
    assert "sign in again" in error["message"]
    assert (await guest_of(phone)).id != mine
    await phone.do("me", name="Eve")  # and the phone continues as another guest
    assert (await guest_of(ann)).name == "Ann"


async def test_two_browsers_of_one_kind_are_told_apart(ann: Person, phone: Person, house: House) -> None:
    """The page shows when each signed in, including on its button, and when each was used last."""
    phone.headers["user-agent"] = ann.headers["user-agent"]
    await phone.do("me/sign-out")
    await phone.do("me/sign-in", **KEY)
    mine, (key,) = (await guest_of(ann)).id, await sessions(ann)
    c = accounts.sessions.c

    def earlier(connection: sa.Connection) -> None:
        values = {"created": 1_777_800_000.0, "seen": time.time() - 3 * 86400 - 60}
        connection.execute(sa.update(accounts.sessions).where(c.guest_id == mine, c.id == key).values(values))

    await house.store.do(earlier)
    page = (await ann.get("/me")).text
    listed = " ".join(re.sub(r"<[^>]+>", " ", page.split('<ul class="sessions">')[1].split("</ul>")[0]).split())
    assert listed.startswith("Firefox on Windows This browser, used now Signed in ")
    assert "Firefox on Windows Last used 3 days ago Signed in 3 May 2026, 09:20 UTC" in listed
    assert 'aria-label="End the session of Firefox on Windows, signed in 3 May 2026, 09:20 UTC"' in page


async def test_all_others_end_at_once_and_ones_own_stays(ann: Person, phone: Person, arrive: Arrive) -> None:
    third = arrive()
    await third.do("me/sign-in", **KEY)
    link = (await third.do("me/device"))["url"].partition("#")[2]
    mine = (await guest_of(ann)).id
    await ann.do("me/sessions/end")
    for gone in (phone, third):
        assert (await guest_of(gone)).id != mine
    assert (await guest_of(ann)).id == mine
    await arrive().refused("me/link", 404, "bad-link", token=link)  # a thief's own link is void too


async def test_another_password_ends_all_others_and_changes_the_cookie(
    ann: Person, phone: Person, arrive: Arrive
) -> None:
    await ann.refused("me/password", 403, "wrong-password", password=OTHER, new=OTHER)
    await ann.refused("me/password", 400, "bad-input", password=SECRET, new="short")
    old = ann.cookies[COOKIE]
    mine = (await ann.do("me/password", password=SECRET, new=OTHER))["id"]
    assert ann.cookies[COOKIE] != old
    assert (await guest_of(ann)).id == mine
    assert (await guest_of(phone)).id != mine
    await arrive().refused("me/sign-in", 403, "wrong-password", **KEY)
    assert (await arrive().do("me/sign-in", name="Ann", password=OTHER))["id"] == mine


async def test_of_very_many_sessions_the_oldest_ends(ann: Person, phone: Person, arrive: Arrive, house: House) -> None:
    mine = (await guest_of(ann)).id
    async with house.store.write() as connection:  # as if the phone had not been used for a while
        key = next(iter(await sessions(ann)))
        await connection.execute(sa.update(accounts.sessions).where(accounts.sessions.c.id == key).values(seen=1.0))
    for _ in range(MOST_SESSIONS - 1):
        await arrive().do("me/sign-in", **KEY)
    assert len(await sessions(ann)) == MOST_SESSIONS - 1
    assert (await guest_of(ann)).id == mine
    assert (await guest_of(phone)).id != mine


async def test_a_session_says_when_it_was_used(
    ann: Person, phone: Person, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house.store.write() as connection:
        await connection.execute(sa.update(accounts.sessions).values(seen=time.time() - 3 * 86400))
    assert "Last used 3 days ago" in (await ann.get("/me")).text
    monkeypatch.setattr(streams, "NOTED", 0.0)
    await phone.get("/api/me")
    async with asyncio.timeout(WAIT):
        while "Used within the last minute" not in (await ann.get("/me")).text:  # noqa: ASYNC110
            await asyncio.sleep(0.02)


# An open page ----------------------------------------------------------------------------------------
async def ends(person: Person, table: str, end: Callable[[], Any]) -> float:
    """Open a page of the table, and `end` its session; return for how many seconds the stream stayed open."""
    page = Follower(person, table)
    await page.until(lambda update: bool(update["table"]))
    await end()
    began = time.monotonic()
    await asyncio.wait_for(page.task, WAIT)  # the server ends it, and the client reads it to its end
    return time.monotonic() - began


async def test_a_stolen_session_ends_while_its_page_is_open(nursery: Nursery, tmp_path: Path) -> None:
    """The thief's page then shows a stranger's view, and refuses their moves in plain words."""
    server = nursery.start(database=f"sqlite:///{tmp_path}/parlour.db")
    async with contextlib.AsyncExitStack() as stack:
        ann, bob, thief = [await stack.enter_async_context(Person(base_url=server.url, timeout=WAIT)) for _ in "abc"]
        await ann.do("me", name="Ann")
        await ann.do("me/claim", **KEY)
        table = await two_at_table(ann, bob)
        await thief.do("me/sign-in", **KEY)
        thief.cookies.set(COOKIE, stolen := thief.cookies[COOKIE])
        own = Follower(ann, table)
        took = await ends(thief, table, lambda: ann.do("me/sessions/end"))
        print(f"the page ended {1000 * took:.0f} ms after its session")
        assert took < 2
        thief.cookies = httpx.Cookies({COOKIE: stolen})
        for path in (f"/api/tables/{table}/events", "/api/lobby/events"):  # their page gets no more updates either
            answer = await thief.get(path)
            assert (answer.status_code, answer.json()["error"]["code"]) == (403, "signed-out")
            assert "set-cookie" not in answer.headers
        version = (await ann.see(table))["table"]["version"]
        await thief.refused(f"tables/{table}/moves", 403, "signed-out", move="stop", version=version)
        assert (await thief.see(table))["table"]["my_seat"] is None
        await bob.do(f"tables/{table}/chat", text="still there?")
        await own.until(lambda update: "still there?" in update["table"])  # Ann's own page has stayed open
        await own.close()


@pytest.fixture(scope="module")
def servers(database_of_file: str, redis_url: str, nursery: Nursery) -> list[Server]:
    return [nursery.start(database=database_of_file, redis=redis_url) for _ in range(2)]


@pytest.fixture(scope="module")
def unheard(database_of_file: str, nursery: Nursery, servers: list[Server]) -> Server:  # noqa: ARG001 - the tables are made
    """Start a process that gets no news from the others."""
    return nursery.start(database=database_of_file)


@pytest.fixture
async def comers(servers: list[Server], unheard: Server) -> AsyncIterator[Callable[[int], Person]]:
    """Yield what creates a guest at a process: the first two exchange news, the third gets none."""
    urls = [*(server.url for server in servers), unheard.url]
    async with contextlib.AsyncExitStack() as stack:

        def come(at: int) -> Person:
            person = Person(base_url=urls[at], timeout=WAIT)
            stack.push_async_callback(person.aclose)
            return person

        yield come


@pytest.mark.service
@pytest.mark.parametrize("at", [1, 2])
@pytest.mark.suite("2")
async def test_a_session_that_ends_in_one_process_ends_in_all(comers: Callable[[int], Person], at: int) -> None:
    name = f"Ann {secrets.token_hex(4)}"
    ann, thief, bob = comers(0), comers(at), comers(0)
    await ann.do("me", name=name)
    await ann.do("me/claim", name=name, password=SECRET)
    table = await two_at_table(ann, bob)
    await thief.do("me/sign-in", name=name, password=SECRET)
    stolen = thief.cookies[COOKIE]
    mine = (await guest_of(thief)).id
    took = await ends(thief, table, lambda: ann.do("me/sessions/end"))
    print(f"the page at another process ended after {took:.2f} s")
    assert took < (1 if at == 1 else 5)
    thief.cookies = httpx.Cookies({COOKIE: stolen})
    assert (await guest_of(thief)).id != mine


@pytest.mark.service
@pytest.mark.parametrize("at", [1, 2])
@pytest.mark.suite("2")
async def test_who_signs_in_at_one_process_is_signed_in_at_all_at_once(
    comers: Callable[[int], Person], at: int, size: Callable[[int, int], int]
) -> None:
    """This includes a process that has just seen them as a guest, and gets the news later or never: once it took their
    cookie away there, as if the session had ended."""
    for _ in range(size(3, 10)):
        name = f"Ann {secrets.token_hex(4)}"
        ann, there = comers(0), comers(at)
        await ann.do("me", name=name)
        there.cookies = httpx.Cookies(ann.cookies)
        assert (await guest_of(there)).name == name  # it has them in its cache from now on
        mine = await ann.do("me/claim", name=name, password=SECRET)
        there.cookies = httpx.Cookies(ann.cookies)
        await there.do("me", name=name)
        assert (await guest_of(there)).id == mine["id"]
        assert there.cookies[COOKIE] == ann.cookies[COOKIE]


@pytest.mark.service
async def test_a_person_is_deleted_in_all_processes(comers: Callable[[int], Person]) -> None:
    ann, bob, phone = comers(0), comers(1), comers(1)
    name = f"Ann {secrets.token_hex(4)}"
    await ann.do("me", name=name)
    await ann.do("me/claim", name=name, password=SECRET)
    await bob.do("me", name="Bob")
    table = await two_at_table(ann, bob)
    await ann.do(f"tables/{table}/chat", text="adieu")
    assert "adieu" in str(await bob.see(table))
    await phone.do("me/sign-in", name=name, password=SECRET)
    page = Follower(bob, table)
    await page.until(lambda update: name in update["table"])
    await ann.do("me/delete", password=SECRET)
    while name in (seen := str(await bob.see(table))) or "adieu" in seen:  # noqa: ASYNC110
        await asyncio.sleep(0.05)
    assert "Somebody" in seen
    await phone.refused("me", 403, "signed-out", name=name)
    await page.close()


# Links -----------------------------------------------------------------------------------------------
def token_of(url: str) -> str:
    address, _, token = url.partition("#")
    assert address.endswith("/link")
    assert len(token) == 32
    return token


async def test_a_link_signs_in_another_device_once(ann: Person, phone: Person, arrive: Arrive) -> None:
    made = await ann.do("me/device")
    token = token_of(made["url"])
    assert (made["minutes"], made["qr"][:4]) == (5, "<svg")
    tablet = arrive()
    assert (await tablet.get("/link")).is_success
    for _ in range(2):  # looking does not use it up
        assert await tablet.do("me/link/look", token=token) == {"name": "Ann", "kind": "device"}
    assert (await tablet.do("me/link", token=token))["id"] == (await guest_of(ann)).id
    for path in ("me/link/look", "me/link"):
        error = await arrive().refused(path, 404, "bad-link", token=token)
        assert "has already been used" in error["message"]
    error = await arrive().refused("me/link/look", 404, "bad-link", token="none")
    assert "isn't valid here" in error["message"]
    assert len(await sessions(phone)) == 2


async def test_of_two_who_open_a_link_at_once_one_gets_in(ann: Person, phone: Person, arrive: Arrive) -> None:  # noqa: ARG001
    token = token_of((await ann.do("me/device"))["url"])
    answers = await asyncio.gather(*(arrive().post("/api/me/link", json={"token": token}) for _ in range(5)))
    assert sorted(answer.status_code for answer in answers) == [200, 404, 404, 404, 404]


async def test_a_link_that_is_too_old_says_so(ann: Person, arrive: Arrive, monkeypatch: pytest.MonkeyPatch) -> None:
    await ann.do("me/claim", **KEY)
    token = token_of((await ann.do("me/device"))["url"])
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 301)
    for path in ("me/link/look", "me/link"):
        error = await arrive().refused(path, 404, "bad-link", token=token)
        assert "has expired: it worked for 5 minutes" in error["message"]


async def test_a_new_link_makes_the_one_before_void(ann: Person, arrive: Arrive) -> None:
    await ann.do("me/claim", **KEY)
    first, second = [token_of((await ann.do("me/device"))["url"]) for _ in range(2)]
    await arrive().refused("me/link", 404, "bad-link", token=first)
    assert (await arrive().do("me/link", token=second))["claimed"]
    await arrive().refused("me/device", 403, "not-claimed")


async def test_what_a_link_holds_is_not_in_the_database(ann: Person, house: House) -> None:
    await ann.do("me/claim", **KEY)
    token = token_of((await ann.do("me/device"))["url"])
    async with house.store.read() as connection:
        (row,) = await connection.execute(sa.select(accounts.links))
    assert token not in str(row)


def reset_link(capsys: pytest.CaptureFixture[str], database: str, *arguments: str) -> str:
    """Return the first line that `parlour house reset-link` prints."""
    assert run(["house", "reset-link", "--database", database, "--url", "https://house.test/", *arguments]) == 0
    return capsys.readouterr().out.splitlines()[0]


async def test_who_has_lost_their_password_gets_a_link_from_whoever_runs_the_house(
    nursery: Nursery, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A server runs meanwhile, and its log never contains the link's token."""
    address, log = f"sqlite:///{tmp_path}/parlour.db", tmp_path / "log"
    server = nursery.start(database=address, log="json", said=str(log))
    async with Person(base_url=server.url) as ann, Person(base_url=server.url) as new:
        await ann.do("me", name="Ann")
        mine = (await ann.do("me/claim", **KEY))["id"]
        url = await asyncio.to_thread(reset_link, capsys, address, "ann")
        assert url.startswith("https://house.test/link#")
        token = token_of(url)
        assert (await new.get("/link")).is_success
        assert await new.do("me/link/look", token=token) == {"name": "Ann", "kind": "reset"}
        with contextlib.closing(sqlite3.connect(tmp_path / "parlour.db")) as kept:  # it is in the moderators' log
            acts = kept.execute("SELECT kind, keeper, about, words FROM acts").fetchall()
        assert acts == [("reset", "", mine, "From the command line, for 24 hours.")]
        await new.refused("me/link", 400, "bad-input", token=token)  # without a password it is not used up
        assert (await new.do("me/link", token=token, password=OTHER))["id"] == mine
        await ann.refused("me", 403, "signed-out", name="Ann")  # everywhere else
        await new.refused("me/link", 404, "bad-link", token=token, password=OTHER)
        assert (await ann.do("me/sign-in", name="Ann", password=OTHER))["id"] == mine
        said = log.read_text("utf-8")
        assert "/api/me/link" in said
        for secret in (token, OTHER, SECRET):
            assert secret not in said


def test_a_link_for_nobody_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], nursery: Nursery) -> None:
    address = f"sqlite:///{tmp_path}/parlour.db"
    nursery.start(database=address)
    assert run(["house", "reset-link", "--database", address, "Nemo"]) != 0
    assert "No account in this house has the name 'Nemo'" in capsys.readouterr().err


async def test_an_account_is_known_in_one_look(ann: Person, bob: Person, app: Litestar) -> None:
    house: House = app.state.house
    await ann.do("me/claim", **KEY)
    ids = [(await guest_of(person)).id for person in (ann, bob)]
    found = await house.store.look(lambda connection: account_rows.claimed(connection, [*ids, *map(str, range(1200))]))
    assert {guest: len(open_) for guest, open_ in found.items()} == {ids[0]: 1}
