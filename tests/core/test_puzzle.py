"""Files of puzzles: written and read back, refused if they are anything else, and a puzzle for each day."""

from __future__ import annotations

import lzma

import msgspec
import pytest

import parlour
from parlour.core import puzzle
from parlour.core.errors import BrokenRecord
from parlour.core.puzzle import Collection, Puzzle, Value, key_of
from parlour.core.replay import replay
from parlour.games import find

STEPS = ("* first 1", "* card captain")


def a_puzzle(number: int) -> Puzzle:
    """Return a puzzle that differs from others only by its number."""
    values = (Value("stop", 0.6, 0.01), Value("re-roll 1 2", 0.4, 0.02))
    return Puzzle(f"{number:010x}", 0, STEPS, values, 3, {"greedy": (0, 8)}, number=number)


def of(*puzzles: Puzzle) -> Collection:
    edition = find("fortune").edition()
    return Collection("fortune", 1, edition.name, edition.parts, {}, 2, "parlour puzzles mine", 10_000, 0.1, puzzles)


def test_a_file_is_read_as_it_was_written() -> None:
    made = of(*map(a_puzzle, range(3)))
    assert puzzle.read(puzzle.write(made)) == made
    assert puzzle.write(made) == puzzle.write(made)


@pytest.mark.parametrize(
    "data", [b"", b"no", lzma.compress(b"no"), lzma.compress(b'{"game": "fortune"}'), puzzle.write(of())]
)
def test_what_is_no_file_of_puzzles_is_refused(data: bytes) -> None:
    with pytest.raises(BrokenRecord):
        puzzle.read(data)


def test_a_newer_form_is_refused() -> None:
    newer = msgspec.structs.replace(of(a_puzzle(1)), form=puzzle.FORM + 1)
    with pytest.raises(BrokenRecord, match="form"):
        puzzle.read(puzzle.write(newer))


def test_the_margin_and_its_doubt_follow_from_the_two_best() -> None:
    one = a_puzzle(1)
    assert (one.best, one.margin) == ("stop", pytest.approx(0.2))
    assert one.doubt == pytest.approx((0.01**2 + 0.02**2) ** 0.5)


def test_no_puzzle_comes_again_before_all_had_their_turn() -> None:
    made = of(*map(a_puzzle, range(7)))
    turns = [made.of_turn(700_000 + number).key for number in range(14)]
    assert len({*turns[:7]}) == 7
    assert turns[:7] == turns[7:]
    assert made.of(turns[0]) == made.of_turn(700_000)
    with pytest.raises(KeyError):
        made.of("none")


def test_a_key_follows_from_the_position_alone() -> None:
    key = key_of("fortune", {"a": "1", "b": "2"}, STEPS)
    assert key == key_of("fortune", {"b": "2", "a": "1"}, STEPS)
    others = {key_of("gatsby", {"a": "1", "b": "2"}, STEPS), key_of("fortune", {}, STEPS), key_of("fortune", {}, ())}
    assert len({key, *others}) == 4
    assert len(key) == 10


def test_a_record_leads_to_the_position_and_has_no_seed() -> None:
    game = find("fortune")
    one, made = a_puzzle(1), of(a_puzzle(1))
    played = parlour.new("fortune", seed=5)
    while played.current_player < 0:
        played.draw()
    steps = tuple(f"{'*' if actor < 0 else actor + 1} {text}" for actor, _, text in played.steps)
    match = replay(made.record(msgspec.structs.replace(one, steps=steps)), lambda _: game)
    assert match.seed is None
    assert match.legal_actions() == played.legal_actions()
    assert str(match) == str(played)
