"""API tokens: what a program may do with one, and that it does no more, and no longer."""

from __future__ import annotations

import asyncio
import io
import json
import re
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from litestar import Litestar
from litestar.routes import HTTPRoute

from parlour.house.accounts.tokens import rows
from parlour.house.house import House
from parlour.house.http.bearer import SCOPE
from parlour.house.http.rates import READING, Price, Rates
from parlour.house.settings import Settings
from tests.house.authenticator import Device, at_home, claim, use
from tests.house.people import Person, guest_of

Arrive = Callable[[], Person]
SECRET, OTHER = "correct horse", "battery staple"
NOBODYS = f"parlour_{'0' * 24}_{'x' * 32}"  # written as a token


def program(arrive: Arrive, token: str) -> Person:
    """Return a program that sends this token and no cookie."""
    made = arrive()
    made.headers["authorization"] = f"Bearer {token}"
    return made


@pytest.fixture
async def owner(ann: Person) -> Person:
    await ann.do("me/claim", name="Ann", password=SECRET)
    return ann


async def made(owner: Person, **body: Any) -> dict[str, str]:
    found: dict[str, str] = await owner.do("me/tokens/new", **{"name": "Robot", "password": SECRET, **body})
    return found


async def listed(owner: Person) -> list[str]:
    """Return the lines of the tokens on the page You."""
    section = (await owner.get("/me")).text.split('id="tokens">')[1].split("</section>")[0]
    items = re.findall(r"<li data-token.*?</span>", section)
    return [" ".join(re.sub(r"<[^>]+>", " ", one).split()) for one in items]


