"""Show the way of a player at every size of window: the pages from the lobby to the club, and each ruleset's board.

    scripts/journey [NAME ...]

NAME is a page or a ruleset, or `firefox` for the boards in Firefox beside those in Chromium and for how much they load.
One sheet for each goes into docs/screenshots, the single pictures into build/looks, to be looked at one by one;
docs/looks.md judges them.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from playwright.sync_api import Browser, Page, Playwright, StorageState, sync_playwright

from tests import chromium, firefox
from tests.browser.fox import launched
from tests.browser.looks import RULESETS, SHEETS, SINGLE, open_page, phases, sheet, shelve
from tests.browser.player import ARGS, GREEDY, NO_GUIDE, post, settle
from tests.browser.screenshots import finish_at_once, open_lobby
from tests.browser.test_sizes import SIZES
from tests.browser.test_today import PLAYS
from tests.house.serving import Nursery
from tests.house.shelf import Shelved

Size = tuple[int, int]
Shots = dict[str, list[Path]]  # pictures by ruleset
HEIGHT = 360  # of a picture in a sheet
BESIDE = [(390, 844), (1280, 800)]  # Firefox's
TOWN = ("Jack Rackham", "Mary Read", "Mei Ling", "Olu", "Grace O'Malley", "Theodora")
ROWS = (SIZES[:5], SIZES[5:9], SIZES[9:])  # of a sheet
LOADED = "performance.getEntries().reduce((sum, one) => sum + (one.transferSize ?? 0), 0)"
POST = {"bank": 0, "increment": 0, "delay": 86_400}  # seconds
ANALYSED = "() => document.querySelectorAll('.judgements li').length"


def furnish(browser: Browser, base: str) -> tuple[dict[str, str], StorageState]:
    """Let Ann and others play, wait, found a club and hold a tournament; return each page's address, and Ann's
    browser storage."""
    ann, *others = (open_lobby(browser, base) for _ in range(1 + len(TOWN)))
    for page, name in zip((ann, *others), ("Anne Bonny", *TOWN), strict=True):
        post(page, "/api/me/claim", name=name, password="for pictures alone")
    for game in ("gatsby", "facets-of-fortune"):
        post(ann, "/api/tables", game=game, seats=[{"kind": "me"}, GREEDY])
    for people in [(ann, others[0])] * 3 + [(others[1], ann)] * 2:
        finish_at_once(*people)
    result = finish_at_once(ann, others[1], rated=True)
    waiting = post(ann, "/api/tables", game="gatsby", seats=[{"kind": "me"}, {"kind": "open"}], public=True)["url"]
    for page in (others[0], others[1], ann):
        today = post(page, "/api/today", game="fortune")["id"]
        page.evaluate(PLAYS, f"/api/tables/{today}")
    seen = {"figure": "owl", "pattern": "plain", "ground": "moss", "ink": "cream"}
    club = post(ann, "/api/clubs", name="The Thursday Table", about="We meet on Thursdays.", entry="open", **seen)["id"]
    cup = {"name": "Thursday’s Gatsby", "system": "swiss", "game": "gatsby", "rounds": 3, "tempo": POST}
    held = post(ann, "/api/tournaments", **cup)["id"]
    for page in others:
        post(page, f"/api/clubs/{club}/join")
        post(page, f"/api/tournaments/{held}/join")
    post(ann, f"/api/tournaments/{held}/start")
    post(ann, f"/api/tournaments/{held}/leave")  # its page takes players to their tables
    return {
        "lobby": "/",
        "waiting": waiting,
        "invited": waiting,
        "result": f"/t/{result}",
        "replay": f"/t/{result}/replay?step=0",
        "player": "/p/Anne%20Bonny",
        "you": "/me",
        "best": "/best/fortune",
        "today": "/today/fortune",
        "tournament": f"/tournaments/{held}",
        "club": f"/clubs/{club}",
        "puzzle": "/puzzles/fortune",
    }, ann.context.storage_state()


def pages(browser: Browser, base: str, names: list[str]) -> None:
    """Take the pages at every size."""
    addresses, ann = furnish(browser, base)
    waits: dict[str, Callable[[Page], object]] = {
        "replay": lambda page: page.wait_for_function(ANALYSED, timeout=120_000, polling=200),
        "result": lambda page: page.locator(".ending .rating").first.wait_for(),
    }
    for name, path in addresses.items():
        if names and name not in names:
            continue

        def shoot(width: int, height: int, name: str = name, path: str = path) -> Path:
            context = browser.new_context(
                viewport={"width": width, "height": height}, base_url=base, reduced_motion="reduce",
                storage_state=None if name == "invited" else ann,
            )  # fmt: skip
            context.add_init_script(NO_GUIDE)
            page = context.new_page()
            page.goto(path)
            waits.get(name, settle)(page)
            settle(page)
            target = SINGLE / f"journey-{name}-{width}x{height}.png"
            page.screenshot(path=target)
            context.close()
            return target

        rows = [[shoot(*size) for size in row] for row in ROWS]
        sheet(browser, rows, SHEETS / f"journey-{name}.jpg", HEIGHT)


def boards(browser: Browser, base: str, tables: dict[str, Shelved], sizes: Sequence[Size], kind: str) -> Shots:
    """Take each ruleset's board in the middle of a game at these sizes."""
    taken: Shots = {}
    for name, shelved in tables.items():
        for width, height in sizes:
            page = open_page(browser, base, shelved, width, height, reduced_motion="reduce")
            page.goto(f"/t/{shelved.id}")
            page.locator(".bar").first.wait_for()
            settle(page)
            target = SINGLE / f"{kind}-{name}-{width}x{height}.png"
            page.screenshot(path=target)
            page.context.close()
            taken.setdefault(name, []).append(target)
    return taken


