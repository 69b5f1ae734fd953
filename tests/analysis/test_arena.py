"""The arena: which games are played, which of them count, what is kept, and what is reported."""

from __future__ import annotations

import json
import pickle
import random
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable, Generator, Iterable
from itertools import islice
from pathlib import Path

import pytest

import parlour
from parlour.analysis import arena, crew, ladder, standings
from parlour.analysis.arena import Contest, Crew, Job, Played, run
from parlour.analysis.json_lines import OtherResults
from parlour.analysis.results import Results
from parlour.analysis.shapes import shapes
from parlour.analysis.sprt import Running, Sprt
from parlour.core.errors import BadSetup, UnknownName
from parlour.core.game import Game
from parlour.games import find

FORTUNE = parlour.find("fortune")
SHORT = {"target": "5000"}


def contest(bots: str = "greedy,random", players: int = 2, seed: int = 1) -> Contest:
    return Contest(FORTUNE, tuple(bots.split(",")), players, "classic-35", SHORT, seed)


@pytest.fixture
def five(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fortune has five bots; who only counts need not let them play."""
    monkeypatch.setattr("parlour.bots.find", lambda _game, name: name)


class Made(Crew):
    """Plays nothing: the bot that is first in the alphabet wins, or with the chance `luck` any bot; in any order."""

    def __init__(self, luck: float = 0.0, most: int = 10**9, order: int = 0) -> None:
        super().__init__(1)
        self.luck, self.most, self.order = luck, most, order
        self.played = 0

    def warm(self, game: Game) -> None:
        """There is nothing to compile."""

    def play(self, jobs: Iterable[Job], seconds: float | None = None) -> Generator[Played, None, None]:
        del seconds
        rng = random.Random(self.order)
        left = iter(jobs)
        while ahead := list(islice(left, 6)):
            rng.shuffle(ahead)
            for job in ahead:
                if self.played == self.most:
                    raise KeyboardInterrupt
                self.played += 1
                yield self.game(job)

    def game(self, job: Job) -> Played:
        rng = random.Random(f"{job.seed}/{job.number}")
        winner = rng.choice(job.seats) if rng.random() < self.luck else min(job.seats)
        seat = job.seats.index(winner)
        returns = tuple(float(i == seat) for i in range(len(job.seats)))
        n = len(job.seats)
        return Played(job.block, job.number, job.seats, returns, (10,) * n, (5,) * n, (0.01,) * n)


# Which games ---------------------------------------------------------------------------------------
@pytest.mark.usefixtures("five")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("bots", ["a,b", "a,b,c", "a,b,c,d,e"])
def test_in_every_block_each_bot_has_each_seat_equally_often(bots: str, players: int) -> None:
    made = contest(bots, players)
    for number in range(12):
        games = made.block(number)
        assert len(games) == len(set(games)), "no game is played twice"
        for seat in range(players):
            had = Counter(game[seat] for game in games)
            assert set(had) == set(made.bots)
            assert len(made.bots) < players or len(set(had.values())) == 1
        met = Counter((a, b) for game in games for a in set(game) for b in set(game) if a < b)
        assert len(met) == len(made.bots) * (len(made.bots) - 1) // 2
        for game in games:
            counts = Counter(game)
            assert max(counts.values()) - min(counts.values()) <= 1
            assert len(counts) == min(players, len(made.bots))


@pytest.mark.usefixtures("five")
def test_a_block_is_one_seed_and_blocks_differ_in_seed_and_order() -> None:
    made = contest("a,b,c,d", 4)
    seeds = [{job.seed for job in made.jobs(number)} for number in range(30)]
    assert {len(one) for one in seeds} == {1}
    assert len(set.union(*seeds)) == 30
    assert len({frozenset(made.block(number)) for number in range(30)}) > 4
    assert made.jobs(3) == contest("a,b,c,d", 4).jobs(3)
    assert made.jobs(3)[0].seed != contest("a,b,c,d", 4, seed=2).jobs(3)[0].seed


def test_the_games_of_a_block_have_the_same_chance_as_long_as_decisions_agree() -> None:
    """The first thing drawn in Fortune is who begins: the same seat in each rotation, and not in every block."""
    firsts = []
    for number in range(12):
        matches = [
            parlour.Match(FORTUNE, 2, edition=job.edition, options=dict(job.options), seed=job.seed)
            for job in contest().jobs(number)
        ]
        assert matches[0].steps == matches[1].steps
        firsts.append(matches[0].steps[0][1])
    assert len(set(firsts)) == 2


def test_who_cannot_meet_is_refused() -> None:
    for bots in ("greedy", "greedy,greedy", ""):
        with pytest.raises((BadSetup, UnknownName)):
            contest(bots)
    with pytest.raises(UnknownName, match="no bot"):
        contest("greedy,best")
    with pytest.raises(BadSetup, match="2 to 4 players"):
        contest(players=5)
    with pytest.raises(UnknownName, match="no edition"):
        Contest(FORTUNE, ("greedy", "random"), 2, "x")


# Which games count -----------------------------------------------------------------------------------
@pytest.mark.usefixtures("five")
def test_blocks_count_in_order_whoever_is_ready_first() -> None:
    found = [run(contest("a,b,c"), 60, Made(0.5, order=order)) for order in range(3)]
    assert found[0].blocks == found[1].blocks == found[2].blocks
    assert [block[0].block for block in found[0].blocks] == list(range(10))
    assert (found[0].games, found[0].ended) == (60, "games")
    assert run(contest("a,b,c"), 55, Made()).games == 60, "blocks are whole"


@pytest.mark.usefixtures("five")
def test_a_rule_stops_at_the_same_block_in_any_order_and_soon_after() -> None:
    ends = set()
    for order in range(4):
        crew, test = Made(order=order), Running(Sprt(0, 50))
        found = run(contest("a,b"), 4000, crew, enough=lambda block, t=test: t.add([standings.score(block, "a")]))
        assert (found.ended, test.verdict) == ("rule", "H1")
        assert len(found.blocks) == test.blocks
        assert crew.played <= found.games + 6, "no more games than are under way"
        ends.add(len(found.blocks))
    assert len(ends) == 1


@pytest.mark.usefixtures("five")
def test_an_interrupted_run_has_its_whole_blocks_and_can_be_gone_on_with() -> None:
    kept: list[Played] = []
    found = run(contest("a,b"), 60, Made(0.5, most=21), keep=kept.append)
    assert found.ended == "interrupted"
    assert len(kept) == 21
    assert 10 >= len(found.blocks) > 6
    crew = Made(0.5, order=7)
    rest = run(contest("a,b"), 60, crew, before=kept)
    assert crew.played == 60 - 21
    assert rest.blocks == run(contest("a,b"), 60, Made(0.5)).blocks
    assert run(contest("a,b"), 40, Made(most=0), before=kept + [Made(0.5).game(j) for n in range(20) for j in
               contest("a,b").jobs(n)]).ended == "games", "nothing is left to play"  # fmt: skip


def test_time_may_be_up_before_anything_is_played() -> None:
    found = run(contest(), 100, Crew(1), seconds=0)
    assert (found.blocks, found.ended) == ([], "time")
    (first, second) = standings.standings(found.contest, found.blocks)
    assert first.wins == second.wins == (0.5, 0, 1)
    assert standings.versus("greedy", "random", []) == (0.5, 0, 1)
    ET.fromstring(standings.picture(found))
    json.dumps(standings.as_dict(found, Running(Sprt())))


def test_one_process_and_two_play_the_same_games() -> None:
    def without_time(blocks: list[arena.Block]) -> list[list[Played]]:
        return [[game._replace(seconds=()) for game in block] for block in blocks]

    made = contest(players=3)
    with Crew(1) as one, Crew(2) as two:
        alone, together = (run(made, 18, crew) for crew in (one, two))
    assert alone.games == together.games >= 18
    assert without_time(alone.blocks) == without_time(together.blocks)
    (best, worst) = standings.standings(made, alone.blocks)
    assert (best.bot, worst.bot) == ("greedy", "random")
    assert best.wins.share > 0.5
    game = alone.blocks[0][0]
    assert max(game.scores) >= 5000
    assert sum(game.returns) == 1
    assert min(game.decisions) > 0 < min(game.seconds)


def test_what_a_bot_remembers_of_one_game_has_no_part_in_another(size: Callable[[int, int], int]) -> None:
    """Kuhn poker is over after two or three decisions: all games of a block begin, and often end, at the same point."""
    made = Contest(Game("kuhn", "tests.fixtures.kuhn"), ("medium", "easy", "random"), 2, "standard")
    jobs = [job for number in range(size(6, 12)) for job in made.jobs(number)]
    forwards, backwards = ([arena.play(job) for job in some] for some in (jobs, jobs[::-1]))
    assert [game.returns for game in forwards] == [game.returns for game in backwards[::-1]]
    assert [game.decisions for game in forwards] == [game.decisions for game in backwards[::-1]]


def test_a_game_without_end_is_cut_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crew, "MOST", 4)
    game = arena.play(contest().jobs(0)[0])
    assert game.returns == (0, 0)
    assert 1 <= sum(game.decisions) <= 4


# What is kept ----------------------------------------------------------------------------------------
@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The results of ten games."""
    path = tmp_path / "new" / "games.jsonl"
    with Results(path, contest()) as kept:
        run(contest(), 10, Made(0.5), keep=kept.keep)
    return path


def test_what_was_played_is_read_again(file: Path) -> None:
    lines = file.read_text("utf-8").splitlines()
    assert len(lines) == 11
    assert json.loads(lines[0])["bots"] == ["greedy", "random"]
    with Results(file, contest()) as kept:
        assert sorted(kept.played) == sorted(g for block in run(contest(), 10, Made(0.5)).blocks for g in block)
    assert file.read_text("utf-8").splitlines() == lines


@pytest.mark.parametrize("cut", [1, 40, 150])
def test_a_line_cut_off_in_the_middle_is_played_again(file: Path, cut: int) -> None:
    whole = file.read_bytes()
    file.write_bytes(whole[:-cut])
    with Results(file, contest()) as kept:
        before = len(kept.played)
        assert before == 10 - whole[-cut:].count(b"\n")
        run(contest(), 10, Made(0.5), before=kept.played, keep=kept.keep)
    again = file.read_bytes()
    assert sorted(again.splitlines()) == sorted(whole.splitlines())
    assert again[:100] == whole[:100]


def test_a_first_line_cut_off_in_the_middle_is_written_again(file: Path) -> None:
    first = file.read_bytes().splitlines()[0]
    file.write_bytes(first[:50])
    with Results(file, contest()) as kept:
        assert kept.played == []
    assert file.read_bytes() == first + b"\n"


def test_another_arenas_file_is_refused_and_stays_as_it_is(file: Path) -> None:
    before = file.read_bytes()
    with pytest.raises(OtherResults, match="seed is 1 there and 2 here"):
        Results(file, contest(seed=2))
    with pytest.raises(OtherResults, match="players is 2 there and 3 here"):
        Results(file, contest(players=3))
    with pytest.raises(OtherResults, match=r'bots is \["greedy", "random"\] there'):
        Results(file, contest("random,greedy"))
    with pytest.raises(OtherResults, match="edition is"):
        Results(file, Contest(FORTUNE, ("greedy", "random"), 2, "shafir-35", SHORT))
    assert file.read_bytes() == before


@pytest.mark.parametrize("text", ["a note", "a note\nof two lines\n", "{}\n", "[1]\n", '{"arena": 1}\n{}\n'])
def test_a_file_of_something_else_is_refused_and_stays_as_it_is(tmp_path: Path, text: str) -> None:
    path = tmp_path / "note"
    path.write_text(text, "utf-8")
    with pytest.raises(OtherResults, match="no games of an arena"):
        Results(path, contest())
    assert path.read_text("utf-8") == text


@pytest.mark.parametrize("line", ["nonsense", "[]", "{}", '{"block": 0}', "null"])
def test_a_line_that_is_no_game_is_named(file: Path, line: str) -> None:
    lines = file.read_text("utf-8").splitlines()
    file.write_text("\n".join([*lines[:4], line, *lines[4:]]) + "\n", "utf-8")
    with pytest.raises(OtherResults, match="line 5"):
        Results(file, contest())
    other = json.loads(lines[4]) | {"number": 7}
    file.write_text("\n".join([*lines[:4], json.dumps(other)]) + "\n", "utf-8")
    with pytest.raises(OtherResults, match="line 5"):
        Results(file, contest())


# What is reported ------------------------------------------------------------------------------------
def _game(block: int, number: int, seats: str, returns: tuple[float, ...]) -> Played:
    n = len(seats)
    return Played(block, number, tuple(seats), returns, (3,) * n, (2,) * n, (0.5,) * n)


@pytest.mark.usefixtures("five")
def test_shares_are_counted_by_block() -> None:
    blocks = [
        (_game(0, 0, "ab", (1, 0)), _game(0, 1, "ba", (1, 0))),  # the first seat wins twice
        (_game(1, 0, "ab", (1, 0)), _game(1, 1, "ba", (0.5, 0.5))),
        (_game(2, 0, "ab", (1, 0)), _game(2, 1, "ba", (0, 1))),
    ]
    assert [standings.score(block, "a") for block in blocks] == [0.5, 0.75, 1]
    assert [standings.score(block, "b") for block in blocks] == [0.5, 0.25, 0]
    found = standings.versus("a", "b", blocks)
    assert found.share == 4.5 / 6
    other = standings.versus("b", "a", blocks)
    assert (1 - other.high, 1 - other.low) == pytest.approx((found.low, found.high))
    first, second = standings.standings(contest("a,b"), blocks)
    assert (first.bot, first.wins.share, second.wins.share, first.seats) == ("a", 0.75, 0.25, 6)
    assert (first.score, first.milliseconds) == (3, 250)


@pytest.mark.usefixtures("five")
def test_at_a_table_of_three_two_are_compared_by_the_games_that_one_of_them_won() -> None:
    block = (_game(0, 0, "abc", (1, 0, 0)), _game(0, 1, "cab", (1, 0, 0)), _game(0, 2, "bca", (1, 0, 0)))
    assert standings.versus("a", "b", [block]).share == 0.5
    assert standings.versus("a", "b", [block[:2]]).share == 1
    tables = (_game(0, 0, "aab", (0.5, 0.5, 0)), _game(0, 1, "abb", (0, 0.5, 0.5)))
    assert standings.score(tables, "a") == 0.5
    found = standings.standings(contest("a,b,c", 3), [block])
    assert [one.wins.share for one in found] == pytest.approx([1 / 3] * 3)


def test_a_run_is_given_to_programs_and_drawn() -> None:
    test = Running(Sprt(0, 50))
    found = run(contest(), 60, Made(0.6), enough=lambda block: test.add([standings.score(block, "greedy")]))
    data = json.loads(json.dumps(standings.as_dict(found, test)))
    assert (data["game"], data["players"], data["options"]["target"]) == ("fortune", 2, "5000")
    assert [one["bot"] for one in data["standings"]] == ["greedy", "random"]
    assert data["versus"]["greedy"]["random"]["share"] == data["standings"][0]["wins"]["share"]
    assert data["sprt"]["verdict"] == (test.verdict or "undecided")
    assert data["sprt"]["elo"]["low"] < data["sprt"]["elo"]["elo"] < data["sprt"]["elo"]["high"]
    assert data["games"] == 2 * data["blocks"] == found.games
    tree = ET.fromstring(standings.picture(found))
    words = " ".join(tree.itertext())
    for word in ("Fortune: ratings", "greedy", "random", "classic-35, 2 players", "prefers-color-scheme: dark"):
        assert word in words
    assert standings.elo(standings.Share(1.0, 0.8, 1.0)) == "+∞ (241 to ∞)"
    assert standings.elo(standings.Share(0.36, 0.24, 0.5)) == "−100 (−200 to 0)"


# The ladder ------------------------------------------------------------------------------------------
@pytest.fixture
def rungs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[ladder.Rung]:
    """Three bots in two editions."""
    monkeypatch.setattr("parlour.bots.choices", lambda _game: ("a", "b", "c"))
    monkeypatch.setattr("parlour.bots.find", lambda _game, name: name)
    return list(ladder.climb(shapes(FORTUNE, 2), Sprt(0, 100), 30, Made(0.7), folder=tmp_path / "ladder"))


def test_a_ladder_has_each_bot_against_the_one_below_in_every_edition(rungs: list[ladder.Rung], tmp_path: Path) -> None:
    assert [(rung.shape.variant, rung.label) for rung in rungs] == [
        (edition, pair) for edition in ("shafir-35", "classic-35") for pair in ("a over b", "b over c")
    ]
    assert {file.name for file in (tmp_path / "ladder").iterdir()} == {
        f"fortune-{edition}-2p-{pair}.jsonl" for edition in ("shafir-35", "classic-35") for pair in ("a-b", "b-c")
    }
    assert all(rung.verdict in ladder.VERDICTS.values() for rung in rungs)
    crew = Made(most=0)
    again = list(ladder.climb(shapes(FORTUNE, 2), Sprt(0, 100), 30, crew, folder=tmp_path / "ladder"))
    assert [rung.share for rung in again] == [rung.share for rung in rungs]
    stopped = list(ladder.climb(shapes(FORTUNE, 2), Sprt(0, 100), 30, Made(most=7)))
    assert [rung.run.ended for rung in stopped] == ["interrupted"]
    assert stopped[0].verdict == "undecided"
    (empty,) = ladder.climb(shapes(FORTUNE, 2), Sprt(0, 100), 30, Made(most=1))
    assert ladder.cells(empty) == ("a over b", "–", "–", "undecided", "0", "–")


def test_a_ladder_is_a_section_of_the_page_of_bots(rungs: list[ladder.Rung], tmp_path: Path) -> None:
    page = tmp_path / "bots.md"
    ladder.write(rungs, "parlour arena fortune --ladder --write", page)
    text = page.read_text("utf-8")
    assert text.startswith("# Bots\n")
    assert "## Fortune\n" in text
    assert "### Fortune: classic-35" in text
    assert text.count("| a over b |") == text.count("| b over c |") == 2
    assert f"| {ladder.percent(rungs[0].share)} |" in text
    assert "`parlour arena fortune --ladder --write`" in text
    assert {line.count("|") for line in text.splitlines() if line.startswith("|")} == {7}
    more = text.replace("\n## Fortune\n", "\n## Pig\n\nBy hand.\n\n## Fortune\n")
    page.write_text(more, "utf-8")
    ladder.write(rungs, "again", page)
    assert page.read_text("utf-8") == more.replace("`parlour arena fortune --ladder --write`", "`again`")
    words = " ".join(ET.parse(tmp_path / "bots-fortune.svg").getroot().itertext())
    assert words.count("b over c:") == words.count("a over b:") == 2
    assert words.index("shafir-35") < words.index("a over b") < words.index("classic-35")


def test_games_of_a_level_that_searched_otherwise_are_not_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    contest = Contest(find("gatsby"), ("medium", "random"), 2, "house-6")
    with Results(tmp_path / "games.jsonl", contest):
        pass
    monkeypatch.setitem(find("gatsby").policy.LEVELS, "medium", 24)
    with pytest.raises(OtherResults, match=r"plans\.medium\.simulations is 50 there and 24 here"):
        Results(tmp_path / "games.jsonl", contest)


def test_a_game_of_an_edition_of_ones_own_is_the_same_in_another_process() -> None:
    mine = FORTUNE.edition().changed({"deck.gold": 9, "deck.skulls-2": 0})
    own = Contest(FORTUNE, ("greedy", "random"), 2, mine, SHORT)
    assert (own.edition, own.box) == (mine, mine)
    assert own.settings()["edition"] == "shafir-35, changed"
    assert own.settings()["parts"] == mine.parts
    job = own.jobs(0)[0]
    sent = pickle.loads(pickle.dumps(job))
    assert sent.edition.parts == mine.parts
    here, there = arena.play(job), arena.play(sent)
    assert here._replace(seconds=()) == there._replace(seconds=())
    usual = Contest(FORTUNE, ("greedy", "random"), 2, FORTUNE.edition(), SHORT)
    assert usual.jobs(0)[0].edition == "shafir-35"
    assert usual.edition == "shafir-35"
