"""What the rulebook of Facets of Fortune shows, and the components of its editions in words.

The examples are positions of the game, reached by its rules, with the dice and cards of the text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from parlour.core.game import Game
from parlour.core.pieces import column, row
from parlour.core.scene import SPECTATOR, Piece, number
from parlour.games.facets_of_fortune import rules as r
from parlour.games.facets_of_fortune.show import words
from parlour.games.facets_of_fortune.show.markets import ART, markets
from parlour.games.facets_of_fortune.show.moves import Moves
from parlour.games.facets_of_fortune.show.stakes import dice, hand, stakes

NAMES = ("You", "Ann")
GEM_FACES = (*r.COLOURS, "wild", "all")
ONE_OF_EACH = {  # an edition's names of cards -> the card that represents them
    **{f"gem-{n}": f"ruby-{n}" for n in (1, 2, 3)}, **{kind: kind for kind in ("wild-1", "wild-2", "wild-3")},
    "free": "free-ruby", "exchange": "exchange", "switch": "switch", "heist": "heist",
}  # fmt: skip


def pictures() -> Mapping[str, Piece]:
    """Make the faces of the dice, the cards, and the positions of the examples."""
    return {
        "gem-die": row("gem-die", *map(_die, GEM_FACES, words.GEM_DIE), marks=("dice",)),
        **{f"{way}-{n}": Piece(f"{way}-{n}", "die", f"{way} {n}", f"{ART}{way}-{n}")
           for way in ("up", "down") for n in (1, 2, 3)},
        **{f"card-{kind}": _card(kind) for kind in ONE_OF_EACH.values()},
        "stop": Piece("stop", "token", "STOP", ART + "stop", marks=("sign",)),
        **_examples(),
    }  # fmt: skip


def component(name: str, value: Any) -> str:
    """Return the prices, the dice, and how many cards there are of each kind (FF-1, FF-3, FF-4, FF-5)."""
    if name == "ladder":
        prices = " | ".join(map(number, value))
        return f"| {' | '.join(map(str, range(1, len(value) + 1)))} |\n{'|---' * len(value)}|\n| {prices} |"
    if name == "up_down":
        ways = [("up" if step > 0 else "down", abs(step)) for step in value]
        pictured = " | ".join(f"![]({way}-{n}){{.small}}" for way, n in ways)
        return f"| {' | '.join(f'{way} {n}' for way, n in ways)} |\n{'|---' * len(ways)}|\n| {pictured} |"
    if name == "heist_die":
        return f"1 to {value}, each once."
    if name == "deck":
        rows = [
            f"| ![](card-{ONE_OF_EACH[card]}){{.small}} | {_title(card)} | {count} |" for card, count in value.items()
        ]
        return "\n".join(("| | card | how many |", "|---|---|---|", *rows))
    return ""


def _title(card: str) -> str:
    """Return a card of an edition in words."""
    if card.startswith("gem-"):
        n = int(card[-1])
        return f"{n} gem{'s' if n > 1 else ''} of a colour, in each colour"
    return "Free Gem, in each colour" if card == "free" else words.TITLES[r.KINDS.index(ONE_OF_EACH[card])]


# Single pieces --------------------------------------------------------------------------------------
def _die(face: str, name: str) -> Piece:
    return Piece(f"face-{face}", "die", name, ART + face)


def _card(kind: str) -> Piece:
    return Piece(kind, "token", words.TITLES[r.KINDS.index(kind)], f"{ART}card-{kind}", marks=("pictured",))


# The examples ---------------------------------------------------------------------------------------
def _examples() -> dict[str, Piece]:
    return {
        "prices": _shown(_board(sapphire=(5, 500_000)), "sapphire"),
        "climb": _climb(),
        "turn": _turn(),
        "one-way": _one_way(),
        "one-colour": _one_colour(),
        "stop-holds": _shown(_rolled(_stopped(750_000), "ruby", 2), "ruby"),
        "stop-named": _named(),
        "switch": _switched(_board(diamond=(9, 25_000), emerald=(6, 100_000)), "diamond", "emerald"),
        "heist": _heist(),
        "crash": _crash(),
        "reopened": _reopened(),
    }


def _board(**there: tuple[int, int]) -> r.State:
    """Return the opening board for two, with the reader about to roll.

    `there` has for each market the gems left on it and the Sell Price; the other gems are Ann's.
    """
    game = Game("facets-of-fortune", __package__.rpartition(".")[0])
    state: r.State = game.start(2, game.edition(), game.options())
    for key, (left, price) in there.items():
        colour = r.COLOURS.index(key)
        state.board[colour], state.own[1][colour] = left, r.GEMS - left
        state.marker[colour] = list(state.ladder).index(price)
    state.phase = r.ROLL
    return state


def _held(state: r.State, cards: str, gems: Mapping[str, int], money: int) -> r.State:
    """Give the reader, after the roll, these cards, these of Ann's gems, and this money."""
    for place, card in enumerate(cards.split()):
        state.hand[0][place] = r.KINDS.index(card)
        state.held[0] += 1
    for key, n in gems.items():
        colour = r.COLOURS.index(key)
        state.own[0][colour] += n
        state.own[1][colour] -= n
    state.money[0] = money
    state.phase = r.PLAY
    return state


