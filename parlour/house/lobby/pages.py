"""The lobby's content: a guest's own tables as they are now, and cards of tables, as plain data."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import partial
from itertools import zip_longest
from typing import NamedTuple

import msgspec

from parlour import bots as known
from parlour.bots import offered
from parlour.core.errors import ParlourError
from parlour.core.facts import RULESET
from parlour.games import all_games, find
from parlour.house.house import House
from parlour.house.invitations.pages import InvitationView, invitations
from parlour.house.invitations.rows import Invitation
from parlour.house.lobby import rows
from parlour.house.lobby.crowd import People
from parlour.house.lobby.lists import Others
from parlour.house.profiles.pictures import of_seat
from parlour.house.ratings.matchmaking import rows as matchmaking_rows
from parlour.house.ratings.matchmaking.deeds import OFFER, bot_table, tempo_at
from parlour.house.ratings.matchmaking.rows import Asker, Waits
from parlour.house.ratings.rows import BOT
from parlour.house.ratings.strength import Strength, strength, strength_of
from parlour.house.site.titles import about, changed_numbers, ruleset_title
from parlour.house.social.rows import Regard
from parlour.house.table.live.deciding import deciding
from parlour.house.table.live.eyes import shut_out
from parlour.house.table.live.table import Table
from parlour.house.table.live.tempo import Kind, in_words, kind, tempo_of
from parlour.house.table.pages.results import in_short_of
from parlour.house.table.storage.rows import LESSON, PERSON, Listing, Status, TableRow, Which

COMPANIES = 6  # groups to invite again with one press
YOUR_TURN = "your turn"
ASKING = 8  # different requests at most, those of most people


class Turn(NamedTuple):
    """One of a guest's own tables under way, as of a number of changes (-1: unknown). `status` is the
    game's, as the row may lag."""

    listing: Listing
    status: Status
    mine: bool
    host: bool
    changes: int = -1


class Again(NamedTuple):
    """A group to invite again: the id of the finished game, what was played, and their names."""

    table_id: str
    game: str
    title: str
    names: tuple[str, ...]


class Own(NamedTuple):
    """A guest's own tables: those under way, then those over or closed; their invitations, and groups to
    invite again."""

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
    ratings: tuple[Strength | None, ...] = ()  # of these, while the game is not over
    pictures: tuple[str, ...] = ()  # of these, in words, as in `SeatView`
    mine: bool = False
    seat: int | None = None  # the guest's, at their own tables
    my_turn: bool = False
    waited_for: bool = False  # as everyone at the table knows; the page calls them back
    age: str = ""  # "5 min"
    ruleset: str = ""
    about: str = ""  # the ruleset, changed options and numbers, while people can still join; then only the numbers
    host: str = ""  # the name of the person waiting
    tempo: str = ""  # as in `TableView`, and whether it is rated
    clocks: Kind = ""
    rated: bool = False
    ended: str = ""  # how a finished game ended for the guest, if that is known
    clear: str = ""  # what the guest may do: "delete" a waiting table, "remove" a game from their list

    @property
    def sat(self) -> tuple[tuple[str, Strength | None, str | None], ...]:
        """Return the name, the rating and the picture by seat, without the guest's own: they know that they play."""
        everyone = tuple(zip_longest(self.names, self.ratings, self.pictures))
        others = tuple(one for i, one in enumerate(everyone) if i != self.seat)
        return others or everyone

    @property
    def free(self) -> int:
        """Return how many seats are free."""
        return self.names.count("")


class TurnView(msgspec.Struct, frozen=True):
    """A table where it is a guest's turn, and the other players."""

    id: str
    title: str
    names: tuple[str, ...]


class AskingView(msgspec.Struct, frozen=True):
    """A number of people, without names, who wait for others to play the same; `play` is the body of the request that
    joins them, as JSON."""

    number: int
    game: str
    ruleset: str
    players: int
    what: str
    clocks: Kind
    rated: bool
    play: str


