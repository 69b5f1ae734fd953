"""A turn: an action, its parts one by one, and the bonuses that interrupt it."""

from __future__ import annotations

from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.rules import state as s
from parlour.games.gatsby.rules.chance import happen
from parlour.games.gatsby.rules.hidden import both_down, note
from parlour.games.gatsby.rules.holdings import change_places, tile_of
from parlour.games.gatsby.rules.legal import possible, targets
from parlour.games.gatsby.rules.opening import undecided
from parlour.games.gatsby.rules.parts import part_of, push
from parlour.games.gatsby.rules.places import count, row_of, top
from parlour.games.gatsby.rules.state import State
from parlour.games.gatsby.rules.taking import judge, next_turn, rally

OUTLINE = ("_keep", "_stay", "_choose_pair")  # see docs/add-a-game.md


def apply(state: State, action: int) -> None:
    """Apply a legal decision, or an outcome of chance, in place; then all that follows without a decision."""
    at = state.due - 1
    kind, arg = state.due_kind[at], state.due_arg[at]
    state.due = at
    if kind < s.KEEP:
        happen(state, kind, arg, action)
    elif kind >= s.START:
        if kind == s.OWN:
            push(state, s.OTHER, action)
        elif kind == s.OTHER:
            _swap_tokens(state, arg, action)
        else:
            _place(state, kind, action)
    elif kind == s.BONUS:
        if action == s.YES:
            _take_bonus(state, arg)
    elif kind == s.ACTION or kind == s.FORCED:
        _act(state, action - s.MAIN, kind == s.FORCED)
    elif kind == s.KEEP:
        _keep(state, action - s.TILE)
    elif kind == s.STAY:
        _stay(state, action - s.TILE)
    elif kind == s.PAIR:
        _choose_pair(state, arg, action - s.TWO)
    else:
        _leave_or_exchange(state, arg, action == s.YES)
    go_on(state)


def go_on(state: State) -> None:
    """GA-25: carry out parts that need no decision, and leave out those that are not possible."""
    while True:
        at = state.due - 1
        kind, arg = state.due_kind[at], state.due_arg[at]
        if kind == s.OVER and undecided(state):
            state.due = at
            push(state, s.QUARTER, s.AGAIN)
            return
        if kind < s.BONUS or kind == s.PAIR or kind == s.EXCHANGE:
            return
        if kind < s.STEP and possible(state, kind, arg):
            return
        state.due = at
        if kind == s.STEP:
            if possible(state, kind, arg):
                _climb(state)
        elif kind == s.SAME:
            space = targets(state, kind, arg)
            if space:
                _place(state, kind, count(space - 1))
        elif kind == s.RALLY:
            rally(state)
        elif kind == s.JUDGE:
            judge(state)
        elif kind == s.BEGIN:
            next_turn(state)


def _act(state: State, action: int, forced: bool) -> None:
    """GA-9: move the action token, and make due the parts of the action in order, then the end of the
    turn."""
    state.forced = 1 if forced else 0
    state.force = 0
    state.placed[0] = 0
    state.last = action
    tile = 0
    if action == s.OWN_SPECIAL:  # GA-15: in use, no longer on the personal space
        tile = tile_of(state, state.player)
        state.tile[tile] = s.IN_USE
    push(state, s.RALLY, 0)
    for i in range(3):
        kind = part_of(action, tile, 2 - i)
        if kind:
            push(state, kind, s.BLIND if kind == s.PAIR else 0)


def _place(state: State, kind: int, space: int) -> None:
    """GA-10, GA-12: put a token there, and make its bonus due at once (GA-14, GA-25); in the setup only with the option
    (GA-8)."""
    state.tokens[state.player] |= 1 << space
    state.supply[state.player] -= 1
    state.placed[0] |= 1 << space
    if kind == s.START:
        push(state, s.BEGIN, 0)
        if state.setup_bonus and state.bonus[space]:
            push(state, s.BONUS, state.bonus[space])
        return
    at = state.due - 1
    if (kind == s.CABARET or kind == s.NEXT) and state.due_kind[at] == s.NEXT and state.due_arg[at] == 0:
        state.due_arg[at] = space + 1
    if kind == s.RACETRACK:
        state.used_rows |= 1 << row_of(space)
    elif kind == s.ROW:  # SAME is due
        state.due_arg[at] = row_of(space) + 1
    if state.bonus[space]:
        push(state, s.BONUS, state.bonus[space])


