"""Hostile streams: every command through other encodings, a full disk, closed streams and odd bytes."""

from __future__ import annotations

import errno
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import parlour
from parlour.cli import door
from parlour.cli.app import run
from tests.cli.test_commands import COMMANDS, GROUPED, PARLOUR

ENCODINGS = ("cp1252", "cp437", "cp932", "ascii")
GAME = {  # a short run of each command that prints the most foreign letters; {record} and {data} are filled in
    "advise": "advise fortune --help",
    "analyse": "analyse {data}/none.txt",
    "arena": "arena family-trade --bots unknown",
    "bench": "bench --help",
    "bots": "bots aces-and-faces",
    "calibrate": "calibrate none",
    "check": "check {data}/none",
    "check-bot": "check-bot none:None",
    "compare": "compare fortune . . --measure none",
    "compile": "compile --help",
    "edition": "edition aces-and-faces --toml",
    "games": "games aces-and-faces",
    "mcp": "mcp --house nonsense://x",
    "new-game": "new-game a-b {data}/new",
    "notes": "notes {data}/none.toml",
    "play": "play aces-and-faces --bots none --seed 1",
    "puzzles mine": "puzzles mine none --out {data}/none.xz",
    "puzzles solve": "puzzles solve aces-and-faces --key none",
    "regret": "regret none",
    "replay": "replay {record} --log",
    "report": "report aces-and-faces --words {data}/none.toml",
    "rules": "rules aces-and-faces",
    "serve": "serve --database nonsense://x --no-open",
    "simulate": "simulate fortune --games 2 --bots random",
    "site": "site {data}/site --pyodide {data}/none",
    "solve": "solve fortune --help",
    "stats": "stats --help",
    "sweep": "sweep fortune",
    "train": "train --help",
    "tune": "tune --help",
    "verify": "verify {record}",
    "house backup": "house backup {data}/b.db --database sqlite:///{data}/none.db",
    "house key": "house key --database sqlite:///{data}/none.db",
    "house moderator": "house moderator --database sqlite:///{data}/none.db",
    "house move": "house move sqlite:///{data}/none.db sqlite:///{data}/other.db",
    "house reset-link": "house reset-link Zoë♥ --database sqlite:///{data}/none.db",
    "house restore": "house restore {data}/none.db --database sqlite:///{data}/new.db",
    "house rotate-key": "house rotate-key --database sqlite:///{data}/none.db",
    "house test-mail": "house test-mail Zoë♥",
    "house times": "house times --database sqlite:///{data}/none.db",
}


class Full(io.RawIOBase):
    """A disk without room."""

    def writable(self) -> bool:
        return True

    def write(self, _data: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


Through = Callable[..., tuple[int, bytes, str]]


@pytest.fixture
def through(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Through:
    """Run a command in this process, with any stream as its standard output."""
    monkeypatch.setenv("PARLOUR_DATA", str(tmp_path / "data"))
    record = parlour.new("aces-and-faces", names=["Zoë ♥", "李"], seed=1)
    record.play(record.legal_action_ids()[0])
    file = tmp_path / "game.txt"
    file.write_text(record.record().to_text(), "utf-8")

    def call(words: str, stdout: io.TextIOBase | None, typed: bytes = b"moves\nquit\n") -> tuple[int, bytes, str]:
        parts = [part.format(record=file, data=tmp_path) for part in words.split()]
        err = io.TextIOWrapper(io.BytesIO(), "ascii", write_through=True)
        with monkeypatch.context() as patch:
            patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(typed), "cp1252"))
            patch.setattr("sys.stdout", stdout)
            patch.setattr("sys.stderr", err)
            status = run(parts)
        out = stdout.buffer.getvalue() if isinstance(getattr(stdout, "buffer", None), io.BytesIO) else b""  # type: ignore[union-attr]
        return status, out, err.buffer.getvalue().decode()

    return call


def test_every_command_is_here() -> None:
    assert sorted(GAME) == sorted([*COMMANDS, *GROUPED])


@pytest.mark.parametrize("command", GAME)
def test_every_command_prints_in_any_encoding(through: Through, command: str, size: Callable[[int, int], int]) -> None:
    usual, printed, said = through(GAME[command], io.TextIOWrapper(io.BytesIO(), "utf-8"))
    assert printed or said
    for encoding in ENCODINGS[-size(2, 4) :]:
        for words in (GAME[command], f"{command} --help")[: 2 if encoding == "ascii" else 1]:
            status, out, err = through(words, io.TextIOWrapper(io.BytesIO(), encoding))
            out.decode(encoding)
            assert status == (0 if words.endswith("--help") else usual), (encoding, err)
            assert "Traceback" not in err


