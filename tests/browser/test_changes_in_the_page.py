"""A page that follows a game by changes is the same, to the last attribute, as a freshly loaded page.

Live and fresh pages are compared as trees: elements, attributes in any order, texts, and what fields and lists show.
Only what the client sets on purpose is left out: here OWN and the caps of keys, because no choice is in progress, no
tab was pressed and nothing is unfolded when all is compared. The last test does these, and names what may differ.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from parlour.conformance.knowledge import secret
from parlour.core.contract import LET_BE
from parlour.core.match import Match
from parlour.core.scene import SPECTATOR
from parlour.games import find
from tests.browser.player import POST, my_turn, post, press_anything, table, take_a_seat, wait_past
from tests.browser.test_every_game import kinds
from tests.house.forging import ROYALE_SEATS, forge, royale
from tests.house.serving import Nursery
from tests.house.shelf import Shelf, Shelved

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]
DEALT, SOLD = "god-of-the-market", "battle-royale"  # the rulesets of Family Trade in the middle, and at the end
TAIL = 8  # decisions before the end at which the prepared games are
PATIENCE = 0.3  # seconds for a secret question that no page should show
OWN = {  # attributes that the client sets
    "main": ["data-have", "data-lost"],  # what the page was loaded with, kept up to date elsewhere
    "*": ["tabindex", "data-shortcut", "aria-keyshortcuts"],  # where the keys are now: static/keys.js
}

# Notes each message of the stream, and keeps the stream away while `window.deaf` is set. What moves moves ten times as
# fast: it is the order of things that matters here.
TOLD = """
const { animate } = Element.prototype, later = window.setTimeout;
Element.prototype.animate = function (frames, options) {
  const { duration = 0, delay = 0 } = options;
  return animate.call(this, frames, { ...options, duration: duration / 10, delay: delay / 10 });
};
window.setTimeout = (then, ms, ...rest) => later(then, ms < 2000 ? ms / 10 : ms, ...rest);
window.received = [];
window.EventSource = class extends EventSource {
  constructor(url) {
    super(window.deaf ? "/none" : url);
    this.addEventListener("update", ({ data }) => {
      const { frames } = JSON.parse(data);
      window.received.push({ have: /have=\\w*\\.\\w+/.test(url), scenes: frames.map((one) => one.changes) });
    });
  }
};
"""
STILL = "window.EventSource = class { addEventListener() {} close() {} };"  # a page that stays as it was loaded
# What a page shows, line by line. `own`: attributes that are left out, by the element's name.
SHOWN = """(own) => {
  const lines = [];
  const mine = (node, name) => [...own["*"], ...(own[node.localName] ?? [])].includes(name);
  // What a page has measured so far (static/fit.js): a board's size, and what a phone's dock needed.
  const measured = /^((zoom: [0-9.]+|--(prompt|acts|tools): [0-9.]+px); ?)*$/;
  const sized = (one) => one.name === "style" && measured.test(one.value);
  const tell = (node, deep, depth) => {
    const indent = " ".repeat(depth);
    if (node.nodeType === Node.TEXT_NODE) return lines.push(indent + JSON.stringify(node.data));
    if (node.matches?.("kbd")) return;  // the cap of such a key
    if (node.nodeType !== Node.ELEMENT_NODE) return lines.push(indent + node.nodeName + JSON.stringify(node.data));
    const others = [...node.attributes].filter((one) => !mine(node, one.name) && !sized(one));
    const said = others.map((one) => `${one.name}=${JSON.stringify(one.value)}`).sort();
    if ("value" in node) said.push(`shows ${JSON.stringify(node.value)}`);
    lines.push(`${indent}<${node.namespaceURI.split("/").at(-1)}:${node.localName} ${said.join(" ")}>`);
    if (deep) for (const one of node.childNodes) tell(one, true, depth + 1);
  };
  tell(document.querySelector("main"), false, 0);
  for (const key of ["scene", "table", "log"]) tell(document.querySelector(`[data-key="${key}"]`), true, 0);
  return [document.title, ...lines];
}"""
AT = "() => [document.querySelector('main').dataset.table, Number(document.querySelector('main').dataset.version)]"


def one_of_each(ruleset: str, first: tuple[str, ...]) -> list[Any]:
    """Return each game; those with rulesets with this one. All but the `first` are for `scripts/nightly --whole`."""
    found = [kind for kind in kinds() if kind[1].get("ruleset", ruleset) == ruleset]
    return [
        pytest.param(
            *kind, id=" ".join((kind[0], *kind[1].values())), marks=[pytest.mark.whole] * (kind[0] not in first)
        )
        for kind in found
    ]


def shown(page: Page) -> list[str]:
    return list(page.evaluate(SHOWN, OWN))


@dataclass
class Guest:
    """A person with a page that follows, and another one that is reloaded for each comparison."""

    live: Page
    fresh: Page
    compared: int = 0

    def compare(self, where: str) -> None:
        """Wait until the page shows exactly what a fresh one does."""
        for _ in range(2000):
            table, version = self.live.evaluate(AT)
            if version == self.see(table)["table"]["version"]:
                break
            self.live.wait_for_timeout(30)
        wanted: list[str] = []
        found: list[str] = []
        for number in range(60):  # the last message may not have reached one of them
            if number % 10 == 0:
                self.fresh.goto(self.live.url)
            wanted, found = shown(self.fresh), shown(self.live)
            if found == wanted:
                self.compared += 1
                return
            self.live.wait_for_timeout(50)
        at = next(i for i, pair in enumerate(zip([*found, ""], [*wanted, ""], strict=False)) if pair[0] != pair[1])
        raise AssertionError(f"{where}: live {found[at - 1 : at + 3]}, fresh {wanted[at - 1 : at + 3]}")

    def see(self, game: str) -> Any:
        return self.live.context.request.get(f"/api/tables/{game}").json()

    def check_received(self) -> None:
        """Check that the page got changes, hardly ever the whole."""
        received = self.live.evaluate("window.received")
        assert all(one["have"] for one in received)
        scenes = [changes for one in received for changes in one["scenes"]]
        assert sum(scenes) >= 0.8 * len(scenes) > 3, received


@dataclass
class House:
    """A house that opens two pages for each guest."""

    visit: Visit
    url: str
    guests: list[Guest] = field(default_factory=list)
    compared: int = 0

    def arrive(self, path: str = "/", cookie: dict[str, str] | None = None, **settings: Any) -> Guest:
        live = self.visit(base=self.url, **settings)
        fresh = self.visit(base=self.url, friend_of=live)
        context: BrowserContext = live.context
        if cookie:
            context.add_cookies([{"name": name, "value": value, "url": self.url} for name, value in cookie.items()])
        live.add_init_script(TOLD)
        fresh.add_init_script(STILL)
        live.goto(path)
        self.guests.append(Guest(live, fresh))
        return self.guests[-1]

    def compare(self, where: str, *, one: bool = False) -> None:
        """Compare what everyone sees, or only `one` of them, each in turn."""
        self.compared += 1
        for guest in self.guests:  # all of them, as each page shows who else is here
            # After a long disconnection, a page retries only every six seconds.
            expect(guest.live.locator("main[data-lost]")).to_have_count(0)
        for number, guest in enumerate(self.guests):
            if not one or number == self.compared % len(self.guests):
                guest.compare(f"guest {number}, {where}")


def near_its_end(name: str, options: dict[str, str]) -> tuple[Match, tuple[tuple[int, str], ...]]:
    """Return a game some steps before its end, and its remaining decisions, without automatic ones: no one takes
    anything in secret questions, so no one must answer in time."""
    game = find(name)
    for seed in range(100):
        match, choice = Match(game, game.facts.players[0], options=options, seed=seed), random.Random(seed)
        made = []
        while not match.over:
            made.append(choice.choice(match.legal_action_ids()))
            match.play(made[-1])
        steps = [step for step in match.history() if step.actor >= 0]
        asked = [secret(game, step.before, SPECTATOR) for step in steps]
        said = [(step.actor, game.text.format_action(step.before, step.action)) for step in steps]
        left = list(zip(said, asked, strict=True))[-TAIL:]
        if all(words in LET_BE for (_, words), here in left if here):
            match = Match(game, game.facts.players[0], options=options, seed=seed)
            for action in made[:-TAIL]:
                match.play(action)
            return match, tuple(one for one, here in left if not here)
    raise AssertionError("no such game")


@pytest.fixture
def house(visit: Visit, nursery: Nursery, tmp_path: Path) -> Iterator[House]:
    server = nursery.start(database=f"sqlite:///{tmp_path}/parlour.db", patience=PATIENCE)
    yield House(visit, server.url)
    server.kill()


async def shelve(database: Path, match: Match) -> Shelved:
    async with Shelf(f"sqlite:///{database}") as shelf:
        return await shelf.put("0" * 8, match)


def undo(guest: Guest, game: str) -> bool:
    """Return whether they could undo their last decision."""
    body = {"version": guest.see(game)["table"]["version"]}
    status, _ = guest.live.evaluate(POST, [f"/api/tables/{game}/undo", body])
    return bool(status < 300)


def whose_turn(game: str, people: list[Guest], move: str = "") -> tuple[Guest, Any] | None:
    """Return the player to move (who can make this move, if one is named) and what they see, or None at the end."""
    for _ in range(400):
        for guest in people:
            seen = guest.see(game)
            if seen["table"]["status"] == "over":
                return None
            if move in seen["legal"] if move else seen["legal"]:
                return guest, seen
        people[0].live.wait_for_timeout(20)
    raise AssertionError("no one can move")


def play_on(game: str, people: list[Guest], choice: random.Random, decisions: int, *, clicks: int = 4) -> Guest:
    """Make this number of decisions, one in `clicks` on the page, the others through the API; return the last
    player."""
    guest = people[0]
    for number in range(decisions):
        turn = whose_turn(game, people)
        if turn is None:
            break
        guest, seen = turn
        if number % clicks == clicks - 1:
            my_turn(guest.live)
            press_anything(guest.live, choice)
            wait_past(guest.live, seen["table"]["version"])
        else:
            body = {"move": choice.choice(seen["legal"]), "version": seen["table"]["version"]}
            status, answer = guest.live.evaluate(POST, [f"/api/tables/{game}/moves", body])
            late = status >= 300 and answer["error"]["code"] == "stale-move"  # PATIENCE was over before they answered
            assert status < 300 or late, answer
    return guest


@pytest.mark.slow
@pytest.mark.parametrize(("game", "options"), one_of_each(DEALT, ("gatsby",)))
def test_from_the_waiting_room_to_the_middle_of_a_game(
    house: House, size: Callable[[int, int], int], game: str, options: dict[str, str]
) -> None:
    choice = random.Random(5)
    ann = house.arrive(reduced_motion="reduce")
    seats = [{"kind": "me"}, *[{"kind": "open"}] * (find(game).facts.players[0] - 1)]
    made = table(ann.live, game=game, options=options, seats=seats, hints=True)
    bob, eve = house.arrive(f"/t/{made}"), house.arrive(f"/t/{made}", reduced_motion="reduce")
    people = [ann, bob]
    house.compare("in the waiting room", one=True)
    take_a_seat(bob.live)
    expect(ann.live.locator(".tag")).to_contain_text("Everyone is here")
    house.compare("when all are there", one=True)
    ann.live.get_by_role("button", name="Start").click()
    expect(eve.live.locator(".board")).to_be_visible()
    house.compare("after the first deal", one=bool(size(1, 0)))
    play_on(game=made, people=people, choice=choice, decisions=size(3, 9))
    house.compare("after some decisions", one=True)
    post(bob.live, f"/api/tables/{made}/chat", text="<b>Well</b> & good")
    house.compare("after a chat message", one=True)
    undone = sum(undo(play_on(made, people, choice, 1), made) for _ in range(size(2, 12)))
    house.compare(f"after {undone} decisions were taken back", one=bool(size(1, 0)))
    for guest in house.guests:
        guest.live.route("**/events*", lambda route: route.abort())
        guest.live.evaluate("dispatchEvent(new Event('online'))")
        expect(guest.live.locator(".net")).to_be_visible()
    play_on(made, people, choice, size(2, 5), clicks=9)
    for guest in house.guests:
        guest.live.unroute("**/events*")
    house.compare("after the stream was cut and found again")
    for guest in house.guests:
        guest.check_received()


@pytest.mark.slow
@pytest.mark.parametrize(("game", "options"), one_of_each(SOLD, ("aces-and-faces", "facets-of-fortune")))
@pytest.mark.whole
def test_to_the_end_of_a_game(
    visit: Visit, nursery: Nursery, tmp_path: Path, game: str, options: dict[str, str]
) -> None:
    match, left = near_its_end(game, options)
    with ThreadPoolExecutor(1) as elsewhere:  # Playwright already runs a loop in this thread
        shelved = elsewhere.submit(asyncio.run, shelve(tmp_path / "parlour.db", match)).result()
    house = House(visit, nursery.start(database=f"sqlite:///{tmp_path}/parlour.db", patience=PATIENCE).url)
    path = f"/t/{shelved.id}"
    motion = [{"reduced_motion": "reduce"}, {}]
    people = [house.arrive(path, cookie, **motion[number % 2]) for number, cookie in enumerate(shelved.cookies)]
    house.arrive(path)
    house.compare("as it was found")
    undone = 0
    for number, (seat, said) in enumerate(left):
        guest = people[seat]
        for again in range(2):
            turn = whose_turn(shelved.id, people, said)
            assert turn
            assert turn[0] is guest
            post(guest.live, f"/api/tables/{shelved.id}/moves", move=said, version=turn[1]["table"]["version"])
            if again or not undo(guest, shelved.id):
                break
            undone += 1
            if undone < 3:
                house.compare(f"after decision {number} was taken back", one=True)
    for guest in house.guests:
        expect(guest.live.locator('[data-key="result"]')).to_be_visible(timeout=60_000)  # with motion it takes its time
    house.compare("at the end")
    post(people[0].live, f"/api/tables/{shelved.id}/rematch")
    house.compare("after a rematch was asked for", one=True)
    for guest in house.guests:
        guest.check_received()


@pytest.mark.whole
def test_a_choice_in_progress_and_what_is_unfolded_stay_while_others_speak(house: House) -> None:
    """The person's own state differs from a fresh page only in these attributes, and ends with the position."""
    eve = house.arrive(reduced_motion="reduce")
    game = table(eve.live, name="Eve", game="fortune", seats=[{"kind": "open"}, {"kind": "open"}])
    people = [house.arrive(f"/t/{game}", reduced_motion="reduce") for _ in range(2)]
    for guest in people:
        post(guest.live, "/api/me", name="Bob")
        post(guest.live, f"/api/tables/{game}/sit")
    post(eve.live, f"/api/tables/{game}/start")
    choice = random.Random(3)
    while (turn := whose_turn(game, people)) is not None:
        guest, seen = turn
        my_turn(guest.live)
        if guest.live.locator('[data-key="b-pick"][data-pick]').count():
            break
        post(
            guest.live, f"/api/tables/{game}/moves", move=choice.choice(seen["legal"]), version=seen["table"]["version"]
        )
    assert turn
    before = shown(guest.live)
    guest.live.locator('.grid [data-part][aria-pressed="false"]').first.click()
    guest.live.locator("#tab-about").click()
    guest.live.locator('[data-key="fair-about"] summary').click()
    mine = shown(guest.live)
    other = next(one for one in people if one is not guest)
    post(other.live, f"/api/tables/{game}/chat", text="Take your time")
    expect(guest.live.locator("#panel-chat")).to_contain_text("Take your time")
    now = shown(guest.live)
    moment = guest.live.locator("#panel-chat time")  # of the line, in the reader's zone: static/when.js
    begun = f'<xhtml:time datetime="{moment.get_attribute("datetime")}" title="{moment.get_attribute("title")}">'
    said = ("chat", "xhtml:bdi", "xhtml:q", "Bob", "Take your time", begun, json.dumps(moment.inner_text()))
    assert [line for line in now if line not in mine and not any(words in line for words in said)] == []
    changed = [line for line in mine if line not in before]
    for own in ('aria-pressed="true"', 'data-tab="about"', ' open=""'):
        assert sum(own in line for line in changed) == 1, own
    post(guest.live, f"/api/tables/{game}/moves", move="stop", version=seen["table"]["version"])
    other.compare("when the choice has gone")
    expect(guest.live.locator('[data-key="fair-about"][open]')).to_have_count(1)
    guest.live.locator('[data-key="fair-about"] summary').click()
    guest.live.locator("#tab-log").click()
    guest.live.keyboard.press("Escape")
    guest.compare("when all is folded again")


