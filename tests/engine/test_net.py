"""Networks: what they see of a position, and the same sums in plain and compiled code."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from parlour.bots import Plan, SearchBot, View, nets
from parlour.bots.search import Tree
from parlour.core.contract import CHANCE, TERMINAL
from parlour.core.errors import BadSetup
from parlour.core.facts import Facts, Observed
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.rng import seed_rng
from parlour.core.struct import copy
from parlour.engine import interpret, net, search, weights
from parlour.engine.compiled import compile
from parlour.engine.net import OCTAVES, ONE
from parlour.engine.weights import Weights, layout, read, rounded
from parlour.games import find

KUHN = Game("kuhn", "tests.fixtures.kuhn")


def drawn(game: Game, hidden: int, *, base: bool, seed: int = 1) -> Weights:
    """Return a network for two with weights by chance."""
    chance = np.random.default_rng(seed)
    rows = chance.normal(0, 0.3, (layout(game).features + 1, hidden))
    return rounded(2, rows, chance.normal(0, 0.3, (1, hidden + 1)), base)


def grown(engine: Any, match: Match, made: Weights | None, simulations: int, temperature: float) -> Tree:
    """Return the tree of a search with a network."""
    tree = Tree.make(match.game, engine, match.state, 2, made)
    tree.look(match.state)
    seed_rng(tree.rng, 5, 5)
    tree.clear()
    how, tune = engine.integers(search.HOW), engine.reals(search.TUNE)
    how[search.EXPAND], how[search.ONLY] = 2, search.NONE
    how[search.GUIDED] = int(match.game.policy is not None)
    tune[search.EXPLORE], tune[search.TEMPERATURE] = 0.7, temperature
    given = tree.states, tree.rng, tree.arrays, tree.desk, tree.buffers, how, tune
    engine.search.run(match.current_player, simulations, *given)
    return tree


def searched(
    engine: Any, match: Match, made: Weights | None, simulations: int, temperature: float = 0.0
) -> list[list[float]]:
    """Return what a search with a network finds: the tree's numbers, and each seat's sum."""
    tree = grown(engine, match, made, simulations, temperature)
    used = int(tree.arrays[2][search.USED])
    rows = [[float(number) for number in row] for table in tree.arrays[:2] for row in table[:used]]
    return [*rows, [float(one) for one in tree.sums]]


@pytest.mark.parametrize(
    ("game", "base"), [(KUHN, True), pytest.param(find("gatsby"), False, marks=pytest.mark.whole)], ids=str
)
def test_plain_and_compiled_searches_with_a_network_are_the_same(game: Game, base: bool) -> None:
    """Gatsby has features of its own; Kuhn's are made of what it declares to be seen."""
    match = Match(game, 2, seed=3)
    made = drawn(game, 7, base=base)
    plain, fast = (searched(engine, match, made, 60) for engine in (interpret(game), compile(game)))
    assert plain == fast
    assert plain != searched(interpret(game), match, None, 60), "the network has a say"


