"""The bracket of a knock-out, drawn from its plan: a column for each round, in an order in which the games that lead to
another are neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from parlour.house.tournaments import reckoning
from parlour.house.tournaments.boards import Game
from parlour.house.tournaments.pairing import knock_out
from parlour.house.tournaments.pairing.grouping import snaked
from parlour.house.tournaments.pairing.kinds import Entrant, Form
from parlour.house.tournaments.pairing.knock_out import Stage
from parlour.house.tournaments.reading import Known
from parlour.house.tournaments.showing import Cast, RoundView, Side, TableView

NAMES = ("Final", "Semi-finals", "Quarter-finals")  # from the last round back
ONE = {"Semi-finals": "semi-final", "Quarter-finals": "quarter-final"}
APART = {"third": "For third place", "replay": "After a draw"}  # games that are not in the tree


class Slot(NamedTuple):
    """A game of the plan: its number in its round; for each seat its place in the bracket, and the game of the round
    before whose winner takes it, None for an entrant who had a bye, or comes first here."""

    number: int
    places: tuple[int, ...]
    feeders: tuple[int | None, ...]


def title(number: int, rounds: int) -> str:
    """Return the name of a round of a knock-out."""
    back = rounds - number
    return NAMES[back] if back < len(NAMES) else f"Round {number}"


def tree(count: int, form: Form) -> list[list[Slot]]:
    """Return the games of each round for `count` entrants, in the order of drawing. The best of each table
    alone plays on (`form.through` is 1)."""
    rounds: list[list[Slot]] = []
    before = 0  # byes of the round before
    for number, (players, byes, tables) in enumerate(knock_out.plan(count, form)):
        playing = players - byes
        sizes = [playing // tables + (table < playing % tables) for table in range(tables)]
        slots = []
        for table, order in enumerate(snaked(range(playing), sizes)):
            places = tuple(byes + one for one in order)
            slots.append(
                Slot(table, places, tuple(one - before if number and one >= before else None for one in places))
            )
        rounds.append(slots)
        before = byes
    order = list(range(len(rounds[-1]))) if rounds else []
    drawn = []
    for slots in reversed(rounds):
        drawn.append([slots[one] for one in order])
        order = [one for at in order for one in slots[at].feeders if one is not None]
    return drawn[::-1]


class Bracket:
    """The drawing of a knock-out in which one player of each table plays on."""

    def __init__(self, known: Known, cast: Cast) -> None:
        form = reckoning.form_of(known.tournament)
        entrants = reckoning.entrants_of(known.entries)
        self.cast, self.seats = cast, form.seats
        self.stages = knock_out.stages(form, entrants, reckoning.history_of(known.games))
        self.drawn = tree(starting(entrants), form)

    def columns(self) -> tuple[RoundView, ...]:
        """Return the rounds. The first has an empty place for each bye, so that lines meet in the middle."""
        columns = []
        for number, slots in enumerate(self.drawn, 1):
            games = [game for game in self.cast.rounds.get(number, ()) if len(game.places) > 1]
            tables = [self._table(number, slot, games) for slot in slots]
            if number == 1 and self.seats == 2 and len(self.drawn) > 1:
                tables = _with_byes(tables, self.drawn[1])
            columns.append(RoundView(number, title(number, len(self.drawn)), "", tuple(tables)))
        return tuple(columns)

    def besides(self) -> tuple[RoundView, ...]:
        """Return the games that are not in the tree: those for third place, and replays of draws."""
        games = [game for one in self.cast.rounds.values() for game in one]
        found = []
        for label, words in APART.items():
            tables = tuple(self.cast.table(game) for game in games if game.label == label)
            found += [RoundView(0, words, "", tables)] if tables else []
        return tuple(found)

    def _table(self, number: int, slot: Slot, games: Sequence[Game]) -> TableView:
        """Return a game as it was paired; else with those who are known to play it."""
        stage = self.stages[number - 1] if number <= len(self.stages) else None
        members = {int(one) for one in stage.tables[slot.number].members} if stage else set()
        first = all(feeder is None for feeder in slot.feeders)
        for game in games:
            if game.label not in APART and members & {one.entrant for one in game.places}:
                return self.cast.table(game)._replace(first=first)
        key, sides = f"{number}-t{slot.number}", tuple(self._sides(number, slot, stage))
        walkover = stage is not None and stage.tables[slot.number].on is not None and len(members) < 2
        return TableView(key, "bye" if walkover else "ahead", sides, "no game" if walkover else "", "", first)

    def _sides(self, number: int, slot: Slot, stage: Stage | None) -> list[Side]:
        if stage is not None:
            return [self._side(one) for one in stage.tables[slot.number].members]
        before = self.stages[number - 2] if number - 2 < len(self.stages) else None
        found = []
        for place, feeder in zip(slot.places, slot.feeders, strict=True):
            if feeder is None:
                known = self.stages[0].byes if self.stages and number == 2 else ()
                found.append(self._side(known[place]) if place < len(known) else Side(None, "", "", best=False))
            elif before is not None and (on := before.tables[feeder].on) is not None:
                found.append(self._side(on[0]) if on else Side(None, "no one", "", best=False))
            else:
                found.append(Side(None, self._winner(number - 1, feeder), "", best=False))
        return found

    def _side(self, entrant: str) -> Side:
        return Side(self.cast.who.get(int(entrant)), "", "", best=False)

    def _winner(self, number: int, table: int) -> str:
        """Return whom a seat waits for, in words."""
        slots, name = self.drawn[number - 1], title(number, len(self.drawn))
        at = next(at for at, one in enumerate(slots, 1) if one.number == table)
        return f"Winner of {ONE.get(name, 'game')} {at}"


def starting(entrants: Sequence[Entrant]) -> int:
    """Return how many entrants are in the bracket at the start."""
    return sum(one.joined <= 1 and (one.left is None or one.left > 1) for one in entrants)


def _with_byes(tables: Sequence[TableView], following: Sequence[Slot]) -> list[TableView]:
    ahead = iter(tables)
    return [
        TableView(f"none-{slot.number}-{place}", "none", (), "", "") if feeder is None else next(ahead)
        for slot in following
        for place, feeder in zip(slot.places, slot.feeders, strict=True)
    ]
