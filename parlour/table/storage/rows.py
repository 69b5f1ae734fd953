"""Rows of the database as data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import msgspec

Values = dict[str, Any]
SeatKind = Literal["open", "link", "guest", "here", "bot"]
PERSON = ("guest", "here")  # kinds of seat that a person has
Status = Literal["waiting", "playing", "over", "closed"]  # closed: the rules changed under a game


class TableRow(msgspec.Struct, frozen=True):
    """A table: its settings, and how far it is. `seed` is secret until the game is over."""

    id: str
    game: str
    rules: int
    edition: str
    parts: dict[str, Any]
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
    hints: bool = False  # who has the decision may ask for the best ones
    watched: bool = False  # a guest without a seat has looked
    in_hand: int = -1  # the seat whose eyes the device has, where one plays several; -1 nobody's yet


class SeatRow(msgspec.Struct, frozen=True):
    """A seat. A bot with a `guest_id` plays on for a guest who left and may come back."""

    table_id: str
    seat: int
    kind: SeatKind
    guest_id: str = ""
    name: str = ""
    bot: str = ""
    token: str = ""
    words: str = ""


class StepRow(NamedTuple):
    """A step of the record; `move_id` is the sender's name for it."""

    idx: int
    actor: int
    action: int
    text: str
    move_id: str = ""


class AnswerRow(NamedTuple):
    """What a seat has answered to the secret question that was open when the record had `idx`
    steps."""

    idx: int
    seat: int
    action: int
    text: str
    move_id: str = ""


class ChatRow(msgspec.Struct, frozen=True):
    """Something said at a table."""

    id: int
    table_id: str
    guest_id: str
    seat: int | None
    name: str
    text: str
    sent_id: str = ""


class Snapshot(NamedTuple):
    """What the database knows of a table at one instant, from a step and a line of chat on.
    `changes` counts whatever was changed there."""

    table: TableRow
    seats: list[SeatRow]
    steps: list[StepRow]
    answers: list[AnswerRow]
    chat: list[ChatRow]
    changes: int = 0


def told_apart(names: Sequence[str]) -> list[str]:
    """The names by seat as a game shows them: of those that are alike, the second is called "Ann (2)"."""
    found: list[str] = []
    for name in names:
        same = sum(one == name or one.startswith(f"{name} (") for one in found)
        found.append(f"{name} ({same + 1})" if same else name)
    return found


class Listing(NamedTuple):
    """A table for a list: its row, its seats."""

    table: TableRow
    seats: list[SeatRow]


Which = Literal["running", "past", "waiting", "playing"]  # one's own, and others'
