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
from parlour.house import openapi
from parlour.house.accounts.export import Exports
from parlour.house.admin import api as admin_api
from parlour.house.analysis.jobs import Analyst
from parlour.house.house import House, Jobs
from parlour.house.http import health, metrics
from parlour.house.http.heads import answer_heads
from parlour.house.http.hosts import well_formed
from parlour.house.http.places import Places
from parlour.house.http.rates import Rates
from parlour.house.http.refusals import MAX_BODY, failed, http_refused, refused
from parlour.house.http.requests import PROVIDED, Asked, add_headers, charge, note_start
from parlour.house.jobs import JOBS
from parlour.house.playtests.jobs import Trials
from parlour.house.settings import Settings
from parlour.house.site import api as site_api
from parlour.house.site import files
from parlour.house.table.web import api as web_api
from parlour.house.tournaments.watching import Watch
from parlour.house.workers.queue import background

STREAMS = 75  # how many of a hundred connections may be streams: others must be able to connect to move


class App(Litestar):
    """Litestar without its support for kinds of models that we don't use, whose libraries take a tenth of a start."""

    @staticmethod
    def _get_default_plugins(plugins: list[PluginProtocol]) -> list[PluginProtocol]:
        return [*plugins, MsgspecDIPlugin()]


def create_app(settings: Settings) -> Litestar:
    """Return the application, whose house opens when it starts (DatabaseUnreachable) and closes at the end; a server
    may open it first (`open_house`)."""
    files.prepare()
    app = App(
        route_handlers=[
            *site_api.HANDLERS,
            web_api.router,
            admin_api.router,
            openapi.schema,
            health.health,
            metrics.metrics,
        ],
        dependencies={**PROVIDED, "doctor": Provide(health.doctor_of, sync_to_thread=False)},
        guards=[charge, well_formed],
        request_class=Asked,
        lifespan=[_lifespan],
        state=State(
            {
                "settings": settings,
                "exports": Exports(),
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
    app.asgi_handler = admin_api.without_options(
        answer_heads(app.asgi_handler)
    )  # before an address is looked for: it is that of GET
    return app


async def open_house(app: Litestar, jobs: Jobs = JOBS) -> House:
    """Open the house of an application; call `close` at its end. Raises DatabaseUnreachable."""
    house = await House.open(app.state.settings, jobs)
    house.measures.add(metrics.Rooms(house))
    workers = background(house)
    analyst, trials = Analyst(house, workers), Trials(house, workers)
    app.state.update({"house": house, "analyst": analyst, "trials": trials, "doctor": health.Doctor(house)})
    app.state.update({"watch": Watch(house)})
    return house


@asynccontextmanager
async def _lifespan(app: Litestar) -> AsyncIterator[None]:
    house = await open_house(app)
    try:
        yield
    finally:
        await house.close()
