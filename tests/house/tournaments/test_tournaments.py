"""Tournaments: announcing, joining, rounds, results, and who does not come."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from litestar import Litestar

from parlour.core.game import Game
from parlour.house.house import House
from parlour.house.settings import Settings
from parlour.house.tournaments import jobs
from tests.found import added
from tests.house.clock import Clock, by_hand
from tests.house.people import Person
from tests.house.tournaments.playing import accounts, announce, begun, play_all, seen, settle


@pytest.fixture(autouse=True)
def _kuhn() -> Iterator[None]:
    with added(Game("kuhn", "tests.fixtures.kuhn")):
        yield


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(database=f"sqlite:///{tmp_path}/parlour.db", pace=0, limits=False, engine="plain")


@pytest.fixture
async def app(settings: Settings, create: Callable[[Settings], Litestar], clock: Clock) -> AsyncIterator[Litestar]:
    async with by_hand(create(settings)) as made:
        yield made


async def test_a_swiss_tournament_from_its_announcement_to_its_results(
    house: House, arrive: Callable[[], Person], clock: Clock
) -> None:
    people = await accounts(arrive, 5)
    ann = people[0]
    tournament = await begun(house, ann, people, rounds=3)
    for number in range(1, 4):
        found = await seen(ann, tournament)
        assert (found["state"], found["round"], found["rounds"]) == ("running", number, 3)
        games = (await seen(ann, tournament, f"/games?number={number}"))["games"]
        assert [len(game["seats"]) for game in games] == [2, 2, 1]
        assert [game["how"] for game in games] == ["", "", "bye"]
        assert {seat["entrant"] for game in games for seat in game["seats"]} == {1, 2, 3, 4, 5}
        await play_all(house, people, tournament)
        clock.ahead += jobs.BREAK
        await settle(house)
    found = await seen(ann, tournament)
    assert found["state"] == "over"
    standings = (await seen(ann, tournament, "/standings"))["standings"]
    assert sum(one["points"] for one in standings) == 3 * 3  # a game is worth a point, and so is a bye
    games = (await seen(ann, tournament, "/games"))["games"]
    assert len({tuple(sorted(seat["entrant"] for seat in game["seats"])) for game in games}) == 9
    assert all(sum(seat["share"] for seat in game["seats"]) == 1 for game in games)
