"""A tournament as its page shows it: plain data, cut from what the database knows. Nothing here depends on who looks;
what is a viewer's own is marked by the number of their entry."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from markupsafe import Markup

from parlour.core.facts import RULESET
from parlour.house.site.addresses import page_of
from parlour.house.site.titles import title_of
from parlour.house.table.live.tempo import in_words, tempo_of
from parlour.house.tournaments.boards import Game, Place
from parlour.house.tournaments.reading import Known
from parlour.house.tournaments.rows import GONE, Entry, System, Tournament

SHOWN = 100  # lines of standings, games of a round, entrants
CHIPS = 12  # games in a line of the standings, the last ones
FULL = 0.999  # a share of the win that is all of it
GLYPHS = {0.5: "½", 1 / 3: "⅓", 2 / 3: "⅔", 0.25: "¼", 0.75: "¾", 0.2: "⅕", 1 / 6: "⅙"}
SYSTEMS: dict[System, tuple[str, str]] = {
    "swiss": ("Swiss", "Everyone plays every round, against a player with a similar score."),
    "round-robin": ("Round robin", "Everyone plays everyone else."),
    "knock-out": ("Knock-out", "The winner of each game plays on; everyone else is out."),
    "arena": ("Arena", "You play game after game until time is up. Winning streaks count double."),
    "simultaneous": ("Simultaneous", "Everyone plays the same bot at the same time."),
}


# What a tournament is called after its game. With it, the longest name is that of an account.
CALLED: dict[System, str] = {
    "swiss": "Swiss", "round-robin": "league", "knock-out": "cup", "arena": "arena", "simultaneous": "simul",
}  # fmt: skip


class Moment(NamedTuple):
    """A moment: seconds since 1970, as ISO 8601, and in words (UTC)."""

    at: float
    iso: str
    words: str


class Who(NamedTuple):
    """An entrant. `page` is "" for a deleted account."""

    entry: int
    name: str
    page: str
    portrait: Markup
    left: bool


class Chip(NamedTuple):
    """A game in a line of the standings: "won", "shared", "lost", "bye", "playing" or "absent"; what is written on it;
    and in words."""

    mark: str
    text: str
    words: str
    href: str


class Side(NamedTuple):
    """A seat of a game: who has it (None: not known yet, or a bot, as `instead` says), their points, and whether they
    won."""

    who: Who | None
    instead: str
    points: str
    best: bool


class TableView(NamedTuple):
    """A game of a round. `state`: ahead, playing, over, bye, or none (an empty place of a bracket); `first`: no game
    leads to it."""

    key: str
    state: str
    sides: tuple[Side, ...]
    words: str
    href: str
    first: bool = False


class RoundView(NamedTuple):
    """A round: its title, how far it is, and its games. `more`: games that are not shown."""

    number: int
    title: str
    said: str
    tables: tuple[TableView, ...]
    more: int = 0


class Score(NamedTuple):
    """A line of the standings. `moved`: by how many places up since the round before; `streak`: wins in a row."""

    who: Who
    place: int
    points: str
    breaks: tuple[str, ...]
    moved: int
    games: tuple[Chip, ...]
    streak: int


class Row(NamedTuple):
    """A line of the cross table: for each opponent the games against them, None for the player."""

    who: Who
    points: str
    cells: tuple[tuple[Chip, ...] | None, ...]


class Step(NamedTuple):
    """A round in the line of all rounds: "past", "now" or "ahead"."""

    title: str
    state: str


def moment(at: float) -> Moment:
    """Return a moment as pages show it."""
    then = time.gmtime(at)
    words = f"{then.tm_mday} {time.strftime('%b %Y, %H:%M', then)} UTC"
    return Moment(at, time.strftime("%Y-%m-%dT%H:%M:%SZ", then), words)


def amount(value: float) -> str:
    """Return points as they are written: "3½"."""
    whole, part = int(value + 1e-6), value - int(value + 1e-6)
    if part < 1e-3:
        return str(whole)
    glyph = next((glyph for size, glyph in GLYPHS.items() if abs(size - part) < 1e-3), "")
    return f"{whole or ''}{glyph}" if glyph else f"{value:.2f}"


def facts(tournament: Tournament, entrants: int) -> tuple[str, ...]:
    """Return in few words what is played, how, and by how many."""
    name = SYSTEMS[tournament.system][0]
    if tournament.system == "swiss" and tournament.rounds:
        name += f", {tournament.rounds} round{'s' * (tournament.rounds != 1)}"
    elif tournament.system == "arena":
        name += f", {lasting(tournament.length)}"
    seats = f"{tournament.seats} at a table" if tournament.seats > 2 else ""
    tempo = in_words(tempo_of(tournament.tempo))
    what = title_of(tournament.game, tournament.options.get(RULESET, ""))
    return tuple(filter(None, (name, what, seats, tempo, "rated" if tournament.rated else "", players(entrants))))


def lasting(seconds: float) -> str:
    """Return a length in words: "90 min", "3 days"."""
    if seconds >= 2 * 86400:
        return f"{seconds / 86400:g} days"
    return f"{seconds / 60:g} min" if seconds < 3 * 3600 else f"{seconds / 3600:g} h"


def players(number: int) -> str:
    """Return a number of players in words."""
    return "no players yet" if not number else "1 player" if number == 1 else f"{number} players"


def staying(known: Known) -> list[Entry]:
    """Return who takes part and has not left."""
    return [one for one in known.entries if one.left is None]


class Cast:
    """The entrants of a tournament as its page shows them, and the games as their lines."""

    def __init__(self, known: Known, pictures: Mapping[str, Markup] = MappingProxyType({})) -> None:
        """Keep what is known; `pictures`: those of entrants, by guest."""
        self.tournament = known.tournament
        self.who = {
            one.number: Who(
                one.number, one.name, "" if one.guest_id.startswith(GONE) else page_of(one.name),
                pictures.get(one.guest_id, Markup()),
                one.left is not None and known.tournament.state == "running",
            ) for one in known.entries
        }  # fmt: skip
        self.rounds: dict[int, list[Game]] = defaultdict(list)
        for game in known.games:
            self.rounds[game.round].append(game)
        self.played = played_by(known.games)
        self.entries = {one.guest_id: one for one in known.entries}

    def called(self, place: Place) -> str:
        """Return the name of the player or bot in a seat."""
        found = self.who.get(place.entrant) if place.entrant is not None else None
        return found.name if found else self.bot

    @property
    def bot(self) -> str:
        """Return the house's bot, in words."""
        return f"{self.tournament.bot} bot" if self.tournament.bot else "a bot"

    def side(self, game: Game, place: Place) -> Side:
        """Return a seat of a game."""
        who = self.who.get(place.entrant) if place.entrant is not None else None
        best = game.state == "over" and place.share is not None and place.share > FULL and len(game.places) > 1
        points = amount(place.share) if game.state == "over" and place.share is not None else ""
        return Side(who, "" if who else self.bot, points, best)

    def table(self, game: Game) -> TableView:
        """Return a game, or a bye."""
        sides = tuple(self.side(game, place) for place in game.places)
        key, href = f"{game.round}-{game.board}", f"/t/{game.table_id}" if game.table_id else ""
        if game.how == "bye" or len(game.places) == 1:
            return TableView(key, "bye", sides, "bye", "")
        if game.state == "over":
            if game.how == "played":
                return TableView(key, "over", sides, "replay", f"{href}/replay?step=0" if href else "")
            return TableView(key, "over", sides, "forfeit" if game.how == "forfeit" else "no result", "")
        words = "playing" if game.state == "playing" else "soon"
        words = "replay of a draw" if game.label == "replay" and not href else words
        return TableView(key, "playing" if href else "ahead", sides, "in play" if href else words, href)

    def round(self, number: int, title: str) -> RoundView:
        """Return a round with its games, those in play first."""
        games = self.rounds[number]
        tables = sorted(map(self.table, games), key=lambda one: one.state != "playing")
        playing = [game for game in games if len(game.places) > 1]
        done = sum(game.state == "over" for game in playing)
        said = "" if done == len(playing) else f"Games over: {done} of {len(playing)}"
        return RoundView(number, title, said, tuple(tables[:SHOWN]), max(0, len(tables) - SHOWN))

    def chip(self, game: Game, entrant: int) -> Chip:
        """Return a game as one of its players sees it."""
        place = next(one for one in game.places if one.entrant == entrant)
        others = ", ".join(self.called(one) for one in game.places if one.entrant != entrant)
        against = f" against {others}" if others else ""
        head = "" if self.tournament.system == "arena" else f"round {game.round}: "
        href = f"/t/{game.table_id}" if game.table_id else ""
        if game.state != "over":
            return Chip("playing", "…", f"{head}in play{against}", href)
        if place.missed:
            return Chip("absent", "×", f"{head}did not come{against}", "")
        share = place.share or 0.0
        if len(game.places) == 1 or game.how in ("bye", "forfeit"):
            return Chip("bye", amount(share), f"{head}{amount(share)} points without a game", "")
        mark = "won" if share > FULL else "shared" if share > 0 else "lost"
        words = {"won": "won", "shared": f"shared the win ({amount(share)})", "lost": "lost"}[mark]
        return Chip(mark, amount(share), f"{head}{words}{against}", f"{href}/replay?step=0" if href else "")


def played_by(games: Sequence[Game]) -> Mapping[int, list[Game]]:
    """Return the games of each entrant, in order."""
    found: dict[int, list[Game]] = defaultdict(list)
    for game in games:
        for place in game.places:
            if place.entrant is not None:
                found[place.entrant].append(game)
    return found


def streak(games: Sequence[Game], entrant: int) -> int:
    """Return how many of an entrant's last games they won, one after the other."""
    wins = 0
    for game in reversed(games):
        place = next(one for one in game.places if one.entrant == entrant)
        if game.state != "over":
            continue
        if (place.share or 0.0) <= FULL:
            break
        wins += 1
    return wins
