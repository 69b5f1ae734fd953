"""Every board at every size of window: nothing overlaps, is cut off, or too small; all that can be pressed is in the
window; and the cloth is not half empty."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page

from parlour.core.match import Match
from parlour.core.scene import Scene
from parlour.games import all_games, find
from parlour.house.analysis.deeds import words_of
from parlour.house.site import files
from parlour.house.table.live.signs import signs
from tests.browser import boards
from tests.browser.measures import COVERED, LAPPED, LETTERS, OVERLAPS
from tests.browser.test_boards import CUT, NAMES
from tests.games.family_trade.table import MM
from tests.games.family_trade.table import Table as Market

pytestmark = pytest.mark.browser
SIZES = [
    (320, 568), (360, 740), (390, 844), (667, 375), (740, 360), (844, 390), (640, 400), (820, 1180), (1180, 820),
    (1280, 720), (1280, 800), (1366, 768), (1920, 1080), (932, 430),  # the last: a large phone on its side
]  # fmt: skip
SCROLLED = [(320, 568), (640, 400)]  # where one short scroll may be needed to press something
HINTED = [(390, 844), (1280, 720), (1280, 800), (1366, 768), (1920, 1080)]  # where hints must move nothing
SHAPES = [
    (name, ruleset, players)
    for name, game in all_games().items()
    for ruleset in game.rulesets
    for players in sorted({game.facts.players[0], game.facts.players[-1]})
]
# How far the scene's content reaches beyond it, and how much smaller the board is drawn for it; and what part
# of the window the bar takes
FITTED = """async (source) => {
  window.fitted ??= import(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
  const scene = document.querySelector(".scene"), { fit } = await window.fitted;
  fit(scene);
  const bar = scene.querySelector(".bar").getBoundingClientRect();
  const board = scene.querySelector(".board").getBoundingClientRect();
  return [scene.scrollHeight - scene.clientHeight, board.bottom - bar.top, bar.bottom - innerHeight,
    Number(scene.querySelector(".board").style.zoom || 1), bar.height / innerHeight];
}"""
# A hint as table.js shows it
HINT = """(rows) => {
  const list = rows.map((words) => `<li><span>${words}</span> <b>39 %</b> as good</li>`).join("");
  const because = "<p>Because one more skull would lose all 1,300 points.</p>";
  const whom = "<p>These chances hold between players of level medium.</p>";
  document.querySelector('[data-key="hints"]').innerHTML = `<ol>${list}</ol>${because}${whom}`;
}"""
# The choices of a hint that are not whole in their place, which scrolls only for the reason below them
CHOICES = """() => {
  const box = document.querySelector('[data-key="hints"]'), { bottom, right } = box.getBoundingClientRect();
  return [...box.querySelectorAll("li")].filter((one) => [...one.getClientRects()]
    .some((line) => line.bottom > bottom + 1 || line.right > right + 1)).map((one) => one.textContent);
}"""
# Buttons of the bar that a finger would miss, that overlap, or whose words do not fit on them
SQUEEZED = """() => {
  const all = [...document.querySelectorAll(".scene .acts .act")].map((node) => [node, node.getBoundingClientRect()]);
  return all.filter(([node, a], i) => {
    const range = document.createRange();
    range.selectNodeContents(node.querySelector("span"));
    const words = range.getBoundingClientRect();
    return a.width < 44 || a.height < 44 || words.left < a.left - 1 || words.right > a.right + 1 || a.right > innerWidth
      || all.slice(i + 1).some(([, b]) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1);
  }).map(([node, a]) => [node.textContent, a.width, a.height]);
}"""
# Pieces that reach out of the board, unless they are in something that scrolls
STRAY = """() => {
  const board = document.querySelector(".scene .board"), room = board.getBoundingClientRect();
  const scrolls = (node) => node !== board
    && (/auto|scroll/.test(getComputedStyle(node).overflowX) || scrolls(node.parentElement));
  return [...board.querySelectorAll("[data-key]")].filter((node) => {
    if (!node.checkVisibility({ visibilityProperty: true }) || scrolls(node.parentElement)) return false;
    const box = node.getBoundingClientRect();
    if (!box.width || !box.height) return false;
    return box.left < room.left - 2 || box.right > room.right + 2
      || (board.scrollHeight <= board.clientHeight + 1 && (box.top < room.top - 2 || box.bottom > room.bottom + 2));
  }).map((node) => node.dataset.key);
}"""
# Numbers of plates that reach out of them, and words that are wider than the chip they are on
WIDE = """() => [[".seat", ".total"], [".chip", "b"]].flatMap(([outer, inner]) =>
  [...document.querySelectorAll(`.scene ${outer}`)].filter((node) => {
    const words = node.querySelector(`:scope > ${inner}`), box = node.getBoundingClientRect();
    if (!words || !words.checkVisibility({ visibilityProperty: true }) || !box.width) return false;
    const range = document.createRange();
    range.selectNodeContents(words);
    const { left, right } = range.getBoundingClientRect();
    return getComputedStyle(node).backgroundColor !== "rgba(0, 0, 0, 0)" && (left < box.left || right > box.right);
  }).map((node) => `${outer} ${node.textContent}`))"""
# What can be pressed, by what it does: it is enough that a move is in the window once, on the board or in the bar. For
# each: its keys, whether it can be pressed, and the shorter side of what is pressed
MOVES = """(scrolls) => {
  const found = new Map();
  for (const node of document.querySelectorAll(".scene :is([data-action], [data-part], .act)")) {
    if (!node.checkVisibility({ visibilityProperty: true })) continue;
    if (scrolls) node.scrollIntoView({ block: "center", inline: "center" });
    const box = node.getBoundingClientRect(), x = box.left + box.width / 2, y = box.top + box.height / 2;
    const at = document.elementFromPoint(x, y), hit = node === at || node.contains(at);
    const seen = box.left > -1 && box.right < innerWidth + 1 && box.top > -1 && box.bottom < innerHeight + 1;
    const move = node.dataset.action ?? node.dataset.key, one = found.get(move) ?? [[], false, 0];
    one[0].push(`${node.dataset.key} at ${[box.left, box.top, box.right, box.bottom].map(Math.round).join(" ")}`);
    if (hit && seen) [one[1], one[2]] = [true, Math.max(one[2], Math.min(box.width, box.height))];
    found.set(move, one);
  }
  scrollTo(0, 0);
  document.querySelector(".scene .board").scrollTo(0, 0);
  return [...found.values()];
}"""
# The share of the board's part of the window in which nothing is drawn: no piece, no words, nothing with a background
EMPTY = """() => {
  const board = document.querySelector(".scene .board"), box = board.getBoundingClientRect();
  const bar = document.querySelector(".scene .bar").getBoundingClientRect();
  const bottom = Math.min(box.bottom, innerHeight, bar.left > box.right - 1 ? innerHeight : bar.top);
  const top = Math.max(0, box.top), STEPS = 40, drawn = new Map();
  const draws = (node) => {
    if (node === board || !board.contains(node)) return false;
    if (!drawn.has(node)) {
      const style = getComputedStyle(node);
      const words = [...node.childNodes].some((one) => one.nodeType === Node.TEXT_NODE && one.data.trim());
      drawn.set(node, words || node instanceof SVGElement || style.backgroundImage !== "none"
        || !/^rgba\\(.*, 0\\)$/.test(style.backgroundColor) || draws(node.parentElement));
    }
    return drawn.get(node);
  };
  let empty = 0;
  for (let i = 0; i < STEPS; i++) for (let j = 0; j < STEPS; j++) {
    const x = box.left + ((i + 0.5) / STEPS) * box.width, y = top + ((j + 0.5) / STEPS) * (bottom - top);
    const at = document.elementFromPoint(x, y);
    if (!at || !draws(at)) empty++;
  }
  return empty / STEPS ** 2;
}"""
# How long the page is with all that scrolls in it, in windows
LONG = """() => {
  const board = document.querySelector(".scene .board"), scene = document.querySelector(".scene");
  const inside = Math.max(board.scrollHeight - board.clientHeight, scene.scrollHeight - scene.clientHeight, 0);
  return (document.documentElement.scrollHeight + (/auto|scroll/.test(
    getComputedStyle(board).overflowY + getComputedStyle(scene).overflowY) ? inside : 0)) / innerHeight;
}"""


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(reduced_motion="reduce")
    yield context.new_page()
    context.close()


def positions(name: str, ruleset: str, players: int, every: int) -> Iterator[Scene]:
    """Yield positions of a random game, as the player to move sees them when hints are allowed."""
    options = {"ruleset": ruleset} if ruleset else {}
    match = Match(find(name), players=players, names=signs(players), options=options, seed=3)
    choice = random.Random(3)
    for number in range(400):
        if match.over:
            break
        if number % every == 0:
            scene = match.scene(match.current_player)
            yield replace(scene, hints=scene.to_move == scene.viewer)
        match.play(choice.choice(match.legal_action_ids()))
    yield match.scene(0)


def faults(page: Page, width: int, height: int, source: str) -> list[tuple[str, object]]:
    """Return what is wrong with the board that the page shows, in a window of this size."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("scrollTo(0, 0)")
    over, under, below, zoom, _ = page.evaluate(FITTED, source)
    found: list[tuple[str, object]] = [
        ("overlaps", page.evaluate(OVERLAPS)),
        ("words on words", page.evaluate(LAPPED)),
        ("words are covered", page.evaluate(COVERED)),
        ("is cut off", page.evaluate(CUT, NAMES)),
        ("is smaller than 12 px", page.evaluate(LETTERS)),
        ("is squeezed", page.evaluate(SQUEEZED)),
        ("is wider than its place", page.evaluate(WIDE)),
        ("leaves the board", page.evaluate(STRAY)),
        ("one would have to scroll", over if width > 1000 and over > 0 else None),
        ("the bar is above the lower edge", below if width < 1000 and height > width and below < -1 else None),
        ("the board is drawn smaller", zoom if zoom < 1 else None),
        ("the bar covers the board", under if width > 1000 and under > 1 else None),
        ("the bar leaves the window", below if below > 1 else None),
    ]
    for keys, pressed, short in page.evaluate(MOVES, (width, height) in SCROLLED):
        if not pressed:
            found.append(("cannot be pressed", keys))
        elif short < 24:
            found.append(("is too small to press", (keys, short)))
    if (sideways := page.evaluate("document.documentElement.scrollWidth")) > width:
        found.append(("scrolls sideways", sideways))
    if (long := page.evaluate(LONG)) > longest(width, height) + 0.005:
        found.append(("is too long, in windows", round(long, 2)))
    if (empty := page.evaluate(EMPTY)) > 0.5:
        found.append(("cloth is empty", round(empty, 2)))
    return [one for one in found if one[1]]


def hint_faults(page: Page, width: int, source: str, hinted: list[str]) -> list[tuple[str, object]]:
    """Return what is wrong when the bar says that these moves are the best."""
    page.evaluate(HINT, hinted)
    _, under, below, zoom, high = page.evaluate(FITTED, source)
    cut = page.evaluate(CHOICES)
    page.evaluate("""() => document.querySelector('[data-key="hints"]').replaceChildren()""")
    found: list[tuple[str, bool, object]] = [
        ("a choice of a hint is cut", bool(cut), cut),
        ("a hint pushes the bar out of the window", below > 0, below),
        ("a hint pushes the bar over the board", under > 1 and width > 1000, under),
        ("a hint makes the board smaller", zoom != 1, zoom),
        ("the bar with a hint takes of the window", high >= 0.2, high),
    ]
    return [(what, value) for what, wrong, value in found if wrong]


def longest(width: int, height: int) -> float:
    """Return how many windows long a page may be. Below the first is only what no decision needs, but where a window
    is smaller than any phone of today, or enlarged."""
    return 2 if (width, height) in SCROLLED else 1.5 if min(width, height) < 500 else 1


@pytest.mark.parametrize(("number", "shape"), [*enumerate(SHAPES)], ids=["-".join(map(str, shape)) for shape in SHAPES])
@pytest.mark.suite("family-trade-market-making-4")
def test_the_board_at_every_size(
    page: Page, size: Callable[[int, int], int], number: int, shape: tuple[str, str, int]
) -> None:
    """In the short form each position has a third of the sizes, in turn, and each game begins with others."""
    source, wrong, (name, ruleset, players) = files.SOURCES["fit.js"].read_text("utf-8"), [], shape
    for at, scene in enumerate(positions(name, ruleset, players, size(130, 20)), number):
        page.set_content(boards.document(find(name), scene, boards.ALIKE))
        hinted = sorted((words for words, _ in words_of(scene).values()), key=len)[-3:] if scene.hints else []
        for width, height in SIZES[at % 3 :: 3] if size(1, 0) else SIZES:
            found = faults(page, width, height, source)
            if hinted and (width, height) in HINTED:
                found += hint_faults(page, width, source, hinted)
            wrong += [(at - number, width, height, *one) for one in found]
    assert not wrong, "\n".join(map(str, wrong))


# The floors whose number is covered by the frame of a portrait that only the viewer knows; and how many such frames
FRAMES = """() => {
  const frames = [...document.querySelectorAll(".tower .portrait.secret")], covered = frames.filter((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect(), range = document.createRange();
    const { outlineOffset, outlineWidth } = getComputedStyle(one);
    const more = parseFloat(outlineOffset) + parseFloat(outlineWidth);
    range.selectNodeContents(one.closest(".floor").querySelector("i"));
    const number = range.getBoundingClientRect();
    return Math.min(right + more, number.right) - Math.max(left - more, number.left) > 0.5
      && Math.min(bottom + more, number.bottom) - Math.max(top - more, number.top) > 0.5;
  });
  return [frames.length, covered.map((one) => one.dataset.key)];
}"""
# Says of each of the other players that they are away; returns those whose number or name the sign covers
SIGNS = """() => [...document.querySelectorAll(".seats:not(.own) > .seat")].filter((plate) => {
  plate.insertAdjacentHTML("beforeend", '<span class="gone">away</span>');
  const sign = plate.querySelector(".gone"), on = sign.getBoundingClientRect();
  return [...plate.querySelectorAll(".name, .total")].some((one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return getComputedStyle(one).clipPath === "none" && [...range.getClientRects()].some((box) =>
      Math.min(box.right, on.right) - Math.max(box.left, on.left) > 1
      && Math.min(box.bottom, on.bottom) - Math.max(box.top, on.top) > 4);  // less is above the letters
  });
}).map((one) => one.dataset.key)"""
# What `--serif` is where no Times is installed; whether the machine has the narrower type that phones use instead
SERIF = '<style>:root { --serif: "DejaVu Serif", serif }</style>'
NARROWER = """() => {
  const canvas = document.createElement("canvas").getContext("2d"), look = getComputedStyle(document.documentElement);
  const [slim, wide] = ["--slim", "--serif"].map((one) => {
    canvas.font = `16px ${look.getPropertyValue(one)}`;
    return canvas.measureText("Sapphire").width;
  });
  return slim < 0.9 * wide;
}"""
# The names of markets, and of cards in the hand, that are wider than what they are on
OUT = """() => [...document.querySelectorAll(".board :is(.plate, .card.small) > .name, .board .card.small .name")]
  .filter((one) => {
    const range = document.createRange(), on = one.closest(".plate, .card").getBoundingClientRect();
    range.selectNodeContents(one);
    const { left, right } = range.getBoundingClientRect();
    return one.checkVisibility() && getComputedStyle(one).clipPath === "none"
      && (left < on.left - 1 || right > on.right + 1);
  }).map((one) => one.textContent)"""

# How far the Action token is over a picture of its action, for each
ON_PICTURES = """() => [...document.querySelectorAll(".deed .baton")].map((token) => {
  const a = token.getBoundingClientRect();
  return Math.max(...[...token.closest(".deed").querySelectorAll(".token.print")].map((one) => {
    const b = one.getBoundingClientRect();
    return Math.min(Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - a.top);
  }));
})"""
# The lightness of the arrows at the prices that can be chosen
ARROWS = """() => [...document.querySelectorAll(".market button.cell")].map((one) => {
  const paint = document.createElement("canvas").getContext("2d");
  paint.fillStyle = getComputedStyle(one, "::before").color;
  paint.fillRect(0, 0, 1, 1);
  const [red, green, blue] = paint.getImageData(0, 0, 1, 1).data;
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
})"""


def test_the_action_token_is_beside_the_pictures_of_its_action(page: Page) -> None:
    seen = 0
    for scene in positions("gatsby", "", 2, 40):
        page.set_content(boards.document(find("gatsby"), scene, boards.ALIKE))
        for width, height in ((360, 740), (390, 844), (1280, 800)):
            page.set_viewport_size({"width": width, "height": height})
            found: list[float] = page.evaluate(ON_PICTURES)
            seen += len(found)
            assert all(one <= 2 for one in found), (width, found)
    assert seen


def test_the_arrows_of_prices_are_light_in_the_dark(page: Page) -> None:
    page.emulate_media(color_scheme="dark")
    found: list[float] = []
    for scene in positions("family-trade", "market-making", 2, 1):
        if "cell-" not in (drawn := boards.document(find("family-trade"), scene, boards.ALIKE)):
            continue
        page.set_content(drawn)
        if found := page.evaluate(ARROWS):
            break
    page.emulate_media(color_scheme="light")
    assert found
    assert min(found) > 0.5


def test_no_dashed_frame_is_on_a_number_of_the_tower(page: Page) -> None:
    seen = 0
    for scene in positions("gatsby", "", 2, 40):
        page.set_content(boards.document(find("gatsby"), scene, boards.ALIKE))
        for width, height in ((360, 740), (390, 844), (667, 375), (844, 390)):
            page.set_viewport_size({"width": width, "height": height})
            frames, covered = page.evaluate(FRAMES)
            seen += frames
            assert not covered, (width, height, covered)
    assert seen


@pytest.mark.parametrize(
    ("name", "players"), [("fortune", 3), ("facets-of-fortune", 3), ("facets-of-fortune", 4), ("family-trade", 4)]
)
def test_the_sign_of_an_absent_player_covers_neither_name_nor_number(page: Page, name: str, players: int) -> None:
    source, names = files.SOURCES["fit.js"].read_text("utf-8"), ("Anne Bonny", "Ching Shih", "Ben", "Dan")
    for scene in positions(name, "", players, 130):
        for width, height in ((360, 740), (390, 844), (667, 375), (844, 390), (820, 1180), (1280, 800)):
            page.set_content(boards.document(find(name), scene, names))
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(FITTED, source)
            assert page.evaluate(SIGNS) == [], (width, height)


# The lines of a name beside a sign and millions, and the pixels by which a chip is over the good beside it
BESIDE = """() => [...document.querySelectorAll(".seats:not(.own) > .seat .name")].map((one) => {
  const words = document.createRange();
  words.selectNodeContents(one);
  return new Set([...words.getClientRects()].map((box) => Math.round(box.bottom))).size;
})"""
OVER = """() => [...document.querySelectorAll(".market .stall")].map((stall) => {
  const [good, chip] = [".awning svg", ".chip"].map((one) => stall.querySelector(one)?.getBoundingClientRect());
  return good?.width && chip ? good.right - chip.left : 0;
})"""


@pytest.mark.parametrize("times", ["", " (×2)"])
def test_what_a_deal_brought_is_on_a_line_of_a_phone(page: Page, times: str) -> None:
    board = boards.document(find("family-trade"), dict(boards.market(MM, 4))["choosing"], boards.ALIKE)
    assert ", Jackpot" in board
    page.set_content(board.replace(", Jackpot", f"{times}, Jackpot"))
    source = files.SOURCES["fit.js"].read_text("utf-8")
    assert [faults(page, width, height, source) for width, height in ((360, 740), (390, 844))] == [[], []]


def test_names_are_whole_beside_millions_and_goods_beside_chips_on_a_phone(page: Page) -> None:
    table, source = Market(players=4, ruleset=MM).turn("oil").draw("gold"), files.SOURCES["fit.js"].read_text("utf-8")
    table.state.money[:4] = [500, 1_150, -1_250, 400]
    names = ("Ann", "Theodora", "Theodora", "Mei Ling")
    page.set_content(boards.document(find("family-trade"), table.match.scene(0), names))
    page.set_viewport_size({"width": 667, "height": 375})
    page.evaluate(FITTED, source)
    assert page.evaluate(SIGNS) == []
    assert page.evaluate(BESIDE) == [1, 1, 1]
    page.set_viewport_size({"width": 360, "height": 740})
    page.evaluate(FITTED, source)
    assert max(page.evaluate(OVER)) <= 1


@pytest.mark.parametrize("players", [pytest.param(2, marks=pytest.mark.whole), 4])
def test_wide_letters_stay_on_plates_and_cards(page: Page, players: int) -> None:
    """As in a Firefox without Times, or on a phone whose serif is wide."""
    source, names = files.SOURCES["fit.js"].read_text("utf-8"), ("Anne Bonny", "Mei Ling", "Theodora", "Ching Shih")
    for scene in positions("facets-of-fortune", "", players, 130):
        for width, height in ((360, 740), (390, 844), (667, 375), (844, 390)):
            page.set_content(boards.document(find("facets-of-fortune"), scene, names) + SERIF)
            if not page.evaluate(NARROWER):
                pytest.skip("the machine has no narrower letters")
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(FITTED, source)
            assert page.evaluate(OUT) == [], (width, height)
            assert page.evaluate(SIGNS) == [], (width, height)
