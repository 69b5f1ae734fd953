"""`parlour new-game`: a folder with a small game that works, to be made into another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from parlour.core.errors import BadSetup

SKELETON = Path(__file__).parent / "skeleton"
PLACES = {"standard.toml": "editions/standard.toml", "test_game.py": "tests/test_{module}.py"}


def new_game(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What it is called: small letters, digits, dashes.")],
    into: Annotated[Path, typer.Option("--into", metavar="DIR", help="Make its folder in this one.")] = Path("."),
) -> None:
    """Write the skeleton of a game: rules, words, scene, rulebook, first steps and a test.

    It is a game from the first minute, a heap of sticks: it can be played in the terminal and the browser, and
    `parlour check` passes it. Make it yours file by file; docs/add-a-game.md explains each of them.

    Example: `parlour new-game my-game --into games`
    """
    folder = write(name, into)
    print(f"{folder} is a game. Now:")
    print(f"  parlour --games {folder} play {folder.name.replace('_', '-')}   in the terminal")
    print(f"  parlour --games {folder}   in the browser: it stands in the lobby")
    print(f"  parlour check {folder}   whether it keeps its word")


def write(name: str, into: Path) -> Path:
    """Write the skeleton into a new folder; the folder. BadSetup: no name, a taken one, or there is such a folder."""
    from parlour.games import NAME, all_games, called

    game = called(name)
    if not NAME.fullmatch(game):
        raise BadSetup(
            f"A game's name is made of small letters, digits and dashes, and begins with a letter: {name!r}."
        )
    if game in all_games():
        raise BadSetup(f"There is a game {game} already.")
    module = game.replace("-", "_")
    folder = into / module
    if folder.exists():
        raise BadSetup(f"{folder} is there already.")
    prefix = clause_prefix(game)
    words = {"@name@": game, "@title@": game.replace("-", " ").title(), "@ZZ@": prefix, "@zz@": prefix.lower()}
    for source in sorted(SKELETON.glob("*.txt")):
        text = source.read_text("utf-8")
        for token, word in words.items():
            text = text.replace(token, word)
        kept = source.name.removesuffix(".txt")
        file = folder / PLACES.get(kept, kept).format(module=module)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    return folder


def clause_prefix(name: str) -> str:
    """The two capitals before the numbers of its clauses: "my-game" -> "MG", "sticks" -> "ST"."""
    initials = [part[0] for part in name.split("-") if part[0].isalpha()]
    letters = initials if len(initials) > 1 else [letter for letter in name if letter.isalpha()]
    return "".join((letters * 2)[:2]).upper()
