"""Rows of the database as data."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Literal, NamedTuple

import msgspec

Values = dict[str, object]  # of columns, by name
KeptTempo = dict[str, object] | None  # the clocks of a table as JSON (`table.live.tempo`), None for no clock
SeatKind = Literal["open", "link", "guest", "here", "bot"]
ELSEWHERE = ("owner", "mu", "sure", "rest_since", "rest_until", "picture", "rests")  # fields of a seat in other tables
PERSON = ("guest", "here")  # kinds of seat that a person has
Status = Literal["waiting", "playing", "over", "closed"]  # closed: ended without a result (`table.live.closing`)


# The actions of rows of the journal that are not steps of the game. No decision has these numbers.
TAKEN_BACK = -1  # takes back the last step that was not
AWAY, BACK = -2, -3  # a bot plays on in a seat, the text says why; its player is back

AGREED = "agreed"  # all people at the table wanted to end the game
WITHOUT = "without"  # all who were present did, and a player was away
MISFIT = "misfit"  # one of its steps does not fit the rules
FORFEIT = "forfeit"  # a player of a tournament did not arrive in time
LESSON = "lesson"  # the origin of a game that begins as one


class TableRow(msgspec.Struct, frozen=True):
    """A table: its settings, and its state. `seed` is secret until the game is over."""

    id: str
    game: str
    rules: int
    edition: str
    parts: dict[str, object]
    options: dict[str, str]
    public: bool
    pace: float
    status: Status
    host: str
    seed: str
    commitment: str
    names: list[str]
    words: list[str]
    rematch: str
    created: float
    touched: float
    hints: bool = False  # the player to move may ask for the best moves
    watched: bool = False  # a guest without a seat has looked
    in_hand: int = -1  # the seat that the device shows, if it plays several; -1 before the first
    given: int = 0  # of the first steps, those that the game began with (`core.record`)
    tempo: KeptTempo = None
    began: float = 0.0  # when the running clock was started, 0 if no clock runs
    used: float = 0.0  # seconds of the decision that had passed by then
    due: float | None = None  # when that time is up
    turn: str = ""  # the guest whose turn it is, and the number of steps then (`Timing`)
    turn_at: int = 0
    ended: str = ""  # why a game was closed, if not for its rules: AGREED, WITHOUT, MISFIT
    origin: str = ""  # for a game with given steps: LESSON, or the replay that it continues, as an address below /t/
    rated: bool = False  # whether the result counts for the ratings of all who play
    absent: int = 60  # without clocks: seconds after which the others may let a bot play on for an absent player
    held: bool = False  # the host asked to start the game by hand
    programs: bool = False  # programs may sit down
    playtest: str = ""  # the playtest that it was opened for
    arm: str = ""  # which of its editions is played; no view shows it, so that players compare nothing
    day: str = ""  # the day in UTC whose game is played, with the same seed as everyone (`house.today`)
    tournament: str = ""  # the tournament that it is a game of

    def is_news_to(self, known: TableRow) -> bool:
        """Return whether it differs from another row in more than its last change and whose turn it is, which the steps
        show."""
        alike = msgspec.structs.replace(self, touched=known.touched, turn=known.turn, turn_at=known.turn_at)
        return alike != known

    def listed(self) -> TableRow:
        """Return the row for a list of others' tables: without its last change (which could reveal a secret question),
        the secret seed, and who has looked."""
        return msgspec.structs.replace(
            self, seed="", touched=0.0, in_hand=-1, watched=False, began=0.0, used=0.0, due=None, turn="", turn_at=0
        )


class Rest(NamedTuple):
    """A holiday, from one moment to another (seconds since 1970), in which clocks stop in games by post."""

    since: float = 0.0
    until: float = 0.0


NEVER = Rest()


Rests = tuple[Rest, ...]


class SeatRow(msgspec.Struct, frozen=True):
    """A seat. A bot with a `guest_id` plays for a guest who left and may come back."""

    table_id: str
    seat: int
    kind: SeatKind
    guest_id: str = ""
    name: str = ""
    bot: str = ""
    token: str = ""
    words: str = ""
    wish: str = ""  # the player's wish: to end the game
    program: bool = False  # a program sat down here, with its guest's token
    # The fields of ELSEWHERE:
    owner: str = ""  # the account name of the seat's player
    mu: float | None = None  # the rating of the player or the bot in the ruleset of the table
    sure: bool | None = None  # whether that is no longer provisional
    rest_since: float | None = None  # the newest holiday of the guest, past or to come, or None
    rest_until: float | None = None
    picture: str | None = None  # what the guest has chosen, or None
    rests: Rests = ()  # all that end after the table was made, by `since`; not in lists of tables

    @property
    def rest(self) -> Rest:
        """Return the newest holiday of the seat's guest, or NEVER."""
        return Rest(self.rest_since or 0.0, self.rest_until or 0.0)

    @property
    def called(self) -> str:
        """Return the name that the game shows, which says so if a program plays."""
        return called(self.name, program=self.program)

    @property
    def left(self) -> bool:
        """Return whether a bot plays for a guest."""
        return self.kind == "bot" and bool(self.guest_id)

    def kept(self) -> Values:
        """Return the columns to store."""
        return {name: value for name, value in msgspec.structs.asdict(self).items() if name not in ELSEWHERE}


