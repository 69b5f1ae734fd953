"""Show each ruleset in four phases, on a phone, a desk and a large screen, in both themes; and five moments in motion.

    scripts/looks [--books] [RULESET ...]

And what teaches it: its rules page, its summary sheet and its lesson; with --books, only these. Every picture goes into
build/looks, to be looked at one by one; the sheets that set them side by side, and the strips of the moments, into
docs/screenshots. Bots play the games from fixed seeds, so that what changed between two runs is the look.
"""

from __future__ import annotations

import asyncio
import base64
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from parlour import bots
from parlour.bots.view import View
from parlour.core.match import Match
from parlour.games import find
from tests import chromium
from tests.browser.player import ARGS, NO_GUIDE, NOT_FORCED, settle
from tests.house.serving import Nursery
from tests.house.shelf import Shelf, Shelved

ROOT = Path(__file__).parents[2]
SHEETS, SINGLE = ROOT / "docs" / "screenshots", ROOT / "build" / "looks"
SIZES = {390: 844, 1280: 800, 1920: 1080}
NAMES = ("Anne Bonny", "Theodora", "Mei Ling", "Olu")
QUALITY = 72  # of the sheets, which are JPEG
FRAMES = 8  # of a strip
LASTING = 1600  # milliseconds for which a moment is recorded
# The picture of the deciding step is in a closed tree, kept here; and whether it is there, if the result has one
KEEP_STILL = """const attach = Element.prototype.attachShadow;
Element.prototype.attachShadow = function (how) { return window.still = attach.call(this, how); };"""
STILL_SHOWN = """() => !document.querySelector(".moment .still")
  || window.still?.querySelector(".scene")?.style.visibility === "" """


@dataclass(frozen=True)
class Ruleset:
    """What to show: a game with these options and this number of players; `moment` is in the log's line of its
    climax."""

    name: str
    game: str
    players: int
    moment: str
    seed: int = 3
    ruleset: str = ""

    def match(self) -> Match:
        """Return the game before its first step."""
        options = {"ruleset": self.ruleset} if self.ruleset else {}
        return Match(find(self.game), self.players, names=NAMES[: self.players], options=options, seed=self.seed)

    def played(self) -> Match:
        """Return the whole game, played by bots."""
        match = self.match()
        bot = bots.find(match.game, "greedy")
        while not match.over:
            match.play(bot.choose(View.of(match, match.current_player), None))
        return match


RULESETS = (
    Ruleset("fortune", "fortune", 3, "Three skulls|nothing"),
    Ruleset("aces-and-faces", "aces-and-faces", 4, "challenges .* for"),
    Ruleset("market-making", "family-trade", 4, "goes out with", ruleset="market-making"),
    Ruleset("god-of-the-market", "family-trade", 3, "goes out with", ruleset="god-of-the-market"),
    Ruleset("battle-royale", "family-trade", 2, "goes out with", ruleset="battle-royale"),
    Ruleset("facets-of-fortune", "facets-of-fortune", 3, "CRASHES"),
    Ruleset("gatsby", "gatsby", 2, "rallies"),
)
MOMENTS = {  # what is shown in motion: the ruleset, what its log says of the first step, and the number of steps
    "roll": ("fortune", r"^[^:]+: .*(coin|diamond|sword|monkey|parrot|skull)", 1),
    "duel": ("aces-and-faces", "(wins|loses) the duel", 1),
    "crash": ("facets-of-fortune", "CRASHES", 1),
    "deal": ("market-making", "deals eight cards", 32),
    "rally": ("gatsby", "rallies", 1),
}


def logged(match: Match, pattern: str) -> list[int]:
    """Return the versions after the steps of which the log says this to the first seat."""
    return [
        number
        for number, step in enumerate(match.history(), 1)
        if any(re.search(pattern, line.text) for line in match.game.scenes.tell(step, 0, match.names))
    ]


