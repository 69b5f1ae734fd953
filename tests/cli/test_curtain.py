"""Several people at one keyboard: if the game has secrets, a curtain falls between one view and the next."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import parlour
from parlour.cli.play import seat_names
from parlour.cli.terminal import Table
from parlour.core.match import Match
from parlour.core.scene import SPECTATOR
from parlour.games import find
from tests.cli.conftest import Cli
from tests.cli.screen import Screen, offered

FALLS = r"the others should not look now\.\n(Player \d): press Enter "


def sessions(folder: Path, game: str, moves: int) -> Iterator[tuple[str, str, str]]:
    """Yield for each turn at the keyboard: the player, the screen while the keyboard is passed, and what follows."""
    choice = random.Random(3)
    with Screen(folder, game, "--bots", "none", "--seed", "3") as screen:
        printed = screen.read(FALLS)
        for _ in range(moves):
            if found := re.search(rf"{FALLS}\Z", printed):
                between = printed
                screen.type("")
                printed = screen.read(r"\nPlayer \d> ")
                yield found[1], between, printed
            elif not printed.endswith("> "):
                break
            screen.type(choice.choice(offered(printed.rsplit("\n", 1)[0])))
            printed = screen.read(rf"({FALLS}|\nPlayer \d> )")
        screen.type("quit")
        screen.read(r"(?!)")  # to the end


@pytest.mark.parametrize("game", ["gatsby", "family-trade", "aces-and-faces"])
@pytest.mark.suite("gatsby")
def test_what_one_player_saw_is_gone_before_the_next_one_looks(game: str, tmp_path: Path) -> None:
    turns = list(sessions(tmp_path, game, 30))
    assert len(turns) > 5
    (kept,) = (tmp_path / "records").iterdir()
    open_to_all = {line.text for line in parlour.load(kept).log(SPECTATOR)}
    for name, between, view in turns:
        left = between.rpartition("\x1b[2J")[2]  # what is there after the screen was cleared
        assert "\x1b[3J" in left  # the lines above it, too
        lines = [re.sub(r" ?\[[A-Z]+-\d+\]$", "", line) for line in left.splitlines()[1:] if line]
        # No drawing, and nothing that only one of them knows; what is long is broken.
        assert all(any(line in whole for whole in open_to_all) for line in lines[:-2])
        assert "(you)" not in left
        assert f"{name} (you)" in view.rpartition("\x1b[2J")[2]
        assert view.endswith(f"\n{name}> ")


def test_only_enter_lifts_it_and_a_move_typed_too_early_is_not_made(cli: Cli) -> None:
    done = cli("play", "gatsby", "--bots", "none", "--seed", "3", input="keep S1\nA\n\nquit\n")
    assert done.out.count("Press only Enter to lift the curtain.") == 2
    assert done.out.count("(you)") == 1
    assert "\f" in done.out  # where there is no screen to clear, it is scrolled away
    assert "Saved" not in done.out


def test_open_games_have_no_curtain(cli: Cli) -> None:
    done = cli("play", "fortune", "--bots", "none", "--seed", "3", input="stop\nstop\nquit\n")
    assert "press Enter" not in done.out
    assert "\f" not in done.out
    assert done.out.count("(you)") == 3


def test_a_person_who_plays_against_bots_alone_is_not_asked_to_look_away(cli: Cli) -> None:
    done = cli("play", "gatsby", "--bots", "random", "--seed", "3", input="quit\n")
    assert "press Enter" not in done.out


def test_the_log_after_a_move_is_seen_with_the_eyes_of_whoever_has_the_keyboard() -> None:
    game = find("gatsby")
    table = Table(Match(game, names=seat_names(game, 2, "none"), seed=3), {})
    assert table._viewer() == SPECTATOR
    table.in_hand = table.match.current_player
    assert table._viewer() == table.in_hand
    table.in_hand = 1 - table.match.current_player
    assert table._viewer() == SPECTATOR
