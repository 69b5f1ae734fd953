"""Gatsby: the rules. Clauses GA-n are in rulebook.md; where one is applied, it is named.

What is still to come in a turn lies on a stack in the state: the top is what the game waits for, a decision or a chance
event. A bonus goes on top, so that all it brings is finished before what it interrupted goes on (GA-25). Faces and
tiles are drawn when somebody first sees them, so what nobody knows is not in the state (see `knowledge`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from parlour.core.contract import CHANCE, TERMINAL, Buffer
from parlour.core.struct import ints, struct
from parlour.games.gatsby.rules import knowledge as k
from parlour.games.gatsby.rules import tables as t
from parlour.games.gatsby.rules.chance import chance_outcomes, sample_chance
from parlour.games.gatsby.rules.holdings import characters_of, prestige_of, tile_of, tiles_at
from parlour.games.gatsby.rules.places import (
    beside,
    cabaret_room,
    count,
    gaps,
    is_open,
    joined,
    majority,
    next_to_any,
    row_bits,
    row_of,
    row_room,
    row_starts,
)  # fmt: skip
from parlour.games.gatsby.rules.reading import read
from parlour.games.gatsby.rules.views import observation, observed_action

# The rules, but not written here
__all__ = ["chance_outcomes", "observation", "observed_action", "sample_chance"]

VERSION = 1
N_ACTIONS = t.TWO + t.N_PAIRS
MAX_LEGAL = N_ACTIONS
MAX_OUTCOMES = t.N_CHARACTERS
MAX_TURNS, MAX_STEPS = 100, 60  # GA-9, and more steps than a turn can have
OUTLINE = (
    "targets",
    "_rally",
    "_judge",
    "_happen",
    "_keep",
    "_stay",
    "_choose_pair",
)  # see docs/add-a-game.md


@struct
class State:
    # the edition
    size: int = 0  # of the Cabaret
    cells: list[int] = ints(4 * 9, 8)  # GA-3: what is on the four tiles
    prestige: list[int] = ints(t.N_CHARACTERS, 8)
    lengths: list[int] = ints(t.ROWS, 8)
    level_bonus: list[int] = ints(t.LEVELS, 8)
    under_bonus: list[int] = ints(t.FLOORS, 8)
    char_level: list[int] = ints(t.FLOORS, 8)
    # the board
    quarters: list[int] = ints(4, 8)  # GA-3: which tile lies in each, -1 before
    bonus: list[int] = ints(t.N_SPACES, 8)
    stars: list[int] = ints(1, 64)
    tokens: list[int] = ints(2, 64)
    supply: list[int] = ints(2, 8)
    level: list[int] = ints(2, 8)
    char: list[int] = ints(t.N_SLOTS, 8)  # at each place, also when taken from it; -1: nobody has looked at it
    owner: list[int] = ints(t.N_SLOTS, 8)  # who took it, -1: on the board
    up: int = 0  # places whose character everybody knows
    tile: list[int] = ints(t.N_TILES, 8)
    log: list[int] = ints(t.LOG, 16)
    noted: int = 0
    # the turn
    stack: list[int] = ints(t.STACK, 16)
    depth: int = 0
    player: int = 0
    turns: int = 0  # finished
    last: int = -1  # where the action token lies: 0 to 3 for A to D, 4 on a personal space
    force: int = 0  # GA-14: the active player will choose the opponent's action
    forced: int = 0  # the action of this turn was chosen by the opponent
    used_rows: int = 0  # by parts of this action
    fresh: int = 0  # places whose characters were taken at the end of the last turn
    placed: list[int] = ints(1, 64)  # tokens put or moved in this turn, for those who look
    ending: int = t.GOES_ON
    winner: int = -1  # of a sudden victory


# Setting up --------------------------------------------------------------------------------------
def setup(players: int, parts: Mapping[str, Any], options: Mapping[str, int]) -> State:
    """GA-1 to GA-6: the state before the first Cabaret tile is drawn."""
    state = State()
    read(state, parts)
    for slot in range(t.N_SLOTS):
        state.char[slot] = state.owner[slot] = -1
    for quarter in range(4):
        state.quarters[quarter] = -1
    _push(state, t.START)
    _push(state, t.KEEP)
    _push(state, t.DRAW | 2 << 5)
    _push(state, t.FLIP)
    for slot in reversed(t.OPEN_SLOTS):
        _push(state, t.CHARACTER | slot << 5)
    for quarter in (3, 2, 1, 0):
        _push(state, t.QUARTER | quarter << 5)
    return state


def bound(state: State) -> int:
    """GA-9: every game ends within 100 turns."""
    return MAX_TURNS * MAX_STEPS


def hidden_information(state: State) -> bool:
    """GA-24: characters and tiles."""
    return True


def may_undo(before: State, action: int, after: State) -> bool:
    """GA-24: all but what shows a tile drawn in secret, and what ends a turn: characters are then taken."""
    kind = before.stack[before.depth - 1] & t.KIND
    shows_a_tile = kind == t.STAY or (kind == t.KEEP and tile_of(before, before.player) < 0)
    return not shows_a_tile and after.turns == before.turns


def current_player(state: State) -> int:
    kind = state.stack[state.depth - 1] & t.KIND
    if kind == t.OVER:
        return TERMINAL
    if kind <= t.REVEAL:
        return CHANCE
    return 1 - state.player if kind == t.FORCED else state.player


def _push(state: State, part: int) -> None:
    state.stack[state.depth] = part
    state.depth += 1


# What is possible --------------------------------------------------------------------------------
def targets(state: State, part: int) -> int:
    """GA-10 to GA-16: the spaces that may be chosen for a placing, or tokens for a swap; 0: it is left out."""
    kind, arg = part & t.KIND, part >> 5
    if kind == t.OWN:
        return int(state.tokens[state.player] if state.tokens[1 - state.player] else 0)
    if kind == t.OTHER:
        return int(state.tokens[1 - state.player])
    if not state.supply[state.player]:  # GA-13
        return 0
    if kind == t.CABARET:
        return next_to_any(state)
    if kind == t.NEXT:  # GA-9 A: next to the space before, whose number plus one is the argument
        return beside(1 << arg - 1) & cabaret_room(state) if arg else 0
    if kind == t.START or kind == t.ANYWHERE:
        return cabaret_room(state)
    if kind == t.RACETRACK:
        return row_starts(state, state.used_rows)
    if kind == t.ROW:
        return row_starts(state, 0)
    if kind == t.SAME:
        room = row_room(state, arg - 1) if arg else 0
        return room & -room
    if kind == t.GAP:
        return gaps(state)
    return next_to_any(state) | row_starts(state, 0)  # PLACE


def possible(state: State, part: int) -> bool:
    """GA-9, GA-25: whether a part can be carried out, or a bonus offered, now."""
    kind, bonus = part & t.KIND, 0
    if kind == t.BONUS:
        bonus = part >> 5
        if bonus == t.EXTRA:
            part = kind = t.PLACE
        elif bonus == t.SWAP:
            part = kind = t.OWN
    if kind == t.SAME or (kind >= t.START and kind <= t.OTHER):
        return targets(state, part) != 0
    if kind == t.STEP or bonus == t.CLIMB:
        return bool(state.level[state.player] < t.LEVELS - 1)
    if bonus == t.FORCE:
        return not state.force
    return bonus != t.SPECIAL or tiles_at(state, t.IN_PILE) > 0


def may_act(state: State, action: int) -> bool:
    """GA-9: whether the active player could choose action 0 to 3 (A to D) or 4, his Special."""
    tile = tile_of(state, state.player) if action == 4 else 0
    if tile < 0 or (action == state.last and action < 4):
        return False
    for i in range(3):
        part = t.part_of(action, tile, i)
        if part and possible(state, part):
            return True
    return False


def legal_actions(state: State, out: Buffer) -> int:
    """GA-26: write the legal actions into `out`, ascending; return how many there are."""
    part = state.stack[state.depth - 1]
    kind = part & t.KIND
    n = 0
    if kind >= t.START:
        spaces = targets(state, part)
        for space in range(t.N_SPACES):
            if spaces >> space & 1:
                out[n] = space
                n += 1
    elif kind == t.ACTION or kind == t.FORCED:
        for action in range(5):
            if may_act(state, action):
                out[n] = t.MAIN + action
                n += 1
    elif kind == t.BONUS or kind == t.EXCHANGE:
        out[0] = t.NO
        out[1] = t.YES
        n = 2
    elif kind == t.KEEP or kind == t.STAY:
        for tile in range(t.N_TILES):
            place = state.tile[tile]
            if place == t.IN_HAND or (kind == t.STAY and (place == t.KEPT or place == t.ON_SPACE + state.player)):
                out[n] = t.TILE + tile
                n += 1
    elif kind == t.PAIR:
        for pair in range(t.N_PAIRS):
            if state.owner[t.first_of(pair)] < 0 and state.owner[t.second_of(pair)] < 0:
                out[n] = t.TWO + pair
                n += 1
    return n


# What is done ------------------------------------------------------------------------------------
def apply(state: State, action: int) -> None:
    """Apply a legal decision, or an outcome of chance, in place; then all that follows by itself."""
    state.depth -= 1
    part = state.stack[state.depth]
    kind, arg = part & t.KIND, part >> 5
    if kind < t.KEEP:
        _happen(state, kind, arg, action)
    elif kind >= t.START:
        if kind == t.OWN:
            _push(state, t.OTHER | action << 5)
        elif kind == t.OTHER:
            _swap_tokens(state, arg, action)
        else:
            _place(state, kind, action)
    elif kind == t.BONUS:
        if action == t.YES:
            _take_bonus(state, arg)
    elif kind == t.ACTION or kind == t.FORCED:
        _act(state, action - t.MAIN)
    elif kind == t.KEEP:
        _keep(state, action - t.TILE)
    elif kind == t.STAY:
        _stay(state, action - t.TILE)
    elif kind == t.PAIR:
        _choose_pair(state, arg, action - t.TWO)
    else:
        _exchange(state, arg, action == t.YES)
    _go_on(state)


def _go_on(state: State) -> None:
    """GA-25: carry out what needs no decision, leave out what is not possible."""
    while True:
        part = state.stack[state.depth - 1]
        kind = part & t.KIND
        if kind < t.BONUS or kind == t.PAIR or kind == t.EXCHANGE:
            return
        if kind < t.STEP and possible(state, part):
            return
        state.depth -= 1
        if kind == t.STEP:
            if possible(state, part):
                _climb(state)
        elif kind == t.SAME:
            space = targets(state, part)
            if space:
                _place(state, kind, count(space - 1))
        elif kind == t.RALLY:
            _rally(state)
        elif kind == t.JUDGE:
            _judge(state)


def _act(state: State, action: int) -> None:
    """GA-9: the action token moves; the parts of the action are due in order, then the end of the turn."""
    state.forced = 1 if state.stack[state.depth] & t.KIND == t.FORCED else 0
    state.force = 0
    state.placed[0] = 0
    state.last = action
    tile = 0
    if action == 4:  # GA-15: in use, no longer on the personal space
        tile = tile_of(state, state.player)
        state.tile[tile] = t.IN_USE
    _push(state, t.RALLY)
    for i in range(3):
        part = t.part_of(action, tile, 2 - i)
        if part:
            _push(state, part)


def _place(state: State, kind: int, space: int) -> None:
    """GA-10, GA-12: put a token there; its bonus comes at once (GA-14, GA-25), except in the setup (GA-8)."""
    state.tokens[state.player] |= 1 << space
    state.supply[state.player] -= 1
    state.placed[0] |= 1 << space
    if kind == t.START:
        state.player = 1 - state.player
        _push(state, t.ACTION)
        return
    below = state.stack[state.depth - 1]
    if below == t.NEXT and (kind == t.CABARET or kind == t.NEXT):
        state.stack[state.depth - 1] = t.NEXT | space + 1 << 5
    if kind == t.RACETRACK:
        state.used_rows |= 1 << row_of(space)
    elif kind == t.ROW:
        state.stack[state.depth - 1] = t.SAME | row_of(space) + 1 << 5
    if state.bonus[space]:
        _push(state, t.BONUS | state.bonus[space] << 5)


def _climb(state: State) -> None:
    """GA-11: a whole step; then the bonuses passed and reached, the lowest on top of the stack (GA-25)."""
    player = state.player
    old = state.level[player]
    new = min(t.LEVELS - 1, old + (1 if old >= state.level[1 - player] else 2))
    state.level[player] = new
    for i in range(new - old):
        level = new - i
        if state.level_bonus[level]:
            _push(state, t.BONUS | state.level_bonus[level] << 5)
        for floor in range(t.FLOORS):  # GA-14: under a character that has been taken
            if state.char_level[floor] == level and state.owner[t.FINANCE + floor] >= 0 and state.under_bonus[floor]:
                _push(state, t.BONUS | state.under_bonus[floor] << 5)


def _take_bonus(state: State, bonus: int) -> None:
    """GA-14."""
    if bonus == t.PEEK:
        _push(state, t.PAIR)
    elif bonus == t.CLIMB:
        _push(state, t.STEP)
    elif bonus == t.FORCE:
        state.force = 1
    elif bonus == t.EXTRA:
        _push(state, t.PLACE)
    elif bonus == t.SWAP:
        _push(state, t.OWN)
    else:
        _push(state, t.KEEP)
        _push(state, t.DRAW | 3 << 5)


def _swap_tokens(state: State, own: int, other: int) -> None:
    """GA-14: two tokens change places, without bonuses."""
    change = 1 << own | 1 << other
    state.tokens[0] ^= change
    state.tokens[1] ^= change
    state.placed[0] |= change


def _keep(state: State, tile: int) -> None:
    """GA-8, GA-14: one of the tiles drawn; the others are discarded unseen."""
    player = state.player
    if tile_of(state, player) < 0:
        state.tile[tile] = t.ON_SPACE + player
    else:
        state.tile[tile] = t.KEPT
        _push(state, t.STAY)
    for other in range(t.N_TILES):
        if state.tile[other] == t.IN_HAND:
            state.tile[other] = t.DISCARDED + player


def _stay(state: State, tile: int) -> None:
    """GA-14: which of the two stays; the other is set aside, openly only if it lay on the space (GA-24)."""
    for other in range(t.N_TILES):
        if other != tile:
            if state.tile[other] == t.KEPT:
                state.tile[other] = t.ASIDE_HIDDEN + state.player
            elif state.tile[other] == t.ON_SPACE + state.player:
                state.tile[other] = t.ASIDE + state.player
    state.tile[tile] = t.ON_SPACE + state.player


def _choose_pair(state: State, blind: int, pair: int) -> None:
    """GA-14, GA-16: two characters: S7 exchanges them at once, a peek looks at those face down first."""
    if blind:
        _exchange(state, pair, True)
        return
    first, second = t.first_of(pair), t.second_of(pair)
    _push(state, t.EXCHANGE | pair << 5)
    if not state.up >> second & 1:
        _push(state, t.LOOK | second << 5)
    if not state.up >> first & 1:
        _push(state, t.LOOK | first << 5)


def _exchange(state: State, pair: int, really: bool) -> None:
    """GA-14: each keeps its own face; of two face-down ones the opponent is not told after a peek (GA-24)."""
    first, second = t.first_of(pair), t.second_of(pair)
    peeked = state.stack[state.depth] & t.KIND == t.EXCHANGE
    if peeked and not (state.up >> first | state.up >> second) & 1:
        k.note(state, t.HIDDEN_MOVE, state.player, first, second | (16 if really else 0))
    elif really:
        k.note(state, t.MOVED, t.PUBLIC, first, second)
    if really:
        _change_places(state, first, second)


def _change_places(state: State, first: int, second: int) -> None:
    one = state.char[first]
    state.char[first] = state.char[second]
    state.char[second] = one
    if (state.up >> first ^ state.up >> second) & 1:
        state.up ^= 1 << first | 1 << second


# The end of a turn -------------------------------------------------------------------------------
def _rally(state: State) -> None:
    """GA-15, GA-17 to GA-21: characters are taken; those face down are then looked at by their owners."""
    player = state.player
    for tile in range(t.N_TILES):
        if state.tile[tile] == t.IN_USE:
            state.tile[tile] = t.GONE
    state.used_rows = 0  # before the next player's actions are looked at
    state.fresh = 0
    for i in range(2):  # the active player first
        seat = player if i == 0 else 1 - player
        for path in range(2):  # GA-17
            if state.owner[path] < 0 and joined(state, seat, path):
                _take(state, path, seat)
        if state.owner[t.STARS] < 0 and state.tokens[seat] & state.stars[0] == state.stars[0]:  # GA-18
            _take(state, t.STARS, seat)
        for floor in range(t.FLOORS):  # GA-19
            if state.owner[t.FINANCE + floor] < 0 and state.level[seat] >= state.char_level[floor]:
                _take(state, t.FINANCE + floor, seat)
    for row in range(t.ROWS):  # GA-20
        if is_open(state, row):
            seat = majority(state, row)
            if seat >= 0:
                _take(state, t.TRACK + row, seat)
                _give_back(state, row)
    _push(state, t.JUDGE)
    for i in range(t.N_SLOTS):
        slot = t.N_SLOTS - 1 - i
        if state.fresh >> slot & 1 and not state.up >> slot & 1:
            _push(state, t.CLAIM | slot << 5)


def _take(state: State, slot: int, seat: int) -> None:
    state.owner[slot] = seat
    state.fresh |= 1 << slot


def _give_back(state: State, row: int) -> None:
    """GA-20: the tokens of a finished row return to their owners."""
    spaces = row_bits(state, row)
    for seat in range(2):
        state.supply[seat] += count(state.tokens[seat] & spaces)
        state.tokens[seat] &= ~spaces


def _judge(state: State) -> None:
    """GA-22, GA-23: a sudden victory, or a place without characters, ends the game; else it is the other's turn."""
    state.turns += 1
    state.winner = k.winner(state, 0)
    if state.winner >= 0:
        state.ending = k.has_won(state, state.winner, 0)
    elif _emptied(state):
        state.ending = t.PRESTIGE
    else:
        state.player = 1 - state.player
        _push(state, t.FORCED if state.force else t.ACTION)
        return
    _push(state, t.OVER)  # GA-24: all that was taken or set aside is shown first
    for seat in range(2):
        for _ in range(tiles_at(state, t.ASIDE_HIDDEN + seat)):
            _push(state, t.REVEAL | t.N_SLOTS + seat << 5)
    for i in range(t.N_SLOTS):
        slot = t.N_SLOTS - 1 - i
        if state.owner[slot] >= 0 and not state.up >> slot & 1:
            _push(state, t.REVEAL | slot << 5)


