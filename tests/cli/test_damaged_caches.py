"""Whatever compiles gives the same answer when every file of its cache is damaged, and mends the cache."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from parlour.cli.app import app
from tests.cli.afresh import Afresh, afresh
from tests.damaging import damage, readable
from tests.docs.pig import write_pig

NOTES = """
[[question]]
name = "length"
game = "pig"
edition = "standard"
players = [2]
measures = ["1st to play", "decisions"]
plays = { random = 40, easy = 1 }

[[question.values]]
label = "as it is"
"""
# What reads the cache, in the smallest form that does.
WORK = {
    "simulate": "simulate pig --bots random --games 20 --json",
    "stats": "stats pig --players 2 --games 20 --json",
    "compare": "compare pig . faces=8 --bots random --games 20 --json",
    "sweep": "sweep pig --set faces=6,8 --bots random --games 20 --json",
    "report": "report pig --bots random --games 20 --json",
    "tune": "tune pig --set faces=6,8 --toward 100decisions --bots random --evaluations 2 --games 20 --final 20 --json",
    "arena": "arena pig --bots easy,random --games 2 --processes 1 --json",
    "arena in processes": "arena pig --bots easy,random --games 2 --processes 2 --json",
    "analyse": "analyse game.txt --simulations 20 --threads 1 --json",
    "notes": "notes asked.toml --threads 1",
    "solve": "solve pig --json",
    "advise": "advise pig --scores 30,40 --total 20 --json",
    "check": "check pig --games 1 --seconds 0 --json",
    "bench": "bench pig --json",
    "the library's Batch": "batch",
    "a house's workers": "workers",
    "serve": "serve",
}
WITHOUT = {
    "play",
    "replay",
    "verify",
    "rules",
    "edition",
    "games",
    "bots",
    "new-game",
    "check-bot",
    "mcp",
    "site",
}  # these compile nothing
# They compile what others do. One answers nothing, one tells its times, and two ask bots as `arena` does.
ANSWERLESS = {"compile", "train", "regret", "calibrate"}
WAYS = ("cut", "emptied", "zeroed")


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Afresh]:
    games = tmp_path_factory.mktemp("games")
    write_pig(games)
    with afresh(games) as made:
        yield made


@pytest.mark.slow
@pytest.mark.timeout(900)  # the compiler has much to do, and others may be at work beside it
@pytest.mark.parametrize("name", WORK)
@pytest.mark.parametrize("how", WAYS)
@pytest.mark.whole
def test_a_damaged_cache_changes_no_answer_and_is_mended(fresh: Afresh, tmp_path: Path, how: str, name: str) -> None:
    """Each piece of work is done in a new process: first with an empty cache, then after every file was damaged."""
    cache = tmp_path / "cache"
    record = fresh.answer(["record"], cache, tmp_path)

    def answer(kind: str) -> Any:
        folder = tmp_path / kind
        folder.mkdir()
        (folder / "asked.toml").write_text(NOTES, "utf-8")
        (folder / "game.txt").write_text(record, "utf-8")
        return fresh.answer(WORK[name].split(), cache, folder)

    expected = answer("whole")
    before = readable(cache)
    assert before
    assert all(before.values())
    assert damage(cache, how) > len(before)
    assert not any(readable(cache).values())
    assert answer("damaged") == expected
    assert readable(cache) == before


def test_every_command_is_among_them_or_compiles_nothing() -> None:
    """A new command has to be put into one of the two lists."""
    named = {one.name or one.callback.__name__.replace("_", "-") for one in app.registered_commands if one.callback}
    assert named == {name for name in WORK if " " not in name} | WITHOUT | ANSWERLESS
