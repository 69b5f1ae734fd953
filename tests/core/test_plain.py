"""The terminal's drawing has all that the page of the same scene shows or says. The page is read as HTML, as a browser
and a screen reader have it; nothing is asked of `core.plain` but its text."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

import pytest

from parlour.core import html, plain
from parlour.core.match import Match
from parlour.core.plain_tables import flow
from parlour.core.scene import SPECTATOR, Piece, Scene
from parlour.games import all_games
from tests.browser import sampler

VOID = {"br", "img", "input", "use", "path"}
FURNITURE = {"The game", "Players", "What you can do"}  # headings of the page itself


@dataclass
class Element:
    """An element of the page, with what assistive technology announces of it."""

    tag: str
    attributes: dict[str, str]
    parent: Element | None
    texts: list[str] = field(default_factory=list)

    @property
    def hidden(self) -> bool:
        mine = self.attributes.get("aria-hidden") == "true" or self.tag in ("kbd", "svg")
        return mine or (self.parent is not None and self.parent.hidden)

    @property
    def tool(self) -> bool:
        """Whether it is a button of the page and not of the game: Take back, Hint, All, Keep passing."""
        mine = bool({"data-undo", "data-hint", "data-all", "data-keep"} & self.attributes.keys())
        return mine or (self.parent is not None and self.parent.tool)

    @property
    def classes(self) -> set[str]:
        return set(self.attributes.get("class", "").split())

    @property
    def label(self) -> str:
        """The accessible name, without the reason why a move is not possible, which is shown only on a try."""
        label, why = self.attributes.get("aria-label", ""), self.attributes.get("data-why")
        return label.partition(f". {why}")[0] if why else label


class Reader(HTMLParser):
    """Collects the elements of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[Element] = []
        self.at: Element | None = None
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs}, self.at)
        self.elements.append(element)
        if tag not in VOID:
            self.at = element

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID and self.at is not None:
            self.at = self.at.parent

    def handle_data(self, data: str) -> None:
        if self.at is not None and data.strip():
            self.at.texts.append(" ".join(data.split()))


def full(text: str) -> str:
    """With amounts in full: 25k is 25,000."""
    units = {"k": 1_000, "M": 1_000_000}
    return re.sub(r"\b(\d+)([kM])\b", lambda cut: f"{int(cut[1]) * units[cut[2]]:,}", text)


def words(text: str) -> set[str]:
    return set(re.findall(r"[\w,.]*\w", full(text).lower()))


def pieces(piece: Piece) -> Iterator[Piece]:
    """Yield a piece and all pieces on it."""
    yield piece
    for child in piece.children:
        yield from pieces(child)


def unsaid(scene: Scene, width: int = plain.WIDTH) -> list[str]:
    """Return what the page of a scene shows or says and its drawing does not."""
    drawn = plain.render(scene, width)
    lines = [" ".join(line.split()) for line in drawn.splitlines()]
    said = " ".join(lines)
    missing = []
    places = {piece.place for piece in pieces(scene.board)} - {""}
    for one in Reader(html.render(scene)).elements:
        if one.hidden:
            continue
        if move := one.attributes.get("data-action", ""):  # also that of a tool: it is made without the page too
            missing += [f"move {move}"] if move not in said else []
        if one.tool:
            continue
        label = " ".join(one.label.split())
        label = label.removesuffix(f", {label.rpartition(', ')[2]}") if label.rpartition(", ")[2] in places else label
        if label in FURNITURE or "board" in one.classes or ("none" in one.classes and label.startswith("0 ")):
            label = ""  # who has nothing of a kind is not told so for each kind
        if "space" in one.classes:  # where it is, the drawing shows; what is there are its phrases
            missing += [part for part in label.split(", ")[1:] if part not in said and part != "empty"]
        elif "gem" in one.classes:
            missing += [] if any(all(part in line for part in label.split(", ")) for line in lines) else [label]
        elif label.lower() not in said.lower():
            missing.append(label)
        named, above = "", one
        while above is not None and not named:
            named, above = above.label, above.parent
        missing += [
            text
            for text in one.texts
            if text not in said and full(text) not in said and not words(text) <= words(named)
        ]
    return missing


def kinds() -> Iterator[tuple[str, str, str, int]]:
    """Each game in each ruleset with the most players, and in its other editions with the fewest."""
    for name, game in all_games().items():
        first, *others = game.editions
        for ruleset in game.rulesets or ("",):
            yield name, first, ruleset, game.facts.players[1]
        for edition in others:
            yield name, edition, "", game.facts.players[0]


def positions(match: Match, seed: int, first: int = 12, each: int = 25) -> Iterator[Match]:
    """Decisions of a random game: the first ones, some later ones, and the end where it comes within a few hundred."""
    choice = random.Random(seed)
    for made in range(300):
        if match.over:
            break
        if made < first or made % each == 0:
            yield match
        match.play(choice.choice(match.legal_action_ids()))
    yield match


@pytest.mark.parametrize(("name", "edition", "ruleset", "players"), list(kinds()))
def test_all_that_the_page_shows_or_says_is_in_the_drawing(
    name: str, edition: str, ruleset: str, players: int, size: Callable[[int, int], int]
) -> None:
    options = {"ruleset": ruleset} if ruleset else {}
    match = Match(all_games()[name], players, edition=edition, options=options, seed=players)
    for shown in positions(match, players, size(6, 12), size(50, 25)):
        for viewer in {SPECTATOR, max(shown.current_player, 0)}:
            assert not unsaid(shown.scene(viewer)), (shown.version, viewer)


def test_every_kind_of_piece_is_drawn_in_every_state() -> None:
    assert not unsaid(sampler.whole(), 118)
    drawn = plain.render(sampler.whole(), 118)
    for said in ("Pot: 12", "Weather: Rain", "This turn: +40 (two of a kind)", "Harvest: Take two", "  ·  ·  ·\n"):
        assert said in drawn


def test_the_memory_aid_is_drawn_too() -> None:
    match = Match(all_games()["aces-and-faces"], 6, options={"memory_aid": "on"}, seed=6)
    for shown in positions(match, 6):
        assert not unsaid(shown.scene(max(shown.current_player, 0)))


@pytest.mark.parametrize("name", list(all_games()))
@pytest.mark.parametrize("width", [60, 78, 118])
@pytest.mark.suite("60-*")
def test_no_line_is_longer_than_the_terminal(name: str, width: int) -> None:
    match = Match(all_games()[name], all_games()[name].facts.players[1], seed=width)
    for shown in positions(match, width):
        scene = shown.scene(max(shown.current_player, 0))
        lines = plain.render(scene, width).splitlines()
        assert max(map(len, lines)) <= width
        assert not [line for line in lines if line.strip() == "|"]
        assert not unsaid(scene, 118)


def test_a_bar_never_begins_a_line() -> None:
    for width in range(12, 40):
        lines = flow("Head: ", ["one and two and three", "four", "five, six and seven"], width, "    ")
        assert not [line for line in lines if line.lstrip().startswith("|")], width
        assert " ".join(" ".join(lines).split()) == "Head: one and two and three | four | five, six and seven"
