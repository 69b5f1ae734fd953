"""The figures of the rulebook's examples, worked out by the rules, and what the lesson shows."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace

from parlour.core.match import Match
from parlour.core.replay import replay
from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.rules import scoring
from parlour.games.gatsby.rules import state as s
from parlour.games.gatsby.show import book, text, words
from tests.games.gatsby.table import GATSBY, SLOTS

EXAMPLES = GATSBY.rulebook.partition("## Examples")[2].partition("## Words")[0]


def at(state: object) -> Match:
    """Return a game in this state."""
    match = Match(GATSBY, 2, seed=1, auto=False)
    match.state = state
    return match


def play(match: Match, *moves: str) -> Match:
    for move in moves:
        match.advance(match.parse(move))
    return match


def owners(match: Match) -> dict[str, int]:
    """Return the seat that has rallied the character of each place."""
    return {slot: seat for slot, seat in zip(SLOTS, match.state.owner, strict=True) if seat >= 0}


def test_ga_17_ga_18_bruno_rallies_the_character_of_the_path_and_the_one_of_the_stars() -> None:
    match = play(at(book.bruno()), "B")
    assert "b2" in match.legal_actions()
    play(match, "b2")
    assert owners(match) == {"ne": 0, "stars": 0}
    path = re.search(r"the path is ([a-d1-4, ]+)\.", " ".join(EXAMPLES.split()))
    assert path
    spaces = [text.parse_action(match.state, name) for name in path[1].split(", ")]
    assert all(match.state.tokens[0] >> space & 1 for space in spaces)
    assert spaces[0] // p.GRID == 0
    assert spaces[-1] // p.GRID == match.state.size - 1
    assert {abs(one - other) for one, other in itertools.pairwise(spaces)} <= {1, p.GRID}
    assert not match.state.up >> p.STARS & 1


def test_ga_11_ga_14_christine_climbs_two_levels_past_an_empty_character_space() -> None:
    match = play(at(book.christine()), "C")
    assert list(match.state.level) == [4, 3]
    assert match.legal_actions() == ["skip place", "take place"]
    assert "from level 2 to level 4, past level 3" in " ".join(EXAMPLES.split())


def test_ga_20_ludo_rallies_row_3_and_his_opponent_row_5() -> None:
    match = play(at(book.ludo()), "D", "row 3")
    assert match.legal_actions() == ["skip swap", "take swap"]
    play(match, "skip swap", "row 5")
    assert match.legal_actions() == ["skip force", "take force"]
    play(match, "take force")
    assert owners(match) == {"track3": 0, "track5": 1}
    assert not (match.state.tokens[0] | match.state.tokens[1]) >> p.RACE


def test_ga_23_the_end_is_counted_as_in_the_table() -> None:
    state = book.opening()
    for seat, codes in enumerate(book.RALLIED.values()):
        for i, code in enumerate(codes):
            slot = (p.TRACK + i, i)[seat]
            state.owner[slot], state.char[slot] = seat, book.CODES[code]
            state.up |= 1 << slot
    state.tile[0], state.tile[4], state.tile[6] = s.IN_PILE, s.ON_SPACE + 1, s.ASIDE + 1
    assert [sum(state.prestige[book.CODES[code]] for code in codes) for codes in book.RALLIED.values()] == [9, 7]
    assert [scoring.prestige_of(state, seat, state.up) for seat in (0, 1)] == [9, 9]
    assert [scoring.has_won(state, seat, 0) for seat in (0, 1)] == [0, 0]
    assert scoring.margin(state, 0, state.up) == 5 - 4
    assert "3 + 3 + 1 + 1 + 1 = 9 | 1 + 2 + 2 + 2 = 7" in EXAMPLES


def test_the_tiles_of_the_book_are_those_of_the_screen() -> None:
    """As many rows as tiles, each with the pictures of its own parts."""
    tiles = re.findall(r"^\| !\[\]\(tile-(\d+)\)\{\.small\} \| ([^|]+) \|", GATSBY.rulebook, re.MULTILINE)
    assert tiles == [(str(i), name) for i, name in enumerate(words.TILES, 1)]
    clauses = re.findall(r"^\* \*([^*]+) \(S(\d+)\):\*", GATSBY.rulebook, re.MULTILINE)
    assert clauses == [(name, str(i)) for i, name in enumerate(words.TILES, 1)]
    assert len(words.TILE_DEEDS) == len(words.TILE_TEXTS) == p.N_TILES


def test_the_lesson_shows_all_that_a_first_game_needs_and_ends_by_prestige() -> None:
    """GA-9 to GA-23: each kind of move and bonus but Finance, a Special Action tile used, the stars, both paths, a row,
    both kinds of climbing."""
    lesson = GATSBY.lessons[""]
    mine = " ".join(text for actor, text in lesson.record.steps if actor == 0)
    for bonus in ("place", "force", "peek", "special", "swap"):
        assert f"take {bonus}" in mine
    assert {"A", "B", "C", "special", "swap"} <= {text for actor, text in lesson.record.steps if actor == 0}
    match = replay(lesson.record, lambda _: GATSBY)
    assert [match.state.owner[slot] for slot in (p.NORTH_EAST, p.NORTH_WEST, p.STARS, p.FINANCE, p.TRACK + 1)] == [
        0, -1, -1, 0, 0,
    ]  # fmt: skip
    match.advance(match.parse("d1", 0))  # as its last note says
    while not match.over:
        match.advance(match.chance_outcomes()[0][0])
    assert [match.state.owner[slot] for slot in (p.NORTH_WEST, p.STARS)] == [0, 0]
    assert match.state.ending == s.PRESTIGE
    assert match.scores == [9, 2]
    levels = [replay(replace(lesson.record, steps=lesson.record.steps[:i]), lambda _: GATSBY).state.level[0]
              for i in range(len(lesson.record.steps) + 1)]  # fmt: skip
    assert sorted(set(levels)) == [0, 2, 3, 4]
    assert any("prestige" in note for note in lesson.notes.values())
