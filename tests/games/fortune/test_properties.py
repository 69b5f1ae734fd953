"""Fortune against brute force and against a second, straightforward reading of the rules."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from parlour.core.contract import CHANCE, TERMINAL
from parlour.core.rng import RNG_SIZE, random_below, seed_rng
from parlour.core.struct import copy
from parlour.games import find
from parlour.games.fortune import rules as r
from tests.games.fortune.plain import plain_bust, plain_stop
from tests.games.fortune.table import lay

FORTUNE = find("fortune")

faces = st.lists(st.integers(0, r.N_FACES - 1), min_size=r.N_DICE, max_size=r.N_DICE)
cards = st.sampled_from(range(r.N_CARDS))
options = st.fixed_dictionaries({option.name: st.sampled_from(option.values) for option in FORTUNE.facts.options})


def lying(dice: list[int], card: int, chosen: dict[str, str] | None = None, rolled: int = 255, rolls: int = 1) -> Any:
    """A decision with these dice on the table, whether or not the turn could have come to it."""
    state = FORTUNE.start(2, FORTUNE.edition(), FORTUNE.options(chosen))
    state.phase = r.DECIDE
    state.card = card
    lay(state, dice)
    state.rolled = rolled
    state.rolls = rolls
    return state


# Moves -------------------------------------------------------------------------------------------
def test_fo_06_every_number_is_one_vector_of_dice_and_back() -> None:
    seen = set()
    for action in range(r.N_ACTIONS):
        out = [0] * r.N_FACES
        n = r.decode(action, out)
        assert n == sum(out)
        assert r.encode(*out[1:], out[0]) == action
        seen.add(tuple(out))
    wanted = {v for v in product(range(9), repeat=5) if sum(v) <= 8}
    assert seen == {(skull, *vector) for vector in wanted for skull in (0, 1)}


@given(faces, cards, st.booleans(), options)
def test_fo_06_fo_18_legal_actions_are_what_brute_force_over_the_dice_finds(
    dice: list[int], card: int, spent: bool, chosen: dict[str, str]
) -> None:
    state = lying(dice, card, chosen)
    state.spell = spent
    total = r.skulls(state)
    spell = card == r.SORCERESS and not spent
    wanted = {r.STOP}
    for subset in product((False, True), repeat=8):
        rolled = [face for face, take in zip(dice, subset, strict=True) if take]
        skulls = rolled.count(r.SKULL)
        few = len(rolled) < (1 if skulls and chosen["sorceress_alone"] == "true" else 2)
        all_eight = len(rolled) == 8 and chosen["must_keep_one"] == "true"
        if few or all_eight or skulls > 1 or (skulls and not spell) or (total >= 3 and not skulls):
            continue
        count = Counter(rolled)
        wanted.add(r.encode(*(count[face] for face in range(1, 6)), skulls))
    out = [0] * r.MAX_LEGAL
    n = r.legal_actions(state, out)
    assert n <= r.MAX_LEGAL
    assert out[:n] == sorted(wanted)
    texts = [FORTUNE.text.format_action(state, action) for action in out[:n]]
    assert len(set(texts)) == n
    assert [FORTUNE.text.parse_action(state, text) for text in texts] == out[:n]


@given(faces, st.data())
def test_fo_06_equal_dice_may_be_named_in_any_way(dice: list[int], data: st.DataObject) -> None:
    state = lying(dice, r.CAPTAIN)
    places = [place for place, face in enumerate(dice, 1) if face != r.SKULL]
    chosen = data.draw(st.lists(st.sampled_from(places), unique=True, min_size=1)) if places else []
    if chosen:
        action = FORTUNE.text.parse_action(state, "Roll " + ", ".join(map(str, chosen)))
        rolled = [0] * r.N_FACES
        r.decode(action, rolled)
        assert rolled == [sum(dice[place - 1] == face for place in chosen) for face in range(r.N_FACES)]


# Worth -------------------------------------------------------------------------------------------
@given(faces, cards, options)
def test_fo_08_fo_09_worth_of_stopping_agrees_with_a_second_reading(
    dice: list[int], card: int, chosen: dict[str, str]
) -> None:
    state = lying(dice, card, chosen)
    assert r.worth_if_stopped(state) == plain_stop([r.FACES[face] for face in dice], r.CARDS[card], chosen)


@given(faces, cards, options, st.integers(0, 255))
def test_fo_07_fo_16_worth_of_a_disqualification_agrees_with_a_second_reading(
    dice: list[int], card: int, chosen: dict[str, str], rolled: int
) -> None:
    state = lying(dice, card, chosen, rolled, rolls=2)
    names = [r.FACES[face] for face in dice]
    kept = [name for place, name in enumerate(names) if not rolled >> place & 1]
    assert r.worth_if_disqualified(state) == plain_bust(names, kept, r.CARDS[card], chosen)


@given(faces, cards)
def test_scoring_keeps_its_bounds(dice: list[int], card: int) -> None:
    state = lying(dice, card)
    worth = r.worth_if_stopped(state)
    assert -8000 <= worth <= 10600  # truce with eight swords; captain with eight coins
    assert worth % 100 == 0
    order = sorted(dice)
    assert worth == r.worth_if_stopped(lying(order, card))  # places do not matter


@given(faces, st.integers(0, 7), st.sampled_from([r.CARD_GOLD, r.CARD_DIAMOND, r.CAPTAIN, r.SORCERESS, r.CHEST]))
def test_fo_10_one_more_coin_is_never_worth_less(dice: list[int], place: int, card: int) -> None:
    better = [*dice[:place], r.GOLD, *dice[place + 1 :]]
    if dice[place] == r.SKULL:
        assert r.worth_if_stopped(lying(better, card)) > r.worth_if_stopped(lying(dice, card))


# Play ----------------------------------------------------------------------------------------------
@given(st.integers(0, 2**32), st.integers(2, 4), options, st.sampled_from(sorted(FORTUNE.editions)))
def test_a_random_game_keeps_its_accounts(seed: int, players: int, chosen: dict[str, str], edition: str) -> None:
    state = FORTUNE.start(players, FORTUNE.edition(edition), FORTUNE.options(chosen))
    rng = [0] * RNG_SIZE
    seed_rng(rng, seed, 0)
    out = [0] * r.MAX_LEGAL
    for _ in range(300):
        player = r.current_player(state)
        if player == TERMINAL:
            break
        before = copy(state)
        if player == CHANCE:
            assert r.legal_actions(state, out) == 0
            action = r.sample_chance(state, rng)
        else:
            n = r.legal_actions(state, out)
            action = out[rng[0] % n]
        r.apply(state, action)
        if state.phase != r.ROLL:
            assert sum(state.count) in (0, 8)
        if state.card >= 0 and state.phase in (r.DECIDE, r.OVER, r.DRAW_CARD):
            assert Counter(state.dice) == Counter({f: n for f, n in enumerate(state.count) if n})
        assert sum(state.unseen) + min(state.turned, state.deck_size) == 35
        if state.turns > before.turns:
            changes = [after - was for after, was in zip(state.scores, before.scores, strict=True)]
            for seat in range(players):
                expected = state.worth if seat == before.player else -state.loss
                if not state.floor_at_zero:
                    assert changes[seat] == expected
                else:
                    assert state.scores[seat] == max(0, before.scores[seat] + expected)
        else:
            assert state.scores == before.scores


@given(faces, cards, st.booleans(), options, st.integers(0, 1 << 30))
def test_fo_06_a_random_action_is_the_one_that_the_list_would_give(
    dice: list[int], card: int, on_island: bool, chosen: dict[str, str], seed: int
) -> None:
    state = lying(dice, card, chosen)
    state.island = int(on_island)
    first, second = [0] * RNG_SIZE, [0] * RNG_SIZE
    seed_rng(first, seed, 0)
    seed_rng(second, seed, 0)
    out = [0] * r.MAX_LEGAL
    n = r.legal_actions(state, out)
    assert r.random_action(state, first, [0] * r.MAX_LEGAL) == out[random_below(second, n)]
    assert first == second
