"""Bots that the keeper of a house brought: at the tables like any other, in a process of their own, and replaced when
they fail."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from litestar import Litestar

from parlour.bots.offered import Offered
from parlour.bots.own import BotFault
from parlour.core.match import Match
from parlour.games import find
from parlour.house.app import open_house
from parlour.house.house import House
from parlour.house.settings import Settings
from parlour.house.table.jobs import asking
from tests.house.people import ME, OPEN, Person

BOTS = """
import parlour

class Stops(parlour.Bot):
    def choose(self, view):
        return view.legal_actions()[0]

class Breaks(parlour.Bot):
    def choose(self, view):
        raise OSError("/home/keeper/secret.txt")
"""
CAREFUL, BROKEN = {"kind": "bot", "bot": "careful"}, {"kind": "bot", "bot": "broken"}
FAILED = "This bot failed. The medium bot plays on in its seat."


@pytest.fixture
def settings(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    (tmp_path / "keepers_bots.py").write_text(BOTS)
    monkeypatch.chdir(tmp_path)  # where the processes of the house find it
    offers = Offered("careful", "keepers_bots:Stops"), Offered("broken", "keepers_bots:Breaks", ("fortune",))
    return replace(settings, bots=offers)


async def until(person: Person, table: str, good: Callable[[Any], bool]) -> Any:
    """Look at the table, and stop whenever it is this person's turn, until something is true."""
    end = time.monotonic() + 60
    while not good(seen := await person.see(table)):
        assert time.monotonic() < end, seen["table"]["version"]
        if seen["legal"]:
            await person.do(f"tables/{table}/moves", move="stop", version=seen["table"]["version"])
        await asyncio.sleep(0.01)
    return seen


def bot_moved(seen: Any) -> bool:
    """Return whether the turn has come back to the person who looks, or the bot has been replaced."""
    return bool(seen["table"]["chat"]) or (seen["legal"] and seen["table"]["version"] > 8)


async def test_they_play_and_one_that_fails_is_replaced(ann: Person, house: House, caplog: Any) -> None:
    table = await ann.make(ME, CAREFUL)
    seen = await until(ann, table, bot_moved)
    assert [seat["name"] for seat in seen["table"]["seats"]] == ["Ann", "Careful bot (custom)"]
    assert (seen["table"]["chat"], seen["table"]["custom"]) == ([], ["careful", "broken"])
    assert house.custom.workers.processes(), "it does not think among the known bots"
    assert not set(house.custom.workers.processes()) & set(house.workers.processes())
    table = await ann.make(ME, BROKEN)
    seen = await until(ann, table, lambda seen: seen["table"]["chat"])
    assert [(line["name"], line["text"], line["bot"]) for line in seen["table"]["chat"]] == [
        ("Broken bot (custom)", FAILED, True)
    ]
    assert seen["table"]["seats"][1]["bot"] == "medium"
    assert "keepers_bots:Breaks failed (choose): OSError: /home/keeper/secret.txt." in caplog.text
    page = (await ann.get(f"/t/{table}")).text
    assert "secret.txt" not in page, "only the keeper reads why"
    assert FAILED in page
    assert 'data-line data-say="report"' not in page.split(FAILED)[1].split("</li>")[0]


async def test_they_are_offered_and_never_rated(ann: Person) -> None:
    seats = find("fortune").facts.players[1]
    assert (await ann.get("/")).text.count("bot: broken (custom)") == seats, "only in the game that it plays"
    facts = (await ann.get("/api/games/fortune")).json()
    assert (facts["bots"][-2:], facts["custom"]) == (["careful", "broken"], ["careful", "broken"])
    assert (await ann.get("/api/games/gatsby")).json()["custom"] == ["careful"]
    refusal = await ann.refused("tables", 400, "unknown-name", game="gatsby", seats=[ME, BROKEN])
    assert "careful" in refusal["allowed"]
    table = await ann.make(ME, OPEN)
    assert (await ann.get(f"/t/{table}")).text.count("bot: careful (custom)") == 1
    await ann.do(f"tables/{table}/seats", seat=1, **CAREFUL)
    await ann.do("me/claim", name="Ann", password="correct horse")
    refusal = await ann.refused(f"tables/{table}/rated", 400, "bad-setup", rated=True)
    assert refusal["message"] == "A custom bot can't play a rated game. Choose one of the levels."


async def test_a_secret_question_is_answered_in_silence(
    ann: Person, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Words at the table would show who was asked."""

    async def fails(*_: object) -> int:
        raise BotFault("It failed.")

    async def answers(_match: Match, _seat: int, bot: str, **_: object) -> int:
        assert bot == "medium"
        return 7

    monkeypatch.setattr(house.custom, "choose", fails)
    monkeypatch.setattr(house.workers, "choose", answers)
    live = await house.table(await ann.make(ME, CAREFUL, OPEN))
    await ann.do(f"tables/{live.id}/start", bots=True)
    assert await asking._answer(house, live, live.questions.open, 1) == 7  # type: ignore[arg-type]
    assert (live.seats[1].bot, live.chat) == ("careful", [])


async def test_a_house_that_no_longer_offers_one_plays_on(
    ann: Person, app: Litestar, house: House, create: Callable[[Settings], Litestar], settings: Settings
) -> None:
    table = await ann.make(ME, CAREFUL, wait=True)
    await ann.do(f"tables/{table}/start")
    await house.close()
    later = create(replace(settings, bots=()))
    made = await open_house(later)
    try:
        async with Person(
            transport=httpx.ASGITransport(app=later), base_url="http://house.test", cookies=ann.cookies
        ) as again:
            seen = await until(again, table, lambda seen: seen["table"]["chat"])
            assert (seen["table"]["chat"][0]["text"], seen["table"]["seats"][1]["bot"]) == (FAILED, "medium")
    finally:
        await made.close()
    del app
