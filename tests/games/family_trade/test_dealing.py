"""FT-26: dealing again is exact where it says so, always ends, and soon."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product
from math import comb, factorial, prod
from random import Random
from typing import Any

import pytest

from parlour.core.rng import RNG_SIZE, seed_rng
from parlour.core.scene import SPECTATOR
from parlour.core.struct import copy, flatten
from parlour.games.family_trade import rules as r
from parlour.games.family_trade.rules import announced, dealing, mending
from parlour.games.family_trade.rules.dealing import PATTERNS
from parlour.games.family_trade.rules.origins import divide
from tests.games.family_trade.hunters import hunts
from tests.games.family_trade.table import GOD, MM, ROYALE, Table
from tests.games.family_trade.test_views import fits, rng_of

Hand = tuple[int, ...]


def chi_square_fits(found: Counter[Any], ways: dict[Any, float]) -> bool:
    """Return whether draws agree with the ways; outcomes too rare for a test are merged. Wrong once in 300,000."""
    draws, total = found.total(), sum(ways.values())
    assert found.keys() <= ways.keys()
    bins, expected, seen = [], 0.0, 0
    for outcome, number in sorted(ways.items(), key=lambda item: item[1]):
        expected += draws * number / total
        seen += found[outcome]
        if expected >= 8:
            bins.append((expected, seen))
            expected, seen = 0.0, 0
    freedom = len(bins) - 1
    assert freedom > 3
    chi = sum((seen - expected) ** 2 / expected for expected, seen in bins)
    spread = 2 / (9 * freedom)
    return bool(((chi / freedom) ** (1 / 3) - (1 - spread)) / spread**0.5 < 4.5)


# Announced hands, all together -------------------------------------------------------------------
def of_pattern(pattern: tuple[int, ...]) -> Hand:
    return tuple(2 * (good == pattern[0]) + 3 * pattern[1:].count(good) for good in range(8))


def all_hands(pool: list[int], unfit: list[int], hands: int) -> dict[tuple[Hand, ...], float]:
    """Every way to announce, one hand after the other, with its number of ways."""
    found: dict[tuple[Hand, ...], float] = {(): 1.0}
    for seat in range(hands):
        longer = {}
        for before, ways in found.items():
            left = [n - sum(hand[good] for hand in before) for good, n in enumerate(pool)]
            for pattern in PATTERNS:
                hand = of_pattern(pattern)
                if not unfit[seat] >> pattern[0] & 1 and all(a <= n for a, n in zip(hand, left, strict=True)):
                    longer[*before, hand] = ways * prod(comb(n, a) for n, a in zip(left, hand, strict=True))
        found = longer
    return found


class Drawn:
    """The tables of one position, from which hands are drawn."""

    def __init__(self, pool: list[int], unfit: list[int], hands: int) -> None:
        size = announced.states(hands)
        self.seats = [*range(hands), *[r.NOBODY] * (4 - hands)]
        self.goods, self.ways, self.sums = [0] * 9, [0.0] * (8 * size), [0.0] * (10 * size)
        nothing: list[int] = []
        self.n = announced.count_ways(
            hands, pool, unfit, -1, (nothing, nothing, nothing), self.goods, self.ways, self.sums
        )
        self.hands, self.size = hands, size

    @property
    def total(self) -> float:
        """The ways of all hands together."""
        front, back = self.goods[8] * self.size, (self.n + 1) * self.size
        return sum(self.sums[front + s] * self.sums[back + self.size - 1 - s] for s in range(self.size))

    def draw(self, rng: list[int]) -> tuple[Hand, ...] | None:
        hand = [0] * 36
        if not announced.draw_hands(rng, self.seats, self.n, self.goods, self.ways, self.sums, hand):
            return None
        return tuple(tuple(hand[9 * seat : 9 * seat + 8]) for seat in range(self.hands))


SCARCE = (
    (1, [4, 0, 2, 8, 3, 0, 12, 1], [0b10]),
    (2, [3, 2, 4, 3, 0, 5, 1, 3], [0b10, 0b100001]),
    (3, [3, 5, 2, 0, 3, 6, 8, 0], [0b1, 0, 0b110]),
    (4, [6, 0, 8, 2, 0, 9, 3, 5], [0b1, 0b100, 0, 0b10000000]),
)


@pytest.mark.parametrize(("hands", "pool", "unfit"), SCARCE[:3])
def test_ft_10_ft_26_announced_hands_are_drawn_together_each_by_its_number_of_ways(
    hands: int, pool: list[int], unfit: list[int]
) -> None:
    ways = all_hands(pool, unfit, hands)
    drawn = Drawn(pool, unfit, hands)
    assert drawn.total == pytest.approx(sum(ways.values()), rel=1e-12)
    rng = rng_of(hands)
    assert chi_square_fits(Counter(drawn.draw(rng) for _ in range(6000)), ways)


def test_ft_10_ft_26_four_announced_hands_have_as_many_ways_as_one_after_the_other() -> None:
    """A spectator deals four; by the ways of the first two, and of the last two from what they leave."""
    hands, pool, unfit = SCARCE[3]
    total = 0.0
    for (one, two), ways in all_hands(pool, unfit[:2], 2).items():
        left = [n - a - b for n, a, b in zip(pool, one, two, strict=True)]
        total += ways * Drawn(left, unfit[2:], 2).total
    drawn, rng = Drawn(pool, unfit, hands), rng_of(1)
    assert drawn.total == pytest.approx(total, rel=1e-12)
    for _ in range(50):
        found = drawn.draw(rng)
        assert found is not None
        for seat, hand in enumerate(found):
            pair = r.wanted([*hand, 0])
            assert sum(hand) == 8
            assert pair != r.NONE
            assert not unfit[seat] >> pair & 1
        assert all(sum(hand[good] for hand in found) <= pool[good] for good in range(8))


def test_ft_10_no_hands_are_drawn_where_there_are_none() -> None:
    assert Drawn([2] * 8, [0] * 4, 1).draw(rng_of(1)) is None
    assert Drawn([3, 3, 2, 0, 0, 0, 0, 0], [0b100, 0, 0, 0], 1).draw(rng_of(1)) is None


class Counted(list[float]):
    """A list that counts how often something is read from it or written to it."""

    steps = 0

    def __getitem__(self, at: Any) -> Any:
        self.steps += 1
        return super().__getitem__(at)

    def __setitem__(self, at: Any, value: Any) -> None:
        self.steps += 1
        super().__setitem__(at, value)


@pytest.mark.parametrize(("hands", "steps"), [(1, 458), (2, 6_340), (3, 60_547), (4, 1_053_462)])
def test_ft_26_the_ways_of_announced_hands_are_counted_in_bounded_time(hands: int, steps: int) -> None:
    """The most cards of all goods are the worst; docs/games/family-trade.md has the times."""

    def work(pool: list[int], unfit: list[int]) -> int:
        size = announced.states(hands)
        ways, sums, nothing = Counted([0.0] * (8 * size)), Counted([0.0] * (10 * size)), [0] * 8
        announced.count_ways(hands, pool, unfit, -1, (nothing,) * 3, [0] * 9, ways, sums)
        return ways.steps + sums.steps

    random = Random(hands)
    barred = [[0] * 4, [7, 7 << 3, 3 << 6, 0]]  # no hand from a good; each from others
    worst = [work([12] * 8, unfit) for unfit in barred]
    assert max(worst) == steps
    for _ in range(8 if hands < 4 else 1):
        masks = [sum(1 << random.randrange(8) for _ in range(random.randint(0, 2))) & 0xFF for _ in range(4)]
        assert work([random.randint(0, 12) for _ in range(8)], masks) <= steps


# Whole deals -------------------------------------------------------------------------------------
def parts(pool: Hand, n: int) -> Iterator[Hand]:
    """All ways to take n cards, by kind."""
    if len(pool) == 1:
        if n <= pool[0]:
            yield (n,)
        return
    for here in range(min(pool[0], n) + 1):
        for rest in parts(pool[1:], n - here):
            yield here, *rest


def minus(pool: Hand, taken: Hand) -> Hand:
    return tuple(a - b for a, b in zip(pool, taken, strict=True))


def _as_if_just_dealt(state: r.State) -> None:
    """All hands were drawn since the deck was shuffled, and nothing has been shown."""
    for seat, hand in enumerate(state.hand):
        state.drew[seat][:], state.since[seat][:] = hand, [0] * 9
    state.shuffled[:] = [n + sum(hand[kind] for hand in state.hand) for kind, n in enumerate(state.deck)]


def test_ft_10_ft_19_ft_26_all_deals_that_fit_are_equally_likely() -> None:
    """Every deal of 19 unseen cards: an announced hand, one that was not, made after a false call, and the deck."""
    table = Table("3 diamond 3 oil 2 gold", "4 diamond 3 gold 1 oil", "", players=3, honour_calls="on")
    table.turn("shrimp").turn("shrimp").turn("shrimp")
    state = table.state
    assert (state.announced, state.acted) == (0b001, 0b111)
    table.empty_deck(diamond=1, oil=3)
    _as_if_just_dealt(state)
    table.turn("oil").draw("oil").move("done")
    assert state.called == 1
    assert state.player == 1
    pool = tuple(map(sum, zip(state.deck, state.hand[0], state.hand[1], strict=True)))
    ways: dict[Any, float] = {}
    for pattern in PATTERNS:
        one = (*of_pattern(pattern), 0)
        if state.unfit[0] >> pattern[0] & 1 or min(minus(pool, one)) < 0:
            continue
        left = minus(pool, one)
        for two in parts(left, 8):
            for drawn in (kind for kind in range(9) if minus(left, two)[kind]):
                nine = [n + (kind == drawn) for kind, n in enumerate(two)]
                if r.wanted(two) == r.NONE and not r.complete(nine):
                    lots = [prod(map(factorial, cards)) for cards in (one, two, minus(left, two))]
                    weight = prod(map(factorial, pool)) / prod(lots) * minus(left, two)[drawn]
                    ways[one, two, drawn] = weight
    assert len(ways) > 100
    rng, found = rng_of(4), Counter[Any]()
    for _ in range(4000):
        other = copy(state)
        r.resample(other, 2, rng)
        two = list(other.hand[1])
        two[other.drawn] -= 1
        found[tuple(other.hand[0]), tuple(two), other.drawn] += 1
    assert chi_square_fits(found, ways)


@pytest.mark.parametrize(("ruleset", "players"), [(MM, 4), (GOD, 4), (GOD, 3), (MM, 2), (ROYALE, 3)])
@pytest.mark.suite("*-4", f"{ROYALE}-3")
def test_ft_26_a_new_deal_of_any_position_fits_and_takes_few_random_numbers(ruleset: str, players: int) -> None:
    """In positions of four with three announced hands one try in 13,000 was good when hands were dealt one by one."""
    rng, random, hot = rng_of(1), Random(players), Counter[int]()
    for seed in range(6):
        for state in hunts(ruleset, players, seed, 1200, honour="on" if seed % 2 and ruleset != ROYALE else "off"):
            many = state.announced.bit_count() > 1 or state.remade
            if random.random() > (0.06 if many else 0.02):
                continue
            viewer = random.choice([*range(players), *[SPECTATOR] * (players == 4 and seed == 5)])
            before, again = rng[3], list(rng)
            other = copy(state)
            r.resample(other, viewer, rng)
            fits(state, other, viewer)
            hot[state.announced.bit_count()] += 1
            hidden = sum(map(sum, (*state.hand, *state.since, *state.gone)))
            traced = dealing.DRAWS * (state.trailed + 17 * state.announced.bit_count()) if any(state.held) else 0
            assert rng[3] - before <= 3 * (hidden + 20 + traced), "one deal in three at the worst"
            twin = copy(other)
            once_more = list(again)
            r.resample(twin, viewer, once_more)
            assert flatten(twin) == flatten(other), "what is dealt depends on what is hidden"
    if ruleset != ROYALE:
        assert min(hot[n] for n in range(players)) > 5


# When no random deal fits ------------------------------------------------------------------------
def test_ft_18_ft_26_where_shown_cards_came_from_is_found_whenever_it_can_be() -> None:
    """Against all tables of small sizes: something is found if and only if something fits."""
    random, rng, fitting = Random(5), rng_of(2), Counter[bool]()
    for _ in range(600):
        cap, fresh, old, rows = [0] * 36, [0] * 9, [0] * 9, [0] * 8
        cells = [9 * seat + kind for seat in range(3) for kind in range(2)]
        for cell in cells:
            cap[cell] = random.randint(0, 2)
        for kind in range(2):
            fresh[kind], old[kind] = random.randint(0, 3), random.randint(0, 4)
        for seat in range(3):
            rows[2 * seat] = random.randint(0, 2)
            rows[2 * seat + 1] = rows[2 * seat] + random.randint(0, 1)

        def good(held: Any) -> bool:
            sums = [sum(held[9 * seat : 9 * seat + 9]) for seat in range(3)]
            inside = all(rows[2 * s] <= n <= rows[2 * s + 1] for s, n in enumerate(sums))  # noqa: B023
            columns = [(sum(held[k::9]), sum(cap[k::9])) for k in range(2)]  # noqa: B023
            return inside and all(n <= old[k] and c - n <= fresh[k] for k, (n, c) in enumerate(columns))  # noqa: B023

        possible = False
        for filled in product(*(range(cap[cell] + 1) for cell in cells)):
            held = [0] * 36
            for cell, n in zip(cells, filled, strict=True):
                held[cell] = n
            possible = possible or good(held)
        held = [0] * 36
        assert divide(rng, cap, rows, fresh, old, held) == possible
        assert not possible or (good(held) and all(0 <= n <= c for n, c in zip(held, cap, strict=True)))
        fitting[possible] += 1
    assert min(fitting.values()) > 15


def test_ft_10_ft_19_a_deal_that_contradicts_is_mended_if_it_can_be() -> None:
    """Two hands are exchanged card by card until neither is one to go; nothing helps where all cards are alike."""
    state = Table(players=3, honour_calls="on").turn("shrimp").turn("shrimp").turn("shrimp").state
    assert state.acted == 0b111
    places = mending.PLACES * r.N_KINDS
    for deck in (0, 1):
        new, kept = [0] * places, [0] * 36
        new[0:3], new[9:12], new[36] = [3, 3, 2], [3, 2, 3], deck
        assert mending.contradictions(state, 2, mending.Deal([0] * 36, new, kept, [0.0] * 4)) == 2
        assert mending.mend(state, 2, rng_of(1), mending.Deal([0] * 36, new, kept, [0.0] * 4))
        assert mending.contradictions(state, 2, mending.Deal([0] * 36, new, kept, [0.0] * 4)) == 0
        assert [sum(new[9 * place : 9 * place + 9]) for place in (0, 1, 4)] == [8, 8, deck]
    new, kept = [0] * places, [0] * 36
    kept[0:3], kept[9:12] = [3, 3, 2], [3, 2, 3]  # cards that were held go for others that were
    assert mending.mend(state, 2, rng_of(1), mending.Deal([0] * 36, new, kept, [0.0] * 4))
    new, kept = [0] * places, [0] * 36
    new[0], new[36] = 8, 2
    assert not mending.mend(state, 2, rng_of(1), mending.Deal([0] * 36, new, kept, [0.0] * 4))
    new[0:3], new[36:39] = [3, 3, 2], [0, 0, 2]  # any of them makes another hand that is one to go
    assert not mending.mend(state, 2, rng_of(1), mending.Deal([0] * 36, new, kept, [0.0] * 4))


def test_ft_10_ft_26_all_announced_hands_are_gone_through_when_nothing_else_helps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A deal is found without a draw that is weighed, too: two hands of one deck, and one hand after a new deck."""
    monkeypatch.setattr(dealing, "TRIES", 0)
    monkeypatch.setattr(dealing, "MORE_TRIES", 0)
    rng, dealt = rng_of(1), 0
    table = Table("3 diamond 3 oil 2 gold", "3 shares 3 crypto 2 gold", "", players=3).turn("shrimp").turn("shrimp")
    state = copy(table.state)
    r.resample(state, 2, rng)
    fits(table.state, state, 2)
    for number, position in enumerate(hunts(GOD, 2, 2, 1500)):
        if number % 10 == 0 and position.remade and position.announced & 1:
            state = copy(position)
            r.resample(state, 1, rng)
            fits(position, state, 1)
            dealt += 1
    assert dealt > 10
    quiet = Table(players=3).turn("shrimp")  # no player has announced: any deal of the cards is possible
    state = copy(quiet.state)
    r.resample(state, 1, rng)
    assert sorted(state.hand[1]) == sorted(quiet.state.hand[1])
    assert sum(state.hand[0]) == sum(quiet.state.hand[0])


