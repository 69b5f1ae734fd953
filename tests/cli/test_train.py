"""`parlour train` at a game from outside: a course of a second, what it says, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Cli

KUHN = Path(__file__).parents[1] / "fixtures" / "kuhn"
SHORT = ("--rounds", "1", "--games", "20", "--simulations", "12", "--hidden", "3", "--duels", "8", "--processes", "1")


@pytest.fixture(autouse=True)
def _kuhn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLOUR_GAMES", str(KUHN))


def test_a_course_is_trained_and_its_network_judged(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "net"
    done = cli("train", "kuhn", "--out", str(out), *SHORT)
    assert done.status == 0, done.err
    assert "1 rounds of 20 games" in done.out
    assert "round 1: " in done.out
    assert {file.name for file in out.iterdir()} == {
        "games-1.jsonl", "net-1.npz", "duel-1.jsonl", "log.json", "strength.svg",
    }  # fmt: skip
    again = cli("train", "kuhn", "--out", str(out), *SHORT, "--json")
    assert again.status == 0, again.err
    assert [one["round"] for one in json.loads(again.out)] == [1]
    accept = "--accept", str(out / "net-1.npz"), "--games", "8", "--simulations", "12", "--processes", "1"
    judged = cli("train", "kuhn", *accept, "--json")
    assert judged.status == 0, judged.err
    verdict = json.loads(judged.out)
    assert verdict["accepted"] == (verdict["low"] > 0.5)
    assert verdict["games"] == 8
    kept = tmp_path / "kept"
    for number in (8, 16):  # the second continues
        more = cli("train", "kuhn", *accept[:3], str(number), *accept[4:], "--out", str(kept), "--json")
        assert json.loads(more.out)["games"] == number
        if number == 8:
            first = (kept / "pilot.jsonl").read_bytes(), (kept / "accept.jsonl").read_bytes()
    assert (kept / "pilot.jsonl").read_bytes() == first[0], "times are not measured again"
    assert (kept / "accept.jsonl").read_bytes() != first[1]
    words = cli("train", "kuhn", *accept)
    assert "50.0% is even" in words.out
    assert "accepted" in words.out


def test_an_exploiter_plays_against_its_rival(cli: Cli, tmp_path: Path) -> None:
    short = (
        "--simulations",
        "0",
        "--rounds",
        "1",
        "--games",
        "40",
        "--hidden",
        "3",
        "--duels",
        "20",
        "--processes",
        "1",
    )
    done = cli("train", "kuhn", "--out", str(tmp_path), "--against", "greedy", *short)
    assert done.status == 0, done.err
    assert "against its rival" in (tmp_path / "strength.svg").read_text("utf-8")
    net = str(tmp_path / "net-1.npz")
    same = cli("train", "kuhn", "--accept", net, "--against", net, "--simulations", "0", "--games", "20")
    assert same.status == 0, same.err
    assert "its rival" in same.out


def test_what_cannot_be_is_refused(cli: Cli, tmp_path: Path) -> None:
    neither = cli("train", "kuhn")
    assert neither.status == 2
    assert "--out, or a network with --accept" in neither.err
    missing = cli("train", "kuhn", "--accept", str(tmp_path / "none.npz"))
    assert missing.status == 3
    assert "Can't read" in missing.err
    (tmp_path / "odd.npz").write_bytes(b"odd")
    odd = cli("train", "kuhn", "--accept", str(tmp_path / "odd.npz"))
    assert odd.status == 2
    assert "not weights of a network for kuhn" in odd.err
    searching = cli("train", "kuhn", "--out", str(tmp_path), "--against", "greedy")
    assert searching.status == 2
    assert "--against needs --simulations 0" in searching.err
    nothing = cli("train", "kuhn", "--out", str(tmp_path), "--against", "learned", "--simulations", "0")
    assert nothing.status == 2
    assert "has no network for 2 players" in nothing.err
    other = cli("train", "kuhn", "--out", str(tmp_path), "--edition", "nonsense")
    assert other.status == 2