def test_with_a_temperature_decisions_look_as_good_as_the_network_says() -> None:
    """Each decision's weight is the power 1 / temperature of the odds that the network sees after it, for the player
    who decides, as a part of that of the first; plain and compiled alike."""
    game = find("facets-of-fortune")
    match = Match(game, 2, seed=5)
    made = drawn(game, 7, base=False)
    engine = interpret(game)
    judge, player, odds = engine.net(made), match.current_player, {}
    for action in match.legal_action_ids():
        after, share = copy(match.state), [0.0, 0.0]
        game.rules.apply(after, action)
        net_of(engine).think(after, player, judge, share)
        odds[action] = share[player] / share[1 - player]
    tree = grown(engine, match, made, 1, 0.5)
    first = next(iter(odds.values()))
    found = {key // search.SEATS: tree.arrays[1][node][search.WEIGHT] for key, node in tree.children().items()}
    assert found == pytest.approx({action: (one / first) ** 2 for action, one in odds.items()})
    assert len({round(one, 6) for one in found.values()}) > 2
    plain, fast = (searched(one, match, made, 60, 0.5) for one in (engine, compile(game)))
    assert plain == fast
    assert plain != searched(engine, match, made, 60)


def test_a_network_says_the_odds_of_the_player_to_move() -> None:
    """By hand: one hidden unit, which a feature of Kuhn's raises; the rest of the sums is what is added."""
    match = Match(KUHN, 2, seed=1)
    player = match.current_player
    engine, size = interpret(KUHN), layout(KUHN).features
    seen = engine.net(rounded(2, np.zeros((size + 1, 1)), np.zeros((1, 2)), False))
    n = net_of(engine).inputs(match.state, player, seen)
    rows, last = np.zeros((size + 1, 1)), np.array([[2.0, -0.5]])
    rows[size] = 0.25
    rows[seen.found[0]] = 0.5
    share = [0.0, 0.0]
    net_of(engine).think(match.state, player, engine.net(rounded(2, rows, last, False)), share)
    assert n >= 1
    assert share[player] == pytest.approx(1 / (1 + np.exp(-(2.0 * 0.75 - 0.5))))
    assert sum(share) == pytest.approx(1.0)
    rows[seen.found[0]] = -7.0
    net_of(engine).think(match.state, player, engine.net(rounded(2, rows, last, False)), share)
    assert share[player] == pytest.approx(1 / (1 + np.exp(0.5))), "a sum below 0 counts as 0"
    net_of(engine).think(match.state, player, engine.net(rounded(2, rows, np.array([[0.0, 7.5]]), True)), share)
    assert share[player] == pytest.approx(1 / (1 + np.exp(-7.5)))


def net_of(engine: Any) -> Any:
    return engine.nets


def test_an_observation_becomes_features() -> None:
    """Names and narrow numbers have one for each value but the first, wide ones share, masks have one for each bit."""
    facts = Facts(
        players=(2, 2), longest=9, hidden_information=False,
        observed=(
            Observed("a name", least=-1, most=2, kind="name"), Observed("a narrow number", most=3),
            Observed("a wide number", most=99), Observed("no limit", most=None),
            Observed("bits", most=7, kind="mask"), Observed("packed", least=-1, most=11, digits=(3, 4)),
        ),
    )  # fmt: skip
    made = weights._seen(facts)
    assert made.features == 4 + 4 + 25 + 2 * OCTAVES + 3 + 3 + 4
    assert made.most == 1 + 1 + 1 + 1 + 3 + 1 + 1

    def there(*numbers: int) -> set[int]:
        engine = interpret(KUHN)
        work = engine.net(None)._replace(
            found=[0] * made.most, seen=list(numbers), plans=[list(plan) for plan in made.plans]
        )
        rules = type("Rules", (), {"observation": staticmethod(lambda *_: len(numbers))})
        home = net_of(engine).inputs.__globals__
        before = home["rules"]
        home["rules"] = rules
        try:
            return set(work.found[: net_of(engine).inputs(None, 0, work)])
        finally:
            home["rules"] = before

    nothing = there(-1, 0, 0, 0, 0, -1)
    assert nothing == {33 + OCTAVES}
    assert there(1, 3, 7, 0, 5, 0) == nothing | {2, 4 + 3, 8 + 1, 97, 99}
    assert there(-1, 0, 99, 0, 0, 5) == nothing | {8 + 24, 100 + 2, 103 + 1}


def test_numbers_without_limits_have_two_places_for_each_doubling() -> None:
    places = [net.octave(value) - OCTAVES for value in (0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16)]
    assert places == [0, 1, 3, 4, 5, 5, 6, 6, 7, 8, 9]
    assert all(net.octave(-value) == 2 * OCTAVES - net.octave(value) for value in range(9))
    assert (net.octave(1 << 40), net.octave(-(1 << 40))) == (2 * OCTAVES - 1, 1)


def test_weights_are_whole_numbers_and_their_file_is_always_the_same() -> None:
    made = rounded(2, np.full((layout(KUHN).features + 1, 3), 0.1), np.array([[0.5, -99.0, 0.0, 1.0]]), True)
    assert set(made.rows.ravel().tolist()) == {round(0.1 * ONE)}
    assert made.last.tolist() == [[ONE // 2, -32_000, 0, ONE]]
    again = read(made.written(), KUHN)
    assert (again.players, again.hidden, again.base) == (2, 3, True)
    assert again.written() == made.written()


def test_a_file_for_another_game_or_of_nonsense_is_refused() -> None:
    made = drawn(KUHN, 3, base=False).written()
    with pytest.raises(BadSetup, match=r"not weights of a network for gatsby.*Train it again"):
        read(made, find("gatsby"))
    for data in (b"", b"nonsense", made[:100]):
        with pytest.raises(BadSetup, match="not weights of a network for kuhn"):
            read(data, KUHN)


def test_a_search_uses_the_games_network_unless_its_plan_or_the_edition_says_no(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = drawn(KUHN, 5, base=False, seed=2)
    monkeypatch.setattr(nets, "of_game", lambda _game, players, _ruleset: made if players == 2 else None)
    view = View.of(match := Match(KUHN, 2, seed=4), match.current_player)
    with_net, without = (
        SearchBot(KUHN, "test", Plan(simulations=40, net=one)).search(view).choices for one in (True, False)
    )
    assert with_net != without
    monkeypatch.setattr(nets, "of_game", lambda _game, _players, _ruleset: None)
    assert SearchBot(KUHN, "test", Plan(simulations=40)).search(view).choices == without


def test_features_of_gatsby_are_in_their_bounds_and_change_with_the_side() -> None:
    game = find("gatsby")
    made = layout(game)
    policy, rules = game.policy, game.rules
    assert policy is not None
    chance = random.Random(7)
    for edition in game.editions.values():
        state, out, legal = game.start(2, edition, game.options()), [0] * made.most, [0] * rules.MAX_LEGAL
        rng = [0] * 8
        seed_rng(rng, 7, 0)
        sides = 0
        while (player := rules.current_player(state)) != TERMINAL:
            if player == CHANCE:
                rules.apply(state, rules.sample_chance(state, rng))
                continue
            seen = []
            for seat in (player, 1 - player):
                there = out[: policy.features(state, seat, out)]
                assert all(0 <= one < made.features for one in there)
                seen.append(sorted(there))
            sides += seen[0] != seen[1]
            rules.apply(state, legal[chance.randrange(rules.legal_actions(state, legal))])
        assert sides > 10
