"""The words of Aces & Faces: cards, squares and the results of turns, for prompts and the log."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.core.scene import Line, listed
from parlour.games.aces_and_faces import rules as r
from parlour.games.aces_and_faces.rules import pieces as c

COURT = ("Jack", "Queen", "King", "Ace")
COURTS = ("jacks", "queens", "kings", "aces")
SUITS = ("Diamonds", "Clubs", "Hearts", "Spades")


def card(number: int) -> str:
    """ "Queen of Hearts"."""
    return f"{COURT[number % 4]} of {SUITS[number // 4]}"


def kind(number: int) -> str:
    """Return a card of the pile: "the 7 of Clubs", "the Ace of Spades", "a joker"."""
    if number == c.JOKER:
        return "a joker"
    rank = c.rank_of(number)
    return f"the {COURT[rank - c.JACK] if rank >= c.JACK else rank} of {SUITS[c.suit_of(number)]}"


def place(what: int) -> str:
    """Return the short name of a square without a card."""
    if what < c.HIGHER_LOWER:
        return f"Suit Match: {SUITS[what - c.MATCH]}"
    return "Higher or Lower" if what == c.HIGHER_LOWER else "Duel"


def square(what: int) -> str:
    """Return what a square is called within a sentence."""
    if what < c.N_CARDS:
        return f"the {card(what)}"
    if what < c.HIGHER_LOWER:
        return f"the Suit Match of {SUITS[what - c.MATCH]}"
    return f"a {place(what)} square"


def cards_held(n: int) -> str:
    """ "no card", "1 card", "5 cards"."""
    return "no card" if not n else f"{n} card{'s' if n > 1 else ''}"


def line_of(hand: int) -> str:
    """Return what a winning hand has four of; a card may complete two lines at once (AF-13)."""
    found = [name for line, name in zip(c.LINES, (*COURTS, *SUITS), strict=True) if hand & line == line]
    return " and ".join(f"all four {name}" for name in found)


def most_of(hand: int, most: int) -> str:
    """Return of what a hand has its most cards: "Kings", "Diamonds"; the first of equally good ones, "" for a card that
    has none like it."""
    if most < 2:
        return ""
    found = zip(c.LINES, (*COURTS, *SUITS), strict=True)
    return next(name.capitalize() for line, name in found if c.size(hand & line) == most)


def came(state: r.State, names: Sequence[str]) -> tuple[str, str]:
    """Return the result of the turn that has just ended: a sentence that everyone may read, and its
    clause."""
    if state.news == r.NOTHING:
        return "", ""
    who = names[state.mover]
    rival = names[state.rival] if state.rival != r.NOBODY else ""
    what = f"the {card(state.news_card)}" if state.news_card != r.NOBODY else "a card"
    named = f"the {card(state.named)}" if state.named != r.NOBODY else ""
    suit = SUITS[max(state.board[state.position[state.mover]] - c.MATCH, 0) % 4]
    said = {
        r.SKIPPED: (f"{who} flips a joker and loses the turn.", "AF-5"),
        r.TOOK: (f"{who} takes {what} from its slot.", "AF-9"),
        r.ROBBED: (f"{who} takes {what} from {rival}.", "AF-9"),
        r.RETURNED: (f"{who} holds {what}, and must put it back.", "AF-9"),
        r.WRONG: (f"{who} guessed wrong and stays.", "AF-10"),
        r.MATCHED: (f"{who} takes {what} for the match.", "AF-11"),
        r.NO_MATCH: (f"No match: {who} needed {suit}.", "AF-11"),
        r.NO_CARD_LEFT: (f"A match, but no card of {suit} is in its slot.", "AF-11"),
        r.CANNOT_DUEL: (f"{who} cannot duel: {_cannot(state)}", "AF-12"),
        r.DECLINED: (f"{who} does not duel.", "AF-12"),
        r.DUEL_WON: (f"{who} wins the duel and takes {named} from {rival}.", "AF-12"),
        r.DUEL_LOST: (f"{who} loses the duel and gives {rival} {what}.", "AF-14"),
        r.DUEL_TIED: (f"The duel is a tie: {rival} keeps {named}.", "AF-12"),
        r.DUEL_VOID: (f"{who} flips a joker: the duel is off.", "AF-12"),
    }
    return said[state.news]


def _cannot(state: r.State) -> str:
    return "no opponent holds a card." if state.hands[state.mover] else "a challenger must hold a card."


def end(state: r.State, names: Sequence[str]) -> tuple[str, str]:
    """Return how the game ended, and the clause."""
    if state.winner == r.NOBODY:
        return f"After {state.turns:,} turns no player has four: all share the game.", "AF-16"
    out_of_turn = ", outside the turn" if state.winner != state.mover else ""
    return f"{names[state.winner]} wins with {line_of(state.hands[state.winner])}{out_of_turn}.", "AF-13"


def hand_shown(state: r.State, names: Sequence[str]) -> Line:
    """AF-15: return the line of the log in which the winner shows their hand. It isn't an event: a result says which
    card decided the game, and its picture has the hand."""
    held = [card(number) for number in range(c.N_CARDS) if state.hands[state.winner] >> number & 1]
    text = f"{names[state.winner]} shows the {listed(held)}."
    return Line(text, "AF-15", state.winner)
