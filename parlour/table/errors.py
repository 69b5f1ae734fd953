"""What a table refuses, besides what the rules refuse."""

from __future__ import annotations

from collections.abc import Iterable

from parlour.core.errors import ParlourError


class TableError(ParlourError):
    """A refusal by a table. `status` is the HTTP status; `version` is the table's, if the sender
    should know it; `wait` the seconds after which the same can be asked for again, None where waiting helps nobody."""

    code = "table-error"
    status = 409
    wait: int | None = None

    def __init__(
        self,
        message: str,
        *,
        clause: str = "",
        allowed: Iterable[str] = (),
        version: int | None = None,
        wait: int | None = None,
    ):
        super().__init__(message, clause=clause, allowed=allowed)
        self.version = version
        if wait is not None:
            self.wait = wait


class NotFound(TableError):
    """There is nothing at this address."""

    code = "not-found"
    status = 404


class UnknownTable(NotFound):
    """There is no such table."""

    code = "unknown-table"


class BadLink(NotFound):
    """A link to a seat that is none, or no longer one."""

    code = "bad-link"


class BadInput(TableError):
    """The request cannot be read; the message says what is wrong."""

    code = "bad-input"
    status = 400


class NotJson(BadInput):
    """A body that does not declare itself as JSON."""

    code = "not-json"
    status = 415


class TooLarge(TableError):
    """A request larger than any that makes sense."""

    code = "too-large"
    status = 413


class WrongMethod(TableError):
    """The address exists but does not take this method."""

    code = "wrong-method"
    status = 405


class Forbidden(TableError):
    """Only somebody else may do this."""

    code = "forbidden"
    status = 403


class NotSeated(Forbidden):
    """A spectator did what only a player may."""

    code = "not-seated"


class NotHost(Forbidden):
    """Only the host of the table may do this."""

    code = "not-host"


class OtherSite(Forbidden):
    """A page of another site tried to act for the guest."""

    code = "other-site"


class OtherName(TableError):
    """The house was asked for under a name that is not its own."""

    code = "other-name"
    status = 421


class SignedOut(Forbidden):
    """The sender was signed in, and is no longer; whoever asks again does so as a new guest."""

    code = "signed-out"


class NotClaimed(Forbidden):
    """Only who has claimed a name may do this."""

    code = "not-claimed"


class WrongPassword(Forbidden):
    """The name or the password is not right; it is not said which."""

    code = "wrong-password"


class BadPasskey(Forbidden):
    """A passkey's answer is not right, or none that the house knows."""

    code = "bad-passkey"


class NoPasskeys(TableError):
    """Passkeys cannot be used at this address."""

    code = "no-passkeys"


class LastPasskey(TableError):
    """Somebody would remove their last way in."""

    code = "last-passkey"


class NameTaken(TableError):
    """Somebody has claimed this name, or one that looks like it; `allowed` are some that are free."""

    code = "name-taken"


class AlreadyClaimed(TableError):
    """A guest who has claimed a name claimed another."""

    code = "already-claimed"


class StaleMove(TableError):
    """The move answers an earlier position; `version` is the present one."""

    code = "stale-move"


class NotTheLesson(TableError):
    """The move can be made, but not in this lesson; `allowed` is what it goes on with."""

    code = "not-the-lesson"


class AlreadyAnswered(TableError):
    """An answer cannot be replaced by another."""

    code = "already-answered"


class IdReused(TableError):
    """The id of a move was used for a different move."""

    code = "id-reused"


class NotPlaying(TableError):
    """The table is not under way."""

    code = "not-playing"


class HintsOff(Forbidden):
    """The table was set up without hints."""

    code = "hints-off"


class NotOver(TableError):
    """This is possible only when the game is over."""

    code = "not-over"


class AlreadyStarted(TableError):
    """This is possible only before the game starts."""

    code = "already-started"


class StillHere(TableError):
    """Somebody has not been away for long enough."""

    code = "still-here"


class SeatTaken(TableError):
    """Somebody has this seat, or no seat is free."""

    code = "seat-taken"


class SeatsFree(TableError):
    """The game cannot start while seats are free."""

    code = "seats-free"


class TooManyTables(TableError):
    """A guest hosts as many tables as they may; the message names some."""

    code = "too-many-tables"


class TooMany(TableError):
    """As many of them as there may be are there; the message says how many."""

    code = "too-many"


class Banned(Forbidden):
    """The house-keeper has banned the sender, or the network that they come from."""

    code = "banned"


class TooFast(TableError):
    """Too much in too short a time. `kind` is what there was too much of."""

    code = "too-fast"
    status = 429

    def __init__(self, message: str, *, wait: int, kind: str):
        super().__init__(message, wait=wait)
        self.kind = kind


class Busy(TableError):
    """More work is wanted than can be done now; try again later."""

    code = "busy"
    status = 503
    wait = 5


class NoAnswer(TableError):
    """The computation failed."""

    code = "no-answer"
    status = 503
    wait = 5


class OtherHouse(TableError):
    """A newer Parlour set up this table with something that this process does not know. Nothing was done; a process of
    the newer one answers the same request."""

    code = "other-house"
    status = 503
    wait = 5


class StoreFailed(TableError):
    """The database did not accept the change. Nothing was done; the same request can be tried
    again."""

    code = "storage-failed"
    status = 503
    wait = 2


class Unexpected(TableError):
    """A fault of ours."""

    code = "internal-error"
    status = 500


class CannotServe(ParlourError):
    """The server cannot start."""

    code = "cannot-serve"


class PortInUse(CannotServe):
    """Another program listens on the port."""

    code = "port-in-use"


class DatabaseUnreachable(CannotServe):
    """The database cannot be opened, reached or written."""

    code = "database-unreachable"


class CopyRefused(ParlourError):
    """A house cannot be backed up, restored or moved like this; nothing was changed."""

    code = "copy-refused"
