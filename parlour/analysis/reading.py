"""Statistics of games that were played before, from their files: nothing is played.

The files are games.parquet (`parlour.analysis.parquet`; also the folder with it), records, results of blocks of games
(`parlour stats --out`, `parlour simulate --out`) and games of an arena (`parlour arena --out`). The last two kinds of
results hold neither chance nor endings, so their statistics lack what comes of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import numpy as np

from parlour.analysis import arena, batches, block_results, rows, statistics
from parlour.analysis.crew import Played
from parlour.analysis.json_lines import OtherResults
from parlour.analysis.shapes import Shape
from parlour.analysis.statistics import Numbers, Statistics, Watched
from parlour.analysis.versions import version
from parlour.core.edition import CHANGED, Edition
from parlour.core.errors import BadSetup, BrokenRecord, OtherRules
from parlour.core.facts import RULESET
from parlour.core.game import Game
from parlour.core.record import FIRST_LINE, Record
from parlour.core.replay import replay
from parlour.engine import frames, survey
from parlour.games import find

if TYPE_CHECKING:
    import polars

TABLE, PARQUET = "games.parquet", b"PAR1"
ALLOWED = "games.parquet or its folder, records, or what --out of stats, simulate and arena has written"


class Games(NamedTuple):
    """Games of one setup in a file, with their numbers. The columns of `watched.rows` are those of
    `parlour.engine.survey`; STEPS is UNKNOWN where only scores, utilities and decisions are known."""

    shape: Shape
    bots: tuple[str, ...]
    seed: int | None
    numbers: Numbers
    watched: Watched

    @property
    def key(self) -> str:
        """What all games of the same statistics have in common."""
        shape, box = self.shape, self.shape.box
        noted = bool((self.watched.rows[:, survey.STEPS] != survey.UNKNOWN).all())
        return json.dumps(
            [shape.game.name, box.name, box.parts, shape.players, dict(shape.options), self.bots, self.seed, noted],
            sort_keys=True,
        )


def gather(paths: Sequence[Path]) -> list[Statistics]:
    """Return the statistics of the games in files and folders, one for each setup, in the order of the files.

    Raises BadSetup for a file that holds no games, OtherResults for games of another version or more than one game,
    OtherRules, BrokenRecord, NoLibrary (Parquet without Polars), OSError.
    """
    groups: dict[str, list[Games]] = {}
    for file in _files(paths):
        for found in _read(file):
            groups.setdefault(found.key, []).append(found)
    if not groups:
        raise BadSetup(f"There are no games in {', '.join(map(str, paths))}.")
    names = {group[0].shape.game.name: None for group in groups.values()}
    if len(names) > 1:
        raise OtherResults(f"These files hold games of {' and of '.join(names)}. Name those of one game.")
    if len({json.loads(key)[-1] for key in groups}) > 1:
        raise OtherResults(
            "Some of these files have less than the others: no chance, no endings. Read them separately."
        )
    return [_counted(group) for group in groups.values()]


def _counted(group: Sequence[Games]) -> Statistics:
    first = group[0]
    records = first.seed is None  # which have no numbers of their own
    numbers = np.arange(len(group)) if records else np.concatenate([one.numbers for one in group])
    order = np.argsort(numbers, kind="stable")
    if (same := np.flatnonzero(np.diff(numbers[order]) == 0)).size:
        raise OtherResults(f"Game {numbers[order][same[0]]} of {first.shape} is in these files twice.")
    watched = Watched(
        np.concatenate([one.watched.scores for one in group])[order],
        np.concatenate([one.watched.returns for one in group])[order],
        np.concatenate([one.watched.rows for one in group])[order],
        tuple(fault for one in group for fault in one.watched.faults),
    )
    return statistics.count(first.shape, first.bots, first.seed, watched, numbers[order])


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the files, and of a folder its table of games, or all that could be results or records."""
    for path in paths:
        if not path.is_dir():
            yield path
        elif (path / TABLE).is_file():
            yield path / TABLE
        else:
            found = sorted(file for file in path.iterdir() if file.suffix in {".txt", ".json", ".jsonl"})
            if not found:
                raise BadSetup(f"{path} has neither {TABLE} nor records nor results.")
            yield from found


