"""The moderators' pages: who gets in, that strangers find nothing, what a moderator sees and does, and the log."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from functools import partial
from ipaddress import ip_address, ip_network
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st
from litestar import Litestar

from parlour.core.game import Game
from parlour.house.accounts import rows as account_rows
from parlour.house.accounts import schema as accounts
from parlour.house.accounts.guests import COOKIE as GUEST_COOKIE
from parlour.house.accounts.guests import KNOWN_COOKIE
from parlour.house.admin import deeds as acts
from parlour.house.admin import rows as admin_rows
from parlour.house.admin import schema as admin
from parlour.house.admin.api import COOKIE
from parlour.house.admin.bans import Bans
from parlour.house.admin.rows import KEY_MINUTES, SESSION, Act, Ban
from parlour.house.database.store import Store
from parlour.house.errors import BadInput
from parlour.house.house import House
from parlour.house.http.requests import ban_words
from tests.found import added
from tests.house.moderators import does, key_of, moderator_of
from tests.house.people import ME, OPEN, Person, guest_of, two_at_table

Arrive = Callable[[], Person]
PAGES = ("", "/people", "/tables", "/tournaments", "/clubs", "/reports", "/bans", "/log")
ACTS: dict[str, dict[str, str]] = {
    "ban": {"network": "203.0.113.0/24", "length": "hour"}, "lift": {"id": "1"}, "report": {"id": "1"},
    "notice": {"text": "Hello, all."}, "look": {"table": "x", "words": "because I must see it"}, "leave": {},
    "reset": {"guest": "x", "words": "They rang me up."}, "rename": {"club": "x", "name": "Y"},
    "cancel": {"tournament": "x", "words": "It is a trick."}, "dissolve": {"club": "x", "words": "It is a trick."},
}  # fmt: skip


async def the_acts(house: House) -> list[Act]:
    _, found = await house.store.look(partial(admin_rows.acts, page=0))
    return found


# Strangers -------------------------------------------------------------------------------------------
def places(app: Litestar) -> list[tuple[str, str]]:
    """Return every address below /house, with its methods."""
    found = []
    for route in app.routes:
        if route.path.startswith("/house"):
            path = "/".join(part if isinstance(part, str) else "x" for part in ["", *route.path_components])
            found += [(method, path) for method in ("GET", "POST", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH")]
    return found


def as_nowhere(answer: httpx.Response, path: str) -> tuple[Any, ...]:
    headers = {
        name: value for name, value in answer.headers.items() if name not in ("server-timing", "date", "content-length")
    }
    return answer.status_code, answer.text.replace(path, "PATH"), sorted(headers.items())


@pytest.mark.parametrize("cookie", ["", "x", "a.b", "ÿ", "'; DROP TABLE keepers; --", "0" * 4000])
@pytest.mark.suite("", "cookie5")
async def test_strangers_find_nothing_below_house(app: Litestar, ann: Person, cookie: str) -> None:
    """Strangers, guests and people with a forged cookie get, byte for byte, the answer for an address that does not
    exist."""
    every = places(app)
    assert len(every) > 70
    for name in (COOKIE, f"__Secure-{COOKIE}"):
        for accept in ("text/html", "application/json"):
            headers = {"accept": accept, "cookie": f"{name}={cookie}".encode()} if cookie else {"accept": accept}
            nowhere: dict[tuple[str, bytes], httpx.Response] = {}
            for method, path in every:
                for body in (b"", b"{}", b"not json"):
                    if body and method != "POST":
                        continue
                    sent = {**headers, "content-type": "application/json"} if body == b"{}" else headers
                    answer = await ann.request(method, path, headers=sent, content=body)
                    if (method, body) not in nowhere:
                        nowhere[method, body] = await ann.request(method, "/nowhere", headers=sent, content=body)
                    assert answer.status_code == 404, (method, path, answer.text)
                    assert as_nowhere(answer, path) == as_nowhere(nowhere[method, body], "/nowhere"), (method, path)
    assert "/house" not in (await ann.get("/schema")).text
    for page in ("/", "/me"):
        assert '"/house' not in (await ann.get(page)).text


async def test_a_guests_cookie_is_no_moderators_and_the_other_way_round(
    ann: Person, house: House, arrive: Arrive
) -> None:
    await ann.do("me/claim", name="Ann", password="correct horse")
    mine = dict(ann.cookies)
    assert mine.keys() == {GUEST_COOKIE, KNOWN_COOKIE}
    for value in mine.values():
        ann.cookies.set(COOKIE, value)
        assert (await ann.get("/house")).status_code == 404
    moderator = await moderator_of(house, arrive)
    theirs = moderator.cookies[COOKIE]
    hashed = admin_rows.hashed(theirs)
    for wrong in (hashed, theirs[:-1], theirs.upper(), f"x{theirs}"):  # what a backup contains opens nothing
        ann.cookies.set(COOKIE, wrong)
        assert (await ann.get("/house")).status_code == 404
    overview = await moderator.get("/house")
    assert overview.is_success
    assert "--contact" in overview.text  # this house has no address
    assert list(moderator.cookies) == [COOKIE]  # a moderator's session creates no guest


# Signing in and out ----------------------------------------------------------------------------------
async def test_a_key_is_good_once_and_only_to_who_asks_for_it(house: House, arrive: Arrive) -> None:
    key = await key_of(house)
    one, other = arrive(), arrive()
    for _ in range(3):  # programs that preview links open them
        assert (await one.get(f"/house/enter/{key}")).is_success
    assert (await one.get("/house")).status_code == 404
    entered = await one.post(f"/house/enter/{key}", json={})
    cookie = entered.headers["set-cookie"]
    for part in (f"{COOKIE}=", "HttpOnly", "SameSite=strict", "Path=/house;", f"Max-Age={SESSION:.0f}"):
        assert part in cookie + ";", cookie
    assert "Secure" not in cookie
    assert (await one.get("/house")).is_success
    for answer in (await other.post(f"/house/enter/{key}", json={}), await other.get(f"/house/enter/{key}")):
        assert answer.status_code == 404
    assert (await other.get("/house")).status_code == 404


async def test_under_https_no_other_host_can_set_the_cookie(app: Litestar, house: House) -> None:
    key = await key_of(house)
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="https://house.test") as client:
        answer = await client.post(f"/house/enter/{key}", json={})
        assert answer.headers["set-cookie"].startswith(f"__Secure-{COOKIE}=")
        assert "Secure" in answer.headers["set-cookie"]
        assert (await client.get("/house")).is_success
        token = client.cookies[f"__Secure-{COOKIE}"]
        client.cookies.clear()
        client.cookies.set(COOKIE, token)
        assert (await client.get("/house")).status_code == 404


async def test_keys_and_sessions_end(house: House, arrive: Arrive) -> None:
    first, second = await key_of(house), await key_of(house)
    moderator = arrive()
    assert (await moderator.post(f"/house/enter/{first}", json={})).status_code == 404  # a newer link replaces it
    await moderator.post(f"/house/enter/{second}", json={})
    assert (await moderator.get("/house")).is_success

    def age(connection: sa.Connection) -> None:
        connection.execute(sa.update(admin.keepers).values(until=time.time() - 1))

    late = await key_of(house)
    await house.store.do(age)
    assert (await moderator.get("/house")).status_code == 404
    assert (await moderator.post("/house/notice", json={"text": "Hello!"})).status_code == 404
    assert (await moderator.post(f"/house/enter/{late}", json={})).status_code == 404, KEY_MINUTES
    moderator = await moderator_of(house, arrive)
    token = moderator.cookies[COOKIE]
    await does(moderator, "leave")
    assert COOKIE not in moderator.cookies
    moderator.cookies.set(COOKIE, token)
    assert (await moderator.get("/house")).status_code == 404


async def test_not_all_who_ever_came_in_are_in(house: House, arrive: Arrive, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admin_rows, "MOST_SESSIONS", 2)
    moderators = [await moderator_of(house, arrive) for _ in range(3)]
    assert [(await one.get("/house")).status_code for one in moderators] == [404, 200, 200]


async def test_pages_of_other_sites_do_nothing_for_a_moderator(house: House, arrive: Arrive) -> None:
    moderator = await moderator_of(house, arrive)
    before = await the_acts(house)
    for act, body in ACTS.items():
        for origin in ("http://evil.test", "null", "http://house.test.evil.test", "http://house.test:81"):
            answer = await moderator.post(f"/house/{act}", json=body, headers={"Origin": origin})
            assert answer.status_code == 403, (act, origin)
        form = {"Origin": "http://house.test", "Content-Type": "application/x-www-form-urlencoded"}
        answer = await moderator.post(f"/house/{act}", content=b"text=hello", headers=form)
        assert answer.status_code == 415, act
        assert (await moderator.get(f"/house/{act}")).status_code == 404
    assert await the_acts(house) == before
    key = await key_of(house)
    answer = await moderator.post(f"/house/enter/{key}", json={}, headers={"Origin": "http://evil.test"})
    assert answer.status_code == 403
    assert (await moderator.get("/house", headers={"Origin": "http://house.test"})).is_success


async def test_the_log_is_never_changed(house: House, arrive: Arrive) -> None:
    moderator = await moderator_of(house, arrive)
    await does(moderator, "notice", text="Hello, all.")
    before = await the_acts(house)
    assert [one.kind for one in before] == ["notice", "enter", "key"]
    for statement in ("UPDATE acts SET words = 'nothing'", "DELETE FROM acts"):
        with pytest.raises(Exception, match="never changed"):
            await house.store.do(lambda connection, statement=statement: connection.execute(sa.text(statement)))
    assert await the_acts(house) == before
    page = (await moderator.get("/house/log")).text
    assert "Hello, all." in page
    assert admin_rows.hashed(moderator.cookies[COOKIE]) not in page


@pytest.mark.service
async def test_nor_in_postgresql(database: str) -> None:
    store = Store(database)
    await store.open()
    try:
        number = await store.do(lambda connection: admin_rows.act(connection, "k", "notice", "", "Hello"))
        assert number
        for statement in ("UPDATE acts SET words = 'nothing'", "DELETE FROM acts", "TRUNCATE acts"):
            with pytest.raises(Exception, match="never changed"):
                await store.do(lambda connection, statement=statement: connection.execute(sa.text(statement)))
        assert (await store.look(partial(admin_rows.acts, page=0)))[0] == 1
    finally:
        await store.close()


# People, tables, reports -----------------------------------------------------------------------------
async def test_a_moderator_sees_people_tables_and_reports(
    ann: Person, bob: Person, house: House, arrive: Arrive
) -> None:
    table = await two_at_table(ann, bob)
    await bob.do(f"tables/{table}/chat", text="<b>Boo.</b>")
    await ann.do("me/report", table=table, seat=1, reason="rude", words="<i>This hurts.</i>")
    moderator = await moderator_of(house, arrive)
    who = (await guest_of(bob)).id
    for path, words in (
        ("", "1</b> open report"), ("/people", "Bob"), ("/people?find=bO", "Bob"), ("/tables", "Bob"),
        ("/reports", "Boo."), (f"/people/{who}", "Boo."), (f"/tables/{table}", "Boo."),
        ("/people?page=9", "No one found"), ("/tables?status=over", "No tables"),
    ):  # fmt: skip
        answer = await moderator.get(f"/house{path}")
        assert answer.is_success, path
        assert words in answer.text, path
        assert "<b>Boo" not in answer.text
        assert "<i>This" not in answer.text
        assert answer.headers["cache-control"] == "private, no-store"
    assert "Bob" not in (await moderator.get("/house/people?find=%25")).text
    for path in ("/people/unknown", "/tables/none", "/nowhere"):
        assert (await moderator.get(f"/house{path}")).status_code == 404
    assert 'class="meant"' not in (await moderator.get("/house/reports")).text  # no message was reported
    (line,) = (await ann.see(table))["table"]["chat"]
    await ann.do("me/report", table=table, line=line["id"], reason="rude")
    assert (await moderator.get("/house/reports")).text.count('class="meant"') == 1
    await does(moderator, "report", id="2")
    await does(moderator, "report", id="1", words="Talked to them.")
    assert "Boo." not in (await moderator.get("/house/reports")).text
    assert "Boo." in (await moderator.get("/house/reports?which=done")).text
    assert (await moderator.post("/house/report", json={"id": "1"})).status_code == 404  # it is done already
    await does(moderator, "report", id="1", again="yes")
    assert "Boo." in (await moderator.get("/house/reports")).text


async def test_a_moderator_bans_beside_the_report(ann: Person, bob: Person, house: House, arrive: Arrive) -> None:
    """The form of the page is that of the person's own, and sends the same; then the ban is beside the report."""
    moderator, table = await moderator_of(house, arrive), await two_at_table(ann, bob)
    await ann.do("me/report", table=table, seat=1, reason="rude", words="This hurts.")
    who = (await guest_of(bob)).id
    before = (await moderator.get("/house/reports")).text
    assert f'<form data-send="/house/ban"><input type="hidden" name="guest" value="{who}">' in before
    await does(moderator, "ban", guest=who, length="week", words="Be kind.")
    after = (await moderator.get("/house/reports")).text
    assert 'data-send="/house/ban"' not in after
    assert "Message: Be kind." in after
    assert 'data-send="/house/lift"' in after
    person = (await moderator.get(f"/house/people/{who}")).text
    assert person.count("Be kind.") == 1, "the person's page has its bans in one place"
    assert (await bob.get("/")).status_code == 403


