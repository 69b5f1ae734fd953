"""The check of what a game says for its decisions (`parlour.core.contract.Grounds`)."""

from __future__ import annotations

from math import isfinite

from parlour.conformance.faults import require
from parlour.conformance.knowledge import redealt
from parlour.core.contract import BECAUSE, Ground
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.struct import GameState, flatten

SHORT = ("Ann", "Bob", "Cyd", "Dan", "Eve", "Fay")


def check_grounds(match: Match, rng: list[int]) -> None:
    """Check every ground of each legal decision: numbers that are what they should be, a clause of
    bounded length, the same again, and the same when what the deciding seat cannot know is dealt
    again. Does nothing in a game without grounds."""
    game, state, seat = match.game, match.state, match.current_player
    if game.grounds is None or seat < 0:
        return
    before = flatten(state)
    other = redealt(game, state, seat, rng)
    for action in match.legal_action_ids():
        move = game.text.format_action(state, action)
        found = _found(game, state, action)
        require(flatten(state) == before, f"grounds.py: asking for {move} must not change the state, but it did.")
        for ground in found:
            _check(game, ground, move)
        same = _found(game, other, action) == found
        require(same, f"grounds.py: {move}: its grounds depend on what seat {seat} cannot know.")


def _found(game: Game, state: GameState, action: int) -> list[Ground]:
    assert game.grounds is not None
    return list(game.grounds.grounds(state, action))


def _check(game: Game, ground: Ground, move: str) -> None:
    known = isfinite(ground.weight) and ground.weight > 0 and all(type(number) is int for number in ground.about)
    require(known, f"grounds.py: {move}: {ground} needs a finite weight above 0 and whole numbers.")
    text = game.because(ground, SHORT)
    fits = 0 < len(text) <= BECAUSE and text == text.strip() and "\n" not in text and text[-1:] != "."
    require(fits, f"because.py: {move}: {text!r} is not a clause of at most {BECAUSE} characters without a full stop.")
    require(text == game.because(ground, SHORT), f"because.py: {move}: the words of one ground must stay the same.")
