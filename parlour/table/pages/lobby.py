"""What the lobby shows: a guest's own tables as they are now, and cards of tables, which are plain data."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import msgspec

from parlour.core.errors import ParlourError
from parlour.core.facts import RULESET
from parlour.games import all_games, find
from parlour.table.house.house import House
from parlour.table.house.lobby import Others
from parlour.table.live.eyes import shut_out
from parlour.table.live.tempo import in_words, tempo_of
from parlour.table.play.pairing import OFFER, bot_table
from parlour.table.storage.listings import Invitation
from parlour.table.storage.manners import Regard
from parlour.table.storage.queue import Asker
from parlour.table.storage.rows import PERSON, Listing, Status, TableRow, Which

COMPANIES = 6  # that one may invite again with one press


class Turn(NamedTuple):
    """One of a guest's own tables that are under way, as it was after so many changes (-1: not
    known). `status`: that of the row may lag."""

    listing: Listing
    status: Status
    mine: bool
    host: bool
    changes: int = -1


class Again(NamedTuple):
    """People with whom a guest finished a game: its id, what was played, and their names."""

    table_id: str
    game: str
    title: str
    names: tuple[str, ...]


class Own(NamedTuple):
    """A guest's own tables: those under way, then those that are over or closed; what they are
    invited to, and whom they may invite again."""

    running: tuple[Turn, ...] = ()
    past: tuple[Listing, ...] = ()
    invited: tuple[Invitation, ...] = ()
    again: tuple[Again, ...] = ()
    wish: Asker | None = None


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
    ruleset: str = ""
    about: str = ""  # the ruleset, and the options that are not as usual, where one may still join
    host: str = ""  # the name of who waits
    tempo: str = ""  # as in `TableView`, and whether it is rated
    clear: str = ""  # what one may do away with: "delete" a table that waits, "remove" a game from one's list

    @property
    def free(self) -> int:
        """How many seats are free."""
        return self.names.count("")


class InvitationView(msgspec.Struct, frozen=True):
    """An invitation: to which table, what is played there, whose it is, and the token of the seat's
    link."""

    id: str
    game: str
    title: str
    host: str
    token: str
    about: str = ""
    tempo: str = ""  # how much time there is, in words


class WishView(msgspec.Struct, frozen=True):
    """What a guest asks to play now: with how many others, and the table at which they may play bots
    meanwhile, as JSON, "" while that is not offered yet."""

    title: str
    others: int
    bot: str = ""


class LobbyView(msgspec.Struct, frozen=True):
    """The lists of the lobby."""

    running: tuple[TableCard, ...] = ()  # one's own, those first at which it is one's turn
    past: tuple[TableCard, ...] = ()  # one's own that are over or closed
    waiting: tuple[TableCard, ...] = ()
    playing: tuple[TableCard, ...] = ()
    invited: tuple[InvitationView, ...] = ()
    again: tuple[Again, ...] = ()
    wish: WishView | None = None


async def own_tables(
    house: House, guest: str, known: Own | None = None, changes: Mapping[str, int] | None = None
) -> Own:
    """The guest's own tables as they are now. One that was `known` after as many `changes` is not
    looked at again. Errors: StoreFailed."""
    changes = changes or {}
    which: tuple[Which, ...] = ("running", "past")
    running, past = await asyncio.gather(*(house.store.listing(one, guest) for one in which))
    invited, lately = await house.store.company(guest)
    games = all_games()  # a table whose game is gone, or does not load, cannot be shown
    running, past = ([one for one in some if one.table.game in games] for some in (running, past))
    before = {turn.listing.table.id: turn for turn in known.running} if known else {}
    turns: list[Turn] = []
    for one in running:
        number = changes.get(one.table.id, -1)
        old = before.get(one.table.id)
        if old is not None and number >= 0 and old.changes == number:
            turns.append(old._replace(listing=one))
        else:
            turns.append(Turn(one, *await _turn(house, one.table, guest), one.table.host == guest, number))
    asked = tuple(one for one in invited if one.table.game in games)
    again = companions(guest, [one for one in lately if one.table.game in games])
    return Own(tuple(turns), tuple(past), asked, again, await house.store.wish(guest, time.time()))


def companions(guest: str, lately: Iterable[Listing]) -> tuple[Again, ...]:
    """With whom a guest finished games (those they finished last come first): each company once for
    each ruleset, people only, at most COMPANIES."""
    found: dict[tuple[str, str, frozenset[str]], Again] = {}
    for one in lately:
        row, who = one.table, {seat.guest_id: seat for seat in reversed(one.seats) if seat.guest_id not in ("", guest)}
        if not who or any(seat.kind in PERSON and not seat.guest_id for seat in one.seats):
            continue
        names = tuple(row.names[seat.seat] for seat in sorted(who.values(), key=lambda seat: seat.seat))
        ruleset = row.options.get(RULESET, "")
        again = Again(row.id, row.game, ruleset_title(row.game, ruleset), names)
        found.setdefault((row.game, ruleset, frozenset(who)), again)
    return tuple(found.values())[:COMPANIES]


async def _turn(house: House, row: TableRow, guest: str) -> tuple[Status, bool]:
    """How a guest's own table is, and whether they have a decision there."""
    if row.status != "playing":
        return row.status, False
    try:
        table = await house.table(row.id)
        if await house.is_old(table):
            async with house.hold(row.id):
                pass
    except ParlourError:  # one that cannot be read is listed, and says so when opened
        return row.status, False
    return table.status, not set(table.deciding()).isdisjoint(table.seats_of(guest))


