"""What is said for decisions of Gatsby is true: ways and rows are counted anew, space by space."""

from __future__ import annotations

from heapq import heappop, heappush

from parlour.core.contract import Ground
from parlour.core.struct import copy
from parlour.games import find
from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.rules import state as s
from parlour.games.gatsby.rules.legal import current_player
from tests.games.said import said, then

GAME = find("gatsby")


def needed(state: s.State, own: int, other: int, path: int) -> int:
    """GA-17: the fewest tokens that join two edges, by the shortest way; 99 where there is none."""
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
    """The own tokens and the other player's once this space is chosen."""
    own, other = state.tokens[seat], state.tokens[1 - seat]
    if state.due_kind[state.due - 1] == s.OTHER:
        given = 1 << state.due_arg[state.due - 1]
        return own & ~given | 1 << action, other & ~(1 << action) | given
    return own | 1 << action, other


def true(state: s.State, action: int, ground: Ground) -> bool:
    """Whether it holds."""
    about, seat = ground.about, current_player(state)
    if ground.what == "floor":
        left, floor = about
        level = then(GAME, state, action).level[seat]
        free = [state.char_level[i] for i in range(p.FLOORS) if state.owner[p.FINANCE + i] < 0]
        return level > state.level[seat] and floor in free and left == max(0, floor - level)
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
    assert met == {"joins", "path", "blocks", "stars", "row", "bonus", "floor"}
