"""Measurements on a page: whether things can be read, pressed, and told apart."""

from __future__ import annotations

import base64

from playwright.sync_api import Page

# For each word on the board the worst contrast that its ink can have with what is painted behind it, every stop of a
# gradient being somewhere behind it; as the browser has computed the colours.
CONTRASTS = """() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const known = new Map();
  const rgba = (text) => {
    if (!known.has(text)) {
      canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = "#000"; canvas.fillStyle = text; canvas.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
      known.set(text, [r, g, b, a / 255]);
    }
    return known.get(text);
  };
  const over = (top, under) => [0, 1, 2].map((i) => top[i] * top[3] + under[i] * (1 - top[3])).concat(1);
  const light = (c) => [0.2126, 0.7152, 0.0722].reduce((sum, weight, i) => {
    const part = c[i] / 255;
    return sum + weight * (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  }, 0);
  const contrast = (a, b) => {
    const [low, high] = [light(a), light(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };
  const COLOUR = /(?:rgba?|color|oklab|oklch|lab)\\([^()]*\\)|#[0-9a-f]+/g;
  const behind = (node) => {  // the lightest and the darkest that may show behind what is in this element
    const chain = [];
    for (let at = node; at; at = at.parentElement) chain.unshift(at);
    let found = [[255, 255, 255, 1]];
    for (const one of chain) {
      const style = getComputedStyle(one);
      found = found.map((under) => over(rgba(style.backgroundColor), under));
      const images = style.backgroundImage.split(/, (?=(?:repeating-)?(?:linear|radial|conic)-gradient)/);
      for (const image of images.reverse()) {
        const stops = [...image.matchAll(COLOUR)].map((match) => rgba(match[0]));
        if (stops.length) found = stops.flatMap((stop) => found.map((under) => over(stop, under)));
      }
      found.sort((a, b) => light(a) - light(b));
      found = [found[0], found.at(-1)];
    }
    return found;
  };
  const result = [];
  const walker = document.createTreeWalker(document.querySelector(".scene"), NodeFilter.SHOW_TEXT);
  for (let text; (text = walker.nextNode()); ) {
    const node = text.parentElement;
    const range = document.createRange();
    range.selectNode(text);
    const box = range.getBoundingClientRect(), style = getComputedStyle(node);
    if (!text.data.trim() || box.width < 2 || style.visibility === "hidden") continue;
    if ([...function* () { for (let at = node; at; at = at.parentElement) yield at; }()].some((at) => {
      const one = at.getBoundingClientRect();
      return getComputedStyle(at).clipPath !== "none" && one.width <= 1;
    })) continue;  // for screen readers
    let opacity = 1;
    for (let at = node; at; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
    const ink = rgba(style.color);
    if (!ink[3]) continue;
    const key = node.closest("[data-key]").dataset.key;
    const faded = [...ink.slice(0, 3), ink[3] * opacity];
    const worst = Math.min(...behind(node).map((under) => contrast(over(faded, under), under)));
    result.push([key, text.data.trim(), worst, parseFloat(style.fontSize) * node.currentCSSZoom]);
  }
  return result;
}"""

# Words in the scene that are drawn smaller than 12 px, a zoomed board's as it is drawn: key, words, size.
LETTERS = """() => {
  const found = [], walker = document.createTreeWalker(document.querySelector(".scene"), NodeFilter.SHOW_TEXT);
  for (let text; (text = walker.nextNode()); ) {
    const node = text.parentElement, size = parseFloat(getComputedStyle(node).fontSize) * node.currentCSSZoom;
    if (size > 11.99 || !text.data.trim() || !node.checkVisibility({ visibilityProperty: true })) continue;
    let hidden = false;  // for screen readers
    for (let at = node; at; at = at.parentElement) {
      hidden ||= getComputedStyle(at).clipPath !== "none" && at.getBoundingClientRect().width <= 1;
    }
    if (!hidden) found.push([node.closest("[data-key]").dataset.key, text.data.trim(), size]);
  }
  return found;
}"""

