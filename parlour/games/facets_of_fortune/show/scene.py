"""Facets of Fortune on the table: what a viewer sees (`scene`), and what the log says (`tell`). Nothing is hidden."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.core.scene import Button, Pick, Piece, Reason, Scene, listed
from parlour.games.facets_of_fortune import rules as r
from parlour.games.facets_of_fortune.show import reasons, text, words
from parlour.games.facets_of_fortune.show.markets import markets
from parlour.games.facets_of_fortune.show.moves import Moves
from parlour.games.facets_of_fortune.show.stakes import hand, stakes, table
from parlour.games.facets_of_fortune.show.telling import DEALS, end_clause, end_text, tell, winners

__all__ = ["THEME", "scene", "tell"]

# Dark slate under one lamp, in both themes; in the light one the room is bright, too.
THEME = {
    "light": {
        "--cloth": "#46525f", "--cloth-deep": "#2a333d", "--lamp": "#ffe9b052", "--cloth-ink": "#f4f1e8",
        "--cloth-soft": "#dbe2e8", "--cloth-line": "#94a3b166", "--metal": "#d9a94f", "--danger": "#ffb09c",
    },
    "dark": {
        "--cloth": "#262e37", "--cloth-deep": "#11161b", "--lamp": "#ffdf9440", "--cloth-ink": "#f1ede2",
        "--cloth-soft": "#b4bfc9", "--cloth-line": "#6b798666", "--metal": "#c99a45", "--danger": "#ff9a82",
    },
    "narrow": {
        "grid-template-areas": "'table' 'plates' 'ladders' 'mine' 'hand' 'stakes'",
        "grid-template-columns": "minmax(0, 1fr)",
        "gap": ".4rem",
    },
    "wide": {
        "--side": "clamp(13.5rem, 22.5vw, 27rem)",
        "grid-template-areas": "'plates table' 'ladders table' 'ladders hand' 'mine mine' 'stakes stakes'",
        "grid-template-columns": "minmax(0, 1fr) var(--side)",
        "grid-template-rows": "auto auto minmax(0, 1fr)",
        "gap": ".5rem 1.1rem",
    },
}  # fmt: skip


# The rule that the prompt is about, by phase
CLAUSES = {
    r.START: "FF-7", r.ROLL: "FF-11", r.NAME: "FF-11", r.TRADE: "FF-18", r.CHOOSE: "FF-24", r.GIVE: "FF-20",
    r.TAKE: "FF-20", r.SWITCH_1: "FF-21", r.SWITCH_2: "FF-21", r.RIVAL: "FF-22", r.ATTACK: "FF-22", r.DEFEND: "FF-22",
    r.PICK: "FF-22", r.TOSS: "FF-17",
}  # fmt: skip
CHEER = (
    "facets-of-fortune-ruby",
    "facets-of-fortune-sapphire",
    "facets-of-fortune-diamond",
    "facets-of-fortune-emerald",
)  # what flies up when the viewer has won


RACE = "Money, and what gems sold for at the time"


def worth(state: r.State) -> tuple[int, ...]:
    """FF-10, FF-27: return each player's money, and what the bank would pay for their gems now."""
    prices = [0 if state.closed[colour] else r.sell_price(state, colour) for colour in range(r.N_COLOURS)]
    return tuple(
        int(state.money[seat]) + sum(gems * price for gems, price in zip(state.own[seat], prices, strict=True))
        for seat in range(state.players)
    )


def sudden(state: r.State) -> bool:
    """FF-28: return whether a player has cornered a market."""
    return state.corner != r.NOBODY


