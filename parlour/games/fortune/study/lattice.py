"""What a turn of Fortune can become, as numbers for one card. They are computed by calling the rules.

Dice are counted by face. A *level* is a number of skulls among the dice; a *node* of it is how many of each of the five
objects are on the table. Faces that the card treats alike are exchangeable, and one node represents all versions that
differ only by exchanging them: of 1,287 vectors some 170 to 400 are left. Nodes are numbered from the fewest dice to
the most. With `s` skulls, nodes of 8 - s objects are dice that have all landed; smaller ones are kept while the rest
roll.

The numbers of one card are ROWS rows of WIDTH, from row `at` of a table; written in the subset of Python that the rules
use.
"""

from __future__ import annotations

from typing import Any

from parlour.games.fortune import rules as r

LEVELS = r.N_DICE + 1
N = r.N_SETS
NONE = N  # no node
WIDTH = N + 1
FIVE = r.N_OBJECTS

HEAD = 0  # the row of single numbers below
RANK = 1  # node -> its vector, as an action of the rules
NODE = 2  # vector -> node
UP = 3  # + object: the node with one more of it
DOWN = UP + FIVE  # + object: the node with one less; NONE if it has no such object
WORTH = DOWN + FIVE  # + level: what landed dice are worth if the turn ends with them
WAYS = WORTH + LEVELS  # + level: in how many of the 6 ** 8 ways the first roll gives them
ROLL = WAYS + LEVELS  # + level: 1 if these dice may be kept at a re-roll (FO-6)
FREE = ROLL + LEVELS  # + level: 1 if they may after the Sorceress has taken a skull (FO-18)
KEPT = FREE + LEVELS  # + level: what they bring when the roll of the others disqualifies (FO-16)
ROWS = KEPT + LEVELS

READY, NODES, SAFE, HELP = 0, 1, 2, 3  # filled; how many nodes; KEPT counts (FO-16); the Sorceress may help
FIRST = 8  # + n: the first node of n objects, n = 0 to 9
OPENS = 24  # + level, after the first roll: OVER, DECIDES, ISLAND or STRANDED
LIVE = 40  # + LEVELS * fresh + level, after a later roll: OVER or DECIDES; fresh: the Sorceress has not helped yet
LOSS = 64  # + level: what opponents lose when the Island is left with this many skulls on the dice (FO-15)
ON = 80  # + LEVELS * level + skulls rolled there: 1 if the turn on the Island continues (FO-14)
BUST = 192  # + level: 1 if a player whose turn ends with them is disqualified (FO-7)
OVER, DECIDES, ISLAND = 0, 1, 2
STRANDED = 3  # the first roll leads to the Island and leaves too few dice to roll there (FO-14)

OUTLINE = ("prepare",)


def prepare(state: Any, card: int, t: Any, at: int, out: Any) -> None:
    """Fill rows `at` to `at + ROWS` of `t` for `card` at the table of `state`, which is used up as scratch.

    `out` is a buffer of MAX_LEGAL ints.
    """
    head = t[at]
    for i in range(len(head)):
        head[i] = 0
    state.card = card
    head[SAFE] = 1 if card == r.CHEST else 0
    _land_all(state, t, at)
    kind = [0] * FIVE
    _alike(t, at, kind)
    _number_nodes(t, at, kind)
    _read_worths(state, t, at)
    _read_choices(state, t, at, out)
    _read_island(state, head)
    head[READY] = 1


def lay(state: Any, skulls: int, vector: int) -> int:
    """Put these skulls and objects on the table, with nothing in the last roll. Return how many
    dice are missing."""
    n = 0
    for face in range(r.N_FACES):
        count = skulls if face == r.SKULL else r.SETS[vector] >> 4 * face & 15
        state.count[face] = count
        state.places[face] = (1 << n + count) - (1 << n)
        n += count
    state.rolled = (1 << r.N_DICE) - (1 << n)
    return r.N_DICE - n


def roll(state: Any, skulls: int, vector: int, rolls: int, spell: int, island: int, outcome: int) -> None:
    """Let the missing dice land with `outcome`, after `rolls` rolls, and apply the rules to that."""
    lay(state, skulls, vector)
    state.rolls, state.spell, state.island = rolls, spell, island
    state.phase = r.ROLL
    state.worth, state.loss, state.turns, state.final_left, state.player = 0, 0, 0, 0, 0
    for seat in range(state.players):
        state.scores[seat] = 0
    r.apply(state, outcome)


def vector_of(dice: int) -> int:
    """Return the objects of packed dice (4 bits for each face) as an action's vector."""
    return r.encode(dice >> 4 & 15, dice >> 8 & 15, dice >> 12 & 15, dice >> 16 & 15, dice >> 20 & 15, 0)


def _land_all(state: Any, t: Any, at: int) -> None:
    """Go through all 1,287 throws of eight dice: write worths by vector (put in order later), and what each level
    means."""
    head = t[at]
    for k in range(r.FIRST_ROLL[r.N_DICE], r.FIRST_ROLL[r.N_DICE + 1]):
        dice = r.ROLLS[k]
        level = dice & 15
        roll(state, 0, 0, 0, 0, 0, dice)
        if state.phase == r.DECIDE:
            head[OPENS + level] = ISLAND if state.island else DECIDES
        elif state.fate == r.ISLAND:
            head[OPENS + level] = STRANDED
        for fresh in range(2):
            roll(state, 0, 0, 1, 1 - fresh, 0, dice)
            head[LIVE + LEVELS * fresh + level] = DECIDES if state.phase == r.DECIDE else OVER
            if state.phase == r.DECIDE:
                t[at + KEPT + level][vector_of(dice)] = r.worth_now(state)
                head[BUST + level] = 1 if r.skulls(state) >= 3 else 0
            else:
                head[BUST + level] = 1 if state.fate == r.DISQUALIFIED else 0
                t[at + KEPT + level][vector_of(dice)] = state.worth


