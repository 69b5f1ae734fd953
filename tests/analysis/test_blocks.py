"""Blocks played on this machine: every result once, in files that continue, with audits that find what is wrong."""

from __future__ import annotations

import json
import os
import random
import signal
import threading
import time
from collections.abc import Callable, Collection, Hashable, Iterator
from pathlib import Path

import pytest

from parlour.analysis import places, versions
from parlour.analysis.blocks import LOSSES, Differs, Here, Lost, Plan, Status, collect, cut, run
from parlour.analysis.json_lines import OtherResults
from parlour.analysis.places import Answer, Refused
from parlour.bots import processes
from parlour.core.errors import BadSetup
from parlour.games import find
from tests.analysis import block_work
from tests.interrupting import Pool, first_step_that_locks

WORK = block_work.__name__


def plan(games: int = 100, work: str = "digest", **common: object) -> Plan:
    return Plan(f"{WORK}:{work}", {"seed": 1} | common, cut(games, 5))


def wanted(made: Plan) -> list[bytes]:
    return [block_work.digest(made.common, block) for block in made.blocks]


@pytest.fixture(scope="module")
def two() -> Iterator[Here]:
    with Here(2) as where:
        yield where


def test_games_are_cut_into_blocks() -> None:
    assert cut(12, 5) == [{"first": 0, "games": 5}, {"first": 5, "games": 5}, {"first": 10, "games": 2}]
    assert cut(0, 5) == []


def test_one_process_and_two_have_the_same_results(two: Here) -> None:
    with Here() as one:
        assert collect(plan(), one) == collect(plan(), two) == wanted(plan())


