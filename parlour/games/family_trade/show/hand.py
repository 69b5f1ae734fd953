"""Family Trade: the viewer's own cards, and what each good among them brings."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.core.pieces import row
from parlour.core.scene import Piece, Reason, signed
from parlour.games.family_trade import rules as r
from parlour.games.family_trade.show import text, words

SETS = ("", "A set", "Two sets", "Three sets")


def hand(state: r.State, viewer: int, legal: Sequence[int]) -> Piece:
    """Make the viewer's own cards in lots, one of each good: the largest first, and the card just drawn at the end
    (FT-26)."""
    few = ("few",) if state.ruleset == r.BATTLE_ROYALE else ()
    if viewer < 0:
        return Piece("hand", "hand", "Hands are hidden", marks=("cards", "unseen", *few))
    held = list(state.hand[viewer])
    mine = state.phase == r.TURN and state.player == viewer
    if mine:
        held[state.drawn] -= 1
    kinds = sorted((kind for kind in range(r.N_KINDS) if held[kind]), key=lambda kind: (-held[kind], kind))
    places = iter(range(1, r.N_KINDS + 1))
    if state.phase == r.DEAL or not any(held):  # they are taken up together: until then, each would move for the next
        lots = [Piece(f"dealt-{i}", "card", "A card, face down", marks=("trade", "down")) for i in range(sum(held))]
        due = 0 if state.phase == r.OVER else r.DEALT_CARDS[state.ruleset]
        lots += [row(f"await-{i}", marks=("await",)) for i in range(sum(held), due)]
        return Piece(
            "hand", "hand", "Your cards", marks=("cards", *few), clause="FT-21" if few else "FT-7", children=tuple(lots)
        )
    lots = list[Piece]()
    for kind in kinds:
        before = sum(held[other] for other in kinds[: len(lots)])
        cards = [_card(state, viewer, kind, copy, next(places), legal) for copy in range(held[kind])]
        lots.append(_lot(state, kind, cards, before))
    if mine:
        new = _card(state, viewer, state.drawn, held[state.drawn], next(places), legal, new=True)
        lots.append(row("lot-new", new, _worth(state, state.drawn, "new", 1), marks=("lot", "lot-new")))
    return Piece(
        "hand",
        "hand",
        _name(state, viewer, held),
        marks=("cards", *few),
        clause="FT-22" if few else "FT-10",
        children=tuple(lots),
    )


def _lot(state: r.State, kind: int, cards: Sequence[Piece], before: int) -> Piece:
    """Make the lot of a good. Its key is that of its place in the hand, which stays whichever good has it."""
    n = len(cards)
    marks = ("lot", *((f"of-{n}",) if n > 1 else ()), *(("whole",) if n % 3 == 0 else ()))
    return row(f"lot-{before}-{n}", *cards, _worth(state, kind, str(kind), n), marks=marks)


def _worth(state: r.State, kind: int, key: str, n: int) -> Piece:
    """Write below the cards of a good what its sets bring: by its price, or by its die on average."""
    if kind == r.MARKET_MAKE:
        return Piece(
            f"worth-{key}", "label", "Moves a price", text="\N{UPWARDS ARROW}\N{DOWNWARDS ARROW}", marks=("brings",)
        )
    good, one = words.TITLES[kind], words.brings(state, kind)
    if state.ruleset == r.MARKET_MAKING:
        worth, sign = max(n // 3, 1) * one, ""
        name = f"{SETS[max(n // 3, 1)]} of {good}: {words.change(worth)}"
    else:
        worth, sign = one, "\N{ALMOST EQUAL TO}"
        name = f"The die of {good} brings {words.change(one)} on average"
    low = ("low",) if one < 0 else ()
    return Piece(f"worth-{key}", "label", name, text=f"{sign}{signed(worth)}k", marks=("brings", *low))


def _card(
    state: r.State, viewer: int, kind: int, copy: int, place: int, legal: Sequence[int], *, new: bool = False
) -> Piece:
    """Make one card; the copies of a good are numbered, so that the page can follow each."""
    laid = bool(state.announced >> viewer & 1)
    mine = state.phase == r.TURN and state.player == viewer
    action = text.format_action(state, kind) if kind in legal and (new or not laid) else ""
    why = text.why_not(state, kind) if mine and not action else None
    if why and kind in legal:
        why = Reason("Your eight cards are face down: you can discard only the card just drawn.", "FT-10")
    return Piece(
        f"hand-{kind}-{copy}",
        "card",
        words.TITLES[kind],
        words.face(kind),
        marks=("trade", *(("turned", "new") if new else ()), *(("laid",) if laid and not new else ())),
        action=action,
        why=why,
        shortcut=str(place) if mine else "",
        place="new" if new else "",
    )


def _name(state: r.State, viewer: int, base: Sequence[int]) -> str:
    """Say what the hand waits for, and what it would bring."""
    good = r.wanted(base) if state.ruleset != r.BATTLE_ROYALE and sum(base) == 8 else r.NONE
    if good == r.NONE:
        return "Your cards"
    held = [*base]
    held[good] += 1
    pays = words.payment(state, viewer, held)
    waits = "One to go:" if state.announced >> viewer & 1 else "One card short:"
    return f"{waits} {words.TITLES[good]}" + (f", {pays}" if pays else "")
