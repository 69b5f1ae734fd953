"""The documentation site: every page is in it and in its navigation, every link leads somewhere, and it builds."""

from __future__ import annotations

import functools
import json
import re
import subprocess
import sys
import threading
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import parlour
from parlour.core.clauses import clauses
from parlour.solo.program import Program
from tests import chromium
from tests.docs import site, test_pages
from tests.docs.docstrings import fenced
from tests.site.serving import Files

LISTED = re.findall(r"^ +- ([\w/-]+\.md)$", site.CONFIG.read_text("utf-8"), re.MULTILINE)
ENTRANCES = ("Play", "Host", "Study", "Research and bots", "Make games")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages as MkDocs gets them."""
    folder = tmp_path_factory.mktemp("pages")
    site.stage(folder)
    return folder


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole site, made as `scripts/docs` makes it."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "tests.docs.site", str(folder)]
    done = subprocess.run(command, cwd=site.ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    return folder / "site"


def test_every_page_of_the_repository_is_in_the_navigation_once(pages: Path) -> None:
    there = sorted(file.relative_to(pages).as_posix() for file in pages.rglob("*.md"))
    assert there == sorted(LISTED)
    navigation = site.CONFIG.read_text("utf-8").partition("\nnav:\n")[2]
    tops = re.findall(r"^  - ([^:\n]+):$", navigation, re.MULTILINE)
    assert tuple(tops[: len(ENTRANCES)]) == ENTRANCES


def test_every_link_of_the_pages_leads_somewhere(pages: Path) -> None:
    """Among them are those that lead out of docs, and anchors; the reference is written by MkDocs."""
    broken = {name: found for name in LISTED if (found := test_pages.broken(pages / name))}
    assert broken == {}


def test_the_clauses_of_a_ruleset_lead_to_the_clause(pages: Path) -> None:
    cited = re.findall(
        r"\[(GA-\d+)\]\(\.\./rules/gatsby\.md#([\w-]+)\)", (pages / "rulesets/gatsby.md").read_text("utf-8")
    )
    assert len(cited) > 50
    assert {anchor for _, anchor in cited} == {number.lower() for number, _ in cited}
    anchors = test_pages.anchors(pages / "rules/gatsby.md")
    assert anchors >= {number.lower() for number in clauses(parlour.find("gatsby"))}


def test_what_belongs_to_an_item_is_set_in_as_markdown_for_python_wants_it() -> None:
    lines = ["- a", "", "  ```toml", "  x = 1", "  ```", "", "  b", "", "c", "", "1. d", "   e", "", "    code"]
    wanted = [
        "- a",
        "",
        "    ```toml",
        "    x = 1",
        "    ```",
        "",
        "    b",
        "",
        "c",
        "",
        "1. d",
        "    e",
        "",
        "    code",
    ]
    assert list(site.indented(lines)) == wanted


def test_examples_in_docstrings_are_blocks_of_code() -> None:
    assert fenced("A.\n\n>>> f(\n...     1)\n2\n\nB.") == "A.\n\n```pycon\n>>> f(\n...     1)\n2\n```\n\nB."


def test_a_link_to_nothing_is_refused() -> None:
    page = site.ROOT / "docs/library.md"
    with pytest.raises(site.BadLink, match=re.escape("docs/library.md links to gone.md, which is not a file")):
        site.turned(page, "[a](gone.md)")
    text, needed = site.turned(page, "`[a](gone.md)` [b](../LICENSE) ![c](screenshots/pig-1280-light.png) [d](#e)")
    assert text == "`[a](gone.md)` [b](files/LICENSE.txt) ![c](screenshots/pig-1280-light.png) [d](#e)"
    assert {file.name for file in needed} == {"LICENSE", "pig-1280-light.png"}


class Loaded(HTMLParser):
    """The addresses that a page loads when it is opened; links to press are not among them."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = {"link": "href", "script": "src", "img": "src", "iframe": "src", "source": "src"}
        self.found += [value or "" for name, value in attrs if name == names.get(tag)]


@pytest.mark.whole
@pytest.mark.slow
def test_it_builds_without_a_warning_and_is_whole(built: Path) -> None:
    """One test, as each worker that runs a part of it would build the site again."""
    loads_nothing_from_elsewhere(built)
    the_reference_has_every_public_name(built)
    each_page_has_its_markdown_beside_it_and_its_line_in_llms_txt(built)


