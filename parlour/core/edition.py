"""Editions: named sets of a game's components, read from `editions/NAME.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from os import PathLike
from typing import Any

from parlour.core import bounds
from parlour.core.bounds import Bounds

STATED, DERIVED, OUTSIDE, HOUSE, RULING = "stated", "derived", "outside", "house", "ruling"
MARKS = (STATED, DERIVED, OUTSIDE, HOUSE, RULING)  # the sources that a value may come from
CHANGED = "changed"  # the mark of a value that differs from the game's edition, in an edition of one's own
KEYS = ("value", "mark", "clause", "note", "title", *bounds.NAMES)  # what a component's table may have


@dataclass(frozen=True, slots=True)
class Part:
    """One component of an edition: its value, its source (one of MARKS, or CHANGED), its clause and its bounds.

    `title` is its name for people, if the key's own words are not enough.
    """

    value: object
    mark: str
    clause: str
    note: str = ""
    title: str = ""
    bounds: Bounds = field(default=Bounds())

    def named(self, key: str) -> str:
        """Return the component's name for people."""
        return self.title or key.replace("_", " ").capitalize()


@dataclass(frozen=True)
class Edition:
    """A named set of components, as written in `editions/NAME.toml`.

    `base` names the game's edition from which one of your own differs; "" for the game's own editions.
    """

    name: str
    title: str
    note: str
    components: Mapping[str, Part]
    base: str = ""

    def __str__(self) -> str:
        return self.name

    def __hash__(self) -> int:  # a mapping has none
        return hash((self.name, self.base))

    @cached_property
    def parts(self) -> dict[str, Any]:
        """Component name -> value: the input of `setup` and the content of a record."""
        return {name: part.value for name, part in self.components.items()}

    @property
    def differing(self) -> dict[str, object]:
        """The components that differ from those of `base`, with their values."""
        return {name: part.value for name, part in self.components.items() if part.mark == CHANGED}

    def changed(self, values: Mapping[str, object], title: str = "") -> Edition:
        """Return this edition with other values, each by its path: {"deck.gold": 5, "ladder.3": 60}.

        A path is the name of a component, then keys of tables and places in lists, from 0. A table changes only what
        it names. Without a title, the result is called after this edition. Raises BadParts with a sentence for each
        mistake: an unknown name, the wrong kind of value, a value out of its bounds.
        """
        from parlour.core.changes import changed

        return changed(self, values, title)

    def bounded(self, first: Edition) -> Edition:
        """Return this edition of a game, with the bounds of the game's first one where it states none.

        Raises ValueError if a value is out of them.
        """
        components = {}
        for key, part in self.components.items():
            same = first.components.get(key)
            limits = same.bounds if same is not None and part.bounds == Bounds() else part.bounds
            if wrong := next(limits.faults(part.value, part.value, key), None):
                raise ValueError(f"edition {self.name}: {wrong[1]}")
            components[key] = replace(part, bounds=limits)
        return replace(self, components=components)

    @staticmethod
    def of(name: str, parts: Mapping[str, object]) -> Edition:
        """Return the edition that a record or a stored position names, of which only the values are known."""
        return Edition(name, name, "", {key: Part(value, "", "") for key, value in parts.items()})

    @staticmethod
    def parse(name: str, text: str) -> Edition:
        """Read an edition of a game. Raises ValueError, which names what is missing or wrong."""
        data = tomllib.loads(text)
        if not isinstance(data.get("title"), str):
            raise ValueError(f"edition {name}: title missing")
        components = {}
        for key, value in data.items():
            if isinstance(value, dict):
                components[key] = _part(f"edition {name}, [{key}]", value)
        return Edition(name, data["title"], data.get("note", ""), components)


EditionLike = str | PathLike[str] | Edition  # what `Game.edition` reads: a name, an edition's file, or the edition


def _part(where: str, table: Mapping[str, Any]) -> Part:
    """Read a component. Raises ValueError, which names what is missing or wrong, and its place `where`."""
    if missing := {"value", "mark", "clause"} - table.keys():
        raise ValueError(f"{where}: {', '.join(sorted(missing))} missing")
    if strange := [key for key in table if key not in KEYS]:
        raise ValueError(f"{where}: {strange[0]} means nothing; possible are {', '.join(KEYS)}")
    if table["mark"] not in MARKS:
        raise ValueError(f"{where}: mark must be one of {', '.join(MARKS)}")
    try:
        limits = Bounds.parse(table)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None
    return Part(table["value"], table["mark"], table["clause"], table.get("note", ""), table.get("title", ""), limits)
