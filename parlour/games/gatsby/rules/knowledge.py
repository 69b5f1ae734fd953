"""What each seat may know of the characters (GA-24), and dealing again what it cannot know.

A face is not drawn before somebody looks at it, so what nobody has seen is in no state. What has been seen is kept as
a list of looks and exchanges; what a seat knows follows from those that it saw.
"""

from __future__ import annotations

from typing import Any

from parlour.core.contract import Buffer
from parlour.core.rng import random_below, random_word
from parlour.games.gatsby.rules import tables as t

OUTLINE = ("recall", "has_won", "resample", "_can_have", "_fits", "_make")
TRIES = 40  # courses of the game by chance; then one that fits is sought
NOBODY_LOOKED, HE_DID_NOT = -2, -1  # instead of the face of a character
ANY = -1  # it does not matter whether a seat has won


def note(state: Any, kind: int, seat: int, place: int, rest: int) -> None:
    state.log[state.noted] = kind | seat << 2 | place << 4 | rest << 8
    state.noted += 1


def recall(state: Any, player: int, seen: Buffer) -> None:
    """GA-24: for each character the mask of places where it may lie as `player` knows; 0: he never saw it.

    An exchange that he was not told of makes "in this place" into "in one of these two". A spectator is player -1.
    """
    for c in range(t.N_CHARACTERS):
        seen[c] = 0
    for i in range(state.noted):
        entry = state.log[i]
        kind, seat, place, rest = entry & 3, entry >> 2 & 3, entry >> 4 & 15, entry >> 8 & 15
        here, there = 1 << place, 1 << rest
        if kind == t.SEEN:
            if seat == player or seat == t.PUBLIC:
                for c in range(t.N_CHARACTERS):
                    seen[c] &= ~here
                seen[rest] = here
        elif kind == t.HIDDEN_MOVE and seat != player:
            _rule_out(seen)  # before what is certain becomes one of two, and no longer says where others cannot be
            for c in range(t.N_CHARACTERS):
                if seen[c] & (here | there):
                    seen[c] |= here | there
        elif kind == t.MOVED or entry >> 12:
            for c in range(t.N_CHARACTERS):
                known = seen[c]
                seen[c] = (known & ~here & ~there) | (known >> place & 1) << rest | (known >> rest & 1) << place
    _rule_out(seen)


def _rule_out(seen: Buffer) -> None:
    """GA-24: where one is for certain, no other can be."""
    certain, before = 0, -1
    while certain != before:
        before = certain
        for c in range(t.N_CHARACTERS):
            if seen[c] & (seen[c] - 1):
                seen[c] &= ~certain
            if not seen[c] & (seen[c] - 1):
                certain |= seen[c]


def sure(seen: Buffer, slot: int) -> int:
    """The character that by `seen` lies at `slot` for certain, or -1."""
    for c in range(t.N_CHARACTERS):
        if seen[c] == 1 << slot:
            return c
    return -1


def winner(state: Any, leave: int) -> int:
    """GA-22: who has won at once, the active player first, or -1; characters at the places `leave` do not count."""
    if has_won(state, state.player, leave):
        return int(state.player)
    return 1 - int(state.player) if has_won(state, 1 - state.player, leave) else -1


