"""The games of an arena in a file of JSON lines: first the settings, then a line for each game, append-only."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from parlour.analysis.arena import Contest, Played
from parlour.analysis.json_lines import Lines, Words

WORDS = Words("arena", "games of an arena", "games of another arena")


class Results(Lines):
    """The file of a contest, new or continued; `played` are the games that it already holds. Use with `with`.

    The game of an incomplete last line is played again. Raises OtherResults, which names the difference or the
    unreadable line, and OSError.
    """

    def __init__(self, file: Path, contest: Contest) -> None:
        super().__init__(file, contest.settings(), WORDS)
        self.played: list[Played] = []
        for number, value in self.found():
            if (one := _game(value, contest)) is None:
                raise self.refused(number, "this is not a game of the arena in the first line.")
            self.played.append(one)

    def keep(self, one: Played) -> None:
        """Append a game at once."""
        held = one._asdict()
        for name in ("fault", "luck"):
            if not held[name]:
                del held[name]
        self.add(held)


def _game(value: object, contest: Contest) -> Played | None:
    """Return the game that a line holds, None if it is not one of this contest."""
    if not isinstance(value, dict):
        return None
    held: dict[str, Any] = {name: tuple(one) if isinstance(one, list) else one for name, one in value.items()}
    try:
        one = Played(**held)
        fits = one.seats == contest.block(one.block)[one.number] and len(one.returns) == contest.players
    except (TypeError, IndexError):
        return None
    return one if fits else None
