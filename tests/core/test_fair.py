"""Fair chance: a second implementation of the scheme, no bias, and every kind of tampering found."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import parlour
from parlour.core import fair
from parlour.core.errors import BrokenRecord, RecordError, UnfairRecord
from parlour.core.match import Match
from parlour.core.record import Record
from parlour.core.replay import changed_parts, verify

SEED = fair.seed_of("test")


@given(st.integers(1, 2**40), st.integers(0, 10_000), st.lists(st.text(max_size=20), max_size=4))
@settings(max_examples=40)
def test_a_draw_is_what_the_description_says(n: int, place: int, words: list[str]) -> None:
    attempt = 0
    while True:
        label = json.dumps(["parlour-draw-1", words, place, attempt], separators=(",", ":"))
        number = int.from_bytes(hmac.new(SEED.encode(), label.encode(), hashlib.sha256).digest()[:8], "big")
        if number < 2**64 - 2**64 % n:
            break
        attempt += 1
    assert fair.Draws(SEED, tuple(words)).below(n, place) == number % n


def test_what_would_be_biased_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter([b"\xff" * 32, (7).to_bytes(8, "big") + bytes(24)])
    monkeypatch.setattr(fair.hmac, "digest", lambda *_: next(answers))
    assert fair.Draws(SEED).below(6, 0) == 1


def test_draws_are_even_and_independent_of_each_other() -> None:
    draws = fair.Draws(SEED)
    found = Counter(draws.below(6, place) for place in range(30_000))
    assert sum((n - 5000) ** 2 / 5000 for n in found.values()) < 30
    pairs = Counter((draws.below(6, place), draws.below(6, place + 1)) for place in range(0, 36_000))
    assert sum((pairs[a, b] - 1000) ** 2 / 1000 for a in range(6) for b in range(6)) < 90


def test_pick_follows_the_weights() -> None:
    draws = fair.Draws(SEED)
    found = Counter(draws.pick([1, 0, 3], place) for place in range(8000))
    assert found.keys() == {0, 2}
    assert abs(found[2] - 6000) < 200


def test_seed_words_and_place_all_matter() -> None:
    row = [fair.Draws(SEED).below(10**9, place) for place in range(20)]
    assert len(set(row)) == 20
    assert row != [fair.Draws(fair.seed_of("other")).below(10**9, place) for place in range(20)]
    assert row != [fair.Draws(SEED, ("x",)).below(10**9, place) for place in range(20)]
    split = fair.Draws(SEED, ("a", "b")).below(10**9, 0)
    assert split != fair.Draws(SEED, ("ab",)).below(10**9, 0)


def test_seeds() -> None:
    assert fair.is_seed(fair.new_seed())
    assert fair.new_seed() != fair.new_seed()
    assert fair.secret(7) == fair.secret("7") == fair.seed_of(7)
    assert fair.secret(SEED) == SEED
    assert fair.is_seed(fair.secret(None))
    assert not any(fair.is_seed(value) for value in ("", "0" * 63, "G" * 64, SEED + "\n", SEED.upper(), 5, None))
    assert fair.commitment(SEED) == hashlib.sha256(SEED.encode()).hexdigest()


@pytest.fixture(scope="module")
def honest() -> Record:
    match = Match(parlour.find("fortune"), 2, seed=11, words=("salt", "pepper"), options={"target": "5000"})
    while not match.over:
        moves = match.legal_actions()
        match.play(moves[-1] if match.state.rolls < 2 and match.version % 3 else "stop")
    return match.record()


def test_an_honest_record_is_verified(honest: Record) -> None:
    assert verify(honest, parlour.find).over


def cards_changed(record: Record) -> Record:
    place = next(i for i, (_, text) in enumerate(record.steps) if text == "card gold")
    return replace(record, steps=(*record.steps[:place], (-1, "card captain"), *record.steps[place + 1 :]))


def dice_changed(record: Record) -> Record:
    place = 2
    worse = (-1, "dice " + " ".join(["gold"] * 8))
    return replace(record, steps=(*record.steps[:place], worse))


def two_steps_swapped(record: Record) -> Record:
    places = [i for i, (_, text) in enumerate(record.steps) if text.startswith("card")]
    a, b = places[0], next(p for p in places if record.steps[p] != record.steps[places[0]])
    steps = list(record.steps)
    steps[a], steps[b] = steps[b], steps[a]
    return replace(record, steps=tuple(steps))


TAMPERINGS: list[tuple[Callable[[Record], Record], type[RecordError]]] = [
    (lambda r: replace(r, seed=fair.seed_of("other")), UnfairRecord),
    (lambda r: replace(r, seed=fair.seed_of("x"), commitment=fair.commitment(fair.seed_of("x"))), UnfairRecord),
    (lambda r: replace(r, commitment="0" * 64), UnfairRecord),
    (lambda r: replace(r, edition="my-own"), UnfairRecord),
    (lambda r: replace(r, options={**r.options, "truce_on_bust": "none"}), UnfairRecord),
    (lambda r: replace(r, names=(*r.names, "Third")), UnfairRecord),
    (lambda r: replace(r, words=("salt",)), UnfairRecord),
    (lambda r: replace(r, words=("pepper", "salt")), UnfairRecord),
    (lambda r: replace(r, seed=None), UnfairRecord),
    (lambda r: replace(r, steps=(r.steps[1], r.steps[0], *r.steps[2:])), BrokenRecord),
    (lambda r: replace(r, steps=r.steps[:5] + r.steps[6:]), RecordError),
    (lambda r: replace(r, steps=r.steps[1:]), BrokenRecord),
    (lambda r: replace(r, steps=(*r.steps, (0, "stop"))), BrokenRecord),
    (dice_changed, UnfairRecord),
    (cards_changed, RecordError),
    (two_steps_swapped, RecordError),
]


@pytest.mark.parametrize(("tamper", "error"), TAMPERINGS)
def test_tampering_is_found(honest: Record, tamper: Callable[[Record], Record], error: type[RecordError]) -> None:
    tampered = tamper(honest)
    assert tampered != honest
    with pytest.raises(error):
        verify(tampered, parlour.find)


def another_deck(record: Record) -> Record:
    """Return a whole game from the same seed with more captains: what a house could have shown instead."""
    deck = {**record.parts["deck"], "captain": 9}
    game = parlour.find(record.game)
    parts = {**game.edition().components, "deck": replace(game.edition().components["deck"], value=deck)}
    edition = replace(game.edition(), components=parts)
    match = Match(
        game, edition=edition, options=record.options, names=record.names, seed=record.seed, words=record.words
    )
    while not match.over:
        match.play("stop")
    return match.record()


def test_the_commitment_binds_the_deck_and_not_the_seed_alone(honest: Record) -> None:
    """A game of the same seed with another deck is drawn by the rules, but it is not the one that was promised."""
    other = another_deck(honest)
    assert other.form == fair.SETUP
    with pytest.raises(UnfairRecord, match="commitment"):
        verify(replace(other, commitment=honest.commitment), parlour.find)
    assert changed_parts(other, parlour.find("fortune")) == ["deck"]
    assert changed_parts(honest, parlour.find("fortune")) == []
    assert changed_parts(replace(honest, edition="mine"), parlour.find("fortune")) is None


def test_a_record_of_the_older_form_is_verified_as_before(honest: Record) -> None:
    old = replace(honest, commitment=fair.commitment(str(honest.seed)))
    assert (old.form, honest.form) == (fair.SEED, fair.SETUP)
    assert verify(old, parlour.find).record() == old
    assert verify(replace(old, names=("A", "B")), parlour.find).over
    assert replace(honest, seed=None).form == 0


def test_who_sits_there_is_not_bound(honest: Record) -> None:
    """An account that is deleted takes its name out of the records."""
    assert verify(replace(honest, names=("a player", "Player 2")), parlour.find).over


def test_a_record_binds_the_options_that_it_names(honest: Record) -> None:
    """An option that a later Parlour adds changes no commitment."""
    named = {name: value for name, value in honest.options.items() if name != "storm_scoring"}
    older = replace(honest, options=named)
    older = replace(older, commitment=fair.commitment(str(older.seed), older.setup))
    match = verify(Record.parse(older.to_text()), parlour.find)
    assert match.options == honest.options
    assert match.record() == older
