"""A playtest as files in one ZIP, CSV or Parquet, without names: players are P1, P2, tables are T1, T2.

Addresses of tables are left out, because a replay shows names. Texts that players wrote are there as they wrote them.
"""

from __future__ import annotations

import csv
import importlib.util
import io
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from parlour.analysis.trials import Trial
from parlour.house.playtests.pages import Playtested, Read
from parlour.house.playtests.questions import FREE, QUESTIONS

Cell = str | int | float | bool | None
Kind = Literal["text", "whole number", "number", "yes or no"]
NO_PARQUET = "This house can't write Parquet. The person who runs it can: pip install 'parlour[data]'."
README = """A playtest of {what}, with the consent of each player. Players are P1, P2, ...; tables T1, T2, ...

tables     the tables: the edition that was played, and the status
decisions  decisions with a choice: seconds (empty if unknown), choices, the move (empty while the game runs), the step
           of the game, and whether the player took it back ({yes})
clauses    rules for which the page refused something ("refused"), or that a player opened ("opened")
answers    the answers after a game: {questions}
chat       the messages, with the step at which they were sent
editions   the values of each edition that differ
bots       what bots did: each measure in each edition, with the ends of its 95 % interval

Nothing is here of players who did not agree, and nothing from before a player agreed.{formulas}
"""
FORMULAS = " A text that a spreadsheet would\ntake for a formula begins with '."


class Sheet(NamedTuple):
    """A table: the kind of each column, by its name, and the rows."""

    columns: Mapping[str, Kind]
    rows: list[Sequence[Cell]]


WHERE: dict[str, Kind] = {"table": "text", "edition": "text"}
WHO: dict[str, Kind] = {**WHERE, "player": "text"}


def sheets(known: Playtested, trial: Trial | None = None) -> dict[str, Sheet]:
    """Return the tables by name."""
    number = {one.table.id: one for one in known.tables}
    read = [(one, one.digest) for one in known.tables if one.digest]
    return {
        "tables": Sheet({**WHERE, "status": "text"}, [(*_of(one), one.table.status) for one in known.tables]),
        "decisions": Sheet(
            {
                **WHO, "seconds": "number", "choices": "whole number", "move": "text", "step": "whole number",
                "taken_back": "yes or no",
            },
            [*_decisions(known.tables)],
        ),
        "clauses": Sheet(
            {**WHO, "what": "text", "clause": "text", "step": "whole number"},
            [(*_of(one), f"P{note.number}", note.kind, note.clause, step)
             for one, digest in read for step, note in digest.notes],
        ),
        "answers": Sheet(
            {**WHO, **{field: "whole number" for field, *_ in QUESTIONS}, "words": "text"},
            [(*_of(number[one.table]), f"P{one.number}", *(getattr(one, field) for field, *_ in QUESTIONS), one.words)
             for one in known.found.answers if one.table in number],
        ),
        "chat": Sheet(
            {**WHO, "step": "whole number", "text": "text"},
            [(*_of(one), f"P{line.number}", step, line.text) for one, digest in read for step, line in digest.said],
        ),
        "editions": Sheet(
            {"edition": "text", "base": "text", "change": "text"},
            [(one.arm, one.edition, line.strip())
             for one in known.editions for line in one.changes.splitlines() or [""]],
        ),
        "bots": Sheet(
            {
                "measure": "text", "title": "text", "unit": "text", "edition": "text", "games": "whole number",
                "value": "number", "low": "number", "high": "number",
            },
            [*_bots(trial)] if trial else [],
        ),
    }  # fmt: skip


def readme(what: str, kind: Literal["csv", "parquet"]) -> str:
    """Return the text that describes the files."""
    questions = "; ".join(
        [
            f"{field}, {words} ({', '.join(f'{i} {label}' for i, label in enumerate(labels, 1))})"
            for field, words, labels in QUESTIONS
        ]
        + [f"words, {FREE}"]
    )
    yes, formulas = ("1", FORMULAS) if kind == "csv" else ("true", "")
    return README.format(what=what, questions=questions, yes=yes, formulas=formulas)


def packed(found: Mapping[str, Sheet], what: str) -> bytes:
    """Return the ZIP of CSV files."""
    texts = {f"{name}.csv": _csv(sheet) for name, sheet in found.items()}
    return _zip({"README.txt": readme(what, "csv"), **texts})


def has_parquet() -> bool:
    """Return whether this house can write Parquet."""
    return importlib.util.find_spec("polars") is not None


def packed_parquet(found: Mapping[str, Sheet], what: str) -> bytes:
    """Return the ZIP of Parquet files. It loads a large library, so a worker process calls it."""
    import polars

    kinds = {
        "text": polars.String(), "whole number": polars.Int64(), "number": polars.Float64(),
        "yes or no": polars.Boolean(),
    }  # fmt: skip
    files: dict[str, str | bytes] = {"README.txt": readme(what, "parquet")}
    for name, sheet in found.items():
        schema = {column: kinds[kind] for column, kind in sheet.columns.items()}
        data = io.BytesIO()
        polars.DataFrame(list(map(tuple, sheet.rows)), schema=schema, orient="row").write_parquet(data)
        files[f"{name}.parquet"] = data.getvalue()
    return _zip(files)


def _zip(files: Mapping[str, str | bytes]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as pack:
        for name, content in files.items():
            pack.writestr(name, content)
    return data.getvalue()


def _of(one: Read) -> tuple[str, str]:
    return f"T{one.number}", one.table.arm


def _decisions(tables: Sequence[Read]) -> Iterator[Sequence[Cell]]:
    for one in tables:
        for each in one.digest.decisions if one.digest else ():
            move = each.text if one.digest and one.digest.over else ""  # of a running game it may be a secret
            time = round(each.seconds, 1) if each.seconds else None
            yield *_of(one), f"P{each.number}", time, each.choices, move, each.step, each.back


def _bots(trial: Trial) -> Iterator[Sequence[Cell]]:
    for line in trial.lines:
        for label, values in zip(trial.labels, line.values, strict=True):
            yield line.name, line.title, line.unit, label, trial.games, *(values or (None, None, None))


def _csv(sheet: Sheet) -> str:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(sheet.columns)
    writer.writerows([_harmless(cell) for cell in line] for line in sheet.rows)
    return text.getvalue()


def _harmless(cell: Cell) -> str | int | float:
    """Return a cell that no spreadsheet takes for a formula."""
    if isinstance(cell, bool):
        return int(cell)
    if cell is None:
        return ""
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@", "\t", "\r") else cell
