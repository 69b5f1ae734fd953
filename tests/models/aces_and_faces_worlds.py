"""What a viewer of Aces & Faces can know (AF-14, AF-15), by listing everything that they must hold possible, and how
likely each is if a loser is equally likely to give any card of the hand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, KeysView, Mapping

from tests.models.aces_and_faces import CARDS, COURT, SUITS, Model

SLOT = -1
SPECTATOR = -1
World = tuple[int, ...]  # the holder of each of CARDS
Chances = dict[World, float]


def won(world: World, seat: int) -> bool:
    """AF-13, in a world."""
    hand = {card for card, holder in zip(CARDS, world, strict=True) if holder == seat}
    return any({rank + suit for suit in SUITS} <= hand for rank in COURT) or any(
        {rank + suit for rank in COURT} <= hand for suit in SUITS
    )


def with_card(world: World, number: int, holder: int) -> World:
    return (*world[:number], holder, *world[number + 1 :])


def those(chances: Mapping[World, float], possible: Callable[[World], bool]) -> Chances:
    """Return the worlds that are still possible, with their chances."""
    kept = {world: chance for world, chance in chances.items() if possible(world)}
    total = sum(kept.values())
    return {world: chance / total for world, chance in kept.items()}


def given(chances: Mapping[World, float], source: int, target: int) -> Chances:
    """AF-14: a card is handed over, unseen."""
    found: Chances = defaultdict(float)
    for world, chance in chances.items():
        held = world.count(source)
        for number, holder in enumerate(world):
            if holder == source:
                found[with_card(world, number, target)] += chance / held
    return dict(found)


def seen(chances: Mapping[World, float], card: str, source: int, target: int) -> Chances:
    """A card goes from one place to another (or is shown where it is), as all see."""
    number = CARDS.index(card)
    at_source = those(chances, lambda world: world[number] == source)
    return {with_card(world, number, target): chance for world, chance in at_source.items()}


class Worlds:
    """Every way in which the cards may lie, as far as one viewer can tell from what they have seen."""

    def __init__(self, viewer: int, model: Model) -> None:
        self.viewer = viewer
        self.model = model
        self.chances: Chances = {(SLOT,) * len(CARDS): 1.0}
        self.secrets = 0  # cards handed over unseen; a caller may reset it once nothing is in doubt

    @property
    def worlds(self) -> KeysView[World]:
        return self.chances.keys()

    def named(self, card: str) -> None:
        """AF-12: its holder must own up."""
        holder = self.model.holder(card)
        self.chances = seen(self.chances, card, holder, holder)

    def moved(self, card: str, source: int, target: int, by_gift: bool) -> None:
        """A card has changed its place, in the model too; `by_gift` from the loser of a duel."""
        model = self.model
        if by_gift and model.options["handed_card"] == "private" and self.viewer not in (source, target):
            self.secrets += 1
            self.chances = given(self.chances, source, target)
        else:
            self.chances = seen(self.chances, card, source, target)
        if model.winner is None:  # AF-13: they would have won
            if target != SLOT:
                self.chances = those(self.chances, lambda world: not won(world, target))
        else:  # AF-15: the winner shows their hand
            hand = [(number, holder) for number, holder in enumerate(self.truth()) if holder == model.winner]
            self.chances = those(self.chances, lambda world: all(world[number] == holder for number, holder in hand))

    def truth(self) -> World:
        """How the cards really lie."""
        return tuple(SLOT if card in self.model.slots else self.model.holder(card) for card in CARDS)

    def may(self) -> dict[str, set[int]]:
        """Return where each card may be: seats, or SLOT."""
        return {card: {world[number] for world in self.worlds} for number, card in enumerate(CARDS)}
