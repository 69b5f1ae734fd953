"""Luck taken out of results: by enumeration of small games, and against a second, exact implementation."""

from __future__ import annotations

import json
import shutil
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import pytest

import parlour
from parlour.analysis import luck, standings
from parlour.analysis.arena import Contest, Crew, Played, run
from parlour.analysis.estimates import ratio
from parlour.analysis.measures import all_measures
from parlour.analysis.playing import play
from parlour.analysis.results import Results
from parlour.analysis.sampling import Setup
from parlour.analysis.shapes import Shape, shapes
from parlour.core.errors import BadSetup
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.rng import RNG_SIZE, seed_rng
from parlour.engine import compile, drivers, interpret, simulate
from parlour.engine.work import Games
from parlour.engine.work import Results as Filled
from parlour.games import all_games
from tests.analysis.courses import lines, settled, worth
from tests.docs.pig import write_pig

FIXTURES = Path(__file__).parents[1] / "fixtures"
KUHN = Game("kuhn", "tests.fixtures.kuhn")
RANDOM, OTHER = drivers.RANDOM, luck.OTHER

# Any function of a position will do; this one knows nothing.
ODD = "def outlook(state, player):\n    return 1 + ({}) % 7\n"
ODD_KUHN = ODD.format("state.hand[player] * 3 + state.moves * 5 + state.bets[0] + player * player")
ODD_SPRINT = ODD.format("state.points[player] * 3 + state.moves * (player + 2)")
ODD_PIG = ODD.format("state.scores[player] * 5 + state.total * (player + 1) + state.player")
# What Kuhn poker is worth between players who choose evenly.
PERFECT_KUHN = """
def outlook(state, player):
    high = 1.0 if state.hand[0] > state.hand[1] else 0.0
    if state.moves == 0:
        mine = 0.25 + 0.625 * high
    elif state.moves == 2:
        mine = 0.5 * high
    elif state.bets[0]:
        mine = 0.5 + 0.5 * high
    else:
        mine = 0.75 * high
    return mine if player == 0 else 1.0 - mine
"""


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], Game]:
    """Make a small game that has a policy: Kuhn poker, Sprint or Pig."""
    monkeypatch.syspath_prepend(tmp_path)

    def make(name: str, policy: str) -> Game:
        package = f"{name}_{crc32(policy.encode())}"  # the same in each run, so that it is compiled once
        if name == "pig":
            shutil.move(write_pig(tmp_path), tmp_path / package)
        else:
            shutil.copytree(FIXTURES / name, tmp_path / package)
        (tmp_path / package / "policy.py").write_text(policy, "utf-8")
        return Game(name, package)

    return make


def begun(game: Game, players: int = 2) -> Any:
    """Return a short game's beginning."""
    start: Any = Setup.make(game, players).shape.start()
    if game.name == "pig":
        start.faces, start.target = 3, 4
    return start


# Whatever the value says -------------------------------------------------------------------------------
def replayed(game: Game, start: Any, known: Sequence[bool], script: Sequence[int], engine: Any = None) -> list[float]:
    """Return the luck of each seat in these steps, by the loop."""
    engine, players = engine or interpret(game), len(known)
    room = engine.luck_of(start, players, 1, luck.BUDGET, script)
    bots = engine.integers(players)
    for seat, even in enumerate(known):
        bots[seat] = RANDOM if even else OTHER
    engine.luck.lucky_games(
        engine.states(start, 1), engine.states(start, 1), bots, engine.integers(2, RNG_SIZE),
        Games(0, 0, 1, len(script) + 1), engine.buffers(start),
        Filled(engine.integers(1, players), engine.reals(1, players), engine.integers(1)), room,
    )  # fmt: skip
    return [float(one) for one in room.rows[0]]


SMALL = [
    ("kuhn", ODD_KUHN, 2, 9), ("sprint", ODD_SPRINT, 2, 9), ("sprint", ODD_SPRINT, 3, 9), ("pig", ODD_PIG, 2, 4),
]  # fmt: skip


