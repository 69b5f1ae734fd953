"""Draw the PNG files for other programs than browsers: icons, and covers for previews of links.

usage: scripts/pictures

Their sources are `static/icon.svg` and the covers in the games' `art.svg`. The files have a palette, so they are small;
they are drawn anew when a source has changed.
"""

from __future__ import annotations

import base64
import struct
import sys
import zlib
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Page, sync_playwright

from parlour.core import html
from parlour.core.game import Game
from parlour.games import all_games
from parlour.house.site.files import SOURCES
from tests import chromium
from tests.browser.player import ARGS

WIDE, HIGH = 1200, 630  # the usual size of previews
COLOURS = (128, 96, 64, 48, 32)  # the most that fit, never fewer than the last
MOST = 40_000  # bytes of a picture, if possible
ICON = "icon.svg"
GROUND = "#123247"  # the icon's background, to its corners
PIXELS = """async (png) => {
  const bytes = Uint8Array.from(atob(png), (one) => one.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const canvas = new OffscreenCanvas(image.width, image.height), at = canvas.getContext("2d");
  at.drawImage(image, 0, 0);
  const found = at.getImageData(0, 0, image.width, image.height).data;
  let text = "";
  for (let i = 0; i < found.length; i += 8190) text += btoa(String.fromCharCode(...found.subarray(i, i + 8190)));
  return text;
}"""


def main() -> None:
    """Draw all of them into their folders."""
    path = chromium.find()
    if path is None:
        sys.exit(chromium.ABSENT)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGS)
        page = browser.new_page(color_scheme="light")
        icon = SOURCES[ICON].read_text("utf-8")
        for name, size, full in (("icon-192", 192, False), ("icon-512", 512, False), ("icon-180", 180, True),
                                 ("icon-maskable-512", 512, True)):  # fmt: skip
            _write(SOURCES[f"{name}.png"], page, size, size, _icon(icon, full=full))
        games = list(all_games().values())
        _write(SOURCES["cover.png"], page, WIDE, HIGH, _all(games, icon))
        for game in games:
            folder = Path(str(resources.files(game.package)))
            _write(folder / game.place("cover.png"), page, WIDE, HIGH, _cover(game))
        browser.close()


def _icon(icon: str, *, full: bool) -> str:
    """Return the icon; `full`: to the corners, for systems that cut their own shape out of it."""
    ground = f"body{{background:{GROUND}}}" if full else ""
    return f"<style>svg{{width:100%;height:100%;display:block}}{ground}</style>{icon}"


def _art(games: list[Game]) -> str:
    styles = html.look() + "".join(map(html.style, games))
    return f"<style>{styles}</style>{html.SHAPES}{''.join(map(html.art, games))}"


def _use(game: Game, x: float, y: float, width: float) -> str:
    """Return a game's cover at this place, 5 to 3."""
    return (
        f'<svg class="game-{game.name}" x="{x}" y="{y}" width="{width}" height="{width * 0.6}" viewBox="0 0 400 240">'
        f'<rect width="400" height="240" style="fill:var(--cloth)"/>'
        f'<use href="#{game.name}-cover" width="400" height="240"/></svg>'
    )


def _cover(game: Game) -> str:
    """Return a game's whole cover, with its cloth at both sides, because a preview is wider."""
    width = HIGH / 0.6
    ground = "<style>body{background:var(--cloth)}</style>"
    drawn = f'<svg width="{WIDE}" height="{HIGH}">{_use(game, (WIDE - width) / 2, 0, width)}</svg>'
    return f'{_art([game])}{ground}<body class="game-{game.name}">{drawn}</body>'


def _all(games: list[Game], icon: str) -> str:
    """Return the icon, and below it the covers of all games in a row."""
    gap, side = 24, 216
    width = (WIDE - gap * (len(games) + 1)) / len(games)
    top = (HIGH - side - 2 * gap - width * 0.6) / 2
    mark = icon.replace("<svg ", f'<svg x="{(WIDE - side) / 2}" y="{top}" width="{side}" height="{side}" ', 1)
    covers = "".join(_use(game, gap + i * (width + gap), top + side + 2 * gap, width) for i, game in enumerate(games))
    ground = "<style>body{background:#101419}</style>"
    return f'{_art(games)}{ground}<svg width="{WIDE}" height="{HIGH}">{covers}{mark}</svg>'


def _write(path: Path, page: Page, width: int, height: int, body: str) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.set_content(f"<!doctype html><style>body{{margin:0;overflow:hidden}}</style>{body}")
    taken = page.screenshot(omit_background=True, animations="disabled")
    raw = base64.b64decode(page.evaluate(PIXELS, base64.b64encode(taken).decode()))
    pixels = np.frombuffer(raw, np.uint8).reshape(height, width, 4)
    data = next(made for most in COLOURS if len(made := _png(pixels, most)) <= MOST or most == COLOURS[-1])
    path.write_bytes(data)
    print(f"{path.relative_to(Path.cwd())}: {len(data)} bytes")


def _png(pixels: Any, most: int) -> bytes:
    """Return a picture as a PNG with a limited number of colours."""
    height, width, _ = pixels.shape
    known, which, counts = np.unique(pixels.reshape(-1, 4), axis=0, return_inverse=True, return_counts=True)
    palette = _palette(known.astype(float), counts, most)
    palette = palette[palette[:, :3].sum(1).argsort()]
    nearest = _nearest(known.astype(float), palette)
    rows = nearest[which].astype(np.uint8).reshape(height, width)
    body = np.hstack([np.zeros((height, 1), np.uint8), rows]).tobytes()  # each row unfiltered
    colours = np.rint(palette).astype(np.uint8)

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    alpha = chunk(b"tRNS", colours[:, 3].tobytes()) if (colours[:, 3] < 255).any() else b""
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0))
        + chunk(b"PLTE", colours[:, :3].tobytes())
        + alpha
        + chunk(b"IDAT", _deflated(body))
        + chunk(b"IEND", b"")
    )


def _deflated(data: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS, 9)
    return packer.compress(data) + packer.flush()


def _palette(known: Any, counts: Any, most: int) -> Any:
    """Return a limited number of colours for the known ones: boxes cut in two at their middle (Heckbert 1982), then
    each colour moved to the mean of those nearest to it."""
    boxes = [np.arange(len(known))]
    while len(boxes) < most:
        spread = [float(np.ptp(known[box], axis=0).max()) * counts[box].sum() ** 0.5 for box in boxes]
        at = int(np.argmax(spread))
        if spread[at] == 0:
            break
        box = boxes.pop(at)
        along = int(np.argmax(np.ptp(known[box], axis=0)))
        box = box[np.argsort(known[box, along], kind="stable")]
        half = int(np.searchsorted(np.cumsum(counts[box]), counts[box].sum() / 2))
        half = min(max(half, 1), len(box) - 1)
        boxes += [box[:half], box[half:]]
    palette = np.array([np.average(known[box], axis=0, weights=counts[box]) for box in boxes])
    for _ in range(4):
        nearest = _nearest(known, palette)
        total = np.bincount(nearest, counts, len(palette))
        sums = np.stack([np.bincount(nearest, counts * known[:, i], len(palette)) for i in range(4)], axis=1)
        palette = np.where(total[:, None] > 0, sums / np.maximum(total, 1)[:, None], palette)
    return palette


def _nearest(known: Any, palette: Any) -> Any:
    """Return for each colour the number of the nearest one in the palette."""
    distance = (known**2).sum(1)[:, None] - 2 * known @ palette.T + (palette**2).sum(1)
    return distance.argmin(1)


if __name__ == "__main__":
    main()
