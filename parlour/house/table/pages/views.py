"""Views: what one guest may know about tables, besides the scene. Plain data, cut from what the
server knows."""

from __future__ import annotations

import time
from typing import NamedTuple

import msgspec

from parlour import bots
from parlour.bots import offered
from parlour.core import fair
from parlour.core.facts import RULESET
from parlour.core.scene import SPECTATOR
from parlour.core.standing import raced, sudden
from parlour.house.profiles.pictures import of_seat
from parlour.house.ratings.strength import strength_of
from parlour.house.site.addresses import page_of_seat
from parlour.house.site.titles import changes, numbers
from parlour.house.table.live import clocks, looking
from parlour.house.table.live.eyes import Eyes, shut_out
from parlour.house.table.live.sealed import sealed
from parlour.house.table.live.table import Table
from parlour.house.table.live.tempo import by_post, in_words, shown, tempo_of
from parlour.house.table.play.agreeing import voters, wanting
from parlour.house.table.play.seating import PACES, begins_when_full
from parlour.house.table.storage.rows import PERSON, Rest, SeatKind, SeatRow, Status


class View(NamedTuple):
    """Everything about a guest that decides what their open page shows: pages with equal views get the
    same updates."""

    viewer: int  # the rest as in `Eyes`
    seat: int | None
    behind: int | None
    seats: tuple[int, ...]
    own: tuple[int, ...]  # their seats, including those that a bot plays for them
    host: bool
    share_url: str
    muted: frozenset[str] = frozenset()  # among the people of the table
    blocked: frozenset[str] = frozenset()
    shut: bool = False
    speaker: str = ""  # the viewer, if they said something here


def view_of(table: Table, eyes: Eyes, share_url: str) -> View:
    """Return the view that a guest's page has of the table now."""
    guest = eyes.guest
    own = tuple(seat.seat for seat in table.seats if seat.guest_id == guest)
    spoke = {line.guest_id for line in table.chat}
    known = spoke.union(seat.guest_id for seat in table.seats)
    regard, shut = eyes.regard, shut_out(table.row, table.seats, guest, eyes.regard.shut)
    return View(
        eyes.viewer, eyes.seat, eyes.behind, eyes.seats, own, table.row.host == guest, share_url,
        regard.muted & known, regard.blocked & known, shut, guest if guest in spoke else "",
    )  # fmt: skip


class SeatView(msgspec.Struct, frozen=True):
    """One seat. `kind`: open to anyone, reserved for the holder of the `invite` link, a guest's, a further one played
    on a guest's device, a bot's."""

    index: int
    kind: SeatKind
    name: str = ""
    bot: str = ""
    plays_as: str = ""  # the level that plays for `bot`, if the game has no longer that one
    mine: bool = False
    host: bool = False
    present: bool = False  # has the page open
    kept: str = ""  # the player invited to a seat reserved by link
    invite: str = ""  # full link to a seat reserved by link; only the host sees it
    program: bool = False  # a program plays here, for the player
    left: bool = False  # its player went away; a bot plays until they are back
    words: str = ""  # for the dice, before the start; only their author sees them
    muted: bool = False  # by the viewer
    blocked: bool = False
    person: bool = False  # another person, whom the viewer may mute, block or report
    page: str = ""  # the page of the account with this name
    rest: Rest | None = None  # their present or next holiday, from when until when (epoch)
    resting: bool = False  # whether it has begun
    rating: str = ""  # the player's or the bot's, in the ruleset of the table, until the game is over
    sure: bool = False  # whether that is no longer provisional
    picture: str = ""  # what the player's or the bot's picture is made of, in words; "" for a free seat


class OptionView(msgspec.Struct, frozen=True):
    name: str
    value: str
    words: str  # the value in words
    help: str
    clause: str
    changed: bool  # differs from the default


class ChatLine(msgspec.Struct, frozen=True):
    id: int
    name: str
    text: str
    seat: int | None = None
    mine: bool = False
    at: float = 0.0  # when it was said (epoch, to the minute), 0 if unknown
    bot: bool = False  # the house speaks for a bot


class Hushed(msgspec.Struct, frozen=True):
    """A person whose lines are hidden from the viewer, and their last line, which says who it is."""

    name: str
    line: int
    blocked: bool = False


