"""Notifications of what happened while people were away: what, to whom, how often; and that they reveal no secret.

The push service, the webhook and the mail server are real ones, on this machine.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import io
import json
import re
import time
import zipfile
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from parlour.house.app import create_app, open_house
from parlour.house.errors import CannotServe
from parlour.house.house import House
from parlour.house.jobs import JOBS
from parlour.house.notify import channels, outbox, wording
from parlour.house.notify import jobs as notify_jobs
from parlour.house.notify import schema as notify
from parlour.house.notify.mail import Post
from parlour.house.notify.senders import Words
from parlour.house.settings import Settings
from parlour.house.table.live import clocks, looking
from parlour.house.table.live.deciding import deciding
from parlour.house.table.storage import schema as storage
from tests.house.forging import ROYALE_SEATS
from tests.house.people import ME, OPEN, Person, guest_of, play_on, time_is_over, two_at_table
from tests.house.receiving import ASKED, Browser, Inbox, Service, plain, service, stop

DAY = 86_400.0
LATER = 80_000.0  # seconds after which everything unsent is due, and not given up yet


@pytest.fixture
def settings(tmp_path: Path, inbox: Inbox) -> Settings:
    return Settings(
        database=f"sqlite:///{tmp_path}/parlour.db", pace=0, engine="plain", limits=False, outside="any", grace=3600.0,
        base_url="http://house.test", mail=inbox.url, mail_from="house@house.test",
    )  # fmt: skip


@pytest.fixture
async def world() -> AsyncIterator[Service]:
    async with service() as made:
        yield made


async def seen(house: House) -> None:
    """Let the house note new notifications, and a while later who saw them."""
    await notify_jobs.note(house)
    await notify_jobs.note(house, time.time() + notify_jobs.SEEN + 1)


async def send(house: House, after: float = 3601.0) -> int:
    """Let the house note and send what is due `after` seconds from now; return how many notifications it sent."""
    await notify_jobs.note(house)
    return await notify_jobs.send(house, time.time() + after)


async def ann_decides(ann: Person, bob: Person, **body: Any) -> str:
    """Start a game of two in which it is Ann's turn; return its id."""
    table = await two_at_table(ann, bob, **body)
    await stop(bob, table)
    return table


async def all_kinds(person: Person, browser: Browser) -> None:
    await person.do("me/told", **browser.subscription(turn=True, invitation=True, chat=True))


async def test_a_turn_is_notified_once_to_whoever_asked_for_it(
    house: House, ann: Person, bob: Person, world: Service
) -> None:
    mine = world.browser()
    table = await ann_decides(ann, bob)
    await stop(ann, table)
    assert await send(house) == 0  # none was turned on
    await all_kinds(bob, mine)
    assert await send(house) == 0  # an earlier turn is not news
    await stop(bob, table)
    await stop(ann, table)
    assert await send(house, after=3590.0) == 0  # they may still open the page
    assert await send(house) == 1
    assert [one["title"] for one in mine.got] == ["Your turn: Fortune with Ann"]
    stands = r"The score: Ann −?[\d,]+ and Bob −?[\d,]+\."
    assert re.fullmatch(rf"{ASKED} {stands}", mine.got[0]["text"])
    assert mine.got[0]["path"] == f"/t/{table}"
    assert await send(house, LATER) == 0
    await stop(bob, table)
    await stop(ann, table)
    assert await send(house) == 1
    assert len({one["key"] for one in mine.got}) == 2
    assert len({one["Topic"] for one in mine.headers}) == 1  # the later one replaces the one before


