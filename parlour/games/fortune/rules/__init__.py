"""Fortune: the rules. Clauses FO-n are in rulebook.md; where one is applied, it is named.

Dice of one face are interchangeable, so a decision is how many of each face to roll; `places` says where they
lie only so that people can follow them. The pile is drawn one card at a time (FO-3), so the
order of cards not yet turned is not in the state at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import comb
from typing import Any

from parlour.core.contract import CHANCE, TERMINAL, Buffer
from parlour.core.rng import choose_weighted, random_below
from parlour.core.struct import ints, struct
from parlour.games.fortune.rules.dice import (
    DIAMOND,
    FIRST,
    FIRST_ROLL,
    GOLD,
    LOWEST,
    MONKEY,
    N_DICE,
    N_FACES,
    N_SETS,
    PARROT,
    PARTS,
    ROLLS,
    SETS,
    SIZE,
    SKULL,
    SMALL_FIRST,
    SMALL_PARTS,
    SWORD,
    WAYS,
    encode,
    roll,
)  # fmt: skip

VERSION = 1
SEATS = 4

# FO-2: the kinds of card, in the order of the edition's deck
N_CARDS, MAX_PILE = 13, 64
CARD_GOLD, CARD_DIAMOND, SORCERESS, CAPTAIN, CHEST, MONKEY_BUSINESS, STORM, TRUCE = 0, 1, 2, 3, 4, 5, 6, 7
SKULLS_1, SKULLS_2, SEA_2, SEA_3, SEA_4 = 8, 9, 10, 11, 12
CARDS = (
    "gold", "diamond", "sorceress", "captain", "treasure-chest", "monkey-business", "storm", "truce",
    "skulls-1", "skulls-2", "sea-battle-2", "sea-battle-3", "sea-battle-4",
)  # fmt: skip

SET_WORTH = (0, 0, 0, 100, 200, 500, 1000, 2000, 4000, 4000)  # FO-9
PIECE_WORTH = 100  # FO-10
FULL_CHEST = 500  # FO-11
ISLAND_LOSS = 100  # FO-15
STORM_WORTH = 200  # FO-23
TRUCE_LOSS = 1000  # FO-24

TARGETS = (8000, 6000, 5000)
ROUND_LIMITS = (100, 0)
FLAT = 0  # storm_scoring; otherwise it says how many times a set counts

# Phases: what is awaited
DRAW_SEAT, DRAW_CARD, ROLL, DECIDE, OVER = 0, 1, 2, 3, 4
# How the last turn ended (state.fate)
NONE, STOPPED, DISQUALIFIED, ISLAND, STORM_OVER = 0, 1, 2, 3, 4
NOBODY = -1


@struct
class State:
    # the table: edition and options
    players: int = 0
    deck: list[int] = ints(N_CARDS)  # FO-2: cards of each kind
    deck_size: int = 0
    sea_bonus: list[int] = ints(3)  # FO-19: for 2, 3, 4 swords
    target: int = 0
    at_least: int = 0
    reshuffle: int = 0
    must_keep_one: int = 0
    card_skull_spoils_chest: int = 0
    floor_at_zero: int = 0
    sorceress_alone: int = 0
    storm_scoring: int = 0
    truce_free_on_bust: int = 0
    round_limit: int = 0  # 0: none
    # the game
    phase: int = DRAW_SEAT
    player: int = 0  # whose turn it is, or whose turn comes when the card is turned
    turns: int = 0  # finished
    scores: list[int] = ints(SEATS)
    finisher: int = NOBODY  # who started the final round under way
    final_left: int = 0  # turns left in it
    # the pile
    pile: list[int] = ints(MAX_PILE, 8)  # FO-4: kinds in the order in which they were first turned
    unseen: list[int] = ints(N_CARDS)  # of each kind, not turned yet (since the last shuffle)
    turned: int = 0  # cards turned since the start (cycle) or the last shuffle
    # the turn, kept until the next card is turned
    card: int = NOBODY
    roller: int = NOBODY  # whose dice these are
    places: list[int] = ints(N_FACES, 16)  # of each face: bit i: die i shows it, or did when it was picked up
    count: list[int] = ints(N_FACES)  # dice of each face; while they are in the air, those that lie
    rolled: int = 0  # bit i: die i was part of the last roll, or is in the air
    rolls: int = 0
    spell: int = 0  # the Sorceress has been used
    island: int = 0
    fate: int = NONE
    worth: int = 0  # what the last finished turn was worth to its player
    loss: int = 0  # what it cost each opponent (FO-15), before FO-12

    @property
    def dice(self) -> list[int]:
        """The face of each die by place, for people; what is in the air as it was."""
        return [face_at(self, place) for place in range(N_DICE)]


# Actions -----------------------------------------------------------------------------------------
# Action a: how many dice of each face to roll, as the rank of the vector (swords ... diamonds) among all
# with a sum of at most 8, in lexicographic order; plus N_SETS when a skull is rolled too (FO-18).
# The zero vector, action 0, is to stop.
N_ACTIONS = 2 * N_SETS
STOP = 0
MAX_LEGAL = 256
MAX_OUTCOMES = comb(N_DICE + N_FACES - 1, N_FACES - 1)


# Setting up --------------------------------------------------------------------------------------
def setup(players: int, parts: Mapping[str, Any], options: Mapping[str, int]) -> State:
    """FO-2, FO-3: the state before the starting seat is drawn."""
    state = State(players=players)
    for kind, number in enumerate(_counts(parts["deck"])):
        state.deck[kind] = state.unseen[kind] = number
    state.deck_size = sum(state.deck)
    if not 0 < state.deck_size <= MAX_PILE:
        raise ValueError(f"the deck has {state.deck_size} cards; 1 to {MAX_PILE} are possible")
    bonus = parts["sea_battle_bonus"]
    if not isinstance(bonus, list) or len(bonus) != 3 or any(type(n) is not int or not 0 <= n < 10**6 for n in bonus):
        raise ValueError("sea_battle_bonus must be three numbers from 0 to 999,999")
    state.sea_bonus[:] = bonus
    state.target = TARGETS[options["target"]]
    state.at_least = options["finish"]
    state.reshuffle = options["pile"]
    state.must_keep_one = options["must_keep_one"]
    state.card_skull_spoils_chest = options["card_skull_spoils_chest"]
    state.floor_at_zero = options["floor_at_zero"]
    state.sorceress_alone = options["sorceress_alone"]
    state.storm_scoring = options["storm_scoring"]
    state.truce_free_on_bust = options["truce_on_bust"]
    state.round_limit = ROUND_LIMITS[options["round_limit"]]
    return state


def _counts(deck: Any) -> list[int]:
    """FO-2: the number of cards of each kind; ValueError when `deck` is not such a table."""
    if not isinstance(deck, dict) or not set(deck) <= set(CARDS):
        raise ValueError(f"the deck must give numbers of these cards: {', '.join(CARDS)}")
    counts = [deck.get(name, 0) for name in CARDS]
    if any(type(number) is not int or number < 0 for number in counts):
        raise ValueError("the number of cards of a kind must be a whole number, 0 or more")
    return counts


def bound(state: State) -> int:
    """FO-28: turns are limited; a turn of 60 steps would be a marvel (each re-roll risks a skull)."""
    return (state.round_limit + 1) * state.players * 60 if state.round_limit else 0


def hidden_information(state: State) -> bool:
    """The pile is drawn as it is turned, and all else is open."""
    return False


def current_player(state: State) -> int:
    if state.phase == OVER:
        return TERMINAL
    return state.player if state.phase == DECIDE else CHANCE


# What a turn is worth ----------------------------------------------------------------------------
def skulls(state: State) -> int:
    """FO-7, FO-22: skulls of dice and card."""
    return state.count[SKULL] + card_skulls(state)


def card_skulls(state: State) -> int:
    """FO-22."""
    if state.card == SKULLS_1:
        return 1
    return 2 if state.card == SKULLS_2 else 0


def swords_needed(state: State) -> int:
    """FO-19: how many swords win the Sea Battle; 0 without one."""
    return state.card - SEA_2 + 2 if state.card >= SEA_2 else 0


def objects_worth(state: State, sword: int, monkey: int, parrot: int, gold: int, diamond: int) -> int:
    """FO-9, FO-10, FO-20, FO-21: sets and pieces of these dice and the card's own object."""
    if state.card == CARD_GOLD:
        gold += 1
    elif state.card == CARD_DIAMOND:
        diamond += 1
    worth = SET_WORTH[sword] + SET_WORTH[gold] + SET_WORTH[diamond] + PIECE_WORTH * (gold + diamond)
    if state.card == MONKEY_BUSINESS:
        return worth + SET_WORTH[monkey + parrot]
    return worth + SET_WORTH[monkey] + SET_WORTH[parrot]


