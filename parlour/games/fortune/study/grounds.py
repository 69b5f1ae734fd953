"""The reasons to stop or to roll these dice: facts of the position, weighed in points as `policy` counts them."""

from __future__ import annotations

from parlour.core.contract import Ground
from parlour.core.struct import copy
from parlour.games.fortune import rules as r

OVER = 100_000.0  # far more than any points
SAFE = 150.0
PAIR = 40.0  # two of a kind that stay


def grounds(state: r.State, action: int) -> list[Ground]:
    """See `parlour.core.contract.Grounds`."""
    if action == r.STOP:
        return _stopping(state)
    dice = [0] * r.N_FACES
    rolled = r.decode(action, dice)
    if state.island:  # FO-15
        return [Ground("island", 100.0, (200 if state.card == r.CAPTAIN else 100,))]
    found = []
    total = r.skulls(state)
    if total - dice[r.SKULL] + rolled < 3:
        found.append(Ground("safe", SAFE))
    if dice[r.SKULL] and total >= 2:  # FO-18
        found.append(Ground("spell", SAFE, (total - 1,)))
    if state.card == r.TRUCE and dice[r.SWORD]:  # FO-24
        found.append(Ground("truce", 1000.0 * dice[r.SWORD], (dice[r.SWORD],)))
    missing = r.swords_needed(state) - state.count[r.SWORD]
    at_stake = float(r.stake(state)) - 100.0 * dice[r.SWORD]
    if missing > 0 and at_stake > 0:  # FO-19; the bonus of an edition may be worth less than the swords
        found.append(Ground("battle", at_stake, (missing,)))
    if _lost_by_stopping(state):
        found.append(Ground("behind", OVER))
    return found + _kept(state, action)


def _stopping(state: r.State) -> list[Ground]:
    """Return what stopping secures (FO-8, FO-25, FO-27)."""
    after = copy(state)
    r.apply(after, r.STOP)
    seat, worth = state.player, r.worth_now(state)
    if after.phase == r.OVER and after.scores[seat] == r.highest(after):
        alone = after.scores.count(after.scores[seat]) == 1
        return [Ground("wins" if alone else "shares", OVER)]
    if state.island or worth <= 0:
        return []
    found = [Ground("banks", float(worth), (worth,))]
    if after.final_left and after.finisher == seat and state.finisher != seat:  # FO-25
        found.append(Ground("passes", OVER / 2))
    may_roll = r.skulls(state) == 2 and not r.may_free(state) and state.card not in (r.CHEST, r.STORM)
    if may_roll:  # FO-7: a third skull ends the turn, and no dice are safe on a chest
        found.append(Ground("skull", worth + 1.0, (worth,)))
    return found


def _lost_by_stopping(state: r.State) -> bool:
    """Return whether stopping would end the game with a higher total of another player (FO-26, FO-28)."""
    after = copy(state)
    r.apply(after, r.STOP)
    return after.phase == r.OVER and after.scores[state.player] < r.highest(after)


def _kept(state: r.State, action: int) -> list[Ground]:
    """Return the best dice of one face that stay on the table, and what is safe on the chest (FO-9, FO-16)."""
    after = copy(state)
    r.apply(after, action)
    best, which = 0.0, -1
    for face in range(r.SWORD, r.N_FACES):
        n = after.count[face]
        pieces = face in (r.GOLD, r.DIAMOND)
        if n < 2 or (face == r.SWORD and state.card == r.TRUCE) or (state.card == r.STORM and not pieces):
            continue
        worth = r.SET_WORTH[n] + (r.PIECE_WORTH * n if pieces else 0) + PAIR * n
        if worth > best:
            best, which = worth, face
    found = [Ground("keeps", best, (after.count[which], which))] if best else []
    if state.card == r.CHEST and (safe := r.worth_if_disqualified(after)) > 0:
        found.append(Ground("chest", safe + 1.0 + best, (safe,)))
    return found
