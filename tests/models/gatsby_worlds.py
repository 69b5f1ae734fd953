"""What a viewer of Gatsby can know of the characters (GA-24), by listing everything that they must hold possible."""

from __future__ import annotations

from tests.models.gatsby import EVERYBODY, Sight

SPECTATOR = -1
World = frozenset[tuple[str, str]]  # (character, slot) for each character that the viewer has ever seen


class Worlds:
    """Every way in which the characters that a viewer has seen may lie, as far as they can tell."""

    def __init__(self, viewer: int) -> None:
        self.viewer = viewer
        self.worlds: set[World] = {frozenset()}
        self.secrets = 0  # exchanges that they were not shown; a caller may reset it once nothing is in doubt

    def see(self, sight: Sight) -> None:
        """Something was seen, by this viewer or another."""
        knows = sight.who in (EVERYBODY, self.viewer)
        if sight.character:
            if knows:
                self.worlds = {w | {(sight.character, *sight.slots)} for w in self.worlds if self._fits(w, sight)}
        elif knows:
            if sight.really:
                self.worlds = {self._exchanged(world, *sight.slots) for world in self.worlds}
        else:
            changed = {self._exchanged(world, *sight.slots) for world in self.worlds}
            self.secrets += changed != self.worlds
            self.worlds |= changed

    @staticmethod
    def _fits(world: World, sight: Sight) -> bool:
        """Return whether the character can be where it was seen: it is not elsewhere, and no other is there."""
        return all(
            (character == sight.character) == (slot in sight.slots)
            for character, slot in world
            if character == sight.character or slot in sight.slots
        )

    @staticmethod
    def _exchanged(world: World, one: str, other: str) -> World:
        turned = {one: other, other: one}
        return frozenset((character, turned.get(slot, slot)) for character, slot in world)

    def may(self) -> dict[str, set[str]]:
        """Return where each character that the viewer has seen may be."""
        found: dict[str, set[str]] = {}
        for world in self.worlds:
            for character, slot in world:
                found.setdefault(character, set()).add(slot)
        return found