def loads_nothing_from_elsewhere(built: Path) -> None:
    pages = [file for file in built.rglob("*.html") if built / "play" not in file.parents]  # tests/site has those
    assert sorted(file.relative_to(built).with_suffix(".md").as_posix() for file in pages) == sorted(
        [*LISTED, "404.md"]
    )
    for file in pages:
        loaded = Loaded()
        loaded.feed(file.read_text("utf-8"))
        assert len(loaded.found) > 3
        assert [one for one in loaded.found if "//" in one] == [], file.name
    styles = "".join(file.read_text("utf-8") for file in built.rglob("*.css"))
    assert re.findall(r"url\(\"?(?:https?:)?//|@import", styles) == []


def the_reference_has_every_public_name(built: Path) -> None:
    text = (built / "reference.html").read_text("utf-8")
    names = {home for module, names in site.public().items() for home in (site.home(module, one) for one in names)}
    assert len(names) > 15
    assert {name for name in names if f'id="{name}"' not in text} == set()
    assert {f"### parlour.{name}\n" in (built / "reference.md").read_text("utf-8") for name in parlour.__all__} == {
        True
    }


def each_page_has_its_markdown_beside_it_and_its_line_in_llms_txt(built: Path) -> None:
    text = (built / "llms.txt").read_text("utf-8")
    assert text.startswith("# Parlour\n\n> Parlour plays tabletop games")
    listed = re.findall(r"^- \[[^\]]+\]\(([^)]+)\): \S.*$", text, re.MULTILINE)
    assert listed == LISTED
    for name in listed:
        assert (built / name).read_text("utf-8").lstrip().startswith("# ")
    assert not any(line.startswith(":::") for line in (built / "reference.md").read_text("utf-8").splitlines())


@pytest.mark.whole
@pytest.mark.browser
def test_it_can_be_read_and_searched_in_a_browser_without_other_hosts(built: Path) -> None:
    from playwright.sync_api import sync_playwright

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            """Print nothing."""

    if not (path := chromium.find()):
        pytest.skip(chromium.ABSENT)
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=built))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_port}/"
    asked: list[str] = []
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=path)
            page = browser.new_page()
            page.on("request", lambda request: asked.append(request.url))
            for name in LISTED:
                page.goto(base + name.replace(".md", ".html"))
            page.goto(f"{base}index.html")
            page.fill("[data-md-component=search-query]", "observation_tensor")
            page.locator(".md-search-result__item", has_text="observation_tensor").first.wait_for()
            browser.close()
    finally:
        server.shutdown()
        server.server_close()
    assert len(asked) > 3 * len(LISTED)
    assert [one for one in asked if not one.startswith((base, "data:", "blob:"))] == []


@pytest.mark.whole
@pytest.mark.browser
def test_every_block_that_runs_in_the_page_says_what_it_says_here(built: Path) -> None:
    """With the same seed for Python's own chance, as in the suite's tests of these programs."""
    from playwright.sync_api import sync_playwright

    if not (built / "play").is_dir():
        pytest.skip("npm brought no Python for browsers")
    if not (path := chromium.find()):
        pytest.skip(chromium.ABSENT)
    seed, compared = "import random\nrandom.seed(1)\n", 0
    with sync_playwright() as playwright, Files(built) as files:
        browser = playwright.chromium.launch(executable_path=path)
        for name in LISTED:
            page, here = browser.new_page(), Program()
            page.goto(files.url + name.replace(".md", ".html"))
            for place in page.locator(".parlour-run").all():
                code = place.locator("xpath=preceding-sibling::*[1]//code")
                text = code.evaluate("(code, seed) => code.textContent = seed + code.textContent", seed)
                said = json.loads(here.run(text))
                assert said["done"], (name, said)
                place.get_by_role("button").click()
                page.wait_for_function(
                    "place => place.querySelector('button').textContent === 'Run' && place.querySelector('output > *')",
                    arg=place.element_handle(), timeout=120_000,
                )  # fmt: skip
                shown = place.evaluate(
                    "place => [place.querySelector('pre')?.textContent ?? '', "
                    "Boolean(place.querySelector('output div iframe'))]"
                )
                expected = said["output"] or ("" if said["html"] else "It ran, and printed nothing.")
                assert shown == [expected, bool(said["html"])], (name, text)
                compared += 1
            page.close()
        browser.close()
    assert compared > 15
