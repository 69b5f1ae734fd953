"""Lessons at a table: the learner reads, makes the one possible move each time, and then plays on freely."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from parlour.core.book import unmarked
from parlour.core.lesson import CITED, LEARNER
from parlour.games import all_games
from parlour.house.house import House
from parlour.house.table.live.deciding import as_asked, deciding
from parlour.house.table.live.showing import scene_at
from parlour.house.table.live.table import Table
from tests.house.people import Person

LESSONS = [(name, ruleset) for name, game in all_games().items() for ruleset in game.lessons]
each_lesson = pytest.mark.parametrize(("name", "ruleset"), LESSONS)


async def learner(ann: Person, table: str, house: House) -> Any:
    """Return what Ann sees after the bots have moved: her decision, or the end."""
    held = await house.table(table)
    async with asyncio.timeout(30):
        while True:
            if held.over or LEARNER in deciding(held):
                seen = await ann.see(table)
                if seen["legal"] or seen["table"]["status"] == "over":
                    return seen
            await asyncio.sleep(0.01)


@each_lesson
@pytest.mark.suite("gatsby-*", "family-trade-battle-royale", "fortune-*")
async def test_a_lesson_goes_as_it_is_written_and_then_on_freely(
    ann: Person, house: House, name: str, ruleset: str
) -> None:
    """At each of the learner's decisions there is a note and one move; other moves and undoing are refused. After the
    last note every move is allowed. The record says how many of its steps were given."""
    lesson = all_games()[name].lessons[ruleset]
    table = str((await ann.do("lessons", game=name, ruleset=ruleset))["id"])
    await ann.do(f"tables/{table}/pace", pace="instant")
    for place, (actor, text) in enumerate(lesson.record.steps):
        if actor != LEARNER:
            continue
        seen = await learner(ann, table, house)
        assert seen["legal"] == [text]
        assert seen["scene"]["lesson"] is True
        if place in lesson.notes:  # its clauses are links
            assert seen["scene"]["prompt"] == unmarked(CITED.sub("", lesson.notes[place]))
            assert seen["scene"]["clause"] in lesson.notes[place] or not CITED.search(lesson.notes[place])
        assert pressable(seen["scene"]) == {text}
        version = seen["table"]["version"]
        other = await elsewhere(house, table, text)
        if other:
            refusal = await ann.refused(f"tables/{table}/moves", 409, "not-the-lesson", move=other, version=version)
            assert refusal["allowed"] == [text]
        assert not seen["scene"]["undo"]
        await ann.do(f"tables/{table}/moves", move=text, version=version)
    seen = await learner(ann, table, house)
    end = unmarked(CITED.sub("", lesson.notes[len(lesson.record.steps)]))
    assert end in seen["scene"]["prompt"] or seen["table"]["status"] == "over"
    for number in range(3):  # now she plays as she likes
        if seen["table"]["status"] == "over":
            break
        assert len(seen["legal"]) == (await free(house, table)) or not number
        await ann.do(f"tables/{table}/moves", move=seen["legal"][-1], version=seen["table"]["version"])
        seen = await learner(ann, table, house)
        assert not seen["scene"]["lesson"]
    record = (await house.table(table)).record(reveal=True)
    assert record.steps[: len(lesson.record.steps)] == lesson.record.steps
    assert record.given == len(lesson.record.steps)


def pressable(scene: Any) -> set[str]:
    """Return the moves that the scene offers, by pieces, buttons or a choice of several."""
    found = {button["action"] for button in scene["buttons"]} | {*(scene["pick"] or {"moves": {}})["moves"].values()}
    ahead = [scene["board"]]
    while ahead:
        piece = ahead.pop()
        found.add(piece.get("action", ""))
        ahead += piece.get("children", ())
    return found - {""}


async def elsewhere(house: House, table: str, text: str) -> str:
    """Return another move that the rules allow here, or ""."""
    held = await house.table(table)
    assert held.match is not None
    return next((move for move in held.match.legal_actions() if move != text), "")


async def free(house: House, table: str) -> int:
    held = await house.table(table)
    assert held.match is not None
    return len(as_asked(held, LEARNER).legal_actions())


@each_lesson
@pytest.mark.suite("gatsby-*", "family-trade-battle-royale", "fortune-*")
async def test_a_lesson_survives_its_house(ann: Person, house: House, name: str, ruleset: str) -> None:
    """After a restart in the middle, it continues where it was."""
    lesson = all_games()[name].lessons[ruleset]
    table = str((await ann.do("lessons", game=name, ruleset=ruleset))["id"])
    await ann.do(f"tables/{table}/pace", pace="instant")
    first = next(text for actor, text in lesson.record.steps if actor == LEARNER)
    seen = await learner(ann, table, house)
    await ann.do(f"tables/{table}/moves", move=first, version=seen["table"]["version"])
    await learner(ann, table, house)
    live = await house.table(table)
    again = await Table.of(await house.store.load(table), house.settings)
    assert again is not live
    assert again.course.due(again.match) == live.course.due(live.match)
    assert again.course.note(again.match, LEARNER) == live.course.note(live.match, LEARNER)
    version = live.known.version(LEARNER)
    assert scene_at(again, LEARNER, version) == scene_at(live, LEARNER, version)


async def test_a_lesson_that_there_is_not_is_refused(ann: Person) -> None:
    name, ruleset = LESSONS[0]
    assert "none" in (await ann.refused("lessons", 400, "unknown-name", game=name, ruleset="none"))["message"]
    await ann.refused("lessons", 400, "unknown-name", game="none")
    await ann.refused("lessons", 400, "bad-input", game=name, lesson=ruleset)


async def test_another_game_after_a_lesson_is_an_ordinary_one(arrive: Callable[[], Person], ann: Person) -> None:
    """The lobby does not show it to others, and spectators see no notes."""
    name, ruleset = LESSONS[0]
    table = str((await ann.do("lessons", game=name, ruleset=ruleset))["id"])
    stranger = arrive()
    assert table not in (await stranger.get("/")).text
    seen = await stranger.see(table)
    assert not seen["scene"]["lesson"]
    assert not any(note in seen["scene"]["prompt"] for note in all_games()[name].lessons[ruleset].notes.values())
