"""`parlour.State` plays the games that `Match` plays, and shows a seat what it may know and no more."""

from __future__ import annotations

import json
import pickle
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial

import pytest

import parlour
from parlour.core.contract import CHANCE, TERMINAL, UNSEEN
from parlour.core.errors import BadSetup, CannotUndo, IllegalMove, InvalidMove, MatchOver, NotYourTurn, ParlourError
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.scene import SPECTATOR
from parlour.core.state import State
from parlour.games import all_games

Make = Callable[..., State]
GAMES = [*all_games().values()]
SHAPES = [
    pytest.param(game, players, options, id=f"{game.name}-{players}{''.join(options.values())}")
    for game in GAMES
    for options in ([{"ruleset": one} for one in game.rulesets] if game.rulesets != ("",) else [{}])
    for players in dict.fromkeys(game.facts.players)
]


@pytest.fixture(params=["plain", "compiled"])
def make(request: pytest.FixtureRequest) -> Make:
    """Return what makes the first state of a game."""
    return partial(parlour.new_initial_state, compiled=request.param == "compiled")


def walk(state: State, choice: random.Random, most: int = 400) -> Iterator[State]:
    """Play at random and yield the position before each action, at most this number."""
    for _ in range(most):
        if state.is_terminal():
            return
        yield state
        state.apply_action(choice.choice(state.legal_actions()))


@pytest.mark.parametrize(("game", "players", "options"), SHAPES)
def test_it_plays_what_a_match_plays(
    make: Make, game: Game, players: int, options: dict[str, str], size: Callable[[int, int], int]
) -> None:
    """Every outcome is given to the match by its own number, and every decision; the two never differ."""
    state, match = make(game, players, options=options), Match(game, players, options=options, seed=1, auto=False)
    choice = random.Random(f"{game.name}{players}")
    for _ in walk(state, choice, size(150, 400)):
        follow(state, match)
        assert state.current_player() == match.current_player
        if state.is_chance_node():
            outcomes, weights = match.chance_outcomes()
            assert state.chance_weights() == weights
            assert state.legal_actions() == [*range(len(outcomes))] == [number for number, _ in state.chance_outcomes()]
            assert len(outcomes) <= game.max_chance_outcomes
            assert sum(p for _, p in state.chance_outcomes()) == pytest.approx(1)
        else:
            assert state.legal_actions() == match.legal_action_ids()
            assert state.observation() == observed(match, match.current_player)
        assert (state.returns(), state.scores()) == (match.returns, match.scores)
    follow(state, match)
    assert state.rewards() == state.returns() == match.returns
    assert sum(match.returns) == (game.utility_sum if match.over else 0)


def observed(match: Match, seat: int) -> list[int]:
    out = [0] * match.game.rules.OBSERVATION_SIZE
    match.game.rules.observation(match.state, seat, out)
    return out


def follow(state: State, match: Match) -> None:
    """Make in the match what the state has made since they were last together."""
    for player, action in state.full_history()[match.version :]:
        match.step(match.chance_outcomes()[0][action] if player == CHANCE else action)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_what_a_seat_has_noticed_is_told_once_and_continued(make: Make, game: Game) -> None:
    """It has a word for each step that the seat noticed, whenever it is asked for."""
    state, match = make(game, 2), Match(game, 2, seed=1, auto=False)
    choice = random.Random(3)
    for number, _ in enumerate(walk(state, choice, 120)):
        if number % 7 == 0:
            copied = state.clone()
            assert copied.information_state_string(0) == state.information_state_string(0)
            assert "?" not in state.information_state_string(1).split("1:")[0].split(" ")[0]
    follow(state, match)
    for seat in range(2):
        words = state.information_state_string(seat).split()[2:]
        assert [word.split(":")[0] for word in words] == [str(actor) for actor, _ in match.information_state(seat)]
        seen = [one for _, one in match.information_state(seat)]
        assert [word.split(":")[1] for word in words] == ["?" if one < 0 else str(one) for one in seen]
        assert UNSEEN not in seen


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_one_takes_back_copies_and_stores(make: Make, game: Game) -> None:
    state = make(game)
    choice = random.Random(5)
    for number, _ in enumerate(walk(state, choice, 60)):
        if number % 6:
            continue
        action = choice.choice(state.legal_actions())
        player, before = state.current_player(), everything(state)
        child = state.child(action)
        assert everything(state) == before
        child.undo_action(player, action)
        assert everything(child) == before
        assert everything(pickle.loads(pickle.dumps(state))) == before
        stored = parlour.deserialize_state(state.serialize())
        assert everything(stored) == before
    with pytest.raises(CannotUndo, match="it was"):
        state.undo_action(7, 7)
    with pytest.raises(CannotUndo, match="no action has been made"):
        make(game).undo_action(0, 0)


