"""Passkeys: claiming a name with one, signing in, the last way in, and answers that are wrong or repeated."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import secrets
import time
import zipfile
from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

import pytest
import sqlalchemy as sa

from parlour.house.accounts import rows as account_rows
from parlour.house.accounts.guests import Guests
from parlour.house.accounts.passkeys import rows as passkey_rows
from parlour.house.accounts.passkeys import schema as passkeys
from parlour.house.accounts.passkeys.challenges import GOOD_FOR, Passkeys, Site, site_of
from parlour.house.accounts.passkeys.rows import MOST
from parlour.house.database.store import Store
from parlour.house.errors import BadPasskey
from parlour.house.house import House
from parlour.house.news.peers import Peers
from parlour.house.notify.mail import Post
from parlour.house.settings import Settings
from tests.house import authenticator
from tests.house.authenticator import PRESENT, Device, at_home, claim, data_of, sign_in, text, use
from tests.house.people import Person, guest_of, two_at_table
from tests.house.serving import Nursery

Arrive = Callable[[], Person]
SECRET = "correct horse"


@pytest.fixture
def device() -> Device:
    return Device()


@pytest.fixture
async def owner(ann: Person, device: Device) -> Person:
    """Return Ann, who has claimed her name with a passkey of this device."""
    await authenticator.claim(at_home(ann), device, "Ann")
    return ann


@pytest.fixture
def come(arrive: Arrive) -> Arrive:
    """Return what creates a guest who visits http://localhost."""
    return lambda: at_home(arrive())


async def kept(house: House, table: Any = passkeys.passkeys) -> list[Any]:
    return list(await house.store.look(lambda connection: connection.execute(sa.select(table)).all()))


# Where passkeys work ---------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("url", "host", "origin"),
    [
        ("https://games.example", "games.example", "https://games.example"),
        ("https://Games.Example:443/", "games.example", "https://games.example"),
        ("https://games.example:8443", "games.example", "https://games.example:8443"),
        ("https://bücher.example", "xn--bcher-kva.example", "https://xn--bcher-kva.example"),
        ("http://localhost:8000", "localhost", "http://localhost:8000"),
        ("http://localhost:80", "localhost", "http://localhost"),
    ],
)
def test_where_there_are_passkeys(url: str, host: str, origin: str) -> None:
    assert site_of(url) == Site(host, origin)


NOWHERE = ("http://games.example", "http://127.0.0.1:8000", "https://127.0.0.1", "https://[::1]:8000", "https://1.2")
NOWHERE += ("http://localhost.example", "https://0x7f.0x1", "https://a..b", "https://")
NOWHERE += ("ftp://localhost", "https://a:b")


@pytest.mark.parametrize("url", NOWHERE)
def test_where_there_are_none(url: str) -> None:
    assert site_of(url) is None


async def test_where_there_are_none_nothing_is_offered_and_all_is_refused(
    arrive: Arrive, come: Arrive, owner: Person
) -> None:
    bob = arrive()  # at http://house.test
    assert "data-passkey" not in (await bob.get("/me")).text.replace("passkeys.js", "")
    error = await bob.refused("me/passkeys/new", 409, "no-passkeys", why="claim", name="Bob")
    assert "https" in error["message"]
    await bob.refused("me/passkeys/ask", 409, "no-passkeys", why="sign-in")
    assert 'data-passkeys="http://localhost"' in (await come().get("/me")).text
    owner.headers["host"] = "house.test"
    page = (await owner.get("/me")).text
    assert "only at localhost" in page
    assert "data-passkeys=" not in page


async def test_a_house_with_an_address_of_its_own_has_passkeys_for_that(arrive: Arrive, house: House) -> None:
    """The answer doesn't depend on the browser's address: the script offers no passkeys at another one."""
    house.settings = replace(house.settings, base_url="https://games.example/")
    person = arrive()
    assert 'data-passkeys="https://games.example"' in (await person.get("/me")).text
    assert (await person.do("me/passkeys/new", why="claim", name="Ann"))["rp"]["id"] == "games.example"
    assert (await person.do("me/passkeys/ask", why="sign-in"))["rpId"] == "games.example"