# Each line of words in the window, where it lies uncovered, with its ink as computed.
INK = """() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text; (text = walker.nextNode()); ) {
    const node = text.parentElement, style = getComputedStyle(node);
    if (!text.data.trim() || node.closest("style, script, [aria-disabled]:not(.board *), :disabled")) continue;
    if (!node.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (/^rgba\\(.*, 0\\)$/.test(style.color) && !(node instanceof SVGElement)) continue;  // not to be seen
    let opacity = 1, hidden = false;
    for (let at = node; at; at = at.parentElement) {
      opacity *= Number(getComputedStyle(at).opacity);
      hidden ||= getComputedStyle(at).clipPath !== "none" && at.getBoundingClientRect().width <= 1;
    }
    if (hidden) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const box of range.getClientRects()) {
      const x = box.left + box.width / 2, y = box.top + box.height / 2;
      if (box.width < 3 || x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) continue;
      const free = [[0, 0], [-0.45, -0.4], [0.45, -0.4], [-0.45, 0.4], [0.45, 0.4]].every(([right, down]) => {
        const on = document.elementFromPoint(x + right * box.width, y + down * box.height);
        return on && (node.contains(on) || on.contains(node));
      });
      if (!free) continue;  // under the bar, or under another piece
      const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      found.push({
        key: node.closest("[data-key]")?.dataset.key ?? node.className, words: text.data.trim(),
        ink: node instanceof SVGElement ? style.fill : style.color, opacity, large,
        at: [box.left, box.top, box.width, box.height],
      });
    }
  }
  return found;
}"""
BLANK = "*, ::before, ::after, ::first-line { color: transparent !important; text-shadow: none !important; }"
# The worst contrast of each of those words with the picture of the page without them. One pixel in ten may be worse:
# a rim, a ring, the edge of a picture.
AGAINST = """async ([png, words]) => {
  const picture = new Image();
  picture.src = "data:image/png;base64," + png;
  await picture.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [picture.width, picture.height];
  const on = canvas.getContext("2d", { willReadFrequently: true });
  on.drawImage(picture, 0, 0);
  const one = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const rgba = (text) => {
    one.clearRect(0, 0, 1, 1); one.fillStyle = text; one.fillRect(0, 0, 1, 1);
    return [...one.getImageData(0, 0, 1, 1).data];
  };
  const part = (c) => ((c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  const light = (r, g, b) => 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  return words.map(({ key, words, ink, opacity, large, at: [x, y, wide, high] }) => {
    const [r, g, b, a] = rgba(ink), alpha = (a / 255) * opacity, worst = [];
    const { data } = on.getImageData(x, y + high * 0.2, Math.max(1, wide), Math.max(1, high * 0.6));
    for (let i = 0; i < data.length; i += 4) {
      const under = data.subarray(i, i + 3), mixed = [r, g, b].map((c, n) => c * alpha + under[n] * (1 - alpha));
      const [low, top] = [light(...mixed), light(...under)].sort((m, n) => m - n);
      worst.push((top + 0.05) / (low + 0.05));
    }
    worst.sort((m, n) => m - n);
    return [key, words, worst[Math.floor(worst.length / 10)], large ? 3 : 4.5];
  }).filter(([, , contrast, least]) => contrast < least);
}"""

# What is pressed by mistake or not at all: for each thing that can be pressed, what is at its middle, and its size.
PRESSES = """() => [...document.querySelectorAll(".scene :is([data-action], [data-part], .act)")].map((node) => {
  if (SCROLL) node.scrollIntoView({ block: "center", inline: "center" });
  const box = node.getBoundingClientRect();
  const at = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  const hit = node === at || node.contains(at);
  return [node.dataset.key, hit, box.width, box.height, box.left, box.right, box.top, box.bottom];
})"""

# Siblings on the board, or words on a player's plate, that overlap.
OVERLAPS = """() => {
  const found = [];
  for (const parent of document.querySelectorAll(".board, .board .places, .board .group, .seat")) {
    let turned = false;  // boxes are larger than what is turned in them
    for (let at = parent; at; at = at.parentElement) turned ||= getComputedStyle(at).rotate !== "none";
    if (turned) continue;
    const all = [...parent.children], plate = parent.matches(".seat");
    const pieces = all.filter((node) => node.dataset.key || (plate && node.textContent));
    const boxes = pieces.filter((node) => getComputedStyle(node).position !== "absolute")
      .map((node) => [node.dataset.key ?? node.textContent, node.getBoundingClientRect()]);
    for (const [i, [one, a]] of boxes.entries()) {
      for (const [other, b] of boxes.slice(i + 1)) {
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (wide > 1 && high > 1) found.push([one, other]);
      }
    }
  }
  return found;
}"""

