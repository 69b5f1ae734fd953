"""Taking back: which decision a player may take back, the same rule for every game.

His own last one, while the play it belongs to is not complete (he is still to decide, nobody and nothing came after
it), and only when it showed nobody anything. Whether it did is tried out: what a seat cannot know is dealt again, the
same decision is made there, and it must have been possible and look the same. A look at a card looks different; a card
laid open from a hidden hand was not possible from other hands. docs/decisions.md tells why so.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from parlour.core.game import CHANCE, HIDDEN, UNSEEN
from parlour.core.rng import RNG_SIZE, seed_rng
from parlour.core.struct import copy, flatten

if TYPE_CHECKING:
    from parlour.core.game import Game, Step

SCHEME = "parlour-undo-1"
DEALS = 16  # of what a seat cannot know
OPEN = 3  # after so many and one in which all is as it was, everybody knows everything


def why_not(
    game: Game, last: Step | None, current: int, seat: int | None, names: tuple[str, ...], secret: str | None
) -> str:
    """Why `seat` (None: whoever is to decide) cannot take back the `last` step while `current` is to decide; "" when he
    can. `secret`: something that no player knows, such as the seed of the match."""
    if last is None or last.actor == CHANCE:
        return "There is nothing to take back: dice or cards have spoken since." if last else "Nothing was done yet."
    if current < 0 or current != last.actor or seat not in (None, current):
        return "There is nothing to take back: your play is complete, or it is not your turn."
    shown = not reveals_nothing(game, last, len(names), secret)
    return "It cannot be taken back: it has shown something." if shown else ""


def reveals_nothing(game: Game, step: Step, players: int, secret: str | None) -> bool:
    """Whether a decision told no seat more than that it was made.

    The player is told the answer, so it must not depend on what he cannot know: the others' knowledge is looked at in
    deals that are possible for him, drawn by a generator that he cannot repeat.
    """
    rules = game.rules
    rng = [0] * RNG_SIZE
    label = f"{SCHEME}/{secret}/{step.actor}/{step.action}"
    seed_rng(rng, int.from_bytes(hashlib.sha256(label.encode()).digest()[:7], "big"), 1 << 17)
    known, hidden = flatten(step.before), False
    for deal in range(DEALS):
        before = copy(step.before)
        rules.resample(before, step.actor, rng)
        here = flatten(before)
        if here != known:
            hidden = True
            if _looks(game, before, step.action, step.actor) != _looks(game, step.before, step.action, step.actor):
                return False
        for player in range(players):
            if player == step.actor or rules.observed_action(before, step.action, player) in (HIDDEN, UNSEEN):
                continue
            other = copy(before)
            rules.resample(other, player, rng)
            if flatten(other) != here:
                hidden = True
                if _looks(game, other, step.action, player) != _looks(game, before, step.action, player):
                    return False
        if not hidden and deal == OPEN:
            break
    return True


def _looks(game: Game, before: Any, action: int, player: int) -> list[int] | None:
    """What `player` observes once `action` was done there, None where it cannot be done."""
    rules, legal = game.rules, [0] * game.rules.MAX_LEGAL
    if action not in legal[: rules.legal_actions(before, legal)]:
        return None
    after = copy(before)
    rules.apply(after, action)
    seen = [0] * rules.OBSERVATION_SIZE
    n = rules.observation(after, player, seen)
    return [*seen[:n], rules.current_player(after)]
