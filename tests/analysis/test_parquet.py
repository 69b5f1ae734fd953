"""Games as Parquet: every row against the records of the games, and statistics from files against those of play."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import parlour
from parlour.analysis import parquet, reading, recording, rows, statistics
from parlour.analysis.arena import Contest, Crew, run
from parlour.analysis.batches import Batch, Spread, gather, simulate
from parlour.analysis.blocks import Here
from parlour.analysis.json_lines import OtherResults
from parlour.analysis.plans import Plan
from parlour.analysis.results import Results
from parlour.analysis.shapes import Shape
from parlour.core.errors import BadSetup, OtherRules
from parlour.core.match import Match
from parlour.core.record import Record
from parlour.games import find
from tests.analysis import block_work

polars = pytest.importorskip("polars", reason="Polars is not installed: pip install 'parlour[data]'")

FORTUNE = find("fortune")
SHAPE = Shape(FORTUNE, "classic-35", 3, {"target": "5000"})
BATCH = Batch(SHAPE, ("random", "greedy", "random"), 3)
GAMES = 7


def write(folder: Path, *plans: Plan) -> dict[str, int]:
    return parquet.write(folder, plans, Here())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made: Path = tmp_path_factory.mktemp("tables")
    plan = parquet.of_batch(BATCH, GAMES, watched=True)
    cut = replace(plan, blocks=[{"first": 0, "games": 3}, {"first": 3, "games": 4}])
    assert write(made, cut)["games"] == GAMES
    return made


def told(folder: Path, table: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = polars.read_parquet(folder / f"{table}.parquet").to_dicts()
    return found


# The tables ----------------------------------------------------------------------------------------
def test_the_tables_are_the_records_of_the_games_step_by_step(folder: Path) -> None:
    """From the two tables of steps every record can be written, and what they say is what the record says."""
    decisions, events = told(folder, "decisions"), told(folder, "events")
    for number in range(GAMES):
        match = recording.again(BATCH, number, watched=True)
        mine = {row["step"]: (row["seat"], row["action"], row["move"]) for row in decisions if row["number"] == number}
        fell = {
            row["step"]: (None, row["action"], row["text"])
            for row in events
            if (row["number"], row["kind"]) == (number, "chance")
        }
        steps = {
            step: (None if actor < 0 else actor + 1, action, text)
            for step, (actor, action, text) in enumerate(match.steps, 1)
        }
        assert mine | fell == steps
        lines = [row for row in events if (row["number"], row["kind"]) == (number, "log")]
        assert [(row["text"], row["clause"]) for row in lines] == [(line.text, line.clause) for line in match.log()]


def test_choices_are_the_legal_decisions(folder: Path) -> None:
    match = recording.again(BATCH, 2, watched=True)
    again = Match(FORTUNE, 3, edition=match.edition, options=match.options, seed=0, auto=False)
    expected = []
    for actor, action, _ in match.steps:
        if actor >= 0:
            expected.append(len(again.legal_action_ids()))
        again.advance(action)
    assert [row["choices"] for row in told(folder, "decisions") if row["number"] == 2] == expected


def test_a_game_counts_its_events(folder: Path) -> None:
    events = [(row["number"], row["text"]) for row in told(folder, "events") if row["kind"] == "event"]
    counted = Counter(events)
    games = told(folder, "games")
    for name in FORTUNE.events.EVENTS:
        assert [row[f"event {name}"] for row in games] == [counted[number, name] for number in range(GAMES)]
    assert sum(counted.values()) > GAMES, "or nothing was compared"
    for row in games:
        match = recording.again(BATCH, int(str(row["number"])), watched=True)
        assert (row["scores"], row["returns"], row["steps"]) == (match.scores, match.returns, len(match.steps))
        assert row["bots"] == list(BATCH.bots)


def test_the_columns_are_as_declared_and_the_rows_in_order(folder: Path) -> None:
    for table in rows.TABLES:
        schema = polars.read_parquet_schema(folder / f"{table}.parquet")
        assert schema == {one.name: parquet.dtype(one) for one in rows.fields(table, FORTUNE)}
        frame = polars.read_parquet(folder / f"{table}.parquet")
        assert frame["number"].is_sorted()
        for one in rows.fields(table, FORTUNE):
            assert one.empty or frame[one.name].null_count() == 0, one.name
    assert sorted(file.name for file in folder.iterdir()) == [f"{table}.parquet" for table in sorted(rows.TABLES)]


def test_blocks_are_put_together_in_any_number_of_files(folder: Path, tmp_path: Path) -> None:
    plan = parquet.of_batch(BATCH, GAMES, watched=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parquet, "TOGETHER", 2)  # three levels of files
        write(tmp_path, replace(plan, blocks=[{"first": number, "games": 1} for number in range(GAMES)]))
    for table in rows.TABLES:
        assert told(tmp_path, table) == told(folder, table)


def test_a_simulation_and_statistics_write_the_games_that_they_played(tmp_path: Path) -> None:
    write(tmp_path, parquet.of_batch(BATCH, 4, watched=False))
    alone = parlour.simulate("fortune", bots=list(BATCH.bots), games=4, seed=3, edition="classic-35",
                             options={"target": "5000"})  # fmt: skip
    games = told(tmp_path, "games")
    assert [row["scores"] for row in games] == alone.scores.tolist()
    assert [row["decisions"] for row in games] == alone.lengths.tolist()


def test_an_arena_writes_its_games_with_the_bots_of_each(tmp_path: Path) -> None:
    contest = Contest(FORTUNE, ("greedy", "random"), 2, "classic-35", {"target": "5000"}, 5)
    with Crew(1) as crew:
        result = run(contest, 4, crew)
    write(tmp_path, parquet.of_arena(result))
    played = [game for block in result.blocks for game in block]
    games = told(tmp_path, "games")
    assert [(tuple(row["bots"]), row["scores"], row["number"]) for row in games] == [  # type: ignore[arg-type]
        (game.seats, list(game.scores), number) for number, game in enumerate(played)
    ]


def test_a_fault_is_written_with_its_game(tmp_path: Path) -> None:
    batch = Batch(SHAPE, (f"{block_work.__name__}:Moody", "random", "random"), 3)
    write(tmp_path, parquet.of_batch(batch, 2, watched=True))
    direct = statistics.gather(SHAPE, batch.bots, 2, 3)
    assert reading.gather([tmp_path]) == [direct]
    assert len(direct.faults) == 2
    assert [row["fault"] for row in told(tmp_path, "games")] == list(direct.faults)
    assert [row["finished"] for row in told(tmp_path, "games")] == [False, False]


def test_bots_that_play_by_a_solver_are_refused() -> None:
    shape = Shape(FORTUNE, "classic-35", 2, {"target": "5000"})
    with pytest.raises(BadSetup, match="play by a solver have no records"):
        parquet.of_batch(Batch(shape, ("optimal",)), 2, watched=True)


def test_after_an_error_the_files_are_as_before(tmp_path: Path) -> None:
    write(tmp_path, parquet.of_batch(BATCH, 1, watched=True))
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    plan = parquet.of_batch(BATCH, 2, watched=True)
    wrong = replace(plan, blocks=[{"first": 0, "games": 1}, {"first": -1, "games": "two"}])
    with pytest.raises(Exception, match="games"):
        write(tmp_path, wrong)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


# Statistics from files -----------------------------------------------------------------------------
def test_statistics_of_the_table_are_those_of_play(folder: Path, tmp_path: Path) -> None:
    alone = statistics.gather(SHAPE, BATCH.bots, GAMES, 3)
    assert reading.gather([folder]) == reading.gather([folder / "games.parquet"]) == [alone]
    some = polars.read_parquet(folder / "games.parquet").filter(polars.col("number") > 2)
    some.write_parquet(tmp_path / "some.parquet")
    (found,) = reading.gather([tmp_path / "some.parquet"])
    assert found.games == GAMES - 3
    assert found.longest in range(3, GAMES), "games keep their numbers"


def test_an_edition_of_your_own_is_read_again(tmp_path: Path) -> None:
    own = FORTUNE.edition("classic-35").changed({"deck.gold": 5})
    shape = Shape(FORTUNE, own, 2, {"target": "5000"})
    write(tmp_path, *(parquet.of_batch(Batch(one, ("random",)), 2, watched=True) for one in (shape, replace(SHAPE))))
    mine, usual = reading.gather([tmp_path])
    assert mine.as_dict() == statistics.gather(shape, "random", 2).as_dict()
    assert mine.as_dict()["changed"]
    assert usual.as_dict() == statistics.gather(SHAPE, "random", 2).as_dict()


@pytest.mark.parametrize("title", ["", "Poor"])
def test_an_edition_of_your_own_is_known_again_in_every_kind_of_file(tmp_path: Path, title: str) -> None:
    own = FORTUNE.edition("classic-35").changed({"deck.gold": 5}, title)
    shape = Shape(FORTUNE, own, 2, {"target": "5000"})
    batch = Batch(shape, ("random",), 3)
    watched, simulated, met = (tmp_path / f"{name}.jsonl" for name in ("watched", "simulated", "met"))
    contest = Contest(FORTUNE, ("greedy", "random"), 2, own, {"target": "5000"}, 5)
    with Here() as here, Crew(1) as crew, Results(met, contest) as kept:
        gather(batch, 20, Spread(here, watched))
        simulate(batch, 20, Spread(here, simulated))
        run(contest, 1, crew, keep=kept.keep)
    recording.write(tmp_path, "game", {"1": recording.again(batch, 1)})
    files = [watched, simulated, met] + ([] if title else [tmp_path / "game-1.txt"])  # a record has no base
    for file in files:
        for found in reading.gather([file]):
            assert found.shape == shape, file
            assert found.as_dict()["changed"] == {"deck": own.parts["deck"]}, file
    with Results(met, contest) as again:
        assert len(again.played) == 2, "the file is continued"


def test_statistics_of_records_are_those_of_their_games(tmp_path: Path) -> None:
    recording.write(tmp_path, "game", {str(one): recording.again(BATCH, one, watched=True) for one in range(GAMES)})
    (found,) = reading.gather([tmp_path])
    alone = statistics.gather(SHAPE, BATCH.bots, GAMES, 3)
    assert replace(found, seed=3) == alone


@pytest.mark.parametrize("size", [3, 50])
def test_statistics_of_results_are_those_of_play(tmp_path: Path, size: int) -> None:
    file = tmp_path / "games.jsonl"
    with Here() as here:
        direct = gather(BATCH, 20, Spread(here, file, size=size))
    assert reading.gather([file]) == [direct]


def test_results_that_are_brief_give_what_they_can(tmp_path: Path) -> None:
    """`simulate` and `arena` keep scores, wins and lengths; the rest is missing, not zero."""
    simulated, met = tmp_path / "simulated.jsonl", tmp_path / "arena.jsonl"
    batch = replace(BATCH, bots=("random",))
    with Here() as here:
        simulate(batch, 20, Spread(here, simulated, size=8))
    (found,) = reading.gather([simulated])
    alone = statistics.gather(SHAPE, "random", 20, 3)  # random games are the same in both
    for name in ("shape", "bots", "games", "unfinished", "bound", "decisions", "seats", "shared", "scores", "winners"):
        assert getattr(found, name) == getattr(alone, name), name
    assert (found.steps, found.order, found.endings, found.events, found.counts) == (None, (), {}, {}, {})
    contest = Contest(FORTUNE, ("greedy", "random"), 2, "classic-35", {"target": "5000"}, 5)
    with Crew(1) as crew, Results(met, contest) as kept:
        result = run(contest, 4, crew, keep=kept.keep)
    both = reading.gather([met])
    assert {one.bots: one.games for one in both} == Counter(game.seats for block in result.blocks for game in block)
    recording.write(tmp_path, "game", {"1": recording.again(BATCH, 1)})
    with pytest.raises(OtherResults, match="have less than the others"):
        reading.gather([met, tmp_path / "game-1.txt"])


def _changed(file: Path, change: Callable[[str], str]) -> Path:
    file.write_text(change(file.read_text("utf-8")), "utf-8")
    return file


def test_files_that_do_not_fit_are_refused_in_a_sentence(folder: Path, tmp_path: Path) -> None:
    games = polars.read_parquet(folder / "games.parquet")

    def table(name: str, frame: object) -> Path:
        frame.write_parquet(tmp_path / name)  # type: ignore[attr-defined]
        return tmp_path / name

    other = tmp_path / "gatsby.txt"
    other.write_text(parlour.new("gatsby", 2, seed=1).record().to_text(), "utf-8")
    text = tmp_path / "notes.txt"
    text.write_text("Some notes.\n", "utf-8")
    (tmp_path / "empty").mkdir()
    old = tmp_path / "old.jsonl"
    with Here() as here:
        gather(BATCH, 2, Spread(here, old))
    _changed(old, lambda text: re.sub(r'"game fortune":"\d+ \w+"', '"game fortune":"0 abc"', text))
    met = tmp_path / "met.jsonl"
    contest = Contest(FORTUNE, ("greedy", "random"), 2, "classic-35", {}, 5)
    met.write_text(json.dumps(contest.settings()) + '\n{"block":0}\n', "utf-8")
    before = tmp_path / "before.jsonl"
    before.write_text(json.dumps(contest.settings() | {"rules": 0}) + "\n", "utf-8")
    for files, kind, why in (
        ([folder / "events.parquet"], BadSetup, "is not games.parquet of Parlour: it has no column game"),
        ([folder, other], OtherResults, "hold games of fortune and of gatsby"),
        ([folder, folder], OtherResults, "Game 0 of fortune classic-35 3p target=5000 is in these files twice"),
        ([table("rules.parquet", games.with_columns(rules=0))], OtherRules, "version 0 of the rules of fortune"),
        ([table("less.parquet", games.drop("count rounds"))], OtherResults, "no column 'count rounds'"),
        ([table("end.parquet", games.with_columns(ending=polars.lit("x")))], OtherResults, "an ending that fortune"),
        ([text], BadSetup, "notes.txt holds no games. Possible are games.parquet"),
        ([tmp_path / "empty"], BadSetup, "empty has neither games.parquet nor records nor results"),
        ([old], OtherResults, "written with another version of fortune"),
        ([met], OtherResults, "met.jsonl, line 2: this is not a game of an arena"),
        ([before], OtherRules, "version 0 of the rules of fortune"),
        ([table("none.parquet", games.head(0))], BadSetup, "There are no games in"),
    ):
        with pytest.raises(kind, match=re.escape(why)):
            reading.gather(files)


def test_a_record_of_other_rules_is_named(tmp_path: Path) -> None:
    record: Record = recording.again(BATCH, 0).record()
    file = tmp_path / "game.txt"
    file.write_text(record.to_text().replace("rules: 1", "rules: 99"), "utf-8")
    with pytest.raises(OtherRules, match=re.escape(f"{file}: ")):
        reading.gather([file])