def _emptied(state: State) -> bool:
    """GA-23: whether some place has no character left."""
    cabaret = finance = track = True
    for slot in range(t.N_SLOTS):
        if state.owner[slot] < 0:
            if slot < t.FINANCE:
                cabaret = False
            elif slot < t.TRACK:
                finance = False
            else:
                track = False
    return cabaret or finance or track


# Chance ------------------------------------------------------------------------------------------
def _happen(state: State, kind: int, arg: int, outcome: int) -> None:
    """GA-26: an outcome of chance."""
    if kind == t.QUARTER:
        _lay(state, arg, outcome)
    elif kind == t.CHARACTER:
        state.char[arg] = outcome
        state.up |= 1 << arg
        if arg == t.open_slot(5):
            _order(state)
    elif kind == t.FLIP:  # GA-8: the other one prepares first
        state.player = 1 - outcome
    elif kind == t.DRAW:
        state.tile[outcome] = t.IN_HAND
        if arg > 1:
            _push(state, t.DRAW | arg - 1 << 5)
    elif kind == t.REVEAL and arg >= t.N_SLOTS:
        state.tile[outcome] -= t.ASIDE_HIDDEN - t.ASIDE
    else:
        state.char[arg] = outcome
        seat = state.player
        if kind == t.CLAIM:
            seat = state.owner[arg]
        elif kind == t.REVEAL:
            seat = t.PUBLIC
            state.up |= 1 << arg
        k.note(state, t.SEEN, seat, arg, outcome)


