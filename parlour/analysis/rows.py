"""Games as rows of three tables: the games, their decisions, and their events (chance, what is counted, the log).

The tables hold everything that happened, including what players could not see. docs/data.md lists the columns.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from parlour.analysis.retracing import retrace
from parlour.analysis.shapes import Shape
from parlour.core.contract import CHANCE
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.mechanics import Mechanics
from parlour.core.scene import SPECTATOR
from parlour.engine import interpret, survey

Kind: TypeAlias = Literal["text", "whole number", "number", "yes or no", "texts", "whole numbers", "numbers"]
Values: TypeAlias = dict[str, list[object]]  # a column's values by its name
EVENT, COUNT = "event ", "count "  # before the names of a game's EVENTS and COUNTS


class Field(NamedTuple):
    """A column: its name, what its values are (None where `empty`), and what they mean."""

    name: str
    kind: Kind
    about: str
    empty: bool = False


KEY = (
    Field("batch", "text", "The setup and the bots, in words. With `number` it names a game."),
    Field("number", "whole number", "The game's number in its batch, from 0."),
)
SETUP = (
    Field("game", "text", "The game."),
    Field("rules", "whole number", "The version of its rules."),
    Field("edition", "text", "The edition."),
    Field("base", "text", "The game's edition from which one of your own differs.", True),
    Field("changed", "text", "JSON: the components of such an edition that differ.", True),
    Field("options", "text", "JSON: the options that were chosen. The others have their defaults."),
    Field("players", "whole number", "Players at the table."),
    Field("bots", "texts", "The bot of each seat."),
    Field("seed", "text", "The seed of the batch, in digits.", True),
)
GAMES = (
    *KEY, *SETUP,
    Field("decisions", "whole number", "Decisions of all seats together."),
    Field("steps", "whole number", "Decisions and outcomes of chance."),
    Field("starter", "whole number", "The seat that began, from 1.", True),
    Field("finished", "yes or no", "Whether it ended by the rules: not cut short, and not lost by a bot's fault."),
    Field("ending", "text", "How it ended, if it is finished and the game names its endings.", True),
    Field("scores", "whole numbers", "The game's own points of each seat."),
    Field("returns", "numbers", "Each seat's share of the win. A finished game's shares sum to 1."),
    Field("fault", "text", "What a bot of your own did wrong, whereupon the others share the win.", True),
)  # fmt: skip
DECISIONS = (
    *KEY,
    Field("step", "whole number", "The step of the game, from 1."),
    Field("seat", "whole number", "The seat that decided, from 1."),
    Field("action", "whole number", "The number of the decision."),
    Field("move", "text", "The decision in words, as in a record."),
    Field("choices", "whole number", "How many decisions were legal."),
)
EVENTS = (
    *KEY,
    Field("step", "whole number", "The step of the game, from 1."),
    Field("kind", "text", "`chance`: dice or cards; `event`: what `parlour stats` counts; `log`: a line of the log."),
    Field("seat", "whole number", "The seat that it is about, from 1.", True),
    Field("action", "whole number", "The number of an outcome of chance.", True),
    Field("text", "text", "The outcome, the event's name or the line, as a spectator reads it."),
    Field("clause", "text", "The clause of the rulebook that a line of the log names.", True),
)
TABLES: Mapping[str, tuple[Field, ...]] = {"games": GAMES, "decisions": DECISIONS, "events": EVENTS}


class Rows(msgspec.Struct):
    """The rows of some games, by column."""

    games: Values
    decisions: Values
    events: Values


def fields(table: str, game: Game) -> tuple[Field, ...]:
    """Return the columns of a table; that of games has one more for each event and count of the game."""
    if table != "games":
        return TABLES[table]
    kinds, counts = _named(game)
    return (
        *GAMES,
        *(Field(EVENT + name, "whole number", "How often that happened.") for name in kinds),
        *(Field(COUNT + name, "whole number", "That number at the end.", True) for name in counts),
    )


def setup(batch: str, shape: Shape, bots: Sequence[str], seed: int | str | None) -> dict[str, object]:
    """Return what the rows of a batch have in common: the columns of SETUP and `batch`."""
    box = shape.box
    return {
        "batch": batch, "game": shape.game.name, "rules": shape.game.rules.VERSION, "edition": box.name,
        "base": box.base or None, "changed": json.dumps(box.differing, ensure_ascii=False) if box.base else None,
        "options": json.dumps(dict(shape.options), ensure_ascii=False), "players": shape.players, "bots": list(bots),
        "seed": None if seed is None else str(seed),
    }  # fmt: skip


class Told(NamedTuple):
    """A game that was played: its setup (`setup`) and number, the utilities by seat, and the fault that ended it."""

    setup: Mapping[str, object]
    number: int
    match: Match
    returns: Sequence[float]
    fault: str | None = None


def rows(told: Sequence[Told]) -> Rows:
    """Return the rows of games of one game."""
    game = told[0].match.game
    found = Rows(_empty("games", game), _empty("decisions", game), _empty("events", game))
    for one in told:
        key = one.setup["batch"], one.number
        _add(found.games, game_row(one))
        _walk(found, key, one.match)
    return found


def _empty(table: str, game: Game) -> Values:
    return {field.name: [] for field in fields(table, game)}


def game_row(told: Told) -> dict[str, object]:
    """Return a game's row of the table of games."""
    setup, number, match, returns, fault = told
    kinds, counts = _named(match.game)
    seen = noted(match)
    over = seen[survey.ENDING] != survey.UNKNOWN
    endings = getattr(match.game.events, "ENDINGS", ()) if over else ()
    starter = seen[survey.STARTER]
    row = dict(setup) | {
        "number": number, "decisions": seen[survey.DECISIONS], "steps": seen[survey.STEPS],
        "starter": None if starter == survey.UNKNOWN else starter + 1,
        "finished": over, "ending": endings[seen[survey.ENDING]] if endings else None,
        "scores": match.scores, "returns": list(map(float, returns)), "fault": fault,
    }  # fmt: skip
    row |= {EVENT + name: seen[survey.EVENTS + at] for at, name in enumerate(kinds)}
    at = survey.EVENTS + len(kinds)
    return row | {COUNT + name: seen[at + one] if over else None for one, name in enumerate(counts)}