# A name ----------------------------------------------------------------------------------------------
async def test_a_name_is_claimed_with_a_passkey_and_its_owner_is_the_same_elsewhere(
    ann: Person, bob: Person, come: Arrive, device: Device, house: House
) -> None:
    table, mine = await two_at_table(ann, bob), (await guest_of(ann)).id
    claimed = await authenticator.claim(at_home(ann), device, "Ann")
    assert (claimed["id"], claimed["claimed"]) == (mine, True)
    phone = come()
    assert (await sign_in(phone, device))["id"] == mine
    assert (await phone.see(table))["table"]["my_seat"] == 0
    (row,) = await kept(house)
    assert (row.signs, row.host, row.used is None) == (1, "localhost", False)
    await bob.refused("me/claim", 409, "name-taken", name="ANN", password=SECRET)
    for password in ("", SECRET):  # the account has no password, so none fits
        await come().refused("me/sign-in", 403, "wrong-password", name="Ann", password=password)


async def test_a_name_that_cannot_be_claimed_is_refused_before_a_passkey_is_made(
    owner: Person, bob: Person, come: Arrive
) -> None:
    await at_home(bob).refused("me/passkeys/new", 409, "name-taken", why="claim", name="ANN")
    await bob.refused("me/passkeys/new", 400, "bad-input", why="claim", name="Somebody")
    await owner.refused("me/passkeys/new", 409, "already-claimed", why="claim", name="Other")
    await come().refused("me/passkeys/new", 403, "not-claimed", why="add")
    await come().refused("me/passkeys/ask", 403, "not-claimed", why="delete")


async def test_whoever_is_too_late_with_a_name_may_take_another_with_the_same_passkey(
    ann: Person, bob: Person, device: Device
) -> None:
    made = device.make(await at_home(ann).do("me/passkeys/new", why="claim", name="Ann"))
    await bob.do("me/claim", name="ann", password=SECRET)
    await ann.refused("me/passkeys/claim", 409, "name-taken", name="Ann", made=made)
    assert (await ann.do("me/passkeys/claim", name="Anna", made=made))["claimed"]


async def test_what_one_played_elsewhere_comes_along_or_stays(
    owner: Person, bob: Person, come: Arrive, device: Device
) -> None:
    for bring in (True, False):
        phone = come()
        await phone.do("me", name="Stranger")
        table, stranger = await two_at_table(phone, bob), (await guest_of(phone)).id
        await sign_in(phone, device, bring=bring)
        assert (await owner.see(table))["table"]["my_seat"] == (0 if bring else None)
        assert ((await phone.do("me/sign-out"))["id"] == stranger) is not bring
    assert (await sign_in(come(), device))["name"] == "Ann"  # the passkey still belongs to her


async def test_there_are_passkeys_beside_a_password_for_who_says_it(ann: Person, come: Arrive, device: Device) -> None:
    await at_home(ann).do("me/claim", name="Ann", password=SECRET)
    await ann.refused("me/passkeys/new", 403, "wrong-password", why="add")
    await ann.refused("me/passkeys/new", 403, "wrong-password", why="add", password="wrong horse")
    ann.headers["user-agent"] = "Mozilla/5.0 (Linux; Android 14) Chrome/126.0 Safari/537.36"
    await authenticator.add(ann, device, password=SECRET)
    page = (await ann.get("/me")).text
    assert "Remove the passkey of Chrome on Android" in page
    assert "not used yet, added just now" in page
    await sign_in(come(), device)
    assert "used just now, added just now" in (await ann.get("/me")).text
    await ann.refused("me/password", 403, "wrong-password", answer=await use(ann, device, "password"), new=SECRET)
    (key,) = [one.id for one in await kept_of(ann)]
    await ann.refused("me/passkeys/remove", 403, "wrong-password", id=key)
    await ann.do("me/passkeys/remove", id=key, password=SECRET)  # the password still lets her sign in
    assert "Remove the passkey" not in (await ann.get("/me")).text
    error = await come().refused(
        "me/passkeys/sign-in", 403, "bad-passkey", answer=await use(come(), device, "sign-in")
    )  # from another guest's request
    assert "didn't ask" in error["message"]
    phone = come()
    error = await phone.refused("me/passkeys/sign-in", 403, "bad-passkey", answer=await use(phone, device, "sign-in"))
    assert "don't know this passkey" in error["message"]


