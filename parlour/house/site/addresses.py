"""Addresses that pages link to."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from urllib.parse import quote, urlencode

from parlour.core.edition import Edition
from parlour.core.facts import RULESET
from parlour.core.game import Game
from parlour.house.accounts.names import likeness
from parlour.house.table.storage.rows import SeatRow

OPTION = "option:"  # begins what is not a value in the address of a page of numbers


def page_of(name: str) -> str:
    """Return the address of the page of the account with this name."""
    return f"/p/{quote(likeness(name) if '/' in name else name, safe='')}"


def page_of_seat(seat: SeatRow) -> str:
    """Return the page of the player in a seat, "" if they have no account. Only the name shown there leads to it: an
    earlier name of a guest, or the name of another person on their device, doesn't say who they are."""
    return page_of(seat.name) if seat.owner and seat.owner == seat.name else ""


def best_address(game: str, ruleset: str) -> str:
    """Return the address of the best players of a ruleset."""
    return f"/best/{game}" + (f"?{RULESET}={quote(ruleset)}" if ruleset else "")


def today_address(game: str, ruleset: str, day: str = "") -> str:
    """Return the address of a ruleset's game of a day, of today for ""."""
    query = {name: value for name, value in ((RULESET, ruleset), ("day", day)) if value}
    return f"/today/{game}" + (f"?{urlencode(query)}" if query else "")


def puzzle_address(game: str, ruleset: str, *, key: str = "") -> str:
    """Return the address of a puzzle of a ruleset, of the next one without a key."""
    query = {name: value for name, value in ((RULESET, ruleset), ("key", key)) if value}
    return f"/puzzles/{game}" + (f"?{urlencode(query)}" if query else "")


def mistake_address(table: str = "", step: int = 0) -> str:
    """Return the address of a mistake in a guest's own games as a puzzle, of any without a table."""
    return "/mistakes" + (f"?{urlencode({'table': table, 'step': step})}" if table else "")


def numbers_address(game: Game, base: Edition, changes: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return the address of the page with the numbers of an edition, with `changes` by path, as readable as can be."""
    first = "" if base is game.named() else f"/{quote(base.name, safe='')}"
    return f"/new/{game.name}{first}" + (f"?{urlencode(changes, safe=',:;')}" if changes else "")
