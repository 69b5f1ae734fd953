"""Undo at a table: it is stored and counted like a move, and loses no move."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from parlour.core.contract import CHANCE, Step
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.replay import verify
from parlour.core.scene import SPECTATOR
from parlour.games import find
from parlour.house.app import create_app, open_house
from parlour.house.database import sqlite
from parlour.house.house import House
from parlour.house.settings import Settings
from parlour.house.table.live.eyes import eyes_of
from parlour.house.table.live.journal import TAKEN_BACK, Back, take_back
from parlour.house.table.live.showing import log_to
from parlour.house.table.live.signs import named
from parlour.house.table.play import undoing
from parlour.house.table.storage import schema as storage
from tests.found import added
from tests.house.people import ME, OPEN, Person, two_at_table, written_by_another
from tests.house.table.test_leak import _sent
from tests.leak import kept, restore, swap, twin


@pytest.fixture(autouse=True)
def _satchel() -> Iterator[None]:
    with added(Game("satchel", "tests.fixtures.satchel")):
        yield


async def play(table: str, person: Person, *moves: str) -> int:
    """Make these moves, or `undo` the last; return the version at the end."""
    version = (await person.see(table))["table"]["version"]
    for move in moves:
        path, body = ("undo", {}) if move == "undo" else ("moves", {"move": move})
        version = (await person.do(f"tables/{table}/{path}", version=version, **body))["version"]
    return int(version)


async def steps(table: str, house: House) -> list[str]:
    """Return the decisions that were not taken back."""
    live = await house.table(table)
    return [text for actor, text in live.record(reveal=True).steps if actor != CHANCE]


async def test_a_decision_is_taken_back_and_another_made(ann: Person, bob: Person, house: House) -> None:
    table = await two_at_table(ann, bob, game="satchel")
    assert not (await ann.see(table))["scene"]["undo"]
    await play(table, ann, "coin 1")
    assert (await ann.see(table))["scene"]["undo"]
    assert not (await bob.see(table))["scene"]["undo"]
    await play(table, ann, "undo", "coin 3", "coin 2", "undo", "close")
    assert await steps(table, house) == ["coin 3", "close"]
    assert not (await ann.see(table))["scene"]["undo"]
    assert verify((await house.table(table)).record(reveal=True), find).version == 5


async def test_versions_only_grow(ann: Person, bob: Person) -> None:
    table = await two_at_table(ann, bob, game="satchel")
    versions = [
        await play(table, ann, move) for move in ("coin 1", "undo", "coin 1", "coin 2", "undo", "undo", "close")
    ]
    assert versions == sorted(set(versions))
    assert versions[0] == 3
    assert (await bob.see(table))["table"]["version"] == versions[-1]


async def test_what_cannot_be_taken_back(ann: Person, bob: Person, arrive: Callable[[], Person], house: House) -> None:
    table = await two_at_table(ann, bob, game="satchel")
    path, version = f"tables/{table}/undo", 2
    await ann.refused(path, 409, "cannot-undo", version=version)  # tickets were dealt, nothing decided
    version = await play(table, ann, "coin 1")
    await bob.refused(path, 409, "cannot-undo", version=version)
    await arrive().refused(path, 403, "not-seated", version=version)
    await ann.refused(path, 409, "stale-move", version=version + 5)
    for body in ({}, {"version": "3"}, {"version": -1}, {"version": version, "move": "coin 1"}):
        await ann.refused(path, 400, "bad-input", **body)
    version = await play(table, ann, "look")
    error = await ann.refused(path, 409, "cannot-undo", version=version)
    assert "revealed something" in error["message"]
    version = await play(table, ann, "close")
    for person in (ann, bob):
        await person.refused(path, 409, "cannot-undo", version=version)
    assert await steps(table, house) == ["coin 1", "look", "close"]
    waiting = str((await ann.do("tables", game="satchel", seats=[ME, OPEN]))["id"])
    await ann.refused(f"tables/{waiting}/undo", 409, "not-playing", version=0)


async def test_so_many_are_taken_back_and_no_more(ann: Person, bob: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of each seat in a game: the journal keeps all of them."""
    monkeypatch.setattr(undoing, "MOST", 3)
    table = await two_at_table(ann, bob, game="satchel")
    version = await play(table, ann, *["coin 1", "undo"] * 3, "coin 1")
    refused = await ann.refused(f"tables/{table}/undo", 409, "cannot-undo", version=version)
    assert "You've taken back 3 decisions in this game" in refused["message"]
    await play(table, ann, "close")
    await play(table, bob, "coin 1", "undo")


