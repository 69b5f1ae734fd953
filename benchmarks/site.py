"""How long a page of a site without a server takes to its first decision: at first, and from what the browser stored.

    python -m benchmarks.site --times 5

The site comes from a plain web server on this machine, which sends as slowly as asked, to the page's worker as well. A
page counts from the request for it until the board is shown and the reader, or a bot that begins, can decide.
Bots move at once, and "Play" is pressed as soon as it is there. The processor time is that of the whole browser.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Page, sync_playwright

from parlour.games import all_games
from parlour.site import building, pyodide
from parlour.site.pages import Ruleset, rulesets
from tests.browser.player import ARGS, NO_GUIDE
from tests.chromium import find
from tests.site.serving import Files

DELAY = 0.04  # seconds from a request to its answer
REST = 6.0  # seconds in which the page stores what a later visit begins with
BEGIN = """() => new Promise((found) => {
  document.querySelector("[name=pace]").value = "instant";
  document.querySelector("[data-start] .main").click();
  const { dataset } = document.querySelector("#main");
  const look = () => dataset.version !== "0" ? found(performance.now()) : setTimeout(look, 5);
  look();
})"""


def first_decision(page: Page, address: str) -> float:
    """Open a page and return the seconds until its first decision."""
    page.goto(address, wait_until="domcontentloaded")
    return float(page.evaluate(BEGIN)) / 1000


def busy() -> float:
    """Return the seconds of processor time of the processes that this one has started."""
    parents, used = dict[int, int](), dict[int, float]()
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            fields = (process / "stat").read_text().rpartition(")")[2].split()
            parents[int(process.name)] = int(fields[1])
            used[int(process.name)] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def ours(process: int) -> bool:
        parent = parents.get(process, 0)
        return parent == os.getpid() or (parent > 0 and ours(parent))

    return sum(seconds for process, seconds in used.items() if ours(process))


def measure(browser: Browser, base: str, one: Ruleset) -> list[float]:
    """Return the seconds of a first visit and of a later one, of a new reader, and their processor time."""
    context = browser.new_context(base_url=base)
    context.add_init_script(NO_GUIDE)
    found = []
    for _ in range(2):
        page = context.new_page()
        before = busy()
        found += [first_decision(page, one.page), busy() - before]
        page.evaluate("async () => { await navigator.serviceWorker.ready; }")
        time.sleep(REST)
        page.close()
    context.close()
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a row for each ruleset."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--times", type=int, default=3, help="visits of each page")
    parser.add_argument("--megabits", type=float, default=20, help="per second")
    parser.add_argument("--pyodide", type=Path, help="the unpacked npm package")
    parser.add_argument("--site", type=Path, help="a site that was written before, to compare versions in turns")
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = asked.site
        if site is None:
            site = Path(folder)
            building.write(site, list(all_games().values()), pyodide.files(asked.pyodide))
        size = sum(file.stat().st_size for file in site.rglob("*") if file.is_file())
        print(
            f"{size / 1e6:.1f} MB; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; {asked.megabits:g} Mbit/s"
        )
        print("| page | first visit, s | processor, s | later visit, s | processor, s |\n|---|--:|--:|--:|--:|")
        browser = playwright.chromium.launch(executable_path=find(), args=ARGS)
        with Files(site, asked.megabits, DELAY) as files:
            for one in rulesets(list(all_games().values())):
                rows = zip(*(measure(browser, files.url, one) for _ in range(asked.times)), strict=True)
                print(f"| {one.title} | {' | '.join(f'{median(row):.1f}' for row in rows)} |", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
