"""Views: what one guest may know about tables, besides the scene. Plain data, cut from what the
house knows."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import NamedTuple

import msgspec

from parlour.core.errors import ParlourError
from parlour.core.facts import RULESET
from parlour.core.scene import SPECTATOR
from parlour.games import all_games, find
from parlour.table.house.guests import Guest
from parlour.table.house.house import House
from parlour.table.live.eyes import Eyes
from parlour.table.live.table import Table
from parlour.table.play.seating import PACES
from parlour.table.storage.rows import PERSON, Listing, SeatKind, SeatRow, Status, Which

LISTS: tuple[Which, ...] = ("running", "past", "waiting", "playing")  # of the lobby


class View(NamedTuple):
    """All of a guest on which depends what their open page shows: pages of the same view show the
    same, and are sent the same."""

    viewer: int  # the rest as in `Eyes`
    seat: int | None
    behind: int | None
    seats: tuple[int, ...]
    own: tuple[int, ...]  # seats that are theirs, those that a bot plays on for them too
    host: bool
    share_url: str


def view_of(table: Table, eyes: Eyes, share_url: str) -> View:
    """The view that a guest's page has of the table now."""
    guest = eyes.guest
    own = tuple(seat.seat for seat in table.seats if seat.guest_id == guest)
    return View(eyes.viewer, eyes.seat, eyes.behind, eyes.seats, own, table.row.host == guest, share_url)


class SeatView(msgspec.Struct, frozen=True):
    """One seat. `kind`: open to anyone, kept for the holder of the `invite` link, a guest's,
    played here on a guest's device besides their own, a bot's."""

    index: int
    kind: SeatKind
    name: str = ""
    bot: str = ""
    mine: bool = False
    host: bool = False
    present: bool = False  # has the page open
    invite: str = ""  # full link for a seat kept by link; only the host is told
    left: bool = False  # whoever has it went away; a bot plays on until they come back
    words: str = ""  # for the dice, before the start; only who gave them is told


class OptionView(msgspec.Struct, frozen=True):
    name: str
    value: str
    help: str
    clause: str
    changed: bool  # differs from the default


class ChatLine(msgspec.Struct, frozen=True):
    id: int
    name: str
    text: str
    seat: int | None = None


class Verdict(msgspec.Struct, frozen=True):
    """The fair-dice part of the page. `seed` is "" until the game is over."""

    commitment: str
    words: tuple[str, ...] = ()
    seed: str = ""


class TableView(msgspec.Struct, frozen=True):
    """A table as one guest sees it."""

    id: str
    game: str
    title: str
    edition: str
    edition_title: str
    status: Status
    seats: tuple[SeatView, ...]
    options: tuple[OptionView, ...]
    verdict: Verdict
    version: int = 0  # steps in the record
    public: bool = True
    hints: bool = False  # whoever has the decision may ask for the best ones
    pace: float = PACES["normal"]  # seconds a bot takes for a move
    my_seat: int | None = None
    pass_to: int | None = None  # the seat that waits behind the curtain on this device
    viewer: int = SPECTATOR  # with whose eyes the page is shown
    is_host: bool = False
    url: str = ""  # full address to share
    rematch: str = ""  # id of the table that follows this one, "" while there is none
    watchers: int = 0
    chat: tuple[ChatLine, ...] = ()
    result: tuple[float, ...] = ()  # shares of the win by seat, when over
    scores: tuple[int, ...] = ()  # when over; until then a viewer knows what the scene shows
    closed: str = ""  # why the table was closed, when it was


class TableCard(msgspec.Struct, frozen=True):
    """A table in a list of the lobby."""

    id: str
    game: str
    title: str
    status: Status
    names: tuple[str, ...]  # "" for a free seat
    mine: bool = False
    my_turn: bool = False
    age: str = ""  # "5 min"


class LobbyView(msgspec.Struct, frozen=True):
    guest: Guest
    running: tuple[TableCard, ...] = ()  # one's own, those first at which it is one's turn
    past: tuple[TableCard, ...] = ()  # one's own that are over or closed
    waiting: tuple[TableCard, ...] = ()
    playing: tuple[TableCard, ...] = ()