class BotsView(msgspec.Struct, frozen=True):
    """The ratings of bots in a ruleset: (level, rating)."""

    ruleset: str
    levels: tuple[tuple[str, Strength], ...]


class WishView(msgspec.Struct, frozen=True):
    """What a guest is looking for: with how many others, and the table where they can play bots
    meanwhile, as JSON, "" until we offer it."""

    title: str
    others: int
    bot: str = ""
    tempo: str = ""


class LobbyView(msgspec.Struct, frozen=True):
    """The lists of the lobby."""

    running: tuple[TableCard, ...] = ()  # the guest's own, beginning with those at which it is their turn
    past: tuple[TableCard, ...] = ()  # the guest's own that are over or closed
    waiting: tuple[TableCard, ...] = ()
    playing: tuple[TableCard, ...] = ()
    asking: tuple[AskingView, ...] = ()
    bots: dict[str, tuple[BotsView, ...]] = {}  # by game
    invited: tuple[InvitationView, ...] = ()
    again: tuple[Again, ...] = ()
    wish: WishView | None = None
    custom: dict[str, tuple[str, ...]] = {}  # by game, the bots that the house offers besides the known ones
    people: People = People()  # besides the guest

    @property
    def leads(self) -> bool:
        """Return whether something of the guest's own leads the lobby."""
        return bool(self.running or self.invited or self.wish)

    @property
    def last(self) -> tuple[str, str]:
        """Return the game and ruleset that the guest has played last; "" for none."""
        last = next(iter((*self.running, *self.past)), None)
        return (last.game, last.ruleset) if last else ("", "")


async def own_tables(
    house: House, guest: str, known: Own | None = None, changes: Mapping[str, int] | None = None
) -> Own:
    """Return the guest's own tables as they are now. A `known` table is not read again if its number of `changes` is
    still the same. Errors: StoreFailed."""
    changes = changes or {}
    which: tuple[Which, ...] = ("running", "past")
    lists = (house.store.look(partial(rows.listing, which=one, guest=guest)) for one in which)
    running, past = await asyncio.gather(*lists)
    invited, lately = await house.store.look(partial(rows.company, guest=guest))
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
    wish = await house.store.ask(partial(matchmaking_rows.wish, guest=guest, now=time.time()))
    return Own(tuple(turns), tuple(past), asked, again, wish)


def companions(guest: str, lately: Iterable[Listing]) -> tuple[Again, ...]:
    """Return the people with whom a guest finished games, latest first: each group once for each ruleset,
    without bots, at most COMPANIES."""
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
    """Return how a guest's own table is, and whether they have a decision there."""
    table = await _current(house, row)
    if table is None:
        return row.status, False
    return table.status, not set(deciding(table)).isdisjoint(table.seats_of(guest))


async def _current(house: House, row: TableRow) -> Table | None:
    """Return a table in play as it is now; None for another, and for one that cannot be read: it is listed, and says
    so when opened."""
    if row.status != "playing":
        return None
    try:
        table = await house.table(row.id)
        if await house.is_old(table):
            async with house.hold(row.id):
                pass
    except ParlourError:
        return None
    return table


async def awaited(house: House, guest: str) -> dict[str, str]:
    """Return, by id, what each of a guest's tables under way waits for: "your turn", "waiting for Ann". It does
    not name players who have not answered a secret question. Raises StoreFailed."""
    found = {}
    for row, seated, _ in await house.store.look(partial(rows.listing, which="running", guest=guest)):
        if row.status == "waiting":
            free = any(seat.kind in ("open", "link") for seat in seated)
            found[row.id] = "waiting for players" if free else "waiting for the start"
        elif row.game in all_games() and (table := await _current(house, row)) is not None:
            seats = deciding(table)
            if not set(seats).isdisjoint(table.seats_of(guest)):
                found[row.id] = YOUR_TURN
            elif len(seats) == 1 and table.questions.open is None:
                found[row.id] = f"waiting for {row.names[seats[0]]}"  # as stored: one may have deleted their account
    return found


