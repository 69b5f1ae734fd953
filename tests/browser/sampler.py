"""Every kind of piece in every state, on one board, for core's default look."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

from msgspec.structs import replace

from parlour.core.pieces import back, badge, column, flow, grid, label, panel, row, stat, strip, table
from parlour.core.scene import STILL, Button, Kind, Piece, Reason, Scene

WHY = Reason("There is nothing to take.", "PI-2")
STATES: dict[str, dict[str, Any]] = {
    "plain": {}, "clicked": {"action": "roll"}, "chosen": {"part": "one"}, "disabled": {"why": WHY},
}  # fmt: skip


def bare() -> Iterator[Piece]:
    """Yield one of each kind and way of drawing it, without art, clicked or not."""
    yield from (
        Piece("die-4", "die", "A four", text="4"),
        Piece("die-12", "die", "A twelve", value=12),
        Piece("die-word", "die", "A fish", text="fish"),
        Piece("die-none", "die", "The die"),
        Piece("gem", "gem", "Ruby"),
        Piece("gem-said", "gem", "Opal", text="Opal", value=None),
        Piece("gem-down", "gem", "A stone, face down", marks=("down",)),
        Piece("token", "token", "Wood"),
        Piece("token-short", "token", "The knight", short="♞"),
        Piece("token-count", "token", "Sheep", text="Sheep", value=3),
        Piece("token-seat", "token", "Ann's piece", seat=0),
        Piece("card", "card", "King"),
        Piece("card-short", "card", "Queen of hearts", short="Q♥"),
        Piece("card-words", "card", "Harvest", text="Take two of each grain that you have sown.", value=4),
        Piece("card-seat", "card", "Spy", text="Look at a hand.", seat=1),
        back("card-down"),
        Piece("stack", "stack", "Deck", value=24),
        Piece("stack-text", "stack", "Market", text="next: Wool", value=7),
        Piece("space", "space", "a1", text="a1"),
        Piece("space-held", "space", "a2", children=(Piece("held", "token", "Bob's piece", seat=1),)),
        Piece("space-gem", "space", "a3", children=(Piece("set", "gem", "Emerald"),)),
        Piece("group", "group", "Bag", text="Take all", children=(Piece("in-bag", "token", "Clay"),)),
        stat("stat", "Pot", 12),
        stat("stat-text", "Weather", text="Rain"),
        badge("badge", "×3"),
        label("label", "Round 4"),
    )


def pressed() -> Iterator[Piece]:
    """Yield the same in every possible state."""
    for state, more in STATES.items():
        for piece in bare():
            inside = tuple(replace(child, key=f"{child.key}-{state}") for child in piece.children)
            yield replace(piece, key=f"{piece.key}-{state}", children=inside, **more)


def resting() -> Iterator[Piece]:
    """Yield kinds that are never clicked, and arrangements."""
    cells = tuple(Piece(f"cell-{i}", "space", f"cell {i}", action=f"put {i}") for i in range(9))
    lines = tuple(
        row(f"line-{i}", label(f"l-{i}", f"Row {i}"), *(badge(f"b-{i}-{j}", str(i * j)) for j in range(3)))
        for i in (1, 20)
    )
    runners = tuple(
        Piece(f"t{seat}", "token", f"{name}: {value}", value=value, seat=seat)
        for seat, (name, value) in enumerate((("Ann", 30), ("Bob", 75)))
    )
    held = tuple(
        Piece(f"h{i}", "card", name, text="Plays in any row.", action=f"play {i}")
        for i, name in enumerate(("Mill", "Barn", "Well"))
    )
    goods = tuple(Piece(f"m{i}", "token", name) for i, name in enumerate(("Wool", "Grain", "Clay")))
    stones = ("Ruby", "Opal", "Jade", "Onyx", "Topaz", "Pearl")
    rain = Piece("c1", "note", text="rain", value=3)
    yield from (
        Piece("counter", "counter", "This turn", text="two of a kind", value=40, clause="PI-2"),
        Piece("counter-minus", "counter", "The storm", value=-300, children=(rain,)),
        Piece("track", "track", "Totals", text="Round 3", value=0, limit=100, clause="PI-4", children=runners),
        Piece("note", "note", text="The mill stands still until it rains."),
        Piece("hand", "hand", "Your hand", clause="PI-1", children=held),
        panel("panel", "The market", *goods, clause="PI-3"),
        grid("grid", 3, *cells, name="The field"),
        table("table", *lines, name="Prices"),
        strip("strip", *(Piece(f"s{i}", "card", f"Card {i}") for i in range(14)), name="Played cards"),
        column("column", badge("k1", "one"), badge("k2", "two", marks=("danger",))),
        flow("flow", *(Piece(f"f{i}", "gem", name) for i, name in enumerate(stones))),
    )


def scene(children: tuple[Piece, ...], viewer: int = 0) -> Scene:
    """Return a table of two with these pieces on the board."""
    return Scene(
        game="pig", viewer=viewer, prompt="Your turn: roll, or hold.", clause="PI-2",
        board=Piece("board", "board", "The table", children=children),
        seats=tuple(
            Piece(f"seat-{i}", "seat", name, text="decides", value=40 * i - 20, seat=i)
            for i, name in enumerate(("Ann", "Bob"))
        ),
        buttons=(Button("hold", "Hold", why=WHY, hint="+0"), Button("roll", "Roll", "roll", "again", main=True)),
        to_move=viewer,
    )  # fmt: skip


def whole() -> Scene:
    """Return the scene with all of them."""
    pieces = tuple(pressed())
    found = {piece.kind for piece in (*pieces, *resting())} | {"board", "seat"}
    assert found == set(get_args(Kind))
    assert {piece.kind for piece in bare()} == found - STILL
    return scene((*pieces, *resting()))
