"""The page on which people change the numbers of an edition, at an address that carries what they changed."""

from __future__ import annotations

from urllib.parse import parse_qsl

from litestar import Response, get
from litestar.enums import MediaType
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from parlour.games import find
from parlour.house.accounts.guests import Guest
from parlour.house.editions.pages import numbers_view
from parlour.house.errors import BadInput
from parlour.house.http.answering import page
from parlour.house.http.rates import READING
from parlour.house.http.refusals import refusals
from parlour.house.http.requests import Asked, TheGuest, TheUrl
from parlour.house.site import drawing

MOST_ADDRESS = 6_000  # characters after the question mark; all that can be typed on the page has fewer


@get("/new/{game:str}", media_type=MediaType.HTML, responses=refusals(400, 404), opt=READING.costs(4))
async def numbers(request: Asked, game: FromPath[str], guest: TheGuest, shared_url: TheUrl) -> Response[bytes]:
    """Show the numbers of a game's first edition, to change them, to play and to share. The query has the changed ones
    by path, like `deck.gold=5`. In lists, commas are between values and semicolons between lists. `option:NAME=VALUE`
    chooses an option. What is wrong is on the page, in one sentence for each mistake."""
    return await _numbers(request, game, "", guest, shared_url)


@get("/new/{game:str}/{edition:str}", media_type=MediaType.HTML, responses=refusals(400, 404), opt=READING.costs(4))
async def numbers_of(
    request: Asked, game: FromPath[str], edition: FromPath[str], guest: TheGuest, shared_url: TheUrl
) -> Response[bytes]:
    """Show the numbers of another edition of a game, in the same way."""
    return await _numbers(request, game, edition, guest, shared_url)


async def _numbers(request: Asked, game: str, edition: str, guest: Guest, shared_url: str) -> Response[bytes]:
    """Draw the page. Raises UnknownName (game), BadInput."""
    query = request.scope["query_string"]
    if len(query) > MOST_ADDRESS:
        raise BadInput(f"This link is too long: at most {MOST_ADDRESS:,} characters can follow its question mark.")
    given = parse_qsl(query.decode("ascii", "replace"), keep_blank_values=True, errors="replace")
    view = numbers_view(find(game), edition, given, shared_url)
    return await page(request, drawing.numbers(view, guest))


PAGES: list[HTTPRouteHandler] = [numbers, numbers_of]