# Lines of words on the board, on plates or in the bar that overlap; a line is as high as its small letters
LAPPED = """() => {
  const lines = [], walker = document.createTreeWalker(document.querySelector(".scene"), NodeFilter.SHOW_TEXT);
  for (let text; (text = walker.nextNode()); ) {
    const node = text.parentElement;
    if (!text.data.trim() || !node.checkVisibility({ visibilityProperty: true })) continue;
    let hidden = false, turned = false, laid = false;
    for (let at = node; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      hidden ||= style.clipPath !== "none" && at.getBoundingClientRect().width <= 1;
      turned ||= style.rotate !== "none";
      laid ||= /absolute|fixed|sticky/.test(style.position) && !at.matches(".bar");
    }
    if (hidden || turned || laid) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const { left, right, top, bottom, height } of range.getClientRects()) {
      const part = node.closest(".board, .bar, .seats");
      lines.push([text.data.trim(), part, left, right, top + height / 4, bottom - height / 4]);
    }
  }
  const found = [];
  for (const [i, [one, on, left, right, top, bottom]] of lines.entries()) {
    for (const [other, there, from, to, high, low] of lines.slice(i + 1)) {
      const wide = Math.min(right, to) - Math.max(left, from), tall = Math.min(bottom, low) - Math.max(top, high);
      if (on === there && wide > 1 && tall > 1) found.push([one, other]);
    }
  }
  return found;
}"""
# Words that a piece covers, in the part of a line that its box does not cut off; the bar may cover what is scrolled
COVERED = """() => {
  const paints = (node) => {
    const { backgroundColor, backgroundImage, visibility, opacity } = getComputedStyle(node);
    if (visibility === "hidden" || opacity === "0") return false;
    return node instanceof SVGElement || backgroundImage !== "none"
      || !/^rgba\\(.*, 0(\\.[0-4]\\d*)?\\)$/.test(backgroundColor);
  };
  const found = [], walker = document.createTreeWalker(document.querySelector(".scene"), NodeFilter.SHOW_TEXT);
  for (let text; (text = walker.nextNode()); ) {
    const node = text.parentElement;
    if (!text.data.trim() || !node.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    let room = { left: 0, top: 0, right: innerWidth, bottom: innerHeight }, hidden = false;
    for (let at = node; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      hidden ||= style.clipPath !== "none" && at.getBoundingClientRect().width <= 1;
      if (style.overflow !== "visible") {
        const box = at.getBoundingClientRect();
        room = { left: Math.max(room.left, box.left), top: Math.max(room.top, box.top),
          right: Math.min(room.right, box.right), bottom: Math.min(room.bottom, box.bottom) };
      }
    }
    if (hidden || node.matches(".space > i")) continue; // a piece covers the number of its place
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const { left, right, top, bottom } of range.getClientRects()) {
      const places = [[0.1, 0.5], [0.5, 0.5], [0.9, 0.5]];
      if (node.closest(".acts")) places.push([0.9, 0.3], [0.97, 0.3]); // where the badge of a key is
      for (const [part, down] of places) {
        const x = left + (right - left) * part, y = top + (bottom - top) * down;
        if (x < room.left || x > room.right || y < room.top || y > room.bottom) continue;
        const at = document.elementsFromPoint(x, y)
          .find((one) => one.contains(node) || node.contains(one) || paints(one));
        if (!at || at.contains(node) || node.contains(at)) continue;
        if (at.closest(".bar") && !node.closest(".bar")) continue; // the bar stays over a board that scrolls
        found.push([text.data.trim(), at.closest("[data-key]")?.dataset.key]);
        break;
      }
    }
  }
  return found;
}"""


def pale(page: Page) -> list[tuple[str, str, float, float]]:
    """Return the words in the window that cannot be read on the pixels behind them: key, words, contrast, and the
    required contrast (WCAG 1.4.3: 3 for large letters, otherwise 4.5)."""
    words = page.evaluate(INK)
    style = page.add_style_tag(content=BLANK)
    picture = base64.b64encode(page.screenshot()).decode()
    style.evaluate("(node) => node.remove()")
    found = page.evaluate(AGAINST, [picture, words])
    return [(key, said, contrast, least) for key, said, contrast, least in found]


def check_board(page: Page, where: str) -> None:
    """Check that all that can be pressed is in the window, uncovered and large enough; that no pieces overlap; and that
    all text can be read."""
    size = page.viewport_size
    assert size
    page.evaluate("() => scrollTo(0, 0)")
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], where
    for key, hit, wide, high, left, right, top, bottom in page.evaluate(PRESSES.replace("SCROLL", "false")):
        assert hit, (where, key, "is covered")
        assert min(wide, high) >= 24, (where, key, wide, high)
        inside = left >= 0 and top >= 0 and right <= size["width"] and bottom <= size["height"]
        assert inside, (where, key, "is outside the window")
    assert not page.evaluate(OVERLAPS), where
    found = page.evaluate(CONTRASTS)
    assert not [one for one in found if one[2] < 4.5], where
    assert not [one for one in found if one[3] < 12], where
