"""Moderators cancel tournaments for a reason that players read, and rename and delete clubs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from parlour.core.game import Game
from parlour.house.admin import rows as admin_rows
from parlour.house.clubs import schema as clubs
from parlour.house.clubs.seasons import schema as seasons
from parlour.house.house import House
from parlour.house.settings import Settings
from tests.found import added
from tests.house.clubs.test_clubs import founded
from tests.house.moderators import does, moderator_of
from tests.house.people import Person
from tests.house.tournaments.playing import accounts, announce, begun, play, seen

Arrive = Callable[[], Person]
KUHN: dict[str, Any] = {"game": "kuhn", "tempo": {"delay": 86400.0}}
WHY = "Its name is an insult"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(database=f"sqlite:///{tmp_path}/parlour.db", pace=0, engine="plain", limits=False, outside="any")


@pytest.fixture(autouse=True)
def _kuhn() -> Iterator[None]:
    with added(Game("kuhn", "tests.fixtures.kuhn")):
        yield


async def logged(house: House) -> list[tuple[str, str, str]]:
    """Return what the log says of the last acts but those of signing in, the first first."""
    _, found = await house.store.look(partial(admin_rows.acts, page=0))
    return [(one.kind, one.about, one.words) for one in reversed(found) if one.kind not in ("key", "enter")]


async def test_a_moderator_cancels_a_tournament_and_its_players_read_why(house: House, arrive: Arrive) -> None:
    ann, bob = await accounts(arrive, 2)
    hidden = await announce(ann, link=True, name="Only by link")
    tournament = await begun(house, ann, [ann, bob])
    moderator = await moderator_of(house, arrive)
    assert "Only by link" in (await moderator.get("/house/tournaments?status=announced")).text
    page = (await moderator.get("/house/tournaments")).text
    assert "Kuhn Open" in page
    assert "Only by link" not in page
    answer = await moderator.post("/house/cancel", json={"tournament": tournament, "words": "why not"})
    assert answer.status_code == 400
    await does(moderator, "cancel", tournament=tournament, words=WHY)
    reason = f"A moderator cancelled it: {WHY}."
    found = await seen(bob, tournament)
    assert (found["state"], found["reason"]) == ("cancelled", reason)
    assert reason in (await bob.get(f"/tournaments/{tournament}")).text
    (table,) = (await seen(ann, tournament))["tables"]
    assert await play(ann, table) or await play(bob, table), "the game in progress continues"
    for gone, status in ((tournament, 409), ("none", 404)):
        answer = await moderator.post("/house/cancel", json={"tournament": gone, "words": WHY})
        assert answer.status_code == status
    await does(moderator, "cancel", tournament=hidden, words="No one wants to play it!")
    assert (await seen(ann, hidden))["reason"] == "A moderator cancelled it: No one wants to play it!"
    assert await logged(house) == [
        ("cancel", tournament, WHY), ("cancel", hidden, "No one wants to play it!"),
    ]  # fmt: skip
    log = (await moderator.get("/house/log")).text
    assert f'cancelled tournament <a href="/tournaments/{tournament}">' in log
    assert reason in (await moderator.get("/house/tournaments?status=cancelled")).text


async def in_season(people: list[Person]) -> tuple[str, str, str]:
    """Return a club whose season these four people play, the season, and its tournament."""
    ann, *others = people
    club = await founded(ann, name="Rude Words", entry="open")
    for person in others:
        await person.do(f"clubs/{club}/join")
    season = (await ann.do(f"clubs/{club}/seasons", size=4, movers=1, **KUHN))["id"]
    for person in people:
        await person.do(f"clubs/{club}/seasons/{season}/enter")
    await ann.do(f"clubs/{club}/seasons/{season}/start")
    (tournament,) = (await ann.get(f"/api/clubs/{club}/seasons/{season}")).json()["tournaments"]
    return club, season, tournament


async def test_a_moderator_renames_a_club_and_the_tournaments_of_its_seasons(house: House, arrive: Arrive) -> None:
    people = await accounts(arrive, 4)
    ann, bob, *_ = people
    club, _, tournament = await in_season(people)
    own = str((await bob.do(f"clubs/{await founded(bob, name='Night Owls')}/tournaments", name="Rude Words: too",
                            system="swiss", **KUHN))["id"])  # fmt: skip
    moderator = await moderator_of(house, arrive)
    assert "Rude Words" in (await moderator.get("/house/clubs?find=rUDE")).text
    assert "Rude Words" not in (await moderator.get("/house/clubs?find=%25")).text
    for name, status in (("Night 0wls", 409), ("Parlour", 400), ("", 400), ("x" * 41, 400)):
        answer = await moderator.post("/house/rename", json={"club": club, "name": name})
        assert answer.status_code == status, name
    assert (await moderator.post("/house/rename", json={"club": "none", "name": "Y"})).status_code == 404
    before = (await seen(ann, tournament))["changes"]
    await does(moderator, "rename", club=club, name="Kind Words")
    assert (await ann.get(f"/api/clubs/{club}")).json()["name"] == "Kind Words"
    found = await seen(ann, tournament)
    assert found["name"] == "Kind Words: season 1, division 1"
    assert found["changes"] > before, "its open pages show the new name"
    assert (await seen(bob, own))["name"] == "Rude Words: too", "it is of another club"
    assert await logged(house) == [("rename", club, "From “Rude Words” to “Kind Words”")]


async def test_a_moderator_deletes_a_club_with_its_members_and_seasons(house: House, arrive: Arrive) -> None:
    people = await accounts(arrive, 5)
    ann, bob, *_, eve = people
    club, season, running = await in_season(people[:4])
    await ann.do(f"clubs/{club}/change", name="Rude Words", entry="ask", figure="cat", pattern="dots", ground="plum",
                 ink="cream")  # fmt: skip
    await eve.do(f"clubs/{club}/join")
    announced, over = [
        str((await ann.do(f"clubs/{club}/tournaments", name="Cup", system="swiss", **KUHN))["id"]) for _ in range(2)
    ]
    await ann.do(f"tournaments/{over}/cancel")
    moderator = await moderator_of(house, arrive)
    assert (await moderator.post("/house/dissolve", json={"club": club, "words": "no"})).status_code == 400
    await does(moderator, "dissolve", club=club, words=WHY)
    assert (await moderator.post("/house/dissolve", json={"club": club, "words": WHY})).status_code == 404
    for path in (f"/clubs/{club}", f"/api/clubs/{club}", f"/api/clubs/{club}/seasons/{season}"):
        assert (await ann.get(path)).status_code == 404
    for one in (clubs.clubs, clubs.members, clubs.requests, seasons.seasons, seasons.entrants, seasons.divisions):
        count = await house.store.look(
            lambda connection, one=one: connection.scalar(sa.select(sa.func.count()).select_from(one))
        )
        assert count == 0, one.name
    for tournament, reason in (
        (running, f"A moderator deleted its club: {WHY}."), (announced, f"A moderator deleted its club: {WHY}."),
        (over, "Its organiser cancelled it."),
    ):  # fmt: skip
        found = await seen(bob, tournament)
        assert (found["state"], found["reason"]) == ("cancelled", reason)
        assert (await bob.get(f"/tournaments/{tournament}")).is_success
    assert "Rude Words" not in (await ann.get("/me")).text
    await founded(ann, name="Rude Words")  # the name is free again, and she owns no club any more
    assert await logged(house) == [("dissolve", club, f"“Rude Words”: {WHY}")]
