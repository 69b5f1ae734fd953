"""Games by what a screen reader gets: roles, names, and announcements.

Games of money and of dice are played from their last part on, with the scores given before it begins; whole with
`scripts/nightly --whole`. Games of cards and of places are played from the first move to the last.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Page

from tests.browser.library import Library
from tests.browser.player import table
from tests.browser.test_announcements import RECORD

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]
BUTTON = re.compile(r"- '?button \"((?:[^\"\\]|\\.)+)\"([^\n]*)")  # in quotes if the name has a colon
NOT_MOVES = ("Take back", "Hint", "All")
SHOWN = """() => document.querySelector("main").dataset.version
  + " " + document.querySelectorAll("[aria-pressed=true]").length"""
SOMETHING = """() => document.querySelector(
  ".scene :is([data-action], [data-part], [data-pick]), .result h1, main:not([data-status=playing])")"""
PLAYERS = ("Ann", "Greedy bot")
Position = dict[str, str]
GEMS = {"ruby": "Ruby", "sapphire": "Sapphire", "diamond": "Diamond", "emerald": "Emerald"}
TABLE = "async (path) => (await (await fetch(path)).json()).table"


def ended(page: Page) -> Locator:
    return page.get_by_role("region", name="Result")


def tree(page: Page) -> str:
    """Return all that a screen reader finds of the game."""
    return page.get_by_role("region", name="The game").aria_snapshot().replace("''", "'")


def decision(page: Page) -> list[str]:
    """Wait until something can be pressed; return its names, [] at the end of the game."""
    for _ in range(400):
        page.wait_for_function(SOMETHING, polling=40)  # to read all of it takes long
        if ended(page).count():
            return []
        names = [name for name, more in BUTTON.findall(tree(page)) if "[disabled]" not in more]
        if found := [name for name in names if not name.startswith(NOT_MOVES)]:
            return found
        page.wait_for_timeout(25)
    raise AssertionError("the decision did not come")


def press(page: Page, name: str) -> None:
    """Press the first enabled element of this name."""
    game = page.get_by_role("region", name="The game")
    game.get_by_role("button", name=name, exact=True, disabled=False).first.press("Enter")


def move(page: Page, name: str) -> None:
    """Press what makes a move, or chooses a piece of one, and wait until the page shows the result."""
    shown = page.evaluate(SHOWN)
    press(page, name)
    page.wait_for_function(f"(shown) => ({SHOWN})() !== shown", arg=shown, polling=20)


def number(said: str) -> int:
    return int(said.replace("−", "-").replace("+", "").replace(",", ""))


def heard(page: Page) -> list[str]:
    """Return all announcements, to the end of the game."""
    page.wait_for_function("() => window.announced.some((one) => /wins with|share/.test(one))", polling=40)
    announced: list[str] = page.evaluate("window.announced")
    return announced


def named(page: Page, scores: list[int] | None = None) -> dict[str, int]:
    """Return these scores by name; by default the final ones of the house."""
    found = page.evaluate(TABLE, "/api/tables/" + str(page.get_attribute("main", "data-table")))
    return dict(zip([seat["name"] for seat in found["seats"]], scores or found["scores"], strict=True))


def in_order(seen: list[Position], heard: Iterator[Position]) -> None:
    """Check that each position that was seen is one of those that were heard, in the same order."""
    assert len(seen) > 1
    now = seen[0]
    for one in seen:
        assert one == now or any(one == (now := found) for found in heard), f"{one} was not heard after {now}"


def skulls_heard(lines: list[str], skulls: int) -> Iterator[Position]:
    """Yield the number of skulls after each line of Fortune."""
    for line in lines:
        if card := re.match(r".+ turns (?:Skulls, (\d))?", line):
            skulls = int(card[1] or 0)
        elif rolled := re.match(r".+(:| re-rolls) (?:\d [^:]*?)?(\d) skulls?\.", line):
            skulls += int(rolled[2]) * (1 if rolled[1] == ":" else -1)
        yield {"skulls": str(skulls)}


@pytest.mark.slow
@pytest.mark.whole
def test_a_game_of_dice_is_played_and_its_score_known(visit: Visit, games: Library) -> None:
    page = visit(base=games.server.url)
    games.sit(page, "fortune", {}, 2)
    totals = named(page, games.has("fortune", {}, 2))
    page.evaluate(RECORD)
    rolls, seen = 0, list[Position]()
    while names := decision(page):
        seen += [{"skulls": n} for n in re.findall(r"Skulls: (\d)", tree(page))[:1]]
        dice = [name for name in names if re.search(r", die \d$", name)]
        if rolls < 3 and len(dice) > 3:
            for name in dice[:2]:
                press(page, name)
            names = decision(page)
        roll = next((name for name in names if name.startswith("Re-roll 2")), "")
        rolls += bool(roll)
        move(page, roll or next(name for name in names if name.startswith("Stop")))
    assert rolls
    in_order(seen, skulls_heard(heard(page), int(seen[0]["skulls"])))
    for line in heard(page):
        who = next((name for name in totals if line.startswith(name)), "")
        if total := re.search(r"Total (−?[\d,]+)", line):
            totals[who] = number(total[1])
        elif loss := re.search(r"everyone else (−[\d,]+)(.*)", line):
            other = next(name for name in totals if name != who)
            totals[other] += number(loss[1])
            totals[other] = max(0, totals[other]) if "below" in loss[2] else totals[other]
    assert totals == named(page)


@pytest.mark.slow
@pytest.mark.whole
def test_a_game_of_cards_is_played_and_the_hands_are_known(visit: Visit) -> None:
    page = visit()
    table(page, game="aces-and-faces", edition="loop-24", options={})
    page.evaluate(RECORD)
    choice = random.Random(3)
    squares = set()
    while names := decision(page):
        squares |= {name.rpartition(", ")[2] for name in names if ", square " in name}
        move(page, choice.choice(names))
    assert len(squares) > 4
    held = dict.fromkeys(PLAYERS, 0)
    for line in heard(page):
        who = next((name for name in held if line.startswith(name)), "")
        other = next(name for name in held if name != who)
        if re.search(rf"takes .* from {other}", line):
            held[who] += 1
            held[other] -= 1
        elif re.search("takes .* (from its slot|for the match)", line):
            held[who] += 1
        elif "must put it back" in line:
            held[who] -= 1
        elif "loses the duel and gives" in line:
            held[who] -= 1
            held[other] += 1
    assert held == named(page)


def market_money(lines: list[str], money: Counter[str]) -> None:
    """Count each player's money in Family Trade from the announcements."""
    for line in lines:
        if paid := re.match(r"(.+): ([+−][\d,]+)(?: \(.*\))?\. (.+) pays?\b ?(.*)\.$", line):
            who, worth, payer, to = paid.groups()
            money[who] += number(worth)
            other = to if payer == who else payer
            if other in money:  # not the bank, nor the Jackpot
                money[other] -= number(worth)
        elif jackpot := re.match(r"(.+) takes the Jackpot of ([\d,]+)", line):
            money[jackpot[1]] += number(jackpot[2])