def noted(match: Match) -> list[int]:
    """Return the row of a match, with the columns of `parlour.engine.survey`."""
    return retrace(match).row


def _walk(found: Rows, key: tuple[object, int], match: Match) -> None:
    """Add the decisions and events of a match."""
    mechanics = Mechanics(match.game, len(match.names), match.edition, match.options)
    happened, kinds = interpret(match.game).survey.watched, _named(match.game)[0]
    for number, (step, (_, _, text)) in enumerate(zip(match.history(), match.steps, strict=True), 1):
        at = (*key, number)
        seat = None if step.actor == CHANCE else step.actor + 1
        if seat is None:
            _append(found.events, *at, "chance", None, step.action, text, None)
        else:
            _append(found.decisions, *at, seat, step.action, text, len(mechanics.legal(step.before)))
        bits = happened.events(step.before, step.action) if kinds else 0
        for bit, name in enumerate(kinds):
            if bits >> bit & 1:
                _append(found.events, *at, "event", seat, None, name, None)
        for line in match.game.scenes.tell(step, SPECTATOR, match.names):
            whose = None if line.seat is None else line.seat + 1
            _append(found.events, *at, "log", whose, None, line.text, line.clause or None)


def _named(game: Game) -> tuple[Sequence[str], Sequence[str]]:
    """Return the names of the events and of the counts of a game."""
    return getattr(game.events, "EVENTS", ()), getattr(game.events, "COUNTS", ())


def _add(table: Values, row: Mapping[str, object]) -> None:
    for name, column in table.items():
        column.append(row[name])


def _append(table: Values, *row: object) -> None:
    for column, value in zip(table.values(), row, strict=True):
        column.append(value)
