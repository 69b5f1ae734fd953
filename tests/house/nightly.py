"""A house under attack, in the long forms (`scripts/nightly --kills 1000 ...`): each prints a line of figures for
SECURITY.md."""

from __future__ import annotations

import asyncio
import random
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.house import faults, fuzzing, restarts, week
from tests.house.accounts.test_kill_people import kill_among_people
from tests.house.serving import Nursery
from tests.house.table.test_kill import kill_again_and_again
from tests.house.table.test_twin_houses import compare, two_houses
from tests.house.workers.test_stalls import hold_the_loop

CORNERS = 2  # rare positions of each game, for all requests that take long
TABLES = 50  # under a house that is restarted
EVERY = 10.0  # seconds between restarts


def kills(number: int, seed: int, folder: Path) -> str:
    """Kill a house with SIGKILL, this number of times."""
    nursery = Nursery()
    try:
        return asyncio.run(kill_again_and_again(nursery, f"sqlite:///{folder}/parlour.db", number, seed)).line()
    finally:
        nursery.close()


def people(number: int, seed: int, folder: Path) -> str:
    """Do the same while people change their accounts and data."""
    nursery = Nursery()
    try:
        return asyncio.run(kill_among_people(nursery, folder, number, seed)).line()
    finally:
        nursery.close()


def fuzz(number: int, seed: int, _: Path) -> str:
    """Send generated requests."""
    return fuzzing.run(number, seed).line()


def twins(number: int, seed: int, folder: Path) -> str:
    """Play this number of tables, some dozens at a time, each in two houses."""
    nursery, choice = Nursery(), random.Random(seed)
    tables = answers = deepest = rounds = 0
    try:
        while tables < number:
            folders = [folder / f"{rounds}-{world}" for world in range(2)]
            for one in folders:
                one.mkdir()
            with two_houses(nursery, folders, choice, 3) as found:
                done = asyncio.run(compare(*found))
            rounds, tables, answers = rounds + 1, tables + done.tables, answers + done.answers
            deepest = max(deepest, done.deepest)
    finally:
        nursery.close()
    return (
        f"{tables:,} tables, each in two houses that differ in what the viewer may not know (the deepest at step "
        f"{deepest}): {answers:,} answers compared byte by byte, none different"
    )


def stalls(number: int, seed: int, folder: Path) -> str:  # noqa: ARG001 - the positions are always the same
    """Do everything that takes long, this number of times."""
    nursery = Nursery()
    try:
        held = asyncio.run(hold_the_loop(nursery, folder, CORNERS, number))
    finally:
        nursery.close()
    assert held.stalls == [], held.stalls
    return held.line()


def restarted(number: int, seed: int, _: Path) -> str:  # noqa: ARG001 - nothing is drawn from it
    """Restart a house during games."""
    return asyncio.run(restarts.run(TABLES, number, EVERY, pause=3.0)).line()


def injected(number: int, seed: int, folder: Path) -> str:  # noqa: ARG001 - nothing is drawn from it
    """Make everything that the house depends on fail, in this number of rounds."""
    return faults.inject(number, folder)


def weeks(number: int, seed: int, folder: Path, tables: int = 1000) -> str:
    """Play weeks of games by post, with one person for every five tables."""
    lines = []
    for i in range(number):
        (folder / str(i)).mkdir()
        seen = asyncio.run(week.live(folder / str(i), tables // 5, tables, 90, seed + i))
        assert seen.over == seen.tables, seen.line()
        assert seen.worst <= 1.0, seen.line()
        assert all((seen.up, seen.back, seen.kills, seen.pages, seen.resumed, seen.asked, seen.refused)), seen.line()
        lines.append(seen.line())
    return "\n".join(lines)


ATTACKS: dict[str, Callable[[int, int, Path], str]] = {
    "kills": kills, "people": people, "fuzz": fuzz, "twins": twins, "restarts": restarted, "stalls": stalls,
    "weeks": weeks, "faults": injected,
}  # fmt: skip


def main(wanted: dict[str, int], seed: int, tables: int) -> int:
    """Make these attacks, each this number of times; return how many did harm. `tables`: of a week."""
    broken = 0
    for name, number in wanted.items():
        with tempfile.TemporaryDirectory() as folder:
            try:
                attack = partial(weeks, tables=tables) if name == "weeks" else ATTACKS[name]
                print(attack(number, seed, Path(folder)), flush=True)
            except AssertionError as error:
                broken += 1
                print(f"BROKEN {name}: {error}", flush=True)
    return broken
