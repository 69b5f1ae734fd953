"""A `resample` that redraws by other chances than those of the truth is refused; those that are right are not."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from parlour.conformance import calibration, kit
from parlour.conformance.cases import Case, of_each_ruleset
from parlour.conformance.faults import Fault
from parlour.core.game import Game
from parlour.core.struct import copy
from tests.conformance.cases import every_game

KUHN, SATCHEL = Game("kuhn", "tests.fixtures.kuhn"), Game("satchel", "tests.fixtures.satchel")
HIDING = [case for game in (*every_game(), SATCHEL) if game.facts.hidden_information for case in of_each_ruleset(game)]


@pytest.mark.parametrize("case", HIDING, ids=str)
def test_a_right_new_deal_passes(case: Case, size: Any) -> None:
    for first in (True, False):
        found = calibration.doubt(case, first, positions=size(30, 600))
        assert found.chance > 1e-5, found


def one_kind_first(state: Any, player: int, _rng: Any) -> None:
    """Always deal the lowest ticket that the viewer does not hold, instead of any of them."""
    for seat in range(2):
        if seat != player and player >= 0 and state.dealt == 2 and not state.seen[player]:
            state.ticket[seat] = 1 if state.ticket[player] == 0 else 0


def test_a_new_deal_that_always_deals_one_kind_first_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    case = Case(SATCHEL, SATCHEL.edition().name, 2)
    monkeypatch.setattr(SATCHEL.rules, "resample", one_kind_first)
    with pytest.raises(Fault, match=r"rules\.py: resample does not redraw state\.ticket\[\d\] by its probability"):
        calibration.check_calibration(case)


def test_a_new_deal_that_is_only_wrong_later_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the first decision it is right: no player has put a coin down yet."""
    right = SATCHEL.rules.resample

    def wrong(state: Any, player: int, rng: Any) -> None:
        right(state, player, rng)
        for seat in range(2):
            if seat != player and player >= 0:
                state.worth[seat] = state.coins[seat]  # each coin is the smallest

    monkeypatch.setattr(SATCHEL.rules, "resample", wrong)
    case = Case(SATCHEL, SATCHEL.edition().name, 2)
    assert calibration.doubt(case, True).chance > 1e-5
    with pytest.raises(Fault, match="after some decisions, the truth is above"):
        calibration.check_calibration(case)


def test_the_kit_refuses_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kit, "compiled", lambda _shape: None)
    monkeypatch.setattr(SATCHEL.rules, "resample", one_kind_first)
    found = {finding.part: finding.why for finding in kit.run(SATCHEL, games=1).findings}
    assert "by its probability" in found[kit.CALIBRATED]


def test_the_bound_is_one() -> None:
    """Against draws: what it calls unlikely happens no more often than it says."""
    random = Random(1)
    for n, share in ((10, 0.05), (40, 0.5), (80, 0.9)):
        chances = [calibration.chance(sum(random.random() < share for _ in range(n)), n, share) for _ in range(3000)]
        for limit in (0.3, 0.1, 0.01):
            assert sum(chance <= limit for chance in chances) <= 3000 * limit
    assert calibration.chance(40, 40, 0.5) == pytest.approx(2 * 0.5**40)


def test_what_says_what_somebody_believes_does_not_count() -> None:
    for game in every_game():
        rules = game.rules
        for name in getattr(rules, "BELIEFS", ()):
            assert hasattr(copy(game.start(game.facts.players[0], game.edition(), game.options())), name)
