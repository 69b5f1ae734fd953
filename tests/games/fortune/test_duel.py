"""Fortune for two: the table that is shipped is a solution, and the bots that play by it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import parlour
from parlour import bots
from parlour.bots import View, solved
from parlour.core.errors import BadSetup
from parlour.core.match import Match
from parlour.engine import interpret
from parlour.games import find
from parlour.games.fortune import rules as r
from parlour.games.fortune.study import duel, duels, follow, lattice, solver, turn
from tests.games.fortune.plain_turn import PlainTurn
from tests.games.fortune.table import spread

FORTUNE = find("fortune")


def shipped(edition: str = "shafir-35") -> duels.Duel:
    table = duels.shipped(edition)
    assert table is not None
    return table


def test_the_table_is_small_and_says_what_it_is() -> None:
    table = shipped()
    about = duels.facts(FORTUNE, None, None)
    assert {name: table.facts[name] for name in about} == about
    assert table.facts["change"] < duels.STILL
    file = Path(duels.__file__).parent / "tables" / "shafir-35.npz"
    assert file.stat().st_size < 1_000_000


def test_one_more_round_changes_nothing() -> None:
    """FO-25 to FO-27: Bellman's equation for pairs of totals near the line, level, far apart and in the final round."""
    table = shipped()
    n = table.places
    w = table.chances.tolist()
    t = [[0] * lattice.WIDTH for _ in range(r.N_CARDS * lattice.ROWS)]
    v = [[0.0] * lattice.WIDTH for _ in range(turn.ROWS)]
    m = [[0.0] * lattice.WIDTH for _ in range(follow.ROWS)]
    u, parts = [0.0] * follow.GAINS, [0.0] * follow.ENDS
    state = FORTUNE.start(2, FORTUNE.edition(), FORTUNE.options())
    deck = list(state.deck)
    for card in range(r.N_CARDS):
        lattice.prepare(state, card, t, card * lattice.ROWS, [0] * r.MAX_LEGAL)
    for mine, theirs in ((n - 1, n - 4), (n - 40, n + 10)):
        chances, ends = [0.0] * r.N_CARDS, [0.0] * duel.ENDS
        desk = duel.Desk(t, v, m, u, parts, chances)
        found = duel.back_up(desk, duel.Ahead(w, n, deck), mine, theirs, ends, 1e-9)
        assert found == pytest.approx(w[duel.MEAN * n + mine][theirs], abs=1e-6)
        assert sum(ends) == pytest.approx(1.0, abs=1e-8)
        for card in range(r.N_CARDS):
            assert chances[card] == pytest.approx(w[card * n + mine][theirs], abs=2e-5)


@pytest.mark.parametrize("edition", sorted(FORTUNE.editions))
@pytest.mark.parametrize(("mine", "theirs"), [(0, 100), (-300, -500), (-2000, 1200)])
@pytest.mark.suite("*-shafir-35", "0-100-*")
def test_fo_15_fo_25_fo_26_the_table_is_a_solution_by_the_clauses(edition: str, mine: int, theirs: int) -> None:
    """Bellman's equation again, with the turns of `plain_turn.py`; totals as in `Duel.chance`."""
    table = shipped(edition)
    deck = dict(zip(r.CARDS, FORTUNE.start(2, FORTUNE.edition(edition), FORTUNE.options()).deck, strict=True))

    def gain(worth: int) -> float:
        total = mine + worth
        if theirs <= 0:
            return 1.0 - table.chance(theirs, total)
        return 0.5 if total == theirs else float(total > theirs)

    def loss(points: int) -> float:
        return 0.0 if theirs - points > 0 else 1.0 - table.chance(theirs - points, mine)

    chances = [number * PlainTurn(card, None, gain, loss, 1e-10).value() for card, number in deck.items() if number]
    assert sum(chances) / sum(deck.values()) == pytest.approx(table.chance(mine, theirs), abs=1e-6)


def test_more_points_are_never_worse() -> None:
    """One's own lead helps and the other's hurts, below the line."""
    table = shipped()
    n = table.places
    means = table.chances[duel.MEAN * n :, :n]
    assert (means[1:] >= means[:-1] - 1e-6).all()
    assert (means[:, 1:] <= means[:, :-1] + 1e-6).all()
    assert 0.5 < table.chance(-8000, -8000) < 0.56  # to begin is worth a little


def at(card: str, dice: str, scores: tuple[int, ...], *, final: bool = False, **options: str) -> Match:
    match = Match(FORTUNE, len(scores), seed=1, auto=False, options=options)
    match.force("seat 1 starts")
    match.force(f"card {card}")
    match.state.scores[: len(scores)] = scores
    if final:
        match.state.finisher, match.state.final_left = 1, 1
    match.force("dice " + " ".join(spread(dice)))
    return match


