"""Claiming a name and signing in: who owns a name, what a wrong password costs, and which data moves to the account."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import Callable
from dataclasses import replace

import httpx
import pytest
import sqlalchemy as sa
from litestar import Litestar

from parlour.core.errors import ParlourError
from parlour.house.accounts import browsers
from parlour.house.accounts import schema as accounts
from parlour.house.accounts.guests import COOKIE, KNOWN_COOKIE
from parlour.house.accounts.names import MOST, likeness, others, reserved
from parlour.house.accounts.passwords import Passwords
from parlour.house.app import create_app, open_house
from parlour.house.errors import TooFast
from parlour.house.house import House
from parlour.house.http.rates import TRIES, Price, Rates
from parlour.house.settings import Settings
from tests.house.people import ME, OPEN, Person, guest_of, play_on, turn, two_at_table

Arrive = Callable[[], Person]
SECRET = "correct horse"
KEY = {"name": "Ann", "password": SECRET}


# Names -----------------------------------------------------------------------------------------------
ALIKE = [("Ann", "ANN"), ("Ann", "Аnn"), ("Ann", "A. n-n"), ("Zoë", "zoe"), ("Bill", "B1lI"), ("Bob", "B0b")]
ALIKE += [("Ｍax", "Max"), ("ΑΝΝΑ", "Anna"), ("Нина", "НИНА"), ("ﬁna", "Fina"), ("Barney", "Bamey"), ("Будда", "будда")]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_names_that_look_alike(one: str, other: str) -> None:
    assert likeness(one) == likeness(other)


APART = [("Ann", "Anna"), ("Ann 2", "Ann 3"), ("李小龙", "李小明"), ("👩", "👨"), ("Иван", "Петр"), ("!", "?")]


@pytest.mark.parametrize(("one", "other"), APART)
def test_names_that_do_not(one: str, other: str) -> None:
    assert likeness(one) != likeness(other)
    assert likeness(one)


def test_a_likeness_is_its_own_and_fits_where_it_is_kept() -> None:
    for name in (name for pair in (*ALIKE, *APART) for name in pair):
        assert likeness(likeness(name)) == likeness(name)
    for code in range(0x20, 0x3000):
        assert len(likeness(chr(code) * 24)) <= MOST
    assert all(len(name) <= 24 for name in others("W" * 24, 24))


def test_names_that_nobody_can_have_alone() -> None:
    assert all(map(reserved, ("Guest 1234", "GUEST I234", "Somebody", "S0mebody", "Greedy bot", "You", "The house")))
    assert not any(map(reserved, ("Ann", "Abbot", "Robot", "Guesthouse", "Bo", "李小龙")))


@pytest.mark.parametrize(
    ("agent", "said"),
    [
        ("Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", "Firefox on Linux"),
        ("Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Mobile Safari/537.36",
         "Chrome on Android"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Mobile Safari/604.1",
         "Safari on an iPhone"),
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/126.0 Safari/537.36 Edg/126.0",
         "Edge on Windows"),
        ("python-httpx/0.28", "A program"), ("", "A program"),
    ],
)  # fmt: skip
def test_a_browser_in_words(agent: str, said: str) -> None:
    assert browsers.words(agent) == said


# Claiming ------------------------------------------------------------------------------------------
async def test_who_claims_a_name_keeps_what_was_theirs_and_nobody_else_gets_it(
    ann: Person, bob: Person, arrive: Arrive
) -> None:
    table = await two_at_table(ann, bob)
    before, old = await guest_of(ann), ann.cookies[COOKIE]
    claimed = await ann.do("me/claim", name="Ann", password=SECRET)
    expected = {"id": before.id, "name": "Ann", "named": True, "claimed": True, "program": False, "preferences": {}}
    assert claimed == expected
    assert ann.cookies[COOKIE] != old
    assert (await ann.see(table))["table"]["my_seat"] == 0
    for name in ("Ann", "ANN", "Аnn", "a n n"):
        error = await bob.refused("me", 409, "name-taken", name=name)
        assert error["allowed"]
        assert f"These names are free: {', '.join(error['allowed'])}." in error["message"]
    assert (await bob.do("me", name=error["allowed"][0]))["name"] == error["allowed"][0]
    await bob.refused("me/claim", 409, "name-taken", name="ann", password=SECRET)
    await ann.refused("me/claim", 409, "already-claimed", name="Other", password=SECRET)
    assert (await ann.do("me", name="Anna"))["claimed"]  # the owner of a name may change it, and gives up the old one
    assert (await bob.do("me", name="Ann"))["name"] == "Ann"
    assert (await arrive().get("/api/me")).json()["claimed"] is False


async def test_the_cookie_from_before_the_claim_is_nobodys(ann: Person, arrive: Arrive) -> None:
    stolen = arrive()
    stolen.cookies.set(COOKIE, ann.cookies[COOKIE])
    mine = (await guest_of(ann)).id
    assert (await guest_of(stolen)).id == mine
    await ann.do("me/claim", **KEY)
    stolen.cookies.set(COOKIE, stolen.cookies[COOKIE])
    error = await stolen.refused("me", 403, "signed-out", name="Ann")
    assert "new guest" in error["message"]
    assert (await guest_of(stolen)).id != mine
    assert (await guest_of(ann)).id == mine


@pytest.mark.parametrize("name", [".", "..", "!?", "★"])
async def test_a_name_that_is_ones_alone_has_a_letter_or_a_digit(ann: Person, name: str) -> None:
    """Its page has an address."""
    error = await ann.refused("me/claim", 400, "bad-input", name=name, password=SECRET)
    assert "at least one letter or digit" in error["message"]


@pytest.mark.parametrize("password", ["", "seven77", "x" * 201])
async def test_passwords_that_are_refused(ann: Person, password: str) -> None:
    error = await ann.refused("me/claim", 400, "bad-input", name="Ann", password=password)
    assert "8 to 200 characters" in error["message"]
    assert not (await guest_of(ann)).claimed


async def test_names_that_say_something_else_are_not_claimed(ann: Person) -> None:
    for name in ("Guest 1000", "Somebody", "Greedy bot"):
        await ann.refused("me/claim", 400, "bad-input", name=name, password=SECRET)


async def test_two_claim_the_same_name_at_once(ann: Person, bob: Person) -> None:
    answers = await asyncio.gather(*(who.post("/api/me/claim", json=KEY) for who in (ann, bob)))
    assert sorted(answer.status_code for answer in answers) == [200, 409]


async def test_two_tabs_claim_at_once(ann: Person) -> None:
    bodies = [KEY, {**KEY, "name": "Anna"}]
    answers = await asyncio.gather(*(ann.post("/api/me/claim", json=body) for body in bodies))
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    codes = {answer.json()["error"]["code"] for answer in answers if answer.status_code == 409}
    assert codes <= {"already-claimed", "signed-out"}


@pytest.mark.usefixtures("real_passwords")
async def test_no_password_is_kept_as_it_is(ann: Person, house: House) -> None:
    await ann.do("me/claim", **KEY)
    async with house.store.read() as connection:
        dump = [str(row) for row in await connection.execute(sa.select(accounts.people))]
    assert dump
    assert SECRET not in str(dump)
    assert "$argon2id$v=19$m=32768,t=2,p=1$" in str(dump)


# Signing in ----------------------------------------------------------------------------------------
async def test_on_another_device_one_is_the_same(ann: Person, bob: Person, arrive: Arrive) -> None:
    table = await two_at_table(ann, bob)
    await ann.do("me/claim", **KEY)
    phone = arrive()
    answer = await phone.do("me/sign-in", name="ANN", password=SECRET)
    assert answer == (await ann.get("/api/me")).json()
    assert (await phone.see(table))["table"]["my_seat"] == 0
    await play_on(table, 2, phone, bob)
    await play_on(table, 2, ann, bob)


@pytest.mark.usefixtures("real_passwords")
async def test_a_wrong_name_and_a_wrong_password_are_answered_alike(ann: Person, arrive: Arrive) -> None:
    await ann.do("me/claim", **KEY)
    phone = arrive()
    one = await phone.post("/api/me/sign-in", json={"name": "Ann", "password": "wrong horse"})
    other = await phone.post("/api/me/sign-in", json={"name": "No such name", "password": "wrong horse"})
    assert one.status_code == other.status_code == 403
    assert one.content == other.content
    took: dict[str, list[float]] = {"Ann": [], "No such name": []}
    ratio = 0.0
    for rounds in range(60):
        for name, times in took.items():
            began = time.perf_counter()
            await phone.post("/api/me/sign-in", json={"name": name, "password": "wrong horse"})
            times.append(time.perf_counter() - began)
        known, unknown = map(min, took.values())  # other work of the machine only adds to it
        ratio = known / unknown
        if rounds >= 6 and 0.6 < ratio < 1.6:
            break
    print(f"a known name {1000 * known:.1f} ms, an unknown one {1000 * unknown:.1f} ms")
    assert 0.6 < ratio < 1.6  # both hash a password: without that one takes a fiftieth of the time


async def test_what_one_played_elsewhere_comes_along(ann: Person, bob: Person, arrive: Arrive) -> None:
    await ann.do("me/claim", **KEY)
    phone = arrive()
    await phone.do("me", name="Stranger")
    hosted = await phone.make(ME, OPEN)
    playing = await two_at_table(phone, bob)
    await phone.do(f"tables/{playing}/chat", text="hello from the phone", id="once")
    await phone.do("me/sign-in", **KEY)
    for person in (phone, ann):
        seen = (await person.see(playing))["table"]
        assert (seen["my_seat"], seen["seats"][0]["name"]) == (0, "Ann")
        assert (await person.see(hosted))["table"]["is_host"]
    again = await ann.do(f"tables/{playing}/chat", text="hello from the phone", id="once")
    assert again["id"] == (await bob.see(playing))["table"]["chat"][0]["id"]  # the message was Ann's
    await play_on(playing, 4, ann, bob)


async def test_one_may_leave_it_to_whoever_played_there(ann: Person, bob: Person, arrive: Arrive) -> None:
    await ann.do("me/claim", **KEY)
    tablet = arrive()
    await tablet.do("me", name="Cid")
    cid = await guest_of(tablet)
    table = await two_at_table(tablet, bob)
    await tablet.do("me/sign-in", **KEY, bring=False)
    assert (await tablet.see(table))["table"]["my_seat"] is None
    assert (await tablet.do("me/sign-out")) == {
        "id": cid.id,
        "name": "Cid",
        "named": True,
        "claimed": False,
        "program": False,
        "preferences": {},
    }
    assert (await tablet.see(table))["table"]["my_seat"] == 0


async def test_who_sat_twice_at_a_table_keeps_both_seats(ann: Person, arrive: Arrive) -> None:
    """Ann plays against herself from two devices: then the phone's seat is played like one on the same device."""
    await ann.do("me/claim", **KEY)
    phone = arrive()
    await phone.do("me", name="Ann too")
    table = await two_at_table(ann, phone)
    await phone.do("me/sign-in", **KEY)
    seats = (await ann.see(table))["table"]["seats"]
    assert [(seat["kind"], seat["mine"], seat["name"]) for seat in seats] == [
        ("guest", True, "Ann"), ("here", True, "Ann too"),
    ]  # fmt: skip
    for _ in range(6):
        person, seen = await turn(table, ann)
        await person.do(f"tables/{table}/moves", move=seen["legal"][0], version=seen["table"]["version"])


