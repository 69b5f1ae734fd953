"""`parlour play`: a game in the terminal, against bots or with friends at the same keyboard."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from parlour.bots import Chooser
from parlour.bots import default as default_bot
from parlour.bots import find as find_bot
from parlour.bots import names as bot_names
from parlour.cli import output
from parlour.core.errors import BadSetup
from parlour.core.game import Game
from parlour.core.replay import replay

if TYPE_CHECKING:
    from parlour.bots.outside import OwnBot

NOBODY = "none"
OWN = "Bot"  # the seat of a bot of your own


def play(
    game: output.GameName,
    players: Annotated[int | None, typer.Option("--players", "-p", help="Number of players, including bots.")] = None,
    bots: output.BotNames = None,
    names: Annotated[
        str | None, typer.Option("--names", metavar="NAME,NAME", help="Names of the people, in order.")
    ] = None,
    edition: output.EditionName = None,
    changes: output.Changes = None,
    option: output.Options = None,
    seed: Annotated[
        str | None, typer.Option("--seed", help="Makes dice and cards repeatable.  [default: a new seed]")
    ] = None,
    resume: Annotated[Path | None, typer.Option("--resume", metavar="FILE", help="Continue a saved game.")] = None,
) -> None:
    """Play in the terminal.

    Without --bots you play against medium bots: one, or enough to fill --players. With --bots, people at this keyboard
    take the other seats; with --bots none they take every seat. At the prompt type a move, or `help`. You can also pipe
    moves in, one per line. If you leave a game, it is kept and you can resume it. A bot of your own is
    `module:Class` or `program:COMMAND`; in a resumed game a person has its seat.

    Examples: `parlour play GAME`, `parlour play GAME --players 3 --bots greedy,random --seed 7`
    """
    from parlour.bots import outside
    from parlour.cli.terminal import Table
    from parlour.core.match import Match
    from parlour.games import find

    found = find(game)
    own: dict[int, outside.OwnBot] = {}
    if resume:
        match = replay(output.read_record(resume), find)
        if match.game != found:
            raise BadSetup(f"{resume} is a game of {match.game.text.TITLE}.")
        match.draw()
    else:
        seats = seat_names(found, players, bots, names)
        chosen = output.edition_of(found, edition, changes)
        match = Match(found, edition=chosen, options=output.parse_options(option), names=seats, seed=seed)
        own = own_bots(found, output.bot_list(bots or ""), len(seats))
    try:
        Table(match, bots_by_name(found, match.names) | own).run()
    finally:
        for one in own.values():
            one.close()


def seat_names(game: Game, players: int | None, bots: str | None, people: str | None = None) -> list[str]:
    """Return the names at the table, people first. A bot's seat has its name: "greedy", "random", "greedy 2"."""
    fewest = game.facts.players[0]
    if bots is None:
        chosen = [default_bot(game)] * ((players or fewest) - 1)
    else:
        chosen = [] if bots.strip().lower() == NOBODY else [seat_name(game, name) for name in output.bot_list(bots)]
    total = players if players is not None else max(fewest, len(chosen) + 1)
    free = total - len(chosen)
    if free < 0:
        raise BadSetup(f"{len(chosen)} bots don't fit at a table for {total}.")
    names = ["Player"] if free == 1 else [f"Player {number}" for number in range(1, free + 1)]
    given = [name.strip() for name in (people or "").split(",") if name.strip()]
    if len(given) > free:
        raise BadSetup(f"There are {len(given)} names for {free} people.")
    if clash := [name for name in given if name.split()[0] in bot_names(game)]:
        raise BadSetup(f"{clash[0]!r} is the name of a bot.")
    names[: len(given)] = given
    for place, name in enumerate(chosen):
        same = chosen[:place].count(name)
        names.append(f"{name} {same + 1}" if same else name)
    return names


def seat_name(game: Game, bot: str) -> str:
    """Return what a bot's seat is called: the name of a known one, "Bot" for one of your own. Raises UnknownName."""
    return OWN if ":" in bot else find_bot(game, bot).name


def own_bots(game: Game, chosen: Sequence[str], seats: int) -> dict[int, OwnBot]:
    """Return seat -> bot for the bots of your own among those chosen, which have the last of the seats."""
    from parlour.bots.outside import OwnBot, chooser

    found = {seats - len(chosen) + place: chooser(game, name) for place, name in enumerate(chosen) if ":" in name}
    return {seat: bot for seat, bot in found.items() if isinstance(bot, OwnBot)}


def bots_by_name(game: Game, names: Sequence[str]) -> dict[int, Chooser]:
    """Return seat -> bot for the seats that have a bot's name."""
    known = {name: find_bot(game, name) for name in bot_names(game)}
    first = {seat: (name.split() or [""])[0] for seat, name in enumerate(names)}
    return {seat: known[word] for seat, word in first.items() if word in known}
