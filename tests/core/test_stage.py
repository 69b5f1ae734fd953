"""What one hears follows from the log that one sees; a game's `stage.py` is checked when it is loaded."""

from __future__ import annotations

import re
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from parlour.conformance.knowledge import lookalike, redealt
from parlour.core.contract import CHANCE, Step
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.moments import moment
from parlour.core.scene import SPECTATOR, Line
from parlour.core.stage import INSTRUMENTS, SOUND, Stage, fault, stage_of
from parlour.games import all_games
from parlour.house.site import files

GAMES = all_games()
SECRET = [name for name, game in GAMES.items() if game.facts.hidden_information]
STEPS = 150


@pytest.mark.parametrize(
    ("moment", "lines", "sounds"),
    [
        ("roll", [Line("Ann: two skulls.", "FO-5", 0, "chance")], "dice"),
        ("roll", [Line("Ann: three skulls.", "FO-5", 0, "chance"), Line("Gone.", "FO-7", 0, "event")], "dice crash"),
        ("move", [Line("Ann re-rolls.", "FO-6", 0)], "wood"),
        ("move", [Line("Ann stops.", "FO-8", 0, "event")], "chip"),  # instead of the press
        ("move", [Line("Ann stops.", "FO-8", 0, "event"), Line("Last.", "FO-25", 0, "event")], "chip brass"),
        ("end", [Line("Ann wins.", "FO-26", None, "end")], ""),
        ("", [], ""),
    ],
)
def test_lines_and_moments_sound(moment: str, lines: list[Line], sounds: str) -> None:
    assert GAMES["fortune"].stage.heard(moment, lines) == sounds


def test_a_step_has_two_sounds_at_most_and_none_twice() -> None:
    stage = Stage({"roll": "dice", "A-1": "bell", "A-2": "dice", "A-3": "gem"})
    lines = [Line("", clause) for clause in ("A-1", "A-2", "A-3")]
    assert stage.heard("roll", lines) == "dice bell"


def test_great_steps_are_those_that_the_game_names() -> None:
    stage = GAMES["fortune"].stage
    assert stage.is_great("roll", [Line("Gone.", "FO-7", 0, "event")])
    assert not stage.is_great("roll", [Line("Ann: two skulls.", "FO-5", 0, "chance")])


def test_a_game_without_a_stage_has_the_usual_sounds() -> None:
    stage = stage_of(None)
    assert (stage.heard("roll", []), stage.heard("turn", []), stage.heard("move", [])) == ("dice", "card", "wood")
    assert not stage.is_great("roll", [Line("")])


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"SOUNDS": ["roll"]}, "SOUNDS must be a dict"),
        ({"SOUNDS": {"roll": 5}}, "SOUNDS must be a dict"),
        ({"GREAT": ["roll"]}, "GREAT must be a tuple"),
        ({"SOUNDS": {"roll": "gong"}}, "sounds like 'gong'; there are dice, card"),
        ({"SOUNDS": {"FO-7 thing": "dice"}}, "'FO-7 thing' is not an event"),
        ({"GREAT": ("FO 7 event",)}, "'FO 7 event' is not an event"),
    ],
)
def test_a_wrong_stage_is_refused_in_a_sentence(wrong: dict[str, Any], said: str) -> None:
    assert said in fault(SimpleNamespace(**wrong))


@pytest.mark.parametrize("name", GAMES)
def test_a_game_of_ours_has_six_sounds_or_more_for_events_that_there_are(name: str) -> None:
    """Besides its own sounds, each game ends with that of a win, a loss or a draw."""
    game = GAMES[name]
    played = {found[1] for sound in game.stage.sounds.values() if (found := SOUND.fullmatch(sound))}
    assert 6 <= len(played | {"win", "loss"}) <= len(INSTRUMENTS)
    clauses = set(re.findall(r"[A-Z]{2}-\d+", game.rulebook))
    for event in (*game.stage.sounds, *game.stage.great):
        assert " " not in event.removesuffix(" ") or event.split()[0] in clauses


def test_the_page_has_every_instrument_and_no_other() -> None:
    text = files.SOURCES["band.js"].read_text("utf-8")
    band = text[text.index("export const BAND") : text.index("\n};")]
    assert tuple(re.findall(r"^  (\w+): \[", band, re.MULTILINE)) == INSTRUMENTS


def heard(game: Game, step: Step, viewer: int, names: tuple[str, ...]) -> str:
    """Return what a viewer hears of a step, as the house makes it."""
    which = moment(game.scenes.scene(step.after, viewer, names), step.actor)
    return game.stage.heard(which, game.scenes.tell(step, viewer, names))


@pytest.mark.parametrize("name", SECRET)
def test_what_is_hidden_cannot_be_heard(name: str) -> None:
    """Two worlds that differ only in what a viewer cannot know give the same sounds, step by step."""
    game, random = GAMES[name], Random(name)
    match = Match(game, seed=5, auto=False)
    names, differ, sounding = tuple(match.names), 0, set[str]()
    rng = [1, 2, 3, 4]
    for _ in range(STEPS):
        if match.over:
            break
        out, weights = [0] * game.rules.MAX_OUTCOMES, [0] * game.rules.MAX_OUTCOMES
        if match.current_player == CHANCE:
            n = game.rules.chance_outcomes(match.state, out, weights)
            step = match.step(random.choices(out[:n], weights[:n])[0])
        else:
            step = match.step(random.choice(match.legal_action_ids()))
        for viewer in (SPECTATOR, *range(len(names))):
            other = lookalike(game, step, viewer, rng)
            differ += other.action != step.action
            sound = heard(game, step, viewer, names)
            assert heard(game, other, viewer, names) == sound
            world = Step(step.before, step.actor, step.action, redealt(game, step.after, viewer, rng))
            assert moment(game.scenes.scene(world.after, viewer, names), step.actor) == moment(
                game.scenes.scene(step.after, viewer, names), step.actor
            )
            sounding.add(sound)
    assert differ > 0  # worlds in which something else happened
    assert len(sounding) > 2
