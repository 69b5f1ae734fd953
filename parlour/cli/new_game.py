"""`parlour new-game`: write a folder with a small working game, to turn into another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from parlour.core.errors import BadSetup

SKELETON = Path(__file__).parent / "skeleton"
PLACES = {"standard.toml": "editions/standard.toml", "test_game.py": "tests/test_{module}.py"}


def new_game(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The game's name: small letters, digits, dashes.")],
    into: Annotated[Path, typer.Option("--into", metavar="DIR", help="Make the game's folder in this one.")] = Path(
        "."
    ),
) -> None:
    """Write the skeleton of a game: rules, words, scene, rulebook, first steps and a test.

    It is a working game, a heap of sticks: you can play it at once in the terminal and the browser, and it passes
    `parlour check`. Make it yours file by file; docs/add-a-game.md explains each file.

    Example: `parlour new-game my-game --into games`
    """
    folder = write(name, into)
    print(f"{folder} is ready. Next:")
    print(f"  parlour --games {folder} play {folder.name.replace('_', '-')}   in the terminal")
    print(f"  parlour --games {folder}   in the browser: the lobby offers it")
    print(f"  parlour check {folder}   checks that it meets the contract")


def write(name: str, into: Path) -> Path:
    """Write the skeleton into a new folder and return the folder. Raises BadSetup if the name is not valid or taken,
    or if the folder exists."""
    from parlour.games import NAME, all_games, called

    game = called(name)
    if not NAME.fullmatch(game):
        raise BadSetup(
            f"{name!r} cannot be a game's name: use only lower-case letters, digits and dashes, and begin with a "
            "letter."
        )
    if game in all_games():
        raise BadSetup(f"There is already a game {game}.")
    module = game.replace("-", "_")
    folder = into / module
    if folder.exists():
        raise BadSetup(f"{folder} already exists.")
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
    """Return the two capitals before the numbers of a game's clauses: "my-game" -> "MG", "sticks" -> "ST"."""
    initials = [part[0] for part in name.split("-") if part[0].isalpha()]
    letters = initials if len(initials) > 1 else [letter for letter in name if letter.isalpha()]
    return "".join((letters * 2)[:2]).upper()
