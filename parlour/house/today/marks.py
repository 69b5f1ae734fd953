"""How a game went, in a row of marks that gives nothing away: at ten moments, whether a seat was ahead."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.core.match import Match
from parlour.core.standing import reached

PIECES = 10
AHEAD, LEVEL, BEHIND = "+", "=", "-"
SIGNS = {AHEAD: "🟩", LEVEL: "🟨", BEHIND: "⬜"}  # in texts that people share
WORDS = {AHEAD: "ahead", LEVEL: "level", BEHIND: "behind"}


def marks_of(match: Match) -> list[str]:
    """Return the marks of a finished match by seat: after each tenth of its steps, then after the last what the result
    says. Call it outside the event loop: it plays the match again."""
    game, seats = match.game, len(match.names)
    state = game.start(seats, match.edition, match.options)
    number = len(match.steps)
    moments = {-(-number * piece // PIECES) for piece in range(1, PIECES)}
    found = [""] * seats
    for place, (_, action, _) in enumerate(match.steps, 1):
        game.rules.apply(state, action)
        if place in moments and place < number:
            scores = reached(game, state, seats)
            found = [row + _mark(scores, seat) for seat, row in enumerate(found)]
    return [row + _last(share) for row, share in zip(found, match.returns, strict=True)]


def _mark(scores: Sequence[int], seat: int) -> str:
    best = max((score for other, score in enumerate(scores) if other != seat), default=scores[seat])
    return AHEAD if scores[seat] > best else LEVEL if scores[seat] == best else BEHIND


def _last(share: float) -> str:
    return AHEAD if share > 0.999 else LEVEL if share > 0 else BEHIND
