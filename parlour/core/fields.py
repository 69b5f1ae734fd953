"""The values of an edition one by one, as people read and write them: fields of a form, texts in a link, what differs.

A text is a number ("100,000" too), a word, or a list: commas between its values, a line (or a semicolon) between its
lists, and an empty line between lists of these. So "peek, -; -, star" is [["peek", "-"], ["-", "star"]].
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Literal, NamedTuple

from parlour.core.bounds import said_range
from parlour.core.changes import as_toml
from parlour.core.edition import Edition, Part
from parlour.core.scene import number

Kind = Literal["number", "choice", "text", "list", "other"]  # how an entry is written; "other": only in a file
Steps = tuple[str | int, ...]  # keys of tables and places in lists, from a component's value to an entry

MOST_APART = 64  # values of a list that are entries of their own; of a longer one, the list is
DEEPEST = 3  # lists within each other that a text can write
SHORT = 40  # characters of a list or a text that a sentence repeats
FEW = 4  # changes of a component that a sentence names
_GROUPED = re.compile(r"-?\d{1,3}(?:[,_ \u00a0\u2009\u202f]\d{3})+", re.ASCII)
_PLAIN = re.compile(r"-?\d{1,18}", re.ASCII)
_MEANT = re.compile(r"[,;\n]")  # in a word, what would divide a list


class Entry(NamedTuple):
    """A value of an edition that can be changed alone. `names`: of its places in the component, the outer first.

    `value` is None where a table has no such key yet; `like` is a value of the same kind.
    """

    component: str
    steps: Steps
    names: tuple[str, ...]
    value: object
    like: object
    kind: Kind
    key: str

    @property
    def path(self) -> str:
        """Return its path, as `Edition.changed` takes it."""
        return ".".join(map(str, (self.component, *self.steps)))

    def limits(self, part: Part) -> str:
        """Return the bounds of one number in words: "0 to 20"; "" for others."""
        return said_range(*part.bounds.of(self.key)) if self.kind == "number" else ""


class Difference(NamedTuple):
    """An entry that differs between two editions, and both values; None where a table has no such key."""

    entry: Entry
    before: object
    after: object


# An edition as entries ---------------------------------------------------------------------------
def entries(name: str, part: Part) -> tuple[Entry, ...]:
    """Return the entries of a component: each number or word of its tables and of lists that keep their lengths, and
    each other list as one."""
    return tuple(_entries(name, part, part.value, part.value, (), (), "", 0))


def _entries(
    name: str, part: Part, value: object, like: object, steps: Steps, names: tuple[str, ...], key: str, depth: int
) -> Iterator[Entry]:
    if isinstance(value, dict):
        some = next(iter(value.values()), 0)
        for one in dict.fromkeys((*value, *part.bounds.keys)):
            below = value.get(one), value.get(one, some)
            yield from _entries(name, part, *below, (*steps, one), (*names, _words(one)), one, depth)
    elif isinstance(value, list) and _apart(part, value, depth):
        for at, one in enumerate(value):
            called = part.places[at] if not depth and len(part.places) == len(value) else ordinal(at + 1)
            yield from _entries(name, part, one, one, (*steps, at), (*names, called), key, depth + 1)
    else:
        yield Entry(name, steps, names, value, like, _kind(part, like), key)


def _apart(part: Part, value: Sequence[object], depth: int) -> bool:
    """Return whether the values of a list are entries of their own: numbers, or lists of them, whose lengths stay."""
    count, level = 1, depth
    inner: object = value
    while isinstance(inner, list) and inner:
        fewest, most = part.bounds.length(level, inner)
        if fewest != most or any(isinstance(one, list) and len(one) != len(inner[0]) for one in inner):
            return False
        count, level, inner = count * len(inner), level + 1, inner[0]
    return type(inner) is int and count <= MOST_APART


def _kind(part: Part, like: object) -> Kind:
    if part.bounds.fixed:
        return "other"
    if type(like) is int:
        return "number"
    if isinstance(like, str):
        return "choice" if part.bounds.words else "text"
    words = (*part.bounds.words, *leaves(like))
    plain = all(type(one) is int or (isinstance(one, str) and not _MEANT.search(one)) for one in words)
    return "list" if isinstance(like, list) and like and plain and _depth(like) <= DEEPEST else "other"


def leaves(value: object) -> Iterator[object]:
    """Yield what is in the lists of a value, or the value itself."""
    if isinstance(value, list):
        for one in value:
            yield from leaves(one)
    else:
        yield value


def _depth(value: object) -> int:
    depth = 0
    while isinstance(value, list):
        depth, value = depth + 1, value[0] if value else None
    return depth


def ordinal(count: int) -> str:
    """Return 1st, 2nd, 3rd, 4th, 11th, 21st."""
    ending = "th" if count % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(count % 10, "th")
    return f"{count}{ending}"


def _words(key: str) -> str:
    return key.replace("-", " ").replace("_", " ").strip() or key


# Texts -------------------------------------------------------------------------------------------
def text_of(value: object) -> str:
    """Return a value as the text that `value_of` reads; "" for None."""
    if isinstance(value, list):
        return {1: ", ", 2: "\n"}.get(_depth(value), "\n\n").join(map(text_of, value))
    return "" if value is None else str(value)


def value_of(text: str, like: object) -> object:
    """Return the value that a text is, read as a value of the kind of `like`; the text itself if it can't be read."""
    if isinstance(like, list):
        some = like[0] if like else 0
        lines = text.replace("\r\n", "\n").replace(";", "\n").strip()
        parts = re.split({1: r"[,\n]", 2: r"\n+"}.get(_depth(like), r"\n\s*\n"), lines) if lines else []
        return [value_of(part, some) for part in parts]
    text = text.strip()
    if type(like) is int:
        digits = text.replace("−", "-")
        digits = re.sub(r"[^-\d]", "", digits) if _GROUPED.fullmatch(digits) else digits
        return int(digits) if _PLAIN.fullmatch(digits) else text
    return text