async def kept_of(person: Person) -> list[Any]:
    """Return the passkeys of a person from the database of the test's house."""
    house: House = person._transport.app.state.house  # type: ignore[attr-defined]
    mine = (await guest_of(person)).id
    return await house.store.look(lambda connection: passkey_rows.of(connection, mine))


async def test_passkeys_are_added_and_removed_but_never_the_last(owner: Person, come: Arrive, device: Device) -> None:
    second = Device()
    (first,) = await kept_of(owner)
    error = await owner.refused("me/passkeys/ask", 409, "last-passkey", why="remove", id=first.id)
    assert "Add another passkey or set a password before" in error["message"]
    await owner.refused("me/passkeys/new", 403, "wrong-password", why="add", password="")
    await authenticator.add(owner, second, by=device)
    assert (await kept_of(owner))[0] == first._replace(signs=1, used=(await kept_of(owner))[0].used)
    asked = await owner.do("me/passkeys/ask", why="remove", id=first.id)
    assert len(asked["allowCredentials"]) == 2
    await owner.do("me/passkeys/remove", id=first.id, answer=second.use(asked))
    phone = come()
    error = await phone.refused("me/passkeys/sign-in", 403, "bad-passkey", answer=await use(phone, device, "sign-in"))
    assert "don't know this passkey" in error["message"]
    assert (await sign_in(come(), second))["name"] == "Ann"
    (left,) = await kept_of(owner)
    answer = await use(owner, second, "remove", id="another guest's")
    await owner.refused("me/passkeys/remove", 409, "last-passkey", id=left.id, answer=answer)


async def test_of_two_removed_at_once_one_stays(owner: Person, device: Device) -> None:
    second = Device()
    await authenticator.add(owner, second, by=device)
    first, other = await kept_of(owner)
    answers = [await use(owner, device, "remove", id=one.id) for one in (first, other)]
    sent = [{"id": one.id, "answer": answer} for one, answer in zip((other, first), answers, strict=True)]
    # The first passkey confirms both: after the first removal, the other is refused.
    done = await asyncio.gather(*(owner.post("/api/me/passkeys/remove", json=body) for body in sent))
    assert 200 in {one.status_code for one in done}
    assert len(await kept_of(owner)) == 1


async def test_who_has_only_passkeys_sets_a_password(owner: Person, come: Arrive, device: Device) -> None:
    phone = come()
    await sign_in(phone, device)
    await owner.refused("me/password", 403, "wrong-password", new=SECRET)
    await owner.refused("me/password", 403, "bad-passkey", new=SECRET, answer=await use(owner, device, "delete"))
    mine = (await owner.do("me/password", new=SECRET, answer=await use(owner, device, "password")))["id"]
    assert (await guest_of(phone)).id != mine  # all other sessions have ended
    assert (await come().do("me/sign-in", name="Ann", password=SECRET))["id"] == mine
    assert (await sign_in(come(), device))["id"] == mine
    (key,) = await kept_of(owner)
    await owner.do("me/passkeys/remove", id=key.id, password=SECRET)


async def test_who_has_only_passkeys_is_deleted_by_one_and_all_is_gone(
    owner: Person, bob: Person, come: Arrive, device: Device, house: House
) -> None:
    other = Device()
    await authenticator.claim(at_home(bob), other, "Bob")
    await owner.refused("me/delete", 403, "wrong-password", word="delete", password="")
    theirs = other.use({**await owner.do("me/passkeys/ask", why="delete"), "allowCredentials": []})
    error = await owner.refused("me/delete", 403, "bad-passkey", answer=theirs)
    assert "don't know this passkey" in error["message"]
    await owner.do("me/delete", answer=await use(owner, device, "delete"))
    (left,) = await kept(house)
    assert left.guest_id == (await guest_of(bob)).id
    phone = come()
    await phone.refused("me/passkeys/sign-in", 403, "bad-passkey", answer=await use(phone, device, "sign-in"))
    assert (await sign_in(come(), other))["name"] == "Bob"


async def test_who_takes_home_what_is_theirs_has_passkeys_without_their_keys(owner: Person, house: House) -> None:
    pack = zipfile.ZipFile(io.BytesIO((await owner.get("/me/export")).content))
    (row,), about = await kept(house), pack.read("me.json").decode()
    (said,) = json.loads(about)["passkeys"]
    assert said == {"made with": "A program", "for": "localhost", "since": said["since"], "used": None}
    assert row.public not in about
    assert row.credential not in about


