"""A change of the page costs the browser what has changed, and not the whole page. Counted, not timed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

pytestmark = pytest.mark.browser
A, C, D, E, X = (f'<i data-key="{key}"></i>' for key in "acdex")
BEFORE = f'{A}<span data-key="b"><em>words</em></span>{C}{D}{E}'
AFTER = f'{A}<button data-key="b"><em>words</em></button>{D}{X}{E}'
# Patches one tree like another; returns what it is then, and what was put into it.
PATCH = """async ([before, after]) => {
  const { patch, parse } = await import(new URL("patch.js", document.querySelector("script[type=module]").src));
  const root = document.createElement("div"), fresh = document.createElement("div"), put = [];
  root.append(parse(before));
  fresh.append(parse(after));
  const observer = new MutationObserver(() => {});
  observer.observe(root, { childList: true, subtree: true });
  const words = root.querySelector("em");
  patch(root, fresh);
  for (const { addedNodes, target } of observer.takeRecords()) {
    for (const one of addedNodes) if (target === root) put.push(one.dataset.key);
  }
  return [root.innerHTML, put.sort(), words === root.querySelector("em")];
}"""


def test_a_new_tree_moves_nothing_that_stays(visit: Callable[..., Page]) -> None:
    """What follows a piece that goes, or that becomes a button, is not taken out and put in again."""
    page = visit("/")
    after, put, kept = page.evaluate(PATCH, [BEFORE, AFTER])
    assert after == AFTER
    assert put == ["b", "x"]
    assert kept  # what is in a piece that becomes a button stays the same
    assert page.evaluate(PATCH, [AFTER, BEFORE])[:2] == [BEFORE, ["b", "c"]]
