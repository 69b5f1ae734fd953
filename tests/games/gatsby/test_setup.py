"""The contents of the box, and setting up: GA-1 to GA-8."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from parlour.core.contract import CHANCE
from parlour.core.match import Match
from parlour.engine import lockstep
from parlour.games.gatsby import rules as r
from parlour.games.gatsby.rules import holdings, places
from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.rules import state as s
from parlour.games.gatsby.rules.setup import read
from parlour.games.gatsby.show import words
from tests.games.gatsby.table import GATSBY, Table, char, space

SMALL, LARGE = GATSBY.edition("house-4").parts, GATSBY.edition("house-6").parts


def test_ga_01_twenty_tokens_each_eleven_tiles_fifteen_characters() -> None:
    table = Table()
    assert table.state.supply == [20, 19]  # one is on the board already (GA-8)
    assert holdings.tiles_at(table.state, s.IN_PILE) == p.N_TILES - 2
    assert p.N_CHARACTERS == 15
    assert table.state.level == [0, 0]


def test_ga_02_prestige_of_the_five_suits() -> None:
    assert SMALL["prestige"] == [[3, 1, 0], [2, 2, 0], [3, 1, 1], [2, 1, 1], [2, 1, 2]] == LARGE["prestige"]
    assert GATSBY.edition().components["prestige"].mark == "house"
    assert Table().state.prestige == [3, 1, 0, 2, 2, 0, 3, 1, 1, 2, 1, 1, 2, 1, 2]


def test_ga_03_tiles_lie_in_quarters_and_are_not_turned() -> None:
    state = Table().state
    found = {name: p.BONUSES[state.bonus[space(name)]] for name in ("a1", "c2", "b3", "d4")}
    assert found == {"a1": "finance", "c2": "swap", "b3": "force", "d4": "peek"}
    assert state.stars[0] == sum(1 << space(name) for name in ("b2", "d1", "a4", "c3"))
    state = Table(tiles="4 3 2 1").state
    assert state.quarters == [3, 2, 1, 0]
    assert p.BONUSES[state.bonus[space("b2")]] == "peek"
    assert p.BONUSES[state.bonus[space("c3")]] == "finance"
    assert sum(state.bonus[: p.RACE]) == p.PEEK + p.CLIMB + p.FORCE + p.SWAP


def test_ga_03_the_large_cabaret() -> None:
    state = Table("house-6", start="a2").state
    assert places.count(p.cabaret(state.size)) == 36
    assert places.count(state.stars[0]) == 4
    assert p.BONUSES[state.bonus[space("c1")]] == "finance"  # T1 (0,2)
    assert p.BONUSES[state.bonus[space("d2")]] == "special"  # T2 (1,0)
    assert p.BONUSES[state.bonus[space("b6")]] == "place"  # T3 (2,1)
    assert p.BONUSES[state.bonus[space("d5")]] == "swap"  # T4 (1,0)


def test_ga_03_paths_join_opposite_edges() -> None:
    table = Table().put(1, "a1 b1 b2 b3 a3 a4", clear=True)
    assert places.joined(table.state, 0, p.NORTH_EAST)
    assert not places.joined(table.state, 0, p.NORTH_WEST)
    assert not places.joined(table.state, 1, p.NORTH_EAST)
    assert places.joined(table.put(1, "c3 d3").state, 0, p.NORTH_WEST)
    large = Table("house-6").put(1, "a6 b6 c6 d6 e6 f6", clear=True)
    assert places.joined(large.state, 0, p.NORTH_WEST)
    assert not places.joined(large.state, 0, p.NORTH_EAST)


def test_ga_03_a_chain_does_not_run_round_the_edge() -> None:
    table = Table("house-6").put(1, "f1 a2 a3 a4 a5 a6", clear=True)
    assert not places.joined(table.state, 0, p.NORTH_EAST)


def test_ga_04_rows_and_their_bonuses() -> None:
    state = Table().state
    assert list(state.lengths) == [3, 3, 5, 5, 5]
    last = [p.BONUSES[state.bonus[space(f"{row}.{n}")]] for row, n in ((1, 3), (2, 3), (3, 5), (4, 5), (5, 5))]
    assert last == ["place", "special", "swap", "peek", "force"]
    assert {p.BONUSES[state.bonus[space(f"{row}.3")]] for row in (3, 4, 5)} == {"finance"}
    assert not state.bonus[space("1.1")]


def test_ga_05_levels_characters_and_bonuses() -> None:
    state = Table().state
    assert state.char_level == [3, 6, 9, 12]
    assert {i: p.BONUSES[b] for i, b in enumerate(state.level_bonus) if b} == {
        2: "place", 5: "special", 8: "swap", 11: "peek"
    }  # fmt: skip
    assert [p.BONUSES[b] for b in state.under_bonus] == ["place", "peek", "force", "-"]


def wrong(parts: dict[str, Any], key: str, value: Any) -> dict[str, Any]:
    made = deepcopy(parts)
    made[key] = value
    return made


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("tokens", 0, "tokens"),
        ("tokens", "20", "tokens"),
        ("prestige", [[1, 1, 1]], "prestige"),
        ("prestige", [[1, 1, 10]] * 5, "0 to 9"),
        ("cabaret", [[["-"] * 4] * 4] * 4, "rows"),
        ("cabaret", [[["star"]]] * 3, "Cabaret"),
        ("cabaret", [[["-"]]] * 4, "one star"),
        ("cabaret", [[["stars"]]] * 4, "one star"),
        ("racetrack", [["-", "-"]] * 5, "odd|tie"),
        ("racetrack", [["-", "-", "gold"]] * 5, "gold"),
        ("finance", ["-"] * 12, "four levels"),
        ("finance", ["-", *["character"] * 4, "-"], "the highest among them"),
        ("finance", ["character"] * 3, "4 to 12 levels"),
        ("finance", [*["-"] * 9, *["character"] * 4], "4 to 12 levels"),
        ("finance", ["character"] * 4 + ["-"] * 8, "four levels"),
        ("racetrack", [["peek"] * 5] * 5, "peeks"),
    ],
)
def test_ga_03_ga_05_an_edition_that_does_not_fit_is_refused(key: str, value: Any, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        read(r.State(), wrong(SMALL, key, value))


def test_ga_04_ga_05_rows_and_tower_have_the_length_that_the_edition_says() -> None:
    """Plain and compiled play the same with other lengths; `tests/models/test_other_boxes.py` asks a second opinion."""
    finance = [
        "-",
        "place",
        "character: peek",
        "-",
        "character",
        "swap",
        "character: finance",
        "-",
        "force",
        "character",
    ]
    parts = {
        **SMALL,
        "racetrack": [["-", "-", "peek"], *[["-", "place", "-"]] * 2, *[["-"] * 5] * 2],
        "finance": finance,
    }
    state = GATSBY.rules.setup(2, parts, {option.name: 0 for option in GATSBY.facts.options})
    assert (state.char_level, state.lengths) == ([3, 5, 7, 10], [3, 3, 3, 5, 5])
    done = lockstep.lockstep(GATSBY, state, 2, 20, seed=3)
    assert done.finished == 20


def test_ga_06_the_order_of_what_is_drawn() -> None:
    match = Match(GATSBY, 2, seed=1, auto=False)
    drawn = []
    while match.current_player == CHANCE:
        drawn.append((words.kind(match.state), words.argument(match.state)))
        match.step(match.chance_outcomes()[0][0])
    assert drawn[:4] == [(s.QUARTER, quarter) for quarter in range(4)]
    assert drawn[4:10] == [(s.CHARACTER, slot) for slot in (0, 1, 3, 6, 7, 11)]
    assert drawn[10:] == [(s.FLIP, 0), (s.DRAW, 2), (s.DRAW, 1)]


def test_ga_06_three_are_left_over_unseen() -> None:
    state = Table().state
    assert sum(face >= 0 for face in state.char) == 6  # a face is drawn when a player first sees it
    assert p.N_CHARACTERS - p.N_SLOTS == 3


def test_ga_07_six_are_turned_up() -> None:
    table = Table()
    assert table.state.up == sum(1 << slot for slot in (0, 1, 3, 6, 7, 11))
    assert table.face("ne") == "stage-1"
    assert table.face("track5") == "bank-3"


def test_ga_07_the_better_one_goes_to_the_top() -> None:
    table = Table(faces=("stage-2", "press-1", "stage-1", "turf-1", "jazz-2", "bank-1"))
    assert (table.face("level3"), table.face("level12")) == ("turf-1", "stage-1")
    assert (table.face("track1"), table.face("track5")) == ("bank-1", "jazz-2")


def test_ga_07_equals_stay() -> None:
    table = Table(faces=("stage-2", "bank-1", "press-1", "press-2", "jazz-1", "turf-1"))
    assert (table.face("level3"), table.face("level12")) == ("press-1", "press-2")
    assert (table.face("track1"), table.face("track5")) == ("jazz-1", "turf-1")


def test_ga_08_the_second_player_prepares_and_the_first_begins() -> None:
    match = Match(GATSBY, 2, seed=1, auto=False)
    for outcome in ("1", "2", "3", "4"):
        match.force(f"cabaret tile {outcome}")
    for face in ("stage-1", "press-1", "bank-2", "turf-1", "jazz-1", "bank-3"):
        match.force(face)
    match.force("seat 2 starts")
    match.force("tile S5")
    match.force("tile S9")
    assert match.current_player == 0
    assert match.legal_actions() == ["keep S5", "keep S9"]
    match.advance(match.parse("keep S9"))
    assert match.state.tile[8] == s.ON_SPACE
    assert match.state.tile[4] == s.DISCARDED
    assert len(match.legal_actions()) == 16
    match.advance(match.parse("a1"))  # has a bonus, which is lost
    assert match.current_player == 1
    assert match.state.supply == [19, 20]
    assert match.state.level == [0, 0]


def test_faces_have_names() -> None:
    assert char("jazz-3") == 14