def scene(state: r.State, viewer: int, names: Sequence[str]) -> Scene:
    """Return what `viewer` sees. All see the same, but only the player who decides is offered moves."""
    moves = Moves(state, viewer)
    marks = ("crash",) if state.crashed and state.phase in (r.PLAY, r.OVER) and state.card == r.NOBODY else ()
    return Scene(
        game="facets-of-fortune",
        viewer=viewer,
        prompt=_prompt(state, moves, names),
        clause=_clause(state),
        board=Piece(
            "board",
            "board",
            "The gem market",
            marks=marks,
            children=(
                table(state, moves, names),
                *markets(state, moves, names),
                *stakes(state, moves, names),
                hand(state, moves),
            ),
        ),
        seats=tuple(_seat(state, seat, viewer, names) for seat in range(state.players)),
        buttons=_buttons(state, moves, names),
        pick=_pick(state, moves) if moves.decides and state.phase == r.TOSS else None,
        to_move=r.current_player(state) if r.current_player(state) >= 0 else None,
        over=state.phase == r.OVER,
        winners=winners(state),
        hold=_hold(state),
    )


# What can be done ----------------------------------------------------------------------------------
def _buttons(state: r.State, moves: Moves, names: Sequence[str]) -> tuple[Button, ...]:
    if state.phase == r.OVER or moves.viewer not in range(state.players) or (moves.decides and state.phase == r.TOSS):
        return ()
    if not moves.decides:
        decided = r.current_player(state) >= 0
        wait = Reason(f"{names[state.player]} decides now." if decided else "Wait for the dice and cards.")
        return (
            Button("discard", "Discard …", why=wait, shortcut="d"),
            Button("end", "End turn", why=wait, main=True, shortcut="e"),
        )
    if state.phase == r.RIVAL:
        return tuple(_rival(state, action - r.ROB, moves, names) for action in moves.legal)
    if state.phase == r.PICK:
        return tuple(_booty(state, action - r.MARKET, moves) for action in moves.legal)
    held = state.held[state.player]
    draws = r.HAND - held
    hint = f"keep {held}" + (f", draw {draws}" if draws > 0 else "") if held else f"draw {draws}"
    return (
        _button(state, moves, "discard", "Discard …", "and draw others", r.DISCARD, "d"),
        _button(state, moves, "end", "End turn", hint, r.END, "e", main=True),
    )


def _rival(state: r.State, seat: int, moves: Moves, names: Sequence[str]) -> Button:
    """FF-22: make a button for an opponent to heist, because the opponents' rows may be out of sight."""
    gems = r.gems_of(state, seat)
    return Button(f"rival-{seat}", names[seat], moves.text(r.ROB + seat), f"{gems} gem{'s' if gems > 1 else ''}")


def _booty(state: r.State, colour: int, moves: Moves) -> Button:
    """Make a button for a gem to take (FF-22)."""
    has = state.own[state.rival][colour]
    return Button(f"booty-{colour}", words.MARKETS[colour], moves.text(r.MARKET + colour), f"of {has}")


def _button(
    state: r.State, moves: Moves, key: str, label: str, hint: str, action: int, shortcut: str, main: bool = False
) -> Button:
    said = moves.text(action)
    why = None if said else reasons.why_not(state, action)
    return Button(key, label, said, hint if said else "", why, main, shortcut, ends=action == r.END)


def _pick(state: r.State, moves: Moves) -> Pick:
    """Make the choice of cards to discard (FF-17)."""
    kinds = words.cards(state, state.player)
    found = {}
    for action in moves.legal:
        tokens = sorted(r.KINDS[kind] for i, kind in enumerate(kinds) if action - r.PLACES >> i & 1)
        found[",".join(tokens)] = text.format_action(state, action)
    few = max(len(kinds) - r.HAND, 1)
    why = Reason(f"Choose {few if few > 1 else 'a'} card{'s' if few > 1 else ''} or more to discard.", "FF-17")
    return Pick("Discard {n}", found, {"": f"choose {few} or more"}, {"": why})


# Words ---------------------------------------------------------------------------------------------
def _prompt(state: r.State, moves: Moves, names: Sequence[str]) -> str:
    who, phase = names[state.player], state.phase
    if phase == r.START:
        return "The starting seat is drawn."
    if phase == r.OVER:
        return end_text(state, names)
    if phase == r.DRAW:
        return f"{who} draws {state.due} more." if state.due > 1 else f"{who} draws a card."
    if phase == r.ROLL:
        return f"{who} rolls."
    if phase in (r.ATTACK, r.DEFEND):
        return f"{who} heists {names[state.rival]}: the dice are rolled."
    if moves.viewer != state.player:
        return f"{who} {_doing(state)}."
    return _asked(state, moves, names)


