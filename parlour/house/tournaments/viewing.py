"""A tournament's whole page as plain data: how far it is, its rounds and standings, and what it plays by."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from markupsafe import Markup

from parlour.house.tournaments import brackets, reckoning
from parlour.house.tournaments.boards import Game
from parlour.house.tournaments.brackets import Bracket
from parlour.house.tournaments.pairing.kinds import Standing
from parlour.house.tournaments.pairing.standings import BREAKS
from parlour.house.tournaments.reading import Known
from parlour.house.tournaments.rows import State, System, Tournament
from parlour.house.tournaments.showing import (
    CHIPS,
    SHOWN,
    SYSTEMS,
    Cast,
    Moment,
    RoundView,
    Row,
    Score,
    Step,
    Who,
    amount,
    facts,
    moment,
    played_by,
    players,
    staying,
    streak,
)  # fmt: skip

PODIUM = 3  # places
ROOM = 4  # on the podium
SHORT = {"Buchholz": "Buchholz", "Sonneborn-Berger": "Berger", "Direct encounter": "Direct", "Wins": "Wins"}
MEANS = {
    "Buchholz": "the sum of the opponents’ points", "Sonneborn-Berger": "the sum of the beaten opponents’ points",
    "Direct encounter": "the games against each other", "Wins": "the number of wins",
}  # fmt: skip


class View(NamedTuple):
    """A tournament's page. `now` and `said` say how far it is; `until`: the end of an arena; `breaks`: tie-breaks,
    short, and what they are; `round`: the one in play or the games in play of an arena; `counted`: how many take
    part, and `more`, who are not listed."""

    id: str
    title: str
    system: System
    state: State
    facts: tuple[str, ...]
    begins: Moment | None
    until: Moment | None
    ended: Moment | None
    now: str
    said: str
    steps: tuple[Step, ...]
    scores: tuple[Score, ...]
    breaks: tuple[tuple[str, str], ...]
    after: str
    cross: tuple[Row, ...]
    bracket: tuple[RoundView, ...]
    lined: bool
    besides: tuple[RoundView, ...]
    round: RoundView | None
    earlier: tuple[RoundView, ...]
    podium: tuple[Score, ...]
    winners: tuple[str, ...]
    people: tuple[Who, ...]
    counted: str
    more: int
    terms: tuple[str, ...]
    places: Mapping[int, Score]  # by entrant, including of those who are not listed
    cast: Cast


def view_of(known: Known, pictures: Mapping[str, Markup] = MappingProxyType({})) -> View:
    """Return a tournament's page, with the pictures of entrants by guest. It takes some time where there are many
    games."""
    row, cast = known.tournament, Cast(known, pictures)
    there = staying(known)
    places = _scores(known, cast) if row.round else {}
    ranked = sorted(places.values(), key=lambda one: (one.place, one.who.entry))
    drawn = Bracket(known, cast) if row.system == "knock-out" and row.round and row.through == 1 else None
    titles = _titles(known)
    current, earlier = _rounds(known, cast, titles)
    now, said = _now(known, cast, titles)
    people = tuple(cast.who[one.number] for one in there[:SHOWN])
    return View(
        row.id, row.name, row.system, row.state, facts(row, len(places if row.round else there)),
        moment(row.starts_at) if row.starts_at is not None else None,
        moment((row.began or 0.0) + row.length) if row.system == "arena" and row.state == "running" else None,
        moment(row.ended) if row.ended is not None else None, now, said, _steps(row, titles),
        () if row.system == "knock-out" and row.state == "running" else tuple(ranked[:SHOWN]),
        tuple((SHORT[one], MEANS[one]) for one in BREAKS[row.system]), _after(known, cast), _cross(row, cast, ranked),
        drawn.columns() if drawn else (), row.seats == 2, drawn.besides() if drawn else (), current, earlier,
        podium(ranked) if row.state == "over" else (),
        winners(ranked) if row.state == "over" else (),
        people, players(len(there)).capitalize(), max(0, len(there) - SHOWN), _terms(row), places, cast,
    )  # fmt: skip


def winners(ranked: Sequence[Score]) -> tuple[str, ...]:
    """Return the names of those on the first place, who have won unless they did not score."""
    return tuple(one.who.name for one in ranked if one.place == 1 and one.points != "0")


def podium(ranked: Sequence[Score]) -> tuple[Score, ...]:
    """Return the podium: the best three places, as long as all who share a place have room."""
    places = [one.place for one in ranked]
    if not winners(ranked):
        return ()
    return tuple(one for one in ranked if one.place <= PODIUM and bisect_right(places, one.place) <= ROOM)


def _titles(known: Known) -> tuple[str, ...]:
    """Return the names of the rounds, () for an arena and before the start."""
    row = known.tournament
    if not row.round or row.system in ("arena", "simultaneous"):
        return ()
    entrants = reckoning.entrants_of(known.entries)
    count = brackets.starting(entrants) if row.system == "knock-out" else len(entrants)
    number = max(row.round, reckoning.rounds_of(row, count))
    if row.system == "knock-out":
        return tuple(brackets.title(one, number) for one in range(1, number + 1))
    return tuple(f"Round {one}" for one in range(1, number + 1))


def _now(known: Known, cast: Cast, titles: Sequence[str]) -> tuple[str, str]:
    """Return how far a tournament is, in words."""
    row = known.tournament
    if row.state == "announced":
        return "", ""
    if row.state in ("over", "cancelled"):
        return ("Finished" if row.state == "over" else "Cancelled"), ""
    if row.system == "arena":
        return "In play", ""
    if not row.round:
        return "Starting", ""
    games = [game for game in cast.rounds[row.round] if len(game.places) > 1]
    done = sum(game.state == "over" for game in games)
    said = f"Games over: {done} of {len(games)}" if done < len(games) else "The next round begins soon"
    if row.system == "simultaneous":
        return "In play", said
    title = titles[row.round - 1]
    return title if row.system == "knock-out" else f"{title} of {len(titles)}", said


def _steps(row: Tournament, titles: Sequence[str]) -> tuple[Step, ...]:
    """Return the line of rounds."""
    over = row.state == "over"

    def state(number: int) -> str:
        return (
            "past"
            if number < row.round or (over and number == row.round)
            else "now"
            if number == row.round
            else "ahead"
        )

    return tuple(Step(title, state(number)) for number, title in enumerate(titles, 1))


def _rounds(known: Known, cast: Cast, titles: Sequence[str]) -> tuple[RoundView | None, tuple[RoundView, ...]]:
    """Return the round in play (of an arena the games in play), and those before it, the last first."""
    row = known.tournament
    if row.system == "arena":
        playing = [cast.table(game) for game in known.games if game.state != "over"]
        shown = RoundView(0, "In play", "", tuple(playing[:SHOWN]), max(0, len(playing) - SHOWN))
        return (shown if playing else None), ()
    if not row.round or (row.system == "knock-out" and row.through == 1):
        return None, ()
    rounds = {number: cast.round(number, titles[number - 1] if titles else "Games") for number in sorted(cast.rounds)}
    current = rounds.pop(row.round, None) if row.state == "running" else None
    return current, tuple(rounds[number] for number in sorted(rounds, reverse=True))


def _scores(known: Known, cast: Cast) -> dict[int, Score]:
    """Return the lines of the standings by entrant."""
    row, games = known.tournament, cast.played
    before = {one.id: one.place for one in _before(known, cast)}
    last = (
        sorted(known.games, key=lambda game: (game.done or float("inf"), game.round)) if row.system == "arena" else []
    )
    order = played_by(last) if last else games
    found = {}
    for one in known.standings:
        number = int(one.id)
        theirs = order.get(number, [])
        found[number] = Score(
            cast.who[number], one.place, amount(one.points), tuple(map(amount, one.breaks)),
            before.get(one.id, one.place) - one.place, tuple(cast.chip(game, number) for game in theirs[-CHIPS:]),
            streak(theirs, number) if row.system == "arena" and row.state == "running" else 0,
        )  # fmt: skip
    return found


def _before(known: Known, cast: Cast) -> Sequence[Standing]:
    """Return the standings before the last round with a result; () where rounds don't tell."""
    row = known.tournament
    done = [number for number, games in cast.rounds.items() if any(_played(game) for game in games)]
    if row.system not in ("swiss", "round-robin") or row.state != "running" or not done or max(done) < 2:
        return ()
    return reckoning.standings_of(row, known.entries, [game for game in known.games if game.round < max(done)])


