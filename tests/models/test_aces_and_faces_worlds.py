"""AF-14, AF-15: what the product says that a player may hold is never less than what is possible, and seldom more."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from parlour.conformance.cases import Case
from parlour.games import find
from parlour.games.aces_and_faces import rules
from parlour.games.aces_and_faces.rules import hidden, turns
from parlour.games.aces_and_faces.rules import pieces as c
from tests.models.aces_and_faces import Model
from tests.models.aces_and_faces_worlds import SLOT, SPECTATOR, Worlds
from tests.models.lockstep import Pair, Strand

GAME = find("aces-and-faces")
MOST_WORLDS = 1_000


def product_may(state: Any, viewer: int) -> dict[str, set[int]]:
    """Return where each card may be, in the product's words for this viewer."""
    row = rules.row_of(viewer)
    places = [*range(state.players), rules.SLOT]
    found = {}
    for number, card in enumerate(c.CARDS):
        bits = state.may[row][number]
        found[card] = {SLOT if place == rules.SLOT else place for place in places if bits >> place & 1}
    return found


def begin(case: Case, seed: int) -> tuple[Pair, Model, list[Worlds]]:
    """A game beside its model, and what the spectator and each player can know of it."""
    pair = Pair(case, Strand(GAME, ""), f"seed {seed}")
    assert isinstance(pair.model, Model)
    return pair, pair.model, [Worlds(viewer, pair.model) for viewer in (SPECTATOR, *range(case.players))]


def watch(case: Case, seed: int, count: Counter[str]) -> None:
    """Play a game and hold what each viewer may think against all worlds that they cannot exclude."""
    rng = Random(seed)
    pair, model, viewers = begin(case, seed)
    for _ in range(600):
        choices = pair.look()
        if not choices:
            break
        text = rng.choice(list(choices))
        if model.phase == "duel":
            text = rng.choice(list(choices)[1:])  # duels are how secrets come about
        before, phase = viewers[0].truth(), model.phase
        pair.step(text)
        after = viewers[0].truth()
        if phase == "duel":
            for viewer in viewers:
                viewer.named(text.removeprefix("duel "))
        for card, source, target in zip(c.CARDS, before, after, strict=True):
            if source != target:
                for viewer in viewers:
                    viewer.moved(card, source, target, by_gift=phase == "give")
        if max(len(viewer.worlds) for viewer in viewers) > MOST_WORLDS:
            break
        for viewer in viewers:
            compare(pair, viewer, count)


def compare(pair: Pair, viewer: Worlds, count: Counter[str]) -> None:
    assert viewer.truth() in viewer.worlds
    exact, said = viewer.may(), product_may(pair.match.state, viewer.viewer)
    for card in c.CARDS:
        assert exact[card] <= said[card], (
            f"viewer {viewer.viewer} cannot know where the {card} is not: {exact[card]}, but the product says "
            f"{said[card]}\n{pair.match.record().to_text()}"
        )
    if all(len(places) == 1 for places in said.values()):
        viewer.secrets = 0
    if viewer.secrets <= 1:
        pair.hold(f"what viewer {viewer.viewer} knows", said, exact)
    count["positions"] += 1
    count["in doubt"] += len(viewer.worlds) > 1
    count["several secrets"] += viewer.secrets > 1
    count["product says less"] += exact != said


def watch_six(players: int, handed: str) -> Counter[str]:
    """Six games, on both boards."""
    count: Counter[str] = Counter()
    for seed in range(6):
        edition = list(GAME.editions)[seed % 2]
        watch(Case(GAME, edition, players, (("handed_card", handed),)), seed, count)
    return count


@pytest.mark.parametrize("handed", ["private", "public"])
@pytest.mark.parametrize("players", [2, 3, 4, 6])
@pytest.mark.suite("3-*", "6-private")
def test_nobody_is_said_to_know_more_than_they_can(players: int, handed: str) -> None:
    """AF-15, and equal to it where no more than one card was handed over in secret."""
    count = watch_six(players, handed)
    assert count["positions"] > 1_000
    if handed == "public":
        assert not count["in doubt"]
    else:  # with two players only a spectator is in doubt
        assert count["in doubt"] > 50
        assert count["several secrets"] > 20


def test_a_viewer_who_sees_too_much_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """AF-14: the card handed over is masked for all but the two."""

    def seen_by_all(state: Any, giver: int, receiver: int, card: int) -> None:  # noqa: ARG001
        hidden.seen_at(state, card, receiver)

    monkeypatch.setattr(turns, "passed_on", seen_by_all)
    with pytest.raises(AssertionError, match="cannot know"):
        watch_six(3, "private")
