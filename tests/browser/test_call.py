"""Calling players back to a hidden page: the title, the icon, the badge, and a generated sound."""

from __future__ import annotations

import http.server
import json
import queue
import re
import sqlite3
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.player import check_access, post, table
from tests.house.serving import Nursery

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]

# The page is hidden, as a browser reports a tab behind another; sounds and the badge are noted.
AWAY = """() => {
  window.badge = [];
  navigator.setAppBadge = async (n) => badge.push(n);
  navigator.clearAppBadge = async () => badge.push(0);
  document.hasFocus = () => false;
  window.dispatchEvent(new Event("blur"));
}"""
HIDE = """(hidden) => {
  Object.defineProperty(document, "hidden", {value: hidden, configurable: true});
  document.dispatchEvent(new Event("visibilitychange"));
}"""
STREAMS = """window.streams = [];
window.EventSource = class extends EventSource {
  constructor(url) { super(url); streams.push(this); }
};"""
CLOSED = 2  # EventSource.readyState
BACK = "() => { delete document.hasFocus; window.dispatchEvent(new Event('focus')); }"
LISTEN = """
window.notes = [];
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (at) {
  window.notes.push(this.frequency.value);
  return start.call(this, at);
};
"""


def two(visit: Visit, base: str = "") -> tuple[Page, Page, str]:
    """Return Ann, who listens, and Bob, at a game in which it is or becomes Bob's turn."""
    ann, bob = (visit(base=base) for _ in range(2))
    ann.add_init_script(LISTEN)
    post(ann, "/api/me", name="Ann")
    post(bob, "/api/me", name="Bob")
    post(ann, "/api/me/preferences", name="volume", value="0")  # sounds of the table have tests of their own
    name = table(ann, seats=[{"kind": "me"}, {"kind": "open"}])
    post(bob, f"/api/tables/{name}/sit")
    post(ann, f"/api/tables/{name}/start")
    bob.goto(ann.url)
    return ann, bob, name


MOVES = """async (table) => {
  const seen = await (await fetch("/api/tables/" + table)).json();
  if (!seen.legal.length) return false;
  const move = seen.legal.includes("stop") ? "stop" : seen.legal[0];
  const answer = await fetch("/api/tables/" + table + "/moves", {
    method: "POST", headers: {"Content-Type": "application/json"},
    body: JSON.stringify({move, version: seen.table.version})
  });
  return answer.ok;
}"""


def wake(page: Page) -> None:
    """Make a gesture after which Chromium lets the page play sounds: a modifier key such as Shift is not enough."""
    page.mouse.click(1, 1)


def give_turn(whose: Page, to: Page, name: str) -> None:
    """Let `whose` move until it is the other's turn."""
    for _ in range(200):
        if to.evaluate("async (t) => (await (await fetch('/api/tables/' + t)).json()).legal.length > 0", name):
            return
        whose.evaluate(MOVES, name)
    raise AssertionError("the turn did not pass")


@pytest.mark.whole
def test_whoever_looks_elsewhere_is_called_and_is_called_once(visit: Visit) -> None:
    ann, bob, name = two(visit)
    ann.locator("h1.sr").wait_for(state="attached")
    give_turn(ann, bob, name)
    expect(ann).not_to_have_title("Your turn: Fortune")
    ann.locator(".brand").hover()
    wake(ann)
    ann.evaluate(AWAY)
    assert ann.evaluate("notes.length") == 0
    give_turn(bob, ann, name)
    expect(ann).to_have_title("Your turn: Fortune")
    expect(ann.locator("link[rel=icon]")).to_have_attribute("href", icon("icon-turn.svg"))
    ann.wait_for_function("() => notes.length === 3")  # the bell
    assert ann.evaluate("badge") == [1]
    post(bob, f"/api/tables/{name}/chat", text="Hello")
    ann.wait_for_function("() => notes.length === 4")  # and one note
    ann.evaluate(BACK)
    expect(ann.locator("link[rel=icon]")).to_have_attribute("href", icon("icon.svg"))
    assert ann.evaluate("badge") == [1, 0]


@pytest.mark.whole
def test_a_sound_is_chosen_heard_and_muted(visit: Visit) -> None:
    ann, bob, name = two(visit)
    give_turn(ann, bob, name)
    ann.locator("[data-help]").click()
    ann.get_by_role("button", name="Preferences").click()
    choice = ann.get_by_label("Alert sound")
    expect(choice).to_have_value("bell")
    choice.select_option("harp")
    ann.wait_for_function("() => notes.length === 3")  # the chosen sound plays once
    with ann.expect_response(
        lambda answer: answer.url.endswith("/preferences") and "off" in (answer.request.post_data or "")
    ):
        choice.select_option("off")
    ann.reload()
    wake(ann)
    ann.evaluate(AWAY)
    give_turn(bob, ann, name)
    expect(ann).to_have_title("Your turn: Fortune")
    assert ann.evaluate("notes.length") == 0
    expect(ann.locator("[data-prefer=sound]")).to_have_value("off")


@pytest.mark.whole
def test_who_looks_is_left_alone(visit: Visit) -> None:
    ann, bob, name = two(visit)
    give_turn(ann, bob, name)
    ann.bring_to_front()
    ann.evaluate("document.hasFocus = () => true")
    wake(ann)
    give_turn(bob, ann, name)
    expect(ann).to_have_title("Your turn: Fortune")
    assert ann.evaluate("notes.length") == 0


