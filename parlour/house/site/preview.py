"""Previews of links in other programs: a title, a sentence, a picture.

They show only what the page shows everyone. Programs that preview links have no seat: they see what a spectator sees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple
from unicodedata import bidirectional

from parlour.core.game import Game
from parlour.core.scene import number
from parlour.house.editions.pages import NumbersView
from parlour.house.site import files
from parlour.house.table.pages.views import SeatView, TableView, hands
from parlour.house.table.storage.rows import PERSON

LEAD = (
    "Tabletop games, ready to play: against a bot, with friends by a link, or all on one device. "
    "No account, nothing to install."
)


class Preview(NamedTuple):
    """For the head of a page (ogp.me). Addresses are whole."""

    title: str
    description: str
    url: str
    image: str
    alt: str


def of_lobby(share_url: str) -> Preview:
    """Preview the lobby."""
    return Preview("Parlour", LEAD, f"{share_url}/", share_url + files.address(files.COVER), "The covers of the games")


def of_table(view: TableView, game: Game, *, kept: bool = False) -> Preview:
    """Preview a table; `kept`: by a link to a seat there. It shows nothing of the position."""
    return _of(view, game, _title(view, game, kept=kept), _description(view, game, kept=kept), view.url)


def of_numbers(view: NumbersView) -> Preview:
    """Preview an edition of someone's own."""
    game = view.game
    text = f"{'. '.join(view.changes) or view.edition.title}. {_facts(game)}"
    title = f"{game.text.TITLE} with other numbers" if view.changes else f"The numbers of {game.text.TITLE}"
    house = view.link.removesuffix(view.address)
    return Preview(title, text, view.link, house + files.cover_of(game).address, f"The cover of {game.text.TITLE}")


def of_replay(view: TableView, game: Game) -> Preview:
    """Preview the replay of a finished game."""
    title = f"Replay of {game.text.TITLE}: {_names(view.seats)}"
    return _of(view, game, title, _title(view, game) + ". " + _description(view, game), f"{view.url}/replay")


def _of(view: TableView, game: Game, title: str, text: str, url: str) -> Preview:
    house = view.url.removesuffix(f"/t/{view.id}")
    return Preview(title, text, url, house + files.cover_of(game).address, f"The cover of {game.text.TITLE}")


def _title(view: TableView, game: Game, *, kept: bool = False) -> str:
    title = game.text.TITLE
    match view.status:
        case "waiting":
            people = [seat for seat in view.seats if seat.kind in PERSON]
            company = f" with {_names(people)}" if people else ""
            return f"{'Sit down at a' if kept or _free(view) else 'A'} table of {title}{company}"
        case "playing":
            return f"{title}: {_names(view.seats)}"
        case "over":
            first = [seat for seat in view.seats if view.result[seat.index] > 0]
            return f"{_names(first, hands)} {'wins at' if len(first) == 1 else 'share the win at'} {title}"
        case _:
            return f"A table of {title}, closed"


def _description(view: TableView, game: Game, *, kept: bool = False) -> str:
    match view.status:
        case "waiting" if kept:
            return f"A seat is kept for you. {_facts(game)}"
        case "waiting" if _free(view):
            return f"{_free(view)} free seat{'s' if _free(view) > 1 else ''}. {_facts(game)}"
        case "waiting":
            return f"All seats are taken or kept for friends; everyone can watch. {_facts(game)}"
        case "playing":
            return "The game is in play. Come and watch."
        case "over":
            ranking = sorted(view.seats, key=lambda seat: -view.scores[seat.index])
            return ", ".join(f"{_apart(seat.name)} {number(view.scores[seat.index])}" for seat in ranking) + "."
        case _:
            return view.closed


def _free(view: TableView) -> int:
    """Return how many seats are open to anyone."""
    return sum(seat.kind == "open" for seat in view.seats)


def _facts(game: Game) -> str:
    return f"{game.text.TAGLINE} {game.seats} players, {game.how_long()} minutes. No account, nothing to install."


def _names(seats: Iterable[SeatView], said: Callable[[SeatView, str], str] = lambda _, name: name) -> str:
    *others, last = [said(seat, _apart(seat.name)) for seat in seats]
    return f"{', '.join(others)} and {last}" if others else last


def _apart(name: str) -> str:
    """Return a name that does not turn the words round it (on a page `<bdi>` does that): isolated, where
    any letter of it is read from right to left."""
    turns = any(bidirectional(letter) in ("R", "AL", "RLE", "RLO", "RLI", "AN") for letter in name)
    return f"\u2068{name}\u2069" if turns else name