async def test_who_has_the_page_open_or_has_moved_is_not_notified(
    house: House, ann: Person, bob: Person, world: Service
) -> None:
    mine = world.browser()
    table = await ann_decides(ann, bob)
    await all_kinds(bob, mine)
    live, _ = await house.look(table, (await guest_of(bob)).id)
    with house.presence.listening(live, (await guest_of(bob)).id):
        await stop(ann, table)
        await seen(house)
    assert await send(house, LATER) == 0  # it was seen, so it is not sent after the page is closed
    await stop(bob, table)
    await stop(ann, table)
    await notify_jobs.note(house)
    await stop(bob, table)  # before anything was sent
    assert await send(house) == 0
    assert mine.got == []


@pytest.mark.parametrize("hidden", [2, 120])
async def test_a_page_that_nobody_sees_keeps_back_no_notice(
    house: House, ann: Person, bob: Person, world: Service, hidden: int
) -> None:
    """A player leaves the page open behind others, or leaves just after the news, with or without a report from the
    page. After two minutes a hidden page no longer counts as seen, though bots still play for it."""
    mine = world.browser()
    table = await ann_decides(ann, bob)
    await all_kinds(bob, mine)
    guest = (await guest_of(bob)).id
    live, _ = await house.look(table, guest)
    with house.presence.listening(live, guest, hidden):
        await stop(ann, table)
        await seen(house)
        assert await send(house) == 1
        assert bool(live.audience.present()[guest]) == (hidden < 120)
        assert looking.looked_at(live)
        await stop(bob, table)
        await stop(ann, table)
        with house.presence.listening(live, guest):  # and another, visible tab of theirs
            await seen(house)
        assert await send(house, LATER) == 0
    await stop(bob, table)
    with house.presence.listening(live, guest):
        await stop(ann, table)
        await notify_jobs.note(house)
    await notify_jobs.note(house, time.time() + notify_jobs.SEEN + 1)
    assert await send(house) == 1


async def test_an_invitation_is_sent_to_a_player_whose_lobby_is_hidden(
    house: House, ann: Person, bob: Person, world: Service
) -> None:
    mine = world.browser()
    table = await two_at_table(ann, bob)
    await all_kinds(bob, mine)
    await play_on(table, 10_000, ann, bob, first=True)
    guest = (await guest_of(bob)).id
    with house.lobby.listening(guest, 2):
        await ann.do(f"tables/{table}/rematch")
        await seen(house)
        assert await send(house) == 1
    again = await two_at_table(ann, bob)
    await play_on(again, 10_000, ann, bob, first=True)
    with house.lobby.listening(guest):
        await ann.do(f"tables/{again}/rematch")
        await seen(house)
    assert await send(house, LATER) == 0


async def test_that_time_is_short_is_notified_once_where_days_are_played(
    house: House, ann: Person, bob: Person, world: Service
) -> None:
    """It is sent at a tenth of the time, at least an hour before the end; not to a player who looks, or has moved."""
    mine = world.browser()
    await all_kinds(bob, mine)
    tables = [await ann_decides(ann, bob, tempo={"delay": 2 * DAY}) for _ in range(3)]
    tables += [await ann_decides(ann, bob, tempo=one) for one in ({"delay": 3600}, {"bank": 3600})]
    for table in tables:
        await stop(ann, table)
    begun = time.time()
    assert await send(house) == len(tables)
    titles = {f"Your turn: Fortune with Ann (table {one[:4]})" for one in tables}
    assert {one["title"] for one in mine.got} == titles
    mine.got.clear()
    assert await notify_jobs.send(house, begun + 1800 + 3700) == 0  # an hour of grace, then it is too late
    short = begun + 0.9 * 2 * DAY
    live, _ = await house.look(tables[0], (await guest_of(bob)).id)
    with house.presence.listening(live, (await guest_of(bob)).id):
        await notify_jobs.note(house, short - 60)
        await notify_jobs.note(house, short + notify_jobs.SEEN + 10)
    await stop(bob, tables[1])
    assert await notify_jobs.send(house, short + 3590) == 0
    assert await notify_jobs.send(house, short + 3610) == 1
    (one,) = mine.got
    assert (one["title"], one["path"]) == (
        f"Time is running out: Fortune with Ann (table {tables[2][:4]})", f"/t/{tables[2]}",
    )  # fmt: skip
    until = wording.moment(begun + 2 * DAY, "UTC")[:-10]  # to the hour
    assert one["text"].startswith(f"You have 3½ h left, until {until}")  # 4.8, less that hour
    assert re.search(rf"UTC\. Then a bot plays for you\. {ASKED} The score: Ann ", one["text"])
    assert await notify_jobs.send(house, short + 3 * 3600) == 0


