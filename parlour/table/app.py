"""The web application: everything put together."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from litestar import Litestar
from litestar.datastructures import CacheControlHeader, State
from litestar.exceptions import HTTPException
from litestar.static_files import create_static_files_router

from parlour.core.errors import ParlourError
from parlour.table import api, pages, site
from parlour.table.house import House
from parlour.table.settings import Settings
from parlour.table.talk import Talk
from parlour.table.web import MAX_BODY, add_headers, failed, http_refused, note_start, refused


def create_app(settings: Settings) -> Litestar:
    """The application. It opens the database when it starts (DatabaseUnreachable) and closes it at the end."""
    house = House(settings)

    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        await house.open()
        try:
            yield
        finally:
            await house.close()

    static = create_static_files_router(
        "/static", [pages.STATIC, pages.LOOK], cache_control=CacheControlHeader(no_cache=True), include_in_schema=False
    )
    return Litestar(
        route_handlers=[*site.HANDLERS, api.router, static],
        lifespan=[lifespan],
        state=State({"house": house, "talk": Talk()}),
        exception_handlers={ParlourError: refused, HTTPException: http_refused, Exception: failed},
        before_request=note_start,
        before_send=[add_headers],
        request_max_body_size=MAX_BODY,
        openapi_config=None,
        logging_config=None,  # whoever runs us decides where warnings go
    )
