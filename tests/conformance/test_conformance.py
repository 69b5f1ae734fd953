"""What every game must pass, by existing."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from parlour.conformance import parts, teaching
from parlour.conformance.cases import Case, random_steps
from parlour.core.clauses import clauses, coverage
from parlour.core.contract import CHANCE
from parlour.core.game import Game
from parlour.games import all_games
from tests.conformance.cases import TESTS, cases, every_game, parameters, short_cases
from tests.conformance.conserved import CONSERVED

Size = Callable[[int, int], int]

every_case = pytest.mark.parametrize("case", cases(), ids=str)
chosen_cases = pytest.mark.parametrize("case", parameters(), ids=str)
some_cases = pytest.mark.parametrize("case", short_cases(), ids=str)
each_game = pytest.mark.parametrize("game", every_game(), ids=lambda game: game.name)


# A game of Fortune lasts long; its options are played plain and compiled besides (test_lockstep.py).
@chosen_cases
@pytest.mark.suite(
    "[!f]*", "fa*", "fortune-classic-35-4p", "fortune-classic-35-*-all-changed", "fortune-shafir-35-4p-storm*"
)
def test_random_play_ends_within_the_bound_and_every_position_is_sound(case: Case) -> None:
    parts.play(case, conserved=CONSERVED[case.game.name])


@some_cases
def test_chance_is_drawn_as_it_is_enumerated(case: Case) -> None:
    assert any(step.actor == CHANCE for step in random_steps(case.match(2), 2, 300))
    parts.chance(case)


@some_cases
def test_what_a_viewer_knows_survives_a_new_deal_and_nothing_else_reaches_him(case: Case, size: Size) -> None:
    for seed in range(size(1, 3)):
        parts.views(case, seed)


@every_case
def test_a_game_declares_whether_it_hides_anything(case: Case) -> None:
    parts.declared(case)


@some_cases
def test_what_can_be_taken_back_has_revealed_nothing(case: Case, size: Size) -> None:
    for seed in range(size(1, 3)):
        parts.undo(case, seed)


@some_cases
def test_a_record_is_replayed_to_the_same_position_and_verified(case: Case) -> None:
    parts.record(case)


@each_game
def test_every_clause_has_code_and_a_test_and_no_other_is_cited(game: Game) -> None:
    parts.rulebook(game)
    rows = coverage(game, TESTS)
    assert [row.clause for row in rows if row.clause not in clauses(game)] == []
    assert [row.clause for row in rows if not row.tests] == [], "no test is named after these"


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.name)
def test_a_game_of_the_lobby_shows_a_newcomer_his_first_steps(game: Game) -> None:
    assert game.guide(), f"{game.name} has no first steps: say them in guide.py (docs/add-a-game.md, 8)"
    teaching.check_guide(game)


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.name)
def test_a_game_of_the_lobby_teaches_itself_by_book_and_lesson(game: Game) -> None:
    teaching.check_book(game)
    teaching.check_lessons(game)


@each_game
def test_a_game_says_what_it_is(game: Game) -> None:
    parts.about(game)