class StepRow(NamedTuple):
    """A row of the journal; `move_id` is the sender's id for it, `took` how long a person thought."""

    idx: int
    actor: int
    action: int
    text: str
    move_id: str = ""
    took: float = 0.0  # seconds; negative for time given to a returning player
    lag: float = 0.0  # seconds given back for this decision; they are not part of `took`
    at: float = 0.0  # when it was written (epoch); 0 if an older Parlour did not note it


def must_follow(steps: Sequence[StepRow]) -> None:
    """Check rows of a journal before they are stored: their numbers follow each other, and their times are numbers.
    Raises ValueError."""
    for number, step in enumerate(steps, steps[0].idx if steps else 0):
        if step.idx != number or number < 0:
            raise ValueError(f"Row {step.idx} of a journal would be stored where row {number} belongs.")
        if not (isfinite(step.took) and isfinite(step.lag) and isfinite(step.at)):
            raise ValueError(f"Row {step.idx} of a journal has a time that is not a number.")


class Timing(NamedTuple):
    """The clock that runs at a table: since when, how much of the decision had passed by then, and when it is up. With
    or without a clock, it also has the guest whose turn it is, if everyone knows that, and the number of steps then:
    never a guest with a secret question."""

    began: float = 0.0
    used: float = 0.0
    due: float | None = None
    turn: str = ""
    turn_at: int = 0

    def kept(self) -> Values:
        """Return the columns to store. Raises ValueError if a time is not a number: SQLite would store none instead,
        and the clock would never be up."""
        if not (isfinite(self.began) and isfinite(self.used) and isfinite(self.due or 0.0)):
            raise ValueError(f"A clock can't begin at {self.began} with {self.used} used, and be up at {self.due}.")
        return self._asdict()


class AnswerRow(NamedTuple):
    """A seat's answer to the secret question that was open when the record had `idx` steps."""

    idx: int
    seat: int
    action: int
    text: str
    move_id: str = ""


class ChatRow(msgspec.Struct, frozen=True):
    """A chat message."""

    id: int
    table_id: str
    guest_id: str
    seat: int | None
    name: str
    text: str
    sent_id: str = ""
    at: float = 0.0  # when it was sent (epoch); 0 if an older Parlour did not note it

    def kept(self) -> Values:
        """Return the columns to store; the database numbers the message."""
        return {name: value for name, value in msgspec.structs.asdict(self).items() if name != "id"}


class Snapshot(NamedTuple):
    """What the database knows of a table at one instant, from a step and a chat message on. `changes` counts all
    changes."""

    table: TableRow
    seats: list[SeatRow]
    steps: list[StepRow]
    answers: list[AnswerRow]
    chat: list[ChatRow]
    changes: int = 0


def called(name: str, *, program: bool) -> str:
    """Return the name of a seat as its game shows it."""
    return f"{name} (program)" if program and name else name


def distinct_names(names: Sequence[str]) -> list[str]:
    """Return the names by seat as a game shows them: of two similar names the second is "Ann (2)"."""
    found: list[str] = []
    for name in names:
        same = sum(one == name or one.startswith(f"{name} (") for one in found)
        found.append(f"{name} ({same + 1})" if same else name)
    return found


Ends = tuple[tuple[float | None, int | None], ...]


class Listing(NamedTuple):
    """A table for a list: its row, its seats and, by seat, how a finished game ended: the share of the win and the
    score, None where that is unknown. () if it is not stored, or not asked for."""

    table: TableRow
    seats: list[SeatRow]
    ends: Ends = ()


Which = Literal["running", "past", "waiting", "playing"]  # two for the guest's own tables, two for others'
