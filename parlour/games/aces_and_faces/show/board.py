"""The loop as pieces: a square ring of squares, the cards in their slots, and the pile and the hands inside it."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.core.pieces import badge, column, flow, label, once, row
from parlour.core.scene import Piece, Reason
from parlour.games.aces_and_faces import rules as r
from parlour.games.aces_and_faces.rules import pieces as c
from parlour.games.aces_and_faces.show import text, words
from parlour.games.aces_and_faces.show.race import ART, GLYPHS, race

SUIT_SIGNS = "♦♣♥♠"  # where letters make the drawing
DOES = {"take": "Take", "duel": "Duel for", "give": "Give"}  # by the first word of a move
SHORT = tuple(f"{rank}{glyph}" for glyph in GLYPHS for rank in c.RANKS)


def loop(state: r.State, viewer: int, names: Sequence[str]) -> Piece:
    """Make the ring, `limit` squares a side, clockwise from the top left corner (AF-2)."""
    offers = _offers(state, viewer)
    pawns = _pawns(state, names)
    squares = [_square(state, square, viewer, names, offers, pawns.get(square)) for square in range(state.squares)]
    marks = ("inside", f"h{state.players}", "watched") if viewer < 0 else ("inside", f"h{state.players - 1}")
    inside = Piece("inside", "group", marks=marks, children=_inside(state, viewer, names, offers))
    side = state.squares // 4 + 1
    return Piece(
        "loop", "panel", "The loop", limit=side, layout="grid", marks=("loop",), clause="AF-2",
        children=(*squares, inside),
    )  # fmt: skip


def _offers(state: r.State, viewer: int) -> dict[str, str]:
    """Return what the viewer may click, by key, and the move that it makes."""
    if r.current_player(state) != viewer or viewer < 0:
        return {}
    buffer = [0] * r.MAX_LEGAL
    offers = {}
    for action in buffer[: r.legal_actions(state, buffer)]:
        move = text.format_action(state, action)
        if state.phase == r.CHOOSE_CORNER:
            offers[f"square-{state.corner[action - r.CORNER]}"] = move
        elif state.phase == r.MOVE:
            offers[f"square-{r.destination(state, action)}"] = move
        elif state.phase == r.GUESS:
            offers[f"say-{move}"] = move
        elif action >= r.CARD:
            offers[f"card-{c.CARDS[action - r.CARD]}"] = move
    return offers


def _place(square: int, squares: int) -> tuple[int, int]:
    """Return row and column, from 1."""
    side = squares // 4
    along = square % side
    return ((1, along + 1), (along + 1, side + 1), (side + 1, side + 1 - along), (side + 1 - along, 1))[square // side]


# Squares -------------------------------------------------------------------------------------------
def _square(
    state: r.State, square: int, viewer: int, names: Sequence[str], offers: dict[str, str], pawns: Piece | None
) -> Piece:
    what = state.board[square]
    left = state.phase not in (r.DRAW_SEAT, r.CHOOSE_CORNER, r.TURN) and state.came_from == square
    move = offers.get(f"square-{square}", "")
    inlay = _slot(state, what, viewer, names, offers, bool(move)) if what < c.N_CARDS else (_inlay(square, what),)
    return _space(square, state.squares, what, left, move, inlay, pawns)


@once
def _space(
    square: int, squares: int, what: int, left: bool, move: str, inlay: tuple[Piece, ...], pawns: Piece | None
) -> Piece:
    """Make a square with what is on it; `left`: the piece that moved came from here."""
    kinds = ("court",) if what < c.N_CARDS else ("corner",) if what < c.HIGHER_LOWER else ()
    return Piece(
        f"square-{square}", "space", f"{_way(move)}{words.square(what)}", marks=(*kinds, *(("from",) if left else ())),
        action=move, at=_place(square, squares), place=_spot(square),
        children=inlay if pawns is None else (*inlay, pawns),
    )  # fmt: skip


def _spot(square: int) -> str:
    """Return a square's place for the ear, counted clockwise from the top left corner."""
    return f"square {square + 1}"


