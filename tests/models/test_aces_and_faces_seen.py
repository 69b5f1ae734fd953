"""AF-14, AF-15: the number that a viewer has of a step says what it showed them, no more and no less.

Each viewer's worlds are listed by tests/models/aces_and_faces_worlds.py, which knows of no numbers. Of the courses
that the step could have taken in them, those with the number that the viewer has must lead to the worlds that the
list then holds possible, and to no others.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from parlour.conformance.cases import Case
from parlour.core.contract import HIDDEN
from parlour.core.struct import copy
from parlour.games.aces_and_faces import rules
from parlour.games.aces_and_faces.rules import hidden
from tests.models.aces_and_faces import CARDS
from tests.models.aces_and_faces_worlds import SLOT, Worlds
from tests.models.lockstep import Pair
from tests.models.test_aces_and_faces_worlds import GAME, begin, product_may

MOST_WORLDS = 40


def lie(state: Any, world: tuple[int, ...]) -> Any:
    """Return the position with the cards as they are in a world."""
    made = copy(state)
    for seat in range(made.players):
        made.hands[seat] = sum(1 << card for card, holder in enumerate(world) if holder == seat)
    made.slots = sum(1 << card for card, holder in enumerate(world) if holder == SLOT)
    return made


def truth(state: Any) -> tuple[int, ...]:
    """Return the holder of each card in a position."""
    found = (next((seat for seat in range(state.players) if state.hands[seat] >> card & 1), SLOT) for card in range(16))
    return tuple(found)


Course = tuple[int, int, tuple[int, ...]]


def courses(before: Any, outcome: int, viewer: int, worlds: set[tuple[int, ...]]) -> set[Course]:
    """All that could happen in these worlds, with this outcome where chance is due: the number that the viewer has of
    it, the action, and how the cards lie then."""
    found = set()
    for world in worlds:
        state, out = lie(before, world), [0] * rules.MAX_LEGAL
        for action in out[: rules.legal_actions(state, out)] or [outcome]:
            after = copy(state)
            rules.apply(after, action)
            found.add((rules.observed_action(state, action, viewer), action, truth(after)))
    return found


def watch(case: Case, seed: int, count: Counter[str]) -> None:
    """Play a game with many duels, and hold the numbers of each step against what each viewer can know after it."""
    rng = Random(seed)
    pair, model, viewers = begin(case, seed)
    while (choices := pair.look()) and max(len(viewer.worlds) for viewer in viewers) <= MOST_WORLDS:
        text = rng.choice(list(choices)[model.phase == "duel" :])
        state, known, phase = copy(pair.match.state), [{*viewer.worlds} for viewer in viewers], model.phase
        pair.step(text)
        if phase == "duel":
            for viewer in viewers:
                viewer.named(text.removeprefix("duel "))
        before = truth(state)
        for card, source, target in zip(CARDS, before, viewers[0].truth(), strict=True):
            if source != target:
                for viewer in viewers:
                    viewer.moved(card, source, target, by_gift=phase == "give")
        for viewer, worlds in zip(viewers, known, strict=True):
            compare(pair, state, viewer, worlds, count)


def compare(pair: Pair, before: Any, viewer: Worlds, worlds: set[tuple[int, ...]], count: Counter[str]) -> None:
    action = pair.match.steps[-1][1]
    seen = rules.observed_action(before, action, viewer.viewer)
    found = courses(before, action, viewer.viewer, worlds)
    assert {cards for number, _, cards in found if number == seen} == viewer.worlds, (viewer.viewer, action, seen)
    said = [*product_may(before, viewer.viewer).values()]
    if len(worlds) == 1 and all(len(places) == 1 for places in said) and before.phase != rules.GIVE:
        assert seen == action  # it could show nothing that they did not know
    count["steps"] += 1
    count["numbers with what was shown"] += seen not in (action, HIDDEN)
    count["own numbers with it"] += seen >= hidden.MORE and pair.match.steps[-1][0] == viewer.viewer >= 0
    count["hands shown"] += seen > hidden.SHOWN


def watch_many(players: int) -> Counter[str]:
    count: Counter[str] = Counter()
    for seed in range(12):
        watch(Case(GAME, [*GAME.editions][seed % 2], players), seed, count)
    return count


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.suite("3")
def test_af_14_af_15_the_number_of_a_step_says_what_it_shows(players: int) -> None:
    count = watch_many(players)
    assert count["numbers with what was shown"] > 20
    assert count["hands shown"] > 2
    assert (count["own numbers with it"] > 5) == (players > 2)  # of two players each knows what the other has


def test_a_number_that_does_not_name_the_holder_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """AF-12: a card is named for a duel, and its holder must own up."""
    monkeypatch.setattr(hidden, "_shown", lambda *_: 0)
    with pytest.raises(AssertionError):
        watch_many(3)