def full_chest(state: State) -> int:
    """FO-11: the bonus when all eight dice generate points, else 0. Judged as if a Sea Battle were won."""
    count = state.count
    if count[SKULL] or state.card == STORM or (state.card_skull_spoils_chest and card_skulls(state)):
        return 0
    if 0 < count[SWORD] < 3 and not swords_needed(state):
        return 0
    if state.card == MONKEY_BUSINESS:
        return 0 if 0 < count[MONKEY] + count[PARROT] < 3 else FULL_CHEST
    return 0 if 0 < count[MONKEY] < 3 or 0 < count[PARROT] < 3 else FULL_CHEST


def storm_worth(state: State, gold: int, diamond: int) -> int:
    """FO-23: pieces, and sets as the table has it."""
    return STORM_WORTH * (gold + diamond) + state.storm_scoring * (SET_WORTH[gold] + SET_WORTH[diamond])


def worth_if_stopped(state: State) -> int:
    """FO-8: what the dice as they lie are worth to the player whose turn it is, with no third skull."""
    count = state.count
    if state.card == STORM:
        return storm_worth(state, count[GOLD], count[DIAMOND])
    if state.card == TRUCE and count[SWORD]:  # FO-24
        return -TRUCE_LOSS * count[SWORD]
    needed = swords_needed(state)
    if count[SWORD] < needed:  # FO-19
        return -state.sea_bonus[needed - 2]
    worth = objects_worth(state, count[SWORD], count[MONKEY], count[PARROT], count[GOLD], count[DIAMOND])
    worth += full_chest(state)
    if needed:
        worth += state.sea_bonus[needed - 2]
    return 2 * worth if state.card == CAPTAIN else worth  # FO-17


