"""A password reset: the email with a link, through a real mail server; that a request reveals nothing; its limits; and
who may set up the recovery address."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from litestar import Litestar

from parlour.house.accounts import recovery as account_recovery
from parlour.house.accounts import rows as account_rows
from parlour.house.accounts import schema as accounts
from parlour.house.accounts.deeds import new_link
from parlour.house.app import create_app, open_house
from parlour.house.database.all_tables import TABLES
from parlour.house.house import House
from parlour.house.notify import jobs as notify_jobs
from parlour.house.notify import outbox
from parlour.house.notify import schema as notify
from parlour.house.settings import Settings
from tests.house.people import Person, guest_of
from tests.house.receiving import Inbox, plain, until
from tests.house.serving import Nursery, free_port, lives

Arrive = Callable[[], Person]
SECRET, OTHER = "correct horse", "battery staple"


@pytest.fixture
def settings(tmp_path: Path, inbox: Inbox) -> Settings:
    return Settings(
        database=f"sqlite:///{tmp_path}/parlour.db", pace=0, engine="plain", limits=False, grace=600.0, base_url="http://house.test",
        mail=inbox.url, mail_from="house@house.test",
    )  # fmt: skip


@pytest.fixture
def house(app: Litestar) -> House:
    """Create a house that sends when the test says so (`sent`), not by the clock."""
    found: House = app.state.house
    clocks = [task for task in found._tasks if getattr(task.get_coro(), "__name__", "") in ("tell", "keep_time")]
    assert len(clocks) == 2
    for clock in clocks:
        clock.cancel()
    return found


async def sent(house: House, after: float = 0.0) -> int:
    """Let the house note and send what is due `after` seconds from now; return how many notifications it sent."""
    await notify_jobs.note(house)
    return await notify_jobs.send(house, time.time() + after)


async def confirm_address(house: House, person: Person, inbox: Inbox, address: str = "ann@example.org") -> None:
    """Set up and confirm an email address for an account."""
    await person.do("me/told", kind="mail", address=address, password=SECRET)
    assert await sent(house, 601.0) == 1
    token = re.search(r"/told/([\w-]+)", plain(inbox.got.pop()))
    assert token is not None
    await person.do("told/confirm", token=token[1])


@pytest.fixture
async def owner(house: House, ann: Person, inbox: Inbox) -> Person:
    """Return Ann, who has claimed her name and confirmed an email address."""
    await ann.do("me/claim", name="Ann", password=SECRET)
    await confirm_address(house, ann, inbox)
    return ann


def token_in(inbox: Inbox) -> str:
    """Return the token of the link in the last email."""
    found = re.search(r"^http://[\w.:]+/link#([\w-]{40,64})\r?$", plain(inbox.got[-1]), re.MULTILINE)
    assert found is not None
    return found[1]


# The email -------------------------------------------------------------------------------------------
async def test_an_email_brings_a_link_with_which_another_password_is_chosen_once(
    house: House, owner: Person, arrive: Arrive, inbox: Inbox
) -> None:
    mine, new = (await guest_of(owner)).id, arrive()
    assert await new.do("me/lost", name="aNN") == {"done": True}
    assert await sent(house) == 1
    assert await sent(house, 601.0) == 0
    (email,) = inbox.got
    assert (email["To"], email["Subject"]) == ("ann@example.org", "Reset your password for Parlour")
    assert email["List-Unsubscribe"] is None  # a reset email must not unsubscribe anyone
    text = " ".join(plain(email).split())
    assert "Someone asked to reset Ann's password at Parlour. This link works once, for one hour." in text
    token = token_in(inbox)
    assert await new.do("me/link/look", token=token) == {"name": "Ann", "kind": "reset"}
    assert (await new.do("me/link", token=token, password=OTHER))["id"] == mine
    assert (await guest_of(owner)).id != mine  # all other sessions end
    await arrive().refused("me/sign-in", 403, "wrong-password", name="Ann", password=SECRET)
    assert (await arrive().do("me/sign-in", name="Ann", password=OTHER))["id"] == mine
    await arrive().refused("me/link", 404, "bad-link", token=token, password=SECRET)


async def test_what_the_link_holds_is_kept_nowhere(house: House, owner: Person, inbox: Inbox) -> None:
    await owner.do("me/lost", name="Ann")
    await notify_jobs.note(house)  # it is stored, and not sent yet

    def everything(connection: sa.Connection) -> str:
        return str([connection.execute(sa.select(table)).all() for table in TABLES])

    kept = await house.store.look(everything)
    assert await sent(house) == 1
    for text in (kept, await house.store.look(everything), (await owner.get("/me/export")).content.decode("latin-1")):
        assert token_in(inbox) not in text


@pytest.mark.usefixtures("owner")
async def test_asked_again_before_it_left_there_is_one_email_and_afterwards_another(
    house: House, arrive: Arrive, inbox: Inbox
) -> None:
    for _ in range(3):
        await arrive().do("me/lost", name="Ann")
        await notify_jobs.note(house)
    assert await sent(house) == 1
    first = token_in(inbox)
    await arrive().do("me/lost", name="Ann")
    assert await sent(house) == 1
    second = token_in(inbox)
    assert first != second
    assert len({email["Message-ID"] for email in inbox.got}) == 2
    assert (await arrive().do("me/link/look", token=first))["name"] == "Ann"  # others cannot void a link
    await arrive().do("me/link", token=second, password=OTHER)
    await arrive().refused("me/link", 404, "bad-link", token=first, password=SECRET)


async def test_a_link_of_the_moderators_stays_good_beside_it(
    house: House, owner: Person, arrive: Arrive, inbox: Inbox
) -> None:
    token, row = new_link((await guest_of(owner)).id, "reset", time.time() + 60)
    await house.store.do(partial(account_rows.make_link, row=row))
    await arrive().do("me/lost", name="Ann")
    assert await sent(house) == 1
    await arrive().do("me/link", token=token, password=OTHER)
    await arrive().refused("me/link", 404, "bad-link", token=token_in(inbox), password=SECRET)


async def test_a_mail_server_that_is_away_is_tried_again_with_the_same_email(
    house: House, owner: Person, inbox: Inbox
) -> None:
    inbox.answer = "451 later"
    await owner.do("me/lost", name="Ann")
    assert await sent(house) == 0
    inbox.answer = "250 OK"
    assert await sent(house, outbox.RETRY[0] + 1.0) == 0
    assert await sent(house, outbox.RETRY[0] + 601.0) == 1
    assert (await owner.do("me/link/look", token=token_in(inbox)))["kind"] == "reset"


async def test_an_email_that_would_be_of_no_use_is_not_sent(house: House, owner: Person, inbox: Inbox) -> None:
    for what in ("late", "password", "end"):
        await owner.do("me/lost", name="Ann")
        await notify_jobs.note(house)
        if what == "password":
            await owner.do("me/password", password=SECRET, new=OTHER)  # she remembered; that voids all links
        elif what == "end":
            await owner.do("me/told/recovery/end", password=OTHER)
        assert await sent(house, outbox.GIVE_UP_LOST + 1.0 if what == "late" else 0.0) == 0
    await owner.do("me/lost", name="Ann")
    assert await sent(house) == 0
    assert inbox.got == []


async def test_the_link_expires_an_hour_after_the_last_moment_at_which_it_is_sent(house: House, owner: Person) -> None:
    now = time.time()
    await owner.do("me/lost", name="Ann")
    await notify_jobs.note(house)
    made = await house.store.look(lambda connection: connection.execute(sa.select(accounts.links.c.until)).one())
    assert now + account_recovery.GOOD <= made.until <= time.time() + account_recovery.GOOD
    assert account_recovery.GOOD - outbox.GIVE_UP_LOST == 3600.0  # as the email says


# What a request reveals ------------------------------------------------------------------------------
@contextmanager
def statements() -> Iterator[list[str]]:
    """Collect the statements that the database gets meanwhile."""
    found: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        found.append(statement)

    sa.event.listen(sa.Engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        sa.event.remove(sa.Engine, "before_cursor_execute", note)


@pytest.mark.usefixtures("owner", "bob")
async def test_the_answer_and_the_work_are_the_same_whatever_the_name(
    house: House, arrive: Arrive, inbox: Inbox
) -> None:
    """Names with a confirmed address, an unconfirmed one and without one, a guest's name, and unknown names."""
    for name, address in (("Carol", "carol@example.org"), ("Dora", "")):
        person = arrive()
        await person.do("me/claim", name=name, password=SECRET)
        if address:
            await person.do("me/told", kind="mail", address=address, password=SECRET)
    await sent(house, 601.0)
    inbox.got.clear()
    asks = arrive()
    await asks.get("/api/me")
    answers = []
    for name in ("Nemo", "Ann", "Carol", "Dora", "Bob", "No'body; --", "…", "Ann"):
        with statements() as asked:
            answer = await asks.post("/api/me/lost", json={"name": name})
        headers = {key: value for key, value in answer.headers.items() if key not in ("server-timing", "date")}
        answers.append((answer.status_code, answer.content, sorted(headers.items()), asked))
    assert answers == [answers[0]] * len(answers)
    assert answers[0][:2] == (200, b'{"done":true}')
    assert any("INSERT INTO settings" in one for one in answers[0][3])
    assert not any("people" in one or "channels" in one for one in answers[0][3])  # nothing was looked up yet
    assert await sent(house) == 1
    assert [email["To"] for email in inbox.got] == ["ann@example.org"]
    assert not await house.store.look(account_recovery.is_asked)


