"""Peers beside Parlour: adapters of our own, so that nothing need be installed."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from parlour.analysis import peers
from parlour.analysis.peers import Comparison, Missing, compare
from parlour.core.errors import BadSetup

REAL = ["catanatron", "gymnasium", "open_spiel", "pettingzoo", "pgx", "pufferlib", "rlcard"]

FAKE = """
import sys
sys.path.insert(0, {serving!r})
from serving import serve

def spin():
    print("what a library prints does no harm")
    return sum(range(1000)) > 0

def die():
    if len(calls) == {calls}:
        sys.exit("the peer has fallen")
    calls.append(1)
    return 1

calls = []
serve("numpy", {module!r}, lambda: [("python", "some game", "fortune", "steps/s", {piece})])
"""


def adapter(folder: Path, name: str, module: str = "json", piece: str = "spin", calls: int = 0) -> None:
    text = FAKE.format(serving=str(peers.ADAPTERS), module=module, piece=piece, calls=calls)
    (folder / f"with_{name}.py").write_text(text)


@pytest.fixture(autouse=True)
def only_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ours is measured in plain Python: nothing is compiled for these tests."""
    monkeypatch.setattr(peers, "BESIDE", {"python": ("plain", "games")})
    monkeypatch.setattr("parlour.engine.compiled.compile", peers.interpret)


def test_each_peer_is_measured_beside_ours_and_what_is_missing_is_named(tmp_path: Path) -> None:
    adapter(tmp_path, "here")
    adapter(tmp_path, "gone", module="no_such_library")
    reported: list[tuple[int, int]] = []
    rows = list(compare(adapters=tmp_path, runs=3, seconds=0.002, progress=lambda *n: reported.append(n)))
    plain, games, gone = rows
    assert gone == Missing("gone", "No module named 'no_such_library'")
    assert isinstance(plain, Comparison)
    assert isinstance(games, Comparison)
    assert (plain.work, games.work) == ("random play, plain Python", "whole random games")
    for row in (plain, games):
        assert (row.game, row.theirs, row.unit) == ("fortune", "some game", "steps/s")
        assert row.peer.startswith("here ")
        for rate in (row.rate, row.peer_rate, row.ratio):
            assert 0 < rate.low <= rate.median <= rate.high
        assert row.rate.low / row.peer_rate.high <= row.ratio.median <= row.rate.high / row.peer_rate.low
    assert plain.rate.median > games.rate.median  # a game has many steps
    assert reported == [(0, 3), (1, 3), (2, 3)]


def test_a_peer_that_falls_under_way_is_named_with_its_last_words(tmp_path: Path) -> None:
    adapter(tmp_path, "weak", piece="die", calls=2)
    assert list(compare(adapters=tmp_path, runs=2, seconds=0.001)) == [Missing("weak", "the peer has fallen")]


def test_without_adapters_or_interpreter_it_says_so(tmp_path: Path) -> None:
    with pytest.raises(BadSetup, match="checkout"):
        list(compare(adapters=tmp_path))
    adapter(tmp_path, "here")
    with pytest.raises(BadSetup, match="nowhere cannot be run: No such file"):
        list(compare("/nowhere", adapters=tmp_path))


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system cannot keep a process to one core")
def test_all_keep_to_one_core_and_are_let_go_again() -> None:
    before = os.sched_getaffinity(0)
    with peers.one_core():
        assert len(os.sched_getaffinity(0)) == 1
    assert os.sched_getaffinity(0) == before


def test_the_real_adapters_name_what_cannot_be_imported(tmp_path: Path) -> None:
    bare = tmp_path / "python"  # nothing but the standard library
    bare.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "$@"\n')
    bare.chmod(0o755)
    rows = list(compare(str(bare)))
    assert [row.peer for row in rows] == REAL
    assert all(isinstance(row, Missing) and "No module named" in row.why for row in rows)
