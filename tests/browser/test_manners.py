"""Undo, passing the device, and the first steps; by mouse and by keyboard."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.player import GREEDY, check_access, my_turn, picked, post, take_a_seat, version, wait_past
from tests.house.serving import Nursery, Server

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]
ME = {"kind": "me"}


@pytest.fixture(scope="module")
def satchel(nursery: Nursery, tmp_path_factory: pytest.TempPathFactory) -> Server:
    """Start a server with the fixture games: turns of several decisions, secrets."""
    database = f"sqlite:///{tmp_path_factory.mktemp('manners') / 'parlour.db'}"
    return nursery.start(database=database, fixtures=["satchel"])


def sit(page: Page, *seats: dict[str, str], game: str = "satchel") -> str:
    """Create a table with these seats, and go there; return its address."""
    post(page, "/api/me", name="Ann")
    page.goto(post(page, "/api/tables", game=game, seats=list(seats), pace="instant")["url"])
    return page.url


def button(page: Page, name: str) -> None:
    page.locator(".acts").get_by_role("button", name=re.compile(name)).click()


@pytest.mark.whole
def test_taking_back_by_mouse_and_by_keys(visit: Visit, satchel: Server) -> None:
    ann, bob = (visit(base=satchel.url) for _ in range(2))
    sit(ann, ME, {"kind": "open"})
    bob.goto(ann.url)
    take_a_seat(bob)
    expect(ann.locator('[data-key="room"]')).not_to_contain_text("Waiting for")
    ann.get_by_role("button", name="Start").click()
    back = ann.locator(".acts").get_by_role("button", name="Take back")
    coins = ann.locator('[data-key="satchel-0-sum"]')
    expect(ann.locator(".acts button").first).to_be_visible()
    expect(back).to_have_count(0)
    button(ann, "Coin 2")
    expect(coins).to_have_text("+2")
    expect(bob.locator('[data-key="seat-0-total"]')).to_have_text("1")
    expect(bob.locator("[data-undo]")).to_have_count(0)
    back.click()
    expect(coins).to_have_text("0")
    expect(back).to_have_count(0)
    expect(bob.locator('[data-key="seat-0-total"]')).to_have_text("0")
    expect(bob.locator('[data-key="log"]')).to_contain_text("Ann takes back what was done last.")
    expect(ann.locator('[data-key="log"]')).to_contain_text("Ann takes back “coin 2”.")
    for key in ("u", "Backspace"):
        ann.keyboard.press("2")
        expect(coins).to_have_text("+3")
        ann.keyboard.press(key)
        expect(coins).to_have_text("0")
    ann.keyboard.press("2")
    expect(coins).to_have_text("+3")
    ann.keyboard.press("?")
    expect(ann.locator("#keys")).to_contain_text("Take back")
    ann.keyboard.press("Escape")
    check_access(ann, "with something to take back")
    ann.reload()
    expect(back).to_be_visible()
    button(ann, "Close")
    expect(back).to_have_count(0)
    expect(bob.locator(".acts button").first).to_be_visible()


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.suite("390")
def test_the_curtain_between_two_on_one_device(visit: Visit, satchel: Server, width: int) -> None:
    page = visit(base=satchel.url, width=width, height=800)
    sit(page, ME, {"kind": "here", "name": "Bob"})
    curtain = page.locator(".curtain")
    for name, other in (("Ann", "Bob"), ("Bob", "Ann")):
        expect(curtain).to_contain_text(f"Pass to {name}")
        expect(page.locator(".scene")).to_be_hidden()
        assert page.locator("[data-action]").count() == 0
        assert "ticket: 0" not in page.content().replace("hidden", "")
        page.keyboard.press("Enter")  # a key press meant for the previous move
        page.keyboard.press("4")
        expect(curtain).to_be_visible()
        check_access(page, f"curtain, {width}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.reload()
        expect(curtain).to_contain_text(f"Pass to {name}")
        page.get_by_role("button", name=re.compile(f"I am {name}")).click()
        expect(curtain).to_have_count(0)
        expect(page.locator(".scene")).to_be_visible()
        content = re.sub("</?bdi>", "", page.content())
        assert re.search(f"{name}(&#x27;|')s ticket: [0-3]", content)
        assert re.search(f"{other}(&#x27;|')s ticket: hidden", content)
        page.reload()
        expect(page.locator(".scene")).to_be_visible()
        button(page, "Coin 3")
        expect(page.locator('[data-key="log"]')).to_contain_text("a coin of 3")
        button(page, "Close")
        expect(curtain).to_be_visible()
        expect(page.locator("#pass-to")).to_be_focused()
        expect(page.locator('[data-key="log"]')).not_to_contain_text("a coin of 3")
        assert page.locator('[data-key="log"] li').count() > 3  # the public events are there
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(curtain).to_have_count(0)
    expect(page.locator(".acts")).to_be_focused()


@pytest.mark.whole
def test_an_open_game_is_passed_without_a_curtain(visit: Visit) -> None:
    page = visit()
    page.goto("/")
    sit(page, ME, {"kind": "here", "name": "Bob"}, game="fortune")
    seen: set[str] = set()
    while seen != {"Ann", "Bob"}:  # a turn may be lost at its first roll, so the next player is random
        assert my_turn(page)
        expect(page.locator(".curtain")).to_have_count(0)
        seen.add(page.locator('[data-key="own"] .name').inner_text().split()[0])
        before = version(page)
        page.locator('[data-key="b-stop"][data-action]').click()
        wait_past(page, before)


@pytest.mark.whole
def test_pass_and_play_asks_who_plays_and_shows_them(visit: Visit) -> None:
    page = visit("/")
    card = picked(page, "fortune")
    card.get_by_role("button", name="Pass and play").click()
    dialog = page.get_by_role("dialog", name="Pass and play: Fortune")
    dialog.get_by_label("Your name").fill("Ann")
    dialog.get_by_label("Player 2").fill("Cid")
    dialog.get_by_role("button", name="Another player").click()
    expect(dialog.get_by_label("Player 3")).to_be_focused()
    check_access(page, "who passes and plays")
    dialog.get_by_role("button", name="Start").click()
    page.wait_for_url(re.compile("/t/"))
    expect(page.locator(".scene .board")).to_be_visible()
    for name in ("Ann", "Cid", "Player 3"):
        expect(page.locator(".scene")).to_contain_text(name)
    page.goto("/")
    picked(page, "fortune").get_by_role("button", name="More choices").click()
    card = page.locator("dialog.game-fortune")
    name = card.get_by_label("Name of the player in seat 2 on this device")
    expect(name).to_be_hidden()
    card.get_by_label("Seat 2", exact=False).first.select_option("here")
    name.fill("Cid")
    check_access(page, "lobby with a name")
    card.get_by_role("button", name="Open the table").click()
    page.wait_for_url(re.compile("/t/"))
    expect(page.locator(".scene")).to_contain_text("Cid")


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (1280, "dark")])
@pytest.mark.whole
def test_the_first_steps(visit: Visit, width: int, scheme: str) -> None:
    page = visit(guide=True, width=width, height=844, color_scheme=scheme)
    sit(page, ME, GREEDY, game="fortune")
    guide, count = page.locator("#guide"), page.locator("#guide .count")
    expect(guide).to_be_visible()
    expect(page.get_by_role("dialog", name="First steps, 1 of 6")).to_be_visible()
    assert not re.search(r"[A-Z]{2}-\d", guide.inner_text())  # clause numbers mean nothing to beginners
    expect(guide.get_by_role("link", name="Rule")).to_have_attribute("href", "/rules/fortune#FO-25")
    check_access(page, "first steps")
    for step in range(1, 7):
        expect(count).to_have_text(f"First steps, {step} of 6")
        expect(guide).to_be_in_viewport(ratio=0.99)
        if key := page.locator("#guide li:not([hidden])").get_attribute("data-at"):
            expect(page.locator(".guide-ring")).to_be_visible()
            thing, ring = (page.locator(one).bounding_box() for one in (f'.scene [data-key="{key}"]', ".guide-ring"))
            assert thing is not None
            assert ring is not None
            assert abs(thing["x"] - ring["x"]) < 12
        if step < 6:
            page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    expect(count).to_have_text("First steps, 5 of 6")
    guide.get_by_role("button", name="Next").click()
    guide.get_by_role("button", name="Play").click()
    expect(guide).to_be_hidden()
    expect(page.locator(".guide-ring")).to_have_count(0)
    page.reload()
    expect(page.locator(".prompt")).to_be_visible()
    expect(guide).to_be_hidden()  # once is enough
    if width == 390:
        page.get_by_role("button", name="Log").click()
    page.locator("#tab-about").click()
    page.get_by_role("button", name="Show the first steps").click()
    expect(count).to_have_text("First steps, 1 of 6")
    expect(guide).to_be_focused()
    page.keyboard.press("Escape")
    expect(guide).to_be_hidden()
    assert page.evaluate("document.activeElement !== document.body")


@pytest.mark.whole
def test_the_first_steps_never_stand_in_the_way(visit: Visit) -> None:
    """You can play with them open; they are for players, not for spectators; and Escape closes them for good."""
    page = visit(guide=True)
    address = sit(page, ME, {"kind": "here", "name": "Bob"}, game="fortune")
    expect(page.locator("#guide")).to_be_visible()
    before = page.get_attribute("main", "data-version")
    page.keyboard.press("s")
    page.wait_for_function("(was) => document.querySelector('main').dataset.version !== was", arg=before, polling=40)
    expect(page.locator("#guide")).to_be_visible()
    eve = visit(address, guide=True)
    expect(eve.locator(".prompt")).to_be_visible()
    expect(eve.locator("#guide")).to_be_hidden()
    page.reload()
    expect(page.locator("#guide")).to_be_visible()  # they were not closed, and it is still the beginning
    page.keyboard.press("Escape")
    expect(page.locator("#guide")).to_be_hidden()
    sit(page, ME, GREEDY, game="fortune")
    expect(page.locator(".prompt")).to_be_visible()
    expect(page.locator("#guide")).to_be_hidden()
    page.get_by_role("button", name="Help").click()
    page.locator("#keys").get_by_role("button", name="First steps").click()
    expect(page.locator("#keys")).to_be_hidden()
    expect(page.locator("#guide")).to_be_focused()


def until_turn(path: str, whose: Page, mover: Page) -> None:
    """Let `mover` and bots move until it is the turn of `whose`."""
    for _ in range(400):
        mine, theirs = (one.evaluate("async (path) => (await fetch(path)).json()", path) for one in (whose, mover))
        if mine["legal"]:
            return
        if legal := theirs["legal"]:
            move = "stop" if "stop" in legal else legal[0]
            post(mover, f"{path}/moves", move=move, version=theirs["table"]["version"])
        mover.wait_for_timeout(20)
    raise AssertionError("their turn did not come")


@pytest.mark.whole
def test_bots_wait_for_whoever_reads_the_first_steps(visit: Visit) -> None:
    """The board does not change behind them, until the player closes them or moves (also on another device:
    test_first_steps.py)."""
    ann, bob = visit(guide=True), visit()
    address = sit(ann, ME, {"kind": "open"}, GREEDY, game="fortune")
    post(bob, "/api/me", name="Bob")
    bob.goto(address)
    path, main = f"/api/tables/{ann.get_attribute('main', 'data-table')}", ann.locator("main")
    post(bob, f"{path}/sit")
    post(ann, f"{path}/start")
    expect(ann.locator("#guide")).to_be_visible()
    ann.keyboard.press("Escape")
    until_turn(path, bob, ann)
    before = version(ann)
    expect(main).to_have_attribute("data-version", str(before))
    ann.get_by_role("button", name="Help").click()
    ann.locator("#keys").get_by_role("button", name="First steps").click()
    until_turn(path, ann, bob)  # the bot has moved as well
    ann.wait_for_timeout(500)
    expect(main).to_have_attribute("data-version", str(before))
    ann.keyboard.press("Escape")
    expect(main).to_have_attribute("data-version", str(version(ann)))


@pytest.mark.whole
def test_the_first_steps_come_only_at_the_beginning(visit: Visit) -> None:
    page = visit()
    page.goto("/")
    sit(page, ME, {"kind": "here", "name": "Bob"}, game="fortune")
    while (at := version(page)) <= 60:
        post(page, f"/api/tables/{page.get_attribute('main', 'data-table')}/moves", move="stop", version=at)
        wait_past(page, at)
    friend = visit(friend_of=page)
    friend.add_init_script("localStorage.clear()")  # a person who has never seen them
    friend.goto(page.url)
    expect(friend.locator(".prompt")).to_be_visible()
    expect(friend.locator("#guide")).to_be_hidden()


COUNTED = """async () => {
  const { look, show } = await import(new URL("motion.js", document.querySelector("script[type=module]").src));
  const root = document.querySelector(".scene"), node = root.querySelector("[data-count]");
  const seen = look(root), texts = new Set();
  node.dataset.count = 1250;
  node.textContent = "1,250";
  let moved = false, going = true;
  show(root, seen, "").then(() => (going = false));
  while (going) {
    await new Promise(requestAnimationFrame);
    texts.add(node.textContent);
    moved ||= node.getAnimations().length > 0;
  }
  return [moved, ...texts];
}"""


@pytest.mark.whole
def test_a_number_that_changes_never_shows_a_false_value(visit: Visit) -> None:
    page = visit(reduced_motion="no-preference")
    page.goto("/")
    sit(page, ME, {"kind": "here", "name": "Bob"}, game="fortune")
    expect(page.locator(".scene [data-count]").first).to_be_visible()
    assert page.evaluate(COUNTED) == [True, "1,250"]
