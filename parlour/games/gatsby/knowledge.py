"""What each seat may know of the characters (GA-24), and dealing again what it cannot know.

A face is not drawn before somebody looks at it, so what nobody has seen is in no state. What has been seen is kept as
a list of looks and exchanges; what a seat knows follows from those that it saw.
"""

from __future__ import annotations

from typing import Any

from parlour.core.game import Buffer
from parlour.core.rng import random_below
from parlour.games.gatsby import tables as t

OUTLINE = ("recall", "has_won", "resample")
TRIES = 3000  # dealing again what fits: one in 100 at the very least does


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
    old, lies, face, moved = [0] * t.N_SLOTS, [0] * t.N_SLOTS, [0] * t.N_SLOTS, [0] * t.LOG
    hidden = 0
    for slot in range(t.N_SLOTS):
        old[slot] = state.char[slot]
        if old[slot] >= 0 and not state.up >> slot & 1:
            hidden += 1
    if not hidden:
        return
    for _ in range(TRIES):
        if _fits(state, player, rng, lies, face, moved):
            for slot in range(t.N_SLOTS):
                state.char[slot] = face[lies[slot]]
            if _announced(state, leave) == outcome:
                _rewrite(state, lies, face, moved)
                return
    for slot in range(t.N_SLOTS):  # pragma: no cover - never in millions of games
        state.char[slot] = old[slot]


def _announced(state: Any, leave: int) -> int:
    """GA-22, GA-24: who has won at once, and with what: everybody is told both before the faces are shown; or -1."""
    seat = winner(state, leave)
    return seat if seat < 0 else has_won(state, seat, leave) << 1 | seat


def _fits(state: Any, player: int, rng: Buffer, lies: Buffer, face: Buffer, moved: Buffer) -> bool:
    """Try one course of the game: which tile lies where, and faces for those looked at; False if he saw otherwise."""
    used = 0
    looked = 0
    for slot in range(t.N_SLOTS):
        lies[slot] = slot
        face[slot] = -1
    for i in range(state.noted):
        entry = state.log[i]
        kind, seat, place, rest = entry & 3, entry >> 2 & 3, entry >> 4 & 15, entry >> 8 & 15
        if kind == t.SEEN:
            one = lies[place]
            looked |= 1 << one
            if seat == player or seat == t.PUBLIC:
                if face[one] == rest:
                    continue
                if face[one] >= 0 or used >> rest & 1:
                    return False
                face[one] = rest
                used |= 1 << rest
        else:
            moved[i] = 1 if kind == t.MOVED else entry >> 12
            if kind == t.HIDDEN_MOVE and seat != player:
                moved[i] = random_below(rng, 2)
            if moved[i]:
                one = lies[place]
                lies[place] = lies[rest]
                lies[rest] = one
    for one in range(t.N_SLOTS):
        if looked >> one & 1 and face[one] < 0:
            pick = random_below(rng, t.N_CHARACTERS)
            while used >> pick & 1:
                pick = random_below(rng, t.N_CHARACTERS)
            face[one] = pick
            used |= 1 << pick
    return True


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
