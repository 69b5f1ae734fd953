"""What is on the table, and what the log says."""

from __future__ import annotations

import pytest

from parlour.conformance.cases import random_steps
from parlour.conformance.scenes import pieces
from parlour.core import html
from parlour.core.contract import Step
from parlour.core.match import Match
from parlour.core.rng import RNG_SIZE, seed_rng
from parlour.core.scene import SPECTATOR, Piece, Scene
from parlour.core.struct import copy
from parlour.games.family_trade import rules as r
from tests.games.family_trade.table import FAMILY_TRADE, GOD, HONOUR, MM, ROYALE, Table

GOOD = "3 diamond 3 crypto 2 gold"


def found(scene: Scene, key: str) -> Piece:
    return next(p for top in (scene.board, *scene.seats) for p in pieces(top) if p.key == key)


def show(table: Table, viewer: int = SPECTATOR) -> Scene:
    return FAMILY_TRADE.scenes.scene(table.state, viewer, table.match.names)


def log(table: Table, move: str) -> list[tuple[str, str]]:
    """Return what the log says of the next step, a move or an outcome, to a spectator."""
    before, actor = copy(table.state), table.match.current_player
    action = table.match.parse(move) if actor >= 0 else table.match.parse_outcome(move)
    table.match.advance(action)
    lines = FAMILY_TRADE.scenes.tell(Step(before, actor, action, table.state), SPECTATOR, table.match.names)
    return [(line.text, line.clause) for line in lines]


def test_ft_09_a_price_is_moved_by_clicking_beside_its_chip() -> None:
    table = Table().draw("market make").move("discard market make")
    shown = show(table, 0)
    assert found(shown, "cell-1-7").action == "gold up"
    assert found(shown, "cell-1-5").action == "gold down"
    assert found(shown, "cell-1-7").name == "Gold up to 100,000"
    assert found(shown, "chip-1").name == "Gold brings 70,000"
    assert found(shown, "chip-4").marks == ("chip", "low")
    assert not any(p.action for p in pieces(show(table, 1).board))


@pytest.mark.parametrize("ruleset", [MM, GOD, ROYALE])
def test_the_table_says_in_one_line_which_game_this_is(ruleset: str) -> None:
    said = found(show(Table(ruleset=ruleset)), "market").text
    assert said.startswith({MM: "Market Making:", GOD: "God of the Market:", ROYALE: "Battle Royale:"}[ruleset])
    assert len(said) <= 60


@pytest.mark.parametrize("ruleset", [GOD, ROYALE])
def test_ft_20_ft_22_dice_lie_on_the_table_from_the_first_deal_on(ruleset: str) -> None:
    cards, more = (GOOD, "gold") if ruleset == GOD else ("2 gold", "gold")
    table = Table(cards, ruleset=ruleset).draw(more)
    dice = [found(show(table), f"good-{good}") for good in range(8)]
    assert {(die.kind, die.text) for die in dice} == {("die", "")}
    assert all(die.face for die in dice)
    table.move("done")
    table.roll("50,000", "70,000") if ruleset == GOD else table.roll("70,000")
    gold = found(show(table), "good-1")
    assert (gold.text, gold.face, "rolled" in gold.marks) == ("70", "", True)
    assert "rolled" not in found(show(table), "good-0").marks


def test_ft_10_a_fixed_hand_says_what_it_waits_for_and_why_its_cards_stay() -> None:
    table = Table(GOOD).turn("shrimp").turn("shrimp").draw("oil")
    shown = show(table, 0)
    assert "One to go: Gold, +270,000" in found(shown, "hand").name
    laid = [p for p in pieces(found(shown, "hand")) if "laid" in p.marks]
    assert len(laid) == 8
    assert {p.why.clause for p in laid if p.why} == {"FT-10"}
    assert "one to go!" in found(shown, "seat-0").text
    assert "flagged" in found(show(table, 1), "seat-0").marks
    assert not found(show(table), "hand").children
    assert "unseen" in found(show(table), "hand").marks


def test_ft_11_a_dealt_hand_that_is_one_card_short_is_logged_for_nobody_else() -> None:
    table = Table("", GOOD).turn("shrimp")
    assert found(show(table, 1), "hand").name == "One card short: Gold, +270,000"
    assert "one to go" not in found(show(table, 0), "seat-1").text


def test_ft_12_the_last_discard_is_clicked_to_take_it() -> None:
    table = Table(GOOD).turn("shrimp").turn("gold")
    last = found(show(table, 0), "dump-1")
    assert (last.action, "last" in last.marks) == ("take", True)
    assert [b.action for b in show(table, 0).buttons] == ["let it lie", "take"]
    assert show(table, 0).prompt == "Take Player 2's Gold?"
    assert not found(show(table, 1), "dump-1").action
    assert log(table, "take") == [
        ("Player 1 takes the Gold of Player 2 and goes out with 3 Diamond, 3 Gold and 3 Crypto.", "FT-12")
    ]


