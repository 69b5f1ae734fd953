"""Editions of your own: bounds, paths, files, names, records."""

from __future__ import annotations

import functools
from dataclasses import replace
from pathlib import Path

import pytest

import parlour
from parlour.core import changes, fair
from parlour.core.bounds import Bounds
from parlour.core.edition import CHANGED, MOST_FAULTS, Edition
from parlour.core.errors import BadParts, BadSetup, BrokenRecord, UnfairRecord, UnknownName
from parlour.core.game import Game
from parlour.core.record import Record
from parlour.core.replay import changed_parts, verify
from parlour.core.replay import replay as played_again
from parlour.games import all_games, find

FORTUNE = find("fortune")
GATSBY = find("gatsby")
USUAL = FORTUNE.edition()


def faults(edition: Edition, values: dict[str, object]) -> list[str]:
    with pytest.raises(BadParts) as caught:
        edition.changed(values)
    return [sentence for _, sentence in caught.value.faults]


def file(folder: Path, text: str) -> Path:
    path = folder / "mine.toml"
    path.write_text(text, "utf-8")
    return path


# Paths and values ----------------------------------------------------------------------------------
def test_a_value_is_changed_by_its_path_and_the_rest_stays() -> None:
    mine = USUAL.changed({"deck.gold": 5, "sea_battle_bonus.1": 700})
    assert mine.parts == {"deck": USUAL.parts["deck"] | {"gold": 5}, "sea_battle_bonus": [300, 700, 1000]}
    assert USUAL.parts["deck"]["gold"] == 3
    assert (mine.name, mine.title, mine.base) == ("shafir-35, changed", "Shafir, 35 cards, changed", "shafir-35")
    assert mine.differing == mine.parts
    assert mine.components["deck"].mark == CHANGED
    assert mine.components["deck"].clause == "FO-2"


def test_a_table_changes_what_it_names_and_a_list_is_replaced() -> None:
    mine = USUAL.changed({"deck": {"gold": 1, "storm": 0}, "sea_battle_bonus": [1, 2, 3]})
    assert mine.parts["deck"] == USUAL.parts["deck"] | {"gold": 1, "storm": 0}
    assert mine.parts["sea_battle_bonus"] == [1, 2, 3]


def test_a_path_reaches_any_depth() -> None:
    mine = GATSBY.edition().changed({"cabaret.0.1.0": "peek"})
    assert mine.parts["cabaret"][0] == [["finance", "-"], ["peek", "star"]]
    assert list(mine.differing) == ["cabaret"]


def test_a_key_that_the_edition_lacks_is_possible_where_its_bounds_name_it() -> None:
    assert FORTUNE.edition("classic-35").changed({"deck.storm": 2}).parts["deck"]["storm"] == 2


def test_the_same_values_are_the_same_edition_and_changes_add_up() -> None:
    assert USUAL.changed({"deck.gold": 3}) is USUAL
    twice = USUAL.changed({"deck.gold": 5}).changed({"deck.storm": 0})
    assert (twice.name, twice.base) == ("shafir-35, changed", "shafir-35")
    assert twice.parts["deck"] == USUAL.parts["deck"] | {"gold": 5, "storm": 0}


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"dekc.gold": 5}, "There is no component 'dekc' (did you mean 'deck'?); there are deck, sea_battle_bonus."),
        ({"deck.glod": 5}, "deck has no 'glod' (did you mean 'gold'?) (FO-2)."),
        ({"deck": {"glod": 5}}, "deck has no 'glod' (did you mean 'gold'?) (FO-2)."),
        ({"deck.gold.x": 5}, "deck.gold is one value, so it has no 'x' (FO-2)."),
        ({"deck.gold": 21}, "deck.gold is 21, but it must be 0 to 20 (FO-2)."),
        ({"deck.gold": -1}, "deck.gold is -1, but it must be 0 to 20 (FO-2)."),
        ({"deck.gold": "five"}, "deck.gold must be a whole number, not 'five' (FO-2)."),
        ({"deck.gold": True}, "deck.gold must be a whole number, not true (FO-2)."),
        ({"deck.gold": 3.0}, "deck.gold must be a whole number, not 3.0 (FO-2)."),
        ({"deck.gold": 10**5000}, "deck.gold is above 1,000,000,000,000,000, but it must be 0 to 20 (FO-2)."),
        ({"deck": [1]}, "deck must be a table of names and values, not a list (FO-2)."),
        ({"sea_battle_bonus": 3}, "sea_battle_bonus must be a list, not 3 (FO-19)."),
        ({"sea_battle_bonus": [1, 2]}, "sea_battle_bonus must have 3 values, not 2 (FO-19)."),
        ({"sea_battle_bonus.3": 1}, "sea_battle_bonus has the places 0 to 2, not '3' (FO-19)."),
        ({"sea_battle_bonus.-1": 1}, "sea_battle_bonus has the places 0 to 2, not '-1' (FO-19)."),
        (
            {"sea_battle_bonus": functools.reduce(lambda inner, _: [inner], range(5000), [1])},
            "sea_battle_bonus must have 3 values, not 1 (FO-19).",
        ),
        ({"": 1}, "There is no component ''; there are deck, sea_battle_bonus."),
    ],
)
def test_each_mistake_is_one_sentence_with_its_clause(values: dict[str, object], sentence: str) -> None:
    assert faults(USUAL, values) == [sentence]


