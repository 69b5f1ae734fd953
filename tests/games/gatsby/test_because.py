"""What is said for decisions of Gatsby is true: ways and rows are counted anew, space by space."""

from __future__ import annotations

from dataclasses import replace
from heapq import heappop, heappush

import pytest

from parlour.conformance.knowledge import redealt
from parlour.core.contract import Ground
from parlour.core.rng import RNG_SIZE, seed_rng
from parlour.core.struct import copy
from parlour.games import find
from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.rules import state as s
from parlour.games.gatsby.rules.legal import current_player
from parlour.games.gatsby.rules.parts import MAIN_PARTS, TILE_PARTS
from parlour.games.gatsby.rules.scoring import prestige_of
from tests.games.said import outcomes, said, then

GAME = find("gatsby")
CAN = "can "
TOKENS = {"joins", "path", "blocks", "stars", "row"}
CHARACTERS = {"brings", "takes", "stays", "spares"}


def needed(state: s.State, own: int, other: int, path: int) -> int:
    """GA-17: return the fewest tokens that join two edges, by the shortest way; 99 if that is not possible."""
    size = state.size
    along = 1 if path == p.NORTH_EAST else 0  # the north-east path joins the first row and the last

    def price(column: int, row: int) -> int | None:
        bit = 1 << row * p.GRID + column
        return None if other & bit else 0 if own & bit else 1

    heap = [(price(*(at, 0) if along else (0, at)), *((at, 0) if along else (0, at))) for at in range(size)]
    heap = sorted(one for one in heap if one[0] is not None)
    seen = set()
    while heap:
        cost, column, row = heappop(heap)
        if (column, row) in seen:
            continue
        seen.add((column, row))
        if (row if along else column) == size - 1:
            return int(cost)
        for x, y in ((column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)):
            if 0 <= x < size and 0 <= y < size and (more := price(x, y)) is not None:
                heappush(heap, (cost + more, x, y))
    return 99


def tokens_after(state: s.State, action: int, seat: int) -> tuple[int, int]:
    """Return the own tokens and the other player's once this space is chosen."""
    own, other = state.tokens[seat], state.tokens[1 - seat]
    if state.due_kind[state.due - 1] == s.OTHER:
        given = 1 << state.due_arg[state.due - 1]
        return own & ~given | 1 << action, other & ~(1 << action) | given
    return own | 1 << action, other


def legal(state: s.State) -> list[int]:
    out = [0] * GAME.rules.MAX_LEGAL
    return out[: GAME.rules.legal_actions(state, out)]


def reaches(state: s.State, level: int, ground: Ground) -> bool:
    """GA-11, GA-19: return whether a step to this level comes as near to a character as the ground says."""
    left, floor = ground.about
    free = [state.char_level[i] for i in range(p.FLOORS) if state.owner[p.FINANCE + i] < 0]
    return level > state.level[current_player(state)] and floor in free and left == max(0, floor - level)


def possible(state: s.State, action: int, ground: Ground) -> bool:
    """Return whether the ground is true of a decision that this one leads to in the same turn, without bonuses."""
    after, plain = then(GAME, state, action), replace(ground, what=ground.what.removeprefix(CAN))
    seen = [after]
    for _ in range(3):
        fresh = []
        for one in seen:
            kind = one.due_kind[one.due - 1]
            while kind == s.BONUS:
                if plain.what == "bonus" and one.due_arg[one.due - 1] == plain.about[0]:
                    return True
                GAME.rules.apply(one, s.NO)
                kind = one.due_kind[one.due - 1]
            if plain.what == "floor" and reaches(state, one.level[current_player(state)], plain):
                return True
            if (kind < s.START and kind != s.PAIR) or current_player(one) != current_player(state):
                continue
            for move in legal(one):
                if kind != s.OWN and true(one, move, plain):
                    return True
                fresh.append(then(GAME, one, move))
        seen = fresh[:80]
    return False


def ahead(state: s.State, seat: int, slot: int) -> int:
    """GA-17 to GA-20: return how far this seat is nearer to a character than the other."""
    own, other = state.tokens[seat], state.tokens[1 - seat]
    if slot < p.STARS:
        return needed(state, other, own, slot) - needed(state, own, other, slot)
    if p.FINANCE <= slot < p.TRACK:
        return int(state.level[seat] - state.level[1 - seat])
    spaces = [space for space in range(p.N_SPACES) if state.stars[0] >> space & 1]
    if slot >= p.TRACK:
        row = slot - p.TRACK
        spaces = list(range(p.RACE + row * p.LANE, p.RACE + row * p.LANE + state.lengths[row]))
    return sum((own >> space & 1) - (other >> space & 1) for space in spaces)


def placed_well(state: s.State, action: int, ground: Ground) -> bool:
    """Return whether a character is, or will be, where the ground says, with the right player nearer to it."""
    char, slot, level = ground.about
    what, seat = ground.what.removeprefix(CAN), current_player(state)
    kind, arg = state.due_kind[state.due - 1], state.due_arg[state.due - 1]
    pair = arg if kind == s.EXCHANGE else action - s.TWO
    slots = p.first_of(pair), p.second_of(pair)
    at = slot if what in ("takes", "stays") else sum(slots) - slot  # where it lies now
    if kind == s.EXCHANGE or arg == s.BLIND:
        after = then(GAME, state, action)
        there = after.char[slot if what in ("brings", "stays") else sum(slots) - slot] == char
        assert there, "it does not come there"
    floor = state.char_level[slot - p.FINANCE] if p.FINANCE <= slot < p.TRACK else 0
    good = ahead(state, seat, slot) > 0 if what in ("brings", "stays") else ahead(state, seat, slot) < 0
    return slot in slots and state.char[at] == char and level == floor and good