def test_a_block_may_use_the_threads_that_its_place_leaves_it(two: Here) -> None:
    several = os.cpu_count() or 1
    with Here() as one, Here(1, cores=3) as three:
        assert collect(plan(5, "threads"), one) == [str(several).encode()]
        assert collect(plan(5, "threads"), three) == [b"3"]
    assert collect(plan(5, "threads"), two) == [str(max(1, several // 2)).encode()]


# Files ---------------------------------------------------------------------------------------------
def test_a_file_cut_off_anywhere_is_continued(tmp_path: Path, two: Here) -> None:
    file = tmp_path / "new" / "blocks.jsonl"
    with Here() as one:
        collect(plan(), one, file)
    whole = file.read_bytes()
    head = whole.index(b"\n") + 1
    rng = random.Random(1)
    for cut_at in [0, 1, head - 1, head, head + 1, len(whole) - 1, len(whole), *rng.sample(range(len(whole)), 6)]:
        file.write_bytes(whole[:cut_at])
        played = len(whole[:cut_at].splitlines()) - 1 if cut_at else 0
        told: list[Status] = []
        assert collect(plan(), two, file, progress=told.append) == wanted(plan())
        assert told[0].done >= max(0, played - 1)
        firsts = [json.loads(line)["given"]["first"] for line in file.read_bytes().splitlines()[1:]]
        assert sorted(firsts) == list(range(0, 100, 5)), "none is lost, none is there twice"


def test_more_blocks_of_the_same_work_continue_a_file_and_fewer_leave_it(tmp_path: Path) -> None:
    file = tmp_path / "blocks.jsonl"
    with Here() as one:
        collect(plan(50), one, file)
        assert collect(plan(100), one, file) == wanted(plan(100))
        before = file.read_bytes()
        assert collect(plan(20), one, file) == wanted(plan(20))
        assert file.read_bytes() == before
        told: list[Status] = []
        assert collect(plan(102), one, file, progress=told.append) == wanted(plan(102))
        assert (told[0].done, told[-1].done) == (20, 21), "the last block of another number of games is another block"


def test_a_file_of_other_work_is_refused_and_stays_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "blocks.jsonl"
    with Here() as one:
        collect(plan(20), one, file)
        before = file.read_bytes()
        for other, why in (
            (plan(20, seed=2), r"common\.seed is 1 there and 2 here"),
            (plan(20, more=3), r"common\.more is null there and 3 here"),
            (plan(20, "slow"), "work is"),
        ):
            with pytest.raises(OtherResults, match=why):
                collect(other, one, file)
        monkeypatch.setattr(versions, "LIBRARIES", ("numpy",))
        versions.version.cache_clear()
        with pytest.raises(OtherResults, match=r"version\.numba is .* there and null here"):
            collect(plan(20), one, file)
    versions.version.cache_clear()
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    "line", ["x", "[]", "{}", '{"given":{}}', '{"given":1,"text":""}', '{"given":{},"text":5}',
             '{"given":{},"zlib":"A"}', '{"given":{},"zlib":"AAAA"}', '{"given":{},"text":"ä"}'],
)  # fmt: skip
def test_a_line_that_is_no_result_is_named(tmp_path: Path, line: str) -> None:
    file = tmp_path / "blocks.jsonl"
    with Here() as one:
        collect(plan(5), one, file)
        file.write_text(file.read_text("utf-8") + line + "\n", "utf-8")
        with pytest.raises(OtherResults, match="line 3: this is not a result"):
            collect(plan(5), one, file)


def test_ctrl_c_leaves_a_file_that_is_continued(tmp_path: Path, two: Here) -> None:
    file = tmp_path / "blocks.jsonl"
    made = plan(1000, "slow", seconds=0.01)
    threading.Timer(0.15, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        collect(made, two, file)
    played = file.read_bytes().splitlines()
    assert all(json.loads(line) for line in played)
    assert collect(made, two, file) == wanted(made)
    assert file.read_bytes().splitlines()[: len(played)] == played


def test_ctrl_c_at_any_step_leaves_no_block_that_cannot_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "end", lambda _pool: None)
    monkeypatch.setattr(places, "PATIENCE", 0.0)

    def play(pool: Pool) -> None:
        where, tickets = Here(2), list[Hashable]()
        where._pool = pool  # type: ignore[assignment]
        try:
            for number in range(3):
                tickets.append(where.submit(plan(), number, ()))
            where.wait(tickets, 0.01)
        finally:
            where.drop(tickets)

    assert first_step_that_locks(play) == 0


def test_time_may_be_up_before_all_is_played() -> None:
    with Here() as one:
        some = dict(run(plan(200, "slow", seconds=0.02), one, seconds=0.1))
        assert 0 < len(some) < 40
        assert dict(run(plan(), one, seconds=0)) == {}


# Deaths --------------------------------------------------------------------------------------------
def test_a_process_that_dies_costs_no_result(tmp_path: Path, size: Callable[[int, int], int]) -> None:
    deaths = size(1, 5)
    made = plan(100, "fatal", fatal=50, deaths=deaths, folder=str(tmp_path))
    with Here(2) as where:
        assert collect(made, where) == wanted(made)
    assert len(list(tmp_path.iterdir())) == deaths


def test_a_block_that_goes_on_for_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "PATIENCE", 0.1)
    began = time.monotonic()
    with Here(2) as where:
        assert list(run(plan(20, "slow", seconds=200), where, seconds=0.2)) == []
    assert time.monotonic() - began < 100


# Audits --------------------------------------------------------------------------------------------
def test_what_is_played_twice_must_be_the_same(two: Here) -> None:
    with Here() as one:
        for where in (one, two):
            assert collect(plan(), where, audit=1) == wanted(plan())
            with pytest.raises(Differs, match=r"block .* is not the one that is played here"):
                collect(plan(work="impure"), where, audit=1)


def test_what_a_block_measures_is_not_compared(two: Here) -> None:
    made = Plan(f"{WORK}:measured", {}, cut(50, 5), compared=f"{WORK}:without_measures")
    found = collect(made, two, audit=1)
    assert [block_work.without_measures(one) for one in found] == wanted(made)


class Crowd:
    """Workers by name that play in turn, in this process; one of them lies."""

    def __init__(self, liar: str = "", refused: str = "", names: str = "abcd") -> None:
        self.names, self.liar, self.refused = list(names), liar, refused
        self.turn = 0
        self.played = dict.fromkeys(names, 0)

    def __enter__(self) -> Crowd:
        return self

    def __exit__(self, *_: object) -> None: ...

    @property
    def room(self) -> int:
        return 8

    def submit(self, plan: Plan, number: int, avoid: Collection[str]) -> Hashable | None:
        able = [name for name in self.names if name not in avoid]
        if not able:
            return None
        self.turn += 1
        name = able[self.turn % len(able)]
        return self.turn, name, number, b"a lie" if name == self.liar else plan.play(number)

    def wait(self, tickets: Collection[Hashable], seconds: float | None) -> Collection[Hashable]:
        del seconds
        return list(tickets)[-3:]  # some are late

    def take(self, ticket: Hashable) -> Answer | Refused | None:
        assert isinstance(ticket, tuple)
        _, name, _, data = ticket
        if name == self.refused:
            return Refused(name, "Its version is another.")
        self.played[name] += 1
        return Answer(data, name, 0.0)

    def drop(self, tickets: Collection[Hashable]) -> None: ...

    def ban(self, worker: str) -> bool:
        self.names.remove(worker)
        return True


def test_a_worker_that_lies_is_named_and_all_its_blocks_are_played_again(tmp_path: Path) -> None:
    file, told = tmp_path / "blocks.jsonl", list[str]()
    where = Crowd(liar="b")
    assert collect(plan(1000), where, file, audit=0.1, notice=told.append) == wanted(plan(1000))
    assert "b" not in where.names
    assert len(told) == 1
    assert told[0].startswith("The worker b is no longer used. Its result of block ")
    lines = [json.loads(line) for line in file.read_bytes().splitlines()[1:]]
    at = lines.index({"distrusted": "b"})
    theirs = sum(line["worker"] == "b" for line in lines[:at])  # none if its first was settled before it was kept
    assert (f"Its {theirs:,} blocks are played again." in told[0]) == (theirs > 0)
    assert all(line["worker"] != "b" for line in lines[at + 1 :])
    with Here() as one:
        assert collect(plan(1000), one, file) == wanted(plan(1000)), "what it did is taken back in the file too"


def test_a_liar_among_audits_alone_is_found_by_the_others() -> None:
    """The one who answers an audit may be the liar, and then the first answer stays."""
    for audit in (0.3, 1.0):
        told: list[str] = []
        assert collect(plan(300), Crowd(liar="c", names="abc"), audit=audit, notice=told.append) == wanted(plan(300))
        assert [line.split()[2] for line in told] == ["c"]


def test_the_last_worker_that_is_left_may_not_lie() -> None:
    with pytest.raises(Lost, match="No worker remains"):
        collect(plan(100), Crowd(liar="a", names="a"), audit=1)


def test_a_liar_is_found_within_the_expected_number_of_its_blocks() -> None:
    """With a share p of audits, k blocks of a liar stay undetected with the chance (1 - p)^k: about 1/p on average.

    Its answers to audits of others betray it as well, with p as their rate among its blocks: each of its plays then is
    a block that is audited (p), or an audit. So a play betrays it with the chance 2p / (1 + p).
    """
    share, trials = 0.1, 300
    plays = []
    for _ in range(trials):
        where = Crowd(liar="b")
        found = run(plan(1000), where, audit=share)
        for _ in found:
            if "b" not in where.names:
                break
        plays.append(where.played["b"])
    chance = 2 * share / (1 + share)
    error = (1 - chance) ** 0.5 / chance / trials**0.5
    late = 3  # of those under way, some are counted after the one that betrays
    assert 1 / chance - 4 * error < sum(plays) / trials < 1 / chance + 4 * error + late


def test_a_worker_of_another_version_is_used_no_more_and_costs_nothing() -> None:
    told: list[str] = []
    assert collect(plan(), Crowd(refused="a"), notice=told.append) == wanted(plan())
    assert told == ["The worker a is no longer used. Its version is another."]


def test_a_block_whose_workers_die_again_and_again_is_given_up() -> None:
    class Deadly(Crowd):
        def take(self, ticket: Hashable) -> Answer | Refused | None:
            assert isinstance(ticket, tuple)
            return None if ticket[2] == 7 else super().take(ticket)

    where = Deadly()
    with pytest.raises(Lost, match=f"{LOSSES} workers died while they played block 7"):
        collect(plan(), where)


# Refusals ------------------------------------------------------------------------------------------
def test_what_is_no_plan_is_refused_in_a_sentence() -> None:
    with Here() as one:
        for work, why in (("nothing", "is not a function"), ("no_bytes", "returned dict")):
            with pytest.raises(BadSetup, match=why):
                collect(plan(5, work), one)
        with pytest.raises(BadSetup, match="from 0 to 1, not 2"):
            collect(plan(5), one, audit=2)
    with pytest.raises(BadSetup, match="At least one process"):
        Here(0)


def test_progress_says_how_much_each_worker_does() -> None:
    told: list[Status] = []
    collect(plan(), Crowd(), progress=told.append)
    assert (told[0].done, told[-1].done, told[-1].total) == (0, 20, 20)
    assert sum(rate.blocks for rate in told[-1].workers.values()) == 20
    assert told[-1]._replace(seconds=2.0).words.startswith("a: ")
    assert told[0].words == ""


def test_the_version_names_what_results_depend_on() -> None:
    found = versions.version((f"{WORK}:digest", "parlour.analysis.arena:play"), ("fortune",))
    named = {"parlour", "code", "numpy", "numba", "llvmlite", "python", "machine"}
    assert set(found) == named | {f"work {WORK}:digest", "game fortune"}
    assert found["game fortune"].startswith(f"{find('fortune').rules.VERSION} ")


def test_another_game_in_a_folder_of_the_same_name_is_another_version(tmp_path: Path) -> None:
    (tmp_path / "rules.py").write_text("VERSION = 1\n")
    before = versions.hashed(tmp_path)
    (tmp_path / "notes.md").write_text("nothing that is played")
    assert versions.hashed(tmp_path) == before
    (tmp_path / "rules.py").write_text("VERSION = 2\n")
    assert versions.hashed(tmp_path) != before
