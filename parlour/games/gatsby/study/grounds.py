"""The reasons for a decision of Gatsby: what a token does to paths, stars and rows, and what a step reaches; for an
action, the best that it can do. Tiles, looks and characters are in `dealings`.

They are weighed as `policy` weighs the places, with the faces that the deciding player knows (GA-24); their words
mention only spaces, tokens and levels, which both players see.
"""

from __future__ import annotations

from dataclasses import replace

from parlour.core.contract import Ground
from parlour.core.struct import copy
from parlour.games.gatsby.rules import legal, places, turns
from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.rules import state as s
from parlour.games.gatsby.study import dealings, policy, steps


def grounds(state: s.State, action: int) -> list[Ground]:
    """See `parlour.core.contract.Grounds`."""
    kind, arg = state.due_kind[state.due - 1], state.due_arg[state.due - 1]
    seat = legal.current_player(state)
    if kind in (s.KEEP, s.STAY):
        return dealings.kept(state, action - s.TILE, seat)
    if kind == s.PAIR:
        return dealings.paired(state, action - s.TWO, seat, blind=arg == s.BLIND)
    if kind == s.EXCHANGE:
        return dealings.exchanged(state, arg, seat, really=action == s.YES)
    if kind == s.OWN:
        return _could_swap(state, 1 << action, seat)
    if kind == s.OTHER:  # GA-14: one of each changes sides
        return _tokens(state, _swapped(state, 1 << action | 1 << arg), seat)
    if kind >= s.START:
        return _placed(state, action, seat)
    if kind == s.ACTION or (kind == s.BONUS and action == s.YES):
        after = copy(state)
        turns.apply(after, action)
        if kind == s.ACTION:
            return _to_come(state, after, seat)
        return dealings.offered(state, arg, seat) + _climbed(state, after, seat) + _to_come(state, after, seat)
    return []


def _placed(state: s.State, space: int, seat: int) -> list[Ground]:
    """Return the reasons to place a token there: the token, and the bonus of the space (GA-10, GA-12)."""
    after = copy(state)
    after.tokens[seat] |= 1 << space
    counts = state.setup_bonus or state.due_kind[state.due - 1] != s.START  # GA-8
    return (_bonus(state.bonus[space]) if counts else []) + _tokens(state, after, seat)


def _bonus(bonus: int) -> list[Ground]:
    return [Ground("bonus", policy.bonus_worth(bonus), (bonus,))] if p.NOTHING < bonus < p.STAR else []


def _to_come(before: s.State, after: s.State, seat: int) -> list[Ground]:
    """Return the best that parts made due by this decision can do, as far as that is certain now (GA-25)."""
    found: dict[str, Ground] = {}
    tokens, lifted = 0, copy(after)
    if before.due_kind[before.due - 1] == s.ACTION:  # a step that came at once weighs against one that comes later
        found = {one.what: one for one in dealings.could(_climbed(before, after, seat))}
    for i in range(after.due - 1, before.due - 2, -1):
        kind, arg = after.due_kind[i], after.due_arg[i]
        more: list[Ground] = []
        if kind == s.BONUS and legal.possible(after, kind, arg):
            more = dealings.could(_bonus(arg))
        elif kind == s.STEP:
            lifted.level[seat] = turns.climbed(lifted, seat)
            more = dealings.could(_climbed(before, lifted, seat))
        elif kind == s.OWN:
            more = _could_swap(after, after.tokens[seat], seat)
        elif s.START < kind < s.OWN and tokens < after.supply[seat]:  # GA-13
            spaces = legal.targets(after, kind, arg)
            more = dealings.could([g for n in range(p.N_SPACES) if spaces >> n & 1 for g in _placed(after, n, seat)])
        tokens += s.START < kind < s.OWN
        for ground in more:
            if ground.what not in found or ground.weight > found[ground.what].weight:
                found[ground.what] = ground
        if kind == s.OWN:  # which token is given may change what comes after it
            break
    return list(found.values())


def _could_swap(state: s.State, own: int, seat: int) -> list[Ground]:
    """Return the best swap for one of these tokens of the player, if it gains anything (GA-14)."""
    _, gains = dealings.looked(state, seat)
    was = _board(state, seat, gains)
    swaps = [
        1 << mine | 1 << other
        for mine in range(p.N_SPACES) if own >> mine & 1
        for other in range(p.N_SPACES) if state.tokens[1 - seat] >> other & 1
    ]  # fmt: skip
    if not swaps:
        return []
    worth, best = max((_board(_swapped(state, swap), seat, gains) - was, swap) for swap in swaps)
    after = _swapped(state, best)
    found = [replace(one, weight=min(one.weight, worth)) for one in _tokens(state, after, seat)]
    return dealings.could([one for one in found if one.weight > 0])


def _swapped(state: s.State, change: int) -> s.State:
    after = copy(state)
    after.tokens[0] ^= change
    after.tokens[1] ^= change
    return after


def _board(state: s.State, seat: int, gains: list[float]) -> float:
    """Return what the tokens on the board are worth."""
    rows = sum(policy.row_worth(state, seat, row, gains) for row in range(p.ROWS))
    return float(policy.cabaret_worth(state, seat, gains) + rows)


def _tokens(before: s.State, after: s.State, seat: int) -> list[Ground]:
    """Return, place by place, what the tokens do that are new or have changed sides."""
    _, gains = dealings.looked(before, seat)
    found = []
    more = policy.cabaret_worth(after, seat, gains) - policy.cabaret_worth(before, seat, gains)
    if more > 0 and (change := _cabaret(before, after, seat)):
        found.append(Ground(change[0], more, change[1:]))
    for row in range(p.ROWS):
        more = policy.row_worth(after, seat, row, gains) - policy.row_worth(before, seat, row, gains)
        whole = places.row_bits(before, row)
        have, need = places.count(after.tokens[seat] & whole), before.lengths[row] // 2 + 1
        if more > 0 and have > places.count(before.tokens[seat] & whole) and have <= need:  # GA-20
            found.append(Ground("row", more, (have, need, row)))
    return found


def _cabaret(before: s.State, after: s.State, seat: int) -> tuple[str, int, int] | tuple[str, int] | None:
    """Return the most that has changed: a path joined, blocked or nearer, a star (GA-17, GA-18)."""
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
        if (left := steps.steps_left(after, seat, path)) < min(steps.NEVER, steps.steps_left(before, seat, path))
    ]
    if nearer:
        left, path = min(nearer)
        return "path", left, path
    if own[0] != own[1] and before.owner[p.STARS] < 0:
        return "stars", places.count(own[1]), places.count(before.stars[0])
    return None


def _reachable(state: s.State, seat: int, path: int) -> bool:
    """Return whether this player could join the path if every empty space were theirs."""
    filled = copy(state)
    filled.tokens[seat] |= places.cabaret_room(state)
    return places.joined(filled, seat, path)


def _climbed(before: s.State, after: s.State, seat: int) -> list[Ground]:
    """Return the reasons for steps in the Finance Center (GA-11, GA-19)."""
    old, new = before.level[seat], after.level[seat]
    if new <= old:
        return []
    _, gains = dealings.looked(before, seat)
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