@pytest.mark.parametrize("ruleset", [MM, ROYALE])
def test_ft_12_a_card_that_was_taken_leaves_no_wrong_name_on_the_one_below(ruleset: str) -> None:
    hand = "3 diamond 3 oil 2 gold" if ruleset == MM else "2 gold"
    other = () if ruleset == MM else ("1 oil 1 shares",)
    table = Table(hand, *other, ruleset=ruleset, players=3).turn("shrimp").turn("gold")
    assert found(show(table), "newest").children[0].name.startswith("Gold, discarded by")
    table.move("take")
    assert not found(show(table), "newest").children
    before = found(show(table), "recent").children[0]
    assert (before.name, before.marks) == ("Shrimp", ("stamped",))


@pytest.mark.parametrize("ruleset", [MM, GOD, ROYALE])
def test_ft_26_the_dump_says_how_many_of_each_kind_lie_in_it_and_the_newest_in_order(ruleset: str) -> None:
    table = Table(ruleset=ruleset, players=3)
    for card in ("oil", "gold", "oil"):
        table.turn(card)
    shown = show(table)
    counts = {tally.name: tally.text for tally in found(shown, "tally").children}
    assert len(counts) == (9 if ruleset == MM else 8)
    assert counts["Oil in the Card Dump: 2"] == "2"
    assert sum(map(int, counts.values())) == table.state.row_size == 3
    assert [card.name for card in found(shown, "newest").children] == ["Oil, discarded by Player 3"]
    assert [card.name for card in found(shown, "recent").children] == ["Gold", "Oil"]
    assert len(found(show(Table().empty_deck(oil=3)), "recent").children) == 10


def test_ft_26_a_hand_is_sorted_by_number_then_good_and_says_what_each_set_brings() -> None:
    table = Table("1 diamond 3 oil 2 shares 2 gold").draw("diamond")
    lots = found(show(table, 0), "hand").children
    assert [lot.key for lot in lots] == ["lot-0-3", "lot-3-2", "lot-5-2", "lot-7-1", "lot-new"]
    assert [lot.children[-1].text for lot in lots] == ["−30k", "+70k", "+10k", "+50k", "+50k"]
    assert ["whole" in lot.marks for lot in lots] == [True, False, False, False, False]
    assert [piece.key for lot in lots[-2:] for piece in lot.children] == [
        "hand-0-0",
        "worth-0",
        "hand-0-1",
        "worth-new",
    ]
    royale = Table("1 gold 1 oil", ruleset=ROYALE)
    average = round(sum(royale.state.ladder[face] for face in royale.state.faces[1]) / 6)
    assert found(show(royale, 0), "worth-1").text == f"≈+{average}k"
    table = Table("7 gold 1 market make").draw("oil")
    assert found(show(table, 0), "worth-1").name == "Two sets of Gold: +140,000"


@pytest.mark.parametrize(("ruleset", "cards", "hand"), [(MM, 3, 8), (ROYALE, 1, 2)])
def test_ft_07_ft_21_cards_lie_face_down_until_all_are_dealt(ruleset: str, cards: int, hand: int) -> None:
    """So no card moves for the next one; the page takes them up together. Where more will be, there are places."""
    table = Table(ruleset=ruleset, deal=False)
    while r.hand_size(table.state, 0) < cards:
        table.draw("gold")
    shown = found(show(table, 0), "hand").children
    assert [card.name for card in shown if "await" not in card.marks] == ["A card, face down"] * cards
    assert len(shown) == hand
    assert found(show(Table(ruleset=ruleset), 0), "hand").children[0].key.startswith("lot-0-")


def test_ft_14_ft_16_going_out_says_what_it_brings_now() -> None:
    table = Table(GOOD).draw("gold")
    table.state.run = 2
    assert show(table, 0).buttons[0].hint == "+540,000"
    taking = Table(GOOD).turn("shrimp").turn("gold")
    assert show(taking, 0).buttons[1].hint == "go out, +270,000"
    nine = Table("8 oil").draw("oil")
    nine.state.run = 2
    assert show(nine, 0).buttons[0].hint == "+600,000"
    assert show(Table(GOOD, ruleset=GOD).draw("gold"), 0).buttons[0].hint == "three sets"


