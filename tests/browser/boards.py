"""Boards on a table's page without a server: scenes of positions that a test has set up, with the rest of the page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import parlour
from parlour.core import html
from parlour.core.game import Game
from parlour.core.scene import Scene
from parlour.games.aces_and_faces.rules import pieces as c
from parlour.house.table.live.signs import named_html
from tests.games.aces_and_faces.table import Table as Loop
from tests.games.family_trade.table import MM, ROYALE
from tests.games.family_trade.table import Table as Market

SHEETS = [next((Path(parlour.__file__).parent / "house").rglob(name)) for name in ("page.css", "table.css")]
SHORT = "3 diamond 3 crypto 2 gold"  # one card short
ALIKE = (  # nearly the longest names, which differ only at their ends
    "Bartholomew Roberts", "Bartholomew Portugues", "Anne Bonny-Cormac", "Anne Bonny-Rackham", "Grace O'Malley the 1st",
    "Grace O'Malley the 2nd",
)  # fmt: skip
LONG = ("Bartholomew Roberts", "Anne Bonny", "Grace O'Malley", "Ching Shih")


def page_look() -> str:
    """Return the styles of a table's page, apart from its scene."""
    return "".join(sheet.read_text("utf-8") for sheet in SHEETS)


def document(game: Game, scene: Scene, names: Sequence[str] = ()) -> str:
    """Return the page of a table with this scene: the head of the page, the board and, in a wide window, the drawer.
    `names` replace their signs in the scene, as in a house."""
    board = named_html(html.render(scene, f"/rules/{game.name}"), names)
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<style>{html.look()}{page_look()}{html.style(game)}</style><body>{html.SHAPES}{html.art(game)}"
        '<header class="site"><a class="brand">Parlour</a><nav><button class="plain">Log</button></nav></header>'
        f'<main class="table game-{game.name}" data-tab="log">{board}'
        '<div class="tabs"><div role="tablist"><button role="tab">Log</button></div></div>'
        '<section class="drawer" id="panel-log"><ol class="log"></ol></section></main>'
    )


def market(ruleset: str, players: int) -> Iterator[tuple[str, Scene]]:
    """Yield phases of Family Trade, as the player to move sees them."""

    def shown(table: Market, viewer: int = 0) -> Scene:
        table.match.names = LONG[:players]
        table.state.money[:players] = ([120, -30, 210, 0] if ruleset == ROYALE else [-1_250, 490, 1_310, 500])[:players]
        table.state.jackpot = 130 if ruleset != ROYALE else 0
        return table.match.scene(viewer)

    if ruleset == ROYALE:
        yield "turn", shown(Market("1 oil 1 shrimp", ruleset=ruleset, players=players).draw("gold"))
        taking = Market("2 gold", "1 oil 1 shares", ruleset=ruleset, players=players).turn("shrimp").turn("gold")
        yield "take", shown(taking)
        yield "rolling", shown(taking.move("take"))
        yield "rolled", shown(taking.roll("70,000"), 1)
        return
    yield "turn", shown(Market(players=players, ruleset=ruleset).turn("oil").turn("shrimp").play_on(20).draw("gold"))
    taking = Market(SHORT, ruleset=ruleset, players=players).turn("real estate").turn("gold")
    yield "take", shown(taking)
    taking.move("take")
    while taking.to_move == 0:
        yield "rolling", shown(taking)
        taking.roll({"diamond": "70,000", "gold": "70,000", "crypto": "-50,000"}[taking.outcomes[0].split()[0]])
    yield "again", shown(taking)
    yield "waiting", shown(taking, 1)
    taking.move("no reroll")
    if ruleset == MM:
        yield "moving", shown(Market(players=players).draw("market make").move("discard market make"))
        yield "choosing", shown(taking, taking.to_move - 1)


def loop(edition: str, players: int) -> Iterator[tuple[str, Scene]]:
    """Yield phases of Aces & Faces, as the first player sees them."""

    def table() -> Loop:
        made = Loop(players, edition)
        held = ("AS KD QC", "QH JD KS AD", "KC", "AH JH", "JC", "QS JS")[:players]
        for seat, cards in enumerate(held, 1):
            made.hold(seat, cards)
        made.match.names = ALIKE[:players]
        return made

    def beside(what: int) -> Loop:
        """Return a loop in which the first player walks two squares onto the first square of this kind."""
        made = table()
        return made.put(1, list(made.state.board).index(what) - 2).card("2C").move("clockwise")

    corner = Loop(players, edition, seated=False)
    corner.match.force("seat 1 starts")
    yield "corner", corner.match.scene(0)
    yield "move", table().card("4H").match.scene(0)
    yield "guess", beside(c.HIGHER_LOWER).match.scene(0)
    yield "match", beside(c.MATCH + 2).card("3H").match.scene(0)
    duel = beside(c.DUEL_SQUARE)
    yield "duel", duel.match.scene(0)
    yield "fight", duel.move("duel QH").match.scene(0)
    yield "give", duel.card("2H", "9S").match.scene(0)
    yield "over a turn", duel.move("give AS").match.scene(0)
