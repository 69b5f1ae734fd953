"""Running the command line in this process, and a finished game to work on."""

from __future__ import annotations

import io
import random
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
import typer.main

import parlour
from parlour.cli import output
from parlour.cli.app import run


@dataclass(frozen=True)
class Done:
    """What a command left behind."""

    status: int
    out: str
    err: str


Cli = Callable[..., Done]


@pytest.fixture(scope="session", autouse=True)
def _built_once() -> Iterator[None]:
    """Let Typer make its commands once: to make all of them takes longer than most of them work."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(typer.main, "get_command", cache(typer.main.get_command))
        yield


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


def interrupt_after(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Ctrl-C, once, when a command that shows its progress says that so much (or more) is done; for 0 at the start."""

    @contextmanager
    def progress(_words: str, _preparing: str) -> Iterator[output.Progress]:
        left = [number]

        def tell(done: int, _total: int, _what: str = "") -> None:
            if left and done >= left[0]:
                left.clear()
                signal.raise_signal(signal.SIGINT)

        yield tell

    monkeypatch.setattr(output, "progress", progress)


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
