"""Family Trade on the table: what a viewer sees.

They see their own cards, and those of a player who goes out (FT-26). While a player is asked about
a discard, all others see exactly the position in which the next player is about to draw: `_public`
makes it from the state before any other code reads it.
"""

from __future__ import annotations

from collections.abc import Sequence

from parlour.core.scene import Button, Piece, Reason, Scene
from parlour.core.struct import copy
from parlour.games.family_trade import rules as r
from parlour.games.family_trade.show import text, words
from parlour.games.family_trade.show.board import dump, jackpot, market, pile, shown
from parlour.games.family_trade.show.telling import tell

__all__ = ["THEME", "answered", "scene", "tell"]

# Market stall, paper and ink: the board is paper in the light theme, a stall under a lamp in the dark one.
THEME = {
    "light": {
        "--cloth": "#f3ead2", "--cloth-deep": "#e4d4ae", "--lamp": "#ffffff99", "--cloth-ink": "#2b2119",
        "--cloth-soft": "#493926", "--cloth-line": "#8a6f4a66", "--metal": "#a8402c", "--rope": "#c9a56a",
        "--rope-dark": "#8f6a37", "--danger": "#a3261b", "--stall": "#fffaf0", "--chip": "#a8402c",
        "--chip-ink": "#fff8ec", "--chip-low": "#3b3f4a", "--ring": "#1d6fb8", "--ink-line": "#2b211926",
    },
    "dark": {
        "--cloth": "#2b241d", "--cloth-deep": "#1b1612", "--lamp": "#f2c98022", "--cloth-ink": "#f1e6d0",
        "--cloth-soft": "#dccdb0", "--cloth-line": "#a08a6655", "--metal": "#b3563f", "--rope": "#b8935a",
        "--rope-dark": "#765527", "--danger": "#ff9c8c", "--stall": "#3a3128", "--chip": "#d9694f",
        "--chip-ink": "#1d0f0a", "--chip-low": "#b9c0cf", "--ring": "#7fc4ff", "--ink-line": "#f1e6d026",
    },
    "narrow": {
        "grid-template-areas": "'market market market' 'pile dump jackpot' 'shown shown shown' 'hand hand hand'",
        "grid-template-columns": "auto minmax(0, 1fr) auto",
    },
    "wide": {
        "grid-template-areas": "'market pile jackpot' 'market shown shown' 'market dump dump' 'hand hand hand'",
        "grid-template-columns": "minmax(0, 2.5fr) minmax(0, .42fr) minmax(0, .72fr)",
        "grid-template-rows": "auto auto minmax(0, 1fr) auto",
    },
}  # fmt: skip


def _public(state: r.State, viewer: int) -> r.State:
    """Return the position as this viewer knows it (FT-26)."""
    if not r.asks_another(state, viewer):
        return state
    seen = copy(state)
    seen.phase = r.DRAW
    seen.asked = r.NOBODY
    return seen


CHEER = (
    "family-trade-gold",
    "family-trade-diamond",
    "family-trade-oil",
    "family-trade-currency",
    "family-trade-shrimp",
)  # what flies up when the viewer has won


def scene(state: r.State, viewer: int, names: Sequence[str]) -> Scene:
    """Return what `viewer` sees."""
    state = _public(state, viewer)
    mover = r.current_player(state)
    decides = viewer == mover and viewer >= 0
    buffer = [0] * r.MAX_LEGAL
    legal = buffer[: r.legal_actions(state, buffer)] if decides else []
    next_up = state.player if state.phase == r.DRAW else None
    return Scene(
        game="family-trade",
        viewer=viewer,
        prompt=_prompt(state, viewer, names),
        board=Piece(
            "board",
            "board",
            "The table",
            marks=("market-stall",),
            children=(
                market(state, legal, names),
                pile(state),
                jackpot(state),
                shown(state, names),
                dump(state, legal, names),
                _hand(state, viewer, legal),
            ),
        ),
        seats=tuple(_seat(state, seat, viewer, names) for seat in range(state.players)),
        buttons=_buttons(state, viewer, legal, names),
        to_move=mover if mover >= 0 else next_up,
        over=state.phase == r.OVER,
        winners=words.winners(state),
        hold=_hold(state),
    )


