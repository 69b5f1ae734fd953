"""What each player has and can still complete, as far as the viewer knows (GA-22, GA-24)."""

from __future__ import annotations

from parlour.core.pieces import badge, label, once, row
from parlour.core.scene import Piece
from parlour.games.gatsby.rules import holdings
from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.rules import state as s
from parlour.games.gatsby.rules.hidden import tile_known
from parlour.games.gatsby.show import words
from parlour.games.gatsby.show.board import Table, special

MEANING = (
    "All three of a suit win at once. So does one of each suit.",
    "A set is within reach while you can still complete it.",
    "2/3: that player has two of the three. In gold: one more wins.",
    "×: that player can no longer complete the set.",
    "A number is a character's prestige. A mark beside it shows who has that character.",
    "A dashed frame or ring: you have not seen this character yet. Two of them: only you have.",
)


def panels(table: Table) -> tuple[Piece, ...]:
    """Make the suits, the characters that each has rallied, the personal spaces, the pile."""
    won, personal = ([of(table, seat) for seat in (0, 1)] for of in (_won, special))
    return (_suits(table), *won, *personal, _pile(table))


def _won(table: Table, seat: int) -> Piece:
    state = table.state
    cards = tuple(table.portrait(slot) for slot in range(p.N_SLOTS) if state.owner[slot] == seat)
    return Piece(
        f"won{seat}", "panel", f"Rallied by {table.names[seat]}", marks=("circle", f"of-{seat}"), children=cards
    )


def reach(table: Table, suit: int, seat: int) -> tuple[int, bool]:
    """Return how many of a suit this player has for certain, and whether they may still have or get all three
    (GA-22)."""
    mine = gone = missing = 0
    for char in range(suit * p.OF_SUIT, (suit + 1) * p.OF_SUIT):
        owner = table.holders[char]
        mine += owner == seat
        gone += owner == 1 - seat
        missing += table.seen[char] == 0
    return mine, not gone and missing <= table.unknown[seat]


def _suits(table: Table) -> Piece:
    """Make a line for each suit: its three characters, where they are, and whether each player can still complete it
    (GA-22)."""
    lines = []
    for suit in range(p.SUITS):
        chips = tuple(_chip(table, suit * p.OF_SUIT + i) for i in range(p.OF_SUIT))
        says = tuple(_says(table, suit, seat) for seat in (0, 1))
        lines.append(_suit(suit, chips, says))
    both = (_all_says(table, seat) for seat in (0, 1))
    each = label("suit-all-label", "All five")
    lines.append(row("suit-all", each, *both, name="One of each", marks=("suit", "sum")))
    heads = (Piece(f"reach-of-{seat}", "token", table.names[seat], seat=seat, marks=("head",)) for seat in (0, 1))
    lines.insert(0, row("reach-heads", label("reach-heads-label", "Taken by"), *heads, marks=("suit", "heads")))
    suits = Piece("suits", "group", marks=("suits",), layout="rows", children=tuple(lines))
    return Piece("ledger", "panel", "Within reach", marks=("ledger",), children=(_meaning(), suits))


@once
def _meaning() -> Piece:
    """Explain on request what is within reach, and the signs in that list (GA-22)."""
    notes = tuple(Piece(f"reach-means-{i}", "note", text=text) for i, text in enumerate(MEANING))
    return Piece("reach-means", "stack", "What does this mean?", marks=("meaning",), clause="GA-22", children=notes)


@once
def _suit(suit: int, chips: tuple[Piece, ...], says: tuple[Piece, ...]) -> Piece:
    title = words.SUIT_TITLES[suit]
    sign = Piece(f"sign-{suit}", "token", title, f"gatsby-s-{words.SUITS[suit]}", marks=("sign",))
    named = label(f"suit-name-{suit}", title)
    return row(f"suit-{suit}", sign, named, *chips, *says, name=title, marks=("suit",))


