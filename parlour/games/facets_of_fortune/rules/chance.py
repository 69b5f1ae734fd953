"""Facets of Fortune: the seat that begins, the cards drawn, the dice."""

from __future__ import annotations

from parlour.core.contract import Buffer
from parlour.core.rng import choose_weighted, random_below
from parlour.games.facets_of_fortune.rules import pieces as p
from parlour.games.facets_of_fortune.rules import state as s
from parlour.games.facets_of_fortune.rules.markets import open_markets
from parlour.games.facets_of_fortune.rules.state import State

STEP_ZERO = 8  # in outcomes of a roll


def roll_outcome(gem: int, step: int) -> int:
    """FF-11: return the outcome of a roll: what the gem die shows, and how far a marker moves."""
    return gem << 4 | step + STEP_ZERO


def rolled(outcome: int) -> tuple[int, int]:
    """Undo `roll_outcome`: the gem die (a colour, WILD or ALL) and the step."""
    return outcome >> 4, (outcome & 15) - STEP_ZERO


def chance_outcomes(state: State, out: Buffer, weights: Buffer) -> int:
    """Write all outcomes and their weights: seats, kinds of card, rolls of both dice, or those of a heist die."""
    phase = state.phase
    n = 0
    if phase == s.START:  # FF-7
        for seat in range(state.players):
            out[n] = seat
            weights[n] = 1
            n += 1
    elif phase == s.DRAW:  # FF-17
        for kind in range(p.N_KINDS):
            cards = state.unseen[kind] if state.left else state.used[kind]
            if cards:
                out[n] = kind
                weights[n] = cards
                n += 1
    elif phase == s.ROLL:
        n = _rolls(state, out, weights)
    elif phase == s.ATTACK or phase == s.DEFEND:  # FF-4
        for shown in range(1, state.heist_die + 1):
            out[n] = shown
            weights[n] = 1
            n += 1
    return n


def _rolls(state: State, out: Buffer, weights: Buffer) -> int:
    """FF-11: write the rolls of both dice. Open markets, Wild and All are equally likely; a last market needs no gem
    die."""
    alone = open_markets(state) == 1
    n = 0
    for gem in range(p.N_COLOURS + 2):
        if alone and gem >= p.WILD:
            break
        if gem < p.WILD and state.closed[gem]:
            continue
        for i in range(p.N_STEPS):
            same = 0
            first = True
            for j in range(p.N_STEPS):
                if state.steps[j] == state.steps[i]:
                    same += 1
                    first = first and j >= i
            if first:
                out[n] = roll_outcome(gem, state.steps[i])
                weights[n] = same
                n += 1
    return n


def sample_chance(state: State, rng: Buffer) -> int:
    """Draw one outcome with its probability."""
    phase = state.phase
    if phase == s.DRAW:
        if state.left:
            return choose_weighted(rng, state.unseen, p.N_KINDS)
        return choose_weighted(rng, state.used, p.N_KINDS)
    if phase == s.ROLL:
        return _sample_roll(state, rng)
    if phase == s.START:
        return random_below(rng, state.players)
    return 1 + random_below(rng, state.heist_die)


def _sample_roll(state: State, rng: Buffer) -> int:
    """FF-11: draw one of the k open markets, Wild and All, each as likely, and a step."""
    k = open_markets(state)
    at = random_below(rng, k + 2) if k > 1 else 0
    gem = 0
    while gem < p.WILD and (state.closed[gem] or at):
        at -= 1 - state.closed[gem]
        gem += 1
    return roll_outcome(gem + at, state.steps[random_below(rng, p.N_STEPS)])
