"""A trial of editions says what a comparison of the same games says, however they are cut into pieces."""

from __future__ import annotations

import pytest

from parlour.analysis import trying
from parlour.analysis.comparing import compare
from parlour.analysis.trials import Asked
from parlour.games import find

GAMES = 600


@pytest.fixture(scope="module")
def asked() -> Asked:
    game = find("aces-and-faces")
    edition = game.named()
    name, part = next((name, part) for name, part in edition.components.items() if type(part.value) is int)
    most = edition.changed({name: part.value + 1}).parts
    return Asked(game, {}, 2, {"first": edition.parts, "other": most})


@pytest.mark.parametrize("size", [GAMES, 250, 170])
def test_it_says_what_a_comparison_says(asked: Asked, size: int) -> None:
    assert trying.prepare(asked)
    pieces, done = [], 0
    while done < GAMES:
        one = trying.piece(asked, done, min(size, GAMES - done), 60.0)
        assert one.games == min(size, GAMES - done)
        pieces.append(one.seen)
        done += one.games
    found = trying.table(asked, pieces)
    assert (found.labels, found.games, found.bot) == (("first", "other"), GAMES, "greedy")
    known = compare(*trying.setups(asked), GAMES, measures=["1st", "2nd", *trying.SHOWN])
    said = {line[0]: line[1:4] for line in known.table()}
    for line in found.lines:
        assert (*line.words, line.change) == said[line.title]
        one = known[line.name]
        assert one.first is not None
        assert line.values[0] == (one.first.value, *one.first.interval)
        assert line.differs == (one.adjusted < 0.05)
    hidden = [one for one in known.differences if one.measure.title not in {line.title for line in found.lines}]
    assert {one.measure.name for one in hidden} <= {*trying.RARE}
    assert all(not one.first.value and not one.second.value for one in hidden if one.first and one.second)


def test_a_piece_ends_after_its_time_and_has_the_same_games_of_each(asked: Asked) -> None:
    one = trying.piece(asked, 0, 10**6, 0.01)
    assert trying.BLOCK <= one.games < 10**6
    assert one.games % trying.BLOCK == 0
    assert trying.table(asked, [one.seen]).games == one.games


def test_plain_rules_play_too_and_one_edition_is_compared_with_nothing(asked: Asked) -> None:
    alone = asked._replace(engine="plain", editions={"first": asked.editions["first"]})
    one = trying.piece(alone, 0, 2, 60.0)
    found = trying.table(alone, [one.seen])
    assert (one.games, found.games) == (2, 2)
    assert {(line.change, line.changed, line.differs) for line in found.lines} == {("", None, False)}
