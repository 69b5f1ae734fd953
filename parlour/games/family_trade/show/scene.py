"""Family Trade on the table: what a viewer sees.

They see their own cards, and those of a player who goes out (FT-26). While a player is asked about
a discard, all others see exactly the position in which the next player is about to draw: `_public`
makes it from the state before any other code reads it.
"""

from __future__ import annotations

from collections.abc import Sequence

from parlour.core.pieces import flow
from parlour.core.scene import Button, Keep, Piece, Reason, Scene
from parlour.core.struct import copy
from parlour.games.family_trade import rules as r
from parlour.games.family_trade.show import text, words
from parlour.games.family_trade.show.board import dump, event, jackpot, market, pile, shown
from parlour.games.family_trade.show.hand import hand
from parlour.games.family_trade.show.telling import tell

__all__ = ["THEME", "answered", "scene", "tell"]

# Market stall, paper and ink: the board is paper in the light theme, a stall under a lamp in the dark one.
THEME = {
    "light": {
        "--cloth": "#f3ead2", "--cloth-deep": "#e4d4ae", "--lamp": "#ffffff99", "--cloth-ink": "#2b2119",
        "--cloth-soft": "#493926", "--cloth-line": "#8a6f4a66", "--metal": "#a8402c", "--rope": "#c9a56a",
        "--rope-dark": "#8f6a37", "--danger": "#8c1c13", "--stall": "#fffaf0", "--chip": "#a8402c",
        "--chip-ink": "#fff8ec", "--chip-low": "#3b3f4a", "--ring": "#1d6fb8", "--ink-line": "#2b211926",
    },
    "dark": {
        "--cloth": "#2b241d", "--cloth-deep": "#1b1612", "--lamp": "#f2c98022", "--cloth-ink": "#f1e6d0",
        "--cloth-soft": "#dccdb0", "--cloth-line": "#a08a6655", "--metal": "#b3563f", "--rope": "#b8935a",
        "--rope-dark": "#765527", "--danger": "#ff9c8c", "--stall": "#3a3128", "--chip": "#d9694f",
        "--chip-ink": "#1d0f0a", "--chip-low": "#b9c0cf", "--ring": "#7fc4ff", "--ink-line": "#f1e6d026",
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
                flow(
                    "room",  # a container: look.css arranges the floor by its size
                    flow(
                        "floor",
                        market(state, legal, names),
                        pile(state),
                        jackpot(state),
                        shown(state, names),
                        dump(state, legal, names),
                        hand(state, viewer, legal),
                        marks=("floor",),
                    ),
                    marks=("room",),
                ),
                *event(state, names),
            ),
        ),
        seats=tuple(_seat(state, seat, viewer, names) for seat in range(state.players)),
        buttons=_buttons(state, viewer, legal, names),
        keep=_keep(state, viewer, legal),
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


# What can be done ----------------------------------------------------------------------------------
def _buttons(state: r.State, viewer: int, legal: Sequence[int], names: Sequence[str]) -> tuple[Button, ...]:
    if viewer < 0 or state.phase == r.OVER:
        return ()
    if not legal:
        wait = Reason(_prompt(state, viewer, names))
        return (Button("out", "Go out", why=wait, shortcut="d", main=True),)
    if state.phase == r.TURN:
        return (_done(state, viewer, legal),)
    if state.phase == r.ASK:
        good = state.row[state.row_size - 1]
        return (
            Button("pass", "Let it lie", text.WORDS[r.PASS], shortcut="p"),
            Button(
                "out", "Take it", "take", f"go out, {_pays(state, viewer, good)}", main=True, shortcut="d", ends=True
            ),  # the last, as "Go out", whose place it takes
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


def _done(state: r.State, viewer: int, legal: Sequence[int]) -> Button:
    """Make the button for going out (FT-8, FT-19, FT-22)."""
    real = r.complete(state.hand[state.player])
    if r.OUT not in legal:
        return Button("out", "Go out", why=text.why_not(state, r.OUT), shortcut="d", main=True)
    hint = _pays(state, viewer) if real else f"false: {words.change(-state.false_call)}"
    return Button("out", "Go out", "done", hint, shortcut="d", main=real, ends=True)


def _pays(state: r.State, seat: int, more: int = r.NONE) -> str:
    """Say what going out would bring before any die is rolled, or the sets that are there if dice decide."""
    sets = "a set" if state.ruleset == r.BATTLE_ROYALE else "three sets"
    held = list(state.hand[seat])
    if more != r.NONE:
        held[more] += 1
    return words.payment(state, seat, held) or sets


def _keep(state: r.State, viewer: int, legal: Sequence[int]) -> Keep | None:
    """Offer to discard whatever is drawn until a card fits, or not to take what completes the hand (FT-8, FT-12).

    It is offered only where a player who waits for something does so: the new card is of no good in hand, and moves no
    price. What concerns them is their hand, what their goods bring, which players are one to go, and a new deck.
    """
    if len(legal) < 2 or state.phase not in (r.TURN, r.ASK):
        return None
    held = list(state.hand[viewer])
    if state.phase == r.TURN:
        held[state.drawn] -= 1
        if state.drawn == r.MARKET_MAKE or held[state.drawn] or r.complete(state.hand[viewer]):
            return None
    prices = [words.brings(state, good) for good in range(r.N_GOODS) if held[good]]
    concern = (state.phase, state.deals, state.remade, state.announced, state.jackpot, *held, *prices)
    same = "-".join(map(str, concern))
    if state.phase == r.ASK:
        return Keep("Keep passing", text.WORDS[r.PASS], same, "until something changes", "k")
    return Keep("Keep passing", text.format_action(state, state.drawn), same, "until a card fits", "k")


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
            return f"{who} discards a card or goes out."
        if r.complete(state.hand[viewer]):
            return "Your turn: go out, or discard a card."
        return (
            "Your turn: discard the card you drew." if state.announced >> viewer & 1 else "Your turn: discard a card."
        )
    if phase == r.ASK:
        good = words.TITLES[state.row[state.row_size - 1]]
        return f"Take {names[state.discarder]}'s {good}?"
    if phase == r.MAKE:
        return "Move one price a step, or leave all." if mine else f"{who} may move one price."
    if phase == r.REROLL:
        return "Reroll one die, or leave all." if mine else f"{who} may reroll one die."
    return "Your deal: keep or reroll the market." if mine else f"{who} keeps or rerolls the market."


def _hold(state: r.State) -> int:
    """Return the milliseconds that a viewer needs to look before the next position."""
    if state.phase == r.DEAL and not state.dealt and state.ended:
        return 2400
    if state.winner != r.NOBODY and state.phase in (r.ROLL, r.REROLL):
        return 900
    return 250 if state.phase == r.ROLL else 0
