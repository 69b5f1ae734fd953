"""What every game must pass, by existing."""

from __future__ import annotations

from itertools import chain
from typing import Any

import pytest

from parlour.core.clauses import clauses, coverage
from parlour.core.game import CHANCE, MARKS, Game
from parlour.core.record import Record
from parlour.core.rng import RNG_SIZE, seed_rng
from parlour.core.scene import SPECTATOR
from parlour.core.struct import flatten
from parlour.games import all_games
from tests.conformance import checks
from tests.conformance.cases import TESTS, Case, cases, every_game, random_steps, short_cases
from tests.conformance.conserved import CONSERVED

MOST = 150  # steps looked at closely
every_case = pytest.mark.parametrize("case", cases(), ids=str)
some_cases = pytest.mark.parametrize("case", short_cases(), ids=str)
each_game = pytest.mark.parametrize("game", every_game(), ids=lambda game: game.name)


@every_case
def test_random_play_ends_within_the_bound_and_every_position_is_sound(case: Case) -> None:
    match = case.match()
    bound = case.game.rules.bound(match.state)
    checks.check_position(match)
    conserved = CONSERVED[case.game.name]
    kept: Any = None
    for number, _ in enumerate(random_steps(match, 1, bound or 2000), 1):
        if number < MOST:
            checks.check_position(match)
            checks.check_random_action(match, number)
        if number % 41 == 0 or number < 25:
            if match.current_player >= 0:
                checks.check_moves(match, number)
            elif match.current_player == CHANCE and number < 25:
                checks.check_chance(match)
        now = conserved(match.state)
        assert kept in (None, now), "pieces were lost or made"
        kept = now
    if bound:
        assert match.version < bound
        checks.check_over(match)
        checks.check_position(match)


@some_cases
def test_chance_is_drawn_as_it_is_enumerated(case: Case) -> None:
    match = case.match()
    kinds = set()
    for _ in chain([None], random_steps(match, 2, 300)):
        outcomes = len(match.chance_outcomes()[0])
        if outcomes and outcomes not in kinds and len(kinds) < 10:
            kinds.add(outcomes)
            checks.check_sampling(match)
    assert kinds


@some_cases
def test_what_a_viewer_knows_survives_a_new_deal_and_nothing_else_reaches_him(case: Case) -> None:
    for seed in range(3):
        match = case.match(seed)
        rng = [0] * RNG_SIZE
        seed_rng(rng, seed, 7)
        known = set(clauses(case.game))
        for step in random_steps(match, seed, 80):
            for viewer in (SPECTATOR, *range(case.players)):
                checks.check_resample(match, viewer, rng)
                checks.check_no_leak(case.game, step, viewer, match.names, rng)
                checks.check_scene(match, viewer, known)
                lines = case.game.scenes.tell(step, viewer, match.names)
                assert {line.clause for line in lines} <= known  # each line can be looked up
                assert all(line.text and "\n" not in line.text for line in lines)
        checks.check_information(match)


@every_case
def test_a_game_declares_whether_it_hides_anything(case: Case) -> None:
    hidden = False
    for seed in range(20):
        match = case.match(seed)
        for step in random_steps(match, seed, 400):
            hidden = checks.check_declared(match, step) or hidden
        if hidden or not case.game.rules.hidden_information(match.state):
            return
    raise AssertionError("it says that it hides something, and nothing was ever hidden")


@some_cases
def test_what_can_be_taken_back_has_told_nobody_anything(case: Case) -> None:
    rng = [0] * RNG_SIZE
    for seed in range(3):
        match = case.match(seed)
        seed_rng(rng, seed, 11)
        for step in random_steps(match, seed, 250):
            checks.check_undo(match, step, rng)


@some_cases
def test_a_record_is_replayed_to_the_same_position_and_verified(case: Case) -> None:
    match = case.match(5, auto=True)
    rng = [0] * RNG_SIZE
    seed_rng(rng, 5, 0)
    while not match.over and match.version < 300:
        legal = match.legal_action_ids()
        match.play(legal[rng[0] % len(legal)])
        seed_rng(rng, match.version, 0)
    text = match.record().to_text()
    record = Record.parse(text)
    assert record.to_text() == text

    def find(name: str) -> Game:
        assert name == case.game.name
        return case.game

    for again in (record.replay(find), record.verify(find)):
        assert flatten(again.state) == flatten(match.state)
        assert again.steps == match.steps
        assert again.record().to_text() == text
        assert again.log() == match.log()


@each_game
def test_every_clause_has_code_and_a_test_and_no_other_is_cited(game: Game) -> None:
    numbers = clauses(game)
    assert numbers
    rows = coverage(game, TESTS)
    assert [row.clause for row in rows if row.clause not in numbers] == []
    assert [row.clause for row in rows if not row.code] == [], "no code cites these"
    assert [row.clause for row in rows if not row.tests] == [], "no test is named after these"
    cited = {option.clause for option in game.rules.OPTIONS}
    for edition in game.editions.values():
        for part in edition.components.values():
            assert part.mark in MARKS
            cited.add(part.clause)
    assert cited <= set(numbers)
    for option in game.rules.OPTIONS:
        assert option.help
        assert len(set(option.values)) == len(option.values) >= 2


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.name)
def test_a_game_of_the_lobby_shows_a_newcomer_his_first_steps(game: Game) -> None:
    assert game.guide(), f"{game.name} has no first steps: say them in guide.py (docs/add-a-game.md, 8)"
    checks.check_guide(game)


@each_game
def test_a_game_says_what_it_is(game: Game) -> None:
    assert game.text.TITLE
    assert game.text.TAGLINE
    assert 0 < game.text.MINUTES[0] <= game.text.MINUTES[1]
    assert 1 <= game.rules.PLAYERS[0] <= game.rules.PLAYERS[1]
    assert {"light", "dark"} <= set(game.scenes.THEME) <= {"light", "dark", "wide", "narrow"}
    assert game.rules.VERSION >= 1
