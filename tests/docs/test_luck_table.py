"""docs/bots.md says how much luck there is in every ruleset."""

from __future__ import annotations

from parlour.analysis.sampling import Setup
from tests.docs import luck


def test_the_table_has_every_ruleset_with_both_pairs_of_bots() -> None:
    lines = luck.section(luck.PAGE.read_text("utf-8")).splitlines()
    rows = [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines if line.startswith("|")]
    assert rows[0] == luck.HEADS
    shapes = luck.measured()
    assert len(shapes) >= 12
    wanted = [(*luck.named(shape), first, others) for shape in shapes for first, others in luck.PAIRS]
    assert [row[:4] for row in rows[2:]] == wanted


def test_a_row_is_measured() -> None:
    cells = luck.cells(Setup.make("aces-and-faces").shape, "greedy", "greedy", 60, 5)
    assert len(cells) == len(luck.HEADS)
    assert cells[:4] == (*luck.named(Setup.make("aces-and-faces").shape), "greedy", "greedy")
    assert cells[8].startswith("÷ ")
    assert float(cells[8][2:]) > 1
