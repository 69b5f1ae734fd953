"""Daily summaries of slow games by email: nothing is lost, sent twice or gives away a secret, over `kill -9` and with
two processes; and one click ends them."""

from __future__ import annotations

import asyncio
import re
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from email.message import EmailMessage
from typing import Any

import pytest
import sqlalchemy as sa

from parlour.house.database.store import Store
from parlour.house.notify import mail as notify_mail
from parlour.house.notify import schema as notify
from parlour.house.notify.channels import Channel
from parlour.house.notify.mail import Post
from parlour.house.notify.outbox import DIGEST, LEASE
from parlour.house.notify.senders import Words
from parlour.house.settings import Settings
from tests.house.accounts.test_lost_of_two import free_ports
from tests.house.people import Person, two_at_table
from tests.house.receiving import ASKED, Inbox, mail_server, plain, stop, until
from tests.house.serving import Nursery, Server, lives

DAY = 86400.0
LOOKS = 2.5  # seconds in which each process has checked for notifications to send
SLOW = {"tempo": {"delay": 5 * DAY}}


@dataclass
class Mail:
    """Two houses on one database, and Bob's email address, with a daily summary for slow games."""

    nursery: Nursery
    settings: dict[str, Any]
    ports: list[int]
    servers: list[Server]
    inbox: Inbox
    store: Store
    ann: Person
    bob: Person
    token: str  # of the address

    def mine(self) -> sa.ColumnElement[bool]:
        """Select the notices for this address: others' may be in the same database."""
        c = notify.channels.c
        return notify.notices.c.channel_id.in_(sa.select(c.id).where(c.token == self.token))

    async def turns(self, number: int) -> list[str]:
        """Create this number of tables at which it becomes Bob's turn. Where Bob begins, that he does is not news: else
        it might be sent before he has moved."""
        await self.look(False)
        made = [await two_at_table(self.ann, self.bob, **SLOW) for _ in range(number)]
        for table in made:
            await stop(self.bob, table)
            await stop(self.ann, table)
        await self.look(True)
        return made

    async def look(self, on: bool) -> None:
        """Let the houses look for turns of Bob's, or not."""
        channel = sa.update(notify.channels).where(notify.channels.c.token == self.token)
        await self.store.do(lambda connection: connection.execute(channel.values(turn=on)))

    async def noted(self, number: int) -> None:
        """Wait until this number of turns is to be sent."""
        n = notify.notices.c
        query = sa.select(n.table_id).where(self.mine(), n.kind == "turn", n.due.is_not(None))
        found: list[str] = []
        try:
            async with asyncio.timeout(60):
                while len(found) != number:
                    await asyncio.sleep(0.1)
                    found = await self.store.look(lambda connection: list(connection.scalars(query)))
        except TimeoutError:
            raise AssertionError(f"to send: {found}; sent: {self.tables()}") from None

    async def pass_time(self, seconds: float) -> None:
        """Move the times of all unsent notices, of their leases and of the last email into the past by this much."""
        n, c = notify.notices.c, notify.channels.c

        def work(connection: sa.Connection) -> None:
            turns = sa.update(notify.notices).where(self.mine(), n.kind == "turn", n.due.is_not(None))
            earlier = {name: n[name] - seconds for name in ("due", "made", "leased")}
            connection.execute(turns.values(**earlier))
            summaries = sa.update(notify.channels).where(c.token == self.token)
            connection.execute(summaries.values(digested=c.digested - seconds))

        await self.store.do(work)

    def tables(self) -> list[str]:
        """Return the tables in the emails, each as often as it was in one."""
        return [table for one in self.inbox.got for table in re.findall(r"/t/(\w+)", plain(one))]

    def start_again(self) -> None:
        self.servers[:] = [self.nursery.start(**self.settings, port=port) for port in self.ports]


def is_email_about(email: EmailMessage, tables: set[str], token: str) -> None:
    """Check that it has these games, in any order, the link to turn it off, and nothing else."""
    body = plain(email).replace("\r\n", "\n")
    *parts, last = body.strip().split("\n\n")
    assert last == f"--\nUnsubscribe from these emails: http://house.test/told/{token}"
    found = []
    for part in parts:
        title, text, link = part.split("\n")
        found.append(link.removeprefix("http://house.test/t/"))
        assert title in ("Your turn: Fortune with Ann", f"Your turn: Fortune with Ann (table {found[-1][:4]})")
        assert re.match(rf"(The game has started\. )?{ASKED} The score: Ann .+ Please move by .+ UTC\.", text)
    assert sorted(found) == sorted(tables)
    subject = f"Your turn in {len(tables)} games" if len(tables) > 1 else "Your turn: Fortune with Ann"
    assert email["Subject"].partition(" (table")[0] == subject


