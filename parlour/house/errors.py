"""The refusals of a table, besides those of the rules."""

from __future__ import annotations

from collections.abc import Iterable

from parlour.core.errors import ParlourError


class TableError(ParlourError):
    """A refusal by a table. `status` is the HTTP status; `version` is the table's, if the sender needs it; `wait` the
    seconds after which to try again, None if waiting does not help."""

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
    """A link to a seat is not valid, or no longer."""

    code = "bad-link"


class BadInput(TableError):
    """The request can't be read; the message says what is wrong."""

    code = "bad-input"
    status = 400


class NotJson(BadInput):
    """A body is not declared as JSON."""

    code = "not-json"
    status = 415


class TooLarge(TableError):
    """A request is too large."""

    code = "too-large"
    status = 413


class WrongMethod(TableError):
    """The address exists but does not accept this method."""

    code = "wrong-method"
    status = 405


class Forbidden(TableError):
    """The guest may not do this."""

    code = "forbidden"
    status = 403


class NotSeated(Forbidden):
    """An observer tried what only a player may do."""

    code = "not-seated"


class NotHost(Forbidden):
    """Only the host of the table may do this."""

    code = "not-host"


class OtherSite(Forbidden):
    """A page of another site tried to act for the guest."""

    code = "other-site"


class OtherName(TableError):
    """The house was requested under a name that is not its own."""

    code = "other-name"
    status = 421


class SignedOut(Forbidden):
    """The sender's session has ended; their next request is a new guest's."""

    code = "signed-out"


class BadToken(TableError):
    """The token that a program sent is not valid here, or no longer."""

    code = "bad-token"
    status = 401


class WrongScope(Forbidden):
    """A token does not allow this, or the address is not for programs."""

    code = "wrong-scope"


class NotClaimed(Forbidden):
    """Only a person with an account may do this."""

    code = "not-claimed"


class WrongPassword(Forbidden):
    """The name or the password is wrong; we don't say which."""

    code = "wrong-password"


class BadPasskey(Forbidden):
    """A passkey's answer is wrong, or the house doesn't know the passkey."""

    code = "bad-passkey"


class NoPasskeys(TableError):
    """Passkeys don't work at this address."""

    code = "no-passkeys"


class LastPasskey(TableError):
    """A person tried to remove their only way to sign in."""

    code = "last-passkey"


class NameTaken(TableError):
    """An account has this name, or one that looks like it; `allowed` lists some free ones."""

    code = "name-taken"


class AlreadyClaimed(TableError):
    """A guest with an account tried to create another."""

    code = "already-claimed"


class StaleMove(TableError):
    """The move is for an earlier position; `version` is the present one."""

    code = "stale-move"


class NotTheLesson(TableError):
    """The move is legal, but not in this lesson; `allowed` is how the lesson continues."""

    code = "not-the-lesson"


class AlreadyAnswered(TableError):
    """An answer can't be replaced by another."""

    code = "already-answered"


class IdReused(TableError):
    """The id of a move was used for a different move."""

    code = "id-reused"


class NotPlaying(TableError):
    """No game is in progress at the table."""

    code = "not-playing"


class HintsOff(Forbidden):
    """Hints are turned off at the table."""

    code = "hints-off"


class NotOver(TableError):
    """This is possible only when the game is over."""

    code = "not-over"


class AlreadyStarted(TableError):
    """This is possible only before the game starts."""

    code = "already-started"


class StillHere(TableError):
    """A player has not been away for long enough."""

    code = "still-here"


class SeatTaken(TableError):
    """This seat is taken, or no seat is free."""

    code = "seat-taken"


class SeatsFree(TableError):
    """The game cannot start while seats are free."""

    code = "seats-free"


class TooManyTables(TableError):
    """A guest hosts as many tables as allowed; the message names some."""

    code = "too-many-tables"


class TooMany(TableError):
    """A limit is reached; the message names it."""

    code = "too-many"


class Banned(Forbidden):
    """A moderator has banned the sender or their network."""

    code = "banned"


class TooFast(TableError):
    """There are too many requests in a short time. `kind` is what there are too many of."""

    code = "too-fast"
    status = 429

    def __init__(self, message: str, *, wait: int, kind: str):
        super().__init__(message, wait=wait)
        self.kind = kind


class Busy(TableError):
    """There is more work than can be done now; try again later."""

    code = "busy"
    status = 503
    wait = 5


class NoAnswer(TableError):
    """The computation failed."""

    code = "no-answer"
    status = 503
    wait = 5


class OtherHouse(TableError):
    """A newer Parlour set up this table with something that this process doesn't know. Nothing was changed; a process
    of the newer one answers the same request."""

    code = "other-house"
    status = 503
    wait = 5


class StoreFailed(TableError):
    """The database did not accept the change. Nothing was changed; the same request can be tried again."""

    code = "storage-failed"
    status = 503
    wait = 2


class Unexpected(TableError):
    """A failure of ours."""

    code = "internal-error"
    status = 500


class CannotServe(ParlourError):
    """The server cannot start."""

    code = "cannot-serve"


class PortInUse(CannotServe):
    """Another program uses the port."""

    code = "port-in-use"


class DatabaseUnreachable(CannotServe):
    """The database can't be opened, reached or written."""

    code = "database-unreachable"


class CopyRefused(ParlourError):
    """A house can't be backed up, restored or moved in this way; nothing was changed."""

    code = "copy-refused"