async def test_what_two_seats_hide_stays_behind_the_curtain(ann: Person, arrive: Arrive) -> None:
    phone = arrive()
    table = (await ann.do("tables", game="aces-and-faces", seats=[ME, OPEN]))["id"]
    await phone.do(f"tables/{table}/sit")
    await ann.do(f"tables/{table}/start")
    await ann.do("me/claim", **KEY)
    await phone.do("me/sign-in", **KEY)
    assert (await ann.see(table))["table"]["pass_to"] is not None


async def test_signing_out_makes_the_cookie_void(ann: Person, arrive: Arrive) -> None:
    await ann.do("me/claim", **KEY)
    mine, old = await guest_of(ann), ann.cookies[COOKIE]
    new = await ann.do("me/sign-out")
    assert new["id"] != mine.id
    assert not new["named"]
    thief = arrive()
    thief.cookies.set(COOKIE, old)
    assert (await guest_of(thief)).id != mine.id
    await ann.refused("me/sign-out", 403, "not-claimed")  # a guest would lose everything
    assert (await ann.do("me/sign-in", **KEY))["id"] == mine.id


async def test_passwords_are_normal_text(ann: Person, arrive: Arrive) -> None:
    """The same letters, composed or not, are the same password; nothing is cut off."""
    await ann.do("me/claim", name="Ann", password="Zoë zoë zoë")
    phone = arrive()
    assert (await phone.do("me/sign-in", name="Ann", password="Zoe\u0308 zoe\u0308 zoe\u0308"))["claimed"]
    await phone.refused("me/sign-in", 403, "wrong-password", name="Ann", password="Zoë zoë zo")