def _rolled(state: r.State, face: str, step: int) -> r.State:
    r.apply(state, r.roll_outcome(GEM_FACES.index(face), step))
    return state


def _stopped(price: int) -> r.State:
    """Return a board with Ann's STOP on the ruby market."""
    state = _board(ruby=(3, price), emerald=(7, 250_000))
    state.stops[0], state.holds[1] = 1 << 1, 0
    return state


def _climb() -> Piece:
    state = _board(ruby=(8, 100_000), emerald=(4, 1_000_000))
    state.stops[3], state.holds[1] = 1 << 1, 0
    return _shown(_rolled(state, "ruby", 2), "ruby", "emerald", beside=(dice(state, NAMES),))


def _turn() -> Piece:
    state = _held(
        _board(ruby=(9, 5_000), sapphire=(7, 100_000)), "free-emerald ruby-1 sapphire-2", {"sapphire": 3}, 10_000
    )
    moves = Moves(state, 0)
    return _shown(state, *r.COLOURS, beside=(stakes(state, moves, NAMES)[0], hand(state, moves)))


def _one_way() -> Piece:
    state = _held(_board(ruby=(6, 50_000)), "ruby-3", {"ruby": 3}, 1_000_000)
    r.apply(state, r.CARD + r.KINDS.index("ruby-3"))
    return _shown(state, "ruby", viewer=0)


def _one_colour() -> Piece:
    state = _board(ruby=(7, 75_000), diamond=(8, 25_000), emerald=(7, 100_000))
    _held(state, "wild-3", {"ruby": 1, "diamond": 2, "emerald": 3}, 1_000_000)
    r.apply(state, r.CARD + r.KINDS.index("wild-3"))
    mine = stakes(state, Moves(state, 0), NAMES)[0]
    return _shown(state, *r.COLOURS, viewer=0, beside=(mine,))


def _named() -> Piece:
    state = _rolled(_stopped(1_000_000), "wild", 2)
    r.apply(state, r.MARKET)
    return _shown(state, "ruby", "emerald", beside=(dice(state, NAMES),))


def _switched(state: r.State, one: str, other: str, *, owned: bool = False) -> Piece:
    """Make two markets before and after a Switch Markets card, and what the players own, if wanted."""
    _held(state, "switch", {}, 0)

    def seen() -> Piece:
        rows = stakes(state, Moves(state, SPECTATOR), NAMES, _colours(one, other)) if owned else ()
        return _shown(state, one, other, beside=rows)

    before = seen()
    r.apply(state, r.CARD + r.SWITCH)
    for key in (one, other):
        r.apply(state, r.MARKET + r.COLOURS.index(key))
    arrow = Piece("then", "label", text="→", marks=("then",))
    return row("switch", before, arrow, seen(), marks=("twice",))


def _heist() -> Piece:
    state = _held(_rolled(_board(ruby=(8, 250_000), diamond=(7, 100_000)), "emerald", 1), "heist", {}, 0)
    for step in (r.CARD + r.HEIST, r.ROB + 1, 5, 3):
        r.apply(state, step)
    return column("heist", dice(state, NAMES), *stakes(state, Moves(state, 0), NAMES), marks=("excerpt",))


def _crash() -> Piece:
    state = _board(ruby=(4, 1_000_000), sapphire=(6, 750_000), diamond=(5, 1_000_000), emerald=(9, 75_000))
    state.stops[2], state.holds[1] = 1 << 1, 0
    _rolled(state, "all", 2)
    state.crashed = 0  # so that the picture does not shake
    return _shown(state, *r.COLOURS, beside=(dice(state, NAMES),))


def _reopened() -> Piece:
    state = _board(ruby=(0, 5_000), emerald=(7, 500_000))
    state.closed[0], state.own[1][0] = 1, 0
    state.own[0][3], state.own[1][3] = 1, 2
    return _switched(state, "ruby", "emerald", owned=True)


def _shown(state: r.State, *keys: str, viewer: int = SPECTATOR, beside: tuple[Piece, ...] = ()) -> Piece:
    """Make these markets as the table shows them, with other pieces below them."""
    there = markets(state, Moves(state, viewer), NAMES, _colours(*keys))
    return column("market", *there, *beside, marks=("excerpt", f"of-{len(keys)}"))


def _colours(*keys: str) -> list[int]:
    return [r.COLOURS.index(key) for key in keys]
