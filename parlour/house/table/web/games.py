"""Answer what programs ask of the games: which there are, what their numbers mean, and their rules."""

from __future__ import annotations

from functools import cache

import msgspec
from litestar import Response, get
from litestar.enums import MediaType
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from parlour.bots import offered
from parlour.bots.offered import Offered
from parlour.core import book, clauses
from parlour.core.game import Game
from parlour.games import all_games, find
from parlour.house.http.answering import apart
from parlour.house.http.bearer import READS, TAKES_TOKENS
from parlour.house.http.rates import READING
from parlour.house.http.refusals import refusals
from parlour.house.http.requests import Asked, TheHouse
from parlour.house.table.play.vacancies import bot_names


class GameEntry(msgspec.Struct, frozen=True):
    """A game: its name in addresses and bodies, its title, its rulesets ("" for one without a name), and the fewest and
    the most players."""

    name: str
    title: str
    rulesets: tuple[str, ...]
    players: tuple[int, int]


class GameList(msgspec.Struct, frozen=True):
    """The games of this house."""

    games: tuple[GameEntry, ...]


class GameOption(msgspec.Struct, frozen=True):
    """An option for a new table: its values, the default first."""

    name: str
    values: tuple[str, ...]
    help: str
    clause: str


class ObservedField(msgspec.Struct, frozen=True):
    """A field of the observation: how many numbers it has, and their bounds (null for none). A `name` is the number
    of a card, a phase or the like; a `mask` has a bit for each; a `number` counts."""

    name: str
    kind: str
    size: int
    least: int | None
    most: int | None
    clause: str


class GameFacts(GameEntry, frozen=True):
    """A game in whole: besides, its editions (the first is the default), options, bots, and what the numbers mean.
    Decisions have numbers below `num_distinct_actions`. `custom`: which of the bots the keeper of the house brought."""

    editions: tuple[str, ...] = ()
    options: tuple[GameOption, ...] = ()
    bots: tuple[str, ...] = ()
    num_distinct_actions: int = 0
    observation: tuple[ObservedField, ...] = ()
    custom: tuple[str, ...] = ()


class RulebookText(msgspec.Struct, frozen=True):
    """The rulebook of a game, in Markdown."""

    game: str
    text: str


class ClauseText(msgspec.Struct, frozen=True):
    """A clause of the rulebook of a game, in Markdown."""

    game: str
    text: str


@get("/games", responses=refusals(*TAKES_TOKENS), opt=READING.costs(1) | READS)
async def games(request: Asked) -> Response[GameList]:
    """Return the games of this house with their rulesets and numbers of players."""
    entries = tuple(
        GameEntry(one.name, one.text.TITLE, one.rulesets, one.facts.players) for one in all_games().values()
    )
    return await apart(request, [(msgspec.json.encode(GameList(entries)), True)], MediaType.JSON)


@get("/games/{game:str}", responses=refusals(400, *TAKES_TOKENS, 404), opt=READING.costs(2) | READS)
async def facts(request: Asked, game: FromPath[str], house: TheHouse) -> Response[GameFacts]:
    """Return what a program needs to know of a game: options, bots, how many decisions have numbers, and what
    the numbers of an observation are."""
    return await apart(request, [(_facts(find(game), house.settings.bots), True)], MediaType.JSON)


@get("/games/{game:str}/rulebook", responses=refusals(400, *TAKES_TOKENS, 404), opt=READING.costs(4) | READS)
async def rulebook(request: Asked, game: FromPath[str]) -> Response[RulebookText]:
    """Return the rulebook of a game as Markdown; each clause begins with its number."""
    return await apart(request, [(_rulebook(find(game)), True)], MediaType.JSON)


@get(
    "/games/{game:str}/clauses/{clause:str}", responses=refusals(400, *TAKES_TOKENS, 404), opt=READING.costs(1) | READS
)
async def clause(game: FromPath[str], clause: FromPath[str]) -> ClauseText:
    """Return a clause of a rulebook as Markdown, by its number as a refusal or a line of the log names it."""
    found = find(game)
    return ClauseText(found.name, book.plain(clauses.clause(found, clause)))


@cache
def _rulebook(game: Game) -> bytes:
    return msgspec.json.encode(RulebookText(game.name, book.plain(game.rulebook)))


@cache
def _facts(game: Game, offers: tuple[Offered, ...]) -> bytes:
    options = tuple(GameOption(one.name, one.values, one.help, one.clause) for one in game.facts.options)
    fields = tuple(
        ObservedField(one.name, one.kind, one.size, one.least, one.most, one.clause) for one in game.observation_spec()
    )
    return msgspec.json.encode(
        GameFacts(
            game.name, game.text.TITLE, game.rulesets, game.facts.players, tuple(game.editions), options,
            bot_names(game, offers), game.num_distinct_actions, fields, offered.named(game, offers),
        )
    )  # fmt: skip


HANDLERS: list[HTTPRouteHandler] = [games, facts, rulebook, clause]