def _way(move: str) -> str:
    if not move:
        return ""
    return "Start at " if move.startswith("corner") else f"{move.capitalize()} to "


def _face(what: int) -> str:
    """Return the picture of a square."""
    if what < c.N_CARDS:
        return f"{ART}-slot-{c.CARDS[what]}"
    if what < c.HIGHER_LOWER:
        return f"{ART}-suit-{c.LETTERS[what - c.MATCH]}"
    return f"{ART}-higher-lower" if what == c.HIGHER_LOWER else f"{ART}-duel"


@once
def _inlay(square: int, what: int) -> Piece:
    if what >= c.HIGHER_LOWER:
        short = "H/L" if what == c.HIGHER_LOWER else "Duel"
    else:
        short = f"Match{SUIT_SIGNS[what - c.MATCH]}"
    return Piece(f"inlay-{square}", "token", words.place(what), _face(what), marks=("inlay",), short=short)


def _slot(
    state: r.State, card: int, viewer: int, names: Sequence[str], offers: dict[str, str], inert: bool
) -> tuple[Piece, ...]:
    """Make the card in its slot; or its outline, with what the viewer may know of its holder."""
    move = offers.get(f"card-{c.CARDS[card]}", "")
    if state.slots >> card & 1:
        why = None if inert or move else _why_not(state, card, viewer)
        return _in_slot(card, state.news_card == card, move, why)
    mine = viewer >= 0 and state.hands[viewer] >> card & 1
    move = "" if mine else move  # the viewer's own card is clicked in the hand
    places = state.may[r.row_of(viewer)][card]
    aid = state.memory_aid or mine
    shown = tuple((seat, names[seat]) for seat in range(state.players) if places >> seat & 1) if aid else ()
    why = None if inert or move else _why_not(state, card, viewer)
    return _outline(card, bool(mine), shown, state.named == card, move, why)


@once
def _in_slot(card: int, last: bool, move: str, why: Reason | None) -> tuple[Piece, ...]:
    code, marks = c.CARDS[card], ("incard", "last") if last else ("incard",)
    return (Piece(f"card-{code}", "token", _does(move, card), f"{ART}-slot-{code}", marks=marks, action=move, why=why,
                  short=_sign(card)),)  # fmt: skip


def _does(move: str, card: int) -> str:
    """Return a card's name, after what a press on it does: "Duel for the Queen of Hearts"."""
    verb = move.partition(" ")[0]
    return f"{DOES[verb]} the {words.card(card)}" if verb in DOES else words.card(card)


@once
def _outline(
    card: int, mine: bool, shown: tuple[tuple[int, str], ...], named: bool, move: str, why: Reason | None
) -> tuple[Piece, ...]:
    """Make the empty slot of a card that the viewer holds, or one of the players whose names are shown."""
    code = c.CARDS[card]
    holders = " or ".join(name for _, name in shown)
    whose = ", in your hand" if mine else f", held by {holders}" if shown else ", not here"
    known = ("held-by", f"by{shown[0][0]}") if len(shown) == 1 else ()  # its holder's colour
    marks = ("ghost", *(("named",) if named else ()), *known)
    ghost = Piece(f"ghost-{code}", "token", _does(move, card) + whose, f"{ART}-slot-{code}", marks=marks, action=move,
                  why=why, short=f"({_sign(card)})")  # fmt: skip
    held = tuple(Piece(f"at-{code}-{seat}", "token", name, seat=seat) for seat, name in shown)
    return (ghost, flow(f"at-{code}", *held, marks=("holders",))) if held else (ghost,)


def _sign(card: int) -> str:
    """Return a card where letters make the drawing."""
    return f"{c.RANKS[card % 4]}{SUIT_SIGNS[card // 4]}"


def _why_not(state: r.State, card: int, viewer: int) -> Reason | None:
    """Return why the viewer who is to choose cannot choose this card of the loop."""
    if r.current_player(state) != viewer or state.phase not in (r.MOVE, r.MATCH_PICK, r.DUEL):
        return None
    return text.why_not(state, r.CARD + card)


