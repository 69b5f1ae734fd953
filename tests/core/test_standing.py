"""Places, margins and the headline of a finished game, for each viewer."""

from __future__ import annotations

from random import Random

import pytest

from parlour.core.match import Match
from parlour.core.standing import Standing, beyond, decided, headline, in_short, standings
from parlour.games import all_games

NAMES = ("Ann", "Bob", "Cleo")


@pytest.mark.parametrize(
    ("returns", "scores", "mine", "words", "mood"),
    [
        ((1, 0), (8700, 6000), 0, "You won by 2,700", "won"),
        ((1, 0), (8700, 6000), 1, "{0} won by 2,700", "lost"),
        ((1, 0), (8700, 8400), 1, "So close: 300 short", "lost"),
        ((1, 0), (8700, 6000), None, "{0} wins by 2,700", ""),
        ((0, 0, 1), (10, 90, 300), 0, "You finished third", "lost"),
        ((0, 0, 1), (10, 90, 300), 1, "You finished second", "lost"),
        ((0, 0, 1, 0), (90, 90, 300, 10), 1, "You share second place", "lost"),
        ((0.5, 0.5), (7, 7), 0, "A draw", "drawn"),
        ((0.5, 0.5), (7, 7), None, "A draw", ""),
        ((0.5, 0, 0.5), (7, 3, 7), 0, "You share the win", "drawn"),
        ((0.5, 0, 0.5), (7, 3, 7), 1, "{0} and {2} share the win", "lost"),
        ((0, 1), (12, 5), 1, "You won", "won"),  # by something else than points: a sudden win
        ((0, 1), (12, 5), 0, "{1} won", "lost"),
        ((1,), (12,), 0, "You won", "won"),
        ((0, 0), (1, 2), None, "No one wins", ""),
    ],
)
def test_the_headline(
    returns: tuple[float, ...], scores: tuple[int, ...], mine: int | None, words: str, mood: str
) -> None:
    assert headline(standings(returns, scores), scores, NAMES, mine) == (words, mood)


@pytest.mark.parametrize(
    ("returns", "scores", "by_points", "words"),
    [
        ((1, 0), (8700, 6000), True, ["won by 2,700", "lost by 2,700"]),
        ((0, 0, 1), (10, 90, 300), True, ["third of 3", "second of 3", "won by 210"]),
        ((0, 0, 1), (4, 7, 9), False, ["lost", "lost", "won"]),
        ((0, 1), (12, 5), True, ["lost", "won"]),  # by something else than points
        ((0.5, 0.5), (7, 7), True, ["a draw", "a draw"]),
        ((0.5, 0, 0.5), (7, 3, 7), True, ["win shared", "third of 3", "win shared"]),
        ((0, 0), (1, 2), True, ["no one won", "no one won"]),
        ((1,), (12,), True, ["won"]),
    ],
)
def test_an_end_in_few_words(
    returns: tuple[float, ...], scores: tuple[int, ...], by_points: bool, words: list[str]
) -> None:
    assert [in_short(returns, scores, seat, by_points=by_points) for seat in range(len(scores))] == words


def test_a_bot_that_played_on_is_named() -> None:
    found = standings((0, 1), (5, 80))
    assert headline(found, (5, 80), NAMES, 1, "Your bot").words == "Your bot won by 75"


def test_a_long_name_leaves_no_room_for_the_margin() -> None:
    found = standings((1, 0), (900, 5))
    assert headline(found, (900, 5), ("W" * 24, "Bob")).words == "{0} wins"


def test_equal_seats_share_a_place_and_a_race_has_no_margins() -> None:
    assert standings((0, 0, 1), (4, 4, 9)) == (Standing(2, 1, 9, 0), Standing(0, 2, 4, 5), Standing(1, 2, 4, 5))
    assert standings((0, 1, 0), (9, 7, 8), race=(3, 4, 2)) == (
        Standing(1, 1, 4, None), Standing(0, 2, 3, None), Standing(2, 3, 2, None),
    )  # fmt: skip


def test_a_sentence_about_the_end_does_not_repeat_the_standings() -> None:
    found = standings((1, 0, 0), (4200, 7, 9))
    assert beyond("Ann wins with 4,200.", found, NAMES) == ""
    assert beyond("All have dealt. Ann wins with 4,200.", found, NAMES) == "All have dealt."
    assert beyond("The last market has crashed: Ann wins with 4,200.", found, NAMES) == "The last market has crashed."
    assert beyond("Ann wins with 4 queens.", found, NAMES) == "Ann wins with 4 queens."
    assert beyond("Ann and Bob share the win with 80.", standings((0.5, 0.5, 0), (80, 80, 9)), NAMES) == ""
    assert beyond("No one wins.", standings((0, 0, 0), (1, 1, 1)), NAMES) == "No one wins."


def test_who_wins_at_once_does_not_win_by_points() -> None:
    found = standings((0, 0, 1), (4, 7, 9), at_once=True)
    assert found == (Standing(2, 1, 9, None), Standing(1, 2, 7, None), Standing(0, 2, 4, None))
    assert [headline(found, (4, 7, 9), NAMES, seat).words for seat in range(3)] == [
        "{2} won", "{2} won", "You won"
    ]  # fmt: skip


@pytest.mark.parametrize("name", all_games())
def test_every_game_says_who_won_to_each_seat(name: str) -> None:
    game, random = all_games()[name], Random(name)
    match = Match(game, seed=11)
    while not match.over:
        match.play(random.choice(match.legal_action_ids()))
    found = standings(match.returns, match.scores, game.race(match.state))
    assert {one.seat for one in found if one.place == 1} == {*match.winners}
    for seat in range(len(match.names)):
        words, mood = headline(found, match.scores, match.names, seat)
        assert words.format(*match.names)
        assert mood == ("lost" if seat not in match.winners else "won" if len(match.winners) == 1 else "drawn")
    assert headline(found, match.scores, match.names).mood == ""


@pytest.mark.parametrize(
    ("scores", "returns", "step"),
    [
        ([(0, 0), (1, 0), (1, 2), (3, 2), (4, 2)], (1, 0), 2),  # ahead, behind, and ahead for good
        ([(0, 0), (1, 0), (2, 0)], (1, 0), 0),
        ([(0, 0), (1, 0), (1, 1), (1, 1)], (0.5, 0.5), -1),  # shared
        ([(0, 0), (5, 0), (5, 1)], (0, 1), -1),  # won by something other than the score
        ([(0, 0, 0), (3, 0, 2), (3, 3, 2), (3, 4, 2)], (0, 1, 0), 2),
    ],
)
def test_the_moment_that_decided_it(scores: list[tuple[int, ...]], returns: tuple[float, ...], step: int) -> None:
    assert decided(scores, returns) == step


def test_the_moment_of_who_wins_at_once_is_the_step_that_won() -> None:
    scores = [(0, 0), (5, 0), (5, 1), (5, 2), (5, 2)]
    assert decided(scores, (0, 1), [False, False, False, True, True]) == 2