# Limits ----------------------------------------------------------------------------------------------
@pytest.mark.usefixtures("owner")
async def test_an_address_gets_so_many_a_day_and_all_together_so_many_an_hour(
    house: House, arrive: Arrive, inbox: Inbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    asks = arrive()
    monkeypatch.setattr(account_recovery, "BY_HOUSE", account_recovery.TO_ONE + 1)
    for _ in range(account_recovery.TO_ONE + 2):
        await asks.do("me/lost", name="Ann")
        await sent(house)
    assert len(inbox.got) == account_recovery.TO_ONE
    for name in ("Carol", "Dora"):
        person = arrive()
        await person.do("me/claim", name=name, password=SECRET)
        await confirm_address(house, person, inbox, f"{name}@example.org")
        await asks.do("me/lost", name=name)
        await sent(house)
    assert [email["To"] for email in inbox.got[account_recovery.TO_ONE :]] == ["Carol@example.org"]


async def test_no_more_is_asked_at_once_than_the_house_can_look_at(
    house: House, arrive: Arrive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(account_recovery, "WAITING", 2)
    asks = arrive()
    for name in ("Ann", "Bob"):
        await asks.do("me/lost", name=name)
    await asks.refused("me/lost", 429, "too-fast", name="Carol")
    await notify_jobs.note(house)
    await asks.do("me/lost", name="Carol")


async def test_who_asks_pays_for_it_by_name_too(settings: Settings) -> None:
    """The price is the same for a name without an account."""
    app = create_app(Settings(**{**settings.__dict__, "limits": True}))
    await open_house(app)
    try:
        for name, code in (("Nemo", 200), ("Nemo", 200), ("Nemo", 200), ("Nemo", 429), ("Another", 200)):
            async with Person(transport=httpx.ASGITransport(app=app), base_url="http://house.test") as guest:
                assert (await guest.post("/api/me/lost", json={"name": name})).status_code == code  # each a new guest
    finally:
        await app.state.house.close()


async def test_a_house_without_mail_says_so(settings: Settings, create: Callable[[Settings], Any]) -> None:
    app = create(Settings(**{**settings.__dict__, "mail": ""}))
    await open_house(app)
    try:
        async with Person(transport=httpx.ASGITransport(app=app), base_url="http://house.test") as guest:
            await guest.refused("me/lost", 400, "bad-input", name="Ann")
            page = (await guest.get("/me")).text
            assert "The people who run this house can create a reset link for you." in page
            assert "Lost your password?" not in page
    finally:
        await app.state.house.close()


# Whose recovery address ------------------------------------------------------------------------------
async def test_a_thief_of_a_session_cannot_make_their_address_that_of_the_name(
    house: House, owner: Person, arrive: Arrive, inbox: Inbox
) -> None:
    """They can neither set it up there, nor bring one along with a link for another device."""
    await owner.refused("me/told", 403, "wrong-password", kind="mail", address="eve@example.org")
    await owner.refused("me/told", 403, "wrong-password", kind="mail", address="eve@example.org", password=OTHER)
    await owner.refused("me/told", 403, "wrong-password", kind="recovery", address="eve@example.org")
    await owner.refused("me/told/recovery/end", 403, "wrong-password", password=OTHER)
    await owner.do("me/told/recovery/end", password=SECRET)
    mails = sa.select(notify.channels.c.id).where(notify.channels.c.kind == "mail")
    await owner.do("me/told/end", id=await house.store.look(lambda found: found.scalar(mails)))
    link = (await owner.do("me/device"))["url"].partition("#")[2]
    eve = arrive()
    await eve.do("me", name="Eve")
    await eve.do("me/told", kind="mail", address="eve@example.org")  # a guest has no password
    await sent(house, 601.0)
    token = re.search(r"/told/([\w-]+)", plain(inbox.got.pop()))
    assert token is not None
    await eve.do("told/confirm", token=token[1])
    await eve.do("me/link", token=link)
    assert await house.store.look(lambda found: found.execute(sa.select(notify.channels)).all()) == []
    await eve.do("me/lost", name="Ann")
    assert await sent(house) == 0


async def test_a_guests_address_moves_to_the_account_they_sign_in_to_by_password(ann: Person, arrive: Arrive) -> None:
    await ann.do("me/claim", name="Ann", password=SECRET)
    tablet = arrive()
    await tablet.do("me", name="Tablet")
    await tablet.do("me/told", kind="mail", address="ann@example.org")
    await tablet.do("me/sign-in", name="Ann", password=SECRET)
    assert "ann@example.org" in (await ann.get("/me")).text


async def test_turning_off_notifications_leaves_the_recovery_address(
    house: House, owner: Person, arrive: Arrive, inbox: Inbox
) -> None:
    """By the page, and by a mail program's own button; and the button of a reset email ends nothing."""
    for by_token in (False, True):
        c = notify.channels.c
        mail = sa.select(c.id, c.token).where(c.kind == "mail")
        place = await house.store.look(lambda found, query=mail: found.execute(query).one())
        if by_token:
            assert (await arrive().post(f"/told/{place.token}", data={"List-Unsubscribe": "One-Click"})).is_success
        else:
            await owner.do("me/told/end", id=place.id)
        page = (await owner.get("/me")).text
        assert "ann@example.org" not in page.partition('id="notifications"')[2].partition('id="recovery"')[0]
        assert "ann@example.org" in page.partition('id="recovery"')[2].partition("</section>")[0]
        await arrive().do("me/lost", name="Ann")
        assert await sent(house) == 1
        assert (await arrive().do("me/link/look", token=token_in(inbox)))["name"] == "Ann"
        recovery = sa.select(c.token).where(c.kind == "recovery")
        token = await house.store.look(lambda found, query=recovery: found.scalar(query))
        assert (await arrive().post(f"/told/{token}", json={})).is_success
        inbox.got.clear()
        await owner.do("me/told", kind="mail", address="ann@example.org", password=SECRET)
        assert await sent(house) == 1  # at once, though other notices wait
        confirm = re.search(r"/told/([\w-]+)", plain(inbox.got.pop()))
        assert confirm is not None
        await owner.do("told/confirm", token=confirm[1])
    places = sa.select(notify.channels.c.kind, notify.channels.c.good).order_by(notify.channels.c.kind)
    kept = await house.store.look(lambda found: found.execute(places).all())
    assert kept == [("mail", True), ("recovery", True)]


async def test_a_new_recovery_address_takes_the_place_of_the_old_one_once_it_is_confirmed(
    house: House, owner: Person, arrive: Arrive, inbox: Inbox
) -> None:
    await owner.do("me/told", kind="recovery", address="new@example.org", password=SECRET)
    assert await sent(house) == 1
    (email,) = inbox.got
    assert (email["To"], email["Subject"]) == ("new@example.org", "Confirm your email address for Parlour")
    confirm = re.search(r"/told/([\w-]+)", plain(inbox.got.pop()))
    assert confirm is not None
    for address in ("ann@example.org", "new@example.org"):
        await arrive().do("me/lost", name="Ann")
        assert await sent(house) == 1
        assert inbox.got.pop()["To"] == address
        await owner.do("told/confirm", token=confirm[1])
    page = (await owner.get("/me")).text
    notified = page.partition('id="notifications"')[2].partition('id="recovery"')[0]
    assert "ann@example.org" in notified
    assert "ann@example.org" not in page.partition('id="recovery"')[2]
    await owner.do("me/told/recovery/end", password=SECRET)
    await arrive().do("me/lost", name="Ann")
    assert await sent(house) == 0


async def test_a_guests_address_resets_the_password_once_they_have_claimed_a_name(
    house: House, ann: Person, arrive: Arrive, inbox: Inbox
) -> None:
    await ann.do("me/told", kind="mail", address="ann@example.org")
    await ann.refused("me/told", 403, "not-claimed", kind="recovery", address="ann@example.org")
    assert await sent(house) == 1
    token = re.search(r"/told/([\w-]+)", plain(inbox.got.pop()))
    assert token is not None
    await ann.do("told/confirm", token=token[1])
    await ann.do("me/claim", name="Ann", password=SECRET)
    await arrive().do("me/lost", name="Ann")
    assert await sent(house) == 1


# Restarts --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM], ids=["kill", "term"])
@pytest.mark.suite("kill")
async def test_what_was_asked_before_the_house_went_is_sent_once_after_it(
    nursery: Nursery, tmp_path: Path, inbox: Inbox, how: signal.Signals
) -> None:
    port = free_port()
    house = {"database": f"sqlite:///{tmp_path}/parlour.db", "grace": 0.05, "port": port}
    house |= {"mail": inbox.url, "mail_from": "house@house.test", "base_url": f"http://127.0.0.1:{port}"}
    server = nursery.start(**house)
    async with Person(base_url=server.url, timeout=30) as ann:
        await ann.do("me/claim", name="Ann", password=SECRET)
        await ann.do("me/told", kind="mail", address="ann@example.org", password=SECRET)
        await until(lambda: inbox.got)
        token = re.search(r"/told/([\w-]+)", plain(inbox.got.pop()))
        assert token is not None
        await ann.do("told/confirm", token=token[1])
        inbox.answer = "451 later"  # the server gets it, and refuses it for now
        await ann.do("me/lost", name="Ann")
        os.kill(server.pid, how)
        await until(lambda: not lives(server.pid))
        inbox.answer = "250 OK"
        nursery.start(**house)
        await until(lambda: inbox.got)
        assert (await ann.do("me/link/look", token=token_in(inbox)))["name"] == "Ann"
        await ann.do("me/told", kind="mail", address="ann@example.org", password=SECRET)
        await until(lambda: len(inbox.got) >= 2)  # the sign that the new house has tried
        assert [one["Subject"] for one in inbox.got].count("Reset your password for Parlour") == 1