def test_ft_08_discarding_what_is_drawn_can_be_kept_until_it_concerns_the_player() -> None:
    def kept(table: Table) -> str:
        keep = show(table, 0).keep
        return keep.same if keep else ""

    table = Table("2 gold 2 oil 3 diamond 1 shares").draw("shrimp")
    keep = show(table, 0).keep
    assert keep is not None
    assert keep.action == "discard shrimp"
    assert show(table, 1).keep is None
    at = keep.same
    table.move("discard shrimp").turn("real estate").draw("crypto")
    assert kept(table) == at  # nothing that concerns this player has changed
    table.move("discard crypto").turn("real estate").draw("oil")
    assert not kept(table)  # a card that fits
    table.move("discard oil").draw("market make").move("discard market make", "gold up").draw("shrimp")
    assert kept(table) != at  # the price of a good in hand
    at = kept(table)
    table.move("discard shrimp").turn("real estate").draw("market make")
    assert not kept(table)  # a card that moves a price
    table.move("discard market make", "leave prices").turn("real estate").draw("shrimp")
    assert kept(table) == at
    table.state.announced |= 2
    assert kept(table) != at  # another player is one to go
    assert not kept(Table("1 oil 1 gold", ruleset=ROYALE).draw("oil"))
    assert kept(Table("2 oil", ruleset=ROYALE).draw("gold"))
    assert not kept(Table("2 oil", ruleset=ROYALE).draw("oil"))
    assert not kept(Table(GOOD).turn("shrimp").turn("shrimp").draw("oil"))  # the page plays the only choice anyway


def test_ft_12_letting_a_discard_lie_can_be_kept_and_ends_when_a_price_has_moved() -> None:
    table = Table(GOOD).turn("shrimp").turn("gold")
    keep = show(table, 0).keep
    assert keep is not None
    assert keep.action == "let it lie"
    assert show(table, 1).keep is None
    table.state.price[0] += 1
    assert show(table, 0).keep != keep


def test_ft_13_a_reroll_is_shown_large_with_what_it_changes_until_the_market_is_chosen() -> None:
    table = Table(GOOD).draw("gold").move("done")
    with pytest.raises(StopIteration):
        found(show(table), "event")
    table.move("reroll oil")
    shown = show(table)
    assert (found(shown, "was-4").text, "air" in found(shown, "fall-4").marks) == ("−30,000", True)
    assert not found(shown, "event-sum").text
    table.roll("150,000")
    shown = show(table)
    assert (found(shown, "was-4").text, found(shown, "fall-4").text) == ("−30,000", "150")
    assert (found(shown, "event-sum").text, "landed" in found(shown, "event").marks) == ("+270,000", True)
    table.move("keep").draw("oil")
    with pytest.raises(StopIteration):
        found(show(table), "event")


@pytest.mark.parametrize(("ruleset", "hand", "dice"), [(GOD, GOOD, 3), (ROYALE, "2 gold", 1)])
def test_ft_20_ft_22_the_dice_of_a_player_who_goes_out_are_shown_large(ruleset: str, hand: str, dice: int) -> None:
    table = Table(hand, ruleset=ruleset).draw("gold").move("done")
    assert [len(found(show(table), "event-dice").children), "landed" in found(show(table), "event").marks] == [
        dice,
        False,
    ]
    table.roll(*["50,000"] * dice)
    assert found(show(table), "event-sum").text == f"+{dice * 50},000"
    assert "landed" in found(show(table), "event").marks


def test_ft_13_a_die_is_rolled_again_by_its_good_and_the_total_is_shown() -> None:
    table = Table(GOOD).draw("gold")
    assert log(table, "done") == [("Player 1 goes out with 3 Diamond, 3 Gold and 3 Crypto.", "FT-13")]
    shown = show(table, 0)
    assert found(shown, "good-4").action == "reroll oil"
    assert found(shown, "worth").text == "+270,000"
    assert len([p for p in found(shown, "shown").children if p.kind == "token"]) == 9
    assert log(table, "reroll oil")[0][1] == "FT-13"
    assert "air" in found(show(table), "good-4").marks
    lines = log(table, "oil 150,000")
    assert lines[0] == ("The die of Oil shows 150,000. It was −30,000.", "FT-13")
    assert lines[1] == ("Player 1: +270,000. The bank pays.", "FT-14")
    assert lines[2] == ("Player 1 deals again.", "FT-16")
    assert found(show(table), "shown").name == "Last deal: Player 1"


def test_ft_20_only_the_dice_of_the_sets_are_rolled_again() -> None:
    table = Table("6 crypto 2 gold", ruleset=GOD).draw("gold").move("done").roll("30,000", "-50,000")
    shown = show(table, 0)
    assert found(shown, "good-6").action == "reroll crypto"
    why = found(shown, "good-4").why
    assert why is not None
    assert why.clause == "FT-20"
    assert log(table, "no reroll")[1] == ("Player 1: −70,000. Player 1 pays into the Jackpot.", "FT-14")
    assert found(show(table), "jar-sum").text == "70,000"
    assert "low" in found(show(table), "worth").marks