def _pawns(state: r.State, names: Sequence[str]) -> dict[int, Piece]:
    """Make the pieces on each square, by square."""
    found: dict[int, list[Piece]] = {}
    for seat in range(state.players):
        if _on_board(state, seat):
            square = state.position[seat]
            pawn = Piece(
                f"pawn-{seat}", "token", names[seat], f"{ART}-pawn-{seat}", seat=seat,
                marks=("pawn", f"s{seat}", *(("active",) if seat == _active(state) else ())),
                path=_path(state) if seat == state.mover else (), short="♟", place=f"piece on {_spot(square)}",
            )  # fmt: skip
            found.setdefault(square, []).append(pawn)
    return {
        square: flow(f"pawns-{square}", *pawns, marks=("pawns", f"p{len(pawns)}")) for square, pawns in found.items()
    }


def _active(state: r.State) -> int:
    return r.NOBODY if state.phase in (r.DRAW_SEAT, r.OVER) else state.player if state.phase != r.TURN else state.mover


def _on_board(state: r.State, seat: int) -> bool:
    """AF-3: return whether this seat has placed its piece; seats do so one after the other."""
    if state.phase == r.DRAW_SEAT:
        return False
    return state.phase != r.CHOOSE_CORNER or 0 < (state.player - seat) % state.players <= state.placed


def _path(state: r.State) -> tuple[str, ...]:
    """Return the squares that the piece passed, up to where it is now (AF-6)."""
    step = 1 if state.came_by > 0 else -1
    return tuple(f"square-{(state.came_from + step * i) % state.squares}" for i in range(1, abs(state.came_by) + 1))


# Inside --------------------------------------------------------------------------------------------
def _inside(state: r.State, viewer: int, names: Sequence[str], offers: dict[str, str]) -> tuple[Piece, ...]:
    order = [(max(viewer, 0) + i) % state.players for i in range(state.players)]
    others = [seat for seat in order if seat != viewer]
    rows = tuple(_hand(state, seat, viewer, names) for seat in others)
    own = (_own(state, viewer, offers),) if viewer >= 0 else ()
    return (
        row("heap", _pile(state), *_discard(state), marks=("heap",)),
        race(state, viewer, names),
        _stage(state, names, offers),
        column("others-hands", *rows, marks=("rows",)),
        *own,
    )


def _pile(state: r.State) -> Piece:
    """AF-1, AF-8: Show how many cards are left; with the memory aid also which (AF-15)."""
    notes: tuple[Piece, ...] = (Piece("pile-size", "note", text=f"of {state.deck_size} cards"),)
    if state.memory_aid:
        left = r.pile(state)
        names = ("Jokers", *map(str, range(2, 11)), *(name.capitalize() for name in words.COURTS))
        ranks = (left[c.JOKER], *(sum(left[suit * 13 + i] for suit in range(4)) for i in range(13)))
        notes = tuple(Piece(f"left-{name}", "note", text=name, value=n) for name, n in zip(names, ranks, strict=True))
    return Piece("pile", "stack", "Pile", f"{ART}-back", value=state.left, clause="AF-8", children=notes)


def _discard(state: r.State) -> tuple[Piece, ...]:
    """Make the card flipped last (AF-4)."""
    if state.top == r.NOBODY:
        return ()
    marks = ("pilecard", "turned") if _just_turned(state) else ("pilecard",)
    name = f"Discarded cards: {words.kind(state.top)}"
    return (Piece("discard", "token", name, f"{ART}-{c.KINDS[state.top]}", marks=marks),)


def _just_turned(state: r.State) -> bool:
    """Return whether the last step turned the card on the discards, as far as the position tells."""
    if state.phase == r.MOVE or state.phase in (r.DUEL_SECOND, r.MATCH_PICK, r.GIVE):
        return True
    quick = (r.SKIPPED, r.WRONG, r.NO_MATCH, r.NO_CARD_LEFT, r.DUEL_WON, r.DUEL_TIED, r.DUEL_VOID)
    court = c.card_of(state.top) >= 0 and state.news in (r.TOOK, r.ROBBED, r.RETURNED)
    return state.phase in (r.TURN, r.OVER) and (state.news in quick or court)


