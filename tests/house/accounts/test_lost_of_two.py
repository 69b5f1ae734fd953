"""Password resets requested at two processes on one PostgreSQL, with Redis, one of which is killed: each email is sent
once, and none is lost."""

from __future__ import annotations

import asyncio
import re
import socket
from collections import Counter
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path

import pytest

from parlour.house.notify.outbox import LEASE
from tests.house.own_redis import redis_in
from tests.house.people import Person
from tests.house.receiving import Inbox, mail_server, plain, until
from tests.house.serving import Nursery

pytestmark = pytest.mark.service
SECRET, OTHER = "correct horse", "battery staple"
PEOPLE = 3


def emails_about(inbox: Inbox) -> dict[str, set[tuple[str, str]]]:
    """Return the reset emails by address: each with its id, and the token of its link."""
    found: dict[str, set[tuple[str, str]]] = {}
    for one in inbox.got:
        if (link := re.search(r"/link#([\w-]+)", plain(one))) is not None:
            found.setdefault(one["To"], set()).add((one["Message-ID"], link[1]))
    return found


def free_ports(number: int) -> list[int]:
    """Return free ports. The house's address in emails is not the one used here."""
    with ExitStack() as stack:
        free = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(number)]
        return [int(one.getsockname()[1]) for one in free]


async def test_each_email_is_sent_once_whichever_process_is_asked_and_though_one_is_killed(
    nursery: Nursery, database: str, tmp_path: Path
) -> None:
    with redis_in(tmp_path) as redis:
        async with AsyncExitStack() as stack:
            inbox = await stack.enter_async_context(mail_server())
            settings = {
                "database": database, "redis": redis.url, "mail": inbox.url, "mail_from": "house@house.test",
                "base_url": "http://house.test", "grace": 0.05,
            }  # fmt: skip
            ports = free_ports(2)
            servers = [nursery.start(**settings, port=port) for port in ports]
            addresses = [f"http://127.0.0.1:{port}" for port in ports]
            one, two = [await stack.enter_async_context(Person(base_url=url, timeout=60)) for url in addresses]
            names = [f"Lost {i}" for i in range(PEOPLE)]
            for i, name in enumerate(names):
                person = await stack.enter_async_context(Person(base_url=addresses[i % 2], timeout=60))
                await person.do("me/claim", name=name, password=SECRET)
                await person.do("me/told", kind="mail", address=f"lost{i}@example.org", password=SECRET)
            await until(lambda: len(inbox.got) == PEOPLE)
            for email in inbox.got:
                token = re.search(r"/told/([\w-]+)", plain(email))
                assert token is not None
                await one.do("told/confirm", token=token[1])
            inbox.got.clear()

            # Both get a request for each at the same time.
            await asyncio.gather(*(who.do("me/lost", name=name) for who in (one, two) for name in names))
            await until(lambda: len(emails_about(inbox)) == PEOPLE)
            await asyncio.sleep(2.0)  # a duplicate would come now: both processes check all the time
            first = emails_about(inbox)
            # A request after the email was sent leads to another email; none is the same one twice.
            assert len(inbox.got) == sum(map(len, first.values()))
            assert all(len(found) <= 2 for found in first.values())

            # One dies right after a request.
            before = {to: len(found) for to, found in first.items()}
            await asyncio.gather(*(one.do("me/lost", name=name) for name in names))
            servers[0].kill()
            await until(
                lambda: all(len(found) == before[to] + 1 for to, found in emails_about(inbox).items()), LEASE + 60
            )
            await asyncio.sleep(2.0)
            after = emails_about(inbox)
            assert {to: len(found) for to, found in after.items()} == {to: count + 1 for to, count in before.items()}
            # A house that was killed between sending and noting it sends the same email again, with the same id.
            sent = Counter(email["Message-ID"] for email in inbox.got)
            assert max(sent.values()) <= 2
            for i, name in enumerate(names):
                ((_, token),) = after[f"lost{i}@example.org"] - first[f"lost{i}@example.org"]
                await two.do("me/link", token=token, password=OTHER)
                await two.do("me/sign-in", name=name, password=OTHER)
