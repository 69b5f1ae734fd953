"""The pages of tournaments: their list, the form for a new one, a tournament, and the lobby's card and line."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from markupsafe import Markup

from parlour.core.edition import Edition
from parlour.core.facts import RULESET
from parlour.core.game import Game
from parlour.games import all_games
from parlour.house.accounts.guests import MAX_NAME, Guest
from parlour.house.http.page import Part
from parlour.house.site import drawing, files
from parlour.house.site.addresses import page_of
from parlour.house.site.drawing import CupLine, rules_address
from parlour.house.site.preview import Preview
from parlour.house.tournaments import boards, deeds, rows
from parlour.house.tournaments.lists import Glance, Lists
from parlour.house.tournaments.own import Mine, Person, mine, until
from parlour.house.tournaments.pairing.kinds import SEATS
from parlour.house.tournaments.reading import Known
from parlour.house.tournaments.rows import Listed, System, Tournament
from parlour.house.tournaments.showing import CALLED, SYSTEMS, Moment, facts, moment, players, staying
from parlour.house.tournaments.viewing import View

SOON = ((15, "In 15 min"), (30, "In 30 min"), (60, "In an hour"), (1440, "In a day"))  # starts that one press chooses
PARTS = "tournament_parts.html"
SHEETS = "people.css profile.css tournament.css"
ANNOUNCED = 3600.0  # seconds before the start from which a tournament that one has joined leads the lobby


class Card(NamedTuple):
    """A tournament in a list. `moment`: when it starts, ends or ended; `now`: how far it is; `winner` of one that is
    over; `mine` says what a guest has to do with it."""

    href: str
    title: str
    game: str
    system: System
    state: str
    facts: tuple[str, ...]
    people: str
    moment: Moment | None
    now: str
    winner: str
    mine: str


class Offer(NamedTuple):
    """A tournament that one press makes: what it is, and its request as JSON, and after how many minutes it
    starts."""

    title: str
    words: str
    body: str
    ahead: int


class Field(NamedTuple):
    """A number of the form for a new tournament, and the systems that have it."""

    name: str
    title: str
    value: int
    least: int
    most: int
    systems: tuple[str, ...]


class Choice(NamedTuple):
    """A game in the form for a new tournament."""

    name: str
    title: str
    seats: tuple[int, int]
    rulesets: Mapping[str, str]
    editions: tuple[Edition, ...]


FIELDS = (
    Field("rounds", "Rounds", 5, *deeds.ROUNDS, ("swiss",)),
    Field("minutes", "Minutes", 60, int(deeds.LENGTH[0]), int(deeds.LENGTH[1]), ("arena",)),
)


def offers(game: Game) -> tuple[Offer, ...]:
    """Return what the empty list offers to make, of a game."""
    ruleset = game.rulesets[0]
    said: tuple[tuple[System, str, str, int, dict[str, int]], ...] = (
        ("swiss", "Swiss", "5 rounds, in 30 minutes", 30, {"rounds": 5}),
        ("knock-out", "Knock-out", "in 30 minutes", 30, {}),
        ("arena", "Arena", "1 hour, in 15 minutes", 15, {"minutes": 60}),
    )
    return tuple(
        Offer(f"{game.text.TITLE} {title}", words, json.dumps({
            "name": f"{game.text.TITLE} {CALLED[system]}"[:MAX_NAME], "system": system, "game": game.name, **more,
            **({"options": {RULESET: ruleset}} if ruleset else {}),
        }), ahead) for system, title, words, ahead, more in said
    )  # fmt: skip


def listed(found: Lists, winners: Mapping[str, str], guest: str, page: int) -> dict[str, object]:
    """Return what the list of tournaments shows: `GET /tournaments`. `winners`: names, by tournament."""
    games = all_games()

    def cards(some: Sequence[Listed]) -> tuple[Card, ...]:
        return tuple(_card(one, found, winners, guest) for one in some if one.tournament.game in games)

    return {
        "running": cards(found.running) if not page else (), "coming": cards(found.coming) if not page else (),
        "over": cards(found.over), "number": page, "more": (page + 1) * rows.PAGE < found.total,
    }  # fmt: skip


def _card(one: Listed, found: Lists, winners: Mapping[str, str], guest: str) -> Card:
    row = one.tournament
    at = {"announced": row.starts_at, "over": row.ended}.get(row.state)
    own = ""
    if row.id in found.mine:
        own = "Your game waits for you" if row.id in found.tables else "You’re in"
    elif row.organiser == guest:
        own = "You organise it"
    return Card(
        f"/tournaments/{row.id}", row.name, row.game, row.system, row.state, facts(row, one.entrants)[:-1],
        "" if row.state == "over" else players(one.entrants), None if at is None else moment(at), progress(row),
        winners.get(row.id, ""), own,
    )  # fmt: skip


def progress(row: Tournament) -> str:
    """Return how far a tournament is, in few words, without its entrants."""
    if row.state == "announced":
        return "When the organiser starts it"
    if row.system == "arena":
        return f"{until((row.began or 0.0) + row.length)} left"
    if row.system == "simultaneous" or not row.round:
        return "In play"
    return f"Round {row.round}" + (f" of {row.rounds}" if row.rounds else "")


def all_of(guest: Guest, found: Lists, winners: Mapping[str, str], page: int) -> tuple[Part, ...]:
    """`GET /tournaments`: those in play, to come, and over."""
    games = list(all_games().values())
    shown = listed(found, winners, guest.id, page)
    return drawing.page(
        "tournaments", "Tournaments", guest, games, sheet=SHEETS, offers=offers(games[0]) if games else (), **shown,
    )  # fmt: skip


def form(guest: Guest, last: str = "") -> tuple[Part, ...]:
    """`GET /tournaments/new`: the form for a new one, with the game that the guest played last."""
    games = all_games()
    chosen = games.get(last) or next(iter(games.values()), None)
    choices = [
        Choice(
            one.name,
            one.text.TITLE,
            one.facts.players[:2],
            {name: one.ruleset_line(name) for name in one.rulesets},
            tuple(one.editions.values()),
        )
        for one in games.values()
    ]
    systems = [(name, title, sentence, CALLED[name]) for name, (title, sentence) in SYSTEMS.items()]
    return drawing.page(
        "tournament_new", "New tournament", guest, list(games.values()), script="tournaments", sheet=SHEETS,
        games=choices, first=chosen.name if chosen else "", systems=systems, numbers=FIELDS, soon=SOON,
        tempos=drawing.TEMPOS, longest=MAX_NAME, seats=range(SEATS[0], SEATS[1] + 1), most=rows.MOST_ENTRANTS,
    )  # fmt: skip


class Shown(NamedTuple):
    """A tournament that was drawn for everyone: what the database knows, its page as data, and the parts of the page by
    their keys, for organisers too."""

    known: Known
    view: View
    state: str
    body: str
    organised: str


def shown(known: Known, view: View) -> Shown:
    """Draw a tournament's page as far as all see it alike."""
    draw = partial(drawing.macro, PARTS)
    return Shown(known, view, draw("state", view), draw("body", view, False), draw("body", view, True))


