"""The results of a tournament as files that other programs read: JSON, and FIDE's tournament report for tables of two.

The report is TRF16 (FIDE Handbook C.04, annex 2): lines of fixed columns. It has a number and points for each player,
and for each round the opponent, the seat ("w": the first) and the result.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import msgspec

from parlour.analysis.skill import points as on_scale
from parlour.house.database.exporting import when
from parlour.house.errors import BadInput
from parlour.house.table.live.tempo import in_words, tempo_of
from parlour.house.tournaments.boards import Game, Place
from parlour.house.tournaments.pairing.standings import BREAKS
from parlour.house.tournaments.reading import Known

MOST_DRAWN = 1e-6  # two shares that differ by less are equal


def as_json(known: Known) -> str:
    """Return all that is known of a tournament as JSON, indented."""
    row = known.tournament
    names = {one.number: one.name for one in known.entries}
    stand = {int(one.id): one for one in known.standings}
    found = {
        "format": "parlour-tournament 1", "id": row.id, "name": row.name, "organiser": known.organiser,
        "game": row.game, "edition": row.edition, "options": row.options, "position": row.origin or None,
        "seats": row.seats, "tempo": in_words(tempo_of(row.tempo)), "system": row.system, "rated": row.rated,
        "state": row.state, "began": _moment(row.began), "ended": _moment(row.ended), "rounds": row.round,
        "breaks": BREAKS[row.system],
        "entrants": [
            {
                "number": one.number, "name": one.name, "rating": round(on_scale(one.strength)),
                "place": stand[one.number].place, "points": stand[one.number].points,
                "breaks": stand[one.number].breaks, "games": stand[one.number].games, "left": one.left is not None,
            } for one in known.entries if one.number in stand
        ],
        "games": [
            {
                "round": game.round, "board": game.board, "table": game.table_id, "state": game.state,
                "how": game.how or None, "label": game.label or None, "ended": _moment(game.done),
                "seats": [
                    {
                        "entrant": one.entrant, "name": row.bot if one.entrant is None else names[one.entrant],
                        "share": one.share, "score": one.score, "missed": one.missed,
                    } for one in game.places
                ],
            } for game in known.games
        ],
    }  # fmt: skip
    return msgspec.json.format(msgspec.json.encode(found), indent=1).decode()


def _moment(seconds: float | None) -> str | None:
    return None if seconds is None else when(seconds)


# FIDE's report -------------------------------------------------------------------------------------
def as_trf(known: Known) -> str:
    """Return a tournament as FIDE's report. Raises BadInput unless it is of tables of two, in rounds."""
    row = known.tournament
    if row.seats != 2 or row.system in ("arena", "simultaneous"):
        raise BadInput(
            "FIDE's report describes tournaments at tables of two that play in rounds. Ask for JSON instead.",
            allowed=["trf=false"],
        )
    began, ended = (_day(moment) for moment in (row.began, row.ended))
    head = [
        f"012 {row.name}", f"042 {began}", f"052 {ended}", f"062 {len(known.standings)}",
        f"092 {'Knock-out' if row.system == 'knock-out' else 'Individual: ' + row.system}",
        f"102 {known.organiser}", f"122 {in_words(tempo_of(row.tempo))}", f"XXR {row.round}",
    ]  # fmt: skip
    mine: dict[int, list[Game]] = {int(one.id): [] for one in known.standings}
    for game in known.games:
        for place in game.places:
            if place.entrant in mine:
                mine[place.entrant].append(game)
    entries = {one.number: one for one in known.entries}
    ranks = {int(one.id): rank for rank, one in enumerate(known.standings, 1)}
    points = {int(one.id): one.points for one in known.standings}
    lines = []
    for number in sorted(ranks):
        entry = entries[number]
        start = f"001 {number:>4} {'':1}{'':>3} {_plain(entry.name):<33.33} {round(on_scale(entry.strength)):>4}"
        line = f"{start} {'':3} {'':>11} {'':10} {points[number]:>4.1f} {ranks[number]:>4}"
        rounds = [f"  {_round(number, _last(mine[number], one))}" for one in range(1, row.round + 1)]
        lines.append(f"{line}{''.join(rounds)}".rstrip())
    return "\n".join((*head, *lines, ""))


def _last(games: Sequence[Game], number: int) -> Game | None:
    """Return an entrant's last game in a round: a drawn one is played again in a knock-out."""
    return next((game for game in reversed(games) if game.round == number), None)


def _round(number: int, game: Game | None) -> str:
    """Return what a player did in a round, in eight columns: the opponent, the seat, the result."""
    if game is None or game.state != "over":
        return "0000 - Z" if game is None else "        "
    mine = next(one for one in game.places if one.entrant == number)
    if game.how == "bye":
        return f"0000 - {'U' if (mine.share or 0) > 1 - MOST_DRAWN else 'H' if mine.share else 'Z'}"
    other = next((one for one in game.places if one.entrant != number), None)
    who = 0 if other is None or other.entrant is None else other.entrant
    seat = "w" if mine.seat == 0 else "b"
    return f"{who:>4} {seat} {_result(mine, game)}" if who else f"0000 {seat} {_result(mine, game)}"


def _result(mine: Place, game: Game) -> str:
    share = mine.share or 0.0
    if game.how == "forfeit":
        return "+" if share > MOST_DRAWN else "-"
    return "1" if share > 1 - MOST_DRAWN else "0" if share < MOST_DRAWN else "="


def _plain(name: str) -> str:
    """Return a name as the report has it: a comma would separate the family name."""
    return name.replace(",", " ")


def _day(seconds: float | None) -> str:
    return "" if seconds is None else time.strftime("%Y/%m/%d", time.gmtime(seconds))