def test_words_lengths_and_what_is_fixed() -> None:
    assert faults(GATSBY.edition(), {"racetrack.0.0": "peak"}) == [
        "racetrack.0.0 can't be 'peak' (did you mean 'peek'?); it is one of -, peek, finance, force, place, swap, "
        "special (GA-4)."
    ]
    assert faults(GATSBY.edition(), {"racetrack.0": ["-"] * 6}) == [
        "racetrack.0 must have 1 to 5 values, not 6 (GA-4)."
    ]
    goods = [*find("family-trade").edition().parts["goods"][:-1], "salt"]
    assert faults(find("family-trade").edition(), {"goods": goods}) == ["goods can't be changed (FT-1)."]


def test_all_mistakes_are_reported_up_to_a_limit() -> None:
    every = faults(USUAL, {"deck.gold": 21, "deck.stom": 1, "sea_battle_bonus.0": -5})
    assert len(every) == 3
    many = faults(USUAL, {f"deck.card-{number}": 1 for number in range(MOST_FAULTS + 2)})
    assert len(many) == MOST_FAULTS + 1
    assert many[-1] == "There are 2 more mistakes."


def test_changes_that_are_no_mapping_of_paths_are_refused() -> None:
    for wrong in ([("deck.gold", 5)], {1: 5}, "deck.gold=5"):
        with pytest.raises(BadSetup, match="a mapping of paths to values"):
            USUAL.changed(wrong)  # type: ignore[arg-type]


def test_values_that_make_no_game_are_refused_with_a_clause() -> None:
    with pytest.raises(BadParts, match=r"The deck has 0 cards; 1 to 64 are possible\. \(FO-2\)"):
        parlour.new(
            "fortune", edition=USUAL.changed(dict.fromkeys((f"deck.{card}" for card in USUAL.parts["deck"]), 0))
        )


@pytest.mark.parametrize(
    ("text", "value"),
    [("5", 5), ("50_000", 50_000), ("[1, 2]", [1, 2]), ('"peek"', "peek"), ("peek", "peek"), ("{a = 1}", {"a": 1}),
     ("character: peek", "character: peek"), ("-3", -3)],
)  # fmt: skip
def test_values_are_read_as_toml_and_words_need_no_quotes(text: str, value: object) -> None:
    assert changes.value_of(text) == value


@pytest.mark.parametrize("text", ["", "5 6", "[1", "1\nother = 2", "9" * 5000, "[" * 5000, "=", "1a"])
def test_what_is_no_value_is_refused(text: str) -> None:
    with pytest.raises(BadSetup, match="is not a value"):
        changes.value_of(text)