def worth_if_disqualified(state: State) -> int:
    """FO-7: nothing, except FO-16, FO-19, FO-24."""
    if state.card == CHEST:
        return objects_worth(
            state,
            on_chest(state, SWORD),
            on_chest(state, MONKEY),
            on_chest(state, PARROT),
            on_chest(state, GOLD),
            on_chest(state, DIAMOND),
        )
    needed = swords_needed(state)
    if needed:
        return -state.sea_bonus[needed - 2]
    if state.card == TRUCE and not state.truce_free_on_bust:
        return -TRUCE_LOSS * state.count[SWORD]
    return 0


def face_at(state: State, place: int) -> int:
    """The face of one die."""
    shown = SKULL
    for face in range(SWORD, N_FACES):
        shown += face * (state.places[face] >> place & 1)
    return shown


def on_chest(state: State, face: int) -> int:
    """FO-16: dice of this face that were not part of the last roll."""
    n = 0
    for i in range(N_DICE):
        n += (state.places[face] & ~state.rolled) >> i & 1
    return n


def must_use_spell(state: State) -> bool:
    """FO-18: three skulls, and the Sorceress may still avert it."""
    return skulls(state) == 3 and state.card == SORCERESS and not state.spell and not state.island


def worth_now(state: State) -> int:
    """What the player would get by stopping now (0 on the Island)."""
    if state.island:
        return 0
    return worth_if_disqualified(state) if skulls(state) >= 3 else worth_if_stopped(state)


def island_loss(state: State) -> int:
    """FO-15, FO-17: what each opponent loses when the turn ends now; 0 off the Island."""
    if not state.island:
        return 0
    return ISLAND_LOSS * skulls(state) * (2 if state.card == CAPTAIN else 1)


# Decisions ---------------------------------------------------------------------------------------
def legal_actions(state: State, out: Buffer) -> int:
    """FO-6, FO-14, FO-18: write the legal actions into `out`, ascending; return how many there are."""
    if state.phase != DECIDE:
        return 0
    out[0] = STOP
    n = 1
    count = state.count
    free = encode(count[SWORD], count[MONKEY], count[PARROT], count[GOLD], count[DIAMOND], 0)
    if state.island:  # FO-14: all that are not skulls
        out[1] = free
        return 2
    if skulls(state) < 3:
        for i in range(FIRST[free], FIRST[free + 1]):
            out[n] = PARTS[i]
            n += 1
        if state.must_keep_one and SIZE[free] == N_DICE:  # the last one is to roll all
            n -= 1
    if state.card == SORCERESS and not state.spell and count[SKULL]:
        fewest = 0 if state.sorceress_alone else 1
        most = N_DICE - 2 if state.must_keep_one else N_DICE - 1
        for i in range(SMALL_FIRST[free], SMALL_FIRST[free + 1]):
            if fewest <= SIZE[SMALL_PARTS[i]] <= most:
                out[n] = N_SETS + SMALL_PARTS[i]
                n += 1
    return n


