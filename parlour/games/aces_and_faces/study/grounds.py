"""The reasons for a decision of Aces & Faces: what it does to the player's lines, and what the pile still holds.

They use only the player's hand, the slots, the board and the cards turned, never which cards others hold (AF-15).
"""

from __future__ import annotations

from parlour.core.contract import ALIKE, Ground
from parlour.games.aces_and_faces import rules as r
from parlour.games.aces_and_faces.rules import pieces as c
from parlour.games.aces_and_faces.study.policy import GUESSED, WORTH


def grounds(state: r.State, action: int) -> list[Ground]:
    """See `parlour.core.contract.Grounds`."""
    phase = state.phase
    hand = state.hands[state.player]
    if phase == r.CHOOSE_CORNER:
        return [Ground(ALIKE, 1.0)] if _even(state) else []
    if phase == r.MOVE:
        return _moved(state, action)
    if phase == r.GUESS:  # AF-10
        return _odds("guess", state, [rank_counts(state, action)], 1.0, (int(action == r.HIGHER), state.number))
    if phase == r.MATCH_PICK:
        return _gained(hand, action - r.CARD, 1.0)
    if phase == r.DUEL:  # AF-12: even odds
        if action == r.NO_DUEL:
            return [Ground("stake", 0.5 * least_loss(hand))]
        return _gained(hand, action - r.CARD, 0.5)
    return _kept(hand, action - r.CARD) if phase == r.GIVE else []


def _even(state: r.State) -> bool:
    """Return whether from each corner every number leads to the same two squares, but for the suit (AF-2, AF-3)."""
    around = [
        [{_from(state, suit, number), _from(state, suit, -number)} for number in range(2, 11)]
        for suit in range(c.N_SUITS)
    ]
    return all(squares == around[0] for squares in around)


def _from(state: r.State, suit: int, steps: int) -> tuple[int, int]:
    """Return what is this many squares from a suit's corner: its kind, and by how many its suit, if any, is further
    on."""
    square = state.board[(state.corner[suit] + steps) % state.squares]
    if square < c.N_CARDS:
        return square % 4, (square // 4 - suit) % c.N_SUITS
    if square < c.HIGHER_LOWER:
        return c.MATCH, (square - c.MATCH - suit) % c.N_SUITS
    return square, 0


def _moved(state: r.State, way: int) -> list[Ground]:
    """Return the reasons to go this way: what its square gives, and what the other way would cost (AF-6, AF-9)."""
    hand = state.hands[state.player]
    square, other = (state.board[r.destination(state, one)] for one in (way, r.CLOCKWISE + r.ANTICLOCKWISE - way))
    found = []
    if other < c.N_CARDS and hand >> other & 1 and not (square < c.N_CARDS and hand >> square & 1):  # AF-9
        found.append(Ground("returns", float(_worth(hand) - _worth(hand & ~(1 << other))), (other,)))
    if square < c.N_CARDS:
        return found if hand >> square & 1 else found + _gained(hand, square, 1.0)
    if square == c.HIGHER_LOWER:
        counts = [rank_counts(state, guess) for guess in (r.HIGHER, r.LOWER)]
        best = max(range(2), key=lambda i: counts[i])
        return found + _odds("guess", state, [counts[best]], GUESSED, (int(best == 0), state.number))
    if square < c.HIGHER_LOWER:  # AF-11
        suit = square - c.MATCH
        if state.slots & c.LINES[4 + suit]:
            cards = r.pile(state)
            n = sum(cards[kind] for kind in range(c.N_KINDS) if c.suit_of(kind) == suit)
            return found + _odds("match", state, [n], GUESSED, (suit,))
    return found


def rank_counts(state: r.State, guess: int) -> int:
    """Return how many cards left in the pile make a guess right (AF-10)."""
    cards = r.pile(state)
    return sum(cards[kind] for kind in range(c.N_KINDS) if r.guessed_right(state, guess, kind))


def _odds(what: str, state: r.State, good: list[int], weight: float, about: tuple[int, ...]) -> list[Ground]:
    whole = sum(r.pile(state)[kind] for kind in range(c.N_KINDS))
    return [Ground(what, weight * n / whole, (n, whole, *about)) for n in good if n]


def _gained(hand: int, card: int, chance: float) -> list[Ground]:
    """Return the better of the two lines that the card belongs to (AF-13)."""
    lines = (card % 4, 4 + card // 4)
    counts = [c.size((hand | 1 << card) & c.LINES[line]) for line in lines]
    best = counts.index(max(counts))
    more = sum(WORTH[n] - WORTH[n - 1] for n in counts)
    return [Ground("line", chance * more, (counts[best], lines[best]))]


def _kept(hand: int, card: int) -> list[Ground]:
    """Return the best line that is left when the card is handed over (AF-12, AF-13)."""
    rest = hand & ~(1 << card)
    n, line = max((c.size(rest & c.LINES[line]), -line) for line in range(c.N_LINES))
    return [Ground("keeps", float(WORTH[n]), (n, -line))] if n > 1 else []


def least_loss(hand: int) -> float:
    """Return the cost of giving away the least useful card."""
    return float(min(_worth(hand) - _worth(hand & ~(1 << card)) for card in range(c.N_CARDS) if hand >> card & 1))


def _worth(hand: int) -> int:
    return sum(WORTH[c.size(hand & line)] for line in c.LINES)