# Files ---------------------------------------------------------------------------------------------
def test_a_file_says_only_what_differs(tmp_path: Path) -> None:
    text = 'title = "Sugar rush"\nbase = "classic-35"\nnote = "Sweet."\n'
    text += "deck.gold = 6\nsea_battle_bonus.value = [1, 2, 3]\n"
    mine = FORTUNE.edition(file(tmp_path, text))
    assert mine == FORTUNE.edition(str(tmp_path / "mine.toml"))
    assert (mine.name, mine.title, mine.note, mine.base) == ("Sugar rush", "Sugar rush", "Sweet.", "classic-35")
    assert mine.parts["deck"] == FORTUNE.edition("classic-35").parts["deck"] | {"gold": 6}
    assert mine.parts["sea_battle_bonus"] == [1, 2, 3]
    more = mine.changed({"deck.gold": 7})
    assert (more.name, more.base) == ("Sugar rush, changed", "classic-35")


def test_a_file_without_a_base_is_whole(tmp_path: Path) -> None:
    whole = 'title = "Gold"\n[deck]\nvalue = {gold = 9}\nmark = "house"\n[sea_battle_bonus]\nvalue = [1, 2, 3]\n'
    assert FORTUNE.edition(file(tmp_path, whole)).parts == {"deck": {"gold": 9}, "sea_battle_bonus": [1, 2, 3]}
    with pytest.raises(BadParts, match='sea_battle_bonus is missing: give all components, or write base = "shafir-35"'):
        FORTUNE.edition(file(tmp_path, 'title = "Gold"\ndeck = {gold = 9}\n'))


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.name)
def test_the_file_that_is_written_of_an_edition_is_that_edition(game: Game, tmp_path: Path) -> None:
    for edition in game.editions.values():
        text = changes.written(edition)
        assert max(map(len, text.splitlines())) <= 110
        again = game.edition(file(tmp_path, text))
        assert again.parts == edition.parts
        assert not again.differing


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            'base = "classic"',
            "base can't be 'classic' (did you mean 'classic-35'?); it is one of shafir-35, classic-35.",
        ),
        ("base = 3", "base can't be 3; it is one of shafir-35, classic-35."),
        (
            "deck.gold = 3\nsea_battle_bonus = [1, 2, 3]",
            "title is missing: it is the edition's name in records and results.",
        ),
        ('base = "classic-35"\ntitle = "shafir-35"', "title can't be 'shafir-35', which names something else"),
        ('base = "classic-35"\ntitle = "a.toml"', "which names something else"),
        (f'base = "classic-35"\ntitle = "{"x" * 51}"', "title must be one line of at most 50 characters."),
        ('base = "classic-35"\ntitle = 5', "title must be a text, not 5."),
        ('base = "classic-35"\n[deck]\nvalue = {gold = 5}\nmost = 50\nmax = 7', "deck has no 'max'"),
        ('base = "classic-35"\ndekc.gold = 5', "There is no component 'dekc'"),
        ("base = ", "isn't TOML"),
    ],
)
def test_a_file_that_is_no_edition_is_refused(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(BadSetup) as caught:
        FORTUNE.edition(file(tmp_path, text))
    assert says in str(caught.value)


def test_a_file_cannot_widen_the_bounds(tmp_path: Path) -> None:
    with pytest.raises(BadParts, match=r"deck\.gold is 30, but it must be 0 to 20"):
        FORTUNE.edition(file(tmp_path, 'base = "classic-35"\n[deck]\nvalue = {gold = 30}\nmost = 50\n'))


def test_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSetup, match=r"Can't read .*none\.toml: No such file"):
        FORTUNE.edition(tmp_path / "none.toml")
    (tmp_path / "big.toml").write_bytes(b"#" * (changes.MOST_BYTES + 1))
    with pytest.raises(BadSetup, match="has more than 64,000 bytes"):
        FORTUNE.edition(tmp_path / "big.toml")
    (tmp_path / "odd.toml").write_bytes(b"title = '\xff'")
    with pytest.raises(BadSetup, match="isn't text"):
        FORTUNE.edition(tmp_path / "odd.toml")
    with pytest.raises(BadSetup, match="Can't read"):
        FORTUNE.edition("nul\0.toml")


def test_a_name_from_elsewhere_opens_no_file(tmp_path: Path) -> None:
    path = file(tmp_path, 'base = "classic-35"\ndeck.gold = 6\n')
    with pytest.raises(UnknownName):
        FORTUNE.named(str(path))
    match = parlour.new("fortune", edition=FORTUNE.edition(path), seed=1)
    record = match.record().to_text().replace("classic-35, changed", str(path))
    assert played_again(Record.parse(record), find).edition.name == str(path)  # with the record's own parts


