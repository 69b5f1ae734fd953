"""What people do with their accounts and to each other while a house may be killed: each act is a request, and a check
of what must be true afterwards, acknowledged or not. The checks follow docs/architecture.md and SECURITY.md, and use
the house's addresses and its database, never its own functions."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import sqlite3
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import httpx

from tests.house.accounts.test_belongings import packed
from tests.house.invitations.test_inviting import invitations
from tests.house.people import ME, OPEN, Person
from tests.house.serving import Server

OLD, NEW = "correct horse", "battery staple"
MOMENT = 20.0  # seconds in which a restarted house finishes what it had begun
Answer = httpx.Response | None  # None: the house died first


class Act(NamedTuple):
    """A request to a house, and what must be true after it is back. `check` raises AssertionError."""

    send: Callable[[], Awaitable[httpx.Response]]
    check: Callable[[Answer], Awaitable[None]]


@dataclass
class Cast:
    """The people of a house, and its database."""

    server: Server
    file: Path
    people: list[Person] = field(default_factory=list)

    async def arrive(self, name: str = "", password: str = "") -> Person:
        """Return a new guest; with a password, one who has claimed a name."""
        person = Person(base_url=self.server.url, timeout=60)
        self.people.append(person)
        if password:
            await person.do("me/claim", name=name, password=password)
        else:
            await person.do("me", name=name or self.name())
        return person

    def name(self) -> str:
        """Return a new name that occurs nowhere else."""
        return f"Quist{secrets.token_hex(4)}"

    def move_to(self, server: Server) -> None:
        """Move everyone, with their cookies, to the restarted house at its new port."""
        self.server = server
        for person in self.people:
            person.base_url = httpx.URL(server.url)

    async def go(self) -> None:
        """Close all connections."""
        await asyncio.gather(*(person.aclose() for person in self.people))
        self.people.clear()

    def rows(self, query: str, **given: object) -> list[tuple[Any, ...]]:
        """Return what a query finds in the database."""
        with contextlib.closing(sqlite3.connect(f"file:{self.file}?mode=ro", uri=True, timeout=30)) as connection:
            return connection.execute(query, given).fetchall()

    def number(self, query: str, **given: object) -> int:
        """Return the number that a query finds."""
        return int(self.rows(query, **given)[0][0])

    def sessions(self, guest: str) -> int:
        return self.number("SELECT count(*) FROM sessions WHERE guest_id = :guest", guest=guest)

    def holding(self, *words: str) -> list[str]:
        """Return the rows of any table that contain one of these, in upper or lower case."""
        tables = [name for (name,) in self.rows("SELECT name FROM sqlite_master WHERE type = 'table'")]
        rows = [f"{name}: {row}" for name in tables for row in self.rows(f'SELECT * FROM "{name}"')]
        return [row for row in rows if any(word.casefold() in row.casefold() for word in words)]

    async def until(self, true: Callable[[], bool], what: str) -> None:
        """Wait until the house has done something, at most a moment."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(MOMENT):
                while not true():  # noqa: ASYNC110
                    await asyncio.sleep(0.05)
        assert true(), what


def refused(answer: httpx.Response, *codes: str) -> None:
    """Check that a request was refused in plain words."""
    assert 400 <= answer.status_code < 500, answer.text
    error = answer.json()["error"]
    assert error["code"] in codes, answer.text
    assert error["message"].strip(), answer.text


async def id_of(person: Person) -> str:
    return str((await person.get("/api/me")).json()["id"])


async def is_known(person: Person, name: str) -> None:
    """Check that a person is signed in with this name."""
    me = (await person.get("/api/me")).json()
    assert (me["name"], me["claimed"]) == (name, True), me


async def begun(ann: Person, bob: Person, **body: Any) -> str:
    """Start a game of two that Ann hosts; return its id."""
    table = await ann.make(ME, OPEN, **body)
    await bob.do(f"tables/{table}/sit")
    await ann.do(f"tables/{table}/start")
    return table


async def finished(ann: Person, bob: Person) -> str:
    """Play a game of two to its end; return its id."""
    table = await begun(ann, bob, game="kuhn")
    while (seen := await ann.see(table))["table"]["status"] != "over":
        for person in (ann, bob):
            if (seen := await person.see(table))["legal"]:
                await person.do(f"tables/{table}/moves", move="pass", version=seen["table"]["version"])
    return table