def random_action(state: State, rng: Buffer, out: Buffer) -> int:
    """out[random_below(rng, legal_actions(state, out))], most often without writing them all down."""
    count = state.count
    if state.island or state.must_keep_one or state.card == SORCERESS or skulls(state) >= 3:
        return out[random_below(rng, legal_actions(state, out))]
    free = encode(count[SWORD], count[MONKEY], count[PARROT], count[GOLD], count[DIAMOND], 0)
    i = random_below(rng, FIRST[free + 1] - FIRST[free] + 1)
    return PARTS[FIRST[free] + i - 1] if i else STOP


def apply(state: State, action: int) -> None:
    """Apply a legal decision, or an outcome of chance, in place."""
    fate = NONE
    if state.phase == DECIDE:
        if action == STOP:
            fate = _fate_of_stopping(state)
        else:
            _pick_up(state, action)
    elif state.phase == ROLL:
        _land(state, action)
        fate = _fate_after_roll(state)
    elif state.phase == DRAW_CARD:
        _turn_card(state, action)
    else:
        state.player = action  # FO-3
        state.phase = DRAW_CARD
    if fate != NONE:
        _end_turn(state, fate)


def _fate_of_stopping(state: State) -> int:
    if state.island:
        return ISLAND
    return DISQUALIFIED if skulls(state) >= 3 else STOPPED


def _pick_up(state: State, action: int) -> None:
    """FO-6: the chosen dice leave the table; of equal dice those in the first places."""
    wanted = SETS[action]
    if wanted & 15:
        state.spell = 1  # FO-18
    rolled = 0
    for face in range(N_FACES):
        n = wanted >> 4 * face & 15
        state.count[face] -= n
        rolled |= LOWEST[state.places[face] << 4 | n]
    state.rolled = rolled
    state.phase = ROLL


def dice_in_air(state: State) -> int:
    n = N_DICE
    for face in range(N_FACES):
        n -= state.count[face]
    return n


def _land(state: State, outcome: int) -> None:
    """The dice in the air land: `outcome` has 4 bits for each face, how many show it."""
    rolled = state.rolled
    landed = 0  # so many, with this face and those before it,
    taken = 0  # in these places: they fill in the order of faces
    for face in range(N_FACES):
        n = outcome >> 4 * face & 15
        state.count[face] += n
        landed += n
        places = LOWEST[rolled << 4 | landed]
        state.places[face] = state.places[face] & ~rolled | places & ~taken
        taken = places
    state.rolls += 1
    state.phase = DECIDE


def _fate_after_roll(state: State) -> int:
    """FO-7, FO-13, FO-14, FO-18, FO-23: how the turn ends with this roll, or NONE; or it goes to the Island."""
    total = skulls(state)
    if state.rolls == 1 and total >= 4 and not swords_needed(state):  # FO-13
        state.island = 1
    elif state.island:
        if not _added_skull(state):  # FO-14
            return ISLAND
    elif total >= 3 and not must_use_spell(state):
        return DISQUALIFIED
    if state.island and N_DICE - state.count[SKULL] < 2:
        return ISLAND
    if state.card == STORM and state.rolls == 2:
        return ISLAND if state.island else STORM_OVER
    return NONE


def _added_skull(state: State) -> bool:
    return state.places[SKULL] & state.rolled != 0


# Turns and the end -------------------------------------------------------------------------------
def _turn_card(state: State, kind: int) -> None:
    """FO-4, FO-5: the card is turned and all eight dice are thrown."""
    if state.reshuffle and state.turned == state.deck_size:
        state.turned = 0
        for k in range(N_CARDS):
            state.unseen[k] = state.deck[k]
    if state.turned < state.deck_size:
        state.pile[state.turned] = kind
        state.unseen[kind] -= 1
    state.turned += 1
    state.card = kind
    state.roller = state.player
    for face in range(N_FACES):
        state.count[face] = 0
    state.rolled = (1 << N_DICE) - 1
    state.rolls = 0
    state.spell = 0
    state.island = 0
    state.fate = NONE
    state.worth = 0
    state.loss = 0
    state.phase = ROLL


def _end_turn(state: State, fate: int) -> None:
    """FO-7, FO-8, FO-15, FO-25, FO-26, FO-28: settle the turn and pass on."""
    player = state.player
    state.fate = fate
    if fate == ISLAND:
        state.loss = island_loss(state)
    elif fate == DISQUALIFIED:
        state.worth = worth_if_disqualified(state)
    else:
        state.worth = worth_if_stopped(state)
    for seat in range(state.players):
        _add(state, seat, state.worth if seat == player else -state.loss)
    state.turns += 1
    state.player = (player + 1) % state.players
    state.phase = DRAW_CARD
    if state.final_left:
        state.final_left -= 1
        if not state.final_left:
            if beyond(state, _highest(state)):  # FO-26
                state.phase = OVER
            state.finisher = NOBODY
    elif beyond(state, state.scores[player]):  # FO-25
        state.finisher = player
        state.final_left = state.players - 1
    if state.round_limit and state.turns >= state.round_limit * state.players and not state.final_left:  # FO-28
        state.phase = OVER


