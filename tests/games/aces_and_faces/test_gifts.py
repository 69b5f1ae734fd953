"""AF-14: the log of how cards went, and the story that a new deal draws from it. test_new_deals.py has the odds."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from parlour.core.rng import RNG_SIZE, seed_rng
from parlour.core.struct import copy, flatten
from parlour.games.aces_and_faces import rules as r
from parlour.games.aces_and_faces.rules import gifts
from parlour.games.aces_and_faces.rules.pieces import CARDS
from parlour.games.aces_and_faces.rules.state import LOGGED
from tests.games.aces_and_faces.table import Table
from tests.games.test_new_deals import in_doubt, lie, tell
from tests.models.aces_and_faces_worlds import SPECTATOR


def dealt(state: r.State, viewer: int, seed: int = 1) -> r.State:
    made, rng = copy(state), [0] * RNG_SIZE
    seed_rng(rng, seed, 0)
    r.resample(made, viewer, rng)
    return made


def gift() -> Table:
    """Ann holds JD, KH and AS and hands one of them to Cleo, who holds KC, in private: it is KH."""
    table = Table(4).hold(1, "JD KH AS").hold(3, "KC").hold(4, "QS")
    return table.duel("KC", "2H", "AH").move("give KH")


def follow(state: r.State) -> list[int]:
    """Return the hands to which the log leads."""
    hands = list(state.before)
    for entry in state.log[: state.logged]:
        card, source, target = 1 << (entry >> 6 & 15), entry >> 3 & 7, entry & 7
        if source != r.SLOT:
            assert hands[source] & card
            hands[source] ^= card
        if target != r.SLOT:
            hands[target] |= card
    return hands


def test_the_log_begins_with_a_private_gift_and_ends_when_nothing_is_in_doubt() -> None:
    table = gift()
    state = table.state
    assert state.logged == 1  # that KC was named showed nothing
    assert follow(state) == state.hands
    table.put(2, 0).card("JD").put(3, 0).card("AS")
    assert not state.unsure
    assert (state.logged, state.log, state.before) == (0, [0] * LOGGED, [0] * r.SEATS)


def test_nothing_is_logged_where_gifts_are_public() -> None:
    table = Table(3, handed_card="public").hold(1, "JD KH AS").hold(3, "KC").duel("KC", "2H", "AH").move("give KH")
    table.put(2, 0).card("JD")
    assert (table.state.logged, table.state.log) == (0, [0] * LOGGED)


@pytest.mark.parametrize(("tries", "weighed"), [(200, 16), (0, 16), (0, 0)])
@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.suite("3-*", "5-200-16")
def test_a_story_leads_to_the_hands_and_depends_only_on_what_the_viewer_knows(
    players: int, tries: int, weighed: int, monkeypatch: pytest.MonkeyPatch, size: Callable[[int, int], int]
) -> None:
    """Also where a story is chosen by weight, and where none is found and cards are dealt as before: always if none is
    drawn, and rarely if only few are, which often end before the log does."""
    monkeypatch.setattr(gifts, "TRIES", tries)
    monkeypatch.setattr(gifts, "WEIGHED", weighed)
    seen = untold = 0
    for seed in range(size(6, 60)):
        for state, viewer in in_doubt(players, seed, 2):
            seen += 1
            assert follow(state) == state.hands
            new = dealt(state, viewer.viewer, seed)
            for other in range(3):
                truth = dealt(state, viewer.viewer, 100 + other)
                assert flatten(dealt(truth, viewer.viewer, seed)) == flatten(new)
            if any(entry >> 10 == gifts.FORGOTTEN for entry in new.log):
                untold += 1
                continue
            assert follow(new) == new.hands
            row = r.row_of(viewer.viewer)
            for old, entry in zip(state.log, new.log, strict=True):
                assert old == entry or gifts._doubtful(old, row)
    assert seen > 10
    assert untold == 0 if tries else untold <= seen // 50 if weighed else untold == seen, (untold, seen)


@pytest.mark.parametrize("name", ["two cards that had to go at once", "a hand without a card to give"])
def test_a_story_that_has_no_end_is_dropped(name: str) -> None:
    story = tell(name)
    found = {lie(dealt(story.table.state, SPECTATOR, seed)) for seed in range(60)}
    assert found == set(story.known[SPECTATOR])


@pytest.mark.parametrize(
    ("cards", "place"), [("JD", 3), ("QC", 3), ("JC", 3), ("JD KH AS KC", 0)], ids=["hand", "taken", "slot", "no gift"]
)
def test_a_log_that_does_not_fit_what_a_viewer_knows_leads_to_no_story(cards: str, place: int) -> None:
    """Rules never come to such a position; a test may set one up."""
    state = gift().put(2, 0).card("QC").state
    before, rng = flatten(state), [0] * RNG_SIZE
    assert gifts.live(copy(state), r.PUBLIC, rng)
    for card in cards.split():
        state.may[r.PUBLIC][CARDS.index(card)] = 1 << place
    wrong = flatten(state)
    assert wrong != before
    assert not gifts.live(state, r.PUBLIC, rng)
    assert flatten(state) == wrong


def test_when_the_log_is_full_all_positions_are_dealt_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is emptied, until nothing is in doubt."""
    monkeypatch.setattr(gifts, "LOGGED", 2)
    table = gift()
    table.put(2, 0).card("QC").put(3, 0).card("QD")
    state = table.state
    assert (state.logged, state.log, state.before) == (gifts.FULL, [0] * LOGGED, [0] * r.SEATS)
    assert len({tuple(dealt(state, SPECTATOR, seed).hands) for seed in range(40)}) == 3
    table.put(4, 0).card("AC")
    assert state.logged == gifts.FULL
    table.card("KH")
    assert not state.unsure
    assert state.logged == 0


def test_a_winner_who_got_the_last_card_in_private_has_it_in_every_story() -> None:
    """Ann gives Cleo one card in private, then the ace with which Cleo has four."""
    table = Table(3).hold(1, "JD KH AS QC").hold(2, "QD JH").hold(3, "AD AH AC").duel("QD", "2H", "AH").move("give QC")
    table.card("joker", "joker").duel("AD", "3H", "4H").move("give AS")
    state = table.state
    assert table.match.over
    assert state.unsure
    hands = {tuple(dealt(state, SPECTATOR, seed).hands) for seed in range(40)}
    assert len(hands) == 3
    assert {hand[2] for hand in hands} == {state.hands[2]}
