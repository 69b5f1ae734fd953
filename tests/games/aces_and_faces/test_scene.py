"""What Aces & Faces shows: the scene and the log, read like a player would."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from parlour.conformance.cases import random_steps
from parlour.core import html, plain
from parlour.core.contract import Step
from parlour.core.match import Match
from parlour.core.scene import SPECTATOR, Piece, Scene
from parlour.core.standing import weightiest
from parlour.games import find
from parlour.games.aces_and_faces.rules import pieces as c
from parlour.games.aces_and_faces.show import scene as scenes
from parlour.games.aces_and_faces.show.guide import GUIDE
from tests.games.aces_and_faces.table import NAMES, Table

GAME = find("aces_and_faces")


def pieces(piece: Piece) -> Iterator[Piece]:
    yield piece
    for child in piece.children:
        yield from pieces(child)


def shown(table: Table, viewer: int = 0) -> Scene:
    return table.match.scene(viewer)


def find_piece(scene: Scene, key: str) -> Piece:
    return next(piece for top in (scene.board, *scene.seats) for piece in pieces(top) if piece.key == key)


def keys(scene: Scene) -> set[str]:
    return {piece.key for piece in pieces(scene.board)}


def games(number: int, steps: int = 400) -> Iterator[tuple[Match, Step]]:
    for seed in range(number):
        match = Match(
            GAME, edition=("loop-36", "loop-24")[seed % 2], names=NAMES[: 2 + seed % 5], seed=seed, auto=False,
            options={"memory_aid": ("off", "on")[seed // 2 % 2], "handed_card": ("private", "public")[seed // 3 % 2]},
        )  # fmt: skip
        yield from ((match, step) for step in random_steps(match, seed, steps))


@pytest.mark.parametrize("edition", GAME.editions)
def test_af_02_the_first_steps_ring_a_card_square_and_a_game_square_on_every_board(edition: str) -> None:
    board = Table(edition=edition).state.board
    (card,) = (key for key, _, clause in GUIDE if clause == "AF-9")
    (other,) = (key for key, _, clause in GUIDE if clause == "AF-10")
    assert board[int(card.removeprefix("square-"))] < c.N_CARDS <= board[int(other.removeprefix("square-"))]


@pytest.mark.parametrize(("edition", "side"), [("loop-36", 10), ("loop-24", 7)])
def test_the_loop_is_a_square_ring(edition: str, side: int) -> None:
    loop = find_piece(shown(Table(edition=edition)), "loop")
    assert loop.limit == side
    places = {piece.at for piece in loop.children}
    ring = {(row, col) for row in range(1, side + 1) for col in range(1, side + 1)}
    inner = {(row, col) for row in range(2, side) for col in range(2, side)}
    assert places - {None} == ring - inner


def test_hands_are_hidden_but_for_ones_own_and_what_was_taken_before_all_eyes() -> None:
    table = Table().hold(1, "AS").hold(2, "KC QC").card("QD")
    mine = shown(table)
    assert {"card-AS", "card-QD"} <= keys(mine)
    assert "card-KC" not in keys(mine)
    assert {"back-1-0", "back-1-1"} <= keys(mine)
    other = shown(table, 1)
    assert {"card-KC", "card-QC", "card-QD"} <= keys(other)  # the queen of diamonds was taken in public
    assert "card-AS" not in keys(other)
    assert "last" in find_piece(other, "card-QD").marks
    assert "card-KC" not in keys(shown(table, SPECTATOR))
    table.card("5C")  # the next turn: it is a back like any other
    assert "card-QD" not in keys(shown(table, 1))


def test_a_piece_goes_square_by_square() -> None:
    table = Table().card("4H").move("anticlockwise")
    pawn = find_piece(shown(table), "pawn-0")
    assert pawn.path == ("square-35", "square-34", "square-33", "square-32")
    assert 'data-path="square-35 square-34' in html.render(shown(table))
    assert find_piece(shown(Table().card("KS")), "pawn-0").path == ()


def test_the_two_squares_are_offered_on_the_loop_and_in_the_bar() -> None:
    scene = shown(Table().card("4H"))
    assert find_piece(scene, "square-4").action == "clockwise"
    assert find_piece(scene, "square-32").action == "anticlockwise"
    assert {button.action: button.hint for button in scene.buttons} == {
        "anticlockwise": "K♠\ufe0e: take it", "clockwise": "Q♦\ufe0e: take it",
    }  # fmt: skip
    why = find_piece(scene, "card-AD").why
    assert why is not None
    assert why.clause == "AF-6"
    hints = [b.hint for b in shown(Table().hold(1, "QD").hold(2, "KS").card("4H")).buttons]
    assert hints == ["K♠\ufe0e: from a player", "Q♦\ufe0e: put it back"]


@pytest.mark.parametrize(
    ("square", "order"), [(0, ["anticlockwise", "clockwise"]), (22, ["clockwise", "anticlockwise"])]
)
def test_the_bar_lists_the_two_ways_as_they_are_on_the_board(square: int, order: list[str]) -> None:
    """AF-6: the left square comes first; on the lower side, that is the clockwise one."""
    scene = shown(Table().put(1, square).card("4H"))
    assert [button.action for button in scene.buttons] == order
    assert [way.action for way in find_piece(scene, "ways").children] == order
    columns = [
        next(one.at for one in pieces(scene.board) if one.kind == "space" and one.action == way) for way in order
    ]
    assert columns == sorted(columns, key=lambda at: at[::-1] if at else ())


def test_two_ways_to_a_duel_are_told_apart_in_words_and_by_an_arrow() -> None:
    scene = shown(Table().put(1, 9).card("3H"))
    ways = {way.action: way for way in find_piece(scene, "ways").children}
    said = {button.action: button.hint for button in scene.buttons}
    assert said == {"anticlockwise": "Duel by K♦\ufe0e", "clockwise": "Duel by J♣\ufe0e"}
    assert {way: plate.name for way, plate in ways.items()} == {
        "anticlockwise": "Anticlockwise, Duel by K♦\ufe0e", "clockwise": "Clockwise, Duel by J♣\ufe0e",
    }  # fmt: skip
    assert ways["clockwise"].text != ways["anticlockwise"].text
    assert not any(way.action for way in find_piece(shown(Table().put(1, 9).card("3H"), 1), "ways").children)


def test_af_14_only_the_player_to_move_is_shown_what_a_card_square_would_bring() -> None:
    table = Table().hold(1, "QD").card("4H")
    said = {viewer: [way.children[1].text for way in find_piece(shown(table, viewer), "ways").children]
            for viewer in (0, 1)}  # fmt: skip
    assert said == {0: ["K♠\ufe0e: take it", "Q♦\ufe0e: put it back"], 1: ["K♠\ufe0e", "Q♦\ufe0e"]}


def test_a_guess_is_offered_in_the_middle_in_the_order_of_the_bar() -> None:
    scene = shown(Table().put(1, 33).card("2D").move("clockwise"))
    assert [say.action for say in find_piece(scene, "says").children] == [button.action for button in scene.buttons]


def test_the_race_shows_from_the_first_turn_who_has_what_in_lines() -> None:
    """AF-13, AF-14: it says no more than the table does: who holds a card only where that is shown."""
    first = shown(Table(3, seated=False))
    cards = [piece for piece in pieces(find_piece(first, "race")) if "cell" in piece.marks]
    assert [piece.name.partition(":")[2] for piece in cards] == [" in its slot"] * 16
    table = Table(3).hold(1, "QD QS KH").hold(2, "QC").card("JH")
    said = {viewer: find_piece(shown(table, viewer), "race-QD").name for viewer in (0, 1, SPECTATOR)}
    assert said == {
        0: "Queen of Diamonds: with you", 1: "Queen of Diamonds: with another player",
        SPECTATOR: "Queen of Diamonds: with another player",
    }  # fmt: skip
    assert find_piece(shown(table), "race-QC").seat is None
    assert find_piece(shown(table, 1), "race-JH").name == "Jack of Hearts: with Ann"  # taken just now, in public
    assert find_piece(shown(table), "sum-1").text == "2"
    assert {"near"} <= set(find_piece(shown(table), "sum-1").marks)
    assert "want" in find_piece(shown(table), "race-QH").marks
    assert "sum-1" not in keys(shown(table, SPECTATOR))
    aided = Table(3, memory_aid="on").hold(1, "QD").hold(2, "QC").card("JH")
    assert find_piece(shown(aided), "race-QC").seat == 1


def test_cards_to_take_to_name_and_to_give_are_clicked_where_they_are() -> None:
    match = shown(Table().put(1, 5).card("4S").move("clockwise").card("3C"))
    assert find_piece(match, "card-QC").action == "take QC"
    assert find_piece(match, "card-QH").why is not None
    table = Table().hold(1, "AS").hold(2, "QH").put(1, 1).card("2C").move("clockwise")
    duel = shown(table)
    assert find_piece(duel, "ghost-QH").action == "duel QH"
    assert find_piece(duel, "ghost-QH").name == "Duel for the Queen of Hearts, not here"
    assert find_piece(duel, "ghost-AS").why is not None
    assert [button.action for button in duel.buttons] == ["no duel"]
    table.move("duel QH").card("2H", "9S")
    give = shown(table)
    assert find_piece(give, "card-AS").action == "give AS"
    assert "Give Bob a card" in give.prompt
    assert give.buttons[0].why is not None


def test_everybody_sees_a_duel_card_against_card() -> None:
    table = Table().hold(1, "AS").hold(2, "QH").duel("QH", "2H", "9S")
    for viewer in (SPECTATOR, 0, 1, 2):
        scene = shown(table, viewer)
        assert find_piece(scene, "duel-challenger").name == "the 2 of Hearts"
        assert find_piece(scene, "duel-opponent").marks == ("pilecard", "ahead")
        assert find_piece(scene, "duel-for").text == "Duel for the Queen of Hearts"
    half = Table().hold(1, "AS").hold(2, "QH").put(1, 1).card("2C").move("clockwise", "duel QH")
    assert shown(half, 2).hold > 1000
    assert find_piece(shown(half, 2), "duel-challenger").face == "aces-and-faces-back"


def test_af_14_the_log_names_the_card_handed_over_to_the_duellists_only() -> None:
    table = Table().hold(1, "AS JD").hold(2, "QH").duel("QH", "2H", "9S")
    step = table.match.step(table.match.parse("give JD"))
    logs = {viewer: " ".join(line.text for line in scenes.tell(step, viewer, NAMES)) for viewer in (SPECTATOR, 0, 1, 2)}
    assert "Jack of Diamonds" in logs[0]
    assert "Jack of Diamonds" in logs[1]
    assert "Jack" not in logs[2] + logs[SPECTATOR]
    assert "gives Bob a card" in logs[2]
    public = Table(handed_card="public").hold(1, "AS JD").hold(2, "QH").duel("QH", "2H", "9S")
    step = public.match.step(public.match.parse("give JD"))
    assert "gives Bob the Jack of Diamonds" in scenes.tell(step, 2, NAMES)[0].text


def test_af_15_the_memory_aid_shows_who_may_hold_what_and_what_is_left() -> None:
    aided = Table(4, memory_aid="on").hold(1, "JD KH").hold(3, "KC").duel("KC", "2H", "AH").move("give KH")
    scene = shown(aided, 1)
    assert {"at-JD-0", "at-JD-2", "at-KC-2"} <= keys(scene)
    assert "card-KC" in keys(scene)
    assert find_piece(scene, "ghost-JD").name == "Jack of Diamonds, held by Ann or Cleo"
    assert find_piece(scene, "left-Jokers").value == 4
    bare = Table(4).hold(1, "JD KH").hold(3, "KC").duel("KC", "2H", "AH").move("give KH")
    assert not {key for key in keys(shown(bare, 1)) if key.startswith(("at-", "left-"))}
    assert {key for key in keys(shown(bare, 0)) if key.startswith("at-")} == {"at-JD", "at-JD-0"}  # the viewer's own
    guess = Table(memory_aid="on").put(1, 33).card("2D").move("clockwise")
    assert [button.hint for button in shown(guess).buttons] == ["0 of 91 cards", "80 of 91 cards"]


def test_the_winner_shows_his_hand_and_the_end_is_logged() -> None:
    table = Table().hold(1, "KC").hold(3, "KD KH KS AS").duel("AS", "2H", "3H")
    step = table.match.step(table.match.parse("give KC"))
    lines = scenes.tell(step, 1, NAMES)
    assert [line.clause for line in lines] == ["AF-14", "AF-15", "AF-13"]
    assert weightiest(lines) == "Ann loses the duel and gives Cleo a card."  # and not the list of the cards shown
    assert lines[-1].text == "Cleo wins with all four kings, outside the turn."
    scene = shown(table, 1)
    assert {"card-KD", "card-KC", "card-KH", "card-KS", "card-AS"} <= keys(scene)
    assert scene.winners == (2,)
    shared = Table()
    shared.state.turns = 2999
    shared.card("joker")
    assert "all share" in shown(shared).prompt
    assert find_piece(shown(shared), "seat-1").text == "shares the game"


def test_pieces_are_set_out_one_after_the_other() -> None:
    table = Table(3, seated=False)
    assert not {key for key in keys(shown(table)) if key.startswith("pawn-")}
    table.match.force("seat 2 starts")
    table.move("corner hearts")
    assert {key for key in keys(shown(table)) if key.startswith("pawn-")} == {"pawn-1"}
    assert find_piece(shown(table, 2), "square-9").action == "corner clubs"
    assert len(shown(table, 2).buttons) == 4


def test_the_log_tells_whole_games_and_cites_every_clause_of_play() -> None:
    cited: set[str] = set()
    for match, step in games(14, 1500):
        for line in scenes.tell(step, SPECTATOR, match.names):
            assert line.text.endswith(".")
            assert "  " not in line.text
            cited.add(line.clause)
    assert {f"AF-{n}" for n in (3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)} <= cited


def test_scenes_are_small_named_and_fit_the_terminal() -> None:
    art = GAME.art
    for match, step in games(5, 50):
        for viewer in (SPECTATOR, 0):
            scene = scenes.scene(step.after, viewer, match.names)
            found = [piece for top in (scene.board, *scene.seats) for piece in pieces(top)]
            assert len({piece.key for piece in found}) == len(found)
            assert all(piece.name for piece in found if piece.kind in ("token", "seat", "stack"))
            assert all(f'id="{piece.face}"' in art for piece in found if piece.face)
            assert len(html.render(scene, "/rules/aces-and-faces").encode()) < 30_000
            assert max(map(len, plain.render(scene).splitlines())) <= plain.WIDTH


def test_six_pieces_share_a_square_and_are_told_apart_by_shape_and_colour() -> None:
    table = Table(6)
    for seat in range(1, 7):
        table.put(seat, 18)
    here = find_piece(shown(table), "pawns-18")
    assert len({piece.face for piece in here.children}) == 6
    assert len({piece.marks[1] for piece in here.children}) == 6
    assert 'id="aces-and-faces-cover"' in GAME.art
    assert all(f'id="aces-and-faces-{kind}"' in GAME.art for kind in c.KINDS)
    assert GAME.facts.players == (2, 6)


def test_af_13_plates_and_the_result_count_different_things_and_say_which() -> None:
    """A plate has all cards of a player, the result the most of a kind or of a suit."""
    table = Table(4).hold(1, "JD QD KD JH QH KH JC").hold(2, "KC KS AS").hold(3, "AC")
    plates = [(one.value, one.short) for one in shown(table).seats]
    assert plates == [(7, "cards"), (3, "cards"), (1, "card"), (0, "cards")]
    said = [*zip(scenes.race(table.state), scenes.raced(table.state), strict=True)]
    assert said == [(3, "Jacks"), (2, "Kings"), (1, ""), (0, "")]
    assert "7<small>&nbsp;cards</small></span>" in html.render(shown(table))
    assert "7 cards" in plain.render(shown(table))
