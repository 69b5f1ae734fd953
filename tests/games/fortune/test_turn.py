"""The turn: FO-1 to FO-8."""

from __future__ import annotations

from itertools import product

import pytest

from parlour.core.errors import IllegalMove, InvalidMove, NotYourTurn
from parlour.core.rng import random_below
from parlour.games import find
from parlour.games.fortune import rules as r
from tests.games.fortune.table import NOTHING, Table, score

FORTUNE = find("fortune")


def test_fo_01_eight_dice_with_six_faces_each() -> None:
    table = Table()
    table.match.force("card captain")
    assert r.dice_in_air(table.state) == 8
    outcomes, weights = table.match.chance_outcomes()
    texts = {FORTUNE.text.format_outcome(table.state, outcome) for outcome in outcomes}
    assert {
        f"dice {' '.join([face] * 8)}" for face in ("skull", "sword", "gold", "diamond", "monkey", "parrot")
    } <= texts
    assert sum(weights) == 6**8
    assert all(weights[outcomes.index(8 << 4 * face)] == 1 for face in range(6))


@pytest.mark.parametrize(("edition", "plain", "rare"), [("shafir-35", 3, 3), ("classic-35", 4, 0)])
def test_fo_02_what_the_pile_is_made_of(edition: str, plain: int, rare: int) -> None:
    deck = Table(edition=edition).state.deck
    plain_kinds = (r.CARD_GOLD, r.CARD_DIAMOND, r.SORCERESS, r.CAPTAIN, r.CHEST, r.MONKEY_BUSINESS)
    assert [deck[kind] for kind in plain_kinds] == [plain] * 6
    assert [deck[r.STORM], deck[r.TRUCE]] == [rare] * 2
    assert [deck[r.SKULLS_1], deck[r.SKULLS_2]] == [3, 2]
    assert [deck[r.SEA_2], deck[r.SEA_3], deck[r.SEA_4]] == [2, 2, 2]
    assert sum(deck) == 35


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"deck": [], "sea_battle_bonus": [1, 2, 3]}, "numbers of these cards"),
        ({"deck": {"joker": 1}, "sea_battle_bonus": [1, 2, 3]}, "numbers of these cards"),
        ({"deck": {"gold": -1}, "sea_battle_bonus": [1, 2, 3]}, "whole number"),
        ({"deck": {"gold": True}, "sea_battle_bonus": [1, 2, 3]}, "whole number"),
        ({"deck": {}, "sea_battle_bonus": [1, 2, 3]}, "0 cards"),
        ({"deck": {"gold": 65}, "sea_battle_bonus": [1, 2, 3]}, "65 cards"),
        ({"deck": {"gold": 1}, "sea_battle_bonus": 3}, "three numbers"),
        ({"deck": {"gold": 1}, "sea_battle_bonus": [1, 2]}, "three numbers"),
        ({"deck": {"gold": 1}, "sea_battle_bonus": [1, 2, -3]}, "three numbers"),
    ],
)
def test_fo_02_an_edition_that_makes_no_sense_is_refused(parts: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        r.setup(2, parts, {option.name: 0 for option in FORTUNE.facts.options})


@pytest.mark.parametrize("players", [2, 3, 4])
def test_fo_03_chance_says_who_starts_and_turns_go_round(players: int) -> None:
    table = Table(players, starts=players)
    fresh = FORTUNE.start(players, FORTUNE.edition(), FORTUNE.options())
    out, weights = [0] * r.MAX_OUTCOMES, [0] * r.MAX_OUTCOMES
    assert r.chance_outcomes(fresh, out, weights) == players
    assert out[:players] == list(range(players))
    assert weights[:players] == [1] * players
    order = []
    for _ in range(players + 1):
        order.append(table.to_move)
        table.score("captain" if len(order) < 4 else "gold", NOTHING)
    assert order == [players, *range(1, players + 1)]


def test_fo_04_the_card_governs_its_turn_only() -> None:
    table = Table()
    assert table.score("captain", "2 gold 2 sword 2 monkey 2 parrot") == 400
    assert table.score("storm", "2 gold 2 sword 2 monkey 2 parrot") == 400
    assert table.score("gold", "2 gold 2 sword 2 monkey 2 parrot") == 400  # three coins: 100 + 300
    assert table.score("truce", NOTHING) == -2000


def whole_pile(table: Table) -> list[int]:
    """Turn all 35 cards, the kinds mixed; the order in which they came."""
    order = []
    while len(order) < 35:
        left = [kind for kind in range(r.N_CARDS) if table.state.unseen[kind]]
        kind = left[len(order) * 5 % len(left)]
        table.turn(r.CARDS[kind], "3 skull 1 gold 4 sword" if kind != r.SORCERESS else NOTHING)
        if not table.turn_over:
            table.stop()
        order.append(kind)
    return order


def test_fo_04_cycle_the_cards_come_again_in_the_same_order() -> None:
    table = Table(truce_on_bust="none")
    order = whole_pile(table)
    for kind in order + order[:3]:
        assert table.match.chance_outcomes() == ([kind], [1])
        assert r.sample_chance(table.state, [1, 2, 3, 4]) == kind
        with pytest.raises(IllegalMove):
            table.match.force(f"card {r.CARDS[(kind + 1) % r.N_CARDS]}")
        table.turn(r.CARDS[kind], NOTHING)
        if not table.turn_over:
            table.stop()


def test_fo_04_cycle_after_34_cards_the_last_is_known_and_before_that_only_what_is_left() -> None:
    table = Table(truce_on_bust="none")
    assert sum(table.match.chance_outcomes()[1]) == 35
    table.score("captain", NOTHING)
    outcomes, weights = table.match.chance_outcomes()
    assert weights[outcomes.index(r.CAPTAIN)] == 2
    assert sum(weights) == 34
    order = whole_pile(Table(truce_on_bust="none"))
    table = Table(truce_on_bust="none")
    for kind in order[:34]:
        table.turn(r.CARDS[kind], "3 skull 1 gold 4 sword" if kind != r.SORCERESS else NOTHING)
        if not table.turn_over:
            table.stop()
    assert table.match.chance_outcomes() == ([order[34]], [1])


def test_fo_04_reshuffle_all_cards_are_shuffled_when_the_pile_is_empty() -> None:
    table = Table(pile="reshuffle", truce_on_bust="none")
    whole_pile(table)
    outcomes, weights = table.match.chance_outcomes()
    assert sum(weights) == 35
    assert {outcome: weights[i] for i, outcome in enumerate(outcomes)} == dict(enumerate(table.state.deck))
    assert r.sample_chance(table.state, [1, 2, 3, 4]) in outcomes
    table.score("storm", NOTHING)
    outcomes, weights = table.match.chance_outcomes()
    assert sum(weights) == 34
    assert weights[outcomes.index(r.STORM)] == 2
    assert table.state.pile[0] == r.STORM


def test_fo_05_the_first_roll_is_all_eight_dice() -> None:
    table = Table()
    table.match.force("card gold")
    with pytest.raises(InvalidMove, match="8 dice are in the air, not 7"):
        table.land("7 gold")
    assert table.moves == []
    with pytest.raises(NotYourTurn):
        table.match.parse("stop")
    table.land("8 gold")
    assert table.state.rolled == 255
    assert table.state.rolls == 1


def test_fo_06_stop_or_roll_any_two_or_more_that_are_no_skulls() -> None:
    table = Table().turn("captain", "1 skull 1 sword 2 gold 4 parrot")
    assert "stop" in table.moves
    assert table.may_roll("1 sword 1 gold")
    assert table.may_roll("1 sword 2 gold 4 parrot")
    assert not table.may_roll("1 sword")
    assert not table.may_roll("1 skull 1 sword")
    for move, clause in (("re-roll 2", "FO-6"), ("re-roll 1 2", "FO-6")):
        with pytest.raises(IllegalMove) as refused:
            table.move(move)
        assert refused.value.clause == clause
    with pytest.raises(InvalidMove):
        table.move("re-roll 9")


def subsets(table: Table) -> set[str]:
    """Every set of dice by places, said as the rules say it; brute force."""
    found = set()
    for chosen in product((0, 1), repeat=8):
        wanted = [0] * r.N_FACES
        for place, take in enumerate(chosen):
            wanted[table.state.dice[place]] += take
        if wanted[r.SKULL] == 0 and sum(wanted) >= 2:
            action = r.encode(*wanted[1:], 0)
            found.add(FORTUNE.text.format_action(table.state, action))
    return found


@pytest.mark.parametrize(
    "dice", ["8 gold", "2 skull 6 sword", "1 skull 2 sword 2 monkey 1 parrot 1 gold 1 diamond", NOTHING]
)
def test_fo_06_every_choice_of_dice_is_one_move(dice: str) -> None:
    table = Table().turn("captain", dice)
    assert set(table.moves) == {"stop"} | subsets(table)
    assert len(table.moves) == len(set(table.moves))


def test_fo_06_dice_kept_earlier_may_be_rolled_later_even_all_eight() -> None:
    table = Table().turn("captain", "3 sword 5 gold").reroll("3 sword", into="3 parrot")
    assert table.may_roll("5 gold")
    assert table.may_roll("3 parrot 5 gold")
    table.reroll("3 parrot 5 gold", into="8 diamond")
    assert table.state.rolls == 3


def test_fo_06_must_keep_one() -> None:
    table = Table(must_keep_one="true").turn("captain", "8 gold")
    assert not table.may_roll("8 gold")
    assert table.may_roll("7 gold")
    with pytest.raises(IllegalMove, match="One die must stay") as refused:
        table.move("re-roll all")
    assert refused.value.clause == "FO-6"
    aside = Table(must_keep_one="true").turn("captain", "1 skull 7 gold")
    assert aside.may_roll("7 gold")


def test_fo_06_fo_18_must_keep_one_counts_the_skull_that_the_sorceress_frees() -> None:
    table = Table(must_keep_one="true").turn("sorceress", "1 skull 7 gold")
    assert table.may_roll("7 gold")
    assert table.may_roll("1 skull 6 gold")
    assert not table.may_roll("1 skull 7 gold")
    with pytest.raises(IllegalMove, match="One die must stay"):
        table.move("re-roll 1 2 3 4 5 6 7 8")
    free = Table().turn("sorceress", "1 skull 7 gold")
    assert free.may_roll("1 skull 7 gold")
    two = Table(must_keep_one="true").turn("sorceress", "2 skull 6 gold")
    assert two.may_roll("1 skull 6 gold")


def test_fo_06_fo_14_must_keep_one_means_nothing_on_the_island() -> None:
    table = Table(must_keep_one="true").turn("skulls-2", "2 skull 6 gold")
    assert table.moves == ["stop", "re-roll 3 4 5 6 7 8"]


def test_fo_07_three_skulls_disqualify_at_any_roll() -> None:
    table = Table().turn("gold", "3 skull 5 gold")
    assert table.turn_over
    assert table.fate == r.DISQUALIFIED
    table.turn("diamond", "2 skull 6 diamond").reroll("2 diamond", into="1 skull 1 diamond")
    assert table.fate == r.DISQUALIFIED
    table.turn("captain", "2 skull 6 diamond").reroll("3 diamond", into="3 skull")  # five, but not at the first roll
    assert table.fate == r.DISQUALIFIED
    assert table.scores == [0, 0]


def test_fo_07_fo_22_skulls_of_the_card_count() -> None:
    assert Table().turn("skulls-2", "1 skull 7 gold").fate == r.DISQUALIFIED
    assert Table().turn("skulls-1", "2 skull 6 gold").fate == r.DISQUALIFIED
    assert not Table().turn("skulls-1", "1 skull 7 gold").turn_over


def test_fo_07_the_island_is_looked_at_before_disqualification() -> None:
    table = Table().turn("gold", "4 skull 4 gold")
    assert table.state.island
    assert not table.turn_over


def test_fo_08_stopping_scores_the_dice_as_they_lie() -> None:
    table = Table().turn("captain", "3 gold 5 sword").reroll("5 sword", into="2 skull 3 monkey").stop()
    assert table.fate == r.STOPPED
    assert table.scores == [2 * (300 + 100 + 100), 0]
    assert table.to_move == 2
    assert score("captain", NOTHING) == 0


@pytest.mark.parametrize(
    ("card", "dice"), [("captain", "1 skull 1 sword 2 gold 4 parrot"), ("sorceress", "2 skull 6 gold")]
)
def test_fo_06_a_random_action_is_the_one_that_the_list_would_give(card: str, dice: str) -> None:
    table = Table().turn(card, dice)
    out = [0] * r.MAX_LEGAL
    n = r.legal_actions(table.state, out)
    first, second = [1, 2, 3, 4], [1, 2, 3, 4]
    chosen = [r.random_action(table.state, first, [0] * r.MAX_LEGAL) for _ in range(200)]
    assert chosen == [out[random_below(second, n)] for _ in range(200)]
    assert r.STOP in chosen