async def test_nobody_has_passkeys_without_end(owner: Person, device: Device, house: House) -> None:
    (row,) = await kept_of(owner)
    for number in range(MOST - 1):
        one = row._replace(id=f"{number}", credential=f"{number}")
        await house.store.do(lambda connection, one=one: passkey_rows.add(connection, one))
    made = Device().make(await owner.do("me/passkeys/new", why="add", answer=await use(owner, device, "add")))
    error = await owner.refused("me/passkeys/add", 400, "bad-input", made=made)
    assert str(MOST) in error["message"]


# Wrong answers ---------------------------------------------------------------------------------------
WRONG: list[tuple[dict[str, Any], str]] = [
    ({"origin": "http://localhost:81"}, "isn't this house's"), ({"origin": "https://localhost"}, "isn't this house's"),
    ({"origin": "http://evil.test"}, "isn't this house's"), ({"host": "evil.test"}, "isn't this house's"),
    ({"flags": PRESENT}, "check who you are"), ({"flags": 0x04}, "don't know this passkey"),
]  # fmt: skip


@pytest.mark.parametrize(("wrong", "said"), WRONG)
async def test_answers_from_elsewhere_or_of_nobody_are_refused(
    owner: Person, come: Arrive, device: Device, wrong: dict[str, Any], said: str
) -> None:
    bad = Device(**wrong, keys=device.keys)
    phone = come()
    error = await phone.refused("me/passkeys/sign-in", 403, "bad-passkey", answer=await use(phone, bad, "sign-in"))
    assert said in error["message"]
    asked = await owner.do("me/passkeys/new", why="add", answer=await use(owner, device, "add"))
    made = bad.made(device.keys[0], asked["challenge"])
    error = await owner.refused("me/passkeys/add", 403, "bad-passkey", made=made)
    assert said in error["message"] or said == "don't know this passkey"
    assert (await sign_in(phone, device))["name"] == "Ann"


async def test_a_passkey_that_is_not_known_and_one_that_does_not_fit_are_answered_alike(
    owner: Person, come: Arrive, device: Device
) -> None:
    del owner
    phone, answers = come(), []
    stranger, forged, other = Device(), Device(), Device(keys=device.keys)
    asked = {"pubKeyCredParams": [{"alg": -7, "type": "public-key"}], "rp": {"id": "localhost"}, "challenge": ""}
    stranger.make({**asked, "user": {"id": device.keys[0].handle}})
    forged.keys = [authenticator.Passkey(device.keys[0].id, stranger.keys[0].key, device.keys[0].handle)]
    for one in (stranger, forged):
        answers.append(await phone.post("/api/me/passkeys/sign-in", json={"answer": await use(phone, one, "sign-in")}))
    answer = await use(phone, other, "sign-in")
    answer["response"]["userHandle"] = text(b"somebody else")
    answers.append(await phone.post("/api/me/passkeys/sign-in", json={"answer": answer}))
    assert {one.status_code for one in answers} == {403}
    assert len({one.content for one in answers}) == 1
    assert "We don't know this passkey." in answers[0].json()["error"]["message"]


async def test_a_counter_that_goes_back_is_refused_and_one_that_always_says_0_is_not(
    owner: Person, come: Arrive, device: Device
) -> None:
    del owner
    await sign_in(come(), device)
    await sign_in(come(), device)
    for signs in (0, 1, -1):  # then it counts 1, as long ago; 2, as the last time; 0, as if it did not count
        device.keys[0].signs = signs
        phone = come()
        answer = await use(phone, device, "sign-in")
        error = await phone.refused("me/passkeys/sign-in", 403, "bad-passkey", answer=answer)
        assert "may be a copy" in error["message"]
    device.keys[0].signs = 7
    await sign_in(come(), device)
    silent, bob = Device(step=0), come()
    await authenticator.claim(bob, silent, "Bob")
    for _ in range(3):
        assert (await sign_in(come(), silent))["name"] == "Bob"


