"""Where things lie, without style attributes: what a page whose policy forbids them shows."""

from __future__ import annotations

import random
import re

import pytest

from parlour.core import html, placing
from parlour.core.match import Match
from parlour.games import all_games


@pytest.mark.parametrize("name", list(all_games()))
def test_nothing_that_is_drawn_has_a_style_attribute(name: str) -> None:
    game, choice = all_games()[name], random.Random(1)
    match = Match(game, game.facts.players[1], seed=1)
    drawn = html.SHAPES + html.art(game)
    while not match.over and match.version < 60:
        drawn += html.render(match.scene(match.current_player))
        match.play(choice.choice(match.legal_action_ids()))
    assert not re.findall(r"\sstyle=|<style", drawn)


def test_every_number_that_is_written_has_a_rule() -> None:
    sheet = placing.sheet()
    for name in placing.COUNTS:
        for number in (0, 1, placing.MOST):
            assert f'[data-{name}="{number}"]' in sheet
            assert placing.counted(**{name: number}) == f' data-{name}="{number}"'
        assert placing.counted(**{name: placing.MOST + 1}) == placing.counted(**{name: -1}) == ""
    for thousandth in range(1001):
        said = placing.shared(left=thousandth / 1000)
        whole, tenth = re.fullmatch(r' data-left="(\d+)\.(\d)"', said).groups()  # type: ignore[union-attr]
        assert int(whole) * 10 + int(tenth) == thousandth
        assert f'[data-left^="{whole}."]{{--left:{whole}%}}' in sheet
        assert f'[data-left$=".{tenth}"]{{--left-more:.{tenth}%}}' in sheet
    assert placing.shared(left=-0.2, top=1.3) == ' data-left="0.0" data-top="100.0"'


def test_the_areas_of_a_theme_are_its_names_once() -> None:
    assert placing.areas("'card tray worth' 'pile . worth' \"rope rope ...\"") == [
        "card",
        "tray",
        "worth",
        "pile",
        "rope",
    ]
    assert placing.areas("") == []


@pytest.mark.parametrize("name", list(all_games()))
def test_each_piece_on_a_board_with_areas_has_one(name: str) -> None:
    """Otherwise it would lie wherever there is room."""
    game, choice = all_games()[name], random.Random(2)
    for width in ("narrow", "wide"):
        areas = {*placing.areas(game.theme.get(width, {}).get("grid-template-areas", ""))}
        match = Match(game, game.facts.players[0], seed=2)
        while areas and not match.over and match.version < 60:
            keys = {piece.key for piece in match.scene(match.current_player).board.children if piece.at is None}
            assert keys <= areas
            match.play(choice.choice(match.legal_action_ids()))
