"""What a network sees of a position of Gatsby: features that are there or not, from the side of one seat.

A character on the board is worth what it would bring to each player, times how near both are to rallying it. A small
network finds such products hard. So each place has one feature for the whole combination: how far both are, and what
the character would bring each of them. Places of a kind share these features.
"""

from __future__ import annotations

from typing import Any

from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.rules import places, turns
from parlour.games.gatsby.rules import state as s
from parlour.games.gatsby.study.steps import steps_left

OUTLINE = ("_brings", "_suits", "_racetrack", "_cabaret", "_finance", "_holdings", "_turn")

GAINS = 4  # what a character would bring: little, prestige, a threat, the game
PAIRS = GAINS * GAINS  # to the player, and to the other
FEW, MANY = 1, 2  # prestige
AHEAD = 5  # levels that are distinguished; more count as this many
PATH = 7  # steps of a path that are distinguished; more, or a path that is blocked, count as this many
STARS = 4
LEAD = 10  # of prestige
HELD = 8  # characters
BACK = 4  # tiles set aside
KINDS, BONUSES = s.BEGIN + 1, 8
# Where the tokens on a row of a length begin: one place for each pair of numbers that fit in it
ROW_AT = (0, 0, 3, 9, 19, 34)
ROW_PAIRS = 55

ROWS = 0
FLOORS = ROWS + ROW_PAIRS * PAIRS
PATHS = FLOORS + (AHEAD + 1) * (AHEAD + 1) * PAIRS
STAR = PATHS + (PATH + 1) * (PATH + 1) * PAIRS
SUITS = STAR + (STARS + 1) * (STARS + 1) * PAIRS
DISTINCT = SUITS + (p.OF_SUIT + 1) * (p.OF_SUIT + 1)
PRESTIGE = DISTINCT + (p.SUITS + 1) * (p.SUITS + 1)
COUNTS = PRESTIGE + 2 * LEAD + 1
TOKENS = COUNTS + 2 * (HELD + 1)
SUPPLY = TOKENS + 2 * p.RACE
LEVEL = SUPPLY + 22
ON_SPACE = LEVEL + 2 * p.LEVELS
ASIDE = ON_SPACE + 2 * p.N_TILES
HAND = ASIDE + 2 * (BACK + 1)
NEXT_BONUS = HAND + p.N_TILES
CLIMB = NEXT_BONUS + 2 * BONUSES
LAST = CLIMB + 2 * BONUSES
DUE = LAST + 8
DUE_BONUS = DUE + 2 * KINDS
FEATURES = DUE_BONUS + 2 * BONUSES
ACTIVE = 256


def features(state: Any, player: int, out: Any) -> int:
    """See `parlour.engine.no_policy`. Every face that a player has seen counts, as in `policy.lead`."""
    brings = [0] * p.N_SLOTS
    n = _brings(state, player, brings, out)
    n = _racetrack(state, player, brings, out, n)
    n = _finance(state, player, brings, out, n)
    n = _cabaret(state, player, brings, out, n)
    n = _holdings(state, player, out, n)
    return _turn(state, player, out, n)