def weigh(browser: Browser, base: str, tables: dict[str, Shelved]) -> None:
    """Print how much a phone loads to show the lobby, and then each ruleset's table: kilobytes with gzip and headers.
    Chromium sends no other wish to a house without TLS, and counts nothing that a service worker hands on."""
    for name, shelved in tables.items():
        page = open_page(browser, base, shelved, *BESIDE[0], service_workers="block")
        found = []
        for path in ("/", f"/t/{shelved.id}"):
            page.goto(path, wait_until="networkidle" if path == "/" else "load")
            page.wait_for_timeout(1000)  # what a table loads when it is there
            found.append(page.evaluate(LOADED) / 1000)
        print(f"| {name} | {found[0]:.0f} | {found[1]:.0f} |")
        page.context.close()


def compare(playwright: Playwright, browser: Browser, base: str, tables: dict[str, Shelved]) -> None:
    """Set each board in Firefox beside the same in Chromium."""
    if not (path := firefox.find()):
        sys.exit(firefox.ABSENT)
    ours = boards(browser, base, tables, BESIDE, "chromium")
    with launched(playwright, path) as fox:
        theirs = boards(fox, base, tables, BESIDE, "firefox")
    rows = [[shot for pair in zip(ours[name], theirs[name], strict=True) for shot in pair] for name in ours]
    sheet(browser, rows, SHEETS / "firefox-beside-chromium.jpg", HEIGHT)


def main() -> None:
    """Take the named pages and boards, or all."""
    path = chromium.find()
    if path is None:
        sys.exit(chromium.ABSENT)
    SINGLE.mkdir(parents=True, exist_ok=True)
    names = sys.argv[1:]
    beside = not names or "firefox" in names
    chosen = [one for one in RULESETS if beside or one.name in names]
    nursery = Nursery()
    try:
        with tempfile.TemporaryDirectory() as folder:
            database = f"sqlite:///{folder}/parlour.db"
            tables = asyncio.run(shelve(database, {one.name: phases(one)["middle"] for one in chosen}))
            base = nursery.start(database=database).url
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=path, args=ARGS)
                if not names or set(names) - {"firefox", *tables}:
                    pages(browser, base, names)
                shown = {name: tables[name] for name in tables if not names or name in names}
                for name, taken in boards(browser, base, shown, SIZES, "sizes").items():
                    rows = [[taken.pop(0) for _ in row] for row in ROWS]
                    sheet(browser, rows, SHEETS / f"sizes-{name}.jpg", HEIGHT)
                if beside:
                    weigh(browser, base, tables)
                    compare(playwright, browser, base, tables)
                browser.close()
    finally:
        nursery.close()


if __name__ == "__main__":
    main()
