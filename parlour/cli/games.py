"""`parlour games`: the games that can be played."""

from __future__ import annotations

from parlour.cli import output
from parlour.core.game import Game


def games(json: output.Json = False) -> None:
    """List the games with their editions and options, and those that do not load, with their errors.

    Games are built in, installed (in a package that declares the entry point parlour.games), or in the folders that
    --games or the environment variable PARLOUR_GAMES names.

    Examples: `parlour games --json`, `parlour --games DIR games`
    """
    from parlour.games import BUILT_IN, all_games, broken_games, place_of

    found, broken = list(all_games().values()), broken_games()
    if json:
        faults = [{"name": one.name, "place": one.place, "error": one.why} for one in broken]
        output.emit([*({**describe(game), "place": place_of(game)} for game in found), *faults])
        return
    for number, one in enumerate(found):
        if number:
            print()
        print(f"{one.text.TITLE} ({one.name}): {one.text.TAGLINE} {one.seats} players.")
        print("  editions")
        for name, edition in one.editions.items():
            print(f"    {name:<24} {edition.title}")
        if one.facts.options:
            print("  options (the first value is the default)")
        for option in one.facts.options:
            print(f"    {option.name:<24} {' | '.join(option.values)}")
            only = f" Only in {' and '.join(option.rulesets)}." if option.rulesets else ""
            print(f"    {'':<24}   {option.help} ({option.clause}){only}")
        if (place := place_of(one)) != BUILT_IN:
            print(f"  from {place}, {one.form}")
    if broken:
        print("\nThese games don't load:")
        for fault in broken:
            print(f"  {fault.name} ({fault.place}): {fault.why}")


def describe(game: Game) -> dict[str, object]:
    """Return a game as data."""
    return {
        "name": game.name,
        "title": game.text.TITLE,
        "tagline": game.text.TAGLINE,
        "players": list(game.facts.players),
        "minutes": list(game.minutes()),
        "rules_version": game.rules.VERSION,
        "form": game.form,
        "hidden_information": game.facts.hidden_information,
        "secret_asking": game.facts.secret_asking,
        "chance": game.facts.chance,
        "utility": game.facts.utility,
        "longest": game.facts.longest,
        "solver": game.facts.solver,
        "observed": [
            {"name": one.name, "size": one.size, "least": one.least, "most": one.most} for one in game.facts.observed
        ],
        "editions": {name: edition.title for name, edition in game.editions.items()},
        "options": [
            {
                "name": o.name,
                "values": list(o.values),
                "default": o.default,
                "clause": o.clause,
                "help": o.help,
                "rulesets": list(o.rulesets),
                "mark": o.mark,
                "printed": o.printed,
            }
            for o in game.facts.options
        ],
    }
