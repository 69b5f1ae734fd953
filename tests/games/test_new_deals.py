"""`resample` of the other games beside an enumeration; Family Trade's is in family_trade/test_worlds.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

import pytest

from parlour.conformance.cases import Case, of_each_ruleset, random_steps
from parlour.core.rng import RNG_SIZE, seed_rng
from parlour.core.scene import SPECTATOR
from parlour.core.struct import copy, flatten
from parlour.games import all_games, find
from parlour.games.aces_and_faces import rules
from tests.games.aces_and_faces.table import Table
from tests.models.aces_and_faces import CARDS
from tests.models.aces_and_faces_worlds import SLOT, Chances, World, Worlds, given, seen, those, won
from tests.models.distances import distance
from tests.models.test_aces_and_faces_worlds import begin

OPEN = [case for game in all_games().values() if not game.facts.hidden_information for case in of_each_ruleset(game)]
DRAWS = 2000
NEAR = 0.05  # a distance that luck may leave; the mean over several positions is below 0.01


class Story:
    """A table at which cards are handed over in private and taken openly, and what each viewer can know of it."""

    def __init__(self, *hands: str) -> None:
        self.table = Table(len(hands))
        for seat, cards in enumerate(hands, 1):
            self.table.hold(seat, cards)
        self.known: dict[int, Chances] = {viewer: {self.truth(): 1.0} for viewer in range(-1, len(hands))}

    def truth(self) -> World:
        return lie(self.table.state)

    def at(self, card: str) -> int:
        return self.truth()[CARDS.index(card)]

    def turn(self, seat: int) -> Table:
        """It is this seat's turn (from 0), with a new pile."""
        state = self.table.state
        state.player = seat
        state.unseen[:], state.left = state.deck, state.deck_size
        return self.table

    def gift(self, giver: int, named: str, card: str) -> None:
        """AF-12, AF-14: this seat duels for a card, loses, and hands another over."""
        receiver = self.at(named)
        self.turn(giver).duel(named, "2H", "3H").move(f"give {card}")
        for viewer, chances in self.known.items():
            known = seen(chances, named, receiver, receiver)
            own = viewer in (giver, receiver)
            self.known[viewer] = seen(known, card, giver, receiver) if own else given(known, giver, receiver)
        self.nobody_won(receiver)

    def take(self, seat: int, card: str) -> None:
        """AF-7, AF-9: this card is turned over, and the seat takes it, or puts it back."""
        source = self.at(card)
        self.turn(seat).card(card)
        self.moved(card, source, SLOT if source == seat else seat)

    def guess(self, seat: int, turned: str) -> None:
        """AF-10: from the 2 the seat guesses that the next card is higher; a court card leads to its square."""
        right, source = turned in CARDS, self.at(turned) if turned in CARDS else SLOT
        self.turn(seat).put(seat + 1, 6).card("2D").move("clockwise", "higher").card(turned)
        if right:
            self.moved(turned, source, SLOT if source == seat else seat)

    def tied(self, seat: int, named: str) -> None:
        """AF-12: a duel that ends in a tie; who holds the card has had to say so."""
        holder = self.at(named)
        self.turn(seat).duel(named, "4H", "4S")
        for viewer, chances in self.known.items():
            self.known[viewer] = seen(chances, named, holder, holder)

    def moved(self, card: str, source: int, target: int) -> None:
        for viewer, chances in self.known.items():
            self.known[viewer] = seen(chances, card, source, target)
        if target != SLOT:
            self.nobody_won(target)

    def nobody_won(self, gainer: int) -> None:
        """AF-13."""
        assert not self.table.match.over
        for viewer, chances in self.known.items():
            self.known[viewer] = those(chances, lambda world: not won(world, gainer))


def lie(state: rules.State) -> World:
    """Return who holds each card."""
    holders = (rules.holder_of(state, card) for card in range(len(CARDS)))
    return tuple(SLOT if holder == rules.NOBODY else holder for holder in holders)


