"""Games that were played once and are kept, as records, for what no walk can be relied on to find again.

A Disagreement prints a record that can be kept here. `# reaches KEY` names what the model must have seen at its end.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from parlour.conformance.cases import Case
from parlour.core.record import Record
from parlour.games import find
from tests.models.contract import OVER
from tests.models.lockstep import Disagreement, Pair, Strand

LINES = sorted((Path(__file__).parent / "lines").glob("*.txt"))


def follow(file: Path) -> None:
    """Product and model side by side through a record."""
    text = file.read_text("utf-8")
    record = Record.parse(text)
    game = find(record.game)
    case = Case(game, record.edition, len(record.names), tuple(sorted(record.options.items())))
    pair = Pair(case, Strand(game, record.options.get("ruleset", "")), file.stem)
    assert pair.match.edition.parts == record.parts
    for _, said in record.steps:
        pair.hold(f"whether {said!r} can come", said in pair.look(), True)
        pair.step(said)
    pair.look()
    assert pair.turn == OVER
    for key in re.findall(r"^# reaches (.+)$", text, re.MULTILINE):
        assert pair.model.seen[key], f"{key} was not reached"


@pytest.mark.parametrize("file", LINES, ids=lambda file: file.stem)
def test_a_kept_game_is_agreed(file: Path) -> None:
    follow(file)


def test_ga_22_the_active_player_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """GA-22: a product in which the other player came first is found out by the kept game."""
    from parlour.games.gatsby.rules import scoring

    def other_first(state: object, leave: int) -> int:
        state.player = 1 - state.player  # type: ignore[attr-defined]
        seat = right(state, leave)
        state.player = 1 - state.player  # type: ignore[attr-defined]
        return seat

    right = scoring.winner
    monkeypatch.setattr(scoring, "winner", other_first)
    with pytest.raises(Disagreement):
        follow(next(file for file in LINES if file.stem == "gatsby-both-win-at-once"))