def _chip(table: Table, char: int) -> Piece:
    """Make one character of a suit: prestige, and the player who has it as far as the viewer knows."""
    state, slot, owner = table.state, table.where[char], table.holders[char]
    if owner >= 0:
        said, mark = f"with {table.names[owner]}", f"of-{owner}"
    elif slot >= 0:
        said, mark = f"at {words.slot_name(state, slot)}", ""
    elif table.seen[char]:
        spots = [words.slot_name(state, s) for s in range(p.N_SLOTS) if table.seen[char] >> s & 1]
        said, mark = "at " + " or ".join(spots), ""
    else:
        said, mark = "not seen", "unseen"
    return _fellow(char, state.prestige[char], owner, said, mark, slot >= 0 and not state.up >> slot & 1)


@once
def _fellow(char: int, prestige: int, owner: int, said: str, mark: str, secret: bool) -> Piece:
    short = f"{prestige}★{'?' if mark == 'unseen' else ''}"  # the frame says it on the page
    marks = ("fellow", *filter(None, (mark,)), *(("secret",) if secret else ()))
    return badge(f"chip-{char}", str(prestige), f"{words.worthy(char, prestige)}: {said}", marks=marks, short=short,
                 seat=owner if owner >= 0 else None)  # fmt: skip


def _says(table: Table, suit: int, seat: int) -> Piece:
    mine, can = reach(table, suit, seat)
    title = words.SUIT_TITLES[suit]
    said = f"{table.names[seat]} has {mine} of {title}" + ("" if can else " and cannot have all three")
    return _reach(f"reach-{suit}-{seat}", seat, said, f"{mine}/3", can, mine == 2)


@once
def _reach(key: str, seat: int, said: str, short: str, can: bool, near: bool) -> Piece:
    """Show how much a player has of a set, "×" if they cannot complete it."""
    marks = ("near",) if can and near else () if can else ("dim",)
    return badge(key, short if can else "×", said, marks=("reach", f"of-{seat}", *marks))


def _all_says(table: Table, seat: int) -> Piece:
    """Show how many different suits, and whether all five are still possible (GA-22)."""
    have = sum(reach(table, suit, seat)[0] > 0 for suit in range(p.SUITS))
    can = True
    for suit in range(p.SUITS):
        chars = range(suit * p.OF_SUIT, (suit + 1) * p.OF_SUIT)
        can = can and any(table.holders[c] != 1 - seat and (table.seen[c] or table.unknown[seat]) for c in chars)
    said = f"{table.names[seat]} has {have} of five suits" + ("" if can else " and cannot have all")
    return _reach(f"reach-all-{seat}", seat, said, f"{have}/5", can, have == 4)


def _pile(table: Table) -> Piece:
    """Show how many tiles are in the pile, and which the viewer knows to be elsewhere (GA-24)."""
    state = table.state
    notes = []
    for tile in range(p.N_TILES):
        place = state.tile[tile]
        if place == s.IN_PILE or not tile_known(state, tile, table.viewer):
            continue
        seat = place & 1
        said = {
            s.IN_HAND: "drawn by you", s.ON_SPACE: f"on {table.names[seat]}'s space",
            s.ASIDE: f"set aside by {table.names[seat]}", s.ASIDE_HIDDEN: "set aside by you, hidden",
            s.DISCARDED: "discarded by you", s.IN_USE: "in use", s.KEPT: "kept by you",
        }.get(place if place >= s.IN_USE or place == s.IN_HAND else place & ~1, "used up")  # fmt: skip
        notes.append(Piece(f"tile-{tile}", "note", text=f"{words.TILES[tile]}, {words.TILE_TEXTS[tile]}: {said}"))
    left = holdings.tiles_at(state, s.IN_PILE)
    title = f"Special Action tiles: {left} in the pile"
    return Piece("pile", "stack", title, "gatsby-tile", value=left, clause="GA-24", children=tuple(notes))
