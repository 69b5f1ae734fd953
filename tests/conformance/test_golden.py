"""Real games kept as fixtures: they must be replayed as they were played, and told in the same words."""

from __future__ import annotations

from difflib import unified_diff
from pathlib import Path

import pytest

from parlour.core.record import Record
from parlour.core.replay import verify
from tests.conformance import golden
from tests.conformance.cases import every_game


@pytest.mark.parametrize("file", golden.records(), ids=lambda file: file.stem)
def test_a_kept_game_is_replayed_as_it_was_played(file: Path) -> None:
    text = file.read_text("utf-8")
    match = verify(Record.parse(text), golden.game_of)
    assert match.over
    assert match.record().to_text() == text


@pytest.mark.parametrize("file", golden.records(), ids=lambda file: file.stem)
def test_a_kept_game_is_told_in_the_same_words(file: Path) -> None:
    kept = golden.text_of(file).read_text("utf-8")
    told = golden.tell(Record.parse(file.read_text("utf-8")))
    difference = "\n".join(unified_diff(kept.splitlines(), told.splitlines(), "kept", "now", lineterm="", n=2))
    assert kept == told, f"{difference}\nIf that is meant: python -m tests.conformance.golden"


def test_every_game_and_edition_has_a_kept_game() -> None:
    wanted = {f"{game.name}-{edition}" for game in every_game() for edition in game.editions}
    assert {file.stem for file in golden.records()} == wanted
    assert {file.stem for file in golden.GOLDEN.glob("*.txt")} == wanted