async def test_a_moderator_sees_hidden_hands_only_after_the_log_says_why(
    ann: Person, bob: Person, house: House, arrive: Arrive
) -> None:
    with added(Game("kuhn", "tests.fixtures.kuhn")):
        table = await two_at_table(ann, bob, game="kuhn")
        moderator = await moderator_of(house, arrive)
        scene = (await ann.see(table))["scene"]
        hand = next(word for word in ("jack", "queen", "king") if word in str(scene).lower())
        spectator = (await moderator.get(f"/house/tables/{table}")).text
        as_stranger = (await arrive().see(table))["scene"]
        assert hand not in str(as_stranger).lower()
        shown = spectator.partition('class="replay shown')[2].partition("</section>")[0].lower()
        assert shown
        assert hand not in shown
        for wrong in (999, 1, 2):
            assert (await moderator.get(f"/house/tables/{table}?look={wrong}")).status_code == 404
        for short in ("", "why not", "          \u3164      "):
            answer = await moderator.post("/house/look", json={"table": table, "words": short})
            assert answer.status_code == 400, short
        assert not any(one.kind == "look" for one in await the_acts(house))
        where = await does(moderator, "look", table=table, words="Ann says that her cards changed.")
        (noted,) = [one for one in await the_acts(house) if one.kind == "look"]
        assert (noted.about, noted.words) == (table, "Ann says that her cards changed.")
        assert hand in (await moderator.get(f"{where}&seat=0")).text.lower()
        assert "Ann says that her cards changed." in (await moderator.get(where)).text
        other = await two_at_table(ann, bob, game="kuhn")
        number = where.rpartition("=")[2]
        assert (await moderator.get(f"/house/tables/{other}?look={number}")).status_code == 404  # of that table alone
        second = await moderator_of(house, arrive)
        assert (await second.get(where)).status_code == 404  # and for that moderator
        live = await house.table(table)
        assert not live.row.watched  # a moderator who looks puts no player under time
        assert live.audience.noticed[1] == 0


