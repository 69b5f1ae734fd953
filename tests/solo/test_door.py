"""A table for one, as its page speaks to it."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest

from parlour.core.game import Game
from parlour.core.record import Record
from parlour.core.replay import verify
from parlour.games import all_games, find
from parlour.solo.door import Door
from parlour.solo.table import PERSON, levels

RULESETS = [(game, ruleset) for game in all_games().values() for ruleset in game.rulesets]
each_ruleset = pytest.mark.parametrize(
    ("game", "ruleset"), RULESETS, ids=[f"{game.name}-{ruleset}".strip("-") for game, ruleset in RULESETS]
)
KEY = re.compile(r'data-key="log-(\d+)"')


def door(game: Game, ruleset: str = "", **body: Any) -> Door:
    """Return a door behind which a game has begun."""
    made = Door(game.name, game.package, ruleset, "rules.html")
    assert ask(made, "start", pace="instant", **body) == {}
    return made


def ask(one: Door, deed: str, **body: Any) -> Any:
    status, answer = json.loads(one.ask(deed, json.dumps(body)))
    assert status == 200, answer
    return answer


def refused(one: Door, deed: str, **body: Any) -> str:
    status, answer = json.loads(one.ask(deed, json.dumps(body)))
    assert status == 409, answer
    return str(answer["error"]["code"])


class Page:
    """What a page has received: its version, the newest scene, and the numbers of its lines of the log."""

    def __init__(self, one: Door) -> None:
        self.door = one
        self.version, self.scene, self.table, self.lines = 0, "", "", list[int]()
        self.take(one.update(0))

    def take(self, message: str) -> None:
        if not message:
            return
        said = json.loads(message)
        if said["fresh"]:
            self.version, self.lines = 0, []
        for frame in said["frames"]:
            assert frame["version"] > self.version
            self.version, self.scene = frame["version"], frame["html"]
            self.lines += [int(key) for key in KEY.findall(frame["log"]) if int(key) not in self.lines]
            assert self.lines == list(range(len(self.lines)))
        assert said["version"] == self.version
        self.table = said["table"] or self.table


def go_on(page: Page, rng: random.Random, most: int) -> int:
    """Play up to this many decisions at random; return how many were made."""
    one, made = page.door, 0
    assert one.table is not None
    while not one.table.match.over and made < most:
        if one.due() >= 0:
            one.go_on()
        else:
            assert one.table.match.current_player == PERSON
            move = rng.choice(one.table.match.legal_actions())
            assert ask(one, "moves", move=move, version=page.version) == {"version": one.table.version}
            made += 1
        page.take(one.update())
    return made


@each_ruleset
@pytest.mark.suite("gatsby")
def test_a_game_is_played_to_its_end_against_greedy_bots(game: Game, ruleset: str) -> None:
    for players in {game.facts.players[0], game.facts.players[1]}:
        one = door(game, ruleset, players=str(players), name="Zoë")
        page = Page(one)
        assert 'data-status="playing"' in page.table
        go_on(page, random.Random(3), 15 if players > game.facts.players[0] else 300)
        table = one.table
        assert table is not None
        assert page.scene == table.present().html
        record = Record.parse(ask(one, "record")["record"])
        assert record.names[0] == "Zoë"
        if table.match.over:
            assert 'class="result ending"' in page.table
            assert one.saved() == ""
            verify(record, find)
            look_back(page)
        else:
            again = Door(game.name, game.package, ruleset, "rules.html")
            ask(again, "continue", **json.loads(one.saved()))
            assert again.table is not None
            assert (again.table.present().html, again.table.level) == (page.scene, "greedy")
            go_on(Page(again), random.Random(3), 2)


def look_back(page: Page) -> None:
    """Look at the step that decided the game: its board, with nothing to press."""
    assert page.door.table is not None
    shown, (step, words) = re.search(r'data-key="moment" data-step="(\d+)"', page.table), page.door.table.turning()
    assert (int(shown[1]) if shown else -1) == step
    if shown:
        assert words
        html = ask(page.door, "replay", step=shown[1])["frame"]["html"]
        assert 'data-key="scene"' in html
        assert "data-action" not in html
    assert refused(page.door, "replay", step="0") == "unknown-name"
    assert json.loads(page.door.ask("analysis", ""))[0] == 404  # which a result asks a house for


@each_ruleset
@pytest.mark.suite("gatsby", "family-trade-battle-royale")
def test_a_lesson_is_played_as_it_is_written_and_goes_on(game: Game, ruleset: str) -> None:
    one = door(game, ruleset, lesson=True, name="Ann")
    page, table = Page(one), one.table
    assert table is not None
    noted = 0
    while (due := table.lesson.due(table.match)) is not None:
        if due[0] == PERSON:
            assert "data-lesson" in page.scene
            noted += bool(table.lesson.note(table.match, PERSON))
            wrong = [move for move in table.match.legal_actions() if move != due[2]]
            if wrong:
                assert refused(one, "moves", move=wrong[0], version=page.version) == "not-your-turn"
            ask(one, "moves", move=due[2], version=page.version)
        else:
            assert one.due() >= 0
            one.go_on()
        page.take(one.update())
        if noted == 2:
            again = Door(game.name, game.package, ruleset, "rules.html")
            ask(again, "continue", **json.loads(one.saved()))
            assert again.table is not None
            assert again.table.lesson.due(again.table.match) == table.lesson.due(table.match)
        assert one.saved()
    assert noted >= 3
    assert table.match.given == len(table.lesson.steps)
    go_on(page, random.Random(1), 3)


def test_a_decision_is_taken_back() -> None:
    one = door(find("facets-of-fortune"))
    page = Page(one)
    while "data-undo" not in page.scene:
        assert go_on(page, random.Random(5), 1)
    lines, version, table = len(page.lines), page.version, one.table
    assert table is not None
    steps = len(table.match.steps)
    ask(one, "undo", version=version)
    page.take(one.update())
    assert page.version == version + 1
    assert len(page.lines) <= lines
    assert len(table.match.steps) == steps - 1
    go_on(page, random.Random(6), 3)


def test_what_is_refused_says_why_and_changes_nothing() -> None:
    one = Door("fortune", find("fortune").package, "", "rules.html")
    assert (one.update(0), one.due(), one.saved()) == ("", -1, "")
    assert refused(one, "moves", move="stop", version=0) == "not-playing"
    assert refused(one, "start", bot="expert") == "unknown-name"
    assert refused(one, "start", players="9") == "bad-setup"
    assert refused(one, "continue", record="no", bot="greedy") == "broken-record"
    ask(one, "start")
    page = Page(one)
    while one.due() >= 0:
        one.go_on()
        page.take(one.update())
    assert refused(one, "moves", move="stop", version=page.version - 1) == "stale-move"
    assert refused(one, "moves", move="fly", version=page.version) == "invalid-move"
    assert one.update() == ""
    assert json.loads(one.update(page.version))["frames"] == []
    late = json.loads(one.update(0))
    assert (late["fresh"], late["frames"][0]["html"]) == (True, page.scene)


def test_another_game_begins_as_the_one_before() -> None:
    game = find("gatsby")
    one = door(game, name="Ann", bot="random")
    page = Page(one)
    go_on(page, random.Random(1), 4)
    before = page.version
    ask(one, "rematch")
    page.take(one.update())
    assert page.version == before + 1
    assert one.table is not None
    assert (one.table.match.names, one.table.level, one.table.pace) == (("Ann", "Random bot"), "random", 0)
    assert 'data-pace="0"' in page.table
    ask(one, "start", pace="slow")
    assert 'data-pace="2.78"' in Page(one).table  # times the normal pace: 2,500 and 900 ms


@pytest.mark.parametrize("game", all_games().values(), ids=list(all_games()))
def test_a_bot_that_looks_ahead_can_be_chosen(game: Game) -> None:
    assert levels(game)[:2] == ("greedy", "search")
    one = door(game, bot="search")
    assert go_on(Page(one), random.Random(2), 2) == 2