def apart(state: rules.State, viewer: int, chances: Chances, draws: int = DRAWS) -> float:
    """Return how far new deals are from the enumerated chances."""
    rng, dealt = [0] * RNG_SIZE, []
    seed_rng(rng, 1, 0)
    for _ in range(draws):
        made = copy(state)
        rules.resample(made, viewer, rng)
        dealt.append(lie(made))
    return distance(dealt, chances, Random(1))


ANN, BOB, CLEO, DORA = range(4)
Told = tuple[tuple[str, ...], list[tuple[str | int, ...]]]
STORIES: dict[str, Told] = {
    "one gift": (("JD KH AS", "", "KC", "QS"), [("gift", ANN, "KC", "KH")]),
    "two gifts between the same hands": (
        ("JD KH AS QC", "", "KC", "QS"),
        [("gift", ANN, "KC", "KH"), ("gift", ANN, "KC", "JD")],
    ),
    "there and back": (("JD KH AS", "", "KC JH", "QS"), [("gift", ANN, "KC", "KH"), ("gift", CLEO, "AS", "JH")]),
    "three gifts between three hands": (
        ("JD KH AS", "", "KC", "QS"),
        [("gift", ANN, "KC", "KH"), ("gift", CLEO, "QS", "KC"), ("gift", ANN, "QS", "JD")],
    ),
    "three gifts between the same hands": (
        ("JD KH AS", "", "KC QH", "QS"),
        [("gift", ANN, "KC", "KH"), ("gift", CLEO, "JD", "QH"), ("gift", ANN, "KC", "AS")],
    ),
    "four gifts between the same hands": (
        ("JD KH AS", "JC", "KC QH", ""),
        [
            ("gift", ANN, "KC", "KH"), ("gift", CLEO, "AS", "KC"), ("gift", ANN, "QH", "JD"),
            ("gift", CLEO, "AS", "QH"),
        ],
    ),
    "a ring": (
        ("JD KH", "QC AS", "KC QH", ""),
        [
            ("gift", ANN, "QC", "JD"), ("gift", BOB, "KC", "JD"), ("gift", CLEO, "KH", "QH"),
            ("gift", ANN, "AS", "KH"), ("gift", BOB, "JD", "QC"),
        ],
    ),
    "a gift, a card taken, two gifts": (
        ("JD KH AS QC", "", "KC JH", "QS"),
        [
            ("gift", ANN, "KC", "KH"), ("take", BOB, "AS"), ("gift", CLEO, "QS", "KH"), ("gift", ANN, "JH", "JD"),
            ("take", DORA, "JC"), ("gift", DORA, "AS", "QS"),
        ],
    ),
    "gifts, then cards taken and put back": (
        ("JD KH AS QC QD", "AH", "KC JH", "QS"),
        [
            ("gift", ANN, "KC", "KH"), ("gift", CLEO, "QS", "JH"), ("gift", ANN, "KC", "QC"), ("gift", ANN, "QS", "AS"),
            ("take", BOB, "KH"), ("take", CLEO, "QC"), ("gift", CLEO, "QS", "KC"),
        ],
    ),
    "guesses right and wrong, and a tie": (
        ("JD KH AS QC QD", "AH", "KC JH", "QS"),
        [
            ("gift", ANN, "KC", "KH"), ("guess", BOB, "2S"), ("gift", CLEO, "QS", "JH"), ("gift", ANN, "QS", "AS"),
            ("guess", BOB, "JD"), ("gift", ANN, "QS", "QC"), ("tied", BOB, "QC"),
        ],
    ),
    "two cards that had to go at once": (
        ("JD KH AS QC", "JC QH", "KS", "AH QD"),
        [
            ("gift", DORA, "AS", "AH"), ("gift", ANN, "JC", "JD"), ("gift", ANN, "JC", "KH"), ("gift", BOB, "KS", "QH"),
            ("tied", DORA, "JD"), ("tied", DORA, "KH"),
        ],
    ),
    "a hand without a card to give": (
        ("KH QH", "AC", "KC KD KS JC JD JH", "JS QS"),
        [("gift", ANN, "AC", "QH"), ("gift", DORA, "AC", "JS"), ("gift", BOB, "KC", "QH"), ("tied", CLEO, "AC")],
    ),
    "three kings and a lot of gifts": (
        ("JD KH KS AS", "KC KD", "QS AH", ""),
        [
            ("gift", ANN, "KC", "JD"), ("gift", ANN, "KC", "AS"), ("gift", BOB, "QS", "KD"), ("gift", CLEO, "KH", "QS"),
            ("gift", ANN, "AH", "KH"),
        ],
    ),
}  # fmt: skip