# In matches and records ----------------------------------------------------------------------------
def test_a_match_keeps_all_parts_in_its_record_and_the_commitment_binds_them() -> None:
    mine = USUAL.changed({"deck.gold": 5})
    match = parlour.new("fortune", players=2, edition=mine, seed=3)
    for _ in range(20):
        match.play(match.legal_actions()[0])
    record = match.record()
    assert (record.edition, record.parts) == ("shafir-35, changed", mine.parts)
    again = verify(Record.parse(record.to_text()), find)
    assert again.edition.parts == mine.parts
    assert changed_parts(record, FORTUNE) == ["deck"]
    assert record.form == fair.SETUP
    forged = replace(record, parts=record.parts | {"deck": record.parts["deck"] | {"gold": 4}})
    with pytest.raises(UnfairRecord, match="commitment"):
        verify(forged, find)


def test_a_record_whose_parts_make_no_game_is_broken() -> None:
    record = parlour.new("fortune", edition=USUAL.changed({"deck.gold": 5}), seed=1).record()
    for wrong in (-1, 500, "x", None, [1]):
        broken = replace(record, parts=record.parts | {"deck": {"gold": wrong}})
        with pytest.raises(BrokenRecord, match="does not fit the game"):
            played_again(broken, find)


def test_a_state_and_its_text_keep_an_edition_of_ones_own() -> None:
    state = parlour.new_initial_state("fortune", 2, edition=USUAL.changed({"deck.gold": 5}))
    again = parlour.deserialize_state(state.serialize())
    assert again.edition.parts == state.edition.parts
    assert again.edition.name == "shafir-35, changed"


# Bounds --------------------------------------------------------------------------------------------
def test_bounds_in_words() -> None:
    assert Bounds(0, 20).said({"gold": 3}) == "each 0 to 20"
    assert Bounds(0, 9).said([[1, 2], [3, 4]]) == "2 lists of 2 values, each 0 to 9"
    assert Bounds(lengths=((1, 5),), words=("-", "peek")).said(["-"]) == "1 to 5 values, each one of -, peek"
    assert Bounds(least={"a": 1}).said({"a": 2}) == "each in its own bounds"
    assert Bounds(least=1).said(5) == "at least 1"
    assert Bounds(fixed=True).said(5) == "can't be changed"
    assert Bounds().said(5) == ""


def test_bounds_by_key() -> None:
    bounds = Bounds(least={"a": 1}, most={"a": 5, "b": 2})
    assert list(bounds.faults({"a": 5, "b": -3}, {"a": 1, "b": 1}, "x")) == []
    assert [path for path, _ in bounds.faults({"a": 0, "b": 3}, {"a": 1, "b": 1}, "x")] == ["x.a", "x.b"]


def test_the_bounds_of_the_first_edition_hold_for_all() -> None:
    assert FORTUNE.edition("classic-35").components["deck"].bounds is USUAL.components["deck"].bounds
    head = 'title = "Odd"\n[each]\nmark = "house"\nclause = "X-1"\n'
    first = Edition.parse("first", f"{head}most = 5\nvalue = 3\n")
    assert Edition.parse("second", f"{head}value = 4\n").bounded(first).components["each"].bounds == Bounds(most=5)
    with pytest.raises(ValueError, match="edition third: each is 6, but it must be at most 5"):
        Edition.parse("third", f"{head}value = 6\n").bounded(first)
    assert Edition.parse("fourth", f"{head}most = 9\nvalue = 6\n").bounded(first).components["each"].value == 6


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ('least = "none"', "least must be a whole number, or a table of them"),
        ("words = 5", "words must be a list of texts"),
        ("lengths = [[1, 2, 3]]", "lengths must be a list"),
        ("fixed = 1", "fixed must be true or false"),
        ("mots = 5", r"\[each\]: mots means nothing"),
    ],
)
def test_a_games_own_edition_must_fit_its_bounds(more: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Edition.parse("odd", f'title = "Odd"\n[each]\nvalue = 3\nmark = "house"\nclause = "X-1"\n{more}\n')
