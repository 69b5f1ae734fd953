"""`resample` of the other games beside an enumeration; Family Trade's is in family_trade/test_worlds.py."""

from __future__ import annotations

from collections import defaultdict
from random import Random

import pytest

from parlour.conformance.cases import Case, of_each_ruleset, random_steps
from parlour.core.rng import RNG_SIZE, seed_rng
from parlour.core.scene import SPECTATOR
from parlour.core.struct import copy, flatten
from parlour.games import all_games
from parlour.games.aces_and_faces import rules
from tests.games.aces_and_faces.table import Table
from tests.models.distances import distance

Hands = tuple[frozenset[str], ...]
OPEN = [case for game in all_games().values() if not game.facts.hidden_information for case in of_each_ruleset(game)]


def after_gifts(hands: Hands, gifts: list[tuple[int, int]]) -> dict[Hands, float]:
    """Every way in which the cards may lie after private gifts; each card is given with the same chance (AF-14)."""
    worlds = {hands: 1.0}
    for giver, receiver in gifts:
        found: dict[Hands, float] = defaultdict(float)
        for world, chance in worlds.items():
            for card in world[giver]:
                after = list(world)
                after[giver], after[receiver] = world[giver] - {card}, world[receiver] | {card}
                found[tuple(after)] += chance / len(world[giver])
        worlds = found
    return worlds


@pytest.mark.parametrize(("gifts", "most"), [(1, 0.01), (2, 0.03), (3, 0.25)])
def test_af_14_after_gifts_a_new_deal_has_nearly_the_enumerated_odds(
    gifts: int, most: float, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ann gives Cleo a card, Cleo gives Dan one, and Ann gives Dan one, all in private. Exact for one gift, an
    approximation for several."""
    hands = (frozenset({"JD", "KH", "AS"}), frozenset[str](), frozenset({"KC"}), frozenset({"QS"}))
    table = Table(4)
    for seat, cards in enumerate(hands, 1):
        table.hold(seat, " ".join(sorted(cards)))
    table.duel("KC", "2H", "AH").move("give KH")
    if gifts > 1:
        table.card("joker").duel("QS", "3H", "4H").move("give KC")
    if gifts > 2:
        table.card("joker").put(1, 1).card("2D").move("clockwise", "duel QS").card("5H", "6H").move("give JD")
    worlds = after_gifts(hands, [(0, 2), (2, 3), (0, 3)][:gifts])
    assert tuple(frozenset(table.held(seat)) for seat in range(1, 5)) in worlds
    rng, dealt = [0] * RNG_SIZE, []
    seed_rng(rng, 1, 0)
    state = copy(table.state)
    for _ in range(2000):
        table.match.state = copy(state)
        rules.resample(table.match.state, 1, rng)
        dealt.append(tuple(frozenset(table.held(seat)) for seat in range(1, 5)))
    found = distance(dealt, worlds, Random(1))
    with capsys.disabled():
        print(f"\naces-and-faces, {gifts} gifts: total variation {found:.3f}")
    assert found < most


@pytest.mark.parametrize("case", OPEN, ids=str)
def test_where_nothing_is_hidden_there_is_one_world(case: Case) -> None:
    rng, match = [0] * RNG_SIZE, case.match()
    seed_rng(rng, 1, 0)
    for _ in random_steps(match, 1, 60):
        for viewer in (SPECTATOR, *range(case.players)):
            other = copy(match.state)
            match.game.rules.resample(other, viewer, rng)
            assert flatten(other) == flatten(match.state)