@pytest.mark.usefixtures("real_passwords")
async def test_passwords_wait_in_a_short_line() -> None:
    passwords = Passwords()
    kept = await passwords.hash(SECRET)
    tries = await asyncio.gather(*(passwords.fits(SECRET, kept) for _ in range(24)), return_exceptions=True)
    passwords.close()
    assert [one for one in tries if isinstance(one, bool)] == [True] * 20
    assert {one.code for one in tries if isinstance(one, ParlourError)} == {"busy"}


# What guessing costs ---------------------------------------------------------------------------------
async def test_guessing_is_slow_for_an_address_and_for_a_name(settings: Settings) -> None:
    app: Litestar = create_app(replace(settings, limits=True))
    now = [1000.0]
    app.state.rates = Rates(lambda: now[0])
    house = await open_house(app)

    def come(address: str) -> Person:
        return Person(transport=httpx.ASGITransport(app=app, client=(address, 1)), base_url="http://house.test")

    async def tries(address: str, name: str, most: int = 200) -> int:
        """Send wrong passwords from this address, each as a new guest; return how many were compared."""
        for number in range(most):
            async with come(address) as eve:
                answer = await eve.post("/api/me/sign-in", json={"name": name, "password": "wrong horse"})
            if answer.status_code == 429:
                assert int(answer.headers["Retry-After"]) > 1
                return number
            assert answer.status_code == 403
        return most

    async with come("192.0.2.1") as ann:
        await ann.do("me", name="Ann")
        await ann.do("me/claim", **KEY)
    assert await tries("192.0.2.2", "Ann") == 10
    assert await tries("192.0.2.2", "ANN") == 0  # the same name in capitals
    assert await tries("192.0.2.4", "Nemo") == 10  # the same for a name without an account
    now[0] += 3600
    looks = 0  # which compare nothing and cost half: an address pays for all its guests
    while looks < 100:
        async with come("192.0.2.5") as eve:
            if (await eve.post("/api/me/link/look", json={"token": "guessed"})).status_code == 429:
                break
        looks += 1
    assert looks == 60
    assert await tries("192.0.2.5", "Another") == 0
    await house.close()