async def test_a_reason_does_not_stand_for_long(
    ann: Person, bob: Person, house: House, arrive: Arrive, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await two_at_table(ann, bob)
    moderator = await moderator_of(house, arrive)
    where = await does(moderator, "look", table=table, words="To see that this ends.")
    assert (await moderator.get(where)).is_success
    monkeypatch.setattr("parlour.house.admin.pages.REASON_LASTS", -1.0)
    assert (await moderator.get(where)).status_code == 404


# Lost passwords --------------------------------------------------------------------------------------
async def test_a_moderator_makes_a_link_for_a_lost_password_and_the_log_says_how_they_know_who_asks(
    ann: Person, bob: Person, house: House, arrive: Arrive
) -> None:
    mine = (await ann.do("me/claim", name="Ann", password="correct horse"))["id"]
    moderator = await moderator_of(house, arrive)
    why = "She rang me up, and I know her voice."
    for whom, words, status in (
        (mine, "", 400), (mine, "she asked", 400), ("nobody", why, 404), ((await guest_of(bob)).id, why, 404),
    ):  # fmt: skip
        answer = await moderator.post("/house/reset", json={"guest": whom, "words": words})
        assert answer.status_code == status, (whom, words)
    assert not any(one.kind == "reset" for one in await the_acts(house))
    made = (await moderator.post("/house/reset", json={"guest": mine, "words": why})).json()
    assert made["url"] == ""
    base, _, token = made["link"].partition("/link#")
    assert base == "http://house.test"
    (noted,) = [one for one in await the_acts(house) if one.kind == "reset"]
    assert (noted.about, noted.words, bool(noted.keeper)) == (mine, why, True)
    for path in ("/house/log", f"/house/people/{mine}"):
        page = (await moderator.get(path)).text
        assert token not in page  # it was shown once
    assert (
        f'created a password reset link for <a href="/house/people/{mine}">' in (await moderator.get("/house/log")).text
    )
    new = arrive()
    assert (await new.do("me/link", token=token, password="battery staple"))["id"] == mine
    assert (await guest_of(ann)).id != mine
    await arrive().refused("me/link", 404, "bad-link", token=token, password="battery staple")
    await arrive().do("me/sign-in", name="Ann", password="battery staple")


async def test_where_the_log_cannot_be_written_there_is_no_link(
    ann: Person, house: House, arrive: Arrive, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Log and link are one transaction."""
    mine = (await ann.do("me/claim", name="Ann", password="correct horse"))["id"]
    moderator = await moderator_of(house, arrive)

    def fails(*_: object) -> int:
        raise sa.exc.OperationalError("", {}, Exception("the disk is full"))

    monkeypatch.setattr(admin_rows, "act", fails)
    answer = await moderator.post("/house/reset", json={"guest": mine, "words": "She rang me up."})
    assert answer.status_code == 503, answer.text
    assert await house.store.look(lambda found: found.execute(sa.select(accounts.links)).all()) == []


# The notice ------------------------------------------------------------------------------------------
async def test_a_notice_reaches_every_page(ann: Person, house: House, arrive: Arrive) -> None:
    moderator = await moderator_of(house, arrive)
    assert (await ann.get("/api/notice")).json() == {"id": 0, "text": ""}
    await does(moderator, "notice", text="The house closes at ten. <b>")
    assert (await ann.get("/api/notice")).json() == {"id": 1, "text": "The house closes at ten. <b>"}
    assert "The house closes at ten. &lt;b&gt;" in (await moderator.get("/house")).text
    await does(moderator, "notice", text="It closes at nine.")
    assert (await ann.get("/api/notice")).json() == {"id": 2, "text": "It closes at nine."}
    await does(moderator, "notice", text="")
    assert (await ann.get("/api/notice")).json() == {"id": 0, "text": ""}
    assert [one.kind for one in await the_acts(house)][:3] == ["withdraw", "notice", "notice"]
    answer = await moderator.post("/house/notice", json={"text": "x" * 301})
    assert answer.status_code == 400


# Bans ------------------------------------------------------------------------------------------------
async def test_a_banned_guest_reads_so_in_a_sentence_and_can_go_on_afterwards(
    ann: Person, bob: Person, house: House, arrive: Arrive
) -> None:
    table, waiting = await two_at_table(ann, bob), await bob.make(ME, OPEN)
    moderator = await moderator_of(house, arrive)
    who = (await guest_of(bob)).id
    await does(moderator, "ban", guest=who, length="day", words="You threatened Ann.")
    for path in ("/", f"/t/{table}", "/me", "/api/me", f"/api/tables/{table}", "/rules/fortune", "/api/notice"):
        answer = await bob.get(path, headers={"accept": "text/html"})
        assert answer.status_code == 403, path
        assert "You are banned from this house until" in answer.text, path
        assert "You threatened Ann." in answer.text
    await bob.refused(f"tables/{table}/chat", 403, "banned", text="Boo.")
    await bob.refused("me/sign-in", 403, "banned", name="Ann", password="x")
    assert (await bob.get("/static/now/page.css", follow_redirects=True)).is_success  # which that page needs
    assert (await bob.get("/health")).is_success
    await house_is_quiet(house)
    seats = (await ann.see(table))["table"]["seats"]
    assert (seats[1]["kind"], seats[1]["left"]) == ("bot", True)  # the others need not wait
    assert (await ann.get(f"/t/{waiting}")).status_code == 404
    (ban,) = (await house.store.look(partial(admin_rows.bans, page=0)))[1]
    await does(moderator, "lift", id=str(ban[0].id))
    assert (await bob.get("/")).is_success
    assert (await bob.do(f"tables/{table}/sit")) == {"seat": 1}
    assert (await moderator.post("/house/lift", json={"id": str(ban[0].id)})).status_code == 404
    assert [one.kind for one in await the_acts(house)][:2] == ["lift", "ban"]


async def house_is_quiet(house: House) -> None:
    """Wait until the house has dealt with a banned person."""
    import asyncio

    for _ in range(500):
        if not any("_put_out" in repr(task) for task in house._tasks):
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it is not done")


async def test_open_pages_of_the_banned_end(ann: Person, bob: Person, house: House, arrive: Arrive) -> None:
    ended: list[str] = []
    original = house.streams.end_where

    def noted(which: Any) -> None:
        from parlour.house.accounts.guests import Pass

        ended.extend(name for name, one in passes.items() if which(Pass(one), "198.51.100.7"))
        original(which)

    passes = {"ann": (await guest_of(ann)).id, "bob": (await guest_of(bob)).id}
    house.streams.end_where = noted  # type: ignore[method-assign]
    moderator = await moderator_of(house, arrive)
    await does(moderator, "ban", guest=passes["bob"], length="hour")
    assert ended == ["bob"]
    ended.clear()
    await does(moderator, "ban", network="198.51.100.0/24", length="hour")
    assert ended == ["ann", "bob"]


async def test_a_network_is_banned_and_moderators_are_not_locked_out(
    app: Litestar, house: House, arrive: Arrive
) -> None:
    moderator = await moderator_of(house, arrive)
    await does(moderator, "ban", network="203.0.113.7/24", length="week")
    token = moderator.cookies[COOKIE]
    for host, status in (
        ("203.0.113.200", 403),
        ("::ffff:203.0.113.200", 403),
        ("203.0.112.200", 200),
        ("2001:db8::1", 200),
    ):
        transport = httpx.ASGITransport(app=app, client=(host, 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://house.test") as client:
            answer = await client.get("/")
            assert answer.status_code == status, host
            assert ("Your network is banned" in answer.text) == (status == 403)
            assert (await client.get("/house")).status_code == 404
            client.cookies.set(COOKIE, token)
            assert (await client.get("/house/bans")).is_success


async def test_bans_that_cannot_be_are_refused(ann: Person, house: House, arrive: Arrive) -> None:
    moderator = await moderator_of(house, arrive)
    who = (await guest_of(ann)).id
    for body in (
        {}, {"guest": who, "network": "203.0.113.0/24"}, {"network": "0.0.0.0/0"}, {"network": "::/0"},
        {"network": "a.b.c.d"},         {"network": "x" * 64}, {"guest": who, "words": "x" * 201},
    ):  # fmt: skip
        answer = await moderator.post("/house/ban", json={"length": "hour", **body})
        assert answer.status_code == 400, body
    assert (await moderator.post("/house/ban", json={"length": "hour", "guest": "nobody"})).status_code == 404
    assert (await moderator.post("/house/ban", json={"length": "century", "guest": who})).status_code == 400
    for wrong in ("0", "-1", "x", "9" * 10, ""):
        assert (await moderator.post("/house/lift", json={"id": wrong})).status_code == 400
    assert (await ann.get("/")).is_success


async def test_a_ban_ends_by_itself(ann: Person, house: House) -> None:
    who = (await guest_of(ann)).id
    now = time.time()
    for until, banned in ((now + 60, True), (now - 1, False), (None, True)):
        await house.store.do(partial(admin_rows.ban, row=Ban(0, who, "", until, "", now)))
        await house.bans.learn()
        assert ((await ann.get("/")).status_code == 403) == banned
    (one,) = [
        ban
        for ban, _ in (await house.store.look(partial(admin_rows.bans, page=0)))[1]
        if ban.lifted is None and ban.until is None
    ]
    assert ban_words(one) == "You are banned from this house for good."


async def test_other_processes_hear_of_it_by_the_clock(house: House) -> None:
    heard: list[int] = []
    other = Bans(house.store, lambda: True, lambda: heard.append(1))
    await other.learn()
    assert heard == []
    await house.store.do(partial(admin_rows.publish, text="Hello!", now=time.time()))
    await other.learn()
    await other.learn()
    assert heard == [1]
    assert other.notice.text == "Hello!"


ADDRESSES = st.ip_addresses().map(str)


@given(st.lists(st.tuples(ADDRESSES, st.integers(8, 128)), max_size=6), st.lists(ADDRESSES, max_size=4), st.booleans())
def test_an_address_is_banned_exactly_where_a_network_holds_it(
    ranges: list[tuple[str, int]], asked: list[str], near: bool
) -> None:
    networks = []
    for address, length in ranges:
        try:
            networks.append(admin_rows.network_of(f"{address}/{min(length, ip_address(address).max_prefixlen)}"))
        except BadInput:
            continue
    order = Bans(None, lambda: True, lambda: None)  # type: ignore[arg-type]  # nothing is read
    order.take([Ban(i, "", network, None, "") for i, network in enumerate(networks)])
    if near:
        asked = [*asked, *(address for address, _ in ranges)]
    for host in asked:
        one = ip_address(host)
        one = getattr(one, "ipv4_mapped", None) or one  # an IPv4 address written as IPv6
        held = any(one in ip_network(network) for network in networks)
        assert (order.ban_of(None, host) is not None) == held, (host, networks)
    assert order.ban_of(None, "") is None
    assert order.ban_of("nobody", "unix socket") is None


async def test_as_many_bans_as_there_may_be_cost_a_request_nothing(house: House) -> None:
    bans = [Ban(i, "", f"10.{i // 256}.{i % 256}.0/24", None, "") for i in range(admin_rows.MOST_BANS)]
    bans += [Ban(-i, f"g{i}", "", None, "") for i in range(admin_rows.MOST_BANS)]
    house.bans.take(bans)
    began = time.process_time()
    for i in range(1000):
        house.bans.ban_of("a guest", f"203.0.{i % 256}.7")
    assert time.process_time() - began < 0.2  # 10 microseconds each


def test_lengths_of_bans_are_said_as_people_say_them() -> None:
    assert [words for words, _ in acts.LENGTHS.values()] == ["an hour", "a day", "a week", "30 days", "a year", "good"]
    assert re.fullmatch(
        r"You are banned from this house until \d+ \w+ \d{4}, \d\d:\d\d UTC\. Be kind\.",
        ban_words(Ban(1, "g", "", time.time(), "Be kind.")),
    )


# Moderators ------------------------------------------------------------------------------------------
async def test_a_moderator_is_an_account_and_needs_no_key(ann: Person, house: House, arrive: Arrive) -> None:
    await ann.do("me/claim", name="Ann", password="correct horse")
    assert (await ann.get("/house")).status_code == 404
    assert "You are a moderator" not in (await ann.get("/me")).text
    account = (await guest_of(ann)).id
    await house.store.do(partial(account_rows.set_role, guest=account, role="moderator"))
    phone = arrive()
    await phone.do("me/sign-in", name="Ann", password="correct horse")
    for browser in (ann, phone):
        assert (await browser.get("/house/reports")).is_success
        assert "You are a moderator" in (await browser.get("/me")).text
    await does(phone, "notice", text="Tea at four.")
    log = (await ann.get("/house/log")).text
    assert "<b>Ann published notice" in log
    elsewhere = {"origin": "https://elsewhere.test"}
    assert (await phone.post("/house/notice", json={"text": "x"}, headers=elsewhere)).status_code == 403
    await phone.do("me/sign-out")
    assert (await phone.get("/house")).status_code == 404
    await house.store.do(partial(account_rows.set_role, guest=account, role=""))
    assert (await ann.get("/house")).status_code == 404


async def test_a_moderator_who_is_banned_or_deleted_is_none(house: House, arrive: Arrive) -> None:
    for end in ("ban", "delete"):
        one = arrive()
        await one.do("me/claim", name=f"Moderator {end}", password="correct horse")
        account = (await guest_of(one)).id
        await house.store.do(partial(account_rows.set_role, guest=account, role="moderator"))
        assert (await one.get("/house")).is_success
        if end == "ban":
            await does(await moderator_of(house, arrive), "ban", guest=account, length="day")
        else:
            await one.do("me/delete", password="correct horse")
        assert (await one.get("/house")).status_code == 404


def test_the_banned_page_says_whom_to_ask() -> None:
    ban = admin_rows.Ban(1, "someone", "", None, "Be kind.")
    assert ban_words(ban) == "You are banned from this house for good. Be kind."
    assert ban_words(ban, "order@games.example").endswith("write to order@games.example.")