def lines(seen: dict[str, Any], seat: int | None) -> int:
    """Return how many chat messages are from this seat."""
    return sum(line["seat"] == seat for line in seen["table"]["chat"])


# Accounts --------------------------------------------------------------------------------------------
async def claiming(cast: Cast) -> Act:
    """A guest with a table claims a name."""
    name, person = cast.name(), await cast.arrive()
    table, body = await person.make(ME, OPEN), {"name": name, "password": OLD}

    async def check(answer: Answer) -> None:
        names = "SELECT count(*) FROM people JOIN guests USING (id) WHERE name = :name"
        there = cast.number(names, name=name)
        of_it = "SELECT count(*) FROM sessions JOIN guests ON guests.id = guest_id WHERE name = :name"
        assert cast.number(of_it, name=name) == there  # both or neither
        assert bool((await (await cast.arrive()).get(f"/p/{name}")).is_success) == bool(there)
        if answer is None:
            again = await person.post("/api/me/claim", json=body)
            if not there:
                assert again.is_success, again.text
            elif again.json()["error"]["code"] != "already-claimed":  # the cookie had not arrived
                refused(again, "signed-out")
                refused(await person.post("/api/me/claim", json=body), "name-taken")
                await person.do("me/sign-in", **body)
        else:
            assert there
        await is_known(person, name)
        seen = (await person.see(table))["table"]
        assert (seen["my_seat"], seen["seats"][0]["name"]) == (0, name)

    return Act(lambda: person.post("/api/me/claim", json=body), check)


async def by_link(cast: Cast) -> Act:
    """Another device signs in with a link, and brings a table along."""
    name, phone = cast.name(), await cast.arrive()
    person = await cast.arrive(name, OLD)
    guest, table = await id_of(person), await phone.make(ME, OPEN)

    async def link() -> dict[str, str]:
        return {"token": (await person.do("me/device"))["url"].partition("#")[2]}

    body = await link()

    async def check(answer: Answer) -> None:
        used = cast.number("SELECT count(*) FROM links WHERE guest_id = :guest AND used", guest=guest)
        moved = cast.number("SELECT count(*) FROM tables WHERE id = :table AND host = :guest", table=table, guest=guest)
        assert (used, moved) == (cast.sessions(guest) - 1,) * 2, "a link is used where it signs in, and nowhere else"
        if answer is None:
            again = await phone.post("/api/me/link", json=body)
            if used:
                refused(again, "bad-link")
                await phone.do("me/link", **await link())
            else:
                assert again.is_success, again.text
        else:
            assert used
        await is_known(phone, name)
        assert (await person.see(table))["table"]["my_seat"] == 0

    return Act(lambda: phone.post("/api/me/link", json=body), check)


async def signing_in(cast: Cast) -> Act:
    """A guest with a table signs in with a password."""
    name, phone = cast.name(), await cast.arrive()
    person = await cast.arrive(name, OLD)
    guest, table, body = await id_of(person), await phone.make(ME, OPEN), {"name": name, "password": OLD}

    async def check(answer: Answer) -> None:
        moved = cast.number("SELECT count(*) FROM tables WHERE id = :table AND host = :guest", table=table, guest=guest)
        assert moved == cast.sessions(guest) - 1
        if answer is None:
            await phone.do("me/sign-in", **body)
        else:
            assert moved
        await is_known(phone, name)
        assert (await phone.see(table))["table"]["my_seat"] == 0

    return Act(lambda: phone.post("/api/me/sign-in", json=body), check)


