"""Editions of your own in files of TOML, and values in texts (docs/change-a-game.md)."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from textwrap import wrap
from typing import Any

from parlour.core.bounds import nearest, shown
from parlour.core.edition import KEYS, Edition, changed, refuse
from parlour.core.errors import BadParts, BadSetup

MOST_BYTES = 64_000  # of a file
MOST_TITLE = 50  # characters of a title, which is the edition's name in records
SUFFIX = ".toml"


def is_file(chosen: object) -> bool:
    """Return whether this names an edition's file, not an edition of the game."""
    return isinstance(chosen, PathLike) or (isinstance(chosen, str) and chosen.endswith(SUFFIX))


def value_of(text: str) -> object:
    """Return the value that a text is in TOML: 5, [1, 2], "peek". A word needs no quotes. Raises BadSetup."""
    try:
        found = tomllib.loads(f"value = {text}")
    except (ValueError, RecursionError):  # ValueError: bad TOML, or a number with thousands of digits
        found = {}
    if found.keys() == {"value"}:
        return found["value"]
    if text and all(letter.isalnum() or letter in "-_: " for letter in text) and not text[0].isdigit():
        return text
    raise BadSetup(f"{shown(text)} is not a value: write a number such as 5, a word, or a list such as [1, 2].")


def read(file: str | PathLike[str], editions: Mapping[str, Edition]) -> Edition:
    """Return the edition in a file of your own; `editions` are the game's. Raises BadSetup with all mistakes."""
    name = fspath(file)
    try:
        with Path(file).open("rb") as opened:
            data = opened.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        raise BadSetup(f"Can't read {name}: {getattr(error, 'strerror', None) or error}.") from None
    if len(data) > MOST_BYTES:
        raise BadSetup(f"{name} has more than {MOST_BYTES:,} bytes, so it isn't an edition.")
    try:
        return parse(data.decode(), editions)
    except UnicodeDecodeError:
        raise BadSetup(f"{name} isn't text, so it isn't an edition.") from None
    except (ValueError, RecursionError) as error:  # bad TOML, or a number with thousands of digits
        raise BadSetup(f"{name} isn't TOML: {error}.") from None


def parse(text: str, editions: Mapping[str, Edition]) -> Edition:
    """Return the edition in the text of such a file. Raises BadParts; ValueError, RecursionError if it is not TOML."""
    data = tomllib.loads(text)
    title, note, base = data.pop("title", ""), data.pop("note", ""), data.pop("base", None)
    data.pop("default", None)  # in a copy of a game's file
    faults: list[tuple[str, str]] = []
    for name, said in (("title", title), ("note", note)):
        if not isinstance(said, str):
            faults.append((name, f"{name} must be a text, not {shown(said)}."))
    if isinstance(title, str):
        faults += [("title", fault) for fault in _title_faults(title, base is None, editions)]
    whole = base is None
    base = next(iter(editions)) if whole else base
    if not isinstance(base, str) or base not in editions:
        near = nearest(base, tuple(editions)) if isinstance(base, str) else ""
        faults.append(("base", f"base can't be {shown(base)}{near}; it is one of {', '.join(editions)}."))
        refuse(faults)
    before = editions[base]
    if whole:
        missing = [key for key in before.components if key not in data]
        faults += [(key, f'{key} is missing: give all components, or write base = "{base}".') for key in missing]
    values, strange = _values(data, before)
    faults += strange
    try:
        found = changed(before, values, title if isinstance(title, str) else "", whole)
    except BadParts as error:
        faults += error.faults
    refuse(faults)
    return replace(found, note=note or found.note)


def _title_faults(title: str, needed: bool, editions: Mapping[str, Edition]) -> list[str]:
    if not title:
        return ["title is missing: it is the edition's name in records and results."] if needed else []
    if len(title) > MOST_TITLE or not title.isprintable() or title != title.strip():
        return [f"title must be one line of at most {MOST_TITLE} characters."]
    if title in editions or is_file(title):
        return [f"title can't be {shown(title)}, which names something else: choose a name of your own."]
    return []


def _values(data: Mapping[str, Any], before: Edition) -> tuple[dict[str, object], list[tuple[str, str]]]:
    """Return the values that a file gives by component, and what it says that means nothing."""
    values: dict[str, object] = {}
    faults = []
    for key, given in data.items():
        part = before.components.get(key)
        has_value = part is not None and isinstance(part.value, dict) and "value" in (*part.value, *part.bounds.keys)
        if isinstance(given, dict) and "value" in given and not has_value:
            for name in given:
                if name not in KEYS:
                    faults.append((key, f"{key} has no {shown(name)}{nearest(name, KEYS)}."))
            given = given["value"]
        values[key] = given
    return values, faults


# Written -----------------------------------------------------------------------------------------
def paths(name: str, value: object) -> list[tuple[str, object]]:
    """Return the parts of a component that a line can show, each with its path: the entries of a table, else itself."""
    return [(f"{name}.{key}", item) for key, item in value.items()] if isinstance(value, dict) else [(name, value)]


def as_toml(value: object) -> str:
    """Return a value as TOML, in one line."""
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{_key(key)} = {as_toml(item)}' for key, item in value.items())} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(as_toml, value))}]"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str | bool) else str(value)


def written(edition: Edition) -> str:
    """Return an edition as the text of a file, to change: all values, with their bounds, sources and clauses."""
    title = edition.title if edition.base else f"My {edition.title}"[:MOST_TITLE]
    lines = [f"title = {as_toml(title)}", f"base = {as_toml(edition.base or edition.name)}"]
    for name, part in edition.components.items():
        lines += ["", *wrap(f"{part.named(name)} ({part.clause}, {part.mark}). {part.note}", 96, initial_indent="# ",
                            subsequent_indent="# ")]  # fmt: skip
        if bounds := part.bounds.said(part.value):
            lines += wrap(f"Allowed: {bounds}.", 96, initial_indent="# ", subsequent_indent="# ")
        start = "# " if part.bounds.fixed else ""
        for path, value in paths(name, part.value):
            lines += _assigned(path, value, start)
    return "\n".join(lines) + "\n"


def _assigned(path: str, value: object, start: str) -> list[str]:
    line = f"{start}{'.'.join(map(_key, path.split('.')))} = {as_toml(value)}"
    if len(line) <= 100 or start or not isinstance(value, list):
        return [line]
    head = line.partition(" = ")[0]
    if all(isinstance(item, list) for item in value):
        return [f"{head} = [", *(f"  {as_toml(item)}," for item in value), "]"]
    lines = ["  "]
    for item in map(as_toml, value):
        if len(lines[-1]) + len(item) > 96:
            lines.append("  ")
        lines[-1] += f"{item}, "
    return [f"{head} = [", *map(str.rstrip, lines), "]"]


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else json.dumps(key)
