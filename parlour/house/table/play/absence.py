"""When a player leaves a game in progress, runs out of time or comes back: a bot plays in their seat meanwhile, and
everyone sees this in the log.

The seat changes at once. So does the journal, unless a secret question may be open: until it is over, the
journal holds only its answers, and the change follows then (`moving.settle`).
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from functools import wraps
from typing import ParamSpec, TypeVar

from msgspec.structs import replace

from parlour import bots
from parlour.house.database.store import Conflict
from parlour.house.errors import Busy, TooMany
from parlour.house.table.live import clocks
from parlour.house.table.live.journal import Mark, mark
from parlour.house.table.live.table import Table
from parlour.house.table.storage.change import Change
from parlour.house.table.storage.rows import AWAY, BACK, PERSON, SeatKind, SeatRow, StepRow

P = ParamSpec("P")
T = TypeVar("T")
TRIES = 5
RETURNS = 200  # of a player to one game


def again_if_slower(work: Callable[P, Awaitable[T]]) -> Callable[P, Awaitable[T]]:
    """Change who plays at a table. If another process was faster, try once more with its changes. Raises Busy."""

    @wraps(work)
    async def changed(*given: P.args, **named: P.kwargs) -> T:
        for _ in range(TRIES):
            with contextlib.suppress(Conflict):
                return await work(*given, **named)
        raise Busy("This table is very busy right now. Please try again in a few seconds.")

    return changed


def level(table: Table) -> str:
    """Return the bot that takes over here: the most common level at the table, otherwise the game's default."""
    seated = (bots.standing(table.game, seat.bot) for seat in table.seats if seat.kind == "bot")
    levels = Counter(bot for bot in seated if bot in bots.names(table.game))
    return levels.most_common(1)[0][0] if levels else bots.default(table.game)


async def step_out(change: Change, table: Table, seats: Sequence[int], why: str, now: float) -> None:
    """Let a bot play in some seats of a game in progress. `why` is "left", "time" or "gone". Raises Conflict."""
    whose = {change.seats[seat].guest_id for seat in seats}
    await _seat(change, table, {seat: ("bot", level(table)) for seat in seats}, AWAY, why, now)
    if why != "left":  # a player who leaves knows it
        await change.note("seat", whose)


async def come_back(change: Change, table: Table, guest: str, now: float) -> None:
    """Give a guest their seats back, including those played on their device. Errors: TooMany, Conflict."""
    own = [seat.seat for seat in change.seats if seat.guest_id == guest]
    kinds: dict[int, tuple[SeatKind, str]] = {
        seat: ("guest" if seat == own[0] else "here", "") for seat in own if change.seats[seat].kind == "bot"
    }
    if any(table.history.number_of(BACK, seat) >= RETURNS for seat in kinds):
        raise TooMany(f"You've come back to this game {RETURNS} times, which is the limit. The bot plays on.")
    if kinds:
        await _seat(change, table, kinds, BACK, "", now)


async def _seat(
    change: Change, table: Table, kinds: dict[int, tuple[SeatKind, str]], action: int, why: str, now: float
) -> None:
    """Change who plays in some seats, and record it in the journal."""
    assert table.match is not None
    seats: list[SeatRow] = []
    for seat in change.seats:
        if seat.seat in kinds:
            kind, bot = kinds[seat.seat]
            await change.set_seat(seat.seat, kind=kind, bot=bot)
            seat = replace(seat, kind=kind, bot=bot)
        if seat.wish:  # it was meant for those who were there
            await change.set_seat(seat.seat, wish="")
        seats.append(seat)
    rows: list[StepRow] = []
    if table.questions.open is None:
        if await change.next_step() != table.version:
            raise Conflict("Another process moved first.")
        rows = rows_of(table, [mark(table.match.state, seat, action, why) for seat in kinds], now)
        await change.add_steps(rows)
    deciding = clocks.decides(table, table.match)
    if deciding in kinds or deciding != clocks.decides(table, table.match, seats):
        timing = clocks.timing(table, table.match, now, rows=rows, seats=seats)
        await change.set(**timing.kept())


def unmarked(table: Table) -> list[Mark]:
    """Return the changes of players in a game in progress that the journal does not have yet."""
    assert table.match is not None
    found: list[Mark] = []
    for seat in table.seats:
        if seat.left and seat.seat not in table.ledger.away:
            found.append(mark(table.match.state, seat.seat, AWAY, "left"))
        elif seat.kind in PERSON and seat.seat in table.ledger.away:
            found.append(mark(table.match.state, seat.seat, BACK))
    return found


def rows_of(table: Table, marks: Sequence[Mark], now: float) -> list[StepRow]:
    """Return marks as the next rows of the journal: the time that a leaving player has lost, and what a returning one
    gets."""
    assert table.match is not None
    deciding = clocks.decides(table, table.match)
    return [
        StepRow(
            table.version + i,
            one.actor,
            one.action,
            one.why,
            took=-table.ledger.again(one.actor)
            if one.action == BACK
            else clocks.spent(table, now)[0]
            if one.actor == deciding
            else 0.0,
            at=now,
        )
        for i, one in enumerate(marks)
    ]
