"""A real server, a real Chromium, and people in front of it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.library import Library, library
from tests.browser.player import ARGS, BARE, NO_GUIDE, NOT_FORCED, PATIENCE, UNFOLDED, watch
from tests.house.receiving import Inbox, mail_server
from tests.house.serving import Nursery, Server, free_port

expect.set_options(timeout=1000 * PATIENCE)


@pytest.fixture(scope="session")
def server(cradle: Nursery, tmp_path_factory: pytest.TempPathFactory) -> Server:
    """Start one server for all tests that do not kill it."""
    return cradle.keep(database=f"sqlite:///{tmp_path_factory.mktemp('browser') / 'parlour.db'}")


@pytest.fixture(scope="session")
def games(cradle: Nursery, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Library:
    """Create finished games to continue; or whole ones, with `--whole`. No test changes them, so one house serves all
    tests of a process: playing them takes seconds."""
    database = f"sqlite:///{tmp_path_factory.mktemp('library') / 'parlour.db'}"
    return library(cradle, database, whole=request.config.getoption("--whole"))


@pytest.fixture(scope="session")
def inbox() -> Iterator[Inbox]:
    """Run a mail server in a thread of its own, as browser tests have no event loop."""
    ready, end = threading.Event(), threading.Event()
    made: list[Inbox] = []

    async def serve() -> None:
        async with mail_server() as server:
            made.append(server)
            ready.set()
            await asyncio.to_thread(end.wait)

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    ready.wait(30)
    yield made[0]
    end.set()
    thread.join()


@pytest.fixture(scope="session")
def mailing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the database of the house that sends mail."""
    return tmp_path_factory.mktemp("mailing") / "parlour.db"


@pytest.fixture(scope="session")
def house(cradle: Nursery, mailing: Path, inbox: Inbox) -> Server:
    """Start a house that sends mail at once, and webhooks to any address; for all tests that need one."""
    port = free_port()
    return cradle.keep(
        database=f"sqlite:///{mailing}", mail=inbox.url, port=port,
        mail_from="house@house.test", base_url=f"http://127.0.0.1:{port}", grace=0.05, outside="any",
    )  # fmt: skip


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=ARGS)
        yield launched
        launched.close()


@pytest.fixture
def visit(browser: Browser, server: Server) -> Iterator[Callable[..., Page]]:
    """Yield a function that opens a page for a new person (or, with `friend_of`, another tab of one): by default the
    lightest page of the house, as most tests continue to a table. An error in a script fails the test."""
    faults: list[str] = []
    contexts = []

    def open_page(
        path: str = BARE,
        *,
        friend_of: Page | None = None,
        base: str = "",
        guide: bool = False,
        forced: bool = False,
        folded: bool = False,
        **settings: Any,
    ) -> Page:
        if friend_of is None:
            # Service workers take a process each; motion takes twice as long as to open a page. Files about them ask.
            settings = {"service_workers": "block", "reduced_motion": "reduce"} | settings
            size = {"width": settings.pop("width", 1280), "height": settings.pop("height", 800)}
            context = browser.new_context(viewport=size, base_url=base or server.url, **settings)
            if not guide:
                context.add_init_script(NO_GUIDE)
            if not forced:
                context.add_init_script(NOT_FORCED)
            if not folded:
                context.add_init_script(UNFOLDED)
            contexts.append(context)
        else:
            context = friend_of.context
        page = context.new_page()
        page.set_default_timeout(1000 * PATIENCE)
        watch(page, faults)
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not faults, faults
