"""Parlour: tabletop games, written once, to play, to study and to research.

>>> import parlour
>>> match = parlour.new("fortune", players=2, seed=7)
>>> match.legal_actions()[0]
'stop'
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from parlour.bots.simulation import simulate
from parlour.core.errors import BrokenRecord, ParlourError
from parlour.core.facts import Chosen
from parlour.core.match import Match
from parlour.core.record import Record
from parlour.core.replay import replay
from parlour.games import all_games, find

__version__ = "0.1.0"
__all__ = ["Match", "ParlourError", "Record", "all_games", "find", "load", "new", "simulate"]


def new(
    game: str,
    players: int | None = None,
    *,
    edition: str | None = None,
    options: Chosen | None = None,
    names: Sequence[str] | None = None,
    seed: int | str | None = None,
) -> Match:
    """A new match of `game`; the same `seed` gives the same dice and cards for the same play.

    Errors: UnknownName (game, edition, option; lists those there are), BadSetup (number of players).
    """
    return Match(find(game), players, edition=edition, options=options, names=names, seed=seed)


def load(source: str | Path) -> Match:
    """The match in a record: a path, or the record's text. Errors: BrokenRecord, OtherRules, FileNotFoundError."""
    if isinstance(source, Path) or "\n" not in source:
        try:
            source = Path(source).read_text("utf-8")
        except UnicodeDecodeError:
            raise BrokenRecord(f"{source} is not text, so it is not a Parlour record.") from None
    return replay(Record.parse(source), find)
