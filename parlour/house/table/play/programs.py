"""What programs may do at tables: they sit only where the host allows programs, act only in seats that they took, and
chat only where they play. Everyone sees which seats and lines are theirs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from parlour.core.errors import BadSetup
from parlour.house.accounts.guests import Guest
from parlour.house.errors import Forbidden
from parlour.house.table.storage.rows import SeatRow, TableRow

NOT_HERE = "The host of this table doesn't allow programs. Choose a table that does, or make one with `programs: true`."
OWN_TABLE = "A program's own table must allow programs. Send `programs: true`."
NOT_YOURS = "The owner of this token sits at this table as a person. A program can't act in that seat."
ALONE = "A program can't take seats for other people on its device. Use open seats, or bots."
AMONG_PROGRAMS = "This game is rated among programs, so people can only watch."
NOT_PLAYING = "A program can chat only at a table where it plays."
NO_INVITATIONS = "A program can't invite people by name. Use open seats, or send them the table's address."


def may_open(guest: Guest, row: TableRow, kinds: Iterable[str], *, invites: bool) -> None:
    """Check that a guest may make a table with seats of these kinds. Raises Forbidden, BadSetup."""
    if not guest.program:
        return
    if not row.programs:
        raise Forbidden(OWN_TABLE, allowed=["programs: true"])
    if "here" in kinds:
        raise BadSetup(ALONE, allowed=["me", "open", "link", "bot"])
    if invites:
        raise Forbidden(NO_INVITATIONS)


def may_act(guest: Guest, row: TableRow, seats: Sequence[SeatRow]) -> None:
    """Check that a guest may sit, start, leave or vote at a table. Raises Forbidden; people may try anywhere."""
    if not guest.program:
        return
    if not row.programs:
        raise Forbidden(NOT_HERE)
    if any(seat.guest_id == guest.id and not seat.program for seat in seats):
        raise Forbidden(NOT_YOURS)


def may_sit(guest: Guest, row: TableRow, seats: Sequence[SeatRow]) -> None:
    """Check that a guest may take a seat, or take theirs back. Raises Forbidden for a program as `may_act`, and for a
    person where programs are rated."""
    may_act(guest, row, seats)
    if not guest.program and row.programs and row.rated:
        raise Forbidden(AMONG_PROGRAMS)


def may_speak(guest: Guest, row: TableRow, seats: Sequence[SeatRow]) -> None:
    """Check that a guest may chat at a table. Raises Forbidden; people may anywhere."""
    may_act(guest, row, seats)
    if guest.program and all(seat.guest_id != guest.id for seat in seats):
        raise Forbidden(NOT_PLAYING)


def may_move(seat: SeatRow, row: TableRow, *, program: bool) -> None:
    """Check that a program moves, or takes back a move, in a seat that it took. Raises Forbidden; the owner of a token
    may in both, unless its programs are rated there."""
    if program and not seat.program:
        raise Forbidden(NOT_YOURS)
    if seat.program and not program and row.rated:
        raise Forbidden(AMONG_PROGRAMS)
