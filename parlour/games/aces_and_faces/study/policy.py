"""What a position of Aces & Faces is worth to a player: lines begun, the opponents' lines, and the
rest of the turn.

It may read all hands, because the other hands in these positions have been dealt again.
"""

from __future__ import annotations

from math import exp
from typing import Any

from parlour.games.aces_and_faces import rules as r
from parlour.games.aces_and_faces.rules import pieces as c

MEMO = 0
SCALE, FAR = 130.0, 8.0  # of `outlook`
SPREAD = 60.0  # how far apart decisions are for one to look e times as good
# Most of a game is luck: from `greedy` to the best search there is one step, and more simulations bring no second.
LEVELS = {"expert": 10_000, "medium": ("greedy", 0.0), "easy": 100}
PLANS = {"easy": {"length": 100}}  # judges by random play, nearly always to the end
WON = 10_000.0
WORTH = (0, 2, 7, 24, 200)  # of a line (AF-13), by how many of its cards are in one hand
THREAT = 0.45  # the weight of an opponent's lines
GUESSED = 3.0  # the worth of a move that is not known yet


def value(state: Any, player: int) -> float:
    """Return the worth of the player's lines, less the opponents', and of the rest of the turn if it is theirs."""
    if state.phase == r.OVER:
        return 0.0 if state.winner == r.NOBODY else WON if state.winner == player else -WON
    total = 0.0
    for seat in range(state.players):
        held = float(_worth(state.hands[seat]))
        total += held if seat == player else -THREAT * held
    return total + _prospect(state, player) if state.player == player else total


def outlook(state: Any, player: int) -> float:
    """See `parlour.engine.no_policy`: `value` as odds, which SCALE more of it makes e times as good."""
    return exp(max(-FAR, min(FAR, value(state, player) / SCALE)))


def _worth(hand: int) -> int:
    total = 0
    for i in range(c.N_LINES):
        total += WORTH[c.size(hand & c.LINES[i])]
    return total


def _gain(state: Any, player: int, card: int, other: int) -> float:
    """Return what the player gains by getting the card from `other` or its slot or, if they hold it,
    by giving it there."""
    gain: float = 0.0
    for i in range(2):
        seat = other if i else player
        if seat != r.NOBODY:
            rest = state.hands[seat] & ~(1 << card)
            ranks = c.size(rest & c.LINES[card % 4])
            suits = c.size(rest & c.LINES[4 + card // 4])
            more = float(WORTH[ranks + 1] - WORTH[ranks] + WORTH[suits + 1] - WORTH[suits])
            gain += THREAT * more if i else more
    own = bool(state.hands[player] >> card & 1)
    return -gain if own else gain


def _prospect(state: Any, player: int) -> float:
    """Return the worth of what is due in this turn: the better square, the best card, a guess or a duel."""
    phase = state.phase
    if phase in (r.GUESS, r.GUESS_CARD):  # AF-10: the odds are better far from the middle of the ranks
        far: int = max(14 - state.number, state.number - 2)
        return GUESSED * far / 13.0
    if phase == r.MATCH_CARD:  # AF-11: a quarter of the pile, if a card is there
        return GUESSED / 4.0
    if phase not in (r.MOVE, r.MATCH_PICK, r.DUEL, r.DUEL_SECOND, r.GIVE):
        return 0.0
    best = -WON
    least = -WON
    reach = _reach(state)
    for card in range(c.N_CARDS):
        if state.hands[player] >> card & 1:  # to the opponent of a lost duel
            other = state.rival if phase in (r.DUEL_SECOND, r.GIVE) else r.NOBODY
            least = max(least, _gain(state, player, card, other))
        elif reach >> card & 1:
            best = max(best, _gain(state, player, card, r.holder_of(state, card)))
    if phase == r.MOVE:
        if c.size(reach) < 2:  # AF-6: the other square is not a card's
            best = max(best, GUESSED / 2.0)
        return best if best > -WON else -GUESSED  # both squares are those of their own cards
    if phase == r.MATCH_PICK:
        return best
    if phase == r.GIVE:
        return least
    if phase == r.DUEL:  # AF-12: even odds, and it need not be
        return max(0.0, 0.46 * (best + least))
    win, lose = _odds(state)
    return win * best + lose * least


def _reach(state: Any) -> int:
    """Return the set of cards that the player whose turn it is may get now."""
    if state.phase in (r.MATCH_PICK, r.DUEL):
        return int(r.choice(state))
    if state.phase != r.MOVE:
        return 1 << int(state.named)
    found = 0
    for way in (r.CLOCKWISE, r.ANTICLOCKWISE):
        square = state.board[r.destination(state, way)]
        if square < c.N_CARDS:
            found |= 1 << square
    return found


def _odds(state: Any) -> tuple[float, float]:
    """AF-12: return the chances that the opponent's card is lower or higher than the challenger's."""
    lower = 0
    higher = 0
    total = 0
    first = c.rank_of(state.first)
    cards = r.pile(state)
    for kind in range(c.N_KINDS):
        n = cards[kind]
        total += n
        result = r.duel(first, c.rank_of(kind))
        if result == r.DUEL_WON:
            lower += n
        elif result == r.DUEL_LOST:
            higher += n
    return lower / total, higher / total


def settled(state: Any, player: int) -> bool:
    """Return whether `value` need not wait for the next card: it begins a turn, or `value` knows its odds in a duel."""
    return bool(state.phase == r.TURN or state.phase == r.DUEL_SECOND)


def memo_key(state: Any, action: int) -> int:
    """Return -1: no two positions are similar enough to share a stored value."""
    return -1