def answered(state: r.State, action: int, names: Sequence[str]) -> str:
    """FT-12: Return the text for a player who was asked in `state` and has answered, while others may
    still be asked."""
    if action == r.PASS:
        return "You let it lie."
    good = words.TITLES[state.row[state.row_size - 1]]
    if state.asked == (state.discarder + 1) % state.players:
        return f"You take the {good}."
    return f"You take the {good}, unless a player nearer to {names[state.discarder]} in turn order takes it too."


# Cards in hand -------------------------------------------------------------------------------------
def _hand(state: r.State, viewer: int, legal: Sequence[int]) -> Piece:
    """Make the viewer's own cards, with the one just drawn at the end (FT-26)."""
    if viewer < 0:
        return Piece("hand", "hand", "Hands are hidden", marks=("cards",))
    held = state.hand[viewer]
    mine = state.phase == r.TURN and state.player == viewer
    kinds = [kind for kind in range(r.N_KINDS) for _ in range(held[kind])]
    if mine:
        kinds.remove(state.drawn)
        kinds.append(state.drawn)
    laid = bool(state.announced >> viewer & 1)
    cards, copies = [], [0] * r.N_KINDS
    for place, kind in enumerate(kinds, 1):
        new = mine and place == len(kinds)
        action = text.format_action(state, kind) if kind in legal and (new or not laid) else ""
        why = text.why_not(state, kind) if mine and not action else None
        if why and kind in legal:
            why = Reason("Your eight cards are face down: you can discard only the card just drawn.", "FT-10")
        cards.append(
            Piece(
                f"hand-{kind}-{copies[kind]}",
                "card",
                words.TITLES[kind] + (", new" if new else ""),
                words.face(kind),
                marks=("trade", *(("turned", "new") if new else ()), *(("laid",) if laid and not new else ())),
                action=action,
                why=why,
                shortcut=str(place) if mine else "",
            )
        )
        copies[kind] += 1
    return Piece(
        "hand",
        "hand",
        _hand_name(state, viewer, held),
        limit=5,
        marks=("cards", *(("few",) if state.ruleset == r.BATTLE_ROYALE else ())),
        clause="FT-22" if state.ruleset == r.BATTLE_ROYALE else "FT-10",
        children=tuple(cards),
    )


def _hand_name(state: r.State, viewer: int, held: Sequence[int]) -> str:
    if state.ruleset == r.BATTLE_ROYALE:
        return "Your cards"
    base = list(held)
    if state.phase == r.TURN and state.player == viewer:
        base[state.drawn] -= 1
    good = r.wanted(base) if sum(base) == 8 else r.NONE
    if good == r.NONE:
        return "Your cards"
    if state.announced >> viewer & 1:
        return f"One to go! You wait for {words.TITLES[good]}"
    return f"One card short: {words.TITLES[good]}"


# What can be done ----------------------------------------------------------------------------------
def _buttons(state: r.State, viewer: int, legal: Sequence[int], names: Sequence[str]) -> tuple[Button, ...]:
    if viewer < 0 or state.phase == r.OVER:
        return ()
    if not legal:
        wait = Reason(_prompt(state, viewer, names))
        return (Button("out", "Go out", why=wait, shortcut="d", main=True),)
    if state.phase == r.TURN:
        return (_done(state, legal),)
    if state.phase == r.ASK:
        good = state.row[state.row_size - 1]
        return (
            Button("out", "Take it", "take", f"{words.TITLES[good]}, and go out", main=True, shortcut="d", ends=True),
            Button("pass", "Let it lie", text.WORDS[r.PASS], shortcut="p"),
        )
    if state.phase == r.MAKE:
        return (Button("none", "Leave prices", text.WORDS[r.NO_STEP], shortcut="n"),)
    if state.phase == r.REROLL:
        return (
            Button("stand", "No reroll", text.WORDS[r.STAND], words.change(r.total(state)), main=True, shortcut="s"),
        )
    return (
        Button("keep", "Keep the market", "keep", "prices as they are", shortcut="k"),
        Button("roll", "Reroll it", "roll", "all eight dice", shortcut="r", main=True),
    )


