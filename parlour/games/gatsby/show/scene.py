"""Gatsby on the table: what a viewer sees. Everything hidden passes through `words.seen_by`
(GA-24)."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.core.contract import CHANCE, TERMINAL
from parlour.core.scene import Button, Pick, Piece, Reason, Scene
from parlour.games.gatsby import rules
from parlour.games.gatsby.rules import hidden, holdings, scoring
from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.rules import state as s
from parlour.games.gatsby.show import board, people, text, words
from parlour.games.gatsby.show.telling import end_text, tell, tie_text

__all__ = ["THEME", "scene", "tell"]

# Art Deco: black lacquer, gold lines, teal light; in the light theme the lacquer is a shade greener.
THEME = {
    "light": {
        "--cloth": "#12383a", "--cloth-deep": "#071c1f", "--lamp": "#e9c46a2b", "--cloth-ink": "#f7edd2",
        "--cloth-soft": "#dcd3b6", "--cloth-line": "#c9a24a80", "--metal": "#e5c272", "--danger": "#ffab94",
        "--lit": "#f6d67a", "--tile-light": "#1d4f50", "--tile-deep": "#123739", "--shade": "#04100f80",
    },
    "dark": {
        "--cloth": "#0c2123", "--cloth-deep": "#030b0c", "--lamp": "#e9c46a2e", "--cloth-ink": "#f3e8cc",
        "--cloth-soft": "#bdb391", "--cloth-line": "#b8923f80", "--metal": "#c99f45", "--danger": "#ff9a82",
        "--lit": "#efcb69", "--tile-light": "#153b3d", "--tile-deep": "#0b2729", "--shade": "#00000080",
    },
}  # fmt: skip
CHEER = ("gatsby-b-star", "gatsby-s-jazz", "gatsby-b-star", "gatsby-s-stage")  # what flies up when the viewer has won


def sudden(state: s.State) -> bool:
    """GA-22: return whether a player has won with suits."""
    return state.winner >= 0


def scene(state: s.State, viewer: int, names: Sequence[str]) -> Scene:
    """Return what `viewer` sees. Only the player who decides is offered moves."""
    player = rules.current_player(state)
    decides = viewer == player and player >= 0
    moves = text.moves(state) if decides else []
    seen = words.seen_by(state, viewer)
    table = board.Table(state, viewer, names, frozenset(moves), seen)
    shares = [0.0, 0.0]
    rules.returns(state, shares)
    over = player == TERMINAL
    return Scene(
        game="gatsby",
        viewer=viewer,
        prompt=_prompt(state, viewer, player, names),
        board=Piece("board", "board", "The table", marks=("deco",), children=(_salon(table),)),
        seats=tuple(_seat(table, seat, player) for seat in range(2)),
        buttons=_buttons(state, moves) if decides else (),
        pick=_pick(state, moves) if decides and words.kind(state) == s.PAIR else None,
        to_move=player if player >= 0 else None,
        over=over,
        winners=tuple(seat for seat in range(2) if shares[seat]),
    )


def _salon(table: board.Table) -> Piece:
    """Make everything on the table, in a room whose size says how it is arranged."""
    party = Piece("party", "group", marks=("party",), children=(*table.pieces(), *people.panels(table)))
    return Piece("salon", "group", marks=("salon",), children=(party,))


# What can be done ----------------------------------------------------------------------------------
def _buttons(state: s.State, moves: Sequence[int]) -> tuple[Button, ...]:
    kind, arg = words.kind(state), words.argument(state)
    if kind == s.BONUS:
        return (
            Button("no", "Skip", text.format_action(state, s.NO), shortcut="n"),
            Button("yes", f"Use {words.BONUS_TITLES[arg]}", text.format_action(state, s.YES), main=True, shortcut="y"),
        )  # fmt: skip
    if kind == s.EXCHANGE:
        return (
            Button("no", "No swap", text.format_action(state, s.NO), "each stays", shortcut="n"),
            Button("yes", "Swap", text.format_action(state, s.YES), "they change places", main=True, shortcut="y"),
        )
    if kind in (s.KEEP, s.STAY):
        return tuple(
            Button(
                f"tile-{move - s.TILE + 1}", f"Keep {words.TILES[move - s.TILE]}", text.format_action(state, move),
                words.TILE_TEXTS[move - s.TILE], shortcut=str(i),
            )
            for i, move in enumerate(moves, 1)
        )  # fmt: skip
    return ()


def _pick(state: s.State, moves: Sequence[int]) -> Pick:
    """Make the choice of two characters on the board (GA-14, GA-16)."""
    found = {}
    for move in moves:
        pair = move - s.TWO
        both = sorted(words.slot_code(state, slot) for slot in (p.first_of(pair), p.second_of(pair)))
        found[",".join(both)] = text.format_action(state, move)
    label = "Swap {n}" if words.argument(state) else "Look at {n}"
    clause = "GA-16" if words.argument(state) else "GA-14"
    why = Reason("Choose two characters on the board.", clause)
    return Pick(label, found, {"1": "one more", "": "choose two"}, {"": why}, all=False)


def _prompt(state: s.State, viewer: int, player: int, names: Sequence[str]) -> str:
    """Return a sentence that names the player who decides, and the kind of decision."""
    if player == TERMINAL:
        return end_text(state, names)
    kind, arg, last = words.kind(state), words.argument(state), state.last
    if player == CHANCE:
        return _chance(state, viewer, names)
    mine, who = viewer == player, names[player]
    what = {
        s.KEEP: "Keep one tile up your sleeve; you may use it once",
        s.STAY: "Which tile stays up your sleeve? The other is set aside",
        s.ACTION: "The night is yours: choose an action",
        s.FORCED: f"You pull the strings: choose the action that {names[1 - player]} must take",
        s.PAIR: "Two guests change places, unseen: choose them" if arg else "Whose secrets do you want? Choose two",
        s.START: "Arrive in style: put a token anywhere in the Cabaret",
        s.CABARET: "Cabaret: mingle, with a token next to any token",
        s.NEXT: "Cabaret: stay close, with a token next to " + (words.space_name(arg - 1) if arg else ""),
        s.ANYWHERE: "Cabaret: every door is open, put a token on any empty space",
        s.RACETRACK: "Racetrack: back one of the rows with a token",
        s.ROW: "Racetrack: back a row with two tokens",
        s.GAP: "Racetrack: slip a token onto any empty space",
        s.PLACE: "One more token: Cabaret or Racetrack",
        s.OWN: "A quiet swap: choose one of your tokens",
        s.OTHER: "A quiet swap: choose the token that you take for it",
        s.EXCHANGE: _known_pair(state, viewer, arg) if mine and kind == s.EXCHANGE else "",
        s.BONUS: f"A favour, {words.BONUS_TITLES[arg]}: {words.BONUS_TEXTS[arg]}?" if kind == s.BONUS else "",
    }[kind]
    if mine:
        return what if what.endswith("?") else what + "."
    others = {
        s.KEEP: "slips a Special Action tile up a sleeve", s.STAY: "decides which Special Action tile stays",
        s.ACTION: "chooses an action" + (f", any but {words.ACTIONS[last]}" if 0 <= last < s.OWN_SPECIAL else ""),
        s.FORCED: f"pulls the strings and chooses the action of {names[1 - player]}",
        s.PAIR: "singles out two characters",
        s.EXCHANGE: "may quietly swap the two characters", s.OWN: "chooses tokens to swap", s.OTHER: "swaps two tokens",
        s.BONUS: f"may take a favour: {words.BONUS_TITLES[arg]}" if kind == s.BONUS else "",
    }  # fmt: skip
    return f"{who} {others.get(kind, 'places a token')}."


def _known_pair(state: s.State, viewer: int, pair: int) -> str:
    """GA-14: ask about the two characters that the viewer has looked at, by name and place."""
    seen = words.seen_by(state, viewer)
    both = [(hidden.sure(seen, slot), words.slot_name(state, slot)) for slot in (p.first_of(pair), p.second_of(pair))]
    (one, here), (other, there) = ((words.character(char) if char >= 0 else "someone", where) for char, where in both)
    return f"Now you know: {one} at {here}, {other} at {there}. Swap them?"


def _chance(state: s.State, viewer: int, names: Sequence[str]) -> str:
    kind, arg = words.kind(state), words.argument(state)
    if kind in (s.LOOK, s.CLAIM):
        seat = state.owner[arg] if kind == s.CLAIM else state.player
        who = "You look" if viewer == seat else f"{names[seat]} looks"
        return f"{who} at the character of {words.slot_name(state, arg)}."
    if kind == s.DRAW:
        return f"{'You draw' if viewer == state.player else names[state.player] + ' draws'} Special Action tiles."
    if kind == s.QUARTER and arg == s.AGAIN:
        return tie_text(state)
    return "Everything won face down is shown now." if kind == s.REVEAL else "The board is being set up."


# Players -------------------------------------------------------------------------------------------
def _seat(table: board.Table, seat: int, player: int) -> Piece:
    """Make a player: prestige as far as the viewer knows it, characters, tokens left."""
    state = table.state
    known = sum(1 << slot for slot in range(p.N_SLOTS) if table.known[slot] >= 0)
    marks = ["you"] if seat == table.viewer else []
    taken = holdings.characters_of(state, seat)
    unknown = sum(state.owner[slot] == seat and table.known[slot] < 0 for slot in range(p.N_SLOTS))
    said = f"{taken} {'character' if taken == 1 else 'characters'}" + (f", {unknown} unknown" if unknown else "")
    said += f" · {state.supply[seat]} tokens"
    if state.force and seat == board.last_actor(state):
        said += " · chooses next"
    if player == TERMINAL:
        shares = [0.0, 0.0]
        rules.returns(state, shares)
        if shares[seat]:
            marks.append("winner")
            said = "wins" if shares[seat] == 1 else "draws"
    elif player == seat:
        marks.append("active")
    return Piece(
        f"seat-{seat}", "seat", table.names[seat], text=said, value=_prestige(state, seat, known), seat=seat,
        marks=tuple(marks), clause="GA-23",
    )  # fmt: skip


def _prestige(state: s.State, seat: int, known: int) -> int:
    """GA-23: return a player's prestige as the viewer knows it; the number of tiles is always public."""
    return scoring.prestige_of(state, seat, known)
