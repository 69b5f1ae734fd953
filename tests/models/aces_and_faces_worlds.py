"""What a viewer of Aces & Faces can know (AF-14, AF-15), by listing everything that they must hold possible."""

from __future__ import annotations

from tests.models.aces_and_faces import CARDS, COURT, SUITS, Model

SLOT = -1
SPECTATOR = -1


def won(world: tuple[int, ...], seat: int) -> bool:
    """AF-13, in a world: the holder of each of CARDS."""
    hand = {card for card, holder in zip(CARDS, world, strict=True) if holder == seat}
    return any({rank + suit for suit in SUITS} <= hand for rank in COURT) or any(
        {rank + suit for rank in COURT} <= hand for suit in SUITS
    )


def with_card(world: tuple[int, ...], number: int, holder: int) -> tuple[int, ...]:
    return (*world[:number], holder, *world[number + 1 :])


class Worlds:
    """Every way in which the cards may lie, as far as one viewer can tell from what they have seen."""

    def __init__(self, viewer: int, model: Model) -> None:
        self.viewer = viewer
        self.model = model
        self.worlds = {(SLOT,) * len(CARDS)}
        self.secrets = 0  # cards handed over unseen; a caller may reset it once nothing is in doubt

    def named(self, card: str) -> None:
        """AF-12: its holder must own up."""
        number = CARDS.index(card)
        self.worlds = {world for world in self.worlds if world[number] == self.model.holder(card)}

    def moved(self, card: str, source: int, target: int, given: bool) -> None:
        """A card has changed its place, in the model too; `given` by the loser of a duel."""
        model = self.model
        if given and model.options["handed_card"] == "private" and self.viewer not in (source, target):
            self.secrets += 1
            self.worlds = {
                with_card(world, number, target)
                for world in self.worlds
                for number, holder in enumerate(world)
                if holder == source
            }
        else:
            number = CARDS.index(card)
            self.worlds = {with_card(world, number, target) for world in self.worlds if world[number] == source}
        if model.winner is None:  # AF-13: they would have won
            self.worlds = {world for world in self.worlds if target == SLOT or not won(world, target)}
        else:  # AF-15: the winner shows their hand
            hand = [(number, holder) for number, holder in enumerate(self.truth()) if holder == model.winner]
            self.worlds = {w for w in self.worlds if all(w[number] == holder for number, holder in hand)}

    def truth(self) -> tuple[int, ...]:
        """How the cards really lie."""
        return tuple(SLOT if card in self.model.slots else self.model.holder(card) for card in CARDS)

    def may(self) -> dict[str, set[int]]:
        """Return where each card may be: seats, or SLOT."""
        return {card: {world[number] for world in self.worlds} for number, card in enumerate(CARDS)}
