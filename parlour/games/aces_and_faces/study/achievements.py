"""What is worth achieving in Aces & Faces: the ways to a card, and the ways to win."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from parlour.core.contract import Achievement, Step
from parlour.games.aces_and_faces import rules as r
from parlour.games.aces_and_faces.rules.pieces import LINES, rank_of
from parlour.games.aces_and_faces.study import events as e

LOW = 6  # the highest card with which a duel is won against the odds

ACHIEVEMENTS = (
    Achievement("taken", "Pickpocket", "Take a card that another player holds by reaching its square.", "AF-9"),
    Achievement("guess", "Higher or Lower", "Guess right, and gain the court card or ace that is turned.", "AF-10"),
    Achievement("match", "Suit Match", "Turn a card of the right suit, and choose one of its cards.", "AF-11"),
    Achievement("duel", "Duelist", "Win a duel for the card that you named.", "AF-12"),
    Achievement("underdog", "Against the odds", "Win a duel although your card is a 6 or lower.", "AF-12"),
    Achievement("kind", "Four of a kind", "Win with all four jacks, queens, kings or aces.", "AF-13"),
    Achievement("suit", "Four of a suit", "Win with jack, queen, king and ace of one suit.", "AF-13"),
    Achievement("gift", "Patience", "Win in the turn of another player.", "AF-13"),
)


def achieved(steps: Sequence[Step]) -> Iterator[tuple[str, int, int]]:
    """Yield what each step achieved, and the end of the game."""
    for at, step in enumerate(steps):
        for key in _step(step):
            yield key, step.before.player, at
    state, last = steps[-1].after, len(steps) - 1
    if state.winner == r.NOBODY:
        return
    hand = state.hands[state.winner]
    if any(hand & line == line for line in LINES[:4]):
        yield "kind", state.winner, last
    if any(hand & line == line for line in LINES[4:]):
        yield "suit", state.winner, last
    if state.winner != state.mover:
        yield "gift", state.winner, last


def _step(step: Step) -> Iterator[str]:
    found = e.events(step.before, step.action)
    if found & e.ROBBED:
        yield "taken"
    if found & e.RIGHT and step.after.hands[step.before.player] != step.before.hands[step.before.player]:
        yield "guess"
    if step.before.phase == r.MATCH_PICK:
        yield "match"
    if found & e.WON:
        yield "duel"
        if rank_of(step.before.first) <= LOW:
            yield "underdog"
