"""What Facets of Fortune shows: the scene and the log, read like a player would."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from parlour.core import html, plain
from parlour.core.match import Match
from parlour.core.rng import RNG_SIZE, random_below, seed_rng
from parlour.core.scene import SPECTATOR, Piece, Scene, listed
from parlour.games.facets_of_fortune import rules as r
from parlour.games.facets_of_fortune.show import words
from parlour.games.facets_of_fortune.show.scene import worth
from tests.games.facets_of_fortune.table import GAME, Table, turn

NAMES = ("Ann", "Bob", "Cleo", "Dora")


def pieces(piece: Piece) -> Iterator[Piece]:
    yield piece
    for child in piece.children:
        yield from pieces(child)


def show(table: Table, viewer: int = 0) -> Scene:
    return GAME.scenes.scene(table.state, viewer, NAMES[: table.state.players])


def find(scene: Scene, key: str) -> Piece:
    return next(piece for top in (scene.board, *scene.seats) for piece in pieces(top) if piece.key == key)


def keys(scene: Scene) -> set[str]:
    return {piece.key for piece in pieces(scene.board)}


def log(table: Table, step: str) -> list[str]:
    """Return what the log says of a move or an outcome, with clauses."""
    chance = table.match.current_player < 0
    action = table.match.parse_outcome(step) if chance else table.match.parse(step)
    done = table.match.step(action)
    lines = GAME.scenes.tell(done, SPECTATOR, NAMES[: table.state.players])
    return [f"{line.text} [{line.clause}]" for line in lines]


def test_ff_01_the_ladders_show_gems_and_markers() -> None:
    table = turn().gems(2, ruby=3).price("ruby", 250_000)
    scene = show(table)
    gems = [rung for rung in range(10) if f"gem-ruby-{rung}" in keys(scene)]
    assert gems == list(range(3, 10))
    assert [child.key for child in find(scene, "ruby-6").children] == ["gem-ruby-6", "marker-ruby"]
    assert find(scene, "plate-ruby").name == "Ruby: buy 50,000, sell 250,000, 7 on the board"
    assert find(scene, "ruby-1").marks[:2] == ("rung", "free")


def test_ff_18_gems_are_bought_and_sold_by_clicking_their_places() -> None:
    table = turn("ruby-2").gems(1, ruby=2).price("ruby", 100_000).do("play ruby-2")
    scene = show(table)
    buy, sell = find(scene, "ruby-3"), find(scene, "ruby-0")
    assert (buy.action, buy.text, buy.name) == ("buy 2 ruby", "−75k", "Buy 2 rubies for 75,000")
    assert (sell.action, sell.text, sell.name) == ("sell 2 ruby", "+200k", "Sell 2 rubies for 200,000")
    assert (buy.clause, sell.clause) == ("FF-18", "FF-18")
    assert find(scene, "ruby-4").action == ""
    assert find(show(table, 1), "ruby-3").action == ""
    assert scene.prompt == "Ruby 2: buy gems, or sell into the free spaces."


def test_a_card_says_what_it_can_do_now_and_what_that_costs_or_brings() -> None:
    table = turn("ruby-2 free-emerald wild-3").gems(1, ruby=1).price("ruby", 500_000)
    texts = [find(show(table), f"card-0-{place}").text for place in range(3)]
    assert texts == ["Buy 2: −35k. Sell 1: +500k.", "Take the gem at 5k.", "Buy or sell up to 3 of one colour."]
    poor = turn("ruby-2 exchange switch").cash(0, 0)
    assert find(show(poor), "card-0-0").text == "Costs 5k."
    why = find(show(poor), "card-0-0").why
    assert why is not None
    assert why.clause == "FF-18"
    assert "dim" in find(show(poor), "card-0-0").marks
    gone = turn("ruby-1 free-ruby heist").gems(2, ruby=10)
    assert [find(show(gone), f"card-0-{i}").text for i in (0, 1)] == [
        "None to buy or sell.",
        "None left.",
    ]


def test_ff_24_cards_of_a_closed_market_say_so() -> None:
    table = turn("ruby-1 free-ruby").close("ruby")
    assert find(show(table), "card-0-0").text == "Ruby is closed."
    table = turn("ruby-1 free-ruby", dead_cards="wild").close("ruby")
    assert [find(show(table), f"card-0-{i}").text for i in (0, 1)] == ["Counts as Wild.", "A gem of any open market."]
    assert "dead" in find(show(turn("heist").hand(2, "ruby-1").close("ruby")), "mini-1-0").marks


def test_ff_26_a_crash_leaves_the_market_dark_and_is_logged() -> None:
    table = Table(3).gems(1, ruby=2).gems(2, ruby=1).price("ruby", 1_000_000)
    assert log(table, "roll ruby +2") == [
        "Ann rolls Ruby +2: Ruby goes above 1,000,000. [FF-11]",
        "RUBY CRASHES: Ann loses 2 and Bob loses 1. [FF-26]",
    ]
    scene = show(table)
    assert {"closed", "crashed"} <= set(find(scene, "market-ruby").marks)
    assert find(scene, "fate-ruby").text == "CRASHED"
    assert scene.prompt.startswith("Ruby crashed!")
    assert scene.board.marks == ("crash",)
    assert scene.hold > 2000
    table.do("end").roll("emerald +1")
    assert "crashed" not in find(show(table), "market-ruby").marks
    assert "closed" in find(show(table), "market-ruby").marks


def test_ff_13_ff_14_stops_are_logged() -> None:
    table = Table().lay_stop(1, "ruby").price("ruby", 750_000)
    assert "Ann's STOP on Ruby" in {piece.name for piece in pieces(show(table).board)}
    assert log(table, "roll ruby +2")[1:] == [
        "A STOP holds Ruby at 1,000,000. [FF-13]",
        "Ann's STOP on Ruby is used up. [FF-14]",
    ]


def test_ff_23_a_stop_is_placed_by_clicking_above_a_ladder() -> None:
    table = turn()
    assert find(show(table), "top-ruby").action == "stop ruby"
    assert "holds-0" in keys(show(table))
    assert log(table, "stop ruby") == ["Ann places a STOP on Ruby. [FF-23]"]
    assert find(show(table, 1), "stop-ruby-0").name == "Ann's STOP on Ruby"
    assert find(show(table, 1), "top-ruby").name == ""
    assert "holds-0" not in keys(show(table))
    assert find(show(table), "extra-stop").action == "buy stop"
    assert log(table, "buy stop") == ["Ann buys an extra STOP for 1,000,000. [FF-23]"]


def test_ff_23_a_stop_is_asked_for_in_words_only_where_a_market_may_crash() -> None:
    scene = show(turn().price("ruby", 750_000))
    for colour, said, signs in (("ruby", "STOP?", []), ("emerald", "", ["stop-emerald-free"])):
        top = find(scene, f"top-{colour}")
        assert (top.action, top.text, [one.key for one in top.children]) == (f"stop {colour}", said, signs)
    assert find(scene, "holds-0").text == "STOP"


def test_ff_14_ff_23_the_terminal_says_whose_stops_lie_on_a_market() -> None:
    table = turn("heist", players=3).lay_stop(2, "ruby").lay_stop(1, "emerald").lay_stop(3, "emerald")
    drawn = " ".join(plain.render(show(table)).split())
    assert "10 on the board, STOP of Bob" in drawn
    assert "10 on the board, STOPs of Ann and Cleo" in drawn


def test_ff_23_everybody_sees_who_has_bought_his_extra_stop() -> None:
    table = turn("heist")
    for move, key, marks, said in (
        ("stop ruby", "", (), "no gems; Heist"),
        ("buy stop", "holds-0", ("icon", "halt", "second"), "no gems; Heist; holds the extra STOP"),
        ("stop emerald", "spent-0", ("icon", "halt", "spent", "second"), "no gems; Heist; has placed the extra STOP"),
    ):
        table.do(move)
        scene = show(table, 1)
        assert find(scene, "stake-0").name == f"Ann: {said}"
        assert {"holds-0", "spent-0"} & keys(scene) == ({key} if key else set())
        if key:
            assert find(scene, key).marks == marks
    assert find(scene, "stake-1").name.endswith("; holds a STOP")


def test_ff_23_an_empty_hand_leaves_the_stop() -> None:
    table = turn("free-ruby").do("play free-ruby")
    assert show(table).prompt == "No cards left: place your STOP, or end the turn."
    table.do("stop ruby")
    assert show(table).prompt == "No cards left: buy an extra STOP, or end the turn."
    assert show(table.cash(999_999, 0)).prompt == "No cards left: end the turn."


def test_ff_15_a_hand_has_a_place_for_each_card_to_be_drawn() -> None:
    table = turn("free-ruby free-ruby")
    for cards in (2, 1, 0):
        hand = find(show(table), "hand")
        assert len(hand.children) == 3
        assert [piece.kind for piece in hand.children].count("card") == cards
        if cards:
            table.do("play free-ruby")


def test_ff_15_extra_cards_lie_beside_the_deck_with_their_prices() -> None:
    table = turn().cash(250_000, 0)
    scene = show(table)
    assert [find(scene, f"extra-{n}").action for n in (1, 2, 3)] == ["buy 1 new card", "buy 2 new cards", ""]
    why = find(scene, "extra-3").why
    assert why is not None
    assert "300,000" in why.text
    assert find(show(turn().cash(300_000, 0)), "extra-3").action == "buy 3 new cards", "the last dollar is enough"
    assert log(table, "buy 2 new cards") == ["Ann buys 2 new cards for 200,000. [FF-15]"]


def test_ff_17_cards_to_discard_are_picked() -> None:
    table = turn("heist ruby-1 heist")
    assert log(table, "discard") == []
    scene = show(table)
    assert scene.pick is not None
    assert scene.pick.moves["heist,heist"] == "discard heist heist"
    assert [find(scene, f"card-0-{place}").part for place in range(3)] == ["heist", "ruby-1", "heist"]
    assert log(table, "discard heist ruby-1") == ["Ann discards Heist and Ruby 1 and ends the turn. [FF-17]"]
    assert log(table, "card wild-1") == ["Ann draws Wild 1. [FF-17]"]


def test_ff_17_the_new_deck_is_logged() -> None:
    table = turn("ruby-1").do("play ruby-1", "buy 1 ruby", "end")
    state = table.state
    state.used, state.unseen, state.left = state.unseen, [0] * r.N_KINDS, 0
    assert log(table, "card wild-1")[0] == "The discard pile is shuffled and becomes the deck. [FF-17]"


def test_ff_25_the_bonus_is_logged() -> None:
    table = turn("ruby-1 ruby-2 heist").do("discard", "discard heist")
    assert log(table, "card ruby-3")[1] == "Three of a colour: the bank pays Ann 100,000. [FF-25]"


def test_ff_22_a_heist_from_card_to_booty() -> None:
    table = turn("heist", players=3).gems(2, ruby=1, emerald=2).do("play heist")
    assert find(show(table), "stake-1").action == "heist 2"
    why = find(show(table), "stake-2").why
    assert why is not None
    assert log(table, "heist 2") == ["Ann tries to heist Bob. [FF-22]"]
    assert "heists Bob" in show(table).prompt
    assert log(table, "heist 5") == ["Ann rolls 5. [FF-22]"]
    assert find(show(table), "attack-die").name == "Ann's heist die: 5"
    assert log(table, "heist 3") == ["Bob rolls 3. [FF-22]"]
    assert find(show(table), "own-1-0").action == "take ruby"
    assert log(table, "take ruby") == ["Ann takes 1 ruby and 1 emerald from Bob. [FF-22]"]  # the last is not asked
    failed = turn("heist").gems(2, ruby=1).do("play heist", "heist 2")
    failed.match.force("heist 2")
    assert log(failed, "heist 2")[1] == "The heist has failed. [FF-22]"
    assert show(failed).hold


def test_ff_20_ff_21_exchange_and_switch_step_by_step() -> None:
    table = turn("exchange switch", "ruby -1").gems(1, ruby=1).price("ruby", 100_000).do("play exchange")
    assert find(show(table), "own-0-0").action == "give ruby"
    assert log(table, "give ruby") == []
    assert "chosen" in find(show(table), "plate-ruby").marks
    assert find(show(table), "plate-emerald").action == "take emerald"
    assert find(show(table), "emerald-0").action == "take emerald"
    assert find(show(table), "emerald-0").clause == "FF-20"
    assert show(table).prompt == "A ruby goes back. Which gem do you take?"
    assert log(table, "take emerald") == ["Ann exchanges a ruby for an emerald. [FF-20]"]
    table.do("play switch")
    assert find(show(table), "plate-ruby").action == "switch ruby"
    table.do("switch ruby")
    assert log(table, "with emerald") == ["Ann switches: Ruby 5,000 and Emerald 100,000. [FF-21]"]
    closed = turn("switch").close("ruby").do("play switch", "switch emerald")
    assert log(closed, "with ruby") == ["Ann switches: Ruby opens again in place of Emerald, which is closed. [FF-21]"]


def test_ff_11_wild_is_asked_on_the_plates() -> None:
    table = Table()
    assert log(table, "roll wild -1") == ["Ann rolls Wild −1. [FF-11]"]
    scene = show(table)
    assert scene.prompt == "Wild: which market moves −1?"
    assert find(scene, "plate-diamond").action == "name diamond"
    assert show(table, 1).prompt == "Ann rolled Wild −1 and names a market."
    assert log(table, "name diamond") == ["Ann names Diamond: Diamond stays at 5,000. [FF-11]"]


def dice(table: Table) -> list[str]:
    return [die.key for die in find(show(table), "dice").children]


def test_ff_11_with_one_market_left_the_up_down_die_is_shown_alone() -> None:
    both, alone = ["gem-die", "step-die"], ["step-die"]
    table = Table().close("ruby", "sapphire").price("diamond", 1_000_000)
    assert dice(table) == both
    table.roll("diamond +1")
    assert dice(table) == both  # two markets were open when they were rolled
    table.do("end")
    assert dice(table) == alone
    assert dice(table.roll("emerald +1")) == alone
    table.price("emerald", 1_000_000).do("end").roll("emerald +1")
    assert table.match.over
    assert dice(table) == alone


def test_ff_19_ff_24_free_gems_are_logged() -> None:
    table = turn("free-ruby free-emerald", dead_cards="wild").close("emerald")
    assert log(table, "play free-ruby") == ["Ann takes a ruby for nothing. [FF-19]"]
    assert log(table, "play free-emerald") == []
    assert show(table).prompt == "Free Gem: from which market?"
    assert find(show(table), "diamond-0").clause == "FF-24"
    assert log(table, "free diamond") == ["Ann takes a diamond with Free Emerald. [FF-24]"]


def test_ff_27_ff_28_the_end_is_logged() -> None:
    table = Table().close("ruby", "sapphire", "diamond").price("emerald", 1_000_000).cash(5, 5)
    assert log(table, "roll emerald +1")[-1] == (
        "The last market has crashed: Ann and Bob share the win with 5. [FF-27]"
    )
    assert find(show(table), "seat-0").text == "shares the win"
    assert show(table).buttons == ()
    corner = turn("free-ruby").gems(1, ruby=9)
    assert log(corner, "play free-ruby")[-1] == "Ann has cornered the ruby market and wins. [FF-28]"
    assert find(show(corner), "seat-0").text == "wins"


def test_ff_10_gems_are_worth_what_the_bank_would_pay_for_them() -> None:
    table = Table().price("ruby", 50_000).price("emerald", 1_000_000).gems(1, ruby=2, emerald=1).cash(5_000, 700)
    assert worth(table.state) == (1_105_000, 700)
    table.roll("emerald +1")
    assert worth(table.state) == (105_000, 700)


def test_ff_30_every_hand_lies_open_and_the_deck_is_counted() -> None:
    table = turn("ruby-1 heist").hand(2, "wild-2 free-ruby switch")
    for viewer in (SPECTATOR, 0):
        scene = show(table, viewer)
        assert [find(scene, f"mini-1-{i}").name for i in range(3)] == ["Wild 2", "Free Ruby", "Switch Markets"]
    assert "hand" in keys(show(table, SPECTATOR))
    assert find(show(table), "deck").value == table.state.left
    assert any("Ruby 1 · 2 · 3" in note.text for note in find(show(table), "deck").children)


def test_ff_15_ff_23_ff_30_the_terminal_says_what_is_in_the_deck_and_what_can_be_bought() -> None:
    drawn = " ".join(plain.render(show(turn("ruby-1 heist").hand(2, "wild-2 free-ruby switch"))).split())
    assert (
        "104 in the deck, 0 in the discard pile [FF-17]: Ruby 1 · 2 · 3: 7 · 6 · 4 | Sapphire 1 · 2 · 3: 8 · 6 · 4 | D"
        in drawn
    )
    assert (
        "Wild 1 · 2 · 3: 4 · 2 · 2 | Free Gem, by colour: 2 · 3 · 3 · 3 | Free Exchange: 5 | Switch Markets: 4" in drawn
    )
    assert "Buy 3 new cards for 300,000 | Buy an extra STOP for 1,000,000" in drawn


def test_who_does_not_decide_sees_who_does() -> None:
    table = turn("ruby-1")
    waiting = show(table, 1)
    assert [str(button.why) for button in waiting.buttons] == ["Ann decides now."] * 2
    assert waiting.prompt == "Ann decides."
    assert show(table.do("play ruby-1"), 1).prompt == "Ann plays Ruby 1."
    rolling = Table()
    assert [str(button.why) for button in show(rolling).buttons] == ["Wait for the dice and cards."] * 2
    assert show(table, SPECTATOR).buttons == ()
    drawing = turn("ruby-1 ruby-1 heist").do("discard")
    assert show(drawing, 1).prompt == "Ann chooses cards to discard."
    assert show(drawing.do("discard ruby-1 ruby-1")).prompt == "Ann draws 2 more."


def test_the_prompt_and_the_cards_refer_to_their_clauses() -> None:
    table = turn("exchange heist free-ruby switch", players=3).gems(1, ruby=1).gems(2, ruby=1, diamond=4)
    assert show(table).clause == "FF-16"
    assert [find(show(table), f"card-0-{i}").clause for i in range(4)] == ["FF-20", "FF-22", "FF-19", "FF-21"]
    assert find(show(table, 1), "card-1-0").clause == ""  # not playable now
    steps = {
        "play exchange": "FF-20", "give ruby": "FF-20", "take emerald": "FF-16",
        "play switch": "FF-21", "switch ruby": "FF-21", "with emerald": "FF-16",
        "play heist": "FF-22", "heist 2": "FF-22", "heist 6": "FF-22", "heist 3": "FF-22", "take ruby": "FF-16",
        "discard": "FF-17", "discard free-ruby": "FF-17", "card wild-2": "FF-17", "card heist": "FF-17",
        "card ruby-1": "FF-11", "roll wild -1": "FF-11", "name ruby": "FF-16",
    }  # fmt: skip
    for step, clause in steps.items():
        log(table, step)
        assert (step, show(table).clause) == (step, clause)
    assert show(Table().price("ruby", 1_000_000).roll("ruby +1")).clause == "FF-26"
    assert show(turn("ruby-1").do("buy 1 new card")).clause == "FF-15"
    assert show(turn("ruby-1").do("play ruby-1")).clause == "FF-18"
    assert show(turn("free-ruby").gems(1, ruby=9).do("play free-ruby")).clause == "FF-28"
    dead = turn("free-ruby", dead_cards="wild").close("ruby").do("play free-ruby")
    assert show(dead).clause == "FF-24"
    over = Table().close("ruby", "sapphire", "diamond").price("emerald", 1_000_000).roll("emerald +1")
    assert show(over).clause == "FF-27"


def test_money_in_short_and_words_in_lists() -> None:
    assert [words.short(n) for n in (5_000, 75_000, 1_000_000, 1_250_000, 2_755_000)] == [
        "5k", "75k", "1M", "1.25M", "2.75M",
    ]  # fmt: skip
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.suite("4")
def test_every_position_of_whole_games_is_drawn_as_page_and_as_text(players: int) -> None:
    match = Match(GAME, names=NAMES[:players], seed=players, auto=True)
    rng = [0] * RNG_SIZE
    seed_rng(rng, players, 0)
    phases = set()
    while not match.over:
        phases.add(match.state.phase)
        for viewer in (SPECTATOR, match.current_player):
            scene = match.scene(viewer)
            page = html.render(scene)
            assert "None" not in page
            assert len(page) < 60_000
            assert scene.prompt in plain.render(scene).replace("\n", " ")
        legal = match.legal_action_ids()
        match.play(legal[random_below(rng, len(legal))])
    assert {r.PLAY, r.TRADE} <= phases
    assert all(line.clause for line in match.log())