async def test_asked_twice_it_is_done_once(ann: Person, bob: Person, house: House) -> None:
    table = await two_at_table(ann, bob, game="satchel")
    version = await play(table, ann, "coin 1", "coin 2")
    for _ in range(3):
        assert await ann.do(f"tables/{table}/undo", version=version) == {"version": version + 1}
    assert await steps(table, house) == ["coin 1"]
    error = await ann.refused(f"tables/{table}/undo", 409, "stale-move", version=version - 1)
    assert error["version"] == version + 1


async def test_a_move_that_was_answered_is_answered_the_same_after_it_was_taken_back(
    ann: Person, bob: Person, house: House
) -> None:
    """A delayed repetition of the request does not make it a second time."""
    table = await two_at_table(ann, bob, game="satchel")
    body = {"move": "coin 1", "version": 2, "id": "mine"}
    first = await ann.do(f"tables/{table}/moves", **body)
    await play(table, ann, "undo")
    assert await ann.do(f"tables/{table}/moves", **body) == first
    assert await steps(table, house) == []
    await ann.refused(f"tables/{table}/moves", 409, "stale-move", move="coin 2", version=3)


async def test_nothing_that_was_written_is_ever_changed(ann: Person, bob: Person, house: House) -> None:
    table = await two_at_table(ann, bob, game="satchel")
    await play(table, ann, "coin 1")
    before = (await house.store.load(table)).steps
    await play(table, ann, "undo", "coin 2")
    after = (await house.store.load(table)).steps
    assert after[: len(before)] == before
    assert [row.action for row in after[len(before) :]] == [TAKEN_BACK, 1]


async def test_a_restart_remembers_what_was_taken_back(
    ann: Person, bob: Person, house: House, settings: Settings
) -> None:
    table = await two_at_table(ann, bob, game="satchel")
    await play(table, ann, "coin 1", "coin 2", "undo", "coin 3")
    views = [await person.see(table) for person in (ann, bob)]
    pages = [(await person.get(f"/t/{table}")).text for person in (ann, bob)]
    assert "Take back" in pages[0]
    assert "Take back" not in pages[1]
    await house.close()
    again = create_app(settings)
    await open_house(again)
    for person, view, page in zip((ann, bob), views, pages, strict=True):
        async with Person(transport=httpx.ASGITransport(app=again), base_url="http://house.test") as same:
            same.cookies = person.cookies
            assert await same.see(table) == view
            assert (await same.get(f"/t/{table}")).text == page
    live = await again.state.house.table(table)
    assert (live.version, [step.actor for step in live.history if isinstance(step, Back)]) == (6, [0])
    assert await steps(table, again.state.house) == ["coin 1", "coin 3"]
    await again.state.house.close()


