"""What never changes in a game, however it is played: a function of the state for each game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from parlour.games.facets_of_fortune import rules as facets


def fortune(state: Any) -> tuple[Any, ...]:
    """Eight dice, on the table or in the air; every card either turned or not turned yet."""
    in_air = bin(state.rolled).count("1") if state.phase == 2 else 0
    lying = sum(state.count)
    turned = state.pile[: min(state.turned, state.deck_size)]
    cards = tuple(turned.count(kind) + state.unseen[kind] for kind in range(len(state.deck)))
    return (lying + in_air if state.card >= 0 else 8, cards == tuple(state.deck), sum(state.deck))


def kuhn(state: Any) -> tuple[Any, ...]:
    """Return what stays: no card is dealt twice."""
    return (len(set(state.hand[: state.dealt])) == state.dealt, state.cards)


def pig(state: Any) -> tuple[Any, ...]:
    """Return what stays: the die keeps its faces, and totals are never negative."""
    return (state.faces, min(state.scores) >= 0)


def facets_of_fortune(state: Any) -> tuple[Any, ...]:
    """Return what stays: ten gems in each open market; every card in deck, discards or a hand; no debts."""
    gems = [state.board[colour] + sum(own[colour] for own in state.own) for colour in range(4)]
    hands = sum(state.held)
    lying = hands == sum(kind >= 0 for hand in state.hand for kind in hand)
    cards = sum(state.unseen) + sum(state.used) + hands
    whole = state.phase == facets.START or gems == [0 if shut else 10 for shut in state.closed]
    return (whole, state.left == sum(state.unseen), cards, lying, min(state.money) >= 0)


def gatsby(state: Any) -> tuple[Any, ...]:
    """Return what stays: tokens are on the board or in a supply; no face is drawn twice; no tile is lost."""
    faces = [face for face in state.char if face >= 0]
    tokens = tuple(bin(state.tokens[seat]).count("1") + state.supply[seat] for seat in (0, 1))
    return (tokens, len(set(faces)) == len(faces), state.tokens[0] & state.tokens[1], len(state.tile))


def aces_and_faces(state: Any) -> tuple[Any, ...]:
    """Return what stays: the sixteen cards are each in a slot or in one hand; the rest of the pile is counted right."""
    places = (state.slots, *state.hands[: state.players])
    once = sum(places) == 0xFFFF and sum(bin(place).count("1") for place in places) == 16
    left = sum(state.unseen) == state.left and all(0 <= n <= m for n, m in zip(state.unseen, state.deck, strict=True))
    return (once, left, sum(state.deck))


def family_trade(state: Any) -> tuple[Any, ...]:
    """Return what stays: every card is in the deck, in the dump, in a hand, or has left the game.

    Sums of money do not stay, because the bank's money is not in the game outside Battle Royale; but each chip is on
    the ladder or not in use.
    """
    hands = [*state.hand, *state.gone]
    in_play = sum(state.deck) + state.row_size + sum(map(sum, hands))
    rest = state.n_cards - in_play  # the sets of those who went out in Battle Royale
    each = all(0 <= n <= 127 for n in (*state.deck, *state.dumped, *(n for hand in hands for n in hand)))
    return (
        each,
        sum(state.deck) == state.deck_size,
        [state.row[: state.row_size].count(kind) for kind in range(9)] == list(state.dumped),
        rest == 0 if state.ruleset < 2 else rest % 3 == 0,
        all(-1 <= step < 10 for step in state.price),
        state.jackpot >= 0,
    )


_ALL = (aces_and_faces, facets_of_fortune, family_trade, fortune, gatsby, kuhn, pig)
CONSERVED: dict[str, Callable[[Any], tuple[Any, ...]]] = {one.__name__.replace("_", "-"): one for one in _ALL}