async def test_an_answer_is_good_once_for_one_guest_one_purpose_and_five_minutes(
    owner: Person, come: Arrive, device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone, thief = come(), come()
    answer = await use(phone, device, "sign-in")
    error = await thief.refused("me/passkeys/sign-in", 403, "bad-passkey", answer=answer)
    assert "didn't ask for this passkey" in error["message"]
    await owner.refused("me/delete", 403, "bad-passkey", answer=await use(owner, device, "sign-in"))
    await phone.do("me/passkeys/sign-in", answer=answer, bring=False)
    await phone.do("me/sign-out")  # the guest who requested it again
    error = await phone.refused("me/passkeys/sign-in", 403, "bad-passkey", answer=answer)
    assert "was already used" in error["message"]
    asked = await phone.do("me/passkeys/ask", why="sign-in")
    late, forged = device.use(asked), data_of(asked["challenge"])
    longer = forged[:16] + (int.from_bytes(forged[16:24], "big") + 3600).to_bytes(8, "big") + forged[24:]
    answer = device.use({**asked, "challenge": text(longer)})
    await phone.refused("me/passkeys/sign-in", 403, "bad-passkey", answer=answer)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + GOOD_FOR + 1)
    error = await phone.refused("me/passkeys/sign-in", 403, "bad-passkey", answer=late)
    assert "longer than 5 minutes" in error["message"]


async def test_a_new_passkey_is_taken_once_and_by_one(owner: Person, bob: Person, device: Device) -> None:
    second = Device()
    asked = await owner.do("me/passkeys/new", why="add", answer=await use(owner, device, "add"))
    made = second.make(asked)
    await at_home(bob).refused("me/passkeys/claim", 403, "bad-passkey", name="Bob", made=made)
    answers = await asyncio.gather(*(owner.post("/api/me/passkeys/add", json={"made": made}) for _ in range(4)))
    assert sorted(one.status_code for one in answers) == [200, 403, 403, 403]
    asked = await bob.do("me/passkeys/new", why="claim", name="Bob")
    error = await bob.refused(
        "me/passkeys/claim", 403, "bad-passkey", name="Bob", made=device.made(device.keys[0], asked["challenge"])
    )
    assert "already in use here" in error["message"]


async def test_questions_are_not_kept_and_answers_no_longer_than_they_are_good(
    owner: Person, come: Arrive, device: Device, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    del owner
    assert len(await kept(house, passkeys.answered)) == 1  # of the claim
    phone = come()
    asked = [(await phone.do("me/passkeys/ask", why="sign-in"))["challenge"] for _ in range(50)]
    assert len({one[:21] for one in asked}) == 50
    assert len(await kept(house, passkeys.answered)) == 1
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + GOOD_FOR + 2)
    await sign_in(phone, device)
    assert len(await kept(house, passkeys.answered)) == 1


def test_another_key_of_the_house_is_taken_up_and_an_old_one_is_still_known() -> None:
    guests = Guests(cast("Store", None), ["old"], Peers(None, shared=False))  # which reads nothing here
    house = Passkeys(guests)
    question = data_of(house.ask("ann", "sign-in"))
    guests.use(["old", "new"])
    house._answered(question, "ann", "sign-in")
    guests.use(["new"])
    with pytest.raises(BadPasskey, match="didn't ask"):
        house._answered(question, "ann", "sign-in")


NONSENSE: list[Any] = [
    "", "!", "e30", text(b"[]"), text(b"null"), text(b'{"type":"webauthn.get"}'), text(b"\xff" * 40),
    text(b"\x9f" * 3000), text(b"\x81" * 3000),
]  # fmt: skip


@pytest.mark.parametrize("nonsense", NONSENSE)
async def test_whatever_is_sent_is_refused_in_plain_words(
    owner: Person, come: Arrive, device: Device, nonsense: str
) -> None:
    phone = come()
    for name in ("clientDataJSON", "authenticatorData", "signature"):
        answer = await use(phone, device, "sign-in")
        answer["response"][name] = nonsense
        error = await phone.refused("me/passkeys/sign-in", 403, "bad-passkey", answer=answer)
        assert error["message"].endswith(".")
    for name in ("clientDataJSON", "attestationObject"):
        made = Device().make(await owner.do("me/passkeys/new", why="add", answer=await use(owner, device, "add")))
        made["response"][name] = nonsense
        await owner.refused("me/passkeys/add", 403, "bad-passkey", made=made)


