"""AF-14, AF-15: what each seat can know, and that nothing else reaches it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import product
from random import Random

import pytest

from parlour.conformance import knowledge
from parlour.core.clauses import clause
from parlour.core.rng import RNG_SIZE, random_below, seed_rng
from parlour.core.scene import SPECTATOR
from parlour.core.struct import copy, flatten
from parlour.games.aces_and_faces import rules as r
from parlour.games.aces_and_faces.rules import dealing
from parlour.games.aces_and_faces.rules import pieces as c
from parlour.games.aces_and_faces.rules.hidden import doubts
from parlour.games.aces_and_faces.rules.scoring import complete
from parlour.games.aces_and_faces.rules.state import KNOWERS
from tests.games.aces_and_faces.table import NAMES, Table


def rng(seed: int = 1) -> list[int]:
    made = [0] * RNG_SIZE
    seed_rng(made, seed, 0)
    return made


def gift() -> Table:
    """Ann holds JD, KH and AS and hands one of them to Cleo, who holds KC, in private: it is KH."""
    table = Table(4).hold(1, "JD KH AS").hold(3, "KC").hold(4, "QS")
    return table.duel("KC", "2H", "AH").move("give KH")


def test_af_15_what_a_hidden_card_may_be_follows_from_public_events() -> None:
    table = gift()
    for viewer in (0, 2, 4):
        assert {card: table.may(viewer, card) for card in ("JD", "KH", "AS", "KC", "QS", "JC")} == {
            "JD": {1, 3}, "KH": {1, 3}, "AS": {1, 3}, "KC": {3}, "QS": {4}, "JC": {0},
        }  # fmt: skip
    assert table.may(1, "KH") == table.may(3, "KH") == {3}
    table.put(2, 0).card("JD")  # Bob takes the jack of diamonds, from Ann as all see
    assert table.held(2) == {"JD"}
    assert table.may(4, "JD") == {2}
    assert table.may(4, "KH") == table.may(4, "AS") == {1, 3}
    table.put(3, 0).card("AS")  # and Cleo the ace, from Ann: so what Ann gave away is the king
    assert table.may(4, "KH") == {3}
    assert table.may(0, "AS") == {3}
    assert not table.state.unsure


def test_af_15_after_a_single_gift_more_may_be_ruled_out_than_the_memory_aid_shows() -> None:
    """Ann gives one of JH, QH and AS away, then takes KH and AH: had she kept both hearts she would have won."""
    table = Table(4).hold(1, "JH QH AS").hold(3, "KC").duel("KC", "2H", "KD").move("give JH")
    table.card("joker", "joker", "joker", "KH").card("JC", "JS", "JD", "AH")
    assert table.held(1) == {"QH", "KH", "AH", "AS"}
    assert not table.match.over
    assert table.may(2, "JH") == table.may(2, "QH") == table.may(2, "AS") == {1, 3}  # what is shown
    drawn, ace = rng(), c.CARDS.index("AS")
    deals = [copy(table.state) for _ in range(50)]
    for deal in deals:
        r.resample(deal, 1, drawn)
    assert {tuple(hand >> ace & 1 for hand in deal.hands) for deal in deals} == {(1, 0, 0, 0, 0, 0)}  # what is so
    assert len({deal.hands[0] for deal in deals}) == 2
    assert "after even one card given in secret" in " ".join(clause(table.match.game, "AF-15").split())


def test_af_15_naming_a_card_shows_who_holds_it() -> None:
    table = gift().hold(2, "JC")
    table.put(2, 1).card("2D").move("clockwise", "duel KH")
    assert table.state.rival == 2
    assert table.may(0, "KH") == {3}
    assert table.may(0, "JD") == table.may(0, "AS") == {1}


def test_af_15_a_hand_that_needs_all_its_candidates_holds_them() -> None:
    table = Table(3).hold(1, "JD").hold(3, "KC").duel("KC", "2H", "AH").move("give JD")
    assert table.may(2, "JD") == {3}  # it was his only card
    assert not table.state.unsure


def test_af_13_af_15_a_card_that_would_have_won_was_not_given() -> None:
    table = Table(4).hold(1, "KH AS").hold(3, "KC KD KS").hold(4, "QS").duel("KC", "2H", "AH").move("give AS")
    for viewer in (0, 2, 4):
        assert table.may(viewer, "KH") == {1}
        assert table.may(viewer, "AS") == {3}
    assert not table.state.unsure


def test_af_14_a_new_deal_is_even_among_what_is_possible() -> None:
    table = gift()
    drawn = rng()
    found: Counter[tuple[int, ...]] = Counter()
    for _ in range(3000):
        state = copy(table.state)
        r.resample(state, 1, drawn)
        found[tuple(state.hands[:4])] += 1
        assert doubts(state, 0) == doubts(state, 2) == 0  # each sees their own hand
    assert len(found) == 3
    assert all(900 < n < 1100 for n in found.values())


def test_af_13_af_14_nobody_has_won_in_a_new_deal() -> None:
    """Ann gave Cleo, who holds two kings, two of four cards in private: they are not the other two kings."""
    table = Table(4).hold(1, "JD KH KS AS").hold(3, "KC KD").hold(4, "QS")
    table.duel("KC", "2H", "AH").move("give JD").card("joker", "joker", "joker")
    table.duel("KC", "3H", "4H").move("give AS")
    found = set()
    for seed in range(100):
        state = copy(table.state)
        r.resample(state, SPECTATOR, rng(seed))
        found.add(state.hands[2])
        assert not complete(state.hands[2])
    assert len(found) == 5  # of six pairs


def test_af_14_who_is_sure_of_all_is_dealt_nothing_new() -> None:
    table = gift()
    before = flatten(table.state)
    r.resample(table.state, 0, rng())
    assert flatten(table.state) == before


def test_af_15_the_winner_shows_his_hand() -> None:
    table = Table(4).hold(1, "KC AH").hold(2, "JH").hold(3, "KD KH KS AS").duel("AS", "2H", "3H").move("give KC")
    assert table.match.over
    for viewer in (0, 2, 4):
        assert all(table.may(viewer, card) == {3} for card in table.held(3))
        assert table.may(viewer, "AH") == {1}
    state = copy(table.state)
    r.resample(state, 1, rng())
    assert state.hands == table.state.hands


# When no random deal agrees ----------------------------------------------------------------------
def doubtful(random: Random) -> r.State:
    """Return a state with seven cards in three hands, each known to be in one or several of them, many diamonds in one;
    no player has won."""
    while True:
        state = Table(3).state
        for card in (0, 1, 2, 3, *random.sample(range(4, c.N_CARDS), 3)):
            owner = random.choice((0, 0, 0, 1, 2)) if card < 4 else random.randrange(3)
            state.hands[owner] |= 1 << card
            state.slots ^= 1 << card
            for row in range(KNOWERS):
                state.may[row][card] = 1 << owner | random.randrange(8) | (card < 4)
        if not any(complete(hand) for hand in state.hands):
            return state


def possible(state: r.State, row: int) -> tuple[set[tuple[int, ...]], int]:
    """Return all hands that agree with what this row knows, and how many are left out because a player would have
    won."""
    held = [card for card in range(c.N_CARDS) if r.holder_of(state, card) != r.NOBODY]
    sizes, found, won = [c.size(hand) for hand in state.hands], set(), 0
    for places in product(range(state.players), repeat=len(held)):
        if all(state.may[row][card] >> seat & 1 for card, seat in zip(held, places, strict=True)):
            hands = [sum(1 << k for k, s in zip(held, places, strict=True) if s == seat) for seat in range(r.SEATS)]
            if [c.size(hand) for hand in hands] == sizes:
                if any(complete(hand) for hand in hands):
                    won += 1
                else:
                    found.add(tuple(hands))
    return found, won


@pytest.mark.parametrize("tries", [0, 200])
def test_af_13_af_14_a_deal_is_made_where_none_is_found_by_chance(
    tries: int, monkeypatch: pytest.MonkeyPatch, size: Callable[[int, int], int]
) -> None:
    """Against all deals of small positions: it is one of them, and the same whichever of them is the truth."""
    monkeypatch.setattr(dealing, "TRIES", tries)
    random, won, dealt, positions = Random(7), 0, Counter[bool](), size(24, 60)
    for number in range(positions):
        state = doubtful(random)
        row = random.choice((r.PUBLIC, 0, 1))
        deals, ruled_out = possible(state, row)
        won += ruled_out
        seen = set()
        for truth in sorted(deals)[:: max(1, len(deals) // 6)]:
            state.hands[:] = truth
            other = copy(state)
            r.resample(other, SPECTATOR if row == r.PUBLIC else row, rng(number))
            assert tuple(other.hands) in deals
            seen.add(tuple(other.hands))
        assert len(seen) == 1, "what is dealt depends on what is hidden"
        for seed in range(20):
            other = copy(state)
            r.resample(other, SPECTATOR if row == r.PUBLIC else row, rng(seed))
            seen.add(tuple(other.hands))
        dealt[len(seen) > 1 or len(deals) == 1] += 1
    assert won > positions / 3
    assert dealt[True] > 5 * positions / 6


def test_a_hard_deal_is_found_by_repair() -> None:
    """Fifteen cards with two possible places each: even deals among five hands fail, exchanging does not."""
    state = Table(6).state
    for card in range(15):
        seat = card // 3
        state.hands[seat] |= 1 << card
        for row in range(KNOWERS):
            state.may[row][card] = 1 << seat | 1 << (seat + 1) % 5
    state.slots = 1 << 15
    dealt = set()
    for seed in range(12):
        other = copy(state)
        r.resample(other, SPECTATOR, rng(seed))
        for card in range(15):
            assert state.may[r.PUBLIC][card] >> r.holder_of(other, card) & 1
        assert [c.size(hand) for hand in other.hands] == [3, 3, 3, 3, 3, 0]
        dealt.add(tuple(other.hands))
    assert len(dealt) > 6


def test_af_14_a_position_that_contradicts_itself_keeps_its_hands() -> None:
    state = Table(2).hold(1, "JD QD").hold(2, "KD").state
    state.may[r.PUBLIC][0] = 0b1001000
    state.may[r.PUBLIC][1] = 0b1001000
    hands = list(state.hands)
    r.resample(state, SPECTATOR, rng())
    assert list(state.hands) == hands


@pytest.mark.parametrize("nodes", [1, 400])
def test_af_13_a_deal_in_which_somebody_has_won_is_made_only_if_there_is_no_other(
    nodes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ann holds three kings, and either Bob or Cleo the queen of spades; the fourth king must be hers."""
    monkeypatch.setattr(dealing, "NODES", nodes)
    state = Table(3).hold(1, "KD KC KH KS").hold(2, "QS").hold(3, "JS").state
    for card, places in (("KS", 0b001), ("QS", 0b110), ("JS", 0b110)):
        state.may[r.PUBLIC][c.CARDS.index(card)] = places
    found = set()
    for seed in range(20):
        other = copy(state)
        r.resample(other, SPECTATOR, rng(seed))
        found.add(tuple(other.hands[:3]))
    assert len(found) == 2
    assert {hands[0] for hands in found} == {c.LINES[2]}