def gem_money(lines: list[str], money: Counter[str]) -> None:
    """Count what each has spent and earned in Facets of Fortune from the announcements."""
    for line in lines:
        if trade := re.match(r"(.+) (buys|sells) .* for ([\d,]+)", line):
            money[trade[1]] += number(trade[3]) * (1 if trade[2] == "sells" else -1)
        elif bonus := re.match(r"Three of a colour: the bank pays (.+) ([\d,]+)\.", line):
            money[bonus[1]] += number(bonus[2])


def prices_shown(tree: str) -> Position:
    """Return the prices of the goods in Family Trade."""
    return dict(re.findall(r'"([A-Z][a-z ]+) brings (−?[\d,]+)"', tree))


def prices_heard(lines: list[str], prices: Position) -> Iterator[Position]:
    """The same after each line."""
    for line in lines:
        if die := re.match(r"The die of (.+) shows ([−\d,]+)\.", line):
            prices = {**prices, die[1]: die[2]}
        elif moved := re.match(r".+ moves (.+) (?:up|down) to (.+)\.", line):
            prices = {**prices, moved[1]: moved[2]}
        yield prices


def gems_shown(tree: str) -> Position:
    """Return the Sell Price of each open market in Facets of Fortune, and each player's number of its gems;
    what can be chosen now is a button."""
    shown = {}
    for market, state in re.findall(rf'(?:group|button) "({"|".join(GEMS.values())}): ([^"]*)"', tree):
        sells = re.search(r"sell (\d[\d,]*\d)", state)
        assert sells or state.startswith("closed"), state
        shown[market] = sells[1] if sells else "closed"
    for who in PLAYERS:
        has = re.search(rf'(?:group|button) "{who}: ([^;"]*)', tree)
        assert has
        for n, gem in re.findall(r"(\d+) ([a-z]+)", has[1]):
            shown[f"{who} {gem.replace('rubies', 'ruby').removesuffix('s')}"] = n
    return shown


