"""What speaks for a decision of Gatsby: what a token does to paths, stars and rows, and what a step reaches.

Weighed as `policy` weighs the places, with the faces that the deciding player knows (GA-24); the words are of spaces,
tokens and levels alone, which everybody sees.
"""

from __future__ import annotations

from parlour.core.contract import Ground
from parlour.core.struct import copy
from parlour.games.gatsby.rules import legal, places, turns
from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.rules import state as s
from parlour.games.gatsby.study import policy


def grounds(state: s.State, action: int) -> list[Ground]:
    """See `parlour.core.contract.Grounds`."""
    kind, arg = state.due_kind[state.due - 1], state.due_arg[state.due - 1]
    seat = legal.current_player(state)
    after = copy(state)
    if kind == s.OTHER:  # GA-14: one of each changes sides
        change = 1 << action | 1 << arg
        after.tokens[0] ^= change
        after.tokens[1] ^= change
        return _tokens(state, after, seat)
    if kind >= s.START and kind != s.OWN:
        after.tokens[seat] |= 1 << action
        bonus = state.bonus[action]
        found = [Ground("bonus", policy.bonus_worth(bonus), (bonus,))] if p.NOTHING < bonus < p.STAR else []
        return found + _tokens(state, after, seat)
    if kind == s.ACTION or (kind == s.BONUS and action == s.YES):
        turns.apply(after, action)
        return _climbed(state, after, seat)
    return []


def _tokens(before: s.State, after: s.State, seat: int) -> list[Ground]:
    """What tokens that are new or have changed sides do, place by place."""
    faces, gains = [0] * p.N_SLOTS, [0.0] * (2 * p.N_SLOTS)
    policy._look(before, seat, faces, gains)
    found = []
    more = policy.cabaret_worth(after, seat, gains) - policy.cabaret_worth(before, seat, gains)
    if more > 0 and (told := _cabaret(before, after, seat)):
        found.append(Ground(told[0], more, told[1:]))
    for row in range(p.ROWS):
        more = policy.row_worth(after, seat, row, gains) - policy.row_worth(before, seat, row, gains)
        whole = places.row_bits(before, row)
        have, need = places.count(after.tokens[seat] & whole), before.lengths[row] // 2 + 1
        if more > 0 and have > places.count(before.tokens[seat] & whole) and have <= need:  # GA-20
            found.append(Ground("row", more, (have, need, row)))
    return found


def _cabaret(before: s.State, after: s.State, seat: int) -> tuple[str, int, int] | tuple[str, int] | None:
    """GA-17, GA-18: the most that has changed: a path joined, blocked or nearer, a star."""
    own = before.tokens[seat] & before.stars[0], after.tokens[seat] & before.stars[0]
    open_paths = [path for path in range(2) if before.owner[path] < 0]
    for path in open_paths:
        if places.joined(after, seat, path) and not places.joined(before, seat, path):
            return "joins", path
    for path in open_paths:
        if not _reachable(after, 1 - seat, path) and _reachable(before, 1 - seat, path):
            return "blocks", path
    nearer = [
        (left, path)
        for path in open_paths
        if (left := policy.steps_left(after, seat, path)) < min(policy.NEVER, policy.steps_left(before, seat, path))
    ]
    if nearer:
        left, path = min(nearer)
        return "path", left, path
    if own[0] != own[1] and before.owner[p.STARS] < 0:
        return "stars", places.count(own[1]), places.count(before.stars[0])
    return None


def _reachable(state: s.State, seat: int, path: int) -> bool:
    """Whether this player could join the path if every empty space were theirs."""
    filled = copy(state)
    filled.tokens[seat] |= places.cabaret_room(state)
    return places.joined(filled, seat, path)


def _climbed(before: s.State, after: s.State, seat: int) -> list[Ground]:
    """GA-11, GA-19: steps in the Finance Center."""
    old, new = before.level[seat], after.level[seat]
    if new <= old:
        return []
    faces, gains = [0] * p.N_SLOTS, [0.0] * (2 * p.N_SLOTS)
    policy._look(before, seat, faces, gains)
    climbed = copy(before)
    climbed.level[seat] = new
    more = policy.finance_worth(climbed, seat, gains) - policy.finance_worth(before, seat, gains)
    ahead = [
        before.char_level[floor]
        for floor in range(p.FLOORS)
        if before.owner[p.FINANCE + floor] < 0 and before.char_level[floor] > old
    ]
    if not ahead or more <= 0:
        return []
    left = min(ahead) - new
    return [Ground("floor", more, (max(left, 0), min(ahead)))]