async def lobby_view(house: House, guest: str) -> LobbyView:
    """Return the lists of the lobby: the guest's own tables, those that wait for players, those to
    watch. Errors: StoreFailed."""
    others = await house.lobby.fresh()
    own = await own_tables(house, guest)
    hidden = own_ids(own) | {guest} | unmet(others, guest, await house.regards.of(guest))
    cards = *own_cards(own, others.time, guest), *others_cards(others, hidden)
    bots = {game: bots_view(others, game) for game in all_games()}
    custom = {name: offered.named(game, house.settings.bots) for name, game in all_games().items()}
    people = house.lobby.crowd.others(guest)
    return LobbyView(*cards, bots, invitations(own.invited), own.again, wish_view(own.wish), custom, people)


def wish_view(wish: Asker | None) -> WishView | None:
    """Return what a guest is looking for, None if nothing or if they were matched."""
    if wish is None or wish.table_id:
        return None
    offered = msgspec.json.encode(bot_table(wish)).decode() if time.time() - wish.since >= OFFER else ""
    title = ruleset_title(wish.game, wish.ruleset)
    tempo = in_words(tempo_at(find(wish.game), wish.tempo))
    return WishView(f"a rated game of {title}" if wish.rated else title, wish.players - 1, offered, tempo)


def own_cards(own: Own, now: float, guest: str) -> tuple[tuple[TableCard, ...], tuple[TableCard, ...]]:
    """Return cards of the `guest`'s own tables: those under way, beginning with those at which it is
    their turn; and the others. Ages count up to `now`."""
    cards = [
        _card(turn.listing, now, status=turn.status, mine=True, my_turn=turn.mine, host=turn.host, guest=guest)
        for turn in own.running
    ]
    ended = tuple(card for card in cards if card.status in ("over", "closed"))
    running = sorted((card for card in cards if card not in ended), key=lambda card: not card.my_turn)
    return tuple(running), (*ended, *(_card(one, now, mine=True, guest=guest) for one in own.past))


def waiting_turns(found: Iterable[Listing], guest: str) -> tuple[TurnView, ...]:
    """Return the tables at which a guest is waited for."""
    return tuple(
        TurnView(
            one.table.id,
            find(one.table.game).text.TITLE,
            tuple(one.table.names[seat.seat] for seat in one.seats if seat.guest_id != guest),
        )
        for one in found
    )


def own_ids(own: Own) -> frozenset[str]:
    """Return the ids of a guest's own tables that are under way."""
    return frozenset(turn.listing.table.id for turn in own.running)


def unmet(others: Others, guest: str, regard: Regard) -> frozenset[str]:
    """Return what to hide from a guest: waiting tables and requests to play of people whom they blocked, or who blocked
    them."""
    if not (apart := regard.apart):
        return frozenset()
    shut = {one.table.id for one in others.waiting if shut_out(one.table, one.seats, guest, apart)}
    return frozenset(shut | apart.intersection(one.guest for one in others.asking))


def others_cards(
    others: Others, own: frozenset[str]
) -> tuple[tuple[TableCard, ...], tuple[TableCard, ...], tuple[AskingView, ...]]:
    """Return cards of waiting tables and of games to watch, and requests to play now, without the guest's `own` (and
    whatever else is hidden: ids of tables and guests)."""
    games = all_games()
    waiting = [one for one in _found(others.waiting, own) if any(seat.kind == "open" for seat in one.seats)]
    playing = [one for one in _found(others.playing, own) if one.table.rules == games[one.table.game].rules.VERSION]
    asked = Counter(one[1:] for one in others.asking if one.guest not in own and one.game in games)
    return (
        tuple(_card(one, others.time) for one in waiting),
        tuple(_card(one, others.time) for one in playing),
        tuple(_asking(Waits("", *what), number) for what, number in asked.most_common(ASKING)),
    )


