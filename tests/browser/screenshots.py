"""Take the single pictures of README and docs: a game of Fortune, an analysed one, and the two games that show how to
make a game; and sheets of the pages about people and about the house.
usage: scripts/screenshots [fortune] [analysis] [people] [GAME ...]

Real games on a real server. Dice and cards differ from run to run, so the pictures do too. tests/browser/looks.py shows
every ruleset in every phase.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from parlour.games import all_games, outside
from tests import chromium
from tests.browser.looks import sheet
from tests.browser.player import (
    ARGS,
    GREEDY,
    NO_GUIDE,
    my_turn,
    post,
    press_anything,
    settle,
    table,
    version,
    wait_past,
)
from tests.docs.example import BEZEL
from tests.docs.pig import write_pig
from tests.house.serving import Nursery

TARGET = Path(__file__).parents[2] / "docs" / "screenshots"
MOVES = 15  # of the person before the picture
CARE = 0.7  # the share of decisions in the analysed game that follow the hint
STOP = '[data-key="b-stop"][data-action]'
DICE = '.grid [data-part][aria-pressed="false"]'


def main() -> None:
    """Take all pictures, into docs/screenshots."""
    path = chromium.find()
    if path is None:
        sys.exit(chromium.ABSENT)
    TARGET.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        os.environ[outside.VARIABLE] = os.pathsep.join((folder, str(BEZEL / "bezel")))
        write_pig(Path(folder))  # the game of docs/add-a-game.md
        _take_all(path, folder)


def _take_all(path: str, folder: str) -> None:
    nursery = Nursery()
    try:
        with sync_playwright() as playwright:
            server = nursery.start(database=f"sqlite:///{folder}/parlour.db")
            browser = playwright.chromium.launch(executable_path=path, args=ARGS)
            for game in sys.argv[1:] or ["fortune", "pig", "bezel", "analysis", "people"]:
                if game == "fortune":
                    _dice(browser, server.url)
                elif game == "analysis":
                    _analysed(browser, server.url)
                elif game == "people":
                    _people(browser, server.url, f"sqlite:///{folder}/parlour.db")
                else:
                    _in_play(browser, server.url, game)
            browser.close()
    finally:
        nursery.close()


def open_lobby(browser: Browser, base: str, scheme: str = "light") -> Page:
    """Return the lobby on a new guest's desk."""
    context = browser.new_context(
        viewport={"width": 1280, "height": 800}, base_url=base, color_scheme=scheme, reduced_motion="reduce"
    )
    context.add_init_script(NO_GUIDE)
    page = context.new_page()
    page.goto("/")
    return page


def _dice(browser: Browser, base: str) -> None:
    """Take a picture of Fortune in which most dice can be chosen, and three are."""
    page = open_lobby(browser, base, "dark")
    table(page, name="Anne Bonny", seats=[{"kind": "me"}, GREEDY, GREEDY])
    while my_turn(page):
        free = page.locator(DICE)
        shown = version(page)
        if shown > 40 and free.count() > 4 and page.locator(".aside .die").count():
            for _ in range(3):
                free.last.click()
            break
        page.locator(STOP).click()
        wait_past(page, shown)
    settle(page)
    _take(page, "fortune-1280-dark")


def _in_play(browser: Browser, base: str, game: str) -> None:
    """Take a picture of a game with the most players, after some random moves."""
    page = open_lobby(browser, base)
    most = all_games()[game].facts.players[1]
    other = GREEDY if all_games()[game].policy else {"kind": "bot", "bot": "random"}
    choice = random.Random(3)
    for _ in range(10):  # until a game lasts long enough for the picture
        table(page, name="Anne Bonny", game=game, options={}, seats=[{"kind": "me"}, *[other] * (most - 1)])
        for _ in range(MOVES):
            if not my_turn(page):
                break
            shown = version(page)
            press_anything(page, choice)
            wait_past(page, shown)
        if my_turn(page):
            break
        page.goto("/")
    settle(page)
    _take(page, f"{game}-1280-light")


def _analysed(browser: Browser, base: str) -> None:
    """Take a picture of a blunder in Fortune: the person mostly follows the hint, and sometimes moves at random."""
    page = open_lobby(browser, base)
    choice = random.Random(7)
    for _ in range(8):  # until there is a blunder
        made = table(page, name="Anne Bonny", options={}, seats=[{"kind": "me"}, GREEDY])
        path = f"/api/tables/{made}"
        while my_turn(page):
            seen = page.evaluate("async (path) => await (await fetch(path)).json()", path)
            at = seen["table"]["version"]
            best = post(page, f"{path}/hint", version=at)["choices"][0]["move"]
            move = best if choice.random() < CARE else choice.choice(seen["legal"])
            post(page, f"{path}/moves", move=move, version=at)
            wait_past(page, at)
        page.goto(f"/t/{made}/replay?step=0")
        page.wait_for_selector(".judgements li", state="attached", timeout=300_000)
        blunders = page.locator(".dot.blunder")
        if blunders.count():
            blunders.last.click()
            page.wait_for_selector(".dot.blunder[aria-current]")
            break
    settle(page)
    _take(page, "analysis-1280-light")


