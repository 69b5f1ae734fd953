"""Running the command line in this process, and a finished game to work on."""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

import parlour
from parlour.cli.app import run


@dataclass(frozen=True)
class Done:
    """What a command left behind."""

    status: int
    out: str
    err: str


Cli = Callable[..., Done]


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Cli:
    """Run `parlour` with arguments (and text on standard input)."""
    monkeypatch.setenv("PARLOUR_DATA", str(tmp_path / "data"))

    def call(*arguments: str | Path, input: str = "") -> Done:
        monkeypatch.setattr("sys.stdin", io.StringIO(input))
        capsys.readouterr()
        status = run([str(argument) for argument in arguments])
        return Done(status, *capsys.readouterr())

    return call


@pytest.fixture(scope="session")
def finished() -> parlour.Match:
    """A short game, played at random to its end."""
    choose = random.Random(1)
    match = parlour.new("fortune", players=2, seed=7, options={"target": "5000", "floor_at_zero": "true"})
    while not match.over:
        match.play(choose.choice(match.legal_actions()))
    return match


@pytest.fixture
def record(finished: parlour.Match, tmp_path: Path) -> Path:
    """The file of the finished game."""
    file = tmp_path / "game.txt"
    file.write_text(finished.record().to_text(), "utf-8")
    return file
