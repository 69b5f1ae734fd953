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
from parlour.house.puzzles import deeds, mistakes, pages
from parlour.house.puzzles.positions import Position
from parlour.house.puzzles.rows import Solver
from parlour.house.site.addresses import mistake_address, puzzle_address
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


@get("/mistakes", media_type=MediaType.HTML, responses=refusals(400, 404, 409), opt=READING.costs(8))
async def mistake(
    request: Asked, house: TheHouse, guest: TheGuest, table: FromQuery[str] = "", step: FromQuery[int] = -1
) -> Response[bytes]:
    """Show a mistake of one of your last analysed games as a puzzle: this decision, or any without a table."""
    return await page(request, await pages.mistake(house, guest, table, step))


class Worth(msgspec.Struct, frozen=True):
    """A decision, and the chance to win with it (0 to 1) with its standard error (0: it is exact)."""

    move: str
    chance: float
    error: float


class PuzzleAnswer(msgspec.Struct, frozen=True):
    """What an answer was worth. `counted`: it was the first one to this puzzle, and changed ratings (null where there
    is not a rating). `html` is the position to look at only, `verdict` what the page says; `made` and `instead` are the
    keys of pieces on the board."""

    right: bool
    counted: bool
    best: str
    values: tuple[Worth, ...]
    rating: float | None
    streak: int
    html: str
    verdict: str
    made: tuple[str, ...]
    instead: tuple[str, ...]


def _answer(place: Position, move: str, said: pages.Verdict, following: str, mine: Solver | None) -> PuzzleAnswer:
    """Return what is sent for an answer; it draws, so call it outside the event loop. `mine`: the rated person."""
    rules = rules_address(place.game, {RULESET: place.which.ruleset} if place.which.ruleset else {})
    values = tuple(Worth(one.move, one.chance, one.error) for one in place.puzzle.values)
    rating = None if mine is None else deeds.points_of(mine)
    drawn = pages.shown(place, move, said, rules, following)
    return PuzzleAnswer(
        said.right, said.mine is not None, place.puzzle.best, values, rating, said.streak, *drawn
    )  # fmt: skip


@post("/puzzles", responses=refusals(*SENT, 404, 422), opt=MOVES.costs(3))
async def answer(data: JSONBody[deeds.TryBody], house: TheHouse, guest: TheGuest) -> PuzzleAnswer:
    """Answer a puzzle with a move; without one, give up. Only your first answer to each puzzle counts. An illegal move
    is refused and does not count."""
    found = await deeds.answer(house, guest, data)

    def work() -> PuzzleAnswer:
        following = puzzle_address(*found.position.which)
        return _answer(found.position, found.move, pages.verdict(found), following, found.counted.after)

    return await asyncio.to_thread(work)


@post("/mistakes", responses=refusals(*SENT, 404, 409, 422), opt=MOVES.costs(5))
async def answer_mistake(data: JSONBody[mistakes.MistakeBody], house: TheHouse, guest: TheGuest) -> PuzzleAnswer:
    """Answer a mistake of one of your games with what you would do now; without a move, give up. It is not rated."""
    place, move = await mistakes.answer(house, guest, data)

    def work() -> PuzzleAnswer:
        return _answer(place, move, pages.of_values(place, move), mistake_address(), None)

    return await asyncio.to_thread(work)


API: list[HTTPRouteHandler] = [answer, answer_mistake]
PAGES: list[HTTPRouteHandler] = [puzzles, mistake, puzzle]
