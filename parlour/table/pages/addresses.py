"""Where things are, as other pages link to them."""

from __future__ import annotations

from urllib.parse import quote

from parlour.core.facts import RULESET
from parlour.table.house.names import likeness
from parlour.table.storage.rows import SeatRow


def page_of(name: str) -> str:
    """The address of who has claimed this name."""
    return f"/p/{quote(likeness(name) if '/' in name else name, safe='')}"


def page_of_seat(seat: SeatRow) -> str:
    """The page of who has a seat, "" for who has claimed no name. Only the name that stands there leads to it: what a
    guest was called before they claimed another, or somebody on their device, says nothing of who they are."""
    return page_of(seat.name) if seat.owner and seat.owner == seat.name else ""


def best_address(game: str, ruleset: str) -> str:
    """Where those who play a ruleset best are listed."""
    return f"/best/{game}" + (f"?{RULESET}={quote(ruleset)}" if ruleset else "")
