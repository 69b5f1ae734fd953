"""Notifications reveal no secret, and nothing about secret questions (FT-26): we compare what arrives by webhook, push
and email, byte by byte, between games that differ only in secrets."""

from __future__ import annotations

import random
import re
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import sqlalchemy as sa

from parlour.conformance.cases import random_steps
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.games import find
from parlour.house.house import House
from parlour.house.notify import jobs as notify_jobs
from parlour.house.notify import schema as notify
from parlour.house.settings import Settings
from parlour.house.table.live import clocks
from parlour.house.table.storage import schema as storage
from tests.found import added
from tests.house.forging import begun, forge_here, royale
from tests.house.people import Person, time_is_over, two_at_table
from tests.house.receiving import Browser, Inbox, Service, service
from tests.leak import NoTwin, twin

KUHN = Game("kuhn", "tests.fixtures.kuhn")
NOON = time.time()  # when all turns come, so that no difference comes from the time
GRACE = 3600.0
OWN, WANTS, OTHER, MORE = "1 oil 1 shrimp", "2 gold", "1 shares 1 diamond", "1 crypto 1 currency"


@pytest.fixture
async def world() -> AsyncIterator[Service]:
    async with service() as made:
        yield made


@pytest.fixture
def settings(tmp_path: Path, inbox: Inbox) -> Settings:
    """Return settings with which no bot moves, and no notification is sent, unless the test does it."""
    return Settings(
        database=f"sqlite:///{tmp_path}/parlour.db", pace=0, patience=600, limits=False, outside="any", grace=GRACE,
        base_url="http://house.test", mail=inbox.url, mail_from="house@house.test", engine="plain",
    )  # fmt: skip