async def test_notices_turned_on_in_the_middle_of_a_turn_say_that_its_time_is_short(
    house: House, ann: Person, bob: Person, world: Service
) -> None:
    """They get no notification of the turn itself, none if the time is already short, and none twice after changing
    their choices."""
    tables = [await ann_decides(ann, bob, tempo={"delay": delay}) for delay in (2 * DAY, 7200)]
    for table in tables:
        await stop(ann, table)
    c = storage.tables.c
    await house.store.do(
        lambda connection: connection.execute(
            sa.update(storage.tables).where(c.id == tables[1]).values(began=c.began - 5000, due=c.due - 5000)
        )
    )
    mine = world.browser()
    await bob.do("me/told", **mine.subscription(turn=True))
    (place,) = await house.store.do(partial(channels.channels_of, guest=(await guest_of(bob)).id))
    for wanted in (False, True):
        await bob.do("me/told/choose", id=place.id, turn=wanted)
    assert await send(house) == 0
    short = time.time() + 0.9 * 2 * DAY
    assert await notify_jobs.send(house, short + 3590) == 0
    assert await notify_jobs.send(house, short + 3660) == 1
    assert [(one["title"], one["path"]) for one in mine.got] == [
        (f"Time is running out: Fortune with Ann (table {tables[0][:4]})", f"/t/{tables[0]}")
    ]
    await bob.do("me/told/choose", id=place.id, turn=False)
    assert await notify_jobs.send(house, short + 3 * 3600) == 0


def test_time_is_short_at_a_tenth_but_an_hour_at_least_and_half_at_most_and_days_off_do_not_count() -> None:
    """The moments below are in 1970, which began on a Thursday."""
    for delay, left in ((3600.0, 1800.0), (3 * 3600.0, 3600.0), (10 * DAY, DAY)):
        assert clocks.short({"delay": delay}, 1000.0, 1000.0 + delay, 1000.0) == (1000.0 + delay - left, delay)
    off = {"delay": DAY, "off": (4,)}  # from Thursday noon, with all of Friday off, to Saturday noon
    assert clocks.short(off, DAY / 2, 2.5 * DAY, DAY) == (2.4 * DAY, DAY / 2)
    assert clocks.short({"delay": 60.0, "bank": 7200.0}, 1000.0, 8260.0, 1000.0) is None
    assert clocks.short({"delay": DAY}, 0.0, 1060.0, 1000.0) is None  # no clock runs
    assert clocks.short(None, 1000.0, 1060.0, 1000.0) is None


async def test_a_clock_that_is_given_time_back_is_short_later(
    house: House, ann: Person, bob: Person, world: Service
) -> None:
    mine = world.browser()
    await all_kinds(bob, mine)
    table = await ann_decides(ann, bob, tempo={"delay": DAY})
    await stop(ann, table)
    begun = time.time()
    assert await send(house) == 1

    def give(connection: sa.Connection) -> None:
        c = storage.tables.c
        connection.execute(
            sa.update(storage.tables).where(c.id == table).values(began=c.began + 7200, due=c.due + 7200)
        )

    await house.store.do(give)
    assert await notify_jobs.send(house, begun + 0.9 * DAY + 3700) == 0
    assert await notify_jobs.send(house, begun + 0.9 * DAY + 7200 + 3590) == 0
    assert await notify_jobs.send(house, begun + 0.9 * DAY + 7200 + 3700) == 1
    assert await notify_jobs.send(house, begun + 0.9 * DAY + 7200 + 3700) == 0


