"""kill -9 while people change their accounts and data: acknowledged changes are stored, the others are complete or
absent, and can be requested again."""

from __future__ import annotations

import asyncio
import random
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from tests.house.account_acts import ACTS, Act, Answer, Cast
from tests.house.serving import Nursery, Server

KILLS = 3  # 300 in the long form: scripts/nightly --people 300
TOGETHER = 4  # acts in progress at one kill
HOUSE: dict[str, Any] = {"fixtures": ["kuhn"], "outside": "any", "deadlines": {"FIRST": 0.5, "EVERY": 0.5}}


class Survived(NamedTuple):
    """The result: for each kind of act, how many were requested, and how many acknowledged."""

    kills: int
    asked: Counter[str]
    acknowledged: Counter[str]

    def line(self) -> str:
        """Return the line for SECURITY.md."""
        kinds = ", ".join(f"{name.replace('_', ' ')} {number}" for name, number in sorted(self.asked.items()))
        return (
            f"{self.kills:,} x kill -9 under {self.asked.total():,} changes of people's accounts and data "
            f"({kinds}): {self.acknowledged.total():,} acknowledged, none lost; the others complete or absent, and "
            "done or refused in plain words when requested again"
        )


class Times:
    """How long each kind of act took so far."""

    def __init__(self) -> None:
        self._known: dict[str, float] = {}

    def of(self, kind: str) -> float:
        return self._known.get(kind, 0.1)

    def learn(self, kind: str, seconds: float, *, done: bool) -> None:
        known = self.of(kind)
        self._known[kind] = (known + seconds) / 2 if done else max(known, 1.1 * seconds)


async def _ask(kind: str, act: Act, times: Times) -> Answer:
    """Send the request, and return the answer, None if the house died first."""
    began, answer = time.perf_counter(), None
    try:
        answer = await act.send()
        assert answer.is_success, f"{kind}: {answer.text}"
    except httpx.HTTPError:
        pass
    times.learn(kind, time.perf_counter() - began, done=answer is not None)
    return answer


async def _check(which: str, act: Act, answer: Answer) -> None:
    """Check the result of an act, with a message that names it."""
    try:
        await act.check(answer)
    except (AssertionError, TimeoutError) as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        said = "acknowledged" if answer is not None else "not acknowledged"
        raise AssertionError(f"{which}, {said}, line {where.lineno}: {where.line} {error}") from error


async def kill_among_people(nursery: Nursery, folder: Path, number: int, seed: int = 2_026) -> Survived:
    """Kill a house this number of times while people change their accounts. Raises AssertionError if a change is
    partial or lost."""
    choice, file, times = random.Random(seed), folder / "parlour.db", Times()
    asked, acknowledged = Counter[str](), Counter[str]()
    deck: list[Any] = []

    def house() -> Server:
        return nursery.start(database=f"sqlite:///{file}", **HOUSE)

    cast = Cast(house(), file)
    for kill in range(number):
        while len(deck) < TOGETHER:
            deck += choice.sample(ACTS, len(ACTS))
        made = [deck.pop() for _ in range(TOGETHER)]
        acts = await asyncio.gather(*(one(cast) for one in made))
        names = [one.__name__ for one in made]
        going = [asyncio.create_task(_ask(name, act, times)) for name, act in zip(names, acts, strict=True)]
        await asyncio.sleep(choice.uniform(0, 1.3 * times.of(choice.choice(names))))
        cast.server.kill()
        answers = await asyncio.gather(*going)
        cast.move_to(house())
        asked.update(names)
        acknowledged.update(name for name, answer in zip(names, answers, strict=True) if answer is not None)
        checks = (_check(f"kill {kill + 1}, {name}", *one) for name, *one in zip(names, acts, answers, strict=True))
        await asyncio.gather(*checks)
        await cast.go()
    cast.server.kill()
    return Survived(number, asked, acknowledged)


@pytest.mark.slow
async def test_people_are_whole_after_kill_9(nursery: Nursery, tmp_path: Path) -> None:
    survived = await kill_among_people(nursery, tmp_path, KILLS)
    print(f"\n{survived.line()}")
    assert survived.asked.total() == KILLS * TOGETHER
