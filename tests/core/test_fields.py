"""An edition's values one by one: every drawn edition can be written as texts and read back; mistakes are said."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from urllib.parse import parse_qsl, urlencode

import pytest

from parlour.conformance.editions import changeable, drawn
from parlour.core.bounds import Bounds
from parlour.core.edition import Edition, Part
from parlour.core.errors import BadParts
from parlour.core.fields import differences, entries, given, ordinal, said, shown, text_of, typed, value_of
from parlour.core.game import Game
from parlour.games import all_games, find

GAMES = [*all_games().values(), Game("sprint", "tests.fixtures.sprint"), Game("satchel", "tests.fixtures.satchel")]
LONGEST = 2_000  # characters of the texts of any drawn edition, as in a link


@pytest.mark.parametrize("game", [game for game in GAMES if changeable(game)], ids=lambda game: game.name)
def test_a_drawn_edition_is_written_as_texts_and_read_back(game: Game, request: pytest.FixtureRequest) -> None:
    rng = Random(28)
    changed, enough = 0, 100 if request.config.getoption("--whole") else 4
    for _ in range(20 * enough):
        if changed == enough:
            break
        base = rng.choice(list(game.editions.values()))
        edition = drawn(game, base, rng)
        texts = given(base, edition)
        link = urlencode(texts, safe=",:;")
        back = typed(base, dict(parse_qsl(link, keep_blank_values=True)))
        assert (back.name, back.parts) == (edition.name, edition.parts)
        assert len(link) <= LONGEST
        assert bool(texts) == bool(said(base, edition)) == (base.parts != edition.parts)
        changed += bool(texts)
        for one in differences(base, edition):  # as a form shows them, with lines
            part = base.components[one.entry.component]
            assert value_of(text_of(one.after), one.entry.like) == one.after
            assert one.after != one.before == one.entry.value
            assert part.named(one.entry.component) in " ".join(said(base, edition))
    assert changed == enough


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_entries_of_an_edition_are_all_of_its_values_and_each_is_found_by_its_path(game: Game) -> None:
    for edition in game.editions.values():
        again: dict[str, object] = {}
        for name, part in edition.components.items():
            for entry in entries(name, part):
                if entry.value is not None and entry.kind != "other":
                    again[entry.path] = text_of(entry.value)
                assert len(entry.names) == len(entry.steps)
                assert (entry.kind == "other") == part.bounds.fixed
        assert typed(edition, again) is edition
        covered = {path.partition(".")[0] for path in again}
        assert covered == {name for name, part in edition.components.items() if not part.bounds.fixed}


@pytest.mark.parametrize(
    ("text", "like", "value"),
    [
        ("5", 1, 5),
        (" -5 ", 1, -5),
        ("−5", 1, -5),
        ("100,000", 1, 100_000),
        ("1 000", 1, 1000),
        ("1_000_000", 1, 1_000_000),
        ("10,00", 1, "10,00"),
        ("1.5", 1, "1.5"),
        ("٣", 1, "٣"),
        ("9" * 18, 1, int("9" * 18)),
        ("9" * 19, 1, "9" * 19),
        ("9" * 5000, 1, "9" * 5000),
        ("", 1, ""),
        ("peek", "-", "peek"),
        ("7", "-", "7"),
        ("1, 2,3", [0], [1, 2, 3]),
        ("1\n2", [0], [1, 2]),
        ("1,", [0], [1, ""]),
        ("", [0], []),
        ("a, b\r\nc", [["-"]], [["a", "b"], ["c"]]),
        ("a,b;c", [["-"]], [["a", "b"], ["c"]]),
        ("a\n\n\nb\n", [["-"]], [["a"], ["b"]]),
        ("a,b;c;;d", [[["-"]]], [[["a", "b"], ["c"]], [["d"]]]),
        ("a, b\nc\n \nd\n", [[["-"]]], [[["a", "b"], ["c"]], [["d"]]]),
        ("x", None, "x"),
        ("x", {"a": 1}, "x"),
    ],
)
def test_texts_are_read_as_people_write_them(text: str, like: object, value: object) -> None:
    found = value_of(text, like)
    assert (found, type(found)) == (value, type(value))


def test_numbers_and_lists_of_programs_are_taken_as_they_are() -> None:
    gatsby = find("gatsby").edition()
    mine = typed(gatsby, {"tokens": 12, "finance": ["-", "peek", "-", "special"], "racetrack.0": ["-", "star"][:1]})
    assert mine.parts["tokens"] == 12
    assert mine.parts["finance"] == ["-", "peek", "-", "special"]
    assert mine.parts["racetrack"][0] == ["-"]
    with pytest.raises(BadParts, match=r"tokens must be a whole number, not 12\.0 \(GA-1\)"):
        typed(gatsby, {"tokens": 12.0})


@pytest.mark.parametrize(
    ("game", "changes", "faults"),
    [
        ("fortune", {"deck.gold": "lots"}, {"deck.gold": "deck.gold must be a whole number, not 'lots' (FO-2)."}),
        ("fortune", {"deck": "5"}, {"deck": "deck must be a table of names and values, not '5' (FO-2)."}),
        ("fortune", {"deck.storm.x": "5"}, {"deck.storm.x": "deck.storm is one value, so it has no 'x' (FO-2)."}),
        (
            "gatsby",
            {"racetrack": "-, star; -; -; -; peek"},
            {
                "racetrack.0.1": "racetrack.0.1 can't be 'star'; it is one of -, peek, finance, force, place, swap, "
                "special (GA-4)."
            },
        ),
    ],
)
def test_what_is_wrong_is_said_by_its_path(game: str, changes: Mapping[str, object], faults: dict[str, str]) -> None:
    with pytest.raises(BadParts) as caught:
        typed(find(game).edition(), changes)
    assert dict(caught.value.faults) == faults


def test_an_empty_text_leaves_out_what_is_not_in_the_box() -> None:
    classic = find("fortune").edition("classic-35")
    assert "storm" not in classic.parts["deck"]
    assert typed(classic, {"deck.storm": " "}) is classic
    assert typed(classic, {"deck.storm": "2"}).parts["deck"]["storm"] == 2
    assert said(classic, typed(classic, {"deck.storm": "2"})) == ("Fortune Cards, storm: 2 instead of none",)


def test_what_differs_is_said_in_the_words_of_the_box() -> None:
    trade = find("family-trade").edition()
    mine = typed(
        trade,
        {"start": "400", "dice.1.2": "-10", "fifties.0": "0", "false_call": "0", "ladder": "1,2,3,4,5,6,7,8,9,10"},
    )
    assert said(trade, mine) == (
        "Prices on the market table, 1st: 1,000 instead of −50,000; 2nd: 2,000 instead of −30,000; "
        "3rd: 3,000 instead of −10,000; 4th: 4,000 instead of 10,000; and 6 more",
        "What the dice show, gold, 3rd: −10,000 instead of 50,000",
        "Money at the start: 400,000 instead of 500,000",
        "Bills of 50,000 in the bank, with 2 players: 0 instead of 24",
        'A false "done!": 0 instead of 100,000',
    )
    gatsby = find("gatsby").edition()
    assert said(gatsby, typed(gatsby, {"finance": "-,-,-,-"})) == ("Finance Center: changed",)


def test_what_no_text_can_say_is_left_to_files() -> None:
    for part in (
        Part(["a, b"], "house", "X-1", bounds=Bounds(lengths=((0, 5),))),
        Part([[[[1]]]], "house", "X-1", bounds=Bounds(lengths=((1, 5),))),
        Part([], "house", "X-1", bounds=Bounds(lengths=((0, 5),))),
        Part([{"a": 1}], "house", "X-1", bounds=Bounds(lengths=((0, 5),))),
        Part(["a"], "house", "X-1", bounds=Bounds(words=("a", "b; c"))),
        Part(True, "house", "X-1"),
    ):
        assert [entry.kind for entry in entries("x", part)] == ["other"], part
    assert shown(Part([], "", ""), [[[[1]]]]) == "[[[[1]]]]"
    assert shown(Part({}, "", ""), {"a": 1}) == "{ a = 1 }"
    assert shown(Part(0, "", "", unit="minutes"), 1500) == "1,500 minutes"


def test_units_and_places_are_read_and_must_fit() -> None:
    start = '[x]\nvalue = [1, 2]\nmark = "house"\nclause = "X-1"\n'
    part = Edition.parse("e", f'title = "E"\n{start}places = ["a", "b"]\nunit = ",000"\n').components["x"]
    assert (part.places, part.unit) == (("a", "b"), ",000")
    assert [entry.names for entry in entries("x", part)] == [("a",), ("b",)]
    for wrong in ('places = ["a"]', "places = 7", 'places = ["a", 2]', "unit = 5", 'value = 3\nplaces = ["a"]'):
        text = start.replace("value = [1, 2]\n", "") if "value" in wrong else start
        with pytest.raises(ValueError, match=r"edition e, \[x\]: (places must|unit must)"):
            Edition.parse("e", f'title = "E"\n{text}{wrong}\n')


def test_ordinals() -> None:
    assert [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 22, 101, 111)] == [
        "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "101st", "111th",
    ]  # fmt: skip