def typed(base: Edition, given: Mapping[str, object]) -> Edition:
    """Return an edition with values given by paths, in which texts are read as `value_of` reads them.

    An empty text for what is not in the box leaves it so. Raises BadParts, as `Edition.changed`.
    """
    values: dict[str, object] = {}
    for path, value in given.items():
        if isinstance(value, str):
            found, like = _there(base, path)
            if found is None and not value.strip():
                continue
            value = value_of(value, like)
        values[path] = value
    return base.changed(values)


def _there(base: Edition, path: str) -> tuple[object, object]:
    """Return the value at a path (None if it has no value) and a value of the same kind (None for a wrong path)."""
    name, *steps = path.split(".")
    part = base.components.get(name)
    value = like = part.value if part else None
    for step in steps:
        value, like = _below(value, step), _below(like, step)
        if like is None and part and step in part.bounds.keys and isinstance(part.value, dict):
            like = next(iter(part.value.values()), 0)
    return value, like


def _below(value: object, step: str | int) -> object:
    if isinstance(value, dict):
        return value.get(step)
    if isinstance(value, list) and (isinstance(step, int) or (step.isdecimal() and step.isascii() and len(step) < 9)):
        return value[int(step)] if int(step) < len(value) else None
    return None


# What differs ------------------------------------------------------------------------------------
def differences(base: Edition, edition: Edition) -> list[Difference]:
    """Return what differs in an edition that was made from `base`, in the order of its components."""
    found = []
    for name, part in base.components.items():
        there = edition.components.get(name)
        if there is None or there.value == part.value:
            continue
        for entry in entries(name, part):
            after = within(there.value, entry)
            if after != entry.value:
                found.append(Difference(entry, entry.value, after))
    return found


def within(value: object, entry: Entry) -> object:
    """Return the value of an entry in another value of its component, None if that has no such key or place."""
    for step in entry.steps:
        value = _below(value, step)
    return value


def given(base: Edition, edition: Edition) -> dict[str, str]:
    """Return the texts from which `typed` makes this edition out of its base, by path, each in one line."""
    return {
        one.entry.path: text_of(one.after).replace(", ", ",").replace("\n", ";") for one in differences(base, edition)
    }


def said(base: Edition, edition: Edition) -> tuple[str, ...]:
    """Return what differs, by component: "Cards, gold: 5 instead of 3; truce: 2 instead of 3"."""
    found = []
    for name, group in groupby(differences(base, edition), key=lambda one: one.entry.component):
        own, part = list(group), base.components[name]
        words = "; ".join(_said(part, one) for one in own[:FEW])
        more = f"; and {len(own) - FEW} more" if len(own) > FEW else ""
        found.append(f"{part.named(name)}{', ' if own[0].entry.names else ': '}{words}{more}")
    return tuple(found)


def _said(part: Part, one: Difference) -> str:
    before, after = shown(part, one.before), shown(part, one.after)
    words = f"{after} instead of {before}" if max(len(before), len(after)) <= SHORT else "changed"
    return ": ".join(filter(None, (", ".join(one.entry.names), words)))


def shown(part: Part, value: object) -> str:
    """Return a value of a component in words: a number with its unit, a list in one line, "none" for None."""
    if type(value) is int:
        thousands = part.unit.startswith(",")
        return f"{number(value)}{part.unit if value else ''}" if thousands else f"{number(value)} {part.unit}".strip()
    if isinstance(value, dict) or _depth(value) > DEEPEST:
        return as_toml(value)
    return "none" if value is None else text_of(value).replace("\n\n", "; ").replace("\n", "; ")
