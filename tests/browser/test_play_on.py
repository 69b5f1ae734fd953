"""From the replay of a finished game to a new table: by mouse, by keys, on a phone."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import msgspec
import pytest
from playwright.sync_api import Page, expect

from parlour.analysis.shapes import shapes
from parlour.games import find
from parlour.house.analysis.jobs import WAY
from parlour.house.analysis.rows import keep_analysis
from tests.browser.player import BARE, check_access, my_turn
from tests.house.played import made_up, played
from tests.house.serving import Nursery, Server
from tests.house.shelf import Shelf, Shelved

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]


@pytest.fixture(scope="module")
def shelf(nursery: Nursery, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Shelved]]:
    """Start a server with one finished and analysed game."""
    database = f"sqlite:///{tmp_path_factory.mktemp('play-on') / 'parlour.db'}"

    async def fill() -> Shelved:
        async with Shelf(database) as here:
            match = played(shapes(find("gatsby"), players=2)[0])
            table = await here.put("finished", match)
            judged = msgspec.to_builtins(made_up(match))
            work = partial(
                keep_analysis, table_id="finished", rules=match.game.rules.VERSION, way=WAY, judgements=judged
            )
            await here.store.do(work)
            return table

    with ThreadPoolExecutor(1) as elsewhere:  # Playwright already runs a loop in this thread
        table = elsewhere.submit(asyncio.run, fill()).result()
    server = nursery.start(database=database, engine="plain")
    yield server, table
    server.kill()


def arrived(page: Page, step: int) -> None:
    """Wait for the new table, and check its log's first words."""
    page.wait_for_url(re.compile(r"/t/[0-9a-f]{16}$"))
    line = page.locator("#panel-log .origin")
    expect(line).to_have_text(
        f"This game continues an earlier one: its first {step} steps were played there.", use_inner_text=False
    )
    expect(line.locator("a")).to_have_attribute("href", f"/t/finished/replay?step={step}")
    assert my_turn(page)


@pytest.mark.whole
def test_one_press_and_one_plays_on_from_there(visit: Visit, shelf: tuple[Server, Shelved]) -> None:
    server, _ = shelf
    page = visit("/t/finished/replay?step=40", base=server.url)
    button, dialog = page.locator("[data-play-on]"), page.locator("#play-on")
    expect(page.locator(".graph")).to_be_visible()
    button.click()
    expect(dialog).to_contain_text("Play on from step 40")
    expect(dialog.get_by_label("Your seat")).to_have_value("")  # the player to move: this guest had no seat
    check_access(page, "the dialog")
    dialog.get_by_label("The bots").select_option("random")
    dialog.get_by_label("Your seat").select_option("1")
    dialog.get_by_role("button", name="Play on").click()
    arrived(page, 40)
    assert page.get_attribute("main", "data-eyes") == "1"
    page.locator("#panel-log .origin a").click()
    page.wait_for_url("**/t/finished/replay?step=40")


@pytest.mark.whole
def test_with_keys_and_not_from_the_end(visit: Visit, shelf: tuple[Server, Shelved]) -> None:
    server, table = shelf
    page = visit(BARE, base=server.url)
    ((name, value),) = table.cookies[1].items()
    page.context.add_cookies([{"name": name, "value": value, "url": server.url}])
    page.goto("/t/finished/replay")
    button, dialog = page.locator("[data-play-on]"), page.locator("#play-on")
    expect(button).to_have_attribute("aria-disabled", "true")
    button.click(force=True)
    expect(page.locator(".controls .reason")).to_have_text("The game ends here.")
    page.keyboard.press("Escape")
    page.keyboard.press("o")
    expect(page.locator(".controls .reason")).to_have_text("The game ends here.")
    expect(dialog).not_to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(button).not_to_have_attribute("aria-disabled", "true")
    page.keyboard.press("End")
    expect(button).to_have_attribute("aria-disabled", "true")
    for _ in range(2):
        page.keyboard.press("ArrowLeft")
    step = int(page.get_attribute("main", "data-last") or 0) - 2
    expect(page.locator("#at")).to_contain_text(f"{step} of")
    page.keyboard.press("o")
    expect(dialog.get_by_label("Your seat")).to_have_value("1")  # their own
    expect(dialog.get_by_role("button", name="Play on")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/t/[0-9a-f]{16}$"))
    expect(page.locator("#panel-log .origin a")).to_have_attribute("href", f"/t/finished/replay?step={step}")


@pytest.mark.whole
def test_a_refusal_is_said_in_the_dialog(visit: Visit, shelf: tuple[Server, Shelved]) -> None:
    server, _ = shelf
    page = visit("/t/finished/replay?step=12", base=server.url)
    page.locator("[data-play-on]").click()
    refusal = {
        "error": {
            "code": "too-many-tables",
            "message": "You already host 30 unfinished tables.",
            "clause": "",
            "allowed": [],
        }
    }
    page.route("**/play-on", lambda route: route.fulfill(status=409, json=refusal))
    page.locator("#play-on").get_by_role("button", name="Play on").click()
    expect(page.locator("#play-on .reason")).to_have_text("You already host 30 unfinished tables.")
    page.unroute("**/play-on")
    page.locator("#play-on").get_by_role("button", name="Play on").click()
    arrived(page, 12)


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390), (1280, 800)])
@pytest.mark.suite("390*")
def test_the_button_is_in_reach_and_large_enough(
    visit: Visit, shelf: tuple[Server, Shelved], width: int, height: int
) -> None:
    server, _ = shelf
    page = visit("/t/finished/replay?step=40", base=server.url, width=width, height=height)
    button = page.locator("[data-play-on]")
    box = button.bounding_box()
    assert box
    assert min(box["width"], box["height"]) >= 44
    assert 0 <= box["y"] <= box["y"] + box["height"] <= height
    button.click()
    dialog = page.locator("#play-on").bounding_box()
    assert dialog
    assert dialog["x"] >= 0
    assert dialog["x"] + dialog["width"] <= width
    assert dialog["y"] >= 0
    assert dialog["y"] + dialog["height"] <= height
    for control in page.locator("#play-on select, #play-on button").all():
        assert (control.bounding_box() or {"height": 0})["height"] >= 44
