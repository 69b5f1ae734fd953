"""Which values are tried, and what a step of each is."""

from __future__ import annotations

from pathlib import Path

import pytest

from parlour.analysis import steps
from parlour.analysis.sampling import Setup
from parlour.analysis.steps import DOWN, OTHER, UP, Prepared, Value, Words
from parlour.core.edition import STATED
from parlour.core.errors import BadSetup
from parlour.core.game import Game
from parlour.games import find

SPRINT = Game("sprint", "tests.fixtures.sprint")


def tried(name: str, words: Words | None = None, players: int | None = None, **options: str) -> dict[str, Value]:
    setup = Setup.make(find(name), players, options=options)
    return {one.path: one for one in steps.values(setup, words)}


@pytest.mark.parametrize(
    ("number", "step"),
    [
        (0, 1),
        (1, 1),
        (3, 1),
        (19, 1),
        (20, 2),
        (49, 2),
        (50, 5),
        (60, 5),
        (100, 10),
        (300, 20),
        (-500, 50),
        (8000, 500),
    ],
)
def test_a_step_is_a_round_number_of_at_most_a_tenth(number: int, step: int) -> None:
    assert steps.size(number) == step
    assert step == 1 or step <= abs(number) / 10


def test_a_small_game_is_tried_as_its_edition_says() -> None:
    found = {one.path: one for one in steps.values(Setup.make(SPRINT, 2))}
    assert list(found) == ["ties", "rounds", "head"], "printed values are not tried, readings come first"
    assert [(one.way, one.point) for one in found["ties"].steps] == [(OTHER, {"option ties": "last"})]
    assert [(one.way, one.point) for one in found["rounds"].steps] == [(DOWN, {"rounds": 1}), (UP, {"rounds": 3})]
    assert [(one.way, one.label) for one in found["head"].steps] == [(UP, "1")], "0 is its least"
    assert found["rounds"].steps[0].setup.shape.box.parts["rounds"] == 1


def test_a_table_is_tried_entry_by_entry_and_a_list_place_by_place() -> None:
    found = tried("fortune")
    deck = [path for path in found if path.startswith("deck.")]
    assert len(deck) == 13
    assert [one.point for one in found["deck.gold"].steps] == [{"deck.gold": 2}, {"deck.gold": 4}]
    assert [one.point for one in found["sea_battle_bonus.1"].steps] == [
        {"sea_battle_bonus.1": 450}, {"sea_battle_bonus.1": 550}
    ]  # fmt: skip
    die = tried("facets-of-fortune")
    assert [path for path in die if path.startswith("up_down")] == [f"up_down.{place}" for place in (0, 2, 4, 5)]
    assert [one.label for one in die["up_down.0"].steps] == ["2"], "no face of the die is 0"


def test_a_nested_list_moves_together_within_its_bounds() -> None:
    prestige = tried("gatsby")["prestige"]
    assert [one.label for one in prestige.steps] == ["each 1 lower", "each 1 higher"]
    lower = prestige.steps[0].point["prestige"]
    assert lower == [[2, 0, 0], [1, 1, 0], [2, 0, 0], [1, 0, 0], [1, 0, 1]], "0 is the least"


def test_what_has_no_step_says_why() -> None:
    found = tried("family-trade", ruleset="battle-royale", players=3)
    assert found["goods"].why_not == "it can't be changed"
    assert found["dice"].why_not == "Each face of a die must be a step of the ladder"
    assert found["market_makes"].why_not == "it changes nothing in this game"
    assert found["fifties.1"].steps, "the one for three players"
    assert found["fifties.0"].why_not == found["fifties.2"].why_not == "it changes nothing in this game"
    assert tried("gatsby")["cabaret"].why_not == "it has no steps, and none is prepared"
    assert all(bool(one.steps) != bool(one.why_not) for one in found.values())


@pytest.mark.parametrize("name", ["gatsby", "facets-of-fortune", "fortune", "aces-and-faces", "family-trade"])
def test_no_printed_value_is_tried_and_every_other_is(name: str) -> None:
    game = find(name)
    found = tried(name)
    parts = {path.partition(".")[0] for path, one in found.items() if not one.option}
    assert parts == {key for key, part in game.edition().components.items() if part.mark != STATED}
    assert {path for path, one in found.items() if one.option} == {
        one.name for one in game.facts.options if one.mark != STATED and one.matters(game.rulesets[0])
    }


def test_prepared_steps_join_those_of_their_value(tmp_path: Path) -> None:
    words = Words(step=[Prepared("head", "far ahead", {"head": 5})])
    head = steps.values(Setup.make(SPRINT, 2), words)[-1]
    assert [(one.label, one.way) for one in head.steps] == [("1", UP), ("far ahead", OTHER)]
    deck = tried("fortune", Words(step=[Prepared("deck", "no skulls", {"deck.skulls-1": 0, "deck.skulls-2": 0})]))
    assert [one.label for one in deck["deck"].steps] == ["no skulls"]
    assert "deck.gold" in deck
    file = tmp_path / "words.toml"
    file.write_text(
        'players = 3\n[of]\nhead = "Yours."\n[[step]]\nof = "head"\nlabel = "x"\nvalues.head = 2\n', "utf-8"
    )
    assert steps.read(file) == Words(3, None, "", {"head": "Yours."}, [Prepared("head", "x", {"head": 2})])


def test_prepared_words_that_mean_nothing_are_refused(tmp_path: Path) -> None:
    setup = Setup.make(SPRINT, 2)
    with pytest.raises(BadSetup, match="'hed', which is not a component"):
        steps.values(setup, Words(step=[Prepared("hed", "x", {"head": 1})]))
    with pytest.raises(BadSetup, match="head is 99"):
        steps.values(setup, Words(step=[Prepared("head", "x", {"head": 99})]))
    with pytest.raises(BadSetup, match="'hed', which is not tried"):
        steps.values(setup, Words(of={"hed": "x"}))
    for text in ("playrs = 2", "players = 'two'", "players = ", "[[step]]\nof = 'head'"):
        (tmp_path / "words.toml").write_text(text, "utf-8")
        with pytest.raises(BadSetup, match="is not a file of prepared words"):
            steps.read(tmp_path / "words.toml")
