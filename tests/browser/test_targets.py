"""Every move has a target for a finger, on a phone upright and on its side, in every kind of decision of every ruleset:
a square of 44 px, upright or on its corner, makes this move, or asks between it and its neighbours in rows of that
height; or a button of the bar that is as large makes it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route

from parlour.core.match import Match
from parlour.core.scene import Piece, Scene
from parlour.games import all_games, find
from parlour.games.aces_and_faces.rules import pieces as c
from parlour.games.gatsby.rules import state as s
from parlour.house.site import files
from parlour.house.table.live.signs import signs
from tests.browser import boards
from tests.games.aces_and_faces.table import Table as Loop
from tests.games.gatsby.table import Table as Party

pytestmark = pytest.mark.browser
PHONES = [(390, 844), (844, 390), (667, 375)]
FEW = 8  # decisions that are looked at on all phones; more of them in turns
TABLETS = [(768, 1024), (1024, 768)]
BASE = "http://boards.test"
PAGE = "<!doctype html><meta name=viewport content='width=device-width'><body></body>"
SHAPES = [  # with the most people; with the fewest, and so more room, for `scripts/nightly --whole`
    pytest.param(name, ruleset, players, marks=[pytest.mark.whole] * (players < game.facts.players[-1]))
    for name, game in all_games().items()
    for ruleset in game.rulesets
    for players in sorted({game.facts.players[0], game.facts.players[-1]})
]
# In the body itself, as the styles of a phone on its side want it; what near.js adds to the body stays.
SHOW = """async (html) => {
  for (const node of document.querySelectorAll("body > :not(.which)")) node.remove();
  document.body.insertAdjacentHTML("afterbegin", html);
  window.reach ??= (await import("/reach.js"), await import("/near.js"));
  window.heard = [];
}"""
# For each move on the board: whether such a place exists ("made" or "asked" by a tap there, "bar" if only a button
# makes it, or "no"); its middle; the moves that a tap on its middle asks between.
TARGETS = """() => {
  const STEP = 5.25;  // eight of them, and the pixel that a browser rounds away, are 44 px less a half
  const around = [-4, -2, 0, 2, 4].flatMap((down) => [-4, -2, 0, 2, 4].map((right) => [right, down]));
  const grids = [1, 0.5].map((step) => {  // the finer one is for squares between the places of the other
    const line = Array.from({ length: 8 / step + 1 }, (_, i) => i * step - 4);
    return line.flatMap((j) => line.map((i) => [i, j])).sort((a, b) => Math.hypot(...a) - Math.hypot(...b));
  });
  const turns = [0, Math.PI / 4];  // upright, on its corner
  const does = ({ dataset }) => dataset.action ?? (dataset.part && dataset.key);
  const pieces = [...document.querySelectorAll(".scene .board :is([data-action], [data-part])")]
    .filter((one) => one.checkVisibility());
  const found = {};
  let survey, known;
  for (const piece of pieces) {
    const move = does(piece);
    if (found[move]?.whole === "made") continue;
    piece.scrollIntoView({ block: "center" });
    const places = pieces.map((one) => Object.values(one.getBoundingClientRect().toJSON())).join();
    if (places !== known) [survey, known] = [window.reach.survey(), places];
    const box = piece.getBoundingClientRect(), x = box.left + box.width / 2, y = box.top + box.height / 2;
    const best = { whole: "no", key: piece.dataset.key, size: [box.width, box.height], asks: [] };
    const makes = (all) => all.length === 1 && does(all[0]) === move;
    const asks = (all) => all.some((one) => does(one) === move);
    for (const [middles, turn] of grids.flatMap((grid) => turns.map((turn) => [grid, turn]))) {
      if (middles === grids[1] && best.whole !== "no") break;
      const seen = new Map();
      const [cos, sin] = [STEP * Math.cos(turn), STEP * Math.sin(turn)];
      const place = ([i, j]) => [x + i * cos - j * sin, y + i * sin + j * cos];
      const look = (i, j) => {
        const [right, down] = place([i, j]), known = `${i} ${j}`;
        const inside = right >= 0 && down >= 0 && right < innerWidth && down < innerHeight;
        if (!seen.has(known)) seen.set(known, inside ? survey(right, down) : []);
        return seen.get(known);
      };
      for (const [whole, good] of [["made", makes], ["asked", asks]]) {
        const middle = middles.find(([i, j]) => around.every(([right, down]) => good(look(i + right, j + down))));
        if (middle && (best.whole === "no" || whole === "made"))
          Object.assign(best, { whole, at: place(middle), asks: look(...middle).map(does) });
        if (middle) break;
      }
      if (best.whole === "made") break;
    }
    const other = found[move];
    if (!other || best.whole === "made" || other.whole === "no") found[move] = best;
  }
  for (const act of document.querySelectorAll(".scene .acts .act[data-action]")) {
    const { left, top, width, height } = act.getBoundingClientRect(), one = found[act.dataset.action];
    const seen = act.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    if (one?.whole === "no" && seen && Math.min(width, height) >= 44) one.whole = "bar";
  }
  return found;
}"""


@pytest.fixture(scope="module")
def phone(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(reduced_motion="reduce", has_touch=True, is_mobile=True)

    def serve(route: Route) -> None:
        name = route.request.url.rpartition("/")[2]
        if name.endswith(".js"):
            route.fulfill(path=files.SOURCES[name], content_type="text/javascript")
        else:
            route.fulfill(body=PAGE, content_type="text/html")

    context.route(f"{BASE}/**", serve)
    page = context.new_page()
    page.goto(f"{BASE}/")
    yield page
    context.close()


def pressed(piece: Piece) -> Iterator[str]:
    """Yield what can be pressed there, and its purpose: the first words of keys and moves, without numbered places."""
    if piece.action or piece.part:
        purpose = piece.action.split()[0] if piece.action else ""
        yield f"{piece.key.split('-')[0]} {purpose if purpose.isalpha() else ''}"
    for child in piece.children:
        yield from pressed(child)


def kind_of(scene: Scene) -> frozenset[str]:
    """Return the kinds of things that can be pressed on the board."""
    return frozenset(pressed(scene.board))


def decisions(name: str, ruleset: str, players: int, games: int) -> Iterator[Scene]:
    """Yield one decision of each kind, and the largest of the kinds with most choices, as the player to move sees
    it."""
    found: dict[frozenset[str], tuple[int, Scene]] = {}
    for seed in range(games):
        options = {"ruleset": ruleset} if ruleset else {}
        match = Match(find(name), players=players, names=signs(players), options=options, seed=seed)
        choice = random.Random(seed)
        for _ in range(400):
            if match.over:
                break
            if match.current_player >= 0:
                scene, choices = match.scene(match.current_player), len(match.legal_action_ids())
                kind = kind_of(scene)
                if kind and choices > found.get(kind, (0,))[0]:
                    found[kind] = choices, scene
            match.play(choice.choice(match.legal_action_ids()))
    yield from (scene for _, scene in found.values())


# What a press on the board would have done, without a house: the moves of the clicked pieces.
HEAR = """() => {
  window.heard = [];
  document.querySelector(".scene .board").addEventListener("click", ({ target }) => {
    const one = target.closest("[data-action], [data-part]");
    if (one) window.heard.push(one.dataset.action ?? one.dataset.key);
  });
}"""
ROWS = """() => [...document.querySelectorAll(".which[open] button")].map((one) => {
  const { left, right, top, bottom } = one.getBoundingClientRect();
  const out = Math.max(0, -left, -top, right - innerWidth, bottom - innerHeight);
  return [one.dataset.of, one.textContent, right - left, bottom - top, out];
})"""
BRING = """(key) => {
  const piece = document.querySelector(`.board [data-key="${CSS.escape(key)}"]`);
  piece.scrollIntoView({ block: "center" });
}"""


@pytest.mark.parametrize(("name", "ruleset", "players"), SHAPES)
@pytest.mark.suite("family-trade-market-making-*")
def test_every_move_has_room_for_a_finger(
    phone: Page, size: Callable[[int, int], int], name: str, ruleset: str, players: int
) -> None:
    asked: list[tuple[Scene, tuple[int, int], dict[str, Any]]] = []
    moves = 0
    for number, scene in enumerate(decisions(name, ruleset, players, size(1, 12))):
        html = boards.document(find(name), scene, boards.ALIKE)
        phones = PHONES if number < FEW else PHONES[number % len(PHONES) :][:1]
        for window in [*PHONES, *TABLETS] if size(0, 1) else phones:
            found = targets(phone, html, window)
            moves += len(found)
            none = {move: one for move, one in found.items() if one["whole"] == "no"}
            assert not none, (name, ruleset, players, window, scene.prompt, none)
            asked += [(scene, window, one) for one in found.values() if len(one["asks"]) > 1][:1]
            made = [(move, one) for move, one in found.items() if one["whole"] == "made"]
            if made:
                press(phone, *made[len(made) // 2])
    assert moves > 6
    for scene, window, one in asked[:2]:
        choose(phone, name, scene, window, one)
    print(name, ruleset, players, moves, "moves,", len(asked), "decisions with some that are asked about")


@pytest.mark.parametrize(("name", "ruleset", "players"), [one for one in SHAPES if not one.marks])
@pytest.mark.suite("family-trade-market-making-*")
def test_so_it_is_on_a_tablet(phone: Page, name: str, ruleset: str, players: int) -> None:
    """With the most people, most can be pressed; the long form of the test above covers every kind of decision."""
    fullest = max(decisions(name, ruleset, players, 2), key=lambda scene: sum(1 for _ in pressed(scene.board)))
    html = boards.document(find(name), fullest, boards.ALIKE)
    for window in TABLETS:
        none = {move: one for move, one in targets(phone, html, window).items() if one["whole"] == "no"}
        assert not none, (name, ruleset, players, window, fullest.prompt, none)


def test_spaces_of_the_cabaret_have_room_of_their_own(phone: Page) -> None:
    """When all of Gatsby's smallest spaces can be chosen, each has its own square, so that no tap asks; on the lowest
    phone they are too small for that."""
    scene = next(scene for scene in decisions("gatsby", "", 2, 1) if "anywhere in the Cabaret" in scene.prompt)
    for window in PHONES[:2]:
        found = targets(phone, boards.document(find("gatsby"), scene, boards.ALIKE), window)
        assert len(found) == 16
        assert {move: one for move, one in found.items() if one["whole"] != "made"} == {}, window


def test_the_space_below_the_bonuses_has_room_too(phone: Page) -> None:
    """The last space of Gatsby's first row is below what the bonuses mean and above what says why not: a tap asks."""
    scene = Party().put(1, "1.1 1.2").due(s.PLACE).match.scene(0)
    found = targets(phone, boards.document(find("gatsby"), scene, boards.ALIKE), (667, 375))
    assert found["row 1"]["key"] == "space-row 1 space 3"
    assert found["row 1"]["whole"] == "asked"