def _stage(state: r.State, names: Sequence[str], offers: dict[str, str]) -> Piece:
    """Make the middle of the table: a duel with its two cards and the prize, a guess, a match, or else what
    happened."""
    if state.named != r.NOBODY:
        return _fight(state, names)
    said = f"caption-{state.turns}-{state.phase}"  # new words replace others, they do not move
    caption = label(said, _caption(state, names), marks=("caption",))
    if state.phase == r.MOVE:
        return column("stage", caption, row("ways", *_ways(state, offers), marks=("says",)), marks=("stage",))
    if state.phase == r.GUESS:
        ways = (("lower", "▼ Lower"), ("higher", "▲ Higher"))  # in the order of the bar
        says = (badge(f"say-{way}", said, action=offers.get(f"say-{way}", "")) for way, said in ways)
        return column("stage", caption, row("says", *says, marks=("says",)), marks=("stage",))
    if state.phase in (r.MATCH_CARD, r.MATCH_PICK):
        suit = r.suit_here(state) % 4
        sign = Piece("suit", "token", words.SUITS[suit], f"{ART}-suit-{c.LETTERS[suit]}", marks=("sign",))
        return column("stage", row("match", sign, caption, marks=("says",)), marks=("stage",))
    if state.phase == r.DUEL:
        swords = Piece("swords", "token", "Duel", f"{ART}-duel", marks=("sign",))
        return column("stage", row("call", swords, caption, marks=("says",)), marks=("stage",))
    return column("stage", caption, marks=("stage",))


def in_order(state: r.State) -> list[int]:
    """AF-6: return the two ways in the order in which their squares are on the board, the left one first."""
    ways = (r.ANTICLOCKWISE, r.CLOCKWISE)
    return sorted(ways, key=lambda way: _place(r.destination(state, way), state.squares)[::-1])


def _ways(state: r.State, offers: dict[str, str]) -> list[Piece]:
    """Make a plate for each way: its arrow, the picture of the square that it leads to, and the square's name."""
    plates = []
    for way in in_order(state):
        square = r.destination(state, way)
        arrow, name = ("↻", "clockwise") if way == r.CLOCKWISE else ("↺", "anticlockwise")
        move = offers.get(f"square-{square}", "")
        what = leads(state, way, bool(move))
        sign = Piece(f"way-{name}-sign", "token", what, _face(state.board[square]), marks=("sign",))
        plates.append(
            Piece(
                f"way-{name}", "group", f"{name.capitalize()}, {what}", text=arrow, marks=("way",), action=move,
                layout="row", children=(sign, label(f"way-{name}-name", what)),
            )
        )  # fmt: skip
    return plates


def leads(state: r.State, way: int, mine: bool) -> str:
    """Return the square that way in few words: with what it would bring, which only the player who is to move (`mine`)
    may know (AF-14), or with the card that it is beside, if there are more squares of its kind."""
    square = r.destination(state, way)
    what = state.board[square]
    if what < c.N_CARDS:
        if not mine:
            return SHORT[what]
        brings = {r.RETURNED: "put it back", r.TOOK: "take it", r.ROBBED: "from a player"}
        return f"{SHORT[what]}: {brings[r.taken(state, what)]}"
    near = (state.board[(square + step) % state.squares] for step in (-1, 1))
    beside = next((SHORT[card] for card in near if card < c.N_CARDS), "")
    if what < c.HIGHER_LOWER or not beside:
        return words.place(what)
    return f"{words.place(what)} by {beside}"