def own_part(found: Shown, person: Person) -> tuple[Mine, str]:
    """Return what a person can do at a tournament, and its drawing."""
    own = mine(found.known, found.view, person)
    return own, drawing.macro(PARTS, "mine", own)


def organises(found: Shown, guest: str) -> bool:
    """Return whether someone organises a tournament."""
    return bool(guest) and found.known.tournament.organiser == guest


def body_for(found: Shown, own: Mine, guest: str) -> str:
    """Return the drawing of a tournament with a person's own lines marked."""
    drawn = found.organised if organises(found, guest) else found.body
    return (
        drawn.replace(f'data-entry="{own.entry}"', f'data-entry="{own.entry}" data-yours') if own.entry >= 0 else drawn
    )


def link_of(found: Shown, person: Person, shared_url: str) -> str:
    """Return the address that someone can share: those who may invite others share the link that these need."""
    row, entry = found.known.tournament, found.view.cast.entries.get(person.guest.id)
    inside = organises(found, person.guest.id) or (entry is not None and entry.left is None)
    token = f"?link={row.token}" if row.token and (inside or person.token == row.token) else ""
    return f"{shared_url}/tournaments/{row.id}{token}"


def tournament(found: Shown, person: Person, shared_url: str, calendar: str = "") -> tuple[Part, ...]:
    """`GET /tournaments/ID`: a tournament."""
    row, guest = found.known.tournament, person.guest
    game = all_games()[row.game]
    own, drawn = own_part(found, person)
    link = link_of(found, person, shared_url)
    return drawing.page(
        "tournament", row.name, guest, [game], sheet=SHEETS, view=found.view, game=game, link=link,
        token=person.token, organiser_page=page_of(found.known.organiser) if found.known.organiser else "",
        code=f"/tournaments/{row.id}/qr{'?' + link.partition('?')[2] if '?' in link else ''}",
        mine=Markup(drawn), state=Markup(found.state), body=Markup(body_for(found, own, guest.id)), calendar=calendar,
        rules=rules_address(game, row.options), organiser=found.known.organiser,
        downloads=downloads(row),
        preview=Preview(
            row.name, f"{', '.join(facts(row, len(staying(found.known))))}.", f"{shared_url}/tournaments/{row.id}",
            shared_url + files.cover_of(game).address, f"The cover of {game.text.TITLE}",
        ),
    )  # fmt: skip