# Several at once, and several processes -----------------------------------------------------------------
async def race(comers: list[Person], device: Device) -> None:
    """Send the same answers several times at once, from several guests: each works once, and the last passkey stays."""
    name = f"Ann {secrets.token_hex(4)}"
    ann = comers[0]
    await authenticator.claim(ann, device, name)
    for _ in range(5):
        answer, cookies = await use(ann, device, "add"), dict(ann.cookies)
        for one in comers[1:]:  # the same guest, at other processes
            one.cookies.clear()
            for cookie, value in cookies.items():
                one.cookies.set(cookie, value)
        bodies = {"why": "add", "answer": answer}
        answers = await asyncio.gather(*(one.post("/api/me/passkeys/new", json=bodies) for one in comers * 3))
        good = [one for one in answers if one.is_success]
        assert len(good) == 1, [one.text for one in answers]
        made = device.make(good[0].json())
        answers = await asyncio.gather(*(one.post("/api/me/passkeys/add", json={"made": made}) for one in comers * 3))
        assert sum(one.is_success for one in answers) == 1, [one.text for one in answers]
        device.keys[:] = device.keys[-2:]


@pytest.mark.service
async def test_an_answer_is_good_once_at_two_processes_of_postgresql(nursery: Nursery, database: str) -> None:
    servers = [nursery.start(database=database, limits=False) for _ in range(2)]
    async with contextlib.AsyncExitStack() as stack:
        comers, device = [], Device()
        for server in servers:
            url = server.url.replace("127.0.0.1", "localhost")
            comers.append(await stack.enter_async_context(Person(base_url=url, timeout=30)))
        device.origin = str(comers[0].base_url).rstrip("/")
        comers[1].headers["host"] = device.origin.removeprefix("http://")  # as behind one proxy
        await race(comers, device)
        mine = comers[0]
        page = (await mine.get("/me")).text
        ids = [part.partition('"')[0] for part in page.split('name="id" value="')[1:]]
        assert len(ids) >= 6
        phone = await stack.enter_async_context(Person(base_url=str(comers[0].base_url), timeout=30))
        assert (await sign_in(phone, device))["id"] == (await guest_of(mine)).id
        await mine.do("me/delete", answer=await use(mine, device, "delete"))


async def test_an_answer_is_good_once_in_one_process(come: Arrive, device: Device) -> None:
    await race([come(), come()], device)


async def last_stays(house: House, guest: str) -> None:
    """Remove all passkeys of an account without a password at the same time: one is left."""
    mine = await house.store.look(lambda connection: passkey_rows.of(connection, guest))
    done = await asyncio.gather(
        *(house.store.do(lambda connection, one=one: passkey_rows.remove(connection, guest, one.id)) for one in mine)
    )
    assert sorted(done) == [False, *[True] * (len(mine) - 1)]
    assert len(await house.store.look(lambda connection: passkey_rows.of(connection, guest))) == 1


async def with_passkeys(house: House, number: int) -> str:
    """Create an account with this number of passkeys and no password; return its id."""
    guest = secrets.token_hex(12)

    def work(connection: sa.Connection) -> None:
        account_rows.claim(connection, guest, guest, guest, "")
        for one in range(number):
            row = passkey_rows.PasskeyRow(f"{guest} {one}", guest, f"{one}", "", 0, "localhost", "A program", 1.0)
            passkey_rows.add(connection, row)

    await house.store.do(work)
    return guest


async def test_the_last_of_several_stays(house: House) -> None:
    await last_stays(house, await with_passkeys(house, 4))


@pytest.mark.service
async def test_the_last_of_several_stays_in_postgresql(house: House, database: str) -> None:
    other = await House.open(replace(house.settings, database=database), house.jobs)
    try:
        for _ in range(5):
            await last_stays(other, await with_passkeys(other, 4))
    finally:
        await other.close()


async def test_an_account_without_a_password_sets_up_an_address_with_a_passkey(house: House, arrive: Arrive) -> None:
    """An email there helps if they lose the passkey."""
    house.post = Post(Settings(mail="smtp://127.0.0.1:9", mail_from="a@b.test", base_url="http://house.test"))
    cid, device = at_home(arrive()), Device()
    await claim(cid, device, "Cid")
    place = {"kind": "mail", "address": "cid@example.org"}
    await cid.refused("me/told", 403, "wrong-password", **place)
    await cid.refused("me/told", 403, "bad-passkey", **place, answer=await use(cid, device, "delete"))
    await cid.do("me/told", **place, answer=await use(cid, device, "mail"))
    assert "cid@example.org" in (await cid.get("/me")).text
