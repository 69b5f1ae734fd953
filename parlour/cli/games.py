"""`parlour games`: what can be played."""

from __future__ import annotations

from typing import Any

from parlour.cli import output
from parlour.core.game import Game


def games(json: output.Json = False) -> None:
    """List the games with their editions and options.

    Example: `parlour games --json`
    """
    from parlour.games import all_games

    found = list(all_games().values())
    if json:
        output.emit([describe(game) for game in found])
        return
    for number, one in enumerate(found):
        game = describe(one)
        if number:
            print()
        print(f"{game['title']} ({game['name']}): {game['tagline']} {one.seats} players.")
        print("  editions")
        for name, title in game["editions"].items():
            print(f"    {name:<24} {title}")
        print("  options (the first value is the default)")
        for option in game["options"]:
            print(f"    {option['name']:<24} {' | '.join(option['values'])}")
            only = f" Only in {' and '.join(option['rulesets'])}." if option["rulesets"] else ""
            print(f"    {'':<24}   {option['help']} ({option['clause']}){only}")


def describe(game: Game) -> dict[str, Any]:
    """A game as data."""
    return {
        "name": game.name,
        "title": game.text.TITLE,
        "tagline": game.text.TAGLINE,
        "players": list(game.rules.PLAYERS),
        "minutes": list(game.text.MINUTES),
        "rules_version": game.rules.VERSION,
        "editions": {name: edition.title for name, edition in game.editions.items()},
        "options": [
            {
                "name": o.name,
                "values": list(o.values),
                "default": o.default,
                "clause": o.clause,
                "help": o.help,
                "rulesets": list(o.rulesets),
            }
            for o in game.rules.OPTIONS
        ],
    }