def test_ft_26_a_deal_is_made_even_of_a_position_that_cannot_be() -> None:
    """However the sixteen cards of seats 1 and 2 lie, seat 2 should have announced its hand: all hands are gone through
    that seat 1 can have announced, and one of them is dealt. Without any, all stays as it is."""
    state = Table(players=3).turn("shrimp").turn("shrimp").turn("shrimp").empty_deck().state
    state.hand[0][:], state.hand[1][:] = [8, *[0] * 8], [0, 8, *[0] * 7]
    _as_if_just_dealt(state)
    state.announced = 0b001
    found, rng = set(), rng_of(1)
    for _ in range(20):
        other = copy(state)
        r.resample(other, 2, rng)
        assert list(map(sum, zip(other.hand[0], other.hand[1], strict=True))) == [8, 8, *[0] * 7]
        assert r.wanted(other.hand[0]) != r.NONE
        found.add(tuple(other.hand[0]))
    assert len(found) > 1
    state.unfit[0] = 0xFF
    before = copy(state)
    r.resample(state, 2, rng)
    assert flatten(state) == flatten(before)


# Compiled ----------------------------------------------------------------------------------------
@cache
def dealer() -> Any:
    """`resample` as a function that Python can call; to compile it takes longer than all tests of it."""
    import numba

    from parlour.engine import compile
    from tests.games.family_trade.table import FAMILY_TRADE

    compiled = compile(FAMILY_TRADE).rules.resample

    @numba.njit  # type: ignore[untyped-decorator]
    def deal(states: Any, viewer: int, rng: Any) -> None:
        compiled(states[0], viewer, rng)

    return deal


@pytest.mark.slow
@pytest.mark.parametrize(("ruleset", "players"), [(MM, 4), (GOD, 3), (ROYALE, 4)])
@pytest.mark.suite(f"{ROYALE}-4")
def test_ft_26_dealing_again_is_the_same_compiled(ruleset: str, players: int) -> None:
    from parlour.engine import compile, packing
    from tests.games.family_trade.table import FAMILY_TRADE

    engine, deal = compile(FAMILY_TRADE), dealer()
    random, dealt = Random(1), 0
    for state in (state for seed in (1, 2) for state in hunts(ruleset, players, seed)):
        if random.random() > 0.05:
            continue
        viewer = random.randrange(players)
        states, fast, slow = engine.states(state, 1), engine.integers(RNG_SIZE), [0] * RNG_SIZE
        packing.pack(state, states[0])
        seed_rng(fast, 5, dealt)
        seed_rng(slow, 5, dealt)
        deal(states, viewer, fast)
        other = copy(state)
        r.resample(other, viewer, slow)
        assert flatten(engine.plain(states[0])) == flatten(other)
        assert [int(word) for word in fast] == slow
        dealt += 1
    assert dealt > 100