@pytest.mark.whole
def test_a_secret_question_is_followed_as_it_is_shown(visit: Visit, nursery: Nursery, tmp_path: Path) -> None:
    """FT-26: compare the pages of a player who is asked, of one who has answered, of one who may not know, and of all
    after the time."""
    database, settings = tmp_path / "parlour.db", {"database": f"sqlite:///{tmp_path}/parlour.db"}
    server = nursery.start(**settings, patience=600)
    house = House(visit, server.url)
    ann = house.arrive(reduced_motion="reduce")
    game = table(ann.live, **ROYALE_SEATS, seats=[{"kind": "me"}, *[{"kind": "open"}] * 2])
    others = [house.arrive(f"/t/{game}", reduced_motion="reduce") for _ in range(2)]
    house.arrive(f"/t/{game}")
    for guest in others:
        post(guest.live, f"/api/tables/{game}/sit")
    post(ann.live, f"/api/tables/{game}/start")
    server.kill()
    match = royale("1 oil 1 shrimp", "2 gold", "1 shares 1 diamond")
    forge(database, game, match)
    port = int(server.url.rsplit(":", 1)[1])
    server = nursery.start(**settings, patience=600, port=port)
    for guest in house.guests:
        guest.live.goto(f"/t/{game}")
    house.compare("before the question", one=True)
    post(ann.live, f"/api/tables/{game}/moves", move="discard gold", version=match.version)
    expect(others[0].live.locator(".prompt")).to_contain_text("take it?")
    house.compare("while one is asked")
    others[0].live.keyboard.press("p")
    expect(others[0].live.locator(".prompt")).to_contain_text("You let it lie.")
    house.compare("when they have answered")
    server.kill()
    nursery.start(**settings, patience=PATIENCE, port=port)
    expect(others[0].live.locator(".prompt")).to_contain_text("Your turn")
    house.compare("when the house came back and the time was over")