def table_view(table: Table, eyes: Eyes, share_url: str) -> TableView:
    """The table as the guest may see it. The seed is in it only when the game is over."""
    row, match, game, guest = table.row, table.match, table.game, eyes.guest
    present, players = table.audience.present(), table.players()
    edition = game.editions.get(row.edition)
    return TableView(
        id=row.id,
        game=row.game,
        title=game.text.TITLE,
        edition=row.edition,
        edition_title=edition.title if edition else row.edition,
        status=table.status,
        seats=tuple(_seat(table, seat, guest, share_url, bool(present[seat.guest_id])) for seat in table.seats),
        options=tuple(
            OptionView(o.name, row.options[o.name], o.help, o.clause, row.options[o.name] != o.default)
            for o in game.facts.options
            if o.name in row.options and o.matters(row.options.get(RULESET, ""))
        ),
        verdict=Verdict(row.commitment, tuple(row.words), row.seed if table.over or table.closed else ""),
        version=table.version_for(eyes.viewer),
        public=row.public,
        hints=row.hints,
        pace=row.pace,
        my_seat=eyes.seat,
        pass_to=eyes.behind,
        viewer=eyes.viewer,
        is_host=row.host == guest,
        url=f"{share_url}/t/{row.id}",
        rematch=row.rematch,
        watchers=len(present) - sum(player in present for player in players),
        chat=tuple(ChatLine(line.id, line.name, line.text, line.seat) for line in table.chat),
        result=tuple(match.returns) if match and match.over else (),
        scores=tuple(match.scores) if match and match.over else (),
        closed=table.why_closed() if table.closed else "",
    )


def _seat(table: Table, seat: SeatRow, guest: str, share_url: str, present: bool) -> SeatView:
    is_host = table.row.host == guest
    return SeatView(
        index=seat.seat,
        kind=seat.kind,
        name=table.match.names[seat.seat] if table.match else seat.name,
        bot=seat.bot,
        mine=seat.guest_id == guest,
        host=bool(seat.guest_id) and seat.guest_id == table.row.host,
        present=seat.kind in PERSON and present,
        left=seat.kind == "bot" and bool(seat.guest_id),
        words=seat.words if seat.guest_id == guest and not table.match else "",
        invite=f"{share_url}/t/{table.id}/join/{seat.token}" if is_host and seat.kind == "link" else "",
    )


async def lobby_view(house: House, guest: Guest) -> LobbyView:
    """The lists of the lobby: the guest's own tables, those that wait for players, those to
    watch."""
    found = await asyncio.gather(*(house.store.listing(which, guest.id) for which in LISTS))
    games = all_games()  # a table whose game is gone, or does not load, cannot be shown
    running, past, waiting, playing = ([one for one in some if one.table.game in games] for some in found)
    playing = [one for one in playing if one.table.rules == games[one.table.game].rules.VERSION]  # others are closed
    await _catch_up(house, running)
    cards = [await _card(house, one, guest.id, mine=True) for one in running]
    own = {listing.table.id for listing in running}
    free = [one for one in waiting if any(seat.kind == "open" for seat in one.seats)]
    ended = [card for card in cards if card.status in ("over", "closed")]  # the row may lag
    return LobbyView(
        guest=guest,
        running=tuple(sorted((card for card in cards if card not in ended), key=lambda card: not card.my_turn)),
        past=(*ended, *[await _card(house, one, guest.id, mine=True) for one in past]),
        waiting=tuple([await _card(house, one, guest.id) for one in free if one.table.id not in own]),
        playing=tuple([await _card(house, one, guest.id) for one in playing if one.table.id not in own]),
    )


async def _catch_up(house: House, listed: list[Listing]) -> None:
    """See that of the tables in memory none is behind what other processes have written."""
    if not house.shared:
        return
    tables = [table for one in listed if (table := house.tables.get(one.table.id)) is not None]
    changes = await house.store.changes_of([table.id for table in tables])
    for table in tables:
        if changes.get(table.id, table.changes) != table.changes:
            with contextlib.suppress(ParlourError):
                async with house.hold(table.id):
                    pass


async def _card(house: House, listing: Listing, guest: str, *, mine: bool = False) -> TableCard:
    row, status, my_turn = listing.table, listing.table.status, False
    if mine and row.status == "playing":
        try:
            table = await house.table(row.id)
        except ParlourError:  # one that cannot be read is listed, and says so when opened
            pass
        else:
            status = table.status
            my_turn = not set(table.deciding()).isdisjoint(table.seats_of(guest))
    return TableCard(
        id=row.id,
        game=row.game,
        title=find(row.game).text.TITLE,
        status=status,
        names=tuple(row.names) or tuple(seat.name for seat in listing.seats),
        mine=mine,
        my_turn=my_turn,
        age=age(time.time() - (row.touched if mine else row.created)),  # FT-26: of others, not when they moved
    )


def age(seconds: float) -> str:
    """How long ago, in few words: "now", "5 min", "3 h", "2 days"."""
    if seconds < 60:
        return "now"
    if seconds < 3600:
        return f"{seconds // 60:.0f} min"
    if seconds < 86400:
        return f"{seconds // 3600:.0f} h"
    days = int(seconds // 86400)
    return f"{days} day{'s' if days > 1 else ''}"
