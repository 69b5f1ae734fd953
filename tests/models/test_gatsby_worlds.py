"""GA-24: where the product says that a character may lie is never less than what is possible, and seldom more."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from parlour.conformance.cases import Case
from parlour.games import find
from parlour.games.gatsby.rules import hidden
from parlour.games.gatsby.rules import pieces as p
from parlour.games.gatsby.rules import state as s
from parlour.games.gatsby.show import words
from tests.models.contract import OVER
from tests.models.gatsby import Model
from tests.models.gatsby_worlds import SPECTATOR, Worlds
from tests.models.lockstep import Pair, Strand

GAME = find("gatsby")


def product_may(state: Any, viewer: int) -> dict[str, set[str]]:
    """Return where each character may be, in the product's words for this viewer; those never seen are left out."""
    seen = [0] * p.N_CHARACTERS
    hidden.recall(state, viewer, seen)
    return {
        words.code(character): {words.slot_code(state, slot) for slot in range(p.N_SLOTS) if places >> slot & 1}
        for character, places in enumerate(seen)
        if places
    }


def watch(edition: str, seed: int, count: Counter[str]) -> None:
    """Play a game and compare what each viewer is shown with all worlds that they cannot exclude."""
    rng = Random(seed)
    pair = Pair(Case(GAME, edition, 2), Strand(GAME, ""), f"seed {seed}")
    model = pair.model
    assert isinstance(model, Model)
    viewers = [Worlds(viewer) for viewer in (SPECTATOR, 0, 1)]
    seen = 0
    while choices := pair.look():
        pair.step(choose(model, list(choices), rng))
        for sight in model.sights[seen:]:
            for viewer in viewers:
                viewer.see(sight)
        seen = len(model.sights)
        if model.ask.phase not in ("character", "flip") and model.turn() != OVER:  # the six are turned up together
            for viewer in viewers:
                compare(pair, viewer, count)


def choose(model: Model, texts: list[str], rng: Random) -> str:
    """Secrets come from peeks at characters that are face down."""
    wanted = [text for text in texts if text == "take peek"]
    if model.ask.phase == "pair":
        wanted = [text for text in texts if not set(text.split()[1:]) & model.up]
    return rng.choice(wanted or texts)


def compare(pair: Pair, viewer: Worlds, count: Counter[str]) -> None:
    exact, said = viewer.may(), product_may(pair.match.state, viewer.viewer)
    truth = {character: slot for slot, character in pair.model.face.items()}
    assert all(truth[character] in slots for character, slots in exact.items())
    assert exact.keys() == said.keys()
    for character, slots in exact.items():
        assert slots <= said[character], (
            f"viewer {viewer.viewer} cannot know where {character} is not: {slots}, but the product says "
            f"{said[character]}\n{pair.match.record().to_text()}"
        )
    if all(len(slots) == 1 for slots in said.values()):
        viewer.secrets = 0
    if viewer.secrets <= 1:
        pair.hold(f"what viewer {viewer.viewer} knows", said, exact)
    count["positions"] += 1
    count["in doubt"] += len(viewer.worlds) > 1
    count["several secrets"] += viewer.secrets > 1
    count["product says less"] += exact != said


def watch_all(games: int) -> Counter[str]:
    """So many games on each board."""
    count: Counter[str] = Counter()
    for seed in range(games):
        for edition in GAME.editions:
            watch(edition, seed, count)
    return count


def test_nobody_is_said_to_know_more_than_they_can() -> None:
    """GA-24, and what they can know where no more than one peek concerned what they knew."""
    count = watch_all(12)
    assert count["positions"] > 5_000
    assert count["in doubt"] > 200
    assert count["several secrets"] > 5


def test_a_viewer_who_sees_too_much_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """GA-14, GA-24: only the player who looked at two face-down characters knows whether they were exchanged."""
    right = hidden.recall

    def recall(state: Any, player: int, seen: Any) -> None:
        log = list(state.log)
        for i, entry in enumerate(log[: state.noted]):
            if entry & 3 == s.HIDDEN_MOVE:
                state.log[i] = entry & ~12 | max(player, 0) << 2
        right(state, player, seen)
        state.log[:] = log

    monkeypatch.setattr(hidden, "recall", recall)
    with pytest.raises(AssertionError, match="cannot know"):
        watch_all(12)