def _read(file: Path) -> Iterator[Games]:
    with file.open("rb") as opened:
        start = opened.read(len(PARQUET))
        first = (start + opened.readline()) if start != PARQUET else start
    if first == PARQUET:
        yield from _of_table(file)
        return
    if first.removeprefix(b"\xef\xbb\xbf").startswith(FIRST_LINE.encode()):
        yield _of_record(file)
        return
    try:
        head = json.loads(first)
    except ValueError:
        head = None
    if isinstance(head, dict) and head.get("blocks") == block_results.SCHEME:
        yield _of_blocks(file, head)
    elif isinstance(head, dict) and head.get("arena") == arena.SCHEME:
        yield from _of_arena(file, head)
    else:
        raise BadSetup(f"{file} holds no games. Possible are {ALLOWED}.")


# Tables --------------------------------------------------------------------------------------------
def _of_table(file: Path) -> Iterator[Games]:
    """Yield the games of games.parquet, those of each setup together."""
    frames.load("polars")
    import polars

    frame = polars.read_parquet(file)
    if lacks := [field.name for field in rows.GAMES if field.name not in frame.columns]:
        raise BadSetup(f"{file} is not {TABLE} of Parlour: it has no column {lacks[0]}.")
    names = [field.name for field in (*rows.KEY[:1], *rows.SETUP)]
    texts = [
        (polars.col(name).list.join("\x1e") if name == "bots" else polars.col(name).cast(polars.String)).fill_null("")
        for name in names
    ]
    keyed = frame.with_columns(polars.concat_str(texts, separator="\x1f").alias("parlour key"))
    for part in keyed.partition_by("parlour key", maintain_order=True):
        yield _of_rows(file, part)


def _of_rows(file: Path, part: polars.DataFrame) -> Games:
    row = part.row(0, named=True)
    game = find(row["game"])
    if row["rules"] != game.rules.VERSION:
        raise OtherRules(
            f"{file} has games of version {row['rules']} of the rules of {game.name}; this Parlour has "
            f"{game.rules.VERSION}."
        )
    if lacks := [field.name for field in rows.fields("games", game) if field.name not in part.columns]:
        raise OtherResults(f"{file} has no column {lacks[0]!r}: it was written by another version of {game.name}.")
    endings = getattr(game.events, "ENDINGS", ())
    unknown = {name for name in part["ending"].unique().to_list() if name is not None and name not in endings}
    if unknown:
        raise OtherResults(f"{file} has an ending that {game.name} does not have here: {min(unknown)!r}.")
    places = [endings.index(name) if name else 0 for name in part["ending"].to_list()]
    counted = [field.name for field in rows.fields("games", game)[len(rows.GAMES) :]]
    columns = [
        part["decisions"].to_numpy(), part["steps"].to_numpy(), part["starter"].fill_null(0).to_numpy() - 1,
        np.where(part["finished"].to_numpy(), places, survey.UNKNOWN),
        *(part[name].fill_null(0).to_numpy() for name in counted),
    ]  # fmt: skip
    shape = Shape(game, _edition(game, row), row["players"], json.loads(row["options"]))
    watched = Watched(
        np.array(part["scores"].to_list(), np.int64), np.array(part["returns"].to_list(), np.float64),
        np.stack(columns, axis=1).astype(np.int64), tuple(part["fault"].drop_nulls().to_list()),
    )  # fmt: skip
    seed = None if row["seed"] is None else int(row["seed"])
    return Games(shape, tuple(row["bots"]), seed, part["number"].to_numpy(), watched)


def _edition(game: Game, row: Mapping[str, str | None]) -> str | Edition:
    """Return the edition of a row: the game's own, or one of your own with its values."""
    name, base, text = str(row["edition"]), row["base"], row["changed"]
    if base is None:
        return game.named(name).name
    before, values = game.named(base), json.loads(text or "{}")
    components = {
        key: replace(part, value=values[key], mark=CHANGED) if key in values else part
        for key, part in before.components.items()
    }
    return Edition(name, name, before.note, components, base)


# Records -------------------------------------------------------------------------------------------
def _of_record(file: Path) -> Games:
    """Return the game of a record, with the names of its players in place of bots."""
    try:
        match = replay(Record.parse(file.read_text("utf-8")), find)
    except (BrokenRecord, OtherRules) as error:
        raise type(error)(f"{file}: {error}") from error
    game = match.game
    edition = game.recorded_edition(match.edition.name, match.edition.parts)
    shape = Shape(game, edition, len(match.names), _chosen(game, match.options))
    noted = rows.noted(match)
    watched = Watched(
        np.array([match.scores], np.int64), np.array([match.returns], np.float64), np.array([noted], np.int64)
    )
    return Games(shape, match.names, None, np.zeros(1, np.int64), watched)