def _add(state: State, seat: int, points: int) -> None:
    state.scores[seat] += points
    if state.floor_at_zero and state.scores[seat] < 0:  # FO-12
        state.scores[seat] = 0


def beyond(state: State, total: int) -> bool:
    """FO-25: past the finish line."""
    return total >= state.target if state.at_least else total > state.target


def _highest(state: State) -> int:
    best = state.scores[0]
    for seat in range(1, state.players):
        best = max(best, state.scores[seat])
    return best


# Chance ------------------------------------------------------------------------------------------
def next_card(state: State) -> int:
    """FO-4: the card to be turned next, once the whole cycle has been seen; until then NOBODY."""
    if state.reshuffle or state.turned < state.deck_size:
        return NOBODY
    return state.pile[state.turned % state.deck_size]


def chance_outcomes(state: State, out: Buffer, weights: Buffer) -> int:
    """All outcomes with integer weights: a seat, a kind of card, or packed counts of the faces rolled."""
    n = 0
    if state.phase == DRAW_SEAT:  # FO-3
        for seat in range(state.players):
            out[n] = seat
            weights[n] = 1
            n += 1
    elif state.phase == DRAW_CARD:
        known = next_card(state)
        if known != NOBODY:
            out[0] = known
            weights[0] = 1
            return 1
        fresh = state.turned == state.deck_size
        for kind in range(N_CARDS):
            left = state.deck[kind] if fresh else state.unseen[kind]
            if left:
                out[n] = kind
                weights[n] = left
                n += 1
    elif state.phase == ROLL:
        first = FIRST_ROLL[dice_in_air(state)]
        n = FIRST_ROLL[dice_in_air(state) + 1] - first
        for i in range(n):
            out[i] = ROLLS[first + i]
            weights[i] = WAYS[first + i]
    return n


def sample_chance(state: State, rng: Buffer) -> int:
    """One outcome, drawn with its probability."""
    if state.phase == ROLL:
        return roll(dice_in_air(state), rng)
    if state.phase == DRAW_SEAT:
        return random_below(rng, state.players)
    if state.turned < state.deck_size:
        return choose_weighted(rng, state.unseen, N_CARDS)
    if state.reshuffle:
        return choose_weighted(rng, state.deck, N_CARDS)
    return next_card(state)


# The end, and what is seen -----------------------------------------------------------------------
def scores(state: State, out: Buffer) -> None:
    """The totals by seat."""
    for seat in range(state.players):
        out[seat] = state.scores[seat]


def returns(state: State, out: Any) -> None:
    """FO-26, FO-27: 1 shared by those with the highest total, 0 to the others; all 0 before the end."""
    best = _highest(state)
    winners = 0
    for seat in range(state.players):
        if state.scores[seat] == best:
            winners += 1
    for seat in range(state.players):
        out[seat] = 1.0 / winners if state.phase == OVER and state.scores[seat] == best else 0.0


def observation(state: State, player: int, out: Buffer) -> int:
    """What the seat sees, itself first: 16 numbers of turn and game, totals, cards left, card, dice, next card."""
    out[0] = state.players
    out[1] = state.phase
    out[2] = (state.player - player) % state.players
    out[3] = state.turns
    out[4] = state.final_left
    out[5] = state.target
    out[6] = state.at_least
    out[7] = state.turned
    out[8] = state.rolls
    out[9] = state.spell
    out[10] = state.island
    out[11] = state.rolled
    out[12] = state.fate
    out[13] = state.worth
    out[14] = state.loss
    out[15] = state.round_limit
    n = 16
    for i in range(SEATS):
        out[n] = state.scores[(player + i) % state.players] if i < state.players else 0
        n += 1
    for kind in range(N_CARDS):
        out[n] = state.unseen[kind]
        n += 1
    for kind in range(N_CARDS):
        out[n] = 1 if kind == state.card else 0
        n += 1
    for face in range(N_FACES):
        out[n] = state.count[face]
        n += 1
    for i in range(N_DICE):
        out[n] = face_at(state, i)
        n += 1
    out[n] = next_card(state)
    return n + 1


def observed_action(state: State, action: int, player: int) -> int:
    """Everybody sees everything."""
    return action


def resample(state: State, player: int, rng: Buffer) -> None:
    """Nothing is hidden: the order of the pile is not drawn before it is turned."""
