"""Many records judged in blocks: the same as each alone, wherever and however often the work is begun."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from parlour.analysis import judging
from parlour.analysis.batches import Batch
from parlour.analysis.blocks import Here, collect
from parlour.analysis.json_lines import OtherResults
from parlour.analysis.judging import Way
from parlour.analysis.recording import again
from parlour.analysis.shapes import Shape
from parlour.core.errors import BadSetup, UnknownName
from parlour.core.record import Record
from parlour.core.replay import replay
from parlour.games import find

GATSBY = Batch(Shape(find("gatsby"), None, 2), ("random",), 4)
WAY = Way(simulations=20, bot="random")


@pytest.fixture(scope="module")
def records() -> dict[str, Record]:
    """Return the first steps of some games, which are judged quickly."""
    return {f"game {number}": again(GATSBY, number).record().upto(40) for number in range(3)}


@pytest.fixture(scope="module")
def alone(records: dict[str, Record]) -> list[bytes]:
    found = [judging.as_dict(judging.judge(replay(record, find), WAY, 1)) for record in records.values()]
    return [msgspec.json.encode(one) for one in found]


def test_many_records_are_judged_as_each_alone(records: dict[str, Record], alone: list[bytes], tmp_path: Path) -> None:
    plan = judging.plan(records, WAY)
    with Here(1) as here:
        assert collect(plan, here) == alone
    with Here(2) as here:
        assert collect(plan, here, tmp_path / "judged.jsonl") == alone, "in other processes, with other threads"
    assert all(json.loads(one)["decisions"] for one in alone)


def test_a_file_continues_with_more_records(records: dict[str, Record], alone: list[bytes], tmp_path: Path) -> None:
    file = tmp_path / "judged.jsonl"
    first = dict(list(records.items())[:2])
    with Here(1) as here:
        collect(judging.plan(first, WAY), here, file)
        lines = file.read_bytes().splitlines(keepends=True)
        file.write_bytes(b"".join(lines[:2]) + lines[2][:50])  # as after a crash: a line is cut off
        begun: list[int] = []
        whole = judging.plan(records, WAY)
        assert collect(whole, here, file, progress=lambda status: begun.append(status.done)) == alone
        assert begun[0] == 1, "the first record was not judged again"
        with pytest.raises(OtherResults, match="simulations is 20 there and 30 here"):
            collect(judging.plan(records, msgspec.structs.replace(WAY, simulations=30)), here, file)


def test_an_audit_finds_nothing_wrong(records: dict[str, Record], alone: list[bytes]) -> None:
    said: list[str] = []
    with Here(2) as here:
        assert collect(judging.plan(records, WAY), here, audit=1.0, notice=said.append) == alone
    assert said == []


def test_what_does_not_fit_is_refused_before_anything_is_judged(records: dict[str, Record]) -> None:
    with pytest.raises(BadSetup, match="There is no record to judge"):
        judging.plan({}, WAY)
    with pytest.raises(BadSetup, match="game 0: There is no seat 3 in this record; it has 2"):
        judging.plan(records, Way(seat=2))
    with pytest.raises(UnknownName, match="has no bot 'divine'"):
        judging.plan(records, Way(bot="divine"))
    assert Way(bot="mine:Bot").pure is False
    assert Way(seconds=1).pure is False
    assert WAY.pure
    assert judging.plan(records, WAY).games == ("gatsby",)
