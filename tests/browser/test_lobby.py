"""The lobby: what it shows at first sight, your tables as they are now, and every choice in a dialog."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from parlour.games import all_games, find
from parlour.house.site.titles import title_of
from parlour.house.today.deeds import kinds
from tests.browser.player import (
    BARE,
    GREEDY,
    check_access,
    from_menu,
    my_turn,
    picked,
    play_to_the_end,
    post,
    take_a_seat,
)

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]
BOXES = """(all) => all.map((one) => {
  const box = one.getBoundingClientRect();
  return [Math.round(box.top), box.width / box.height, box.bottom];
})"""
TITLES = [title_of(game.name, ruleset) for game, ruleset in kinds()]  # each has its day on the lobby's card
SAY = "(one, title) => { one.textContent = title; }"


@pytest.mark.parametrize(
    ("width", "height"), [(320, 568), (360, 740), (375, 812), (390, 844), (820, 1180), (1280, 800)]
)
@pytest.mark.suite("390-*", "1280-*")
def test_the_lobby_is_one_screen_at_every_width(visit: Visit, width: int, height: int) -> None:
    """On a phone, what is not for the first minute is behind tabs. A tiny phone may scroll a little, never sideways."""
    page = visit("/", width=width, height=height)
    tiles = page.locator(".tile .cover").evaluate_all(BOXES)
    assert len(tiles) == len(all_games())
    assert len({top for top, _, _ in tiles}) == 1  # the games are a row
    expect(page.locator("h1")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Play a bot")).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    if width < 768:
        for title in TITLES:
            page.locator("#today-title a").evaluate(SAY, title)
            tall = page.evaluate("document.documentElement.scrollHeight")
            assert tall <= (height if width > 320 else 1.5 * height), title
        expect(page.locator('[data-key="waiting"] h2')).to_be_hidden()
        page.get_by_role("radio", name="Tables").check()
    expect(page.locator('[data-key="waiting"]')).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    if width == 390:
        check_access(page, "lobby, phone")


def test_games_and_tabs_are_chosen_before_any_script_runs(visit: Visit) -> None:
    page = visit("/", width=390, height=844, java_script_enabled=False)
    card = picked(page, "gatsby")
    expect(card.get_by_role("button", name="Play a bot")).to_be_visible()
    expect(page.locator("article.game-fortune .about")).to_be_hidden()
    page.get_by_role("radio", name="Past games").check()
    expect(page.get_by_text("No games yet.")).to_be_visible()
    page.locator(".menu summary").click()
    page.get_by_role("link", name="Notifications").click()
    page.wait_for_url("**/me#notifications")
    page.get_by_role("link", name="Privacy").click()
    expect(page.get_by_role("heading", name="Privacy")).to_be_visible()


@pytest.mark.whole
def test_the_menu_is_used_by_keys(visit: Visit) -> None:
    page = visit("/")
    menu = page.locator(".menu summary")
    menu.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Settings")).to_be_visible()
    check_access(page, "the menu")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Your games and account")).to_be_focused()
    page.keyboard.press("Escape")
    expect(menu).to_be_focused()
    expect(page.get_by_role("link", name="Settings")).to_be_hidden()
    menu.click()
    page.locator("h1").click()
    expect(page.get_by_role("link", name="Settings")).to_be_hidden()


def test_on_a_phone_whole_rows_of_open_tables_fill_what_is_empty(visit: Visit) -> None:
    page, other = visit("/", width=390, height=844), visit("/")
    post(page, "/api/tables", game="gatsby", seats=[{"kind": "me"}, GREEDY])
    for name in ("Bartholomew Roberts", "Grace O'Malley"):
        post(other, "/api/me", name=name)
        for game in ("fortune", "gatsby"):
            post(other, "/api/tables", game=game, seats=[{"kind": "me"}, {"kind": "open"}], public=True)
    page.goto("/")
    rows, area = page.locator('[data-key="waiting"] li'), page.locator('[data-shelf="tables"]').bounding_box()
    assert area is not None
    seen = [box for row in rows.all() if (box := row.bounding_box()) and box["x"] < 390]
    assert seen
    assert all(box["y"] + box["height"] <= area["y"] + area["height"] for box in seen)
    assert page.evaluate("document.documentElement.scrollHeight") <= 844
    page.get_by_role("radio", name="Past games").check()
    expect(rows.first).to_be_hidden()
    new = visit("/", width=390, height=844)  # the welcome leaves a few pixels: no part of a row is in them
    rows, area = new.locator('[data-key="waiting"] li'), new.locator('[data-shelf="tables"]').bounding_box()
    assert area is not None
    assert area["height"] < 57
    assert rows.count() >= 4  # others may have left some
    lefts = [box["x"] for row in rows.all() if (box := row.bounding_box())]
    assert min(lefts) >= 365


@pytest.mark.whole
def test_a_table_of_ones_own_leads_and_the_rest_is_folded(visit: Visit) -> None:
    page, other = visit("/", width=390, height=844), visit("/")
    for number in range(6):
        post(page, "/api/tables", game="gatsby", seats=[{"kind": "me"}, {"kind": "open"}], public=number > 0)
    made = post(page, "/api/tables", game="fortune", pace="instant", seats=[{"kind": "me"}, GREEDY])
    page.goto(made["url"])
    assert my_turn(page)
    page.goto("/")
    first = page.locator(".yours li").first
    expect(first).to_contain_text("your turn")
    expect(first).to_contain_text("Continue")
    expect(page.locator(".tile input:checked")).to_have_count(0)  # one card leads
    assert page.locator(".yours li:visible").count() == 6
    assert first.locator("bdi").all_inner_texts() == ["Greedy bot"]  # not the guest's own name
    row = page.locator(".yours .in-row li").all()
    tops = {one.evaluate("(one) => Math.round(one.getBoundingClientRect().top)") for one in row}
    assert len(tops) == 1
    assert max(one.evaluate("(one) => one.offsetHeight") for one in row) <= 76
    expect(page.locator(".shelf-tabs")).to_be_in_viewport(ratio=1)  # all that a phone shows is one screen
    page.get_by_text("1 more table of yours").click()
    assert page.locator(".yours li:visible").count() == 7
    for width, height in ((768, 1024), (820, 1180), (1000, 800), (1280, 800)):  # today's game is a line
        page.set_viewport_size({"width": width, "height": height})
        for title in TITLES:
            page.locator("#today-title a").evaluate(SAY, title)
            assert page.locator(".today").evaluate("(one) => one.offsetHeight") <= 90, (width, title)
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    expect(page.locator(".people")).to_contain_text("here")
    other.close()
    first.get_by_role("link").click()
    page.wait_for_url(made["url"])


NO_ROOM = {"error": {"code": "too-fast", "message": "You already have 12 pages open.", "clause": "", "allowed": []}}


@pytest.mark.whole
def test_the_lists_follow_by_themselves(visit: Visit) -> None:
    page, other = visit("/"), visit("/")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    post(other, "/api/me", name="Bob")
    waits = post(other, "/api/tables", game="fortune", seats=[{"kind": "me"}, {"kind": "open"}])
    row = page.locator(f'[data-key="waiting-{waits["id"]}"]')
    expect(row).to_contain_text("Bob is waiting")
    expect(row).to_contain_text("1 of 2 free")
    seated = page.evaluate(
        "async (id) => (await fetch(`/api/tables/${id}/sit`, {method: 'POST', body: '{}',"
        " headers: {'Content-Type': 'application/json'}})).ok",
        waits["id"],
    )
    assert seated
    running = page.locator(".running")
    expect(running.locator("li")).to_have_count(1)  # now it is the guest's own
    expect(row).to_have_count(0)
    post(other, f"/api/tables/{waits['id']}/leave")
    post(page, f"/api/tables/{waits['id']}/leave")
    expect(running).to_be_hidden()
    expect(page.locator(".net")).to_be_hidden()
    assert not any("only=tables" in one for one in asked)


@pytest.mark.whole
def test_behind_a_proxy_who_waits_says_that_they_are_there(visit: Visit) -> None:
    page = visit("/", extra_http_headers={"X-Forwarded-For": "192.0.2.1"})
    said: list[str] = []
    page.on("request", lambda request: said.append(request.url) if "/here?" in request.url else None)
    expect(page.locator("main")).to_be_visible()
    with page.expect_response(lambda answer: "/api/lobby/here?pulse=" in answer.url, timeout=60_000) as answered:
        post(page, "/api/lobby/play", game="fortune")
        assert not said  # before that it did not matter
    assert answered.value.status == 204
    expect(page.locator(".net")).to_be_hidden()
    post(page, "/api/lobby/stop")


@pytest.mark.whole
def test_a_page_without_a_stream_looks_every_five_seconds_and_says_so(visit: Visit) -> None:
    page = visit("/")
    page.clock.install(time=0)
    page.clock.pause_at(1_000)  # otherwise time on the page runs
    page.route(
        "**/api/lobby/events**",
        lambda route: route.fulfill(status=429, json=NO_ROOM, headers={"Retry-After": "30"}),
    )
    page.goto("/")
    expect(page.locator(".net")).to_contain_text("You already have 12 pages open.")
    expect(page.locator(".net")).to_contain_text("refresh every five seconds")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    running = page.locator(".running")
    expect(running).to_be_hidden()
    other = visit(BARE)  # the same person on another page, where time runs
    other.context.add_cookies(page.context.cookies())
    other.goto("/")
    page.clock.fast_forward(6000)
    post(other, "/api/tables", game="fortune", seats=[{"kind": "me"}, {"kind": "open"}])
    made = post(other, "/api/tables", game="fortune", pace="instant", seats=[{"kind": "me"}, GREEDY])
    other.goto(made["url"])
    assert my_turn(other)
    page.clock.fast_forward(4000)
    page.clock.fast_forward(2000)
    expect(running.locator("li")).to_have_count(2)
    expect(running.locator("li").first).to_contain_text("your turn")
    assert len(asked) == 2
    assert all(one.endswith("/?only=tables") for one in asked)
    page.unroute("**/api/lobby/events**")
    page.clock.fast_forward(40_000)
    expect(page.locator(".net")).to_be_hidden()  # live updates are back


@pytest.mark.whole
def test_a_page_that_is_not_seen_holds_no_stream(visit: Visit) -> None:
    page = visit("/")
    expect(page.locator('[data-key="waiting"]')).to_be_visible()
    hide = "(hidden) => { Object.defineProperty(document, 'hidden', {configurable: true, get: () => hidden});"
    hide += " document.dispatchEvent(new Event('visibilitychange')); }"
    page.evaluate(hide, True)
    made = post(page, "/api/tables", game="fortune", seats=[{"kind": "me"}, {"kind": "open"}])
    page.wait_for_timeout(2500)  # no change may come: this is longer than one takes
    expect(page.locator(".running")).to_be_hidden()
    page.evaluate(hide, False)
    expect(page.locator(f'[data-key="now-{made["id"]}"]')).to_be_visible()


@pytest.mark.whole
def test_one_looks_for_a_game_and_for_so_many_players_and_finds_that_again(visit: Visit) -> None:
    other, page = visit("/"), visit("/", width=390, height=844)
    name = f"Ann {random.randrange(10**9)}"
    post(other, "/api/me", name=name)
    battle = {"game": "family-trade", "options": {"ruleset": "battle-royale"}}
    for seats, body in ((2, {"game": "fortune"}), (3, {"game": "fortune"}), (3, battle | {"tempo": "quick"})):
        post(other, "/api/tables", **body, seats=[{"kind": "me"}, *[{"kind": "open"}] * (seats - 1)])
    page.locator("[name=shelf][value=tables]").check()  # on a phone one shelf at a time
    rows = page.locator('[data-key="waiting"] li', has_text=name)
    expect(rows).to_have_count(3)
    seen = rows.locator("visible=true")
    form = page.get_by_role("form", name="Filter tables")
    form.get_by_label("Tables for").select_option("Fortune")
    expect(seen).to_have_count(2)
    form.get_by_label("Players").select_option("3")
    expect(seen).to_have_count(1)
    later = post(other, "/api/tables", game="fortune", seats=[{"kind": "me"}, {"kind": "open"}])
    expect(page.locator(f'[data-key="waiting-{later["id"]}"]')).to_be_attached()
    expect(seen).to_have_count(1)  # later tables are filtered too
    form.get_by_label("Tables for").select_option("Family Trade: Battle Royale")
    page.reload()
    page.locator("[name=shelf][value=tables]").check()
    expect(form.get_by_label("Tables for")).to_have_value("family-trade.battle-royale")
    expect(seen).to_have_count(1)
    expect(seen).to_contain_text("Battle Royale")
    for field, choice, found in (
        ("clocks", "hours or days", 0),
        ("clocks", "live clocks", 1),
        ("rated", "yes", 0),
        ("rated", "no", 1),
    ):
        form.locator(f"select[name={field}]").select_option(choice)
        expect(seen).to_have_count(found)
    form.get_by_label("Players").select_option("4")
    expect(seen).to_have_count(0)
    none = page.locator('[data-key="waiting"] [data-none]')
    expect(none).to_contain_text("No one is waiting for that.")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    check_access(page, "lobby, filtered")
    none.get_by_role("button", name="Show all").click()
    expect(seen).to_have_count(4)


@pytest.mark.whole
def test_a_table_that_waits_is_deleted_when_one_was_asked(visit: Visit) -> None:
    page, other = visit("/", width=390, height=844), visit("/")
    name = f"Ann {random.randrange(10**9)}"
    post(page, "/api/me", name=name)
    made = post(page, "/api/tables", game="fortune", seats=[{"kind": "me"}, {"kind": "open"}])
    seen = other.locator(f'[data-key="waiting-{made["id"]}"]')
    expect(seen).to_be_visible()
    expect(other.locator('[data-key="waiting"]')).to_contain_text("removed after 7 days")
    page.locator(".running").get_by_role("button", name="Delete this table: Fortune").click()
    dialog = page.get_by_role("dialog", name="Delete this table?")
    check_access(page, "lobby, deleting")
    dialog.get_by_role("button", name="Keep it").click()
    expect(dialog).to_be_hidden()
    expect(seen).to_be_visible()
    page.locator(".running").get_by_role("button", name="Delete this table: Fortune").click()
    dialog.get_by_role("button", name="Delete", exact=True).click()
    expect(seen).to_have_count(0)
    expect(page.locator(".running")).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.whole
def test_a_finished_game_leaves_ones_list_and_comes_back(visit: Visit) -> None:
    page = visit("/")
    table = play_to_the_end(page)
    page.goto("/")
    row = page.locator(f'[data-key="past-{table}"]')
    row.get_by_role("button", name="Remove this game from your list: Fortune").click()
    expect(row).to_have_count(0)
    check_access(page, "lobby, a game removed")
    page.get_by_role("button", name="Put it back").click()
    expect(row).to_be_visible()
    expect(page.get_by_role("button", name="Put it back")).to_be_hidden()


def finished_by(ann: Page, bob: Page) -> str:
    """Return the table of a game that two have finished."""
    made = post(
        ann, "/api/tables", game="fortune", options={"target": "5000", "finish": "at_least"}, public=False,
        seats=[{"kind": "me"}, {"kind": "open"}],
    )  # fmt: skip
    path = f"/api/tables/{made['id']}"
    post(bob, f"{path}/sit")
    post(ann, f"{path}/start")
    for _ in range(2000):
        for page in (ann, bob):
            seen = page.evaluate("async (path) => (await fetch(path)).json()", path)
            if seen["table"]["status"] == "over":
                return str(made["id"])
            if seen["legal"]:
                post(page, f"{path}/moves", move=seen["legal"][0], version=seen["table"]["version"])
    raise AssertionError("the game did not end")


@pytest.mark.whole
def test_one_invites_again_and_they_accept_in_the_lobby_or_on_another_page(visit: Visit) -> None:
    ann, bob = visit("/"), visit("/", width=390, height=844)
    for page, name in ((ann, "Ann"), (bob, "Bob")):
        post(page, "/api/me", name=name)
    finished = finished_by(ann, bob)
    ann.goto("/")
    press = ann.locator('[data-key="past"]').get_by_role("button", name="Bob Fortune")
    press.click()
    ann.wait_for_url(re.compile("/t/"))
    invitation = bob.locator('[data-key="invited"]')
    expect(invitation).to_contain_text("Ann invites you to Fortune.")
    expect(bob).to_have_title("(1) Parlour")
    assert bob.evaluate("document.documentElement.scrollWidth") <= 390
    check_access(bob, "lobby, invited")
    bob.goto(f"/t/{finished}")
    bar = bob.get_by_role("complementary", name="Invitation")
    expect(bar).to_contain_text("Ann invites you to Fortune.")
    expect(bob).to_have_title("(1) Fortune")
    assert bob.evaluate("document.documentElement.scrollWidth") <= 390
    check_access(bob, "table, invited")
    bar.get_by_role("button", name="Decline").click()
    expect(bar).to_be_hidden()
    expect(ann.locator('[data-key="chat"]')).to_contain_text("I can't make it this time.")
    post(ann, f"/api/tables/{ann.url.rsplit('/', 1)[1]}/delete")
    ann.goto("/")
    press.click()
    ann.wait_for_url(re.compile("/t/"))
    bob.goto("/")
    invitation.get_by_role("button", name="Accept").click()
    bob.wait_for_url(ann.url)
    bob.locator(".scene .board").wait_for()  # all have accepted


@pytest.mark.whole
def test_two_who_press_the_same_play_with_each_other(visit: Visit) -> None:
    ann, bob = visit("/", width=390, height=844), visit("/")
    for page, name in ((ann, "Ann"), (bob, "Bob")):
        post(page, "/api/me", name=name)
    now = "Play now"
    ann.locator("[name=shelf][value=now]").check()  # on a phone one shelf at a time
    expect(ann.get_by_role("region", name=now).get_by_role("link", name="Fortune", exact=True)).to_be_visible()
    ann.get_by_role("region", name=now).get_by_role("button", name="God of the Market").click()
    waits = ann.locator('[data-key="wish"]')
    expect(waits).to_contain_text("Looking for 1 more player for God of the Market.")
    assert ann.evaluate("document.documentElement.scrollWidth") <= 390
    check_access(ann, "lobby, waiting for a partner")
    waits.get_by_role("button", name="Stop looking").click()
    expect(waits).to_have_count(0)
    bob.get_by_label("Time").and_(bob.locator(".asks select")).select_option("quick clocks")
    bob.get_by_role("region", name=now).get_by_role("button", name="God of the Market").click()
    expect(bob.locator('[data-key="wish"]')).to_contain_text("5 min each")  # the other has stopped asking
    row = ann.locator("li", has_text="1 person is waiting: God of the Market, 2 players, 5 min each")
    expect(bob.locator("li", has_text="waiting: God of the Market")).to_have_count(0)
    ann.locator("[name=shelf][value=tables]").check()
    check_access(ann, "lobby, one person waits")
    assert ann.evaluate("document.documentElement.scrollWidth") <= 390
    row.get_by_role("button", name="Play").focus()
    ann.keyboard.press("Enter")
    for page in (ann, bob):
        page.wait_for_url(re.compile("/t/"))
    assert ann.url == bob.url
    expect(ann.locator('[data-key="scene"] .board')).to_be_visible()
    expect(ann.locator(".seat .clock").first).to_be_visible()


def test_a_ruleset_is_chosen_by_what_it_is_and_the_dialog_asks_for_a_name(visit: Visit) -> None:
    page = visit("/")
    game = find("family-trade")
    card = picked(page, "family-trade")
    line = game.ruleset_line("battle-royale")
    assert line.startswith("Battle Royale: ")
    card.get_by_label(line).check()
    card.get_by_role("button", name="More choices").click()
    dialog = page.get_by_role("dialog", name="Family Trade")
    expect(dialog.locator('[name="option:ruleset"]')).to_have_value("battle-royale")
    dialog.get_by_label("Your name").fill("Ann")
    dialog.get_by_role("button", name="Open the table").click()
    page.wait_for_url(re.compile("/t/"))
    expect(page.locator("[data-me]")).to_have_text("Ann")
    page.goto("/")
    picked(page, "family-trade").get_by_role("button", name="More choices").click()
    expect(dialog).to_be_visible()
    expect(dialog.get_by_label("Your name")).to_be_hidden()
    page.keyboard.press("Escape")
    card.get_by_label(line).check()
    card.get_by_role("button", name="Play a bot").click()
    page.wait_for_url(re.compile("/t/"))
    table = page.get_attribute("main", "data-table")
    seen = page.evaluate("async (table) => (await (await fetch(`/api/tables/${table}`)).json()).table", table)
    assert [option["value"] for option in seen["options"] if option["name"] == "ruleset"] == ["battle-royale"]


@pytest.mark.whole
def test_a_name_taken_in_a_game_is_in_its_seat_its_log_and_for_the_others(visit: Visit) -> None:
    """One name is written from right to left, one is as wide as possible: the words around stay, and nothing breaks."""
    pages = [visit("/", width=390, height=844) for _ in range(2)]
    made = post(pages[0], "/api/tables", game="fortune", pace="instant", seats=[{"kind": "me"}, {"kind": "open"}])
    pages[0].goto(made["url"])
    expect(pages[0].get_by_label("What should we call you?")).to_be_visible()  # no board yet
    pages[1].goto(pages[0].url)
    take_a_seat(pages[1])
    pages[0].get_by_role("button", name="Start").click()
    for page in pages:
        page.locator('[data-key="scene"] .board').wait_for()
        expect(page.get_by_label("What should we call you?")).to_be_hidden()
    log = '[data-key="log"] bdi'
    before = pages[0].locator(log).first.text_content() or ""  # the first player is random; the log names only them
    seat = [page.locator("[data-me]").inner_text() for page in pages].index(before)
    ann = pages[seat]
    for name in ("\u05d3\u05e0\u05d4 \u05db\u05d4\u05df", "W" * 24):
        from_menu(ann, "Change your name")
        ann.locator("#name").get_by_label("Name").fill(name)
        ann.locator("#name").get_by_role("button", name="Save").click()
        for page in pages:
            expect(page.locator(f'[data-key="seat-{seat}"] bdi:text-is("{name}")').first).to_be_attached()
            expect(page.locator(log).filter(has_text=name)).not_to_have_count(0)
        assert ann.evaluate("document.documentElement.scrollWidth") <= 390
    for page in pages:
        for key in ("scene", "table", "log"):  # announcements stay as they were
            expect(page.locator(f'main [data-key="{key}"]')).not_to_contain_text(before)
