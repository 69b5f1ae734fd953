"""Tables with changed numbers: what they are made of, what they say, and that nothing forgets a value."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from parlour.core.edition import Edition
from parlour.core.game import Game
from parlour.core.replay import changed_parts, replay, verify
from parlour.games import find, outside
from parlour.house.editions.deeds import MOST_CHANGES, MOST_TEXT, of_today
from parlour.house.house import House
from parlour.house.table.storage import schema as storage
from tests.found import added
from tests.house.people import ME, OPEN, Person, play_on, two_at_table
from tests.house.table.test_other_rules import upgrade as upgrade

FORTUNE = find("fortune")
CHANGES = {"deck.gold": 5, "sea_battle_bonus.2": "2,000"}
WORDS = ["Fortune Cards, gold: 5 instead of 3", "Bonus of the Sea Battles, 4 swords: 2,000 instead of 1,000"]
SAID = "".join(f" <span>{one}.</span>" for one in WORDS)
MINE = FORTUNE.edition().changed({"deck.gold": 5, "sea_battle_bonus.2": 2000})
QUICK = {"safe": 7, "rounds": 1}
BOT = {"kind": "bot", "bot": "medium"}
SPRINTS = ["Safe: 7 instead of 1", "Rounds: 1 instead of 2"]
DONE = 60.0  # seconds, on a busy machine


@pytest.fixture(autouse=True)
def _fixtures() -> Iterator[None]:
    with added(Game("sprint", "tests.fixtures.sprint")):
        yield


def numbers(seen: Any) -> tuple[str, list[str]]:
    """Return what a table says of its edition."""
    return seen["table"]["edition"], seen["table"]["changes"]


async def test_a_table_says_everywhere_what_was_changed(ann: Person, bob: Person) -> None:
    table = await ann.make(ME, OPEN, changes=CHANGES)
    assert numbers(await ann.see(table)) == ("shafir-35, changed", WORDS)
    assert (await ann.see(table))["table"]["edition_title"] == "Shafir, 35 cards, changed"
    for place in ("", f"t/{table}"):  # the lobby's list, the waiting room
        page = (await bob.get(f"/{place}")).text
        assert all(one in page for one in WORDS), place
    await bob.do(f"tables/{table}/sit")
    await ann.do(f"tables/{table}/start")
    page = (await bob.get(f"/t/{table}")).text
    assert page.count(SAID) == 2  # beside the log, and under "Table"
    assert f"changed numbers: {' · '.join(WORDS)}" in (await bob.get("/")).text


async def test_a_whole_game_is_played_by_them_and_its_replay_rematch_and_copy_too(ann: Person, bob: Person) -> None:
    table = await two_at_table(ann, bob, game="sprint", changes=QUICK)
    await play_on(table, 2, ann, bob, first=True)
    seen = await bob.see(table)
    assert (seen["table"]["status"], seen["table"]["scores"]) == ("over", [7, 7])
    assert numbers(seen) == ("standard, changed", SPRINTS)
    assert "<span>Safe: 7 instead of 1.</span>" in (await bob.get(f"/t/{table}/replay")).text
    record = await ann.record(table)
    assert changed_parts(record, find("sprint")) == ["safe", "rounds"]
    assert verify(record, find).scores == [7, 7]
    again = (await ann.do(f"tables/{table}/rematch"))["id"]
    onward = (await bob.do(f"tables/{table}/play-on", step=1, bot="random"))["id"]
    for one in (again, onward):
        assert numbers(await bob.see(one)) == ("standard, changed", SPRINTS)
    await bob.do(f"tables/{again}/sit", token=await _token(bob, again))
    await play_on(again, 2, ann, bob, first=True)
    assert (await bob.see(again))["table"]["scores"] == [7, 7]


async def _token(person: Person, table: str) -> str:
    invited = (await person.get("/api/invitations")).json()["invitations"]
    return str(next(one["token"] for one in invited if one["id"] == table))


async def test_a_game_with_the_usual_numbers_says_nothing_of_that(ann: Person) -> None:
    for changes in ({}, {"deck.gold": 3}, {"deck.gold": " 3 ", "sea_battle_bonus": "300; 500, 1_000"}):
        table = await ann.make(ME, OPEN, changes=changes)
        assert numbers(await ann.see(table)) == ("shafir-35", [])
        assert "hanged numbers" not in (await ann.get(f"/t/{table}")).text


async def test_all_mistakes_are_said_at_once_and_nothing_is_made(ann: Person, house: House) -> None:
    wrong = {"deck.gold": 50, "deck.glod": 1, "sea_battle_bonus": "1, two", "dekc": 1, "deck.truce": ""}
    error = await ann.refused("tables", 400, "bad-parts", game="fortune", changes=wrong)
    assert error["message"] == (
        "deck has no 'glod' (did you mean 'gold'?) (FO-2). "
        "There is no component 'dekc' (did you mean 'deck'?); there are deck, sea_battle_bonus. "
        "deck.gold is 50, but it must be 0 to 20 (FO-2). "
        "deck.truce must be a whole number, not '' (FO-2). "
        "sea_battle_bonus must have 3 values, not 2 (FO-19)."
    )
    none = dict.fromkeys((f"deck.{card}" for card in FORTUNE.edition().parts["deck"]), 0)
    error = await ann.refused("tables", 400, "bad-parts", game="fortune", changes=none)
    assert error["clause"] == "FO-2"
    assert not house.tables


@pytest.mark.parametrize(
    "changes",
    [
        {f"deck.{i}": 1 for i in range(MOST_CHANGES + 1)},
        {"deck" * 100: 1},
        {"deck.gold": "1" * (MOST_TEXT + 1)},
        {"deck.gold": None},
        {"deck.gold": [[[[1]]]]},
        [],
    ],
)
async def test_changes_without_end_are_refused_before_they_are_read(ann: Person, changes: object) -> None:
    await ann.refused("tables", 400, "bad-input", game="fortune", changes=changes)


HOSTILE: list[object] = [
    "9" * 4000,
    -(10**30),
    1e308,
    True,
    "x\u202e<b>",
    {"gold": ["1"] * 9},
    ["1"] * 9000,
    "." * 4000,
]
HOSTILE += [{f"k{i}": 1 for i in range(4000)}, ";;a" * 1500]


@pytest.mark.parametrize("value", HOSTILE)
async def test_hostile_values_get_a_short_sentence_in_a_moment(ann: Person, value: object) -> None:
    began = time.process_time()
    for path in ("deck.gold", "deck", "deck." * 39, "sea_battle_bonus.0", "sea_battle_bonus"):
        error = await ann.refused("tables", 400, "bad-parts", game="fortune", changes={path: value})
        assert len(error["message"]) < 1200
    assert time.process_time() - began < 2


async def test_such_a_game_is_never_rated(ann: Person) -> None:
    await ann.do("me/claim", name="Ann of the numbers", password="a long password")
    error = await ann.refused("tables", 400, "bad-setup", game="fortune", seats=[ME, OPEN], changes=CHANGES, rated=True)
    assert error["message"] == "A rated game must use the game's first edition."
    table = await ann.make(ME, OPEN, changes=CHANGES)
    await ann.refused(f"tables/{table}/rated", 400, "bad-setup", rated=True)
    assert "Make it rated" not in (await ann.get(f"/t/{table}")).text
    assert "Make it rated" in (await ann.get(f"/t/{await ann.make(ME, OPEN)}")).text


async def test_a_house_that_starts_again_knows_them(ann: Person, bob: Person, house: House) -> None:
    table = await two_at_table(ann, bob, changes=CHANGES)
    await play_on(table, 5, ann, bob)
    house.tables.clear()
    live = await house.table(table)
    assert live.match is not None
    assert live.match.edition.parts == MINE.parts
    assert numbers(await ann.see(table)) == ("shafir-35, changed", WORDS)
    await play_on(table, 5, ann, bob)
    assert replay(await ann.record(table), find).edition.parts == MINE.parts


async def test_on_one_device(ann: Person) -> None:
    deck = {f"deck.{card}": 0 for card in FORTUNE.edition().parts["deck"] if card != "gold"}
    table = await ann.make(ME, {"kind": "here"}, changes=deck | {"deck.gold": 20})
    await play_on(table, 60, ann)
    cards = [text for _, text in (await ann.record(table)).steps if text.startswith("card")]
    assert cards
    assert set(cards) == {"card gold"}  # it is not a label: there is nothing else in the box


@pytest.fixture
def outside_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the fixture into a folder of games, where the processes of bots find it too."""
    shutil.copytree(Path(__file__).parents[2] / "fixtures/sprint", tmp_path / "games/sprint")
    monkeypatch.setenv(outside.VARIABLE, str(tmp_path / "games"))


