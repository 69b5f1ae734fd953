"""A cache of drawn parts of a position: between two positions, and between two viewers, most of a table is the same."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from operator import is_
from typing import TypeVar

from msgspec.structs import replace

from parlour.core import html
from parlour.core.scene import Button, Piece, Scene
from parlour.house.table.pages.changes import STUB, Drawing, Part

T = TypeVar("T", Piece, Button)
KEPT = 6_000  # parts, of all tables: 1 KB each, about
_kept: OrderedDict[tuple[str, str, Piece | Button], tuple[Part, Piece | Button]] = (
    OrderedDict()
)  # by what it is drawn from


def drawn(scene: Scene, rules: str) -> Drawing:
    """Draw a position. `rules` is the address of the rulebook."""
    parts = _Parts(rules)
    return Drawing(Part.of(html.render(faced(scene), rules, parts), parts.found))


def faced(scene: Scene) -> Scene:
    """Return a scene whose plates have the pictures of their players, as symbols that the page defines."""
    plates = tuple(one if one.seat is None else replace(one, face=face(one.seat)) for one in scene.seats)
    return replace(scene, seats=plates)


def face(seat: int) -> str:
    """Return the name of the symbol with the picture of a seat's player."""
    return f"player-{seat}"


class _Parts:
    """The parts found while something is drawn; in the markup a stub replaces each."""

    def __init__(self, rules: str) -> None:
        self._rules = rules
        self.found: list[Part] = []
        self._same: dict[int, Piece | Button] = {}  # by the identity of each that was met, the equal one that is cached

    def known(self, what: T, draw: Callable[[T], str], form: str = "") -> str:
        """See `core.html_pieces.Parts`."""
        name = self._rules, form, what
        try:
            kept = _kept.get(name)
        except TypeError:  # a game made a list instead of a tuple: it is drawn, but not cached
            return self.new(partial(draw, what))
        if kept is None:
            part = self._part(partial(draw, what))
            kept = part, self._shared(what)
            _kept[self._rules, form, kept[1]] = kept
            if len(_kept) > KEPT:
                _kept.popitem(last=False)
        else:
            _kept.move_to_end(name)
        self._same[id(what)] = kept[1]
        return self._stub(kept[0])

    def new(self, draw: Callable[[], str]) -> str:
        """See `core.html_pieces.Parts`."""
        return self._stub(self._part(draw))

    def _part(self, draw: Callable[[], str]) -> Part:
        before, self.found = self.found, []
        part = Part.of(draw(), self.found)
        self.found = before
        return part

    def _shared(self, what: Piece | Button) -> Piece | Button:
        """Return the same with children that are stored already: otherwise each version of a board would be stored with
        everything on it."""
        if isinstance(what, Button) or not what.children:
            return what
        children = tuple(self._same.get(id(child), child) for child in what.children)
        return what if all(map(is_, children, what.children)) else replace(what, children=children)

    def _stub(self, part: Part) -> str:
        self.found.append(part)
        return STUB % part.key.decode()
