"""A site without a server: Python draws in the page what it draws here, and games are played there, even offline."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from filelock import FileLock
from playwright.sync_api import Browser, Page, expect

from parlour.core.facts import RULESET
from parlour.core.record import Record
from parlour.games import all_games, find, inside
from parlour.site import building, pyodide
from parlour.site.pages import OURS, Ruleset, rulesets
from parlour.solo.scenes import scenes
from tests.browser.player import ENDED, NO_GUIDE, NOT_FORCED, PATIENCE, check_access, watch
from tests.conformance.golden import records
from tests.site.serving import Files

pytestmark = pytest.mark.browser
ROOT = Path(__file__).parents[2]
Open = Callable[..., Page]
RECORDS = [file for file in records() if Record.parse(file.read_text("utf-8")).game in all_games()]
SHORTEST = "gatsby"  # Fortune has ten times as many steps
TABLES = rulesets(list(all_games().values()))
ASK = """async ([deed, body]) => {
  const answer = await fetch(`/api/tables/local/${deed}`, { method: "POST", body: JSON.stringify(body) });
  return await answer.json();
}"""
PLAY = """async () => { // to the end, by presses on the page; where parts must be chosen for a move, by choosing some
  const all = (selector) => [...document.querySelectorAll(`.scene ${selector}`)];
  const until = Date.now() + 400_000;
  for (; !document.querySelector("[data-key=result]"); await new Promise((done) => setTimeout(done, 40))) {
    if (Date.now() > until) throw new Error(`the game did not end: ${document.querySelector(".prompt").textContent}`);
    const moves = all("[data-action]:not([data-undo], .sent)"), open = moves.length ? moves : all("[data-part]");
    open[Math.floor(Math.random() * open.length)]?.click();
  }
}"""
STORED = """async () => { // how many files of the site are, once Python's memory is stored as well
  const worker = await navigator.serviceWorker.ready;
  const wait = () => new Promise((done) => setTimeout(done, 50));
  while (worker.active?.state !== "activated") await wait();
  while ((await (await caches.open("parlour-memory")).keys()).length < 3) await wait();
  const [site] = (await caches.keys()).filter((name) => name.startsWith("parlour-site-"));
  return (await (await caches.open(site)).keys()).length;
}"""


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """Write a site of all games, in the suite of the one that is played there, with the Pyodide that this machine has
    or npm brings; once for all processes of a run, as it takes some seconds."""
    whole = bool(request.config.getoption("--whole"))
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed, so there is no Python for the browser (install Node.js)")
    try:
        python = pyodide.files()
    except pyodide.NoPyodide as problem:
        pytest.skip(str(problem))
    base = tmp_path_factory.getbasetemp()
    base = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    made, done = base / "site" / "play", base / "site.done"
    with FileLock(base / "site.lock"):
        if not done.exists():
            made.parent.mkdir(exist_ok=True)
            games = [*all_games().values(), *inside(ROOT / "examples/bezel")] if whole else [find(SHORTEST)]
            building.write(made, games, python, programs=whole)
            done.touch()
    return made


@pytest.fixture
def files(folder: Path) -> Iterator[Files]:
    with Files(folder) as served:
        yield served


@pytest.fixture
def visit(browser: Browser, files: Files) -> Iterator[Open]:
    """Yield a function that opens a page of the site for a new reader. An error in a script fails the test."""
    faults: list[str] = []
    contexts = []

    def open_page(name: str, width: int = 390, height: int = 844, *, workers: bool = False) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height}, base_url=files.url, reduced_motion="reduce",
            service_workers="allow" if workers else "block",
        )  # fmt: skip
        contexts.append(context)
        for script in (NO_GUIDE, NOT_FORCED):
            context.add_init_script(script)
        page = context.new_page()
        page.set_default_timeout(1000 * PATIENCE)
        watch(page, faults)
        page.goto(name)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not faults, faults


def begin(page: Page, pace: str = "instant") -> None:
    """Start a game, and wait for the first decision."""
    page.get_by_label("Bots’ pace").select_option(pace)
    page.get_by_role("button", name="Play", exact=True).first.click()
    due(page)


def due(page: Page) -> None:
    """Wait until the reader has to decide."""
    page.wait_for_function(
        "() => document.querySelector('.scene .acts, .scene .board')?.closest('.scene').dataset.turn"
    )


@pytest.mark.parametrize("file", RECORDS, ids=[file.stem for file in RECORDS])
@pytest.mark.whole
def test_every_scene_of_a_record_is_the_same_as_here(visit: Open, file: Path) -> None:
    """Byte for byte, for every viewer at every step; Pyodide is another version of Python, without msgspec."""
    record = Record.parse(file.read_text("utf-8"))
    one = Ruleset(find(record.game), find(record.game).recorded(record.options).get(RULESET, ""))
    page = visit(one.page)
    assert page.evaluate(ASK, ["scenes", {"record": record.to_text()}]) == scenes(one.game, record.to_text(), one.rules)


@pytest.mark.parametrize("width", [390, pytest.param(1280, marks=pytest.mark.whole)])
@pytest.mark.parametrize("one", TABLES, ids=[one.name for one in TABLES])
@pytest.mark.suite(f"{SHORTEST}-390")
def test_a_game_is_played_and_continues_without_a_connection(
    visit: Open, files: Files, one: Ruleset, width: int
) -> None:
    page = visit(one.page, width, workers=True)
    begin(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    check_access(page, one.name)
    press(page)
    stored = page.evaluate(STORED)
    assert stored == len(building.listed(files.folder))  # the folder itself instead of the service worker
    files.close()
    page.goto("index.html")
    page.locator(f'a[href="{one.page}"]').click()
    page.get_by_role("button", name="Continue your game").click()
    due(page)
    press(page)
    page.evaluate(PLAY)
    expect(page.locator("[data-key=result] h1")).to_contain_text(ENDED)
    check_access(page, f"{one.name}, over")
    page.get_by_role("button", name="Play again").click()
    expect(page.locator("[data-key=result]")).to_have_count(0)
    due(page)
    page.goto(one.rules)
    expect(page.locator("article h1, article h2").first).to_be_visible()


def press(page: Page) -> None:
    """Make a decision: by a real click, or if a choice of several parts is due, by the button that does it."""
    main = page.locator("main")
    before = main.get_attribute("data-version")
    choice = page.locator(".scene [data-action]:not([data-undo]):visible")
    if not choice.count():  # parts are chosen first: in a lesson, those that are marked
        for part in page.locator(".board .hinted[data-part]").all():
            part.click()
    choice.first.click()
    page.wait_for_function("before => document.querySelector('main').dataset.version !== before", arg=before)
    due(page)


@pytest.mark.whole
def test_a_game_of_ones_own_is_played(visit: Open) -> None:
    """From a folder that is given to `parlour site`: examples/bezel, which has no JavaScript."""
    page = visit("bezel.html")
    begin(page)
    for _ in range(3):
        press(page)
    expect(page.locator(".log li").first).to_be_attached()


@pytest.mark.parametrize("one", TABLES, ids=[one.name for one in TABLES])
@pytest.mark.whole
def test_a_lesson_begins(visit: Open, one: Ruleset) -> None:
    page = visit(f"{one.page}#lesson", 1280, 800)
    page.wait_for_selector(".scene[data-lesson] .prompt")
    expect(page.locator("#guide")).to_be_hidden()
    press(page)


@pytest.mark.whole
def test_first_steps_are_offered_once(visit: Open) -> None:
    page = visit("gatsby.html", 1280, 800)
    page.evaluate("localStorage.removeItem('parlour-guide')")
    page.get_by_role("button", name="Play", exact=True).first.click()
    expect(page.locator("#guide")).to_be_visible()
    page.get_by_role("button", name="Skip").click()
    due(page)


@pytest.mark.whole
def test_a_block_of_the_documentation_runs_after_those_that_it_needs(visit: Open, folder: Path) -> None:
    """With a module of the library's rest, and a board; tests/docs/test_site.py runs all blocks of all pages."""
    assets = folder.parent / "assets"
    assets.mkdir(exist_ok=True)
    shutil.copy(OURS / "static/blocks.js", assets)
    programs = ('match = parlour.new("gatsby", seed=7)', "import statistics\nprint(statistics.mean([1, 2]))\nmatch")
    (folder.parent / "page.html").write_text(
        "<!doctype html><html lang=en><title>Blocks</title>"
        + "".join(
            f"<div><pre><code>import parlour\n{code}</code></pre></div>"
            f'<div class="parlour-run" data-block="{number}" data-needs="{"0" if number else ""}"></div>'
            for number, code in enumerate(programs)
        )
        + '<script type="module" src="assets/blocks.js"></script>'
    )
    with Files(folder.parent) as served:
        page = visit(f"{served.url}page.html")
        page.get_by_role("button", name="Run").last.click()
        expect(page.locator("output").last).to_have_text("1.5\n")
        expect(page.frame_locator("output iframe").locator(".scene")).to_be_visible()
        expect(page.locator("output").first).to_have_text("It ran, and printed nothing.")


@pytest.mark.whole
def test_a_page_says_that_python_is_missing(visit: Open) -> None:
    page = visit("gatsby.html")
    page.route("**/python/**", lambda route: route.abort())
    page.reload()
    page.get_by_role("button", name="Play", exact=True).first.click()
    expect(page.get_by_text("Python can’t be loaded right now")).to_be_visible()
