"""Whether shown chances come true: a known distortion is found, from games other than those that show it."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import msgspec
import pytest

from parlour.analysis import mining, reliability
from parlour.analysis.evaluation import decisions
from parlour.analysis.reliability import Forecast, fit, result, table
from parlour.bots import chances
from parlour.bots.chances import Correction
from parlour.core.errors import BadSetup, UnknownName
from parlour.core.game import Game
from parlour.engine import interpret
from parlour.games import find

KUHN = Game("kuhn", "tests.fixtures.kuhn")
FORTUNE = find("fortune")
WAY = mining.Way(("kuhn", "tests.fixtures.kuhn"), "", {}, 2, 0.1)
DISTORTED = Correction("", "", 2, "medium", 400, 100, middle=0.6, ends=0.9, shift=-0.2)


def games(count: int, happens: Callable[[float], float], seed: int = 1, each: int = 4) -> list[list[Forecast]]:
    """Return games for two in which a said chance happens as often as `happens` says. One number decides all decisions
    of a game, so they are as alike as they can be."""
    luck = random.Random(seed)
    made = []
    for _ in range(count):
        number, base = luck.random(), luck.random()
        game = []
        for seat in (0, 1) * (each // 2):
            chance = min(max(base + luck.uniform(-0.2, 0.2), 0.02), 0.98)
            said = chance if seat == 0 else 1 - chance
            mine = number if seat == 0 else 1 - number
            game.append(Forecast(seat, said, float(mine < happens(said)), False))
        made.append(game)
    return made


def flat(found: list[list[Forecast]]) -> list[Forecast]:
    return [one for game in found for one in game]


def test_a_known_distortion_is_recovered() -> None:
    assert fit(flat(games(20_000, DISTORTED.of))) == pytest.approx((0.6, 0.9, -0.2), abs=0.06)
    assert fit(flat(games(20_000, lambda chance: chance))) == pytest.approx((1.0, 1.0, 0.0), abs=0.06)


def test_the_fit_is_where_the_likelihood_is_highest() -> None:
    """Worked out here again: no neighbour is better."""
    pairs = flat(games(200, DISTORTED.of))

    def worth(numbers: Sequence[float]) -> float:
        middle, ends, shift = numbers
        one = replace(DISTORTED, middle=middle, ends=ends, shift=shift)
        said = sum(it.won * math.log(one.of(it.found)) + (1 - it.won) * math.log(1 - one.of(it.found)) for it in pairs)
        return said - ((middle - 1) ** 2 + (ends - 1) ** 2 + shift**2) / (2 * reliability.PRIOR**2)

    found = fit(pairs)
    near = [[number + more for more in (-0.02, 0, 0.02)] for number in found]
    assert worth(found) >= max(map(worth, product(*near)))


def test_the_order_never_changes() -> None:
    """What is called likely never happens, and the other way round: both numbers stay above 0, and the shift says how
    often it happens."""
    middle, ends, shift = fit([Forecast(0, chance, float(chance < 0.5), False) for chance in (0.1, 0.3, 0.7, 0.9)] * 50)
    assert (middle, ends) == (reliability.LEAST, reliability.LEAST)
    assert shift == pytest.approx(0.0, abs=0.02)
    assert fit([]) == fit([Forecast(0, 1.0, 0.0, False)]) == reliability.USUAL


def test_a_wrong_correction_is_found_and_a_right_one_is_not() -> None:
    """Of the same games, other than any that were fitted."""
    test = games(4_000, DISTORTED.of, seed=2)
    found, right, wrong = (table(test, 2, one) for one in (None, DISTORTED, replace(DISTORTED, middle=1.6)))
    assert found.error > found.most
    assert wrong.error > wrong.most
    assert right.error < right.most
    assert right.error < 0.02
    assert right.square < found.square


def test_the_error_of_true_chances_is_what_chance_makes_of_so_few_games() -> None:
    errors = [table(games(60, lambda chance: chance, seed=seed), 2) for seed in range(40)]
    mean = sum(one.error for one in errors) / len(errors)
    usual = sum(one.usual for one in errors) / len(errors)
    assert mean == pytest.approx(usual, rel=0.15)
    assert sum(one.error > one.most for one in errors) <= 6, "two of forty on average"


def test_a_table_by_hand() -> None:
    """Two decisions said 0.2 of which one was won, one said 0.9 that was lost: (2 x 0.3 + 0.9) / 3."""
    test = [[Forecast(0, 0.2, 1.0, False)], [Forecast(1, 0.2, 0.0, False), Forecast(0, 0.9, 0.0, False)]]
    found = table(test, 2)
    assert found.bins.keys() == {2, 9}
    assert (found.bins[2].shown, found.bins[2].happened, found.bins[2].decisions) == (pytest.approx(0.2), 0.5, 2)
    assert found.bins[2].low < 0.5 < found.bins[2].high
    assert found.error == pytest.approx((2 * 0.3 + 0.9) / 3)
    assert found.square == pytest.approx((0.64 + 0.04 + 0.81) / 3)
    assert table([[Forecast(0, 1.0, 1.0, False)]], 2).bins.keys() == {9}


def test_a_decision_counts_as_often_as_its_weight_says() -> None:
    """Twice of weight 1 is once of weight 2, in the fit, the bins and the errors."""
    pairs = flat(games(2_000, DISTORTED.of))
    heavy = [replace_weight(one, 2.0 if one.seat else 1.0) for one in pairs]
    twice = [one for one in pairs for _ in range(2 if one.seat else 1)]
    scaled = [replace_weight(one, 3 * one.weight) for one in heavy]
    assert fit(scaled) == pytest.approx(fit(heavy))
    assert fit(heavy) == pytest.approx(fit(twice), abs=0.01)  # the prior weighs a little less of more pairs
    one, other = table([heavy], 2), table([twice], 2)
    assert one.error == pytest.approx(other.error)
    assert one.square == pytest.approx(other.square)
    assert one.bins.keys() == other.bins.keys()
    for number, it in one.bins.items():
        assert (it.shown, it.happened) == pytest.approx((other.bins[number].shown, other.bins[number].happened))


def test_short_games_do_not_count_more() -> None:
    """A walk from 3 of 6 to either end, one step up or down each time: at n the chance is n / 6. Two decisions of each
    walk are kept; unweighted, those who are ahead seem to win more often, and weighted they do not."""
    luck, made = random.Random(3), []
    for _ in range(12_000):
        at, walk = 3, []
        while 0 < at < 6:
            walk.append(at / 6)
            at += luck.choice((-1, 1))
        kept = luck.sample(walk, min(2, len(walk)))
        made.append([Forecast(0, chance, float(at == 6), False, len(walk) / len(kept)) for chance in kept])
    true, biased = table(made, 2), table([[replace_weight(one, 1.0) for one in game] for game in made], 2)
    assert true.error < true.most
    assert biased.error > 2 * biased.most
    assert biased.bins[8].happened > biased.bins[8].shown + 0.02


def replace_weight(one: Forecast, weight: float) -> Forecast:
    """Return a decision with another weight."""
    return msgspec.structs.replace(one, weight=weight)


def test_games_that_fit_do_not_test() -> None:
    """Even games say one thing and odd games another: the correction has it from the even ones, the table from the
    odd ones, and no game is in both."""
    fitting = games(300, lambda chance: DISTORTED.of(chance))
    testing = games(300, lambda chance: 1 - chance, each=2)
    mixed = [game for pair in zip(fitting, testing, strict=True) for game in pair]
    found = result(WAY, "medium", mixed)
    assert found.correction is not None
    one = found.correction
    assert (one.middle, one.ends, one.shift) == tuple(round(number, 3) for number in fit(flat(fitting)))
    assert (found.games, found.fitted, found.correction.games) == (300, 300, 300)
    assert sum(one.decisions for one in found.found.bins.values()) == len(flat(testing))
    assert found.found == table(testing, 2)
    assert found.corrected == table(testing, 2, found.correction)


def test_the_correction_of_another_level_is_tested_by_all_games() -> None:
    """It is what people see at a table with any opponents."""
    every = games(100, DISTORTED.of)
    found = result(WAY, "hard", every, DISTORTED)
    assert (found.games, found.fitted, found.correction) == (100, 0, DISTORTED)
    assert found.found == table(every, 2)
    assert found.corrected == table(every, 2, DISTORTED)
    said = " ".join(reliability.words(found))
    assert "fitted to 100 other games of level medium" in said
    way = mining.way_of(find("gatsby"))
    assert reliability.of_another(way, "medium") is None
    known = reliability.of_another(way, "hard")
    assert known is not None
    assert known.level == "medium"
    assert reliability.of_another(mining.way_of(FORTUNE), "hard") is None


def test_what_is_exact_is_shown_as_it_is() -> None:
    exact = [[Forecast(0, 0.4, 1.0, True)], [Forecast(1, 0.7, 0.0, True)]]
    found = result(WAY, "medium", exact)
    assert (found.games, found.correction, found.corrected) == (2, None, None)
    assert found.found == table(exact, 2)
    assert len(reliability.rows(found)[0]) == len(reliability.heads(found)) == 5
    assert chances.EXACT in " ".join(reliability.words(found))
    with pytest.raises(BadSetup, match="No decision"):
        result(WAY, "medium", [[], []])


def test_a_game_is_played_and_asked_the_same_again() -> None:
    way, engine = mining.way_of(KUHN, simulations=200, seed=5), interpret(KUHN)
    match = reliability.played(way, "random", KUHN, engine, 3)
    assert match.over
    assert match.record().to_text() == reliability.played(way, "random", KUHN, engine, 3).record().to_text()
    asked = reliability.asked(way, match, engine, 3)
    assert asked
    assert asked == reliability.asked(way, match, engine, 3)
    assert all(one.won == match.returns[one.seat] and not one.exact for one in asked)
    (alone,) = reliability.asked(way, match, engine, 3, each=1)
    assert alone.weight == len(decisions(match))


def test_what_the_solver_knows_is_asked_of_it() -> None:
    way, engine = mining.way_of(FORTUNE, seed=5), interpret(FORTUNE)
    match = reliability.played(way, "medium", FORTUNE, engine, 0)
    asked = reliability.asked(way, match, engine, 0, each=2)
    assert len(asked) == 2
    assert all(one.exact and 0 <= one.found <= 1 for one in asked)


def test_a_page_gets_the_table_the_words_and_the_picture(tmp_path: Path) -> None:
    page = tmp_path / "chances.md"
    page.write_text("# Chances\n\n## Tables\n\nYes.\n", "utf-8")
    way = mining.way_of(FORTUNE)
    found = result(way, "medium", games(40, DISTORTED.of))
    for _ in range(2):  # written again, it takes the place of the earlier one
        reliability.write(page, "## Tables", way, found, "medium", "parlour calibrate x")
    text = page.read_text("utf-8")
    assert text.count("`parlour calibrate x`") == 1
    assert "2 players, level medium**" in text
    assert "players of level medium" in text
    assert "| 50 to 60 % |" in text
    (picture,) = tmp_path.glob("chances-fortune-*.svg")
    assert picture.name in text
    assert "corrected" in picture.read_text("utf-8")


def test_what_cannot_be_asked() -> None:
    way = mining.way_of(FORTUNE)
    with pytest.raises(UnknownName, match="no bot 'genius'"):
        reliability.plan(way, "genius", 10)
    with pytest.raises(BadSetup, match="four games"):
        reliability.plan(way, "medium", 3)