async def another_password(cast: Cast) -> Act:
    """A person with two devices changes their password."""
    name, phone = cast.name(), await cast.arrive()
    person = await cast.arrive(name, OLD)
    await phone.do("me/sign-in", name=name, password=OLD)
    body = {"password": OLD, "new": NEW}

    async def check(answer: Answer) -> None:
        ins = [
            (await (await cast.arrive()).post("/api/me/sign-in", json={"name": name, "password": one})).is_success
            for one in (OLD, NEW)
        ]
        assert ins in ([True, False], [False, True])
        response = await phone.post("/api/me/preferences", json={"name": "theme", "value": "dark"})
        if ins[1]:
            refused(response, "signed-out")
        else:
            assert response.is_success
        if answer is not None:
            assert ins[1]
        else:
            again = await person.post("/api/me/password", json=body)
            if ins[1]:
                refused(again, "signed-out", "wrong-password")  # the second if the cookie had arrived
                await person.do("me/sign-in", name=name, password=NEW)
            else:
                assert again.is_success, again.text
        await is_known(person, name)

    return Act(lambda: person.post("/api/me/password", json=body), check)


# Personal data ---------------------------------------------------------------------------------------
async def preferring(cast: Cast) -> Act:
    """A guest prefers dark pages."""
    person, body = await cast.arrive(), {"name": "theme", "value": "dark"}

    async def check(answer: Answer) -> None:
        chosen = (await person.get("/api/me")).json()["preferences"]
        assert chosen in ([{"theme": "dark"}] if answer is not None else [{}, {"theme": "dark"}])
        await person.do("me/preferences", **body)
        assert (await person.get("/api/me")).json()["preferences"] == {"theme": "dark"}

    return Act(lambda: person.post("/api/me/preferences", json=body), check)


async def notifying(cast: Cast) -> Act:
    """A guest sets up a webhook for notifications, of chat too."""
    person, address = await cast.arrive(), "http://127.0.0.1:9/hook"
    body = {"kind": "hook", "address": address, "chat": True}
    # chat was requested, the others are the default
    of = ["turn", "game", "invitation", "answers", "clubs", "chat"]

    async def check(answer: Answer) -> None:
        places = (await packed(person))[0]["told"]
        assert len(places) <= 1
        if answer is not None:
            assert [(one["where"], one["of"]) for one in places] == [(address, of)]
            assert answer.json()["secret"]
        assert (await person.do("me/told", **body))["secret"]
        assert [one["where"] for one in (await packed(person))[0]["told"]] == [address]

    return Act(lambda: person.post("/api/me/told", json=body), check)


async def blocking(cast: Cast) -> Act:
    """A player blocks another, who then cannot sit at other tables of theirs."""
    name = cast.name()
    ann, bob = await cast.arrive(), await cast.arrive(name)
    table, other = await begun(ann, bob), await ann.make(ME, OPEN)
    body = {"table": table, "seat": 1}

    async def check(answer: Answer) -> None:
        mine = (await packed(ann))[0]
        blocked = name in mine["blocked"]
        assert blocked or answer is None
        free = [seat["kind"] for seat in (await bob.see(other))["table"]["seats"]][1] == "open"
        assert free is not blocked
        assert (await ann.do("me/block", **body))["blocked"]
        refused(await bob.post(f"/api/tables/{other}/sit", json={}), "seat-taken", "forbidden")

    return Act(lambda: ann.post("/api/me/block", json=body), check)


async def saying(cast: Cast) -> Act:
    """A player sends a chat message."""
    ann, bob = await cast.arrive(), await cast.arrive()
    table, body = await begun(ann, bob), {"text": cast.name(), "id": "once"}

    async def check(answer: Answer) -> None:
        kept = [line["id"] for line in (await bob.see(table))["table"]["chat"]]
        if answer is not None:
            assert kept == [answer.json()["id"]]
        assert len(kept) <= 1
        again = (await ann.do(f"tables/{table}/chat", **body))["id"]
        assert again in kept or not kept
        assert [line["text"] for line in (await bob.see(table))["table"]["chat"]] == [body["text"]]

    return Act(lambda: ann.post(f"/api/tables/{table}/chat", json=body), check)


# With others -----------------------------------------------------------------------------------------
async def voting(cast: Cast) -> Act:
    """A player votes to end a game, which the table sees."""
    ann, bob = await cast.arrive(), await cast.arrive()
    table = await begun(ann, bob)

    async def check(answer: Answer) -> None:
        await ann.see(table)  # both are there again
        seen = await bob.see(table)
        wants = 0 in seen["table"]["ending"]
        assert wants or answer is None
        assert lines(seen, 0) == wants, "a wish and its line go together"
        await ann.do(f"tables/{table}/end")
        seen = await bob.see(table)
        assert (seen["table"]["ending"], lines(seen, 0)) == ([0], 1)
        await bob.do(f"tables/{table}/end")
        assert (await ann.see(table))["table"]["status"] == "closed"

    return Act(lambda: ann.post(f"/api/tables/{table}/end", json={}), check)


