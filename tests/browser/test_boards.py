"""Boards in several phases, in windows of usual sizes: all that can be pressed or matters for the decision is in the
window and uncovered; nothing is too small to read or cut off."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import pairwise, product

import pytest
from playwright.sync_api import Browser, Page, expect

from parlour.core.contract import TERMINAL
from parlour.core.match import Match
from parlour.core.scene import SPECTATOR, Scene
from parlour.games import find
from parlour.house.site import files
from tests.browser import boards
from tests.browser.measures import CONTRASTS, OVERLAPS, PRESSES
from tests.games.family_trade.table import GOD, MM, ROYALE

pytestmark = pytest.mark.browser
Windows = Callable[[int], list[tuple[int, int]]]
PHONE, DESKS = (390, 844), [(1280, 800), (1920, 1080)]
# What matters for the decision, and whether all of it is in the window, above the bar: [key, what is wrong]
SEEN = """([what, width]) => {
  const bar = document.querySelector(".bar").getBoundingClientRect().top + 1;
  return [...document.querySelectorAll(what)].map((node) => [node, node.getBoundingClientRect()])
    .filter(([, box]) => box.width && (box.top < 0 || box.bottom > bar || box.left < 0 || box.right > width))
    .map(([node, box]) => [node.dataset.key ?? node.className, box.left, box.right, box.top, box.bottom, bar]);
}"""
# Names and numbers that are cut off, or overflow what they are written on
CUT = """(what) => [...document.querySelectorAll(what)].filter((node) => {
  const range = document.createRange();
  range.selectNodeContents(node);
  const words = range.getBoundingClientRect();
  if (!words.width || getComputedStyle(node).clipPath !== "none") return false;
  const spilt = node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 2;
  if (getComputedStyle(node).overflow !== "visible" && node.clientWidth && spilt) return true;
  const around = node.closest(".seat, .stall, .card, .chip, .die, .cell, .act, .way, .player, .board");
  const on = around.getBoundingClientRect();
  return words.left < on.left - 1 || words.right > on.right + 1;
}).map((node) => [node.closest("[data-key]").dataset.key, node.textContent])"""
NAMES = (
    ".seat .name, .seat .total, .title > span, .awning b, .chip b, .die b, .cell i, .card .name, .amount, .stat .said,"
    ".way .label"
)
# How far each stall's picture is from its chip, in px, and which part of the stall's width the chip has
CHIPS = """() => [...document.querySelectorAll(".stall")].map((stall) => {
  const [all, picture, chip] = [stall, ...["svg", ".chip"].map((one) => stall.querySelector(one))]
    .map((one) => one.getBoundingClientRect());
  const [x, y] = [chip.left + chip.width / 2, chip.top + chip.height / 2];
  return [Math.hypot(x - picture.right, y - picture.bottom) - chip.width / 2, chip.width / all.width];
})"""
# What the card just drawn laps, and its width
NEWEST = """() => {
  const box = document.querySelector(".card.new").getBoundingClientRect();
  const above = [...document.querySelectorAll(".lot:not(.lot-new) .brings")].map((one) => one.getBoundingClientRect());
  return [above.some((one) => one.right > box.left && one.top < box.top && one.bottom > box.top + 1), box.width];
}"""
# Parts of the middle of the loop that overlap
INSIDE = """() => {
  const all = [...document.querySelectorAll(".inside > *, .rows > .player")]
    .filter((n) => !n.matches(".rows") && n.getBoundingClientRect().width)
    .flatMap((n) => n.matches(".heap, .stage") ? [...n.children] : [n]);
  const found = [];
  for (const [i, one] of all.entries()) for (const other of all.slice(i + 1)) {
    const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
    if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
        Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1) found.push([one.dataset.key, other.dataset.key]);
  }
  return found;
}"""
# What the signs of the race mean, and the room for it above what the turn is about
LEGEND = """() => {
  const race = document.querySelector(".fours"), stage = document.querySelector(".stage").getBoundingClientRect();
  return [getComputedStyle(race, "::after").content, stage.top - race.getBoundingClientRect().bottom];
}"""
# By how much the pile's name reaches into what the race is for, which is below it where there is room
INTO = """() => {
  const box = (one) => document.querySelector(one)?.getBoundingClientRect();
  const name = box(".heap .stack .name"), said = box(".fours > .said");
  return name && said && said.width > 2 && said.left < name.right ? name.bottom - said.top : 0;
}"""
# By how much what the signs of the race mean is wider than its box
SPILT = """() => {
  const race = document.querySelector(".fours");
  return race.scrollWidth - race.clientWidth;
}"""
# The empty cloth below the hands of all, as those who watch see them: the share of the middle's height
BELOW = """() => {
  const [inside, rows] = [".inside", ".rows"].map((one) => document.querySelector(one).getBoundingClientRect());
  return (inside.bottom - rows.bottom) / inside.height;
}"""
# How far above the dump's lower edge its last cards end, how high the dump is, and whether one of them is cut
RECENT = """() => {
  const dump = document.querySelector('[data-key="dump"]').getBoundingClientRect();
  const recent = document.querySelector(".recent"), { bottom } = recent.getBoundingClientRect();
  const cut = [...recent.children].map((one) => one.getBoundingClientRect())
    .some((one) => one.height > 2 && one.top < bottom - 1 && one.bottom > bottom + 1);
  return [dump.bottom - bottom, dump.height, cut];
}"""
# For each suit where its sign begins and ends, and where its name ends; then, opened, for each player the middle of
# their mark and those of their numbers, and how far the table reaches out of the board
LEDGER = """() => {
  const box = (one) => one.getBoundingClientRect(), middle = (one) => box(one).left + box(one).width / 2;
  const signs = [...document.querySelectorAll(".suit:has(> .sign)")].map((one) => {
    const sign = box(one.querySelector(".sign")), range = document.createRange();
    range.selectNodeContents(one.querySelector(".label .words"));
    const name = range.getBoundingClientRect();
    return [sign.left, sign.right, name.width > 2 ? name.right : 0];
  });
  document.querySelector(".meaning").open = true;
  const lines = [0, 1].map((seat) => [middle(document.querySelector(`[data-key="reach-of-${seat}"]`)),
    [...document.querySelectorAll(`.reach.of-${seat}`)].map(middle)]);
  const table = box(document.querySelector(".ledger > .places")), board = box(document.querySelector(".board"));
  return [signs, lines, Math.max(board.top - table.top, table.bottom - board.bottom, table.right - board.right)];
}"""
SMALL = """(what) => [...document.querySelectorAll(what)].map((node) => [node.textContent,
  parseFloat(getComputedStyle(node).fontSize)]).filter(([, size]) => size < 16)"""


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(reduced_motion="reduce")
    yield context.new_page()
    context.close()


# As the page does it: a question that would make the dock higher has smaller letters
FIT = """async (source) => {
  window.fitted ??= import(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
  (await window.fitted).fit(document.querySelector(".scene"));
}"""


def measure(
    page: Page, game: str, scene: Scene, phase: str, decides: str, compared: str, sizes: list[tuple[int, int]]
) -> None:
    """Check all of this for one position, in these windows."""
    page.set_content(boards.document(find(game), scene))
    for width, height in sizes:
        where = (phase, width)
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(FIT, files.SOURCES["fit.js"].read_text("utf-8"))
        assert page.evaluate("document.documentElement.scrollWidth") <= width, where
        pressed = page.evaluate(PRESSES.replace("SCROLL", "false"))
        assert pressed or scene.to_move != scene.viewer, where
        for key, hit, _, _, left, right, top, bottom in pressed:
            assert left >= 0, (where, key)
            assert top >= 0, (where, key)
            assert right <= width, (where, key, right)
            assert bottom <= height, (where, key, bottom)
            assert hit, (where, key, "is covered")
        for found in (page.evaluate(SEEN, [decides, width]), page.evaluate(OVERLAPS), page.evaluate(INSIDE)):
            assert not found, (where, found)
        assert not page.evaluate(CUT, NAMES), (where, page.evaluate(CUT, NAMES))
        assert not page.evaluate(SMALL, compared), where
        if width == 390:  # text is smallest here, and colours are the same elsewhere
            found = page.evaluate(CONTRASTS)
            assert not [one for one in found if one[3] < 12], where
            pale = [(key, words, round(worst, 2)) for key, words, worst, _ in found if worst < 4.5]
            assert not pale, (where, pale)


@pytest.fixture(scope="module")
def windows(size: Callable[[int, int], int]) -> Windows:
    """Return a function of a phase's number: the phone and one of the desks, both in the long form."""
    return lambda number: [PHONE, *(DESKS[number % 2 :] + DESKS[: number % 2])[: size(1, 2)]]


@pytest.mark.parametrize(
    ("ruleset", "players"), [pytest.param(MM, 2, marks=pytest.mark.whole), (MM, 4), (GOD, 3), (ROYALE, 4)]
)
@pytest.mark.suite("market-making-4")
def test_family_trade(page: Page, windows: Windows, ruleset: str, players: int) -> None:
    for number, (phase, scene) in enumerate(boards.market(ruleset, players)):
        page.emulate_media(color_scheme=("light", "dark")[number % 2])
        decides = '.stall, .hand .card, .jar, .stack, .sets > *, [data-key="dump"] .last'
        measure(
            page, "family-trade", scene, phase, decides, ".chip b, .die b, .cell i, .amount, .jar .said, .jar .badge",
            windows(number),
        )  # fmt: skip


@pytest.mark.parametrize(("edition", "players"), [("loop-36", 6), ("loop-24", 3)])
@pytest.mark.suite("loop-24*")
def test_aces_and_faces(page: Page, windows: Windows, edition: str, players: int) -> None:
    for number, (phase, scene) in enumerate(boards.loop(edition, players)):
        page.emulate_media(color_scheme=("light", "dark")[number % 2])
        decides = ".space, .heap > *, .stage > *, .player, .own-hand, .fight .pilecard"
        measure(page, "aces-and-faces", scene, phase, decides, ".caption, .says .badge", windows(number))
        page.set_viewport_size({"width": 390, "height": 844})
        if phase != "fight":  # else there is no race
            legend, gap = page.evaluate(LEGEND)
            assert "its holder" in legend, phase
            assert gap >= 12, phase
        for width, height in ((360, 740), (390, 844)):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(INTO) <= 0, (phase, width)


@pytest.mark.parametrize("players", [2, 4, 6])
@pytest.mark.suite("6")
def test_the_middle_of_the_loop_has_room_for_all_of_it(
    page: Page, size: Callable[[int, int], int], players: int
) -> None:
    """This is for those who play and those who watch, whose place for a hand has the hands of all."""
    match, choice = Match(find("aces-and-faces"), players, names=boards.ALIKE[:players], seed=3), random.Random(3)
    seen, ways = set(), product((SPECTATOR, 0), [(820, 1180), *DESKS])
    for viewer, (width, height) in list(ways) * size(1, 3):
        for _ in range(14):
            if not match.over:
                match.play(choice.choice(match.legal_action_ids()))
        while match.current_player not in (0, TERMINAL):  # the viewer's own decision has most
            match.play(choice.choice(match.legal_action_ids()))
        page.set_viewport_size({"width": width, "height": height})
        page.set_content(boards.document(match.game, match.scene(viewer), boards.ALIKE))
        where = (players, viewer, width, match.version)
        assert not page.evaluate(INSIDE), (where, page.evaluate(INSIDE))
        assert page.evaluate(SPILT) <= 1, where
        if viewer == SPECTATOR and width > height:
            assert page.evaluate(BELOW) < 0.06, where
        seen.add(where)
    assert len(seen) >= 6


@pytest.mark.parametrize(("ruleset", "players"), [(MM, 4), (GOD, 3), (ROYALE, 2)])
@pytest.mark.suite("battle-royale-2")
def test_the_dump_fills_its_place_on_a_desk(page: Page, ruleset: str, players: int) -> None:
    """Its last cards have places from the first turn, which reach its lower edge; and no card is cut there."""
    for phase, scene in boards.market(ruleset, players):
        page.set_content(boards.document(find("family-trade"), scene))
        for width, height in [(1180, 820), *DESKS]:
            page.set_viewport_size({"width": width, "height": height})
            below, high, cut = page.evaluate(RECENT)
            assert -1 <= below <= max(24, high * 0.15), (phase, width, below, high)
            assert not cut, (phase, width)


@pytest.mark.parametrize("window", [(360, 740), (390, 844), (667, 375), (820, 1180)], ids="{0[0]}".format)
@pytest.mark.suite("3*")
def test_what_is_within_reach_in_gatsby_opens_as_a_table(page: Page, window: tuple[int, int]) -> None:
    """In the strip no suit's sign touches a name or another sign; in the table, which is on the board, each player's
    mark is above their numbers."""
    match, choice = Match(find("gatsby"), seed=9), random.Random(9)
    while match.version < 60:
        match.play(choice.choice(match.legal_action_ids()))
    page.set_viewport_size({"width": window[0], "height": window[1]})
    page.set_content(boards.document(match.game, match.scene(0)))
    signs, lines, out = page.evaluate(LEDGER)
    for (_, right, left), (sign, *_) in pairwise(signs):
        assert max(right, left) <= sign + 0.5, signs
    for mark, numbers in lines:
        assert len(numbers) == 6
        assert all(abs(mark - number) < 5 for number in numbers), lines
    assert out <= 0


def facets(players: int) -> Iterator[tuple[str, Scene]]:
    """Yield decisions of a random game of Facets of Fortune, as the player to move sees them, with the beginning of the
    prompt."""
    match, choice = Match(find("facets-of-fortune"), players, names=boards.LONG[:players], seed=9), random.Random(9)
    while match.version < 120 and not match.over:
        if match.current_player >= 0:
            scene = match.scene(match.current_player)
            yield scene.prompt, scene
        match.play(choice.choice(match.legal_action_ids()))


def test_a_floor_of_gatsby_names_its_bonus_where_there_is_room(page: Page) -> None:
    match = Match(find("gatsby"), seed=9)
    for (width, height), shown in ((DESKS[0], True), (PHONE, False)):
        page.set_viewport_size({"width": width, "height": height})
        page.set_content(boards.document(match.game, match.scene(0)))
        expect(page.locator(".floor > .print").get_by_text("Special")).to_be_visible(visible=shown)


@pytest.mark.whole
def test_on_a_phone_no_ladder_grows_as_a_trade_begins(page: Page, size: Callable[[int, int], int]) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    heights, trades = set(), 0
    for number, (prompt, scene) in enumerate(facets(2)):
        if number % size(6, 1) and "buy gems" not in prompt:
            continue
        page.set_content(boards.document(find("facets-of-fortune"), scene))
        heights.add(page.locator('[data-key="ladders"]').evaluate("(one) => one.getBoundingClientRect().height"))
        trades += "buy gems" in prompt
    assert trades > 3
    assert len(heights) == 1, heights


def test_a_desk_asks_once_which_way_and_a_tall_phone_has_large_cells(page: Page) -> None:
    """In Aces & Faces the bar has the question; the race's cells are as large as the room lets them be."""
    game, scene = find("aces-and-faces"), dict(boards.loop("loop-36", 2))["move"]
    for (width, height), asked, wide in ((PHONE, True, 28), (DESKS[0], False, 28)):
        page.set_viewport_size({"width": width, "height": height})
        page.set_content(boards.document(game, scene))
        caption, cell = page.locator(".stage > .caption").bounding_box(), page.locator(".fours .cell").first
        assert caption
        assert (caption["width"] > 2) == asked
        assert cell.evaluate("(one) => one.getBoundingClientRect().width") >= wide


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.suite("4")
def test_a_price_is_large_and_apart_from_its_picture(page: Page, players: int) -> None:
    """In Market Making a chip has half of its stall's width and touches no picture; the card just drawn is as wide as
    its place, below what the row above it brings."""
    for name, width, height in [(phase, *window) for phase in ("turn", "moving") for window in (PHONE, *DESKS)]:
        page.set_viewport_size({"width": width, "height": height})
        page.set_content(boards.document(find("family-trade"), dict(boards.market(MM, players))[name]))
        for apart, part in page.evaluate(CHIPS):
            assert apart > -2, (name, width, apart)  # the picture has a margin of its own
            assert part > (0.5 if name == "turn" else 0.4), (name, width, part)
        if name == "turn" and width < 400:
            lapped, wide = page.evaluate(NEWEST)
            assert not lapped
            assert wide >= 60


@pytest.mark.whole
def test_the_bank_is_away_from_the_frame_on_a_phone(page: Page) -> None:
    """In Battle Royale, whose bank is in words and bills."""
    for width, height in [(360, 740), (390, 844)]:
        page.set_viewport_size({"width": width, "height": height})
        page.set_content(boards.document(find("family-trade"), dict(boards.market(ROYALE, 2))["turn"]))
        edge = page.evaluate("() => document.querySelector('.board').getBoundingClientRect().right")
        bank = page.evaluate("""() => document.querySelector('[data-key="jackpot"]').getBoundingClientRect().right""")
        assert edge - bank >= 12, (width, edge, bank)


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.whole
def test_cards_beside_the_markets_are_as_high_as_these(
    page: Page, size: Callable[[int, int], int], players: int
) -> None:
    """In Facets of Fortune on a desk, there is no empty cloth below the hand."""
    bottoms = """() => ["ladders", "hand"].map((key) =>
      document.querySelector(`[data-key="${key}"]`).getBoundingClientRect().bottom)"""
    for number, (_, scene) in enumerate(facets(players)):
        if number % size(30, 12) == 0:
            page.set_content(boards.document(find("facets-of-fortune"), scene))
            for width, height in [(1280, 720), (1280, 800), (1366, 768), (1920, 1080)]:
                page.set_viewport_size({"width": width, "height": height})
                ladders, hand = page.evaluate(bottoms)
                assert abs(ladders - hand) <= 6, (players, number, width, ladders, hand)
                wide = page.locator('[data-key="hand"] .card').first.bounding_box()
                assert wide is None or wide["width"] >= 120, (players, number, width, wide)


@pytest.mark.parametrize(
    ("name", "players", "decides", "compared"),
    [
        ("fortune", 4, ".die, .board > .card, .counter, .track, .stack", ".counter .sum, .seat .total"),
        ("facets-of-fortune", 4, ".plate, .rungs, .stake, .card.small, .ware, .die", ".pile, .seat .total"),
        ("gatsby", 2, ".deed, .space, .portrait, .suit, .card.tile, .course", ".seat .total"),
    ],
)
@pytest.mark.suite("gatsby*")
def test_the_others_on_a_desk(page: Page, name: str, players: int, decides: str, compared: str) -> None:
    """Check positions of a random game. On a phone these boards scroll, and the bar has all moves (test_room.py)."""
    match, choice, shown = Match(find(name), players, names=boards.LONG[:players], seed=9), random.Random(9), 0
    while shown < 6 and not match.over:
        if match.current_player >= 0 and match.version % 11 == 0:
            page.emulate_media(color_scheme=("light", "dark")[shown % 2])
            scene = match.scene(match.current_player)
            measure(page, name, scene, f"{name} {match.version}", decides, compared, DESKS)
            shown += 1
        match.play(choice.choice(match.legal_action_ids()))
    assert shown > 3