def tell(name: str) -> Story:
    """Play one of STORIES."""
    hands, told = STORIES[name]
    story = Story(*hands)
    for what, *how in told:
        getattr(story, str(what))(*how)
    return story


@pytest.mark.parametrize("name", STORIES)
@pytest.mark.suite("three gifts between three*", "a gift, a card*", "three kings*")
def test_af_14_a_new_deal_has_the_enumerated_odds(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """For every viewer who is in doubt, the spectator too."""
    story = tell(name)
    found = {}
    for viewer, chances in story.known.items():
        assert story.truth() in chances
        if len(chances) > 1:
            found[viewer] = apart(story.table.state, viewer, chances)
    with capsys.disabled():
        worlds = ", ".join(str(len(story.known[viewer])) for viewer in found)
        far = ", ".join(f"{one:.3f}" for one in found.values())
        print(f"\naces-and-faces, {name}: total variation {far}, of {worlds} worlds")
    assert found
    assert max(found.values()) < NEAR


def in_doubt(players: int, seed: int, gifts: int) -> Iterator[tuple[rules.State, Worlds]]:
    """A game with many duels, and after each card that changed hands a viewer in doubt about this number of gifts."""
    game, random = find("aces-and-faces"), Random(seed)
    pair, model, viewers = begin(Case(game, [*game.editions][seed % 2], players), seed)
    while (choices := pair.look()) and max(len(viewer.worlds) for viewer in viewers) <= 400:
        text = random.choice(list(choices)[model.phase == "duel" :])
        before, phase = viewers[0].truth(), model.phase
        pair.step(text)
        if phase == "duel":
            for viewer in viewers:
                viewer.named(text.removeprefix("duel "))
        after = viewers[0].truth()
        for card, source, target in zip(CARDS, before, after, strict=True):
            if source != target:
                for viewer in viewers:
                    viewer.moved(card, source, target, by_gift=phase == "give")
        for viewer in viewers:
            viewer.secrets *= len(viewer.worlds) > 1
        doubting = [viewer for viewer in viewers if viewer.secrets >= gifts]
        if before != after and doubting:
            yield pair.match.state, random.choice(doubting)


@pytest.mark.parametrize("players", [2, 3, 4, 6])
@pytest.mark.suite("6")
def test_af_14_in_games_a_new_deal_has_the_enumerated_odds(
    players: int, size: Callable[[int, int], int], capsys: pytest.CaptureFixture[str]
) -> None:
    """From positions with three or more gifts in doubt, one of them in each of several games."""
    found, gifts, seed = [], [], 0
    while len(found) < size(6, 60):
        for number, (state, viewer) in enumerate(in_doubt(players, seed, 3)):
            if number == seed % 9:
                found.append(apart(state, viewer.viewer, viewer.chances, 1000))
                gifts.append(viewer.secrets)
                break
        seed += 1
    with capsys.disabled():
        print(f"\naces-and-faces, {players} players, {len(found)} positions with {min(gifts)} to {max(gifts)} gifts: ")
        print(f"total variation {sum(found) / len(found):.3f} in the mean, {max(found):.3f} at worst")
    assert max(found) < NEAR
    assert sum(found) / len(found) < 0.01


@pytest.mark.parametrize("case", OPEN, ids=str)
def test_where_nothing_is_hidden_there_is_one_world(case: Case) -> None:
    rng, match = [0] * RNG_SIZE, case.match()
    seed_rng(rng, 1, 0)
    for _ in random_steps(match, 1, 60):
        for viewer in (SPECTATOR, *range(case.players)):
            other = copy(match.state)
            match.game.rules.resample(other, viewer, rng)
            assert flatten(other) == flatten(match.state)
