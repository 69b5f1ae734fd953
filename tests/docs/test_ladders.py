"""The bots' measured strengths that a house shows are those of docs/bots.md."""

from __future__ import annotations

import pytest

from parlour import bots
from parlour.bots.levels import MASTER
from parlour.games import all_games, find
from parlour.house.ratings.ladder import Ladder, Rung, ladder, measured
from tests.docs import ladders


def test_each_game_has_the_ladder_of_the_page() -> None:
    """A game that the page has not measured has none."""
    expected = ladders.texts()
    assert expected
    for game in all_games().values():
        file = ladders.path(game)
        text = file.read_text("utf-8") if file.exists() else None
        assert text == expected.get(file), "run `python -m tests.docs.ladders --write`"
        for ruleset in game.rulesets:
            found = ladder(game, ruleset)
            assert (found is None) == (text is None)
            if found is not None:
                assert [one.bot for one in measured(game, found)]
                every = list(bots.choices(game)[:-1])
                short = [name for name in every if name != MASTER]  # docs/bots.md says that it is not measured
                assert [rung.upper for rung in found.rungs] in (every, short), "measure its levels anew"


def test_strengths_follow_from_the_shares_and_a_lost_series_gives_a_bound() -> None:
    rungs = (
        Rung("hard", "medium", 0.76, 0.60, 0.90, 10), Rung("medium", "greedy", 0.36, 0.30, 0.42, 10),
        Rung("greedy", "random", 1.0, 0.84, 1.0, 10),
    )  # fmt: skip
    found = measured(find("fortune"), Ladder("", "", 2, rungs))
    assert [(one.bot, one.rating, one.below) for one in found] == [
        ("hard", 1700, False), ("greedy", 1600, False), ("medium", 1500, False), ("random", 1312, True),
    ]  # fmt: skip
    spreads = {one.bot: one.spread for one in found}
    assert spreads["medium"] == 0
    assert spreads["hard"] == pytest.approx((382 - 70) / 2, abs=1)
