"""The time that the players of a table have: a bank and an increment, a time per decision, or days; and what is left of
it. All functions are pure.

The journal alone says how much time was used. Each decision of a person has the seconds that it took; the clock loses
what exceeds the delay, and gains the increment. A decision without a choice has 0 seconds, and changes nothing.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from functools import cache
from typing import Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from parlour.core.game import Game
from parlour.house.errors import BadInput
from parlour.house.table.storage.rows import AWAY, BACK, NEVER, TAKEN_BACK, KeptTempo, Rest, StepRow, TableRow

# A budget for the whole game, in seconds, from which a player gets delays of the connection and of the page back.
LAG = 3.0  # at most; a game with little time gives less
SHARE = 20  # the budget is this fraction (1/20) of the time at the beginning
REGAINED = 10  # each timed decision returns this fraction (1/10) of the budget
DAY = 86400.0


class Tempo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tempo, in seconds: `bank` at the beginning, `increment` after each decision, and `delay`, the part of each
    decision that is free. A game by post has only a delay, and perhaps days of the week (0: Monday) in a time zone
    (IANA) on which all clocks stop."""

    bank: float = 0.0
    increment: float = 0.0
    delay: float = 0.0
    off: tuple[int, ...] = ()
    zone: str = "UTC"

    @property
    def slow(self) -> bool:
        """Return whether a decision may take hours, so that no one is expected to sit and wait."""
        return self.delay >= SLOW

    @property
    def lag(self) -> float:
        """Return the delay that each player may get back at first: 0 by post, where seconds do not matter."""
        return 0.0 if self.slow else min(LAG, (self.bank + self.delay) / SHARE)

    def due(self, now: float, seconds: float, rest: Rest = NEVER) -> float:
        """Return the moment (epoch) when a clock will have run for `seconds` from `now` on, if its player has this
        holiday. In games by post, clocks stop during a holiday."""
        due = self._due(now, seconds)
        if not self.slow or rest.until <= now or rest.since >= due:
            return due
        return self._due(rest.until, seconds - self._ran(now, rest.since))

    def ran(self, since: float, until: float, rest: Rest = NEVER) -> float:
        """Return the seconds that such a clock runs between two moments."""
        ran = self._ran(since, until)
        return ran - self._ran(max(since, rest.since), min(until, rest.until)) if self.slow else ran

    def _due(self, now: float, seconds: float) -> float:
        while self.off:
            end = self._turns(now)
            if not self._stands(now):
                if now + seconds <= end:
                    break
                seconds -= end - now
            now = end
        return now + seconds

    def _ran(self, since: float, until: float) -> float:
        if not self.off:
            return max(0.0, until - since)
        total = 0.0
        while since < until:
            end = min(until, self._turns(since))
            total += 0.0 if self._stands(since) else end - since
            since = end
        return total

    def cost(self, took: float) -> float:
        """Return how much time a decision costs that took this many seconds."""
        return max(0.0, took - self.delay)

    def _stands(self, moment: float) -> bool:
        return datetime.fromtimestamp(moment, _zone(self.zone)).weekday() in self.off

    def _turns(self, moment: float) -> float:
        """Return the next midnight in the time zone: days may have 23 or 25 hours."""
        here = datetime.fromtimestamp(moment, _zone(self.zone))
        return datetime.combine(here.date() + timedelta(days=1), datetime.min.time(), here.tzinfo).timestamp()


SLOW = 3600.0  # seconds a decision from which a game counts as one by post
# Seconds after which the others may let a bot play on for an absent player, at a table without clocks.
ABSENCES = (60, 600, 3600, 86400, 259200, 604800)
Live = Literal["quick", "usual", "turns"]  # tempos for playing in one sitting; each game has its own times for them
LIVE: tuple[Live, ...] = ("quick", "usual", "turns")
Kind = Literal["live", "slow", ""]  # whether there are clocks, and of what kind
_zone = cache(ZoneInfo)


def presets(minutes: tuple[int, int], players: int) -> tuple[Tempo, ...]:
    """Return the tempos that a game offers, from its usual length and least number of players: those of LIVE, that is
    quick, usual and a minute a decision; then eight and twelve hours, and one, three and seven days."""
    quick, usual = (max(1, round(m / players / share / 5)) * 300.0 for m, share in zip(minutes, (2, 1), strict=True))
    slow = (Tempo(delay=hours * 3600.0) for hours in (8, 12, 24, 72, 168))
    return Tempo(quick, 5.0), Tempo(usual, 10.0), Tempo(delay=60.0), *slow


def live(which: Live, minutes: tuple[int, int], players: int) -> Tempo:
    """Return one of LIVE, with a game's times."""
    return presets(minutes, players)[LIVE.index(which)]


def kind(tempo: Tempo | None) -> Kind:
    """Return the kind of clocks, "" for none."""
    return "" if tempo is None else "slow" if tempo.slow else "live"


def checked(tempo: Tempo) -> Tempo:
    """Return a tempo that makes sense. Raises BadInput."""
    if not (0 <= tempo.bank <= 2 * DAY and 0 <= tempo.increment <= 3600 and 0 <= tempo.delay <= 30 * DAY):
        raise BadInput("Give at most 48 hours of bank, an hour of increment and 30 days a decision, all in seconds.")
    if tempo.bank + tempo.delay < 5:
        raise BadInput("Give each player at least 5 seconds, in the bank or for each decision.")
    if tempo.off and (tempo.bank or not tempo.slow):
        raise BadInput("Days off need a game without a bank, and with an hour or more per decision.")
    if len(set(tempo.off)) != len(tempo.off) or not set(tempo.off) < set(range(7)):
        raise BadInput("List days off as numbers from 0 (Monday) to 6 (Sunday), each once. At least one day must stay.")
    checked_zone(tempo.zone)
    return tempo