async def test_ft_26_no_time_is_short_while_a_secret_question_may_be_open(
    house: House, ann: Person, bob: Person, world: Service
) -> None:
    """Meanwhile the house waits for no particular player, and an earlier clock causes no warning."""
    mine = world.browser()
    await all_kinds(bob, mine)
    table = await ann_decides(ann, bob, tempo={"delay": DAY})
    await stop(ann, table)
    assert await send(house) == 1

    def ask(connection: sa.Connection) -> None:
        connection.execute(
            sa.update(storage.tables).where(storage.tables.c.id == table).values(turn="", turn_at=0, began=0.0)
        )

    await house.store.do(ask)
    assert await notify_jobs.send(house, time.time() + 0.9 * DAY + 3700) == 0


@pytest.mark.parametrize("how", ["mute", "block"])
async def test_nobody_is_notified_of_the_chat_of_a_player_they_muted(
    house: House, ann: Person, bob: Person, world: Service, how: str
) -> None:
    table = await ann_decides(ann, bob)
    browser = world.browser()
    await bob.do("me/told", **browser.subscription(turn=False, chat=True))
    await bob.do(f"me/{how}", table=table, seat=0)
    await ann.do(f"tables/{table}/chat", text="Hello")
    assert await send(house) == 0
    await bob.do(f"me/{how}", table=table, seat=0, off=True)
    await ann.do(f"tables/{table}/chat", text="Hello?")
    assert await send(house) == 1


async def test_notices_of_chat_and_invitations_leave_out_their_words(
    house: House, ann: Person, bob: Person, world: Service
) -> None:
    mine = world.browser()
    table = await ann_decides(ann, bob)
    await all_kinds(bob, mine)
    await bob.do(f"tables/{table}/chat", text="my own words")
    assert await send(house) == 0
    for line in ("first secret of the evening", "second secret of the evening"):
        await ann.do(f"tables/{table}/chat", text=line)
    assert await send(house) == 1  # messages sent together are one notification
    assert mine.got[-1]["text"] == "Ann wrote a message at your table."
    assert "secret" not in json.dumps(mine.got)
    await play_on(table, 10_000, ann, bob, first=True)
    again = (await ann.do(f"tables/{table}/rematch"))["id"]
    await send(house)
    assert [mine.got[-1][name] for name in ("title", "text", "path")] == [
        "Invitation: Fortune with Ann", "Ann invites you to play.", f"/t/{again}",
    ]  # fmt: skip


