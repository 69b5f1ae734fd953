"""Which tables can be rated, and who can play there, so that games of one ruleset are comparable and ratings belong to
accounts."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from parlour import bots
from parlour.core.errors import BadSetup
from parlour.core.facts import RULESET
from parlour.core.game import Game
from parlour.house.accounts.guests import Guest
from parlour.house.errors import Forbidden
from parlour.house.table.live.tempo import live
from parlour.house.table.storage.rows import SeatRow, TableRow

PROGRAMS_ONLY = (
    "Programs are rated apart from people: in a rated game at a table for programs, only programs and bots play."
)


def rated(row: TableRow, game: Game, seats: Iterable[SeatRow]) -> TableRow:
    """Return the row of a table as a rated one: without hints, and with the game's default tempo unless it has one.
    Raises BadSetup if it can't be rated."""
    if row.playtest:
        raise BadSetup("A game of a playtest can't be rated.")
    if row.programs and any(seat.kind == "guest" and not seat.program for seat in seats):
        raise BadSetup(PROGRAMS_ONLY, allowed=["programs: false"])
    if any(seat.kind == "here" for seat in seats):
        raise BadSetup("In a rated game, every player needs their own device.", allowed=["open", "link", "bot"])
    if any(seat.kind == "bot" and bots.standing(game, seat.bot) not in bots.names(game) for seat in seats):
        raise BadSetup("A custom bot can't play a rated game. Choose one of the levels.", allowed=bots.choices(game))
    if row.edition != game.edition().name:
        raise BadSetup("A rated game must use the game's first edition.", allowed=[game.edition().name])
    ruleset = row.options.get(RULESET, "")
    usual = game.options({RULESET: ruleset} if ruleset else {})
    if changed := [name for name, value in row.options.items() if value != usual.get(name)]:
        allowed = [f"{name}={usual[name]}" for name in changed if name in usual]
        raise BadSetup("A rated game must use the default options of its ruleset.", allowed=allowed)
    if row.given:
        raise BadSetup("A game that starts from given steps can't be rated.")
    tempo = row.tempo or msgspec.to_builtins(live("usual", game.minutes(), game.facts.players[0]))
    return msgspec.structs.replace(row, rated=True, hints=False, tempo=tempo)


def must_be_somebody(guest: Guest) -> None:
    """Raise Forbidden unless the guest has an account."""
    if not guest.claimed:
        raise Forbidden("You need an account to play rated games. Create one under You (/me), or play an unrated game.")
