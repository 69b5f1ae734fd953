"""The web application: everything put together."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from litestar import Litestar
from litestar.datastructures import CacheControlHeader, State
from litestar.exceptions import HTTPException
from litestar.static_files import create_static_files_router

from parlour.core.errors import ParlourError
from parlour.table.pages import drawing
from parlour.table.play.talk import Talk
from parlour.table.settings import Settings
from parlour.table.staff.analysing import Analyst
from parlour.table.staff.staffing import staffed
from parlour.table.web import api, openapi, site
from parlour.table.web.refusals import MAX_BODY, failed, http_refused, refused
from parlour.table.web.requests import PROVIDED, Asked, add_headers, note_start


def create_app(settings: Settings) -> Litestar:
    """The application. It opens the database when it starts (DatabaseUnreachable) and closes it at
    the end."""
    house = staffed(settings)

    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        await house.open()
        try:
            yield
        finally:
            await house.close()

    static = create_static_files_router(
        "/static",
        [drawing.STATIC, drawing.LOOK],
        cache_control=CacheControlHeader(no_cache=True),
        include_in_schema=False,
    )
    return Litestar(
        route_handlers=[*site.HANDLERS, api.router, openapi.schema, static],
        dependencies=PROVIDED,
        request_class=Asked,
        lifespan=[lifespan],
        state=State({"house": house, "talk": Talk(), "analyst": Analyst(house)}),
        exception_handlers={ParlourError: refused, HTTPException: http_refused, Exception: failed},
        before_request=note_start,
        before_send=[add_headers],
        request_max_body_size=MAX_BODY,
        openapi_config=None,  # `openapi.schema` serves the document, without pages that load scripts from elsewhere
        logging_config=None,  # whoever runs us decides where warnings go
    )
