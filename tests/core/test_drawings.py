"""The grids and tables of the terminal, read back by eye: every piece is where the scene has it."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from parlour.core import plain
from parlour.core.match import Match
from parlour.core.plain_tables import diamond, flow, grid
from parlour.core.scene import Piece, Scene
from parlour.games import all_games
from parlour.games.aces_and_faces.rules.pieces import CARDS


def shown(name: str, seed: int, edition: str | None = None) -> Iterator[Scene]:
    """Yield some positions of a random game, as the player who decides sees them."""
    match = Match(all_games()[name], all_games()[name].facts.players[1], edition=edition, seed=seed)
    choice = random.Random(seed)
    for made in range(200):
        if match.over:
            break
        if made % 9 == 0:
            yield match.scene(match.current_player)
        match.play(choice.choice(match.legal_action_ids()))


def pieces(piece: Piece) -> Iterator[Piece]:
    yield piece
    for child in piece.children:
        yield from pieces(child)


def part(scene: Scene, heading: str, width: int = plain.WIDTH) -> list[str]:
    """Return the lines below a heading, up to the next one with the same indent or less."""
    lines = plain.render(scene, width).splitlines()
    at = next(i for i, line in enumerate(lines) if line.strip().startswith(heading))
    deep = len(lines[at]) - len(lines[at].lstrip())
    for end in range(at + 1, len(lines)):
        if len(lines[end]) - len(lines[end].lstrip()) <= deep:
            return lines[at + 1 : end]
    return lines[at + 1 :]


SIGNS = {"●": 0, "◆": 1}


def space(code: str, drawn: str, owners: list[str], bonuses: dict[str, str]) -> str:
    """Return the name of a space of Gatsby, from what is drawn in it."""
    drawn = drawn.replace("[", "").replace("]", "")
    owner = next((owners[seat] for sign, seat in SIGNS.items() if sign in drawn), "")
    printed = drawn.strip("●◆ ")
    star = "star" if printed == "★" else bonuses[printed] if printed else ""
    return ", ".join(filter(None, (code, star, f"{owner}'s token" if owner else "empty")))


@pytest.mark.parametrize("edition", ["house-4", "house-6"])
@pytest.mark.parametrize("width", [78, 118])
def test_gatsbys_spaces_can_be_read_off_the_cabaret_and_the_rows(edition: str, width: int) -> None:
    for scene in shown("gatsby", 4, edition):
        owners = [seat.name for seat in scene.seats]
        bonuses = {one.short: one.name for one in pieces(scene.board) if one.key.startswith("print-")}
        found = {}
        lines = part(scene, "The Cabaret", width)
        places = {}
        for row, line in enumerate(lines):
            for cell in re.finditer(r"([a-f][1-6])(?: (\S+(?: [A-Z★]\w*)?))?(?= |$)", line):
                found[cell[1]] = space(cell[1], cell[2] or "", owners, bonuses)
                places[cell[1]] = (row, cell.start())
        for code, (row, at) in places.items():  # on its corner: a row runs down to the right, a column to the left
            right, down = chr(ord(code[0]) + 1) + code[1], code[0] + str(int(code[1]) + 1)
            if len(lines) == 2 * int(edition[-1]) - 1:
                assert right not in places or (places[right][0] == row + 1 and places[right][1] > at)
                assert down not in places or (places[down][0] == row + 1 and places[down][1] < at)
        for line in " ".join(part(scene, "Racetrack [", width)).split("Row "):
            for cell in re.finditer(r"(\d)\.(\d) ?((?:\[?[●◆]\]?)? ?(?:[A-Z][a-z]+(?= |$))?)", line):
                code = f"row {cell[1]} space {cell[2]}"
                found[code] = space(code, cell[3], owners, bonuses)
        truth = {one.name.split(",")[0]: one.name for one in pieces(scene.board) if one.key.startswith("space-")}
        assert found == truth


def test_gatsbys_tower_shows_who_stands_on_which_floor() -> None:
    for scene in shown("gatsby", 5):
        floors = {line.split()[0]: line for line in part(scene, "Finance [")}
        assert list(floors) == [str(floor) for floor in range(12, -1, -1)]
        for one in pieces(scene.board):
            if one.key.startswith("climber-"):
                assert "●◆"[int(one.key[-1])] in floors[one.name.split()[-1]]


def test_the_gems_of_facets_stand_at_their_prices() -> None:
    for scene in shown("facets-of-fortune", 6):
        lines = part(scene, "Gems on the markets")
        gems = {one.name for one in pieces(scene.board) if one.kind == "gem"}
        drawn = {
            f"{market}, {line.split()[0]}"
            for line in lines
            for market in ("Ruby", "Sapphire", "Diamond", "Emerald")
            if re.match(r"\s+[\d,]+  ", line) and market in line
        }
        assert drawn == gems
        heads = {name: lines[0].index(name) for name in re.findall(r"(?<=  )\S+ \w+|\w+: closed", lines[0])}
        for one in pieces(scene.board):
            if one.key.startswith("marker-"):
                market, price = one.name.split(" sells at ")
                (row,) = (line for line in lines if line.split()[0] == price)
                starts = sorted(heads.values())
                at = starts[["Ruby", "Sapphire", "Diamond", "Emerald"].index(market)]
                assert "◄" in row[at : min([start for start in starts if start > at], default=999)]


def test_the_prices_of_family_trade_stand_beside_their_goods() -> None:
    for scene in shown("family-trade", 7):
        rows = part(scene, "Market")
        for one in pieces(scene.board):
            if one.key.startswith("chip-"):
                good = one.name.split(" brings ")[0]
                (row,) = (row for row in rows if row.startswith("  ") and row.strip().startswith(good))
                assert row.strip().removeprefix(good).split()[0].strip("[]") == one.short


@pytest.mark.parametrize(("edition", "side"), [("loop-24", 7), ("loop-36", 10)])
def test_the_loop_is_a_ring_of_its_squares_in_order(edition: str, side: int) -> None:
    for scene in shown("aces-and-faces", 8, edition):
        lines = part(scene, "The loop")[:side]
        cells = [re.findall(r"Match.|H/L|Duel|\(?[JQKA][♦♣♥♠]\)?", line) for line in lines]
        ring = cells[0] + [row[-1] for row in cells[1:-1]] + cells[-1][::-1] + [row[0] for row in cells[1:-1]][::-1]
        squares = [one.children[0] for one in pieces(scene.board) if one.key.startswith("square-")]
        assert ring == [one.short for one in squares]
        for one in squares:
            if one.face.split("-slot-")[-1] in CARDS:
                code = one.face[-2:]
                assert one.short.strip("()") == code[0] + "♦♣♥♠"["DCHS".index(code[1])]


def test_a_grid_that_is_too_wide_is_set_closer_then_on_two_lines_then_as_a_list() -> None:
    cells = [(None, f"{name} long words") for name in "abcd"]
    assert grid(cells, 2, 30) == ["a long words  b long words", "c long words  d long words"]
    assert grid(cells, 2, 25) == ["a long words b long words", "c long words d long words"]
    assert grid(cells, 2, 22) == ["a           b", "long words  long words", "c           d", "long words  long words"]
    assert grid(cells, 2, 15) == [
        "a long words |",
        "    b long",
        "    words",
        "c long words |",
        "    d long",
        "    words",
    ]


def test_a_square_stands_on_its_corner_where_there_is_room() -> None:
    assert diamond(list("abcd"), 2, 20) == ["  a", "c   b", "  d"]
    assert diamond(["wide"] * 9, 3, 10) == []


def test_entries_are_broken_between_them_and_within_one_only_where_it_fills_a_line() -> None:
    assert flow("Head: ", ["one", "two", "three"], 16, "    ", "!") == ["Head: one |", "    two | three!"]
    long = ["one", "a long entry of words", "three"]
    assert flow("Head: ", long, 16, "    ") == ["Head: one |", "    a long entry", "    of words |", "    three"]
