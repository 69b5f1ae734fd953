"""What programs hand in: a wrong kind is refused with a sentence, and is never read as something else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parlour
from parlour import bots
from parlour.core import fair
from parlour.core.errors import BadSetup, BrokenRecord, ParlourError
from parlour.core.match import Match
from parlour.core.record import Record
from parlour.engine.batch import Batch

FORTUNE = parlour.find("fortune")
HALF = "Z\ud800e"
KINDS: tuple[Any, ...] = (True, False, 0, 2, 2.0, "", "2", b"fortune", [], ["2"], {}, (), object, HALF, float("nan"))


def new(**given: Any) -> Match:
    return parlour.new(**{"game": "fortune", **given})


def match() -> Match:
    return new(seed=1)


DOORS: dict[str, tuple[Callable[[Any], object], tuple[Any, ...]]] = {  # the door, and what of KINDS it takes
    "game": (lambda v: new(game=v), ()),
    "players": (lambda v: new(players=v), (2,)),
    "edition": (lambda v: new(edition=v), ()),
    "options": (lambda v: new(options=v), ({},)),
    "option": (lambda v: new(options={"target": v}), ()),
    "option, yes or no": (lambda v: new(options={"pile": "cycle", "floor_at_zero": v}), (True, False)),
    "names": (lambda v: new(names=v), ()),
    "name": (lambda v: new(names=["Ann", v]), ("", "2")),
    "seed": (lambda v: new(seed=v), (0, 2, "", "2")),
    "words": (lambda v: Match(FORTUNE, words=v), ([], ["2"], ())),
    "word": (lambda v: Match(FORTUNE, words=["x", v]), ("", "2")),
    "auto": (lambda v: Match(FORTUNE, auto=v), (True, False)),
    "a match's game": (lambda v: Match(v), ()),
    "a match's edition": (lambda v: Match(FORTUNE, edition=v), ()),
    "scene": (lambda v: match().scene(v), (0,)),
    "log": (lambda v: match().log(v), (0,)),
    "information": (lambda v: match().information_state(v), (0,)),
    "view": (lambda v: bots.View.of(match(), v), (0,)),
    "move": (lambda v: match().play(v), (0,)),
    "seat": (lambda v: match().play("stop", v), (0,)),
    "undo": (lambda v: match().undo(v), ()),
    "outcome": (lambda v: Match(FORTUNE, auto=False).force(v), (0,)),
    "load": (lambda v: parlour.load(v if v != "2" else "."), ()),
    "record": (lambda v: Record.parse(v), ()),
    "bot": (lambda v: bots.find(FORTUNE, v), ()),
    "level": (lambda v: bots.adviser(FORTUNE, v), ()),
    "simulations": (lambda v: bots.adviser(FORTUNE, simulations=v), (2,)),
    "seconds": (lambda v: bots.adviser(FORTUNE, seconds=v), (2, 2.0)),
    "bots": (lambda v: bots.seated(v, 2), ("", "2", ["2"])),
    "simulate: game": (lambda v: parlour.simulate(v), ()),
    "simulate: players": (lambda v: parlour.simulate("fortune", v, bots="x"), ()),
    "simulate: games": (lambda v: parlour.simulate("fortune", games=v, seed=-1), ()),
    "simulate: seed": (lambda v: parlour.simulate("fortune", seed=v, threads=0), ()),
    "simulate: threads": (lambda v: parlour.simulate("fortune", threads=v, edition="x"), ()),
    "simulate: bots": (lambda v: parlour.simulate("fortune", bots=v, threads=0), ()),
    "simulate: progress": (lambda v: parlour.simulate("fortune", progress=v, edition="x"), ()),
    "batch: game": (lambda v: Batch(v, 2), ()),
    "batch: lanes": (lambda v: Batch("fortune", v, edition="x"), ()),
    "batch: players": (lambda v: Batch("fortune", 2, players=v, options={"x": 1}), ()),
    "batch: auto_reset": (lambda v: Batch("fortune", 2, auto_reset=v, players=9), ()),
}


@pytest.mark.parametrize("door", DOORS)
def test_a_wrong_kind_is_refused_and_never_read_as_something_else(door: str) -> None:
    call, taken = DOORS[door]
    wrong = []
    for value in KINDS:
        fits = any(type(value) is type(one) and value == one for one in taken)
        try:
            call(value)
        except ParlourError as error:
            if fits or not str(error).endswith((".", ")")):
                wrong.append((value, str(error)))
        else:
            if not fits:
                wrong.append((value, "was taken"))
    assert wrong == []


def test_numbers_of_numpy_are_numbers() -> None:
    assert new(players=np.int64(2), seed=np.int64(7)).steps == new(players=2, seed=7).steps


def test_a_batch_takes_whole_numbers_only() -> None:
    batch = Batch("fortune", 2, seed=1)
    before = batch.states.copy()
    with pytest.raises(BadSetup, match="Actions are whole numbers, not an array of float64"):
        batch.step(np.array([0.9, 0.9]))
    with pytest.raises(BadSetup, match="Actions are whole numbers, not an array of bool"):
        batch.step(np.array([True, True]))
    with pytest.raises(BadSetup, match="`check` must be True or False"):
        batch.step([0, 0], check=0)  # type: ignore[arg-type]
    assert (batch.states == before).all()


def test_every_record_that_can_be_written_can_be_read() -> None:
    record = new(seed=1, names=["Zoë\n\u2028", "李\x00"]).record()
    assert Record.parse(record.to_text()) == record
    with pytest.raises(BrokenRecord, match="half of a character"):
        replace(record, names=(HALF, "b"))


def test_what_is_loaded(tmp_path: Path) -> None:
    record = new(seed=1).record().to_text()
    for text in (record, record.replace("\n", "\r\n"), record.replace("\n", "\r"), "\ufeff" + record):
        assert parlour.load(text).record().to_text() == record
    file = tmp_path / "game.txt"
    file.write_bytes(b"\xef\xbb\xbf" + record.replace("\n", "\r").encode())
    assert parlour.load(file).record().to_text() == parlour.load(str(file)).record().to_text() == record
    for source, sentence in (
        ("", "empty"),
        (tmp_path, "neither a record nor a file that can be read"),
        ("x" * 5000, "neither a record nor a file that can be read"),
        ("a\0b", "neither a record nor a file that can be read"),
        ("parlour-record 1", "The header lacks"),
    ):
        with pytest.raises(BrokenRecord, match=sentence):
            parlour.load(source)
    with pytest.raises(FileNotFoundError):
        parlour.load(tmp_path / "nothing")


def test_a_seed_that_cannot_be_written() -> None:
    with pytest.raises(BadSetup, match="half of a character"):
        fair.secret(HALF)