def _asking(what: Waits, number: int) -> AskingView:
    """Return a request to play, with the number of people who make it."""
    game = find(what.game)
    tempo = tempo_at(game, what.tempo)
    words = [ruleset_title(what.game, what.ruleset), "rated" if what.rated else "", f"{what.players} players"]
    body = {"game": what.game, "ruleset": what.ruleset, "players": what.players, "rated": what.rated}
    play = msgspec.json.encode(body | ({"tempo": what.tempo} if what.tempo else {})).decode()
    said = ", ".join(filter(None, (*words, in_words(tempo))))
    return AskingView(number, what.game, what.ruleset, what.players, said, kind(tempo), what.rated, play)


def bots_view(others: Others, game: str) -> tuple[BotsView, ...]:
    """Return how strong the bots that a person may choose are, in each ruleset of a game in which any is rated."""
    found: dict[str, list[tuple[str, Strength]]] = {}
    choices = known.choices(all_games()[game])
    for one in others.bots:
        if one.game == game and (level := one.player.removeprefix(BOT)) in choices:
            found.setdefault(one.ruleset, []).append((level, strength(one.mu, sure=one.sure)))
    return tuple(BotsView(ruleset, tuple(levels)) for ruleset, levels in found.items())


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
    guest: str = "",
) -> TableCard:
    row, waits = listing.table, listing.table.status == "waiting"
    tempo, goes_on = tempo_of(row.tempo), (status or row.status) in ("waiting", "playing")
    return TableCard(
        id=row.id,
        game=row.game,
        title=find(row.game).text.TITLE + (": lesson" if row.origin == LESSON else ""),
        status=status or row.status,
        names=tuple(row.names) or tuple("" if seat.kind == "link" else seat.called for seat in listing.seats),
        ratings=tuple(strength_of(seat, row) for seat in listing.seats) if goes_on else (),
        pictures=tuple(" ".join(of_seat(seat) or ()) for seat in listing.seats),
        mine=mine,
        seat=next((i for i, seat in enumerate(listing.seats) if seat.guest_id == guest), None) if guest else None,
        my_turn=my_turn,
        waited_for=bool(guest) and row.turn == guest and (status or row.status) == "playing",
        age=age(now - (row.touched if mine else row.created)),  # others' tables must not show when a player moved
        ruleset=row.options.get(RULESET, ""),
        tempo=", ".join(filter(None, ("rated" if row.rated else "", in_words(tempo)))),
        clocks=kind(tempo),
        rated=row.rated,
        ended=_ended(listing, guest),
        clear="remove" if mine and (status or row.status) == "over" else "delete" if host and waits else "",
        about=about(row) if waits else changed_numbers(row),
        host=next((seat.name for seat in listing.seats if seat.guest_id == row.host), "") if waits else "",
    )


def _ended(listing: Listing, guest: str) -> str:
    """Return how a finished game ended for a guest: "You won by 300"; who won where that says more, or if they had no
    seat or several."""
    row, own = listing.table, [seat for seat in listing.seats if seat.guest_id == guest]
    said = in_short_of(row.game, listing.ends, own[0].seat) if len(own) == 1 else ""
    if said and (said != "lost" or len(listing.ends) == 2):
        who = "Your bot" if own[0].left else "You"
        return f"{who} {said}" if said.startswith(("won", "lost")) else said.capitalize()
    best = [seat for seat, (share, _) in enumerate(listing.ends) if share]
    return f"{row.names[best[0]]} {in_short_of(row.game, listing.ends, best[0])}" if len(best) == 1 else ""


def age(seconds: float) -> str:
    """Return how long ago, in few words: "now", "5 min", "3 h", "2 days"."""
    if seconds < 60:
        return "now"
    if seconds < 3600:
        return f"{seconds // 60:.0f} min"
    if seconds < 86400:
        return f"{seconds // 3600:.0f} h"
    days = int(seconds // 86400)
    return f"{days} day{'s' if days > 1 else ''}"