def checked_zone(name: str) -> str:
    """Return the name of a time zone. Raises BadInput."""
    if len(name) > 64 or not _is_zone(name):
        raise BadInput("Name the time zone by region and city, such as Europe/Zurich, or use UTC.")
    return name


def _is_zone(name: str) -> bool:
    if name != "UTC" and "/" not in name:  # such as "localtime", which differs between machines
        return False
    try:
        ZoneInfo(name)
    except (ValueError, OSError, ZoneInfoNotFoundError):
        return False
    return True


def by_post(row: TableRow) -> bool:
    """Return whether a decision at this table may take hours, so that no one is expected to sit and wait."""
    tempo = tempo_of(row.tempo)
    return row.absent >= SLOW if tempo is None else tempo.slow


def tempo_of(kept: KeptTempo) -> Tempo | None:
    """Return the stored tempo, None without clocks."""
    return None if kept is None else msgspec.convert(kept, Tempo)


class Ledger:
    """The time that each seat has left before its next decision, and the seats that bots have taken over, computed from
    the rows of a journal."""

    def __init__(self, tempo: Tempo | None, seats: int) -> None:
        self.tempo = tempo or Tempo()
        self.left = [self.tempo.bank] * seats
        self.lag = [self.tempo.lag] * seats
        self.away: dict[int, str] = {}  # by seat, why
        self._clocks = tempo is not None  # else a long game need not be remembered
        # For each step that was not taken back: what it added to the clock, what it took, and the delay that it earned.
        self._gained, self._took, self._earned = array("d"), array("d"), array("d")

    def note(self, row: StepRow) -> None:
        """Count the next row of the journal."""
        if row.action == TAKEN_BACK:
            if self._clocks:
                self.left[row.actor] -= self._gained.pop()
                self._took.pop()
                self.lag[row.actor] -= self._earned.pop()  # what was given back stays used
            return
        gain, earned = self.gain(row), self._earns(row)
        if row.actor >= 0:
            self.left[row.actor] += gain
            self.lag[row.actor] += earned - row.lag
        if row.action == AWAY:
            self.away[row.actor] = row.text
        elif row.action == BACK:
            self.away.pop(row.actor, None)
        elif self._clocks:
            self._gained.append(gain)
            self._took.append(row.took)
            self._earned.append(earned)

    def gain(self, row: StepRow) -> float:
        """Return what a row adds to the clock of its actor."""
        if row.took <= 0:
            return -row.took  # what a returning player is given
        return (self.tempo.increment if row.action >= 0 else 0.0) - self.tempo.cost(row.took)

    def after(self, rows: Iterable[StepRow], seat: int) -> float:
        """Return what the seat will have left after these rows, none of which takes back a step."""
        return self.left[seat] + sum(self.gain(row) for row in rows if row.actor == seat)

    def _earns(self, row: StepRow) -> float:
        if row.action < 0 or row.took <= 0:
            return 0.0
        full = self.tempo.lag
        return min(full / REGAINED, full - self.lag[row.actor] + row.lag)

    def allowance(self, seat: int, rows: Sequence[StepRow] = ()) -> float:
        """Return the delay that the seat's next decision may get back after these rows, at most one of which is its own
        decision: 0 once the bank is empty."""
        if self.tempo.bank and self.after(rows, seat) <= 0:
            return 0.0
        return self.lag[seat] + sum(self._earns(row) - row.lag for row in rows if row.actor == seat)

    def last_took(self) -> float:
        """Return how long the last decision took; a player who takes it back has used that time."""
        return self._took[-1] if self._took else 0.0

    def again(self, seat: int) -> float:
        """Return the time for a player who returns with too little: a tenth of the bank, at least a minute."""
        least = 0.0 if not self.tempo.bank else max(min(60.0, self.tempo.bank), self.tempo.bank / 10)
        return max(0.0, least - self.left[seat])


def shown(seconds: float) -> str:
    """Format a time in few words: "2 days", "23 h", "5 min", "40 s"."""
    seconds = max(0.0, seconds)
    for unit, size in (("day", DAY), ("h", 3600.0), ("min", 60.0)):
        if seconds >= size:
            count = math.floor(seconds / size)
            half = "½" if unit != "min" and seconds / size - count >= 0.5 and count < 10 else ""
            return f"{count}{half} {unit}{'s' if unit == 'day' and (count > 1 or half) else ''}"
    return f"{seconds:.0f} s"


def in_words(tempo: Tempo | None) -> str:
    """Return a tempo in words, "" without one."""
    if tempo is None:
        return ""
    if not tempo.bank:
        said = f"{shown(tempo.delay)} a decision"
    else:
        said = f"{shown(tempo.bank)} each"
        said += f", {shown(tempo.increment)} more a decision" if tempo.increment else ""
        said += f", the first {shown(tempo.delay)} of each free" if tempo.delay else ""
    days = ("Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays", "Sundays")
    return said + (f"; not on {' and '.join(days[day] for day in tempo.off)} ({tempo.zone})" if tempo.off else "")


def tempo_for(game: Game, wanted: Tempo | Live | None) -> KeptTempo:
    """Return a tempo as it is stored; one of LIVE is as the game defines it. Raises BadInput."""
    if isinstance(wanted, str):
        wanted = live(wanted, game.minutes(), game.facts.players[0])
    return None if wanted is None else dict(msgspec.to_builtins(checked(wanted)))
