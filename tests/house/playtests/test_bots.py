"""What bots do in the editions of a playtest: played once, shown with intervals, kept, and for its designer alone."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from functools import partial
from typing import Any

import httpx
import pytest
from litestar import Litestar

from parlour.core.game import Game
from parlour.games import find
from parlour.house.app import create_app, open_house
from parlour.house.errors import NoAnswer
from parlour.house.house import House
from parlour.house.http.rates import THINKING, Price, Rates
from parlour.house.playtests import jobs, rows
from parlour.house.playtests import schema as s
from parlour.house.playtests.jobs import PRINTED, YOURS, Trials
from parlour.house.settings import Settings
from tests.found import added
from tests.house.people import Person
from tests.house.playtests.test_playtests import playtest, shown, stored

GAME: dict[str, Any] = {"game": "kuhn", "options": {}}


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "GAMES", 12)


@pytest.fixture
def trials(app: Litestar) -> Trials:
    found: Trials = app.state.trials
    return found


async def played(designer: Person, made: str) -> None:
    """Let bots play a playtest to the end."""
    answer = await designer.do(f"playtests/{made}/bots")
    while answer["status"] != "done":
        assert answer["status"] in ("waiting", "working"), answer
        await asyncio.sleep(0.05)
        answer = (await designer.get(f"/api/playtests/{made}/bots")).json()


@pytest.fixture(autouse=True)
def kuhn() -> Iterator[None]:
    with added(Game("kuhn", "tests.fixtures.kuhn")):
        yield


async def test_bots_play_once_and_what_they_did_is_kept(
    ann: Person, trials: Trials, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, _ = await playtest(ann, **GAME)
    assert "Bots haven’t played this yet." in await shown(ann, made)
    assert (await ann.get(f"/api/playtests/{made}/bots")).json()["status"] == "none"
    await played(ann, made)
    text = await shown(ann, made)
    assert "12 games of each edition" in text
    assert "1st to play wins" in text

    async def never(*_: Any, **__: Any) -> Any:
        raise AssertionError("they have played")

    monkeypatch.setattr(jobs, "insist", never)
    assert (await ann.do(f"playtests/{made}/bots"))["status"] == "done"
    assert not trials.queue.jobs
    await trials.house.close()
    again = create_app(settings)  # the house is started again
    house = await open_house(again)
    way = httpx.ASGITransport(app=again)
    async with Person(transport=way, base_url="http://house.test", cookies=ann.cookies) as she:
        assert await shown(she, made) == text
    await house.close()


async def test_only_the_designer_lets_them_play_and_pays_for_it(
    app: Litestar, ann: Person, bob: Person, trials: Trials, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, _ = await playtest(ann, **GAME)
    await bob.refused(f"playtests/{made}/bots", 404, "not-found")
    assert (await bob.get(f"/api/playtests/{made}/bots")).status_code == 404
    paid: list[Price] = []
    rates = Rates()
    monkeypatch.setattr(rates, "charge", lambda price, *_: paid.append(price))
    app.state.rates = rates
    await ann.do(f"playtests/{made}/bots")
    assert [price.amount for price in paid if price.budget == THINKING] == [3]
    await ann.do(f"playtests/{made}/delete")  # while they play
    for _ in range(400):
        if not trials.queue.jobs:
            break
        await asyncio.sleep(0.05)
    assert await stored(trials.house, s.bots) == []


async def test_a_failure_is_one_sentence_and_can_be_tried_again(
    ann: Person, trials: Trials, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, _ = await playtest(ann, **GAME)
    honest = trials.workers.ask

    async def dead(*_: Any, **__: Any) -> Any:
        raise NoAnswer("The computation failed or took too long. Please try again.")

    monkeypatch.setattr(trials.workers, "ask", dead)
    await ann.do(f"playtests/{made}/bots")
    for _ in range(200):
        if trials.queue.jobs[made].failure:
            break
        await asyncio.sleep(0.01)
    answer = await ann.get(f"/api/playtests/{made}/bots")
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "no-answer")
    assert answer.json()["error"]["message"].startswith("We couldn't let bots play this: The computation failed")
    monkeypatch.setattr(trials.workers, "ask", honest)
    await played(ann, made)


async def test_they_play_for_so_long_and_no_longer(ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "GAMES", 10**6)
    monkeypatch.setattr(jobs, "SECONDS", 0.5)
    monkeypatch.setattr(jobs, "PIECE", 0.1)
    made, _ = await playtest(ann, **GAME)
    await played(ann, made)
    games = re.search(r"([\d,]+) games of each edition", await shown(ann, made))
    assert games
    assert 2 < int(games[1].replace(",", "")) < 10**6


async def test_the_printed_edition_is_first_unless_it_is_one_of_the_others(ann: Person, house: House) -> None:
    gold = {"changes": {"deck.gold": 5}}
    usual, changed = find("fortune").named().parts, find("fortune").named().changed({"deck.gold": 5}).parts
    for wishes, labels, parts in (
        (({},), [PRINTED], [usual]),
        ((gold,), [PRINTED, YOURS], [usual, changed]),
        ((gold, {}), ["Edition A", "Edition B"], [changed, usual]),
        ((gold, {"changes": {"deck.gold": 4}}), [PRINTED, "Edition A", "Edition B"], None),
    ):
        made, _ = await playtest(ann, *wishes)
        row = await house.store.look(partial(rows.playtest, playtest=made))
        found = jobs.beside(row, await house.store.look(partial(rows.editions, playtest=made)))
        assert list(found) == labels
        assert parts is None or list(found.values()) == parts
