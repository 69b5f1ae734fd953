"""The result of a finished game for each viewer: headline, places and margins (`core.standing`), and who played each
seat to the end."""

from __future__ import annotations

from typing import NamedTuple

from markupsafe import Markup

from parlour.core.fitting import title_size
from parlour.core.scene import number
from parlour.core.standing import PLACES, Headline, Standing, headline, in_short, standings
from parlour.games import all_games, find
from parlour.house.table.live.signs import named_html, signs
from parlour.house.table.pages.views import SeatView, TableView, hands
from parlour.house.table.storage.rows import Ends


class Row(NamedTuple):
    """A seat in the standings. `shown` is the number beside the name (`Standing`), `of` what it counts, "" if that is
    plain, `short` its margin to the winner, as "−300", and `note` says what is special about who played it."""

    seat: SeatView
    place: int
    shown: str
    of: str
    short: str
    note: str


class Result(NamedTuple):
    """What a result says first, the size of that (`fitting`), the viewer's mood, and the standings."""

    title: Markup
    ems: int
    mood: str
    rows: tuple[Row, ...]


def result_of(view: TableView) -> Result | None:
    """Return the result for this viewer, None before the end. Someone with several seats on one device gets the
    headline for observers."""
    if not view.result:
        return None
    found = standings(view.result, view.scores, view.race, at_once=view.sudden)
    own = [seat for seat in view.seats if seat.mine]
    one = own[0] if len(own) == 1 else None
    who = "Your bot" if one and one.left else "You"
    names = [hands(seat, seat.name) for seat in view.seats]
    said: Headline = headline(found, view.scores, names, one.index if one else None, who)
    title = Markup(named_html(said.words.format(*signs(len(names))), names))
    return Result(title, title_size(said.words, names), said.mood, tuple(_row(view, each, one) for each in found))


def in_short_of(game: str, ends: Ends, seat: int) -> str:
    """Return how a finished game ended for a seat, in few words; "" if that is unknown."""
    shares, scores = [one for one, _ in ends if one is not None], [one for _, one in ends if one is not None]
    if not ends or len(shares) + len(scores) < 2 * len(ends) or game not in all_games():
        return ""
    by_points = not (by_race(game) or hasattr(find(game).scenes, "sudden"))
    return in_short(shares, scores, seat, by_points=by_points)


def by_race(game: str) -> bool:
    """Return whether something else than the scores says who is ahead; also if this server doesn't have the game."""
    return game not in all_games() or hasattr(find(game).scenes, "race")


def _row(view: TableView, one: Standing, own: SeatView | None) -> Row:
    seat = view.seats[one.seat]
    note = "bot" if seat.kind == "bot" else "program" if seat.program else "you" if seat == own else ""
    if seat.left:
        place = f"finished {PLACES[one.place - 1]}, " if one.place <= len(PLACES) else ""
        note = f"{place}played to the end by a bot" + ("; a loss for the rating" if view.rated else "")
    of = view.raced[one.seat] if view.raced else ""
    return Row(seat, one.place, number(one.shown), of, f"−{number(one.behind)}" if one.behind else "", note)
