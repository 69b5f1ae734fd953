"""A position of Fortune from a description: a possible one is set up as the rules have it, others are refused."""

from __future__ import annotations

import random
from typing import Any

import pytest

from parlour.core.errors import BadSetup, UnknownName
from parlour.core.rng import RNG_SIZE, seed_rng
from parlour.core.struct import copy
from parlour.games import find
from parlour.games.fortune import rules as r
from parlour.games.fortune.study.positions import Turn, position

FORTUNE = find("fortune")
DICE = ["gold"] * 4 + ["monkey"] * 4


def final_round(*scores: int, final: int | None = None, **options: str) -> tuple[int, int]:
    """Return the seat that started the final round, and how many turns are left."""
    match = position(FORTUNE, Turn("captain", DICE), scores=scores, final=final, options=options)
    return match.state.finisher, match.state.final_left


def test_what_is_no_position_is_refused() -> None:
    with pytest.raises(UnknownName, match="There is no card 'king'"):
        position(FORTUNE, Turn("king", ["gold"] * 8))
    with pytest.raises(UnknownName, match="No die shows 'crown'"):
        position(FORTUNE, Turn("gold", ["crown"] * 8))
    with pytest.raises(BadSetup, match="Eight dice"):
        position(FORTUNE, Turn("gold", ["gold"] * 7))
    with pytest.raises(BadSetup, match="the turn is over"):
        position(FORTUNE, Turn("gold", ["skull"] * 3 + ["gold"] * 5))
    with pytest.raises(BadSetup, match="Totals are hundreds"):
        position(FORTUNE, Turn("gold", DICE), scores=(50, 0))
    with pytest.raises(BadSetup, match="counted from 1"):
        position(FORTUNE, Turn("gold", DICE, rolls=0))


def test_fo_13_fo_14_after_seven_skulls_at_the_first_roll_nothing_is_to_be_decided() -> None:
    for skulls in (7, 8):
        with pytest.raises(BadSetup, match="the turn is over"):
            position(FORTUNE, Turn("gold", ["skull"] * skulls + ["gold"] * (8 - skulls)))
    assert position(FORTUNE, Turn("gold", ["skull"] * 6 + ["gold"] * 2)).state.island


@pytest.mark.parametrize("card", ["storm", "truce"])
def test_fo_02_a_card_that_the_edition_lacks_is_refused_by_name(card: str) -> None:
    with pytest.raises(UnknownName, match=f"classic-35 has no card '{card}'") as refused:
        position(FORTUNE, Turn(card, DICE), edition="classic-35")
    assert card not in refused.value.allowed
    assert "captain" in refused.value.allowed
    assert position(FORTUNE, Turn(card, DICE), edition="shafir-35").state.card == r.CARDS.index(card)


def test_fo_18_only_the_sorceress_helps_and_at_a_re_roll() -> None:
    with pytest.raises(BadSetup, match="'captain' gives no help: only the Sorceress"):
        position(FORTUNE, Turn("captain", DICE, helped=True, rolls=2))
    with pytest.raises(BadSetup, match="helps at a re-roll"):
        position(FORTUNE, Turn("sorceress", DICE, helped=True, rolls=1))
    state = position(FORTUNE, Turn("sorceress", ["skull", *DICE[1:]], helped=True)).state
    assert (state.spell, state.rolls) == (1, 2)
    assert position(FORTUNE, Turn("sorceress", DICE)).state.rolls == 1


def test_fo_25_for_two_a_total_beyond_the_line_is_the_final_round() -> None:
    assert final_round(7900, 8300) == final_round(7900, 8300, final=1) == (1, 1)
    assert final_round(8000, 8000) == (r.NOBODY, 0)
    assert final_round(5900, 6000, finish="at_least", target="6000") == (1, 1)
    assert final_round(6000, 6000, target="6000") == (r.NOBODY, 0)


def test_fo_25_for_more_it_is_asked_who_started_it() -> None:
    with pytest.raises(BadSetup, match=r"Seat 3 is across the line \(8,000\).*it: seat 3\."):
        final_round(0, 7000, 8300)
    with pytest.raises(BadSetup, match=r"it: seat 2 or 4\."):
        final_round(0, 6600, 7000, 8300)  # seat 3 may have thrown seat 2 back
    assert final_round(0, 7000, 8300, final=2) == (2, 2)
    assert final_round(0, 8300, 8400, final=1) == (1, 1)
    assert final_round(0, 7000, 7000) == (r.NOBODY, 0)


