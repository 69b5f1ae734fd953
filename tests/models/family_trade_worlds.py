"""What a player of Family Trade can know of the other hands (FT-26), by listing every way in which they may lie.

A player discards each card of the hand with the same chance (or, frozen, the card drawn): what they choose says
nothing more. Everything else follows from the clauses: what is dealt and drawn, what is shown, who announces.
"""

from __future__ import annotations

from collections import defaultdict

Counts = tuple[int, ...]
World = tuple[tuple[Counts, ...], Counts]  # the hand of each seat that is not the viewer's, and what left face down


def more(counts: Counts, kind: int, n: int = 1) -> Counts:
    return (*counts[:kind], counts[kind] + n, *counts[kind + 1 :])


def plus(one: Counts, other: Counts) -> Counts:
    return tuple(a + b for a, b in zip(one, other, strict=True))


def one_to_go(hand: Counts) -> bool:
    """FT-10: one good is two modulo three, the others zero, and there is no Market Make (the ninth kind)."""
    return not hand[8] and sorted(n % 3 for n in hand[:8]) == [0] * 7 + [2]


class Worlds:
    """Each way in which the cards may be distributed, with its chance, as the viewer's game continues."""

    def __init__(self, viewer: int, players: int, deck: Counts, announcing: bool) -> None:
        self.viewer = viewer
        self.announcing = announcing  # not so in Battle Royale
        nothing = (0,) * len(deck)
        self.others = [seat for seat in range(players) if seat != viewer]
        self.chances: dict[World, float] = {((nothing,) * len(self.others), nothing): 1.0}
        self.unseen = deck  # in the deck, in other hands or gone face down
        self.frozen: set[int] = set()
        self.decks = 0  # formed so far

    def _deck(self, world: World) -> Counts:
        hands, gone = world
        taken = gone
        for hand in hands:
            taken = plus(taken, hand)
        return tuple(a - b for a, b in zip(self.unseen, taken, strict=True))

    def _with(self, world: World, seat: int, kind: int, n: int) -> World:
        hands, gone = world
        at = self.others.index(seat)
        return (*hands[:at], more(hands[at], kind, n), *hands[at + 1 :]), gone

    def _keep(self, chances: dict[World, float]) -> None:
        total = sum(chances.values())
        self.chances = {world: chance / total for world, chance in chances.items() if chance > 0.0}

    def drew_oneself(self, kind: int) -> None:
        """FT-8: the viewer sees the card."""
        self._keep({world: chance * self._deck(world)[kind] for world, chance in self.chances.items()})
        self.unseen = more(self.unseen, kind, -1)

    def drew(self, seat: int) -> None:
        """FT-8: another seat draws unseen. What a frozen hand draws is shown with its discard."""
        if seat in self.frozen:
            return
        found: dict[World, float] = defaultdict(float)
        for world, chance in self.chances.items():
            for kind, n in enumerate(self._deck(world)):
                if n:
                    found[self._with(world, seat, kind, 1)] += chance * n
        self._keep(found)

    def discarded(self, seat: int, kind: int, announced: bool) -> None:
        """FT-8, FT-10: a card face up, and the word with it."""
        if seat in self.frozen:
            self.drew_oneself(kind)
            return
        found: dict[World, float] = defaultdict(float)
        at = self.others.index(seat)
        for world, chance in self.chances.items():
            if n := world[0][at][kind]:
                after = self._with(world, seat, kind, -1)
                if not self.announcing or one_to_go(after[0][at]) == announced:
                    found[after] += chance * n
        self._keep(found)
        self.unseen = more(self.unseen, kind, -1)
        if announced:
            self.frozen.add(seat)

    def showed(self, seat: int, hand: Counts) -> None:
        """FT-22, FT-23: another seat goes out in Battle Royale; its cards have left the game."""
        at = self.others.index(seat)
        nothing = (0,) * len(hand)
        self._keep(
            {
                ((*hands[:at], nothing, *hands[at + 1 :]), gone): chance
                for (hands, gone), chance in self.chances.items()
                if hands[at] == hand
            }
        )
        self.unseen = tuple(a - b for a, b in zip(self.unseen, hand, strict=True))

    def new_deck(self, deck: Counts) -> None:
        """FT-18, FT-24: the deck was empty; these discards are shuffled."""
        self.unseen = plus(self.unseen, deck)
        self.decks += 1

    def round_ended(self) -> None:
        """FT-23: all hands leave the game face down."""
        found: dict[World, float] = defaultdict(float)
        for (hands, gone), chance in self.chances.items():
            for hand in hands:
                gone = plus(gone, hand)
            found[((0,) * len(gone),) * len(hands), gone] += chance
        self._keep(found)

    def hands(self) -> dict[tuple[Counts, ...], float]:
        """Return the chance of each combination of the other hands."""
        found: dict[tuple[Counts, ...], float] = defaultdict(float)
        for (hands, _), chance in self.chances.items():
            found[hands] += chance
        return found