def unknown(state: s.State, slots: list[int]) -> int:
    """GA-24: of how many of these the player may take the face for another: they are dealt again."""
    rng = [0] * RNG_SIZE
    seed_rng(rng, 1, 1)
    deals = [redealt(GAME, state, current_player(state), rng) for _ in range(60)]
    return sum(
        state.owner[slot] < 0 and ({one.char[slot] for one in deals} != {state.char[slot]} or state.char[slot] < 0)
        for slot in slots
    )


def one_more_point(state: s.State, seat: int) -> bool:
    """GA-14, GA-23: return what the tile that is kept adds."""
    after = then(GAME, state, s.YES)
    while after.due_kind[after.due - 1] == s.DRAW:
        GAME.rules.apply(after, outcomes(GAME, after)[0])
    while after.due_kind[after.due - 1] in (s.KEEP, s.STAY):
        GAME.rules.apply(after, legal(after)[0])
    return prestige_of(after, seat, 0) == prestige_of(state, seat, 0) + 1  # without characters


def true(state: s.State, action: int, ground: Ground) -> bool:
    """Return whether the ground is true."""
    about, seat = ground.about, current_player(state)
    if ground.what.removeprefix(CAN) in CHARACTERS:
        return placed_well(state, action, ground)
    if ground.what.startswith(CAN):
        return possible(state, action, ground)
    if ground.what == "floor":
        return reaches(state, then(GAME, state, action).level[seat], ground)
    match ground.what:
        case "tile":  # what it does is held against the rules below
            return action - s.TILE == about[0]
        case "force":
            return not state.force and then(GAME, state, action).force == 1
        case "point":
            return one_more_point(state, seat)
        case "peek":
            return unknown(state, [*range(p.N_SLOTS)]) == about[0]
        case "unknown":
            return unknown(state, [p.first_of(action - s.TWO), p.second_of(action - s.TWO)]) == about[0]
    if state.due_kind[state.due - 1] < s.START:
        return False
    own, other = tokens_after(state, action, seat)
    match ground.what:
        case "joins":
            return (
                needed(state, own, other, about[0])
                == 0
                < needed(state, state.tokens[seat], state.tokens[1 - seat], about[0])
            )
        case "path":
            return needed(state, own, other, about[1]) == about[0] > 0
        case "blocks":
            return (
                needed(state, other, own, about[0])
                == 99
                > needed(state, state.tokens[1 - seat], state.tokens[seat], about[0])
            )
        case "stars":
            spaces = [space for space in range(p.N_SPACES) if state.stars[0] >> space & 1]
            return about == (sum(own >> space & 1 for space in spaces), len(spaces))
        case "row":
            have, need, row = about
            spaces = range(p.RACE + row * p.LANE, p.RACE + row * p.LANE + state.lengths[row])
            return have == sum(own >> space & 1 for space in spaces) and 2 * need > len(spaces) >= 2 * need - 1
        case "bonus":
            return state.bonus[action] == about[0] != p.STAR
    return False


def test_what_is_said_holds_on_the_board() -> None:
    met = set()
    for state, action, ground in said(GAME, 8):
        assert true(copy(state), action, ground), (ground, state.due_kind[state.due - 1], action)
        met.add(ground.what)
    plain = TOKENS | CHARACTERS | {"bonus", "floor", "tile", "force", "point", "peek", "unknown"}
    later = {CAN + what for what in TOKENS | {"bonus", "floor", "brings", "takes"}}
    assert met == plain | later


CABARET = (s.CABARET, s.NEXT, s.ANYWHERE)
RACETRACK = (s.RACETRACK, s.ROW, s.SAME, s.GAP)
OF_TILES = {  # what is said of a tile -> what of the parts of an action counts for that
    "beside any token": lambda parts: parts == [s.CABARET, s.CABARET],
    "three tokens in the Cabaret": lambda parts: sum(part in CABARET for part in parts) == 3,
    "swaps tokens": lambda parts: s.OWN in parts,
    "any empty space of the Cabaret": lambda parts: s.ANYWHERE in parts,
    "all three locations": lambda parts: {s.STEP} < {*parts} and {*parts} & {*CABARET} and {*parts} & {*RACETRACK},
    "climbs twice": lambda parts: parts.count(s.STEP) == 2,
    "swaps characters and tokens": lambda parts: s.PAIR in parts and s.OWN in parts,
    "two tokens on one row": lambda parts: parts == [s.ROW, s.SAME],
    "three rows": lambda parts: parts.count(s.RACETRACK) == 3,
    "any empty space of the Racetrack": lambda parts: s.GAP in parts,
}


@pytest.mark.parametrize("tile", range(p.N_TILES))
def test_what_is_said_of_a_tile_it_does_and_no_main_action_does(tile: int) -> None:
    """GA-9, GA-16."""
    text = GAME.because(Ground("tile", 1.0, (tile,)), ())
    does = [held for words, held in OF_TILES.items() if words in text]
    assert does
    for held in does:
        assert held([part for part in TILE_PARTS[tile] if part])
        assert not any(held([part for part in parts if part]) for parts in MAIN_PARTS)
