"""Fortune on the table: what a viewer sees (`scene`) and what the log says (`tell`). Nothing is hidden from anybody."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.core.scene import Button, Pick, Piece, Reason, Scene, number, signed
from parlour.games.fortune import rules as r
from parlour.games.fortune.rules import pieces as d
from parlour.games.fortune.show import text, words
from parlour.games.fortune.show.telling import changed, end_clause, end_text, ended, tell, winners

__all__ = ["THEME", "scene", "tell"]

# Night sea, brass lamp: the cloth is dark in both themes, by day a shade nearer to blue.
THEME = {
    "light": {
        "--cloth": "#1f4a63", "--cloth-deep": "#123247", "--lamp": "#f5c56b55", "--cloth-ink": "#f6ecd6",
        "--cloth-soft": "#c3d3d6", "--cloth-line": "#7fa3b066", "--metal": "#e0b25c", "--rope": "#c9a56a",
        "--rope-dark": "#8f6a37", "--danger": "#ff9b85",
    },
    "dark": {
        "--cloth": "#11293b", "--cloth-deep": "#071521", "--lamp": "#f2b95640", "--cloth-ink": "#f3e7cd",
        "--cloth-soft": "#a9bcc4", "--cloth-line": "#5d7f9066", "--metal": "#d9a94f", "--rope": "#b8935a",
        "--rope-dark": "#765527", "--danger": "#ff8f78",
    },
    "narrow": {
        "grid-template-areas": "'card card' 'tray tray' 'skulls skulls' 'worth pile' 'rope rope'",
        "grid-template-columns": "minmax(0, 1fr) auto",
    },
    "wide": {
        "grid-template-areas": "'card tray worth' 'pile skulls worth' 'rope rope rope'",
        "grid-template-columns": "minmax(10rem, max(13.5rem, min(24%, 27dvh))) minmax(0, 1fr) "
        "minmax(10rem, max(12.5rem, min(21%, 25dvh)))",
    },
}  # fmt: skip

ALL_AT_ONCE = Reason("On the Island all dice that are not skulls are rolled together.", "FO-14")


def scene(state: r.State, viewer: int, names: Sequence[str]) -> Scene:
    """What `viewer` sees. All see the same; only the one who decides is offered moves."""
    decides = state.phase == r.DECIDE and viewer == state.player
    moves = _moves(state) if decides else {}
    chosen = {face for tokens in moves for face in tokens.split(",")}
    pick = None
    buttons: tuple[Button, ...] = ()
    if decides:
        buttons = (_stop(state), *_roll_all(state, moves))
        pick = None if state.island else _pick(state, moves)
        chosen = set() if state.island else chosen
    elif viewer in range(state.players) and state.phase != r.OVER:
        wait = Reason(_wait(state, names))
        buttons = (Button("stop", "Stop", why=wait, shortcut="s"), Button("pick", "Roll", why=wait, main=True))
    return Scene(
        game="fortune",
        viewer=viewer,
        prompt=_prompt(state, viewer, names),
        clause=_clause(state),
        board=Piece(
            "board",
            "board",
            "The table",
            marks=("island",) if state.island else (),
            children=_board(state, names, decides, chosen),
        ),
        seats=tuple(_seat(state, seat, viewer, names) for seat in range(state.players)),
        buttons=buttons,
        pick=pick,
        to_move=state.player if state.phase == r.DECIDE else None,
        over=state.phase == r.OVER,
        winners=winners(state),
        hold=_hold(state),
    )


# What can be done ----------------------------------------------------------------------------------
def _moves(state: r.State) -> dict[str, str]:
    """Every legal roll: faces of its dice, sorted -> its text."""
    buffer, wanted = [0] * r.MAX_LEGAL, [0] * d.N_FACES
    moves = {}
    for action in buffer[: r.legal_actions(state, buffer)]:
        if action != r.STOP:
            d.decode(action, wanted)
            tokens = sorted(name for face, name in enumerate(d.FACES) for _ in range(wanted[face]))
            moves[",".join(tokens)] = text.format_action(state, action)
    return moves


def _stop(state: r.State) -> Button:
    if state.island:
        hint = f"each opponent {number(-r.island_loss(state))}{words.NOT_BELOW if state.floor_at_zero else ''}"
    else:
        worth = r.worth_now(state)
        total = state.scores[state.player] + worth
        hint = f"{signed(worth)} to {number(total if total > 0 or not state.floor_at_zero else 0)}"
    return Button("stop", "Stop", "stop", hint, shortcut="s", main=state.island == 1)


def _roll_all(state: r.State, moves: dict[str, str]) -> tuple[Button, ...]:
    """FO-14: on the Island there is one roll."""
    if not state.island:
        return ()
    return tuple(
        Button(
            "pick",
            f"Roll all {d.N_DICE - state.count[d.SKULL]}",
            move,
            "for more skulls",
            main=True,
            shortcut="Enter",
        )
        for move in moves.values()
    )


def _pick(state: r.State, moves: dict[str, str]) -> Pick:
    if not moves:
        why = Reason("Too few dice can be rolled: at least two are needed.", "FO-6")
        return Pick("Roll", {}, whys={"": why})
    few = Reason("Choose at least two dice.", "FO-6")
    rest = keep = Reason("One die must stay on the table.", "FO-6")
    alone = state.sorceress_alone
    if r.must_use_spell(state):
        company = "alone or with other dice" if alone else "and other dice with it"
        few = rest = Reason(f"Choose one skull for the Sorceress to free, {company}.", "FO-18")
    elif state.card == r.SORCERESS and state.count[d.SKULL] and not state.spell:
        rest = Reason("The Sorceress frees one skull, together with another die.", "FO-18")
        if alone:
            rest = Reason("The Sorceress frees one skull, not more.", "FO-18")
            few = Reason("Choose at least two dice, or one skull for the Sorceress to free.", "FO-18")
    whys = {"0": few, "1": few, "": rest}
    if state.must_keep_one and state.count[d.SKULL] < 2:  # what is wrong with all eight is not the skull
        whys[str(d.N_DICE)] = keep
    return Pick("Roll {n}", moves, whys=whys)


def _why_fixed(state: r.State, face: int) -> Reason:
    """Why no die with this face can be rolled now by the player who decides."""
    if state.island and face != d.SKULL:
        return ALL_AT_ONCE
    wanted = [0] * d.N_FACES
    wanted[face] = 1
    skull, sword, monkey, parrot, gold, diamond = wanted
    return text.why_not(state, d.encode(sword, monkey, parrot, gold, diamond, skull))


# The board -----------------------------------------------------------------------------------------
def _board(state: r.State, names: Sequence[str], decides: bool, chosen: set[str]) -> tuple[Piece, ...]:
    dice = [_die(state, place, decides, chosen) for place in range(d.N_DICE)]
    thrown = state.roller != r.NOBODY
    aside = {place for place in range(d.N_DICE) if thrown and _lies(state, place) and state.dice[place] == d.SKULL}
    slots = []
    for place in range(d.N_DICE):
        here = (dice[place],) if thrown and place not in aside else ()
        chest = ("chest",) if here and _on_chest(state, place) else ()
        slots.append(Piece(f"slot-{place + 1}", "space", text=str(place + 1), marks=chest, children=here))
    return (
        _card(state),
        Piece("tray", "panel", "Dice", limit=4, layout="grid", marks=("grid",), children=tuple(slots)),
        _skulls(state, [dice[place] for place in sorted(aside)]),
        _pile(state),
        _worth(state, names),
        _rope(state, names),
    )


def _lies(state: r.State, place: int) -> bool:
    return not (state.phase == r.ROLL and state.rolled >> place & 1)


def _on_chest(state: r.State, place: int) -> bool:
    """FO-16: kept from an earlier roll, on a Treasure Chest card."""
    kept = state.phase in (r.DECIDE, r.DRAW_CARD, r.OVER) and not state.rolled >> place & 1
    return state.card == r.CHEST and state.rolls > 1 and kept and state.dice[place] != d.SKULL and not state.island


def _die(state: r.State, place: int, decides: bool, chosen: set[str]) -> Piece:
    face = state.dice[place]
    key, name = f"die-{place + 1}", words.ONE[face].capitalize()
    if not _lies(state, place):
        return Piece(key, "die", f"Die {place + 1}, in the air", "fortune-" + d.FACES[face], marks=("air",))
    fresh = ("rolled",) if state.rolls and state.rolled >> place & 1 else ()
    if _on_chest(state, place):
        name += ", on the chest"
    part = d.FACES[face] if d.FACES[face] in chosen else ""
    why = _why_fixed(state, face) if decides and not part else None
    return Piece(
        key,
        "die",
        name,
        "fortune-" + d.FACES[face],
        marks=fresh,
        part=part,
        shortcut=str(place + 1) if decides else "",
        why=why,
    )


def _skulls(state: r.State, aside: Sequence[Piece]) -> Piece:
    """FO-6, FO-7: the skulls of card and dice, with places up to the third, the fatal one."""
    of_card = [
        Piece(f"card-skull-{i}", "token", "Skull of the card", "fortune-skull", marks=("stamp",), clause="FO-22")
        for i in range(r.card_skulls(state))
    ]
    total = len(of_card) + len(aside)
    free = [Piece(f"free-{i}", "space") for i in range(total, 0 if state.island else 3)]
    if state.island:
        name, marks = f"Island of Skulls: {total}", ("aside", "lost")
    else:
        name, marks = (
            f"Skulls: {total} of 3",
            ("aside", *(("danger",) if total == 2 else ("lost",) if total > 2 else ())),
        )
    return Piece(
        "skulls",
        "panel",
        name,
        marks=marks,
        clause="FO-13" if state.island else "FO-7",
        children=(*of_card, *aside, *free),
    )


def _card(state: r.State) -> Piece:
    if state.card == r.NOBODY:
        return Piece(
            "card",
            "card",
            "The first card",
            "fortune-back",
            "It is turned over when the first turn starts.",
            marks=("back",),
        )
    kept = [_kept(state, face) for face in range(d.N_FACES)] if state.card == r.CHEST else []
    return Piece(
        "card",
        "card",
        words.TITLES[state.card],
        f"fortune-card-{words.PICTURES[state.card]}",
        words.effect(state, state.card),
        marks=("turned",) if state.phase == r.ROLL and not state.rolls else (),
        clause=words.CLAUSES[state.card],
        children=tuple(
            Piece(f"kept-{face}", "token", words.amount(n, face) + " on the chest", f"fortune-{d.FACES[face]}", value=n)
            for face, n in enumerate(kept)
            if n
        ),
    )


def _kept(state: r.State, face: int) -> int:
    return sum(_on_chest(state, place) and state.dice[place] == face for place in range(d.N_DICE))


def _pile(state: r.State) -> Piece:
    """FO-4: how many cards have not been seen, and which; or the known order."""
    left = state.deck_size - state.turned
    unseen = list(state.unseen)
    if left == 0 and state.reshuffle:
        left, unseen = state.deck_size, list(state.deck)
    kinds = [kind for kind in range(r.N_CARDS) if unseen[kind] > 0]
    if left > 0:
        name = (
            "All cards are shuffled for the next turn"
            if left == state.deck_size and state.turned
            else f"{left} cards unseen"
        )
        if len(kinds) == 1:
            name = f"Next card: {words.TITLES[kinds[0]]}"
        known = [(f"unseen-{kind}", words.TITLES[kind], unseen[kind]) for kind in kinds]
    else:
        ahead = [state.pile[(state.turned + i) % state.deck_size] for i in range(min(6, state.deck_size))]
        left, name = state.deck_size, f"Next card: {words.TITLES[ahead[0]]}"
        known = [(f"next-{i}", f"{i}. {words.TITLES[kind]}", 0) for i, kind in enumerate(ahead, 1)]
    return Piece(
        "pile",
        "stack",
        name,
        "fortune-back",
        value=left,
        clause="FO-4",
        children=tuple(Piece(key, "note", text=title, value=n or None) for key, title, n in known),
    )


def _worth(state: r.State, names: Sequence[str]) -> Piece:
    """What the turn would score now, or has scored, and why."""
    if not state.rolls:
        return Piece("worth", "counter", "This turn", value=0)
    done = state.phase in (r.DRAW_CARD, r.OVER)
    in_air = state.phase == r.ROLL
    clause = "FO-15" if state.island else "FO-7" if r.skulls(state) >= 3 else "FO-8"
    found = [] if in_air else words.shares(state)
    lines = [
        Piece(f"share-{i}", "note", text=share.text, value=share.value, clause=share.clause)
        for i, share in enumerate(found)
    ]
    value = (
        0
        if in_air
        else -(state.loss if done else r.island_loss(state))
        if state.island
        else state.worth
        if done
        else r.worth_now(state)
    )
    if state.island:
        name = "Each opponent loses" if not done else f"{names[state.roller]}'s opponents"
    elif done:
        name = f"{names[state.roller]}'s turn"
    else:
        name = "If the turn stops now"
    if done and state.fate == r.DISQUALIFIED:
        lines.insert(0, Piece("fate", "note", text="Disqualified", marks=("fate",), clause="FO-7"))
    return Piece(
        "worth",
        "counter",
        name,
        value=value,
        marks=(*(("air",) if in_air else ()), *(("done",) if done else ())),
        clause=clause,
        children=tuple(lines),
    )


def _rope(state: r.State, names: Sequence[str]) -> Piece:
    """FO-25: totals on the way to the finish line; `value` is where the rope begins."""
    lowest = min(0, *(state.scores[: state.players]))
    tokens = tuple(
        Piece(
            f"mark-{seat}", "token", f"{names[seat]}: {number(state.scores[seat])}", value=state.scores[seat], seat=seat
        )
        for seat in range(state.players)
    )
    beyond = "reach" if state.at_least else "pass"
    return Piece(
        "rope",
        "track",
        f"Totals. Finish: {beyond} {number(state.target)}",
        value=lowest // 1000 * 1000,
        limit=state.target,
        text=_when(state, names),
        marks=("final",) if state.final_left else (),
        clause="FO-25",
        children=tokens,
    )


def _when(state: r.State, names: Sequence[str]) -> str:
    """Which round it is, or what is left of the final one."""
    if state.final_left:
        left = "one more turn" if state.final_left == 1 else f"{state.final_left} more turns"
        return f"Final round, begun by {names[state.finisher]}: {left}"
    turns = state.turns - 1 if state.phase == r.OVER else state.turns
    played, limit = turns // state.players, state.round_limit
    if limit and played >= limit:
        return f"Final round, past round {limit}"  # FO-28
    return f"Round {played + 1}" + (f" of {limit}" if limit else "")


# Players -------------------------------------------------------------------------------------------
def _seat(state: r.State, seat: int, viewer: int, names: Sequence[str]) -> Piece:
    marks = ["you"] if seat == viewer else []
    said = ""
    if state.phase == r.OVER:
        if seat in winners(state):
            marks.append("winner")
            said = "wins" if len(winners(state)) == 1 else "shares the win"
    elif state.phase != r.DRAW_SEAT and seat == state.player:
        marks.append("active")
        said = "to turn a card" if state.phase == r.DRAW_CARD else "rolling" if state.phase == r.ROLL else "decides"
    elif state.final_left and seat != state.finisher:
        last = (seat - state.player) % state.players < state.final_left
        said = "one last turn" if last else "has finished"
    if seat == state.finisher:
        said = "started the final round"
    if state.phase in (r.DRAW_CARD, r.OVER) and state.roller != r.NOBODY and (change := changed(state, seat)):
        said = ", ".join(filter(None, (change, said if seat == state.finisher or state.phase == r.OVER else "")))
    return Piece(
        f"seat-{seat}",
        "seat",
        names[seat],
        text=said,
        value=state.scores[seat],
        limit=state.target,
        seat=seat,
        marks=tuple(marks),
    )


def _wait(state: r.State, names: Sequence[str]) -> str:
    return f"{names[state.player]} decides now." if state.phase == r.DECIDE else "The dice and cards move now."


def _prompt(state: r.State, viewer: int, names: Sequence[str]) -> str:
    who = names[state.player]
    if state.phase == r.DRAW_SEAT:
        return "The starting seat is drawn."
    if state.phase == r.OVER:
        return end_text(state, names)
    if state.phase == r.DRAW_CARD:
        return f"{who} starts." if state.roller == r.NOBODY else ended(state, names)
    if state.phase == r.ROLL:
        return f"{who} turns {words.TITLES[state.card]}." if not state.rolls else f"{who} rolls."
    if viewer != state.player:
        if state.island:
            return f"{who} is on the Island of Skulls."
        return f"{who} must use the Sorceress, or lose the turn." if r.must_use_spell(state) else f"{who} decides."
    if state.island:
        return "Island of Skulls: stop, or roll for more."
    if r.must_use_spell(state):
        return "Three skulls! Roll one again with the Sorceress, or lose the turn."
    return "Your turn: stop, or choose dice to roll."


def _clause(state: r.State) -> str:
    """The rule that the prompt is about."""
    if state.phase == r.DECIDE:
        return "FO-14" if state.island else "FO-18" if r.must_use_spell(state) else "FO-6"
    if state.phase == r.OVER:
        return end_clause(state)
    return {r.DRAW_SEAT: "FO-3", r.DRAW_CARD: "FO-4", r.ROLL: "FO-5"}[state.phase]


def _hold(state: r.State) -> int:
    """Milliseconds to look before the next position."""
    if state.phase == r.DRAW_CARD:
        return 0 if state.roller == r.NOBODY else 1900 if state.fate in (r.DISQUALIFIED, r.ISLAND) else 1300
    return 900 if state.phase == r.ROLL and not state.rolls else 0