def _chosen(game: Game, options: Mapping[str, str]) -> dict[str, str]:
    """Return the options that are not at their default, and the ruleset."""
    defaults = {option.name: option.default for option in game.facts.options}
    return {name: value for name, value in options.items() if name == RULESET or value != defaults[name]}


# Results in lines of JSON --------------------------------------------------------------------------
def _of_blocks(file: Path, head: Mapping[str, object]) -> Games:
    """Return the games of the results of `parlour stats` or `parlour simulate`."""
    work = str(head["work"]).partition(":")[2]
    if head["work"] not in (f"{batches.HERE}:watched", f"{batches.HERE}:simulated"):
        raise BadSetup(f"{file} holds results of blocks that are not games. Possible are {ALLOWED}.")
    given = msgspec.convert(head["common"], batches.Common)
    key = f"game {given.game}"
    there, here = head["version"], version((str(head["work"]),), (given.game,))
    if not isinstance(there, dict) or there.get(key) != here[key]:
        raise OtherResults(f"{file} was written with another version of {given.game}, so its columns may mean others.")
    with block_results.Kept(file, {name: head[name] for name in ("work", "common", "version")}) as lines:
        blocks = _blocks(lines)
        found = lines.results(blocks)
    parts = [(msgspec.convert(blocks[at], batches.Part), found[at][0]) for at in sorted(found)]
    parts.sort(key=lambda part: part[0].first)
    if not parts:
        raise BadSetup(f"{file} holds no game yet.")
    numbers = np.concatenate([np.arange(part.first, part.first + part.games) for part, _ in parts])
    (scores, returns, *others), notes = batches.joined([data for _, data in parts])
    if work == "watched":
        watched = Watched(scores, returns, others[0], tuple(map(str, notes)))
    else:
        faults = msgspec.convert(notes, list[tuple[int, int, str]])
        over = others[1] & ~np.isin(numbers, [number for number, _, _ in faults])
        watched = Watched(scores, returns, _brief(others[0], over), tuple(why for _, _, why in faults))
    game = find(given.game)
    edition = game.recorded_edition(given.edition, given.parts, given.base)
    shape = Shape(game, edition, given.players, _chosen(game, given.options))
    return Games(shape, given.bots, given.seed, numbers, watched)


def _blocks(lines: block_results.Kept) -> list[dict[str, object]]:
    """Return the settings of the blocks in a file, each once."""
    given = (line.get("given") for _, line in lines.found() if isinstance(line, dict))
    return list({json.dumps(one, sort_keys=True): one for one in given if isinstance(one, dict)}.values())


def _of_arena(file: Path, head: Mapping[str, object]) -> Iterator[Games]:
    """Yield the games of an arena, those with the same bots at the same seats together."""
    game = find(str(head["game"]))
    if head["rules"] != game.rules.VERSION:
        raise OtherRules(
            f"{file} has games of version {head['rules']} of the rules of {game.name}; this Parlour has "
            f"{game.rules.VERSION}."
        )
    given = msgspec.convert(head, Contest)
    edition = game.recorded_edition(given.edition, given.parts, given.base)
    shape = Shape(game, edition, given.players, _chosen(game, given.options))
    seated: dict[tuple[str, ...], dict[tuple[int, int], Played]] = {}
    with file.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if number == 1 or not line.endswith(b"\n"):
                continue
            try:
                held = json.loads(line)
                one = msgspec.convert([held.get(name, "") for name in Played._fields], Played)
            except (ValueError, AttributeError) as error:
                raise OtherResults(f"{file}, line {number}: this is not a game of an arena.") from error
            seated.setdefault(one.seats, {})[one.block, one.number] = one
    for seats, found in seated.items():
        games = list(found.values())
        over = np.array([not one.fault and any(one.returns) for one in games])
        watched = Watched(
            np.array([one.scores for one in games], np.int64), np.array([one.returns for one in games]),
            _brief(np.array([sum(one.decisions) for one in games]), over),
            tuple(one.fault for one in games if one.fault),
        )  # fmt: skip
        numbers = np.arange(len(games))
        yield Games(shape, seats, given.seed, numbers, watched)


class Contest(msgspec.Struct):
    """What the first line of an arena's file says of its games."""

    edition: str
    parts: dict[str, object]
    options: dict[str, str]
    players: int
    seed: int
    base: str = ""


def _brief(decisions: Numbers, over: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Numbers:
    """Return the rows of games of which only the decisions are known, and whether they are over."""
    found = np.full((len(decisions), survey.EVENTS), survey.UNKNOWN, np.int64)
    found[:, survey.DECISIONS] = decisions
    found[over, survey.ENDING] = 0
    return found
