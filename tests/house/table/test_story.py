"""How a finished game went: its result shows it, the same to everyone, and nothing is computed twice."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable
from itertools import pairwise

import pytest

from parlour import bots
from parlour.bots import View
from parlour.core.game import Game
from parlour.core.match import Match
from parlour.core.standing import standings, sudden
from parlour.games import all_games, find
from parlour.games.aces_and_faces.show import words
from parlour.house.database.store import Store
from parlour.house.house import House
from parlour.house.profiles import achieving
from parlour.house.ratings import outcomes
from parlour.house.table.live.journal import Journal
from parlour.house.table.live.story import MOST, curve, story
from parlour.house.table.live.table import Table
from parlour.house.table.pages import endings
from tests.house.people import ME, OPEN, Person


def test_a_long_game_has_a_short_line() -> None:
    points = curve([(i // 2, -i) for i in range(5000)])
    assert len(points) <= MOST + 2
    assert (points[0], points[-1]) == ((0, (0, 0)), (4999, (2499, -4999)))


def played(game: Game, seed: int, bot: str = "") -> Match:
    """Play a game to its end: a bot at all seats, else at random."""
    match, choice = Match(game, seed=seed), random.Random(seed)
    player = bots.find(game, bot) if bot else None
    while not match.over:
        legal = match.legal_action_ids()
        match.play(player.choose(View.of(match, match.current_player)) if player else choice.choice(legal))
    return match


def kept(match: Match) -> Journal:
    """Return its journal."""
    journal = Journal(match.game)
    for step in match.history():
        journal.keep(step)
    return journal


def test_the_moment_is_described_by_what_was_paid_not_by_who_deals_next(size: Callable[[int, int], int]) -> None:
    game = find("family-trade")
    moments = [story(match, kept(match)).told for match in (played(game, seed) for seed in range(size(2, 6)))]
    assert any(moments)
    assert [one for one in moments if one and not re.search(r"pays|takes the Jackpot|goes out", one)] == []


@pytest.mark.parametrize("name", all_games())
def test_every_game_says_why_it_was_over_with_its_clause(name: str) -> None:
    game = all_games()[name]
    match = played(game, 5)
    found = story(match, kept(match))
    assert found.why.endswith(".") or (found.why, name) == ("", "fortune"), "its end is only who has the most"
    assert re.fullmatch(r"[A-Z]{2}-\d+", found.clause)
    assert found.clause in game.rulebook
    if not found.race:
        assert found.points[-1].scores == tuple(match.scores)


@pytest.mark.parametrize(("name", "clause"), [("facets-of-fortune", "FF-28"), ("gatsby", "GA-22")])
def test_ff_28_ga_22_a_win_at_once_is_the_moment_and_has_no_margin(name: str, clause: str) -> None:
    """The clause of the end, which the game's log has, says how it ended; the other ends are by points."""
    game, seen = find(name), set()
    for seed in range(60):
        match = played(game, seed, "greedy")
        found, at_once = story(match, kept(match)), sudden(game, match.state)
        assert at_once == (found.clause == clause)
        margins = standings(match.returns, match.scores, at_once=at_once)
        assert all(one.behind is None for one in margins) or not at_once
        assert at_once or found.points[-1].scores == tuple(match.scores)
        if at_once:
            step = match.history()[found.ahead]
            assert (sudden(game, step.before), sudden(game, step.after)) == (False, True)
            assert found.told
        seen.add(at_once)
        if len(seen) == 2:
            return
    raise AssertionError(f"only ends of one kind in 60 games: {seen}")


@pytest.mark.parametrize("seed", range(3))
def test_af_13_the_race_is_for_four_of_a_suit_or_rank(seed: int) -> None:
    """The test counts it from the cards' names."""
    game = find("aces-and-faces")
    match = played(game, seed)
    found = story(match, kept(match))
    states = [step.before for step in match.history()] + [match.state]
    for point in found.points:
        most = []
        for hand in states[point.steps].hands[: len(match.names)]:
            cards = [words.card(card).split(" of ") for card in range(16) if hand >> card & 1]
            most.append(max([0, *Counter(part for card in cards for part in card).values()]))
        assert point.scores == tuple(most)
    assert [score == 4 for score in found.points[-1].scores] == [share == 1 for share in match.returns]
    assert found.race


async def test_the_result_tells_the_story_to_all_and_it_is_made_once(
    ann: Person, bob: Person, arrive: Callable[[], Person], house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []

    def counted(match: Match, history: Journal) -> object:
        made.append(len(history))
        return story(match, history)

    monkeypatch.setattr(outcomes, "story", counted)
    keep = achieving.keep
    shown: list[object] = []

    async def watched(store: Store, table: Table) -> tuple[tuple[int, str], ...]:
        shown.append(table.story)
        return await keep(store, table)

    monkeypatch.setattr(achieving, "keep", watched)
    table = await ann.make(ME, OPEN, options={"target": "5000"})
    await bob.do(f"tables/{table}/sit")
    await ann.do(f"tables/{table}/start")
    people = [ann, bob]
    while (seen := await people[0].see(table))["table"]["status"] != "over":
        if not seen["legal"]:
            people.reverse()
            continue
        await people[0].do(f"tables/{table}/moves", move="stop", version=seen["table"]["version"])
    pages = [(await person.get(f"/t/{table}")).text for person in (ann, bob, arrive())]
    assert made == [(await house.table(table)).version]
    assert shown == [None]  # pages hear of it once, with what was achieved
    found = [re.findall(r'<p class="why">.*?</p>|<div class="race".*?</div>', page) for page in pages]
    assert found[0] == found[1] == found[2]
    assert len(found[0]) == 1, "who won with which number is in the standings"
    assert found[0][0].count("<polyline") == 2
    results = [page[page.index('data-key="result"') :] for page in pages]
    moods = [re.findall('data-mood="(.*?)"', result)[0] for result in results]
    titles = [re.sub("<.*?>", "", re.findall("<h1[^>]*>(.*?)</h1>", result)[0]) for result in results]
    assert (sorted(moods[:2]), moods[2]) == (["lost", "won"], "")
    assert re.fullmatch("You won by [0-9,]+", titles[moods.index("won")])
    assert re.fullmatch("So close: [0-9,]+ short|.* won by [0-9,]+", titles[moods.index("lost")])
    assert re.fullmatch(".* wins by [0-9,]+", titles[2])  # an observer
    assert all(result.count('class="points"') == 2 and "<small>−" in result for result in results)


def test_the_marks_at_the_ends_of_lines_are_apart_and_in_order() -> None:
    tops = (0.5, 0.5, 0.12, 0.97, 0.98, 1.0)
    found = endings.spread(tops)
    assert sorted(range(6), key=lambda seat: found[seat]) == sorted(range(6), key=lambda seat: tops[seat])
    assert all(after - before > 0.1 for before, after in pairwise(sorted(found)))
    assert min(found) >= 0
    assert max(found) < 1
    assert endings.spread((0.1, 0.9)) == (0.1, 0.9)
