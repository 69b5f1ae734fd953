"""Choosing the edition of a new table: one of the game's, or one with other values."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Annotated

import msgspec

from parlour.core.edition import CHANGED, Edition, named
from parlour.core.errors import BadParts
from parlour.core.fields import typed
from parlour.core.game import Game
from parlour.house.errors import BadInput

MOST_CHANGES = 500  # values in one request; the games have far fewer
MOST_PATH = 200  # characters of a path
MOST_TEXT = 6_000  # of all values that are texts

Single = int | float | bool | str
Value = Single | list[Single | list[Single | list[Single]]] | dict[str, Single | list[Single]]
Changes = Annotated[
    dict[Annotated[str, msgspec.Meta(max_length=MOST_PATH)], Value], msgspec.Meta(max_length=MOST_CHANGES)
]


def chosen(game: Game, name: str | None, changes: Mapping[str, object]) -> Edition:
    """Return the edition called `name`, the first by default, with `changes` by path; texts are read as in a link.

    Raises UnknownName, BadInput, and BadParts with a sentence for each mistake.
    """
    if sum(len(value) for value in changes.values() if isinstance(value, str)) > MOST_TEXT:
        raise BadInput(f"These changes are too long: their texts can have {MOST_TEXT:,} characters in all.")
    edition = game.named(name)
    return typed(edition, changes) if changes else edition


def of_today(game: Game, name: str, parts: Mapping[str, object]) -> Edition:
    """Return the edition of a table that another Parlour made, as far as it still exists.

    Values that were changed stay, component by component, if they are still allowed and make a game.
    """
    base = game.editions.get(name.removesuffix(f", {CHANGED}"), game.named())
    if name != f"{base.name}, {CHANGED}":
        return base
    kept = dict(base.parts)
    for component, value in parts.items():
        with contextlib.suppress(BadParts):  # such a component is gone, or it was allowed once
            kept |= {component: base.changed({component: value}).parts[component]}
    found = named(base, kept)
    try:
        for players in range(game.min_num_players, game.max_num_players + 1):
            game.start(players, found, game.options())
    except BadParts:
        return base
    return found
