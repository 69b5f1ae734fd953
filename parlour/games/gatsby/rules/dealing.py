"""Dealing again what a seat cannot know (GA-24): faces that it has not seen, and exchanges and tiles
that it was not shown."""

from __future__ import annotations

from typing import NamedTuple

from parlour.core.contract import Buffer
from parlour.core.rng import random_below, random_word
from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.rules import state as s
from parlour.games.gatsby.rules.hidden import tile_known
from parlour.games.gatsby.rules.scoring import has_won, winner
from parlour.games.gatsby.rules.state import State

OUTLINE = ("resample", "_can_have", "_fits", "_make")
TRIES = 40  # random courses of the game before one that fits is searched for
NOBODY_LOOKED, THEY_DID_NOT = -2, -1  # instead of the face of a character
ANY = -1  # it does not matter whether a seat has won


class Course(NamedTuple):
    """One course that the game can have taken: the character in each slot, the face of each character,
    whether the exchange of each log entry was made, and which coins are turned over."""

    lies: Buffer
    face: Buffer
    moved: Buffer
    coins: Buffer


def resample(state: State, player: int, rng: Buffer) -> None:
    """GA-24: redraw faces and tiles that `player` (a seat or a spectator) cannot know, with their
    true chances.

    Exact for the shuffles: everything that fits what they saw is equally likely, and what they were
    not shown (an exchange, which tile of a draw was kept) is taken as the toss of a coin. What the
    opponent's *choices* reveal is not taken into account.
    """
    _tiles(state, player, rng)
    _characters(state, player, rng)


def _tiles(state: State, player: int, rng: Buffer) -> None:
    """Deal again, at random, the tiles of which `player` knows only that they are somewhere among
    these places.

    The places are sorted first: the result must not depend on where the tiles really are.
    """
    where, places = [0] * p.N_TILES, [0] * p.N_TILES
    n = 0
    for tile in range(p.N_TILES):
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


def _characters(state: State, player: int, rng: Buffer) -> None:
    leave = state.fresh if state.due_kind[state.due - 1] == s.CLAIM else 0
    outcome = _announced(state, leave)
    course = Course([0] * p.N_SLOTS, [0] * p.N_SLOTS, [0] * s.LOG, [0] * s.LOG)
    hidden = 0
    for slot in range(p.N_SLOTS):
        if state.char[slot] >= 0 and not state.up >> slot & 1:
            hidden += 1
    if not hidden:
        return
    for _ in range(TRIES):
        if _fits(state, player, rng, random_word(rng), course) & 1:
            _fill(state, rng, course)
            if _announced(state, leave) == outcome:
                _rewrite(state, course)
                return
    _make(state, player, rng, leave, outcome, course)


def _announced(state: State, leave: int) -> int:
    """GA-22, GA-24: return the winner of a sudden victory and what they won with, or -1. Both are
    announced before the faces are shown."""
    seat = winner(state, leave)
    return seat if seat < 0 else has_won(state, seat, leave) << 1 | seat


def _fits(state: State, player: int, rng: Buffer, luck: int, course: Course) -> int:
    """Try one course of the game: where each character is, and the faces that `player` saw.

    Return 1 if they agree, else 0; plus 2 for each coin up to there. An exchange that `player` was
    not shown, of a character whose face they knew, is coin i: it is bit i of `luck`, or the opposite
    if coins[i] is 1. Exchanges of two other characters affect nothing that they see.
    """
    lies, face, moved, coins = course
    used = 0
    tossed = 0
    for slot in range(p.N_SLOTS):
        lies[slot] = slot
        face[slot] = NOBODY_LOOKED
    for i in range(state.noted):
        entry = state.log[i]
        kind, seat, place, rest = entry & 3, entry >> 2 & 3, entry >> 4 & 15, entry >> 8 & 15
        if kind == s.SEEN:
            one = lies[place]
            if seat == player or seat == s.PUBLIC:
                if face[one] == rest:
                    continue
                if face[one] >= 0 or used >> rest & 1:
                    return 2 * tossed
                face[one] = rest
                used |= 1 << rest
            elif face[one] == NOBODY_LOOKED:
                face[one] = THEY_DID_NOT
        else:
            moved[i] = 1 if kind == s.MOVED else entry >> 12
            if kind == s.HIDDEN_MOVE and seat != player:
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


def _fill(state: State, rng: Buffer, course: Course) -> None:
    """Give faces to the characters that only others have looked at, and put all in their places."""
    lies, face = course.lies, course.face
    used = 0
    for one in range(p.N_SLOTS):
        if face[one] >= 0:
            used |= 1 << face[one]
    for one in range(p.N_SLOTS):
        if face[one] == THEY_DID_NOT:
            pick = random_below(rng, p.N_CHARACTERS)
            while used >> pick & 1:
                pick = random_below(rng, p.N_CHARACTERS)
            face[one] = pick
            used |= 1 << pick
    for slot in range(p.N_SLOTS):
        state.char[slot] = max(face[lies[slot]], -1)