def _fight(state: r.State, names: Sequence[str]) -> Piece:
    """Make the two cards that are turned, with the card at stake between them (AF-12)."""
    title = label("duel-for", f"Duel for the {words.card(state.named)}", marks=("caption",))
    turned = state.second != r.NOBODY
    result = r.duel(c.rank_of(state.first), c.rank_of(state.second)) if turned else r.NOTHING
    prize = Piece(
        "prize", "token", words.card(state.named), f"{ART}-{c.CARDS[state.named]}", marks=("pilecard", "prize")
    )
    versus = Piece("duel-versus", "token", "against", f"{ART}-duel", marks=("versus",))
    sides = (
        _side("challenger", state.mover, state.first, result == r.DUEL_WON, names),
        column("stake", versus, prize, marks=("stake",)),
        _side("opponent", state.rival, state.second, result == r.DUEL_LOST, names),
    )
    return column("duel", title, row("fight", *sides, marks=("fight",)), marks=("stage",))


def _side(key: str, seat: int, kind: int, ahead: bool, names: Sequence[str]) -> Piece:
    shown = kind != r.NOBODY
    card = Piece(
        f"duel-{key}", "token", words.kind(kind) if shown else "a card not yet flipped",
        f"{ART}-{c.KINDS[kind] if shown else 'back'}", marks=("pilecard", *(("ahead",) if ahead else ())),
    )  # fmt: skip
    who = Piece(f"duel-{key}-who", "token", names[seat], seat=seat, marks=("whose",))
    return row(f"duel-{key}-side", who, card, marks=("side", f"by{seat}"))


def _caption(state: r.State, names: Sequence[str]) -> str:
    if state.phase in (r.TURN, r.OVER):
        return words.came(state, names)[0]
    if state.phase == r.CHOOSE_CORNER:
        return "Each piece starts from a corner."
    if state.phase == r.MOVE:
        return f"Move {state.number}: which way?"
    if state.phase == r.DUEL:
        return "A duel, card against card?"
    if state.phase in (r.GUESS, r.GUESS_CARD):
        said = {r.HIGHER: "Higher", r.LOWER: "Lower"}.get(state.guess if state.phase == r.GUESS_CARD else -1)
        return f"{said or 'Higher or lower'} than {state.number}?"
    if state.phase in (r.MATCH_CARD, r.MATCH_PICK):
        suit = r.suit_here(state)
        return f"Suit Match: {words.SUITS[suit]} {GLYPHS[suit]}"
    return ""


def _hand(state: r.State, seat: int, viewer: int, names: Sequence[str]) -> Piece:
    """AF-14, AF-15: make another player's hand: backs, except for the card that they last took in
    public; the winner shows all."""
    faces, backs = [], 0
    for card in range(c.N_CARDS):
        sure = state.may[r.row_of(viewer)][card] == 1 << seat
        if sure and (state.memory_aid or state.news_card == card or seat == state.winner):
            marks = ("open", "last") if state.news_card == card else ("open",)
            faces.append(
                Piece(f"card-{c.CARDS[card]}", "token", words.card(card), f"{ART}-slot-{c.CARDS[card]}", marks=marks)
            )
    backs = c.size(state.hands[seat]) - len(faces)
    held = [Piece(f"back-{seat}-{i}", "token", "a card", f"{ART}-back", marks=("down",)) for i in range(backs)]
    mark = Piece(
        f"of-{seat}",
        "token",
        f"{names[seat]}: {words.cards_held(c.size(state.hands[seat]))}",
        seat=seat,
        marks=("whose",),
    )
    return Piece(f"hand-{seat}", "hand", names[seat], marks=("player", f"by{seat}"), children=(mark, *held, *faces))


def _own(state: r.State, viewer: int, offers: dict[str, str]) -> Piece:
    """Make the viewer's own hand, face up."""
    held = []
    for card, code in enumerate(c.CARDS):
        if state.hands[viewer] >> card & 1:
            marks = ("held", "last") if state.news_card == card else ("held",)
            move = offers.get(f"card-{code}", "")
            held.append(Piece(f"card-{code}", "token", _does(move, card), f"{ART}-{code}", marks=marks, action=move))
    return Piece(f"hand-{viewer}", "hand", "Your hand", marks=("own-hand", f"by{viewer}"), children=tuple(held))
