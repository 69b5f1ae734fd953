"""The reasons for a decision of Gatsby that places no token: a Special Action tile kept, a bonus taken, characters
looked at or swapped. See `grounds`."""

from __future__ import annotations

from dataclasses import replace

from parlour.core.contract import Ground
from parlour.games.gatsby.rules import hidden, places
from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.rules import state as s
from parlour.games.gatsby.rules.holdings import tile_of
from parlour.games.gatsby.study import policy, steps

CAN = "can "  # before what a part that is still to come can do at best
LEAST = 0.05  # points by which a swap must change the position
PEEKED = 0.5 * policy.bonus_worth(p.PEEK)  # for each face that is new


def could(grounds: list[Ground]) -> list[Ground]:
    """Return the same reasons as what a part that is still to come can do."""
    return [replace(ground, what=CAN + ground.what) for ground in grounds]


def looked(state: s.State, seat: int) -> tuple[list[int], list[float]]:
    """Return the faces that this seat knows, and what each character would bring either seat: see `policy._look`."""
    faces, gains = [0] * p.N_SLOTS, [0.0] * (2 * p.N_SLOTS)
    policy._look(state, seat, faces, gains)
    return faces, gains


def kept(state: s.State, tile: int, seat: int) -> list[Ground]:
    """Return what the tile does; if a tile is on the player's space, only one that does more (GA-8, GA-14)."""
    own, worth = tile_of(state, seat), policy.tile_worth(tile)
    if state.due_kind[state.due - 1] == s.KEEP and own >= 0 and worth <= policy.tile_worth(own):
        return []
    return [Ground("tile", worth, (tile,))]


def offered(state: s.State, bonus: int, seat: int) -> list[Ground]:
    """Return what a bonus brings that is neither a token nor a step (GA-14)."""
    worth = policy.bonus_worth(bonus)
    if bonus == p.FORCE:
        return [Ground("force", worth)]
    if bonus == p.SPECIAL:  # GA-23
        return [Ground("point", worth)]
    unknown = _unknown(state, seat)
    return [Ground("peek", worth, (unknown,))] if bonus == p.PEEK and unknown else []


def paired(state: s.State, pair: int, seat: int, *, blind: bool) -> list[Ground]:
    """Return the reasons to look at two characters, or to swap them unseen (GA-14, GA-16)."""
    faces, _ = looked(state, seat)
    unknown = sum(faces[slot] < 0 for slot in (p.first_of(pair), p.second_of(pair)))
    shown = [Ground("unknown", PEEKED * unknown, (unknown,))] if unknown and not blind else []
    swapped = exchanged(state, pair, seat, really=True)
    return swapped if blind else shown + could(swapped)


def exchanged(state: s.State, pair: int, seat: int, *, really: bool) -> list[Ground]:
    """Return the reason to swap two characters, or not to: what it means for the place that gains most (GA-14).

    The gains of the two places add up to the whole, because `policy` counts a place by what its character brings.
    """
    faces, gains = looked(state, seat)
    slots = p.first_of(pair), p.second_of(pair)
    change = [_change(state, seat, slots[i], slots[1 - i], faces, gains) for i in range(2)]
    more = sum(change) if really else -sum(change)
    if more <= LEAST:
        return []
    at = change.index(max(change) if really else min(change))
    here, there = faces[slots[at]], faces[slots[1 - at]]
    level = state.char_level[slots[at] - p.FINANCE] if p.FINANCE <= slots[at] < p.TRACK else 0
    ahead = nearer(state, seat, slots[at])
    what, char = ("brings", there) if really else ("stays", here)
    if ahead < 0:
        what, char = ("takes", here) if really else ("spares", there)
    return [Ground(what, more, (char, slots[at], level))] if ahead and char >= 0 else []


def _change(state: s.State, seat: int, slot: int, other: int, faces: list[int], gains: list[float]) -> float:
    """Return what the place gains if the character of another place moves there."""
    moved = [*gains]
    for who in range(2):
        moved[who * p.N_SLOTS + slot] = gains[who * p.N_SLOTS + other]
    return float(policy._base(state, seat, faces, moved) - policy._base(state, seat, faces, gains))


def nearer(state: s.State, seat: int, slot: int) -> int:
    """Return which seat is nearer to a character: 1 for this seat, -1 for the other, 0 for neither (GA-17 to GA-20)."""
    mine, other = (_near(state, one, slot) for one in (seat, 1 - seat))
    if slot == p.STARS and mine and other:  # GA-18: as it is, neither player can have all of them
        return 0
    return (mine > other) - (mine < other)


def _near(state: s.State, seat: int, slot: int) -> int:
    if slot < p.STARS:
        return -int(steps.steps_left(state, seat, slot))
    if slot == p.STARS:
        return places.count(state.tokens[seat] & state.stars[0])
    if slot < p.TRACK:
        return int(state.level[seat])
    return places.count(state.tokens[seat] & places.row_bits(state, slot - p.TRACK))


def _unknown(state: s.State, seat: int) -> int:
    """GA-24: count the characters on the board whose faces this seat does not know for certain."""
    seen = [0] * p.N_CHARACTERS
    hidden.recall(state, seat, seen)
    return sum(state.owner[slot] < 0 and hidden.sure(seen, slot) < 0 for slot in range(p.N_SLOTS))