@pytest.mark.parametrize(
    ("hand", "card", "line"),
    [
        ("3 currency 3 oil 2 shares", "shares", "Player 1: −30,000. Player 1 pays Player 2."),
        (GOOD, "gold", "Player 1: +270,000. Player 2 pays."),
        ("8 oil", "oil", "Player 1: +600,000. The bank pays."),
    ],
)
def test_ft_14_ft_15_who_pays_is_logged(hand: str, card: str, line: str) -> None:
    table = Table(hand).turn("real estate").turn(card).move("take")
    assert log(table, "no reroll")[1][0] == line


def test_ft_16_what_is_multiplied_and_taken_is_logged() -> None:
    table = Table(GOOD).draw("gold")
    table.state.run, table.state.jackpot = 2, 40
    table.move("done")
    lines = log(table, "no reroll")
    assert lines[1] == ("Player 1: +540,000 (2 times, on the second deal in a row). The bank pays.", "FT-16")
    assert lines[2] == ("Player 1 takes the Jackpot of 40,000.", "FT-14")
    assert ", Jackpot +40,000" in found(show(table), "worth").text
    assert "dealer ×3" in found(show(table), "seat-0").text


def test_ft_17_ft_24_ft_25_the_end_is_logged() -> None:
    table = Table("", GOOD)
    table.state.turns = 3
    table.turn("oil").draw("gold").move("done")
    assert log(table, "no reroll")[-1] == ("All have dealt twice. Player 2 wins with 770,000.", "FT-17")
    assert show(table).winners == (1,)
    table = Table("2 oil", ruleset=ROYALE)
    table.state.money[:2] = [1150, 50]
    table.draw("oil").move("done")
    assert log(table, "oil 50,000")[-1][1] == "FT-25"
    table = Table("2 oil", ruleset=ROYALE).empty_deck(oil=1)
    table.state.row_size = 4
    table.draw("oil").move("done")
    assert log(table, "oil -30,000")[-1] == ("Too few cards are left for a round. Player 2 wins with 0.", "FT-24")


def test_ft_18_ft_19_ft_23_other_news() -> None:
    table = Table().empty_deck(oil=1).turn("oil")
    assert log(table, "card gold")[0][1] == "FT-18"
    table = Table(players=3)
    table.state.remade = 2
    table.empty_deck(oil=1).turn("oil")
    lines = log(table, "no card")
    assert lines == [
        ("No card is left to draw: the deal is void, no one is paid.", "FT-18"),
        ("The deal moves to Player 2.", "FT-16"),
    ]
    assert "no one is paid" in found(show(table), "shown").name
    table = Table(honour_calls="on").draw("gold")
    assert show(table, 0).buttons[0].hint == "false: −100,000"
    assert log(table, "done")[0][1] == "FT-19"
    royale = Table("2 oil", ruleset=ROYALE).draw("oil")
    assert show(royale, 0).buttons[0].hint == "a set"
    royale.move("done")
    lines = log(royale, "oil -30,000")
    assert lines[1] == ("Player 1: −30,000. Player 1 pays the bank.", "FT-22")
    assert lines[2][1] == "FT-23"
    assert "2,400,000" not in str(show(royale))


@pytest.mark.parametrize("ruleset", [MM, GOD, ROYALE])
def test_ft_26_scenes_stay_small_have_pictures_and_offer_what_is_legal(ruleset: str) -> None:
    match = Match(FAMILY_TRADE, 4, options={"ruleset": ruleset, **HONOUR[ruleset]}, seed=2, auto=False)
    rng = [0] * RNG_SIZE
    seed_rng(rng, 1, 1)
    for number, step in enumerate(random_steps(match, 4, 500)):
        if number % 5:
            continue
        for viewer in (SPECTATOR, 0, 3):
            scene = FAMILY_TRADE.scenes.scene(step.after, viewer, match.names)
            for piece in pieces(scene.board):
                assert not piece.face or f'id="{piece.face}"' in FAMILY_TRADE.art
            offered = {p.action for p in pieces(scene.board)} | {b.action for b in scene.buttons}
            assert offered - {""} == (set(match.legal_actions()) if match.current_player == viewer >= 0 else set())
            assert len(html.render(scene, "/rules/family-trade").encode()) < 40_000
    assert 'id="family-trade-cover"' in FAMILY_TRADE.art


def test_money_is_written_with_separators_and_signs() -> None:
    table = Table()
    table.state.money[1] = -1250
    assert found(show(table), "seat-1").value == -1_250_000
    assert "−1,250,000" in html.render(show(table))
    assert r.hand_size(table.state, 0) == 8


def test_ft_10_the_card_just_drawn_is_named_as_its_good_and_marked_new() -> None:
    hand = found(show(Table("1 diamond 3 oil 2 shares 2 crypto").draw("gold"), 0), "lot-new").children
    assert [(card.name, card.place, "new" in card.marks) for card in hand[:1]] == [("Gold", "new", True)]