def _brings(state: Any, player: int, brings: Any, out: Any) -> int:
    """Write into brings[place] what the character there would bring both; write what both have of suits and
    prestige. Return how many features there are."""
    have = [0] * (2 * p.SUITS)
    held = [0] * 2
    ahead = 0
    for slot in range(p.N_SLOTS):
        if state.owner[slot] >= 0:
            side = 0 if state.owner[slot] == player else 1
            held[side] += 1
            face = state.char[slot]
            if face >= 0:
                have[side * p.SUITS + face // p.OF_SUIT] += 1
                ahead += state.prestige[face] if side == 0 else -state.prestige[face]
    mine, other = 0, 0
    for suit in range(p.SUITS):
        out[suit] = SUITS + have[suit] * (p.OF_SUIT + 1) + have[p.SUITS + suit]
        mine += 1 if have[suit] else 0
        other += 1 if have[p.SUITS + suit] else 0
    out[p.SUITS] = DISTINCT + mine * (p.SUITS + 1) + other
    out[p.SUITS + 1] = PRESTIGE + LEAD + max(-LEAD, min(LEAD, ahead))
    out[p.SUITS + 2] = COUNTS + min(HELD, held[0])
    out[p.SUITS + 3] = COUNTS + HELD + 1 + min(HELD, held[1])
    for slot in range(p.N_SLOTS):
        if state.owner[slot] < 0:
            face = state.char[slot]
            if face < 0:
                brings[slot] = FEW * GAINS + FEW
            else:
                suit = face // p.OF_SUIT
                plain = FEW if state.prestige[face] >= MANY else 0
                ours, theirs = have[suit], have[p.SUITS + suit]
                brings[slot] = _gain(ours, theirs, mine, plain) * GAINS + _gain(theirs, ours, other, plain)
    return p.SUITS + 4


def _gain(have: int, against: int, suits: int, plain: int) -> int:
    """Return what one more of a suit brings (GA-22), by those that both have, and by the suits that the player has."""
    if have == 2 or (have == 0 and suits == p.SUITS - 1):
        return 3
    if (have == 1 and against == 0) or (have == 0 and suits == p.SUITS - 2):
        return 2
    return plain


def _racetrack(state: Any, player: int, brings: Any, out: Any, n: int) -> int:
    """Write how each open row is divided, and the bonuses next on them."""
    for row in range(p.ROWS):
        slot = p.TRACK + row
        if state.owner[slot] < 0:
            whole = places.row_bits(state, row)
            mine, other = places.count(state.tokens[player] & whole), places.count(state.tokens[1 - player] & whole)
            length = state.lengths[row]
            at = row_at(length) + mine * (length + 1) - mine * (mine - 1) // 2 + other
            out[n] = ROWS + at * PAIRS + brings[slot]
            n += 1
            room = whole & ~(state.tokens[0] | state.tokens[1])
            if room:
                out[n] = NEXT_BONUS + state.bonus[places.count((room & -room) - 1)]
                n += 1
    return n


def row_at(length: int) -> int:
    return int(ROW_AT[length])


def _finance(state: Any, player: int, brings: Any, out: Any, n: int) -> int:
    """Write how far both are from each floor that has a character, where they are, and the bonuses above them."""
    mine, other = state.level[player], state.level[1 - player]
    for floor in range(p.FLOORS):
        slot = p.FINANCE + floor
        if state.owner[slot] < 0:
            far = max(0, min(AHEAD, state.char_level[floor] - mine))
            theirs = max(0, min(AHEAD, state.char_level[floor] - other))
            out[n] = FLOORS + (far * (AHEAD + 1) + theirs) * PAIRS + brings[slot]
            n += 1
    out[n] = LEVEL + mine
    out[n + 1] = LEVEL + p.LEVELS + other
    n += 2
    if mine < places.top(state):
        out[n] = CLIMB + turns.bonus_on(state, mine + 1)
        n += 1
    if other < places.top(state):
        out[n] = CLIMB + BONUSES + turns.bonus_on(state, other + 1)
        n += 1
    return n


def _cabaret(state: Any, player: int, brings: Any, out: Any, n: int) -> int:
    """Write how far both are on each path, their stars, their tokens, and the bonuses beside tokens."""
    for path in range(2):
        if state.owner[path] < 0:
            mine = min(PATH, steps_left(state, player, path))
            other = min(PATH, steps_left(state, 1 - player, path))
            out[n] = PATHS + (mine * (PATH + 1) + other) * PAIRS + brings[path]
            n += 1
    if state.owner[p.STARS] < 0:
        mine = min(STARS, places.count(state.tokens[player] & state.stars[0]))
        other = min(STARS, places.count(state.tokens[1 - player] & state.stars[0]))
        out[n] = STAR + (mine * (STARS + 1) + other) * PAIRS + brings[p.STARS]
        n += 1
    for side in range(2):
        left = state.tokens[player if side == 0 else 1 - player] & p.CABARET_BITS
        while left:
            space = left & -left
            left ^= space
            out[n] = TOKENS + side * p.RACE + places.count(space - 1)
            n += 1
    left = places.next_to_any(state)
    while left:
        space = left & -left
        left ^= space
        bonus = state.bonus[places.count(space - 1)]
        if bonus:
            out[n] = NEXT_BONUS + BONUSES + bonus
            n += 1
    return n


def _holdings(state: Any, player: int, out: Any, n: int) -> int:
    """Write what both have besides characters: tokens left, and tiles."""
    aside = [0] * 2
    for tile in range(p.N_TILES):
        place = state.tile[tile]
        if s.ON_SPACE <= place < s.ASIDE:
            out[n] = ON_SPACE + (0 if place == s.ON_SPACE + player else p.N_TILES) + tile
            n += 1
        elif s.ASIDE <= place < s.DISCARDED:
            aside[0 if (place - s.ASIDE) % 2 == player else 1] += 1
        elif place == s.IN_HAND or place == s.KEPT:
            out[n] = HAND + tile
            n += 1
    for side in range(2):
        seat = player if side == 0 else 1 - player
        out[n] = SUPPLY + side * 11 + min(10, (state.supply[seat] + 1) // 2)
        out[n + 1] = ASIDE + side * (BACK + 1) + min(BACK, aside[side])
        n += 2
    return n


def _turn(state: Any, player: int, out: Any, n: int) -> int:
    """Write where the action token is, and what is due: the next part, and those after it."""
    out[n] = LAST + state.last + 1
    n += 1
    if state.force:
        out[n] = LAST + 6
        n += 1
    if state.player == player:
        out[n] = LAST + 7
        n += 1
    last = state.due - 1
    for i in range(max(0, last - 20), last + 1):
        kind = state.due_kind[i]
        later = 0 if i == last else 1
        out[n] = DUE + later * KINDS + kind
        n += 1
        if kind == s.BONUS:
            out[n] = DUE_BONUS + later * BONUSES + state.due_arg[i]
            n += 1
    return n
