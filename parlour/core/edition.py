"""Editions: named sets of a game's components, read from `editions/NAME.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

STATED, DERIVED, OUTSIDE, HOUSE, RULING = "stated", "derived", "outside", "house", "ruling"
MARKS = (STATED, DERIVED, OUTSIDE, HOUSE, RULING)  # the sources that a value may come from


@dataclass(frozen=True, slots=True)
class Part:
    """One component of an edition: its value, its source (one of MARKS) and its clause.

    `title` is its name for people, if the key's own words are not enough.
    """

    value: object
    mark: str
    clause: str
    note: str = ""
    title: str = ""


@dataclass(frozen=True)
class Edition:
    """A named set of components, as written in `editions/NAME.toml`."""

    name: str
    title: str
    note: str
    components: Mapping[str, Part]

    @cached_property
    def parts(self) -> dict[str, Any]:
        """Component name -> value: the input of `setup` and the content of a record."""
        return {name: part.value for name, part in self.components.items()}

    @staticmethod
    def of(name: str, parts: Mapping[str, object]) -> Edition:
        """Return the edition that a record or a stored position names, of which only the values are known."""
        return Edition(name, name, "", {key: Part(value, "", "") for key, value in parts.items()})

    @staticmethod
    def parse(name: str, text: str) -> Edition:
        """Read an edition. Raises ValueError, which names what is missing."""
        data = tomllib.loads(text)
        if not isinstance(data.get("title"), str):
            raise ValueError(f"edition {name}: title missing")
        components = {}
        for key, value in data.items():
            if isinstance(value, dict):
                if missing := {"value", "mark", "clause"} - value.keys():
                    raise ValueError(f"edition {name}, [{key}]: {', '.join(sorted(missing))} missing")
                if value["mark"] not in MARKS:
                    raise ValueError(f"edition {name}, [{key}]: mark must be one of {', '.join(MARKS)}")
                components[key] = Part(
                    value["value"], value["mark"], value["clause"], value.get("note", ""), value.get("title", "")
                )
        return Edition(name, data["title"], data.get("note", ""), components)