@pytest.mark.whole  # what a search takes, three times
@pytest.mark.usefixtures("own_workers", "outside_game")
async def test_bots_hints_and_analysis_play_with_them(ann: Person) -> None:
    """In other processes, which get the values with the view: 7 points for sure are better than 3 or none."""
    table = await ann.make(BOT, ME, game="sprint", changes=QUICK, hints=True)
    seen = await until(lambda: ann.see(table), lambda seen: bool(seen["legal"]))
    hint = await ann.do(f"tables/{table}/hint", version=seen["table"]["version"])
    assert hint["choices"][0]["move"] == "safe"
    await ann.do(f"tables/{table}/moves", move="risk", version=seen["table"]["version"])
    seen = await ann.see(table)
    assert seen["table"]["status"] == "over"
    assert seen["table"]["scores"][0] == 7  # the bot has known
    await ann.do(f"tables/{table}/analysis")
    found = await until(
        lambda: asked(ann, f"/api/tables/{table}/analysis"), lambda found: bool(found["status"] == "done")
    )
    assert [(one["move"], one["other"]) for one in found["decisions"]] == [("safe", "risk"), ("risk", "safe")]
    assert found["decisions"][1]["before"] > 0.4


async def asked(person: Person, path: str) -> Any:
    return (await person.get(path)).json()