async def code_of(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


async def test_a_token_is_its_owner_and_says_that_it_is_a_program(owner: Person, arrive: Arrive) -> None:
    robot = program(arrive, (await made(owner))["secret"])
    answer = await robot.get("/api/me")
    mine = (await guest_of(owner)).id
    assert (answer.json()["id"], answer.json()["program"]) == (mine, True)
    assert "set-cookie" not in answer.headers, "a token is not a session, and leads to none"
    assert not (await guest_of(owner)).program
    async with asyncio.timeout(10):
        while await listed(owner) != ["Robot may play and read; used just now, made just now"]:  # noqa: ASYNC110
            await asyncio.sleep(0.01)  # its use is noted after the answer


async def test_a_token_is_stored_as_a_hash_alone(owner: Person, settings: Settings, house: House) -> None:
    token = await made(owner)
    with closing(sqlite3.connect(settings.database.removeprefix("sqlite:///"))) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (row,) = connection.execute("SELECT id, name, scopes, used FROM tokens").fetchall()
    assert row == (token["id"], "Robot", "play read", None)
    for file in Path(settings.database.removeprefix("sqlite:///")).parent.glob("parlour.db*"):
        assert token["secret"].encode() not in file.read_bytes()
    assert token["secret"] not in (await owner.get("/me")).text
    del house


async def test_making_one_needs_a_proof_as_a_passkey_does(owner: Person, bob: Person, arrive: Arrive) -> None:
    await owner.refused("me/tokens/new", 403, "wrong-password", name="Robot", password=OTHER)
    await bob.refused("me/tokens/new", 403, "not-claimed", name="Robot", password=SECRET)
    await owner.refused("me/tokens/new", 400, "bad-input", name="", password=SECRET)
    none = await owner.refused("me/tokens/new", 400, "bad-input", name="Robot", password=SECRET, play=False, read=False)
    assert none["allowed"] == ["play", "read"]
    cid, key = at_home(arrive()), Device()
    await claim(cid, key, "Cid")
    token = await cid.do("me/tokens/new", name="Robot", answer=await use(cid, key, "token"))
    assert (await guest_of(program(arrive, token["secret"]))).name == "Cid"


async def test_an_account_has_only_so_many_and_each_name_once(owner: Person) -> None:
    for number in range(rows.MOST):
        await made(owner, name=f"Robot {number}")
    error = await owner.refused("me/tokens/new", 400, "bad-input", name="One more", password=SECRET)
    assert error["message"] == f"You can have at most {rows.MOST} tokens. Revoke one that you don't use."
    page = (await owner.get("/me")).text
    (first,) = re.findall(r'<li data-token="(\w+)"><span><b><bdi>Robot 0<', page)
    await owner.do("me/tokens/revoke", id=first)
    error = await owner.refused("me/tokens/new", 400, "bad-input", name="Robot 1", password=SECRET)
    assert "Choose another name" in error["message"]
    await made(owner, name="One more")


async def test_a_revoked_token_is_refused_at_once_and_strangers_revoke_none(
    owner: Person, bob: Person, arrive: Arrive
) -> None:
    token = await made(owner)
    robot = program(arrive, token["secret"])
    await guest_of(robot)
    await bob.do("me/claim", name="Bob", password=SECRET)
    await bob.do("me/tokens/revoke", id=token["id"])
    await guest_of(robot)
    await owner.do("me/tokens/revoke", id=token["id"])
    answer = await robot.get("/api/me")
    assert await code_of(answer) == (401, "bad-token")
    assert answer.headers["www-authenticate"] == "Bearer"
    assert "another under You" in answer.json()["error"]["message"]
    assert not await listed(owner)


@pytest.mark.parametrize("sent", ["", "x", NOBODYS, f"{NOBODYS}x", "parlour__", "ä".encode()])
async def test_what_is_no_token_is_refused(sent: str | bytes, arrive: Arrive, owner: Person) -> None:
    stranger = arrive()
    header = b"Bearer " + (sent if isinstance(sent, bytes) else sent.encode())
    assert await code_of(await stranger.get("/api/me", headers={b"authorization": header})) == (401, "bad-token")
    del owner


async def test_a_token_of_one_account_with_the_name_of_another_is_refused(
    owner: Person, bob: Person, arrive: Arrive
) -> None:
    await bob.do("me/claim", name="Bob", password=SECRET)
    mine, theirs = (await made(owner))["secret"], (await guest_of(bob)).id
    forged = mine.replace((await guest_of(owner)).id, theirs)
    assert forged != mine
    assert await code_of(await program(arrive, forged).get("/api/me")) == (401, "bad-token")


async def test_the_password_of_a_proxy_is_no_token(owner: Person, arrive: Arrive) -> None:
    """A proxy may ask browsers for a password of its own; its header reaches the house."""
    mine = (await guest_of(owner)).id
    for header in ("Basic YTpi", "Bearer eyJhbGciOiJIUzI1NiJ9.e30.x"):
        answer = await owner.get("/api/me", headers={"authorization": header})
        assert (answer.json()["id"], answer.json()["program"]) == (mine, False)
        assert (await arrive().get("/health", headers={"authorization": header})).status_code == 200
    assert await code_of(await owner.get("/api/me", headers={"authorization": f"Bearer {NOBODYS}"})) == (
        401,
        "bad-token",
    )


async def test_without_the_scope_nothing_is_done(owner: Person, arrive: Arrive) -> None:
    robot = program(arrive, (await made(owner, read=False))["secret"])
    answer = await robot.get("/api/me")
    assert await code_of(answer) == (403, "wrong-scope")
    assert answer.json()["error"]["allowed"] == ["read"]


async def test_programs_reach_only_the_addresses_that_say_so(owner: Person, arrive: Arrive, app: Litestar) -> None:
    """Every other address refuses a valid token, whatever is sent; so no token changes an account."""
    robot = program(arrive, (await made(owner))["secret"])
    taking: set[str] = set()
    for route in app.routes:
        if not isinstance(route, HTTPRoute):
            continue
        path = re.sub(r"\{\w+:\w+\}", "x", route.path)
        for handler in route.route_handlers:
            method = min(handler.http_methods & {"GET", "POST"}, default="")
            if SCOPE in handler.opt:
                taking.add(f"{method} {route.path_format}")
            if not method or SCOPE in handler.opt:
                continue
            answer = await robot.request(method, path, json={} if method == "POST" else None)
            hidden = path.startswith("/house")
            assert await code_of(answer) == ((404, "not-found") if hidden else (403, "wrong-scope")), (method, path)
    assert "GET /api/me" in taking
    assert not any("/api/me/" in one for one in taking)


async def test_a_new_password_revokes_all_and_ending_sessions_none(owner: Person, arrive: Arrive) -> None:
    robot = program(arrive, (await made(owner))["secret"])
    await owner.do("me/sessions/end")
    await guest_of(robot)
    await owner.do("me/password", password=SECRET, new=OTHER)
    assert await code_of(await robot.get("/api/me")) == (401, "bad-token")


async def test_tokens_go_with_the_account(owner: Person, arrive: Arrive, settings: Settings) -> None:
    robot = program(arrive, (await made(owner))["secret"])
    await guest_of(robot)
    await owner.do("me/delete", password=SECRET)
    assert await code_of(await robot.get("/api/me")) == (401, "bad-token")
    with closing(sqlite3.connect(settings.database.removeprefix("sqlite:///"))) as connection:
        assert connection.execute("SELECT count(*) FROM tokens").fetchone() == (0,)


async def test_the_export_names_tokens_and_lets_no_one_use_them(owner: Person) -> None:
    token = await made(owner, play=False)
    with zipfile.ZipFile(io.BytesIO((await owner.get("/me/export")).content)) as pack:
        text = pack.read("me.json").decode()
    (one,) = json.loads(text)["tokens"]
    assert (one["name"], one["may"], one["used"]) == ("Robot", ["read"], None)
    assert token["secret"] not in text
    assert token["id"] not in text


async def test_a_token_pays_as_its_owner_and_guesses_pay_for_themselves(
    owner: Person, arrive: Arrive, app: Litestar
) -> None:
    robot = program(arrive, (await made(owner))["secret"])
    mine, here, rates = (await guest_of(robot)).id, "127.0.0.1", Rates(clock=lambda: 0.0)
    app.state["rates"] = rates
    rates.charge(Price(READING, 595), mine, here)  # of 600
    answers = [(await robot.get("/api/me")).status_code for _ in range(6)]
    assert answers == [200] * 5 + [429]
    assert (await owner.get("/api/me")).status_code == 429, "they share what the account may do"
    rates.charge(Price(READING, 2395), None, here)  # of 3,000 at an address, 600 of which are spent
    guesser = program(arrive, NOBODYS)
    found = [(await guesser.get("/api/me")).status_code for _ in range(6)]
    assert found == [401] * 5 + [429]