def downloads(row: Tournament) -> tuple[tuple[str, str, str], ...]:
    """Return what can be downloaded of a tournament that is over: a title, what it is, and its address."""
    if row.state != "over":
        return ()
    found = [("Download the results", "JSON", f"/tournaments/{row.id}/results")]
    if row.seats == 2 and row.system not in ("arena", "simultaneous"):
        found.append(("Tournament report", "TRF, for other programs", f"/tournaments/{row.id}/results?trf=true"))
    return tuple(found)


def line_at(row: Tournament, game: boards.Game) -> CupLine:
    """Return what a table says of the tournament that its game belongs to."""
    round_of = f"Round {game.round}" + (f" of {row.rounds}" if row.rounds else "")
    words = {"final": "Final", "third": "For third place", "replay": "Replay"}.get(game.label, round_of)
    return CupLine(f"/tournaments/{row.id}", row.name, "" if row.system in ("arena", "simultaneous") else words)


class Cup(NamedTuple):
    """The lobby's card of a tournament that a guest has joined, and that is in play, or starts soon (`at`)."""

    href: str
    title: str
    game: str
    words: str
    at: float | None


class Line(NamedTuple):
    """What the lobby says of tournaments: a line, where there is room for it, and perhaps a card."""

    more: str
    cup: Cup | None


def line(found: Glance, now: float | None = None) -> Line:
    """Return what the lobby says of tournaments."""
    now = time.time() if now is None else now
    cup = next((_cup(row) for row in found.mine if row.id not in found.tables and _leads(row, now)), None)
    following = f"next in {until(found.next)}" if found.next is not None else ""
    return Line(f"{found.running} in play" if found.running else following, cup)


def _leads(row: Tournament, now: float) -> bool:
    """Return whether a tournament that a guest has joined leads the lobby."""
    soon = row.starts_at is not None and row.starts_at < now + ANNOUNCED
    return row.game in all_games() and (row.state == "running" or soon)


def _cup(row: Tournament) -> Cup:
    if row.state == "running":
        return Cup(f"/tournaments/{row.id}", row.name, row.game, progress(row), None)
    words = f"Your tournament starts in {until(row.starts_at)}"
    return Cup(f"/tournaments/{row.id}", row.name, row.game, words, row.starts_at)