@pytest.mark.parametrize("players", [3, 6])
def test_af_14_nothing_hidden_leaks_after_gifts(players: int) -> None:
    """Games of many duels, played at random: every byte to each viewer stays the same in every new deal."""
    table = Table(players, memory_aid="on" if players == 3 else "off")
    drawn = rng(players)
    for seat, held in zip(range(1, players + 1), ("JD QC KH", "QD KS", "AH JS", "AD", "QH", "KC"), strict=False):
        table.hold(seat, held)
    gifts = 0
    for _ in range(400):
        state = table.state
        if table.match.over or gifts > 5:
            break
        if table.match.current_player < 0:
            step = table.match.step(r.sample_chance(state, drawn))
        else:
            legal = table.match.legal_action_ids()
            gifts += state.phase == r.GIVE
            step = table.match.step(legal[-1 - random_below(drawn, min(3, len(legal)))])
        if step.after.unsure:
            for viewer in (SPECTATOR, *range(players)):
                knowledge.check_resample(table.match, viewer, drawn)
                knowledge.check_no_leak(table.match.game, step, viewer, NAMES[:players], drawn)
    assert gifts


def test_af_15_the_observation_turns_to_its_own_seat() -> None:
    table = gift()
    out = [0] * r.OBSERVATION_SIZE
    assert r.observation(table.state, 3, out) == r.OBSERVATION_SIZE
    sizes = out[13 + r.SEATS : 13 + 2 * r.SEATS]
    assert sizes == [1, 2, 0, 2, 0, 0]  # Dora's own first
    places = dict(zip(c.CARDS, out[13 + 2 * r.SEATS :], strict=False))
    assert places["QS"] == 0b1
    assert places["KH"] == 0b1010
    assert places["JC"] == 1 << r.SLOT
