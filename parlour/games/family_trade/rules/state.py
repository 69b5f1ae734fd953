"""Family Trade: the state, and how it is set up. Money is in thousands; a price is a step of the ladder.

Cards of one kind are interchangeable, so hands, deck and discards are counts; the row of discards is kept in order
only so that people can follow it (FT-26). Cards are drawn one at a time: the order of the deck is in no state.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from parlour.core.struct import ints, struct

SEATS = 4
N_GOODS = 8  # FT-1
GOODS = ("diamond", "gold", "real estate", "shares", "oil", "shrimp", "crypto", "currency")
MARKET_MAKE = 8  # FT-9: the ninth kind of card
N_KINDS = 9
N_STEPS = 10  # FT-2
N_FACES = 6
MAX_CARDS = 127
NOBODY = -1
NONE = -1

MARKET_MAKING, GOD, BATTLE_ROYALE = 0, 1, 2

# Phases: what is awaited
FIRST_DEALER, CHOOSE_MARKET, ROLL, DEAL, DRAW, TURN, MAKE, ASK, REROLL, OVER = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
# How the last deal ended (state.ended)
NOT_YET, WENT_OUT, VOID = 0, 1, 2


@struct
class State:
    # the table: edition and options
    players: int = 0
    ruleset: int = MARKET_MAKING
    honour: int = 0
    ladder: list[int] = ints(N_STEPS)  # FT-2
    faces: list[int] = ints(N_GOODS * N_FACES, 8)  # steps of the ladder, die by die
    cards: list[int] = ints(N_KINDS, 8)  # FT-3: in the game
    n_cards: int = 0
    tens: int = 0  # FT-4: bills of the bank in Battle Royale
    fifties: int = 0
    nine_alike: int = 0
    false_call: int = 0
    longest_run: int = 0
    new_decks: int = 0
    # the game
    phase: int = FIRST_DEALER
    money: list[int] = ints(SEATS)
    jackpot: int = 0
    dealer: int = 0
    run: int = 1  # FT-16: which deal of the dealer's run this is
    turns: int = 0  # FT-17: turns as dealer that are over
    deals: int = 0  # over, void ones too
    price: list[int] = ints(N_GOODS, 8)  # step of the ladder, NONE before it is rolled
    rolling: int = 0  # bit g: the die of good g is still to be rolled
    # the deal
    deck: list[int] = ints(N_KINDS, 8)
    deck_size: int = 0
    row: list[int] = ints(MAX_CARDS + 1, 8)  # FT-26: the discards in order
    row_size: int = 0
    dumped: list[int] = ints(N_KINDS, 8)  # the discards by kind
    hand: list[int] = ints(SEATS * N_KINDS, 8)  # hand[seat * N_KINDS + kind], the drawn card among them
    dealt: int = 0  # cards
    remade: int = 0  # FT-18, FT-24: new decks so far
    player: int = 0  # whose turn it is, or whose turn comes when the card is drawn
    drawn: int = NONE  # the kind just drawn by `player`
    called: int = 0  # FT-19: a false call this turn
    acted: int = 0  # bit s: seat s has discarded (FT-11)
    announced: int = 0  # bit s: seat s is "one to go" (FT-10)
    discarder: int = NOBODY  # of the last discard
    offered: int = 0  # the last discard can still be taken (FT-12)
    asked: int = NOBODY  # who is asked about it
    # going out, and how the last deal ended: kept until the next one ends
    winner: int = NOBODY  # of the deal, from going out until the next deal is dealt
    source: int = NOBODY  # whose discard it was; NOBODY: the deck
    rerolled: int = NONE  # the good whose die is or was rolled again
    ended: int = NOT_YET
    won: list[int] = ints(N_KINDS, 8)  # the cards shown
    last: int = NOBODY  # who went out
    worth: int = 0  # FT-14: what it was worth
    times: int = 0  # FT-16
    took: int = 0  # the Jackpot that was taken
    # what is known of hidden cards (see dealing.py)
    shuffled: list[int] = ints(N_KINDS, 8)  # the deck as last shuffled, less cards certainly drawn from it
    drew: list[int] = ints(SEATS * N_KINDS, 8)  # drawn since then by a seat, by kind
    since: list[int] = ints(SEATS * N_KINDS, 8)  # shown since then by a seat, by kind
    held: list[int] = ints(SEATS, 8)  # cards in hand at that time
    unfit: list[int] = ints(SEATS, 16)  # bit g: good g cannot finish this seat's announced hand, as all know
    later: int = 0  # a round of Battle Royale has ended since then
    gone: list[int] = ints(SEATS * N_KINDS, 8)  # FT-23: hands that left the game face down


def setup(players: int, parts: Mapping[str, Any], options: Mapping[str, int]) -> State:
    """FT-2, FT-3, FT-4: the state before the first dealer is drawn. ValueError when a component does not fit."""
    state = State(players=players, ruleset=options["ruleset"], honour=options["honour_calls"])
    if parts["goods"] != list(GOODS):
        raise ValueError(f"the goods must be {', '.join(GOODS)}")
    ladder, dice = parts["ladder"], parts["dice"]
    if not _numbers(ladder, N_STEPS, -(10**5)) or ladder != sorted(set(ladder)) or any(step % 10 for step in ladder):
        raise ValueError(f"the ladder must be {N_STEPS} ascending multiples of ten")
    if not isinstance(dice, list) or len(dice) != N_GOODS or not all(_numbers(die, N_FACES, -(10**5)) for die in dice):
        raise ValueError(f"there must be {N_GOODS} dice of {N_FACES} faces")
    if not {face for die in dice for face in die} <= set(ladder):
        raise ValueError("each face of a die must be a step of the ladder")
    if not _numbers(parts["fifties"], 3, 0):
        raise ValueError("fifties must be three numbers, for 2, 3 and 4 players")
    counts = ("trade_cards", "market_makes", "start", "tens", "nine_alike", "false_call", "longest_run", "new_decks")
    if not _numbers([parts[name] for name in counts], len(counts), 0):
        raise ValueError(f"{', '.join(counts)} must be whole numbers, 0 or more")
    if not 9 <= parts["trade_cards"] < 16 or N_GOODS * parts["trade_cards"] + parts["market_makes"] > MAX_CARDS:
        raise ValueError(f"there are 9 or more cards of each good, and at most {MAX_CARDS} in all")
    state.ladder[:] = ladder
    state.faces[:] = [ladder.index(face) for die in dice for face in die]
    makes = parts["market_makes"] if state.ruleset == MARKET_MAKING else 0  # FT-20, FT-21
    state.cards[:] = [parts["trade_cards"]] * N_GOODS + [makes]
    state.n_cards = sum(state.cards)
    state.nine_alike, state.false_call = parts["nine_alike"], parts["false_call"]
    state.longest_run, state.new_decks = max(parts["longest_run"], 1), parts["new_decks"]
    state.tens, state.fifties = parts["tens"], parts["fifties"][players - 2]
    if state.ruleset != BATTLE_ROYALE:
        state.money[:players] = [parts["start"]] * players
    state.price[:] = [NONE] * N_GOODS
    state.deck[:] = state.shuffled[:] = state.cards
    state.deck_size = state.n_cards
    return state


def _numbers(value: Any, n: int, least: int) -> bool:
    return isinstance(value, list) and len(value) == n and all(type(v) is int and least <= v < 10**6 for v in value)