@pytest.fixture(autouse=True)
def _noon(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(notify_jobs, "time", SimpleNamespace(time=lambda: NOON, monotonic=time.monotonic))
    with added(KUHN):
        yield


class Notified:
    """A person who gets notifications of everything, in every way."""

    def __init__(self, house: House, world: Service, inbox: Inbox, browser: Browser) -> None:
        self._house, self._world, self._inbox, self._browser = house, world, inbox, browser

    async def all(self) -> list[Any]:
        """Return what arrives now: the bytes, and the headers that don't depend on the time."""
        await notify_jobs.note(self._house)
        await notify_jobs.send(self._house, NOON + 2 * GRACE)
        hooks, pushes, emails = self._world.hooks, self._browser.got, self._inbox.got
        topics = [headers["Topic"] for headers in self._browser.headers]
        for email in emails:
            del email["Date"]
        for _, headers in hooks:
            assert re.fullmatch(r"v1,[\w+/]{43}=", headers.pop("webhook-signature"))  # depends on the body and the time
            del headers["webhook-timestamp"]
        copies = [list(hooks), [*pushes, *topics], [email.as_bytes() for email in emails]]
        for arrived in (hooks, pushes, emails, self._browser.headers):
            arrived.clear()
        return copies

    async def nothing_before(self) -> None:
        """Forget all notifications that the house has sent, so that it sends the same again."""
        async with self._house.store.write() as connection:
            await connection.execute(sa.delete(notify.notices))
            await connection.execute(sa.delete(notify.allowances))


async def notified_of_all(person: Person, house: House, world: Service, inbox: Inbox) -> Notified:
    browser, everything = world.browser(), {"turn": True, "invitation": True, "chat": True}
    await person.do("me/told", **browser.subscription(**everything))
    await person.do("me/told", kind="hook", address=f"{world.url}/hook", **everything)
    await person.do("me/told", kind="mail", address="bob@example.org", **everything)
    arrivals = Notified(house, world, inbox, browser)
    (email,) = (await arrivals.all())[2]
    token = re.search(rb"/told/([\w-]+)", email)
    assert token is not None
    await person.do("told/confirm", token=token[1].decode())
    return arrivals


async def test_ft_26_a_turn_is_notified_alike_whoever_was_asked_before_it(
    house: House, ann: Person, bob: Person, arrive: Callable[[], Person], world: Service, inbox: Inbox
) -> None:
    """Cid is asked and passes, does not answer, or is not asked. Bob gets a notification of his turn afterwards, and of
    a message while the question is open. (The number of steps differs then, and the key once revealed it.)"""
    table = await begun(ann, bob, cid := arrive())
    arrivals = await notified_of_all(bob, house, world, inbox)
    found, lengths = [], set()
    for hand, answer in ((WANTS, "let it lie"), (WANTS, ""), (MORE, "")):
        await arrivals.nothing_before()
        live = await forge_here(house, table, royale(OWN, OTHER, hand))
        await ann.do(f"tables/{table}/moves", move="discard gold", version=live.version)
        assert live.questions.open is not None
        if answer:
            seen = await cid.see(table)
            await cid.do(f"tables/{table}/moves", move=answer, version=seen["table"]["version"])
        while_open = await arrivals.all()
        assert while_open == [[], [[]], []] or while_open == [[], [], []]
        await time_is_over(live)
        assert live.match is not None
        lengths.add(live.match.version)
        found.append(await arrivals.all())
    assert len(lengths) > 1
    assert found[0][0][0][0].startswith(b"{")
    assert [len(arrived) for arrived in found[0]] == [1, 2, 1]
    assert found[1:] == found[:1] * 2


async def test_a_line_is_notified_while_a_question_is_open_as_at_any_time(
    house: House, ann: Person, bob: Person, arrive: Callable[[], Person], world: Service, inbox: Inbox
) -> None:
    table = await begun(ann, bob, arrive())
    arrivals = await notified_of_all(bob, house, world, inbox)
    asked = {}
    for hand in (WANTS, MORE):
        live = await forge_here(house, table, royale(OWN, OTHER, hand))
        await ann.do(f"tables/{table}/moves", move="discard gold", version=live.version)
        await ann.do(f"tables/{table}/chat", text=f"my hand {hand} is a secret")
        asked[hand] = [one for one, _ in (await arrivals.all())[0]]
        await time_is_over(live)
        await arrivals.all()
    for bodies in asked.values():
        assert len(bodies) == 1
        assert b"Ann wrote a message at your table." in bodies[0]
        assert b"gold" not in bodies[0]


@pytest.mark.parametrize("game", ["aces-and-faces", "gatsby", "family-trade", "kuhn"])
async def test_what_arrives_is_the_same_whatever_its_reader_cannot_know(
    game: str, house: House, ann: Person, bob: Person, world: Service, inbox: Inbox
) -> None:
    choice, compared = random.Random(7), 0
    table = await two_at_table(ann, bob, game=game)
    arrivals = await notified_of_all(bob, house, world, inbox)
    rules = KUHN if game == "kuhn" else find(game)
    for number in (1, 1, 2, 3):  # Bob's first turn, once more, his second and third
        match = Match(rules, 2, seed=choice.randrange(2**40), auto=False)
        for _ in random_steps(match, choice.randrange(2**40), 40):
            number -= match.current_player == 1 and not rules.may_ask(match.state)
            if not number:
                break
        if number:
            continue
        try:
            other, _ = twin(match, 1, choice, tries=60)
        except NoTwin:
            continue
        arrived = []
        for one in (match, other):
            await arrivals.nothing_before()
            live = await forge_here(house, table, one)
            seat = clocks.decides(live, one, live.seats)
            turn = clocks.waited_for(live.seats, seat, one, clocks=False)
            async with house.store.write() as connection:
                values = {"turn": turn.turn, "turn_at": turn.turn_at}
                await connection.execute(sa.update(storage.tables).where(storage.tables.c.id == table).values(values))
            arrived.append(await arrivals.all())
        assert arrived[0] == arrived[1]
        compared += len(arrived[0][0])
    assert compared  # it was Bob's turn at least once