def _climb(state: State) -> None:
    """GA-11: make a whole step; then make due the bonuses passed and reached, the lowest on top of the
    stack (GA-25)."""
    player = state.player
    old = state.level[player]
    new = climbed(state, player)
    state.level[player] = new
    for i in range(new - old):
        bonus = bonus_on(state, new - i)
        if bonus:
            push(state, s.BONUS, bonus)


def climbed(state: State, seat: int) -> int:
    """GA-11: return the level that a step leads to: two up for a player below the other, at most to the
    top."""
    old = state.level[seat]
    return min(top(state), old + (1 if old >= state.level[1 - seat] else 2))


def bonus_on(state: State, level: int) -> int:
    """GA-14: return the bonus of a level; one under a character counts only after that has been taken."""
    bonus = state.level_bonus[level]
    for floor in range(p.FLOORS):
        if state.char_level[floor] == level and state.owner[p.FINANCE + floor] >= 0:
            bonus = state.under_bonus[floor]
    return bonus


def _take_bonus(state: State, bonus: int) -> None:
    """GA-14: make the parts of a bonus due."""
    if bonus == p.PEEK:
        push(state, s.PAIR, s.SEEING)
    elif bonus == p.CLIMB:
        push(state, s.STEP, 0)
    elif bonus == p.FORCE:
        state.force = 1
    elif bonus == p.EXTRA:
        push(state, s.PLACE, 0)
    elif bonus == p.SWAP:
        push(state, s.OWN, 0)
    else:
        push(state, s.KEEP, 0)
        push(state, s.DRAW, 3)


def _swap_tokens(state: State, own: int, other: int) -> None:
    """GA-14: exchange two tokens, without bonuses."""
    change = 1 << own | 1 << other
    state.tokens[0] ^= change
    state.tokens[1] ^= change
    state.placed[0] |= change


def _keep(state: State, tile: int) -> None:
    """GA-8, GA-14: keep one of the tiles drawn; the others are discarded unseen."""
    player = state.player
    if tile_of(state, player) < 0:
        state.tile[tile] = s.ON_SPACE + player
    else:
        state.tile[tile] = s.KEPT
        push(state, s.STAY, 0)
    for other in range(p.N_TILES):
        if state.tile[other] == s.IN_HAND:
            state.tile[other] = s.DISCARDED + player


def _stay(state: State, tile: int) -> None:
    """GA-14: keep this one of two tiles, and set the other aside, openly only if it was on the space
    (GA-24)."""
    for other in range(p.N_TILES):
        if other != tile:
            if state.tile[other] == s.KEPT:
                state.tile[other] = s.ASIDE_HIDDEN + state.player
            elif state.tile[other] == s.ON_SPACE + state.player:
                state.tile[other] = s.ASIDE + state.player
    state.tile[tile] = s.ON_SPACE + state.player


def _choose_pair(state: State, blind: int, pair: int) -> None:
    """GA-14, GA-16: choose two characters: S7 exchanges them at once, a peek first looks at those that
    are face down."""
    if blind:
        _exchange(state, pair)
        return
    first, second = p.first_of(pair), p.second_of(pair)
    push(state, s.EXCHANGE, pair)
    if not state.up >> second & 1:
        push(state, s.LOOK, second)
    if not state.up >> first & 1:
        push(state, s.LOOK, first)


def _exchange(state: State, pair: int) -> None:
    """GA-14, GA-24: exchange two characters, and record that both players see it."""
    note(state, s.MOVED, s.PUBLIC, p.first_of(pair), p.second_of(pair))
    change_places(state, p.first_of(pair), p.second_of(pair))


def _leave_or_exchange(state: State, pair: int, really: bool) -> None:
    """GA-14: exchange two characters after a peek, or not. If both are face down, the opponent does not
    see which (GA-24)."""
    if both_down(state, pair):
        first, second = p.first_of(pair), p.second_of(pair)
        note(state, s.HIDDEN_MOVE, state.player, first, second | (16 if really else 0))
        if really:
            change_places(state, first, second)
    elif really:
        _exchange(state, pair)
