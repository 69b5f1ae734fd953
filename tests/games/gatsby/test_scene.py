"""What is seen: clicks on the board, prompts, the ledger, and nothing that is hidden."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from parlour.core import html
from parlour.core.match import Match
from parlour.core.scene import SPECTATOR, Piece
from parlour.games.gatsby import rules as r
from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.rules import state as s
from parlour.games.gatsby.show import words
from parlour.games.gatsby.show.scene import scene
from parlour.games.gatsby.show.telling import tell
from tests.games.gatsby.table import GATSBY, PEEK, S7, SLOTS, Part, Table, bonus

NAMES = ("Anne", "Ben")


def pieces(piece: Piece) -> Iterator[Piece]:
    yield piece
    for child in piece.children:
        yield from pieces(child)


def found(table: Table, viewer: int = 0) -> dict[str, Piece]:
    shown = scene(table.state, viewer, NAMES)
    return {piece.key: piece for piece in pieces(shown.board)} | {piece.key: piece for piece in shown.seats}


def prompt(table: Table, viewer: int = 0) -> str:
    return scene(table.state, viewer, NAMES).prompt


def log(table: Table, *moves: str, viewer: int = SPECTATOR) -> list[tuple[str, str]]:
    """Return what the log says of the last of these moves."""
    table.play(*moves[:-1])
    match = table.match
    last = moves[-1]
    action = match.parse_outcome(last) if match.current_player == -1 else match.parse(last)
    return [(line.text, line.clause) for line in tell(match.step(action), viewer, NAMES)]


def test_ga_09_actions_are_clicked_on_the_board_and_the_others_say_why_not() -> None:
    table = Table().play("B", "a3")
    shown = found(table, 1)
    assert [shown[f"action-{a}"].action for a in "abcd"] == ["A", "", "C", "D"]
    assert shown["action-b"].why is not None
    assert shown["action-b"].why.clause == "GA-9"
    assert "token is here" in shown["action-b"].name
    assert shown["special1"].action == "special"
    assert not any(piece.action for piece in found(table, 0).values())


def test_ga_14_the_forcer_clicks_the_opponents_tile() -> None:
    table = Table().put(1, "a3").play("A", "b3", "take force")
    assert "chooses next" in found(table)["seat-0"].text
    table.play("b4")
    assert found(table, 0)["special1"].action == "special"
    assert prompt(table, 0) == "You pull the strings: choose the action that Ben must take."
    assert prompt(table, 1) == "Anne pulls the strings and chooses the action of Ben."


def test_ga_10_spaces_are_clicked_and_the_others_say_why_not() -> None:
    shown = found(Table().play("A"))
    assert shown["space-a1"].action == "a1"
    assert shown["space-d4"].why is not None
    assert shown["space-d4"].why.clause == "GA-10"
    assert shown["space-row 1 space 1"].why is not None
    assert "bonus Finance" in shown["space-a1"].name
    assert "star" in shown["space-b2"].name
    assert "Ben's token" in shown["space-a2"].name
    assert shown["space-a2"].why is not None
    assert shown["space-a2"].why.text == "There is a token there already."


def test_ga_12_rows_are_clicked_at_their_leftmost_empty_space() -> None:
    shown = found(Table().put(2, "3.1").play("D"))
    assert shown["space-row 3 space 2"].action == "row 3"
    assert shown["space-row 3 space 3"].why is not None


def test_ga_14_tokens_are_clicked_for_a_swap() -> None:
    table = Table().put(1, "d4").due(s.OWN)
    assert found(table)["space-d4"].action == "swap d4"
    table.play("swap d4")
    assert found(table)["space-a2"].action == "with a2"
    assert prompt(table, 1) == "Anne swaps two tokens."


def test_ga_14_two_characters_are_picked_on_the_board() -> None:
    table = Table().give(2, track2="stage-2").due(PEEK).play("take peek")
    shown = scene(table.state, 0, NAMES)
    assert shown.pick is not None
    assert shown.pick.moves["level6,ne"] == "peek ne level6"
    assert not shown.pick.all
    cards = found(table)
    assert cards["char-0"].part == "ne"
    assert cards["char-8"].part == ""
    assert cards["char-8"].why is not None
    assert "data-all" not in html.render(shown)
    assert scene(table.state, 1, NAMES).pick is None
    blind = scene(Table().due(S7).state, 0, NAMES)
    assert blind.pick is not None
    assert blind.pick.label == "Swap {n}"


def test_ga_24_a_known_face_is_shown_to_him_alone_and_then_one_of_two() -> None:
    table = Table().due(PEEK).play("take peek", "peek stars track2", "jazz-2", "turf-2")
    assert [b.key for b in scene(table.state, 0, NAMES).buttons] == ["no", "yes"]
    knows = "Now you know: Ruby Shaw at the stars, Kit Farrow at row 2. Swap them?"
    assert prompt(table, 0) == knows
    assert prompt(table, 1) == "Anne may quietly swap the two characters."
    table.play("no swap")
    mine, other = found(table, 0)["char-2"], found(table, 1)["char-2"]
    assert mine.face == "gatsby-c-jazz-2"
    assert "secret" in mine.marks
    assert "known to you" in mine.name
    assert other.face == "gatsby-back"
    table.state.player = 1
    table.due(PEEK).play("take peek", "peek stars level6", "jazz-2", "bank-1", "swap")
    for key in ("char-2", "char-4"):
        assert "perhaps Ruby Shaw (Jazz, 1)" in found(table, 0)[key].name
        assert [chip.face for chip in found(table, 0)[key].children] == ["gatsby-s-jazz"]
    assert "at the stars or level 6" in found(table, 0)["chip-13"].name


def test_ga_22_the_ledger_says_who_can_still_complete_which_suit() -> None:
    table = Table().give(1, track2="stage-2").give(2, track3="press-2", track4="jazz-2")
    shown = found(table)
    assert (shown["reach-0-0"].text, shown["reach-0-1"].text) == ("1/3", "×")
    assert (shown["reach-1-0"].text, shown["reach-1-1"].text) == ("×", "1/3")
    assert shown["reach-all-1"].text == "2/5"
    assert "with Ben" in shown["chip-4"].name
    assert "not seen" in shown["chip-6"].name
    assert "at the north-east path" in shown["chip-0"].name


def test_ga_22_what_is_within_reach_is_explained_where_it_is_shown() -> None:
    ledger = found(Table())["ledger"]
    meaning = ledger.children[0]
    assert (meaning.key, meaning.kind) == ("reach-means", "stack")  # opens by a tap, and by the keyboard
    said = " ".join(note.text for note in meaning.children)
    shown = {mark for piece in pieces(ledger) if piece.kind == "badge" for mark in piece.text if not mark.isdigit()}
    assert shown <= set(said), shown
    assert [piece.name for piece in pieces(ledger) if "head" in piece.marks] == list(NAMES)


def test_tokens_of_each_player_have_a_shape_of_their_own() -> None:
    shown = found(Table().put(1, "d4").play("B", "c4"))
    faces = [shown[key].face for key in ("token-d4", "token-a2", "climber-0", "climber-1", "action-token")]
    assert len(set(faces)) == len(faces)
    assert all(f'id="{face}"' in GATSBY.art for face in faces)


def test_ga_22_too_few_unknown_places_for_what_is_missing() -> None:
    table = Table().give(1, stars="stage-2", level6="stage-3", level9="press-2", track2="press-3")
    table.give(1, track3="bank-1")
    shown = found(table)
    assert shown["reach-3-0"].text == "×"  # two of the Turf are missing, and one place is unknown
    assert shown["reach-all-0"].text == "3/5"
    table.give(2, track4="turf-2", level12="turf-1").give(2, track1="jazz-1")
    assert found(table)["reach-all-0"].text == "×"  # where should a Turf come from?


def test_ga_24_the_opponent_sees_no_tile_that_is_drawn() -> None:
    table = Table().due(bonus(p.SPECIAL)).play("take special", "tile S3")
    assert prompt(table, 1) == "Anne draws Special Action tiles."
    assert prompt(table, 0) == "You draw Special Action tiles."
    table.play("tile S4", "tile S5")
    kept = ["Keep Cabaret and Swap", "Keep Cabaret Anywhere", "Keep All Three Places"]
    assert [b.label for b in scene(table.state, 0, NAMES).buttons] == kept
    offered = found(table)["offer-3"]
    assert (offered.action, offered.text) == ("keep S3", "Cabaret, then swap tokens.")
    assert [token.face for token in offered.children[0].children] == ["gatsby-a-cabaret", "gatsby-b-swap"]
    assert "tile-2" in found(table, 0)
    assert "tile-2" not in found(table, 1)


def test_ga_15_personal_spaces() -> None:
    table = Table().tile("S5").play("special")
    shown = found(table)["special0"]
    assert shown.text.startswith("In use: Cabaret, Finance, Racetrack")
    assert found(Table())["special0"].text == "No tile."
    table = Table().tile("S4").play("special", "d3")
    assert found(table)["special0"].text == "No tile."
    assert [one.name for one in found(table)["special0"].children] == ["The Action token"]
    table = Table().tile("S7")
    table.state.tile[4] = s.ASIDE
    assert found(table)["special0"].text.endswith("1 set aside.")


PARTS = [
    (s.START, "put a token anywhere", "places a token"),
    (s.CABARET, "next to any token", "places a token"),
    ((s.NEXT, 7), "next to a2", "places a token"),
    (s.ANYWHERE, "any empty space", "places a token"),
    (s.RACETRACK, "one of the rows", "places a token"),
    (s.ROW, "a row with two tokens", "places a token"),
    (s.GAP, "Racetrack: slip a token onto any", "places a token"),
    (bonus(p.FORCE), "A favour, Force: choose the opponent's next action?", "may take a favour: Force"),
    (S7, "change places, unseen", "singles out two characters"),
]


@pytest.mark.parametrize(("part", "mine", "others"), PARTS)
def test_the_prompt_says_what_is_to_be_decided(part: Part, mine: str, others: str) -> None:
    table = Table().due(part)
    assert mine in prompt(table, 0)
    assert others in prompt(table, 1)
    assert prompt(table, 1) == prompt(table, SPECTATOR)


def test_the_end_is_logged_and_shown() -> None:
    table = Table().give(1, track2="bank-1", track3="bank-3").levels(2, 0)
    table.only(s.CABARET)
    table.state.level[0] = 3
    lines = log(table, "a3")
    assert ("Anne rallies Agnes Alder (Bank, 1) from level 3.", "GA-19") in lines
    assert ("Anne has all three of a suit.", "GA-22") in lines
    assert lines[-1] == ("Anne wins with all three of a suit.", "GA-22")
    shown = scene(table.state, 1, NAMES)
    assert shown.over
    assert shown.winners == (0,)
    assert shown.seats[0].text == "wins"


def test_other_ends_are_logged() -> None:
    table = Table().give(1, nw="press-1", stars="jazz-2").put(1, "b1 b2 b3")
    table.only(s.CABARET)
    assert log(table, "b4")[-1] == ("Anne wins with 6 prestige to 1.", "GA-23")
    table = Table().give(1, track2="stage-2", track3="press-3", track4="turf-2", track5="jazz-2").put(1, "b1 b2 b3")
    table.state.char[0] = 6
    table.only(s.CABARET)
    assert log(table, "b4")[-1] == ("Anne wins with one of each suit.", "GA-22")


def test_a_draw_and_a_narrow_win_are_logged() -> None:
    for more, says in (
        (("track3", "turf-2"), "A draw: both have 4"),
        ((), "Anne wins with 3 prestige and more characters"),
    ):
        table = Table().put(1, "b1 b2 b3").tile("S9", 1)
        for tile in range(p.N_TILES):
            table.state.tile[tile] = s.IN_PILE
        table.give(1, nw="press-3", stars="jazz-2" if more else "stage-3")
        if more:
            table.give(2, track1="jazz-1", track2="stage-2", **{more[0]: more[1]})
        else:
            table.give(2, track1="bank-1")
        table.only(s.CABARET)
        assert log(table, "b4")[-1][0].startswith(says)


def test_the_log_tells_each_what_he_may_know() -> None:
    def at_look() -> Table:
        return Table().due(PEEK).play("take peek", "peek stars track2")

    assert log(at_look(), "jazz-2", viewer=0) == [("Anne sees Ruby Shaw (Jazz, 1) at the stars.", "GA-14")]
    assert log(at_look(), "jazz-2", viewer=1) == [("Anne looks at the character of the stars.", "GA-14")]
    assert "or does not" in log(at_look(), "jazz-2", "turf-2", "swap", viewer=1)[0][0]
    assert log(at_look(), "jazz-2", "turf-2", "swap", viewer=0)[0][0].startswith("Anne swaps the characters")
    assert log(at_look(), "jazz-2", "turf-2", "no swap", viewer=0)[0][0].startswith("Anne does not swap")
    special = ("take special", "tile S3", "tile S4", "tile S5", "keep S5")

    def due() -> Table:
        return Table().tile("S7").due(bonus(p.SPECIAL))

    assert log(due(), *special, viewer=1) == [("Anne keeps one of them.", "GA-14")]
    assert log(due(), *special, viewer=0) == [("Anne keeps All Three Places: Cabaret, Finance, Racetrack.", "GA-14")]
    assert "sets the new one, unseen, aside" in log(due(), *special, "keep S7", viewer=1)[0][0]
    assert "sets All Three Places aside" in log(due(), *special, "keep S7", viewer=0)[0][0]
    assert "sets Double Swap aside" in log(due(), *special, "keep S5", viewer=1)[0][0]


def test_the_log_tells_moves() -> None:
    assert log(Table(), "A") == [("Anne takes A: Cabaret, then Cabaret next to it.", "GA-9")]
    assert log(Table(), "A", "a1", "skip finance")[0] == ("Anne lets the bonus Finance go.", "GA-14")
    assert log(Table(), "A", "a1", "take finance")[1] == ("Anne climbs to level 1.", "GA-11")
    assert log(Table().tile("S8"), "special", "row 4") == [
        ("Anne places on row 4 space 1 (Racetrack).", "GA-12"),
        ("Anne places on row 4 space 2 too.", "GA-16"),
    ]
    assert log(Table().tile("S4"), "special", "d3")[0][1] == "GA-16"
    assert log(Table().tile("S7").put(1, "d4"), "special", "swap ne nw")[0][1] == "GA-16"
    swap = Table().put(1, "d4").due(s.OWN)
    assert log(swap, "swap d4") == [("Anne gives up d4.", "GA-14")]
    assert log(swap, "with a2") == [("Anne swaps d4 for a2.", "GA-14")]
    forced = Table().put(1, "a3").play("A", "b3", "take force", "b4")
    assert log(forced, "special") == [("Anne makes Ben take Cabaret Pair: two Cabaret tokens.", "GA-14")]


def test_the_setting_up_is_logged() -> None:
    match = Match(GATSBY, 2, seed=1, auto=False)
    lines = []
    for outcome in ("1", "2", "3", "4"):
        lines += tell(match.force(f"cabaret tile {outcome}"), 0, NAMES)
    for face in ("stage-2", "press-1", "stage-1", "turf-1", "jazz-2", "bank-1"):
        lines += tell(match.force(face), 0, NAMES)
    assert [line.text for line in lines[:2]] == [
        "The Cabaret's tiles are laid.",
        "Rex Holloway (Stage, 1) is turned up at the north-east path, Ida Crane (Press, 2) at the north-west path.",
    ]
    assert len(lines) <= 6
    assert lines[-1].text == "Cornelius Vane has more prestige and moves to row 1."
    assert lines[-2].text == "Lola Marchetti has more prestige and moves to level 12."
    (line,) = tell(match.force("seat 2 starts"), 0, NAMES)
    assert line.clause == "GA-8"
    assert "board is being set up" in scene(Match(GATSBY, 2, seed=1, auto=False).state, 0, NAMES).prompt
    hidden = tell(match.force("tile S5"), 1, NAMES)
    assert [line.text for line in hidden] == ["Anne draws a Special Action tile."]


def test_ga_14_the_signs_are_explained_beside_the_board_where_one_first_meets_them() -> None:
    board = scene(Match(GATSBY, 2, seed=1).state, 0, NAMES).board
    (signs,) = (one for one in pieces(board) if one.key == "signs")
    explained = {note.face for note in signs.children}
    printed = {one.face for one in pieces(board) if "print" in one.marks and one.face.startswith("gatsby-b-")}
    assert printed - explained == {"gatsby-b-star"}


def test_what_was_taken_face_down_is_shown_at_the_end() -> None:
    table = Table().give(1, nw="press-3", stars="jazz-2").put(1, "b1 b2 b3 b4")
    table.state.tile[2] = s.ASIDE_HIDDEN
    table.state.up &= ~(1 << 2)
    table.due(s.STEP)
    assert prompt(table) == "Everything won face down is shown now."
    assert log(table, "jazz-2")[0] == ("Anne had rallied Ruby Shaw (Jazz, 1).", "GA-24")
    assert log(table, "tile S3")[0] == ("Anne had set Cabaret and Swap aside.", "GA-24")


def test_a_look_is_waited_for() -> None:
    table = Table().levels(5, 5).give(2, level3="bank-2").due(s.STEP)
    assert prompt(table, 0) == "You look at the character of level 6."
    assert prompt(table, 1) == "Anne looks at the character of level 6."


def test_every_picture_is_drawn() -> None:
    table = Table("house-6").give(1, track2="stage-2").play("A")
    text = html.render(scene(table.state, 0, NAMES))
    for part in text.split('href="#')[1:]:
        symbol = part.partition('"')[0]
        assert f'id="{symbol}"' in GATSBY.art or symbol.startswith("seat-")
    for char in range(p.N_CHARACTERS):
        assert f'id="gatsby-c-{words.code(char)}"' in GATSBY.art
    assert 'id="gatsby-cover"' in GATSBY.art
    assert len(SLOTS) == p.N_SLOTS
    assert r.VERSION == 1
