"""Readings of unclear print that a table can choose: the bonus of the setup token (GA-8), the deciding game (GA-23)."""

from __future__ import annotations

import pytest

from parlour.core.contract import CHANCE
from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.rules import state as s
from parlour.games.gatsby.show import words
from parlour.games.gatsby.show.scene import scene, tell
from parlour.games.gatsby.study.events import starter
from parlour.games.gatsby.study.grounds import grounds
from tests.games.gatsby.table import SLOTS, Table, space

NAMES = ("Ann", "Bob")
LAST_TILE = "cabaret tile 1"


def test_ga_08_a_bonus_of_the_setup_token_is_lost() -> None:
    table = Table(start="a1")
    assert (table.match.current_player, table.waits) == (0, s.ACTION)
    assert table.state.level == [0, 0]


def test_ga_08_with_the_option_the_second_player_takes_it_before_the_first_turn() -> None:
    table = Table(start="a1", setup_bonus="taken")
    assert (table.match.current_player, table.moves) == (1, ["skip finance", "take finance"])
    table.play("take finance")
    assert table.state.level == [0, 1]
    assert (table.match.current_player, table.waits, table.state.turns) == (0, s.ACTION, 0)
    table = Table(start="a1", setup_bonus="taken").play("skip finance")
    assert (table.match.current_player, table.waits) == (0, s.ACTION)


def test_ga_08_a_force_taken_in_the_setup_chooses_the_first_action() -> None:
    table = Table(start="b3", setup_bonus="taken").play("take force")
    assert (table.match.current_player, table.waits, table.state.player) == (1, s.FORCED, 0)
    assert table.moves == ["A", "B", "C", "D"]  # the Action token lies nowhere yet
    table.play("A")
    assert (table.match.current_player, table.waits) == (0, s.CABARET)


def test_ga_08_a_bonus_of_which_nothing_is_possible_is_not_offered() -> None:
    assert Table(start="c2", setup_bonus="taken").waits == s.ACTION  # a swap, and the first player has no token


def test_ga_08_a_special_bonus_sets_one_of_two_tiles_aside() -> None:
    table = Table("house-6", start="d2", setup_bonus="taken").play("take special", "tile S3", "tile S4", "tile S5")
    step = table.match.step(table.match.parse("keep S4"))
    assert [line.clause for line in tell(step, 1, NAMES)] == ["GA-14"]  # not the tile of the setup
    table.play("keep S1")
    assert (table.at("S1"), table.at("S4")) == (s.ON_SPACE + 1, s.ASIDE_HIDDEN + 1)
    assert (table.match.current_player, table.waits) == (0, s.ACTION)


@pytest.mark.parametrize(("setup_bonus", "found"), [("lost", False), ("taken", True)])
def test_ga_08_a_hint_names_the_bonus_only_where_it_can_be_taken(setup_bonus: str, found: bool) -> None:
    table = Table(start="a1", setup_bonus=setup_bonus)
    asked = next(step.before for step in table.match.history() if words.kind(step.before) == s.START)
    assert any(ground.what == "bonus" for ground in grounds(asked, space("a1"))) == found


def test_ga_08_who_had_the_first_turn_is_known_at_the_end() -> None:
    """The first decisions are the other player's."""
    for turns, player in ((13, 0), (14, 1)):
        table = Table()
        table.state.turns, table.state.player = turns, player
        assert starter(table.state) == 0


def tied(play_off: str) -> Table:
    """Return the last turn of a game in which both have two characters of 4 prestige in all and no tile."""
    table = Table(play_off=play_off).tile("S1", 2)
    table.state.tile[0] = s.GONE
    table.give(1, nw="press-3", stars="jazz-2", level3="turf-1").give(2, track1="jazz-1", level6="stage-2")
    table.give(2, level9="turf-2").give(1, ne="stage-3")
    table.state.up &= ~(1 << SLOTS.index("ne"))  # to be shown
    table.levels(0, 0).give(2, level12="press-2")
    return table


def test_ga_23_a_second_tie_is_followed_by_another_game_with_the_option() -> None:
    table = tied("true")
    table.state.prestige[:] = [1] * p.N_CHARACTERS
    table.due()
    assert table.waits == s.REVEAL
    step = table.match.step(table.match.chance_outcomes()[0][0])
    assert "Another game decides." in tell(step, 0, NAMES)[-1].text
    assert table.match.current_player == CHANCE
    assert scene(table.state, 0, NAMES).prompt.startswith("A tie: both have ")
    assert table.owner("level3") == 1  # the board lies as it was until the first tile of the next one is drawn
    assert table.match.chance_outcomes() == ([0, 1, 2, 3], [1, 1, 1, 1])
    table.play(LAST_TILE)
    state = table.state
    assert (state.games, state.turns, state.ending, state.noted) == (1, 0, s.GOES_ON, 0)
    assert (list(state.tokens), list(state.supply), list(state.level)) == ([0, 0], [20, 20], [0, 0])
    assert set(state.owner) == set(state.char) == {-1}
    assert list(state.quarters) == [0, -1, -1, -1]
    assert set(state.tile) == {s.IN_PILE}
    assert table.match.chance_outcomes()[0] == [1, 2, 3]


def test_ga_23_the_ninth_game_in_a_row_ends_in_a_draw() -> None:
    for play_off, games, over in (("true", 7, False), ("true", 8, True), ("false", 0, True)):
        table = tied(play_off)
        table.state.prestige[:] = [1] * p.N_CHARACTERS
        table.state.games = games
        table.due()
        table.match.step(table.match.chance_outcomes()[0][0])
        assert table.match.over == over
        assert table.match.returns == ([0.5, 0.5] if over else [0.0, 0.0])


def test_ga_23_a_game_that_somebody_wins_is_the_last() -> None:
    table = tied("true").due()
    while not table.match.over:
        table.match.step(table.match.chance_outcomes()[0][0])
    assert sorted(table.match.returns) == [0.0, 1.0]