def _played(game: Game) -> bool:
    return game.state == "over" and len(game.places) > 1


def _after(known: Known, cast: Cast) -> str:
    """Return as of when standings are, in words."""
    row = known.tournament
    if row.system == "arena" or row.state != "running" or not row.round:
        return ""
    games = cast.rounds[row.round]
    whole = all(game.state == "over" for game in games)
    if row.system in ("knock-out", "simultaneous"):
        return ""
    return f"after round {row.round}" if whole else f"during round {row.round}"


def _cross(row: Tournament, cast: Cast, ranked: Sequence[Score]) -> tuple[Row, ...]:
    """Return the cross table of a round robin."""
    if row.system != "round-robin" or not ranked:
        return ()
    met: dict[tuple[int, int], list[Game]] = {}
    for games in cast.rounds.values():
        for game in games:
            there = [place.entrant for place in game.places if place.entrant is not None]
            for one in there:
                for other in there:
                    met.setdefault((one, other), []).append(game)
    return tuple(
        Row(one.who, one.points, tuple(
            None if other is one else tuple(
                cast.chip(game, one.who.entry) for game in met.get((one.who.entry, other.who.entry), ())
            ) for other in ranked
        )) for one in ranked
    )  # fmt: skip


def _terms(row: Tournament) -> tuple[str, ...]:
    """Return what a tournament plays by, in sentences."""
    said = [SYSTEMS[row.system][1]]
    if row.system == "arena":
        said.append("A win is 2 points, a shared win its part. After two wins in a row, points count double.")
    elif row.system == "knock-out":
        said.append("After a draw, the same players play once more." if row.seats == 2 else "")
    else:
        said.append("A win is 1 point, and a shared win its part.")
    if row.through > 1:
        said[0] = "The best two of each table play on; everyone else is out."
    if row.third:
        said.append("The losers of the semi-finals play for third place.")
    if row.bots and row.system != "simultaneous":
        said.append("A bot plays where a player is missing.")
    elif row.system in ("swiss", "round-robin"):
        said.append("Where the numbers don’t match, someone has a bye, which counts as a win.")
    said.append("Open your table in time: if you don’t come, you lose the game.")
    said.append("If you’re away when a game ends, you lose it, even if your bot wins.")
    if row.rated:
        said.append("The games are rated.")
    return tuple(filter(None, said))
