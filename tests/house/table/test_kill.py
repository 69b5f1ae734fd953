"""kill -9 at random moments during games: no acknowledged move and no shown position is lost, and no move is made
twice."""

from __future__ import annotations

import asyncio
import json
import random
import time
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from parlour.core import html
from parlour.core.replay import replay, verify
from parlour.core.scene import SPECTATOR
from parlour.games import find
from parlour.house.table.pages.fragments import faced
from tests.expanding import bare, only
from tests.house.people import ME, OPEN, Person
from tests.house.serving import Nursery

KILLS = 8  # 1,000 in the long form: scripts/nightly --kills 1000
MOST = 2  # moves acknowledged, and positions shown, between a start and the kill, at most


class Survived(NamedTuple):
    """The result."""

    kills: int
    acknowledged: int
    shown: int

    def line(self) -> str:
        """Return the line for SECURITY.md."""
        return (
            f"{self.kills:,} x kill -9: {self.acknowledged:,} moves acknowledged and {self.shown:,} positions shown, "
            "none lost, none doubled, none changed"
        )


class Known:
    """What the server has answered and shown so far."""

    def __init__(self) -> None:
        self.moves: dict[int, tuple[str, int]] = {}  # position answered -> move, version it led to
        self.scenes: dict[int, str] = {}  # version -> what a spectator saw
        self.unsure: tuple[str, dict[str, Any]] | None = None  # the player and move without an answer
        self.version = 0
        self.acknowledged = self.shown = 0
        self.compared = 0  # the scenes up to here were compared with the record
        self.awaited = 0, 0
        self.enough = asyncio.Event()

    def expect(self, more: int) -> None:
        """Set `enough` after this number of further acknowledged moves and shown positions."""
        self.awaited = self.acknowledged + more, self.shown + more
        self.enough.clear()
        self.hear()

    def hear(self) -> None:
        if self.acknowledged >= self.awaited[0] and self.shown >= self.awaited[1]:
            self.enough.set()


async def _watch(url: str, table: str, known: Known) -> None:
    """Follow the stream as a spectator until the server dies."""
    async with httpx.AsyncClient(base_url=url, timeout=30) as client:
        try:
            async with client.stream("GET", f"/api/tables/{table}/events?since=-1") as stream:
                async for line in stream.aiter_lines():
                    if line.startswith("data: "):
                        update = json.loads(line[6:])
                        known.version = max(known.version, update["version"])
                        for frame in update["frames"]:
                            assert known.scenes.setdefault(frame["version"], frame["html"]) == frame["html"]
                            known.shown += 1
                            known.hear()
        except httpx.HTTPError:
            pass


async def _play(
    people: dict[str, Person], table: str, known: Known, choice: random.Random, alive: asyncio.Event
) -> None:
    """Move at random until the server dies or the game is over."""
    try:
        await people["Ann"].see(table)
        alive.set()
        if known.unsure is not None:
            who, body = known.unsure
            await _send(people[who], who, table, body, known)
        while True:
            for who, person in people.items():
                seen = await person.see(table)
                if seen["table"]["status"] == "over":
                    return
                if seen["legal"]:
                    version = seen["table"]["version"]
                    body = {"move": choice.choice(seen["legal"]), "version": version, "id": f"{who}-{version}"}
                    await _send(person, who, table, body, known)
    except httpx.HTTPError:
        pass


async def _send(person: Person, who: str, table: str, body: dict[str, Any], known: Known) -> None:
    known.unsure = who, body
    answer = await person.do(f"tables/{table}/moves", **body)
    known.unsure = None
    known.moves[body["version"]] = body["move"], answer["version"]
    known.version = max(known.version, answer["version"])
    known.acknowledged += 1
    known.hear()


async def _check(person: Person, table: str, known: Known) -> bool:
    """Compare what was shown with the record; return whether the game is over."""
    record = await person.record(table)
    assert len(record.steps) >= known.version
    for version, (move, led_to) in known.moves.items():
        actor, text = record.steps[version]
        assert actor >= 0
        assert text == move
        assert len(record.steps) >= led_to
        assert all(actor == -1 for actor, _ in record.steps[version + 1 : led_to])
    match = replay(record, find)
    states = [step.after for step in match.history()]
    for version in range(known.compared + 1, known.version + 1):
        if version in known.scenes:
            scene = match.game.scenes.scene(states[version - 1], SPECTATOR, match.names)
            assert only(html.render(faced(scene), f"/rules/{match.game.name}")) == only(bare(known.scenes[version]))
    known.compared = known.version
    if record.seed:
        verify(record, find)
    return match.over


async def kill_again_and_again(nursery: Nursery, database: str, number: int, seed: int = 2_026) -> Survived:
    """Kill a server this number of times during a game. Raises AssertionError if a shown or acknowledged move is
    lost."""
    choice, instant = random.Random(seed), random.Random(seed + 1)
    server = nursery.start(database=database)
    table, known, kills, acknowledged, shown = "", Known(), 0, 0, 0
    played = 0.0  # seconds
    async with Person(base_url=server.url, timeout=30) as ann, Person(base_url=server.url, timeout=30) as bob:
        people = {"Ann": ann, "Bob": bob}
        while kills < number:
            if not table or await _check(ann, table, known):
                acknowledged, shown = acknowledged + known.acknowledged, shown + known.shown
                table, known = await ann.make(ME, OPEN), Known()
                await bob.do(f"tables/{table}/sit")
                await ann.do(f"tables/{table}/start")
            alive, more = asyncio.Event(), instant.randrange(MOST + 1)
            known.expect(more)
            playing = asyncio.create_task(_play(people, table, known, choice, alive))
            watching = asyncio.create_task(_watch(server.url, table, known))
            await asyncio.wait_for(alive.wait(), 60)
            began, enough = time.perf_counter(), asyncio.create_task(known.enough.wait())
            await asyncio.wait([enough, playing], timeout=60, return_when=asyncio.FIRST_COMPLETED)
            enough.cancel()
            played += time.perf_counter() - began
            # Sometime during the next moves, on a machine of any speed
            await asyncio.sleep(instant.uniform(0, 2 * played / max(1, acknowledged + known.acknowledged)))
            server.kill()
            kills += 1
            await asyncio.gather(playing, watching)
            server = nursery.start(database=database)
            ann.base_url = bob.base_url = httpx.URL(server.url)  # the same cookies at the new port
        await _check(ann, table, known)
    acknowledged, shown = acknowledged + known.acknowledged, shown + known.shown
    return Survived(kills, acknowledged, shown)


@pytest.fixture
def database(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/parlour.db"


@pytest.mark.slow
async def test_nothing_acknowledged_is_lost_by_kill_9(nursery: Nursery, database: str) -> None:
    survived = await kill_again_and_again(nursery, database, KILLS)
    print(f"\n{survived.line()}")
    assert survived.acknowledged > KILLS / 2
    assert survived.shown > KILLS / 2