async def agreeing(cast: Cast) -> Act:
    """The last voter agrees to end a game with clocks."""
    ann, bob = await cast.arrive(), await cast.arrive()
    table = await begun(ann, bob, tempo={"bank": 600.0, "increment": 5.0})
    await ann.do(f"tables/{table}/end")

    async def check(answer: Answer) -> None:
        await ann.see(table)
        closed = (await bob.see(table))["table"]["status"] == "closed"
        assert closed or answer is None
        again = await bob.post(f"/api/tables/{table}/end", json={})
        if closed:
            refused(again, "not-playing")
        else:
            assert again.is_success, again.text
        assert (await ann.see(table))["table"]["status"] == "closed"
        query = "SELECT status, due, began, turn FROM tables WHERE id = :table"
        assert cast.rows(query, table=table) == [("closed", None, 0.0, "")]

    return Act(lambda: bob.post(f"/api/tables/{table}/end", json={}), check)


async def inviting(cast: Cast) -> Act:
    """A player asks for a rematch."""
    name = cast.name()
    ann, bob = await cast.arrive(), await cast.arrive(name)
    table = await finished(ann, bob)

    async def check(answer: Answer) -> None:
        made = (await ann.see(table))["table"]["rematch"]
        asked = [one["id"] for one in await invitations(bob)]
        assert asked == ([made] if made else [])
        if answer is not None:
            assert answer.json()["id"] == made
        again = (await ann.do(f"tables/{table}/rematch"))["id"]
        assert again == made or not made
        assert [one["id"] for one in await invitations(bob)] == [again]
        kept = cast.rows("SELECT kind, name FROM seats WHERE table_id = :again ORDER BY kind", again=again)
        assert kept[1] == ("link", name)

    return Act(lambda: ann.post(f"/api/tables/{table}/rematch", json={}), check)


async def accepting(cast: Cast) -> Act:
    """An invited player accepts, and the game begins."""
    ann, bob = await cast.arrive(), await cast.arrive()
    table = await finished(ann, bob)
    made = (await ann.do(f"tables/{table}/rematch"))["id"]

    async def check(answer: Answer) -> None:
        seen = (await bob.see(made))["table"]
        sits = seen["my_seat"] is not None
        assert (seen["status"] == "playing") is sits
        assert sits or answer is None
        assert (await bob.do(f"tables/{table}/rematch"))["id"] == made
        assert not await invitations(bob)
        assert [seat["kind"] for seat in (await ann.see(made))["table"]["seats"]] == ["guest", "guest"]

    return Act(lambda: bob.post(f"/api/tables/{table}/rematch", json={}), check)


async def declining(cast: Cast) -> Act:
    """An invited player declines, which the table sees."""
    name = cast.name()
    ann, bob = await cast.arrive(), await cast.arrive(name)
    made = (await ann.do(f"tables/{await finished(ann, bob)}/rematch"))["id"]

    async def check(answer: Answer) -> None:
        seen = await ann.see(made)
        asked = [one["id"] for one in await invitations(bob)] == [made]
        assert not (asked and answer is not None)
        names = cast.number("SELECT count(*) FROM seats WHERE table_id = :made AND name = :name", made=made, name=name)
        assert (names, lines(seen, None)) == ((1, 0) if asked else (0, 1)), "reserved without a line, or free with one"
        again = await bob.post(f"/api/tables/{made}/decline", json={})
        if asked:
            assert again.is_success, again.text
        else:
            refused(again, "bad-link")
        assert lines(await ann.see(made), None) == 1

    return Act(lambda: bob.post(f"/api/tables/{made}/decline", json={}), check)


