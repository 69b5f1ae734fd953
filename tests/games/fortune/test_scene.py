"""What Fortune shows: the scene and the log, read like a player would."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import parlour
from parlour.core import html, plain
from parlour.core.contract import Step
from parlour.core.match import Match
from parlour.core.scene import SPECTATOR, Piece, Scene
from parlour.games.fortune import rules as r
from parlour.games.fortune.show import scene as scenes
from parlour.games.fortune.show import words
from tests.games.fortune.table import NOTHING, Table, lay

NAMES = ("Ann", "Bob", "Cleo", "Dora")
OPTIONS = (
    {},
    {"storm_scoring": "sets", "truce_on_bust": "none", "target": "5000"},
    {"storm_scoring": "sets_doubled", "must_keep_one": "true", "floor_at_zero": "true", "pile": "reshuffle"},
    {"sorceress_alone": "true", "card_skull_spoils_chest": "true", "finish": "at_least", "target": "5000"},
)


def games(number: int = 12, steps: int = 160) -> Iterator[tuple[Match, Step]]:
    """Every step of some games played half at random: all cards, both editions, all kinds of options."""
    for seed in range(number):
        match = parlour.new(
            "fortune", edition=("shafir-35", "classic-35")[seed % 2], options=OPTIONS[seed % 4], seed=seed,
            names=NAMES[: 2 + seed % 3],
        )  # fmt: skip
        yield from ((match, step) for step in match.history())
        choose = random.Random(seed)
        while not match.over and match.version < steps:
            actions = match.legal_action_ids()
            yield from ((match, step) for step in match.play(choose.choice(actions) if choose.random() < 0.5 else 0))


def pieces(piece: Piece) -> Iterator[Piece]:
    yield piece
    for child in piece.children:
        yield from pieces(child)


def find(scene: Scene, key: str) -> Piece:
    return next(piece for top in (scene.board, *scene.seats) for piece in pieces(top) if piece.key == key)


def state(card: int = r.CARD_GOLD, dice: str = "sword " * 8, **fields: Any) -> r.State:
    """A position in which seat 0 decides after a roll: `dice` by place."""
    match = parlour.new("fortune", names=NAMES[:3], seed=1)
    made: r.State = match.state
    made.card, made.roller, made.player, made.phase, made.rolls = card, 0, 0, r.DECIDE, 1
    lay(made, [r.FACES.index(name) for name in dice.split()])
    made.rolled = 255
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def show(made: r.State, viewer: int = 0) -> Scene:
    return scenes.scene(made, viewer, NAMES[:3])


def test_the_pick_offers_exactly_the_legal_rolls_and_names_them_as_the_rules_do() -> None:
    for match, step in games(3):
        after = step.after
        if after.phase != r.DECIDE:
            continue
        shown = scenes.scene(after, after.player, match.names)
        buffer = [0] * r.MAX_LEGAL
        actions = buffer[: r.legal_actions(after, buffer)]
        texts = {match.game.text.format_action(after, action) for action in actions}
        offered = {button.action for button in shown.buttons} | set(shown.pick.moves.values() if shown.pick else ())
        assert offered - {""} == texts
        if shown.pick:
            parts = {piece.part for piece in pieces(shown.board) if piece.part}
            assert parts == {token for tokens in shown.pick.moves for token in tokens.split(",")}


def test_what_a_turn_is_worth_is_the_sum_of_its_lines() -> None:
    seen = set()
    for match, step in games():
        after = step.after
        if after.phase not in (r.DECIDE, r.DRAW_CARD, r.OVER) or after.roller == r.NOBODY:
            continue
        total = sum(share.value for share in words.shares(after))
        assert total == (-r.island_loss(after) if after.island else r.worth_now(after))
        counter = find(scenes.scene(after, SPECTATOR, match.names), "worth")
        assert counter.value == total
        seen.add((after.card, after.fate))
    assert {card for card, _ in seen} == set(range(r.N_CARDS))


def test_keys_are_unique_dice_are_eight_and_only_the_one_who_decides_is_offered_moves() -> None:
    for match, step in games(3):
        for viewer in (SPECTATOR, *range(len(match.names))):
            shown = scenes.scene(step.after, viewer, match.names)
            keys = [piece.key for top in (shown.board, *shown.seats) for piece in pieces(top)]
            assert len(keys) == len(set(keys))
            dice = [piece for piece in pieces(shown.board) if piece.kind == "die"]
            assert len(dice) == (8 if step.after.roller != r.NOBODY else 0)
            decides = step.after.phase == r.DECIDE and viewer == step.after.player
            assert any(button.action for button in shown.buttons) == decides
            assert any(piece.part for piece in pieces(shown.board)) <= decides
            assert len(html.render(shown, "/rules/fortune").encode()) < 20_000
            assert max(map(len, plain.render(shown).splitlines())) <= plain.WIDTH


def test_skulls_lie_aside_and_say_why_they_cannot_be_rolled() -> None:
    shown = show(state(dice="skull sword sword gold skull parrot monkey diamond"))
    aside = [piece.key for piece in find(shown, "skulls").children if piece.kind == "die"]
    assert aside == ["die-1", "die-5"]
    why = find(shown, "die-1").why
    assert why is not None
    assert why.clause == "FO-6"
    assert find(shown, "die-2").part == "sword"
    assert "danger" in find(shown, "skulls").marks


def test_the_sorceress_frees_one_skull_and_says_so_when_she_must() -> None:
    shown = show(state(r.SORCERESS, dice="skull skull skull gold gold parrot monkey diamond"))
    assert "Sorceress" in shown.prompt
    assert shown.pick is not None
    assert "gold,skull" in shown.pick.moves
    assert "gold,gold" not in shown.pick.moves
    assert shown.pick.whys[""].clause == "FO-18"
    assert find(shown, "die-1").part == "skull"


@pytest.mark.parametrize("skulls", [1, 2, 3])
def test_fo_18_with_sorceress_alone_nothing_shown_asks_for_another_die(skulls: int) -> None:
    dice = "skull " * skulls + "gold " * (8 - skulls)
    made = state(r.SORCERESS, dice=dice, sorceress_alone=1)
    shown = show(made)
    assert shown.pick is not None
    assert "skull" in shown.pick.moves
    said = [find(shown, "card").text, *(why.text for why in shown.pick.whys.values())]
    assert said[0] == "Once this turn you may re-roll a skull, alone or with other dice."
    assert not any("another die" in text or "dice with it" in text for text in said)
    assert "alone" not in find(show(state(r.SORCERESS, dice=dice)), "card").text


def test_fo_06_not_all_eight_dice_is_no_fault_of_the_sorceress() -> None:
    for skulls, clause in ((0, "FO-6"), (1, "FO-6"), (2, "FO-18")):
        made = state(r.SORCERESS, dice="skull " * skulls + "gold " * (8 - skulls), must_keep_one=1)
        pick = show(made).pick
        assert pick is not None
        assert pick.whys.get("8", pick.whys[""]).clause == clause


def test_on_the_island_all_dice_are_rolled_by_one_button() -> None:
    shown = show(state(dice="skull skull skull skull gold parrot monkey diamond", island=1))
    assert shown.pick is None
    assert [(button.label, button.action) for button in shown.buttons] == [
        ("Stop", "stop"),
        ("Re-roll all 4", "re-roll 5 6 7 8"),
    ]
    why = find(shown, "die-5").why
    assert why is not None
    assert why.clause == "FO-14"
    worth = find(shown, "worth")
    assert (worth.name, worth.value) == ("Each opponent loses", -400)


def test_kept_dice_lie_on_the_treasure_chest() -> None:
    made = state(r.CHEST, dice="gold gold sword sword sword parrot monkey diamond", rolls=2, rolled=0b11100000)
    shown = show(made)
    assert "chest" in find(shown, "slot-1").marks
    assert "chest" not in find(shown, "slot-8").marks
    assert {piece.name for piece in find(shown, "card").children} == {
        "2 gold coins on the chest",
        "3 swords on the chest",
    }


def test_a_bust_is_seen_before_the_next_card_is_turned() -> None:
    for match, step in games(4):
        if step.after.phase == r.DRAW_CARD and step.after.fate == r.DISQUALIFIED:
            shown = scenes.scene(step.after, SPECTATOR, match.names)
            assert shown.hold > 1000
            assert "bust" in shown.board.marks
            assert find(shown, "fate").clause == "FO-7"
            assert "disqualified" in shown.prompt
            assert len([piece for piece in find(shown, "skulls").children if piece.kind != "space"]) >= 3
            return
    pytest.fail("no turn was lost")


def test_totals_below_zero_have_a_place_on_the_rope() -> None:
    shown = show(state(scores=[-1250, 400, 8200, 0]))
    rope = find(shown, "rope")
    assert (rope.value, rope.limit) == (-2000, 8000)
    drawn = html.render(shown)
    assert 'data-left="7.4"' in drawn  # (-1250 + 2000) / (8200 + 2000), in percent
    assert 'data-left="100.0"' in drawn
    assert "−1,250" in drawn


def test_the_rope_says_how_far_it_is_and_where_stopping_now_would_lead() -> None:
    """The words are beside the further token, or to the left where there is no room on its right."""

    def rope(**fields: Any) -> list[tuple[str, int | None, str, tuple[str, ...]]]:
        tokens = find(show(state(dice=four_coins, **fields)), "rope").children
        return [(token.key, token.value, token.text, token.marks) for token in tokens]

    four_coins = "gold gold gold sword sword monkey monkey parrot"  # one is on the card
    assert rope(scores=[1500, 6000, 300, 0]) == [
        ("mark-0", 1500, "", ()), ("then-0-2100", 2100, "stop: 5,900 to go", ("then",)),
        ("mark-1", 6000, "2,000 to go", ("before",)), ("mark-2", 300, "7,700 to go", ()),
    ]  # fmt: skip
    assert rope(scores=[7500, 9000, 0, 0])[:3] == [
        ("mark-0", 7500, "stop: across the line", ("before",)), ("then-0-8100", 8100, "", ("then",)),
        ("mark-1", 9000, "across the line", ("before",)),
    ]  # fmt: skip
    assert [key for key, *_ in rope(phase=r.ROLL)] == ["mark-0", "mark-1", "mark-2"], "nothing is known in the air"
    drawn = html.render(show(state(dice=four_coins, scores=[1500, 6000, 300, 0])))
    assert drawn.count('class="says"') == 3
    assert 'data-lanes="3"' in drawn


def test_what_a_loss_leaves_is_said_beside_where_the_token_would_be() -> None:
    """Where there is no room for it, the words are about the token itself."""

    def rope(score: int, battle: int) -> list[tuple[str, str, tuple[str, ...]]]:
        lost = state(battle, "gold gold monkey monkey parrot parrot sword skull", scores=[score, 0, 0, 0])
        return [(token.key, token.text, token.marks) for token in find(show(lost), "rope").children][:2]

    assert rope(5000, r.SEA_2) == [("mark-0", "", ()), ("then-0-4700", "stop: 3,300 to go", ("then", "before"))]
    assert rope(1300, r.SEA_2) == [("mark-0", "6,700 to go", ()), ("then-0-1000", "", ("then",))]


def test_the_pile_tells_what_is_left_and_then_what_comes() -> None:
    one_left = state()
    one_left.turned = one_left.deck_size - 1
    one_left.unseen = [0] * r.N_CARDS
    one_left.unseen[r.STORM] = 1
    assert find(show(one_left), "pile").name == "Next card: Storm"
    known = state()
    known.turned = known.deck_size + 3
    known.pile = [kind % r.N_CARDS for kind in range(r.MAX_PILE)]
    assert find(show(known), "pile").name == f"Next card: {words.TITLES[3]}"
    assert [piece.text for piece in find(show(known), "pile").children][:2] == ["1. Captain", "2. Treasure Chest"]


def test_the_final_round_is_announced() -> None:
    shown = show(state(finisher=1, final_left=2, player=2, scores=[100, 8300, 0, 0]))
    assert find(shown, "rope").text == "Final round, begun by Bob: 2 more turns"
    assert find(shown, "seat-1").text == "has finished"
    assert find(shown, "seat-0").text == "one last turn"


def test_fo_28_no_round_is_counted_past_the_limit() -> None:
    for turns, phase, text in (
        (299, r.DECIDE, "Round 100 of 100"),
        (300, r.OVER, "Round 100 of 100"),
        (301, r.OVER, "Final round, past round 100"),
    ):
        assert find(show(state(turns=turns, phase=phase)), "rope").text == text
    assert find(show(state(turns=301, round_limit=0)), "rope").text == "Round 101"


def test_fo_12_a_loss_that_is_cut_at_zero_is_logged_as_such() -> None:
    table = Table(3, floor_at_zero="true").totals(0, 300, 900).turn("captain", "4 skull 4 gold")
    assert scenes.scene(table.state, 0, NAMES[:3]).buttons[0].hint == "each opponent −800, not below zero"
    line = scenes.tell(table.match.step(r.STOP), SPECTATOR, NAMES[:3])[-1].text
    assert line == "Ann leaves the Island of Skulls: everyone else −800, not below zero."
    shown = scenes.scene(table.state, SPECTATOR, NAMES[:3])
    assert [seat.text for seat in shown.seats] == ["0", "−800, not below zero", "−800"]
    table.turn("sea-battle-4", NOTHING)
    line = scenes.tell(table.match.step(r.STOP), SPECTATOR, NAMES[:3])[-1].text
    assert line == "Bob stops: −1,000, not below zero. Total 0."
    table.totals(0, 0, 1200).turn("sea-battle-4", NOTHING)
    line = scenes.tell(table.match.step(r.STOP), SPECTATOR, NAMES[:3])[-1].text
    assert line == "Cleo stops: −1,000. Total 200."


def test_the_log_tells_a_whole_game_with_clauses() -> None:
    cited: set[str] = set()
    ends = 0
    for match, step in games(16, 700):
        for line in scenes.tell(step, SPECTATOR, match.names):
            assert line.text.endswith(".")
            cited.add(line.clause)
            ends += line.kind == "end"
    assert ends > 5
    for clause in (
        "FO-3",
        "FO-5",
        "FO-6",
        "FO-7",
        "FO-8",
        "FO-13",
        "FO-14",
        "FO-15",
        "FO-18",
        "FO-19",
        "FO-23",
        "FO-25",
        "FO-26",
    ):
        assert clause in cited, clause


@pytest.mark.parametrize(
    ("change", "text", "clause"),
    [
        (lambda s: setattr(s, "scores", [9000, 9000, 100, 0]), "Ann and Bob share the win with 9,000.", "FO-27"),
        (lambda s: setattr(s, "scores", [9000, 50, 100, 0]), "Ann wins with 9,000.", "FO-26"),
    ],
)
def test_the_end_is_logged(change: Callable[[r.State], None], text: str, clause: str) -> None:
    before = state(final_left=1, turns=8)
    after = state(phase=r.OVER, fate=r.STOPPED, turns=9)
    change(after)
    line = scenes.tell(Step(before, 0, r.STOP, after), SPECTATOR, NAMES[:3])[-1]
    assert (line.text, line.clause, line.kind) == (text, clause, "end")


@pytest.mark.parametrize(
    ("turns", "points", "scores", "text", "clause"),
    [
        (200, -800, [8100, 0], "Ann wins with 7,300.", "FO-28"),  # pulled back in a final round past the limit
        (199, 400, [8100, 0], "Ann wins with 8,100.", "FO-26"),  # a final round that ends with the last round
        (199, 400, [500, 0], "Ann wins with 500.", "FO-28"),
        (199, 400, [900, 500], "Ann and Bob share the win with 900.", "FO-27"),
    ],
)
def test_fo_26_fo_28_the_end_names_the_clause_that_brought_it(
    turns: int, points: int, scores: list[int], text: str, clause: str
) -> None:
    table = Table(2, starts=2).totals(*scores)
    table.state.turns = turns
    if scores[0] > 8000:
        table.state.finisher, table.state.final_left = 0, 1
    table.turn("captain", "4 skull 4 gold" if points < 0 else "2 gold 2 sword 2 monkey 2 skull")
    line = scenes.tell(table.match.step(r.STOP), SPECTATOR, NAMES[:2])[-1]
    assert (line.text, line.clause, line.kind) == (text, clause, "end")
    shown = scenes.scene(table.state, SPECTATOR, NAMES[:2])
    assert (shown.prompt, shown.clause) == (text, clause)


def test_a_notebook_draws_the_table_in_a_frame_of_its_own() -> None:
    drawn = parlour.new("fortune", names=("<Ann>", "Bob"), seed=3)._repr_html_()
    assert drawn.startswith("<iframe srcdoc='")
    assert "&amp;lt;Ann&amp;gt;" in drawn
    assert "<Ann>" not in drawn
    assert drawn.count("'") == 6  # the ends of srcdoc, style and title


def test_every_picture_that_is_referred_to_is_drawn() -> None:
    art = parlour.find("fortune").art
    for _, step in games(3):
        for piece in pieces(scenes.scene(step.after, 0, NAMES[:4]).board):
            assert not piece.face or f'id="{piece.face}"' in art
    assert 'id="fortune-cover"' in art