def test_a_phone_that_was_put_away_is_seen_as_gone_and_comes_back(visit: Visit) -> None:
    page = visit(has_touch=True, is_mobile=True, width=390, height=844)
    page.add_init_script(STREAMS)
    page.clock.install()
    with page.expect_response(lambda one: "/events" in one.url):
        table(page, seats=[{"kind": "me"}, {"kind": "open"}])
    page.evaluate(HIDE, True)
    page.clock.run_for(29_000)
    assert page.evaluate("streams.at(-1).url").endswith("&hidden=2")
    assert page.evaluate("streams.at(-1).readyState") < CLOSED
    page.clock.run_for(2_000)
    assert page.evaluate("streams.at(-1).readyState") == CLOSED
    with page.expect_request(lambda one: "/events" in one.url and "hidden" not in one.url):
        page.evaluate(HIDE, False)


@pytest.mark.whole
def test_who_leaves_the_page_open_behind_others_is_notified_and_who_looks_is_not(
    visit: Visit, nursery: Nursery, tmp_path: Path
) -> None:
    """The house waits two seconds, and there is a webhook. Meanwhile the page still calls by its title."""
    server = nursery.start(database=f"sqlite:///{tmp_path}/parlour.db", outside="any", grace=2.0)
    ann, bob, name = two(visit, base=server.url)
    with Hook() as hook:
        post(ann, "/api/me/told", kind="hook", address=hook.url, turn=True)
        ann.clock.install()
        ann.reload()
        ann.locator("h1.sr").wait_for(state="attached")
        give_turn(ann, bob, name)
        ann.evaluate(HIDE, True)
        for seconds, hidden in ((3, 2), (180, 120)):
            with ann.expect_response(lambda one, hidden=hidden: one.url.endswith(f"&hidden={hidden}")):
                ann.clock.run_for(1000 * seconds)
        expect(bob.locator(".seat > .gone")).to_have_text("away")
        give_turn(bob, ann, name)
        assert hook.got.get(timeout=60)["title"] == "Your turn: Fortune with Bob"
        expect(ann).to_have_title("Your turn: Fortune")
        with ann.expect_response(lambda one: "/events" in one.url and "hidden" not in one.url):
            ann.evaluate(HIDE, False)
        expect(bob.locator(".seat > .gone")).to_have_count(0)
        give_turn(ann, bob, name)
        give_turn(bob, ann, name)
        with sqlite3.connect(tmp_path / "parlour.db") as file:
            seen = "SELECT count(*) FROM notices JOIN tables ON tables.id = table_id WHERE at = turn_at"
            while file.execute(f"{seen} AND notices.due IS NULL").fetchone() != (1,):
                time.sleep(0.1)
        file.close()
        assert hook.got.empty()


@pytest.mark.whole
def test_a_turn_at_another_table_calls_from_the_lobby_and_from_tables(visit: Visit) -> None:
    """The lobby knows by its stream, another table's page by regular checks; only one of them makes a sound."""
    ann, bob, name = two(visit)
    give_turn(ann, bob, name)
    ann.goto("/")
    wake(ann)
    ann.evaluate(AWAY)
    expect(ann).to_have_title("Parlour")
    give_turn(bob, ann, name)
    expect(ann).to_have_title("(1) Parlour")
    ann.wait_for_function("() => notes.length === 3")
    assert ann.evaluate("badge") == [1]
    expect(ann.locator("link[rel=icon]")).to_have_attribute("href", icon("icon-turn.svg"))
    give_turn(ann, bob, name)
    expect(ann).to_have_title("Parlour")

    ann.clock.install()  # of the context, so the other tab has it too
    table(ann, seats=[{"kind": "me"}, {"kind": "open"}])
    other = visit(friend_of=ann, path=ann.url)  # another tab of the same table
    other.add_init_script(LISTEN)
    other.reload()
    for page in (ann, other):
        page.locator(".room").wait_for()
        wake(page)
        page.evaluate(AWAY)
    bar = ann.get_by_role("complementary", name="Your turn at another table")
    expect(bar).to_be_hidden()
    asks = "**/api/invitations"
    with ann.expect_response(asks), other.expect_response(asks):
        ann.clock.run_for(16_000)
    held: list[Route] = []  # both ask at once, and the first with the answer rings: it should be Ann's first tab
    other.route(asks, lambda route: held.append(route))
    give_turn(bob, ann, name)
    with other.expect_request(asks):
        ann.clock.run_for(16_000)
    expect(bar).to_contain_text("It is your turn at another table: Fortune, with Bob.")
    expect(ann).to_have_title("(1) Fortune")
    ann.wait_for_function("() => notes.length === 3")
    check_access(ann, "a turn at another table")
    expect(other).to_have_title("Fortune")
    for route in held:
        route.continue_()
    other.unroute(asks)
    expect(other).to_have_title("(1) Fortune")
    assert other.evaluate("notes.length") == 0
    bar.get_by_role("button", name="Later").click()
    expect(bar).to_be_hidden()
    expect(ann).to_have_title("(1) Fortune")


@pytest.mark.whole
def test_each_kind_of_sound_can_be_off(visit: Visit) -> None:
    ann, bob, name = two(visit)
    give_turn(ann, bob, name)
    for kind in ("turns", "chats"):
        post(ann, "/api/me/preferences", name=kind, value="off")
    ann.reload()
    wake(ann)
    ann.evaluate(AWAY)
    post(bob, f"/api/tables/{name}/chat", text="Hello")
    give_turn(bob, ann, name)
    expect(ann).to_have_title("Your turn: Fortune")
    assert ann.evaluate("notes.length") == 0


class Hook:
    """A webhook's service, with the notifications that it `got`."""

    def __enter__(self) -> Hook:
        self.got: queue.Queue[dict[str, str]] = queue.Queue()
        got = self.got

        class Takes(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                got.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Takes)
        self.url = f"http://127.0.0.1:{self._server.server_port}/"
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def icon(name: str) -> re.Pattern[str]:
    """Return a pattern for the end of a file's address."""
    return re.compile(rf"/{re.escape(name)}$")