def _lay(state: State, quarter: int, tile: int) -> None:
    """GA-3: a Cabaret tile, not turned, in its quarter."""
    side = state.size // 2
    state.quarters[quarter] = tile
    for row in range(side):
        for column in range(side):
            content = state.cells[tile * 9 + row * 3 + column]
            space = (row + quarter // 2 * side) * t.GRID + column + quarter % 2 * side
            if content == t.STAR:
                state.stars[0] |= 1 << space
            else:
                state.bonus[space] = content


def _order(state: State) -> None:
    """GA-7: the better one goes to level 12, and to row 1; then everybody has seen the six."""
    if state.prestige[state.char[t.FINANCE]] > state.prestige[state.char[t.FINANCE + 3]]:
        _change_places(state, t.FINANCE, t.FINANCE + 3)
    if state.prestige[state.char[t.TRACK + 4]] > state.prestige[state.char[t.TRACK]]:
        _change_places(state, t.TRACK, t.TRACK + 4)
    for i in range(6):
        k.note(state, t.SEEN, t.PUBLIC, t.open_slot(i), state.char[t.open_slot(i)])


# The end, and what is seen -----------------------------------------------------------------------
def over(state: State) -> bool:
    return state.stack[state.depth - 1] == t.OVER


def scores(state: State, out: Buffer) -> None:
    """GA-23: prestige, as far as everybody knows it: at the end all of it."""
    for seat in range(2):
        out[seat] = prestige_of(state, seat, state.up)


def returns(state: State, out: Any) -> None:
    """GA-22, GA-23: 1 to the winner, a half each in a draw; 0 before the end."""
    out[0] = 0.0
    out[1] = 0.0
    if not over(state):
        return
    if state.winner >= 0:
        out[state.winner] = 1.0
        return
    lead = prestige_of(state, 0, state.up) - prestige_of(state, 1, state.up)
    if lead == 0:
        lead = characters_of(state, 0) - characters_of(state, 1)
    out[0] = 0.5 if lead == 0 else 1.0 if lead > 0 else 0.0
    out[1] = 1.0 - out[0]


def resample(state: State, player: int, rng: Buffer) -> None:
    """GA-24: see `knowledge.resample`."""
    k.resample(state, player, rng)
