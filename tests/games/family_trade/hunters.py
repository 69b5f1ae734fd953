"""Games of Family Trade whose players go for "one to go", and then let cards lie: many hands are announced at once."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from parlour.core.contract import TERMINAL
from parlour.core.rng import RNG_SIZE, seed_rng
from parlour.games.family_trade import rules as r
from tests.games.family_trade.table import FAMILY_TRADE


def hunts(ruleset: str, players: int, seed: int, steps: int = 1500, honour: str = "off") -> Iterator[r.State]:
    """Yield the state after each step; of four games one is played without declining."""
    random = Random(seed)
    declined = 0.0 if seed % 4 == 0 else 0.95
    options = FAMILY_TRADE.options({"ruleset": ruleset, "honour_calls": honour})
    state = FAMILY_TRADE.start(players, FAMILY_TRADE.edition(), options)
    rng, legal = [0] * RNG_SIZE, [0] * r.MAX_LEGAL
    seed_rng(rng, seed, 0)
    for _ in range(steps):
        player = r.current_player(state)
        if player == TERMINAL:
            return
        if player < 0:
            r.apply(state, r.sample_chance(state, rng))
        else:
            actions = legal[: r.legal_actions(state, legal)]
            goes = random.random() >= declined
            if state.phase == r.ASK:
                action = r.OUT if goes else r.PASS
            elif state.phase != r.TURN:
                action = random.choice(actions)
            elif r.OUT in actions and (goes if r.complete(state.hand[player]) else random.random() < 0.1):
                action = r.OUT
            else:
                cards = [action for action in actions if action < r.N_KINDS]
                action = max(cards, key=lambda card: (_left(state, player, card), random.random()))
            r.apply(state, action)
        yield state


def _left(state: r.State, player: int, card: int) -> float:
    """How good the hand is without this card."""
    hand = list(state.hand[player])
    hand[card] -= 1
    sets = sum(10 * (n // 3) + (3 if n % 3 == 2 else 0) for n in hand[:8]) - 5 * hand[8]
    return sets + (50 if r.wanted(hand) != r.NONE else 0)