async def lobby_view(house: House, guest: str) -> LobbyView:
    """The lists of the lobby: the guest's own tables, those that wait for players, those to
    watch. Errors: StoreFailed."""
    others = await house.lobby.fresh()
    own = await own_tables(house, guest)
    hidden = own_ids(own) | unmet(others, guest, await house.regards.of(guest))
    cards = *own_cards(own, others.time), *others_cards(others, hidden)
    return LobbyView(*cards, invitations(own.invited), own.again, wish_view(own.wish))


def wish_view(wish: Asker | None) -> WishView | None:
    """What a guest waits for, None where they do not, or where they were paired."""
    if wish is None or wish.table_id:
        return None
    offered = msgspec.json.encode(bot_table(wish)).decode() if time.time() - wish.since >= OFFER else ""
    title = ruleset_title(wish.game, wish.ruleset)
    return WishView(f"a rated game of {title}" if wish.rated else title, wish.players - 1, offered)


def ruleset_title(name: str, ruleset: str) -> str:
    """What a ruleset, or a game that has one, is called."""
    game = find(name)
    return game.ruleset_line(ruleset).partition(":")[0] if ruleset else game.text.TITLE


def invitations(invited: Iterable[Invitation]) -> tuple[InvitationView, ...]:
    """A guest's invitations as they are shown to them, and to nobody else."""
    return tuple(
        InvitationView(
            row.id, row.game, find(row.game).text.TITLE, host, token, about(row), in_words(tempo_of(row.tempo))
        )
        for row, token, host in invited
    )


def own_cards(own: Own, now: float) -> tuple[tuple[TableCard, ...], tuple[TableCard, ...]]:
    """Cards of a guest's own tables: those under way, those first at which it is their turn; and
    the others. `now`: to which ages are counted."""
    cards = [
        _card(turn.listing, now, status=turn.status, mine=True, my_turn=turn.mine, host=turn.host)
        for turn in own.running
    ]
    ended = tuple(card for card in cards if card.status in ("over", "closed"))
    running = sorted((card for card in cards if card not in ended), key=lambda card: not card.my_turn)
    return tuple(running), (*ended, *(_card(one, now, mine=True) for one in own.past))


def own_ids(own: Own) -> frozenset[str]:
    """Which tables are a guest's own, and under way."""
    return frozenset(turn.listing.table.id for turn in own.running)


def unmet(others: Others, guest: str, regard: Regard) -> frozenset[str]:
    """The tables that wait and are not shown to a guest: those of people whom they blocked, or who blocked them."""
    if not (apart := regard.apart):
        return frozenset()
    return frozenset(one.table.id for one in others.waiting if shut_out(one.table, one.seats, guest, apart))


def others_cards(others: Others, own: frozenset[str]) -> tuple[tuple[TableCard, ...], tuple[TableCard, ...]]:
    """Cards of tables that wait for players, and of games to watch, without one's `own`."""
    games = all_games()
    waiting = [one for one in _found(others.waiting, own) if any(seat.kind == "open" for seat in one.seats)]
    playing = [one for one in _found(others.playing, own) if one.table.rules == games[one.table.game].rules.VERSION]
    return tuple(_card(one, others.time) for one in waiting), tuple(_card(one, others.time) for one in playing)


def _found(listed: Iterable[Listing], own: frozenset[str]) -> list[Listing]:
    games = all_games()
    return [one for one in listed if one.table.game in games and one.table.id not in own]


def _card(
    listing: Listing,
    now: float,
    *,
    status: Status | None = None,
    mine: bool = False,
    my_turn: bool = False,
    host: bool = False,
) -> TableCard:
    row, waits = listing.table, listing.table.status == "waiting"
    return TableCard(
        id=row.id,
        game=row.game,
        title=find(row.game).text.TITLE,
        status=status or row.status,
        names=tuple(row.names) or tuple(seat.name for seat in listing.seats),
        mine=mine,
        my_turn=my_turn,
        age=age(now - (row.touched if mine else row.created)),  # FT-26: of others, not when they moved
        ruleset=row.options.get(RULESET, ""),
        tempo=", ".join(filter(None, ("rated" if row.rated else "", in_words(tempo_of(row.tempo))))),
        clear="remove" if mine and (status or row.status) == "over" else "delete" if host and waits else "",
        about=about(row) if waits else "",
        host=next((seat.name for seat in listing.seats if seat.guest_id == row.host), "") if waits else "",
    )


def about(row: TableRow) -> str:
    """What is played at a table: its ruleset, and the options that are not as usual."""
    found, ruleset = find(row.game), row.options.get(RULESET, "")
    words = [found.ruleset_line(ruleset).partition(":")[0]] if ruleset else []
    for option in found.facts.options:
        value = row.options.get(option.name, option.default)
        if option.name != RULESET and value != option.default and value in option.values and option.matters(ruleset):
            words.append(f"{option.help.rstrip('.')}: {option.said(value)}")
    return " · ".join(words)


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
