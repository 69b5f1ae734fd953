"""Editions: named sets of a game's components, as `editions/NAME.toml` has them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

STATED, DERIVED, OUTSIDE, HOUSE, RULING = "stated", "derived", "outside", "house", "ruling"
MARKS = (STATED, DERIVED, OUTSIDE, HOUSE, RULING)  # where a value comes from


@dataclass(frozen=True, slots=True)
class Part:
    """One component of an edition: its value, where it comes from (one of MARKS) and the clause."""

    value: Any
    mark: str
    clause: str
    note: str = ""


@dataclass(frozen=True)
class Edition:
    """A named set of components, as written in `editions/NAME.toml`."""

    name: str
    title: str
    note: str
    components: Mapping[str, Part]

    @cached_property
    def parts(self) -> dict[str, Any]:
        """Component name -> value: what `setup` is given and what a record keeps."""
        return {name: part.value for name, part in self.components.items()}

    @staticmethod
    def parse(name: str, text: str) -> Edition:
        """Read an edition; ValueError names what is missing."""
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
                components[key] = Part(value["value"], value["mark"], value["clause"], value.get("note", ""))
        return Edition(name, data["title"], data.get("note", ""), components)