async def test_only_what_was_chosen_is_notified_and_one_click_ends_it(
    house: House, ann: Person, bob: Person, world: Service, arrive: Callable[[], Person]
) -> None:
    mine = world.browser()
    table = await ann_decides(ann, bob)
    await all_kinds(bob, mine)
    page = (await bob.get("/me")).text
    place = re.search(r'name="id" value="(\w+)"', page)
    assert place is not None
    await bob.do("me/told/choose", id=place[1], turn=False, invitation=True, chat=True)
    await stop(ann, table)
    assert await send(house) == 0
    await ann.refused("me/told/choose", 404, "bad-link", id=place[1])
    await ann.do("me/told/end", id=place[1])  # the channel is not hers, so nothing ends
    await ann.do(f"tables/{table}/chat", text="Hello")
    assert await send(house) == 1
    stranger = arrive()  # the browser's own worker, or a mail program: without a cookie, and with any body
    answer = await stranger.post(f"/told/{mine.got[0]['end']}", data={"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200, answer.text
    await ann.do(f"tables/{table}/chat", text="Hello?")
    assert await send(house, LATER) == 0
    places = (await bob.get("/me")).text.split('id="notifications"')[1].split("<form data-push")[0]
    assert "/api/me/told/end" not in places


@pytest.mark.parametrize(
    ("status", "there", "again"), [(404, False, 0), (410, False, 0), (500, True, 1), (413, True, 0)]
)
async def test_a_browser_that_is_gone_is_forgotten_and_one_that_does_not_answer_is_tried_again(
    house: House, ann: Person, bob: Person, world: Service, status: int, there: bool, again: int
) -> None:
    mine = world.browser()
    mine.status = status
    table = await ann_decides(ann, bob)
    await all_kinds(bob, mine)
    await stop(ann, table)
    assert await send(house) == 0
    assert len(mine.got) == 1
    assert len(await house.store.look(_channels)) == int(there)
    mine.status = 201
    assert await send(house, 3601.0 + outbox.RETRY[0]) == again


def _channels(connection: sa.Connection) -> list[Any]:
    return list(connection.execute(sa.select(notify.channels.c.id, notify.channels.c.session_id)))


async def test_it_is_given_up_after_a_day(house: House, ann: Person, bob: Person, world: Service) -> None:
    mine = world.browser()
    mine.status = 503
    table = await ann_decides(ann, bob)
    await all_kinds(bob, mine)
    await stop(ann, table)
    await send(house)
    tries = len(mine.got)
    mine.status = 201
    assert await send(house, outbox.GIVE_UP + 3601.0) == 0
    assert await send(house) == 0
    assert len(mine.got) == tries


async def test_a_person_is_notified_so_often_an_hour_and_of_the_rest_later(
    house: House, ann: Person, bob: Person, world: Service
) -> None:
    mine = world.browser()
    await all_kinds(bob, mine)
    tables = [await ann_decides(ann, bob) for _ in range(outbox.HOURLY + 3)]
    for table in tables:
        await ann.do(f"tables/{table}/chat", text="Hello")
    sent = await send(house)
    while more := await send(house):
        sent += more
    assert sent == len(mine.got) == outbox.HOURLY
    while more := await send(house, 2 * 3600.0 + 3601.0):
        sent += more
    assert sent == len(tables)
    assert len({one["path"] for one in mine.got}) == len(tables)


async def test_a_lease_keeps_others_off_and_ends_with_who_had_it(
    house: House, ann: Person, bob: Person, world: Service
) -> None:
    """A process dies between taking a notice and storing the result."""
    mine = world.browser()
    table = await ann_decides(ann, bob)
    await all_kinds(bob, mine)
    await stop(ann, table)
    await notify_jobs.note(house)
    now = time.time() + 3601.0
    assert len(await house.store.do(partial(outbox.lease, now=now, grace=3600.0, short=clocks.short))) == 1
    assert await notify_jobs.send(house, now + outbox.LEASE - 1) == 0
    assert await notify_jobs.send(house, now + outbox.LEASE + 1) == 1
    assert len(mine.got) == 1


async def test_what_is_being_sent_as_the_house_closes_is_sent_once(settings: Settings, world: Service) -> None:
    """A normal restart waits for the answer, so the next process knows that it was sent."""
    quick = Settings(**{**settings.__dict__, "grace": 0.0})
    world.slow = asyncio.Event()
    mine = world.browser()
    app = create_app(quick)
    house = await open_house(app)
    ann, bob = (Person(transport=httpx.ASGITransport(app=app), base_url="http://house.test") for _ in range(2))
    table = await ann_decides(ann, bob)
    await all_kinds(bob, mine)
    await stop(ann, table)
    async with asyncio.timeout(60):
        while not mine.got:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
        closing = asyncio.create_task(house.close())
        await asyncio.sleep(0)
        world.slow.set()
        await closing
    again = await House.open(quick, JOBS)
    await send(again, LATER)
    await again.close()
    assert len(mine.got) == 1


# No secrets --------------------------------------------------------------------------------------------
async def test_a_secret_question_causes_delays_and_changes_no_notice(
    house: House, ann: Person, bob: Person, world: Service, size: Callable[[int, int], int]
) -> None:
    """While it is open the house waits for no particular player, no matter who is asked; and answers change nothing
    that notices depend on."""
    mine, hers = world.browser(), world.browser()
    await all_kinds(bob, mine)
    await all_kinds(ann, hers)
    table = str((await ann.do("tables", **{**ROYALE_SEATS, "seats": [ME, OPEN]}))["id"])
    await bob.do(f"tables/{table}/sit")
    await ann.do(f"tables/{table}/start")
    live, _ = await house.look(table, (await guest_of(ann)).id)
    asked = 0
    for _ in range(400):
        live, _ = await house.look(table, (await guest_of(ann)).id)
        if live.over or asked >= size(3, 400):
            break
        row = await house.store.look(partial(_turn, table=table))
        if live.questions.open is not None:
            assert row == ("", 0)
            before = len(mine.got), len(hers.got)
            if deciding(live):
                asked += 1
            await notify_jobs.note(house)
            assert await send(house, LATER) == 0
            assert (len(mine.got), len(hers.got)) == before
            await time_is_over(live)
            continue
        guests = {seat.seat: seat.guest_id for seat in live.seats}
        decides = deciding(live)[0]
        assert row[0] == guests[decides]
        await play_on(table, 1, ann, bob, first=True)
    assert asked > 1


def _turn(connection: sa.Connection, table: str) -> tuple[str, int]:
    c = storage.tables.c
    return tuple(connection.execute(sa.select(c.turn, c.turn_at).where(c.id == table)).one())


# Mail ------------------------------------------------------------------------------------------------------
async def test_an_address_is_asked_first_and_ends_with_one_click(
    house: House, ann: Person, bob: Person, inbox: Inbox
) -> None:
    await bob.do("me/told", kind="mail", address="bob@example.org")
    table = await ann_decides(ann, bob)
    await stop(ann, table)
    assert await send(house) == 1
    (email,) = inbox.got
    assert email["To"] == "bob@example.org"
    assert email["List-Unsubscribe"] is None
    link = re.search(r"http://house\.test(/told/\S+)", plain(email))
    assert link is not None
    token = link[1].rpartition("/")[2].partition("?")[0]
    assert token not in (await bob.get("/me")).text  # otherwise people could confirm any address
    assert "bob@example.org" in (await ann.get(link[1])).text
    assert await send(house, LATER) == 0  # opening the page confirms nothing
    await ann.do("told/confirm", token=token)  # anyone with the email can confirm
    assert await send(house, LATER) == 0  # the turn was before that
    await stop(bob, table)
    await stop(ann, table)
    assert await send(house) == 1
    email = inbox.got[-1]
    assert email["Subject"] == "Your turn: Fortune with Ann"
    assert f"http://house.test/t/{table}" in plain(email)
    assert email["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    address = email["List-Unsubscribe"].strip("<>").removeprefix("http://house.test")
    assert (await ann.post(address, data={"List-Unsubscribe": "One-Click"})).status_code == 200
    await ann.refused("told/confirm", 404, "bad-link", token=token)
    await stop(bob, table)
    await stop(ann, table)
    assert await send(house, LATER) == 0


async def test_a_stranger_is_asked_three_times_a_day_at_most(house: House, bob: Person, inbox: Inbox) -> None:
    for _ in range(3):
        await bob.do("me/told", kind="mail", address="carol@example.org")
    await bob.refused("me/told", 429, "too-fast", kind="mail", address="Carol@example.org")
    await send(house)
    assert len(inbox.got) == 1  # the last; the earlier ones were never sent


async def test_slow_games_come_together_once_a_day(house: House, ann: Person, bob: Person, inbox: Inbox) -> None:
    await bob.do("me/told", kind="mail", address="bob@example.org", digest=True)
    await send(house)
    token = re.search(r"/told/([\w-]+)", plain(inbox.got.pop()))
    assert token is not None
    await ann.do("told/confirm", token=token[1])
    slow = {"tempo": {"delay": 5 * 86400}}
    first = await ann_decides(ann, bob, **slow)
    await stop(ann, first)
    assert await send(house) == 1  # no email was sent for a day
    tables = [await ann_decides(ann, bob, **slow) for _ in range(3)]
    for table in tables:
        await stop(ann, table)
    assert await send(house, LATER) == 0
    assert await send(house, outbox.DIGEST + 2 * 3_601.0) == 3
    assert len(inbox.got) == 2
    assert inbox.got[1]["Subject"] == "Your turn in 3 games"
    assert all(f"/t/{table}" in plain(inbox.got[1]) for table in tables)
    assert await send(house, 2 * outbox.DIGEST) == 0


async def test_a_summary_that_is_outdated_before_it_is_sent_does_not_count(
    house: House, ann: Person, bob: Person, inbox: Inbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    await bob.do("me/told", kind="mail", address="bob@example.org", digest=True)
    assert await send(house) == 1
    found = re.search(r"/told/([\w-]+)", plain(inbox.got.pop()))
    assert found is not None
    await ann.do("told/confirm", token=found[1])
    table = await ann_decides(ann, bob, tempo={"delay": 5 * DAY})
    await stop(ann, table)

    async def as_bob_moves(house: House, one: outbox.Notice) -> Words | None:
        await stop(bob, table)
        return await wording.in_words(house, one)

    with monkeypatch.context() as patched:
        patched.setattr(notify_jobs, "in_words", as_bob_moves)
        assert await send(house) == 0
    await stop(ann, table)
    assert await send(house) == 1  # the first email in a day
    (email,) = inbox.got
    assert email["Subject"] == "Your turn: Fortune with Ann"


async def test_a_mail_server_that_is_away_is_tried_again(house: House, bob: Person, inbox: Inbox) -> None:
    inbox.answer = "451 later"
    await bob.do("me/told", kind="mail", address="bob@example.org")
    assert await send(house) == 0
    inbox.answer = "250 OK"
    assert await send(house, 3601.0 + outbox.RETRY[0]) == 1
    inbox.got.clear()
    await bob.do("me/told", kind="mail", address="nemo@example.org")
    inbox.answer = "550 no such user"
    assert await send(house) == 0
    inbox.answer = "250 OK"
    assert await send(house, LATER) == 0


@pytest.mark.parametrize(
    "wrong",
    [{"mail": "http://x"}, {"mail": "smtp://"}, {"mail_from": ""}, {"base_url": ""}, {"mail": "smtp://host:port"}],
)
def test_mail_that_cannot_be_sent_is_said_at_the_start(wrong: dict[str, str]) -> None:
    right = {
        "mail": "smtp://mail.example.org",
        "mail_from": "house@example.org",
        "base_url": "https://house.example.org",
    }
    Post(Settings(**right))  # type: ignore[arg-type]
    with pytest.raises(CannotServe):
        Post(Settings(**{**right, **wrong}))  # type: ignore[arg-type]


# Webhooks ---------------------------------------------------------------------------------------------------
async def test_a_webhook_is_signed_with_a_secret_that_its_owner_saw_once(
    house: House, ann: Person, bob: Person, world: Service
) -> None:
    """The test computes the signature as in Standard Webhooks, from what arrives and the secret on the page."""
    table = await ann_decides(ann, bob)
    secrets = [(await bob.do("me/told", kind="hook", address=f"{world.url}/hook"))["secret"] for _ in range(2)]
    assert secrets[0] != secrets[1]  # after another setup it is different
    for browser in (world.browser().subscription(), {"kind": "mail", "address": "bob@example.org"}):
        assert (await bob.do("me/told", **browser))["secret"] == ""
    await stop(ann, table)
    assert await send(house) == 3  # a browser, a webhook, a confirmation email
    ((body, headers),) = world.hooks
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    key = base64.b64decode(secrets[1].removeprefix("whsec_"))
    assert len(key) == 32
    wanted = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{wanted}"
    assert headers["webhook-id"] == headers["idempotency-key"] == json.loads(body)["id"]
    assert abs(time.time() - int(headers["webhook-timestamp"])) < 60
    for path in ("/me", "/me/export"):
        assert secrets[1].encode() not in (await bob.get(path)).content


async def test_a_webhook_gets_the_notice_and_is_not_redirected(
    house: House, ann: Person, bob: Person, world: Service
) -> None:
    table = await ann_decides(ann, bob)
    await bob.do("me/told", kind="hook", address=f"{world.url}/hook")
    await stop(ann, table)
    assert await send(house) == 1
    said = world.hooked[0]["content"]
    assert said.startswith("Your turn: Fortune with Ann: ")
    assert re.search(rf"{ASKED} The score: Ann ", said)
    assert said.endswith(f" http://house.test/t/{table}")
    await bob.do("me/told", kind="hook", address=f"{world.url}/away")  # replaces the other
    await stop(bob, table)
    await stop(ann, table)
    assert await send(house, LATER) == 0
    assert world.asked == 2
    assert len(world.hooked) == 1


# Ownership ---------------------------------------------------------------------------------------------------
async def test_a_browser_gets_nothing_after_signing_out_and_a_password_changed_keeps_it(
    house: House, bob: Person, world: Service
) -> None:
    await all_kinds(bob, world.browser())
    await bob.do("me/claim", name="Bob", password="a long password")
    await bob.do("me/password", password="a long password", new="another password")
    assert len(await house.store.look(_channels)) == 1
    await bob.do("me/sign-out")
    assert await house.store.look(_channels) == []


async def test_a_browser_belongs_to_who_used_it_last_and_a_person_has_so_many(
    house: House, ann: Person, bob: Person, world: Service
) -> None:
    mine = world.browser()
    await all_kinds(ann, mine)
    await all_kinds(bob, mine)
    assert 'name="turn"' not in (await ann.get("/me")).text
    for _ in range(10):
        await all_kinds(bob, world.browser())
    assert len(await house.store.look(_channels)) == 8


async def test_export_and_deletion_include_channels(house: House, bob: Person, world: Service) -> None:
    await bob.do("me/told", kind="hook", address=f"{world.url}/hook")
    await bob.do("me/told", kind="mail", address="bob@example.org")
    pack = zipfile.ZipFile(io.BytesIO((await bob.get("/me/export")).content))
    mine = json.loads(pack.read("me.json"))
    assert [(one["by"], one["where"], one["confirmed"]) for one in mine["told"]] == [
        ("hook", f"{world.url}/hook", True), ("mail", "bob@example.org", False),
    ]  # fmt: skip
    for token in await house.store.look(
        lambda connection: list(connection.scalars(sa.select(notify.channels.c.token)))
    ):
        assert token not in json.dumps(mine)
    await bob.do("me/delete", word="delete")
    assert await house.store.look(_channels) == []
    assert await house.store.look(lambda connection: connection.execute(sa.select(notify.notices)).all()) == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"p256dh": "AAAA"}, {"auth": "AAAA"}, {"address": "ftp://x/"}, {"address": "http://user:word@127.0.0.1/"},
        {"kind": "mail", "address": "nobody"}, {"kind": "mail", "address": "a@b.org\r\nBcc: c@d.org"},
        {"kind": "hook", "address": "https:// x/"}, {"kind": "pigeon"}, {"address": ""},
    ],
)  # fmt: skip
async def test_what_is_no_place_is_refused(bob: Person, world: Service, wrong: dict[str, str]) -> None:
    await bob.refused("me/told", 400, "bad-input", **{**world.browser().subscription(), **wrong})
