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
