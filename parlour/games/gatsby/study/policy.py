"""What a position of Gatsby is worth: for bots that look one step ahead.

The unit is about a point of prestige. A character on the board is worth to each player what it
would bring them (prestige, a suit, a fifth suit), shared by how near both are to rallying it. What
is still due in a turn is worth the best that it can do. Only faces that the player knows are
counted; others are worth the average.
"""

from __future__ import annotations

from math import exp
from typing import Any

from parlour.games.gatsby.rules import hidden, legal, places, scoring, turns
from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.rules import state as s
from parlour.games.gatsby.study.features import ACTIVE, FEATURES, features
from parlour.games.gatsby.study.steps import NEVER, steps_left

__all__ = [
    "ACTIVE", "FEATURES", "LEVELS", "MEMO", "PLAN", "SPREAD", "features", "memo_key", "outlook", "settled", "value",
]  # fmt: skip

MEMO = 0
FAR = 8.0  # of `outlook`: the odds are never farther from even than this power of e
SPREAD = 1.5  # how far apart decisions are for one to look e times as good
PLAN = {"explore": 0.7}
LEVELS = {"master": 280_000, "expert": 30_000, "hard": 1_000, "medium": 50, "easy": ("greedy", 1.0)}
OUTLINE = (
    "value", "_look", "_base", "_due", "cabaret_worth", "finance_worth", "row_worth", "_best_row", "_best_space",
    "_step", "lead", "_exchanged", "_best_swap", "_result", "_owned",
)  # fmt: skip
WIN = 1000.0
UNKNOWN_WORTH = 2.6  # of a face that they do not know
WANTED = (0.8, 2.2, 40.0, 0.0)  # for the first, second, third of a suit
WANTED_SUIT = (0.4, 0.5, 0.8, 2.0, 40.0, 0.0)  # for one suit more, by those they have
TILE_WORTH = (1.0, 1.5, 1.4, 1.2, 1.8, 1.5, 2.0, 1.2, 1.7, 1.5, 1.0)
# Of `lead`, in logarithms of odds
POINT, USUAL, TILE, KEPT, CHARACTER = 0.33, 1.3, 0.24, 0.06, 0.12
TWO_OF, SECOND, THIRD, TEMPO = 0.15, 0.5, 2.2, 0.1
NEW_SUIT = (0.0, 0.0, 0.05, 0.3, 1.5, 0.0)  # of a suit that they have not, by those they have
HOPES = (1.1, 0.7)  # of the Cabaret and the Finance Center, relative to the Racetrack's
BONUS_WORTH = (0.0, 0.7, 0.9, 0.8, 0.9, 1.3, 1.6, 0.0)  # PEEK, CLIMB, FORCE, EXTRA, SWAP, SPECIAL


def value(state: Any, player: int) -> float:
    """Return what the position is worth to `player`, less what it is worth to the other."""
    if state.ending:
        return _result(state, player)
    faces = [0] * p.N_SLOTS
    gains = [0.0] * (2 * p.N_SLOTS)
    _look(state, player, faces, gains)
    total = _base(state, player, faces, gains)
    kind, arg = state.due_kind[state.due - 1], state.due_arg[state.due - 1]
    if kind == s.EXCHANGE and state.player == player:
        return max(total, _exchanged(state, player, arg))
    if kind == s.OTHER and state.player == player:
        return _best_swap(state, player, arg, faces, gains)
    sign = 1.0 if state.player == player else -1.0
    for i in range(1, state.due):
        total += sign * _due(state, state.due_kind[i], state.due_arg[i], player, gains)
    return total


def outlook(state: Any, player: int) -> float:
    """See `parlour.engine.no_policy`: the odds from `lead`, half of it for one and half against the
    other."""
    ahead = lead(state, 0)
    return exp(max(-FAR, min(FAR, 0.5 * (ahead if player == 0 else -ahead))))


def lead(state: Any, player: int) -> float:
    """Return the logarithm of the odds that `player` wins, fitted to games (docs/games/gatsby.md).

    Every face that a player has seen counts: a search deals again those that it may not know.
    """
    if state.ending:
        return _result(state, player)
    gains = [0.0] * (2 * p.N_SLOTS)
    mine = _hopes(state, player, gains)
    other = _hopes(state, 1 - player, gains)
    ahead = mine - other + (TEMPO if state.player == player else -TEMPO)
    ahead += HOPES[0] * cabaret_worth(state, player, gains) + HOPES[1] * finance_worth(state, player, gains)
    for row in range(p.ROWS):
        ahead += row_worth(state, player, row, gains)
    return ahead


