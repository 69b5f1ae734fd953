"""Take the screenshots of docs/screenshots: lobby, each game in play, a result, and an analysed game, on a phone and a
desk, light and dark. usage: scripts/screenshots [GAME ...] [analysis]

Real games on a real server. Dice and cards differ from run to run, so the pictures do too.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from parlour.games import all_games, outside
from tests import chromium
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
from tests.table.serving import Nursery

TARGET = Path(__file__).parents[2] / "docs" / "screenshots"
SIZES = {"1280": (1280, 800), "390": (390, 844)}
MOVES = 15  # of the person, before the picture is taken
CARE = 0.7  # of the decisions in the analysed game are what the hint said
STOP = '[data-key="b-stop"][data-action]'
DICE = '.grid [data-part][aria-pressed="false"]'


def main() -> None:
    """All pictures, into docs/screenshots."""
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
            chosen = sys.argv[1:] or [*all_games(), "analysis"]
            for scheme in ("light", "dark"):
                for game in chosen:
                    if game == "fortune":
                        _tour(browser, server.url, scheme)
                    elif game == "analysis":
                        _analysed(browser, server.url, scheme)
                    else:
                        _in_play(browser, server.url, scheme, game)
            browser.close()
    finally:
        nursery.close()


def _tour(browser: Browser, base: str, scheme: str) -> None:
    context = browser.new_context(base_url=base, color_scheme=scheme, reduced_motion="reduce")
    context.add_init_script(NO_GUIDE)
    page = context.new_page()
    page.goto("/")
    table(page, name="Anne Bonny")  # so that the lobby is not empty
    page.goto("/")
    _take(page, "lobby", scheme)
    table(page, name="Anne Bonny", seats=[{"kind": "me"}, GREEDY, GREEDY])
    taken = False
    while my_turn(page):
        free = page.locator(DICE)
        shown = version(page)
        if not taken and shown > 40 and free.count() > 4 and page.locator(".aside .die").count():
            for _ in range(3):
                free.last.click()
            _take(page, "fortune", scheme)
            taken = True
        page.locator(STOP).click()
        wait_past(page, shown)
    settle(page)
    _take(page, "result", scheme)
    page.context.close()


def _in_play(browser: Browser, base: str, scheme: str, game: str) -> None:
    """A game with as many players as it takes, some way in; the moves are chosen anyhow."""
    context = browser.new_context(base_url=base, color_scheme=scheme, reduced_motion="reduce")
    context.add_init_script(NO_GUIDE)
    page = context.new_page()
    page.goto("/")
    most = all_games()[game].facts.players[1]
    other = GREEDY if all_games()[game].policy else {"kind": "bot", "bot": "random"}
    choice = random.Random(3)
    for _ in range(10):  # until a game has not ended before the picture was due
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
    _take(page, game, scheme)
    page.context.close()


def _analysed(browser: Browser, base: str, scheme: str) -> None:
    """A game of Fortune in which the person does mostly what the hint says, and now and then anything; at a blunder."""
    context = browser.new_context(base_url=base, color_scheme=scheme, reduced_motion="reduce")
    context.add_init_script(NO_GUIDE)
    page = context.new_page()
    page.goto("/")
    choice = random.Random(7)
    for _ in range(8):  # until there is one
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
        page.wait_for_selector(".graph", timeout=300_000)
        blunders = page.locator(".dot.blunder")
        if blunders.count():
            blunders.last.click()
            page.wait_for_timeout(500)
            break
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(200)
        page.locator(".judgements").evaluate("(node) => node.scrollIntoView({ block: 'end' })")
        page.screenshot(path=TARGET / f"analysis-{size}-{scheme}.png")
    page.context.close()


def _take(page: Page, name: str, scheme: str) -> None:
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(200)
        page.screenshot(path=TARGET / f"{name}-{size}-{scheme}.png")


if __name__ == "__main__":
    main()