async def rated_end(cast: Cast) -> Act:
    """A player makes the last move of a rated game."""
    ann, bob = await cast.arrive(cast.name(), OLD), await cast.arrive(cast.name(), OLD)
    table = await begun(ann, bob, game="kuhn", rated=True)
    who = ann if (await ann.see(table))["legal"] else bob
    last = bob if who is ann else ann
    await who.do(f"tables/{table}/moves", move="bet", version=(await who.see(table))["table"]["version"])
    body = {"move": "bet", "version": (await last.see(table))["table"]["version"], "id": "last"}

    async def check(answer: Answer) -> None:
        status = "SELECT count(*) FROM tables WHERE id = :table AND status = 'over'"
        assert cast.number(status, table=table) or answer is None
        await last.do(f"tables/{table}/moves", **body)
        assert cast.number(status, table=table)
        outcomes = "SELECT count(*) FROM outcomes WHERE table_id = :table AND share IS NOT NULL"
        rated = "SELECT count(*) FROM rated WHERE table_id = :table AND number > 0 AND mu IS NOT NULL"
        await cast.until(
            lambda: [cast.number(one, table=table) for one in (outcomes, rated)] == [2, 2], "it is not counted"
        )
        for person in (ann, bob):
            guest = await id_of(person)
            assert cast.rows("SELECT games FROM ratings WHERE player = :guest", guest=guest) == [(1,)]

    return Act(lambda: last.post(f"/api/tables/{table}/moves", json=body), check)


# Deleted accounts ------------------------------------------------------------------------------------
async def parting(cast: Cast, password: str = OLD) -> Act:
    """A person in the middle of everything deletes their account."""
    name = cast.name()
    person, bob = await cast.arrive(name, password), await cast.arrive()
    guest = await id_of(person)
    over = await finished(person, bob)
    asked = (await bob.do(f"tables/{over}/rematch"))["id"]
    table = await begun(person, bob, tempo={"bank": 600.0, "increment": 5.0})
    waits = await person.make(ME, OPEN)
    await person.do(f"tables/{table}/chat", text=f"I am {name}")
    await person.do(f"tables/{table}/end")
    await person.do("me/told", kind="hook", address="http://127.0.0.1:9/hook")
    await bob.do("me/mute", table=over, seat=0)
    body = {"password": password} if password else {"word": "delete"}

    async def check(answer: Answer) -> None:
        stands = cast.number("SELECT count(*) FROM guests WHERE id = :guest AND name = :name", guest=guest, name=name)
        assert not (stands and answer is not None)
        if stands:  # nothing was done
            own = "SELECT count(*) FROM seats WHERE guest_id = :guest AND kind = 'guest' AND name = :name"
            assert cast.number(own, guest=guest, name=name) == 3
            assert cast.sessions(guest) == bool(password)
            assert len(await invitations(person)) == 1
        if answer is None:
            again = await person.post("/api/me/delete", json=body)
            if not again.is_success:
                assert not stands
                refused(again, "signed-out", "bad-input")  # the browser is another guest by now
        await cast.until(lambda: not cast.holding(name, guest), f"still there: {cast.holding(name, guest)}")
        assert (await bob.record(over)).names == ("Somebody", bob_is)
        assert (await bob.get(f"/t/{waits}")).status_code == 404
        assert not (await bob.see(asked))["table"]["seats"][1]["name"]
        seen = (await bob.see(table))["table"]
        assert [(one["name"], one["kind"]) for one in seen["seats"]] == [("Somebody", "bot"), (bob_is, "guest")]
        async with asyncio.timeout(MOMENT):
            while not (seen := await bob.see(table))["legal"] and seen["table"]["status"] == "playing":  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        assert cast.number("SELECT count(*) FROM tables WHERE id = :table AND due IS NOT NULL", table=table)

    bob_is = (await bob.get("/api/me")).json()["name"]
    return Act(lambda: person.post("/api/me/delete", json=body), check)


async def parting_of_a_guest(cast: Cast) -> Act:
    """A guest without an account does the same."""
    return await parting(cast, "")


ACTS: tuple[Callable[[Cast], Awaitable[Act]], ...] = (
    claiming, by_link, signing_in, another_password, preferring, notifying, blocking, saying, voting, agreeing,
    inviting, accepting, declining, rated_end, parting, parting_of_a_guest,
)  # fmt: skip