def _done(state: r.State, legal: Sequence[int]) -> Button:
    """Make the button for going out (FT-8, FT-19, FT-22)."""
    real = r.complete(state.hand[state.player])
    if r.OUT not in legal:
        return Button("out", "Go out", why=text.why_not(state, r.OUT), shortcut="d", main=True)
    if real:
        hint = "a set" if state.ruleset == r.BATTLE_ROYALE else "three sets"
    else:
        hint = f"false: {words.change(-state.false_call)}"
    return Button("out", "Go out", "done", hint, shortcut="d", main=real, ends=True)


# Players and prompt --------------------------------------------------------------------------------
def _seat(state: r.State, seat: int, viewer: int, names: Sequence[str]) -> Piece:
    marks = ["you"] if seat == viewer else []
    said = []
    mover = r.current_player(state)
    if state.announced >> seat & 1:
        marks.append("flagged")
        said.append("one to go!")
    if state.phase == r.OVER:
        if seat in words.winners(state):
            marks.append("winner")
            said.append("wins" if len(words.winners(state)) == 1 else "shares the win")
    elif seat == (mover if mover >= 0 else state.player if state.phase == r.DRAW else r.NOBODY):
        marks.append("active")
    if seat == state.dealer and state.phase not in (r.OVER, r.FIRST_DEALER):
        said.append("dealer" + (f" ×{state.run}" if state.run > 1 else ""))
    cards = r.hand_size(state, seat)
    if cards:
        said.append("1 card" if cards == 1 else f"{cards} cards")
    return Piece(
        f"seat-{seat}",
        "seat",
        names[seat],
        text=" · ".join(said),
        value=state.money[seat] * 1000,
        seat=seat,
        marks=tuple(marks),
    )


def _prompt(state: r.State, viewer: int, names: Sequence[str]) -> str:
    mover = r.current_player(state)
    who = names[mover] if mover >= 0 else ""
    mine = viewer == mover
    phase = state.phase
    if phase == r.OVER:
        return words.end_text(state, names)
    if phase == r.FIRST_DEALER:
        return "The first dealer is drawn."
    if phase == r.DEAL:
        return words.outcome(state, names) if not state.dealt and state.ended else f"{names[state.dealer]} deals."
    if phase == r.DRAW:
        return "You draw a card." if state.player == viewer else f"{names[state.player]} draws a card."
    if phase == r.ROLL:
        die = words.TITLES[r.die_due(state)]
        return f"The die of {die} is rolled."
    if phase == r.TURN:
        if not mine:
            return f"{who} discards a card, or goes out."
        if r.complete(state.hand[viewer]):
            return "Your turn: go out, or discard a card."
        return (
            "Your turn: discard the card you drew." if state.announced >> viewer & 1 else "Your turn: discard a card."
        )
    if phase == r.ASK:
        good = words.TITLES[state.row[state.row_size - 1]]
        return f"{names[state.discarder]}'s {good} completes your hand: take it?"
    if phase == r.MAKE:
        return "Move one price a step up or down, or leave all." if mine else f"{who} may move one price."
    if phase == r.REROLL:
        return "Reroll one die, or leave all." if mine else f"{who} may reroll one die."
    return "Your deal: keep the market, or reroll it." if mine else f"{who} deals: keep the market, or reroll it?"


def _hold(state: r.State) -> int:
    """Return the milliseconds that a viewer needs to look before the next position."""
    if state.phase == r.DEAL and not state.dealt and state.ended:
        return 2400
    if state.winner != r.NOBODY and state.phase in (r.ROLL, r.REROLL):
        return 900
    return 250 if state.phase == r.ROLL else 0