def _people(browser: Browser, base: str, database: str) -> None:
    """Make sheets of the other pages: You, a player's page, the best, a rated result, a dialog about a person,
    preferences, no connection, the moderators' pages. Each on a desk and on a phone, light and dark."""
    ann, bob, cid = (open_lobby(browser, base) for _ in range(3))
    for page, name in ((ann, "Anne Bonny"), (bob, "Jack Rackham"), (cid, "Mary Read")):
        post(page, "/api/me", name=name)
        post(page, "/api/me/claim", name=name, password="for pictures alone")
    for game in ("gatsby", "facets-of-fortune"):
        post(ann, "/api/tables", game=game, seats=[{"kind": "me"}, GREEDY])
    for people in [(ann, bob)] * 4 + [(cid, ann)] * 3 + [(bob, cid, ann)]:
        finish_at_once(*people)
    result = finish_at_once(ann, cid, rated=True)
    talk = post(ann, "/api/tables", game="family-trade", seats=[{"kind": "me"}, {"kind": "open"}])["id"]
    post(bob, f"/api/tables/{talk}/sit")
    post(bob, f"/api/tables/{talk}/chat", text="My grandmother discards faster")
    command = [sys.executable, "-m", "parlour", "house", "key", "--url", base, "--database", database]
    key = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()[0]
    ann.goto(key)
    ann.get_by_role("button", name="Sign in").click()
    ann.get_by_role("heading", name="Server").wait_for()
    state = ann.context.storage_state()
    pages: dict[str, Callable[[Page], object]] = {
        "/me": lambda _: None,
        "/p/Anne%20Bonny": lambda _: None,
        "/best/fortune": lambda _: None,
        f"/t/{result}": lambda page: page.locator(".ending .rating").first.wait_for(),
        f"/t/{talk}": _about_somebody,
        f"/t/{talk}?": _preferring,
        "/offline": lambda _: None,
        "/house": lambda _: None,
    }
    with tempfile.TemporaryDirectory() as folder:
        for scheme in ("light", "dark"):
            rows: list[list[Path]] = []
            for path, prepare in pages.items():
                rows += [[]] if not rows or len(rows[-1]) == 4 else []
                for width, height in ((1280, 800), (390, 844)):
                    context = browser.new_context(
                        viewport={"width": width, "height": height}, base_url=base, color_scheme=scheme,
                        storage_state=state, reduced_motion="reduce",
                    )  # fmt: skip
                    context.add_init_script(NO_GUIDE)
                    page = context.new_page()
                    page.goto(path)
                    prepare(page)
                    rows[-1].append(Path(folder) / f"{len(rows)}-{len(rows[-1])}-{scheme}.png")
                    page.screenshot(path=rows[-1][-1])
                    context.close()
            sheet(browser, rows, TARGET / f"pages-{scheme}.jpg", height=420)


def _about_somebody(page: Page) -> None:
    page.locator("#panel-chat [data-whom]").first.dispatch_event("click")
    page.locator("dialog#whom[open]").wait_for()


def _preferring(page: Page) -> None:
    page.locator("[data-opens=preferences]").first.dispatch_event("click")
    page.locator("dialog#preferences[open]").wait_for()


def finish_at_once(*people: Page, rated: bool = False) -> str:
    """Play a short game of Fortune to its end, in which everyone stops at once; return its id."""
    seats = [{"kind": "me"}, *[{"kind": "open"}] * (len(people) - 1)]
    options = {} if rated else {"target": "5000", "finish": "at_least"}
    body = {"game": "fortune", "pace": "instant", "options": options, "seats": seats, "rated": rated}
    made = post(people[0], "/api/tables", **body)["id"]
    path = f"/api/tables/{made}"
    for page in people[1:]:
        post(page, f"{path}/sit")
    post(people[0], f"{path}/start")
    while True:
        for page in people:
            seen = page.evaluate("async (path) => await (await fetch(path)).json()", path)
            if seen["table"]["status"] == "over":
                return str(made)
            if seen["legal"]:
                post(page, f"{path}/moves", move="stop", version=seen["table"]["version"])


def _take(page: Page, name: str) -> None:
    page.screenshot(path=TARGET / f"{name}.png")
    page.context.close()


if __name__ == "__main__":
    main()
