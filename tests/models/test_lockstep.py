"""Product and models agree, and a product whose rules are wrong is found out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from parlour.games import all_games
from tests.models import nightly
from tests.models.lockstep import Disagreement, Strand, Walk, foreign_imports, model_files, strands

POSITIONS = 10_000


def test_every_game_has_a_model() -> None:
    assert {strand.game.name for strand in strands()} == set(all_games())


@pytest.mark.slow
@pytest.mark.parametrize("strand", strands(), ids=str)
def test_product_and_model_agree(strand: Strand, size: Callable[[int, int], int]) -> None:
    positions = getattr(strand.model, "POSITIONS", POSITIONS)
    least = size(positions // 16, positions)
    walk = Walk(strand).go(least)
    assert walk.positions == least
    assert walk.ended, "no game was played to its end"
    while walk.missing() and walk.positions < 3 * positions:  # seldom: what is rare is rare
        walk.mixed(least // 5)
    assert not walk.missing(), f"never reached: {walk.missing()}; reached: {dict(walk.seen)}"


BROKEN = [(strand, name) for strand in strands() for name in strand.broken]


@pytest.mark.parametrize(("strand", "name"), BROKEN, ids=[f"{strand}: {name}" for strand, name in BROKEN])
def test_a_wrong_rule_is_found(strand: Strand, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    make: Callable[[pytest.MonkeyPatch], None] = strand.reading.BROKEN[name]
    make(monkeypatch)
    with pytest.raises(Disagreement):
        Walk(strand).go(getattr(strand.model, "POSITIONS", POSITIONS))


@pytest.mark.parametrize("file", model_files(), ids=lambda file: file.stem)
def test_a_model_imports_nothing_of_the_product(file: Path) -> None:
    assert not list(foreign_imports(file.read_text("utf-8")))


@pytest.mark.parametrize(
    "source",
    [
        "import parlour",
        "from parlour.games.fortune import rules",
        "def f():\n    import parlour.core.game as g",
        "from tests.models.readings import fortune",
        "from tests.models.lockstep import Pair",
        "from ..conformance import cases",
        "import importlib",
        "__import__('parlour')",
    ],
)
def test_an_import_of_the_product_is_found(source: str) -> None:
    assert list(foreign_imports(source))


def test_the_nightly_says_what_it_walked(capsys: pytest.CaptureFixture[str]) -> None:
    assert nightly.main(["fortune"], positions=200, seed=1) == 0
    assert "200 positions" in capsys.readouterr().out


def test_the_nightly_tells_what_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    number, strand = next((i, strand) for i, strand in enumerate(strands()) if strand.game.name == "fortune")
    strand.reading.BROKEN["FO-17 Captain forgotten on the Island"](monkeypatch)
    positions, _, _, wrong = nightly.walk((number, 1, POSITIONS))
    assert positions < POSITIONS
    assert "loss now: product" in wrong
    assert "parlour-record 1" in wrong
