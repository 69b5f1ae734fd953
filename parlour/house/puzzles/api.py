"""The addresses of puzzles: pages, and answers."""

from __future__ import annotations

import asyncio

import msgspec
from litestar import Response, get, post
from litestar.enums import MediaType
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, FromQuery, JSONBody

from parlour.core.facts import RULESET
from parlour.games import find
from parlour.house.http.answering import page
from parlour.house.http.rates import MOVES, READING
from parlour.house.http.refusals import refusals
from parlour.house.http.requests import Asked, TheGuest, TheHouse
from parlour.house.puzzles import deeds, pages
from parlour.house.site.drawing import rules_address

SENT = (400, 403, 413, 415)  # what may be wrong with anything that is sent


@get("/puzzles", media_type=MediaType.HTML, responses=refusals(400), opt=READING.costs(4))
async def puzzles(request: Asked, house: TheHouse, guest: TheGuest) -> Response[bytes]:
    """Show the rulesets that have puzzles, and the puzzle of the day."""
    return await page(request, await pages.index(house, guest))


@get("/puzzles/{game:str}", media_type=MediaType.HTML, responses=refusals(400, 404), opt=READING.costs(6))
async def puzzle(
    request: Asked,
    game: FromPath[str],
    house: TheHouse,
    guest: TheGuest,
    ruleset: FromQuery[str] = "",
    key: FromQuery[str] = "",
) -> Response[bytes]:
    """Show a puzzle: a position in which one decision is best, from the view of the player who decides. Without a key,
    it is one that the guest has not tried, next to their rating."""
    return await page(request, await pages.puzzle(house, guest, find(game), ruleset, key))


class Worth(msgspec.Struct, frozen=True):
    """A decision, and the chance to win with it (0 to 1) with its standard error (0: it is exact)."""

    move: str
    chance: float
    error: float


class PuzzleAnswer(msgspec.Struct, frozen=True):
    """What an answer was worth. `counted`: it was the first one to this puzzle, and changed ratings. `html` is the
    position to look at only, `verdict` what the page says; `made` and `instead` are the keys of pieces on the board."""

    right: bool
    counted: bool
    best: str
    values: tuple[Worth, ...]
    rating: float
    streak: int
    html: str
    verdict: str
    made: tuple[str, ...]
    instead: tuple[str, ...]


@post("/puzzles", responses=refusals(*SENT, 404, 422), opt=MOVES.costs(3))
async def answer(data: JSONBody[deeds.TryBody], house: TheHouse, guest: TheGuest) -> PuzzleAnswer:
    """Answer a puzzle with a move; without one, give up. Only your first answer to each puzzle counts. An illegal move
    is refused and does not count."""
    found = await deeds.answer(house, guest, data)
    place = found.position
    rules = rules_address(place.game, {RULESET: place.which.ruleset} if place.which.ruleset else {})
    html, verdict, made, instead = await asyncio.to_thread(pages.answered, found, rules)
    values = tuple(Worth(one.move, one.chance, one.error) for one in place.puzzle.values)
    return PuzzleAnswer(
        found.right, found.counted.first, place.puzzle.best, values, deeds.points_of(found.counted.after),
        found.counted.after.streak, html, verdict, made, instead,
    )  # fmt: skip


API: list[HTTPRouteHandler] = [answer]
PAGES: list[HTTPRouteHandler] = [puzzles, puzzle]