@pytest.mark.parametrize("both", [False, True], ids=["one known", "all known"])
@pytest.mark.parametrize(("name", "policy", "players", "most"), SMALL, ids=["kuhn", "sprint", "sprint for 3", "pig"])
def test_luck_is_nothing_on_average_whatever_the_value_says(
    made: Callable[[str, str], Game], name: str, policy: str, players: int, most: int, both: bool
) -> None:
    """Over all courses of the game, each with its chance: exactly, in fractions. The loop finds the same luck."""
    game = made(name, policy)
    start, known = begun(game, players), [True] + [both] * (players - 1)
    found = list(lines(game, start, known, most))
    assert sum(chance for chance, *_ in found) == 1
    assert len(found) >= 30
    for seat in range(players):
        assert sum(chance * had[seat] for chance, _, had, _ in found) == 0
        won = [(chance, worth(game, end)[seat], had[seat]) for chance, _, had, end in found]
        assert sum(chance * (share - had) for chance, share, had in won) == sum(one[0] * one[1] for one in won)
    for _, steps, had, _ in found[:: max(1, len(found) // 300)]:
        assert replayed(game, start, known, steps) == pytest.approx(list(map(float, had)), abs=1e-12)


def test_with_the_right_value_nothing_is_left_of_chance_in_kuhn_poker(made: Callable[[str, str], Game]) -> None:
    """The first player wins 9/16 of the games between players who choose evenly."""
    game = made("kuhn", PERFECT_KUHN)
    for chance, _, had, end in lines(game, begun(game), (True, True), 9):
        assert worth(game, end)[0] - had[0] == Fraction(9, 16), chance
    setup = Setup.make(game, bots="random")
    found = luck.play_luck(setup, range(200))
    assert found.returns[:, 0].std() > 0.4
    assert found.returns - found.luck == pytest.approx(np.array([[9 / 16, 7 / 16]] * 200), abs=1e-12)
    assert found.adjusted[:, 0] == pytest.approx(np.full(200, 9 / 16), abs=1e-9)
    explained = luck.explained(found)
    assert explained is not None
    assert explained.value == pytest.approx(1)


def test_with_the_right_value_nothing_is_left_of_chance_in_pig(made: Callable[[str, str], Game]) -> None:
    """One who holds at two points, by `greedy`, against one who decides evenly."""
    policy = "VALUES = {}\n\n\ndef outlook(state, player):\n"
    policy += "    mine = VALUES[state.player, state.scores[0], state.scores[1], min(state.total, state.target)]\n"
    policy += "    return mine if player == 0 else 1.0 - mine\n\n\ndef value(state, player):\n"
    policy += "    return (1.0 if state.total < 2 else 0.0) if state.rolling else 0.5\n"
    game = made("pig", policy)
    start, values = begun(game), solved(3, 4)
    assert game.policy is not None
    vars(game.policy)["VALUES"].update(values)
    engine, games = interpret(game), 300
    room = engine.luck_of(start, 2, games, luck.BUDGET)
    shares = engine.reals(games, 2)
    engine.luck.lucky_games(
        engine.states(start, 1), engine.states(start, 1), [drivers.GREEDY, RANDOM], engine.integers(2, RNG_SIZE),
        Games(1, 0, games, 1000), engine.buffers(start), Filled(engine.integers(games, 2), shares, [0] * games), room,
    )  # fmt: skip
    assert len({share for share, _ in shares}) == 2
    left = [share - had for (share, _), (had, _) in zip(shares, room.rows, strict=True)]
    assert left == pytest.approx([values[0, 0, 0, 0]] * games, abs=1e-9)


def solved(faces: int, target: int) -> dict[tuple[int, ...], float]:
    """Return the chance of the first player by the player on turn, both scores and the points of the turn, of which no
    more matter than lead to the target."""
    places = [
        (player, *both, total) for player in (0, 1) for both in product(range(target), repeat=2)
        for total in range(target + 1)
    ]  # fmt: skip
    values = dict.fromkeys(places, 0.5)

    def rolled(player: int, first: int, second: int, total: int) -> float:
        ways = [values[1 - player, first, second, 0]]
        ways += [values[player, first, second, min(total + face, target)] for face in range(2, faces + 1)]
        return sum(ways) / faces

    def held(player: int, first: int, second: int, total: int) -> float:
        scores = [first, second]
        scores[player] += total
        return 1.0 - player if scores[player] >= target else values[1 - player, scores[0], scores[1], 0]

    for _ in range(400):
        for place in places:
            if place[-1] == 0:
                values[place] = rolled(*place)
            elif place[0] == 0:
                values[place] = rolled(*place) if place[-1] < 2 else held(*place)
            else:
                values[place] = 0.5 * rolled(*place) + 0.5 * held(*place)
    return values


def test_games_that_are_played_have_the_luck_of_their_course(made: Callable[[str, str], Game]) -> None:
    """What the compiled loop plays and finds is what enumeration says, as often as it says."""
    game = made("kuhn", ODD_KUHN)
    exact: dict[tuple[float, float], Fraction] = defaultdict(Fraction)
    for chance, _, had, end in lines(game, begun(game), (True, True), 9):
        exact[float(worth(game, end)[0]), round(float(had[0]), 9)] += chance
    games = 3000
    found = luck.play_luck(Setup.make(game, bots="random"), range(games))
    seen = Counter(
        (float(won), round(float(had), 9)) for won, had in zip(found.returns[:, 0], found.luck[:, 0], strict=True)
    )
    assert set(seen) == set(exact)
    for one, chance in exact.items():
        share = float(chance)
        assert abs(seen[one] / games - share) < 5 * (share * (1 - share) / games) ** 0.5, one


# What is drawn where there are many outcomes -----------------------------------------------------------
@pytest.mark.parametrize("budget", [1, 2, 3, 4, 5, 6, 64])
def test_a_mean_of_few_ends_is_right_on_average_and_has_its_price(
    made: Callable[[str, str], Game], budget: int
) -> None:
    game = made("kuhn", "ASKED = []\n\n\n" + ODD_KUHN.replace("    return", "    ASKED.append(player)\n    return"))
    assert game.policy is not None
    start, engine, rng = begun(game), interpret(game), [0] * RNG_SIZE
    ways = list(settled(game, start))
    exact = float(sum(chance * worth(game, end)[0] for chance, _, end in ways))
    room, asked, found = engine.luck_of(start, 2, 1, budget), vars(game.policy)["ASKED"], []
    for number in range(1000):
        asked.clear()
        seed_rng(rng, 1, number)
        engine.luck._expect(start, rng, room)
        found.append(room.hope[0])
        assert len(asked) <= 2 * budget, "each seat once at each end"
    if budget >= len(ways):
        assert found == pytest.approx([exact] * 1000, abs=1e-12)
    else:
        assert np.std(found) > 0
        assert abs(np.mean(found) - exact) < 5 * np.std(found) / 1000**0.5


def of_every_ruleset() -> list[Any]:
    """Each ruleset that has a value, for the fewest and the most players."""
    found: dict[tuple[str, str, int], Shape] = {}
    for game in all_games().values():
        for shape in shapes(game) if luck.valued(game) else ():
            if shape.players in game.facts.players:
                found.setdefault((game.name, str(shape.options), shape.players), shape)
    return [pytest.param(shape, id=str(shape)) for shape in found.values()]


@pytest.mark.slow
@pytest.mark.parametrize("shape", of_every_ruleset())
@pytest.mark.suite("fortune*")  # other tests compile its loops as well; the rest is nightly
def test_luck_is_the_same_plain_and_compiled(shape: Shape, size: Callable[[int, int], int]) -> None:
    """In the first decisions of games, with a bot of each kind: to the last bit."""
    game, games, start, found = shape.game, size(1, 20), shape.start(), []
    assert len(of_every_ruleset()) >= 12
    for engine in (interpret(game), compile(game)):
        bots = engine.integers(shape.players)
        bots[0] = drivers.GREEDY
        room = engine.luck_of(start, shape.players, games, luck.BUDGET)
        lengths = engine.integers(games)
        engine.luck.lucky_games(
            engine.states(start, 1), engine.states(start, 1), bots, engine.integers(2, RNG_SIZE),
            Games(5, 0, games, size(25, 200)), engine.buffers(start),
            Filled(engine.integers(games, shape.players), engine.reals(games, shape.players), lengths), room,
        )  # fmt: skip
        found.append(([list(map(float, row)) for row in room.rows], list(map(int, lengths))))
    assert found[0] == found[1]
    assert all(abs(sum(row)) < 1e-9 for row in found[0][0]), "what one has another has not"
    assert any(row != [0.0] * shape.players for row in found[0][0])


def test_looking_for_luck_changes_no_game() -> None:
    game = parlour.find("fortune")
    setup = Setup.make(game, bots="greedy", seed=3)
    found = luck.play_luck(setup, range(5, 45))
    policies = [drivers.GREEDY, drivers.GREEDY]
    _, returns, *_ = simulate.simulate(game, setup.shape.start(), policies, range(5, 45), 3)
    assert np.array_equal(found.returns, returns)
    assert np.array_equal(found.luck[7:], luck.play_luck(setup, range(12, 45), threads=1).luck)
    both = luck.play_luck(setup, range(12, 45), before=luck.play_luck(setup, range(5, 12)))
    assert np.array_equal(both.luck, found.luck)
    assert found.returns.std() > found.adjusted.std()


# The factor ----------------------------------------------------------------------------------------------
def test_the_factor_of_the_other_games_keeps_the_mean_exactly(made: Callable[[str, str], Game]) -> None:
    """Every three games of Kuhn poker, each with its chance: the mean of what is left is the mean of the wins."""
    game = made("kuhn", ODD_KUHN)
    kinds: dict[tuple[float, float], float] = {}
    for chance, _, had, end in lines(game, begun(game), (True, True), 9):
        one = float(worth(game, end)[0]), float(had[0])
        kinds[one] = kinds.get(one, 0.0) + float(chance)
    total = truth = 0.0
    for some in product(kinds.items(), repeat=3):
        chances = np.prod([share for _, share in some])
        left = luck.without(np.array([one[0] for one, _ in some]), np.array([one[1] for one, _ in some]))
        total += float(chances * left.mean())
    truth = sum(won * share for (won, _), share in kinds.items())
    assert truth == pytest.approx(9 / 16)
    assert total == pytest.approx(truth, abs=1e-9)


def test_the_factor_is_the_slope_in_the_other_games() -> None:
    rng = np.random.default_rng(1)
    had = rng.normal(size=20)
    won = 0.5 + 0.3 * had + rng.normal(size=20)
    left = luck.without(won, had)
    for game in range(20):
        others = np.arange(20) != game
        slope = np.polyfit(had[others], won[others], 1)[0]
        assert left[game] == pytest.approx(won[game] - slope * had[game])
    assert luck.without(won, 0 * had) == pytest.approx(won), "without luck nothing is taken out"
    assert luck.without(won[:1], had[:1]) == pytest.approx(won[:1]), "nor of a single game"
    assert luck.without(0.25 + had, had) == pytest.approx(np.full(20, 0.25))


def test_95_intervals_in_100_hold_the_truth() -> None:
    """Luck of half a coin, known of each game, and a share of 0.3."""
    rng, inside, narrower = np.random.default_rng(7), 0, 0
    for _ in range(1000):
        first, second = rng.random((2, 100)) < 0.5, rng.random((2, 100)) < 0.6
        won = (first[0] & second[0]).astype(np.float64)
        had = np.where(first[0], 0.3, -0.3) * 0.4  # of the right kind, and too small
        raw, left = ratio(won, share=True), ratio(luck.without(won, had), share=True)
        assert raw is not None
        assert left is not None
        low, high = left.interval
        inside += low <= 0.3 <= high
        narrower += left.error < raw.error
    assert 930 <= inside <= 970
    assert narrower == 1000


# Where it shows --------------------------------------------------------------------------------------------
def test_measures_of_luck_are_those_of_games_with_a_value() -> None:
    fortune, kuhn = Setup.make("fortune", bots="greedy"), Setup.make(KUHN)
    names = {"seat-1-without-luck", "seat-2-without-luck", "chance"}
    assert names <= set(all_measures(fortune))
    assert not names & set(all_measures(kuhn))
    first = play(fortune, 100, names)
    found = play(fortune, 300, names, before=first)
    assert found.look.chance is not None
    assert np.array_equal(found.look.chance.returns, found.look.sample.returns)
    one, raw, chance = (found.estimate(name) for name in ("seat-1-without-luck", "seat-1", "chance"))
    assert one is not None
    assert raw is not None
    assert chance is not None
    assert one.error < raw.error
    assert abs(one.value - raw.value) < 5 * raw.error
    assert 0.2 < chance.value < 0.6
    with pytest.raises(BadSetup, match="kuhn has no `outlook`"):
        luck.play_luck(kuhn, range(3))
    with pytest.raises(BadSetup, match="compiled bots only"):
        luck.play_luck(Setup.make("fortune", bots="medium"), range(3))


def test_an_arena_shows_wins_with_and_without_luck(tmp_path: Path, made: Callable[[str, str], Game]) -> None:
    game = made("kuhn", PERFECT_KUHN + "\n\ndef value(state, player):\n    return outlook(state, player)\n")
    contest = Contest(game, ("greedy", "random"), 2, game.edition())
    with Results(tmp_path / "games.jsonl", contest) as kept, Crew(1) as crew:
        done = run(contest, 60, crew, keep=kept.keep)
    with Results(tmp_path / "games.jsonl", contest) as kept:
        assert {one.luck for one in kept.played} == {one.luck for block in done.blocks for one in block}
    for one in done.blocks[0]:
        assert sum(one.luck) == pytest.approx(0, abs=1e-5)
        assert any(one.luck)
    greedy, random = sorted(standings.standings(contest, done.blocks), key=lambda one: one.bot)
    assert greedy.fair is not None
    assert random.fair is not None
    assert greedy.gain is not None
    won = np.array([sum(one.returns[one.seats.index("greedy")] for one in block) for block in done.blocks])
    had = np.array([sum(one.luck[one.seats.index("greedy")] for one in block) for block in done.blocks])
    left = luck.without(won, had) / 2
    assert greedy.fair.share == pytest.approx(left.mean())
    assert greedy.gain == pytest.approx((won / 2).var() / left.var())
    assert greedy.fair.share + random.fair.share == pytest.approx(1, abs=1e-4)
    assert greedy.fair.high - greedy.fair.low < greedy.wins.high - greedy.wins.low
    told = json.loads(json.dumps(standings.as_dict(done, None)))
    assert told["standings"][0]["fair"]["share"] == greedy.fair.share
    assert next(iter(done.columns()["luck"])) == done.blocks[0][0].luck[0]


def test_games_without_a_value_or_from_before_have_no_luck() -> None:
    contest = Contest(KUHN, ("hard", "random"), 2, "standard")
    done = run(contest, 2, Crew(1))
    assert all(one.luck == () for block in done.blocks for one in block)
    assert all(one.fair is None and one.gain is None for one in standings.standings(contest, done.blocks))
    assert set(done.columns()["luck"]) == {None}
    old = Played(0, 0, ("hard", "random"), (1.0, 0.0), (1, 1), (1, 1), (0.0, 0.0))
    lucky = old._replace(number=1, seats=("random", "hard"), luck=(0.1, -0.1))
    assert standings.standings(contest, [(old, lucky)])[0].fair is None


def test_the_luck_of_a_match_does_not_depend_on_the_engine() -> None:
    game = parlour.find("fortune")
    match = Match(game, 2, seed=4)
    while not match.over and len(match.steps) < 60:
        match.advance(match.legal_action_ids()[0])
        match.draw()
    found = [luck.of_match(match, ("random", "hard"), engine) for engine in (interpret(game), compile(game))]
    assert found[0] == found[1]
    assert found[0] != luck.of_match(match, ("hard", "hard"), compile(game)), "a known player's choices count"


def test_the_luck_of_a_record_is_that_since_its_beginning_was_given_and_of_no_bot() -> None:
    """A player whose name is that of a bot chooses for themselves; and each step's luck is had once."""
    game = parlour.find("fortune")
    match, plain = Match(game, names=["random", "Bob"], seed=4), interpret(game)
    while len(match.steps) < 60:
        match.advance(match.legal_action_ids()[0])
        match.draw()
    whole = luck.of_record(match)
    assert whole == luck.of_match(match, ("hard", "hard"), plain) != luck.of_match(match, match.names, plain)
    match.given = 30
    first = luck.of_match(match, ("hard", "hard"), plain, steps=30)
    assert any(first)
    assert luck.of_record(match) == pytest.approx([all_ - one for all_, one in zip(whole, first, strict=True)])
    assert luck.of_record(Match(KUHN, 2, seed=1)) == ()
