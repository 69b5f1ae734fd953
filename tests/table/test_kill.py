"""kill -9 at 100 random instants under play: nothing that anybody was told is lost, and no move is made twice."""

from __future__ import annotations

import asyncio
import json
import random
from pathlib import Path
from typing import Any

import httpx
import pytest

from parlour.core.scene import SPECTATOR
from parlour.games import find
from parlour.table import pages
from parlour.table.model import Frame
from tests.table.people import ME, OPEN, Person
from tests.table.serving import Nursery

KILLS = 100
LONGEST = 0.15  # seconds of play before a kill, counted from the first sign of life


class Told:
    """What the server has said so far, to anybody."""

    def __init__(self) -> None:
        self.moves: dict[int, tuple[str, int]] = {}  # position answered -> move, version it led to
        self.scenes: dict[int, str] = {}  # version -> what a spectator was shown
        self.unsure: tuple[str, dict[str, Any]] | None = None  # who sent which move without an answer
        self.version = 0
        self.acknowledged = self.shown = 0
        self.compared = 0  # the scenes up to here were compared with the record


async def _watch(url: str, table: str, told: Told) -> None:
    """Follow the stream as a spectator until the server dies."""
    async with httpx.AsyncClient(base_url=url, timeout=30) as client:
        try:
            async with client.stream("GET", f"/api/tables/{table}/events?since=-1") as stream:
                async for line in stream.aiter_lines():
                    if line.startswith("data: "):
                        update = json.loads(line[6:])
                        told.version = max(told.version, update["version"])
                        for frame in update["frames"]:
                            assert told.scenes.setdefault(frame["version"], frame["html"]) == frame["html"]
                            told.shown += 1
        except httpx.HTTPError:
            pass


async def _play(people: dict[str, Person], table: str, told: Told, choice: random.Random, alive: asyncio.Event) -> None:
    """Move at random until the server dies or the game is over."""
    try:
        await people["Ann"].see(table)
        alive.set()
        if told.unsure is not None:
            who, body = told.unsure
            await _send(people[who], who, table, body, told)
        while True:
            for who, person in people.items():
                seen = await person.see(table)
                if seen["table"]["status"] == "over":
                    return
                if seen["legal"]:
                    version = seen["table"]["version"]
                    body = {"move": choice.choice(seen["legal"]), "version": version, "id": f"{who}-{version}"}
                    await _send(person, who, table, body, told)
    except httpx.HTTPError:
        pass


async def _send(person: Person, who: str, table: str, body: dict[str, Any], told: Told) -> None:
    told.unsure = who, body
    answer = await person.do(f"tables/{table}/moves", **body)
    told.unsure = None
    told.moves[body["version"]] = body["move"], answer["version"]
    told.version = max(told.version, answer["version"])
    told.acknowledged += 1


async def _check(person: Person, table: str, told: Told) -> bool:
    """Compare what was told with the record; whether the game is over."""
    record = await person.record(table)
    assert len(record.steps) >= told.version
    for version, (move, led_to) in told.moves.items():
        actor, text = record.steps[version]
        assert actor >= 0
        assert text == move
        assert len(record.steps) >= led_to
        assert all(actor == -1 for actor, _ in record.steps[version + 1 : led_to])
    match = record.replay(find)
    states = [step.after for step in match.history()]
    for version in range(told.compared + 1, told.version + 1):
        if version in told.scenes:
            scene = match.game.scenes.scene(states[version - 1], SPECTATOR, match.names)
            assert pages.scene_html(match.game, Frame(version, scene)) == told.scenes[version]
    told.compared = told.version
    if record.seed:
        record.verify(find)
    return match.over


@pytest.fixture
def database(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/parlour.db"


@pytest.mark.slow
async def test_nothing_told_is_lost_by_kill_9(nursery: Nursery, database: str) -> None:
    choice = random.Random(2_026)
    server = nursery.start(database=database)
    table, told, kills, acknowledged, shown = "", Told(), 0, 0, 0
    async with Person(base_url=server.url, timeout=30) as ann, Person(base_url=server.url, timeout=30) as bob:
        people = {"Ann": ann, "Bob": bob}
        while kills < KILLS:
            if not table or await _check(ann, table, told):
                acknowledged, shown = acknowledged + told.acknowledged, shown + told.shown
                table, told = await ann.make(ME, OPEN), Told()
                await bob.do(f"tables/{table}/sit")
                await ann.do(f"tables/{table}/start")
            alive = asyncio.Event()
            work = asyncio.gather(_play(people, table, told, choice, alive), _watch(server.url, table, told))
            await asyncio.wait_for(alive.wait(), 20)
            await asyncio.sleep(choice.uniform(0, LONGEST))
            server.kill()
            kills += 1
            await work
            server = nursery.start(database=database)
            ann.base_url = bob.base_url = httpx.URL(server.url)  # the same cookies at the new port
        await _check(ann, table, told)
    acknowledged, shown = acknowledged + told.acknowledged, shown + told.shown
    print(f"\n{kills} kills, {acknowledged} moves acknowledged, {shown} positions shown")
    assert acknowledged > KILLS / 2
    assert shown > KILLS / 2
