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
from parlour.core.record import FIRST_LINE, Record
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
    """Return the match in a record: a path, or the record's text.

    Raises BrokenRecord, OtherRules, and FileNotFoundError for a file that does not exist.
    """
    return replay(Record.parse(_text_of(source)), find)


def _text_of(source: str | Path) -> str:
    """Return the text of a record, or what is in the file of this name."""
    if not isinstance(source, str | Path):
        raise BrokenRecord(f"A record is a path or a text, not {type(source).__name__}.")
    if source == "":
        raise BrokenRecord("This text is empty, so it is not a Parlour record.")
    if isinstance(source, str) and ("\n" in source or "\r" in source or source.lstrip("\ufeff").startswith(FIRST_LINE)):
        return source
    try:
        return Path(source).read_text("utf-8")
    except FileNotFoundError:
        raise
    except UnicodeDecodeError:
        raise BrokenRecord(f"{source} is not text, so it is not a Parlour record.") from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise BrokenRecord(f"{str(source)[:60]!r} is neither a record nor a file that can be read: {why}.") from None