def _rewrite(state: State, course: Course) -> None:
    """Make the list of looks and exchanges agree with the new deal."""
    lies, face, moved = course.lies, course.face, course.moved
    for slot in range(p.N_SLOTS):
        lies[slot] = slot
    for i in range(state.noted):
        entry = state.log[i]
        place, rest = entry >> 4 & 15, entry >> 8 & 15
        if entry & 3 == s.SEEN:
            state.log[i] = (entry & 0xFF) | face[lies[place]] << 8
        else:
            if entry & 3 == s.HIDDEN_MOVE:
                state.log[i] = (entry & 0xFFF) | moved[i] << 12
            if moved[i]:
                one = lies[place]
                lies[place] = lies[rest]
                lies[rest] = one


# When no random course fits ----------------------------------------------------------------------
def _make(state: State, player: int, rng: Buffer, leave: int, outcome: int, course: Course) -> None:
    """Try the courses of the game, coin by coin from random ones on, until one fits. The coins of
    `course` are zeros at first.

    The result depends only on what `player` saw and on chance. One course always fits: the one that
    the game took.
    """
    coins = course.coins
    luck = random_word(rng)
    while True:
        found = _fits(state, player, rng, luck, course)
        if found & 1 and _ending(state, rng, leave, outcome, course.lies, course.face):
            _fill(state, rng, course)
            _rewrite(state, course)
            return
        last = (found >> 1) - 1
        while last >= 0 and coins[last]:
            coins[last] = 0
            last -= 1
        if last < 0:
            return
        coins[last] = 1


def _ending(state: State, rng: Buffer, leave: int, outcome: int, lies: Buffer, face: Buffer) -> bool:
    """Give faces to the taken characters that `player` did not look at, so that exactly what was
    announced has happened: one after the other, with backtracking. Return False if that is
    impossible."""
    places, tried = [0] * p.N_SLOTS, [0] * (p.N_SLOTS + 1)
    n = 0
    used = 0
    for slot in range(p.N_SLOTS):
        known = face[lies[slot]]
        if known >= 0:
            used |= 1 << known
        elif known == THEY_DID_NOT and state.owner[slot] >= 0 and not leave >> slot & 1:
            places[n] = lies[slot]
            n += 1
    turn = random_below(rng, p.N_CHARACTERS)
    level = 0
    going_on = _can_end(state, leave, outcome, lies, face)
    while going_on and level < n:
        one = places[level]
        if face[one] >= 0:  # back from the next one
            used ^= 1 << face[one]
            face[one] = THEY_DID_NOT
        if tried[level] == p.N_CHARACTERS:
            tried[level] = 0
            level -= 1
            going_on = level >= 0
            continue
        pick = (turn + 4 * tried[level]) % p.N_CHARACTERS  # suit by suit, each face once
        tried[level] += 1
        if not used >> pick & 1:
            face[one] = pick
            used |= 1 << pick
            if _can_end(state, leave, outcome, lies, face):
                level += 1
    return going_on


def _can_end(state: State, leave: int, outcome: int, lies: Buffer, face: Buffer) -> bool:
    """GA-22, GA-24: return whether the characters that have faces leave room for what was announced
    or, when all have faces, agree with it. The active player's victory comes first, so it does not
    matter whether the other has won, too."""
    for seat in range(2):
        need = 0
        if outcome >= 0 and outcome & 1 == seat:
            need = outcome >> 1
        elif outcome >= 0 and outcome & 1 == state.player:
            need = ANY
        if need != ANY and not _can_have(state, seat, need, leave, lies, face):
            return False
    return True


def _can_have(state: State, seat: int, need: int, leave: int, lies: Buffer, face: Buffer) -> bool:
    """GA-22: return whether a seat can still have won with TRIO or ALL_SUITS, or (0) not at all."""
    have, free = [0] * p.SUITS, [p.OF_SUIT] * p.SUITS
    left = 0
    for slot in range(p.N_SLOTS):
        known = face[lies[slot]]
        if known >= 0:
            free[known // p.OF_SUIT] -= 1
        if state.owner[slot] == seat and not leave >> slot & 1:
            if known >= 0:
                have[known // p.OF_SUIT] += 1
            else:  # its owner has looked at it: taken characters that no player has looked at are left out
                left += 1
    missing, trio, can_be_trio = 0, False, False
    for suit in range(p.SUITS):
        trio = trio or have[suit] == p.OF_SUIT
        can_be_trio = can_be_trio or have[suit] + min(left, free[suit]) == p.OF_SUIT
        if not have[suit]:
            missing += 1 if free[suit] else p.N_SLOTS
    if need == s.TRIO:
        return can_be_trio
    return not trio and (missing > 0 if need == 0 else missing <= left)