def _doing(state: r.State) -> str:
    if state.phase == r.NAME:
        return f"rolled Wild {state.step:+d} and names a market".replace("-", "−")
    if state.phase == r.PLAY:
        return "decides"
    if state.phase == r.TOSS:
        return "chooses cards to discard"
    return f"plays {words.TITLES[state.card]}"


def _asked(state: r.State, moves: Moves, names: Sequence[str]) -> str:
    """Return what the viewer is asked now."""
    phase = state.phase
    if phase == r.PLAY:
        down = [words.MARKETS[c] for c in range(r.N_COLOURS) if state.crashed >> c & 1]
        if down and state.card == r.NOBODY:
            return f"{listed(down)} crashed! Play cards, or end the turn."
        return "Play your cards, or end the turn." if state.held[state.player] else _no_cards(moves)
    if phase == r.TRADE:
        return f"{words.TITLES[state.card]}: buy gems, or sell into the free spaces."
    if phase == r.NAME:
        return f"Wild: which market moves {state.step:+d}?".replace("-", "−")
    if phase == r.GIVE:
        return "Free Exchange: which of your gems goes back?"
    if phase == r.TAKE:
        return f"{words.A_GEM[state.first].capitalize()} goes back. Which gem do you take?"
    if phase == r.SWITCH_1:
        return "Switch Markets: which is the first market?"
    if phase == r.SWITCH_2:
        return f"{words.MARKETS[state.first]} changes places with which market?"
    if phase == r.RIVAL:
        return "Heist: which opponent?"
    if phase == r.PICK:
        more = f"{state.booty} gems" if state.booty > 1 else "one gem"
        return f"Take {more} from {names[state.rival]}: which colour?"
    if phase == r.CHOOSE:
        return "Free Gem: from which market?"
    return "Choose the cards to discard."


def _no_cards(moves: Moves) -> str:
    """FF-23: return the prompt for a player without cards, who may still place or buy a STOP."""
    if r.BUY_STOP in moves.legal:
        return "No cards left: buy an extra STOP, or end the turn."
    place = any(r.STOP_AT <= action < r.CARD for action in moves.legal)
    return f"No cards left: {'place your STOP, or ' if place else ''}end the turn."


def _seat(state: r.State, seat: int, viewer: int, names: Sequence[str]) -> Piece:
    marks = ["you"] if seat == viewer else []
    said = ""
    if state.phase == r.OVER:
        if seat in winners(state):
            marks.append("winner")
            said = "wins" if len(winners(state)) == 1 else "shares the win"
    elif state.phase != r.START and seat == state.player:
        marks.append("active")
        said = {r.ROLL: "rolls", r.DRAW: "draws", r.ATTACK: "heists", r.DEFEND: "heists"}.get(state.phase, "decides")
    elif state.rival == seat and state.phase in (r.DEFEND, r.PICK):
        said = "defends"
    return Piece(f"seat-{seat}", "seat", names[seat], text=said, value=state.money[seat], seat=seat, marks=tuple(marks))


def _clause(state: r.State) -> str:
    if state.phase == r.DRAW:
        return DEALS[state.deal]
    if state.phase == r.OVER:
        return end_clause(state)
    if state.phase == r.PLAY:
        return "FF-26" if state.crashed and state.card == r.NOBODY else "FF-16"
    return CLAUSES[state.phase]


def _hold(state: r.State) -> int:
    """Return the milliseconds that a viewer needs to look before the next position."""
    if state.phase == r.PLAY and state.card == r.NOBODY and state.extra:
        return 2600 if state.crashed else 900
    if state.phase == r.PLAY and state.card == r.HEIST and state.defence:
        return 1100
    return 800 if state.phase == r.DEFEND else 0
