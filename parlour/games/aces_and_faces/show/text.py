"""Aces & Faces in words: moves, outcomes and refusals as text, and back."""

from __future__ import annotations

import re

from parlour.core.contract import LET_BE
from parlour.core.errors import InvalidMove
from parlour.core.scene import Reason
from parlour.games.aces_and_faces import rules as r
from parlour.games.aces_and_faces.rules import pieces as c

TITLE = "Aces & Faces"
TAGLINE = "Round the loop for four of a kind, or four from the same suit."
SECONDS = 20  # people take for a decision and all that follows it: our estimate
MINUTES = (10, 35)  # the medians of decisions (docs/games/aces-and-faces.md, greedy) times SECONDS

WORDS = {
    "clockwise": r.CLOCKWISE, "cw": r.CLOCKWISE, "right": r.CLOCKWISE,
    "anticlockwise": r.ANTICLOCKWISE, "counterclockwise": r.ANTICLOCKWISE, "acw": r.ANTICLOCKWISE,
    "ccw": r.ANTICLOCKWISE, "left": r.ANTICLOCKWISE,
    "higher": r.HIGHER, "high": r.HIGHER, "h": r.HIGHER, "lower": r.LOWER, "low": r.LOWER, "l": r.LOWER,
    "no duel": r.NO_DUEL, "decline": r.NO_DUEL, **dict.fromkeys(LET_BE, r.NO_DUEL),
}  # fmt: skip
VERBS = {r.MATCH_PICK: "take", r.DUEL: "duel", r.GIVE: "give"}
ADVICE = {
    r.CHOOSE_CORNER: 'say "corner" and a suit, for example "corner hearts"',
    r.MOVE: 'say "clockwise" or "anticlockwise"',
    r.GUESS: 'say "higher" or "lower"',
    r.MATCH_PICK: 'say "take" and a card, for example "take QH"',
    r.DUEL: 'say "no duel", or "duel" and a card, for example "duel QH"',
    r.GIVE: 'say "give" and a card, for example "give QH"',
}
SYMBOLS = str.maketrans({"♦": "d", "♣": "c", "♥": "h", "♠": "s", "♢": "d", "♧": "c", "♡": "h", "♤": "s"})
SUIT = rf"([{c.LETTERS.lower()}]|{'|'.join(c.SUITS)})"
CORNER = re.compile(rf"(?:corner )?{SUIT}")
CARD = re.compile(rf"(?:(take|give|duel(?: for)?) )?(?:the )?(jack|queen|king|ace|[jqka]) ?(?:of )?{SUIT}")


def format_action(state: r.State, action: int) -> str:
    """ "corner hearts", "clockwise", "higher", "no duel", "take QH", "duel QH", "give QH"."""
    if action < r.CLOCKWISE:
        return f"corner {c.SUITS[action - r.CORNER]}"
    if action < r.CARD:
        return ("clockwise", "anticlockwise", "higher", "lower", "no duel")[action - r.CLOCKWISE]
    return f"{VERBS.get(state.phase, 'card')} {c.CARDS[action - r.CARD]}"


def parse_action(state: r.State, text: str) -> int:
    """Read a move; the verb may be left out, and a card may be spelt "queen of hearts" or "Q♥".

    Raises InvalidMove if it cannot be read; does not check whether the move is legal.
    """
    said = " ".join(text.lower().translate(SYMBOLS).split())
    if state.phase == r.CHOOSE_CORNER and (corner := CORNER.fullmatch(said)):
        return r.CORNER + c.LETTERS.index(corner[1][0].upper())
    if said in WORDS:
        return WORDS[said]
    if card := CARD.fullmatch(said):
        verb, rank, suit = card.groups()
        if verb and verb.removesuffix(" for") != VERBS.get(state.phase):
            raise InvalidMove(f"{text[:60]!r} is not possible now: {ADVICE.get(state.phase, 'wait')}.")
        return r.CARD + c.CARDS.index(f"{rank[0]}{suit[0]}".upper())
    raise InvalidMove(f"{text[:60]!r} is not a move here: {ADVICE.get(state.phase, 'wait for your turn')}.")


def format_outcome(state: r.State, outcome: int) -> str:
    """ "seat 2 starts", "card 10H" or "card joker"."""
    return f"seat {outcome + 1} starts" if state.phase == r.DRAW_SEAT else f"card {c.KINDS[outcome]}"


def parse_outcome(state: r.State, text: str) -> int:
    """Read an outcome that `format_outcome` wrote. Raises InvalidMove if it cannot be read."""
    words = " ".join(text.split())
    if state.phase == r.DRAW_SEAT:
        if re.fullmatch(r"seat [1-6] starts", words):
            return int(words[5]) - 1
    elif words.startswith("card ") and words[5:] in c.KINDS:
        return c.KINDS.index(words[5:])
    raise InvalidMove(f"{text[:60]!r} is not an outcome that is possible here.")


def why_not(state: r.State, action: int) -> Reason:
    """Return why `action` is not legal here."""
    asked = {
        r.CHOOSE_CORNER: ("Choose the corner to start from.", "AF-3"),
        r.MOVE: (f"Move exactly {state.number} squares, one way or the other.", "AF-6"),
        r.GUESS: ("Say whether the next card is higher or lower.", "AF-10"),
        r.MATCH_PICK: ("Take a card of this square's suit that is still in its slot.", "AF-11"),
        r.DUEL: ("Name a card for the duel, or choose no duel.", "AF-12"),
        r.GIVE: ("You lost the duel: give a card from your hand.", "AF-12"),
    }
    if state.phase == r.DUEL and action >= r.CARD:
        if state.slots >> (action - r.CARD) & 1:
            return Reason("This card is in its slot. Name a card that an opponent holds.", "AF-12")
        return Reason("You hold this card yourself.", "AF-12")
    if state.phase == r.GIVE and action >= r.CARD:
        return Reason("You do not hold this card.", "AF-12")
    if state.phase == r.MATCH_PICK and action >= r.CARD:
        suit = r.suit_here(state)
        if (action - r.CARD) // 4 == suit:
            return Reason("This card is not in its slot.", "AF-11")
        return Reason(f"On this square you can only take {c.SUITS[suit]}.", "AF-11")
    text, clause = asked[state.phase]
    return Reason(text, clause)