async def until(ask: Callable[[], Awaitable[Any]], done: Callable[[Any], bool]) -> Any:
    """Ask again until it is done; return the answer."""
    end = time.monotonic() + DONE
    while not done(found := await ask()):
        assert time.monotonic() < end
        await asyncio.sleep(0.02)
    return found


async def test_a_table_closed_by_other_rules_is_made_again_with_its_numbers(
    ann: Person, bob: Person, upgrade: Callable[[], None]
) -> None:
    table = await two_at_table(ann, bob, changes=CHANGES)
    upgrade()
    assert numbers(await ann.see(table)) == ("shafir-35, changed", WORDS)
    again = (await ann.do(f"tables/{table}/rematch"))["id"]
    assert numbers(await ann.see(again)) == ("shafir-35, changed", WORDS)


def test_what_is_kept_of_the_numbers_of_another_parlour() -> None:
    name, parts, usual = MINE.name, MINE.parts, FORTUNE.edition()

    def of(**other: object) -> Edition:
        return of_today(FORTUNE, name, {**parts, **other})

    assert of().parts == parts
    assert of(gone=7).parts == parts
    assert of(sea_battle_bonus=[1, 2, 9000]).parts == usual.changed({"deck.gold": 5}).parts  # above today's bounds
    assert of(deck=dict.fromkeys(parts["deck"], 0)) is usual  # makes no game any more
    assert of_today(FORTUNE, "classic-35", {}) is FORTUNE.edition("classic-35")
    assert of_today(FORTUNE, "gone-20, changed", parts) is usual


async def test_a_table_of_before_has_no_such_words(ann: Person, house: House) -> None:
    """Its edition had other values once, under the same name."""
    table = await ann.make(ME, OPEN)
    old = replace(FORTUNE.edition()).parts | {"sea_battle_bonus": [300, 500, 999]}
    async with house.store.write() as connection:
        await connection.execute(sa.update(storage.tables).values(parts=old))
    house.tables.clear()
    assert numbers(await ann.see(table)) == ("shafir-35", [])
    assert (await ann.get(f"/t/{table}")).status_code == 200