def everything(state: State) -> tuple[object, ...]:
    seats = [SPECTATOR, *range(state.num_players)]
    return (
        state.full_history(), state.current_player(), state.legal_actions(), state.chance_outcomes(), state.scores(),
        [state.observation(seat) for seat in seats], [state.information_state_string(seat) for seat in seats[1:]],
    )  # fmt: skip


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_what_is_redrawn_is_what_the_seat_cannot_know(make: Make, game: Game) -> None:
    state = make(game)
    choice = random.Random(8)
    for number, _ in enumerate(walk(state, choice, 80)):
        seat = state.current_player()
        if number % 5 or seat < 0:
            continue
        drawn = state.resample_from_infostate(seat, choice)
        assert drawn.observation(seat) == state.observation(seat)
        assert drawn.legal_actions() == state.legal_actions()
        assert drawn.information_state_string(seat) == state.information_state_string(seat)
        assert everything(state.resample_from_infostate(seat, 4)) == everything(state.resample_from_infostate(seat, 4))
        action = choice.choice(state.legal_actions())
        assert drawn.child(action).information_state_string(seat).startswith(state.information_state_string(seat))
        later = drawn.child(action)
        stored = parlour.deserialize_state(later.serialize())
        assert everything(stored) == everything(later)
        later.undo_action(seat, action)
        assert everything(later) == everything(drawn)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_chance_drawn_is_chance_chosen_by_its_weights(make: Make, game: Game) -> None:
    """`apply_chance` does what people do with the weights and the same source, and shows the same tensors."""
    drawn, chosen, draw, choose = make(game), make(game), random.Random(1), random.Random(1)
    plays = random.Random(2)
    for _ in range(120):
        if drawn.is_terminal():
            break
        if drawn.is_chance_node():
            weights = chosen.chance_weights()
            action = choose.choices(range(len(weights)), weights)[0] if len(weights) > 1 else 0
            assert drawn.apply_chance(draw) == action
        else:
            with pytest.raises(NotYourTurn, match="No dice or cards are due now"):
                drawn.apply_chance(draw)
            action = plays.choice(drawn.legal_actions())
            drawn.apply_action(action)
        chosen.apply_action(action)
        assert drawn.plain() == chosen.plain()
        assert drawn.full_history() == chosen.full_history()
    assert draw.random() == choose.random()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_tensor_says_what_the_numbers_say(game: Game) -> None:
    """The numbers are read back from the tensor by the spec alone, and are those of the observation."""
    state = parlour.new_initial_state(game, game.max_num_players)
    spec = game.observation_spec()
    size = spec[-1].start + spec[-1].size * (len(state.observation_tensor(0)) - spec[-1].start) // spec[-1].size
    for number, _ in enumerate(walk(state, random.Random(2), 200)):
        if number % 10:
            continue
        numbers, floats = state.observation(0), state.observation_tensor(0)
        assert len(floats) == size
        assert floats.itemsize == 4
        for field in spec:
            width = (field.shape[-1] if len(field.shape) == 2 else field.shape[0] // field.size) if field.size else 1
            for one in range(field.size):
                part = floats[field.start + one * width : field.start + (one + 1) * width]
                number = numbers[field.at + one]
                if field.kind == "number":
                    assert list(part) == [number], field
                elif field.kind == "mask":
                    assert sum(int(bit) << at for at, bit in enumerate(part)) == number, field
                elif field.name.startswith("each part that is due"):
                    ones = [at for at, bit in enumerate(part) if bit]
                    assert ones == ([] if number < 0 else [number % 32, 32 + number // 32])
                else:
                    assert field.least is not None
                    assert [at for at, bit in enumerate(part) if bit] == [number - field.least], field


def test_the_spec_names_clauses_that_there_are() -> None:
    for game in GAMES:
        named = {field.clause for field in game.observation_spec()} - {""}
        assert named
        assert all(f"**{clause}**" in game.rulebook for clause in named), game.name


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_position_in_words_is_json_and_hides_what_is_hidden(game: Game) -> None:
    """What a seat gets is the same in every position that it cannot tell apart from this one."""
    state = parlour.new_initial_state(game)
    choice = random.Random(4)
    for number, _ in enumerate(walk(state, choice, 60)):
        seat = state.current_player()
        if seat < 0 or number % 6:
            continue
        found = json.loads(json.dumps(state.observation_dict()))
        assert found["you"] == found["to_move"] == seat
        assert [*map(int, found["legal_actions"])] == state.legal_actions()
        other = 1 - seat
        drawn = state.resample_from_infostate(other, choice)
        assert drawn.observation_dict(other) == state.observation_dict(other)
        assert state.observation_dict(other)["legal_actions"] == {}


def test_words_and_numbers_of_actions(make: Make) -> None:
    for game in GAMES:
        state = make(game)
        for number, _ in enumerate(walk(state, random.Random(6), 40)):
            if number % 4 == 0:
                few = state.legal_actions()[:5]
                assert [state.string_to_action(state.action_to_string(one)) for one in few] == few


def test_modes_and_bounds() -> None:
    fortune, gatsby = parlour.find("fortune"), parlour.find("gatsby")
    assert (fortune.min_num_players, fortune.max_num_players) == (2, 4)
    assert (fortune.chance_mode, fortune.min_utility, fortune.max_utility, fortune.utility_sum) == ("explicit", 0, 1, 1)
    assert parlour.new_initial_state(fortune).information == "perfect"
    assert parlour.new_initial_state(gatsby).information == "imperfect"
    assert parlour.new_initial_state(gatsby).max_game_length > 1000
    state = parlour.new_initial_state(fortune, 3)
    assert (state.num_players, state.game, state.edition.name) == (3, fortune, fortune.edition().name)
    assert state.options["target"] == "6000" or state.options["target"] in fortune.facts.options[0].values
    weights = state.chance_weights()
    assert [p for _, p in state.chance_outcomes()] == [float(Fraction(one, sum(weights))) for one in weights]
    assert len(state.legal_actions_mask()) == fortune.max_chance_outcomes
    assert repr(state).startswith("<State of fortune, 3 players, 0 actions, chance")
    assert str(state)


def test_mistakes_get_a_sentence_and_change_nothing(make: Make) -> None:
    game = parlour.find("gatsby")
    state = make(game)
    for _ in walk(state, random.Random(1)):
        if not state.is_chance_node():
            break
    before, seat = everything(state), state.current_player()
    wrong = next(one for one in range(game.num_distinct_actions) if one not in state.legal_actions())
    for action, kind, words in (
        (wrong, IllegalMove, "GA-"),
        (game.num_distinct_actions, IllegalMove, "There is no action"),
        (-1, IllegalMove, "There is no action"),
        (True, InvalidMove, "whole number"),
        ("stop", InvalidMove, "whole number"),
        (None, InvalidMove, "whole number"),
    ):
        with pytest.raises(kind, match=words):
            state.apply_action(action)  # type: ignore[arg-type]
    with pytest.raises(BadSetup, match="There is no seat 2; the seats are 0 to 1"):
        state.observation(2)
    with pytest.raises(BadSetup, match="There is no seat"):
        state.resample_from_infostate(SPECTATOR)
    assert state.legal_actions(1 - seat) == []
    assert set(state.legal_actions_mask(1 - seat)) == {0}
    assert everything(state) == before
    for _ in walk(state, random.Random(1), 9000):
        pass
    assert state.current_player() == TERMINAL
    assert state.legal_actions() == []
    with pytest.raises(MatchOver):
        state.apply_action(0)
    with pytest.raises(BadSetup, match="No seat is to decide"):
        state.information_state_string()


@pytest.mark.parametrize("text", ["", "{}", "[]", "nonsense", '{"format": 1, "game": "chess"}'])
def test_what_is_no_stored_position_is_refused(text: str) -> None:
    with pytest.raises(ParlourError, match=r"position"):
        parlour.deserialize_state(text)


def test_a_match_shows_the_same_numbers_and_says_where_it_is() -> None:
    match, state = parlour.new("gatsby", seed=4, auto=False), parlour.new_initial_state("gatsby")
    assert repr(match) == "<Match of gatsby, 2 players, 0 steps, chance to draw>"
    for _ in walk(state, random.Random(4), 60):
        follow(state, match)
        for seat in (SPECTATOR, 0, 1):
            assert match.observation(seat) == state.observation(seat)
        if match.current_player >= 0:
            assert match.legal_mask() == state.legal_actions_mask()
    copied = match.clone()
    copied.step(copied.legal_action_ids()[0] if copied.current_player >= 0 else copied.chance_outcomes()[0][0])
    assert copied.version == match.version + 1


@pytest.mark.parametrize(
    "change",
    [
        {"parts": {}}, {"parts": {"cabaret": "x"}}, {"players": 9}, {"game": "chess"}, {"options": {"a": "b"}},
        {"rules": 99}, {"actions": [[0, 99999]]}, {"since": [[1, 2, 3], ["", ""]]}, {"format": 2},
    ],
    ids=str,
)  # fmt: skip
def test_a_stored_position_that_was_changed_is_refused_in_a_sentence(change: dict[str, object]) -> None:
    state = parlour.new_initial_state("gatsby")
    for _ in walk(state, random.Random(1), 40):
        if state.current_player() >= 0:
            break
    whole = json.loads(state.resample_from_infostate(None, 1).serialize())
    told = [whole["since"][0], []]
    for changed in (whole | change, whole | {"since": told}):
        with pytest.raises(ParlourError, match=r"[.)]$"):
            parlour.deserialize_state(json.dumps(changed))
    assert parlour.deserialize_state(json.dumps(whole)).observation() == state.observation()