def test_a_tap_between_cards_raises_neither(phone: Page) -> None:
    """A card that a finger raises would cover the next, so that a tap between both would not ask."""
    table = Loop(2, "loop-36").hold(1, "JD QD JH KH AH KS AS").hold(2, "QC KC")
    table.put(1, list(table.state.board).index(c.DUEL_SQUARE) - 2).card("2C").move("clockwise", "duel QC")
    scene = table.card("2H", "9S").match.scene(0)
    html = boards.document(find("aces-and-faces"), scene, boards.ALIKE)
    found = {one["key"]: one for one in targets(phone, html, PHONES[0]).values()}
    choose(phone, "aces-and-faces", scene, PHONES[0], found["card-QD"])


def targets(phone: Page, html: str, window: tuple[int, int]) -> dict[str, Any]:
    """Return where a finger makes each move on a board in this window."""
    phone.set_viewport_size({"width": window[0], "height": window[1]})
    phone.evaluate(SHOW, html)
    found: dict[str, Any] = phone.evaluate(TARGETS)
    return found


def press(phone: Page, move: str, one: dict[str, Any]) -> None:
    """Check that a tap in that place makes this move, and nothing else."""
    phone.evaluate(HEAR)
    phone.evaluate(BRING, one["key"])
    phone.touchscreen.tap(*one["at"])
    phone.wait_for_function("() => window.heard.length > 0")
    assert phone.evaluate("() => window.heard") == [move]


def choose(phone: Page, name: str, scene: Scene, window: tuple[int, int], one: dict[str, Any]) -> None:
    """Check that a tap in that place presses nothing, and asks in rows that a finger can press, each with its words."""
    phone.set_viewport_size({"width": window[0], "height": window[1]})
    phone.evaluate(SHOW, boards.document(find(name), scene, boards.ALIKE))
    phone.evaluate(HEAR)
    phone.evaluate(BRING, one["key"])
    phone.touchscreen.tap(*one["at"])
    phone.wait_for_function("() => document.querySelector('.which[open]')")
    rows = phone.evaluate(ROWS)
    assert phone.evaluate("() => window.heard") == []
    assert len(rows) == len(one["asks"]) > 1
    for key, words, wide, high, out in rows:
        assert words, key
        assert min(wide, high) >= 44, (key, words, wide, high)
        assert out == 0, (key, words)
    phone.locator(".which button").last.tap()
    assert len(phone.evaluate("() => window.heard")) == 1
    phone.wait_for_function("() => !document.querySelector('.which[open]')")