def test_fo_15_fo_25_who_started_it_may_have_been_thrown_back_since() -> None:
    """By 1,600 at the most: eight skulls with the Captain."""
    assert final_round(0, 6500, 3000, final=1) == (1, 1)
    assert final_round(0, 4900, 3000, 3000, final=1) == (1, 1)
    for scores in ((0, 6400, 3000), (0, 7900, 8100), (0, 6400, 3000, 8100)):
        with pytest.raises(BadSetup, match=r"lost on the Island since|that is not across"):
            final_round(*scores, final=1)


@pytest.mark.parametrize(
    ("scores", "final", "why"),
    [
        ((8100, 0), None, "A player cannot begin a turn with 8,100"),
        ((8100, 8200), None, "A player cannot begin a turn with 8,100"),
        ((0, 18_700), None, "A total cannot be 18,700"),
        ((0, 7000), 1, "not across the line"),
        ((0, 8100), 0, "started by another player: seat 2, not 1"),
        ((0, 8100), 2, "started by another player: seat 2, not 3"),
        ((0, 8100, 8100), 2, "Seat 2 has 8,100, across the line .8,000., before its last turn"),
    ],
)
def test_fo_25_what_no_game_comes_to_is_refused(scores: tuple[int, ...], final: int | None, why: str) -> None:
    with pytest.raises(BadSetup, match=why):
        final_round(*scores, final=final)


def test_fo_12_totals_below_zero_are_refused_where_there_are_none() -> None:
    assert final_round(-300, 0) == (r.NOBODY, 0)
    with pytest.raises(BadSetup, match="A total cannot be -300: totals never go below zero"):
        final_round(-300, 0, floor_at_zero="true")


def decisions(players: int, number: int) -> list[Any]:
    """First decisions of turns near the line, in games of cards that bring much, or take it from the others."""
    chance, rng, found = random.Random(players), [0] * RNG_SIZE, []
    out = [0] * r.MAX_LEGAL
    seed_rng(rng, 1, players)
    while len(found) < number:
        state = FORTUNE.start(players, FORTUNE.edition(), FORTUNE.options())
        r.apply(state, chance.randrange(players))
        state.scores[:players] = [100 * chance.randint(72, 80) for _ in range(players)]
        for _ in range(40):
            if state.phase == r.DECIDE:
                if state.rolls == 1:
                    found.append(copy(state))
                n = r.legal_actions(state, out)
                r.apply(state, out[0] if n == 1 or (chance.random() < 0.7 and not state.island) else out[n - 1])
            elif state.phase == r.DRAW_CARD:
                left = [card for card in (r.CAPTAIN, r.SKULLS_2, r.CARD_GOLD, r.SKULLS_1) if state.unseen[card]]
                r.apply(state, chance.choice(left) if left else r.sample_chance(state, rng))
            elif state.phase == r.ROLL:
                r.apply(state, r.sample_chance(state, rng))
    return found


@pytest.mark.parametrize("players", [2, 3, 4])
def test_fo_25_fo_26_every_position_that_play_comes_to_is_taken_as_it_is(players: int) -> None:
    """Among them some in which the player who started the final round has been thrown back."""
    tried: dict[str, int] = {"final": 0, "thrown back": 0, "no final round": 0}
    for state in decisions(players, 150 if players == 2 else 400):
        me = state.player
        scores = [state.scores[(me + k) % players] for k in range(players)]
        final = (state.finisher - me) % players if state.final_left else None
        dice = [r.FACES[face] for face in state.dice]
        beyond = [r.beyond(state, score) for score in scores]
        made = position(
            FORTUNE, Turn(r.CARDS[state.card], dice), scores=scores, final=None if players == 2 else final
        ).state  # fmt: skip
        assert (made.finisher, made.final_left) == (r.NOBODY if final is None else final, state.final_left)
        assert (made.count, made.island, made.rolls) == (state.count, state.island, state.rolls)
        tried["no final round" if final is None else "final"] += 1
        tried["thrown back"] += final is not None and not beyond[final]
        if players > 2 and any(beyond):
            with pytest.raises(BadSetup, match=rf"Say with --final who started it: .*\b{final + 1}\b"):
                position(FORTUNE, Turn(r.CARDS[state.card], dice), scores=scores)
    assert tried["final"] > 20
    assert tried["no final round"] > 20
    assert (tried["thrown back"] > 0) == (players > 2)
