"""Parlour: tabletop games, written once, to play, to study and to research.

>>> import parlour
>>> match = parlour.new("fortune", players=2, seed=7)
>>> match.legal_actions()[0]
'stop'
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from parlour.bots.own import Bot
from parlour.bots.simulation import simulate
from parlour.core.edition import Edition, EditionLike
from parlour.core.errors import BadParts, BrokenRecord, InvalidMove, OtherRules, ParlourError, flag
from parlour.core.facts import Chosen
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.mechanics import Mechanics
from parlour.core.record import FIRST_LINE, Record
from parlour.core.replay import replay
from parlour.core.state import State
from parlour.core.stored import Stored
from parlour.games import all_games, find

if TYPE_CHECKING:
    from parlour.engine.batch import Batch

__version__ = "0.1.0"
__all__ = [
    "Batch", "Bot", "Game", "Match", "ParlourError", "Record", "State", "all_games", "deserialize_state", "find",
    "load", "new", "new_initial_state", "simulate",
]  # fmt: skip


def __getattr__(name: str) -> object:
    """Import what needs NumPy and Numba only when it is asked for: they take half a second."""
    if name == "Batch":
        from parlour.engine.batch import Batch

        return Batch
    raise AttributeError(f"module 'parlour' has no attribute {name!r}")


def new(
    game: str,
    players: int | None = None,
    *,
    edition: EditionLike | None = None,
    options: Chosen | None = None,
    names: Sequence[str] | None = None,
    seed: int | str | None = None,
    auto: bool = True,
) -> Match:
    """A new match of `game`; the same `seed` gives the same dice and cards for the same play.

    With `auto=False` chance is drawn only by `Match.draw`, or given by `Match.force`.

    Errors: UnknownName (game, edition, option; lists those there are), BadSetup (number of players).
    """
    return Match(find(game), players, edition=edition, options=options, names=names, seed=seed, auto=auto)


def new_initial_state(
    game: str | Game,
    players: int | None = None,
    *,
    edition: EditionLike | None = None,
    options: Chosen | None = None,
    compiled: bool = False,
) -> State:
    """Return the position before the first draw or decision, for the fewest players unless their number is given.

    `compiled`: play by machine code. The first state of a game then takes a few seconds to compile, and the others
    come from a cache. Errors: as `new`.
    """
    found = game if isinstance(game, Game) else find(game)
    if not flag(compiled, "`compiled`"):
        return State(Mechanics(found, players, edition, options))
    from parlour.engine.single import CompiledMechanics

    return State(CompiledMechanics(found, players, edition, options))


def deserialize_state(text: str) -> State:
    """Return the position that `State.serialize` wrote, played by plain rules.

    Raises InvalidMove for anything else, OtherRules if the game's rules have changed, and what `find` raises.
    """
    stored = Stored.read(text)
    game = find(stored.game)
    if stored.rules != game.rules.VERSION:
        raise OtherRules(
            f"This position has version {stored.rules} of its rules; this Parlour has {game.rules.VERSION}."
        )
    edition = Edition.of(stored.edition, stored.parts)
    try:
        state = new_initial_state(game, stored.players, edition=edition, options=stored.options)
        state.restore(stored)
    except (KeyError, TypeError, ValueError, IndexError, BadParts) as error:  # from the game's own code
        raise InvalidMove(f"The parts or numbers of this position do not fit the game: {error}.") from error
    return state


def load(source: str | Path | Record) -> Match:
    """Return the match in a record: a path, the record's text, or the `Record` itself.

    Raises BrokenRecord, OtherRules, and FileNotFoundError for a file that does not exist.
    """
    return replay(source if isinstance(source, Record) else Record.parse(_text_of(source)), find)


def _text_of(source: str | Path) -> str:
    """Return the text of a record, or what is in the file of this name."""
    if not isinstance(source, str | Path):
        raise BrokenRecord(f"A record is a path, a text or a Record, not {type(source).__name__}.")
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
