"""Every move under a finger, on a phone upright and on its side, in every kind of decision of every ruleset: somewhere
44 px by 44, upright or on their corner, mean this move, or ask between it and its neighbours in rows of that height."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route

from parlour.core.match import Match
from parlour.core.scene import Piece, Scene
from parlour.games import all_games, find
from parlour.table.live.signs import signs
from parlour.table.pages import files
from tests.browser import boards

pytestmark = pytest.mark.browser
PHONES = [(390, 844), (844, 390)]
BASE = "http://boards.test"
SHAPES = [
    (name, ruleset, players)
    for name, game in all_games().items()
    for ruleset in game.rulesets
    for players in sorted({game.facts.players[0], game.facts.players[-1]})
]
SHOW = """async (html) => {
  document.body.innerHTML = html;
  window.reach ??= await import("/reach.js");
  window.heard = [];
}"""
# For each move on the board: whether there is such a place, whether a tap there makes it or asks, and where it is in the
# middle; `asks` are those that it asks between.
TARGETS = """() => {
  const STEP = 5.25, around = [-4, -2, 0, 2, 4].flatMap((down) => [-4, -2, 0, 2, 4].map((right) => [right, down]));
  const middles = Array.from({ length: 81 }, (_, i) => [(i % 9) - 4, Math.floor(i / 9) - 4]).sort((a, b) => Math.hypot(...a) - Math.hypot(...b));
  const does = ({ dataset }) => dataset.action ?? (dataset.part && dataset.key);
  const pieces = [...document.querySelectorAll(".scene .board :is([data-action], [data-part])")].filter((one) => one.checkVisibility());
  const found = {};
  let survey;
  for (const piece of pieces) {
    const move = does(piece);
    if (found[move]?.whole === "made") continue;
    piece.scrollIntoView({ block: "center" });
    survey = window.reach.survey();
    const box = piece.getBoundingClientRect(), x = box.left + box.width / 2, y = box.top + box.height / 2;
    const best = { whole: "no", key: piece.dataset.key, size: [box.width, box.height] };
    const makes = (all) => all.length === 1 && does(all[0]) === move, asks = (all) => all.some((one) => does(one) === move);
    for (const turn of [0, Math.PI / 4]) {  // upright, on its corner
      const seen = new Map();
      const place = ([i, j]) => [x + STEP * (i * Math.cos(turn) - j * Math.sin(turn)), y + STEP * (i * Math.sin(turn) + j * Math.cos(turn))];
      const look = (i, j) => {
        const [right, down] = place([i, j]), known = `${i} ${j}`;
        const inside = right >= 0 && down >= 0 && right < innerWidth && down < innerHeight;
        if (!seen.has(known)) seen.set(known, inside ? survey(right, down) : []);
        return seen.get(known);
      };
      for (const [whole, good] of [["made", makes], ["asked", asks]]) {
        const middle = middles.find(([i, j]) => around.every(([right, down]) => good(look(i + right, j + down))));
        if (middle && (best.whole === "no" || whole === "made")) Object.assign(best, { whole, at: place(middle), asks: look(...middle).map(does) });
        if (middle) break;
      }
      if (best.whole === "made") break;
    }
    const known = found[move];
    if (!known || best.whole === "made" || known.whole === "no") found[move] = best;
  }
  return found;
}"""


@pytest.fixture(scope="module")
def phone(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(reduced_motion="reduce", has_touch=True, is_mobile=True)

    def serve(route: Route) -> None:
        name = route.request.url.rpartition("/")[2]
        if name.endswith(".js"):
            route.fulfill(path=files.STATIC / name, content_type="text/javascript")
        else:
            route.fulfill(body="<!doctype html><meta name=viewport content='width=device-width'>", content_type="text/html")

    context.route(f"{BASE}/**", serve)
    page = context.new_page()
    page.goto(f"{BASE}/")
    yield page
    context.close()


def kind_of(scene: Scene) -> frozenset[str]:
    """What can be pressed on the board, and what for: the first words of keys and moves."""

    def pressed(piece: Piece) -> Iterator[str]:
        if piece.action or piece.part:
            yield f"{piece.key.split('-')[0]} {piece.action.split()[0] if piece.action else ''}"
        for child in piece.children:
            yield from pressed(child)

    return frozenset(pressed(scene.board))


def decisions(name: str, ruleset: str, players: int, games: int) -> Iterator[Scene]:
    """One decision of each kind, and of the kinds with most choices the fullest, as who decides sees it."""
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