class Verdict(msgspec.Struct, frozen=True):
    """The fair-dice part of the page. `seed` is "" until the game is over; `whole`: the commitment covers the setup of
    the game too, not only the seed."""

    commitment: str
    words: tuple[str, ...] = ()
    seed: str = ""
    whole: bool = False


class ClockView(msgspec.Struct, frozen=True):
    """The clock of a person's seat: seconds in the bank, without the present decision; and, if it runs, the moment
    (epoch) at which the bank will be empty, otherwise 0."""

    seat: int
    left: float
    until: float = 0.0


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
    hints: bool = False  # the player to decide may ask for the best moves
    pace: float = PACES["normal"]  # seconds a bot takes for a move
    my_seat: int | None = None
    pass_to: int | None = None  # the seat that waits behind the curtain on this device
    viewer: int = SPECTATOR  # whose view the page shows
    is_host: bool = False
    url: str = ""  # full address to share
    rematch: str = ""  # id of the table that follows this one, "" without one
    watchers: int = 0
    chat: tuple[ChatLine, ...] = ()
    hushed: tuple[Hushed, ...] = ()  # whose lines are left out there
    result: tuple[float, ...] = ()  # shares of the win by seat, when over
    scores: tuple[int, ...] = ()  # when over; until then a viewer knows what the scene shows
    race: tuple[int, ...] = ()  # when over, how near to winning each seat was, if the scores do not say it
    raced: tuple[str, ...] = ()  # and what these numbers count, if the game says it
    sudden: bool = False  # whether a player won at once, whatever the scores
    given: int = 0  # of the steps that the guest knows of, those that the game began with
    origin: str = ""  # for a game with given steps: the replay that it continues, as an address below /t/
    tempo: str = ""  # how much time there is, in words; "" for no clock
    slow: bool = False  # there is so much time that no one is expected to sit and wait
    clocks: tuple[ClockView, ...] = ()  # of people, while the game is under way
    absent: tuple[int, ...] = ()  # seats whose people went away; others may let a bot play on
    ending: tuple[int, ...] = ()  # seats whose people want to end the game without a result
    voters: tuple[int, ...] = ()  # seats whose people are asked then: those who are not away
    closed: str = ""  # why the table was closed, when it was
    programs: bool = False  # whether programs may sit down
    rated: bool = False  # whether the result counts for ratings
    absence: str = ""  # without clocks: for how long an absent player is waited for, in words
    begins: bool = False  # automatically, as soon as every seat is taken
    playtest: bool = False  # it was opened for a playtest, so it can't be rated
    day: str = ""  # the day whose game it is
    tournament: str = ""  # the tournament that it is a game of
    custom: tuple[str, ...] = ()  # the bots that the house offers for this game besides the known ones
    changes: tuple[str, ...] = ()  # how the numbers differ from those of the game's edition, in words
    numbers: str = ""  # then the address of the page with all of them


def hands(seat: SeatRow | SeatView, name: str) -> str:
    """Return who makes the moves in the seat of `name`: "Ann", or "Ann's bot" while a bot plays on for Ann."""
    return f"{name}'s bot" if seat.left else name