def gems_heard(lines: list[str], at: Position) -> Iterator[Position]:
    """The same after each line."""
    markets = "|".join(GEMS.values())
    for line in lines:
        who = next((name for name in PLAYERS if line.startswith(name)), "")
        at = {**at, **dict(re.findall(rf"({markets}) (?:goes to |stays at )?(\d[\d,]*\d)", line))}
        if crash := re.match("([A-Z]+) CRASHES", line):
            gem = crash[1].lower()
            at = {what: n for what, n in at.items() if not what.endswith(f" {gem}")} | {GEMS[gem]: "closed"}
        elif switch := re.search(r"switches: (.+) opens again in place of (.+), which is closed", line):
            at |= {switch[1]: at[switch[2]], switch[2]: "closed"}
            for name in PLAYERS:
                if n := at.pop(f"{name} {switch[2].lower()}", ""):
                    at[f"{name} {switch[1].lower()}"] = n
        change = Counter[str]()
        found = re.findall(r"\b(a|an|\d+) (rub|sapphire|diamond|emerald)(?:y|ies|s)?\b", line)
        for i, (n, gem) in enumerate(found):
            many, what = 1 if n in ("a", "an") else int(n), "ruby" if gem == "rub" else gem
            if re.search(r" (buys|takes) ", line) or (" exchanges " in line and i):
                change[f"{who} {what}"] += many
            elif re.search(r" (sells|exchanges) ", line):
                change[f"{who} {what}"] -= many
            if loser := re.search(r" takes .* from (.+)\.", line):
                change[f"{loser[1]} {what}"] -= many
        for what, n in change.items():
            left = int(at.get(what, "0")) + n
            at = {**at, what: str(left)} if left else {one: has for one, has in at.items() if one != what}
        yield at


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "options", "players", "count", "position"),
    [
        ("facets-of-fortune", {}, 2, gem_money, (gems_shown, gems_heard)),
        ("family-trade", {"ruleset": "market-making"}, 4, market_money, (prices_shown, prices_heard)),
        ("family-trade", {"ruleset": "god-of-the-market"}, 4, market_money, None),
        ("family-trade", {"ruleset": "battle-royale"}, 4, market_money, None),
    ],
)
@pytest.mark.whole
def test_a_game_of_money_is_played_and_what_everybody_has_is_known(
    visit: Visit,
    games: Library,
    size: Callable[[int, int], int],
    game: str,
    options: dict[str, str],
    players: int,
    count: Callable[[list[str], Counter[str]], None],
    position: tuple[Callable[[str], Position], Callable[[list[str], Position], Iterator[Position]]] | None,
) -> None:
    page = visit(base=games.server.url)
    moved = False
    for played in range(6):
        if moved and played == size(1, 6):
            return
        games.sit(page, game, options, players)
        money = Counter(named(page, games.has(game, options, players)))
        page.evaluate(RECORD)
        choice, seen = random.Random(3), list[Position]()
        while names := decision(page):
            seen += [position[0](tree(page))] if position else []
            gladly = [name for name in names if re.search(r"(?i)\bout\b|^take", name)]
            move(page, choice.choice(gladly or names))
        before = money.copy()
        count(heard(page), money)
        if position:
            in_order(seen, position[1](heard(page), seen[0]))
            moved |= any(one != seen[0] for one in seen)
        assert money == named(page)
        if money != before:
            return
    # Money may stay the same in one last part, or in most if the deck runs out; then the positions must have changed.
    assert moved, "no one paid anything, in the last parts of six games"


@pytest.mark.slow
@pytest.mark.whole
def test_a_game_of_places_is_played_and_whose_each_is_known(visit: Visit) -> None:
    page = visit()
    table(page, game="gatsby", options={})
    page.evaluate(RECORD)
    choice, before = random.Random(3), list[str]()
    while names := decision(page):
        fresh = [name for name in names if name not in before]  # such as what can be done with the pieces chosen last
        move(page, choice.choice(fresh or names))
        before = names
    owner: dict[str, str] = {}
    level: dict[str, int] = {}
    for line in heard(page):
        if placed := re.match(r"(.+) (?:places on|starts with a token on) ([a-d]\d)", line):
            owner[placed[2]] = placed[1]
        elif swapped := re.match(r"(.+) swaps (.+) for (.+)\.", line):
            owner[swapped[3]] = swapped[1]
            owner[swapped[2]] = next(name for name in PLAYERS if name != swapped[1])
        elif climbed := re.match(r"(.+) climbs to level (\d+)", line):
            level[climbed[1]] = int(climbed[2])
    page.get_by_role("button", name="See the board").press("Enter")
    whose = "|".join(PLAYERS)
    said = dict(re.findall(rf'"([a-d]\d), (?:[^"]*, )?({whose})\'s token', tree(page)))
    assert said
    assert said == {place: who for place, who in owner.items() if re.fullmatch(r"[a-d]\d", place)}
    climbed_to = re.findall(rf"\"({whose})'s Ascension token on level (\d+)\"", tree(page))
    assert level == {who: int(at) for who, at in climbed_to}
