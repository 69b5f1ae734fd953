"""What is said for decisions of Fortune is true: held against every throw that may come."""

from __future__ import annotations

from collections.abc import Callable

from parlour.core.contract import Ground
from parlour.core.struct import copy
from parlour.games import find
from parlour.games.fortune import rules as r
from tests.games.fortune.table import Table
from tests.games.said import outcomes, said, share, then

FORTUNE = find("fortune")
NEEDED = {r.SEA_2: 2, r.SEA_3: 3, r.SEA_4: 4}
SAID = {
    "safe", "skull", "banks", "keeps", "chest", "battle", "truce", "island", "spell", "passes", "wins", "shares",
    "behind",
}  # fmt: skip


def true(state: r.State, action: int, ground: Ground) -> bool:
    """Return whether the ground is true, from the dice and from what follows."""
    about, seat, dice = ground.about, state.player, state.dice
    after = then(FORTUNE, state, action)
    thrown = [(added, then(FORTUNE, after, added)) for added in outcomes(FORTUNE, after)] if action != r.STOP else []
    match ground.what:
        case "safe":
            return all(one.fate != r.DISQUALIFIED for _, one in thrown)
        case "skull":  # FO-7, with any one die: every throw that shows a skull
            free = [face for face in range(1, 6) if state.count[face]]
            roll = r.encode(*(sum(face == one for one in free[:2]) for face in range(1, 6)), 0)
            two = roll if len(free) > 1 else r.encode(*(2 * (face == free[0]) for face in range(1, 6)), 0)
            air = then(FORTUNE, state, two)
            bad = [then(FORTUNE, air, added) for added in outcomes(FORTUNE, air) if added & 15]
            return about[0] == r.worth_now(state) > 0 and all(one.worth <= 0 and one.phase != r.DECIDE for one in bad)
        case "banks":
            return about[0] == after.worth and after.fate == r.STOPPED
        case "keeps":
            lying = [dice[i] for i in range(r.N_DICE) if not after.rolled >> i & 1]
            return lying.count(about[1]) == about[0] >= 2
        case "chest":
            return all(
                r.worth_now(one) >= about[0] if one.phase == r.DECIDE else one.worth >= about[0] for _, one in thrown
            )
        case "battle":
            return about[0] == NEEDED[state.card] - dice.count(r.SWORD) > 0
        case "truce":
            return state.card == r.TRUCE and about[0] == sum(
                dice[i] == r.SWORD and after.rolled >> i & 1 for i in range(8)
            )
        case "island":
            return all(
                r.island_loss(one) - r.island_loss(state) == about[0] * (added & 15)
                for added, one in thrown
                if one.phase == r.DECIDE
            )
        case "spell":
            return after.count[r.SKULL] == state.count[r.SKULL] - 1 and r.skulls(after) == about[0]
        case "passes":
            return after.scores[seat] > state.target - (state.at_least > 0) and after.final_left == state.players - 1
        case "wins" | "shares":
            won = share(FORTUNE, after, seat)
            return won == 1.0 if ground.what == "wins" else 0 < won < 1
        case "behind":
            stopped = then(FORTUNE, state, r.STOP)
            return stopped.phase == r.OVER and share(FORTUNE, stopped, seat) == 0.0
    return False


def test_what_is_said_holds_whatever_is_thrown(size: Callable[[int, int], int]) -> None:
    met = set()
    for state, action, ground in said(FORTUNE, 1, most=size(80, 150), each=4):
        assert true(copy(state), action, ground), (ground, state.dice, state.card, action)
        met.add(ground.what)
    assert {"keeps", "banks", "skull", "battle"} <= met <= SAID


def test_fo_19_a_battle_is_no_reason_where_an_edition_makes_it_worth_nothing() -> None:
    dice = "1 sword 2 gold 1 diamond 2 monkey 2 parrot"
    for edition, reasons in (
        (FORTUNE.edition(), True),
        (FORTUNE.edition().changed({"sea_battle_bonus": [0] * 3}), False),
    ):
        state = Table(edition=edition).turn("sea-battle-2", dice).state
        legal = [0] * r.MAX_LEGAL
        rolls = legal[: r.legal_actions(state, legal)]
        found = {ground.what for action in rolls for ground in FORTUNE.grounds.grounds(state, action)}  # type: ignore[union-attr]
        assert ("battle" in found) == reasons
