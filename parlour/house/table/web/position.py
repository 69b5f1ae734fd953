"""A table as programs read it: the decisions with their numbers, the numbers of the observation, the position as text,
and the log. It is cut from the same view as a person's page (`Eyes`), and drawn from the same scene."""

from __future__ import annotations

import msgspec

from parlour.core import asking, plain
from parlour.core.facts import RULESET
from parlour.core.scene import Scene
from parlour.house.errors import Forbidden
from parlour.house.table.live import looking
from parlour.house.table.live.deciding import as_asked, deciding, is_asked
from parlour.house.table.live.eyes import Eyes
from parlour.house.table.live.showing import lines_since, scene_at
from parlour.house.table.live.signs import named, named_json
from parlour.house.table.live.table import Table
from parlour.house.table.play.agreeing import wanting
from parlour.house.table.storage.rows import SeatKind, SeatRow, Status

CHAT_SHOWN = 20  # messages in a position
AS_PERSON = (
    "The owner of this token plays at this table as a person, so programs see nothing of the game until it is over."
)


class Decision(msgspec.Struct, frozen=True):
    """A legal decision: its number, and the text that people read."""

    id: int
    text: str


class Player(msgspec.Struct, frozen=True):
    """A seat. `program`: a program plays there; `bot`: the level of a bot of the house; `left`: that bot plays for a
    player who is away; `mine`: it is yours."""

    seat: int
    kind: SeatKind
    name: str = ""
    bot: str = ""
    program: bool = False
    left: bool = False
    mine: bool = False


class LogLine(msgspec.Struct, frozen=True):
    """A line of the log, with the rule that it names, and the seat that it is about."""

    text: str
    clause: str = ""
    seat: int | None = None


class Message(msgspec.Struct, frozen=True):
    """A chat message: its number, and the seat of its author (null for a spectator)."""

    id: int
    seat: int | None
    name: str
    text: str
    mine: bool = False


class Position(msgspec.Struct, frozen=True):
    """A table as one viewer sees it.

    version      the number of the position; a move names the one that it answers
    seat         the seat that you play, null for a spectator
    to_move      the seat that decides, as far as you may know
    legal, mask  your legal decisions, and the same as a 1 for each and a 0 for each other number, below the
                 `num_distinct_actions` of the game; both empty while you have nothing to decide
    observation  the numbers that you see, by the names of `GET /api/games/GAME`; empty while a player may have been
                 asked in secret, unless it is you
    text         the whole position in words, with the players' names
    log          the lines since the position `since` of the request
    result       when over: the share of the win by seat; and the scores
    undo         whether you can take back your last decision
    absent       the seat to decide, if its player is away and a bot may play on (`POST .../absent`)
    ending       the seats that voted to end the game without a result (`POST .../end`)
    chat         the last messages, without those of people whom you muted
    """

    table: str
    game: str
    ruleset: str
    status: Status
    version: int
    seat: int | None
    to_move: int | None
    players: tuple[Player, ...]
    prompt: str
    legal: tuple[Decision, ...]
    mask: tuple[int, ...]
    observation: dict[str, int | list[int]]
    text: str
    log: tuple[LogLine, ...]
    result: tuple[float, ...] = ()
    scores: tuple[int, ...] = ()
    programs: bool = False  # whether programs may sit down
    undo: bool = False
    absent: tuple[int, ...] = ()
    ending: tuple[int, ...] = ()
    chat: tuple[Message, ...] = ()


def must_be_shown(table: Table, eyes: Eyes, *, program: bool) -> None:
    """Raise Forbidden if a program looks at a game that its owner plays as a person: it would know the hand, and could
    say what to do with it."""
    if program and table.status == "playing" and any(_as_person(seat, eyes.guest) for seat in table.seats):
        raise Forbidden(AS_PERSON)


def _as_person(seat: SeatRow, guest: str) -> bool:
    return seat.guest_id == guest and not seat.program


def position(table: Table, eyes: Eyes, since: int = 0) -> Position:
    """Return the present position, with the log since one of the viewer's positions."""
    match, viewer = table.match, eyes.viewer
    version = table.known.version(viewer)
    names = match.names if match else [seat.name for seat in table.seats]
    scene = None
    if match is not None:
        drawn = scene_at(table, viewer, version)
        scene = msgspec.json.decode(named_json(msgspec.json.encode(drawn).decode(), names), type=Scene)
    legal = _legal(table, viewer)
    return Position(
        table=table.id,
        game=table.game.name,
        ruleset=table.row.options.get(RULESET, ""),
        status=table.status,
        version=version,
        seat=eyes.seat,
        to_move=scene.to_move if scene else None,
        players=tuple(_player(seat, names[seat.seat], eyes) for seat in table.seats),
        prompt=scene.prompt if scene else "",
        legal=legal,
        mask=_mask(table, legal),
        observation=_observation(table, viewer),
        text=plain.render(scene) if scene else "",
        log=_log(table, viewer, min(since, version), version) if match else (),
        result=tuple(match.returns) if match and match.over else (),
        scores=tuple(match.scores) if match and match.over else (),
        programs=table.row.programs,
        undo=scene is not None and scene.undo,
        absent=looking.absent(table),
        ending=wanting(table.seats) if table.status == "playing" else (),
        chat=_chat(table, eyes),
    )


def _chat(table: Table, eyes: Eyes) -> tuple[Message, ...]:
    return tuple(
        Message(line.id, line.seat, line.name, line.text, line.guest_id == eyes.guest)
        for line in table.chat[-CHAT_SHOWN:]
        if line.guest_id not in eyes.regard.deaf
    )


def _player(seat: SeatRow, name: str, eyes: Eyes) -> Player:
    return Player(
        seat.seat, seat.kind, "" if seat.kind == "link" else name, seat.bot, seat.program, seat.left,
        seat.guest_id == eyes.guest,
    )  # fmt: skip


def _legal(table: Table, viewer: int) -> tuple[Decision, ...]:
    """Return the decisions of the viewer; in a lesson, the one with which it continues."""
    if viewer not in deciding(table):
        return ()
    match, due = as_asked(table, viewer), table.course.due(table.match)
    numbers = match.legal_action_ids() if due is None else [due[1]]
    return tuple(Decision(one, table.game.text.format_action(match.state, one)) for one in numbers)


def _mask(table: Table, legal: tuple[Decision, ...]) -> tuple[int, ...]:
    if not legal:
        return ()
    mask = [0] * table.game.num_distinct_actions
    for one in legal:
        mask[one.id] = 1
    return tuple(mask)


def _observation(table: Table, viewer: int) -> dict[str, int | list[int]]:
    """Return what the viewer sees as numbers. They say whose turn it is: so no one gets any while a player may have
    been asked in secret, and a player who is asked gets their own."""
    match, game = table.match, table.game
    if match is None:
        return {}
    state = match.state
    if game.may_ask(state):
        if not is_asked(table, viewer) or viewer not in deciding(table):
            return {}
        state = asking.questions(game, state)[viewer]
    out = [0] * game.rules.OBSERVATION_SIZE
    game.rules.observation(state, viewer, out)
    found: dict[str, int | list[int]] = {}
    at = 0
    for part in game.facts.observed:
        found[part.name] = out[at] if part.size == 1 else out[at : at + part.size]
        at += part.size
    return found


def _log(table: Table, viewer: int, since: int, version: int) -> tuple[LogLine, ...]:
    assert table.match is not None
    names = table.match.names
    lines = lines_since(table, viewer, since, version).lines
    return tuple(LogLine(named(line.text, names), line.clause, line.seat) for line in lines)