def _alike(t: Any, at: int, kind: Any) -> None:
    """Write into kind[object] the first object with which it can be exchanged without changing any worth."""
    for a in range(FIVE):
        kind[a] = a
        for b in range(a - 1, -1, -1):
            if kind[b] == b and _exchangeable(t, at, a, b):
                kind[a] = b


def _exchangeable(t: Any, at: int, a: int, b: int) -> bool:
    for k in range(r.FIRST_ROLL[r.N_DICE], r.FIRST_ROLL[r.N_DICE + 1]):
        dice = r.ROLLS[k]
        x = dice >> 4 * (a + 1) & 15
        y = dice >> 4 * (b + 1) & 15
        other = dice + ((y - x) << 4 * (a + 1)) + ((x - y) << 4 * (b + 1))
        worths = t[at + KEPT + (dice & 15)]
        if worths[vector_of(dice)] != worths[vector_of(other)]:
            return False
    return True


def _in_order(dice: int, kind: Any) -> int:
    """Return the version of these dice in which no object outnumbers an earlier one that it can be exchanged with."""
    for _ in range(FIVE):
        for a in range(1, FIVE):
            for b in range(a):
                if kind[a] == kind[b]:
                    x = dice >> 4 * (a + 1) & 15
                    y = dice >> 4 * (b + 1) & 15
                    if x > y:
                        dice += ((y - x) << 4 * (a + 1)) + ((x - y) << 4 * (b + 1))
    return dice


def _number_nodes(t: Any, at: int, kind: Any) -> None:
    head, rank, node = t[at], t[at + RANK], t[at + NODE]
    n = 0
    for size in range(LEVELS):
        head[FIRST + size] = n
        for vector in range(N):
            if r.SIZE[vector] == size and _in_order(r.SETS[vector], kind) == r.SETS[vector]:
                rank[n] = vector
                node[vector] = n
                n += 1
    head[FIRST + LEVELS] = n
    head[NODES] = n
    for vector in range(N):
        node[vector] = node[vector_of(_in_order(r.SETS[vector], kind))]
    for i in range(n):
        dice = r.SETS[rank[i]]
        for a in range(FIVE):
            one = 1 << 4 * (a + 1)
            t[at + UP + a][i] = node[vector_of(dice + one)] if r.SIZE[rank[i]] < r.N_DICE else NONE
            t[at + DOWN + a][i] = node[vector_of(dice - one)] if dice >> 4 * (a + 1) & 15 else NONE


def _read_worths(state: Any, t: Any, at: int) -> None:
    """Write worths and ways by node, and what the chest saves when skulls disqualify."""
    head, rank, node = t[at], t[at + RANK], t[at + NODE]
    for level in range(LEVELS):
        for i in range(head[FIRST + r.N_DICE - level], head[FIRST + LEVELS - level]):
            t[at + WORTH + level][i] = t[at + KEPT + level][rank[i]]
            t[at + WAYS + level][i] = 0
    for k in range(r.FIRST_ROLL[r.N_DICE], r.FIRST_ROLL[r.N_DICE + 1]):
        t[at + WAYS + (r.ROLLS[k] & 15)][node[vector_of(r.ROLLS[k])]] += r.WAYS[k]
    for level in range(LEVELS):
        for i in range(head[NODES]):
            t[at + ROLL + level][i] = 0
            t[at + FREE + level][i] = 0
            t[at + KEPT + level][i] = 0
            missing = r.N_DICE - level - r.SIZE[rank[i]]
            if head[SAFE] and missing > 0:
                roll(state, level, rank[i], 1, 0, 0, missing)  # all of them skulls
                if state.phase != r.DECIDE:
                    t[at + KEPT + level][i] = state.worth


def _read_choices(state: Any, t: Any, at: int, out: Any) -> None:
    """Write which dice may be kept at a re-roll: all that some legal decision leaves."""
    head, rank, node = t[at], t[at + RANK], t[at + NODE]
    for level in range(LEVELS):
        if head[OPENS + level] == DECIDES:
            for i in range(head[FIRST + r.N_DICE - level], head[FIRST + LEVELS - level]):
                roll(state, 0, 0, 0, 0, 0, r.SETS[rank[i]] + level)
                for k in range(1, r.legal_actions(state, out)):
                    taken = r.SETS[out[k]]
                    left = node[vector_of(r.SETS[rank[i]] - (taken - (taken & 15)))]
                    if taken & 15:
                        t[at + FREE + level - 1][left] = 1
                        head[HELP] = 1
                    else:
                        t[at + ROLL + level][left] = 1


def _read_island(state: Any, head: Any) -> None:
    """FO-13 to FO-15, FO-17, FO-23: write the losses, and whether a roll on the Island leads to another decision."""
    for level in range(LEVELS):
        lay(state, level, 0)
        state.island = 1
        head[LOSS + level] = r.island_loss(state)
        for more in range(LEVELS - level):
            if head[OPENS + level] == ISLAND:
                roll(state, level, 0, 1, 0, 1, more + ((r.N_DICE - level - more) << 4))
                if state.phase == r.DECIDE:
                    head[ON + LEVELS * level + more] = 1