async def test_a_failing_write_takes_nothing_back(
    ann: Person, bob: Person, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await two_at_table(ann, bob, game="satchel")
    version = await play(table, ann, "coin 1")
    monkeypatch.setattr(sqlite, "PATIENCE", 0.1)
    with written_by_another(house):
        await ann.refused(f"tables/{table}/undo", 503, "storage-failed", version=version)
    assert await steps(table, house) == ["coin 1"]
    await play(table, ann, "undo")
    assert await steps(table, house) == []


async def test_a_journal_that_takes_back_a_missing_step_closes_the_table(
    ann: Person, bob: Person, house: House
) -> None:
    table = await two_at_table(ann, bob, game="satchel")
    await play(table, ann, "coin 1", "undo")
    async with house.store.write() as connection:
        await connection.execute(sa.update(storage.steps).where(storage.steps.c.idx == 3).values(actor=1))
    house.tables.clear()
    seen = await ann.see(table)
    assert seen["table"]["status"] == "closed"
    assert "doesn't fit the rules" in seen["table"]["closed"]


async def test_the_log_says_it_to_each_as_they_may_know(ann: Person, bob: Person, house: House) -> None:
    table = await two_at_table(ann, bob, game="satchel")
    await play(table, ann, "coin 3", "undo")
    live = await house.table(table)
    assert named(log_to(live, 0, live.version).lines[-1].text, ("Ann", "Bob")) == "Ann takes back “coin 3”."
    for viewer in (1, SPECTATOR):
        assert (
            named(log_to(live, viewer, live.version).lines[-1].text, ("Ann", "Bob"))
            == "Ann takes back what was done last."
        )


async def test_a_finished_game_keeps_the_record_and_replays_the_journal(ann: Person, bob: Person, house: House) -> None:
    table = await two_at_table(ann, bob, game="satchel")
    for person in (ann, bob, ann, bob):
        version = await play(table, person, "coin 1", "undo", "coin 2", "close")
    for _ in range(2):  # from memory, and from the database
        record = await ann.record(table)
        assert [text for actor, text in record.steps if actor != CHANCE] == ["coin 2", "close"] * 4
        assert verify(record, find).over
        house.tables.clear()
    assert (await ann.get(f"/api/tables/{table}/replay")).json()["last"] == version
    for step in range(version + 1):
        frame = (await ann.get(f"/api/tables/{table}/replay?step={step}")).json()["frame"]
        assert "data-undo" not in frame["html"]


def journal_twin(journal: list[Step], match: Match, viewer: int, choice: random.Random) -> tuple[Match, list[Step]]:
    """Return another journal that `viewer` cannot tell from this one, as in `tests.leak.twin`, with its undos."""
    observed = match.game.rules.observed_action
    for _ in range(10_000):
        other, _ = twin(Match(match.game, edition=match.edition, names=match.names, auto=False), viewer, choice)
        other.words = match.words
        steps: list[Step] = []
        stack: list[Step] = []
        for step in journal:
            if isinstance(step, Back):
                steps.append(take_back(other, stack.pop()))
                continue
            seen = observed(step.before, step.action, viewer)
            choices = other.chance_outcomes()[0] if step.actor == CHANCE else other.legal_action_ids()
            alike = [action for action in choices if observed(other.state, action, viewer) == seen]
            if other.current_player != step.actor or not alike:
                break
            steps.append(other.step(choice.choice(alike)))
            stack.append(steps[-1])
        else:
            return other, steps
    raise AssertionError("no other course of the game fits what this viewer saw")


@pytest.mark.parametrize("leaky", [False, True])
async def test_a_taking_back_tells_nobody_what_was_secret(
    leaky: bool,
    ann: Person,
    bob: Person,
    arrive: Callable[[], Person],
    house: House,
    monkeypatch: pytest.MonkeyPatch,
    size: Callable[[int, int], int],
) -> None:
    """The bytes for each viewer don't depend on what they cannot know; and this test would notice if they did."""
    if leaky:
        from parlour.house.table.live import journal

        def careless(game: Game, step: Step, viewer: int, names: tuple[str, ...]) -> Any:
            return honest(game, step, step.actor if isinstance(step, Back) else viewer, names)

        honest = journal.tell
        monkeypatch.setattr(journal, "tell", careless)
    table = await two_at_table(ann, bob, game="satchel")
    live, choice, found = await house.table(table), random.Random(3), []
    people = (ann, bob, arrive())
    for move in ("coin 2", "undo", "coin 1", "coin 3", "undo", "look", "coin 1", "close"):
        await play(table, ann, move)
        if found:  # where it leaks, one message is enough
            break
        for person in people:
            guest = (await person.get("/api/me")).json()["id"]
            true = await _sent(house, live, person)
            for _ in range(size(1, 3)):
                before = kept(live)
                assert live.match is not None
                swap(live, *journal_twin(list(live.history), live.match, eyes_of(live, guest).viewer, choice))
                other = await _sent(house, live, person)
                restore(live, before)
                found += [f"{move}: {kind}" for kind in true if true[kind] != other[kind]]
    assert bool(found) is leaky, found