def choice(match: Match, name: str) -> str:
    view = View.of(match, match.current_player)
    return match.game.text.format_action(match.state, bots.find(FORTUNE, name).choose(view))


def test_optimal_does_not_stop_behind_in_its_last_turn_and_stops_ahead() -> None:
    """FO-25: points of the turn matter only as far as they win."""
    dice = "2 skull 3 gold 3 diamond"  # 800, doubled
    assert choice(at("captain", dice, (3000, 5000)), "points") == "stop"
    assert choice(at("captain", dice, (6000, 9000), final=True), "points") == "stop"
    assert choice(at("captain", dice, (6000, 9000), final=True), "optimal").startswith("re-roll")
    assert choice(at("captain", dice, (7500, 9000), final=True), "optimal") == "stop"


def test_the_same_table_serves_all_targets_and_both_finishes() -> None:
    """FO-25: only the distance to the line counts."""
    dice = "1 skull 2 sword 2 gold 3 monkey"
    first, second = at("gold", dice, (6000, 5500)), at("gold", dice, (3000, 2500), target="5000")
    third = at("gold", dice, (5900, 5400), finish="at_least")
    found = []
    for match in (first, second, third):
        made = bots.find(FORTUNE, "optimal")
        assert isinstance(made, solved.SolvedBot)
        found.append([option.chance for option in made.advise(View.of(match, 0)).choices])
    assert found[0] == pytest.approx(found[1])
    assert found[0] == pytest.approx(found[2])


def test_a_known_card_counts() -> None:
    """FO-4: after a whole cycle the next card is known, and the chance to win depends on it."""
    chances = []
    for card in (r.CAPTAIN, r.SEA_4):
        match = at("gold", "1 skull 2 sword 2 gold 3 monkey", (7600, 7000))
        match.state.pile[:35] = [card] * 35
        match.state.turned = 40
        found = bots.find(FORTUNE, "optimal")
        assert isinstance(found, solved.SolvedBot)
        chances.append(found.advise(View.of(match, 0)).chance)
    assert chances[0] is not None
    assert chances[1] is not None
    assert chances[0] < chances[1] - 0.02  # the other's Captain is worse for me than his Sea Battle


def test_the_last_turn_of_two_is_what_the_rules_make_of_it() -> None:
    """FO-25, FO-27: stopping in the final round wins, shares or loses."""
    made = bots.find(FORTUNE, "optimal")
    assert isinstance(made, solved.SolvedBot)
    for others, chance in ((8200, 1.0), (8300, 0.5), (8400, 0.0)):
        match = at("captain", "2 skull 2 diamond 2 gold 2 parrot", (7500, others), final=True)  # 800
        chances = {option.action: option.chance for option in made.advise(View.of(match, 0)).choices}
        assert chances[r.STOP] == chance


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_whole_games_are_played_in_plain_python(seats: int) -> None:
    match = parlour.new("fortune", players=seats, seed=4, options={"target": "5000"})
    made = bots.find(FORTUNE, "optimal")
    other = bots.find(FORTUNE, "points")
    for _ in range(14):
        if not match.over:
            seat = match.current_player
            match.play((made if seat == 0 else other).choose(View.of(match, seat)))
    assert match.version > 14


def test_a_round_begun_is_taken_up_again_only_for_the_same_work(tmp_path: Path) -> None:
    about = duels.facts(FORTUNE, None, None)
    work = duels.Work(about, duels.guess(5), 3, 0.25)
    work.save(tmp_path / "part")
    again = duels.Work.load(tmp_path / "part", about)
    assert again is not None
    assert (again.rounds, again.change) == (3, 0.25)
    assert (again.chances == work.chances).all()
    assert duels.Work.load(tmp_path / "part", duels.facts(FORTUNE, "classic-35", None)) is None
    assert duels.Work.load(tmp_path / "none", about) is None


def test_a_table_is_read_as_it_was_written(tmp_path: Path) -> None:
    table = duels.Duel({"edition": "x"}, duels.guess(6))
    table.save(tmp_path / "table.npz")
    again = duels.read(tmp_path / "table.npz")
    assert again.facts == table.facts
    assert again.places == 6
    assert abs(again.chances - table.chances).max() < 1e-5


def test_odd_bonuses_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    edition = FORTUNE.edition()
    parts: dict[str, Any] = {**edition.parts, "sea_battle_bonus": [250, 500, 1000]}
    monkeypatch.setitem(edition.__dict__, "parts", parts)
    with pytest.raises(BadSetup, match="hundreds"):
        duels.facts(FORTUNE, None, None)


def test_the_workspace_holds_what_the_solver_expects() -> None:
    state = FORTUNE.start(2, FORTUNE.edition(), FORTUNE.options())
    workspace = duels.workspace(FORTUNE, interpret(FORTUNE), state)
    assert len(workspace[0]) == r.N_CARDS * lattice.ROWS
    assert workspace[4][solver.PLACES] == shipped().places
