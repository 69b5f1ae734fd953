"""A position made of cached parts is the same as one drawn anew; little is drawn twice."""

from __future__ import annotations

import random
import tracemalloc

import pytest

from parlour.core import html, html_pieces
from parlour.core.match import Match
from parlour.core.scene import SPECTATOR, Piece, Scene
from parlour.games import all_games, find
from parlour.house.table.pages import fragments
from parlour.house.table.pages.fragments import drawn


@pytest.mark.parametrize("name", all_games())
def test_what_was_put_together_from_parts_is_what_is_drawn_whole(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """This also holds while parts are dropped all the time. No key occurs twice, so every change can be sent as
    such."""
    monkeypatch.setattr(fragments, "KEPT", 20)
    choice, game = random.Random(5), find(name)
    match = Match(game, game.facts.players[1])
    before = None
    for _ in range(30):
        if match.over:
            break
        for viewer in (*range(game.facts.players[1]), SPECTATOR):
            scene = match.scene(viewer)
            made = drawn(scene, "/rules")
            assert made.text == html.render(fragments.faced(scene), "/rules")
            assert before is None or made.since(before) is not None
            before = made
        match.play(choice.choice(match.legal_actions()))


def test_the_second_player_sees_what_was_drawn_for_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    fragments._kept.clear()
    drawings: list[Piece] = []
    draw = html_pieces.Pieces.drawn

    def counted(self: html_pieces.Pieces, piece: Piece) -> str:
        drawings.append(piece)
        return draw(self, piece)

    monkeypatch.setattr(html_pieces.Pieces, "drawn", counted)
    match = Match(find("aces-and-faces"))
    numbers = []
    for viewer in (0, 0, SPECTATOR):
        drawn(match.scene(viewer), "/rules")
        numbers.append(len(drawings))
        drawings.clear()
    assert numbers[1] <= 5  # the board itself, of parts
    assert numbers[2] < numbers[0] / 2


def test_what_is_kept_takes_a_kilobyte_or_two_a_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each version of a board is not stored with everything on it."""
    monkeypatch.setattr(fragments, "KEPT", 400)
    choice, games = random.Random(2), all_games().values()

    def play(seed: int) -> None:
        for game in games:
            match = Match(game, seed=seed)
            for _ in range(12):
                if not match.over:
                    match.play(choice.choice(match.legal_actions()))
                    drawn(match.scene(SPECTATOR), "/rules")

    play(0)  # fills the games' own caches
    fragments._kept.clear()
    tracemalloc.start()
    try:
        for seed in range(1, 5):
            play(seed)
        taken = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert len(fragments._kept) == 400
    assert taken < 400 * 2500


def test_a_list_where_a_tuple_belongs_is_drawn_all_the_same() -> None:
    board = Piece("board", "board", children=[Piece("one", "token", "One", marks=["dim"])])  # type: ignore[arg-type]
    scene = Scene("outside", SPECTATOR, "Look.", board)
    assert drawn(scene, "/rules").text == html.render(scene, "/rules")
    assert "dim" in drawn(scene, "/rules").text
