"""FT-26: what each seat sees, what it cannot know, and that no one notices a secret question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import comb

import msgspec
import pytest

from parlour.conformance import knowledge
from parlour.conformance.cases import random_steps
from parlour.core.contract import HIDDEN, UNSEEN, Step
from parlour.core.errors import NotYourTurn
from parlour.core.match import Match
from parlour.core.rng import RNG_SIZE, seed_rng
from parlour.core.scene import SPECTATOR
from parlour.core.struct import copy, flatten
from parlour.games.family_trade import rules as r
from parlour.games.family_trade.rules import GOODS
from parlour.games.family_trade.rules.hidden import out_of_sight
from tests.games.family_trade.table import FAMILY_TRADE, GOD, HONOUR, MM, ROYALE, Table

GOLD_WANTED = "3 diamond 3 oil 2 gold"
SCENES = FAMILY_TRADE.scenes


def seen(state: r.State, viewer: int, names: tuple[str, ...] = ("Ann", "Ben", "Cho", "Dan")) -> bytes:
    return msgspec.json.encode(SCENES.scene(state, viewer, names[: state.players]))


def rng_of(seed: int) -> list[int]:
    rng = [0] * RNG_SIZE
    seed_rng(rng, seed, 0)
    return rng


def games(ruleset: str, players: int, seed: int, most: int = 600, **options: str) -> Iterator[tuple[Match, Step]]:
    match = Match(FAMILY_TRADE, players, options={"ruleset": ruleset, **options}, seed=seed, auto=False)
    for step in random_steps(match, seed, most):
        yield match, step


# What lies open ----------------------------------------------------------------------------------
def test_ft_10_ft_26_what_an_announced_player_draws_and_discards_is_known_to_have_been_in_the_deck() -> None:
    parts = [part.name for part in FAMILY_TRADE.facts.observed for _ in range(part.size)]
    deck = parts.index("of kind 5 in the deck when shuffled")
    out = [0] * r.OBSERVATION_SIZE
    counts = []
    table = Table(GOLD_WANTED).turn("crypto")  # seat 1 is one to go
    for card in ("shrimp", "shrimp"):  # of seat 2, who may have held it; of seat 1, who can only have drawn it
        table.turn(card)
        r.observation(table.state, 1, out)
        counts.append(out[deck])
    assert counts == [12, 11]


# The secret question -----------------------------------------------------------------------------
@pytest.mark.parametrize("viewer", [SPECTATOR, 1, 2])
def test_ft_26_to_the_others_a_claim_looks_exactly_as_if_nobody_could_claim(viewer: int) -> None:
    asked = Table(GOLD_WANTED, players=3).turn("shrimp").turn("gold")
    nobody = Table("3 diamond 3 oil 2 shares", players=3).turn("shrimp").turn("gold")
    assert (asked.to_move, nobody.to_move) == (1, 0)
    assert seen(asked.state, viewer) == seen(nobody.state, viewer)
    scene = SCENES.scene(asked.state, viewer, asked.match.names)
    assert scene.to_move == 2
    assert asked.match.names[2] in scene.prompt or viewer == 2
    mine = SCENES.scene(asked.state, 0, asked.match.names)
    assert mine.to_move == 0
    assert {button.action for button in mine.buttons} == {"take", "let it lie"}
    first, second = [0] * r.OBSERVATION_SIZE, [0] * r.OBSERVATION_SIZE
    r.observation(asked.state, viewer, first)
    r.observation(nobody.state, viewer, second)
    assert first == second


@pytest.mark.parametrize("seat", [1, 2])
def test_ft_26_a_refused_move_does_not_tell_that_somebody_is_asked(seat: int) -> None:
    said = []
    for wanted in ("gold", "shares"):
        table = Table(f"3 diamond 3 oil 2 {wanted}", players=3).turn("shrimp").turn("gold")
        with pytest.raises(NotYourTurn) as refused:
            table.match.parse("discard oil", seat)
        said.append(str(refused.value))
    waits_for = {1: "Player 3", 2: "the dice and cards"}[seat]  # seat 2 draws next
    assert said == [f"It is not your turn: waiting for {waits_for}."] * 2


def test_ft_26_a_discard_that_is_let_lie_is_noticed_by_nobody_else() -> None:
    table = Table(GOLD_WANTED, players=3).turn("shrimp").turn("gold")
    before = copy(table.state)
    table.move("let it lie")
    step = Step(before, 0, r.PASS, table.state)
    assert [r.observed_action(before, r.PASS, seat) for seat in range(3)] == [r.PASS, UNSEEN, UNSEEN]
    for viewer in (SPECTATOR, 1, 2):
        assert SCENES.tell(step, viewer, table.match.names) == ()
        assert seen(before, viewer) == seen(table.state, viewer)
    assert SCENES.tell(step, 0, table.match.names)[0].clause == "FT-12"
    taken = [r.observed_action(before, r.OUT, seat) for seat in range(3)]
    assert taken[0] == r.OUT
    assert taken[1] == taken[2] > r.OUT  # taking it is seen, and with it their cards


def test_ft_10_ft_13_ft_26_what_a_move_shows_of_a_hand_is_part_of_what_is_seen() -> None:
    """Else two courses of the game would look alike to one who can tell them apart."""
    diamond, more = 0, 64
    table = Table("3 diamond 3 oil 2 gold").draw("diamond")
    assert r.observed_action(table.state, diamond, 0) == diamond
    assert [r.observed_action(table.state, diamond, viewer) for viewer in (1, SPECTATOR)] == [diamond + more] * 2
    table = Table("3 diamond 3 oil 2 shares").draw("gold")
    assert [r.observed_action(table.state, diamond, seat) for seat in (0, 1)] == [diamond, diamond]
    shown = []
    for good in ("gold", "crypto"):
        table = Table(f"3 diamond 3 oil 2 {good}").draw(good)
        assert r.observed_action(table.state, r.OUT, 0) == r.OUT
        shown.append(r.observed_action(table.state, r.OUT, 1))
    assert len({*shown, r.OUT}) == 3
    false = Table(honour_calls="on").draw("gold")  # FT-19: a false call shows no card
    assert r.observed_action(false.state, r.OUT, 1) == r.OUT


def test_ft_26_whether_anybody_might_be_asked_is_public() -> None:
    asked = Table(GOLD_WANTED, players=4).turn("shrimp")
    assert r.may_ask(asked.state)  # none of the others has discarded yet
    asked.turn("gold")
    nobody = Table("3 diamond 3 oil 2 shares", players=4).turn("shrimp").turn("gold")
    assert r.may_ask(asked.state)  # one announced, two who have not discarded
    assert r.may_ask(nobody.state)
    asked.move("let it lie")
    assert r.may_ask(asked.state)  # the same after the question has been answered
    asked.draw("gold")
    assert not r.may_ask(asked.state)
    assert r.may_ask(Table(ruleset=ROYALE, players=4).turn("crypto").state)


def test_ft_09_ft_26_nobody_might_be_asked_about_a_market_make() -> None:
    assert not r.may_ask(Table().turn("market make").move("leave prices").state)


def test_ft_11_ft_26_nobody_might_be_asked_who_has_discarded_and_announced_nothing() -> None:
    table = Table(players=3).turn("shrimp").turn("gold")
    assert r.may_ask(table.state)
    table.turn("oil")
    assert not r.may_ask(table.state)


def test_ft_10_ft_26_an_announced_player_is_not_asked_about_what_he_cannot_wait_for() -> None:
    """They said "one to go" with an oil: before it they were not, so no oil finishes his hand."""
    hand = "3 diamond 2 gold 2 shares 1 oil"
    for discard, might in (("oil", False), ("crypto", True)):
        table = Table(hand).turn("shrimp").turn("shrimp").turn("gold", "oil").turn(discard)
        assert table.state.announced == 1
        assert r.may_ask(table.state) is might


@pytest.mark.parametrize(("hand", "might"), [("1 oil", False), ("2 oil", True)])
def test_ft_10_ft_26_nobody_might_be_asked_where_too_few_of_the_good_are_out_of_sight(hand: str, might: bool) -> None:
    rest = "2 gold 2 shares 2 shrimp"
    table = Table(rest + " 2 crypto", f"{rest} {hand}" + (" 1 crypto" if not might else "")).empty_deck(oil=1)
    assert r.may_ask(table.turn("oil").state) is might


def test_ft_22_ft_23_ft_26_what_winners_of_rounds_have_shown_is_in_sight() -> None:
    """Of twelve oil three were shown, seven are on the dump, one is held and one was discarded just now."""
    table = Table("2 oil", "1 shares 1 crypto", ruleset=ROYALE).turn("shrimp").turn("oil").move("take").roll("50,000")
    table.deal("1 gold 1 oil", "1 shares 1 gold").empty_deck(oil=1)
    assert not r.may_ask(table.turn("oil").state)
    table.state.dumped[4] -= 1  # one more that no player has seen
    table.state.deck[4] += 1
    assert r.may_ask(table.state)


@pytest.mark.parametrize("ruleset", [MM, GOD, ROYALE])
def test_ft_26_may_ask_covers_who_is_asked_and_is_known_to_all(ruleset: str) -> None:
    """The same for every new deal of what a viewer cannot know; and what is out of sight can be counted in sight."""
    said: Counter[bool] = Counter()
    for seed in range(2):
        shown, deals = [0] * r.N_KINDS, 0
        honour = {} if ruleset == ROYALE else {"honour_calls": "on"}
        for number, (_, step) in enumerate(games(ruleset, 4, seed, 500, **honour)):
            state = step.after
            if state.deals > deals:
                deals = state.deals
                if ruleset == ROYALE and state.ended == r.WENT_OUT:
                    shown = [had + now for had, now in zip(shown, state.won, strict=True)]
            asks = r.may_ask(state)
            if state.phase == r.ASK:
                assert asks
                assert r.might_take(state, state.asked, state.row[state.row_size - 1])
            if state.offered:
                said[asks] += 1
                for kind in range(r.N_KINDS):
                    assert out_of_sight(state, kind) == state.cards[kind] - state.dumped[kind] - shown[kind]
            if state.phase != r.ASK and (number % 5 or not state.offered):
                continue
            for viewer in (SPECTATOR, 0, 1, 2, 3):
                other = copy(state)
                r.resample(other, viewer, rng_of(seed))
                assert r.may_ask(other) is asks
    assert said[True]
    assert said[False] or ruleset == ROYALE


# Cards -------------------------------------------------------------------------------------------
def test_ft_26_a_card_is_seen_by_who_gets_it() -> None:
    table = Table(players=3, dealer=2, deal=False)
    assert [r.observed_action(table.state, 4, seat) for seat in range(3)] == [HIDDEN, 4, HIDDEN]
    table.deal()
    assert [r.observed_action(table.state, 4, seat) for seat in range(3)] == [HIDDEN, 4, HIDDEN]
    assert r.observed_action(table.state, r.NO_CARD, 0) == r.NO_CARD
    table.draw("oil")
    assert [r.observed_action(table.state, 4, seat) for seat in range(3)] == [4, 4, 4]


def test_ft_26_the_drawn_card_and_hands_are_shown_to_nobody_else() -> None:
    table = Table().draw("oil")
    other = Table("2 oil 2 shrimp 4 shares").draw("crypto")
    for viewer in (SPECTATOR, 1):
        assert seen(table.state, viewer) == seen(other.state, viewer)
    assert seen(table.state, 0) != seen(other.state, 0)


@pytest.mark.parametrize("ruleset", [MM, GOD, ROYALE])
@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.suite("4-*")
def test_ft_26_nothing_that_a_viewer_cannot_know_reaches_him(ruleset: str, players: int) -> None:
    rng = rng_of(players)
    honour = HONOUR[ruleset] if players == 4 else {}
    for number, (match, step) in enumerate(games(ruleset, players, 3, 400, **honour)):
        secret = step.after.phase == r.ASK or step.before.phase == r.ASK
        if number % 23 == 0 or secret:
            for viewer in (SPECTATOR, *range(players)):
                knowledge.check_resample(match, viewer, rng)
                knowledge.check_no_leak(FAMILY_TRADE, step, viewer, match.names, rng)
    knowledge.check_information(match)


# Dealing again what is not known -----------------------------------------------------------------
def fits(state: r.State, other: r.State, viewer: int) -> None:
    """Everything that the seat has seen still holds."""
    for kind in range(r.N_KINDS):
        before, after = ([s.deck[kind], *(row[kind] for row in (*s.hand, *s.gone))] for s in (state, other))
        assert sum(before) == sum(after)
        assert min(after) >= 0
    for seat in range(state.players):
        assert r.hand_size(other, seat) == r.hand_size(state, seat)
        base = list(other.hand[seat])
        if state.phase == r.TURN and state.player == seat:
            base[other.drawn] -= 1
        if seat == viewer:
            assert other.hand[seat] == state.hand[seat]
        elif state.ruleset != r.BATTLE_ROYALE and seat != state.winner and state.dealt == 8 * state.players:
            if state.announced >> seat & 1:
                assert r.wanted(base) != r.NONE
            elif state.acted >> seat & 1:
                assert r.wanted(base) == r.NONE
        assert sum(other.drew[seat]) == sum(state.drew[seat])
    for kind in range(r.N_KINDS):  # no card is in the deck that was not when it was last shuffled
        gone = sum(row[kind] for row in other.drew)
        assert other.deck[kind] == other.shuffled[kind] - gone


@pytest.mark.parametrize("ruleset", [MM, GOD, ROYALE])
@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.suite("3-*")
def test_ft_26_a_new_deal_fits_all_that_was_seen_also_after_a_new_deck(ruleset: str, players: int) -> None:
    rng = rng_of(5)
    made = 0
    for seed in range(2):
        for number, (_, step) in enumerate(games(ruleset, players, seed, 1500, **HONOUR[ruleset])):
            state = step.after
            made += state.remade > 0
            if number % 60 == 0 or (state.remade and number % 13 == 0):
                for viewer in (SPECTATOR, *range(players)):
                    other = copy(state)
                    r.resample(other, viewer, rng)
                    fits(state, other, viewer)
    assert made > 20


def test_ft_10_an_announced_hand_is_drawn_from_all_that_are_one_to_go_with_the_right_odds() -> None:
    table = Table(GOLD_WANTED, "").turn("shrimp")
    rng, found, games_ = rng_of(9), Counter[int](), 4000
    for _ in range(games_):
        other = copy(table.state)
        r.resample(other, 1, rng)
        found[r.wanted(other.hand[0])] += 1
    pool = [12 - 1] * 8  # seat 2 holds one of each good
    pool[5] -= 1  # and a shrimp is in the dump
    ways = [0.0] * 8
    for good in range(8):
        for size, rest in ((2, 6), (5, 3), (8, 0)):
            some = comb(pool[good], size)
            others = [pool[g] for g in range(8) if g != good]
            threes = [comb(n, 3) for n in others]
            if rest == 6:
                pairs = (sum(threes) ** 2 - sum(n * n for n in threes)) // 2
                ways[good] += some * (pairs + sum(comb(n, 6) for n in others))
            else:
                ways[good] += some * (sum(threes) if rest else 1)
    chi = sum(
        (found[good] - games_ * ways[good] / sum(ways)) ** 2 / (games_ * ways[good] / sum(ways)) for good in range(8)
    )
    assert chi < 30  # seven degrees of freedom


def test_ft_10_two_announced_hands_do_not_share_more_cards_than_there_are() -> None:
    table = Table(GOLD_WANTED, "3 shares 3 crypto 2 gold", "", players=3).turn("shrimp").turn("shrimp")
    assert table.state.announced == 0b11
    rng = rng_of(3)
    for _ in range(60):
        other = copy(table.state)
        r.resample(other, 2, rng)
        fits(table.state, other, 2)


def test_ft_19_after_a_false_call_nobody_takes_the_nine_cards_for_three_sets() -> None:
    table = Table(GOLD_WANTED, honour_calls="on").turn("shrimp").turn("shrimp").draw("shares").move("done")
    rng = rng_of(3)
    for _ in range(300):
        other = copy(table.state)
        r.resample(other, 1, rng)
        assert not r.complete(other.hand[0])


def awaited(table: Table, viewer: int, deals: int = 400) -> set[str]:
    """Return the goods that the hand of seat 1 may be waiting for, as `viewer` (from 0) has it dealt again."""
    rng, found = rng_of(7), set()
    for _ in range(deals):
        state = copy(table.state)
        r.resample(state, viewer, rng)
        found.add(GOODS[r.wanted(state.hand[0])])
    return found


def test_ft_10_who_announces_with_a_later_discard_cannot_wait_for_what_he_threw_away() -> None:
    """They would have been one to go before, and have said so."""
    early = Table("3 diamond 2 gold 2 shares 1 oil").turn("shrimp", "oil")
    assert early.state.announced == 0
    later = Table("3 diamond 2 gold 2 shares 1 oil").turn("shrimp").turn("shrimp").turn("gold", "oil")
    assert later.state.announced == 1
    found = awaited(later, 1)
    assert "oil" not in found
    assert {"shares", "shrimp"} <= found  # a first discard, or one before, says nothing of the kind


@pytest.mark.parametrize("frozen", [False, True])
def test_ft_10_ft_19_after_a_false_call_nobody_waits_for_what_is_thrown_away_then(frozen: bool) -> None:
    table = Table("3 diamond 3 oil 2 gold", honour_calls="on")
    if frozen:
        table.turn("real estate").turn("crypto")
    found = awaited(table.draw("shrimp").move("done", "discard shrimp"), 1)
    assert "shrimp" not in found
    assert len(found) > 4
    assert not any(table.draw("crypto").move("discard crypto").state.unfit[1:])


def test_ft_18_ft_26_a_deck_whose_cards_are_known_is_not_dealt_otherwise() -> None:
    table = Table(players=2).empty_deck(oil=1).turn("oil")
    table.draw("gold").move("discard gold")
    other = copy(table.state)
    r.resample(other, 0, rng_of(1))
    fits(table.state, other, 0)
    known = Counter(dict(enumerate(table.state.hand[1])))
    possible = Counter(dict(enumerate(other.hand[1])))
    assert (known - possible).total() <= 1  # one of two cards of seat 2 may be the one it drew


def test_ft_23_ft_26_hands_that_left_face_down_are_known_to_their_owner_only() -> None:
    table = Table("2 oil", "1 gold 1 shares", ruleset=ROYALE, players=3)
    table.turn("shrimp").turn("oil").move("take").roll("50,000")
    rng, mine, theirs = rng_of(2), set(), set()
    for _ in range(40):
        other = copy(table.state)
        r.resample(other, 1, rng)
        mine.add(tuple(other.gone[1]))
        theirs.add(tuple(other.gone[2]))
    assert mine == {tuple(table.state.gone[1])}
    assert len(theirs) > 5


def test_before_the_end_nobody_has_won_and_observations_start_with_their_own_seat() -> None:
    table = Table(players=3).turn("shrimp")
    assert table.match.returns == [0.0] * 3
    table.state.money[:3] = [100, 200, 300]
    out = [0] * r.OBSERVATION_SIZE
    assert r.observation(table.state, 1, out) == r.OBSERVATION_SIZE
    assert [out[23 + 4 * i] for i in range(4)] == [200, 300, 100, 0]
    r.observation(table.state, SPECTATOR, out)
    assert [out[23 + 4 * i] for i in range(4)] == [100, 200, 300, 0]
    assert flatten(table.state)


def test_nothing_is_decided_when_chance_is_due_and_the_other_way_round() -> None:
    table = Table()
    out, weights = [0] * r.MAX_LEGAL, [0] * r.MAX_LEGAL
    assert r.legal_actions(table.state, out) == 0
    table.draw("oil")
    assert r.chance_outcomes(table.state, out, weights) == 0


def test_ft_16_ft_17_ft_18_ft_24_no_game_is_longer_than_the_facts_say() -> None:
    """Deals are limited, and so are new decks; a card takes its draw, a false call, the discard, and a price that is
    moved or the others being asked. Dice are rolled eight at a time, one again, after a choice each."""
    most, (largest,) = 0, {one.most for one in FAMILY_TRADE.facts.observed if one.name == "cards in the deck"}
    for edition in FAMILY_TRADE.editions.values():  # and those that people change, up to the largest deck (FT-3)
        for ruleset in FAMILY_TRADE.rulesets:
            for players in range(2, 5):
                state = FAMILY_TRADE.start(players, edition, FAMILY_TRADE.options({"ruleset": ruleset}))
                assert state.n_cards <= largest
                cards = largest * (state.new_decks + 1)
                deals = 2 * players * state.longest_run
                if ruleset == ROYALE:  # each has two cards at least, which leave the game
                    deals = largest // (2 * players) + 1
                most = max(most, deals * (cards * (3 + players) + 2 * r.N_GOODS))
    assert most == FAMILY_TRADE.facts.longest == FAMILY_TRADE.rules.bound(Table().state)
