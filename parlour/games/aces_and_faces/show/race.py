"""The race to four in a line: the sixteen cards by rank and suit, where each is, and what the viewer has (AF-13).

It shows what the loop shows, in the order in which lines win, and nothing more: which cards are in their slots, which
the viewer holds, and who holds the others as far as the table says it (AF-14, AF-15).
"""

from __future__ import annotations

from collections.abc import Sequence

from parlour.core.pieces import badge, label, once, row
from parlour.core.scene import Piece
from parlour.games.aces_and_faces import rules as r
from parlour.games.aces_and_faces.rules import pieces as c
from parlour.games.aces_and_faces.show import words

ART = "aces-and-faces"
GLYPHS = tuple(f"{glyph}\ufe0e" for glyph in "♦♣♥♠")  # as text, never as a coloured picture
FREE, HELD = -1, -2  # where a card is, if no seat is known to hold it: in its slot, with some player
FOUR = 4
GOAL = "Four of a kind win, or four from the same suit."


def race(state: r.State, viewer: int, names: Sequence[str]) -> Piece:
    """Make a line for each rank, a column for each suit; at their ends, how many of the four the viewer holds."""
    hand = int(state.hands[viewer]) if viewer >= 0 else 0
    have = [c.size(hand & line) for line in c.LINES[: c.N_LINES]]
    best = max(have)
    near = [viewer >= 0 and 1 < n == best for n in have]
    yours = (_yours(viewer, "across"), _yours(viewer, "down")) if viewer >= 0 else ()
    lines = [row("race-suits", label("race-of", ""), *_suits(), *yours[:1])]
    for rank in range(FOUR):
        cards = (suit * FOUR + rank for suit in range(c.N_SUITS))
        cells = [
            _cell(card, *_where(state, card, viewer, names), near[rank] or near[FOUR + card // FOUR],
                  state.news_card == card)
            for card in cards
        ]  # fmt: skip
        sums = [_sum(rank, have[rank], near[rank])] if viewer >= 0 else []
        lines.append(row(f"race-{c.RANKS[rank]}", _rank(rank), *cells, *sums))
    if viewer >= 0:
        sums = [_sum(line, have[line], near[line]) for line in range(FOUR, c.N_LINES)]
        lines.append(row("race-yours", *yours[1:], *sums))
    return Piece("race", "panel", "The race", marks=("fours",), clause="AF-13", layout="rows", text=GOAL,
                 children=tuple(lines))  # fmt: skip


def _where(state: r.State, card: int, viewer: int, names: Sequence[str]) -> tuple[int, str]:
    """Return the seat that holds a card, FREE or HELD, and the holder's name."""
    if state.slots >> card & 1:
        return FREE, ""
    if viewer >= 0 and state.hands[viewer] >> card & 1:
        return viewer, "you"
    places = state.may[r.row_of(viewer)][card]
    if places & (places - 1) or not (state.memory_aid or state.news_card == card or state.winner != r.NOBODY):
        return HELD, ""
    seat = next(seat for seat in range(state.players) if places >> seat & 1)
    return seat, names[seat]


@once
def _suits() -> tuple[Piece, ...]:
    inks = {"C": ("pip-c",), "D": ("pip-d",), "H": ("pip-h",)}  # spades have the ink of the board
    return tuple(
        Piece(f"race-suit-{c.LETTERS[suit]}", "label", words.SUITS[suit], text=GLYPHS[suit], short=GLYPHS[suit][0],
              marks=("pip", *inks.get(c.LETTERS[suit], ())))
        for suit in range(c.N_SUITS)
    )  # fmt: skip


@once
def _rank(rank: int) -> Piece:
    return Piece(f"race-rank-{c.RANKS[rank]}", "label", words.COURTS[rank].capitalize(), text=c.RANKS[rank],
                 short=c.RANKS[rank])  # fmt: skip


@once
def _yours(seat: int, way: str) -> Piece:
    """Make the viewer's mark, at the head of the numbers that are theirs."""
    return Piece(f"race-you-{way}", "token", "Yours", seat=seat, marks=("head",), short="you")


@once
def _cell(card: int, seat: int, name: str, wanted: bool, last: bool) -> Piece:
    """Make the place of a card; `wanted`: it is in a line of which the viewer has the most."""
    said = {FREE: "in its slot", HELD: "with another player"}.get(seat, f"with {name}")
    marks = ["cell"] + ["held"] * (seat == HELD) + ["whose"] * (seat >= 0)
    marks += ["want"] * (wanted and name != "you") + ["last"] * last
    face = {FREE: f"{ART}-free", HELD: f"{ART}-back"}.get(seat, "")
    return Piece(
        f"race-{c.CARDS[card]}", "token", f"{words.card(card)}: {said}", face, seat=seat if seat >= 0 else None,
        marks=tuple(marks), short={FREE: "○", HELD: "▪"}.get(seat, ""),
    )  # fmt: skip


@once
def _sum(line: int, have: int, near: bool) -> Piece:
    what = (*words.COURTS, *words.SUITS)[line]
    return badge(f"sum-{line}", str(have), f"You hold {have} of the four {what}", short=str(have),
                 marks=("sum", *(("near",) if near else ())))  # fmt: skip
