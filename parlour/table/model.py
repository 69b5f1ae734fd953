"""What the pages are told about a table, beside the scene: plain data, already cut to one viewer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import msgspec

from parlour.core.scene import SPECTATOR, Line, Scene

PACES = {"slow": 2.5, "normal": 1.2, "fast": 0.5, "instant": 0.0}  # seconds a bot takes for a move, at least
MAX_NAME, MAX_WORDS, MAX_CHAT = 24, 64, 300  # characters

SeatKind = Literal["open", "link", "guest", "here", "bot"]
PERSON = ("guest", "here")  # kinds of seat that a person has
Status = Literal["waiting", "playing", "over"]


class SeatView(msgspec.Struct, frozen=True):
    """One seat. `kind`: open to anyone, kept for whoever has the `invite` link, a guest's, played
    here on a guest's device beside his own, a bot's."""

    index: int
    kind: SeatKind
    name: str = ""
    bot: str = ""
    mine: bool = False
    host: bool = False
    present: bool = False  # has the page open
    invite: str = ""  # full link for a seat kept by link; only the host is told


class OptionView(msgspec.Struct, frozen=True):
    name: str
    value: str
    help: str
    clause: str
    changed: bool  # differs from the default


class ChatLine(msgspec.Struct, frozen=True):
    id: int
    name: str
    text: str
    seat: int | None = None


class Verdict(msgspec.Struct, frozen=True):
    """The fair-dice part of the page. `seed` is "" until the game is over."""

    commitment: str
    words: tuple[str, ...] = ()
    seed: str = ""


class TableView(msgspec.Struct, frozen=True):
    """A table as one guest sees it."""

    id: str
    game: str
    title: str
    edition: str
    edition_title: str
    status: Status
    seats: tuple[SeatView, ...]
    options: tuple[OptionView, ...]
    verdict: Verdict
    version: int = 0  # steps in the record
    public: bool = True
    hints: bool = False  # whoever has the decision may ask for the best ones
    pace: float = PACES["normal"]  # seconds a bot takes for a move
    my_seat: int | None = None
    pass_to: int | None = None  # the seat that waits behind the curtain on this device
    viewer: int = SPECTATOR  # with whose eyes the page is shown
    is_host: bool = False
    url: str = ""  # full address to share
    rematch: str = ""  # id of the table that follows this one, "" while there is none
    watchers: int = 0
    chat: tuple[ChatLine, ...] = ()
    result: tuple[float, ...] = ()  # shares of the win by seat, when over
    scores: tuple[int, ...] = ()  # when over; until then a viewer knows what the scene shows


class TableCard(msgspec.Struct, frozen=True):
    """A table in a list of the lobby."""

    id: str
    game: str
    title: str
    status: Status
    names: tuple[str, ...]  # "" for a free seat
    mine: bool = False
    my_turn: bool = False
    age: str = ""  # "5 min"


class Guest(msgspec.Struct, frozen=True):
    """Who is looking. `named` is false until a name was chosen."""

    id: str
    name: str
    named: bool = True


class LobbyView(msgspec.Struct, frozen=True):
    guest: Guest
    mine: tuple[TableCard, ...] = ()
    waiting: tuple[TableCard, ...] = ()
    playing: tuple[TableCard, ...] = ()


@dataclass(frozen=True, slots=True)
class Frame:
    """One position as one viewer sees it, and what the log says of the step that led to it.

    `moment` says what kind of step that was, for the page's motion: "roll", "turn", "move", "end" or "".
    """

    version: int
    scene: Scene
    lines: tuple[Line, ...] = ()
    moment: str = ""
    first: int = 0  # how many lines of the log come before these