async def test_no_stranger_keeps_the_owner_of_a_name_out(settings: Settings) -> None:
    """Guesses from one address block the owner nowhere; guesses from all the world don't block the owner's browsers."""
    app: Litestar = create_app(replace(settings, limits=True))
    now = [1000.0]
    rates = app.state.rates = Rates(lambda: now[0])
    house = await open_house(app)

    def come(address: str) -> Person:
        return Person(transport=httpx.ASGITransport(app=app, client=(address, 1)), base_url="http://house.test")

    def at_it(address: str, name: str = "ann") -> int:
        """Return how many tries for this name a stranger there still has, as `pay_for_a_try` counts them."""
        number = 0
        with contextlib.suppress(TooFast):
            while True:
                rates.charge(Price(TRIES), f"{address} {name}", f"name {name}")
                number += 1
        return number

    async with come("192.0.2.1") as ann, come("192.0.2.9") as phone, come("203.0.113.200") as eve:
        await ann.do("me", name="Ann")
        await ann.do("me/claim", **KEY)
        await ann.do("me/sign-out")
        assert at_it("198.51.100.1") == 10
        assert (await phone.do("me/sign-in", **KEY))["claimed"]  # a new browser, while one stranger is guessing
        for number in range(50):
            at_it(f"203.0.113.{number}")
        assert at_it("203.0.113.60") == 0
        refusal = await eve.refused("me/sign-in", 429, "too-fast", **KEY)  # right, but in a browser that is not known
        assert "a passkey or a link" in refusal["message"]
        forged = "x.y"
        eve.cookies.set(KNOWN_COOKIE, forged)
        await eve.refused("me/sign-in", 429, "too-fast", **KEY)
        eve.cookies.set(KNOWN_COOKIE, house.guests.before.with_one(None, "someone else"))
        await eve.refused("me/sign-in", 429, "too-fast", **KEY)
        eve.cookies.set(KNOWN_COOKIE, ann.cookies[KNOWN_COOKIE])  # the browser's own tries count too
        assert await refusals_of_wrong(eve) == 10
        eve.cookies.clear()
        await phone.do("me/sign-out")
        assert (await phone.do("me/sign-in", **KEY))["claimed"]  # she has signed in there before, by password
        now[0] += 60
        assert (await ann.do("me/sign-in", **KEY))["claimed"]  # she has claimed the name there
        await ann.do("me/delete", password=SECRET)
        assert KNOWN_COOKIE not in ann.cookies
    await house.close()


async def refusals_of_wrong(person: Person) -> int:
    """Return how many wrong passwords are compared before the first refusal."""
    for number in range(100):
        answer = await person.post("/api/me/sign-in", json={"name": "Ann", "password": "wrong horse"})
        if answer.status_code == 429:
            return number
        assert answer.status_code == 403
    raise AssertionError


def test_guessing_is_hopeless() -> None:
    """Count the tries of a day, from one address and from ten thousand that never rest."""
    now = [0.0]
    rates = Rates(lambda: now[0])
    day, step = 24 * 3600, 10

    def compared(whence: list[str]) -> int:
        number = 0
        for second in range(0, day, step):
            now[0] += step
            for address in random.Random(second).sample(whence, min(len(whence), 5)):
                with contextlib.suppress(TooFast):
                    while True:
                        rates.charge(Price(TRIES), f"{address} {whence[0]}", f"name {whence[0]}")
                        number += 1
        return number

    assert 1_700 < compared(["192.0.2.1"]) <= 10 + day * 0.02 + 1
    assert 8_600 < compared([f"net {number}" for number in range(10_000)]) <= 200 + day * 0.1 + 1