def has_won(state: Any, seat: int, leave: int) -> int:
    """GA-22: TRIO, ALL_SUITS or 0."""
    found = 0  # two bits for each suit: how many
    for slot in range(t.N_SLOTS):
        if state.owner[slot] == seat and state.char[slot] >= 0 and not leave >> slot & 1:
            found += 1 << 2 * (state.char[slot] // t.OF_SUIT)
    if found & found >> 1 & 0b0101010101:
        return t.TRIO
    return t.ALL_SUITS if (found | found >> 1) & 0b0101010101 == 0b0101010101 else 0


# Dealing again -----------------------------------------------------------------------------------
def resample(state: Any, player: int, rng: Buffer) -> None:
    """GA-24: redraw faces and tiles that `player` (-1: a spectator) cannot know, with their true chances.

    Exact for the shuffles: all that fits what he saw is equally likely, and what he was not told of (an exchange, which
    tile of a draw was kept) is taken as the toss of a coin. What the opponent's *choices* betray is not weighed.
    """
    _tiles(state, player, rng)
    _characters(state, player, rng)


def _tiles(state: Any, player: int, rng: Buffer) -> None:
    """Tiles of which he knows only that they are somewhere among these places are dealt to them at random.

    The places are sorted first: where the tiles really lie must not show in what is dealt.
    """
    where, places = [0] * t.N_TILES, [0] * t.N_TILES
    n = 0
    for tile in range(t.N_TILES):
        if not tile_known(state, tile, player):
            where[n] = tile
            i = n
            while i > 0 and places[i - 1] > state.tile[tile]:
                places[i] = places[i - 1]
                i -= 1
            places[i] = state.tile[tile]
            n += 1
    for i in range(n - 1, -1, -1):
        k = random_below(rng, i + 1)
        state.tile[where[i]] = places[k]
        places[k] = places[i]


def tile_known(state: Any, tile: int, player: int) -> bool:
    """GA-24: whether `player` knows where this tile is."""
    place = state.tile[tile]
    if place == t.IN_PILE:
        return False
    if place == t.IN_HAND or place == t.KEPT:
        return bool(player == state.player)
    if place == t.ASIDE_HIDDEN or place == t.ASIDE_HIDDEN + 1:
        return bool(player == place - t.ASIDE_HIDDEN)
    if place == t.DISCARDED or place == t.DISCARDED + 1:
        return bool(player == place - t.DISCARDED)
    return True


def _characters(state: Any, player: int, rng: Buffer) -> None:
    leave = state.fresh if state.stack[state.depth - 1] & t.KIND == t.CLAIM else 0
    outcome = _announced(state, leave)
    lies, face, moved, coins = [0] * t.N_SLOTS, [0] * t.N_SLOTS, [0] * t.LOG, [0] * t.LOG
    hidden = 0
    for slot in range(t.N_SLOTS):
        if state.char[slot] >= 0 and not state.up >> slot & 1:
            hidden += 1
    if not hidden:
        return
    for _ in range(TRIES):
        if _fits(state, player, rng, random_word(rng), coins, lies, face, moved) & 1:
            _fill(state, rng, lies, face)
            if _announced(state, leave) == outcome:
                _rewrite(state, lies, face, moved)
                return
    _make(state, player, rng, leave, outcome, lies, face, moved, coins)


def _announced(state: Any, leave: int) -> int:
    """GA-22, GA-24: who has won at once, and with what: everybody is told both before the faces are shown; or -1."""
    seat = winner(state, leave)
    return seat if seat < 0 else has_won(state, seat, leave) << 1 | seat


def _fits(
    state: Any, player: int, rng: Buffer, luck: int, coins: Buffer, lies: Buffer, face: Buffer, moved: Buffer
) -> int:  # fmt: skip
    """Try one course of the game: which tile lies where, and the faces that he saw: 1 if they agree, else 0; plus 2 for
    each coin up to there. An exchange that he was not told of, of a tile whose face he knew, is coin i: it falls as bit
    i of `luck`, or the other way where coins[i] is 1. Of two other tiles nothing that he sees hangs on it."""
    used = 0
    tossed = 0
    for slot in range(t.N_SLOTS):
        lies[slot] = slot
        face[slot] = NOBODY_LOOKED
    for i in range(state.noted):
        entry = state.log[i]
        kind, seat, place, rest = entry & 3, entry >> 2 & 3, entry >> 4 & 15, entry >> 8 & 15
        if kind == t.SEEN:
            one = lies[place]
            if seat == player or seat == t.PUBLIC:
                if face[one] == rest:
                    continue
                if face[one] >= 0 or used >> rest & 1:
                    return 2 * tossed
                face[one] = rest
                used |= 1 << rest
            elif face[one] == NOBODY_LOOKED:
                face[one] = HE_DID_NOT
        else:
            moved[i] = 1 if kind == t.MOVED else entry >> 12
            if kind == t.HIDDEN_MOVE and seat != player:
                if face[lies[place]] >= 0 or face[lies[rest]] >= 0:
                    moved[i] = luck >> tossed & 1 ^ coins[tossed]
                    tossed += 1
                else:
                    moved[i] = random_below(rng, 2)
            if moved[i]:
                one = lies[place]
                lies[place] = lies[rest]
                lies[rest] = one
    return 2 * tossed + 1


def _fill(state: Any, rng: Buffer, lies: Buffer, face: Buffer) -> None:
    """Give faces to the tiles that only others have looked at, and lay all where they lie."""
    used = 0
    for one in range(t.N_SLOTS):
        if face[one] >= 0:
            used |= 1 << face[one]
    for one in range(t.N_SLOTS):
        if face[one] == HE_DID_NOT:
            pick = random_below(rng, t.N_CHARACTERS)
            while used >> pick & 1:
                pick = random_below(rng, t.N_CHARACTERS)
            face[one] = pick
            used |= 1 << pick
    for slot in range(t.N_SLOTS):
        state.char[slot] = max(face[lies[slot]], -1)


def _rewrite(state: Any, lies: Buffer, face: Buffer, moved: Buffer) -> None:
    """Make the list of looks and exchanges agree with what has been dealt."""
    for slot in range(t.N_SLOTS):
        lies[slot] = slot
    for i in range(state.noted):
        entry = state.log[i]
        place, rest = entry >> 4 & 15, entry >> 8 & 15
        if entry & 3 == t.SEEN:
            state.log[i] = (entry & 0xFF) | face[lies[place]] << 8
        else:
            if entry & 3 == t.HIDDEN_MOVE:
                state.log[i] = (entry & 0xFFF) | moved[i] << 12
            if moved[i]:
                one = lies[place]
                lies[place] = lies[rest]
                lies[rest] = one


# When luck does not help -------------------------------------------------------------------------
def _make(
    state: Any,
    player: int,
    rng: Buffer,
    leave: int,
    outcome: int,
    lies: Buffer,
    face: Buffer,
    moved: Buffer,
    coins: Buffer,
) -> None:  # fmt: skip
    """Go through the courses of the game, coin by coin from random ones on, until one fits; `coins` are zeros.

    What comes of it hangs on what he saw, and on chance alone. One fits: what has happened does.
    """
    luck = random_word(rng)
    while True:
        found = _fits(state, player, rng, luck, coins, lies, face, moved)
        if found & 1 and _ending(state, rng, leave, outcome, lies, face):
            _fill(state, rng, lies, face)
            _rewrite(state, lies, face, moved)
            return
        last = (found >> 1) - 1
        while last >= 0 and coins[last]:
            coins[last] = 0
            last -= 1
        if last < 0:
            return
        coins[last] = 1


def _ending(state: Any, rng: Buffer, leave: int, outcome: int, lies: Buffer, face: Buffer) -> bool:
    """Give faces to the taken characters that he did not look at, so that just what was announced has happened: one
    after the other, and back where that cannot be; False if it cannot."""
    places, tried = [0] * t.N_SLOTS, [0] * (t.N_SLOTS + 1)
    n = 0
    used = 0
    for slot in range(t.N_SLOTS):
        known = face[lies[slot]]
        if known >= 0:
            used |= 1 << known
        elif known == HE_DID_NOT and state.owner[slot] >= 0 and not leave >> slot & 1:
            places[n] = lies[slot]
            n += 1
    turn = random_below(rng, t.N_CHARACTERS)
    level = 0
    going_on = _can_end(state, leave, outcome, lies, face)
    while going_on and level < n:
        one = places[level]
        if face[one] >= 0:  # back from the next one
            used ^= 1 << face[one]
            face[one] = HE_DID_NOT
        if tried[level] == t.N_CHARACTERS:
            tried[level] = 0
            level -= 1
            going_on = level >= 0
            continue
        pick = (turn + 4 * tried[level]) % t.N_CHARACTERS  # suit by suit, each face once
        tried[level] += 1
        if not used >> pick & 1:
            face[one] = pick
            used |= 1 << pick
            if _can_end(state, leave, outcome, lies, face):
                level += 1
    return going_on


def _can_end(state: Any, leave: int, outcome: int, lies: Buffer, face: Buffer) -> bool:
    """GA-22, GA-24: whether the characters that have faces leave room for what was announced; when all have, whether
    it is so. The active player is looked at first, so it does not matter whether another has won, too."""
    for seat in range(2):
        need = 0
        if outcome >= 0 and outcome & 1 == seat:
            need = outcome >> 1
        elif outcome >= 0 and outcome & 1 == state.player:
            need = ANY
        if need != ANY and not _can_have(state, seat, need, leave, lies, face):
            return False
    return True


def _can_have(state: Any, seat: int, need: int, leave: int, lies: Buffer, face: Buffer) -> bool:
    """GA-22: whether a seat can still have won with TRIO or ALL_SUITS, or (0) not at all."""
    have, free = [0] * t.SUITS, [t.OF_SUIT] * t.SUITS
    left = 0
    for slot in range(t.N_SLOTS):
        known = face[lies[slot]]
        if known >= 0:
            free[known // t.OF_SUIT] -= 1
        if state.owner[slot] == seat and not leave >> slot & 1:
            if known >= 0:
                have[known // t.OF_SUIT] += 1
            else:  # its owner has looked at it: a taken character that nobody has looked at is left out
                left += 1
    missing, trio, can_be_trio = 0, False, False
    for suit in range(t.SUITS):
        trio = trio or have[suit] == t.OF_SUIT
        can_be_trio = can_be_trio or have[suit] + min(left, free[suit]) == t.OF_SUIT
        if not have[suit]:
            missing += 1 if free[suit] else t.N_SLOTS
    if need == t.TRIO:
        return can_be_trio
    return not trio and (missing > 0 if need == 0 else missing <= left)
