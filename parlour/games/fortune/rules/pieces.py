"""What is in Fortune's box: eight dice and the kinds of card (FO-1, FO-2).

Dice of one face are interchangeable, so they are counted by face and packed as four bits for each, skulls lowest. A
decision is a set of dice to roll, known by its number; the tables say what each set holds and what dice can show.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import comb, factorial, prod

from parlour.core.contract import Buffer

# FO-1: the faces of a die
N_DICE, N_FACES = 8, 6
SKULL, SWORD, MONKEY, PARROT, GOLD, DIAMOND = 0, 1, 2, 3, 4, 5
FACES = ("skull", "sword", "monkey", "parrot", "gold", "diamond")
N_OBJECTS = N_FACES - 1
N_SETS = comb(N_DICE + N_OBJECTS, N_OBJECTS)  # of dice that are not skulls

# FO-2: the kinds of card, in the order of the edition's deck
N_CARDS, MAX_PILE = 13, 64
CARD_GOLD, CARD_DIAMOND, SORCERESS, CAPTAIN, CHEST, MONKEY_BUSINESS, STORM, TRUCE = 0, 1, 2, 3, 4, 5, 6, 7
SKULLS_1, SKULLS_2, SEA_2, SEA_3, SEA_4 = 8, 9, 10, 11, 12
CARDS = (
    "gold", "diamond", "sorceress", "captain", "treasure-chest", "monkey-business", "storm", "truce",
    "skulls-1", "skulls-2", "sea-battle-2", "sea-battle-3", "sea-battle-4",
)  # fmt: skip
CARD_SKULLS = (0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0)  # FO-22, by kind; without a card (NOBODY, -1) the last: 0


def _ranks() -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Return RANK: RANK[face][left][r] counts the vectors that come before, when `left` dice remain for this object
    and the later ones and this object takes r."""

    def before(later: int, left: int, r: int) -> int:
        return sum(comb(left - x + later, later) for x in range(min(r, left + 1)))

    digits = range(N_DICE + 1)
    return tuple(
        tuple(tuple(before(N_OBJECTS - 1 - i, left, r) for r in digits) for left in digits) for i in range(N_OBJECTS)
    )


RANK = _ranks()


def encode(sword: int, monkey: int, parrot: int, gold: int, diamond: int, skull: int) -> int:
    """Return the action that rolls this many dice of each face."""
    left = N_DICE
    rank = skull * N_SETS + RANK[0][left][sword]
    left -= sword
    rank += RANK[1][left][monkey]
    left -= monkey
    rank += RANK[2][left][parrot]
    left -= parrot
    rank += RANK[3][left][gold]
    left -= gold
    return rank + RANK[4][left][diamond]


def _sets() -> tuple[int, ...]:
    """Return SETS: for each action the dice that it rolls, packed like the outcome of a roll (4 bits for each face)."""
    packed = [0] * N_SETS
    for a in range(N_DICE + 1):
        for b in range(N_DICE + 1 - a):
            for c in range(N_DICE + 1 - a - b):
                for d in range(N_DICE + 1 - a - b - c):
                    for e in range(N_DICE + 1 - a - b - c - d):
                        packed[encode(a, b, c, d, e, 0)] = a << 4 | b << 8 | c << 12 | d << 16 | e << 20
    return (*packed, *(dice | 1 for dice in packed))


def _parts() -> tuple[tuple[int, ...], ...]:
    """Return PARTS, FIRST, SMALL_PARTS and SMALL_FIRST.

    PARTS[FIRST[a] : FIRST[a + 1]]: ascending, all actions without a skull that roll two or more of the dice that `a`
    rolls. SMALL_PARTS and SMALL_FIRST: the same for one die or no die.
    """
    action_of = {dice: action for action, dice in enumerate(SETS[:N_SETS])}
    parts: list[int] = []
    first = [0]
    small_parts: list[int] = []
    small_first = [0]
    for dice in SETS[:N_SETS]:
        some = [0]
        for shift in (4, 8, 12, 16, 20):
            if n := dice >> shift & 15:
                some = [rest + more for rest in some for more in range(0, n + 1 << shift, 1 << shift)]
        actions = [action_of[part] for part in some]
        small_parts += actions
        small_first.append(len(small_parts))
        parts += [action for action in actions if SIZE[action] > 1]
        first.append(len(parts))
    return tuple(parts), tuple(first), tuple(small_parts), tuple(small_first)


SETS = _sets()
SIZE = tuple(sum(dice >> 4 * face & 15 for face in range(N_FACES)) for dice in SETS)
PARTS, FIRST, SMALL_PARTS, SMALL_FIRST = _parts()


def decode(action: int, out: Buffer) -> int:
    """Write how many dice of each face `action` rolls into out[0:6]; return how many in all."""
    for face in range(N_FACES):
        out[face] = SETS[action] >> 4 * face & 15
    return SIZE[action]


def _lowest() -> tuple[int, ...]:
    """Return LOWEST: LOWEST[places << 4 | n] has the first n of these places, each a bit, or all if there are fewer."""
    found = []
    for places in range(1 << N_DICE):
        bits = [1 << place for place in range(N_DICE) if places >> place & 1]
        found += [sum(bits[:n]) for n in range(16)]
    return tuple(found)


LOWEST = _lowest()


def _rolls() -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """FO-1: return ROLLS, FIRST_ROLL and WAYS.

    ROLLS[FIRST_ROLL[n] : FIRST_ROLL[n + 1]] has what n dice can show, packed, and WAYS in how many ways.
    """
    rolls: list[int] = []
    ways: list[int] = []
    first = [0]
    for dice in range(N_DICE + 1):
        for shown in combinations_with_replacement(range(N_FACES), dice):
            rolls.append(sum(1 << 4 * face for face in shown))
            ways.append(factorial(dice) // prod(factorial(shown.count(face)) for face in range(N_FACES)))
        first.append(len(rolls))
    return tuple(rolls), tuple(ways), tuple(first)


ROLLS, WAYS, FIRST_ROLL = _rolls()