def phases(ruleset: Ruleset) -> dict[str, Match]:
    """Return the first decision of the first seat, one in the middle, the position after the climax, and the end."""
    whole = ruleset.played()
    decisions = [number for number, (actor, *_) in enumerate(whole.steps) if actor == 0]
    moments = logged(whole, ruleset.moment)
    shown = moments[len(moments) // 2] if moments else decisions[-1]
    at = {"first": decisions[0], "middle": decisions[len(decisions) // 2], "moment": shown}
    found = {}
    for phase, version in at.items():
        found[phase] = ruleset.match()
        for number, (_, action, _) in enumerate(whole.steps):
            if number >= version and found[phase].current_player >= 0:
                break  # the house would draw the chance that is due at once
            if number >= found[phase].version:
                found[phase].advance(action)
    return {**found, "end": whole}


async def shelve(database: str, tables: dict[str, Match]) -> dict[str, Shelved]:
    """Write the games into the house's database."""
    async with Shelf(database) as shelf:
        return {
            name: await shelf.put(f"{number:016x}", match) for number, (name, match) in enumerate(tables.items(), 1)
        }


def open_page(browser: Browser, base: str, shelved: Shelved, width: int, height: int = 0, **settings: str) -> Page:
    """Return a page of the first seat's player, with nothing open yet."""
    window = {"width": width, "height": height or SIZES[width]}
    context = browser.new_context(viewport=window, base_url=base, **settings)
    for script in (NO_GUIDE, NOT_FORCED, KEEP_STILL):
        context.add_init_script(script)
    context.add_cookies([{"name": name, "value": value, "url": base} for name, value in shelved.cookies[0].items()])
    return context.new_page()


def sheet(browser: Browser, pictures: list[list[Path]], target: Path, height: int) -> None:
    """Write rows of pictures side by side, each scaled to the same height, as one JPEG."""
    rows = "".join(f"<div>{''.join(map(_image, row))}</div>" for row in pictures)
    page = browser.new_page()
    page.set_content(
        f"<style>body{{margin:0;background:#777;width:max-content}}div{{display:flex;gap:8px;padding:4px}}"
        f"img{{height:{height}px}}</style>{rows}"
    )
    page.locator("body").screenshot(path=target, type="jpeg", quality=QUALITY)
    page.close()


def _image(path: Path) -> str:
    return f'<img src="data:image/png;base64,{base64.b64encode(path.read_bytes()).decode()}">'


def photograph(browser: Browser, base: str, name: str, tables: dict[str, Shelved]) -> None:
    """Take all pictures of a ruleset, and make its two sheets."""
    for scheme in ("light", "dark"):
        rows: list[list[Path]] = []
        for phase, shelved in tables.items():
            rows.append([])
            for width in SIZES:
                page = open_page(browser, base, shelved, width, color_scheme=scheme, reduced_motion="reduce")
                page.goto(f"/t/{shelved.id}")
                page.locator(".ending" if phase == "end" else ".bar").first.wait_for()
                page.wait_for_function(STILL_SHOWN, polling=40)
                settle(page)
                rows[-1].append(SINGLE / f"{name}-{phase}-{width}-{scheme}.png")
                page.screenshot(path=rows[-1][-1])
                page.context.close()
        sheet(browser, rows, SHEETS / f"looks-{name}-{scheme}.jpg", height=420)


def teach(browser: Browser, base: str, ruleset: Ruleset) -> None:
    """Take pictures of the rules page on a desk and on a phone, the summary sheet, and the lesson's first decision."""
    name, which = ruleset.name, f"?ruleset={ruleset.ruleset}" if ruleset.ruleset else ""
    pictures: list[Path] = []

    def shoot(page: Page, what: str) -> None:
        pictures.append(SINGLE / f"{name}-{what}.png")
        page.screenshot(path=pictures[-1])

    for what, path, width, height, scheme in (
        ("rules-1280", "", 1280, 1600, "light"),
        ("sheet", "/sheet", 1280, 1600, "light"),
        ("rules-390", "", 390, SIZES[390], "dark"),
    ):
        page = browser.new_page(viewport={"width": width, "height": height}, base_url=base, color_scheme=scheme)
        page.goto(f"/rules/{ruleset.game}{path}{which}")
        shoot(page, what)
        page.close()
    page = browser.new_page(viewport={"width": 390, "height": SIZES[390]}, base_url=base, reduced_motion="reduce")
    wish = {"game": ruleset.game, "ruleset": ruleset.ruleset}
    page.goto("/")
    page.goto(page.request.post("/api/lessons", data=wish).json()["url"])
    page.locator(".scene[data-lesson]").wait_for()
    settle(page)
    shoot(page, "lesson-390")
    page.close()
    sheet(browser, [pictures], SHEETS / f"learn-{name}.jpg", height=620)


def frames(page: Page, name: str, steps: int) -> Iterator[Path]:
    """Yield what the page shows while it moves, evenly over time: the frames as the browser painted them."""
    painted: list[tuple[float, bytes]] = []
    session = page.context.new_cdp_session(page)

    def keep(frame: dict[str, object]) -> None:
        at = frame["metadata"]["timestamp"]  # type: ignore[index]
        painted.append((at, base64.b64decode(str(frame["data"]))))
        session.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})

    session.on("Page.screencastFrame", keep)
    session.send("Page.startScreencast", {"format": "png", "everyNthFrame": 1})
    for _ in range(steps):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(LASTING / steps)
    session.send("Page.stopScreencast")
    first = painted[0][0]
    for number in range(FRAMES):
        due = first + number * LASTING / 1000 / FRAMES
        path = SINGLE / f"{name}-{number}.png"
        path.write_bytes(min(painted, key=lambda one: abs(one[0] - due))[1])
        yield path


def record(browser: Browser, base: str, name: str, shelved: Shelved, version: int, steps: int) -> None:
    """Record the step to a version, and the next, as the replay shows them."""
    page = open_page(browser, base, shelved, 1280)
    page.goto(f"/t/{shelved.id}/replay?step={version - 1}")
    page.locator(".board").wait_for()
    page.wait_for_timeout(1000)  # until the next frames are loaded
    pictures = list(frames(page, name, steps))
    sheet(browser, [pictures[:4], pictures[4:]], SHEETS / f"clip-{name}.jpg", height=360)
    page.context.close()


def main() -> None:
    """Take all pictures of the named rulesets, or of all."""
    path = chromium.find()
    if path is None:
        sys.exit(chromium.ABSENT)
    SINGLE.mkdir(parents=True, exist_ok=True)
    names = [name for name in sys.argv[1:] if name != "--books"]
    chosen = [one for one in RULESETS if not names or one.name in names]
    games = {} if "--books" in sys.argv else {one.name: phases(one) for one in chosen}
    nursery = Nursery()
    try:
        with tempfile.TemporaryDirectory() as folder:
            database = f"sqlite:///{folder}/parlour.db"
            matches = {f"{name} {phase}": match for name, found in games.items() for phase, match in found.items()}
            tables = asyncio.run(shelve(database, matches))
            base = nursery.start(database=database).url
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=path, args=ARGS)
                for name, found in games.items():
                    photograph(browser, base, name, {phase: tables[f"{name} {phase}"] for phase in found})
                for one in chosen:
                    teach(browser, base, one)
                for name, (ruleset, pattern, steps) in MOMENTS.items():
                    if ruleset in games:
                        versions = logged(games[ruleset]["end"], pattern)
                        record(browser, base, name, tables[f"{ruleset} end"], versions[len(versions) // 2], steps)
                browser.close()
    finally:
        nursery.close()


if __name__ == "__main__":
    main()
