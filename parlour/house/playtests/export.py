"""A playtest as CSV files in one ZIP, without names: players are P1, P2, tables are T1, T2.

Addresses of tables are left out, because a replay shows names. Texts that players wrote are there as they wrote them.
"""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterable, Iterator, Sequence

from parlour.house.playtests.pages import Playtested, Read
from parlour.house.playtests.questions import FREE, QUESTIONS

Cell = str | int | float
README = """A playtest of {what}, with the consent of each player. Players are P1, P2, ...; tables T1, T2, ...

tables.csv     the tables: the edition that was played, and the status
decisions.csv  decisions with a choice: seconds (empty if unknown), choices, the move, the step of the game, and 1
               if the player took it back
clauses.csv    rules for which the page refused something ("refused"), or that a player opened ("opened")
answers.csv    the answers after a game: {questions}
chat.csv       the messages, with the step at which they were sent
editions.csv   the values of each edition that differ

Nothing is here of players who did not agree, and nothing from before a player agreed. A text that a spreadsheet would
take for a formula begins with '.
"""


def files(known: Playtested, what: str) -> dict[str, str]:
    """Return the files by name."""
    number = {one.table.id: one for one in known.tables}
    questions = "; ".join(
        [
            f"{field}, {words} ({', '.join(f'{i} {label}' for i, label in enumerate(labels, 1))})"
            for field, words, labels in QUESTIONS
        ]
        + [f"words, {FREE}"]
    )
    noted = [(one, step, note) for one in known.tables if one.digest for step, note in one.digest.notes]
    said = [(one, step, line) for one in known.tables if one.digest for step, line in one.digest.said]
    return {
        "README.txt": README.format(what=what, questions=questions),
        "tables.csv": _csv(("table", "edition", "status"), ((*_of(one), one.table.status) for one in known.tables)),
        "decisions.csv": _csv(
            ("table", "edition", "player", "seconds", "choices", "move", "step", "taken_back"), _decisions(known.tables)
        ),
        "clauses.csv": _csv(
            ("table", "edition", "player", "what", "clause", "step"),
            ((*_of(one), f"P{note.number}", note.kind, note.clause, step) for one, step, note in noted),
        ),
        "answers.csv": _csv(
            ("table", "edition", "player", *(field for field, *_ in QUESTIONS), "words"),
            (
                (
                    *_of(number[one.table]),
                    f"P{one.number}",
                    *(getattr(one, field) for field, *_ in QUESTIONS),
                    one.words,
                )
                for one in known.found.answers
                if one.table in number
            ),
        ),
        "chat.csv": _csv(
            ("table", "edition", "player", "step", "text"),
            ((*_of(one), f"P{line.number}", step, line.text) for one, step, line in said),
        ),
        "editions.csv": _csv(
            ("edition", "base", "change"),
            (
                (one.arm, one.edition, line.strip())
                for one in known.editions
                for line in one.changes.splitlines() or [""]
            ),
        ),
    }


def packed(known: Playtested, what: str) -> bytes:
    """Return the ZIP."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as pack:
        for name, text in files(known, what).items():
            pack.writestr(name, text)
    return data.getvalue()


def _of(one: Read) -> tuple[str, str]:
    return f"T{one.number}", one.table.arm


def _decisions(tables: Iterable[Read]) -> Iterator[Sequence[Cell]]:
    for one in tables:
        for each in one.digest.decisions if one.digest else ():
            move = each.text if one.digest and one.digest.over else ""  # of a running game it may be a secret
            time: Cell = round(each.seconds, 1) if each.seconds else ""
            yield *_of(one), f"P{each.number}", time, each.choices, move, each.step, int(each.back)


def _csv(head: Sequence[str], lines: Iterable[Sequence[Cell]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(head)
    writer.writerows([_harmless(cell) for cell in line] for line in lines)
    return text.getvalue()


def _harmless(cell: Cell) -> Cell:
    """Return a cell that no spreadsheet takes for a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@", "\t", "\r") else cell
