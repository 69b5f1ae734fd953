"""Each ruleset, played to its end at a real terminal by a player who knows only what is printed there."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

import parlour
from parlour.games import all_games
from tests.cli.screen import Screen, offered

QUICK = {"fortune": {"target": "5000"}}  # options with which games are short


def kinds() -> Iterator[tuple[str, str]]:
    for name, game in all_games().items():
        yield from ((name, ruleset) for ruleset in game.rulesets or ("",))


@pytest.mark.parametrize(("name", "ruleset"), list(kinds()))
@pytest.mark.suite("family-trade-market-making")
def test_a_whole_game_is_played_from_what_is_printed(name: str, ruleset: str, tmp_path: Path) -> None:
    options = {**QUICK.get(name, {}), **({"ruleset": ruleset} if ruleset else {})}
    arguments = [name, "--seed", "5", "--bots", "random"]
    arguments += [word for option, value in options.items() for word in ("-o", f"{option}={value}")]
    choice = random.Random(5)
    made = 0
    with Screen(tmp_path, *arguments, columns=random.Random(name).choice((80, 120))) as screen:
        while "Player> " in (printed := screen.read(r"\nPlayer> ")):
            moves = offered(printed.removesuffix("\nPlayer> "))
            assert moves, printed
            screen.type(choice.choice(moves))
            made += 1
        assert screen.process.wait() == 0
    assert "Type `help`" not in screen.text, screen.text[-3000:]  # every move that was offered was taken
    (kept,) = (tmp_path / "records").iterdir()
    match = parlour.load(kept)
    assert match.over
    assert sum(actor == 0 for actor, _, _ in match.steps) == made
