"""The clock that runs at a table: whose it is, since when, and how much time a decision used.

It runs only while a person has to decide. While a secret question may be open no clock runs, even for a player who is
not asked: the question has its own time limit, and a clock would give it away. Pages get the moment at which the time
is up; `table.live.tempo` does the sums.
"""

from __future__ import annotations

from collections.abc import Sequence

from parlour.core.match import Match
from parlour.house.notify.channels import Short
from parlour.house.table.live.table import Table
from parlour.house.table.live.tempo import Ledger, Tempo, tempo_of
from parlour.house.table.storage.rows import NEVER, PERSON, KeptTempo, Rest, SeatRow, StepRow, TableRow, Timing

HOUR = 3600.0
FORGOTTEN = 60.0  # seconds after which the server checks for a forgotten bot's move or question


def decides(table: Table, match: Match, seats: Sequence[SeatRow] | None = None) -> int | None:
    """Return the person whose clock runs in this fork, or None if no clock runs."""
    if match.over or table.may_ask(match):
        return None
    seat = match.current_player
    return seat if seat >= 0 and (seats or table.seats)[seat].kind in PERSON else None


def timing(
    table: Table,
    match: Match,
    now: float,
    *,
    rows: Sequence[StepRow] = (),
    used: float = 0.0,
    seats: Sequence[SeatRow] | None = None,
) -> Timing:
    """Return the clock that runs in this fork from now on. `rows`: those that the journal doesn't have yet; `used`: the
    seconds of this decision so far; `seats`: the new ones, if they are about to change."""
    seat = decides(table, match, seats)
    turn = waited_for(seats or table.seats, seat, match, clocks=table.row.tempo is not None)
    if table.row.tempo is None or match.over:
        return turn
    if seat is None:
        return Timing(due=now + FORGOTTEN)
    rest = (seats or table.seats)[seat].rest
    lag = table.ledger.allowance(seat, rows)
    clock = running(table.ledger.tempo, table.ledger.after(rows, seat), lag, now, used, rest)
    return clock._replace(turn=turn.turn, turn_at=turn.turn_at)


def waited_for(seats: Sequence[SeatRow], seat: int | None, match: Match, *, clocks: bool) -> Timing:
    """Return whose turn it is, without a clock: the guest of this seat, unless they play alone without clocks."""
    people = {one.guest_id for one in seats if one.kind in PERSON}
    if seat is None or match.over or (len(people) == 1 and not clocks):
        return Timing()
    return Timing(turn=seats[seat].guest_id, turn_at=match.version)


def running(tempo: Tempo, left: float, lag: float, now: float, used: float = 0.0, rest: Rest = NEVER) -> Timing:
    """Start a clock now, with `left` in the bank and `lag` of delay that may be given back."""
    return Timing(now, used, tempo.due(now, max(0.0, left) + tempo.delay + lag - used, rest))


def given_back(kept: KeptTempo, timing: Timing, rest: Rest, gone: float, now: float) -> Timing:
    """Continue the clock of a table with this tempo after the house was down since `gone`, or since the clock began to
    run. `rest`: the holiday of its player."""
    tempo, since = tempo_of(kept), max(gone, timing.began)
    if tempo is None or timing.due is None or not timing.began:
        return timing._replace(began=0.0, used=0.0, due=now)  # the server then checks what it has forgotten
    used = timing.used + tempo.ran(timing.began, since, rest)
    return timing._replace(began=now, used=used, due=tempo.due(now, tempo.ran(since, timing.due, rest), rest))


def rested(kept: KeptTempo, timing: Timing, before: Rest, rest: Rest, now: float) -> Timing:
    """Return the clock of a table with this tempo after its player changed the holiday `before`."""
    tempo = tempo_of(kept)
    if tempo is None or timing.due is None or not timing.began:
        return timing
    used = timing.used + tempo.ran(timing.began, now, before)
    return timing._replace(began=now, used=used, due=tempo.due(now, tempo.ran(now, timing.due, before), rest))


def short(kept: KeptTempo, began: float, due: float, now: float) -> Short | None:
    """Return when the time for a decision in a slow game gets short, with this tempo and a clock that runs from `began`
    until `due`: when a tenth is left, at least an hour, but no more than half. Return None for other games."""
    if (tempo := tempo_of(kept)) is None or not tempo.slow or not began:
        return None
    share = min(max(tempo.delay / 10, HOUR), tempo.delay / 2)
    return Short(tempo.due(began, max(0.0, tempo.ran(began, due) - share)), tempo.ran(now, due))


def first(row: TableRow, seats: Sequence[SeatRow], match: Match, now: float) -> Timing:
    """Return the clock that runs as a game begins."""
    seat = -1 if match.game.may_ask(match.state) else match.current_player
    person = seat >= 0 and seats[seat].kind in PERSON
    turn = waited_for(seats, seat if person else None, match, clocks=row.tempo is not None)
    if (tempo := tempo_of(row.tempo)) is None or match.over:
        return turn
    if not person:
        return Timing(due=now + FORGOTTEN)
    lag = Ledger(tempo, len(seats)).allowance(seat)
    return running(tempo, tempo.bank, lag, now, rest=seats[seat].rest)._replace(turn=turn.turn, turn_at=turn.turn_at)


def until(table: Table, seat: int) -> float:
    """Return the moment at which the bank of the seat whose clock runs will be empty; 0 for any other."""
    if not table.row.began or table.match is None or decides(table, table.match) != seat:
        return 0.0
    tempo = table.ledger.tempo
    left = max(0.0, table.ledger.left[seat]) + tempo.delay - table.row.used
    return tempo.due(table.row.began, left, table.seats[seat].rest)


def due(table: Table, seat: int) -> float:
    """Return the moment at which the time of the seat whose clock runs is up, with the delay it may be given back."""
    tempo = table.ledger.tempo
    left = max(0.0, table.ledger.left[seat]) + tempo.delay + table.ledger.allowance(seat) - table.row.used
    return tempo.due(table.row.began, left, table.seats[seat].rest)


def spent(table: Table, now: float, thought: float | None = None) -> tuple[float, float]:
    """Return the seconds that the present decision has taken, and those that are given back besides.

    The clock measures how long it ran. A page may report that it showed the position for less time, `thought`. We give
    back the difference, up to the player's budget (`Ledger.allowance`), but only to a page that this house knows to be
    open. Both are 0 if no clock runs; a decision without a choice takes no time (`table.play.moving`).
    """
    if not table.row.began or table.match is None or (seat := decides(table, table.match)) is None:
        return 0.0, 0.0
    whose = table.seats[seat]
    ran = table.row.used + table.ledger.tempo.ran(table.row.began, now, whose.rest)
    lag = 0.0
    if thought is not None and table.audience.present()[whose.guest_id]:
        lag = min(max(0.0, ran - thought), table.ledger.allowance(seat))
    return max(1e-3, ran - lag), lag


def is_up(table: Table, now: float) -> bool:
    """Return whether the time of the player who must decide is up."""
    return table.row.due is not None and now >= table.row.due