@pytest.mark.parametrize("command", GAME)
def test_every_command_says_in_a_sentence_that_nothing_can_be_written(through: Through, command: str) -> None:
    for stream, why in ((io.TextIOWrapper(io.BufferedWriter(Full()), "utf-8"), "No space left on device"),
                        (None, "standard output is closed")):  # fmt: skip
        status, _, err = through(f"{command} --help", stream)
        assert (status, err) == (1, f"parlour: Can't write the output: {why}.\n")
        stream = None if stream is None else io.TextIOWrapper(io.BufferedWriter(Full()), "utf-8")
        status, _, err = through(GAME[command], stream)
        assert status != 0
        assert "Traceback" not in err


def test_what_cannot_be_encoded_is_spelled(through: Through) -> None:
    assert door.spelled("Zoë – “½ × ♥Q” … ─│┌ 李") == 'Zoe - "1/2 x HQ" ... -|+ ?'
    _, out, _ = through("replay {record}", io.TextIOWrapper(io.BytesIO(), "ascii"))
    assert b"Zoe H" in out
    _, out, _ = through("replay {record}", io.TextIOWrapper(io.BytesIO(), "cp1252"))
    assert "Zoë H".encode("cp1252") in out


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_json_loses_nothing_in_any_encoding(through: Through, encoding: str) -> None:
    _, out, _ = through("replay {record} --json", io.TextIOWrapper(io.BytesIO(), encoding))
    assert json.loads(out.decode(encoding))["names"] == ["Zoë ♥", "李"]


def test_a_byte_order_mark_does_not_spoil_the_first_command(through: Through) -> None:
    """As PowerShell puts one before what it pipes, whatever the encoding of the input is said to be."""
    _, out, _ = through("play fortune --seed 1", io.TextIOWrapper(io.BytesIO(), "utf-8"), b"\xef\xbb\xbfstop\nquit\n")
    assert b"stops" in out
    assert b"cannot" not in out


def test_a_record_from_standard_input_is_utf_8_in_any_surroundings(through: Through, tmp_path: Path) -> None:
    through("games", io.TextIOWrapper(io.BytesIO(), "utf-8"))
    text = (tmp_path / "game.txt").read_bytes()
    _, out, _ = through("replay - --json", io.TextIOWrapper(io.BytesIO(), "utf-8"), b"\xef\xbb\xbf" + text)
    assert json.loads(out)["names"] == ["Zoë ♥", "李"]
    status, _, err = through("replay -", io.TextIOWrapper(io.BytesIO(), "utf-8"), b"\xff\xfe")
    assert (status, err) == (3, "parlour: - isn't text, so it isn't a Parlour record.\n")


def test_a_seed_of_odd_bytes_is_refused(through: Through) -> None:
    status, _, err = through("play fortune --seed a\udcff", io.TextIOWrapper(io.BytesIO(), "utf-8"))
    assert status == 2
    assert "half of a character" in err


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a shell's streams")
@pytest.mark.parametrize(
    ("streams", "status", "said"),
    [
        ("> /dev/full", 1, "parlour: Can't write the output: No space left on device.\n"),
        (">&-", 1, "parlour: Can't write the output: standard output is closed.\n"),
        ("2>&-", 0, ""),
        ("<&- > /dev/null", 0, ""),
        ("> /dev/full 2> /dev/full", 1, ""),
        (">&- 2>&- <&-", 1, ""),
        ("| true", 0, ""),
    ],
)
@pytest.mark.suite("> /dev/full-*", ">&- 2>&- <&--*", "| true-*")
def test_a_real_process(streams: str, status: int, said: str, tmp_path: Path) -> None:
    surroundings = {"PATH": os.environ["PATH"], "PARLOUR_DATA": str(tmp_path), "PYTHONIOENCODING": "cp437"}
    done = subprocess.run(
        ["sh", "-c", f"'{PARLOUR}' rules fortune FO-1 {streams}"], capture_output=True, env=surroundings, check=False
    )
    assert (done.returncode, done.stderr.decode()) == (status, said)