def table_view(table: Table, eyes: Eyes, share_url: str) -> TableView:
    """Return the table as the guest may see it. It contains the seed only after the game."""
    row, match, game, guest = table.row, table.match, table.game, eyes.guest
    present, tempo = table.audience.present(), tempo_of(row.tempo)
    deaf, shut = eyes.regard.deaf, shut_out(row, table.seats, guest, eyes.regard.shut)
    seated = {seat.guest_id for seat in table.seats}  # including players who watch while a bot plays for them
    return TableView(
        id=row.id,
        game=row.game,
        title=game.text.TITLE,
        edition=row.edition,
        edition_title=game.recorded_edition(row.edition, row.parts).title,
        status=table.status,
        seats=tuple(_seat(table, seat, eyes, share_url, bool(present[seat.guest_id]), shut) for seat in table.seats),
        options=tuple(
            OptionView(o.name, value, o.said(value), o.help, o.clause, value != o.default)
            for o in game.facts.options
            if (value := row.options.get(o.name)) is not None and o.matters(row.options.get(RULESET, ""))
        ),
        verdict=Verdict(
            row.commitment,
            tuple(row.words),
            row.seed if (table.over or table.closed) and not sealed(row) else "",
            row.commitment != fair.commitment(row.seed),
        ),
        version=table.known.version(eyes.viewer),
        public=row.public,
        hints=row.hints,
        pace=row.pace,
        my_seat=eyes.seat,
        pass_to=eyes.behind,
        viewer=eyes.viewer,
        is_host=row.host == guest,
        url=f"{share_url}/t/{row.id}",
        rematch=row.rematch,
        watchers=sum(one not in seated for one in present),
        chat=tuple(
            ChatLine(
                line.id, line.name, line.text, line.seat, line.guest_id == guest, line.at // 60 * 60, not line.guest_id
            )
            for line in table.chat
            if line.guest_id not in deaf
        ),
        hushed=_hushed(table, eyes) if deaf else (),
        result=tuple(match.returns) if match and match.over else (),
        scores=tuple(match.scores) if match and match.over else (),
        race=game.race(match.state) if match and match.over else (),
        raced=raced(game, match.state) if match and match.over else (),
        sudden=match is not None and match.over and sudden(game, match.state),
        given=table.known.version_at(eyes.viewer, row.given) if row.given else 0,
        origin=row.origin,
        tempo=in_words(tempo),
        slow=tempo is not None and tempo.slow,
        clocks=_clocks(table) if tempo is not None and table.status == "playing" else (),
        absent=looking.absent(table),
        ending=wanting(table.seats) if table.status == "playing" else (),
        voters=voters(table, table.seats) if table.status == "playing" else (),
        closed=table.why_closed() if table.closed else "",
        programs=row.programs,
        rated=row.rated,
        absence=shown(row.absent) if tempo is None else "",
        begins=begins_when_full(row),
        playtest=bool(row.playtest),
        day=row.day,
        tournament=row.tournament,
        custom=offered.named(game, table.offers),
        changes=changes(row),
        numbers=numbers(row),
    )


def _clocks(table: Table) -> tuple[ClockView, ...]:
    left = table.ledger.left
    return tuple(
        ClockView(seat.seat, round(max(0.0, left[seat.seat]), 3), round(clocks.until(table, seat.seat), 3))
        for seat in table.seats
        if seat.kind in PERSON
    )


def _hushed(table: Table, eyes: Eyes) -> tuple[Hushed, ...]:
    last = {line.guest_id: line for line in table.chat if line.guest_id in eyes.regard.deaf}
    return tuple(Hushed(line.name, line.id, whose in eyes.regard.blocked) for whose, line in last.items())


def _seat(table: Table, seat: SeatRow, eyes: Eyes, share_url: str, present: bool, shut: bool) -> SeatView:
    guest = eyes.guest
    is_host = table.row.host == guest
    known = strength_of(seat, table.row) if table.status in ("waiting", "playing") else None
    rests = by_post(table.row) and seat.rest.until > time.time()
    return SeatView(
        index=seat.seat,
        kind="link" if shut and seat.kind == "open" else seat.kind,
        muted=seat.guest_id in eyes.regard.muted,
        blocked=seat.guest_id in eyes.regard.blocked,
        person=seat.guest_id not in ("", guest),
        name=table.match.names[seat.seat] if table.match else "" if seat.kind == "link" else seat.name,
        kept=seat.name if seat.kind == "link" else "",
        bot=seat.bot,
        plays_as=played if seat.bot and (played := bots.standing(table.game, seat.bot)) != seat.bot else "",
        mine=seat.guest_id == guest,
        host=bool(seat.guest_id) and seat.guest_id == table.row.host,
        present=seat.kind in PERSON and present,
        program=seat.program,
        left=seat.left,
        page=page_of_seat(seat),
        rest=seat.rest if rests else None,
        resting=rests and seat.rest.since <= time.time(),
        rating=known.rating if known else "",
        sure=known is not None and known.sure,
        picture=" ".join(of_seat(seat) or ()),
        words=seat.words if seat.guest_id == guest and not table.match else "",
        invite=f"{share_url}/t/{table.id}/join/{seat.token}" if is_host and seat.kind == "link" else "",
    )