def _hopes(state: Any, seat: int, gains: Any) -> float:
    """Return what a seat has won, and in `gains` what each character still on the board would add."""
    have = [0] * p.SUITS
    against = [0] * p.SUITS
    total = 0.0
    for slot in range(p.N_SLOTS):
        face = state.char[slot]
        if state.owner[slot] == seat:
            total += KEPT + POINT * (state.prestige[face] if face >= 0 else USUAL)
            if face >= 0:
                have[face // p.OF_SUIT] += 1
        elif state.owner[slot] >= 0 and face >= 0:
            against[face // p.OF_SUIT] += 1
    suits = 0
    for suit in range(p.SUITS):
        suits += 1 if have[suit] else 0
        if have[suit] == 2 and not against[suit]:
            total += TWO_OF
    for tile in range(p.N_TILES):
        place = state.tile[tile]
        if place == s.ON_SPACE + seat or place == s.ASIDE + seat or place == s.ASIDE_HIDDEN + seat:
            total += TILE
    for slot in range(p.N_SLOTS):
        if state.owner[slot] < 0:
            face = state.char[slot]
            gain = CHARACTER + POINT * (state.prestige[face] if face >= 0 else USUAL)
            if face >= 0:
                mine = have[face // p.OF_SUIT]
                if mine == 2:
                    gain += THIRD
                elif mine == 1 and not against[face // p.OF_SUIT]:
                    gain += SECOND
                elif mine == 0:
                    gain += new_suit(suits)
            gains[seat * p.N_SLOTS + slot] = gain
    return total


def settled(state: Any, player: int) -> bool:
    """Return whether the due chance does not affect `value`: all but looks at faces.

    Tiles drawn are judged when one is kept.
    """
    kind = state.due_kind[state.due - 1]
    return bool(kind != s.LOOK and kind != s.CLAIM)


def memo_key(state: Any, action: int) -> int:
    return -1


def _result(state: Any, player: int) -> float:
    if state.winner >= 0:
        return WIN if state.winner == player else -WIN
    everything = (1 << p.N_SLOTS) - 1
    lead = scoring.margin(state, player, everything)
    return 0.0 if lead == 0 else WIN / 2 + lead if lead > 0 else lead - WIN / 2


# What characters are worth -----------------------------------------------------------------------
def _look(state: Any, player: int, faces: Any, gains: Any) -> None:
    """Write into faces[place] the character there as far as `player` knows, -1 if unknown; into
    gains[seat * N_SLOTS + place] what it would bring that seat."""
    seen = [0] * p.N_CHARACTERS
    hidden.recall(state, player, seen)
    have = [0] * (2 * p.SUITS)
    for slot in range(p.N_SLOTS):
        faces[slot] = hidden.sure(seen, slot)
        if state.owner[slot] >= 0 and faces[slot] >= 0:
            have[state.owner[slot] * p.SUITS + faces[slot] // p.OF_SUIT] += 1
    for seat in range(2):
        suits = 0
        for suit in range(p.SUITS):
            suits += 1 if have[seat * p.SUITS + suit] else 0
        for slot in range(p.N_SLOTS):
            gain = UNKNOWN_WORTH
            if faces[slot] >= 0:
                suit = faces[slot] // p.OF_SUIT
                mine = have[seat * p.SUITS + suit]
                gain = 0.4 + state.prestige[faces[slot]] + wanted(mine, have[(1 - seat) * p.SUITS + suit])
                if mine == 0:
                    gain += wanted_suit(suits)
            gains[seat * p.N_SLOTS + slot] = gain


def wanted(mine: int, other: int) -> float:
    """GA-22: return the worth of one more of a suit, which is less if the other player has one of it."""
    worth = float(WANTED[mine] if mine < 3 else 0.0)
    return worth if other == 0 else 0.2


def wanted_suit(suits: int) -> float:
    return float(WANTED_SUIT[suits])


def new_suit(suits: int) -> float:
    return float(NEW_SUIT[suits])


def tile_worth(tile: int) -> float:
    """Return the worth of a Special Action tile on the own space, without its point at the end."""
    return float(TILE_WORTH[tile])


def bonus_worth(bonus: int) -> float:
    return float(BONUS_WORTH[bonus])


def _base(state: Any, player: int, faces: Any, gains: Any) -> float:
    """Return the worth of what is owned, and of what is on the board by how near both players are to
    it."""
    total = _owned(state, player, faces) - _owned(state, 1 - player, faces)
    total += cabaret_worth(state, player, gains) + finance_worth(state, player, gains)
    for row in range(p.ROWS):
        total += row_worth(state, player, row, gains)
    return total


def _owned(state: Any, seat: int, faces: Any) -> float:
    total = 0.0
    have = [0] * p.SUITS
    suits = 0
    for slot in range(p.N_SLOTS):
        if state.owner[slot] == seat:
            if faces[slot] < 0:
                total += UNKNOWN_WORTH
            else:
                suit = faces[slot] // p.OF_SUIT
                total += 0.4 + state.prestige[faces[slot]] + wanted(have[suit], 0)
                if have[suit] == 0:
                    total += wanted_suit(suits)
                    suits += 1
                have[suit] += 1
    for tile in range(p.N_TILES):
        place = state.tile[tile]
        if place == s.ON_SPACE + seat:
            total += 0.8 + 0.5 * tile_worth(tile)
        elif place == s.ASIDE + seat or place == s.ASIDE_HIDDEN + seat:
            total += 0.8
    return total


def _share(near: float, weight: float, mine: float, other: float) -> float:
    """Return the worth of a character that is mine with chance `near`, by how soon that is decided."""
    return weight * (near * mine - (1.0 - near) * other)


# The three places --------------------------------------------------------------------------------
def cabaret_worth(state: Any, player: int, gains: Any) -> float:
    """Return the worth of paths, by the tokens that each still needs, and of stars, if only one player has any."""
    total = 0.0
    for path in range(2):
        if state.owner[path] < 0:
            mine, other = steps_left(state, player, path), steps_left(state, 1 - player, path)
            near = min(0.97, max(0.03, 0.5 + 0.16 * (other - mine)))
            if mine < NEVER or other < NEVER:
                weight = 1.0 / (1.0 + 0.45 * min(mine, other))
                total += _share(near, weight, gains[player * p.N_SLOTS + path], gains[(1 - player) * p.N_SLOTS + path])
    if state.owner[p.STARS] < 0:
        mine = places.count(state.tokens[player] & state.stars[0])
        other = places.count(state.tokens[1 - player] & state.stars[0])
        if other == 0:
            total += gains[player * p.N_SLOTS + p.STARS] * mine * mine / 16.0
        elif mine == 0:
            total -= gains[(1 - player) * p.N_SLOTS + p.STARS] * other * other / 16.0
    return total


def finance_worth(state: Any, player: int, gains: Any) -> float:
    """Return the worth of the floors, by how near each player is; height itself is worth a little."""
    total: float = 0.15 * (state.level[player] - state.level[1 - player])
    for floor in range(p.FLOORS):
        slot = p.FINANCE + floor
        if state.owner[slot] < 0:
            mine = state.char_level[floor] - state.level[player]
            other = state.char_level[floor] - state.level[1 - player]
            near = min(0.95, max(0.05, 0.5 + 0.13 * (other - mine)))
            if (mine <= 0) != (other <= 0):
                near = 1.0 if mine <= 0 else 0.0
            weight = 1.0 / (1.0 + 0.3 * max(0, min(mine, other)))
            total += _share(near, weight, gains[player * p.N_SLOTS + slot], gains[(1 - player) * p.N_SLOTS + slot])
    return total


def row_worth(state: Any, player: int, row: int, gains: Any) -> float:
    """Return the worth of a row, by its tokens; it is decided when one player has the majority."""
    slot = p.TRACK + row
    if state.owner[slot] >= 0:
        return 0.0
    whole = places.row_bits(state, row)
    mine, other = places.count(state.tokens[player] & whole), places.count(state.tokens[1 - player] & whole)
    length = state.lengths[row]
    need = (length + 1) // 2
    near = 0.5 + 0.4 * (mine - other) / need
    if mine >= need:
        near = 0.95
    elif other >= need:
        near = 0.05
    full = (mine + other) / length
    weight = 0.15 + 0.75 * full if mine + other < length else 1.0
    return _share(near, weight, gains[player * p.N_SLOTS + slot], gains[(1 - player) * p.N_SLOTS + slot])


# What is still due -------------------------------------------------------------------------------
def _due(state: Any, kind: int, arg: int, player: int, gains: Any) -> float:
    """Return what a part that is still to come is worth to the active player, at best."""
    sign = 1.0 if state.player == player else -1.0
    if kind == s.STEP:
        return _step(state, player, sign, gains)
    if kind == s.BONUS:
        return bonus_worth(arg) if legal.possible(state, kind, arg) else 0.0
    if kind == s.PAIR:
        return 0.7
    if kind == s.KEEP or kind == s.STAY:
        return 1.6
    if kind == s.OWN:
        return 1.3 if legal.possible(state, kind, arg) else 0.0
    if kind == s.RACETRACK or kind == s.GAP or kind == s.ROW or kind == s.SAME:
        return _best_row(state, player, sign, gains)
    if kind == s.CABARET or kind == s.ANYWHERE or kind == s.NEXT:
        spaces = places.next_to_any(state)
        if kind == s.ANYWHERE:
            spaces = places.cabaret_room(state)
        elif kind == s.NEXT and arg:
            spaces = legal.targets(state, kind, arg)
        return _best_space(state, player, sign, spaces, gains)
    if kind == s.PLACE:
        best = _best_space(state, player, sign, places.next_to_any(state), gains)
        return max(best, _best_row(state, player, sign, gains))
    return 0.0


def _step(state: Any, player: int, sign: float, gains: Any) -> float:
    seat = state.player
    old = state.level[seat]
    if old == places.top(state):
        return 0.0
    before = finance_worth(state, player, gains)
    new = turns.climbed(state, seat)
    more = 0.0
    for level in range(old + 1, new + 1):
        more += bonus_worth(turns.bonus_on(state, level))
    state.level[seat] = new
    after = finance_worth(state, player, gains)
    state.level[seat] = old
    return sign * (after - before) + more


def _best_row(state: Any, player: int, sign: float, gains: Any) -> float:
    seat = state.player
    if not state.supply[seat]:
        return 0.0
    starts = places.row_starts(state, 0)
    best = 0.0
    for row in range(p.ROWS):
        space = starts & places.row_bits(state, row)
        if space:
            before = row_worth(state, player, row, gains)
            state.tokens[seat] |= space
            gain = sign * (row_worth(state, player, row, gains) - before)
            state.tokens[seat] ^= space
            best = max(best, gain + bonus_worth(state.bonus[places.count(space - 1)]))
    return best


def _best_space(state: Any, player: int, sign: float, spaces: int, gains: Any) -> float:
    seat = state.player
    if not state.supply[seat] or not spaces:
        return 0.0
    before = cabaret_worth(state, player, gains)
    best = -WIN
    left = spaces
    while left:
        space = left & -left
        left ^= space
        state.tokens[seat] |= space
        gain = sign * (cabaret_worth(state, player, gains) - before)
        state.tokens[seat] ^= space
        best = max(best, gain + bonus_worth(state.bonus[places.count(space - 1)]))
    return best


def _best_swap(state: Any, player: int, own: int, faces: Any, gains: Any) -> float:
    """Return the value of the position after swapping this token for the best one of the opponent."""
    best = -WIN
    left = state.tokens[1 - player]
    while left:
        other = left & -left
        left ^= other
        change = other | 1 << own
        state.tokens[0] ^= change
        state.tokens[1] ^= change
        best = max(best, _base(state, player, faces, gains))
        state.tokens[0] ^= change
        state.tokens[1] ^= change
    return best


def _exchanged(state: Any, player: int, pair: int) -> float:
    """Return the value of the position after the two characters change places, which this player would know."""
    first, second = p.first_of(pair), p.second_of(pair)
    faces = [0] * p.N_SLOTS
    gains = [0.0] * (2 * p.N_SLOTS)
    _look(state, player, faces, gains)
    one = faces[first]
    faces[first] = faces[second]
    faces[second] = one
    for seat in range(2):
        gain = gains[seat * p.N_SLOTS + first]
        gains[seat * p.N_SLOTS + first] = gains[seat * p.N_SLOTS + second]
        gains[seat * p.N_SLOTS + second] = gain
    return _base(state, player, faces, gains)
