"""People are notified of requests to join their clubs, of the answers, and of new seasons."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from parlour.core.game import Game
from parlour.house.house import House
from parlour.house.notify import outbox
from parlour.house.notify.outbox import APART
from parlour.house.notify.wording import in_words
from parlour.house.settings import Settings
from parlour.house.table.live import clocks
from tests.found import added
from tests.house.clock import Clock
from tests.house.clubs.test_clubs import founded
from tests.house.people import Person
from tests.house.tournaments.playing import accounts

Arrive = Callable[[], Person]
KUHN: dict[str, Any] = {"game": "kuhn", "tempo": {"delay": 86400.0}}


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(
        database=f"sqlite:///{tmp_path}/parlour.db", pace=0, engine="plain", limits=False, outside="any", grace=3600.0
    )


@pytest.fixture(autouse=True)
def _kuhn() -> Iterator[None]:
    with added(Game("kuhn", "tests.fixtures.kuhn")):
        yield


@pytest.fixture
async def people(arrive: Arrive) -> list[Person]:
    """Return five people who want notifications."""
    made = await accounts(arrive, 5)
    for place, person in enumerate(made):
        await person.do("me/told", kind="hook", address=f"http://127.0.0.1:9/{'ABCDE'[place]}")
    return made


async def sent(house: House, clock: Clock) -> list[tuple[str, str, str]]:
    """Return what is sent now: to whom, and the title and text."""
    taken = await house.store.do(partial(outbox.lease, now=clock(), grace=0.0, short=clocks.short))
    await house.store.do(partial(outbox.settle, done=taken))
    said = [(one.channel.address[-1], await in_words(house, one)) for one in taken]
    return sorted((who, words.title, words.text) for who, words in said if words)


async def test_requests_are_for_those_who_answer_them(house: House, people: list[Person], clock: Clock) -> None:
    ann, bob, cid, dan, eve = people
    club = await founded(ann, entry="open")
    for person in (bob, cid):
        await person.do(f"clubs/{club}/join")
    await ann.do(f"clubs/{club}/role", name="Player B", role="organiser")
    await ann.do(f"clubs/{club}/change", name="Thursday table", entry="ask", figure="cat", pattern="dots",
                 ground="plum", ink="cream")  # fmt: skip
    await dan.do(f"clubs/{club}/join")
    title = "Request to join: Thursday table"
    assert await sent(house, clock) == [
        ("A", title, "Waiting for your answer: Player D."), ("B", title, "Waiting for your answer: Player D."),
    ]  # fmt: skip
    await eve.do(f"clubs/{club}/join")
    assert await sent(house, clock) == [], "one an hour"
    await ann.do("me/block", name="Player D")
    clock.ahead += APART
    assert await sent(house, clock) == [
        ("A", title, "Waiting for your answer: Player E."),
        ("B", title, "Waiting for your answer: Player D and Player E."),
    ]  # fmt: skip


async def test_the_answer_is_for_who_asked(house: House, people: list[Person], clock: Clock) -> None:
    ann, bob, cid, dan, _ = people
    club = await founded(ann, entry="ask")
    for person in (bob, cid, dan):
        await person.do(f"clubs/{club}/join")
    await dan.do(f"clubs/{club}/leave")
    await ann.do(f"clubs/{club}/answer", name="Player B")
    await ann.do(f"clubs/{club}/answer", name="Player C", off=True)
    assert await sent(house, clock) == [
        ("B", "You joined a club: Thursday table", "Your request was accepted."),
        ("C", "Request declined: Thursday table", "The club has declined your request to join."),
    ], "a request that was answered is not news any more"


async def test_a_new_season_is_for_all_members_but_its_planner(
    house: House, people: list[Person], clock: Clock
) -> None:
    ann, bob, cid, *_ = people
    club = await founded(ann, entry="open")
    for person in (bob, cid):
        await person.do(f"clubs/{club}/join")
    season = (await ann.do(f"clubs/{club}/seasons", **KUHN))["id"]
    await cid.do(f"clubs/{club}/seasons/{season}/enter")
    title, text = "New season: Thursday table", "A season of Kuhn poker is planned. "
    assert await sent(house, clock) == [
        ("B", title, f"{text}You can enter it on the club's page."),
        ("C", title, f"{text}You're entered already, as you played the last one."),
    ]  # fmt: skip
    await ann.do(f"clubs/{club}/seasons/{season}/cancel")
    season = (await ann.do(f"clubs/{club}/seasons", **KUHN))["id"]
    await ann.do(f"clubs/{club}/seasons/{season}/cancel")
    clock.ahead += APART
    assert await sent(house, clock) == [], "it was cancelled before it was said"
