"""`parlour advise` and `parlour analyse` are asked about the same game, and give one answer: both are exact for two."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from parlour import bots
from parlour.analysis.evaluation import decisions, judge
from parlour.analysis.shapes import shapes
from parlour.core.match import Match
from parlour.core.replay import replay
from parlour.core.solving import Question
from parlour.engine import interpret
from parlour.games import find
from parlour.games.fortune.study import solution
from tests.house.played import played

FORTUNE = find("fortune")


def test_advise_and_analysis_agree_over_a_whole_game(size: Callable[[int, int], int]) -> None:
    match = played(shapes(FORTUNE, players=2)[0], 3)
    record, adviser, engine = match.record(), bots.adviser(FORTUNE), interpret(FORTUNE)
    found = [one for one in decisions(match) if one.choices < 40]
    for one in found[:: max(1, len(found) // size(4, 12))]:
        judged = judge(FORTUNE, one, adviser, engine)
        chances = {row["move"]: row["win"] for row in advised(replay(record.upto(one.step), lambda _: FORTUNE))}
        assert max(chances.values()) == pytest.approx(judged.before, abs=1e-9)
        assert chances[judged.move] == pytest.approx(judged.after, abs=1e-9)
        assert chances[judged.other] == pytest.approx(judged.other_chance, abs=1e-9)


def advised(match: Match) -> list[dict[str, float]]:
    """Return what `parlour advise FILE --step N --json` prints of the decisions."""
    given = {one.name: one.default for command in (solution.POSITION, solution.ADVISE) for one in command.parameters}
    asked = Question(
        FORTUNE, match.edition.name, match.options, given | {"for": "win"}, partial(interpret, FORTUNE),
        partial(interpret, FORTUNE), lambda *_: None,
    )  # fmt: skip
    return list(solution.advise(match, asked).data["decisions"])
