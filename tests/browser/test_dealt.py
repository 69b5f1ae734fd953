"""Dealt cards move from the deck."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from parlour.house.site import files

pytestmark = pytest.mark.browser

# A deck of ten cards and one in hand; then two more in hand. Returns where each motion begins, and when.
DEAL = """async (module) => {
  const motion = await import(module);
  const root = document.createElement("div");
  const place = (node, left, top) => {
    const box = { position: "absolute", left: `${left}px`, top: `${top}px`, width: "40px", height: "60px" };
    Object.assign(node.style, box);
    return node;
  };
  const card = (key, left) => {
    const node = place(document.createElement("div"), left, 400);
    node.className = "card";
    node.dataset.key = key;
    return node;
  };
  const stack = document.createElement("div"), top = place(document.createElement("span"), 20, 30);
  stack.className = "stack";
  stack.dataset.key = "deck";
  top.className = "top";
  top.textContent = "10";
  stack.append(top);
  root.append(stack, card("a", 100));
  document.body.append(root);
  const seen = motion.look(root);
  top.textContent = "8";
  root.append(card("b", 160), card("c", 220));
  motion.show(root, seen, "");
  const middle = (node) => {
    const { left, top, width, height } = node.getBoundingClientRect();
    return [left + width / 2, top + height / 2].map(Math.round);
  };
  const begun = root.getAnimations({ subtree: true }).map((one) => {
    one.currentTime = one.effect.getTiming().delay;
    return [one.effect.target.dataset.key, middle(one.effect.target), one.effect.getTiming().delay];
  });
  return [middle(top), begun];
}"""


def test_cards_come_from_the_deck_one_after_another(visit: Callable[..., Page]) -> None:
    page = visit("/offline", reduced_motion="no-preference")
    deck, ((first, *start), (second, *then)) = page.evaluate(DEAL, files.address("motion.js"))
    assert (first, start[0]) == ("b", deck)
    assert (second, then[0]) == ("c", deck)
    assert start[1] < then[1]


# A board with a die that was rolled, a card that was turned, a token that moved, and a panel beside them. Returns for
# how many milliseconds each moves, and how opaque the panel is in the middle of the step.
STEP = """async ([module, great]) => {
  const motion = await import(module), root = document.createElement("div"), board = document.createElement("div");
  board.className = "board";
  root.append(board);
  for (const [key, name] of [["die", "die rolled"], ["card", "card turned"], ["token", "token"], ["panel", "panel"]]) {
    const node = document.createElement("div");
    node.className = name;
    node.dataset.key = key;
    Object.assign(node.style, { position: "absolute", left: "80px", top: "90px", width: "40px", height: "60px" });
    board.append(node);
  }
  document.body.append(root);
  const seen = motion.look(root);
  board.querySelector(".token").style.left = "200px";
  const lasting = {}, hold = () => {
    for (const one of root.getAnimations({ subtree: true })) {
      lasting[one.effect.target.dataset.key] = one.effect.getComputedTiming().endTime;
      one.pause();
      one.currentTime = 300;
    }
  };
  motion.show(root, seen, "roll", great);
  hold();
  for (let tries = 0; tries < 20 && !("panel" in lasting); tries++) {  // until the light is loaded, if there is any
    await new Promise((later) => setTimeout(later, 20));
    hold();
  }
  const panel = Number(getComputedStyle(board.querySelector(".panel")).opacity);
  motion.finish();
  const left = root.getAnimations({ subtree: true }).length;
  root.remove();
  return [lasting, panel, left];
}"""


def test_a_great_step_takes_about_a_second_and_the_rest_is_dim(visit: Callable[..., Page]) -> None:
    """All of it ends at once when it is skipped. Any other step takes less than half a second."""
    page = visit("/offline", reduced_motion="no-preference")
    lasting, panel, left = page.evaluate(STEP, [files.address("motion.js"), True])
    assert {*lasting} == {"die", "card", "token", "panel"}
    assert all(700 <= long <= 1200 for long in lasting.values()), lasting
    assert max(lasting.values()) >= 800
    assert panel < 0.6
    assert left == 0
    lasting, panel, left = page.evaluate(STEP, [files.address("motion.js"), False])
    assert {*lasting} == {"die", "card", "token"}
    assert all(150 <= long <= 450 for long in lasting.values()), lasting
    assert (panel, left) == (1, 0)
    still = visit("/offline", reduced_motion="reduce")
    assert still.evaluate(STEP, [files.address("motion.js"), True]) == [{}, 1, 0]
