"""Seats that no guest has: open to anyone, reserved by a link, or a bot's."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from parlour import bots
from parlour.bots import offered
from parlour.bots.offered import Offered
from parlour.core.errors import UnknownName
from parlour.core.game import Game
from parlour.house.errors import BadInput
from parlour.house.table.storage.rows import SeatRow


def bot_names(game: Game, offers: Sequence[Offered]) -> tuple[str, ...]:
    """Return the bots that a person may choose for a game: the known ones, the best first, then those that the house
    `offers`."""
    return (*bots.choices(game), *offered.named(game, offers))


def free_seat(
    game: Game, table_id: str, index: int, kind: str, bot: str = "", offers: Sequence[Offered] = ()
) -> SeatRow:
    """Return a seat without a guest. `offers` are the bots that the house has besides the known ones. For a level that
    the game does not have, the bot is the one of `bots.standing`. Raises UnknownName if there is no such bot."""
    if kind == "bot":
        bot = bots.standing(game, bot or bots.default(game))
        if bot not in (*bots.names(game), *offered.named(game, offers)):
            raise UnknownName(f"There is no bot {bot!r} for {game.text.TITLE}.", allowed=bot_names(game, offers))
        name = offered.title(bot, custom=bot not in bots.names(game))
        return SeatRow(table_id, index, "bot", bot=bot, name=name)
    if bot:
        raise BadInput("Only a seat of kind bot can name a bot.")
    if kind == "link":
        return SeatRow(table_id, index, "link", token=secrets.token_urlsafe(9))
    return SeatRow(table_id, index, "open")
