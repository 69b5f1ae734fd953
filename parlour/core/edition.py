"""Editions: named sets of a game's components, read from `editions/NAME.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import cached_property
from os import PathLike
from typing import Any

from parlour.core import bounds
from parlour.core.bounds import Bounds, nearest, shown
from parlour.core.errors import BadParts, BadSetup

STATED, DERIVED, OUTSIDE, HOUSE, RULING = "stated", "derived", "outside", "house", "ruling"
MARKS = (STATED, DERIVED, OUTSIDE, HOUSE, RULING)  # the sources that a value may come from
CHANGED = "changed"  # the mark of a value that differs from the game's edition, in an edition of your own
MOST_FAULTS = 10  # sentences in a refusal; a last one counts the others
KEYS = ("value", "mark", "clause", "note", "title", "unit", "places", *bounds.NAMES)  # of a component's table


@dataclass(frozen=True, slots=True)
class Part:
    """One component of an edition: its value, its source (one of MARKS, or CHANGED), its clause and its bounds.

    `title` is its name for people, if the key's own words are not enough; `unit` follows a number of it (",000");
    `places` are the names of a list's values, if their numbers are not enough.
    """

    value: object
    mark: str
    clause: str
    note: str = ""
    title: str = ""
    bounds: Bounds = field(default=Bounds())
    unit: str = ""
    places: tuple[str, ...] = ()

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
        return changed(self, values, title)

    def bounded(self, first: Edition) -> Edition:
        """Return this edition of a game, with what the game's first one says of bounds, units and places
        where it states none.

        Raises ValueError if a value is out of them.
        """
        components = {}
        for key, part in self.components.items():
            same = first.components.get(key)
            limits = same.bounds if same is not None and part.bounds == Bounds() else part.bounds
            if wrong := next(limits.faults(part.value, part.value, key), None):
                raise ValueError(f"edition {self.name}: {wrong[1]}")
            same = same or part
            components[key] = replace(
                part, bounds=limits, unit=part.unit or same.unit, places=part.places or same.places
            )
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
    unit, places = table.get("unit", ""), table.get("places", [])
    if not isinstance(unit, str) or not isinstance(places, list) or not all(isinstance(one, str) for one in places):
        raise ValueError(f"{where}: unit must be a text, and places a list of texts")
    if places and not (isinstance(table["value"], list) and len(places) == len(table["value"])):
        raise ValueError(f"{where}: places must name each value of the list")
    return Part(
        table["value"], table["mark"], table["clause"], table.get("note", ""), table.get("title", ""), limits, unit,
        tuple(places),
    )  # fmt: skip


# Other values ------------------------------------------------------------------------------------
def changed(before: Edition, values: Mapping[str, object], title: str = "", whole: bool = False) -> Edition:
    """Return an edition with other values, as `Edition.changed`. `whole`: tables are replaced, not added to."""
    if not isinstance(values, Mapping) or not all(isinstance(path, str) for path in values):
        raise BadSetup(f"Changes are a mapping of paths to values, not {shown(values)}.")
    faults: list[tuple[str, str]] = []
    parts = deepcopy(before.parts)
    for path, value in values.items():
        fault = _put(parts, before.components, path, value, whole, hints=len(faults) < MOST_FAULTS)
        if fault:
            faults.append((path, f"{fault}{_clause(before.components, path)}."))
    for name, part in before.components.items():
        if not _same(parts[name], part.value):
            found = part.bounds.faults(parts[name], part.value, name)
            faults += [(path, f"{sentence}{_clause(before.components, name)}.") for path, sentence in found]
    refuse(faults)
    return named(before, deepcopy(parts), title)  # only now are they known to be no deeper than those before


def _same(value: object, like: object) -> bool:
    """Return whether two values are the same, and of the same kinds: neither true nor 1.0 is 1."""
    if isinstance(value, dict) and isinstance(like, dict):
        return value.keys() == like.keys() and all(_same(value[key], like[key]) for key in like)
    if isinstance(value, list) and isinstance(like, list):
        return len(value) == len(like) and all(map(_same, value, like))
    return type(value) is type(like) and value == like


def refuse(faults: Sequence[tuple[str, str]]) -> None:
    """Raise BadParts with these mistakes, if there are any; no more than MOST_FAULTS of them."""
    if len(faults) > MOST_FAULTS:
        more = len(faults) - MOST_FAULTS
        faults = [
            *faults[:MOST_FAULTS],
            ("", f"There {'is 1 more mistake' if more == 1 else f'are {more} more mistakes'}."),
        ]
    if faults:
        raise BadParts(faults)


def _put(
    parts: dict[str, object], components: Mapping[str, Part], path: str, value: object, whole: bool, *, hints: bool
) -> str:
    """Put a value at its path. Return what is wrong with the path, "" if nothing is; with `hints`, what may be meant.

    To find a hint takes long, so that those that no one reads are left out.
    """
    name, *steps = path.split(".")
    if name not in components:
        hint = nearest(name, tuple(components)) if hints else ""
        return f"There is no component {shown(name)}{hint}; there are {', '.join(components)}"
    place: Any = parts
    so_far, step = "", name
    for following in steps:
        place = place[int(step)] if isinstance(place, list) else place.get(step)
        so_far, step = f"{so_far}.{step}".lstrip("."), following
        if fault := _no_place(place, components[name], so_far, step, hints=hints):
            return fault
    index: Any = int(step) if isinstance(place, list) else step
    old = place.get(step) if isinstance(place, dict) else place[index]
    place[index] = old | value if isinstance(old, dict) and isinstance(value, dict) and not whole else value
    return ""


def _no_place(place: object, part: Part, path: str, step: str, *, hints: bool) -> str:
    """Return why a value has no place called `step`, "" if it has."""
    if isinstance(place, list):
        if step.isdecimal() and step.isascii() and len(step) < 9 and int(step) < len(place):
            return ""
        return f"{path} has the places 0 to {len(place) - 1}, not {shown(step)}" if place else f"{path} is empty"
    if isinstance(place, dict):
        possible = part.bounds.keys or tuple(place)
        hint = nearest(step, possible) if hints and step not in possible else ""
        return "" if step in possible else f"{path} has no {shown(step)}{hint}"
    return f"{path} is one value, so it has no {shown(step)}"


def _clause(components: Mapping[str, Part], path: str) -> str:
    part = components.get(path.partition(".")[0])
    return f" ({part.clause})" if part and part.clause else ""


def named(before: Edition, parts: Mapping[str, object], title: str = "") -> Edition:
    """Return the edition with these parts, called by its title or as a changed one; `before` if nothing is new."""
    differing = [name for name, part in before.components.items() if parts[name] != part.value]
    if not differing and not title:
        return before
    components = {
        name: replace(part, value=parts[name], mark=CHANGED) if name in differing else part
        for name, part in before.components.items()
    }
    already = before.name.endswith(f", {CHANGED}")
    name = title or (before.name if already else f"{before.name}, {CHANGED}")
    heading = title or (before.title if already else f"{before.title}, {CHANGED}")
    return Edition(name, heading, before.note, components, before.base or before.name)
