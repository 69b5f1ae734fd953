"""The web application: everything put together."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from litestar import Litestar
from litestar.datastructures import State
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.plugins import PluginProtocol
from litestar.plugins.core import MsgspecDIPlugin

from parlour.core.errors import ParlourError
from parlour.table.play.export import Exports
from parlour.table.settings import Settings
from parlour.table.staff.analysing import Analyst
from parlour.table.staff.staffing import staffed
from parlour.table.web import api, health, keeper, metrics, openapi, site
from parlour.table.web.heads import answer_heads
from parlour.table.web.hosts import well_formed
from parlour.table.web.places import Places
from parlour.table.web.rates import Rates
from parlour.table.web.refusals import MAX_BODY, failed, http_refused, refused
from parlour.table.web.requests import PROVIDED, Asked, add_headers, charge, note_start

STREAMS = 75  # how many of a hundred connections may be streams: others must be able to connect to move


class App(Litestar):
    """Litestar without its support for kinds of models that we don't use, whose libraries take a tenth of a start."""

    @staticmethod
    def _get_default_plugins(plugins: list[PluginProtocol]) -> list[PluginProtocol]:
        return [*plugins, MsgspecDIPlugin()]


def create_app(settings: Settings) -> Litestar:
    """Return the application. It opens the database when it starts (DatabaseUnreachable) and closes it at the end."""
    house = staffed(settings)
    house.measures.add(metrics.Rooms(house))

    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        await house.open()
        try:
            yield
        finally:
            await house.close()

    app = App(
        route_handlers=[*site.HANDLERS, api.router, keeper.router, openapi.schema, health.health, metrics.metrics],
        dependencies={**PROVIDED, "doctor": Provide(health.doctor_of, sync_to_thread=False)},
        guards=[charge, well_formed],
        request_class=Asked,
        lifespan=[lifespan],
        state=State(
            {
                "house": house,
                "analyst": Analyst(house),
                "exports": Exports(),
                "doctor": health.Doctor(house),
                "rates": Rates() if settings.limits else None,
                "places": Places(settings.connections * STREAMS // 100, limits=settings.limits),
            }
        ),
        exception_handlers={ParlourError: refused, HTTPException: http_refused, Exception: failed},
        before_request=note_start,
        before_send=[add_headers],
        request_max_body_size=MAX_BODY,
        openapi_config=None,  # `openapi.schema` serves the document, without pages that load scripts from elsewhere
        logging_config=None,  # the caller decides where warnings go
    )
    app.asgi_handler = keeper.without_options(
        answer_heads(app.asgi_handler)
    )  # before an address is looked for: it is that of GET
    return app