@pytest.fixture
async def mail(nursery: Nursery, database: str) -> AsyncIterator[Mail]:
    async with AsyncExitStack() as stack:
        inbox = await stack.enter_async_context(mail_server())
        settings = {
            "database": database, "mail": inbox.url, "mail_from": "house@house.test",
            "base_url": "http://house.test", "grace": 0.05,
        }  # fmt: skip
        ports = free_ports(2)
        servers = [nursery.start(**settings, port=port) for port in ports]
        addresses = [f"http://127.0.0.1:{port}" for port in ports]
        store = Store(database)
        await store.open()
        stack.push_async_callback(store.close)
        ann, bob = [await stack.enter_async_context(Person(base_url=url, timeout=60)) for url in addresses]
        await ann.do("me", name="Ann")
        await bob.do("me", name="Bob")
        address = f"{secrets.token_hex(4)}@example.org"  # an address gets three confirmation emails a day at most
        await bob.do("me/told", kind="mail", address=address, digest=True, game=False)  # turns alone
        await until(lambda: inbox.got)
        found = re.search(r"/told/([\w-]+)", plain(inbox.got.pop()))
        assert found is not None
        await ann.do("told/confirm", token=found[1])
        made = Mail(nursery, settings, ports, servers, inbox, store, ann, bob, found[1])
        yield made
        for server in made.servers:
            if lives(server.pid):
                server.kill()


@pytest.mark.service
async def test_each_game_is_notified_once_and_together_over_a_kill(mail: Mail) -> None:
    first = await mail.turns(1)
    await until(lambda: len(mail.inbox.got) == 1)  # at once, as there was no email for a day
    is_email_about(mail.inbox.got[0], {*first}, mail.token)
    tables = await mail.turns(4)
    await mail.noted(4)
    for server in mail.servers:
        server.kill()
    mail.start_again()
    await stop(mail.bob, tables[0])  # a player who has moved needs no notification
    await asyncio.sleep(LOOKS)
    assert len(mail.inbox.got) == 1, "told before the day was over"
    mail.inbox.got.clear()
    await mail.pass_time(DIGEST + 60)
    await until(lambda: len(mail.tables()) >= 3)
    await asyncio.sleep(2 * LOOKS)  # a duplicate would come now: both processes check all the time
    assert sorted(mail.tables()) == sorted(tables[1:])
    for email in mail.inbox.got:
        is_email_about(email, {*re.findall(r"/t/(\w+)", plain(email))}, mail.token)


@pytest.mark.service
@pytest.mark.whole
async def test_one_click_at_either_process_ends_it_with_all_that_was_still_to_be_sent(mail: Mail) -> None:
    await mail.turns(1)
    await until(lambda: len(mail.inbox.got) == 1)
    tables = await mail.turns(2)
    await mail.noted(2)
    address = mail.inbox.got.pop()["List-Unsubscribe"].strip("<>").removeprefix("http://house.test")
    async with Person(
        base_url=f"http://127.0.0.1:{mail.ports[0]}", timeout=60
    ) as program:  # a mail program: no cookie, no origin
        assert (await program.post(address, data={"List-Unsubscribe": "One-Click"})).status_code == 200
    await mail.pass_time(DIGEST + 60)
    await stop(mail.bob, tables[0])
    await stop(mail.ann, tables[0])
    await asyncio.sleep(2 * LOOKS)
    assert mail.inbox.got == []


# One email ------------------------------------------------------------------------------------------
def channel_at(address: str) -> Channel:
    """Return an email channel of which only the address matters."""
    values = dict[str, Any](dict.fromkeys(Channel._fields, address))
    return Channel(**values)


def words(kind: str, table: str) -> Words:
    titles = {"turn": "Your turn: Fortune", "time": "Time is running out: Fortune", "chat": "At your table: Fortune"}
    return Words(titles[kind], "It is so.", f"/t/{table}", f"{kind}-{table}", f"{kind} {table}")


@pytest.mark.parametrize(
    ("notices", "subject"),
    [
        ([("turn", "a")], "Your turn: Fortune"),
        ([("turn", "a"), ("turn", "b")], "Your turn in 2 games"),
        ([("time", "a"), ("turn", "a")], "Time is running out: Fortune"),
        ([("turn", "a"), ("time", "a"), ("turn", "b")], "Your turn in 2 games"),
        ([("chat", "a"), ("turn", "b")], "Updates from 2 tables"),
    ],
)
def test_a_subject_says_what_the_email_is_about(notices: list[tuple[str, str]], subject: str) -> None:
    post = Post(Settings(mail="smtp://127.0.0.1:25", mail_from="house@house.test", base_url="http://house.test"))
    channel = Channel(**dict.fromkeys(Channel._fields, "x"))
    assert post.email(channel, [words(*one) for one in notices], ends=True)["Subject"] == subject


async def test_a_mail_server_that_answers_slowly_is_left_before_another_process_sends_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No answer is late, but all together take longer than the lease."""
    assert notify_mail.WITHIN < LEASE
    monkeypatch.setattr(notify_mail, "WITHIN", 1.0)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 slow\r\n")
        while await reader.readline():
            await asyncio.sleep(0.6)
            writer.write(b"250 yes\r\n")
        writer.close()
        left.set()

    left = asyncio.Event()
    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    url = f"smtp://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    post = Post(Settings(mail=url, mail_from="house@house.test", base_url="http://house.test"))
    began = time.monotonic()
    channel = Channel(**dict.fromkeys(Channel._fields, "bob@example.org"))
    assert await post.send(channel, [words("turn", "a")], ends=True) == "later"
    assert time.monotonic() - began < 5
    await left.wait()
    server.close()
