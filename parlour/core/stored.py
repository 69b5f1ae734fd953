"""The form of a stored position: what `State.serialize` writes and `parlour.deserialize_state` reads."""

from __future__ import annotations

import msgspec

from parlour.core.errors import InvalidMove

FORMAT = 1  # of `serialize`


class Stored(msgspec.Struct):
    """A position as `State.serialize` writes it."""

    format: int
    game: str
    rules: int
    players: int
    edition: str
    parts: dict[str, object]
    options: dict[str, str]
    actions: list[tuple[int, int]]
    since: tuple[tuple[int, ...], tuple[str, ...]] | None = None

    @classmethod
    def read(cls, text: str) -> Stored:
        """Return what `State.serialize` wrote. Raises InvalidMove for anything else."""
        try:
            found = msgspec.json.decode(text, type=cls)
        except (msgspec.MsgspecError, TypeError, UnicodeError) as error:
            raise InvalidMove(f"This is not a position that `State.serialize` wrote: {error}.") from None
        if found.format != FORMAT:
            raise InvalidMove(f"This position has format {found.format}; this Parlour reads {FORMAT}.")
        return found
