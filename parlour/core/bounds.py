"""Bounds: what the value of a component may be, in an edition of your own (docs/change-a-game.md)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields

Limit = int | Mapping[str, int] | None  # of all numbers in a value; or of those under a key, by that key
Fault = tuple[str, str]  # the path of a value, and what is wrong with it

FARTHEST = 10**9  # a number without bounds is between this and its negative: what every engine can count
HINTS = 10  # names of a table for which a similar one is looked up
SHOWN = 40  # characters of a wrong value that a sentence repeats


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a component may be, beside its kind: that of the value in the game's own edition.

    `least`, `most`: for all whole numbers in the value, or by the key of a table. `words`: the texts that it may hold.
    `keys`: those that its table may have, if it can also have others than it has. `lengths`: how many values each list
    has, from the outer to the inner: the fewest and the most; as many as now without it. `fixed`: nothing can change.
    """

    least: Limit = None
    most: Limit = None
    words: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    lengths: tuple[tuple[int, int], ...] = ()
    fixed: bool = False

    @staticmethod
    def parse(table: Mapping[str, object]) -> Bounds:
        """Read the bounds beside a value in an edition's file. Raises ValueError, which says what is wrong."""
        for name in ("least", "most"):
            limit = table.get(name)
            numbers = limit.values() if isinstance(limit, dict) else (limit,)
            if limit is not None and not all(type(number) is int for number in numbers):
                raise ValueError(f"{name} must be a whole number, or a table of them")
        for name in ("words", "keys"):
            texts = table.get(name, [])
            if not isinstance(texts, list) or not all(isinstance(one, str) for one in texts):
                raise ValueError(f"{name} must be a list of texts")
        lengths = table.get("lengths", [])
        pairs = [[one, one] if type(one) is int else one for one in lengths] if isinstance(lengths, list) else [None]
        if not all(isinstance(p, list) and len(p) == 2 and all(type(n) is int for n in p) for p in pairs):
            raise ValueError("lengths must be a list with a number, or the fewest and the most, for each depth")
        if type(table.get("fixed", False)) is not bool:
            raise ValueError("fixed must be true or false")
        found = {name: table[name] for name in NAMES if name in table}
        found |= {name: tuple(table[name]) for name in ("words", "keys") if name in table}  # type: ignore[arg-type]
        return Bounds(**found | {"lengths": tuple((p[0], p[1]) for p in pairs)})  # type: ignore[index, arg-type]

    def of(self, key: str) -> tuple[int, int]:
        """Return the least and the most that a number under `key` ("" outside tables) may be."""

        def limit(given: Limit, otherwise: int) -> int:
            found = given.get(key) if isinstance(given, Mapping) else given
            return otherwise if found is None else found

        return limit(self.least, -FARTHEST), limit(self.most, FARTHEST)

    def length(self, depth: int, like: Sequence[object]) -> tuple[int, int]:
        """Return the fewest and the most values of a list at this depth (0: the outer one)."""
        return self.lengths[depth] if depth < len(self.lengths) else (len(like), len(like))

    def faults(self, value: object, like: object, path: str) -> Iterator[Fault]:
        """Yield what is wrong with a value, as (path, sentence without full stop). `like` is the value it replaces."""
        if self.fixed:
            if value != like:
                yield path, f"{path} can't be changed"
        else:
            yield from self._faults(value, like, path, "", 0)

    def _faults(self, value: object, like: object, path: str, key: str, depth: int) -> Iterator[Fault]:
        if isinstance(like, dict):
            if isinstance(value, dict):
                yield from self._table(value, like, path, depth)
            else:
                yield path, f"{path} must be a table of names and values, not {shown(value)}"
        elif isinstance(like, list):
            if isinstance(value, list):
                yield from self._list(value, like, path, key, depth)
            else:
                yield path, f"{path} must be a list, not {shown(value)}"
        elif type(like) is int:
            least, most = self.of(key)
            if type(value) is not int:
                yield path, f"{path} must be a whole number, not {shown(value)}"
            elif not least <= value <= most:
                yield path, f"{path} is {said(value)}, but it must be {said_range(least, most)}"
        elif isinstance(like, str):
            if not isinstance(value, str):
                yield path, f"{path} must be a text, not {shown(value)}"
            elif self.words and value not in self.words:
                yield (
                    path,
                    f"{path} can't be {shown(value)}{nearest(value, self.words)}; it is one of {listed(self.words)}",
                )
        elif type(value) is not type(like):
            yield path, f"{path} must be of the same kind as {shown(like)}, not {shown(value)}"

    def _table(self, value: Mapping[str, object], like: Mapping[str, object], path: str, depth: int) -> Iterator[Fault]:
        some = next(iter(like.values()), 0)
        possible, strange = self.keys or tuple(like), 0
        for key, item in value.items():
            if key in possible:
                yield from self._faults(item, like.get(key, some), f"{path}.{key}", key, depth)
            else:
                strange += 1
                yield path, f"{path} has no {shown(key)}{nearest(key, possible) if strange <= HINTS else ''}"
        for key in like if not self.keys else ():
            if key not in value:
                yield path, f"{path} lacks {shown(key)}"

    def _list(
        self, value: Sequence[object], like: Sequence[object], path: str, key: str, depth: int
    ) -> Iterator[Fault]:
        fewest, most = self.length(depth, like)
        if not fewest <= len(value) <= most:
            yield path, f"{path} must have {said_range(fewest, most)} values, not {said(len(value))}"
            return
        some = like[0] if like else 0
        for number, item in enumerate(value):
            yield from self._faults(item, some, f"{path}.{number}", key, depth + 1)

    def said(self, value: object) -> str:
        """Return the bounds of `value` in words: "0 to 20"; "5 values, each 0 to 9"; "" without any."""
        if self.fixed:
            return "can't be changed"
        found: list[str] = []
        depth, key = 0, ""
        while isinstance(value, dict | list) and value:
            if isinstance(value, list):
                nested = isinstance(value[0], list)
                lists = f"{said_range(*self.length(depth, value))} {'lists' if nested else 'values'}"
                found = [f"{found[0]} of {lists}" if found else lists]
                depth += 1
                value = value[0]
            else:
                key = next(iter(value))
                value = value[key]
        by_key = isinstance(self.least, Mapping) or isinstance(self.most, Mapping)
        if type(value) is int and by_key:
            found.append("each in its own bounds")
        elif type(value) is int and self.of(key) != (-FARTHEST, FARTHEST):
            found.append(("each " if found or key else "") + said_range(*self.of(key)))
        elif self.words:
            found.append(("each " if found else "") + f"one of {listed(self.words)}")
        return ", ".join(found)


NAMES = tuple(field.name for field in fields(Bounds))


def said(number: int) -> str:
    """Return a number as people write it."""
    return f"{number:,}" if abs(number) < 10**15 else f"{'below -' if number < 0 else 'above '}{10**15:,}"


def said_range(least: int, most: int) -> str:
    """Return a range in words: "0 to 20", "5", "at least 0"."""
    if least == most:
        return said(least)
    if most >= FARTHEST:
        return f"at least {said(least)}"
    return f"at most {said(most)}" if least <= -FARTHEST else f"{said(least)} to {said(most)}"


def shown(value: object) -> str:
    """Return a wrong value as a sentence can repeat it, cut if it is long."""
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, dict) else "a list"
    text = repr(value) if not isinstance(value, bool) else str(value).lower()
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


def listed(words: Sequence[str]) -> str:
    """Return words separated by commas."""
    return ", ".join(words)


def nearest(word: str, known: Sequence[str]) -> str:
    """Return " (did you mean 'gold'?)" for the known word that is most like `word`, "" if none is like it."""
    from difflib import get_close_matches  # only for mistakes

    found = get_close_matches(word[:SHOWN], known, 1)
    return f" (did you mean {found[0]!r}?)" if found else ""
