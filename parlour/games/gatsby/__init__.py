"""Gatsby: influence at three locations, and characters to rally; 2 players."""

from __future__ import annotations

from parlour.core.facts import Facts, Observed, Option

SEATS = ("own", "other's")  # the observing seat comes first; for a spectator that is the first seat
PLACES = (
    "north-east path", "north-west path", "stars", *(f"Finance Center {i}, from below" for i in range(1, 5)),
    *(f"row {i}" for i in range(1, 6)),
)  # fmt: skip

FACTS = Facts(
    players=(2, 2),
    hidden_information=True,
    longest=54_000,  # GA-23: nine games at most; see `bound`
    observed=(
        Observed("the other is the active player"),
        Observed("turns finished", most=99, clause="GA-9"),  # of this game
        Observed(
            "where the action token is: none, A to D, a personal space", least=-1, most=4, kind="name", clause="GA-9"
        ),
        Observed("the active player will choose the next action", clause="GA-9"),
        Observed("the action of this turn was forced", clause="GA-9"),
        Observed("rows used by this action, as a mask", most=31, kind="mask", clause="GA-12"),
        Observed(
            "how the game ended: not yet, three of a suit, one of each, prestige", most=3, kind="name", clause="GA-22"
        ),
        Observed("sudden victory: no seat, own, other", least=-1, most=1, kind="name", clause="GA-22"),
        Observed("size of the Cabaret", least=2, most=6, clause="GA-3"),
        Observed("parts that are due", least=1, most=40, clause="GA-25"),
        Observed("tile of each quarter", 4, least=-1, most=3, kind="name", clause="GA-3"),
        *(
            Observed(f"{whose} {what}", most=most)
            for whose in SEATS
            for what, most in (
                ("level", 12), ("supply", 60), ("characters", 12), ("tiles set aside unseen", 11),
                ("tiles discarded", 11),
            )
        ),
        Observed(
            "each part that is due: kind + 32 * what it is about", 40, least=-1, most=29 + 32 * 65, digits=(32, 66),
            clause="GA-25",
        ),  # two places
        Observed("each space: empty, own token, other's", 61, most=2, kind="name", clause="GA-10"),
        *(
            part
            for place in PLACES
            for part in (
                Observed(f"{place}: on the board, own, other's", least=-1, most=1, kind="name", clause="GA-6"),
                Observed(f"{place}: the character known to be there", least=-1, most=14, kind="name", clause="GA-24"),
                Observed(f"{place}: face up + 2 * taken in the last turn", most=3, kind="mask", clause="GA-24"),
            )
        ),
        Observed(
            "each character: where it may be, as a mask of places", 15, most=2**12 - 1, kind="mask", clause="GA-24"
        ),
        Observed("each Special Action tile: where it is known to be", 11, most=12, kind="name", clause="GA-24"),
        Observed("a bonus of the setup token is taken", clause="GA-8"),
        Observed("a draw is followed by another game", clause="GA-23"),
        Observed("games without a winner before this one", most=8, clause="GA-23"),
    ),
    options=(
        Option(
            "setup_bonus",
            ("lost", "taken"),
            "GA-8",
            "A bonus under the token that the second player places before the first turn.",
            words=("not used", "used at once"),
            printed="as soon as you place a token",
        ),
        Option(
            "play_off",
            ("false", "true"),
            "GA-23",
            "What follows if both have equal prestige and equally many characters.",
            words=("a draw, half a win each", "another game decides"),
            printed="play another game",
        ),
    ),
)  # fmt: skip
